//! A radix sort of floats in eight passes, each by four bits of their keys. A pass counts the digits of each tile,
//! turns the counts into places, and moves each key to its place. Keys with equal digits keep their order, so a pass
//! preserves the work of the passes before it.

use tilewise::prelude::*;

/// Threads of a tile.
const TILE: usize = 64;
/// Bits of a digit, and the number of digits.
const BITS: u32 = 4;
const DIGITS: usize = 1 << BITS;
/// Floats, no multiple of the tile.
const COUNT: usize = 1500;

type Keys = ArrayView<'static, u32>;
type Counts = ArrayView<'static, u32, 2>;

/// An integer in the order of `f32::total_cmp`: negative floats have their bits inverted, others their sign.
#[amp]
fn key_of(float: f32) -> u32 {
    let bits = float.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

#[amp]
fn float_of(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key ^ 1 << 31 } else { !key })
}

#[amp]
fn digit(key: u32, shift: u32) -> u32 {
    (key >> shift) % DIGITS as u32
}

/// Stores how often each tile has each digit: a row for each digit.
fn count(keys: &Keys, shift: u32, counts: &Counts) -> tilewise::Result<()> {
    parallel_for_each!(keys.extent().tile::<TILE>().pad(), |t| {
        #[tile_static]
        let own: [u32; DIGITS];
        // It is zero when a tile begins.
        if keys.extent().contains(t.global) {
            own.atomic(digit(keys[t], shift)).fetch_add(1);
        }
        t.barrier.wait();
        let me = t.local[0];
        if me < DIGITS as i32 {
            counts[(me, t.tile[0])] = own[me];
        }
    })
}

/// Turns the counts into the first place of each digit of each tile, in one tile with a thread for each digit.
fn counts_to_places(counts: &Counts) -> tilewise::Result<()> {
    let tiles = counts.extent()[1];
    parallel_for_each!(Extent::new(DIGITS).tile::<DIGITS>(), |t| {
        #[tile_static]
        let totals: [u32; DIGITS];
        let row = counts[t.local[0]];
        let mut total = 0;
        for tile in 0..tiles {
            total += row[tile];
        }
        totals[t.local[0]] = total;
        t.barrier.wait();
        let mut place = 0;
        for smaller in 0..t.local[0] {
            place += totals[smaller];
        }
        for tile in 0..tiles {
            (row[tile], place) = (place, place + row[tile]);
        }
    })
}

/// Moves each key to the first place of its digit in its tile, behind the equal digits of the threads before.
fn scatter(from: &Keys, shift: u32, places: &Counts, to: &Keys) -> tilewise::Result<()> {
    parallel_for_each!(from.extent().tile::<TILE>().pad(), |t| {
        #[tile_static]
        let digits: [u32; TILE];
        let inside = from.extent().contains(t.global);
        let key = if inside { from[t] } else { 0 };
        let own = digit(key, shift);
        digits[t.local[0]] = own;
        t.barrier.wait();
        if inside {
            let mut place = places[(own, t.tile[0])];
            for before in 0..t.local[0] {
                place += u32::from(digits[before] == own);
            }
            to[place] = key;
        }
    })
}

fn main() -> tilewise::Result<()> {
    let random = |i: u32| i.wrapping_mul(0x9e37_79b9).rotate_left(i % 32).wrapping_mul(0x85eb_ca6b);
    let mut floats: Vec<f32> = (0..COUNT as u32).map(|i| random(i).cast_signed() as f32 / 1e6).collect();
    floats[..8].copy_from_slice(&[0.0, -0.0, 1e-40, -1e-40, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30]);

    let given = ArrayView::read_only(COUNT, &floats)?;
    let (mut from, mut to) = (Keys::without_source(COUNT)?, Keys::without_source(COUNT)?);
    parallel_for_each!(given.extent(), |i| from[i] = key_of(given[i]))?;
    let counts = Counts::without_source((DIGITS, COUNT.div_ceil(TILE)))?;
    for shift in (0..u32::BITS).step_by(BITS as usize) {
        count(&from, shift, &counts)?;
        counts_to_places(&counts)?;
        scatter(&from, shift, &counts, &to)?;
        std::mem::swap(&mut from, &mut to);
    }
    // An `#[amp]` function is one of the host's, too.
    let sorted: Vec<f32> = from.into_vec()?.into_iter().map(float_of).collect();
    let mut expected = floats.clone();
    expected.sort_by(f32::total_cmp);
    let equal = sorted.iter().zip(&expected).filter(|(x, y)| x.to_bits() == y.to_bits()).count();
    println!("{:?} .. {:?}", &sorted[..4], &sorted[COUNT - 4..]);
    println!("{equal} of {COUNT} floats are where `sort_by(f32::total_cmp)` puts them");
    tilewise_examples::record("sorted", &sorted);
    Ok(())
}
