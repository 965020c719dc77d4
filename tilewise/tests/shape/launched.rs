//! What threads of a tiled launch are given: `tiled_index` (TIX-1 to TIX-5), its barrier (BAR-1 to BAR-9) and the fences (FEN-1 to FEN-3).

use tilewise::prelude::*;
use tilewise::{Error, all_memory_fence, global_memory_fence, tile_static_memory_fence};

use crate::launchers;

/// Launches a kernel on every target and compares what it leaves in a view of the domain's size.
macro_rules! launched {
    ($($name:ident: $extent:expr, rank $n:literal tiles [$($d:literal),*], |$t:ident, $out:ident| $body:block gives |$i:ident| $expected:expr;)*) => {$(
        #[test]
        fn $name() {
            for (target, view) in launchers() {
                let extent = Extent::new($extent);
                let $out = ArrayView::<i32, _>::without_source(extent).expect("there is room");
                let kernel = kernel!(|$t: TiledIndex<$n, $($d),*>| $body);
                view.parallel_for_each(extent.tile::<$($d),*>(), &kernel).unwrap_or_else(|error| panic!("on {target}: {error}"));
                drop(kernel);
                for $i in extent.indices() {
                    assert_eq!($out.get($i).expect("it is there"), $expected, "at {} on {target}", $i);
                }
            }
        }
    )*};
}

launched! {
    tix_1_local_tile_and_origin_follow_from_global: (20, 24), rank 2 tiles [5, 4], |t, out| {
        let d = t.tile_extent();
        let tile = Index::new((t.global[0] / d[0], t.global[1] / d[1]));
        let local = Index::new((t.global[0] % d[0], t.global[1] % d[1]));
        let good = t.local == local && t.tile == tile && t.tile_origin == t.global - t.local;
        out[t.global] = if good { 1 } else { 0 };
    } gives |_i| 1;

    tix_1_in_one_dimension: 24, rank 1 tiles [8], |t, out| {
        out[t.global] = t.tile_origin[0] * 10000 + t.tile[0] * 100 + t.local[0];
    } gives |i| i[0] / 8 * 8 * 10000 + i[0] / 8 * 100 + i[0] % 8;

    tix_1_in_three_dimensions: (4, 6, 4), rank 3 tiles [2, 3, 2], |t, out| {
        out[t.global] = ((t.tile[0] * 2 + t.tile[1]) * 2 + t.tile[2]) * 100 + (t.local[0] * 3 + t.local[1]) * 2 + t.local[2];
    } gives |i| ((i[0] / 2 * 2 + i[1] / 3) * 2 + i[2] / 2) * 100 + (i[0] % 2 * 3 + i[1] % 3) * 2 + i[2] % 2;

    tix_2_a_tiled_index_is_a_position: (8, 6), rank 2 tiles [4, 3], |t, out| {
        let position: Index<2> = Index::from(t);
        out[t] = position[0] * 10 + Index::new(t)[1];
        out[t] += 100;
    } gives |i| i[0] * 10 + i[1] + 100;

    tix_3_tile_extent: (8, 6), rank 2 tiles [4, 3], |t, out| {
        let d = t.tile_extent();
        out[t] = d[0] * 1000 + d[1] * 100 + d.size() as i32;
    } gives |_i| 4312;

    tix_4_parts_are_kept_as_they_are_given: (4, 4), rank 2 tiles [2, 2], |t, out| {
        let own = TiledIndex::<2, 2, 2>::from_parts(t.global, t.global + 1, Index::new((7, 8)), Index::new((-1, -2)), t.barrier);
        own.barrier.wait();
        out[own] = own.local[0] * 1000 + own.tile[1] * 100 + own.tile_origin[1] * 10 + own.tile[0];
    } gives |i| (i[0] + 1) * 1000 + 800 - 20 + 7;

    bar_1_a_barrier_can_be_copied: 8, rank 1 tiles [4], |t, out| {
        #[tile_static]
        let shared: [i32; 4];
        let barrier = t.barrier;
        shared[t.local[0]] = t.global[0];
        barrier.wait();
        out[t] = shared[3 - t.local[0]];
    } gives |i| i[0] / 4 * 4 + 3 - i[0] % 4;

    bar_2_wait_shows_tile_static_and_views: 16, rank 1 tiles [8], |t, out| {
        #[tile_static]
        let shared: [i32; 8];
        shared[t.local[0]] = t.global[0];
        out[t] = t.global[0] * 100;
        t.barrier.wait();
        let from_tile = shared[7 - t.local[0]];
        let from_view = out[t.tile_origin[0] + 7 - t.local[0]];
        t.barrier.wait_with_all_memory_fence();
        out[t] = from_view + from_tile;
    } gives |i| (i[0] / 8 * 8 + 7 - i[0] % 8) * 101;

    bar_3_wait_with_global_memory_fence_shows_views: 16, rank 1 tiles [8], |t, out| {
        out[t] = t.global[0] + 5;
        t.barrier.wait_with_global_memory_fence();
        let other = out[t.tile_origin[0] + 7 - t.local[0]];
        t.barrier.wait_with_global_memory_fence();
        out[t] = other;
    } gives |i| i[0] / 8 * 8 + 7 - i[0] % 8 + 5;

    bar_4_wait_with_tile_static_memory_fence_shows_the_tile: (4, 4), rank 2 tiles [2, 2], |t, out| {
        #[tile_static]
        let shared: [[i32; 2]; 2];
        shared[t.local[0]][t.local[1]] = t.global[0] * 4 + t.global[1];
        t.barrier.wait_with_tile_static_memory_fence();
        out[t] = shared[0][0] + shared[0][1] + shared[1][0] + shared[1][1];
    } gives |i| { let (y, x) = (i[0] / 2 * 2, i[1] / 2 * 2); (4 * y + x) * 4 + 10 };

    bar_7_in_uniform_loops_ifs_and_matches: 16, rank 1 tiles [8], |t, out| {
        #[tile_static]
        let shared: [i32; 8];
        let local = t.local[0];
        shared[local] = 1;
        t.barrier.wait();
        let mut step = 1;
        while step < 8 {
            let other = if local >= step { shared[local - step] } else { 0 };
            t.barrier.wait();
            shared[local] += other;
            t.barrier.wait();
            step *= 2;
        }
        for round in 0..3 {
            if round == 1 {
                t.barrier.wait();
            } else {
                match t.tile[0] {
                    0 => t.barrier.wait(),
                    _ => {
                        t.barrier.wait();
                        shared[local] += 0;
                    }
                }
            }
        }
        loop {
            t.barrier.wait();
            break;
        }
        out[t] = shared[local];
    } gives |i| i[0] % 8 + 1;

    bar_7_twenty_five_blocks_deep: 4, rank 1 tiles [4], |t, out| {
        #[tile_static]
        let shared: [i32; 4];
        shared[t.local[0]] = t.local[0];
        {{{{{{{{{{{{{{{{{{{{{{{{{ t.barrier.wait(); }}}}}}}}}}}}}}}}}}}}}}}}}
        out[t] = shared[3 - t.local[0]];
    } gives |i| 3 - i[0];

    fen_1_to_3_are_legal_in_divergent_flow: 8, rank 1 tiles [4], |t, out| {
        out[t] = 1;
        if t.local[0] % 2 == 0 {
            all_memory_fence(&t.barrier);
            out[t] += 10;
            if t.local[0] == 2 {
                global_memory_fence(&t.barrier);
                out[t] += 100;
            }
        } else {
            tile_static_memory_fence(&t.barrier);
            out[t] += 1000;
        }
    } gives |i| match i[0] % 4 { 0 => 11, 2 => 111, _ => 1001 };
}

