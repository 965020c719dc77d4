//! Atomic operations on `#[tile_static]` variables: a scalar, an array, an array of arrays; in range and out of it; alike on native, reference and jit.

use tilewise::prelude::*;
use tilewise::{Checks, Launch};

/// Four results of each of two tiles.
fn results(path: &str) -> Vec<i32> {
    // What is out of range and what is read as zero is meant here.
    let view = Accelerator::new(path).unwrap().view_builder().checks(Checks::NONE).create().unwrap();
    let mut out = [0; 8];
    let results = ArrayView::of(&mut out);
    parallel_for_each!(Launch::new(Extent::new(16).tile::<8>()).on(&view), |t| {
        #[tile_static]
        let total: i32;
        #[tile_static]
        let counts: [u32; 2];
        #[tile_static]
        let grid: [[i32; 3]; 2];
        let i = t.local[0];
        total.atomic().fetch_add(i);
        counts.atomic(i % 2).fetch_inc();
        // Outside in its second index, so that another row's element must not be met.
        grid.atomic((0, 3 + i)).fetch_add(100);
        grid.atomic((1, i % 3)).fetch_max(i);
        counts.atomic(i - 9).fetch_add(7);
        t.barrier.wait();
        if i == 0 {
            let at = t.tile[0] * 4;
            results[at] = total;
            results[at + 1] = counts[0] as i32 * 10 + counts[1] as i32;
            results[at + 2] = grid[1][0] * 100 + grid[1][1] * 10 + grid[1][2];
            let (before, replaced) = total.atomic().compare_exchange(28, 5);
            results[at + 3] = before * 100 + total * 10 + replaced as i32;
        }
    })
    .unwrap();
    results.to_vec().unwrap()
}

#[test]
fn atomics_of_tile_static_are_alike_on_all_targets() {
    let tile = [28, 44, 675, 2851];
    for path in ["native", "reference", "jit"] {
        assert_eq!(results(path), [tile, tile].concat(), "{path}");
    }
}
