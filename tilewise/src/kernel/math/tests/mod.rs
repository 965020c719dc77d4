//! The host's functions compared with the kernel's, run by the interpreter; and the lists of C++
//! AMP's functions.

mod names;
mod run;

use approx::abs_diff_eq;
use tilewise_ir::text;
use tilewise_ir::types::{Scalar, Stored};

use super::{direct3d, fast_math, precise_math};
use crate::kernel::macro_support::{Form, Op, RustBuiltin};
use crate::kernel::numbers::Random;

/// A function over bits, and its builtin in kernels.
pub(super) struct Tested {
    name: &'static str,
    form: RustBuiltin,
    /// Its arguments and its results.
    columns: [Vec<Stored>; 2],
    call: fn([u64; 3]) -> Vec<u64>,
}

impl Tested {
    pub(super) fn new(
        name: &'static str,
        form: Form,
        columns: [Vec<Stored>; 2],
        call: fn([u64; 3]) -> Vec<u64>,
    ) -> Tested {
        match form {
            Form::Builtin(form) => Tested { name, form, columns, call },
            Form::Function(_) => panic!("`{name}` is not built in"),
        }
    }

    /// Is the first argument a NaN whose sign tells the result?
    fn is_open(&self, row: [u64; 3]) -> bool {
        let [arguments, _] = &self.columns;
        let nan = |i: usize| arguments.get(i).is_some_and(|&stored| is_nan(stored, row[i]));
        self.form == RustBuiltin::Op(Op::SignBit) && nan(0) || self.form == RustBuiltin::Op(Op::Copysign) && nan(1)
    }
}

/// The scalars of an argument or a result in memory; a `bool` is stored as a `u32`.
pub(super) trait Columns {
    fn columns() -> Vec<Stored>;
}

macro_rules! columns {
    ($($t:ident $stored:ident)*) => {$(
        impl Columns for $t {
            fn columns() -> Vec<Stored> {
                vec![Stored::$stored]
            }
        }
    )*};
}

columns!(bool U32 i32 I32 u32 U32 f32 F32 f64 F64);

impl<A: Columns, B: Columns> Columns for (A, B) {
    fn columns() -> Vec<Stored> {
        [A::columns(), B::columns()].concat()
    }
}

fn is_nan(stored: Stored, bits: u64) -> bool {
    match stored.value() {
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(bits).is_nan(),
        Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => false,
    }
}

/// Edge values of a column.
fn edges(stored: Stored) -> Vec<u64> {
    let sizes = [
        0.0,
        1e-20,
        0.25,
        0.5,
        0.625,
        1.0 - f64::from(f32::EPSILON) / 2.0,
        1.0,
        1.0 + f64::from(f32::EPSILON),
        1.5,
        2.0,
        2.5,
        3.0,
        std::f64::consts::FRAC_PI_2,
        std::f64::consts::PI,
        10.0,
        88.722_84,
        89.0,
        103.972_08,
        104.0,
        127.0,
        128.0,
        149.0,
        151.0,
        171.0,
        710.0,
        745.5,
        6400.0,
        6400.001,
        8_388_607.5,
        8_388_608.0,
        1e20,
        f64::INFINITY,
        f64::NAN,
    ];
    let signed = sizes.into_iter().flat_map(|x| [x, -x]);
    match stored.value() {
        Scalar::F32 => signed
            .map(|x| u64::from((x as f32).to_bits()))
            .chain([1, 0x007f_ffff, 0x0080_0000, 0x7f7f_ffff, 0xff7f_ffff, 0x7f80_0001, 0xffff_ffff])
            .collect(),
        Scalar::F64 => signed
            .map(f64::to_bits)
            .chain([1, (1 << 52) - 1, 1 << 52, f64::MAX.to_bits(), 1e300_f64.to_bits(), f64::MIN.to_bits()])
            .collect(),
        Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => [0, 1, 2, 40, 149, 1074, i32::MAX]
            .into_iter()
            .flat_map(|n: i32| [n, -n])
            .map(|n| u64::from(n as u32))
            .collect(),
    }
}

