//! Rematerialises the constants of large programs where they are used.
//!
//! A lane program has each constant once, before everything else. The register allocator then keeps
//! all of them live through the whole function, and scans all of them whenever it lacks a register:
//! with thousands of constants the time grows quadratically. It reloads spilled constants from
//! memory before each use, which costs the same as rematerialising them there. So in programs with
//! more constants than could ever stay in registers, each is emitted again in every basic block
//! that uses it, and again when its last use is some distance back.

use cranelift_codegen::ir;

use crate::hash::HashMap;
use crate::lanes::{LaneBlock, LaneInst, LaneProgram, LaneValue, Node};

/// The number of constants that are left to the register allocator: a small multiple of the number
/// of registers.
const FEW: usize = 96;

/// The number of values used after which a constant is emitted again.
const NEAR: u64 = 24;

/// The constants of a program that has many.
pub(super) struct Late {
    /// The instruction of each, and the position of its last use.
    constants: HashMap<LaneValue, (LaneInst, Option<(ir::Block, u64)>)>,
    /// The number of values used so far.
    brought: u64,
    /// That number at the beginning of the current node.
    begun: u64,
}

impl Late {
    /// For a body of a program; `None` if it has few constants.
    pub(super) fn of(program: &LaneProgram, body: &LaneBlock) -> Option<Late> {
        let mut found = 0;
        count(body, &mut found);
        // At width 1 a lane is a scalar, whose constants are immediate operands.
        (program.width > 1 && found > FEW).then(|| Late { constants: HashMap::default(), brought: 0, begun: 0 })
    }

    /// Records an instruction if it is a constant; returns whether it is one.
    pub(super) fn note(&mut self, value: LaneValue, inst: &LaneInst) -> bool {
        let is_constant = if let LaneInst::Splat(scalar) = inst {
            self.constants.contains_key(scalar)
        } else {
            matches!(inst, LaneInst::Const(_))
        };
        if is_constant {
            self.constants.insert(value, (inst.clone(), None));
        }
        is_constant
    }

    /// The instruction to emit, if this is a constant that was not emitted nearby.
    pub(super) fn wanted(&mut self, value: LaneValue, block: Option<ir::Block>) -> Option<LaneInst> {
        self.brought += 1;
        let now = self.brought;
        let (inst, last) = self.constants.get_mut(&value)?;
        let near = matches!(*last, Some((there, then)) if Some(there) == block && now - then <= NEAR);
        *last = block.map(|block| (block, now));
        (!near).then(|| inst.clone())
    }

    /// Begins another node.
    pub(super) fn begin(&mut self) {
        self.begun = self.brought;
    }

    /// Panics if this is a constant that was not made available for the current node: the node must
    /// not use it.
    pub(super) fn assert_is_brought(&self, value: LaneValue) {
        if let Some((_, last)) = self.constants.get(&value) {
            assert!(last.is_some_and(|(_, then)| then > self.begun), "%{} is used before it is there", value.0);
        }
    }
}

/// Counts constants.
fn count(block: &LaneBlock, found: &mut usize) {
    for node in &block.nodes {
        match node {
            Node::Let { inst: LaneInst::Const(_), .. } => *found += 1,
            Node::If { then, otherwise, .. } => {
                count(then, found);
                count(otherwise, found);
            }
            Node::Loop { body, .. } => count(body, found),
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
}
