//! What an option is worth, by the formula of Black and Scholes: `exp`, `log` and `sqrt`, a captured struct, and a
//! function that gives two results.

use tilewise::prelude::*;

/// The same for all options: captured by the kernel as it is.
#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Market {
    rate: f32,
    volatility: f32,
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Contract {
    price: f32,
    strike: f32,
    years: f32,
}

/// The share of a normal distribution that lies below `x`: the classical polynomial, good to seven digits.
#[amp]
fn normal(x: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.2316419 * x.abs());
    let sum = k * (0.319_381_53 + k * (-0.356_563_78 + k * (1.781_478 + k * (-1.821_256 + k * 1.330_274_4))));
    let tail = 0.398_942_3 * fast_math::exp(-0.5 * x * x) * sum;
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// The worth of the right to buy, and of the right to sell.
#[amp]
fn worth(contract: Contract, market: Market) -> (f32, f32) {
    let spread = market.volatility * fast_math::sqrt(contract.years);
    let d1 = (fast_math::log(contract.price / contract.strike)
        + (market.rate + 0.5 * market.volatility * market.volatility) * contract.years)
        / spread;
    let d2 = d1 - spread;
    let later = contract.strike * fast_math::exp(-market.rate * contract.years);
    (contract.price * normal(d1) - later * normal(d2), later * normal(-d2) - contract.price * normal(-d1))
}

fn main() -> tilewise::Result<()> {
    let market = Market { rate: 0.02, volatility: 0.3 };
    let contracts: Vec<Contract> = (0..9)
        .map(|i| Contract { price: 100.0, strike: 80.0 + 20.0 * (i % 3) as f32, years: [0.25, 1.0, 4.0][i / 3] })
        .collect();

    let given = ArrayView::read_only(contracts.len(), &contracts)?;
    let buy = ArrayView::<f32>::without_source(contracts.len())?;
    let sell = ArrayView::<f32>::without_source(contracts.len())?;
    parallel_for_each!(given.extent(), |i| {
        let (call, put) = worth(given[i], market);
        buy[i] = call;
        sell[i] = put;
    })?;

    let (buy, sell) = (buy.to_vec()?, sell.to_vec()?);
    println!("strike  years     buy    sell");
    for (contract, (buy, sell)) in contracts.iter().zip(buy.iter().zip(&sell)) {
        println!("{:6}  {:5}  {buy:6.2}  {sell:6.2}", contract.strike, contract.years);
    }
    // Buying and selling at once is worth the price now less the strike later.
    let parity = |i: usize| {
        buy[i] - sell[i] - contracts[i].price + contracts[i].strike * (-market.rate * contracts[i].years).exp()
    };
    println!("parity holds to a thousandth: {}", (0..contracts.len()).all(|i| parity(i).abs() < 1e-3));
    tilewise_examples::record("buy", &buy);
    tilewise_examples::record("sell", &sell);
    Ok(())
}
