//! A data race, found and mended. A kernel smooths a line in place: its threads read elements that other threads
//! write. One thread after the other, as `native` runs them, the result looks smooth, and is wrong. The accelerator
//! `reference` names both accesses and their threads, in whatever order it ran them.

use tilewise::Error;
use tilewise::prelude::*;

/// Wrong: each thread reads what its neighbours write.
fn smooth_in_place(on: &AcceleratorView, line: &ArrayView<'_, i32>) -> tilewise::Result<()> {
    let last = line.extent()[0] - 1;
    parallel_for_each!(on, line.extent(), |i| {
        let left = line[(i[0] - 1).max(0)];
        let right = line[(i[0] + 1).min(last)];
        line[i] = (left + 2 * line[i] + right) / 4;
    })
}

/// Right: no thread writes what another reads.
fn smooth(on: &AcceleratorView, from: &ReadView<'_, i32>, to: &ArrayView<'_, i32>) -> tilewise::Result<()> {
    let last = from.extent()[0] - 1;
    parallel_for_each!(on, to.extent(), |i| {
        let left = from[(i[0] - 1).max(0)];
        let right = from[(i[0] + 1).min(last)];
        to[i] = (left + 2 * from[i] + right) / 4;
    })
}

fn main() -> tilewise::Result<()> {
    let native = Accelerator::new(Accelerator::NATIVE)?.default_view();
    let reference = Accelerator::new(Accelerator::REFERENCE)?.default_view();
    let line = [0, 0, 0, 64, 64, 0, 0, 0];

    let in_place = ArrayView::from_vec(8, line.to_vec())?;
    smooth_in_place(&native, &in_place)?;
    println!("in place, thread after thread: {:2?}", in_place.to_vec()?);

    let Err(Error::DataRace(race)) = smooth_in_place(&reference, &in_place) else { panic!("there is a race") };
    println!("\n{}", race.text.trim_end());

    // The same checks find nothing here, and every accelerator gives the same.
    let from = ArrayView::read_only(8, &line)?;
    let to = ArrayView::<i32>::without_source(8)?;
    smooth(&reference, &from, &to)?;
    let checked = to.to_vec()?;
    smooth(&Accelerator::default().default_view(), &from, &to)?;
    let smoothed = to.into_vec()?;
    assert_eq!(smoothed, checked);
    println!("\nfrom one view into another:    {smoothed:2?}");
    tilewise_examples::record("smoothed", &smoothed);
    Ok(())
}
