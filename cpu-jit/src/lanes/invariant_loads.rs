//! Loads that are the same in every iteration of a loop, before the loop.
//!
//! `for u in 0..8 { .. v[(y, left)] * cos[u] .. }` gathers the same elements in each iteration. A load from memory that
//! nobody writes in this launch may stand anywhere; so it moves before the loop, with what its address and its mask are
//! computed from. Loops are tested at their end, so that what their body does without a condition is done once in any
//! case, and an address that is valid there is valid before. A load behind a condition stays, and one behind an exit.
//!
//! Loads of whole vectors, and of one scalar for all lanes, cost little more than a register would, which they would
//! take for the whole loop: they move only if others need them.

use tilewise_ir::fault::{self, Fault};

use super::classes::LaneInstClass;
use super::program::{AddressStep, LaneAddress, LaneBlock, LaneInst, LaneProgram, LaneValue, MemorySpace, Node};
use super::walk::operands;
use super::{VectorMachine, pressure};
use crate::hash::HashSet;

/// The part of the registers that the values of loads may take.
const PART_OF_REGISTERS: u32 = 3;

/// Moves loads before loops in which they are the same; returns whether there are any.
pub fn hoist_loads(program: &mut LaneProgram, machine: VectorMachine) -> bool {
    let mut body = std::mem::take(&mut program.body);
    let mut pass = LoadHoist { program, room: machine.capacity() / PART_OF_REGISTERS, found: false };
    pass.block(&mut body);
    let found = pass.found;
    program.body = body;
    found
}

struct LoadHoist<'p> {
    program: &'p LaneProgram,
    /// The registers, in the unit of `pressure`, that the moved values of a loop may take.
    room: u32,
    found: bool,
}

impl LoadHoist<'_> {
    fn block(&mut self, block: &mut LaneBlock) {
        let mut nodes = Vec::with_capacity(block.nodes.len());
        for mut node in std::mem::take(&mut block.nodes) {
            match &mut node {
                Node::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|arm| self.block(arm)),
                Node::Loop { params, body, .. } => {
                    // Inner loops first: what moves before them may move on.
                    self.block(body);
                    let moved = self.moved(params, body);
                    self.found |= !moved.is_empty();
                    nodes.extend(moved);
                }
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
            nodes.push(node);
        }
        block.nodes = nodes;
    }

    /// Takes out of the body of a loop what is done before it.
    fn moved(&self, params: &[LaneValue], body: &mut LaneBlock) -> Vec<Node> {
        let ahead = body.nodes.iter().position(|node| matches!(node, Node::Exit { .. })).unwrap_or(body.nodes.len());
        let is_wanted = |node: &Node| match node {
            Node::Let { inst: LaneInst::Load { at, .. }, .. } => self.is_unwritten(at) && costs(at),
            Node::Let { .. }
            | Node::Do { .. }
            | Node::If { .. }
            | Node::Loop { .. }
            | Node::Exit { .. }
            | Node::Poll => false,
        };
        if !body.nodes[..ahead].iter().any(is_wanted) {
            return Vec::new();
        }
        let mut changing: HashSet<LaneValue> = params.iter().copied().collect();
        defined_in(body, &mut changing);
        // What is the same in all iterations, and of that what the wanted loads need.
        let mut invariant = vec![false; ahead];
        for (node, invariant) in body.nodes.iter().zip(&mut invariant) {
            let Node::Let { value, inst, .. } = node else { continue };
            let may = match inst {
                LaneInst::Load { at, .. } => self.is_unwritten(at),
                _ => inst.class() == LaneInstClass::Pure,
            };
            let mut is_same = may;
            operands(inst, &mut |operand| is_same &= !changing.contains(operand));
            if is_same {
                changing.remove(value);
                *invariant = true;
            }
        }
        let mut needed: HashSet<LaneValue> = HashSet::default();
        let mut moves = vec![false; ahead];
        let mut room = self.room;
        for at in (0..ahead).rev().filter(|&at| invariant[at]) {
            let Node::Let { value, inst, .. } = &body.nodes[at] else { continue };
            let is_needed = needed.contains(value);
            if !is_needed && is_wanted(&body.nodes[at]) {
                let weight = pressure::weight(self.program, *value);
                if weight > room {
                    continue;
                }
                room -= weight;
            } else if !is_needed {
                continue;
            }
            moves[at] = true;
            operands(inst, &mut |operand| _ = needed.insert(*operand));
        }
        let mut moved = Vec::new();
        let mut at = 0;
        body.nodes.retain(|node| {
            let goes = moves.get(at).copied().unwrap_or(false);
            at += 1;
            if goes {
                moved.push(node.clone());
            }
            !goes
        });
        moved
    }

    /// Does nobody write there in this launch?
    fn is_unwritten(&self, at: &LaneAddress) -> bool {
        match at.space {
            MemorySpace::Buffer(space) => {
                let is_written = self.program.writable.get(usize::from(space)) != Some(&false);
                fault::choose(Fault::LoadHoistedOverWrites, !is_written, true)
            }
            MemorySpace::Constant => true,
            MemorySpace::Arena(_) => false,
        }
    }
}

