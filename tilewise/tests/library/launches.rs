//! Launches and what is seen after them: sections 6 and 11 of the catalogue.

use tilewise::{
    Accelerator, Array, ArrayView, Checks, Domain, Error, Extent, FloatMode, Index, Kernel, Launch, Result,
};
use tilewise::{copy, kernel, parallel_for_each};

use crate::launchers;

/// Every index of these domains runs once: each thread adds its number, counted from 1 in memory order, to its element.
macro_rules! ranks {
    ($($name:ident: $n:literal in $extents:expr;)*) => {$(
        #[test]
        fn $name() -> Result<()> {
            for av in launchers() {
                let extents: &[[i32; $n]] = &$extents;
                for &components in extents {
                    let extent = Extent(components);
                    let out = ArrayView::from_vec(extent, vec![0; extent.size() as usize])?;
                    parallel_for_each!(&av, extent, |i| {
                        let mut flat = 0;
                        for d in 0..$n {
                            flat = flat * extent[d] + i[d];
                        }
                        out.atomic(i).fetch_add(flat + 1);
                    })?;
                    assert_eq!(out.into_vec()?, (1..=extent.size() as i32).collect::<Vec<_>>(), "{extent} on {av:?}");
                }
            }
            Ok(())
        }
    )*};
}

/// Components of rank 128 that are 1 but for some.
fn many(parts: &[(usize, i32)]) -> [i32; 128] {
    let mut out = [1; 128];
    parts.iter().for_each(|&(at, component)| out[at] = component);
    out
}

ranks! {
    pfe_2_every_index_of_rank_1_runs_once: 1 in [[1], [255], [1024], [1025]];
    pfe_2_every_index_of_rank_2_runs_once: 2 in [[1, 1], [1, 255], [32, 8], [25, 41]];
    pfe_2_every_index_of_rank_3_runs_once: 3 in [[1, 10, 1], [3, 5, 17], [256, 2, 2], [5, 5, 41]];
    pfe_2_every_index_of_rank_4_runs_once: 4 in [[1, 1, 1, 7], [2, 3, 4, 5], [9, 1, 8, 2]];
    pfe_2_every_index_of_rank_5_runs_once: 5 in [[2, 3, 1, 5, 7], [4, 4, 4, 4, 4]];
    pfe_2_every_index_of_rank_128_runs_once: 128 in [
        many(&[]),
        many(&[(0, 3), (64, 9), (127, 10)]),
        many(&[(1, 2), (2, 16), (100, 32)]),
    ];
}

#[test]
fn pfe_1_every_form_of_a_launch_on_every_accelerator() -> Result<()> {
    for av in launchers() {
        let out = Array::<i32, 2>::builder((4, 6)).on(&av).build_from(&[0; 24])?;
        let extent = out.extent();
        let (plain, tiled) =
            (kernel!(|i: Index<2>| out[i] += 1), kernel!(|t: tilewise::TiledIndex<2, 2, 3>| out[t] += 10));
        // The captured array says where, or the view does.
        parallel_for_each(extent, &plain)?;
        parallel_for_each(extent.tile::<2, 3>(), &tiled)?;
        av.parallel_for_each(extent, &plain)?;
        av.parallel_for_each(extent.tile::<2, 3>(), &tiled)?;
        parallel_for_each!(extent, |i| out[i] += 100)?;
        parallel_for_each!(&av, extent.tile::<2, 3>(), |t| out[t] += 1000)?;
        Launch::new(extent).on(&av).run(&plain)?;
        assert_eq!(out.to_vec()?, [1123; 24], "{av:?}");
    }
    Ok(())
}

/// What a domain is refused with; nothing may run.
fn refused<D: Domain>(av: &tilewise::AcceleratorView, domain: D, kernel: &Kernel<'_, D::Index>) -> String {
    match av.parallel_for_each(domain, kernel) {
        Err(Error::InvalidComputeDomain(shape)) => shape.message,
        other => panic!("{other:?} on {av:?}"),
    }
}

