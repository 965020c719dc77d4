//! What a view can show: a section of it, one row, other elements in the same bytes, another shape. All of them are
//! handles to the same elements; none copies anything.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut numbers: Vec<i32> = (0..24).collect();
    let table = ArrayView::new((4, 6), &mut numbers)?;

    // The middle, and its own middle: positions count from a section's own origin.
    let middle = table.section((1, 1), (2, 4));
    let inner = middle.section((0, 1), (2, 2));
    parallel_for_each!(inner.extent(), |i| {
        inner[i] = 0;
    })?;

    // The last row, one rank lower. In a kernel, `table[0]` is such a row, too.
    let last: ArrayView<'_, i32> = table.project(3);
    parallel_for_each!(last.extent(), |i| {
        last[i] += table[0][5];
    })?;

    let host = table.host()?;
    for row in 0..4 {
        println!("{:2?}", host.row((row, 0)));
    }
    drop(host);
    drop((middle, inner, last));
    table.close()?;

    // The bits of numbers, and a line seen as a table.
    let floats = ArrayView::from_vec(6, vec![0.0f32, 1.0, -1.0, 0.5, 2.0, f32::INFINITY])?;
    let bits = floats.reinterpret_as::<u32>();
    let signs = ArrayView::<u32>::without_source(6)?;
    parallel_for_each!(bits.extent(), |i| {
        signs[i] = bits[i] >> 31;
    })?;
    println!("signs {:?}", signs.to_vec()?);
    println!("{:08x?} is the second row", bits.view_as((2, 3)).host()?.row((1, 0)));

    // A section that does not fit is an error, with the numbers.
    if let Err(error) = bits.try_section(4, 3) {
        println!("{error}");
    }
    Ok(())
}
