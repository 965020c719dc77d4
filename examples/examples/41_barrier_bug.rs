//! Two bugs at barriers, found and mended. Each tile adds up its numbers, and some of its threads do not come to a
//! barrier that the others wait at. Where that is certain, the kernel is refused before it runs. Where the values of
//! a launch decide, the launch ends with an error that names the threads. It never hangs, on any accelerator.

use tilewise::Error;
use tilewise::prelude::*;

/// Threads of a tile.
const TILE: usize = 8;
/// Numbers: the last tile reaches past their end.
const COUNT: i32 = 20;

/// Wrong: only the threads with work come to the second barrier.
fn barrier_in_a_branch(
    on: &AcceleratorView,
    numbers: &ReadView<'_, i32>,
    sums: &ArrayView<'_, i32>,
) -> tilewise::Result<()> {
    parallel_for_each!(on, numbers.extent().tile::<TILE>().pad(), |t| {
        #[tile_static]
        let part: [i32; TILE];
        let me = t.local[0];
        part[me] = if t.global[0] < COUNT { numbers[t] } else { 0 };
        t.barrier.wait();
        if me < 4 {
            part[me] += part[me + 4];
            t.barrier.wait();
        }
        if me == 0 {
            sums[t.tile] = part[0] + part[1] + part[2] + part[3];
        }
    })
}

/// Wrong: threads past the end leave, and the others of their tile wait.
fn return_past_the_end(
    on: &AcceleratorView,
    numbers: &ReadView<'_, i32>,
    sums: &ArrayView<'_, i32>,
) -> tilewise::Result<()> {
    let count = numbers.extent()[0];
    parallel_for_each!(on, numbers.extent().tile::<TILE>().pad(), |t| {
        #[tile_static]
        let sum: i32;
        if t.global[0] >= count {
            return;
        }
        sum.atomic().fetch_add(numbers[t]);
        t.barrier.wait();
        if t.local[0] == 0 {
            sums[t.tile] = sum;
        }
    })
}

/// Right: all threads of a tile come to all barriers; only the work is in branches.
fn sums_of_tiles(on: &AcceleratorView, numbers: &ReadView<'_, i32>, sums: &ArrayView<'_, i32>) -> tilewise::Result<()> {
    parallel_for_each!(on, numbers.extent().tile::<TILE>().pad(), |t| {
        #[tile_static]
        let part: [i32; TILE];
        let me = t.local[0];
        part[me] = if t.global[0] < COUNT { numbers[t] } else { 0 };
        t.barrier.wait();
        for half in [4, 2, 1] {
            if me < half {
                part[me] += part[me + half];
            }
            t.barrier.wait();
        }
        if me == 0 {
            sums[t.tile] = part[0];
        }
    })
}

fn main() -> tilewise::Result<()> {
    let reference = Accelerator::new(Accelerator::REFERENCE)?.default_view();
    let numbers: Vec<i32> = (1..=COUNT).collect();
    let numbers = ArrayView::read_only(COUNT, &numbers)?;
    let sums = ArrayView::<i32>::without_source(3)?;

    let refused = barrier_in_a_branch(&reference, &numbers, &sums);
    let Err(Error::Kernel(mistakes)) = refused else { panic!("the kernel is refused") };
    println!("refused before it runs:\n{}", mistakes.text.trim_end());

    let ended = return_past_the_end(&reference, &numbers, &sums);
    let Err(Error::BarrierDivergence(fault)) = ended else { panic!("the launch ends with an error") };
    println!("\nfound when it runs:\n{}", fault.text.trim_end());

    sums_of_tiles(&Accelerator::default().default_view(), &numbers, &sums)?;
    let sums = sums.into_vec()?;
    println!("\nmended: {sums:?}");
    tilewise_examples::record("sums", &sums);
    Ok(())
}
