//! Copies the body of a loop without the conditions that are known to hold.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::masks::Fixed;
use super::{LoopFacts, VersionPass, VersionedLoop, defined};
use crate::hash::{HashMap, HashSet};
use crate::lanes::classes::{MaskOp, mask_op};
use crate::lanes::program::{Effect, Elem, LaneBlock, LaneInst, LaneType, LaneValue, Node};
use crate::lanes::sum::{Sum, Terms};
use crate::lanes::walk;

impl VersionPass {
    /// A copy of a loop's parameters and body, without the conditions that hold and without polls;
    /// and the new names of its values. `before` gets what is computed before the loop.
    pub(super) fn copy(
        &mut self,
        round: &VersionedLoop,
        count: LaneValue,
        known: &LoopFacts,
        before: &mut Vec<Node>,
    ) -> (Vec<LaneValue>, LaneBlock, HashMap<LaneValue, LaneValue>) {
        let mut names = HashMap::default();
        let new: Vec<LaneValue> = round.params.iter().map(|&value| self.renamed(value, &mut names)).collect();
        let mut nodes = Vec::with_capacity(round.body.nodes.len());
        if !known.offsets.is_empty() || !known.exact.is_empty() {
            let old = count;
            let count = named(count, &names);
            let wide = match self.types[count.index()].elem() {
                Elem::I32 => self.op(Op::ToI64, Scalar::I32, &[count], Elem::I64, &mut nodes),
                _ => count,
            };
            let mut ahead = HashMap::default();
            for &(value, offset) in &known.offsets {
                let sum = *ahead.entry(offset).or_insert_with(|| self.ahead(wide, offset, &mut nodes));
                names.insert(value, sum);
            }
            let mut sums = HashMap::default();
            for &(value, ref sum) in &known.exact {
                let new = self.exact(sum, (old, wide), &mut sums, before, &mut nodes);
                names.insert(value, new);
            }
        }
        let mut inside = HashSet::default();
        defined(&round.body, &mut inside);
        for &of in known.sums.keys().filter(|of| !inside.contains(of)) {
            self.widen(of, known, &mut names, &mut nodes);
        }
        self.copy_nodes(&round.body, known, &mut names, &mut nodes);
        let results = round.body.results.iter().map(|&value| named(value, &names)).collect();
        (new, LaneBlock { nodes, results }, names)
    }

    /// The counter plus a constant.
    fn ahead(&mut self, count: LaneValue, offset: i64, nodes: &mut Vec<Node>) -> LaneValue {
        if offset == 0 {
            return count;
        }
        let by = self.fresh(LaneType::Scalar(Elem::I64));
        self.define(by, LaneInst::Const(offset as u64), nodes);
        self.op(Op::Add, Scalar::I64, &[count, by], Elem::I64, nodes)
    }

    /// Computes a sum of the counter and of scalars from before the loop in 64 bits; the latter before the loop.
    /// `known` has such sums without their constants, so that addresses side by side differ by constants.
    fn exact(
        &mut self,
        sum: &Sum,
        (counter, wide): (LaneValue, LaneValue),
        known: &mut HashMap<Terms, LaneValue>,
        before: &mut Vec<Node>,
        nodes: &mut Vec<Node>,
    ) -> LaneValue {
        let counts = sum.terms.iter().any(|term| term.0 == counter);
        let terms = match known.get(&sum.terms) {
            Some(&terms) => Some(terms),
            None => {
                let still = sum.terms.iter().filter(|term| term.0 != counter);
                let still = still.fold(None, |still, &term| Some(self.plus_term(still, term, before)));
                let along = sum.terms.iter().find(|term| term.0 == counter);
                let terms = along.map_or(still, |&(_, by)| Some(self.plus_term(still, (wide, by), nodes)));
                terms.inspect(|&terms| _ = known.insert(sum.terms.clone(), terms))
            }
        };
        let nodes = if counts { nodes } else { before };
        match terms {
            Some(terms) => self.ahead(terms, sum.constant, nodes),
            None => {
                let number = self.fresh(LaneType::Scalar(Elem::I64));
                self.define(number, LaneInst::Const(sum.constant as u64), nodes);
                number
            }
        }
    }

    /// A sum and a further term, an integer times a constant, in 64 bits.
    fn plus_term(&mut self, sum: Option<LaneValue>, (value, by): (LaneValue, i64), nodes: &mut Vec<Node>) -> LaneValue {
        let mut term = value;
        if self.types[value.index()].elem() == Elem::I32 {
            term = self.op(Op::ToI64, Scalar::I32, &[value], Elem::I64, nodes);
        }
        if by != 1 {
            let times = self.fresh(LaneType::Scalar(Elem::I64));
            self.define(times, LaneInst::Const(by as u64), nodes);
            term = self.op(Op::Mul, Scalar::I64, &[term, times], Elem::I64, nodes);
        }
        match sum {
            Some(sum) => self.op(Op::Add, Scalar::I64, &[sum, term], Elem::I64, nodes),
            None => term,
        }
    }

    /// The 64-bit scalars that equal a 32-bit one plus a constant, where that is known. They then
    /// differ by constants, as addresses do that lie side by side.
    fn widen(
        &mut self,
        of: LaneValue,
        known: &LoopFacts,
        names: &mut HashMap<LaneValue, LaneValue>,
        nodes: &mut Vec<Node>,
    ) {
        let Some(sums) = known.sums.get(&of) else { return };
        let wide = self.op(Op::ToI64, Scalar::I32, &[named(of, names)], Elem::I64, nodes);
        for &(value, constant) in sums {
            let sum = self.ahead(wide, constant, nodes);
            names.insert(value, sum);
        }
    }

