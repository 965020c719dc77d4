//! Orders the factors of fused products and sums, for code whose instruction writes its result over
//! the first factor.
//!
//! Cranelift copies that factor if it is needed again, as the variable of a polynomial is in all
//! its steps but the last. The other factor, the polynomial so far, is not. A product is the same
//! in both orders.

use tilewise_ir::ops::Op;

use super::divergent_loops::KnownMasks;
use super::program::{LaneBlock, LaneInst, LaneProgram, LaneValue, Node};
use super::walk::{effect_operands, operands};
use crate::hash::HashMap;

/// Puts factors first that are not needed afterwards.
pub fn dying_factors_first(program: &mut LaneProgram) {
    let known = KnownMasks::of(&program.body);
    let mut lives = ValueLives::default();
    lives.block(&program.body);
    lives.steps = 0;
    order(&known, &mut lives, &mut program.body);
}

/// Where values are used last, in steps: nodes in the order of the text.
#[derive(Default)]
struct ValueLives {
    steps: u32,
    /// The start of the innermost loop.
    repeated: u32,
    /// The start of the innermost loop around each definition.
    defined: HashMap<LaneValue, u32>,
    /// The step of the last use. A value from outside of a loop that uses it is needed for ever.
    last: HashMap<LaneValue, u32>,
    /// The operand of each negation, which is part of the instruction that uses its result.
    negated: HashMap<LaneValue, LaneValue>,
}

impl ValueLives {
    fn used(&mut self, value: LaneValue) {
        let mut value = Some(value);
        while let Some(used) = value {
            let here = self.defined.get(&used) == Some(&self.repeated);
            let last = if here { self.steps } else { u32::MAX };
            let until = self.last.entry(used).or_default();
            *until = last.max(*until);
            value = self.negated.get(&used).copied();
        }
    }

    fn block(&mut self, block: &LaneBlock) {
        for node in &block.nodes {
            self.steps += 1;
            match node {
                Node::Let { value, inst, .. } => {
                    if let LaneInst::Op { op: Op::Neg, args, .. } = inst
                        && let &[of] = args.as_slice()
                    {
                        self.negated.insert(*value, of);
                    }
                    operands(inst, &mut |&value| self.used(value));
                    self.defined.insert(*value, self.repeated);
                }
                Node::Do { effect, .. } => effect_operands(effect, &mut |&value| self.used(value)),
                Node::If { condition, then, otherwise, results, .. } => {
                    self.used(*condition);
                    self.block(then);
                    self.block(otherwise);
                    results.iter().for_each(|&result| _ = self.defined.insert(result, self.repeated));
                }
                Node::Loop { params, init, body, again, results } => {
                    init.iter().for_each(|&value| self.used(value));
                    let around = std::mem::replace(&mut self.repeated, self.steps);
                    params.iter().for_each(|&param| _ = self.defined.insert(param, self.repeated));
                    self.block(body);
                    self.used(*again);
                    self.repeated = around;
                    results.iter().for_each(|&result| _ = self.defined.insert(result, self.repeated));
                }
                Node::Exit { condition, .. } => self.used(*condition),
                Node::Poll => {}
            }
        }
        self.steps += 1;
        block.results.iter().for_each(|&value| self.used(value));
    }

    /// Is it needed after this step?
    fn outlives(&self, value: LaneValue) -> bool {
        let value = self.negated.get(&value).copied().unwrap_or(value);
        self.last.get(&value).is_some_and(|&last| last > self.steps)
    }
}

