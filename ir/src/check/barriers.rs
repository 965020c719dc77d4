//! Barriers: all threads of a tile reach a barrier together, or none does. `K0501`, `K0502`,
//! `K0503`.
//!
//! [`uniformity`](crate::analysis::uniformity) knows the barriers that are reached together, and
//! [`divergence_proof`](crate::analysis::divergence_proof) some that are not: those are errors, and
//! all others get a warning. This module turns their findings into text.

use super::body::Body;
use super::report;
use crate::analysis::divergence_proof::{DivergenceProof, DivergenceProver, MissedBy};
use crate::analysis::uniformity::{BarrierFact, BecauseLink, Chooser, LinkReason, TileAgreement, Uniformity};
use crate::diag::{Code, Diagnostic, DiagnosticList};
use crate::kernel::{Builtin, ValueId};

/// Number of links of a long chain that are shown: at the barrier's end and at the thread index's
/// end.
const FIRST: usize = 6;
const LAST: usize = 3;

/// Checks the family, on the inlined kernel. Returns the warnings.
pub(super) fn check(body: &mut Body<'_>, facts: &Uniformity) -> DiagnosticList {
    let mut warnings = DiagnosticList::default();
    let mut prover = None;
    for barrier in facts.barriers() {
        let proof = match barrier.class {
            TileAgreement::Uniform => continue,
            // It depends on more than the thread's index.
            TileAgreement::Unproven => None,
            TileAgreement::Divergent => {
                prover.get_or_insert_with(|| DivergenceProver::new(body.kernel, facts)).prove(barrier.inst)
            }
        };
        match proof {
            Some(proof) => {
                let report = refused(body, barrier, &proof);
                body.report(report);
            }
            None => warnings.push(unshown(body, barrier)),
        }
    }
    warnings
}

/// The report on a barrier that threads of one tile are proved not to reach together.
fn refused(body: &Body<'_>, barrier: &BarrierFact, proof: &DivergenceProof) -> Diagnostic {
    let some_left = matches!(barrier.because.first(), Some(BecauseLink { what: LinkReason::Left(_), .. }));
    let out = match some_left {
        true => report(Code::K0502, "a barrier that some threads of the tile never reach, because they have left")
            .at(barrier.pos, "threads wait here for others that have left")
            .help("let all threads reach it: instead of leaving, make the code in between conditional"),
        false => report(Code::K0501, "a barrier that not all threads of the tile reach")
            .at(barrier.pos, "threads wait here for others that took another branch")
            .help("move the barrier out, so that all threads reach it, and leave only the work inside"),
    };
    let instead = match proof.instead {
        MissedBy::OtherBarrier(_) => "reaches another barrier",
        MissedBy::OtherRound => "reaches it in another iteration of a loop",
        MissedBy::Ending => "ends without",
        MissedBy::GoingPast => "goes past it",
    };
    let tile = if proof.in_first_tile { "in the first tile" } else { "in a tile that reaches it" };
    let rank = body.kernel.tile().map_or(1, <[u32]>::len);
    let [arrives, misses] = [proof.arrives, proof.misses].map(|at| thread_name(&at[..rank]));
    tell(body, out, &barrier.because).note(format!("{tile}, {arrives} waits for all, and {misses} {instead}"))
}

/// A thread by its position in the tile.
fn thread_name(at: &[u32]) -> String {
    let list: Vec<String> = at.iter().map(u32::to_string).collect();
    format!("the thread with `local` [{}]", list.join(", "))
}

/// The warning about a barrier that threads are not shown to reach together.
fn unshown(body: &Body<'_>, barrier: &BarrierFact) -> Diagnostic {
    let out = Diagnostic::warning(Code::K0503, "a barrier that perhaps not all threads of the tile reach")
        .at(barrier.pos, "it cannot be shown that all threads reach it together");
    tell(body, out, &barrier.because)
        .note("while the kernel runs, the threads of each tile vote before this barrier; if some do not reach it, the launch ends with an error that names them")
        .help("if the condition is the same in all threads of a tile, compute it from constants, captured values and the tile's own index: then there is no vote")
}

/// Adds the chain of causes, without links that do not inform a reader.
fn tell(body: &Body<'_>, mut out: Diagnostic, chain: &[BecauseLink]) -> Diagnostic {
    let mut told: Vec<(crate::pos::Pos, String)> = Vec::new();
    for link in chain {
        let text = match link.what {
            LinkReason::Index(Builtin::Local(d)) => format!("`local[{d}]` is another in each thread of the tile"),
            LinkReason::Index(builtin) => {
                format!("`{}[{}]` is another in each thread", builtin.name(), builtin.dimension())
            }
            LinkReason::Memory(value) => format!("{} is read from memory", body.say(value)),
            LinkReason::Value(value) if !is_named(body, value) => continue,
            LinkReason::Value(value) => format!("{} differs between threads", body.say(value)),
            LinkReason::Set(local) => format!("`{}` is set differently in different threads", local_name(body, local)),
            LinkReason::SetBySome(local) => format!("`{}` is set by some threads only", local_name(body, local)),
            LinkReason::Condition(Chooser::If) => "threads of one tile take different branches here".to_owned(),
            LinkReason::Condition(Chooser::Switch) => "threads of one tile take different cases here".to_owned(),
            LinkReason::Condition(Chooser::While | Chooser::BreakIf) => {
                "threads of one tile leave the loop in different iterations".to_owned()
            }
            LinkReason::Left(_) => "some threads of a tile leave here".to_owned(),
        };
        told.push((link.pos, text));
    }
    // Only the ends of a long chain are shown.
    let left_out = if told.len() > FIRST + LAST + 1 { FIRST..told.len() - LAST } else { 0..0 };
    for (i, (pos, text)) in told.into_iter().enumerate() {
        if !left_out.contains(&i) {
            out = out.and(pos, text);
        }
    }
    match left_out.len() {
        0 => out,
        n => out.note(format!("{n} steps between these are left out")),
    }
}

fn is_named(body: &Body<'_>, value: ValueId) -> bool {
    body.function.values.get(value.index()).is_some_and(|value| value.name.is_some())
}

fn local_name<'a>(body: &'a Body<'_>, local: crate::kernel::LocalId) -> &'a str {
    body.function.locals.get(local.index()).map_or("?", |local| &local.name)
}
