//! Moves values to their only use.
//!
//! Rows that are executed together ([`jam_rows`](super::jam_rows)) make sixteen products in a row
//! and then add each to its sum: sixteen registers that hold nothing for long, beside the sixteen
//! sums. Cranelift computes a value where it is used first; the wide emitters keep the order of the
//! program, so this pass puts a value just before its only use. Loads and effects stay in place.
//!
//! A later computation ends the value's own life later and its operands' lives, too, where nothing
//! else uses them behind it. So a value moves if the operands that would live longer take no more
//! registers than it does. If they take as many, only quick operations move: a root is better begun
//! early.

use smallvec::SmallVec;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::{Op, OpFamily};

use super::classes::LaneInstClass;
use super::program::{Elem, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node};
use super::walk::{effect_operands, operands};
use crate::hash::{HashMap, HashSet};

/// Moves values of lanes to their only use.
pub fn move_values_late(program: &mut LaneProgram) {
    let mut body = std::mem::take(&mut program.body);
    order(&program.types, &[], &mut body);
    program.body = body;
}

fn order(types: &[LaneType], params: &[LaneValue], block: &mut LaneBlock) {
    for node in &mut block.nodes {
        match node {
            Node::If { then, otherwise, .. } => {
                order(types, &[], then);
                order(types, &[], otherwise);
            }
            Node::Loop { params, body, .. } => order(types, params, body),
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
    let before = LateUses::of(types, params, block).places(block);
    reorder(block, &before);
}

/// Puts the nodes of each list before the node with its number.
fn reorder(block: &mut LaneBlock, before: &HashMap<usize, Vec<usize>>) {
    if before.is_empty() {
        return;
    }
    let mut moved = vec![false; block.nodes.len()];
    before.values().flatten().for_each(|&node| moved[node] = true);
    let mut nodes: Vec<Option<Node>> = std::mem::take(&mut block.nodes).into_iter().map(Some).collect();
    for root in (0..nodes.len()).filter(|&node| !moved[node]) {
        // Nodes, and whether those before them have been put.
        let mut todo = vec![(root, false)];
        while let Some((node, ready)) = todo.pop() {
            match before.get(&node) {
                Some(first) if !ready => {
                    todo.push((node, true));
                    // The last found is the first in text order.
                    todo.extend(first.iter().map(|&node| (node, false)));
                }
                Some(_) | None => block.nodes.extend(nodes[node].take()),
            }
        }
    }
}

/// Where the values of a block are used.
struct LateUses<'p> {
    types: &'p [LaneType],
    /// For each value that the block computes, or that its loop carries, the nodes that use it, in order.
    /// The block's results are used behind its last node.
    users: HashMap<LaneValue, SmallVec<[usize; 4]>>,
    /// Values that are in no register until they are used.
    free: HashSet<LaneValue>,
}

impl<'p> LateUses<'p> {
    fn of(types: &'p [LaneType], params: &[LaneValue], block: &LaneBlock) -> LateUses<'p> {
        let mut uses = LateUses { types, users: HashMap::default(), free: HashSet::default() };
        params.iter().for_each(|&param| _ = uses.users.insert(param, SmallVec::new()));
        for (at, node) in block.nodes.iter().enumerate() {
            uses.node(node, at);
            match node {
                Node::Let { value, inst, .. } => {
                    if matches!(inst, LaneInst::Splat(_) | LaneInst::Const(_) | LaneInst::Lane) {
                        uses.free.insert(*value);
                    }
                    uses.users.insert(*value, SmallVec::new());
                }
                Node::If { results, .. } | Node::Loop { results, .. } => {
                    results.iter().for_each(|&result| _ = uses.users.insert(result, SmallVec::new()));
                }
                Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
        block.results.iter().for_each(|&result| uses.used(result, block.nodes.len()));
        uses
    }

    fn used(&mut self, value: LaneValue, at: usize) {
        if let Some(users) = self.users.get_mut(&value)
            && users.last() != Some(&at)
        {
            users.push(at);
        }
    }

    /// Notes the uses of a node, and of those nested in it, as uses at `at`.
    fn node(&mut self, node: &Node, at: usize) {
        let nested = |uses: &mut Self, block: &LaneBlock| {
            block.nodes.iter().for_each(|node| uses.node(node, at));
            block.results.iter().for_each(|&result| uses.used(result, at));
        };
        match node {
            Node::Let { inst, .. } => operands(inst, &mut |&value| self.used(value, at)),
            Node::Do { effect, .. } => effect_operands(effect, &mut |&value| self.used(value, at)),
            Node::If { condition, then, otherwise, .. } => {
                self.used(*condition, at);
                nested(self, then);
                nested(self, otherwise);
            }
            Node::Loop { init, body, again, .. } => {
                init.iter().for_each(|&value| self.used(value, at));
                nested(self, body);
                self.used(*again, at);
            }
            Node::Exit { condition, .. } => self.used(*condition, at),
            Node::Poll => {}
        }
    }

    /// The bytes of a lane of a value in a vector register; a mask is in another kind of register.
    fn size(&self, value: LaneValue) -> Option<u32> {
        match self.types.get(value.index())? {
            LaneType::Lanes(Elem::I64 | Elem::F64) => Some(8),
            LaneType::Lanes(Elem::I32 | Elem::F32) => Some(4),
            LaneType::Lanes(Elem::Bool) | LaneType::Scalar(_) => None,
        }
    }

    /// For nodes, those that are put before them, the last one first.
    fn places(&self, block: &LaneBlock) -> HashMap<usize, Vec<usize>> {
        let mut before: HashMap<usize, Vec<usize>> = HashMap::default();
        // For each node, the one that stays in place with which it is done.
        let mut anchors: Vec<usize> = (0..=block.nodes.len()).collect();
        for (at, node) in block.nodes.iter().enumerate().rev() {
            let Node::Let { value, inst, .. } = node else { continue };
            let Some(&[user]) = self.users.get(value).map(SmallVec::as_slice) else { continue };
            let moves = match inst.class() {
                LaneInstClass::Pure => !self.free.contains(value),
                LaneInstClass::Read => fault::planted(Fault::LoadsUsedLate),
                LaneInstClass::Atomic => false,
            };
            let reaches = matches!(block.nodes.get(user), Some(Node::Let { .. } | Node::Do { .. }));
            let Some(size) = self.size(*value).filter(|_| reaches && moves) else { continue };
            let held = self.held_longer(inst, at, anchors[user], &anchors);
            if held.is_some_and(|held| held < size || held == size && is_quick(inst)) {
                anchors[at] = anchors[user];
                before.entry(user).or_default().push(at);
            }
        }
        before
    }

    /// The bytes of a lane of the operands that live longer if this instruction is done at `anchor`;
    /// nothing if a mask would.
    fn held_longer(&self, inst: &LaneInst, at: usize, anchor: usize, anchors: &[usize]) -> Option<u32> {
        let mut seen: SmallVec<[LaneValue; 4]> = SmallVec::new();
        operands(inst, &mut |&operand| {
            if !seen.contains(&operand) {
                seen.push(operand);
            }
        });
        let lives_longer = |operand: &LaneValue| {
            let lanes = self.types.get(operand.index()).is_some_and(|ty| ty.is_lanes());
            let is_own = lanes && !self.free.contains(operand);
            let users = self.users.get(operand).filter(|_| is_own);
            users.is_some_and(|users| users.iter().all(|&user| user == at || anchors[user] < anchor))
        };
        seen.iter().filter(|operand| lives_longer(operand)).map(|&operand| self.size(operand)).sum()
    }
}

/// Whether a result is there soon after the operands.
fn is_quick(inst: &LaneInst) -> bool {
    let (LaneInst::Op { op, .. } | LaneInst::Whole { op, .. }) = inst else { return true };
    *op != Op::Sqrt && !matches!(op.family(), OpFamily::Division(_))
}

#[cfg(test)]
mod tests {
    use tilewise_ir::types::{Scalar, Stored};

    use super::*;
    use crate::lanes::{AddressStep, ArenaSizes, ArgumentWord, Effect, LaneAddress, LaneBuilder, MemorySpace};

    fn row(base: LaneValue, displacement: i64) -> LaneAddress {
        let (space, along) = (MemorySpace::Buffer(0), AddressStep::Step(4));
        LaneAddress { space, base, offset: None, displacement, along, stored: Stored::F32 }
    }

    /// The operations of a program in order.
    fn ops(program: &LaneProgram) -> Vec<Op> {
        let of = |node: &Node| match node {
            Node::Let { inst: LaneInst::Op { op, .. }, .. } => Some(*op),
            Node::Let { .. }
            | Node::Do { .. }
            | Node::If { .. }
            | Node::Loop { .. }
            | Node::Exit { .. }
            | Node::Poll => None,
        };
        program.body.nodes.iter().filter_map(of).collect()
    }

    /// The operations after the pass, of one that makes values of the loads of two rows and stores them.
    fn moved(make: impl FnOnce(&mut LaneBuilder, LaneValue, LaneValue) -> Vec<LaneValue>) -> Vec<Op> {
        let mut b = LaneBuilder::new(16);
        let base = b.input(ArgumentWord::ViewBase(0));
        let (x, y) = (b.load(row(base, 0), None), b.load(row(base, 64), None));
        let values = make(&mut b, x, y);
        for (at, value) in (2..).zip(values) {
            b.effect(Effect::Store { at: row(base, 64 * at), value, mask: None });
        }
        let mut program = b.finish("test".into(), ArenaSizes::default());
        program.writable = vec![true];
        move_values_late(&mut program);
        crate::lanes::verify(&program).expect("it is a program");
        ops(&program)
    }

    #[test]
    fn products_are_made_where_they_are_added() {
        let found = moved(|b, x, y| {
            let products: Vec<LaneValue> = [x, y, x, y].map(|z| b.op(Op::Mul, Scalar::F32, &[z, y])).into();
            products.into_iter().map(|product| b.op(Op::Add, Scalar::F32, &[product, x])).collect()
        });
        assert_eq!(found, [Op::Mul, Op::Add].repeat(found.len() / 2));
        assert!(found.len() >= 4, "equal products are one");
    }

    #[test]
    fn values_stay_that_keep_more_alive_than_they_take() {
        let found = moved(|b, x, y| {
            let sum = b.op(Op::Add, Scalar::F32, &[x, y]);
            let other = b.op(Op::Mul, Scalar::F32, &[y, y]);
            vec![other, sum]
        });
        assert_eq!(found, [Op::Add, Op::Mul], "both loads would be held in place of the sum");
        let found = moved(|b, x, y| {
            let sum = b.op(Op::Add, Scalar::F32, &[x, y]);
            let root = b.op(Op::Sqrt, Scalar::F32, &[sum]);
            let base = b.input(ArgumentWord::ViewBase(0));
            let z = b.load(row(base, 1024), None);
            let other = b.op(Op::Mul, Scalar::F32, &[z, z]);
            vec![other, root]
        });
        assert_eq!(found, [Op::Add, Op::Sqrt, Op::Mul], "a root is begun early");
    }

    #[test]
    fn long_chains_take_no_deep_stack() {
        let mut b = LaneBuilder::new(16);
        let base = b.input(ArgumentWord::ViewBase(0));
        let mut x = b.load(row(base, 0), None);
        for _ in 0..200_000 {
            x = b.op(Op::Mul, Scalar::F32, &[x, x]);
        }
        b.effect(Effect::Store { at: row(base, 64), value: x, mask: None });
        let mut program = b.finish("test".into(), ArenaSizes::default());
        move_values_late(&mut program);
        assert_eq!(ops(&program).len(), 200_000);
    }
}
