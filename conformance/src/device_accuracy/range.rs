//! [`FloatRange`]: the results that a device may give for an operation on floats, as the specifications of
//! WGSL and Vulkan state them: a correctly rounded result may be rounded up or down, an error is a number of
//! units in the last place or absolute, and a subnormal number may be taken for zero, before and after each
//! operation. An accuracy that is *inherited* from a formula is that formula, computed on ranges.
//!
//! Operands of operations are ranges whose ends are `f32` or `f16` in a `f64`, in which products are exact, and sums and
//! quotients with the sign of their rest: so results are rounded outward exactly. A range that an error in units or an
//! absolute one gives has the ends as they are; the `f32` in it are the operands of what comes next.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Add, Div, Mul, Sub};

/// A format of floats, with the numbers in which the promises for it differ.
pub trait FloatFormat: Copy + fmt::Debug + PartialEq + 'static {
    /// The format as a value.
    const WIDTH: FloatWidth;
    /// Digits behind the first.
    const DIGITS: i32;
    /// The exponent of the least normal number.
    const LEAST: i32;
    /// The exponent of the largest numbers.
    const MOST: i32;
    /// The units that `exp` may be off beside two for each one of its argument.
    const EXP_UNITS: f64;
    /// The absolute error of logarithms from 0.5 to 2.
    const LOG_ERROR: f64;
    /// The absolute error of sines from -pi to pi.
    const SINE_ERROR: f64;
    /// The units that `atan` may be off.
    const ATAN_UNITS: f64;
    /// The absolute errors of `asin` and `acos`.
    const ARC_ERRORS: (f64, f64);
}

/// `f32`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SingleFormat;

/// `f16`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HalfFormat;

impl FloatFormat for SingleFormat {
    const WIDTH: FloatWidth = FloatWidth::Single;
    const DIGITS: i32 = 23;
    const LEAST: i32 = -126;
    const MOST: i32 = 127;
    const EXP_UNITS: f64 = 3.0;
    const LOG_ERROR: f64 = 1.0 / (1 << 21) as f64;
    const SINE_ERROR: f64 = 1.0 / (1 << 11) as f64;
    const ATAN_UNITS: f64 = 4096.0;
    const ARC_ERRORS: (f64, f64) = (6.81e-5, 6.77e-5);
}

impl FloatFormat for HalfFormat {
    const WIDTH: FloatWidth = FloatWidth::Half;
    const DIGITS: i32 = 10;
    const LEAST: i32 = -14;
    const MOST: i32 = 15;
    const EXP_UNITS: f64 = 1.0;
    const LOG_ERROR: f64 = 1.0 / (1 << 7) as f64;
    const SINE_ERROR: f64 = 1.0 / (1 << 7) as f64;
    const ATAN_UNITS: f64 = 5.0;
    const ARC_ERRORS: (f64, f64) = (3.91e-3, 3.91e-3);
}

/// The formats as values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatWidth {
    /// `f32`.
    Single,
    /// `f16`, in the low half of a word.
    Half,
}

impl FloatWidth {
    /// A word as a number.
    pub fn number(self, word: u32) -> f64 {
        match self {
            FloatWidth::Single => f64::from(f32::from_bits(word)),
            FloatWidth::Half => f64::from(half::f16::from_bits(word as u16)),
        }
    }

    /// The word of the float that is nearest to a number.
    pub fn word(self, x: f64) -> u32 {
        match self {
            FloatWidth::Single => (x as f32).to_bits(),
            // Exact: the number is one of the format.
            FloatWidth::Half => half::f16::from_f64(nearest::<HalfFormat>(x)).to_bits().into(),
        }
    }

    /// The distance of the two floats next to a number.
    pub fn unit(self, x: f64) -> f64 {
        match self {
            FloatWidth::Single => unit::<SingleFormat>(x),
            FloatWidth::Half => unit::<HalfFormat>(x),
        }
    }

    /// The largest number.
    pub fn most(self) -> f64 {
        match self {
            FloatWidth::Single => most::<SingleFormat>(),
            FloatWidth::Half => most::<HalfFormat>(),
        }
    }

