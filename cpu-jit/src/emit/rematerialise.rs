//! Rematerialises constants where they are used: those of large programs, and those of loops that
//! have no registers for them.
//!
//! A lane program has each constant once, before everything else. The register allocator then keeps
//! all of them live through the whole function, and scans all of them whenever it lacks a register:
//! with thousands of constants the time grows quadratically. It reloads spilled constants from
//! memory before each use, which costs the same as rematerialising them there. So in programs with
//! more constants than could ever stay in registers, each is emitted again in every basic block
//! that uses it, and again when its last use is some distance back.
//!
//! A loop that uses more constants than other values leave registers for, such as one over a
//! polynomial, is slowed by the same: constants displace values, both are stored and reloaded, and a
//! constant is reloaded for each of the vectors that make up its lanes. There as many constants stay
//! in registers as there is room for ([`crowded_constants`]).

use cranelift_codegen::ir;

use crate::hash::{HashMap, HashSet};
use crate::lanes::{LaneBlock, LaneInst, LaneProgram, LaneValue, Node, crowded_constants};

/// The number of constants that are left to the register allocator: a small multiple of the number
/// of registers.
const FEW: usize = 96;

/// The same at width 1. There a lane is a scalar, most of whose constants are immediate operands.
const FEW_OF_SCALARS: usize = 512;

/// The number of values used after which a constant is emitted again. With 24, loops over polynomials of `f64`
/// were up to 20% slower, as the constants that are kept displace the values of long ones.
const NEAR: u64 = 8;

/// The constants that are rematerialised.
pub(super) struct Late {
    /// The instruction of each, and the position of its last use.
    constants: HashMap<LaneValue, (LaneInst, Option<(ir::Block, u64)>)>,
    /// Which are. `None` if all are.
    crowded: Option<HashSet<LaneValue>>,
    /// The number of values used so far.
    brought: u64,
    /// That number at the beginning of the current node.
    begun: u64,
}

impl Late {
    /// For a body of a program, on a machine with that many vector registers; `None` if there is nothing to
    /// rematerialise.
    pub(super) fn of(program: &LaneProgram, body: &LaneBlock, registers: u32) -> Option<Late> {
        let mut found = 0;
        count(body, &mut found);
        let (few, registers) = if program.width == 1 { (FEW_OF_SCALARS, u32::MAX) } else { (FEW, registers) };
        let crowded = (found <= few).then(|| crowded_constants(program, body, registers));
        let none = crowded.as_ref().is_some_and(HashSet::is_empty);
        (!none).then(|| Late { constants: HashMap::default(), crowded, brought: 0, begun: 0 })
    }

    /// Records an instruction if it is a constant; returns whether it is one.
    pub(super) fn note(&mut self, value: LaneValue, inst: &LaneInst) -> bool {
        let is_constant = match &self.crowded {
            Some(crowded) => crowded.contains(&value),
            None if let LaneInst::Splat(scalar) = inst => self.constants.contains_key(scalar),
            None => matches!(inst, LaneInst::Const(_)),
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

    #[test]
    fn a_loop_with_more_constants_than_registers_has_them_in_it() {
        let sums = |count: i32| (0..count).map(|i| format!("r = r * x + {i}.5; ")).collect::<String>();
        let vectors = |count: i32| {
            let text = format!(
                "kernel k(v: view<f32, 1, read_write>) rank(1) {{
                    let x = v[global[0]]; var r: f32 = x; {} v[global[0]] = r;
                }}",
                sums(count)
            );
            let kernel = check(parse("k.kir", &text).expect("it parses")).expect("it is right");
            let target = target::host().expect("it is a machine that Cranelift knows");
            let program = vectorize(&kernel, &CodeKey::apart(8, 1)).expect("there is a program");
            let (text, _) = written_for(&program, target).expect("it is compiled");
            let ends = ["brif", "jump"].iter().filter_map(|jump| text.find(jump)).min();
            let (first, rest) = text.split_at(ends.expect("the program has a branch"));
            [first, rest].map(|part| part.matches("vconst.f32x4").count())
        };
        let [before, inside] = vectors(40);
        assert!(before < 32 && inside >= 40 - before, "{before} before all loops, {inside} later");
        assert_eq!(vectors(4), [4, 0]);
    }
}
