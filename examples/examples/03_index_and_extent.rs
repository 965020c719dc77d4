//! Positions and sizes: `Index` and `Extent` of rank 1 to 3, on the host and in a kernel. The most significant
//! component comes first, the last one is the fastest in memory.

use tilewise::prelude::*;

/// Looks elements up by index, in one, two and three dimensions.
fn lookups() -> tilewise::Result<()> {
    let numbers = [1, 2, 3, 4, 5];
    let line = ArrayView::read_only(5, &numbers)?;
    println!("line[2] = {}", line.get(Index::new(2))?);

    let numbers = [1, 2, 3, 4, 5, 6];
    let table = ArrayView::read_only((2, 3), &numbers)?;
    println!("table[1, 2] = {}", table.get(Index::new((1, 2)))?);

    let numbers: Vec<i32> = (1..=12).chain(1..=12).collect();
    let cuboid = ArrayView::read_only((2, 3, 4), &numbers)?;
    println!("cuboid[0, 1, 3] = {}", cuboid.get(Index::new((0, 1, 3)))?);

    let extent = cuboid.extent();
    println!("the cuboid has {} columns, {} rows, a depth of {}", extent[2], extent[1], extent[0]);
    Ok(())
}

/// What sizes can tell, and sums of positions.
fn arithmetic() {
    let extent = Extent::new((2, 3, 4));
    println!("{extent} holds {} elements", extent.size());
    println!("{} lies in it: {}", Index([1, 2, 3]), extent.contains(Index([1, 2, 3])));
    println!("{} lies in it: {}", Index([1, 3, 0]), extent.contains(Index([1, 3, 0])));
    println!("{}", Index([4, 5]) + Index([1, 1]) * 2 - 1);
    println!("{}", Extent([24, 50]) + Index([1, 1]));

    let tiled = Extent([25, 51]).tile::<4, 8>();
    println!(
        "in tiles of {}, {} is {} padded and {} truncated",
        tiled.tile_extent(),
        tiled.extent(),
        tiled.pad().extent(),
        tiled.truncate().extent()
    );
}

/// Each thread writes down who it is.
fn in_a_kernel() -> tilewise::Result<()> {
    let who = ArrayView::<i32, 3>::without_source((2, 3, 4))?;
    parallel_for_each!(who.extent(), |i| {
        who[i] = i[0] * 100 + i[1] * 10 + i[2];
    })?;
    let who = who.host()?;
    for plane in 0..2 {
        for row in 0..3 {
            println!("{:03?}", who.row((plane, row, 0)));
        }
    }
    Ok(())
}

fn main() -> tilewise::Result<()> {
    lookups()?;
    arithmetic();
    in_a_kernel()
}