    /// The least normal number.
    pub fn least(self) -> f64 {
        match self {
            FloatWidth::Single => least::<SingleFormat>(),
            FloatWidth::Half => least::<HalfFormat>(),
        }
    }
}

/// All numbers from one to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatRange<F = SingleFormat> {
    low: f64,
    high: f64,
    format: PhantomData<F>,
}

/// A range of floats of any format.
#[derive(Clone, Copy, Debug)]
pub struct AllowedRange {
    low: f64,
    high: f64,
    /// The distance of the floats next to a number.
    unit: fn(f64) -> f64,
}

impl AllowedRange {
    /// Is everything allowed?
    pub fn is_any(self) -> bool {
        !(self.low.is_finite() && self.high.is_finite())
    }

    /// May a device give that number?
    pub fn contains(self, x: f64) -> bool {
        self.is_any() || (self.low..=self.high).contains(&x)
    }

    /// How much of the error that is allowed a finite result has: 1 is all of it, and one unit in the last
    /// place is always counted as allowed. Nothing if anything is allowed.
    pub fn share(self, exact: f64, found: f64) -> Option<f64> {
        let room = (exact - self.low).max(self.high - exact).max((self.unit)(exact));
        (!self.is_any()).then(|| (found - exact).abs() / room)
    }
}

/// The exponent of a number.
fn exponent(x: f64) -> i32 {
    (x.abs().to_bits() >> 52) as i32 - 1023
}

/// The distance of the two floats of a format next to a number: below the normal numbers that of the
/// subnormal ones, above them that of the largest.
pub(super) fn unit<F: FloatFormat>(x: f64) -> f64 {
    2_f64.powi(exponent(x).clamp(F::LEAST, F::MOST) - F::DIGITS)
}

/// The largest number of a format.
pub(super) fn most<F: FloatFormat>() -> f64 {
    2_f64.powi(F::MOST + 1) - 2_f64.powi(F::MOST - F::DIGITS)
}

/// The least normal number of a format.
pub(super) fn least<F: FloatFormat>() -> f64 {
    2_f64.powi(F::LEAST)
}

/// Is it normal?
pub(super) fn is_normal<F: FloatFormat>(x: f64) -> bool {
    x.is_finite() && x.abs() >= least::<F>()
}

/// The float of a format nearest to a number; an infinity beyond the largest.
pub(super) fn nearest<F: FloatFormat>(x: f64) -> f64 {
    let step = unit::<F>(x);
    // The quotient is exact.
    let near = (x / step).round_ties_even() * step;
    if near.abs() > most::<F>() { f64::INFINITY.copysign(x) } else { near }
}

/// The greatest float of a format that is not above `x` and a rest, of which only the sign counts.
fn below<F: FloatFormat>(x: f64, rest: f64) -> f64 {
    let step = unit::<F>(x);
    let near = (x / step).floor() * step;
    if near != x || rest >= 0.0 {
        return near;
    }
    // Below a power of two, floats are nearer to each other.
    let is_power = near > least::<F>() && near.to_bits() << 12 == 0;
    near - if is_power { step / 2.0 } else { step }
}

/// The least float of a format that is not below it.
fn above<F: FloatFormat>(x: f64, rest: f64) -> f64 {
    -below::<F>(-x, -rest)
}

/// A sum in `f64`, and what rounding lost.
fn sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let of_b = s - a;
    (s, (a - (s - of_b)) + (b - of_b))
}

impl<F: FloatFormat> FloatRange<F> {
    const fn between(low: f64, high: f64) -> FloatRange<F> {
        FloatRange { low, high, format: PhantomData }
    }

    /// Any result, also an infinity or NaN.
    pub const ANY: FloatRange<F> = Self::between(f64::NEG_INFINITY, f64::INFINITY);

    /// An operand. A subnormal one may be taken for zero.
    pub fn of(x: impl Into<f64>) -> FloatRange<F> {
        Self::exactly(x.into())
    }

