//! The host's functions compared with the kernel's, run by the interpreter; and the generated file
//! compared with its generator.

use std::fs;
use std::path::Path;

use tilewise_interp as interp;
use tilewise_ir::build::Builder;
use tilewise_ir::check::check;
use tilewise_ir::kernel::{CallArgument, InstKind, ParamKind, Place, Root, ValueId};
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Access, Stored, ViewType};
use tilewise_ir::{kernel, math, text};

use super::fast_math;
use crate::kernel::macro_support::{Form, Op, RustBuiltin};
use crate::kernel::numbers::Random;

/// A function over bits, and its builtin in kernels.
pub(super) struct Tested {
    name: &'static str,
    form: RustBuiltin,
    call: fn([u64; 3]) -> Vec<u64>,
}

impl Tested {
    pub(super) fn new(name: &'static str, form: Form, call: fn([u64; 3]) -> Vec<u64>) -> Tested {
        match form {
            Form::Builtin(form) => Tested { name, form, call },
            Form::Function(_) => panic!("`{name}` is not built in"),
        }
    }

    /// The types of its arguments, in memory.
    fn arguments(&self) -> Vec<Stored> {
        match &self.form {
            RustBuiltin::Op(Op::Ldexp) => vec![Stored::F32, Stored::I32],
            RustBuiltin::Op(op) => vec![Stored::F32; op.row().args.len()],
            RustBuiltin::Library("fast_math::pow") => vec![Stored::F32; 2],
            _ => vec![Stored::F32],
        }
    }

    /// Is the result a `bool`?
    fn asks(&self) -> bool {
        matches!(self.form, RustBuiltin::Op(Op::IsNan | Op::IsInf | Op::IsFinite | Op::SignBit))
    }

    /// Emits the call into a kernel.
    fn emit(&self, b: &mut Builder, args: Vec<ValueId>) -> ValueId {
        match &self.form {
            RustBuiltin::Op(op) => b.op(*op, &args, Pos::NONE),
            RustBuiltin::Library(path) => {
                let function = text::link(b, path).unwrap_or_else(|| panic!("there is no {path}"));
                b.value(
                    InstKind::Call { function, args: args.into_iter().map(CallArgument::Value).collect() },
                    Pos::NONE,
                )
            }
            form => panic!("`{}` is no function of numbers: {form:?}", self.name),
        }
    }

    /// The results of the interpreter.
    fn in_kernel(&self, rows: &[[u32; 3]]) -> Vec<u32> {
        let stored = self.arguments();
        let mut b = Builder::new("probe", 1, None);
        let mut view = |stored: Stored, access: Access| {
            let element = b.types().scalar(stored);
            b.param("v", ParamKind::View(ViewType { element, rank: 1, access }), Pos::NONE).index() as u32
        };
        let inputs: Vec<_> = stored.iter().map(|&stored| view(stored, Access::Read)).collect();
        let output = view(if self.asks() { Stored::U32 } else { Stored::F32 }, Access::ReadWrite);
        b.begin_entry();
        let index = b.value(InstKind::Builtin(kernel::Builtin::Global(0)), Pos::NONE);
        let at = |b: &mut Builder, param| {
            let root = Root::View { view: b.param_value(param), index: vec![index] };
            Place { root, path: vec![] }
        };
        let mut args = Vec::new();
        for input in inputs {
            let place = at(&mut b, input);
            args.push(b.load(place, Pos::NONE));
        }
        let mut value = self.emit(&mut b, args);
        if self.asks() {
            value = b.op(Op::ToU32, &[value], Pos::NONE);
        }
        let place = at(&mut b, output);
        b.emit(InstKind::Store { place, value }, Pos::NONE);
        let kernel = check(b.finish()).unwrap_or_else(|_| panic!("`{}` does not pass the checker", self.name));

        let column = |i: usize| rows.iter().flat_map(move |row| row[i].to_le_bytes()).collect::<Vec<u8>>();
        let mut allocations: Vec<_> = (0..stored.len()).map(column).collect();
        allocations.push(vec![0; 4 * rows.len()]);
        let extent = [rows.len() as i32];
        let bound: Vec<_> = (0..allocations.len()).map(|i| Argument::View(ViewArgument::dense(i, &extent))).collect();
        let mut memory = LaunchMemory::new(allocations);
        let options = interp::Options { fuel: None, ..interp::Options::default() };
        let outcome = interp::run(&kernel, &Domain::new(extent), &mut memory, &bound, &options);
        assert!(outcome.is_ok(), "`{}` does not run", self.name);
        let results = memory.allocations.pop().unwrap_or_default();
        results.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }
}

