//! Barriers: all threads of a tile reach a barrier together, or none does. `K0501`, `K0502`.
//!
//! [`uniformity`](crate::analysis::uniformity) makes the decision; this module turns its chain of
//! causes into text.

use super::body::Body;
use super::report;
use crate::analysis::uniformity::{BecauseLink, Chooser, LinkReason, TileAgreement, Uniformity};
use crate::diag::{Code, Diagnostic};
use crate::kernel::{Builtin, ValueId};

/// Number of links of a long chain that are shown: at the barrier's end and at the thread index's
/// end.
const FIRST: usize = 6;
const LAST: usize = 3;

/// Checks the family, on the inlined kernel.
pub(super) fn check(body: &mut Body<'_>, facts: &Uniformity) {
    for barrier in facts.barriers().iter().filter(|barrier| barrier.class == TileAgreement::Divergent) {
        let some_left = matches!(barrier.because.first(), Some(BecauseLink { what: LinkReason::Left(_), .. }));
        let out = match some_left {
            true => report(Code::K0502, "a barrier that some threads of the tile never reach, because they have left")
                .at(barrier.pos, "threads wait here for others that have left")
                .help("let all threads come here: instead of leaving, make what stands in between conditional"),
            false => report(Code::K0501, "a barrier that not all threads of the tile reach")
                .at(barrier.pos, "threads wait here for others that went another way")
                .help("move the barrier out, so that all threads come to it, and leave only the work inside"),
        };
        let out = tell(body, out, &barrier.because);
        body.report(out.note(
            "what decides about a barrier must be the same in all threads of a tile: constants, captured values, the tile's own index, and what is computed from these",
        ));
    }
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
            LinkReason::Memory(value) => format!("{} comes out of memory", body.say(value)),
            LinkReason::Value(value) if !is_named(body, value) => continue,
            LinkReason::Value(value) => format!("{} differs between threads", body.say(value)),
            LinkReason::Set(local) => format!("`{}` is set differently in different threads", local_name(body, local)),
            LinkReason::SetBySome(local) => format!("`{}` is set by some threads only", local_name(body, local)),
            LinkReason::Condition(Chooser::If) => "threads of one tile go different ways here".to_owned(),
            LinkReason::Condition(Chooser::Switch) => "threads of one tile take different cases here".to_owned(),
            LinkReason::Condition(Chooser::While | Chooser::BreakIf) => {
                "threads of one tile leave the loop in different rounds".to_owned()
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
