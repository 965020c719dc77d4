//! Atomic operations: section 13 of the catalogue, on elements of views, of arrays and of `tile_static` memory.

use tilewise::vector::Int3;
use tilewise::{Accelerator, AcceleratorView, Array, ArrayView, Error, Extent, Result, parallel_for_each};

use crate::{launchers, text};

/// Tests of one operation: name, type, value before; the operation with `n`, a number of the thread; what it makes of value and number.
macro_rules! operations {
    ($($name:ident: $t:ty, $start:expr, $op:ident |$n:ident| $args:tt, $host:expr;)*) => {$(
        #[test]
        fn $name() -> Result<()> {
            let (start, host): ($t, fn($t, $t) -> $t) = ($start, $host);
            let after = |numbers: std::ops::Range<i32>| numbers.fold(start, |value, n| host(value, n as $t));
            for av in launchers() {
                // Element 0 is the place, element 1 is what the operation gave.
                let view = ArrayView::from_vec(2, vec![start; 2])?;
                let array = Array::<$t>::builder(2).on(&av).build_from(&[start; 2])?;
                let tile = ArrayView::from_vec(2, vec![start; 2])?;
                let seven = 7 as $t;
                parallel_for_each!(&av, Extent([1]).tile::<1>(), |t| {
                    #[tile_static]
                    let cell: $t;
                    cell = start;
                    let $n = seven;
                    view[1] = view.atomic(0).$op $args;
                    array[1] = array.atomic(0).$op $args;
                    tile[1] = cell.atomic().$op $args;
                    tile[t.local[0]] = cell;
                    let _ = $n;
                })?;
                let once = [after(7..8), start];
                assert_eq!(view.to_vec()?, once, "a view, {av:?}");
                assert_eq!(array.to_vec()?, once, "an array, {av:?}");
                assert_eq!(tile.to_vec()?, once, "tile_static, {av:?}");

                let view = ArrayView::from_vec(1, vec![start])?;
                let array = Array::<$t>::builder(1).on(&av).build_from(&[start])?;
                let tiles = ArrayView::from_vec(4, vec![start; 4])?;
                parallel_for_each!(&av, Extent([64]).tile::<16>(), |t| {
                    #[tile_static]
                    let cell: $t;
                    if t.local[0] == 0 {
                        cell = start;
                    }
                    t.barrier.wait();
                    let $n = t.global[0] as $t;
                    view.atomic(0).$op $args;
                    array.atomic(0).$op $args;
                    cell.atomic().$op $args;
                    let _ = $n;
                    t.barrier.wait();
                    if t.local[0] == 0 {
                        tiles[t.tile] = cell;
                    }
                })?;
                assert_eq!(view.to_vec()?, [after(0..64)], "a view, {av:?}");
                assert_eq!(array.to_vec()?, [after(0..64)], "an array, {av:?}");
                let each = [0, 16, 32, 48].map(|first| after(first..first + 16));
                assert_eq!(tiles.to_vec()?, each, "tile_static, {av:?}");
            }
            Ok(())
        }
    )*};
}

operations! {
    atm_3_fetch_add_wraps_with_sign: i32, i32::MAX - 100, fetch_add |n| (n), |a, n| a.wrapping_add(n);
    atm_3_fetch_add_wraps_without_sign: u32, u32::MAX - 5, fetch_add |n| (n), |a, n| a.wrapping_add(n);
    atm_4_fetch_sub_wraps_with_sign: i32, i32::MIN + 9, fetch_sub |n| (n), |a, n| a.wrapping_sub(n);
    atm_4_fetch_sub_wraps_without_sign: u32, 3, fetch_sub |n| (n), |a, n| a.wrapping_sub(n);
    atm_5_fetch_max_with_sign: i32, -1, fetch_max |n| (n), |a, n| a.max(n);
    atm_5_fetch_max_without_sign: u32, u32::MAX - 1, fetch_max |n| (n), |a, n| a.max(n);
    atm_6_fetch_min_with_sign: i32, -3, fetch_min |n| (n - 40), |a, n| a.min(n - 40);
    atm_6_fetch_min_without_sign: u32, u32::MAX, fetch_min |n| (n), |a, n| a.min(n);
    atm_7_fetch_and: i32, 0x17f, fetch_and |n| (n | 0x170), |a, n| a & (n | 0x170);
    atm_7_fetch_and_without_sign: u32, u32::MAX, fetch_and |n| (n | 0xf000_0000), |a, n| a & (n | 0xf000_0000);
    atm_8_fetch_or: i32, i32::MIN, fetch_or |n| (n), |a, n| a | n;
    atm_8_fetch_or_without_sign: u32, 0x100, fetch_or |n| (n), |a, n| a | n;
    atm_9_fetch_xor: i32, -5, fetch_xor |n| (n * 3), |a, n| a ^ (n * 3);
    atm_9_fetch_xor_without_sign: u32, 5, fetch_xor |n| (n * 5), |a, n| a ^ (n * 5);
    atm_10_fetch_inc_wraps: u32, u32::MAX - 10, fetch_inc |_n| (), |a, _| a.wrapping_add(1);
    atm_10_fetch_inc_with_sign: i32, i32::MAX - 3, fetch_inc |_n| (), |a, _| a.wrapping_add(1);
    atm_10_fetch_dec_wraps: i32, i32::MIN + 3, fetch_dec |_n| (), |a, _| a.wrapping_sub(1);
    atm_10_fetch_dec_without_sign: u32, 10, fetch_dec |_n| (), |a, _| a.wrapping_sub(1);
}

