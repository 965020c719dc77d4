//! Prices of options by a binomial tree, as C++ AMP's sample has them: a tile for each option, the
//! leaves in a view, and a block of nodes at a time in `tile_static` memory, between barriers.
//! `precise_math` has the same bits in kernels and on the host, so the host checks every price.

use tilewise::prelude::*;

/// Steps of time from now to the expiry.
const STEPS: i32 = 256;
/// Nodes of a level that are in `tile_static` memory at once, and threads of a tile.
const CACHE: i32 = 64;
/// Levels that a block takes towards the root; an even number.
const LEVELS: i32 = 16;
/// Nodes that a block finishes: the others lack neighbours beyond its end.
const FINISHED: i32 = CACHE - LEVELS;

/// An option as it is traded.
#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Contract {
    price: f32,
    strike: f32,
    years: f32,
}

/// What the tree of an option needs.
#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Tree {
    price: f32,
    strike: f32,
    /// The logarithm of one step up.
    step: f32,
    /// The chances of a step up and of one down, each with the discount of the step.
    up: f32,
    down: f32,
}

/// What the option is worth in a leaf of the tree.
#[amp]
fn at_expiry(tree: Tree, leaf: i32) -> f32 {
    let price = tree.price * precise_math::expf(tree.step * (2 * leaf - STEPS) as f32);
    precise_math::fmaxf(price - tree.strike, 0.0)
}

#[amp]
fn tree_of(contract: Contract, rate: f32, volatility: f32) -> Tree {
    let time = contract.years / STEPS as f32;
    let step = volatility * precise_math::sqrtf(time);
    let (growth, discount) = (precise_math::expf(rate * time), precise_math::expf(-rate * time));
    let (up, down) = (precise_math::expf(step), precise_math::expf(-step));
    let chance = (growth - down) / (up - down);
    let (price, strike) = (contract.price, contract.strike);
    Tree { price, strike, step, up: chance * discount, down: (1.0 - chance) * discount }
}

/// The prices by trees, a tile for each.
fn on_accelerator(contracts: &[Contract], rate: f32, volatility: f32) -> tilewise::Result<Vec<f32>> {
    let given = ArrayView::read_only(contracts.len(), contracts)?;
    let nodes = ArrayView::<f32, 2>::without_source((contracts.len(), STEPS as usize + 1))?;
    let prices = ArrayView::<f32>::without_source(contracts.len())?;
    let threads = Extent::new(contracts.len() * CACHE as usize);
    parallel_for_each!(threads.tile::<{ CACHE as usize }>(), |t| {
        #[tile_static]
        let even: [f32; CACHE as usize];
        #[tile_static]
        let odd: [f32; CACHE as usize];
        let option = t.tile[0];
        let me = t.local[0];
        let tree = tree_of(given[option], rate, volatility);
        let mut leaf = me;
        while leaf <= STEPS {
            nodes[(option, leaf)] = at_expiry(tree, leaf);
            leaf += CACHE;
        }

        let mut level = STEPS;
        while level > 0 {
            let mut first = 0;
            while first < level {
                let last = (CACHE - 1).min(level - first);
                let end = last - LEVELS;
                // The nodes that another thread has stored, and no more of the block before.
                t.barrier.wait();
                if me <= last {
                    even[me] = nodes[(option, first + me)];
                }
                let mut count = last;
                while count > end {
                    t.barrier.wait();
                    if me < count {
                        odd[me] = tree.up * even[me + 1] + tree.down * even[me];
                    }
                    t.barrier.wait();
                    if me < count - 1 {
                        even[me] = tree.up * odd[me + 1] + tree.down * odd[me];
                    }
                    count -= 2;
                }
                t.barrier.wait();
                if me <= end {
                    nodes[(option, first + me)] = even[me];
                }
                first += FINISHED;
            }
            level -= LEVELS;
        }
        if me == 0 {
            prices[option] = even[0];
        }
    })?;
    prices.into_vec()
}

/// The same by the definition, on the host.
fn plain(contract: Contract, rate: f32, volatility: f32) -> f32 {
    let tree = tree_of(contract, rate, volatility);
    let mut nodes: Vec<f32> = (0..=STEPS).map(|leaf| at_expiry(tree, leaf)).collect();
    while nodes.len() > 1 {
        nodes = nodes.windows(2).map(|pair| tree.up * pair[1] + tree.down * pair[0]).collect();
    }
    nodes[0]
}

/// The limit for ever shorter steps: the formula of Black and Scholes.
fn limit(contract: Contract, rate: f64, volatility: f64) -> f64 {
    let Contract { price, strike, years } = contract;
    let (price, strike, years) = (f64::from(price), f64::from(strike), f64::from(years));
    let spread = volatility * years.sqrt();
    let d = (precise_math::log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / spread;
    price * precise_math::phi(d) - strike * precise_math::exp(-rate * years) * precise_math::phi(d - spread)
}

fn main() -> tilewise::Result<()> {
    let (rate, volatility) = (0.06, 0.1);
    let contracts: Vec<Contract> = (0..9)
        .map(|i| Contract { price: 20.0, strike: 18.0 + 2.0 * (i % 3) as f32, years: [0.25, 1.0, 4.0][i / 3] })
        .collect();
    let prices = on_accelerator(&contracts, rate, volatility)?;

    println!("strike  years    tree   limit");
    let mut furthest = 0.0;
    for (contract, &price) in contracts.iter().zip(&prices) {
        let limit = limit(*contract, 0.06, 0.1);
        println!("{:6}  {:5}  {price:6.3}  {limit:6.3}", contract.strike, contract.years);
        furthest = f64::max(furthest, (f64::from(price) - limit).abs());
    }
    println!("within a thousandth of the price of a share: {}", furthest < 0.02);
    let expected = contracts.iter().map(|&contract| plain(contract, rate, volatility));
    let equal = expected.zip(&prices).filter(|(expected, price)| expected.to_bits() == price.to_bits()).count();
    println!("{equal} of {} prices have the bits of the plain loop", prices.len());
    tilewise_examples::record("prices", &prices);
    Ok(())
}
