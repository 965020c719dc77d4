//! Checks of all kernels of a program, for its tests.
//!
//! The rules of the kernel language (`docs/errors.md`) that rustc does not know are checked when a
//! kernel is built: at its first launch, or by [`Kernel::prepare`](crate::Kernel::prepare). One
//! test finds the mistakes of all kernels of a program before anything runs:
//!
//! ```
//! # /*
//! #[test]
//! # */
//! fn kernels_are_right() {
//!     tilewise::testing::check_all();
//! }
//! # kernels_are_right();
//! ```
//!
//! It knows every kernel that is compiled into the program, launched or not; of a generic one each
//! instance. A function that nothing can call is not compiled, and neither are its kernels. Write
//! the test beside the kernels, in the same crate or package: a test program contains the kernels
//! of the crates that it uses.

use std::fmt;

use tilewise_ir::check::check;
use tilewise_lower as lower;

use crate::api::report::Diagnostics;
use crate::kernel::registered;
use crate::targets::fault;
use crate::{Error, Result};

/// The result of a check without errors.
#[derive(Clone, Debug)]
pub struct ProgramCheck {
    kernels: usize,
    warnings: Diagnostics,
}

impl ProgramCheck {
    /// The number of kernels that were checked.
    pub fn kernels(&self) -> usize {
        self.kernels
    }

    /// The warnings: barriers that it cannot be shown that all threads of a tile reach together
    /// (`K0503`).
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// An error if there are warnings: C++ AMP's rule, which refuses such barriers.
    pub fn deny_warnings(self) -> Result<ProgramCheck> {
        if self.warnings.codes.is_empty() { Ok(self) } else { Err(Error::Kernel(Box::new(self.warnings))) }
    }
}

impl fmt::Display for ProgramCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        let warnings = self.warnings.codes.len();
        write!(f, "{} checked, no errors, {}", counted(self.kernels, "kernel"), counted(warnings, "warning"))
    }
}

/// Checks all kernels of the program, and panics with a report of every error.
///
/// # Panics
/// If a kernel breaks a rule of the kernel language, or if kernels are not known on this platform.
#[track_caller]
pub fn check_all() -> ProgramCheck {
    match check_program() {
        Ok(checked) => checked,
        Err(error) => panic!("{error}"),
    }
}

/// Checks all kernels of the program. The error has a report of every rule that a kernel breaks, in
/// the order of files and lines.
///
/// Kernels are known on 64-bit Linux; elsewhere it is [`UnsupportedFeature`](Error).
pub fn check_program() -> Result<ProgramCheck> {
    if !registered::KNOWN {
        let why = "the kernels of a program are known without launching them only on 64-bit Linux";
        return Err(Error::UnsupportedFeature(why.into()));
    }
    let FoundInKernels { kernels, errors, warnings } = fault::with_stacks(|| Ok(find()))?;
    let errors = joined(errors);
    if errors.codes.is_empty() {
        Ok(ProgramCheck { kernels, warnings: joined(warnings) })
    } else {
        Err(Error::Kernel(Box::new(errors)))
    }
}

/// The reports about all kernels of the program.
struct FoundInKernels {
    kernels: usize,
    errors: Vec<Diagnostics>,
    warnings: Vec<Diagnostics>,
}

fn find() -> FoundInKernels {
    let forms = registered::all();
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for form in &forms {
        let found = match lower::kernel("kernel", form).and_then(|lowered| check(lowered.kernel)) {
            Ok(checked) => {
                warnings.push(Diagnostics::new(checked.warnings(), checked.sources()));
                continue;
            }
            Err(rejected) => Diagnostics::new(&rejected.diagnostics, &rejected.sources),
        };
        errors.push(found);
    }
    FoundInKernels { kernels: forms.len(), errors, warnings }
}

/// The environment variable by which `tilewise check --package` asks a test program for its kernels: the
/// program then writes [`kernel_reports`] in the place of running.
#[doc(hidden)]
pub const KERNEL_REPORTS: &str = "TILEWISE_WRITE_KERNEL_REPORTS";

/// The first word of [`kernel_reports`].
#[doc(hidden)]
pub const KERNELS: &str = "tilewise-kernels";

/// For `tilewise check --package`: a line with the number of kernels; then, each behind a zero byte, the
/// reports. A report is a line with `error` or `warning` and its codes, and a text.
#[cfg_attr(
    any(not(all(target_os = "linux", target_pointer_width = "64")), not(debug_assertions)),
    allow(dead_code, reason = "programs answer on 64-bit Linux, with debug assertions")
)]
pub(crate) fn kernel_reports() -> Result<String> {
    let FoundInKernels { kernels, errors, warnings } = fault::with_stacks(|| Ok(find()))?;
    let mut out = format!("{KERNELS} {kernels}\n");
    for (kind, lists) in [("error", errors), ("warning", warnings)] {
        for list in lists.iter().filter(|list| !list.codes.is_empty()) {
            out.push_str(&format!("\0{kind} {}\n{}", list.codes.join(" "), list.text));
        }
    }
    Ok(out)
}

/// One list of reports, each once: a function's mistake is found in each kernel that calls it.
fn joined(mut lists: Vec<Diagnostics>) -> Diagnostics {
    lists.retain(|list| !list.codes.is_empty());
    lists.sort_by(|a, b| a.text.cmp(&b.text));
    lists.dedup_by(|b, a| a.text == b.text);
    let codes = lists.iter().flat_map(|list| list.codes.iter().copied()).collect();
    let text = lists.iter().map(|list| list.text.as_str()).collect::<Vec<_>>().join("\n");
    Diagnostics { codes, text }
}
