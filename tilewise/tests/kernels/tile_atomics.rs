//! Atomic operations on `tile_static` variables.

use tilewise::parallel_for_each;
use tilewise::prelude::*;

use crate::{TARGETS, view};

/// Threads of a tile.
const TILE: usize = 8;

#[test]
fn threads_of_a_tile_count_in_its_own_memory() {
    for path in TARGETS {
        let totals = ArrayView::from_vec(2, vec![0; 2]).unwrap();
        let thirds = ArrayView::from_vec(3, vec![0u32; 3]).unwrap();
        parallel_for_each!(&view(path), Extent([16]).tile::<TILE>(), |t| {
            #[tile_static]
            let total: i32;
            #[tile_static]
            let counts: [u32; 3];
            if t.local[0] == 0 {
                total = 100;
                for i in 0..3 {
                    counts[i] = 0;
                }
            }
            t.barrier.wait();
            total.atomic().fetch_add(t.global[0]);
            counts.atomic(t.global[0] % 3).fetch_inc();
            t.barrier.wait();
            if t.local[0] == 0 {
                totals[t.tile] = total;
            }
            if t.local[0] < 3 {
                thirds.atomic(t.local).fetch_add(counts[t.local[0]]);
            }
        })
        .unwrap();
        assert_eq!(totals.to_vec().unwrap(), [100 + 28, 100 + 92], "{path}");
        assert_eq!(thirds.to_vec().unwrap(), [6, 5, 5], "{path}");
    }
}

#[test]
fn one_thread_wins_an_exchange() {
    for path in TARGETS {
        let winners = ArrayView::from_vec(3, vec![0; 3]).unwrap();
        parallel_for_each!(&view(path), Extent([24]).tile::<TILE>(), |t| {
            #[tile_static]
            let owner: [i32; 1];
            if t.local[0] == 0 {
                owner[0] = -1;
            }
            t.barrier.wait();
            let (before, stored) = owner.atomic(0).compare_exchange(-1, t.local[0]);
            if stored && before == -1 {
                winners.atomic(t.tile).fetch_add(1);
            }
        })
        .unwrap();
        assert_eq!(winners.to_vec().unwrap(), [1; 3], "{path}");
    }
}
