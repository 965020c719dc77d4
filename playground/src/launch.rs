//! Runs a text on the reference target with all checks, as `tilewise run` does.

use tilewise_header::bind::{BoundRun, NamedData, prepare};
use tilewise_header::file;
use tilewise_header::header::{Expected, HeaderRun, InputShape};
use tilewise_header::{Complaint, data, value};
use tilewise_interp::{Checks, Options, ThreadOrder};
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{CheckReport, Domain, Ending, LaunchMemory, Outcome};
use tilewise_ir::pos::Sources;
use tilewise_ir::types::Stored;

use crate::answer::{
    PageMessage, PrintedLine, ResultTable, RunAnswer, RunVerdict, TextAnswer, TextPlace, WrongElement,
};
use crate::suggest;

/// The limit on the instructions of all runs of a text together: some seconds in a browser.
pub const FUEL: u64 = 50_000_000;

/// The limit on the bytes of a text.
pub const MAX_BYTES: usize = 256 << 10;

/// The limit on the elements of one input: a page has less memory than a program.
const MAX_ELEMENTS: u64 = 1 << 20;

/// The number of elements of a parameter that are shown.
const SHOWN: usize = 1024;

/// The number of printed lines that are shown.
const SHOWN_LINES: usize = 1000;

/// The language of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextLanguage {
    /// The kernel language.
    Kir,
    /// WGSL.
    Wgsl,
}

impl TextLanguage {
    /// The name of such a text in messages; its ending says how to read it.
    pub fn file_name(self) -> &'static str {
        match self {
            TextLanguage::Kir => "kernel.kir",
            TextLanguage::Wgsl => "shader.wgsl",
        }
    }
}

/// Checks a text and runs each run of its header.
pub fn run_text(language: TextLanguage, text: &str) -> TextAnswer {
    if text.len() > MAX_BYTES {
        let message = format!("the text has {} bytes, and the playground takes at most {MAX_BYTES}", text.len());
        let help = "the program `tilewise run` takes larger ones";
        return rejected(vec![PageMessage::plain(TextPlace::default(), message, help)]);
    }
    // Line ends of Windows would count as characters of a line.
    let text = text.replace("\r\n", "\n");
    let read = file::read(language.file_name(), &text);
    let kernel = match &read.kernel {
        Ok(kernel) => kernel,
        Err(rejection) => {
            let reports = &rejection.diagnostics;
            return rejected(reports.iter().map(|report| PageMessage::of(report, &rejection.sources)).collect());
        }
    };
    let sources = kernel.sources();
    let mut diagnostics: Vec<PageMessage> =
        kernel.warnings().iter().map(|report| PageMessage::of(report, sources)).collect();
    if !read.complaints.is_empty() {
        diagnostics.extend(read.complaints.iter().map(complaint));
        return rejected(diagnostics);
    }
    let has_launch = !read.header.runs.is_empty() && read.header.runs.iter().all(|run| run.domain.is_some());
    if !has_launch {
        let suggestion = Some(suggest::header(language, &read, kernel));
        return TextAnswer { outcome: RunVerdict::Unlaunched, diagnostics, runs: Vec::new(), suggestion };
    }
    let mut fuel = FUEL;
    let mut runs = Vec::new();
    for run in &read.header.runs {
        match one_run(language, kernel, run, fuel) {
            Ok(answer) => {
                fuel = fuel.saturating_sub(answer.instructions);
                runs.push(answer);
            }
            Err(complaints) => {
                diagnostics.extend(complaints);
                return TextAnswer { outcome: RunVerdict::Rejected, diagnostics, runs, suggestion: None };
            }
        }
    }
    let outcome = runs.iter().map(|run| run.outcome).max().unwrap_or(RunVerdict::Clean);
    TextAnswer { outcome, diagnostics, runs, suggestion: None }
}

/// The answer to a text that does not run.
pub(crate) fn rejected(diagnostics: Vec<PageMessage>) -> TextAnswer {
    TextAnswer { outcome: RunVerdict::Rejected, diagnostics, runs: Vec::new(), suggestion: None }
}

fn complaint(complaint: &Complaint) -> PageMessage {
    let (line, column) = (complaint.at.line, complaint.at.column);
    let place = TextPlace { line, column, length: u32::from(line != 0) };
    PageMessage::plain(place, &*complaint.message, &*complaint.help)
}

