//! Prices of options, by `fast_math`.

use tilewise::prelude::*;
use tilewise_peers::plain::black_scholes::{RATE, VOLATILITY, inputs};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

struct Options {
    prices: ReadView<'static, f32>,
    strikes: ReadView<'static, f32>,
    years: ReadView<'static, f32>,
    buy: ArrayView<'static, f32>,
    sell: ArrayView<'static, f32>,
}

/// The share of a normal distribution below `d`.
#[amp]
fn normal(d: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.2316419 * d.abs());
    let sum = k * (0.319_381_53 + k * (-0.356_563_78 + k * (1.781_478 + k * (-1.821_256 + k * 1.330_274_4))));
    let tail = 0.398_942_3 * fast_math::exp(-0.5 * d * d) * sum;
    if d > 0.0 { 1.0 - tail } else { tail }
}

/// The values of the right to buy and the right to sell.
#[amp]
fn price(s: f32, x: f32, t: f32) -> (f32, f32) {
    let q = fast_math::sqrt(t);
    let d1 = (fast_math::log(s / x) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * t) / (VOLATILITY * q);
    let d2 = d1 - VOLATILITY * q;
    let n1 = normal(d1);
    let n2 = normal(d2);
    let e = fast_math::exp(-RATE * t);
    (s * n1 - x * e * n2, x * e * (1.0 - n2) - s * (1.0 - n1))
}

pub(super) fn prepare(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let [prices, strikes, years] = inputs(count);
    let views = Options {
        prices: filled(count, prices)?.as_read_only(),
        strikes: filled(count, strikes)?.as_read_only(),
        years: filled(count, years)?.as_read_only(),
        buy: filled(count, vec![0.0; count])?,
        sell: filled(count, vec![0.0; count])?,
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Options { prices, strikes, years, buy, sell }| {
            parallel_for_each!((on, buy.extent()), |i| {
                let (call, put) = price(prices[i], strikes[i], years[i]);
                buy[i] = call;
                sell[i] = put;
            })
        },
        output: |s| Ok(PeerOutput::Floats([s.buy.to_vec()?, s.sell.to_vec()?].concat())),
    }))
}

/// The same functions, called by the host: they have the same bits there.
pub(super) fn on_the_host(count: usize) -> PeerOutput {
    let [prices, strikes, years] = inputs(count);
    let worth = |i: usize| price(prices[i], strikes[i], years[i]);
    let (mut buy, sell): (Vec<f32>, Vec<f32>) = (0..count).map(worth).unzip();
    buy.extend(sell);
    PeerOutput::Floats(buy)
}