#[test]
fn pfe_3_domains_that_cannot_be_are_refused_everywhere() -> Result<()> {
    for av in launchers() {
        let ran = ArrayView::from_vec(1, vec![0])?;
        let one = kernel!(|_i: Index<1>| ran[0] = 1);
        let two = kernel!(|_i: Index<2>| ran[0] = 1);
        let three = kernel!(|_i: Index<3>| ran[0] = 1);
        let deep = kernel!(|_i: Index<128>| ran[0] = 1);
        for bad in [-1, 0, i32::MIN] {
            assert!(refused(&av, Extent([bad]), &one).contains("at least 1"));
        }
        for bad in [[-2, 3], [-2, -2], [0, -1], [i32::MIN, i32::MIN], [5, 0]] {
            assert!(refused(&av, Extent(bad), &two).contains("at least 1"));
        }
        for bad in [[8, -1, 8], [0, 0, 0], [1, 1, 0]] {
            assert!(refused(&av, Extent(bad), &three).contains("at least 1"));
        }
        for bad in [[-1; 128], many(&[(77, -2)]), [i32::MIN; 128]] {
            assert!(refused(&av, Extent(bad), &deep).contains("at least 1"));
        }
        assert!(refused(&av, Extent([65536, 65536]), &two).contains("4294967295"));
        assert!(refused(&av, Extent([i32::MAX, 3]), &two).contains("4294967295"));
        drop((one, two, three, deep));
        assert_eq!(ran.to_vec()?, [0], "{av:?}");
    }
    Ok(())
}

#[test]
fn pfe_4_tiles_that_do_not_divide_are_refused_everywhere() -> Result<()> {
    for av in launchers() {
        let ran = ArrayView::from_vec(1, vec![0])?;
        let first = kernel!(|_t: tilewise::TiledIndex<3, 3, 3, 7>| ran[0] = 1);
        let second = kernel!(|_t: tilewise::TiledIndex<3, 2, 2, 7>| ran[0] = 1);
        let third = kernel!(|_t: tilewise::TiledIndex<3, 2, 3, 5>| ran[0] = 1);
        let pair = kernel!(|_t: tilewise::TiledIndex<3, 1, 1, 2>| ran[0] = 1);
        let extent = Extent([4, 9, 49]);
        refused(&av, extent.tile::<3, 3, 7>(), &first);
        refused(&av, extent.tile::<2, 2, 7>(), &second);
        assert!(refused(&av, extent.tile::<2, 3, 5>(), &third).contains("49"));
        refused(&av, Extent([1, 1, 1]).tile::<1, 1, 2>(), &pair);
        refused(&av, Extent([1, 1, i32::MAX]).tile::<1, 1, 2>(), &pair);
        drop((first, second, third, pair));
        assert_eq!(ran.to_vec()?, [0], "{av:?}");
    }
    Ok(())
}

#[test]
fn pfe_5_the_largest_tiles_add_vectors() -> Result<()> {
    macro_rules! adds {
        ($av:ident: $($extent:expr, [$($d:literal),*];)*) => {$(
            for tiles in [1, 2] {
                let mut extent = Extent($extent);
                extent[0] *= tiles;
                let size = extent.size() as i32;
                let a = ArrayView::from_vec(extent, (0..size).collect())?;
                let b = ArrayView::from_vec(extent, (0..size).map(|x| x * 1000).collect())?;
                let c = ArrayView::from_vec(extent, vec![0; size as usize])?;
                parallel_for_each!($av, extent.tile::<$($d),*>(), |t| c[t] = a[t] + b[t])?;
                assert_eq!(c.to_vec()?, (0..size).map(|x| x * 1001).collect::<Vec<_>>(), "{extent} on {:?}", $av);
            }
        )*};
    }
    for av in launchers() {
        let av = &av;
        adds! { av:
            [1024], [1024];
            [1, 1024], [1, 1024];
            [1024, 1], [1024, 1];
            [128, 8], [128, 8];
            [1, 1, 1024], [1, 1, 1024];
            [1, 1024, 1], [1, 1024, 1];
            [64, 1, 1], [64, 1, 1];
            [64, 4, 4], [64, 4, 4];
        }
    }
    Ok(())
}

