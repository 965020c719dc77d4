//! [`FloatRange`]: the results that a device may give for an operation on `f32`, as the specifications of
//! WGSL and Vulkan state them: a correctly rounded result may be rounded up or down, an error is a number of
//! units in the last place or absolute, and a subnormal number may be taken for zero, before and after each
//! operation. An accuracy that is *inherited* from a formula is that formula, computed on ranges.
//!
//! Operands of operations are ranges whose ends are `f32` in a `f64`, in which products are exact, and sums and
//! quotients with the sign of their rest: so results are rounded outward exactly. A range that an error in units or an
//! absolute one gives has the ends as they are; the `f32` in it are the operands of what comes next.

use std::ops::{Add, Div, Mul, Sub};

/// All numbers from one to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatRange {
    low: f64,
    high: f64,
}

/// The distance of the two `f32` next to a number.
pub(super) fn unit(x: f64) -> f64 {
    // 2^-149 below the normal numbers, that of the largest number above it.
    let exponent = ((x.abs().to_bits() >> 52) as i32 - 1023).clamp(-126, 127);
    2_f64.powi(exponent - 23)
}

/// The greatest `f32` that is not above `x` and a rest, of which only the sign counts.
fn below(x: f64, rest: f64) -> f64 {
    let near = x as f32;
    let is_above = f64::from(near) > x || f64::from(near) == x && rest < 0.0;
    f64::from(if is_above { near.next_down() } else { near })
}

/// The least `f32` that is not below it.
fn above(x: f64, rest: f64) -> f64 {
    -below(-x, -rest)
}

/// A sum in `f64`, and what rounding lost.
fn sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let of_b = s - a;
    (s, (a - (s - of_b)) + (b - of_b))
}

