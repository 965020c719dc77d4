//! Prices of options: logarithm, exponential, square root, division.

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

fn normal(d: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.2316419 * d.abs());
    let sum = k * (0.319_381_53 + k * (-0.356_563_78 + k * (1.781_478 + k * (-1.821_256 + k * 1.330_274_4))));
    let tail = 0.398_942_3 * (-0.5 * d * d).exp() * sum;
    if d > 0.0 { 1.0 - tail } else { tail }
}

fn price(s: f32, x: f32, t: f32) -> (f32, f32) {
    let q = t.sqrt();
    let d1 = ((s / x).ln() + (RATE + 0.5 * VOLATILITY * VOLATILITY) * t) / (VOLATILITY * q);
    let d2 = d1 - VOLATILITY * q;
    let (n1, n2) = (normal(d1), normal(d2));
    let e = (-RATE * t).exp();
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
                for (i, (buy, sell)) in (chunk * CHUNK..).zip(buy.iter_mut().zip(sell)) {
                    (*buy, *sell) = price(prices[i], strikes[i], years[i]);
                }
            });
        },
        output: |s| PeerOutput::Floats([s.buy.as_slice(), s.sell.as_slice()].concat()),
    })
}
