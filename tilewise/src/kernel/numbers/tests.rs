//! Comparison of the two sides: the same methods, the same results; and std's results, where std
//! has one.
//!
//! Every companion is called, on edge values and random ones, and compared with the interpreter's
//! result for the method that the companion's marker names.

mod run;
mod std_meaning;

use std::collections::BTreeMap;

use tilewise_ir::types::Scalar;
use tilewise_lower::methods::{self, Method, MethodType};

use super::{of_floats, of_integers, of_numbers, of_signed, of_unsigned, with_sign};
use crate::kernel::macro_support::{Form, KernelFn, RustBuiltin};
use crate::targets::native::running::as_a_kernel;

/// A companion of one type, over bits.
pub(super) struct Tested {
    /// The method that its marker names.
    pub(super) name: &'static str,
    /// Calls it with the bits of its arguments, the receiver first; returns those of its results.
    pub(super) call: fn([u64; 3]) -> Vec<u64>,
}

impl Tested {
    /// The companion that marks its result with `M`.
    pub(super) fn new<M: KernelFn>(call: fn([u64; 3]) -> Vec<u64>) -> Tested {
        match M::form() {
            Form::Builtin(RustBuiltin::Method(name)) => Tested { name, call },
            form => panic!("not the mark of a method: {form:?}"),
        }
    }
}

/// The companions of a type in the family that `F` stands for.
pub(super) trait Lists<F> {
    fn list() -> Vec<Tested>;
}

/// An argument or result as the bits that the kernel language has.
pub(crate) trait Bare {
    fn take(bits: &mut impl Iterator<Item = u64>) -> Self;
    fn put(self) -> Vec<u64>;
}

macro_rules! bare {
    ($($t:ident as $kernel:ident)*) => {$(
        impl Bare for $t {
            fn take(bits: &mut impl Iterator<Item = u64>) -> Self {
                let x: $kernel = tilewise_ir::ops::ScalarBits::from_bits(bits.next().unwrap_or_default());
                x as Self
            }
            fn put(self) -> Vec<u64> {
                vec![tilewise_ir::ops::ScalarBits::to_bits(self as $kernel)]
            }
        }
    )*};
}

bare!(bool as bool i8 as i32 u8 as u32 i16 as i32 u16 as u32 i32 as i32 u32 as u32 i64 as i64 u64 as u64 f32 as f32 f64 as f64 usize as u32 isize as i32);

impl<A: Bare, B: Bare> Bare for (A, B) {
    fn take(bits: &mut impl Iterator<Item = u64>) -> Self {
        (A::take(bits), B::take(bits))
    }
    fn put(self) -> Vec<u64> {
        [self.0.put(), self.1.put()].concat()
    }
}

/// Every companion of every type: the type's name, its scalar in a kernel, the companions.
fn companions() -> Vec<(&'static str, Scalar, Vec<Tested>)> {
    macro_rules! of {
        ($t:ident $scalar:ident $($family:ident)*) => {
            (stringify!($t), Scalar::$scalar, [$(<$t as Lists<$family::MethodFamily>>::list()),*].into_iter().flatten().collect())
        };
    }
    vec![
        of!(i32 I32 of_numbers with_sign of_integers of_signed),
        of!(u32 U32 of_numbers of_integers of_unsigned),
        of!(i64 I64 of_numbers with_sign of_integers of_signed),
        of!(u64 U64 of_numbers of_integers of_unsigned),
        of!(f32 F32 of_numbers with_sign of_floats),
        of!(f64 F64 of_numbers with_sign of_floats),
        of!(usize U32 of_numbers of_integers of_unsigned),
        of!(isize I32 of_numbers with_sign of_integers of_signed),
    ]
}

/// A random sequence determined by its seed: splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
}

/// Edge values of methods, as bits.
fn edges(scalar: Scalar) -> Vec<u64> {
    match scalar {
        Scalar::Bool => vec![0, 1],
        Scalar::I32 | Scalar::U32 => {
            [0, 1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 65, 0x7fff_fffe, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xaaaa_aaaa]
                .into_iter()
                .chain([46_340, 46_341, 65_535, 65_536, 0xffff_fff0, 0xffff_fffe, 0xffff_ffff])
                .collect()
        }
        Scalar::I64 | Scalar::U64 => [0, 1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 65, u64::MAX, u64::MAX - 1, u64::MAX - 15]
            .into_iter()
            .chain([1 << 63, (1 << 63) + 1, (1 << 63) - 1, 1 << 32, (1 << 32) - 1, 3_037_000_499, 3_037_000_500])
            .collect(),
        Scalar::F32 => {
            float_edges().map(|x| u64::from((x as f32).to_bits())).chain([1, 0x007f_ffff, 0x8000_0001]).collect()
        }
        Scalar::F64 => {
            float_edges().map(f64::to_bits).chain([1, 0x000f_ffff_ffff_ffff, 0x8000_0000_0000_0001]).collect()
        }
    }
}

fn float_edges() -> impl Iterator<Item = f64> {
    let sizes = [
        0.0,
        0.25,
        0.5,
        0.499_999_999_999_999_94,
        0.999_999_94,
        1.0,
        1.5,
        2.0,
        2.5,
        3.0,
        std::f64::consts::PI,
        180.0,
        8_388_607.5,
        8_388_609.0,
        4_503_599_627_370_495.5,
        1.175_494_350_822_287_5e-38,
        1e30,
        3.402_823_466_385_288_6e38,
        f64::INFINITY,
        f64::NAN,
    ];
    sizes.into_iter().flat_map(|x| [x, -x])
}