#[test]
fn pfe_7_values_are_captured_by_copy_and_views_by_handle() -> Result<()> {
    for av in launchers() {
        let out = ArrayView::from_vec(4, vec![0.0f32; 4])?;
        let (mut on, scale, pair, weights) = (true, 2.0f32, (3, 0.25f32), [1.0f32, 10.0, 100.0, 1000.0]);
        let fill = kernel!(|i: Index<1>| {
            if on {
                out[i] = scale * weights[i[0]] + pair.1 * pair.0 as f32;
            }
        });
        on = !on;
        let section = out.section(1, 2);
        drop(out);
        av.parallel_for_each(Extent([4]), &fill)?;
        assert_eq!(section.to_vec()?, [20.75, 200.75], "{av:?} {on}");
    }
    Ok(())
}

#[test]
fn pfe_9_a_launch_that_cannot_be_says_why_and_does_nothing() -> Result<()> {
    for av in launchers() {
        let view = ArrayView::from_vec(4, vec![7; 4])?;
        let guard = view.host()?;
        let result = parallel_for_each!(&av, view.extent(), |i| view[i] = 1);
        assert!(matches!(result, Err(Error::Borrowed(_))), "{result:?} on {av:?}");
        drop(guard);
        let other = Accelerator::all().into_iter().find(|other| other != av.accelerator()).expect("there are several");
        let array = Array::<i32>::builder(4).on(&other.default_view()).build_from(&[8; 4])?;
        let result = parallel_for_each!(&av, view.extent(), |i| view[i] = array[i]);
        assert!(matches!(result, Err(Error::Accelerator(_))), "{result:?} on {av:?}");
        assert_eq!(view.to_vec()?, [7; 4]);
    }
    Ok(())
}

#[test]
fn mem_1_threads_of_a_tile_take_turns_at_barriers() -> Result<()> {
    for av in launchers() {
        let out = ArrayView::from_vec(32, vec![0; 32])?;
        parallel_for_each!(&av, Extent([32]).tile::<16>(), |t| {
            #[tile_static]
            let turn: i32;
            if t.local[0] == 0 {
                turn = 0;
            }
            t.barrier.wait();
            for _ in 0..16 {
                let now = turn;
                t.barrier.wait();
                if now == t.local[0] {
                    turn = now + 1;
                    out[t] = now;
                }
                t.barrier.wait();
            }
        })?;
        assert_eq!(out.to_vec()?, (0..32).map(|x| x % 16).collect::<Vec<_>>(), "{av:?}");
    }
    Ok(())
}

#[test]
fn mem_2_each_place_has_one_order_of_its_atomics() -> Result<()> {
    for av in launchers() {
        // What each thread reads twice of a place that only grows does not fall.
        let place = ArrayView::from_vec(1, vec![0])?;
        let falls = ArrayView::from_vec(1, vec![0])?;
        parallel_for_each!(&av, Extent([512]), |_i| {
            let first = place.atomic(0).fetch_add(1);
            let second = place.atomic(0).fetch_add(0);
            if second <= first {
                falls.atomic(0).fetch_inc();
            }
        })?;
        assert_eq!((place.get(0)?, falls.get(0)?), (512, 0), "{av:?}");
    }
    Ok(())
}

#[test]
fn mem_3_tiles_speak_to_each_other_by_atomics() -> Result<()> {
    for av in launchers() {
        // The tile that comes last, by the counter, adds up what the others left with atomics.
        let (parts, state) = (ArrayView::from_vec(8, vec![0; 8])?, ArrayView::from_vec(2, vec![0; 2])?);
        parallel_for_each!(&av, Extent([64]).tile::<8>(), |t| {
            parts.atomic(t.tile).fetch_add(t.global[0]);
            t.barrier.wait();
            if t.local[0] == 0 && state.atomic(0).fetch_inc() == 7 {
                for n in 0..8 {
                    state.atomic(1).fetch_add(parts.atomic(n).fetch_add(0));
                }
            }
        })?;
        assert_eq!(state.to_vec()?, [8, (0..64).sum()], "{av:?}");
    }
    Ok(())
}

#[test]
fn mem_4_reads_and_atomics_of_one_place_go_together() -> Result<()> {
    for av in launchers() {
        let (place, read) = (ArrayView::from_vec(2, vec![5, 6])?, ArrayView::from_vec(64, vec![0; 64])?);
        parallel_for_each!(&av, read.extent(), |i| {
            read[i] = place[0];
            place.atomic(1).fetch_max(place[0] + i[0]);
        })?;
        assert_eq!((read.to_vec()?, place.to_vec()?), (vec![5; 64], vec![5, 68]), "{av:?}");
    }
    Ok(())
}

