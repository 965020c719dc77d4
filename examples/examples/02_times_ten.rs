//! Every number of a `Vec` times ten, twice: a view over the `Vec`, a kernel that reads and writes it, and a kernel
//! that is kept and launched again.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut data: Vec<i32> = (0..5).collect();

    let view = ArrayView::new(data.len(), &mut data)?;
    parallel_for_each!(view.extent(), |idx| {
        view[idx] = view[idx] * 10;
    })?;
    // The view borrows `data`; closing the last one gives it back, with everything that kernels wrote.
    view.close()?;
    println!("once: {data:?}");

    // `kernel!` makes a value of it: it can be stored, and launched as often as wanted.
    let view = ArrayView::of(&mut data);
    let times_ten = kernel!(|idx: Index<1>| {
        view[idx] *= 10;
    });
    parallel_for_each(view.extent(), &times_ten)?;
    parallel_for_each(view.section_to(2).extent(), &times_ten)?;
    drop(times_ten);
    view.close()?;
    println!("again, and the first two once more: {data:?}");
    Ok(())
}
