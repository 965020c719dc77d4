//! The checks of `reference` that are made on request: arithmetic, and memory that is zero because
//! nothing has written it.

use tilewise::prelude::*;
use tilewise::{Array, Checks, Error, QueuingMode};

fn reference(checks: Checks) -> AcceleratorView {
    let builder = Accelerator::new("reference").expect("it is always there").view_builder();
    builder.queuing_mode(QueuingMode::Immediate).checks(checks).create().expect("it takes any checks")
}

/// All checks that are on request, and no others.
fn on_request() -> Checks {
    let mut checks = Checks::NONE;
    checks.division_by_zero = true;
    checks.overflow = true;
    checks.shifts = true;
    checks.lossy_conversions = true;
    checks
}

/// The text of an [`Error::Arithmetic`].
#[track_caller]
fn reported(result: tilewise::Result<()>) -> String {
    match result {
        Err(Error::Arithmetic(fault)) => fault.to_string(),
        other => panic!("not reported: {other:?}"),
    }
}

#[test]
fn arithmetic_out_of_range_is_reported_with_its_line_and_its_numbers() {
    let queue = reference(on_request());
    let numbers = ArrayView::from_vec(4, vec![i32::MAX, 1, 0, 40]).expect("there is room");
    let out = ArrayView::<i32>::without_source(4).expect("there is room");
    let over = reported(parallel_for_each!((&queue, out.extent()), |i| out[i] = numbers[i] + 1));
    assert!(over.contains("`2147483647 + 1` is out of the range of i32"), "{over}");
    assert!(over.contains("arithmetic_checks.rs:36:") && over.contains("K0808"), "{over}");
    let zero = reported(parallel_for_each!((&queue, out.extent()), |i| out[i] = 12 / numbers[i]));
    assert!(zero.contains("`12 / 0` divides by zero") && zero.contains("K0807"), "{zero}");
    let shift = reported(parallel_for_each!((&queue, Extent::new(1)), |i| out[i] = 1 << numbers[3]));
    assert!(shift.contains("`1 << 40` shifts i32 by its width or more") && shift.contains("K0809"), "{shift}");
    let lossy = reported(parallel_for_each!((&queue, Extent::new(1)), |i| out[i] =
        numbers[i] as u64 as i32 + (numbers[1] as f32 * -3.5) as u32 as i32));
    assert!(lossy.contains("`-3.5 as u32`: u32 does not have the number") && lossy.contains("K0810"), "{lossy}");
}

#[test]
fn what_is_said_to_wrap_is_not_reported() {
    let queue = reference(on_request());
    let state = ArrayView::from_vec(2, vec![0xffff_ffff_u32, 7]).expect("there is room");
    parallel_for_each!((&queue, state.extent()), |i| {
        let mixed = state[i].wrapping_mul(0x9e37_79b9).wrapping_add(0x8000_0001);
        state[i] = mixed ^ mixed.wrapping_shl(35);
    })
    .expect("its names say that it wraps");
}

#[test]
fn methods_that_tell_what_does_not_fit_are_not_reported() {
    let queue = reference(on_request());
    let out = ArrayView::from_vec(4, vec![i32::MAX, i32::MIN, -7, 3]).expect("there is room");
    parallel_for_each!((&queue, out.extent()), |i| {
        let x = out[i];
        let some = x.checked_add(2).unwrap_or(1) ^ x.checked_mul(x).unwrap_or(2) ^ x.checked_neg().unwrap_or(3);
        let pair = x.overflowing_sub(5).0 ^ x.overflowing_pow(9).0 ^ x.overflowing_shl(40).0;
        out[i] = some ^ pair ^ x.saturating_pow(5) ^ i32::from(x.unsigned_abs() > 9);
    })
    .expect("the methods are made for it");
    let x = i32::MIN;
    let some = x.checked_add(2).unwrap_or(1) ^ 2 ^ 3;
    let pair = x.wrapping_sub(5) ^ x.wrapping_pow(9) ^ x.wrapping_shl(40);
    assert_eq!(out.get(1).expect("it is there"), some ^ pair ^ x.saturating_pow(5) ^ 1);
}

