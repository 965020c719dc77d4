//! The math library: functions that kernels call as `fast_math::name`, written in the kernel
//! language itself.
//!
//! Each library is a `.kir` text, read once when the first kernel needs it. The functions are not
//! rows of the op table: a row has one meaning in Rust that every target must match, while library
//! code consists of rows that already match. So interpreter, JIT and GPU give the same bits without
//! extra work, and optimisers see through the functions. Accuracy is a property of the text,
//! measured once, not of a target. [`rust`] translates a library to Rust.
//!
//! `fast_math` has the name and scope of C++ AMP's: `f32` only, speed over the last bit, at most 2
//! ulp. In Relaxed, and only there, a GPU may use its own function instead.
//!
//! # Rules for functions
//! - `f32` and 32-bit integers; no `f64`, no `i64` (slow or missing on GPUs, pairs of vectors in
//!   lanes).
//! - No `fma` and no `mad`: slow without hardware support, not fused on some GPUs. Where the low
//!   half of a product is needed, masking bits splits the factors.
//! - No branches but `select`, no loops, no tables (a table is a gather). The only `if` is for
//!   trigonometric arguments above 6400.
//! - At most one division. No saturating conversion, no `ldexp`: integer shifts construct
//!   exponents.
//! - All special values as in C99 annex F; denormal arguments and results are rounded like others.
//! - Robust to reordered sums in Relaxed (Strict does not need this): rounding to integers uses bit
//!   patterns, not the addition and subtraction of a large number.
//!
//! # Measured errors
//! All 2^32 arguments, in units of the last place of the exact result, against double precision;
//! `pow`: 6 * 10^8 pairs. "Operations" counts the executed rows of the op table, helpers inlined,
//! without those of the path for large arguments (113 more).
//!
//! | function | largest error | at (bits) | operations |
//! |---|---|---|---|
//! | `exp` | 1.04 | 5.19906616 (0x40a65ec0) | 35 |
//! | `exp2` | 1.11 | -0.499960393 (0xbefffacf) | 31 |
//! | `log` | 0.96 | 0.706833363 (0x3f34f308) | 42 |
//! | `log2` | 1.36 | 0.707832575 (0x3f353484) | 40 |
//! | `log10` | 1.49 | 1.33217549 (0x3faa84ba) | 44 |
//! | `sin`, up to 6400 | 1.39 | 7.07596016 (0x40e26e44) | 54 |
//! | `sin`, beyond | 1.39 | 1.16407046e+20 (0x60c9ef1d) | 54 + 113 |
//! | `cos`, up to 6400 | 1.38 | 110.736443 (0x42dd790f) | 50 |
//! | `cos`, beyond | 1.40 | 1.95277566e+36 (0x7bbc0ba3) | 50 + 113 |
//! | `tan`, up to 6400 | 1.52 | 1024.93604 (0x44801df4) | 57 |
//! | `tan`, beyond | 1.79 | 5.55412553e+32 (0x75db1256) | 57 + 113 |
//! | `tanh` | 1.34 | 0.631044209 (0x3f218c1d) | 51 |
//! | `rsqrt` | 1.50 | 1.18276583e-38 (0x0080cab3) | 2 |
//! | `pow` | 1.51 | (1.13524282, 697.138611) (0x3f914fa3, 0x442e48df) | 146 |
//!
//! Beyond the table: `exp2` is exact for whole arguments, `log2` for powers of two, `log10` for
//! powers of ten; `cos(0)` is 1; `pow` is exact for all whole bases below 2000 and exponents 1 to 4
//! whose power is below 2^24; `sin`, `tan`, `tanh` are odd and `cos` is even to the bit.

pub mod rust;

/// The text of the library `fast_math`.
pub const FAST_MATH: &str = include_str!("fast_math.kir");

/// Every library: its name and its text.
pub const LIBRARIES: &[(&str, &str)] = &[("fast_math", FAST_MATH)];