/// Each thread puts its number in and takes out what was there: with what is left, all numbers once.
macro_rules! exchanges {
    ($($name:ident: $t:ty;)*) => {$(
        #[test]
        fn $name() -> Result<()> {
            for av in launchers() {
                let place = ArrayView::from_vec(1, vec![1000 as $t])?;
                let array = Array::<$t>::builder(1).on(&av).build_from(&[1000 as $t])?;
                let (taken, others) = (ArrayView::from_vec(64, vec![0 as $t; 64])?, ArrayView::from_vec(64, vec![0 as $t; 64])?);
                parallel_for_each!(&av, taken.extent(), |i| {
                    taken[i] = place.atomic(0).exchange(i[0] as $t);
                    others[i] = array.atomic(0).exchange(i[0] as $t);
                })?;
                for (taken, left) in [(taken.to_vec()?, place.get(0)?), (others.to_vec()?, array.to_vec()?[0])] {
                    let mut all: Vec<i64> = taken.iter().chain([&left]).map(|&x| x as i64).collect();
                    all.sort_unstable();
                    let expected: Vec<i64> = (0..64).chain([1000]).collect();
                    assert_eq!(all, expected, "{av:?}");
                }
            }
            Ok(())
        }
    )*};
}

exchanges! {
    atm_1_exchange_with_sign: i32;
    atm_1_exchange_without_sign: u32;
    atm_1_exchange_of_floats: f32;
}

#[test]
fn atm_1_exchange_in_tile_static() -> Result<()> {
    for av in launchers() {
        let sums = ArrayView::from_vec(4, vec![0; 4])?;
        parallel_for_each!(&av, Extent([64]).tile::<16>(), |t| {
            #[tile_static]
            let cell: i32;
            if t.local[0] == 0 {
                cell = 0;
            }
            t.barrier.wait();
            sums.atomic(t.tile).fetch_add(cell.atomic().exchange(t.global[0]));
            t.barrier.wait();
            if t.local[0] == 0 {
                sums.atomic(t.tile).fetch_add(cell);
            }
        })?;
        let expected = [0, 16, 32, 48].map(|first| (first..first + 16).sum::<i32>());
        assert_eq!(sums.to_vec()?, expected, "{av:?}");
    }
    Ok(())
}

#[test]
fn atm_2_compare_exchange_stores_only_where_the_value_is_as_expected() -> Result<()> {
    for av in launchers() {
        let cells = ArrayView::from_vec(4, vec![0, 1, 0, 1])?;
        let array = Array::<u32>::builder(4).on(&av).build_from(&[0, 1, 0, 1])?;
        let (seen, stored) = (ArrayView::from_vec(4, vec![9; 4])?, ArrayView::from_vec(4, vec![9; 4])?);
        parallel_for_each!(&av, cells.extent(), |i| {
            let (before, done) = cells.atomic(i).compare_exchange(0, 2);
            seen[i] = before;
            stored[i] = if done { 1 } else { 0 };
            array.atomic(i).compare_exchange(1, 0xffff_ffff);
        })?;
        assert_eq!(cells.to_vec()?, [2, 1, 2, 1], "{av:?}");
        assert_eq!((seen.to_vec()?, stored.to_vec()?), (vec![0, 1, 0, 1], vec![1, 0, 1, 0]), "{av:?}");
        assert_eq!(array.to_vec()?, [0, u32::MAX, 0, u32::MAX], "{av:?}");
    }
    Ok(())
}