    /// A result that is exact.
    pub fn exactly(x: f64) -> FloatRange<F> {
        Self::between(x, x).flushed()
    }

    /// The range without its type.
    pub(super) const fn allowed(self) -> AllowedRange {
        AllowedRange { low: self.low, high: self.high, unit: unit::<F> }
    }

    /// Is everything allowed?
    pub fn is_any(self) -> bool {
        !(self.low.is_finite() && self.high.is_finite())
    }

    /// May a device give that number?
    pub fn contains(self, x: impl Into<f64>) -> bool {
        self.is_any() || (self.low..=self.high).contains(&x.into())
    }

    /// Also zero, if a number in it is subnormal.
    fn flushed(self) -> FloatRange<F> {
        let least = least::<F>();
        let FloatRange { mut low, mut high, .. } = self;
        if high > 0.0 && low < least {
            low = low.min(0.0);
        }
        if self.low < 0.0 && self.high > -least {
            high = high.max(0.0);
        }
        Self::between(low, high)
    }

    /// A range of `f32`, or any if an end is beyond them.
    fn finite(low: f64, high: f64) -> FloatRange<F> {
        let most = most::<F>();
        // Comparisons with NaN are false.
        if -most <= low && low <= high && high <= most { Self::between(low, high).flushed() } else { Self::ANY }
    }

    /// The correctly rounded results of numbers between two, each with the rest that its `f64` lacks.
    fn rounded(low: (f64, f64), high: (f64, f64)) -> FloatRange<F> {
        Self::finite(below::<F>(low.0, low.1), above::<F>(high.0, high.1))
    }

    /// The correctly rounded results of a number. `f64` must hold it exactly, or so well that the nearest
    /// `f32` on each side are those of the number.
    pub fn correct(x: f64) -> FloatRange<F> {
        Self::rounded((x, 0.0), (x, 0.0))
    }

    /// The `f32` within an error of a number.
    pub fn near(x: f64, error: f64) -> FloatRange<F> {
        Self::hull(x, error, x, error)
    }

    /// The `f32` within so many units in the last place of a number.
    pub fn units(x: f64, count: f64) -> FloatRange<F> {
        Self::near(x, count * unit::<F>(x))
    }

    /// The `f32` between two numbers with their errors.
    fn hull(low: f64, low_error: f64, high: f64, high_error: f64) -> FloatRange<F> {
        let (low, high) = (low - low_error, high + high_error);
        // A result beyond the largest number may be an infinity. Comparisons with NaN are false.
        let is_finite = low.abs() <= most::<F>() && high.abs() <= most::<F>();
        if is_finite { Self::finite(low, high) } else { Self::ANY }
    }

    /// The `f32` in it.
    fn floats(self) -> FloatRange<F> {
        if self.is_any() { self } else { Self::between(above::<F>(self.low, 0.0), below::<F>(self.high, 0.0)) }
    }

    /// The range in which the largest distance of this one from a number lies on either side, as Vulkan reads
    /// an inherited accuracy.
    pub fn around(self, exact: f64) -> FloatRange<F> {
        if self.is_any() || !exact.is_finite() {
            return Self::ANY;
        }
        let error = (exact - self.low).abs().max((self.high - exact).abs());
        // The sums of this line are rounded.
        Self::between(exact - error, exact + error).or(self)
    }

    /// All numbers of both, and between.
    pub fn or(self, other: FloatRange<F>) -> FloatRange<F> {
        Self::between(self.low.min(other.low), self.high.max(other.high))
    }

    /// The least and the greatest result of a function of two ranges that takes both at ends.
    fn ends_with(self, other: FloatRange<F>, of: fn(f64, f64) -> f64) -> (f64, f64) {
        let (a, b) = (self, other);
        let corners = [of(a.low, b.low), of(a.low, b.high), of(a.high, b.low), of(a.high, b.high)];
        let low = corners.into_iter().fold(f64::INFINITY, f64::min);
        (low, corners.into_iter().fold(f64::NEG_INFINITY, f64::max))
    }

