//! Fuses a product and an addition into one operation with one rounding. Only if the launch allows
//! it: results differ from the interpreter's.
//!
//! A product with another use is left alone: it would be computed twice. So is what a function of
//! `precise_math` computes.

use smallvec::smallvec;
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::classes::{SumOp, sum_op};
use super::divergent_loops::KnownMasks;
use super::program::{LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node};
use crate::hash::HashMap;

/// Fuses operations in a program.
pub fn fuse(program: &mut LaneProgram) {
    let mut body = std::mem::take(&mut program.body);
    let known = KnownMasks::of(&body);
    let mut types = std::mem::take(&mut program.types);
    let mut fuse = Fuse { known, products: HashMap::default(), types: &mut types, program };
    fuse.block(&mut body);
    program.types = types;
    program.body = body;
}

struct Fuse<'p> {
    known: KnownMasks,
    /// The factors of products that have a single use.
    products: HashMap<LaneValue, (LaneValue, LaneValue)>,
    types: &'p mut Vec<LaneType>,
    /// Without its code and types.
    program: &'p LaneProgram,
}

impl Fuse<'_> {
    fn block(&mut self, block: &mut LaneBlock) {
        let mut nodes = Vec::with_capacity(block.nodes.len());
        for mut node in std::mem::take(&mut block.nodes) {
            match &mut node {
                Node::Let { value, inst: LaneInst::Op { op, scalar, args }, pos }
                    if scalar.is_float() && !self.program.is_precise_at(*pos) =>
                {
                    match (sum_op(*op), args.as_slice()) {
                        (SumOp::Mul, &[a, b]) if self.known.once(*value) => _ = self.products.insert(*value, (a, b)),
                        (SumOp::Add | SumOp::Sub, &[a, b]) => {
                            let mut opposite = |fuse: &mut Self, value: LaneValue| {
                                let negative = fuse.opposite(value, *scalar);
                                nodes.push(Node::Let { value: negative.0, inst: negative.1, pos: *pos });
                                negative.0
                            };
                            let fused = match (self.products.get(&a).copied(), self.products.get(&b).copied()) {
                                (_, Some((x, y))) if *op == Op::Add => Some(smallvec![x, y, a]),
                                (_, Some((x, y))) => Some(smallvec![opposite(self, x), y, a]),
                                (Some((x, y)), None) if *op == Op::Add => Some(smallvec![x, y, b]),
                                (Some((x, y)), None) => Some(smallvec![x, y, opposite(self, b)]),
                                (None, None) => None,
                            };
                            if let Some(fused) = fused {
                                (*op, *args) = (Op::Fma, fused);
                            }
                        }
                        (SumOp::Add | SumOp::Sub | SumOp::Mul | SumOp::Convert(_) | SumOp::Other, _) => {}
                    }
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

    /// The negation of a value, which the machine folds into the fused operation.
    fn opposite(&mut self, value: LaneValue, scalar: Scalar) -> (LaneValue, LaneInst) {
        self.types.push(self.types[value.index()]);
        (LaneValue(self.types.len() as u32 - 1), LaneInst::Op { op: Op::Neg, scalar, args: smallvec![value] })
    }
}