#[test]
fn integers_of_8_and_16_bits_are_checked() {
    let queue = reference(on_request());
    let bytes = ArrayView::from_vec(2, vec![200_u8, 56]).expect("there is room");
    let halves = ArrayView::from_vec(2, vec![i16::MIN, -300]).expect("there is room");
    let one = Extent::new(1);
    let sum = reported(parallel_for_each!((&queue, one), |_i| bytes[0] = bytes[0] + bytes[1]));
    assert!(sum.contains("`256` is out of the range of u8") && sum.contains("K0808"), "{sum}");
    let negative = reported(parallel_for_each!((&queue, one), |_i| halves[0] = -halves[0]));
    assert!(negative.contains("`32768` is out of the range of i16"), "{negative}");
    let power = reported(parallel_for_each!((&queue, one), |_i| bytes[0] = bytes[1].pow(2)));
    assert!(power.contains("`3136` is out of the range of u8"), "{power}");
    let cast = reported(parallel_for_each!((&queue, one), |_i| bytes[0] = (i32::from(halves[1]) + 600) as u8));
    assert!(cast.contains("`300 as u8`: u8 does not have the number") && cast.contains("K0810"), "{cast}");
    let cast = reported(parallel_for_each!((&queue, one), |_i| bytes[0] = halves[1] as i8 as u8));
    assert!(cast.contains("`-300 as i8`: i8 does not have the number"), "{cast}");
    parallel_for_each!((&queue, one), |_i| {
        bytes[0] = bytes[0].wrapping_add(bytes[1]) ^ bytes[0].checked_mul(3).unwrap_or(1) ^ bytes[0] << 1;
        let parts = halves[0].to_le_bytes();
        bytes[1] = parts[0] ^ parts[1] ^ u8::try_from(halves[1]).unwrap_or(7) ^ bytes[0].rotate_left(3);
        halves[1] =
            i16::try_from(70_000_i32 + i32::from(halves[0])).unwrap_or(3) ^ (200_i16 as u8).leading_zeros() as i16;
    })
    .expect("all of it is meant");
}

#[test]
fn a_remainder_overflows_where_a_quotient_does() {
    let queue = reference(on_request());
    let numbers = ArrayView::from_vec(3, vec![i32::MIN, -1, 7]).expect("there is room");
    let rest = reported(parallel_for_each!((&queue, Extent::new(1)), |_i| numbers[2] = numbers[0] % numbers[1]));
    assert!(rest.contains("`-2147483648 / -1` is out of the range of i32"), "{rest}");
}

#[test]
fn the_next_multiple_is_reported_only_where_it_does_not_fit() {
    let queue = reference(on_request());
    let numbers = ArrayView::from_vec(3, vec![u32::MAX, 1, 2]).expect("there is room");
    parallel_for_each!((&queue, Extent::new(1)), |_i| {
        numbers[2] = numbers[0].next_multiple_of(numbers[1]);
    })
    .expect("it is a multiple of 1");
    let next = reported(parallel_for_each!((&queue, Extent::new(1)), |_i| {
        numbers[2] = numbers[0].next_multiple_of(2);
    }));
    assert!(next.contains("is out of the range of u32"), "{next}");
}

#[test]
fn steps_of_methods_that_fit_are_not_reported() {
    let queue = reference(on_request());
    let numbers = ArrayView::from_vec(3, vec![0, u32::MAX, 1]).expect("there is room");
    let bytes = ArrayView::from_vec(3, vec![0, u8::MAX, 1]).expect("there is room");
    parallel_for_each!((&queue, Extent::new(1)), |_i| {
        bytes[0] = bytes[0].next_power_of_two() ^ bytes[1].div_ceil(bytes[2]) ^ bytes[1].div_ceil(2);
        numbers[0] = numbers[0].next_power_of_two() ^ numbers[1].div_ceil(numbers[2]) ^ numbers[1].div_ceil(2);
    })
    .expect("all of them fit");
    assert_eq!(bytes.get(0).expect("it is there"), 1 ^ 255 ^ 128);
    assert_eq!(numbers.get(0).expect("it is there"), 1 ^ u32::MAX ^ (1 << 31));
    let next = reported(parallel_for_each!((&queue, Extent::new(1)), |_i| {
        numbers[2] = numbers[1].next_power_of_two();
    }));
    assert!(next.contains("is out of the range of u32"), "{next}");
}

/// An enum whose discriminants are far from zero.
#[derive(Clone, Copy, AmpStruct)]
enum Far {
    Low = i32::MIN as isize,
    High = i32::MAX as isize,
}

#[test]
fn steps_of_loops_and_iterators_are_not_reported() {
    let queue = reference(on_request());
    let out = ArrayView::from_vec(3, vec![0_i64; 3]).expect("there is room");
    parallel_for_each!((&queue, out.extent()), |i| {
        let n = i[0];
        let end = n as u32;
        let mut sum = 0_i64;
        for k in (0..=end).rev() {
            sum += k as i64;
        }
        for k in i32::MAX - n..=i32::MAX {
            sum += k as i64;
        }
        for k in (0..end + 4).rev().step_by(3) {
            sum += k as i64;
        }
        for k in (0..n).step_by(2).rev() {
            sum += k as i64;
        }
        for k in (u32::MAX - end..=u32::MAX).step_by(2) {
            sum += k as i64;
        }
        for k in (i32::MIN..i32::MAX).step_by(1 << 30) {
            sum += k as i64;
        }
        out[i] = sum;
    })
    .expect("the source has no number out of range");
    parallel_for_each!((&queue, out.extent()), |i| {
        let end = i[0] as u32;
        let twice = (0..end).rev().skip(1).step_by(2).map(|k| k * 2).sum::<u32>();
        let wide = (i32::MIN..i32::MAX - i[0]).step_by(1 << 30).map(|k| k as i64).sum::<i64>();
        let last = (0..end).max().unwrap_or(7);
        let mut numbers = (0..end).rev();
        let next = numbers.next().unwrap_or(9);
        let lengths = (0..end).skip(7).len() + (5..end).len();
        let far = if i[0] > 1 { Far::High } else { Far::Low };
        out[i] = wide + (twice + last + next) as i64 + lengths as i64 + far as i32 as i64;
    })
    .expect("the source has no number out of range");
    let over = reported(parallel_for_each!((&queue, out.extent()), |i| {
        for k in (0..=2_i32).rev() {
            out[i] = (i32::MAX - 1 + k) as i64;
        }
    }));
    assert!(over.contains("`2147483646 + 2` is out of the range of i32"), "{over}");
}