/// Follows the steps of [`ValueLives::block`].
fn order(known: &KnownMasks, lives: &mut ValueLives, block: &mut LaneBlock) {
    for node in &mut block.nodes {
        lives.steps += 1;
        match node {
            Node::Let { inst: LaneInst::Op { op: Op::Fma | Op::Mad, scalar, args }, .. } if scalar.is_float() => {
                let stays = |value: LaneValue| lives.outlives(value) || known.constant(value).is_some();
                if let [a, b, _] = args.as_mut_slice()
                    && stays(*a)
                    && !stays(*b)
                {
                    std::mem::swap(a, b);
                }
            }
            Node::If { then, otherwise, .. } => {
                order(known, lives, then);
                order(known, lives, otherwise);
            }
            Node::Loop { body, .. } => order(known, lives, body),
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
    lives.steps += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{AddressStep, Elem, LaneAddress, LaneType, MemorySpace};
    use crate::lanes::{ArenaSizes, ArgumentWord, Effect, LaneBuilder};
    use tilewise_ir::types::{Scalar, Stored};

    #[test]
    fn the_polynomial_so_far_is_the_first_factor() {
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
        let x = b.load(at(), None);
        let scalar = b.constant(Elem::F32, 0.5_f32.to_bits().into());
        let c = b.pure(LaneInst::Splat(scalar), LaneType::Lanes(Elem::F32));
        let p1 = b.op(Op::Fma, Scalar::F32, &[x, c, c]);
        let p0 = b.op(Op::Fma, Scalar::F32, &[x, p1, c]);
        // The last use of the variable.
        let p = b.op(Op::Fma, Scalar::F32, &[x, p0, c]);
        b.effect(Effect::Store { at: at(), value: p, mask: None });
        let mut program = b.finish("test".into(), ArenaSizes::default());
        dying_factors_first(&mut program);
        let mut fused = Vec::new();
        for node in &program.body.nodes {
            if let Node::Let { inst: LaneInst::Op { op: Op::Fma, args, .. }, .. } = node {
                fused.push(args.to_vec());
            }
        }
        assert_eq!(fused, [[x, c, c], [p1, x, c], [x, p0, c]].map(Vec::from), "{program}");
    }

    #[test]
    fn a_factor_that_is_used_here_for_the_last_time_is_first() {
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
        let (x, y) = (b.load(at(), None), b.load(at(), None));
        let sum = b.op(Op::Add, Scalar::F32, &[x, y]);
        // Of the negated x, which is part of the instruction.
        let negated = b.op(Op::Neg, Scalar::F32, &[x]);
        let first = b.op(Op::Fma, Scalar::F32, &[negated, sum, y]);
        let second = b.op(Op::Fma, Scalar::F32, &[first, y, x]);
        let third = b.op(Op::Fma, Scalar::F32, &[first, y, second]);
        b.effect(Effect::Store { at: at(), value: third, mask: None });
        let mut program = b.finish("test".into(), ArenaSizes::default());
        dying_factors_first(&mut program);
        let mut fused = Vec::new();
        for node in &program.body.nodes {
            if let Node::Let { inst: LaneInst::Op { op: Op::Fma, args, .. }, .. } = node {
                fused.push(args.to_vec());
            }
        }
        assert_eq!(fused, [[sum, negated, y], [first, y, x], [first, y, second]].map(Vec::from), "{program}");
    }

    #[test]
    fn a_value_from_outside_of_a_loop_does_not_die_in_it() {
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
        let x = b.load(at(), None);
        let zero = b.constant(Elem::I64, 0);
        let params = b.open_loop(&[LaneType::Scalar(Elem::I64)]);
        let y = b.load(at(), None);
        let sum = b.op(Op::Add, Scalar::F32, &[y, y]);
        let product = b.op(Op::Fma, Scalar::F32, &[x, y, sum]);
        b.effect(Effect::Store { at: at(), value: product, mask: None });
        let end = b.constant(Elem::I64, 9);
        let again = b.op(Op::Lt, Scalar::I64, &[params[0], end]);
        let body = b.close(vec![params[0]]);
        b.repeat(params, vec![zero], body, again);
        let mut program = b.finish("test".into(), ArenaSizes::default());
        dying_factors_first(&mut program);
        let text = program.to_string();
        let [product, y, x] = [product, y, x].map(|value| format!("%v{}", value.0));
        assert!(text.contains(&format!("{product} = fma.f32 {y}, {x}, ")), "{text}");
    }
}
