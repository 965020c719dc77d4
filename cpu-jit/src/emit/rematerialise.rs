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

/// The same at width 1. There a lane is a scalar, most of whose constants are immediate operands.
const FEW_OF_SCALARS: usize = 512;

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
        let few = if program.width == 1 { FEW_OF_SCALARS } else { FEW };
        (found > few).then(|| Late { constants: HashMap::default(), brought: 0, begun: 0 })
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

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use super::super::compile::written_for;
    use super::super::target;
    use crate::vectorize::{CodeKey, vectorize};

    #[test]
    fn constants_of_a_long_switch_are_not_live_from_the_top() {
        let cases: String = (0..700).map(|i| format!("case {i}: {{ r = {}; }} ", i + 1000)).collect();
        let text = format!(
            "kernel k(v: view<i32, 1, read_write>) rank(1) {{ let x = v[global[0]]; var r: i32 = 0;
            switch x {{ {cases} }} v[global[0]] = r; }}"
        );
        let kernel = check(parse("k.kir", &text).expect("it parses")).expect("it is right");
        let target = target::host().expect("it is a machine that Cranelift knows");
        for width in [1, 4] {
            let program = vectorize(&kernel, &CodeKey::apart(width, 1)).expect("there is a program");
            let (text, _) = written_for(&program, target).expect("it is compiled");
            let ends = ["brif", "jump", "br_table"].iter().filter_map(|jump| text.find(jump)).min();
            let first = &text[..ends.expect("the program has a branch")];
            assert!(first.matches("iconst").count() < 100, "{width} lanes:\n{first}");
            assert!(text.matches("iconst").count() >= 700, "{width} lanes");
        }
    }
}