impl FloatRange {
    /// Any result, also an infinity or NaN.
    pub const ANY: FloatRange = FloatRange { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// An operand. A subnormal one may be taken for zero.
    pub fn of(x: f32) -> FloatRange {
        FloatRange { low: x.into(), high: x.into() }.flushed()
    }

    /// A result that is exact.
    pub fn exactly(x: f64) -> FloatRange {
        FloatRange { low: x, high: x }.flushed()
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
    fn flushed(self) -> FloatRange {
        let least = f64::from(f32::MIN_POSITIVE);
        let FloatRange { mut low, mut high } = self;
        if high > 0.0 && low < least {
            low = low.min(0.0);
        }
        if self.low < 0.0 && self.high > -least {
            high = high.max(0.0);
        }
        FloatRange { low, high }
    }

    /// A range of `f32`, or any if an end is beyond them.
    fn finite(low: f64, high: f64) -> FloatRange {
        let most = f64::from(f32::MAX);
        // Comparisons with NaN are false.
        if -most <= low && low <= high && high <= most { FloatRange { low, high }.flushed() } else { Self::ANY }
    }

    /// The correctly rounded results of numbers between two, each with the rest that its `f64` lacks.
    fn rounded(low: (f64, f64), high: (f64, f64)) -> FloatRange {
        Self::finite(below(low.0, low.1), above(high.0, high.1))
    }

    /// The correctly rounded results of a number. `f64` must hold it exactly, or so well that the nearest
    /// `f32` on each side are those of the number.
    pub fn correct(x: f64) -> FloatRange {
        Self::rounded((x, 0.0), (x, 0.0))
    }

    /// The `f32` within an error of a number.
    pub fn near(x: f64, error: f64) -> FloatRange {
        Self::hull(x, error, x, error)
    }

    /// The `f32` within so many units in the last place of a number.
    pub fn units(x: f64, count: f64) -> FloatRange {
        Self::near(x, count * unit(x))
    }

    /// The `f32` between two numbers with their errors.
    fn hull(low: f64, low_error: f64, high: f64, high_error: f64) -> FloatRange {
        let (low, high) = (low - low_error, high + high_error);
        // A result beyond the largest number may be an infinity. Comparisons with NaN are false.
        let is_finite = low.abs() <= f64::from(f32::MAX) && high.abs() <= f64::from(f32::MAX);
        if is_finite { Self::finite(low, high) } else { Self::ANY }
    }

    /// The `f32` in it.
    fn floats(self) -> FloatRange {
        if self.is_any() { self } else { FloatRange { low: above(self.low, 0.0), high: below(self.high, 0.0) } }
    }

    /// How much of the error that is allowed a finite result has: 1 is all of it, and one unit in the last
    /// place is always counted as allowed. Nothing if anything is allowed.
    pub fn share(self, exact: f64, found: f64) -> Option<f64> {
        let room = (exact - self.low).max(self.high - exact).max(unit(exact));
        (!self.is_any()).then(|| (found - exact).abs() / room)
    }

    /// The range in which the largest distance of this one from a number lies on either side, as Vulkan reads
    /// an inherited accuracy.
    pub fn around(self, exact: f64) -> FloatRange {
        if self.is_any() || !exact.is_finite() {
            return Self::ANY;
        }
        let error = (exact - self.low).abs().max((self.high - exact).abs());
        // The sums of this line are rounded.
        FloatRange { low: exact - error, high: exact + error }.or(self)
    }

    /// All numbers of both, and between.
    pub fn or(self, other: FloatRange) -> FloatRange {
        FloatRange { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The least and the greatest result of a function of two ranges that takes both at ends.
    fn ends_with(self, other: FloatRange, of: fn(f64, f64) -> f64) -> (f64, f64) {
        let (a, b) = (self, other);
        let corners = [of(a.low, b.low), of(a.low, b.high), of(a.high, b.low), of(a.high, b.high)];
        let low = corners.into_iter().fold(f64::INFINITY, f64::min);
        (low, corners.into_iter().fold(f64::NEG_INFINITY, f64::max))
    }

    /// A function that grows, with its error in each place.
    fn growing(self, of: impl Fn(f64) -> f64, error: impl Fn(f64) -> f64) -> FloatRange {
        if self.is_any() {
            return Self::ANY;
        }
        let FloatRange { low, high } = self.floats();
        let largest = error(low).max(error(high));
        Self::hull(of(low), largest, of(high), largest)
    }

    /// A function whose results are exact, and which never falls.
    fn stepping(self, of: impl Fn(f64) -> f64) -> FloatRange {
        let FloatRange { low, high } = self.floats();
        if self.is_any() { self } else { FloatRange { low: of(low), high: of(high) }.flushed() }
    }

    /// `trunc`.
    pub fn trunc(self) -> FloatRange {
        self.stepping(f64::trunc)
    }

    /// `floor`.
    pub fn floor(self) -> FloatRange {
        self.stepping(f64::floor)
    }

    /// `ceil`.
    pub fn ceil(self) -> FloatRange {
        self.stepping(f64::ceil)
    }

    /// Are all numbers of it positive?
    pub fn is_positive(self) -> bool {
        self.low > 0.0
    }

    /// `clamp`, between constants.
    pub fn clamp(self, from: f64, to: f64) -> FloatRange {
        self.stepping(|x| x.clamp(from, to))
    }

    /// `inverseSqrt`: 2 ulp.
    pub fn inverse_sqrt(self) -> FloatRange {
        let of = self.floats();
        if of.is_any() || of.low <= 0.0 {
            return Self::ANY;
        }
        let (low, high) = (1.0 / of.high.sqrt(), 1.0 / of.low.sqrt());
        Self::hull(low, 2.0 * unit(low), high, 2.0 * unit(high))
    }

    /// `sqrt`: inherited from `1.0 / inverseSqrt(x)`.
    pub fn sqrt(self) -> FloatRange {
        FloatRange::of(1.0) / self.inverse_sqrt()
    }

    /// `exp`: `3 + 2 * |x|` ulp.
    pub fn exp(self) -> FloatRange {
        self.growing(core_math::exp, |x| (3.0 + 2.0 * x.abs()) * unit(core_math::exp(x)))
    }

    /// `exp2`: `3 + 2 * |x|` ulp.
    pub fn exp2(self) -> FloatRange {
        self.growing(core_math::exp2, |x| (3.0 + 2.0 * x.abs()) * unit(core_math::exp2(x)))
    }

    /// `log` or `log2`: an absolute error of 2^-21 from 0.5 to 2, elsewhere 3 ulp.
    fn logarithm(self, of: fn(f64) -> f64) -> FloatRange {
        if self.is_any() || self.low <= 0.0 {
            return Self::ANY;
        }
        self.growing(of, |x| if (0.5..=2.0).contains(&x) { 2_f64.powi(-21) } else { 3.0 * unit(of(x)) })
    }

    /// `log`.
    pub fn log(self) -> FloatRange {
        self.logarithm(core_math::log)
    }

    /// `log2`.
    pub fn log2(self) -> FloatRange {
        self.logarithm(core_math::log2)
    }

    /// `atan2(self, x)`: 4096 ulp where `x` is neither tiny nor huge and this is normal; `x` is positive, or
    /// this has one sign.
    pub fn atan2(self, x: FloatRange) -> FloatRange {
        let (y, x) = (self.floats(), x.floats());
        let is_zero_within = |range: FloatRange| range.low <= 0.0 && range.high >= 0.0;
        if y.is_any() || x.is_any() || is_zero_within(y) || !divides(x) {
            return Self::ANY;
        }
        // 4096 units at each end.
        let (low, high) = y.ends_with(x, core_math::atan2);
        Self::hull(low, 4096.0 * unit(low), high, 4096.0 * unit(high))
    }
}

/// May a quotient be asked of this divisor: is it from 2^-126 to 2^126 without its sign?
fn divides(by: FloatRange) -> bool {
    let within = |x: f64| (2_f64.powi(-126)..=2_f64.powi(126)).contains(&x);
    !by.is_any() && (within(by.low) && within(by.high) || within(-by.low) && within(-by.high))
}

impl Add for FloatRange {
    type Output = FloatRange;

    fn add(self, other: FloatRange) -> FloatRange {
        if self.is_any() || other.is_any() {
            return Self::ANY;
        }
        let (a, b) = (self.floats(), other.floats());
        Self::rounded(sum(a.low, b.low), sum(a.high, b.high))
    }
}

impl Sub for FloatRange {
    type Output = FloatRange;

    fn sub(self, other: FloatRange) -> FloatRange {
        self + FloatRange { low: -other.high, high: -other.low }
    }
}

impl Mul for FloatRange {
    type Output = FloatRange;

    fn mul(self, other: FloatRange) -> FloatRange {
        if self.is_any() || other.is_any() {
            return Self::ANY;
        }
        let (low, high) = self.floats().ends_with(other.floats(), |a, b| a * b);
        Self::rounded((low, 0.0), (high, 0.0))
    }
}

impl Div for FloatRange {
    type Output = FloatRange;

    /// 2.5 ulp.
    fn div(self, by: FloatRange) -> FloatRange {
        let (a, by) = (self.floats(), by.floats());
        if a.is_any() || !divides(by) {
            return Self::ANY;
        }
        let (low, high) = a.ends_with(by, |a, b| a / b);
        Self::hull(low, 2.5 * unit(low), high, 2.5 * unit(high))
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
        let share = (of(1.0) / of(4.0)).share(0.25, 0.25 + f64::from(f32::EPSILON) / 4.0);
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
        let (exact, units) = (core_math::exp(10.0), unit(core_math::exp(10.0)));
        assert!(exp.contains((exact + 22.0 * units) as f32) && !exp.contains((exact + 24.0 * units) as f32));
        assert!(of(1.0).atan2(of(-1.0)).contains(2.3562) && of(0.0).atan2(of(1.0)).is_any());
    }

    #[test]
    fn the_unit_is_the_distance_of_neighbours() {
        for x in [1.0_f32, 1.5, 2.0, 1e-40, 0.0, 1e38, f32::MIN_POSITIVE] {
            assert_eq!(unit(x.into()), f64::from(x.next_up()) - f64::from(x), "{x}");
        }
        assert_eq!(unit(1e60), 2_f64.powi(104));
    }
}
