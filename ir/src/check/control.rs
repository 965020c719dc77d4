//! Control flow: missing returns, unreachable code, loops without an exit, recursion. `K0301` to
//! `K0304`.
//!
//! `abort` and `error` are not control flow: their thread continues without effect, so a `return`
//! is still required after them.

use super::body::{Body, inner_blocks};
use super::report;
use super::wording::count;
use crate::analysis::calls::CallGraph;
use crate::diag::{Code, DiagnosticList};
use crate::kernel::{Block, Const, Construct, Inst, InstClass, InstKind, Jump, Kernel, LabelId, ValueDef};

/// Checks the family within a function.
pub(super) fn check(body: &mut Body<'_>, calls: &CallGraph) {
    let function = body.function;
    let completes = walk(body, &function.body, calls);
    if let (true, Some(result)) = (completes, function.result) {
        let result = body.a(result);
        let out = report(Code::K0301, format!("`{}` can end without a value", function.name))
            .at(function.pos, format!("gives {result}"));
        let out = match function.body.insts.last() {
            Some(last) if matches!(last.kind, InstKind::Abort | InstKind::Error(_)) => out
                .and(last.pos, "a thread that ends here walks on without effect")
                .help("write `return` behind it all the same; the value is never seen"),
            Some(last) => {
                out.and(last.pos, "the end can be reached from here").help("end every way with `return value;`")
            }
            None => out.help("write `return value;`"),
        };
        body.report(out);
    }
}

/// Whether the end of the block is reachable.
pub(super) fn completes(body: &Body<'_>, block: &Block) -> bool {
    block.insts.iter().all(|inst| {
        let inner = || inner_blocks(inst).into_iter().any(|block| completes(body, block));
        goes_on(body, inst, inner)
    })
}

/// Whether the code after the instruction is reachable. `inner` returns whether the end of a nested
/// block is.
fn goes_on(body: &Body<'_>, inst: &Inst, inner: impl FnOnce() -> bool) -> bool {
    match inst.kind.construct() {
        Some(Construct::If { .. } | Construct::Switch { .. }) => inner(),
        Some(Construct::Scope { label, .. }) => body.is_broken(label) || inner(),
        Some(Construct::Loop { label, .. }) => body.is_broken(label) || ends_itself(body, inst),
        None => !inst.kind.leaves(),
    }
}

/// Whether the loop has a condition that can end it.
fn ends_itself(body: &Body<'_>, inst: &Inst) -> bool {
    let InstKind::Loop { condition, continuing, .. } = &inst.kind else { return true };
    let constant = |block: &Block| match block.value.and_then(|value| body.function.values.get(value.index())) {
        Some(value) => match value.def {
            ValueDef::Const(c) => Some(c),
            ValueDef::Param(_) | ValueDef::Inst => None,
        },
        None => None,
    };
    let goes_out = condition.as_ref().is_some_and(|block| constant(block) != Some(Const::bool(true)));
    goes_out || continuing.value.is_some() && constant(continuing) != Some(Const::bool(false))
}

/// Reports errors within a block; returns whether its end is reachable.
fn walk<'a>(body: &mut Body<'a>, block: &'a Block, calls: &CallGraph) -> bool {
    let mut reached = true;
    for (i, inst) in block.insts.iter().enumerate() {
        let mut inner_completes = false;
        for inner in inner_blocks(inst) {
            inner_completes |= walk(body, inner, calls);
        }
        let goes_on = goes_on(body, inst, || inner_completes);
        if !goes_on && matches!(inst.kind, InstKind::Loop { .. }) && !has_way_out(inst, calls) {
            let out = report(Code::K0303, "a loop without a way out")
                .at(inst.pos, "its threads never come to an end")
                .help("leave it by `break`, `return` or a condition");
            body.report(out);
        }
        if !goes_on && reached {
            reached = false;
            if let Some(next) = block.insts.get(i + 1) {
                let out = report(Code::K0302, "unreachable code")
                    .at(next.pos, "never runs")
                    .and(inst.pos, why(inst))
                    .help("remove it, or make the way before it conditional");
                body.report(out);
            }
        }
    }
    reached
}

fn why(inst: &Inst) -> &'static str {
    match inst.kind.construct() {
        Some(Construct::If { .. }) => "both arms leave",
        Some(Construct::Switch { .. }) => "all cases leave",
        Some(Construct::Scope { .. }) => "the scope is never left at its end",
        Some(Construct::Loop { .. }) => "the loop is left only by `return` or to a place further out",
        // Of the other instructions only jumps leave.
        None => "always leaves here",
    }
}

/// Whether an instruction inside ends the loop or the thread.
fn has_way_out(inst: &Inst, calls: &CallGraph) -> bool {
    fn inside_leaves(inst: &Inst, calls: &CallGraph, inside: &mut Vec<LabelId>) -> bool {
        let opened = inst.kind.opened_label();
        inside.extend(opened);
        let found =
            inner_blocks(inst).into_iter().flat_map(|block| &block.insts).any(|inst| leaves(inst, calls, inside));
        if opened.is_some() {
            inside.pop();
        }
        found
    }
    fn leaves(inst: &Inst, calls: &CallGraph, inside: &mut Vec<LabelId>) -> bool {
        match inst.kind.class() {
            InstClass::Stop => true,
            InstClass::Jump => inst.kind.jump().is_none_or(|jump| match jump {
                Jump::Break { label, .. } | Jump::Continue { label } => !inside.contains(&label),
                Jump::Return(_) => true,
            }),
            InstClass::Call => matches!(&inst.kind, InstKind::Call { function, .. } if calls.stops(*function)),
            InstClass::Structured => inside_leaves(inst, calls, inside),
            InstClass::Compute
            | InstClass::Query
            | InstClass::MakeView
            | InstClass::Read
            | InstClass::Write
            | InstClass::Atomic
            | InstClass::Declare
            | InstClass::Synchronize
            | InstClass::Output => false,
        }
    }
    inside_leaves(inst, calls, &mut Vec::new())
}

/// Reports each cycle of calls with its chain.
pub(super) fn recursion(kernel: &Kernel, calls: &CallGraph, reports: &mut DiagnosticList) {
    for cycle in calls.cycles() {
        let Some((last, first)) = cycle.split_last() else { continue };
        let name = |site: &crate::analysis::calls::CallSite| {
            kernel.functions.get(site.callee.index()).map_or("?", |function| &*function.name)
        };
        let message = match first.len() {
            0 => format!("`{}` calls itself", name(last)),
            n => format!("`{}` calls itself through {}", name(last), count(n, "other function", "other functions")),
        };
        let mut out = report(Code::K0304, message).at(last.pos, format!("calls `{}` again", name(last)));
        // Only the ends of a long chain are shown.
        let shown = first.iter().enumerate().filter(|(i, _)| *i < 6 || i + 2 > first.len());
        for (_, site) in shown {
            out = out.and(site.pos, format!("calls `{}`", name(site)));
        }
        reports.push(out.note("functions are inlined, so that none can call itself").help("use a loop"));
    }
}
