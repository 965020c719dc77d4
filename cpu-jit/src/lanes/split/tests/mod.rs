//! Loops in parts.

mod orders;

use tilewise_ir::types::Stored;

use crate::lanes::build::LaneBuilder;
use crate::lanes::program::{
    AddressStep, ArenaPart, ArenaSizes, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneProgram, LaneType,
    MemorySpace,
};
use crate::lanes::{VectorMachine, split};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

/// A loop over 64 threads of which those below `limit` store their lane's number.
fn strips(limit: i64) -> LaneProgram {
    let mut b = LaneBuilder::new(16);
    let (zero, step, end) = (b.number(0), b.number(16), b.number(64));
    let [limit, four] = [limit, 4].map(|n| b.number(n));
    let base = b.pure(LaneInst::Arena(ArenaPart::Votes), LaneType::Scalar(Elem::I64));
    let value = b.pure(LaneInst::Lane, LaneType::Lanes(Elem::I32));
    let counter = b.open_loop(&[LaneType::Scalar(Elem::I64)])[0];
    let below = b.op(Op::Sub, Scalar::I64, &[limit, counter]);
    let mask = b.first_lanes(below);
    let any = b.any(mask);
    b.open_arm();
    let offset = b.op(Op::Mul, Scalar::I64, &[counter, four]);
    let space = MemorySpace::Arena(ArenaPart::Votes);
    let (along, stored) = (AddressStep::Step(4), Stored::I32);
    let at = LaneAddress { space, base, offset: Some(offset), displacement: 0, along, stored };
    b.effect(Effect::Store { at, value, mask: Some(mask) });
    let then = b.close(Vec::new());
    b.if_else(any, then, LaneBlock::default(), crate::lanes::program::Likely::Either);
    let next = b.op(Op::Add, Scalar::I64, &[counter, step]);
    let again = b.op(Op::Lt, Scalar::I64, &[next, end]);
    let body = b.close(vec![next]);
    b.repeat(vec![counter], vec![zero], body, again);
    let mut program = b.finish("strips".into(), ArenaSizes { votes: 256, ..ArenaSizes::default() });
    split(&mut program, VectorMachine::BITS_512);
    crate::lanes::remove_dead(&mut program);
    assert_eq!(crate::lanes::verify(&program), Ok(()), "{program}");
    program
}

#[test]
fn only_the_round_in_which_a_mask_ends_has_a_mask() {
    for (limit, loops, stores, masks) in
        [(64, 1, 1, 0), (32, 1, 1, 0), (40, 1, 2, 1), (16, 0, 1, 0), (5, 0, 1, 1), (0, 0, 0, 0), (99, 1, 1, 0)]
    {
        let text = strips(limit).to_string();
        let count = |what: &str| text.matches(what).count();
        let found = (count("loop"), count("store"), count("where"), count("  if "));
        assert_eq!(found, (loops, stores, masks, 0), "{limit}\n{text}");
    }
}