/// Does a load take more than one of whole vectors, or of one scalar?
fn costs(at: &LaneAddress) -> bool {
    match at.along {
        AddressStep::Uniform => false,
        AddressStep::Step(step) => step != i64::from(at.stored.size()),
        AddressStep::Each(_) => true,
    }
}

/// Adds the values that a block computes, with those inside of it.
fn defined_in(block: &LaneBlock, values: &mut HashSet<LaneValue>) {
    for node in &block.nodes {
        match node {
            Node::Let { value, .. } => _ = values.insert(*value),
            Node::If { then, otherwise, results, .. } => {
                [then, otherwise].into_iter().for_each(|arm| defined_in(arm, values));
                values.extend(results);
            }
            Node::Loop { params, body, results, .. } => {
                defined_in(body, values);
                values.extend(params.iter().chain(results));
            }
            Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use super::*;
    use crate::vectorize::{CodeKey, vectorize};

    /// The gathers of a program, by the number of loops around them.
    fn gathers(block: &LaneBlock, depth: usize, found: &mut [usize; 8]) {
        for node in &block.nodes {
            match node {
                Node::Let { inst: LaneInst::Load { at, .. }, .. } if costs(at) => found[depth.min(7)] += 1,
                Node::If { then, otherwise, .. } => [then, otherwise].iter().for_each(|arm| gathers(arm, depth, found)),
                Node::Loop { body, .. } => gathers(body, depth + 1, found),
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    /// The gathers by the loops around them, if the launch may write to what they read, or not.
    fn gathers_of(is_written: bool) -> [usize; 8] {
        let text =
            "kernel k(a: view<f32, 1, read>, at: view<i32, 1, read>, out: view<f32, 1, read_write>, n: i32) rank(1) {
            let i = global[0];
            var sum: f32 = 0.0;
            var k: i32 = 0;
            while k < n { sum = sum * 0.5 + a[at[i] & 1023]; k = k + 1; }
            out[i] = sum;
        }";
        let kernel = check(parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}")));
        let kernel = kernel.unwrap_or_else(|rejected| panic!("{rejected}"));
        let key = CodeKey { writable: vec![is_written, is_written, true], ..CodeKey::apart(16, 3) };
        let program = vectorize(&kernel, &key).unwrap_or_else(|why| panic!("{}", why.0));
        let mut found = [0; 8];
        gathers(&program.body, 0, &mut found);
        found
    }

    #[test]
    fn a_gather_that_does_not_change_stands_before_its_loop_unless_somebody_writes() {
        let (written, unwritten) = (gathers_of(true), gathers_of(false));
        let deepest = written.iter().rposition(|&count| count > 0).expect("there is a gather");
        assert!(unwritten[deepest] < written[deepest], "{written:?} {unwritten:?}");
        assert!(unwritten[deepest - 1] > written[deepest - 1], "{written:?} {unwritten:?}");
        assert_eq!(unwritten.iter().sum::<usize>(), written.iter().sum::<usize>());
    }
}