#[test]
fn quotients_of_8_and_16_bits_are_checked() {
    let queue = reference(on_request());
    let bytes = ArrayView::from_vec(3, vec![i8::MIN, -1, 0]).expect("there is room");
    let halves = ArrayView::from_vec(3, vec![i16::MIN, -1, 0]).expect("there is room");
    let one = Extent::new(1);
    let quotient = reported(parallel_for_each!((&queue, one), |_i| bytes[2] = bytes[0] / bytes[1]));
    assert!(quotient.contains("`128` is out of the range of i8") && quotient.contains("K0808"), "{quotient}");
    let quotient = reported(parallel_for_each!((&queue, one), |_i| halves[2] = halves[0].div_euclid(halves[1])));
    assert!(quotient.contains("`32768` is out of the range of i16"), "{quotient}");
    parallel_for_each!((&queue, one), |_i| {
        bytes[2] = bytes[0].wrapping_div(bytes[1]) ^ bytes[0].checked_div(bytes[1]).unwrap_or(5) ^ bytes[0] / 2;
    })
    .expect("their names say what becomes of it");
}

#[test]
fn without_the_checks_nothing_is_reported() {
    let queue = reference(Checks::ALL);
    let numbers = ArrayView::from_vec(2, vec![i32::MAX, 0]).expect("there is room");
    parallel_for_each!((&queue, numbers.extent()), |i| numbers[i] = (numbers[i] + 1) / numbers[i])
        .expect("results are defined");
}

#[test]
fn what_is_documented_as_zero_is_initialised() {
    let queue = reference(Checks::ALL);
    let array = Array::<i32>::builder(8).on(&queue).build().expect("there is room");
    let view = ArrayView::<i32>::without_source(8).expect("there is room");
    let out = ArrayView::<i32>::without_source(8).expect("there is room");
    let source = array.view();
    let sums = kernel!(|t: TiledIndex<1, 4>| {
        #[tile_static]
        let cells: [i32; 4];
        out[t] = cells[t.local[0]] + source[t] + view[t];
    });
    queue.parallel_for_each(out.extent().tile::<4>(), &sums).expect("all of it is zero");
    assert_eq!(out.to_vec().expect("it is there"), [0; 8]);

    let mut checks = Checks::NONE;
    checks.unwritten = true;
    let asked = reference(checks).parallel_for_each(out.extent().tile::<4>(), &sums);
    let Err(Error::UninitializedRead(fault)) = asked else { panic!("it is asked for: {asked:?}") };
    assert!(fault.text.matches("is read before it is written").count() >= 3, "{fault}");
}

#[test]
fn what_was_discarded_is_unspecified() {
    let queue = reference(Checks::ALL);
    let view = ArrayView::from_vec(4, vec![1, 2, 3, 4]).expect("there is room");
    let out = ArrayView::<i32>::without_source(4).expect("there is room");
    view.discard_data();
    let read = parallel_for_each!((&queue, out.extent()), |i| out[i] = view[i]);
    assert!(matches!(read, Err(Error::UninitializedRead(_))), "{read:?}");
}

#[test]
fn threads_that_write_the_same_value_are_reported_where_that_is_asked_for() {
    let flag = ArrayView::<i32>::without_source(1).expect("there is room");
    let domain = Extent::new(4);
    parallel_for_each!((&reference(Checks::ALL), domain), |_i| flag[0] = 1).expect("all write one value");
    let mut checks = Checks::ALL;
    checks.same_value_writes = true;
    let asked = parallel_for_each!((&reference(checks), domain), |_i| flag[0] = 2);
    assert!(matches!(asked, Err(Error::DataRace(_))), "{asked:?}");
    let other = parallel_for_each!((&reference(Checks::ALL), domain), |i| flag[0] = i[0]);
    assert!(matches!(other, Err(Error::DataRace(_))), "{other:?}");
}
