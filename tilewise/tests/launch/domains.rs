//! PFE-1 to PFE-5: what can be launched over, and that every index runs once.

use std::sync::atomic::{AtomicU32, Ordering};

use tilewise::macro_support::Bindings;
use tilewise::{
    Accelerator, ArrayView, Domain, Error, Extent, Index, IntoLaunch, Launch, TiledIndex, parallel_for_each,
};

use crate::{by_hand, native};

/// Runs over a domain and checks that each index comes once, and in order.
fn runs_all<const N: usize>(extent: [i32; N]) {
    let extent = Extent(extent);
    let count = AtomicU32::new(0);
    let expected: Vec<Index<N>> = extent.indices().collect();
    let kernel = by_hand(
        |index: Index<N>| assert_eq!(index, expected[count.fetch_add(1, Ordering::Relaxed) as usize]),
        Bindings::NEW,
    );
    native().parallel_for_each(extent, &kernel).unwrap();
    assert_eq!(count.load(Ordering::Relaxed), extent.size(), "{extent}");
}

#[test]
fn pfe_2_every_index_runs_once_in_order() {
    for e in [1, 255, 1024, 1025] {
        runs_all([e]);
    }
    for e in [[1, 1], [1, 255], [32, 8], [25, 41]] {
        runs_all(e);
    }
    for e in [[1, 10, 1], [3, 5, 17], [256, 2, 2], [5, 5, 41]] {
        runs_all(e);
    }
    runs_all([2, 3, 1, 5, 7]);
    let mut many = [1; 128];
    (many[0], many[64], many[127]) = (3, 9, 10);
    runs_all(many);
}

#[test]
fn pfe_1_every_form_of_a_launch() {
    let count = AtomicU32::new(0);
    let kernel = by_hand(
        |_: Index<2>| {
            count.fetch_add(1, Ordering::Relaxed);
        },
        Bindings::NEW,
    );
    let tiled = by_hand(
        |_: TiledIndex<2, 2, 3>| {
            count.fetch_add(1, Ordering::Relaxed);
        },
        Bindings::NEW,
    );
    let (extent, view) = (Extent([4, 6]), native());
    view.parallel_for_each(extent, &kernel).unwrap();
    view.parallel_for_each(extent.tile::<2, 3>(), &tiled).unwrap();
    Launch::new(extent).on(&view).run(&kernel).unwrap();
    (&view, extent).into_launch().run(&kernel).unwrap();
    (view.clone(), extent.tile::<2, 3>()).into_launch().run(&tiled).unwrap();
    Launch::new(extent).into_launch().on(&view).run(&kernel).unwrap();
    assert_eq!(count.load(Ordering::Relaxed), 6 * 24);
}

fn refused<D: Domain>(domain: D) -> (String, Option<usize>) {
    let kernel = by_hand(|_: D::Index| panic!("nothing runs"), Bindings::NEW);
    match native().parallel_for_each(domain, &kernel) {
        Err(Error::InvalidComputeDomain(shape)) => (shape.message, shape.dimension),
        other => panic!("{other:?}"),
    }
}

#[test]
fn pfe_3_components_are_positive() {
    for (extent, dimension) in [([-2, 3], 0), ([-2, -2], 0), ([0, -1], 0), ([i32::MIN, i32::MIN], 0), ([1, 0], 1)] {
        let (message, at) = refused(Extent(extent));
        assert_eq!(at, Some(dimension));
        assert!(message.contains("at least 1"), "{message}");
    }
    refused(Extent([-1]));
    refused(Extent([0]));
    refused(Extent([8, -1, 8]));
    let mut many = [1; 128];
    many[100] = -2;
    assert_eq!(refused(Extent(many)).1, Some(100));
    refused(Extent([0, 0]).tile::<2, 2>());
    refused(Extent([-4, 4]).tile::<2, 2>());
}

