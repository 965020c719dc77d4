//! Takes the integer that a float has counted in its low bits as a float: `(bitcast_i32(x) -
//! 0x4b400000) as f32` becomes `x - 0x1.8p+23` where the math library that computes it
//! [promises](Promise::Counted) that x is that number and an integer. That is one operation in
//! place of two. Another integer from 2^23 to 2^24 may stand in place of that number.
//!
//! The libraries do not write the subtraction: a GPU that reorders sums in a relaxed launch would
//! cancel it.

use std::ops::Range;

use smallvec::smallvec;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::math::promise::Promise;
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use super::divergent_loops::KnownMasks;
use super::program::{Args, Elem, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node};
use crate::hash::HashMap;

/// The bits of the floats from 2^23 to 2^24: integers, whose bits count them.
const COUNTER_STARTS: Range<u64> = 0x4b00_0000..0x4b80_0000;

/// Shortens such conversions; returns whether there were any.
pub fn shorten_counted(program: &mut LaneProgram) -> bool {
    let promised = program.promises.values().any(|&promise| promise == Promise::Counted);
    if !promised && !fault::planted(Fault::CountedUnpromised) {
        return false;
    }
    let mut body = std::mem::take(&mut program.body);
    let known = KnownMasks::of(&body);
    let mut shorten = CounterRewriter { known, of: HashMap::default(), program, found: false };
    shorten.block(&mut body);
    let found = shorten.found;
    program.body = body;
    found
}

struct CounterRewriter<'p> {
    known: KnownMasks,
    /// The floats whose bits integers are, and those less the bits of a start.
    of: HashMap<LaneValue, CountedWord>,
    /// Without its code.
    program: &'p mut LaneProgram,
    found: bool,
}

/// An integer made of the bits of a float.
#[derive(Clone, Copy)]
enum CountedWord {
    Bits(LaneValue),
    /// Of the float, less the bits of the start.
    Count(LaneValue, u64),
}

impl CounterRewriter<'_> {
    fn block(&mut self, block: &mut LaneBlock) {
        let mut nodes = Vec::with_capacity(block.nodes.len());
        for mut node in std::mem::take(&mut block.nodes) {
            match &mut node {
                Node::Let { value, inst: LaneInst::Op { op, scalar, args }, pos } => {
                    self.inst(*value, op, scalar, args, *pos, &mut nodes);
                }
                Node::If { then, otherwise, .. } => {
                    self.block(then);
                    self.block(otherwise);
                }
                Node::Loop { body, .. } => self.block(body),
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
            nodes.push(node);
        }
        block.nodes = nodes;
    }

    /// Notes what a value is, or shortens it.
    fn inst(
        &mut self,
        value: LaneValue,
        op: &mut Op,
        scalar: &mut Scalar,
        args: &mut Args,
        pos: Pos,
        nodes: &mut Vec<Node>,
    ) {
        if *op == Op::BitcastI32
            && *scalar == Scalar::F32
            && let &[float] = args.as_slice()
        {
            self.of.insert(value, CountedWord::Bits(float));
        } else if *op == Op::Sub
            && let &[word, start] = args.as_slice()
            && let Some(start) = self.known.constant(start).filter(|start| COUNTER_STARTS.contains(start))
            && let Some(&CountedWord::Bits(float)) = self.of.get(&word)
        {
            self.of.insert(value, CountedWord::Count(float, start));
        } else if *op == Op::ToF32
            && self.is_promised(pos)
            && let &[count] = args.as_slice()
            && let Some(&CountedWord::Count(float, start)) = self.of.get(&count)
        {
            let start = self.start(start, self.program.ty(float), pos, nodes);
            (*op, *scalar, *args) = (Op::Sub, Scalar::F32, smallvec![float, start]);
            self.found = true;
        }
    }

    fn is_promised(&self, pos: Pos) -> bool {
        self.program.promise_at(pos) == Some(Promise::Counted) || fault::planted(Fault::CountedUnpromised)
    }

    /// The start of counters with those bits as a float.
    fn start(&mut self, bits: u64, ty: LaneType, pos: Pos, nodes: &mut Vec<Node>) -> LaneValue {
        let scalar = self.fresh(LaneType::Scalar(Elem::F32));
        nodes.push(Node::Let { value: scalar, inst: LaneInst::Const(bits), pos });
        if !ty.is_lanes() {
            return scalar;
        }
        let lanes = self.fresh(ty);
        nodes.push(Node::Let { value: lanes, inst: LaneInst::Splat(scalar), pos });
        lanes
    }

    fn fresh(&mut self, ty: LaneType) -> LaneValue {
        self.program.types.push(ty);
        LaneValue(self.program.types.len() as u32 - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{AddressStep, LaneAddress, MemorySpace};
    use crate::lanes::{ArenaSizes, ArgumentWord, Effect, LaneBuilder};
    use tilewise_ir::types::Stored;

    /// The text of a program that takes an integer counted from a start, and whether it was shortened.
    fn shortened(start: u64, promised: bool) -> (String, bool) {
        let mut b = LaneBuilder::new(8);
        let base = b.input(ArgumentWord::ViewBase(0));
        let at = || LaneAddress {
            space: MemorySpace::Buffer(0),
            base,
            offset: None,
            displacement: 0,
            along: AddressStep::Step(4),
            stored: Stored::F32,
        };
        let counter = b.load(at(), None);
        let bits = b.op(Op::BitcastI32, Scalar::F32, &[counter]);
        let start = b.constant(Elem::I32, start);
        let start = b.pure(LaneInst::Splat(start), LaneType::Lanes(Elem::I32));
        let count = b.op(Op::Sub, Scalar::I32, &[bits, start]);
        let pos = Pos { source: 1, line: 2, column: 3, length: 4 };
        b.at(pos);
        let float = b.op(Op::ToF32, Scalar::I32, &[count]);
        b.effect(Effect::Store { at: at(), value: float, mask: None });
        let mut program = b.finish("test".into(), ArenaSizes::default());
        program.writable = vec![true];
        if promised {
            program.promises.insert(pos.key(), Promise::Counted);
        }
        let found = shorten_counted(&mut program);
        crate::lanes::verify(&program).unwrap_or_else(|wrong| panic!("{wrong}\n{program}"));
        (program.to_string(), found)
    }

    #[test]
    fn a_counted_integer_is_one_subtraction_where_that_is_promised() {
        for (start, number) in [(0x4b40_0000, "12582912"), (0x4b40_007f, "12583039"), (0x4b00_0000, "8388608")] {
            let (text, found) = shortened(start, true);
            assert!(found && text.contains("sub.f32") && !text.contains("to_f32"), "{text}");
            assert!(text.contains(&format!("const.f32 {number}")), "{text}");
            let (text, found) = shortened(start, false);
            assert!(!found && text.contains("to_f32.i32"), "{text}");
        }
    }

    #[test]
    fn a_start_whose_bits_do_not_count_integers_stays() {
        for start in [0x4aff_ffff, 0x4b80_0000, 0x3f80_0000] {
            let (text, found) = shortened(start, true);
            assert!(!found && text.contains("to_f32.i32"), "{text}");
        }
    }
}