    /// A function that grows, with its error in each place.
    fn growing(self, of: impl Fn(f64) -> f64, error: impl Fn(f64) -> f64) -> FloatRange<F> {
        if self.is_any() {
            return Self::ANY;
        }
        let FloatRange { low, high, .. } = self.floats();
        let largest = error(low).max(error(high));
        Self::hull(of(low), largest, of(high), largest)
    }

    /// A function whose results are exact, and which never falls.
    fn stepping(self, of: impl Fn(f64) -> f64) -> FloatRange<F> {
        let FloatRange { low, high, .. } = self.floats();
        if self.is_any() { self } else { Self::between(of(low), of(high)).flushed() }
    }

    /// `trunc`.
    pub fn trunc(self) -> FloatRange<F> {
        self.stepping(f64::trunc)
    }

    /// `floor`.
    pub fn floor(self) -> FloatRange<F> {
        self.stepping(f64::floor)
    }

    /// `ceil`.
    pub fn ceil(self) -> FloatRange<F> {
        self.stepping(f64::ceil)
    }

    /// Are all numbers of it positive?
    pub fn is_positive(self) -> bool {
        self.low > 0.0
    }

    /// `clamp`, between constants.
    pub fn clamp(self, from: f64, to: f64) -> FloatRange<F> {
        self.stepping(|x| x.clamp(from, to))
    }

    /// `inverseSqrt`: 2 ulp.
    pub fn inverse_sqrt(self) -> FloatRange<F> {
        let of = self.floats();
        if of.is_any() || of.low <= 0.0 {
            return Self::ANY;
        }
        let (low, high) = (1.0 / of.high.sqrt(), 1.0 / of.low.sqrt());
        Self::hull(low, 2.0 * unit::<F>(low), high, 2.0 * unit::<F>(high))
    }

    /// `sqrt`: inherited from `1.0 / inverseSqrt(x)`.
    pub fn sqrt(self) -> FloatRange<F> {
        FloatRange::of(1.0) / self.inverse_sqrt()
    }

    /// `exp`: 3, or of `f16` 1, `+ 2 * |x|` ulp.
    pub fn exp(self) -> FloatRange<F> {
        self.growing(core_math::exp, |x| (F::EXP_UNITS + 2.0 * x.abs()) * unit::<F>(core_math::exp(x)))
    }

    /// `exp2`: as `exp`.
    pub fn exp2(self) -> FloatRange<F> {
        self.growing(core_math::exp2, |x| (F::EXP_UNITS + 2.0 * x.abs()) * unit::<F>(core_math::exp2(x)))
    }

    /// `log` or `log2`: an absolute error from 0.5 to 2, elsewhere 3 ulp.
    fn logarithm(self, of: fn(f64) -> f64) -> FloatRange<F> {
        if self.is_any() || self.low <= 0.0 {
            return Self::ANY;
        }
        self.growing(of, |x| if (0.5..=2.0).contains(&x) { F::LOG_ERROR } else { 3.0 * unit::<F>(of(x)) })
    }

    /// `log`.
    pub fn log(self) -> FloatRange<F> {
        self.logarithm(core_math::log)
    }

    /// `log2`.
    pub fn log2(self) -> FloatRange<F> {
        self.logarithm(core_math::log2)
    }

    /// `atan2(self, x)`: 4096 ulp, of `f16` 5, where `x` is neither tiny nor huge and this is normal; `x` is positive, or
    /// this has one sign.
    pub fn atan2(self, x: FloatRange<F>) -> FloatRange<F> {
        let (y, x) = (self.floats(), x.floats());
        let is_zero_within = |range: FloatRange<F>| range.low <= 0.0 && range.high >= 0.0;
        if y.is_any() || x.is_any() || is_zero_within(y) || !divides(x) {
            return Self::ANY;
        }
        // So many units at each end.
        let (low, high) = y.ends_with(x, core_math::atan2);
        Self::hull(low, F::ATAN_UNITS * unit::<F>(low), high, F::ATAN_UNITS * unit::<F>(high))
    }
}

