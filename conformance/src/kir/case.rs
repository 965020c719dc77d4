//! One test file on one target. Its launches and their results are in `runs`, what Relaxed targets may give
//! otherwise in `floats`.

mod floats;
mod runs;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use tilewise_cpu_jit::emit::CodeForm;
pub use tilewise_header::bind::prepare;
use tilewise_header::file::HeadedFile;
pub use tilewise_header::kernel::{Rejection, compile};
use tilewise_ir::check::Checked;
use tilewise_ir::diag::{Colour, render};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Domain, Ending, Outcome};
use tilewise_ir::text;

use super::bind::BoundRun;
use super::compare::{self, Marks};
use super::errors;
use super::header::{self, Expected, FUEL, Header, HeaderRun, TargetName};
use super::scan::{AnnotatedPlace, Scanned, scan};
use super::shader::{self, ShaderParams, ShaderSlot};
use super::{Complaint, FilePlace, bless};
use crate::own_target::JudgedTarget;
use crate::target::{Limit, SuiteTarget, TargetLaunch};
use crate::verdict::{CaseOutcome, Problem, Verdict, unwound};
pub use floats::{floats_escape, has_floats, relaxed_allows};

/// A parsed file: its header and its kernel.
#[derive(Debug)]
pub struct File {
    /// Its parts.
    pub scanned: Scanned,
    /// Its header.
    pub header: Header,
    /// The places it marks.
    pub marks: Marks,
    /// Errors in the header and annotations.
    pub complaints: Vec<Complaint>,
    /// The kernel, or the errors it is rejected with.
    pub kernel: Result<Checked<Kernel>, Rejection>,
    /// The parameters of a shader.
    pub slots: Vec<ShaderSlot>,
    /// Of a shader: the parameters whose inputs have forms of their own.
    pub shader: Arc<ShaderParams>,
}

impl File {
    /// A file with the places it marks.
    pub(super) fn of(file: HeadedFile) -> File {
        let HeadedFile { scanned, header, mut complaints, kernel, slots, shader } = file;
        complaints.extend(unknown_targets(&header));
        let marks = Marks::read(&scanned.annotations, &mut complaints);
        File { scanned, header, marks, complaints, kernel, slots, shader }
    }
}

/// Complaints about names that are no target's.
fn unknown_targets(header: &Header) -> Vec<Complaint> {
    let named = header.targets.iter().flat_map(|(targets, _)| targets);
    let unknown = named.filter(|target| SuiteTarget::by_name(&target.name).is_none());
    let complaint = |target: &TargetName| {
        let known: Vec<&str> = SuiteTarget::ALL.iter().map(|target| target.name()).collect();
        let help = format!("the targets are: {}", known.join(", "));
        Complaint::new(target.at, format!("`{}` is no target", target.name), help)
    };
    unknown.map(complaint).collect()
}

/// Parses a file, without a byte order mark at its beginning. One called `.wgsl` is a shader.
pub fn read(path: &str, text: &str) -> File {
    let mut file = File::of(tilewise_header::file::read(path, text));
    if shader::is_shader(path) {
        return file;
    }
    if !errors::any(&file.scanned) {
        let stray = |a: &&super::scan::Annotation| {
            let known = a.text.starts_with('#') || a.text.starts_with(errors::WARNING);
            a.primary && !known && a.spot != AnnotatedPlace::Above
        };
        for annotation in file.scanned.annotations.iter().filter(stray) {
            file.complaints.push(Complaint::new(
                FilePlace { line: annotation.line, column: annotation.column },
                "this annotation is neither a mark nor an error",
                "write `^^^ #name` or `^^^ error[K0101]: message`; ordinary comments do not begin with `^`",
            ));
        }
    } else if let Some(run) = file.header.runs.first() {
        let help = "remove the header, or the `error[..]` annotations";
        file.complaints.push(Complaint::new(run.at, "a file that expects errors has nothing to run", help));
    } else if file.header.accepted {
        let message = "this file expects errors, and that its kernel is accepted";
        let help = "remove `expect accepted`, or the `error[..]` annotations";
        file.complaints.push(Complaint::new(FilePlace::default(), message, help));
    }
    file
}

/// Runs a file on a target. A panic in Tilewise is a failure.
pub fn run(path: &str, text: &str, target: SuiteTarget) -> Verdict {
    run_in_forms(path, text, target).verdict
}