    fn renamed(&mut self, value: LaneValue, names: &mut HashMap<LaneValue, LaneValue>) -> LaneValue {
        let new = self.fresh(self.types[value.index()]);
        names.insert(value, new);
        new
    }

    fn copy_block(
        &mut self,
        block: &LaneBlock,
        known: &LoopFacts,
        names: &mut HashMap<LaneValue, LaneValue>,
    ) -> LaneBlock {
        let mut nodes = Vec::with_capacity(block.nodes.len());
        self.copy_nodes(block, known, names, &mut nodes);
        LaneBlock { nodes, results: block.results.iter().map(|&value| named(value, names)).collect() }
    }

    fn copy_nodes(
        &mut self,
        block: &LaneBlock,
        known: &LoopFacts,
        names: &mut HashMap<LaneValue, LaneValue>,
        nodes: &mut Vec<Node>,
    ) {
        for node in &block.nodes {
            match node {
                Node::Let { value, .. }
                    if known.offsets.contains_key(value)
                        || known.exact.contains_key(value)
                        || known.summed.contains(value) => {}
                Node::Let { value, inst, pos } => {
                    if let Some(same) = same_as(inst, &known.fixed) {
                        names.insert(*value, named(same, names));
                        continue;
                    }
                    let mut inst = inst.clone();
                    if let LaneInst::Load { mask, .. } = &mut inst
                        && mask.is_some_and(|mask| known.fixed.get(&mask) == Some(&true))
                    {
                        *mask = None;
                    }
                    rename_inst(&mut inst, names);
                    if let Some(&truth) = known.fixed.get(value) {
                        inst = self.fixed(*value, truth, nodes);
                    }
                    let new = self.renamed(*value, names);
                    self.defs.insert(new, inst.clone());
                    nodes.push(Node::Let { value: new, inst, pos: *pos });
                    self.widen(*value, known, names, nodes);
                }
                Node::Do { effect, pos } => {
                    let mut effect = effect.clone();
                    if let Effect::Store { mask, .. } | Effect::Copy { mask, .. } = &mut effect {
                        match mask.and_then(|mask| known.fixed.get(&mask)) {
                            Some(true) => *mask = None,
                            Some(false) => continue,
                            None => {}
                        }
                    }
                    rename_effect(&mut effect, names);
                    nodes.push(Node::Do { effect, pos: *pos });
                }
                Node::If { condition, then, otherwise, results, .. } if known.fixed.contains_key(condition) => {
                    let arm = if known.fixed[condition] { then } else { otherwise };
                    self.copy_nodes(arm, known, names, nodes);
                    for (&result, &given) in results.iter().zip(&arm.results) {
                        names.insert(result, named(given, names));
                    }
                }
                Node::If { condition, then, results, likely, .. }
                    if likely.is_then() && known.free.contains(condition) =>
                {
                    self.copy_nodes(then, known, names, nodes);
                    for (&result, &given) in results.iter().zip(&then.results) {
                        names.insert(result, named(given, names));
                    }
                }
                Node::If { condition, then, otherwise, results, likely } => {
                    let condition = named(*condition, names);
                    let (then, otherwise) =
                        (self.copy_block(then, known, names), self.copy_block(otherwise, known, names));
                    let results = results.iter().map(|&value| self.renamed(value, names)).collect();
                    nodes.push(Node::If { condition, then, otherwise, results, likely: *likely });
                }
                // Only innermost loops have versions.
                Node::Loop { .. } => {}
                Node::Exit { condition, status } => {
                    nodes.push(Node::Exit { condition: named(*condition, names), status: *status });
                }
                Node::Poll => {}
            }
        }
    }
}

impl VersionPass {
    /// A mask, or a condition, that is constant.
    fn fixed(&mut self, value: LaneValue, truth: bool, nodes: &mut Vec<Node>) -> LaneInst {
        let bits = LaneInst::Const(truth.into());
        if !self.types[value.index()].is_lanes() {
            return bits;
        }
        let scalar = self.fresh(LaneType::Scalar(Elem::Bool));
        self.define(scalar, bits, nodes);
        LaneInst::Splat(scalar)
    }
}

/// The operand that an instruction yields unchanged, given known masks.
fn same_as(inst: &LaneInst, fixed: &Fixed) -> Option<LaneValue> {
    if let LaneInst::Select { mask, yes, no } = inst {
        let swapped = fault::planted(Fault::SelectOfOtherSide);
        return fixed.get(mask).map(|&truth| if truth != swapped { *yes } else { *no });
    }
    let LaneInst::Op { op, scalar: Scalar::Bool, args } = inst else { return None };
    let &[a, b] = args.as_slice() else { return None };
    // `and` with true, `or` with false, is the other operand.
    let neutral = match mask_op(*op) {
        MaskOp::And => true,
        MaskOp::Or => false,
        MaskOp::Not | MaskOp::Compare(_) | MaskOp::Other => return None,
    };
    match (fixed.get(&a), fixed.get(&b)) {
        (Some(&truth), None) if truth == neutral => Some(b),
        (None, Some(&truth)) if truth == neutral => Some(a),
        (Some(_) | None, Some(_) | None) => None,
    }
}

pub(super) fn named(value: LaneValue, names: &HashMap<LaneValue, LaneValue>) -> LaneValue {
    names.get(&value).copied().unwrap_or(value)
}

fn rename_inst(inst: &mut LaneInst, names: &HashMap<LaneValue, LaneValue>) {
    walk::operands_mut(inst, &mut |value| *value = named(*value, names));
}

fn rename_effect(effect: &mut Effect, names: &HashMap<LaneValue, LaneValue>) {
    walk::effect_operands_mut(effect, &mut |value| *value = named(*value, names));
}