/// May a quotient be asked of this divisor: is it from 2^-126 to 2^126 without its sign, of `f16` from 2^-14 to
/// 2^14?
fn divides<F: FloatFormat>(by: FloatRange<F>) -> bool {
    let within = |x: f64| (2_f64.powi(F::LEAST)..=2_f64.powi(-F::LEAST)).contains(&x);
    !by.is_any() && (within(by.low) && within(by.high) || within(-by.low) && within(-by.high))
}

impl<F: FloatFormat> Add for FloatRange<F> {
    type Output = FloatRange<F>;

    fn add(self, other: FloatRange<F>) -> FloatRange<F> {
        if self.is_any() || other.is_any() {
            return Self::ANY;
        }
        let (a, b) = (self.floats(), other.floats());
        Self::rounded(sum(a.low, b.low), sum(a.high, b.high))
    }
}

impl<F: FloatFormat> Sub for FloatRange<F> {
    type Output = FloatRange<F>;

    fn sub(self, other: FloatRange<F>) -> FloatRange<F> {
        self + Self::between(-other.high, -other.low)
    }
}

impl<F: FloatFormat> Mul for FloatRange<F> {
    type Output = FloatRange<F>;

    fn mul(self, other: FloatRange<F>) -> FloatRange<F> {
        if self.is_any() || other.is_any() {
            return Self::ANY;
        }
        let (low, high) = self.floats().ends_with(other.floats(), |a, b| a * b);
        Self::rounded((low, 0.0), (high, 0.0))
    }
}

impl<F: FloatFormat> Div for FloatRange<F> {
    type Output = FloatRange<F>;

