//! Atomics, in buffers and in the worker's memory.

use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::types::Scalar;

use super::{
    AddressStep, Effect, Elem, LaneAddress, LaneInst, LaneType, MemorySpace, Test, WIDTHS, address, aligned, bytes,
    noise, pointer, run,
};
use crate::lanes::ArenaPart;

const SCALARS: [Scalar; 5] = [Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F32];

fn word(bytes: &[u8], scalar: Scalar) -> u64 {
    let size = scalar.stored().size() as usize;
    let mut word = [0; 8];
    word[..size].copy_from_slice(&bytes[..size]);
    u64::from_le_bytes(word)
}

fn changed(op: AtomicOp, scalar: Scalar, old: u64, value: u64) -> u64 {
    let signed = |f: fn(i64, i64) -> i64| match scalar {
        Scalar::I32 => f((old as i32).into(), (value as i32).into()) as u32 as u64,
        Scalar::I64 => f(old as i64, value as i64) as u64,
        _ => unreachable!("asked of signed numbers"),
    };
    let is_signed = matches!(scalar, Scalar::I32 | Scalar::I64);
    let new = match op {
        AtomicOp::Exchange => value,
        AtomicOp::Add if scalar == Scalar::F32 => {
            (f32::from_bits(old as u32) + f32::from_bits(value as u32)).to_bits().into()
        }
        AtomicOp::Add => old.wrapping_add(value),
        AtomicOp::Sub => old.wrapping_sub(value),
        AtomicOp::Inc => old.wrapping_add(1),
        AtomicOp::Dec => old.wrapping_sub(1),
        AtomicOp::And => old & value,
        AtomicOp::Or => old | value,
        AtomicOp::Xor => old ^ value,
        AtomicOp::Min if is_signed => signed(Ord::min),
        AtomicOp::Max if is_signed => signed(Ord::max),
        AtomicOp::Min => old.min(value),
        AtomicOp::Max => old.max(value),
    };
    if scalar.stored().size() == 4 { new & 0xffff_ffff } else { new }
}

/// Values that collide: numbers of lanes are changed at `lane % 3`.
fn input(scalar: Scalar, mask: &[u8]) -> Vec<u8> {
    let mut input = noise(77, 512);
    if scalar == Scalar::F32 {
        // Numbers of like size, no NaN.
        for float in input[..320].chunks_mut(4) {
            float[3] = 0x40 | float[3] & 0x80;
        }
    }
    for lane in 0..16 {
        let offset = (lane as u64 % 3) * 8;
        let offset = if mask.get(lane) == Some(&0) { 0xdead_beef_dead } else { offset };
        input[320 + 8 * lane..][..8].copy_from_slice(&offset.to_le_bytes());
    }
    input[448..448 + mask.len()].copy_from_slice(mask);
    input
}

#[test]
fn atomics_change_memory_lane_by_lane_and_give_what_was_there() {
    for (width, scalar) in WIDTHS.into_iter().flat_map(|width| SCALARS.map(|scalar| (width, scalar))) {
        let ops = AtomicOp::ALL.into_iter();
        let ops = ops.filter(|op| scalar != Scalar::F32 || matches!(op, AtomicOp::Add | AtomicOp::Exchange));
        for (op, own) in ops.flat_map(|op| [(op, false), (op, true)]) {
            for mask in [None, Some(noise(4, width as usize).iter().map(|byte| byte & 1).collect::<Vec<_>>())] {
                let (program, size) = program(width, scalar, own, mask.is_some(), |test, at, operand, mask| {
                    let operand = (!matches!(op, AtomicOp::Inc | AtomicOp::Dec)).then_some(operand);
                    test.b.here(LaneInst::Atomic { op, scalar, at, operand, mask }, LaneType::Lanes(Elem::of(scalar)))
                });
                let input = input(scalar, mask.as_deref().unwrap_or(&[]));
                let mut memory: Vec<u64> = (0..3).map(|i| word(&input[64 + 8 * i..], scalar)).collect();
                let mut before = Vec::new();
                for lane in 0..width as usize {
                    let set = mask.as_ref().is_none_or(|mask| mask[lane] == 1);
                    let at = &mut memory[lane % 3];
                    before.push(if set { *at } else { 0 });
                    if set {
                        *at = changed(op, scalar, *at, word(&input[128 + size * lane..], scalar));
                    }
                }
                check(&program, &input, scalar, &before, &memory, &format!("{} {scalar} {own} {mask:?}", op.name()));
            }
        }
    }
}