/// Like [`run`], with all that came of it.
pub fn run_in_forms(path: &str, text: &str, target: SuiteTarget) -> CaseOutcome {
    run_by(path, text, JudgedTarget::of(target))
}

/// Like [`run_in_forms`], on a target that may be a user's.
pub(crate) fn run_by(path: &str, text: &str, target: JudgedTarget<'_>) -> CaseOutcome {
    let (mut forms, mut within_tolerance) = (BTreeSet::new(), false);
    #[cfg(feature = "import")]
    if crate::amber::is_script(path) {
        let mut outcome = CaseOutcome::of(Verdict::Pass);
        let verdict = guarded(path, || {
            outcome = crate::amber::verdict_on(path, text, target);
            outcome.verdict.clone()
        });
        return CaseOutcome { verdict, ..outcome };
    }
    let verdict = guarded(path, || {
        let mut case = FileCase::new(path, text, target, None);
        let verdict = case.verdict();
        (forms, within_tolerance) = (case.forms, case.within_tolerance);
        verdict
    });
    CaseOutcome { verdict, forms, within_tolerance }
}

/// Like [`run`]; also returns the text with its expectations rewritten if they do not hold and can
/// be blessed.
pub fn run_and_bless(path: &str, text: &str, target: SuiteTarget) -> (Verdict, Option<String>) {
    let mut blessed: Option<String> = None;
    // Run the blessed text again: contents are blessed before reports, and not all may be
    // blessable.
    for _ in 0..ROUNDS {
        let now = blessed.clone().unwrap_or_else(|| text.to_owned());
        let (verdict, new) = bless_once(path, &now, target);
        match new {
            Some(new) => blessed = Some(new),
            None => return (verdict, blessed),
        }
    }
    let verdict = run(path, blessed.as_deref().unwrap_or(text), target);
    (verdict, blessed)
}

/// The maximum number of times that a file is blessed and run again.
const ROUNDS: usize = 3;

fn bless_once(path: &str, text: &str, target: SuiteTarget) -> (Verdict, Option<String>) {
    let mut blessed = None;
    let verdict = guarded(path, || {
        let mut case = FileCase::new(path, text, JudgedTarget::of(target), Some(Vec::new()));
        let verdict = case.verdict();
        let edits = case.edits.unwrap_or_default();
        if matches!(verdict, Verdict::Fail(_)) && !edits.is_empty() {
            blessed = Some(bless::apply(text, edits)).filter(|new| new != text);
        }
        verdict
    });
    (verdict, blessed)
}

fn guarded(path: &str, body: impl FnOnce() -> Verdict) -> Verdict {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        let message = unwound(&*payload);
        Verdict::Fail(vec![Problem { path: path.to_owned(), at: FilePlace::default(), message }])
    })
}

struct FileCase<'a> {
    path: &'a str,
    text: &'a str,
    target: JudgedTarget<'a>,
    file: File,
    /// Edits that bless the file, if blessing is on.
    edits: Option<Vec<bless::TextEdit>>,
    /// The emitters of the code that ran.
    forms: BTreeSet<CodeForm>,
    /// Were some floats near enough to the expected ones, and not equal?
    within_tolerance: bool,
}

