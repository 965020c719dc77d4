//! Prices of options by a binomial tree, as C++ AMP's sample has them: a tile for each option, the leaves in a view,
//! and a block of nodes at a time in `tile_static` memory, between barriers. `precise_math` has the same bits in
//! kernels and on the host, so the host checks every price.

use tilewise::prelude::*;

/// Steps of time from now to the expiry.
const STEPS: i32 = 256;
/// Nodes of a level that are in `tile_static` memory at once, and threads of a tile.
const CACHE: i32 = 64;
/// Levels that a block takes towards the root; an even number.
const LEVELS: i32 = 16;
/// Nodes that a block finishes: the others lack neighbours beyond its end.
const FINISHED: i32 = CACHE - LEVELS;
/// The interest and the volatility of a year.
const RATE: f32 = 0.06;
const VOLATILITY: f32 = 0.1;

/// An option as it is traded.
#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Contract {
    price: f32,
    strike: f32,
    years: f32,
}

/// The logarithm of one step up in the tree, and the chances of a step up and of one down, with the step's discount.
#[amp]
fn tree_of(contract: Contract) -> (f32, f32, f32) {
    let time = contract.years / STEPS as f32;
    let step = VOLATILITY * precise_math::sqrtf(time);
    let (up, down) = (precise_math::expf(step), precise_math::expf(-step));
    let chance = (precise_math::expf(RATE * time) - down) / (up - down);
    let discount = precise_math::expf(-RATE * time);
    (step, chance * discount, (1.0 - chance) * discount)
}

/// The worth of the option in a leaf of the tree.
#[amp]
fn at_expiry(contract: Contract, step: f32, leaf: i32) -> f32 {
    let price = contract.price * precise_math::expf(step * (2 * leaf - STEPS) as f32);
    precise_math::fmaxf(price - contract.strike, 0.0)
}

/// The prices by trees, a tile for each.
fn on_accelerator(contracts: &[Contract]) -> tilewise::Result<Vec<f32>> {
    let given = ArrayView::read_only(contracts.len(), contracts)?;
    let nodes = ArrayView::<f32, 2>::without_source((contracts.len(), STEPS as usize + 1))?;
    let prices = ArrayView::<f32>::without_source(contracts.len())?;
    let threads = Extent::new(contracts.len() * CACHE as usize);
    parallel_for_each!(threads.tile::<{ CACHE as usize }>(), |t| {
        #[tile_static]
        let even: [f32; CACHE as usize];
        #[tile_static]
        let odd: [f32; CACHE as usize];
        let (option, me) = (t.tile[0], t.local[0]);
        let (step, up, down) = tree_of(given[option]);
        for leaf in (me..=STEPS).step_by(CACHE as usize) {
            nodes[(option, leaf)] = at_expiry(given[option], step, leaf);
        }

        for level in (1..=STEPS).rev().step_by(LEVELS as usize) {
            for first in (0..level).step_by(FINISHED as usize) {
                let last = (CACHE - 1).min(level - first);
                let end = last - LEVELS;
                // The nodes that another thread has stored, and no more of the block before.
                t.barrier.wait();
                if me <= last {
                    even[me] = nodes[(option, first + me)];
                }
                for count in (end + 1..=last).rev().step_by(2) {
                    t.barrier.wait();
                    if me < count {
                        odd[me] = up * even[me + 1] + down * even[me];
                    }
                    t.barrier.wait();
                    if me < count - 1 {
                        even[me] = up * odd[me + 1] + down * odd[me];
                    }
                }
                t.barrier.wait();
                if me <= end {
                    nodes[(option, first + me)] = even[me];
                }
            }
        }
        if me == 0 {
            prices[option] = even[0];
        }
    })?;
    prices.into_vec()
}

/// The same by the definition, on the host.
fn plain(contract: Contract) -> f32 {
    let (step, up, down) = tree_of(contract);
    let mut nodes: Vec<f32> = (0..=STEPS).map(|leaf| at_expiry(contract, step, leaf)).collect();
    while nodes.len() > 1 {
        nodes = nodes.windows(2).map(|pair| up * pair[1] + down * pair[0]).collect();
    }
    nodes[0]
}

fn main() -> tilewise::Result<()> {
    let contracts: Vec<Contract> = (0..9)
        .map(|i| Contract { price: 20.0, strike: 18.0 + 2.0 * (i % 3) as f32, years: [0.25, 1.0, 4.0][i / 3] })
        .collect();
    let prices = on_accelerator(&contracts)?;
    println!("strike  years   price");
    for (contract, price) in contracts.iter().zip(&prices) {
        println!("{:6}  {:5}  {price:6.3}", contract.strike, contract.years);
    }
    let expected = contracts.iter().map(|&contract| plain(contract));
    let equal = expected.zip(&prices).filter(|(expected, price)| expected.to_bits() == price.to_bits()).count();
    println!("{equal} of {} prices have the bits of the plain loop", prices.len());
    tilewise_examples::record("prices", &prices);
    Ok(())
}
