//! What is asked of masks.

use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::{
    AddressStep, Elem, LaneInst, LaneType, MemorySpace, Test, WIDTHS, address, aligned, bytes, noise, pointer, run,
    run_telling,
};

/// Masks of a width, as bytes: none, all, single lanes, and some that look random.
fn patterns(width: u32) -> Vec<Vec<u8>> {
    let width = width as usize;
    let mut patterns = vec![vec![0; width], vec![1; width]];
    for lane in 0..width {
        patterns.push((0..width).map(|i| u8::from(i == lane)).collect());
        patterns.push((0..width).map(|i| u8::from(i != lane)).collect());
    }
    patterns.extend((0..8).map(|seed| noise(seed, width).iter().map(|byte| byte >> 5 & 1).collect()));
    patterns
}

#[test]
fn any_and_all_ask_every_lane() {
    for width in WIDTHS {
        let mut test = Test::new(width);
        let mask = test.mask(0);
        let any = test.b.pure(LaneInst::Any(mask), LaneType::Scalar(Elem::Bool));
        let all = test.b.pure(LaneInst::All(mask), LaneType::Scalar(Elem::Bool));
        for (i, value) in [any, all].into_iter().enumerate() {
            let mut at = address(MemorySpace::Buffer(1), test.to, AddressStep::Uniform, Stored::Bool);
            at.displacement = i as i64;
            test.store(at, value, None);
        }
        let program = test.finish();
        for pattern in patterns(width) {
            let (input, output) = (aligned(&pattern), aligned(&[9; 64]));
            run(&program, &[pointer(&input), pointer(&output)]);
            let expected = [u8::from(pattern.contains(&1)), u8::from(!pattern.contains(&0))];
            assert_eq!(bytes(&output)[..2], expected, "{pattern:?}");
        }
    }
}

#[test]
fn the_lowest_lane_that_is_set_is_found_in_values_of_every_type() {
    for width in WIDTHS {
        for stored in [Stored::I32, Stored::F32, Stored::I64, Stored::F64, Stored::Bool] {
            let mut test = Test::new(width);
            let mask = test.mask(0);
            let mut source = test.source(stored);
            source.displacement = 64;
            let lanes = test.b.load(source, None);
            let ty = LaneType::Scalar(Elem::of(stored.value()));
            let lowest = test.b.pure(LaneInst::LowestLane { lanes, mask }, ty);
            test.store(address(MemorySpace::Buffer(1), test.to, AddressStep::Uniform, stored), lowest, None);
            let program = test.finish();
            for pattern in patterns(width) {
                let Some(lane) = pattern.iter().position(|&set| set == 1) else { continue };
                let mut values = noise(width.into(), 128);
                if stored == Stored::Bool {
                    values.iter_mut().for_each(|byte| *byte &= 1);
                }
                let mut input = pattern.clone();
                input.resize(64, 0);
                input.extend(&values);
                let (input, output) = (aligned(&input), aligned(&[9; 64]));
                run(&program, &[pointer(&input), pointer(&output)]);
                let size = stored.size() as usize;
                assert_eq!(bytes(&output)[..size], values[lane * size..][..size], "{stored}, {pattern:?}");
            }
        }
    }
}

#[test]
fn the_first_lanes_are_as_many_as_asked_for_below_zero_and_beyond_the_width_too() {
    for width in WIDTHS {
        let mut test = Test::new(width);
        let count = test.b.given()[0];
        let mask = test.b.first_lanes(count);
        test.store(test.target(Stored::Bool), mask, None);
        let program = test.finish();
        for count in (-2..20).chain([i64::MIN, i64::MAX, 1 << 32, -(1 << 32), (1 << 32) + 3]) {
            let output = aligned(&[9; 64]);
            run_telling(&program, &[0, pointer(&output)], [count, 0, 0, 0], 0, 0);
            let expected: Vec<u8> = (0..width).map(|lane| u8::from(i64::from(lane) < count)).collect();
            assert_eq!(bytes(&output)[..width as usize], expected, "{count} of {width}");
        }
    }
}

#[test]
fn a_select_takes_each_lane_from_its_side() {
    for width in WIDTHS {
        for stored in [Stored::I32, Stored::F32, Stored::I64, Stored::F64, Stored::Bool] {
            let mut test = Test::new(width);
            let mask = test.mask(0);
            let size = stored.size() as usize;
            let sides = [64, 192].map(|start| {
                let mut source = test.source(stored);
                source.displacement = start;
                test.b.load(source, None)
            });
            let selected = test.b.select(mask, sides[0], sides[1]);
            test.store(test.target(stored), selected, None);
            let program = test.finish();
            for pattern in patterns(width) {
                let mut input = noise(3, 320);
                if stored == Stored::Bool {
                    input.iter_mut().for_each(|byte| *byte &= 1);
                }
                input[..pattern.len()].copy_from_slice(&pattern);
                let (lines, output) = (aligned(&input), aligned(&[9; 128]));
                run(&program, &[pointer(&lines), pointer(&output)]);
                for (lane, &set) in pattern.iter().enumerate() {
                    let start = if set == 1 { 64 } else { 192 } + lane * size;
                    assert_eq!(bytes(&output)[lane * size..][..size], input[start..][..size], "{stored}, {pattern:?}");
                }
            }
        }
    }
}

#[test]
fn masks_follow_truth_tables() {
    for width in WIDTHS {
        let mut test = Test::new(width);
        let (a, b) = (test.mask(0), test.mask(16));
        let scalar = Scalar::Bool;
        let values = [
            test.b.op(Op::And, scalar, &[a, b]),
            test.b.op(Op::Or, scalar, &[a, b]),
            test.b.op(Op::Xor, scalar, &[a, b]),
            test.b.op(Op::Not, scalar, &[a]),
        ];
        for (i, value) in values.into_iter().enumerate() {
            let mut at = test.target(Stored::Bool);
            at.displacement = 16 * i as i64;
            test.store(at, value, None);
        }
        let input: Vec<u8> = noise(5, 32).iter().map(|byte| byte & 1).collect();
        let (lines, output) = (aligned(&input), aligned(&[9; 64]));
        run(&test.finish(), &[pointer(&lines), pointer(&output)]);
        let output = bytes(&output);
        for lane in 0..width as usize {
            let (a, b) = (input[lane], input[16 + lane]);
            let got: Vec<u8> = (0..4).map(|i| output[16 * i + lane]).collect();
            assert_eq!(got, [a & b, a | b, a ^ b, a ^ 1]);
        }
    }
}
