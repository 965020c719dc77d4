//! Minimises a failing program: removes nodes and makes values constant, as long as the program
//! stays well formed and still fails.

use super::super::program::{Effect, LaneBlock, LaneInst, LaneProgram, LaneType, Node};
use super::super::verify;

/// A change to try on a node.
#[derive(Clone, Copy)]
enum ShrinkStep {
    LeaveOut,
    Unmask,
    MakeZero,
}

/// The smallest program found for which `shows` holds.
pub(super) fn shrink(program: &LaneProgram, shows: &dyn Fn(&LaneProgram) -> bool) -> LaneProgram {
    let mut best = program.clone();
    loop {
        let before = size(&best.body);
        let mut at = size(&best.body);
        while at > 0 {
            at -= 1;
            for change in [ShrinkStep::LeaveOut, ShrinkStep::Unmask, ShrinkStep::MakeZero] {
                let mut smaller = best.clone();
                let mut number = at;
                let types = best.types.clone();
                let changed = visit(&mut smaller.body, &mut number, &mut |nodes, i| match change {
                    ShrinkStep::LeaveOut => {
                        nodes.remove(i);
                        true
                    }
                    ShrinkStep::Unmask => unmask(nodes, i),
                    ShrinkStep::MakeZero => make_zero(nodes, i, &types),
                });
                if changed == Some(true) && verify(&smaller).is_ok() && shows(&smaller) {
                    best = smaller;
                    break;
                }
            }
        }
        if size(&best.body) == before {
            return best;
        }
    }
}

/// The number of nodes in a block and its nested blocks.
fn size(block: &LaneBlock) -> usize {
    let inside = |node: &Node| match node {
        Node::If { then, otherwise, .. } => 1 + size(then) + size(otherwise),
        Node::Loop { body, .. } => 1 + size(body),
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => 1,
    };
    block.nodes.iter().map(inside).sum()
}

/// Visits the node with a number.
fn visit<T>(block: &mut LaneBlock, number: &mut usize, act: &mut dyn FnMut(&mut Vec<Node>, usize) -> T) -> Option<T> {
    for i in 0..block.nodes.len() {
        if *number == 0 {
            return Some(act(&mut block.nodes, i));
        }
        *number -= 1;
        let found = match &mut block.nodes[i] {
            Node::If { then, otherwise, .. } => match visit(then, number, act) {
                None => visit(otherwise, number, act),
                found => found,
            },
            Node::Loop { body, .. } => visit(body, number, act),
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn unmask(nodes: &mut [Node], i: usize) -> bool {
    let (Node::Let { inst: LaneInst::Load { mask, .. } | LaneInst::Atomic { mask, .. }, .. }
    | Node::Do { effect: Effect::Store { mask, .. }, .. }) = &mut nodes[i]
    else {
        return false;
    };
    mask.take().is_some()
}

/// Replaces a scalar by the constant 0.
fn make_zero(nodes: &mut [Node], i: usize, types: &[LaneType]) -> bool {
    let Node::Let { value, inst, .. } = &mut nodes[i] else { return false };
    let goes = matches!(types[value.index()], LaneType::Scalar(_))
        && !matches!(inst, LaneInst::Const(_) | LaneInst::Input(_) | LaneInst::Arena(_));
    if goes {
        *inst = LaneInst::Const(0);
    }
    goes
}