#[test]
fn mem_5_what_barriers_order_is_seen_in_that_order() -> Result<()> {
    for av in launchers() {
        let out = ArrayView::from_vec(64, (0..64).collect())?;
        parallel_for_each!(&av, Extent([64]).tile::<16>(), |t| {
            for _ in 0..5 {
                let next = out[t.tile_origin[0] + (t.local[0] + 1) % 16];
                t.barrier.wait();
                out[t] = next;
                t.barrier.wait();
            }
        })?;
        let expected: Vec<i32> = (0..64).map(|x| x / 16 * 16 + (x + 5) % 16).collect();
        assert_eq!(out.to_vec()?, expected, "{av:?}");
    }
    Ok(())
}

#[test]
fn mem_7_what_lies_outside_is_neither_read_nor_written() -> Result<()> {
    for av in launchers() {
        // The interpreter would report it.
        let quiet = match av.accelerator().path() {
            Accelerator::REFERENCE => av.accelerator().view_builder().checks(Checks::NONE).create()?,
            _ => av,
        };
        let mut data = vec![9; 64];
        let all = ArrayView::of(&mut data);
        let (part, seen) = (all.section(16, 8), ArrayView::from_vec(64, vec![1; 64])?);
        parallel_for_each!(&quiet, Extent([64]), |i| {
            seen[i] = part[i[0] - 16];
            part[i[0] - 16] = 5;
        })?;
        drop((part, all));
        let inside = |at: usize| (16..24).contains(&at);
        assert!(data.iter().enumerate().all(|(at, &x)| x == if inside(at) { 5 } else { 9 }), "{data:?} {quiet:?}");
        assert!(seen.to_vec()?.iter().enumerate().all(|(at, &x)| x == if inside(at) { 9 } else { 0 }), "{quiet:?}");
    }
    Ok(())
}

#[test]
fn mem_9_a_copy_writes_all_of_its_target_and_nothing_else() -> Result<()> {
    for av in launchers() {
        let source = Array::<i32, 2>::builder((8, 8)).on(&av).build_from(&(0..64).collect::<Vec<_>>())?;
        let target = Array::<i32, 2>::builder((8, 8)).on(&av).build_from(&[-1; 64])?;
        copy(&source.section((1, 2), (3, 5)), &target.section((4, 3), (3, 5)))?;
        for (at, found) in target.extent().indices().zip(target.to_vec()?) {
            let from = at - Index([3, 1]);
            let inside = (4..7).contains(&at[0]) && (3..8).contains(&at[1]);
            assert_eq!(found, if inside { from[0] * 8 + from[1] } else { -1 }, "{at} on {av:?}");
        }
    }
    Ok(())
}

#[test]
fn mem_10_floats_are_neither_fused_nor_widened() -> Result<()> {
    let inputs: Vec<f32> = (0..256).map(|i| 1.0 + (i as f32) * 1.192_092_9e-7 * 977.0).collect();
    let chain = |x: f32| {
        let mut sum = x;
        for _ in 0..10 {
            sum = sum * x - 0.333_333_34;
            sum = sum * sum + 1.0e-4;
        }
        sum
    };
    let expected: Vec<u32> = inputs.iter().map(|&x| chain(x).to_bits()).collect();
    for av in launchers() {
        let (input, output) = (ArrayView::read_only(256, &inputs)?, ArrayView::from_vec(256, vec![0.0f32; 256])?);
        let run = kernel!(|i: Index<1>| {
            let x = input[i];
            let mut sum = x;
            for _ in 0..10 {
                sum = sum * x - 0.333_333_34;
                sum = sum * sum + 1.0e-4;
            }
            output[i] = sum;
        });
        let mode = Launch::new(input.extent()).on(&av).run(&run)?;
        assert_eq!(mode, av.accelerator().float_mode(), "{av:?}");
        drop(run);
        if mode == FloatMode::Strict {
            let found: Vec<u32> = output.to_vec()?.iter().map(|x| x.to_bits()).collect();
            assert_eq!(found, expected, "{av:?}");
        }
    }
    Ok(())
}
