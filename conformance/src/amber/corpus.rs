//! A script as an entry point of a corpus of shaders.

use super::judge::{expects, judge_on};
use super::program::{AmberRejection, load};
use crate::own_target::JudgedTarget;
use crate::shader_corpus::{CorpusOptions, EntryReport, EntryVerdict};
use crate::target::Limit;
use crate::verdict::Verdict;

/// Judges a script of a corpus. The error says that it is no AmberScript.
pub fn judge_script(path: &str, text: &str, options: &CorpusOptions) -> Result<EntryReport, String> {
    let mut report = EntryReport::new(SCRIPT_ENTRY);
    let program = match load(path, text) {
        Ok(program) => program,
        Err(AmberRejection::Wrong(complaint)) => {
            return Err(format!("line {}: {}", complaint.at.line, complaint.message));
        }
        Err(AmberRejection::Refused(complaint)) => {
            report.reason = format!("{path}:{}: {}", complaint.at.line, complaint.message);
            report.refusals.push((format!("amber: {}", complaint.message), complaint.at.line));
            return Ok(report);
        }
        Err(AmberRejection::Shader { rejection, is_checked, .. }) => {
            if is_checked {
                report.verdict = EntryVerdict::NotChecked;
            }
            report.refused(&rejection.diagnostics, &rejection.sources);
            return Ok(report);
        }
    };
    let targets: Vec<JudgedTarget<'_>> = options.targets.iter().map(|&target| JudgedTarget::of(target)).collect();
    // Scripts of others launch many threads.
    let limit = Limit { fuel: options.fuel.saturating_mul(8), time: options.time };
    let outcome = judge_on(path, &program, &targets, limit, true);
    report.instructions = outcome.instructions;
    report.findings = outcome.findings.iter().map(|code| (*code).to_owned()).collect();
    report.inputs = "those of the script".to_owned();
    let shown = |verdict: &Verdict| verdict.reason().unwrap_or_default();
    let mut left_out = Vec::new();
    for (target, judged) in options.targets.iter().zip(&outcome.targets) {
        match &judged.verdict {
            Verdict::Pass => report.compared.push(*target),
            // What fails on the reference too is not the target's fault.
            Verdict::Fail(_) if outcome.reference != Verdict::Pass => report.compared.push(*target),
            Verdict::Fail(_) => {
                report.compared.push(*target);
                report.verdict = EntryVerdict::Disagreed;
                report.reason = format!("on {target}: {}", shown(&judged.verdict));
                return Ok(report);
            }
            Verdict::Unsupported(reason) | Verdict::NotRun(reason) => {
                left_out.push(format!("not compared on {target}: {reason}"));
            }
        }
    }
    report.reason = left_out.join("; ");
    report.verdict = match &outcome.reference {
        Verdict::Fail(problems) => {
            report.reason = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
            // A launch that does not complete is no wrong result.
            if outcome.has_completed { EntryVerdict::NotAsExpected } else { EntryVerdict::NotRun }
        }
        Verdict::NotRun(reason) | Verdict::Unsupported(reason) => {
            report.reason.clone_from(reason);
            EntryVerdict::NotRun
        }
        Verdict::Pass if report.compared.is_empty() && !left_out.is_empty() => EntryVerdict::NotRun,
        Verdict::Pass if outcome.is_ordered => EntryVerdict::AgreedInOrder,
        Verdict::Pass if !outcome.has_written && !expects(&program) => EntryVerdict::WroteNothing,
        Verdict::Pass => EntryVerdict::Agreed,
    };
    Ok(report)
}

/// What stands for an entry point in reports: a script is judged as a whole.
pub const SCRIPT_ENTRY: &str = "script";
