//! Formats of memory.

use tilewise_ir::types::Stored;

use super::{AddressStep, LaneAddress, Test, WIDTHS, aligned, bytes, noise, pointer, run};

/// Copies lanes through registers, from one format to another of the same type.
fn convert(width: u32, from: Stored, to: Stored, input: &[u8]) -> Vec<u8> {
    let mut test = Test::new(width);
    let loaded = test.b.load(test.source(from), None);
    test.store(test.target(to), loaded, None);
    let program = test.finish();
    let input = aligned(input);
    let mut output = aligned(&[0x77; 256]);
    assert_eq!(run(&program, &[pointer(&input), output.as_mut_ptr().addr() as u64]), 0);
    bytes(&output)
}

#[test]
fn what_is_loaded_and_stored_side_by_side_is_the_same_and_nothing_else_is_written() {
    for width in WIDTHS {
        for stored in Stored::ALL {
            let mut input = noise(u64::from(width), 256);
            match stored {
                Stored::Bool => input.iter_mut().for_each(|byte| *byte &= 1),
                // No NaN: of those the payload may change.
                Stored::F16 => input.chunks_mut(2).for_each(|half| half[1] &= 0xbf),
                _ => {}
            }
            let size = (width * stored.size()) as usize;
            let output = convert(width, stored, stored, &input);
            assert_eq!(output[..size], input[..size], "{stored} at width {width}");
            assert!(output[size..].iter().all(|&byte| byte == 0x77), "{stored} at width {width} stays in its bytes");
        }
    }
}

#[test]
fn narrow_integers_are_extended_as_their_sign_says_and_cut_off_when_stored() {
    for width in WIDTHS {
        let input = noise(7, 256);
        let lanes = width as usize;
        for (stored, extend) in [
            (Stored::I8, (|b: &[u8]| i32::from(b[0] as i8)) as fn(&[u8]) -> i32),
            (Stored::U8, |b| i32::from(b[0])),
            (Stored::I16, |b| i32::from(i16::from_le_bytes([b[0], b[1]]))),
            (Stored::U16, |b| i32::from(u16::from_le_bytes([b[0], b[1]]))),
        ] {
            let size = stored.size() as usize;
            let wide = if matches!(stored, Stored::I8 | Stored::I16) { Stored::I32 } else { Stored::U32 };
            let expected: Vec<u8> = input.chunks(size).take(lanes).flat_map(|b| extend(b).to_le_bytes()).collect();
            assert_eq!(convert(width, stored, wide, &input)[..4 * lanes], expected, "{stored} at width {width}");
            let expected: Vec<u8> = input.chunks(4).take(lanes).flat_map(|b| b[..size].to_vec()).collect();
            assert_eq!(convert(width, wide, stored, &input)[..size * lanes], expected, "to {stored} at width {width}");
        }
    }
}

#[test]
fn every_half_becomes_the_float_of_the_same_value() {
    for width in [1, 16] {
        let (program, bits) = (loop_over(width, Stored::F16, Stored::F32), (0..=u16::MAX).collect::<Vec<_>>());
        let input: Vec<u8> = bits.iter().flat_map(|bits| bits.to_le_bytes()).collect();
        let output = run_loop(&program, &input, bits.len(), 4 * bits.len());
        for (bits, got) in bits.iter().zip(output.chunks(4)) {
            let got = f32::from_le_bytes([got[0], got[1], got[2], got[3]]);
            let expected = half::f16::from_bits(*bits).to_f32();
            assert!(got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan(), "{bits:#x} gives {got}");
        }
    }
}

#[test]
fn floats_round_to_the_nearest_half() {
    // Every half, every point midway between two, and the neighbours of those.
    let mut floats = Vec::new();
    for bits in 0..0x7c00_u16 {
        let (a, b) = (half::f16::from_bits(bits).to_f32(), half::f16::from_bits(bits + 1).to_f32());
        let middle = if b.is_infinite() { 65520.0 } else { a + (b - a) / 2.0 };
        floats.extend([a, middle, middle.next_up(), middle.next_down(), -a, -middle]);
    }
    floats.extend([f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::MIN_POSITIVE, 1e-40, -1e-40]);
    floats.resize(floats.len().next_multiple_of(16), 0.0);
    let input: Vec<u8> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
    for width in [1, 16] {
        let output = run_loop(&loop_over(width, Stored::F32, Stored::F16), &input, floats.len(), 2 * floats.len());
        for (float, got) in floats.iter().zip(output.chunks(2)) {
            let (got, expected) = (half::f16::from_le_bytes([got[0], got[1]]), half::f16::from_f32(*float));
            assert!(got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan(), "{float} gives {got}");
        }
    }
}

/// Converts `given[1]` elements.
fn loop_over(width: u32, from: Stored, to: Stored) -> crate::lanes::LaneProgram {
    use crate::lanes::{Elem, LaneType};
    use tilewise_ir::ops::Op;
    use tilewise_ir::types::Scalar;
    let mut test = Test::new(width);
    let zero = test.b.number(0);
    let end = test.b.given()[1];
    let i = test.b.open_loop(&[LaneType::Scalar(Elem::I64)])[0];
    let [source, target] = [(from, test.source(from)), (to, test.target(to))].map(|(stored, at)| {
        let size = test.b.number(stored.size().into());
        let offset = test.b.op(Op::Mul, Scalar::I64, &[i, size]);
        LaneAddress { offset: Some(offset), along: AddressStep::Step(stored.size().into()), ..at }
    });
    let loaded = test.b.load(source, None);
    test.store(target, loaded, None);
    let step = test.b.number(width.into());
    let next = test.b.op(Op::Add, Scalar::I64, &[i, step]);
    let again = test.b.op(Op::Lt, Scalar::I64, &[next, end]);
    let body = test.b.close(vec![next]);
    test.b.repeat(vec![i], vec![zero], body, again);
    test.finish()
}

fn run_loop(program: &crate::lanes::LaneProgram, input: &[u8], count: usize, size: usize) -> Vec<u8> {
    let input = aligned(input);
    let mut output = aligned(&vec![0; size]);
    let words = [pointer(&input), output.as_mut_ptr().addr() as u64];
    assert_eq!(super::run_telling(program, &words, [0, count as i64, 0, 0], 0, 0).0, 0);
    bytes(&output)[..size].to_vec()
}