/// Every combination of edges, but of a third column a few, and random rows: half of them any bits,
/// half in the usual range.
fn rows(columns: &[Stored], random_rows: u32) -> Vec<[u64; 3]> {
    let of = |i: usize| columns.get(i).map_or(vec![0], |&stored| edges(stored));
    let (first, second, third) = (of(0), of(1), of(2));
    let mut rows = Vec::new();
    for (i, &x) in first.iter().enumerate() {
        for (j, &y) in second.iter().enumerate() {
            rows.push([x, y, third[(7 * i + j) % third.len()]]);
        }
    }
    let mut random = Random(1);
    for i in 0..random_rows {
        rows.push(std::array::from_fn(|column| {
            let bits = random.next();
            let usual = ((bits >> 40) as f64 / f64::from(1 << 16) - 128.0) * if i % 4 == 0 { 0.01 } else { 1.0 };
            match (columns.get(column).map(|stored| stored.value()), i % 2) {
                (Some(Scalar::F32), 0) => u64::from((usual as f32).to_bits()),
                (Some(Scalar::F64), 0) => usual.to_bits(),
                (Some(Scalar::F64), _) => bits,
                (Some(Scalar::I32 | Scalar::U32), 0) => u64::from(usual as i32 as u32),
                _ => bits & 0xffff_ffff,
            }
        }));
    }
    rows
}

fn agree(functions: Vec<Tested>, random_rows: u32) {
    for function in functions {
        let [arguments, results] = &function.columns;
        let rows = rows(arguments, random_rows);
        for (row, expected) in rows.iter().zip(run::in_kernel(&function, &rows)) {
            let found = (function.call)(*row);
            let same = |(i, &stored): (usize, &Stored)| {
                found[i] == expected[i] || is_nan(stored, found[i]) && is_nan(stored, expected[i])
            };
            let all = found.len() == results.len() && results.iter().enumerate().all(same);
            let of = arguments.first().map_or("nothing", |stored| stored.name());
            assert!(
                all || function.is_open(*row),
                "{}({row:x?}) of {of}: {found:x?} on the host, {expected:x?} in a kernel",
                function.name
            );
        }
    }
}

#[test]
fn fast_math_computes_on_the_host_what_it_computes_in_kernels() {
    agree(fast_math::all(), 100_000);
}

#[test]
fn precise_math_computes_on_the_host_what_it_computes_in_kernels() {
    agree(precise_math::all(), 10_000);
}

#[test]
fn direct3d_computes_on_the_host_what_it_computes_in_kernels() {
    agree(direct3d::all(), 100_000);
}

#[test]
fn noise_is_in_its_range_and_zero_at_whole_numbers() {
    let mut random = Random(5);
    let (mut low, mut high) = (0.0_f32, 0.0_f32);
    for i in -5_000..5_000 {
        let whole = i as f32;
        assert_eq!(direct3d::noise(whole), 0.0, "{whole}");
        let x = whole + (random.next() >> 40) as f32 / (1 << 24) as f32;
        let noise = direct3d::noise(x);
        assert!((-1.0..=1.0).contains(&noise), "{x}: {noise}");
        let near = direct3d::noise(x + 1e-3);
        assert!(abs_diff_eq!(near, noise, epsilon = 0.02), "{x}: {noise}, then {near}");
        (low, high) = (low.min(noise), high.max(noise));
    }
    assert!(low < -0.7 && high > 0.7, "{low} to {high}");
    assert!(direct3d::noise(f32::INFINITY).is_nan() && direct3d::noise(f32::NAN).is_nan());
    assert_eq!(direct3d::noise(1e30), 0.0);
}

/// What a builtin links of the libraries.
fn paths(form: &RustBuiltin, to: &mut Vec<&'static str>) {
    match form {
        RustBuiltin::Library(path) => to.push(path),
        RustBuiltin::Tuple(of) => of.iter().for_each(|form| paths(form, to)),
        RustBuiltin::Components(of) => paths(of, to),
        _ => {}
    }
}

#[test]
fn every_function_of_the_libraries_is_offered() {
    let mut offered = Vec::new();
    for function in [fast_math::all(), precise_math::all(), direct3d::all()].into_iter().flatten() {
        paths(&function.form, &mut offered);
    }
    for path in text::library::functions() {
        assert!(offered.contains(&path), "{path}");
    }
}
