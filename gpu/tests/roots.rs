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