impl<'a> FileCase<'a> {
    fn new(
        path: &'a str,
        text: &'a str,
        target: JudgedTarget<'a>,
        edits: Option<Vec<bless::TextEdit>>,
    ) -> FileCase<'a> {
        FileCase { path, text, target, file: read(path, text), edits, forms: BTreeSet::new(), within_tolerance: false }
    }

    fn problem(&self, at: FilePlace, message: impl Into<String>) -> Problem {
        Problem { path: self.path.to_owned(), at, message: message.into() }
    }

    fn fail(&self, at: FilePlace, message: impl Into<String>) -> Verdict {
        Verdict::Fail(vec![self.problem(at, message)])
    }

    fn verdict(&mut self) -> Verdict {
        if !self.file.complaints.is_empty() {
            let problems = self.file.complaints.iter().map(|c| self.problem(c.at, c.to_string()));
            return Verdict::Fail(problems.collect());
        }
        if let Some((targets, reason)) = &self.file.header.targets
            && targets.iter().all(|target| target.name != self.target.rules.name())
        {
            return Verdict::NotRun(format!("the file names other targets: {reason}"));
        }
        let expects_errors = errors::any(&self.file.scanned);
        match (&self.file.kernel, expects_errors) {
            (Err(_), true) => self.errors(),
            (Err(rejection), false) => {
                let rejection = rejection.clone();
                self.rejected(&rejection)
            }
            (Ok(_), true) => self.fail(
                FilePlace::default(),
                "the kernel is accepted, and the file expects errors\n  help: a rule is not enforced; or remove the annotations",
            ),
            (Ok(kernel), false) => {
                let kernel = kernel.clone();
                self.accepted(&kernel)
            }
        }
    }

    fn rejected(&mut self, rejection: &Rejection) -> Verdict {
        let report = rejection.render(Colour::Never);
        if self.file.header.runs.is_empty() && !self.file.header.accepted {
            self.bless_errors(rejection);
            let message = format!(
                "the kernel is rejected, and the file does not say so\n{report}  help: BLESS=1 writes the errors as annotations"
            );
            return self.fail(FilePlace::default(), message);
        }
        self.fail(FilePlace::default(), format!("the kernel is rejected\n{report}"))
    }

    fn bless_errors(&mut self, rejection: &Rejection) {
        let scanned = &self.file.scanned;
        let detail = errors::detail(scanned);
        let reported = errors::reported(&rejection.diagnostics, &rejection.sources, scanned, self.text, detail);
        if let Some(edits) = &mut self.edits {
            edits.extend(bless::errors(scanned, self.text, &reported));
        }
    }

    fn errors(&mut self) -> Verdict {
        let Err(rejection) = &self.file.kernel else { return Verdict::Pass };
        let rejection = rejection.clone();
        let scanned = &self.file.scanned;
        let reported =
            errors::reported(&rejection.diagnostics, &rejection.sources, scanned, self.text, errors::detail(scanned));
        let differences = errors::compare(&errors::expected(scanned), &reported);
        if differences.is_empty() {
            return Verdict::Pass;
        }
        self.bless_errors(&rejection);
        Verdict::Fail(differences.into_iter().map(|(at, message)| self.problem(at, message)).collect())
    }

    /// The differences between the warnings of an accepted kernel and their annotations.
    fn warnings(&mut self, kernel: &Checked<Kernel>) -> Vec<Problem> {
        let scanned = &self.file.scanned;
        let detail = errors::detail(scanned);
        let reported = errors::reported(kernel.warnings(), kernel.sources(), scanned, self.text, detail);
        let differences = errors::compare(&errors::expected(scanned), &reported);
        if let (Some(edits), false) = (&mut self.edits, differences.is_empty()) {
            edits.extend(bless::errors(scanned, self.text, &reported));
        }
        differences.into_iter().map(|(at, message)| self.problem(at, message)).collect()
    }

    fn accepted(&mut self, kernel: &Checked<Kernel>) -> Verdict {
        let printed = text::print(kernel);
        let again = text::parse("printed.kir", &printed);
        let same = again.as_ref().is_ok_and(|again| again == kernel.kernel());
        if !same {
            let why = match again {
                Ok(_) => "reading the printed text gives another kernel".to_owned(),
                Err(failure) => format!(
                    "the printed text is not accepted\n{}",
                    render(&failure.diagnostics, &failure.sources, Colour::Never)
                ),
            };
            return self.fail(FilePlace::default(), format!("{why}\n  printed:\n{printed}"));
        }
        if errors::any_warning(&self.file.scanned) {
            let differences = self.warnings(kernel);
            if !differences.is_empty() {
                return Verdict::Fail(differences);
            }
        }
        let runs = self.file.header.runs.clone();
        if runs.is_empty() {
            if self.file.header.accepted {
                return Verdict::Pass;
            }
            let help = "add inputs and expectations (docs/tests.md shows how), or `//! expect accepted`";
            return self.fail(FilePlace::default(), format!("the file checks nothing\n  help: {help}"));
        }
        let mut problems = Vec::new();
        let mut not_run = None;
        for run in &runs {
            match self.one_run(kernel, run) {
                Ok(found) => problems.extend(found),
                Err(Verdict::NotRun(reason)) => not_run = not_run.or(Some(reason)),
                Err(verdict) => return verdict,
            }
        }
        match not_run {
            _ if !problems.is_empty() => Verdict::Fail(problems),
            Some(reason) => Verdict::NotRun(reason),
            None if self.lacks_form() => Verdict::NotRun(NO_ROW.to_owned()),
            None => Verdict::Pass,
        }
    }

    /// Did code run, and none of the emitter that the target names? Then the case says nothing about
    /// that code.
    fn lacks_form(&self) -> bool {
        self.target.rules.form().is_some_and(|form| !self.forms.is_empty() && !self.forms.contains(&form))
    }
}

