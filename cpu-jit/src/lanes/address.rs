//! Shares the computation of addresses that differ by a constant.
//!
//! `v[x - 1]`, `v[x]` and `v[x + 1]` lie four bytes apart, yet each is computed separately: the
//! offsets are sums of products, and the constant is deep inside. This pass represents every `i64`
//! scalar as a sum of other scalars, each times a constant, and a constant. The constant of an
//! offset moves into the address's displacement, which costs nothing, and offsets that are then
//! equal are computed once. All arithmetic is modulo 2^64, like addresses.

use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use super::classes::{SumOp, sum_op};
use super::program::{Args, Elem, LaneAddress, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node};
use super::sum::{Sum, Terms};
use super::walk::{access_mut, effect_addresses_mut};
use crate::hash::HashMap;

/// Maximum number of terms of a sum.
const TERMS: usize = 4;
/// Displacements stay below this, so that an instruction can encode them.
const FAR: i64 = 1 << 28;

/// Shares address computations in a program.
pub fn share_addresses(program: &mut LaneProgram) {
    let mut pass =
        AddressPass { types: std::mem::take(&mut program.types), sums: HashMap::default(), known: HashMap::default() };
    pass.block(&mut program.body);
    program.types = pass.types;
}

struct AddressPass {
    types: Vec<LaneType>,
    sums: HashMap<LaneValue, Sum>,
    /// Values in scope that are sums without a constant.
    known: HashMap<Terms, LaneValue>,
}

