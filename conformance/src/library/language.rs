//! Checks of kernels as people write them in Rust: loops, patterns, operators and numbers have on every
//! accelerator the results that the same text has on the host.

use tilewise::vector::Int2;
use tilewise::{Accelerator, ArrayView, Index, amp, parallel_for_each};

use super::CheckFinding;
use super::checks::same;

/// Results of ranges up to `n`: with the end, reversed, and with steps that come close to the end of
/// their type.
#[amp]
fn ranges(n: i32) -> i32 {
    let mut sum = 0;
    for k in 0..=n {
        sum += k + 1;
    }
    for k in (0..n).rev() {
        sum = sum * 2 - k;
    }
    for k in (1..n).rev().step_by(2) {
        sum = sum * 2 + k;
    }
    let mut rounds = 0;
    for k in (u32::MAX - 9..u32::MAX).step_by(4) {
        rounds += 1;
        sum += (u32::MAX - k) as i32;
        if rounds > 9 {
            break;
        }
    }
    for k in (i32::MAX - 3)..=i32::MAX {
        rounds += 1;
        sum += i32::MAX - k;
        if rounds > 20 {
            break;
        }
    }
    sum + 1000 * rounds
}

pub(super) fn ranges_run_the_rounds_of_rust(on: &Accelerator) -> Result<(), CheckFinding> {
    let view = ArrayView::from_vec(7, vec![0; 7])?;
    parallel_for_each!(&on.default_view(), view.extent(), |i| view[i] = ranges(i[0]))?;
    same("the sums", view.to_vec()?, (0..7).map(ranges).collect::<Vec<_>>())
}

/// Sums, shifts and differences of bytes.
#[amp]
fn bytes(x: u8) -> u32 {
    let high = x << 3;
    let low = high >> 5;
    let signed = (x as i8) >> 2;
    let shifted = x.wrapping_shl(9);
    high as u32 + 256 * low as u32 + 65536 * (signed as u8) as u32 + ((shifted as u32) << 24)
}

pub(super) fn bytes_keep_their_eight_bits(on: &Accelerator) -> Result<(), CheckFinding> {
    let view = ArrayView::from_vec(256, vec![0; 256])?;
    parallel_for_each!(&on.default_view(), view.extent(), |i| view[i] = bytes(i[0] as u8))?;
    same("the results", view.to_vec()?, (0..=255).map(bytes).collect::<Vec<_>>())
}

/// Arms with guards, alternatives and bindings.
#[amp]
fn arms(x: i32) -> i32 {
    match x {
        n if n % 5 == 3 => n * 100,
        1 | 2 => 10,
        n @ 4..=6 => -n,
        n if n > 7 => n + 1,
        _ => 7,
    }
}

pub(super) fn the_first_arm_that_fits_is_taken(on: &Accelerator) -> Result<(), CheckFinding> {
    let view = ArrayView::from_vec(40, vec![0; 40])?;
    parallel_for_each!(&on.default_view(), view.extent(), |i| view[i] = arms(i[0] - 10))?;
    same("the results", view.to_vec()?, (-10..30).map(arms).collect::<Vec<_>>())
}

/// Assignments with an operator whose operands cannot be exchanged.
#[amp]
fn assigned(x: i32, y: i32) -> i32 {
    let mut a = x;
    a -= y;
    a *= 3;
    a <<= 2;
    a /= y;
    let mut b = x;
    b %= y;
    b >>= 1;
    a ^ b
}

pub(super) fn the_place_of_an_assignment_is_the_left_operand(on: &Accelerator) -> Result<(), CheckFinding> {
    let view = ArrayView::from_vec(64, (0..64).collect::<Vec<i32>>())?;
    parallel_for_each!(&on.default_view(), view.extent(), |i| {
        view[i] -= 20;
        view[i] = assigned(view[i], i[0] % 7 + 1);
    })?;
    let expected = |i: i32| assigned(i - 20, i % 7 + 1);
    same("the results", view.to_vec()?, (0..64).map(expected).collect::<Vec<_>>())
}

/// Orders of indices and equality of vectors.
#[amp]
fn compared(i: Index<2>) -> i32 {
    let middle = Index([3, 2]);
    let pair = Int2::new(i[0], i[1]);
    let other = Int2::new(3, i[0]);
    let orders = (i < middle) as i32 + 2 * (i <= middle) as i32 + 4 * (i > middle) as i32;
    orders + 8 * (pair == other) as i32 + 16 * (pair != other) as i32
}

pub(super) fn indices_and_vectors_compare_as_on_the_host(on: &Accelerator) -> Result<(), CheckFinding> {
    let view = ArrayView::from_vec((6, 6), vec![0; 36])?;
    parallel_for_each!(&on.default_view(), view.extent(), |i| view[i] = compared(i))?;
    let expected = (0..36).map(|at| compared(Index([at / 6, at % 6])));
    same("the results", view.to_vec()?, expected.collect::<Vec<_>>())
}

pub(super) fn math_functions_are_those_of_the_host(on: &Accelerator) -> Result<(), CheckFinding> {
    let arguments: Vec<f32> = (0..200).map(|n| f32::from_bits(0x0000_0123 + n * 0x00a1_a3d7)).collect();
    let view = ArrayView::from_vec((2, 200), [&arguments[..], &arguments].concat())?;
    parallel_for_each!(&on.default_view(), view.extent(), |i| {
        let x = view[i];
        view[i] = if i[0] == 0 { tilewise::fast_math::exp(x % 80.0) } else { tilewise::fast_math::log(x) };
    })?;
    let found = view.to_vec()?;
    let expected = arguments.iter().map(|&x| tilewise::fast_math::exp(x % 80.0));
    let expected = expected.chain(arguments.iter().map(|&x| tilewise::fast_math::log(x)));
    for (at, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        // A GPU may use functions of its own in Relaxed, which WGSL allows errors of a few units.
        let distance = (found - expected).abs();
        if !(found == expected || distance <= 2e-6 * expected.abs().max(0.5)) {
            let (name, x) = (["exp", "log"][at / 200], arguments[at % 200]);
            return Err(CheckFinding(format!("`{name}` of {x:e}: {found:e} in place of {expected:e}")));
        }
    }
    Ok(())
}