#[test]
fn atm_2_compare_exchange_in_a_loop_adds_for_every_thread() -> Result<()> {
    for av in launchers() {
        let total = ArrayView::from_vec(1, vec![5])?;
        let tiles = ArrayView::from_vec(2, vec![0; 2])?;
        parallel_for_each!(&av, Extent([32]).tile::<16>(), |t| {
            #[tile_static]
            let cell: i32;
            if t.local[0] == 0 {
                cell = 0;
            }
            t.barrier.wait();
            let mut expected = 5;
            loop {
                let (before, done) = total.atomic(0).compare_exchange(expected, expected + 3);
                if done {
                    break;
                }
                expected = before;
            }
            let mut expected = 0;
            loop {
                let (before, done) = cell.atomic().compare_exchange(expected, expected + t.global[0]);
                if done {
                    break;
                }
                expected = before;
            }
            t.barrier.wait();
            if t.local[0] == 0 {
                tiles[t.tile] = cell;
            }
        })?;
        assert_eq!(total.get(0)?, 5 + 3 * 32, "{av:?}");
        assert_eq!(tiles.to_vec()?, [(0..16).sum::<i32>(), (16..32).sum()], "{av:?}");
    }
    Ok(())
}

#[test]
fn atm_11_components_of_vectors_are_places() -> Result<()> {
    for av in launchers() {
        let points = ArrayView::from_vec(2, vec![Int3 { x: 1, y: 2, z: 3 }; 2])?;
        let components = points.reinterpret_as::<i32>();
        parallel_for_each!(&av, Extent([30]), |i| {
            components.atomic(i[0] % 2 * 3 + 1).fetch_add(i[0]);
        })?;
        drop(components);
        let [even, odd] = [0, 1].map(|first| (first..30).step_by(2).sum::<i32>());
        let expected = [Int3 { x: 1, y: 2 + even, z: 3 }, Int3 { x: 1, y: 2 + odd, z: 3 }];
        assert_eq!(points.to_vec()?, expected, "{av:?}");
    }
    Ok(())
}

#[test]
fn atm_11_floats_and_wide_integers_are_added_where_there_are_instructions_for_it() -> Result<()> {
    for av in launchers() {
        let is_gpu = av.accelerator().path().starts_with("gpu/");
        let whole = ArrayView::from_vec(1, vec![0.5f32])?;
        // Halves are added exactly, in any order.
        let floats = parallel_for_each!(&av, Extent([64]), |i| {
            whole.atomic(0).fetch_add(i[0] as f32 * 0.5);
        });
        let wide = ArrayView::from_vec(1, vec![1u64 << 40])?;
        let words = parallel_for_each!(&av, Extent([64]), |i| {
            wide.atomic(0).fetch_add(0x1_0000_0001);
            wide.atomic(0).fetch_sub(i[0] as u64);
        });
        match floats {
            Err(Error::UnsupportedFeature(_)) if is_gpu => {}
            result => {
                result?;
                assert_eq!(whole.get(0)?, 0.5 + 1008.0, "{av:?}");
            }
        }
        match words {
            Err(Error::UnsupportedFeature(_)) if is_gpu => {}
            result => {
                result?;
                assert_eq!(wide.get(0)?, (1 << 40) + 64 * 0x1_0000_0001 - 2016, "{av:?}");
            }
        }
    }
    Ok(())
}

/// A launch with atomic operations on words that are not aligned ends well, but on the accelerator that reports them.
fn reported(av: &AcceleratorView, launched: Result<()>) -> Result<()> {
    if av.accelerator().path() == Accelerator::REFERENCE {
        assert!(text(launched).contains("error[K0806]"), "it is reported");
        return Ok(());
    }
    launched
}

#[test]
fn atm_11_a_word_that_is_not_aligned_is_left_as_it_is() -> Result<()> {
    for av in launchers() {
        let words = ArrayView::from_vec(16, vec![0u32; 16])?;
        let (old, stored) = (ArrayView::from_vec(12, vec![9u32; 12])?, ArrayView::from_vec(12, vec![9; 12])?);
        let launched = parallel_for_each!(&av, old.extent(), |i| {
            // Byte 0, 5, 10, ..: every fourth is a multiple of 4.
            let word = words.reinterpret_as::<u8>().section(i[0] * 5, 4).reinterpret_as::<u32>();
            if i[0] < 8 {
                old[i] = word.atomic(0).fetch_add(3) + 1;
                stored[i] = 2;
            } else {
                let (before, done) = word.atomic(0).compare_exchange(0, 7);
                old[i] = before;
                stored[i] = if done { 1 } else { 0 };
            }
        });
        reported(&av, launched)?;
        let mut expected = [0; 16];
        (expected[0], expected[5], expected[10]) = (3, 3, 7);
        assert_eq!(words.to_vec()?, expected, "{av:?}");
        assert_eq!(old.to_vec()?, [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0], "{av:?}");
        assert_eq!(stored.to_vec()?, [2, 2, 2, 2, 2, 2, 2, 2, 1, 0, 0, 0], "{av:?}");
    }
    Ok(())
}