impl AddressPass {
    fn block(&mut self, block: &mut LaneBlock) {
        let mut added = Vec::new();
        let mut nodes = Vec::with_capacity(block.nodes.len());
        for mut node in std::mem::take(&mut block.nodes) {
            match &mut node {
                Node::Let { value, inst, .. } => {
                    if let Some((at, _)) = access_mut(inst) {
                        self.address(at, &mut nodes, &mut added);
                    }
                    self.see(*value, inst, &mut added);
                }
                Node::Do { effect, .. } => {
                    for at in effect_addresses_mut(effect).into_iter().flatten() {
                        self.address(at, &mut nodes, &mut added);
                    }
                }
                Node::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|arm| self.block(arm)),
                Node::Loop { body, .. } => self.block(body),
                Node::Exit { .. } | Node::Poll => {}
            }
            nodes.push(node);
        }
        block.nodes = nodes;
        // Values defined here are not available outside.
        for terms in added {
            self.known.remove(&terms);
        }
    }

    /// Records the sum that a value equals.
    fn see(&mut self, value: LaneValue, inst: &LaneInst, added: &mut Vec<Terms>) {
        if self.types[value.index()] != LaneType::Scalar(Elem::I64) {
            return;
        }
        let sum = if let LaneInst::Const(bits) = inst {
            Some(Sum::number(*bits as i64))
        } else if let LaneInst::Op { op, scalar: Scalar::I64 | Scalar::U64, args } = inst
            && let &[a, b] = args.as_slice()
        {
            let (a, b) = (self.sum(a), self.sum(b));
            match sum_op(*op) {
                SumOp::Add => a.plus(&b, 1, TERMS),
                SumOp::Sub => a.plus(&b, -1, TERMS),
                SumOp::Mul if b.terms.is_empty() => Some(a.times(b.constant)),
                SumOp::Mul if a.terms.is_empty() => Some(b.times(a.constant)),
                SumOp::Mul | SumOp::Convert(_) | SumOp::Other => None,
            }
        } else {
            None
        };
        let Some(sum) = sum else { return };
        if sum.constant == 0 && !self.known.contains_key(&sum.terms) {
            self.known.insert(sum.terms.clone(), value);
            added.push(sum.terms.clone());
        }
        self.sums.insert(value, sum);
    }

    /// The sum that a value equals: itself, if nothing else is known.
    fn sum(&self, value: LaneValue) -> Sum {
        self.sums.get(&value).cloned().unwrap_or_else(|| Sum::of(value))
    }

    /// Moves the constant of an offset into the displacement.
    fn address(&mut self, at: &mut LaneAddress, nodes: &mut Vec<Node>, added: &mut Vec<Terms>) {
        let Some(offset) = at.offset else { return };
        let Some(sum) = self.sums.get(&offset).cloned() else { return };
        let displacement = at.displacement.wrapping_add(sum.constant);
        if displacement.unsigned_abs() >= FAR.unsigned_abs() {
            return;
        }
        if sum.terms.is_empty() {
            (at.offset, at.displacement) = (None, displacement);
            return;
        }
        let known = self.known.get(&sum.terms).copied();
        if known.is_none() && sum.constant == 0 {
            return;
        }
        at.offset = Some(known.unwrap_or_else(|| self.compute(&sum.terms, nodes, added)));
        at.displacement = displacement;
    }

    /// Computes a sum, reusing available parts where possible.
    fn compute(&mut self, terms: &[(LaneValue, i64)], nodes: &mut Vec<Node>, added: &mut Vec<Terms>) -> LaneValue {
        if let Some(&known) = self.known.get(terms) {
            return known;
        }
        let value = match *terms {
            [(value, 1)] => return value,
            [(value, by)] => {
                let by = self.put(LaneInst::Const(by as u64), nodes);
                self.operation(Op::Mul, [value, by], nodes)
            }
            // An offset has terms; their prefix is shared more often, since it is built first.
            _ => {
                let (most, last) = terms.split_at(terms.len() - 1);
                let parts = [self.compute(most, nodes, added), self.compute(last, nodes, added)];
                self.operation(Op::Add, parts, nodes)
            }
        };
        let terms = Terms::from(terms);
        self.known.insert(terms.clone(), value);
        added.push(terms.clone());
        self.sums.insert(value, Sum { terms, constant: 0 });
        value
    }

    fn operation(&mut self, op: Op, args: [LaneValue; 2], nodes: &mut Vec<Node>) -> LaneValue {
        self.put(LaneInst::Op { op, scalar: Scalar::I64, args: Args::from_slice(&args) }, nodes)
    }

    fn put(&mut self, inst: LaneInst, nodes: &mut Vec<Node>) -> LaneValue {
        self.types.push(LaneType::Scalar(Elem::I64));
        let value = LaneValue(self.types.len() as u32 - 1);
        nodes.push(Node::Let { value, inst, pos: Pos::NONE });
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectorize::{CodeKey, vectorize};
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    /// Offsets and displacements of all loads in innermost loops.
    fn loads(block: &LaneBlock, found: &mut Vec<(Option<LaneValue>, i64)>) {
        for node in &block.nodes {
            match node {
                Node::Let { inst: LaneInst::Load { at, .. }, .. } => found.push((at.offset, at.displacement)),
                Node::If { then, .. } => loads(then, found),
                Node::Loop { body, .. } => loads(body, found),
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    #[test]
    fn neighbours_have_one_offset_and_their_distance() {
        let text = "kernel k(a: view<f32, 2, read>, out: view<f32, 2, read_write>) rank(2) {
            let y = global[0];
            let x = global[1];
            out[y, x] = a[y, x - 1] + a[y, x] + a[y, x + 1];
        }";
        let kernel = check(parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}")));
        let kernel = kernel.unwrap_or_else(|rejected| panic!("{rejected}"));
        let key = CodeKey { writable: vec![false, true], ..CodeKey::apart(8, 2) };
        let program = vectorize(&kernel, &key).unwrap_or_else(|why| panic!("{}", why.0));
        let mut found = Vec::new();
        loads(&program.body, &mut found);
        let places: Vec<i64> = found.iter().map(|load| load.1).collect();
        assert_eq!(places[..3], [-4, 0, 4]);
        assert!(found[..3].iter().all(|load| load.0 == found[0].0), "{program}");
    }
}
