//! Prices of options: logarithm, exponential, square root, division. The functions are written out,
//! as calls of those of std keep loops from being vectors.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// The risk-free interest rate.
pub const RATE: f32 = 0.02;
/// The volatility of prices.
pub const VOLATILITY: f32 = 0.30;
/// Options that a worker takes at once.
const CHUNK: usize = 1 << 12;

/// Price, strike and years of each option.
pub fn inputs(count: usize) -> [Vec<f32>; 3] {
    [input::floats(count, 0, 5.0, 30.0), input::floats(count, 1, 1.0, 100.0), input::floats(count, 2, 0.25, 10.0)]
}

struct Options {
    given: [Vec<f32>; 3],
    buy: Vec<f32>,
    sell: Vec<f32>,
}

/// `a * b + c`, with one rounding where that is an instruction.
fn step(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

/// The exponential of numbers up to 88, without branches and calls, so that the compiler has
/// vectors: a power of two times the polynomial of the rest.
fn exp(x: f32) -> f32 {
    /// Adding it rounds to a whole number, which is in the low bits then.
    const ROUND: f32 = 12_582_912.0;
    let x = x.max(-87.0);
    let shifted = step(x, std::f32::consts::LOG2_E, ROUND);
    let power = shifted - ROUND;
    let r = step(power, -0.693_145_75, x);
    let r = step(power, -1.428_606_8e-6, r);
    let p = step(r, 0.001_378_059_4, 0.008_372_595);
    let p = step(p, r, 0.041_670_26);
    let p = step(p, r, 0.166_664_33);
    let p = step(p, r, 0.499_999_97);
    let p = step(p, r, 1.0);
    step(p, r, 1.0) * f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0_f32.to_bits()))
}

/// The logarithm of positive numbers that are not subnormal, in the same way: the power of two that
/// leaves a factor of [2/3, 4/3), and the polynomial of that.
fn ln(x: f32) -> f32 {
    let power = (x.to_bits().wrapping_sub(0x3F2A_AAAB) & 0xFF80_0000).cast_signed();
    let f = f32::from_bits(x.to_bits().wrapping_sub(power.cast_unsigned())) - 1.0;
    let s = f * f;
    let r = step(-0.130_310_06, s, -0.121_484_19);
    let t = step(0.140_869_14, s, 0.139_814_85);
    let r = step(r, s, -0.166_846_05);
    let t = step(t, s, 0.200_120_35);
    let r = step(r, s, -0.249_996_2);
    let r = step(t, f, r);
    let r = step(r, f, 0.333_331_97);
    let r = step(r, f, -0.5);
    let r = step(r, s, f);
    step(power as f32 * f32::EPSILON, std::f32::consts::LN_2, r)
}

fn normal(d: f32) -> f32 {
    let k = 1.0 / step(0.2316419, d.abs(), 1.0);
    let sum = step(k, 1.330_274_4, -1.821_256);
    let sum = step(k, sum, 1.781_478);
    let sum = step(k, sum, -0.356_563_78);
    let sum = k * step(k, sum, 0.319_381_53);
    let tail = 0.398_942_3 * exp(-0.5 * d * d) * sum;
    if d > 0.0 { 1.0 - tail } else { tail }
}

fn worth(s: f32, x: f32, t: f32) -> (f32, f32) {
    let q = t.sqrt();
    let d1 = (ln(s / x) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * t) / (VOLATILITY * q);
    let d2 = d1 - VOLATILITY * q;
    let (n1, n2) = (normal(d1), normal(d2));
    let e = exp(-RATE * t);
    (s * n1 - x * e * n2, x * e * (1.0 - n2) - s * (1.0 - n1))
}

pub(super) fn prepare(count: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Options { given: inputs(count), buy: vec![0.0; count], sell: vec![0.0; count] },
        restore: nothing,
        run: |s| {
            let [prices, strikes, years] = &s.given;
            let chunks = s.buy.par_chunks_mut(CHUNK).zip(s.sell.par_chunks_mut(CHUNK)).enumerate();
            chunks.for_each(|(chunk, (buy, sell))| {
                let of_chunk = chunk * CHUNK..chunk * CHUNK + buy.len();
                let given = prices[of_chunk.clone()].iter().zip(&strikes[of_chunk.clone()]).zip(&years[of_chunk]);
                for ((buy, sell), ((price, strike), years)) in buy.iter_mut().zip(sell).zip(given) {
                    (*buy, *sell) = worth(*price, *strike, *years);
                }
            });
        },
        output: |s| PeerOutput::Floats([s.buy.as_slice(), s.sell.as_slice()].concat()),
    })
}

#[cfg(test)]
mod tests {
    use approx::relative_eq;

    use super::*;

    #[test]
    fn the_functions_are_within_a_few_roundings_of_those_of_std() {
        for i in 0..100_000 {
            let x = -87.0 + 0.00175 * i as f32;
            assert!(relative_eq!(exp(x), x.exp(), epsilon = 0.0, max_relative = 4e-7), "exp({x})");
            let y = 0.01 + 0.001 * i as f32;
            assert!(relative_eq!(ln(y), y.ln(), epsilon = 2e-7, max_relative = 4e-7), "ln({y})");
        }
    }
}
