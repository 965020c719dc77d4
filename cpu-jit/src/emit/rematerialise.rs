//! Constants of large programs: written where they are used.
//!
//! A lane program has each constant once, before everything else. The register allocator then carries all of them through the whole function, and looks through all of them whenever it
//! lacks a register: with thousands the time grows with the square. What it finds no register for it loads from memory before each use, which is what writing a constant there does too.
//! So in programs with more of them than could ever stay in registers, each is written again in every block that uses it, and again when it was last used a while ago.

use cranelift_codegen::ir;

use crate::hash::HashMap;
use crate::lanes::{LaneBlock, LaneInst, LaneProgram, LaneValue, Node};

/// Constants that are held in registers or loaded by the allocator, as it thinks best: some times as many as there are registers.
const FEW: usize = 96;

/// How many values may be brought before a constant that was not among them is written again.
const NEAR: u64 = 24;

/// The constants of a program that has many.
pub(super) struct Late {
    /// What they are, and where each was last used.
    constants: HashMap<LaneValue, (LaneInst, Option<(ir::Block, u64)>)>,
    /// Values that were brought so far.
    brought: u64,
    /// The same when the node that is written now was begun.
    begun: u64,
}

impl Late {
    /// For what is written of a program; nothing if it has few constants.
    pub(super) fn of(program: &LaneProgram, body: &LaneBlock) -> Option<Late> {
        let mut found = 0;
        count(body, &mut found);
        // At width 1 a lane is a scalar, which instructions have in themselves.
        (program.width > 1 && found > FEW).then(|| Late { constants: HashMap::default(), brought: 0, begun: 0 })
    }

    /// Notes an instruction that is a constant; says whether it is one.
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

    /// What is to be written, if this is a constant that is not near.
    pub(super) fn wanted(&mut self, value: LaneValue, block: Option<ir::Block>) -> Option<LaneInst> {
        self.brought += 1;
        let now = self.brought;
        let (inst, last) = self.constants.get_mut(&value)?;
        let near = matches!(*last, Some((there, then)) if Some(there) == block && now - then <= NEAR);
        *last = block.map(|block| (block, now));
        (!near).then(|| inst.clone())
    }

    /// Another node is written from here.
    pub(super) fn begin(&mut self) {
        self.begun = self.brought;
    }

    /// Panics if this is a constant that was not brought for the node that is written: it may not be used there.
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