#[test]
fn atm_11_a_number_of_64_bits_is_aligned_at_multiples_of_8() -> Result<()> {
    for av in launchers() {
        let home = ArrayView::from_vec(6, vec![0u64; 6])?;
        // What is held of the home begins at byte 4: that is no multiple of 8 for what lies behind it.
        let first = home.reinterpret_as::<u32>().section(1, 1);
        let words = home.section(1, 5).reinterpret_as::<u32>();
        let launched = parallel_for_each!(&av, Extent([4]), |i| {
            let wide = words.section(i[0] * 3 % 4 * 2 + i[0] % 2, 2).reinterpret_as::<u64>();
            wide.atomic(0).fetch_add(5 + first[0] as u64);
        });
        drop((first, words));
        match launched {
            Err(Error::UnsupportedFeature(_)) if av.accelerator().path().starts_with("gpu/") => {}
            result => {
                reported(&av, result)?;
                assert_eq!(home.to_vec()?, [0, 5, 0, 5, 0, 0], "{av:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn atm_11_a_captured_view_that_is_not_aligned_is_refused() -> Result<()> {
    for av in launchers() {
        let home = ArrayView::from_vec(4, vec![0u32; 4])?;
        let words = home.reinterpret_as::<u8>().section(2, 8).reinterpret_as::<u32>();
        let launched = parallel_for_each!(&av, Extent([2]), |i| {
            words.atomic(i).fetch_inc();
        });
        assert!(text(launched).contains("need not begin at a multiple of 4 bytes"), "{av:?}");
        drop(words);
        assert_eq!(home.to_vec()?, [0; 4], "{av:?}");
    }
    Ok(())
}

#[test]
fn atm_11_of_a_launch_that_is_refused_nothing_runs() -> Result<()> {
    for av in launchers() {
        let home = ArrayView::from_vec(16, vec![0u8; 16])?;
        let odd = home.section(1, 8).reinterpret_as::<u32>();
        let ran = ArrayView::from_vec(2, vec![0; 2])?;
        let launched = parallel_for_each!(&av, odd.extent(), |i| {
            ran[i] = 1;
            odd.atomic(i).fetch_add(1);
        });
        let expected = "the elements of `odd`, a reinterpreted view, need not begin at a multiple of 4 bytes";
        let Err(Error::Shape(found)) = launched else { panic!("on {av:?}: {launched:?}") };
        assert!(found.message.contains(expected), "on {av:?}: {found:?}");
        assert_eq!(ran.to_vec()?, [0, 0], "{av:?}");
        // The operation is in the kernel, whether or not a thread comes to it.
        let launched = parallel_for_each!(&av, odd.extent(), |i| {
            if ran[i] > 100 {
                odd.atomic(0).exchange(3);
            }
        });
        assert!(matches!(launched, Err(Error::Shape(_))), "on {av:?}: {launched:?}");
        // A view that is only read or written may begin anywhere.
        parallel_for_each!(&av, odd.extent(), |i| odd[i] += 5)?;
        assert_eq!(odd.to_vec()?, [5, 5], "{av:?}");
    }
    Ok(())
}

#[test]
fn atm_12_a_counter_gives_every_number_once() -> Result<()> {
    for av in launchers() {
        let (counter, given) = (ArrayView::from_vec(1, vec![0u32])?, ArrayView::from_vec(1000, vec![0; 1000])?);
        parallel_for_each!(&av, given.extent(), |i| {
            given[i] = counter.atomic(0).fetch_inc();
        })?;
        let mut given = given.to_vec()?;
        given.sort_unstable();
        assert_eq!(given, (0..1000).collect::<Vec<u32>>(), "{av:?}");
        assert_eq!(counter.get(0)?, 1000);
    }
    Ok(())
}

#[test]
fn atm_12_a_histogram_is_exact() -> Result<()> {
    let data: Vec<u32> = (0..10_000u32).map(|i| i.wrapping_mul(2_654_435_761) >> 27).collect();
    let mut expected = vec![0u32; 32];
    data.iter().for_each(|&bin| expected[bin as usize] += 1);
    for av in launchers() {
        let input = ArrayView::read_only(10_000, &data)?;
        let bins = Array::<u32>::builder(32).on(&av).build_from(&[0; 32])?;
        parallel_for_each!(&av, input.extent(), |i| {
            bins.atomic(input[i]).fetch_inc();
        })?;
        assert_eq!(bins.to_vec()?, expected, "{av:?}");
    }
    Ok(())
}