/// Bits of edge values of the functions.
fn edges() -> Vec<u32> {
    let sizes = [
        0.0,
        f32::from_bits(1),
        f32::from_bits(0x007f_ffff),
        f32::MIN_POSITIVE,
        1e-20,
        0.5,
        0.625,
        1.0 - f32::EPSILON / 2.0,
        1.0,
        1.0 + f32::EPSILON,
        1.5,
        2.0,
        2.5,
        3.0,
        std::f32::consts::FRAC_PI_2,
        std::f32::consts::PI,
        10.0,
        88.722_84,
        89.0,
        103.972_08,
        104.0,
        127.0,
        128.0,
        149.0,
        151.0,
        6400.0,
        6400.001,
        8_388_607.5,
        8_388_608.0,
        1e20,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ];
    sizes.into_iter().flat_map(|x: f32| [x, -x]).map(f32::to_bits).chain([0x7f80_0001, 0xffff_ffff]).collect()
}

/// Every pair of edges, and 100,000 random rows: half of them any bits, half in the usual range.
fn rows() -> Vec<[u32; 3]> {
    let edges = edges();
    let mut rows: Vec<_> = edges
        .iter()
        .flat_map(|&x| edges.iter().enumerate().map(move |(i, &y)| [x, y, i as u32 * 0x0040_0000]))
        .collect();
    let mut random = Random(1);
    for i in 0..100_000 {
        rows.push(std::array::from_fn(|_| {
            let bits = random.next();
            let usual = ((bits >> 40) as f32 / (1 << 16) as f32 - 128.0) * if i % 4 == 0 { 0.01 } else { 1.0 };
            if i % 2 == 0 { usual.to_bits() } else { bits as u32 }
        }));
    }
    // Exponents for `ldexp` are in the second column: small ones too.
    rows.extend((-300..300).map(|e: i32| [0x3f9d_70a4, e as u32, 0]));
    rows
}

#[test]
fn the_host_computes_what_kernels_compute() {
    let rows = rows();
    let nan = |bits: u32| f32::from_bits(bits).is_nan();
    for function in fast_math::all() {
        for (row, expected) in rows.iter().zip(function.in_kernel(&rows)) {
            let found = (function.call)(row.map(u64::from))[0] as u32;
            let same = found == expected || !function.asks() && nan(found) && nan(expected);
            // The sign of a NaN is not specified.
            let open = function.form == RustBuiltin::Op(Op::SignBit) && nan(row[0]);
            assert!(same || open, "{}({row:x?}): {found:#x} on the host, {expected:#x} in a kernel", function.name);
        }
    }
}

#[test]
fn every_function_of_the_library_is_offered() {
    let offered: Vec<_> = fast_math::all().into_iter().map(|function| function.form).collect();
    for path in text::library::functions().filter(|path| path.starts_with("fast_math::")) {
        assert!(offered.contains(&RustBuiltin::Library(path)), "{path}");
    }
}

const HEAD: &str = "\
//! Written from the kernel library `ir/src/math/fast_math.kir` by `tilewise_ir::math::rust`; do not edit. `BLESS=1 cargo test -p tilewise --lib math` writes it anew.
//!
//! The functions of `fast_math` and their parts, step by step as in the library: no step may be left out, joined with another or done in another order. What they compute and how
//! well is said there.

#![allow(clippy::approx_constant, reason = \"the constants are parts of approximations\")]

";

#[test]
fn the_functions_for_the_host_are_those_of_the_library() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/kernel/math/fast.rs");
    let source = math::rust::source("fast_math").unwrap_or_else(|reason| panic!("{reason}"));
    let wanted = format!("{HEAD}{source}");
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, wanted).expect("the file can be written");
        return;
    }
    let fresh = fs::read_to_string(&path).unwrap_or_default() == wanted;
    assert!(
        fresh,
        "tilewise/src/kernel/math/fast.rs differs from the library; `BLESS=1 cargo test -p tilewise --lib math` writes it anew"
    );
}
