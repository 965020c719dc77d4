//! Conditions of loops that do more than compute a value: they become the beginning of the body.
//!
//! `while { c = a[j]; c != 0 } { .. }` becomes `loop { c = a[j]; if c != 0 {} else { break; } .. }`, which has
//! the same meaning: `continue` and the continuing block come before the condition in both. So targets may
//! evaluate a condition where it suits them, before the loop and again at the end of each iteration: it writes
//! nothing that the body reads, it leaves nothing, and it ends.

use std::collections::BTreeSet;
use std::mem::take;

use crate::fault::{self, Fault};
use crate::kernel::{Block, Inst, InstClass, InstKind, Jump, LabelId, LocalId, Root};

/// A loop with this condition, if it has one.
pub(super) fn repeat(label: LabelId, condition: Option<Block>, body: Block, continuing: Block) -> InstKind {
    match condition {
        Some(condition) if !only_computes(&condition) && !fault::planted(Fault::ConditionKept) => {
            let body = with_exit(condition, label, body);
            InstKind::Loop { label, condition: None, body, continuing }
        }
        condition => InstKind::Loop { label, condition: condition.map(Box::new), body, continuing },
    }
}

/// The body, with the condition before it.
fn with_exit(mut condition: Block, label: LabelId, mut body: Block) -> Block {
    let mut insts = take(&mut condition.insts);
    // Without a value, all threads leave in the condition.
    if let (Some(value), Some(last)) = (condition.value, insts.last()) {
        let pos = last.pos;
        let exit = Inst::new(InstKind::Break { label, value: None }, None, pos);
        let otherwise = Block { insts: vec![exit], value: None };
        let exit = InstKind::If { condition: value, then: Block::default(), otherwise };
        insts.push(Inst::new(exit, None, pos));
    }
    insts.append(&mut body.insts);
    Block { insts, value: body.value }
}

/// Does a block change nothing but its own variables, and come to its end?
fn only_computes(block: &Block) -> bool {
    let (mut locals, mut scopes): (BTreeSet<LocalId>, BTreeSet<LabelId>) = Default::default();
    block.walk(&mut |inst| {
        locals.extend(inst.kind.declared());
        if let InstKind::Scope { label, .. } = &inst.kind {
            scopes.insert(*label);
        }
    });
    let mut computes = true;
    block.walk(&mut |inst| {
        computes &= match inst.kind.class() {
            InstClass::Compute | InstClass::Query | InstClass::MakeView | InstClass::Read | InstClass::Declare => true,
            InstClass::Write => {
                let place = inst.kind.written_place();
                place.is_some_and(|place| matches!(place.root, Root::Local(local) if locals.contains(&local)))
            }
            InstClass::Structured => !matches!(inst.kind, InstKind::Loop { .. }),
            InstClass::Jump => match inst.kind.jump() {
                Some(Jump::Break { label, .. }) => scopes.contains(&label),
                Some(Jump::Continue { .. } | Jump::Return(_)) | None => false,
            },
            InstClass::Atomic | InstClass::Synchronize | InstClass::Output | InstClass::Stop => false,
            // Kept calls of functions that change nothing.
            InstClass::Call => {
                let mut places = false;
                inst.kind.places(&mut |_| places = true);
                !places
            }
        };
    });
    computes
}
