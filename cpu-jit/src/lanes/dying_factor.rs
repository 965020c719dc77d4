//! Orders the factors of fused products and sums, for code whose instruction writes its result over
//! the first factor.
//!
//! Cranelift copies that factor if it is needed again, as the variable of a polynomial is in all
//! its steps but the last. The other factor, the polynomial so far, is not. A product is the same
//! in both orders.

use tilewise_ir::ops::Op;

use super::divergent_loops::KnownMasks;
use super::program::{LaneBlock, LaneInst, LaneProgram, LaneValue, Node};

/// Puts factors first that have no other use.
pub fn dying_factors_first(program: &mut LaneProgram) {
    let known = KnownMasks::of(&program.body);
    order(&known, &mut program.body);
}

fn order(known: &KnownMasks, block: &mut LaneBlock) {
    for node in &mut block.nodes {
        match node {
            Node::Let { inst: LaneInst::Op { op: Op::Fma | Op::Mad, scalar, args }, .. } if scalar.is_float() => {
                let stays = |value: LaneValue| !known.once(value) || known.constant(value).is_some();
                if let [a, b, _] = args.as_mut_slice()
                    && stays(*a)
                    && !stays(*b)
                {
                    std::mem::swap(a, b);
                }
            }
            Node::If { then, otherwise, .. } => {
                order(known, then);
                order(known, otherwise);
            }
            Node::Loop { body, .. } => order(known, body),
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
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
        b.effect(Effect::Store { at: at(), value: p0, mask: None });
        let mut program = b.finish("test".into(), ArenaSizes::default());
        dying_factors_first(&mut program);
        let mut fused = Vec::new();
        for node in &program.body.nodes {
            if let Node::Let { inst: LaneInst::Op { op: Op::Fma, args, .. }, .. } = node {
                fused.push(args.to_vec());
            }
        }
        assert_eq!(fused, [[x, c, c], [p1, x, c]].map(Vec::from), "{program}");
    }
}