/// The reason why a case does not count on a target whose emitter makes code with lanes only.
pub(crate) const NO_ROW: &str =
    "no launch has 4 threads in a row: one thread at a time is code of Cranelift, on `jit-clif`";

/// The reason why a different result of a Relaxed target does not count.
pub(crate) const RELAXED: &str = "the target is Relaxed: its driver may contract and reorder float operations, and did";

/// The same where floats may differ by some.
pub(crate) const BEYOND: &str =
    "the target is Relaxed, and what it computes of floats differs by more than the tolerance";

/// The time after which an endless run is ended, on targets that do not count instructions.
const ENDLESS: Duration = Duration::from_millis(100);

/// Does the run expect never to end?
fn is_endless(run: &HeaderRun) -> bool {
    run.expects.iter().any(|expect| matches!(expect.expected, Expected::OutOfFuel))
}

/// The first words of the reason where a target left a kernel to the interpreter.
pub const FELL_BACK: &str = "fell back";

/// Does the file launch its kernel? A file that only expects errors, or to be accepted, tests the
/// checker, which is the same for all targets.
pub fn launches(text: &str) -> bool {
    #[cfg(feature = "import")]
    if crate::amber::is_script_text(text) {
        return true;
    }
    let (scanned, mut complaints) = scan(text);
    let header = header::read(&scanned.entries, &mut complaints);
    !complaints.is_empty() || !(errors::any(&scanned) || header.runs.is_empty())
}

/// Does every thread of such a run end by itself?
fn is_orderly(outcome: &Outcome) -> bool {
    matches!(outcome.ending, Ending::Completed | Ending::Failed { .. })
}

/// The launch of a run, in the usual variant.
pub fn launch_of<'a>(
    kernel: &'a Checked<Kernel>,
    run: &HeaderRun,
    domain: &'a Domain,
    bound: &'a BoundRun,
) -> TargetLaunch<'a> {
    let limit = Limit::of_fuel(run.fuel.unwrap_or(FUEL));
    let limit = if is_endless(run) { Limit { time: ENDLESS, ..limit } } else { limit };
    TargetLaunch::new(kernel, domain, &bound.arguments, limit)
}

/// Launches a run once, in memory of its own.
pub fn launch(target: SuiteTarget, launch: &TargetLaunch<'_>, bound: &BoundRun) -> compare::RunResult {
    launch_by(JudgedTarget::of(target), launch, bound)
}

/// Like [`launch`], of a kernel of a user's, which may be none for the code of a target.
pub fn launch_own(target: SuiteTarget, launch: &TargetLaunch<'_>, bound: &BoundRun) -> compare::RunResult {
    let mut memory = bound.memory.clone();
    let (outcome, form) = match target.launch_own(launch, &mut memory) {
        Ok((outcome, form)) => (Ok(outcome), form),
        Err(refusal) => (Err(refusal), None),
    };
    compare::RunResult { outcome, memory, form }
}

/// Like [`launch`], on a target that may be a user's.
fn launch_by(target: JudgedTarget<'_>, launch: &TargetLaunch<'_>, bound: &BoundRun) -> compare::RunResult {
    let mut memory = bound.memory.clone();
    let (outcome, form) = match target.launch_in_form(launch, &mut memory) {
        Ok((outcome, form)) => (Ok(outcome), form),
        Err(refusal) => (Err(refusal), None),
    };
    compare::RunResult { outcome, memory, form }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_accepted_or_has_errors() {
        let text = "// Both.\n//! expect accepted\nkernel k(n: u32) rank(1) {\n    let x = 1.0 + n;\n\
            //          ^^^^^^^ error[K0101]: `+` on `f32` and `u32`\n}\n";
        let only_errors = text.replace("//! expect accepted\n", "");
        assert_eq!(run("k.kir", &only_errors, SuiteTarget::Reference), Verdict::Pass);
        let reason = run("k.kir", text, SuiteTarget::Reference).reason().unwrap_or_default();
        assert!(reason.contains("this file expects errors, and that its kernel is accepted"), "{reason}");
    }
}
