//! The math libraries: functions that kernels call as `fast_math::name` or `precise_math::name`,
//! written in the kernel language itself.
//!
//! A library is one or more `.kir` texts, read once when the first kernel needs it; a function may
//! call functions of the library's other texts. The functions are not
//! rows of the op table: a row has one meaning in Rust that every target must match, while library
//! code consists of rows that already match. So interpreter, JIT and GPU give the same bits without
//! extra work, and optimisers see through the functions. Accuracy is a property of the text,
//! measured once, not of a target. The test `host_math` translates the libraries to Rust, for the
//! host.
//!
//! `fast_math` has the name and scope of C++ AMP's: `f32` only, speed over the last bit, at most 2
//! ulp. In Relaxed, and only there, a GPU may use its own function instead.
//!
//! `precise_math` has C++ AMP's names too: `sinf` for `f32`, `sin` for `f64`. Functions of `f32`
//! are evaluated in `f64`. They rely on the errors of single sums and products, so every launch
//! computes them as Strict does
//! ([`Function::is_precise`](crate::kernel::Function::is_precise)). An accelerator without `f64`
//! has none of them.
//!
//! `direct3d` has `noise`; C++ AMP's other intrinsic functions are rows of the op table.
//!
//! # Rules for functions of `fast_math`
//! - `f32` and 32-bit integers; no `f64`, no `i64` (slow or missing on GPUs, pairs of vectors in
//!   lanes).
//! - No `fma` and no `mad`: slow without hardware support, not fused on some GPUs. Where the low
//!   half of a product is needed, masking bits splits the factors.
//! - A product that rounds nothing is written as `exact_product`: `jit` fuses it with a sum, where the
//!   result has the same bits ([`promise`]).
//! - No branches but `select`, no loops, no tables (a table is a gather). An `if` is for rare
//!   arguments only, such as trigonometric ones above 6400, denormal numbers, or powers near the ends
//!   of the range: `jit` places its arms apart from the rest of the code.
//! - At most one division. No saturating conversion, no `ldexp`: integer shifts construct
//!   exponents.
//! - All special values as in C99 annex F; denormal arguments and results are rounded like others.
//! - Robust to reordered sums in Relaxed (Strict does not need this): rounding to integers uses bit
//!   patterns, not the addition and subtraction of a large number.
//!
//! # Measured errors
//! `docs/accuracy.md` has them for every function, over all 2^32 arguments where there is one
//! `f32`; `tilewise accuracy` measures them again. Worst arguments are in the comments of the texts.
//!
//! Beyond these, in `fast_math`: `exp2` is exact for whole arguments, `log2` for powers of two, `log10` for
//! powers of ten; `cos(0)` is 1; `pow` is exact for all whole bases below 2000 and exponents 1 to 4
//! whose power is below 2^24; `sin`, `tan`, `tanh` are odd and `cos` is even to the bit.

pub mod promise;

/// A library: functions that kernels call by `name::function`.
#[derive(Clone, Copy, Debug)]
pub struct MathLibrary {
    /// Its name, the first part of its functions' paths.
    pub name: &'static str,
    /// Its texts. The names of their items are unique over the library.
    pub texts: &'static [LibraryText],
}

/// One text of a library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryText {
    /// Its file, without the ending; unique over all libraries.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

/// Texts of the files in a folder beside this one.
macro_rules! texts {
    ($folder:literal: $($name:literal)*) => {
        &[$(LibraryText { name: $name, text: include_str!(concat!($folder, "/", $name, ".kir")) }),*]
    };
}

/// The texts of `precise_math`.
#[rustfmt::skip]
const PRECISE_MATH: &[LibraryText] = texts!("precise_math":
    "double_error"
    "double_exact"
    "double_exponential"
    "double_gamma"
    "double_hyperbolic"
    "double_inverse"
    "double_logarithm"
    "double_parts"
    "double_power"
    "double_trigonometric"
    "exact_rows"
    "single_error"
    "single_exact"
    "single_exponential"
    "single_gamma"
    "single_hyperbolic"
    "single_inverse"
    "single_logarithm"
    "single_normal"
    "single_parts"
    "single_power"
    "single_root"
    "single_trigonometric"
);

/// Every library.
pub const LIBRARIES: &[MathLibrary] = &[
    MathLibrary { name: "fast_math", texts: texts!("fast_math": "fast_math" "fast_math_inverse") },
    MathLibrary { name: "direct3d", texts: texts!("direct3d": "direct3d") },
    MathLibrary { name: "precise_math", texts: PRECISE_MATH },
];