/// A complaint about an input that is too large for a page.
fn too_large(run: &HeaderRun) -> Option<PageMessage> {
    let input = run.inputs.iter().find(|input| {
        let size = match &input.shape {
            Some(InputShape::Extent(extent)) => {
                extent.iter().fold(1_u64, |product, &size| product.saturating_mul(size.max(0) as u64))
            }
            Some(InputShape::Bytes(bytes)) => bytes / 4,
            None => 0,
        };
        size > MAX_ELEMENTS
    })?;
    let place = TextPlace { line: input.at.line, column: input.at.column, length: input.name.len() as u32 };
    let message = format!("`{}` has more than {MAX_ELEMENTS} elements, which the playground does not hold", input.name);
    Some(PageMessage::plain(place, message, "the program `tilewise run` holds more"))
}

fn one_run(
    language: TextLanguage,
    kernel: &Checked<Kernel>,
    run: &HeaderRun,
    fuel: u64,
) -> Result<RunAnswer, Vec<PageMessage>> {
    if let Some(too_large) = too_large(run) {
        return Err(vec![too_large]);
    }
    let (domain, bound) = prepare(kernel, run).map_err(|list| list.iter().map(complaint).collect::<Vec<_>>())?;
    let mut after = bound.memory.clone();
    // WGSL says that workgroup memory is zero at first: a read before a write is no mistake there.
    let unwritten_tile_memory = language == TextLanguage::Kir;
    let checks = run.checks.clone().unwrap_or(Checks { unwritten_tile_memory, ..Checks::all() });
    let fuel = run.fuel.map_or(fuel, |own| own.min(fuel));
    let options = Options { order: ThreadOrder::Linear, fuel: Some(fuel), checks };
    let mut answer = launch(kernel, &domain, (&bound, &mut after), &options);
    answer.name.clone_from(&run.name);
    if answer.outcome != RunVerdict::Refused {
        answer.results = bound.objects.iter().map(|object| table(object, &bound, &after)).collect();
        expectations(run, &bound, &after, &mut answer)?;
    }
    Ok(answer)
}

fn launch(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    (bound, after): (&BoundRun, &mut LaunchMemory),
    options: &Options,
) -> RunAnswer {
    let outcome = match tilewise_interp::run(kernel, domain, after, &bound.arguments, options) {
        Ok(outcome) => outcome,
        Err(refusal) => {
            return RunAnswer {
                name: None,
                outcome: RunVerdict::Refused,
                summary: format!("refused: {refusal}"),
                instructions: 0,
                reports: Vec::new(),
                more_reports: 0,
                printed: Vec::new(),
                lost: 0,
                results: Vec::new(),
            };
        }
    };
    let sources = kernel.sources();
    let findings = outcome.reports.iter().map(CheckReport::diagnostic);
    let mut reports: Vec<PageMessage> = findings.map(|report| PageMessage::of(&report, sources)).collect();
    let (verdict, summary) = ending(&outcome, sources, &mut reports);
    let printed = outcome.printed.iter().take(SHOWN_LINES);
    let left_out = outcome.printed.iter().skip(SHOWN_LINES).map(|line| line.text.len() as u64 + 1).sum::<u64>();
    RunAnswer {
        name: None,
        outcome: verdict,
        summary,
        instructions: outcome.instructions,
        reports,
        more_reports: outcome.more_reports,
        printed: printed.map(|line| PrintedLine { thread: line.thread, text: line.text.clone() }).collect(),
        lost: outcome.lost + left_out,
        results: Vec::new(),
    }
}

/// The verdict of a run and its sentence. An ending with a place is a report too.
fn ending(outcome: &Outcome, sources: &Sources, reports: &mut Vec<PageMessage>) -> (RunVerdict, String) {
    let findings = outcome.reports.len() as u64 + outcome.more_reports;
    match &outcome.ending {
        Ending::Completed if findings == 0 => (RunVerdict::Clean, "completed; the checks found nothing".to_owned()),
        Ending::Completed => {
            let kinds = if findings == 1 { "1 report" } else { &format!("{findings} reports") };
            (RunVerdict::Reported, format!("completed; {kinds} of the checks"))
        }
        Ending::Failed { thread, message, pos, others } => {
            let message = message.as_deref().unwrap_or("abort");
            let more = match others {
                0 => String::new(),
                1 => ", and 1 thread more ended so".to_owned(),
                others => format!(", and {others} threads more ended so"),
            };
            let mut report = PageMessage::plain(TextPlace::of(*pos), message, "");
            report.notes.push(format!("thread {thread}{more}"));
            reports.insert(0, report);
            (RunVerdict::Failed, format!("thread {thread} failed: {message}{more}"))
        }
        Ending::BarrierDivergence(divergence) => {
            reports.insert(0, PageMessage::of(&divergence.diagnostic(), sources));
            (RunVerdict::Diverged, "ended: threads of a tile did not meet at a barrier".to_owned())
        }
        Ending::OutOfFuel { fuel } => {
            let message = format!("stopped after {fuel} instructions; results are those written until then");
            (RunVerdict::OutOfFuel, message)
        }
        Ending::Stopped => (RunVerdict::Stopped, "stopped at the first report".to_owned()),
        Ending::Interrupted => (RunVerdict::Stopped, "interrupted".to_owned()),
        Ending::OutOfMemory { bytes } => {
            (RunVerdict::OutOfMemory, format!("the checks need {bytes} bytes more than the page has"))
        }
    }
}