#[test]
fn compare_exchange_stores_where_the_bits_are_the_expected_ones() {
    for (width, scalar) in WIDTHS.into_iter().flat_map(|width| SCALARS.map(|scalar| (width, scalar))) {
        for own in [false, true] {
            let mask: Vec<u8> = noise(6, width as usize).iter().map(|byte| byte & 1).collect();
            let (program, size) = program(width, scalar, own, true, |test, at, new, mask| {
                // What is expected: what is at 64 for all.
                let from = address(MemorySpace::Buffer(0), test.from, AddressStep::Uniform, scalar.stored());
                let expected = test.b.load(LaneAddress { displacement: 64, ..from }, None);
                let expected = test.b.pure(LaneInst::Splat(expected), LaneType::Lanes(Elem::of(scalar)));
                test.b.here(
                    LaneInst::CompareExchange { scalar, at, expected, new, mask },
                    LaneType::Lanes(Elem::of(scalar)),
                )
            });
            let input = input(scalar, &mask);
            let mut memory: Vec<u64> = (0..3).map(|i| word(&input[64 + 8 * i..], scalar)).collect();
            let expected = memory[0];
            let mut before = Vec::new();
            for lane in 0..width as usize {
                let at = &mut memory[lane % 3];
                before.push(if mask[lane] == 1 { *at } else { 0 });
                if mask[lane] == 1 && *at == expected {
                    *at = word(&input[128 + size * lane..], scalar);
                }
            }
            check(&program, &input, scalar, &before, &memory, &format!("{scalar} {own} {mask:?}"));
        }
    }
}

/// A program that brings 24 bytes to where they are changed, changes them, stores what was there at 0 and the bytes after at 128.
fn program(
    width: u32,
    scalar: Scalar,
    own: bool,
    masked: bool,
    change: impl FnOnce(&mut Test, LaneAddress, super::LaneValue, Option<super::LaneValue>) -> super::LaneValue,
) -> (crate::lanes::LaneProgram, usize) {
    let mut test = Test::new(width);
    let stored = scalar.stored();
    let mask = masked.then(|| test.mask(448));
    let offsets = LaneAddress { displacement: 320, ..test.source(tilewise_ir::types::Stored::I64) };
    let offsets = test.b.load(offsets, None);
    let operand = LaneAddress { displacement: 128, ..test.source(stored) };
    let operand = test.b.load(operand, None);
    let (space, base) = if own {
        let base = test.b.pure(LaneInst::Arena(ArenaPart::TileStatic), LaneType::Scalar(Elem::I64));
        (MemorySpace::Arena(ArenaPart::TileStatic), base)
    } else {
        (MemorySpace::Buffer(1), test.to)
    };
    let place = LaneAddress { displacement: 192, ..address(space, base, AddressStep::Uniform, stored) };
    let out = |test: &Test| LaneAddress {
        displacement: 128,
        ..address(MemorySpace::Buffer(1), test.to, AddressStep::Uniform, stored)
    };
    let start =
        LaneAddress { displacement: 64, ..address(MemorySpace::Buffer(0), test.from, AddressStep::Uniform, stored) };
    test.b.effect(Effect::Copy { shape: 0, to: place.clone(), from: start, read: None, mask: None });
    let at = LaneAddress { along: AddressStep::Each(offsets), ..place.clone() };
    let before = change(&mut test, at, operand, mask);
    test.store(test.target(stored), before, None);
    let to = out(&test);
    test.b.effect(Effect::Copy { shape: 0, to, from: place, read: None, mask: None });
    let mut program = test.finish();
    program.copies = vec![(0..3).map(|i| (8 * i, 8 * i, tilewise_ir::types::Stored::I64)).collect()];
    (program, stored.size() as usize)
}

fn check(
    program: &crate::lanes::LaneProgram,
    input: &[u8],
    scalar: Scalar,
    before: &[u64],
    memory: &[u64],
    what: &str,
) {
    let (lines, output) = (aligned(input), aligned(&[0; 256]));
    assert_eq!(run(program, &[pointer(&lines), pointer(&output)]), 0);
    let output = bytes(&output);
    let size = scalar.stored().size() as usize;
    let got: Vec<u64> = (0..before.len()).map(|lane| word(&output[size * lane..], scalar)).collect();
    assert_eq!(got, before, "{what}: before");
    let got: Vec<u64> = (0..3).map(|i| word(&output[128 + 8 * i..], scalar)).collect();
    assert_eq!(got, memory, "{what}: after");
}