#[amp]
fn meet(barrier: &TileBarrier, rounds: i32) -> i32 {
    for _ in 0..rounds {
        barrier.wait();
    }
    all_memory_fence(barrier);
    rounds
}

launched! {
    bar_1_functions_take_a_barrier: 8, rank 1 tiles [4], |t, out| {
        out[t] = meet(&t.barrier, 3) + t.global[0];
    } gives |i| 3 + i[0];
}

#[test]
fn tix_5_the_worked_example() {
    for (target, view) in launchers() {
        let out = ArrayView::from_vec(7, vec![0; 7]).expect("it fits");
        let kernel = kernel!(|t: TiledIndex<2, 5, 4>| {
            if t.global == Index::new((6, 9)) {
                let (tile, local, origin) = (t.tile, t.local, t.tile_origin);
                out[0] = tile[0];
                out[1] = tile[1];
                out[2] = local[0];
                out[3] = local[1];
                out[4] = origin[0];
                out[5] = origin[1];
            }
            if t.local == Index::<2>::ZERO {
                out.atomic(6).fetch_add(1);
            }
        });
        view.parallel_for_each(Extent::new((20, 24)).tile::<5, 4>(), &kernel)
            .unwrap_or_else(|error| panic!("on {target}: {error}"));
        drop(kernel);
        assert_eq!(out.to_vec().expect("it is done"), [1, 2, 1, 1, 5, 8, 24], "on {target}");
    }
}

/// The checker of kernels proves the divergence before anything runs, also on `native`.
fn refused(error: &Error, code: &str) -> bool {
    matches!(error, Error::Kernel(diagnostics) if diagnostics.codes == [code])
}

#[test]
fn bar_5_a_barrier_that_only_some_threads_reach_is_an_error() {
    for (target, view) in launchers() {
        let out = ArrayView::<i32, 1>::without_source(8).expect("there is room");
        let divergent = kernel!(|t: TiledIndex<1, 4>| {
            if t.local[0] == 0 {
                t.barrier.wait();
            }
            out[t] = 1;
        });
        let error = view.parallel_for_each(Extent::new(8).tile::<4>(), &divergent).expect_err(&target);
        assert!(refused(&error, "K0501"), "on {target}: {error}");

        let left_behind = kernel!(|t: TiledIndex<1, 4>| {
            if t.local[0] == 3 {
                return;
            }
            t.barrier.wait();
            out[t] = 1;
        });
        let error = view.parallel_for_each(Extent::new(8).tile::<4>(), &left_behind).expect_err(&target);
        assert!(refused(&error, "K0502"), "on {target}: {error}");
    }
}

#[test]
fn bar_9_a_lock_of_atomics_and_barriers_makes_progress() {
    for (target, view) in launchers() {
        let lock = ArrayView::from_vec(1, vec![0; 1]).expect("it fits");
        let order = ArrayView::from_vec(1, vec![0; 1]).expect("it fits");
        let kernel = kernel!(|t: TiledIndex<1, 4>| {
            let mut done = false;
            for _ in 0..4 {
                if !done && lock.atomic(0).exchange(1) == 0 {
                    order.atomic(0).fetch_add(10 + t.local[0]);
                    done = true;
                }
                t.barrier.wait();
                if done {
                    lock.atomic(0).exchange(0);
                }
                t.barrier.wait();
            }
        });
        view.parallel_for_each(Extent::new(4).tile::<4>(), &kernel)
            .unwrap_or_else(|error| panic!("on {target}: {error}"));
        drop(kernel);
        assert_eq!(order.get(0).expect("it is done"), 46, "on {target}");
    }
}