fn table(object: &NamedData, bound: &BoundRun, after: &LaunchMemory) -> ResultTable {
    let per = object.per_element.max(1);
    let (before, after) = (object.contents(&bound.memory), object.contents(after));
    let leaves = object.types();
    let count = after.len().div_ceil(per);
    let shown = after.len().min(SHOWN * per);
    let pairs = before.chunks(per).zip(after.chunks(per)).enumerate();
    let changed: Vec<u32> =
        pairs.filter(|(_, (before, after))| before != after).map(|(index, _)| index as u32).collect();
    ResultTable {
        name: object.own_name.clone(),
        shape: object.extent.clone().unwrap_or_else(|| vec![count as i32]),
        writable: object.writable,
        values: after[..shown].chunks(per).zip(leaves.chunks(per)).map(|(bits, leaves)| word(bits, leaves)).collect(),
        more: count.saturating_sub(SHOWN) as u64,
        changed_count: changed.len() as u64,
        changed: changed.into_iter().take_while(|&index| (index as usize) < SHOWN).collect(),
        expected: false,
        wrong: Vec::new(),
        wrong_count: 0,
    }
}

/// Compares contents with those that the header expects. What else it expects, the page shows as it came.
fn expectations(
    run: &HeaderRun,
    bound: &BoundRun,
    after: &LaunchMemory,
    answer: &mut RunAnswer,
) -> Result<(), Vec<PageMessage>> {
    for expect in &run.expects {
        let Some(at) = expect.expected.subject().and_then(|name| bound.objects.iter().position(|o| o.name == name))
        else {
            continue;
        };
        let (object, table) = (&bound.objects[at], &mut answer.results[at]);
        let wanted = match &expect.expected {
            Expected::Contents(_, contents) => {
                data::fill(contents, &object.types()).map_err(|wrong| vec![complaint(&wrong)])?
            }
            Expected::Unchanged(_) => object.contents(&bound.memory),
            Expected::Any(_)
            | Expected::Print { .. }
            | Expected::Lost(_)
            | Expected::Completed
            | Expected::Failed(_)
            | Expected::Divergence { .. }
            | Expected::OutOfFuel
            | Expected::Refused(..)
            | Expected::Stopped
            | Expected::Report(_)
            | Expected::MoreReports(_) => continue,
        };
        table.expected = true;
        (table.wrong, table.wrong_count) = wrong(object, &wanted, &object.contents(after));
        if !table.wrong.is_empty() {
            answer.outcome = answer.outcome.max(RunVerdict::Different);
            answer.summary += &format!("; `{}` is not as expected", object.own_name);
        }
    }
    Ok(())
}

/// The first elements that differ, and the number of all.
fn wrong(object: &NamedData, wanted: &[u64], got: &[u64]) -> (Vec<WrongElement>, u64) {
    let per = object.per_element.max(1);
    let leaves = object.types();
    let differs = |i: usize| !value::equal(wanted[i], got[i], leaves[i]);
    let mut list = Vec::new();
    let mut count = 0;
    for (index, from) in (0..got.len()).step_by(per).enumerate() {
        let element = from..(from + per).min(got.len());
        if !element.clone().any(differs) {
            continue;
        }
        count += 1;
        if list.len() < SHOWN {
            list.push(WrongElement { index: index as u32, expected: word(&wanted[element.clone()], &leaves[element]) });
        }
    }
    (list, count)
}

/// The scalars of one element as one word.
fn word(bits: &[u64], leaves: &[Stored]) -> String {
    let words: Vec<String> = bits.iter().zip(leaves).map(|(&bits, &stored)| value::show(bits, stored)).collect();
    if let [word] = words.as_slice() { word.clone() } else { format!("({})", words.join(" ")) }
}