    /// 2.5 ulp.
    fn div(self, by: FloatRange<F>) -> FloatRange<F> {
        let (a, by) = (self.floats(), by.floats());
        if a.is_any() || !divides(by) {
            return Self::ANY;
        }
        let (low, high) = a.ends_with(by, |a, b| a / b);
        Self::hull(low, 2.5 * unit::<F>(low), high, 2.5 * unit::<F>(high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(x: f32) -> FloatRange {
        FloatRange::of(x)
    }

    #[test]
    fn a_sum_may_be_rounded_up_or_down_and_an_exact_one_not_at_all() {
        let one = of(1.0) + of(1e-10);
        assert!(one.contains(1.0) && one.contains(1.0_f32.next_up()));
        assert!(!one.contains(1.0_f32.next_down()) && !one.contains(1.0 + 3.0 * f32::EPSILON));
        assert_eq!(of(1.0) + of(2.0), FloatRange::exactly(3.0));
        // The rest is beyond what a `f64` of the sum has.
        let tiny = of(1.0) + of(-1e-30);
        assert!(tiny.contains(1.0) && tiny.contains(1.0_f32.next_down()) && !tiny.contains(1.0_f32.next_up()));
        assert!((of(f32::MAX) + of(f32::MAX)).is_any());
    }

    #[test]
    fn subnormal_numbers_may_be_zero_before_and_after() {
        let least = f32::MIN_POSITIVE;
        let half = of(least) * of(0.5);
        assert!(half.contains(least / 2.0) && half.contains(0.0) && !half.contains(least));
        let product = of(least / 2.0) * of(f32::MAX);
        assert!(product.contains(0.0) && product.contains(least / 2.0 * f32::MAX));
        assert!((of(-1.0) * of(1e-40)).contains(0.0));
    }

    #[test]
    fn quotients_have_an_error_and_a_domain() {
        let third = of(1.0) / of(3.0);
        let near = 1.0_f32 / 3.0;
        assert!(third.contains(near.next_up().next_up()) && !third.contains(near.next_up().next_up().next_up()));
        assert!((of(1.0) / of(0.0)).is_any() && (of(1.0) / of(2e38)).is_any());
        assert!((of(1.0) / (of(1.0) - of(1.0))).is_any());
        // Just beyond the largest number, where an infinity is right too.
        assert!((of(f32::MAX) / of(0.999_999_94)).is_any());
        let share = (of(1.0) / of(4.0)).allowed().share(0.25, 0.25 + f64::from(f32::EPSILON) / 4.0);
        assert!(share.is_some_and(|share| (0.3..0.6).contains(&share)), "{share:?}");
    }

    #[test]
    fn inherited_errors_grow_with_the_formula() {
        let root = of(2.0).sqrt();
        assert!(root.contains(2.0_f32.sqrt()) && !root.contains(1.4143));
        assert!(of(0.0).sqrt().is_any() && of(-1.0).sqrt().is_any());
        let log = of(1.5).log();
        assert!(log.contains(1.5_f32.ln() + 4e-7) && !log.contains(1.5_f32.ln() + 6e-7));
        let exp = of(10.0).exp();
        let (exact, units) = (core_math::exp(10.0), unit::<SingleFormat>(core_math::exp(10.0)));
        assert!(exp.contains((exact + 22.0 * units) as f32) && !exp.contains((exact + 24.0 * units) as f32));
        assert!(of(1.0).atan2(of(-1.0)).contains(2.3562) && of(0.0).atan2(of(1.0)).is_any());
    }

    #[test]
    fn the_unit_is_the_distance_of_neighbours() {
        for x in [1.0_f32, 1.5, 2.0, 1e-40, 0.0, 1e38, f32::MIN_POSITIVE] {
            assert_eq!(unit::<SingleFormat>(x.into()), f64::from(x.next_up()) - f64::from(x), "{x}");
        }
        assert_eq!(unit::<SingleFormat>(1e60), 2_f64.powi(104));
    }

    #[test]
    fn floats_of_each_format_are_the_nearest_of_a_number() {
        let bits = (0..1_u32 << 16).map(|bits| half::f16::from_bits(bits as u16));
        let numbers: Vec<f64> = bits.filter(|half| half.is_finite()).map(f64::from).collect();
        let mut numbers = numbers;
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        for (at, &x) in numbers.iter().enumerate() {
            assert_eq!((nearest::<HalfFormat>(x), below::<HalfFormat>(x, 0.0), above::<HalfFormat>(x, 0.0)), (x, x, x));
            let next = below::<HalfFormat>(x, -1.0);
            let Some(&wanted) = at.checked_sub(1).and_then(|before| numbers.get(before)) else { continue };
            assert_eq!(next, wanted, "below {x}");
            let between = wanted + (x - wanted) * 0.51;
            assert_eq!((nearest::<HalfFormat>(between), below::<HalfFormat>(between, 0.0)), (x, wanted), "{between}");
        }
        assert_eq!((nearest::<HalfFormat>(65_519.9), nearest::<HalfFormat>(-65_520.0)), (65_504.0, f64::NEG_INFINITY));
        for x in [1e-46, 1e-45, 1.1754943e-38, 0.1, 1.0, 3.4e38, 1e39, -0.3] {
            let single = x as f32;
            assert_eq!(nearest::<SingleFormat>(x), f64::from(single), "{x}");
            let wanted = if f64::from(single) > x { single.next_down() } else { single };
            assert!(single.is_infinite() || below::<SingleFormat>(x, 0.0) == f64::from(wanted), "{x}");
        }
    }

    #[test]
    fn promises_for_halves_have_their_own_numbers() {
        let of = FloatRange::<HalfFormat>::of;
        let step = 2_f64.powi(-10);
        let sum = of(1.0) + of(2_f64.powi(-12));
        assert!(sum.contains(1.0) && sum.contains(1.0 + step) && !sum.contains(1.0 + 2.0 * step));
        assert!((of(60_000.0) + of(60_000.0)).is_any() && (of(1.0) / of(2_f64.powi(-15))).is_any());
        let e = of(1.0).exp();
        let units = 2.0 * step;
        assert!(e.contains(core_math::exp(1.0) + 2.9 * units) && !e.contains(core_math::exp(1.0) + 4.1 * units));
        assert!(of(1.5).log().contains(1.5_f64.ln() + 0.0078) && !of(1.5).log().contains(1.5_f64.ln() + 0.0088));
    }
}
