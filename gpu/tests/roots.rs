//! The root that Strict computes from a driver's own (`gpu/src/prelude/own/sqrt_*.wgsl`), as a model on the CPU: correctly rounded for all exponents, however the driver's is off within its bounds.
//!
//! That the functions themselves do the same on a device is asked by `rows`.

/// What `sqrt_range.wgsl` names.
const TINY: u32 = 0x1f80_0000;
const INFINITY: u32 = 0x7f80_0000;

fn closer(x: f32, y: f32) -> f32 {
    let (up, down) = (f32::from_bits(y.to_bits() + 1), f32::from_bits(y.to_bits() - 1));
    let above = (-y).mul_add(up, x);
    let below = (-y).mul_add(down, x);
    let lowered = if below.to_bits().cast_signed() <= 0 { down } else { y };
    if above.to_bits().cast_signed() > 0 { up } else { lowered }
}

/// The function, with a root of its own for what is normal and not tiny.
fn root(x: f32, of: impl Fn(f32) -> f32) -> f32 {
    let bits = x.to_bits();
    if bits.wrapping_sub(TINY) < INFINITY - TINY {
        return of(x);
    }
    if bits.wrapping_sub(1) >= INFINITY - 1 {
        return if bits > 1 << 31 { f32::NAN } else { x };
    }
    of(x * f32::from_bits(0x6a80_0000)) * f32::from_bits(0x2a00_0000)
}

/// A driver's root that is so many units of the last place off.
fn off(x: f32, by: i32) -> f32 {
    f32::from_bits(x.sqrt().to_bits().wrapping_add_signed(by))
}

/// Values in each exponent, also of denormals: the ends, what is next to squares, and some between.
fn values(each: u32) -> impl Iterator<Item = f32> {
    let mut state = 0x1234_5678_u32;
    (0..255u32).flat_map(move |exponent| {
        (0..each).map(move |i| {
            // A linear congruence of full period, of which the upper bits are good.
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let fraction = match i {
                0..16 => i,
                16..32 => 0x7f_ffff - (i - 16),
                32..64 => 0x40_0000 - 16 + (i - 32),
                _ => state >> 9,
            };
            let x = f32::from_bits(exponent << 23 | fraction);
            // Every fourth is a square, or next to one.
            let near = (x.sqrt() * x.sqrt()).to_bits();
            if i % 4 == 3 { f32::from_bits(near.saturating_add(i / 4 % 3).saturating_sub(1)) } else { x }
        })
    })
}

#[test]
fn a_root_from_one_that_is_two_places_off_is_rounded_correctly() {
    for by in -2..=2 {
        for x in values(4096) {
            let got = root(x, |x| closer(x, closer(x, off(x, by))));
            assert_eq!(got.to_bits(), x.sqrt().to_bits(), "{x:e} ({:#x}), off by {by}", x.to_bits());
        }
    }
}

#[test]
fn a_root_of_every_fraction_is_rounded_correctly_however_the_start_is_off() {
    // By each fraction in turn; all of them, in two binades, with one start each.
    for bits in 0x3f80_0000..0x4080_0000u32 {
        let x = f32::from_bits(bits);
        let by = (bits.wrapping_mul(0x9e37_79b9) >> 24) as i32 % 5 - 2;
        let got = closer(x, closer(x, off(x, by)));
        assert_eq!(got.to_bits(), x.sqrt().to_bits(), "{bits:#x}, off by {by}");
    }
}

#[test]
fn what_is_zero_infinite_negative_or_no_number_has_its_root_too() {
    for x in [0.0, -0.0, f32::INFINITY] {
        assert_eq!(root(x, |_| 7.0).to_bits(), x.to_bits());
    }
    for x in [-1.0, -f32::MIN_POSITIVE, f32::from_bits(0x8000_0001), f32::NEG_INFINITY, f32::NAN, -f32::NAN] {
        assert!(root(x, |_| 7.0).is_nan(), "{x}");
    }
}

/// The step from a reciprocal root that is so many units of the last place off.
fn stepped(x: f32, by: i32) -> f32 {
    let exact = (1.0 / f64::from(x).sqrt()) as f32;
    let about = f32::from_bits(exact.to_bits().wrapping_add_signed(by));
    let (start, half) = (x * about, about * 0.5);
    (-start).mul_add(start, x).mul_add(half, start)
}