#[test]
fn pfe_3_there_are_at_most_2_to_the_32_threads() {
    let (message, at) = refused(Extent([65536, 65536]));
    assert_eq!(at, None);
    assert!(message.contains("4294967295"), "{message}");
    refused(Extent([i32::MAX; 128]));
    refused(Extent([i32::MAX, 3]));
}

#[test]
fn pfe_4_the_tile_divides_the_domain() {
    assert_eq!(refused(Extent([4, 9, 49]).tile::<3, 3, 7>()).1, Some(0));
    assert_eq!(refused(Extent([4, 9, 49]).tile::<2, 2, 7>()).1, Some(1));
    let (message, at) = refused(Extent([4, 9, 49]).tile::<2, 3, 5>());
    assert_eq!(at, Some(2));
    assert!(message.contains("49") && message.contains('5') && message.contains("pad"), "{message}");
    refused(Extent([1, 1, 1]).tile::<1, 1, 2>());
    refused(Extent([1, 1, i32::MAX]).tile::<1, 1, 2>());
}

#[test]
fn pfe_5_tiles_at_the_limits_run() {
    fn runs<D: Domain>(domain: D, threads: u32) {
        let count = AtomicU32::new(0);
        let kernel = by_hand(
            |_: D::Index| {
                count.fetch_add(1, Ordering::Relaxed);
            },
            Bindings::NEW,
        );
        native().parallel_for_each(domain, &kernel).unwrap();
        assert_eq!(count.load(Ordering::Relaxed), threads);
    }
    runs(Extent([1, 1, 1024]).tile::<1, 1, 1024>(), 1024);
    runs(Extent([1, 2048, 1]).tile::<1, 1024, 1>(), 2048);
    runs(Extent([64, 1, 1]).tile::<64, 1, 1>(), 64);
    runs(Extent([64, 4, 8]).tile::<64, 4, 4>(), 2048);
    runs(Extent([1, 1024]).tile::<1, 1024>(), 1024);
    runs(Extent([1024, 2]).tile::<1024, 1>(), 2048);
    runs(Extent([128, 16]).tile::<128, 8>(), 2048);
    runs(Extent([2048]).tile::<1024>(), 2048);
    // More tiles in a dimension than AMP's 65535.
    runs(Extent([70_000]).tile::<1>(), 70_000);
}

#[test]
fn the_parts_of_a_tiled_index_agree() {
    let extent = Extent([6, 4]);
    let kernel = by_hand(
        |t: TiledIndex<2, 3, 2>| {
            assert_eq!(t.tile_origin + t.local, t.global);
            assert_eq!([t.tile[0] * 3, t.tile[1] * 2], t.tile_origin.0);
            assert!(Extent([3, 2]).contains(t.local) && Extent([2, 2]).contains(t.tile));
        },
        Bindings::NEW,
    );
    native().parallel_for_each(extent.tile::<3, 2>(), &kernel).unwrap();
}

#[test]
fn pfe_2_ranks_that_kernels_do_not_have_are_refused_on_every_accelerator() {
    fn refused<const N: usize>() {
        let view = ArrayView::from_vec(1, vec![0]).unwrap();
        for accelerator in Accelerator::all().into_iter().filter(|a| a.path() != Accelerator::CPU) {
            let launched = parallel_for_each!(&accelerator.default_view(), Extent([1; N]), |_i| view[0] = 1);
            let Err(Error::InvalidComputeDomain(shape)) = launched else { panic!("{accelerator}: {launched:?}") };
            assert!(shape.message.contains(&format!("rank {N}")), "{}", shape.message);
        }
        assert_eq!(view.get(0).unwrap(), 0);
    }
    refused::<0>();
    refused::<129>();
    refused::<1000>();
}

#[test]
fn a_refused_domain_names_the_line_of_the_kernel() {
    let view = ArrayView::from_vec(1, vec![0]).unwrap();
    let line = line!() + 1;
    let launched = parallel_for_each!(&native(), Extent([0]), |_i| view[0] = 1);
    let text = launched.unwrap_err().to_string();
    assert!(text.contains(&format!("domains.rs:{line}:")), "{text}");
}
