//! Loads at rounded places: from one vector of memory where all lanes lie in it, gathered where they do not.

use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::{
    AddressStep, CodeForm, Elem, LaneAddress, LaneInst, LaneProgram, LaneType, LaneValue, MemorySpace, Test, address,
    aligned, bytes, noise, pointer, run_on,
};
use crate::lanes::near_offsets;

/// Elements from the one that lane 0 reads if the scale is positive to the last.
const ELEMENTS: usize = 320;

/// Scales and shifts: lanes in a vector, just not in one, in falling order, at one place, far apart.
const PLACES: [(f32, f32); 8] =
    [(0.5, 0.25), (0.06, 3.0), (1.0, 0.0), (1.08, 0.5), (-0.5, 40.0), (-1.0, 70.0), (0.0, 7.5), (4.9, 1.0)];

fn splat(test: &mut Test, elem: Elem, bits: u64) -> LaneValue {
    let scalar = test.b.constant(elem, bits);
    test.b.pure(LaneInst::Splat(scalar), LaneType::Lanes(elem))
}

/// `floor(lane * scale + shift) * 4`.
fn rounded_offsets(test: &mut Test, (scale, shift): (f32, f32)) -> LaneValue {
    let lane = test.b.pure(LaneInst::Lane, LaneType::Lanes(Elem::I32));
    let scale = splat(test, Elem::F32, scale.to_bits().into());
    let shift = splat(test, Elem::F32, shift.to_bits().into());
    let four = splat(test, Elem::I32, 4);
    let place = test.lanes_op(Op::ToF32, Scalar::I32, &[lane]);
    let place = test.lanes_op(Op::Mul, Scalar::F32, &[place, scale]);
    let place = test.lanes_op(Op::Add, Scalar::F32, &[place, shift]);
    let place = test.lanes_op(Op::Floor, Scalar::F32, &[place]);
    let element = test.lanes_op(Op::ToI32, Scalar::F32, &[place]);
    test.lanes_op(Op::Mul, Scalar::I32, &[element, four])
}

/// Loads at places of that kind, where bytes behind the elements are not 0, and stores what was loaded side by side.
fn program(width: u32, stored: Stored, place: (f32, f32), masked: bool) -> LaneProgram {
    let mut test = Test::new(width);
    let offsets = rounded_offsets(&mut test, place);
    let mask = masked.then(|| test.mask(4 * ELEMENTS as i64));
    let from = address(MemorySpace::Buffer(0), test.from, AddressStep::Each(offsets), stored);
    let loaded = test.b.load(LaneAddress { displacement: 0, ..from }, mask);
    let to = test.target(stored);
    test.store(to, loaded, None);
    let program = test.finish();
    assert!(near_offsets(&program).contains(&offsets), "{program}");
    program
}

#[test]
fn lanes_at_rounded_places_are_loaded_wherever_they_lie() {
    let widths = if CodeForm::Avx2.is_native() { &[4_u32, 8, 16, 32, 64][..] } else { &[4, 8, 16] };
    for &width in widths {
        for (place, stored) in PLACES.into_iter().flat_map(|place| [(place, Stored::F32), (place, Stored::I32)]) {
            let mut input = noise(3, 4 * ELEMENTS + 64);
            // Floats that are no NaN.
            input[..4 * ELEMENTS].chunks_mut(4).for_each(|element| element[3] &= 0xbf);
            let all = vec![1_u8; width as usize];
            let some: Vec<u8> = (0..width).map(|lane| u8::from(lane % 5 != 2)).collect();
            for (masked, set) in [(false, &all), (true, &all), (true, &some)] {
                input[4 * ELEMENTS..][..set.len()].copy_from_slice(set);
                let program = program(width, stored, place, masked);
                let expected: Vec<u8> = (0..width as usize)
                    .flat_map(|lane| {
                        let element = (lane as f32 * place.0 + place.1).floor() as usize;
                        let loaded = &input[4 * element..][..4];
                        if set[lane] == 1 { loaded.to_vec() } else { vec![0; 4] }
                    })
                    .collect();
                let takes = |form: &CodeForm| form.is_native() && (*form != CodeForm::Cranelift || width <= 16);
                for form in CodeForm::ALL.into_iter().filter(takes) {
                    let (from, to) = (aligned(&input), aligned(&vec![0x77; expected.len()]));
                    assert_eq!(run_on(form, &program, &[pointer(&from), pointer(&to)], [0; 4], 0, 0).0, 0);
                    assert!(bytes(&to)[..expected.len()] == expected, "{form:?}, {place:?}: {program}");
                }
            }
        }
    }
}

#[test]
fn only_rounded_floats_that_grow_with_the_lane_are_near() {
    let mut test = Test::new(16);
    let near = rounded_offsets(&mut test, (0.5, 0.0));
    let lane = test.b.pure(LaneInst::Lane, LaneType::Lanes(Elem::I32));
    let four = splat(&mut test, Elem::I32, 4);
    let affine = test.lanes_op(Op::Mul, Scalar::I32, &[lane, four]);
    let from = test.source(Stored::I32);
    let loaded = test.b.load(from, None);
    let any = test.lanes_op(Op::Mul, Scalar::I32, &[loaded, four]);
    let both = test.lanes_op(Op::Xor, Scalar::I32, &[near, lane]);
    let mixed = test.lanes_op(Op::Mul, Scalar::I32, &[both, four]);
    for value in [near, affine, any, mixed] {
        let to = test.target(Stored::I32);
        test.store(to, value, None);
    }
    let program = test.finish();
    let found = near_offsets(&program);
    assert!(found.contains(&near) && found.len() == 1, "{program}");
}