#[test]
fn a_step_from_a_rough_reciprocal_gives_the_root_or_its_neighbour() {
    // Not always the root: why the probe asks for every fraction.
    let mut off = 0;
    for x in (0x3f80_0000..0x4080_0000u32).map(f32::from_bits) {
        let (got, exact) = (stepped(x, (x.to_bits() % 9).cast_signed() - 4), x.sqrt());
        assert!(got.to_bits().abs_diff(exact.to_bits()) <= 1, "{x:e}");
        off += u32::from(got != exact);
        assert_eq!(root(x, |x| closer(x, got)).to_bits(), exact.to_bits(), "{x:e}");
    }
    assert!(off > 0);
}

const LIFT: f32 = f32::from_bits(0x6a80_0000);
const GAIN: f32 = f32::from_bits(0x5500_0000);

/// 1 / `by` from a reciprocal that is so many units of the last place off, as `sqrt_inverse.wgsl`
/// and `div_steps.wgsl` do it.
fn reciprocal(by: f32, off: i32) -> f32 {
    let about = f32::from_bits((1.0 / by).to_bits().wrapping_add_signed(off));
    let low = (-by).mul_add(about, f32::from_bits(0x3f7f_ffff)).mul_add(about, about);
    (-by).mul_add(low, 1.0).mul_add(f32::from_bits(low.to_bits() + 1), low)
}

#[test]
fn two_steps_give_the_reciprocal_of_every_fraction_however_the_start_is_off() {
    for bits in 0x3f80_0000..0x4000_0000_u32 {
        let by = f32::from_bits(bits);
        // Some fractions are hard, so each has several starts; 24 units are more than any driver's.
        let spread = (bits.wrapping_mul(0x9e37_79b9) >> 16) as i32 % 25;
        for off in [0, spread, -spread, 1, -1, 24, -24] {
            assert_eq!(reciprocal(by, off).to_bits(), (1.0 / by).to_bits(), "{bits:#x}, off by {off}");
        }
    }
}

#[test]
fn the_inverse_of_a_root_is_rounded_twice_at_every_exponent() {
    let inverse = |x: f32| reciprocal(x.sqrt(), (x.to_bits() % 17).cast_signed() - 8);
    for x in values(4096).filter(|&x| x > 0.0) {
        let lifted = x.to_bits() < TINY;
        let got = if lifted { inverse(x * LIFT) * GAIN } else { inverse(x) };
        assert_eq!(got.to_bits(), (1.0 / x.sqrt()).to_bits(), "{x:e}");
    }
}

#[test]
fn a_residual_gives_the_quotient_of_numbers_of_middling_size() {
    let (low, high) = (0x2180_0000_u32, 0x5d80_0000_u32);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    // An odd divisor `by`, and `m` with m by = 1 modulo 2^25: their product, less 1, over 2^25 has a
    // quotient next to the middle between two floats.
    let hard = |by: u32| {
        let inverse = (0..5).fold(by, |inverse, _| inverse.wrapping_mul(2_u32.wrapping_sub(by.wrapping_mul(inverse))));
        ((u64::from(inverse & 0x1ff_ffff) * u64::from(by)) >> 25) as f32
    };
    for i in 0..20_000_000_u32 {
        let word = next();
        let size = |word: u64| f32::from_bits(low + (word as u32) % (high - low));
        let [a, by] = match i % 3 {
            0 => {
                let by = (word as u32 & 0x7f_ffff) | 0x80_0001;
                [hard(by).max(1.0), by as f32]
            }
            1 => [size(word), f32::from_bits(size(word >> 32).to_bits() | (0x7f_ffff - (i >> 8 & 3)))],
            _ => [size(word), size(word >> 32)],
        };
        let off = (word >> 59).cast_signed() as i32 - 16;
        let inverse = reciprocal(by, off);
        let quotient = a * inverse;
        let got = (-by).mul_add(quotient, a).mul_add(inverse, quotient);
        assert_eq!(got.to_bits(), (a / by).to_bits(), "{a:e} / {by:e}, off by {off}");
    }
}
