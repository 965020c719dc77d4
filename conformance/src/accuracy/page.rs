//! The page `docs/accuracy.md`, from measurements.

use std::fmt::Write;

use super::functions::AccuracyFunction;
use super::measure::MeasuredErrors;
use crate::target::SuiteTarget;

/// The head of a page about `jit`.
const HEAD: &str = "\
# Accuracy of the math functions

Written by `tilewise accuracy --page docs/accuracy.md`; do not edit.

Each function was run on `jit` and compared with CORE-MATH's correctly rounded results, over as many arguments as
the column says: a full run tries all 2^32 of a function of one `f32`, 10^9 random pairs and all pairs of special
values of one of two, and of `f64` 10^8 random ones, special values and the hardest ones that are known; a quick run
some ten thousand. *Wrong* counts results that are not the number nearest to the exact result. Where that is not
known from CORE-MATH (`rcbrt`, `phi`, `probit`, `erfinv`, `erfcinv`), arithmetic of 320 bits decides, for `f64` of
each result, of which a full run therefore tries 2 * 10^5; *undecided* counts what even that cannot tell.
*Largest error* is that of a wrong result from the exact one, in units of the last place (a right one is within
0.500); in `fast_math` that of any result. *ns* is the time for an element on one thread, in the usual range.

Functions of `fast_math` may be off by 2 units. In a Relaxed launch they may differ on GPUs; `tilewise accuracy
--target gpu-module` measures that.
";

/// The text of the page: what ran the functions, them, what was measured, and nanoseconds for an element.
pub fn page(target: SuiteTarget, rows: &[(AccuracyFunction, MeasuredErrors, f64)]) -> String {
    let gpu = target.gpu().map_or(String::new(), |gpu| format!(" ({gpu})"));
    let mut out = HEAD.replacen("`jit`", &format!("`{}`{gpu}", target.name()), 1);
    for (title, library, double) in
        [("f32", "precise_math", false), ("f64", "precise_math", true), ("fast", "fast_math", false)]
    {
        let head = match title {
            "fast" => "`fast_math`".to_owned(),
            scalar => format!("`precise_math` of `{scalar}`"),
        };
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "\n## {head}\n| function | arguments | wrong | undecided | largest error | at | ns |\n|---|---|---|---|---|---|---|\n"
        );
        for (function, errors, ns) in rows {
            let Some(name) = function.path.strip_prefix(library).and_then(|rest| rest.strip_prefix("::")) else {
                continue;
            };
            if function.oracle.is_double() == double {
                let _ = writeln!(out, "| `{name}` | {} |", row(function, errors, *ns));
            }
        }
    }
    out
}

/// The columns after the name.
fn row(function: &AccuracyFunction, errors: &MeasuredErrors, ns: f64) -> String {
    let witness = if errors.largest > 0.0 { at(function, errors.witness) } else { String::new() };
    let tried = if errors.tried == 1 << 32 { "2^32".to_owned() } else { errors.tried.to_string() };
    let MeasuredErrors { wrong, undecided, largest, .. } = errors;
    format!("{tried} | {wrong} | {undecided} | {largest:.3} | {witness} | {ns:.2}")
}

/// Arguments as numbers and bits.
fn at(function: &AccuracyFunction, witness: [u64; 2]) -> String {
    let one = |bits: u64| match function.oracle.is_double() {
        true => format!("{:e} ({bits:#018x})", f64::from_bits(bits)),
        false => format!("{:e} ({bits:#010x})", f32::from_bits(bits as u32)),
    };
    witness[..function.oracle.arity()].iter().map(|&bits| one(bits)).collect::<Vec<_>>().join(", ")
}