/// Arguments for a method: every combination of edges, and the same number plus 1000 of random
/// ones.
fn arguments(args: &[MethodType], own: Scalar) -> Vec<[u64; 3]> {
    let scalars: Vec<_> = args.iter().map(|part| part.of(own)).collect();
    let mut rows = vec![[0; 3]];
    for (i, &scalar) in scalars.iter().enumerate() {
        let edges = edges(scalar);
        rows = rows
            .into_iter()
            .flat_map(|row| {
                edges.iter().map(move |&edge| {
                    let mut row = row;
                    row[i] = edge;
                    row
                })
            })
            .collect();
    }
    let mut random = Random(scalars.len() as u64);
    for _ in 0..rows.len() + 1000 {
        let mut row = [0; 3];
        for (x, scalar) in row.iter_mut().zip(&scalars) {
            // Small numbers as often as any.
            let bits = random.next() >> (random.next() % 64);
            *x = match scalar {
                Scalar::F32 => u64::from(((bits as i64) as f32 / 16.0).to_bits()),
                Scalar::F64 => ((bits as i64) as f64 / 16.0).to_bits(),
                Scalar::Bool => bits & 1,
                _ if scalar.bits() == 32 => random.next() >> (random.next() % 32) & 0xffff_ffff,
                _ => bits,
            };
        }
        rows.push(row);
    }
    rows
}

/// The same bits, or NaN both; -0 and +0 differ.
fn same(scalar: Scalar, a: u64, b: u64) -> bool {
    a == b
        || match scalar {
            Scalar::F32 => f32::from_bits(a as u32).is_nan() && f32::from_bits(b as u32).is_nan(),
            Scalar::F64 => f64::from_bits(a).is_nan() && f64::from_bits(b).is_nan(),
            _ => false,
        }
}

/// Does each side have as many results as the method, and are they the same?
fn agree(method: &Method, own: Scalar, a: &[u64], b: &[u64]) -> bool {
    let results = method.results;
    let all = || results.iter().zip(a.iter().zip(b)).all(|(part, (&a, &b))| same(part.of(own), a, b));
    a.len() == results.len() && b.len() == results.len() && all()
}

/// Is the result of this method unspecified for these arguments?
fn open(name: &str, own: Scalar, row: &[u64; 3]) -> bool {
    let nan = |x: u64| {
        own == Scalar::F32 && f32::from_bits(x as u32).is_nan() || own == Scalar::F64 && f64::from_bits(x).is_nan()
    };
    matches!(name, "to_bits" | "is_sign_negative" | "is_sign_positive") && nan(row[0])
        || name == "copysign" && nan(row[1])
}

#[test]
fn kernels_and_the_host_have_the_same_methods() {
    let mut in_kernels: BTreeMap<Scalar, Vec<&str>> = BTreeMap::new();
    for (name, scalar) in methods::names() {
        in_kernels.entry(scalar).or_default().push(name);
    }
    in_kernels.values_mut().for_each(|names| names.sort_unstable());
    for (ty, scalar, companions) in companions() {
        let mut on_host: Vec<_> = companions.iter().map(|companion| companion.name).collect();
        on_host.sort_unstable();
        assert_eq!(Some(&on_host), in_kernels.get(&scalar), "{ty}");
    }
}

#[test]
fn companions_compute_what_kernels_compute() {
    for (ty, scalar, companions) in companions() {
        for companion in companions {
            let method = methods::find(companion.name, scalar).expect("both sides have the same methods");
            let rows = arguments(method.args, scalar);
            let results = run::in_kernel(method, scalar, &rows);
            for (row, expected) in rows.iter().zip(results) {
                if open(method.name, scalar, row) {
                    continue;
                }
                let found = as_a_kernel(|| (companion.call)(*row));
                let fits = agree(method, scalar, &found, &expected);
                assert!(fits, "{ty}::{} of {row:x?}: {found:x?} on `native`, {expected:x?} in a kernel", method.name);
            }
        }
    }
}

#[test]
fn companions_compute_what_std_computes_where_it_does() {
    let mut judged = 0;
    for (ty, scalar, companions) in companions().into_iter().filter(|(ty, ..)| !ty.ends_with("size")) {
        let std = std_meaning::of(scalar);
        assert_eq!(companions.len(), std.len(), "{ty}: each method has std's to judge it");
        for companion in companions {
            let method = methods::find(companion.name, scalar).expect("both sides have the same methods");
            let (_, meaning) =
                std.iter().find(|(name, _)| *name == method.name).expect("each method has std's to judge it");
            for row in arguments(method.args, scalar) {
                let Some(expected) = meaning(row) else { continue };
                if open(method.name, scalar, &row) {
                    continue;
                }
                let found = (companion.call)(row);
                let fits = agree(method, scalar, &found, &expected);
                assert!(fits, "{ty}::{} of {row:x?}: {found:x?}, {expected:x?} by std", method.name);
                judged += 1;
            }
        }
    }
    assert!(judged > 500_000, "only {judged} calls had a result to be judged by");
}

#[test]
fn usize_has_the_width_of_the_host_outside_of_kernels() {
    use super::{IntegerMethods as _, NumberMethods as _};
    use crate::kernel::macro_support::LinkedCall;
    let big = 1_usize << 40;
    assert_eq!(LinkedCall::NEW.call(big.min_marked_amp(big + 1)), big);
    assert_eq!(LinkedCall::NEW.call(big.leading_zeros_marked_amp()), usize::BITS - 41);
    let of_small = || {
        let zeros = LinkedCall::NEW.call(1_usize.leading_zeros_marked_amp());
        (zeros, LinkedCall::NEW.call(0_usize.wrapping_sub_marked_amp(1)))
    };
    assert_eq!(of_small(), (usize::BITS - 1, usize::MAX));
    assert_eq!(as_a_kernel(of_small), (31, 0xffff_ffff));
}
