//! Coherence: section 8 of the catalogue, and how many bytes are moved.

use std::time::Duration;

use tilewise::{
    Accelerator, AcceleratorView, AccessType, Array, ArrayView, Error, Extent, Result, Traffic, copy, parallel_for_each,
};

use crate::{launchers, on, text};

const NONE: Traffic = Traffic { uploaded: 0, downloaded: 0 };

/// What is moved for a view that is used on `av`: nothing where host memory is used in place.
fn moved(av: &AcceleratorView, uploaded: u64, downloaded: u64) -> Traffic {
    if av.accelerator().path().starts_with("gpu/") { Traffic { uploaded, downloaded } } else { NONE }
}

#[test]
fn av_14_av_19_av_21_what_a_kernel_wrote_is_there_after_synchronize_and_at_the_end() -> Result<()> {
    for av in launchers() {
        let mut data = vec![1; 1000];
        let view = ArrayView::of(&mut data);
        parallel_for_each!(&av, view.extent(), |i| view[i] += i[0])?;
        view.synchronize()?;
        parallel_for_each!(&av, view.extent(), |i| view[i] *= 2)?;
        drop(view);
        assert!(data.iter().zip(0..).all(|(&x, i)| x == 2 * (1 + i)), "{av:?}");
    }
    Ok(())
}

#[test]
fn av_15_av_16_what_is_asked_for_early_is_there() -> Result<()> {
    for av in launchers() {
        let mut data = vec![3; 100];
        let view = ArrayView::of(&mut data);
        view.synchronize_to(&av)?;
        view.synchronize_to_async(&av)?.get()?;
        let before = view.traffic();
        parallel_for_each!(&av, view.extent(), |i| view[i] += 1)?;
        assert_eq!(view.traffic(), before, "it was there: {av:?}");
        view.synchronize_async()?.get()?;
        let began = view.traffic();
        // A write that comes after must not be undone by what was under way.
        view.set(5, 50)?;
        assert_eq!(view.get(5)?, 50);
        assert_eq!(view.get(6)?, 4);
        assert_eq!(view.traffic(), began);
        view.close()?;
        assert_eq!((data[5], data[99]), (50, 4));
    }
    Ok(())
}

#[test]
fn av_14_av_15_after_an_access_that_writes_host_memory_alone_is_valid() -> Result<()> {
    for av in launchers() {
        for background in [false, true] {
            let view = ArrayView::from_vec(1000, vec![1; 1000])?;
            let half = view.section(0, 500);
            let launch = || parallel_for_each!(&av, view.extent(), |i| view[i] += 1);
            let synchronize = |access| match background {
                false => half.synchronize_for(access),
                true => half.synchronize_for_async(access)?.get(),
            };
            launch()?;
            synchronize(AccessType::Read)?;
            assert_eq!(view.traffic(), moved(&av, 4000, 2000), "{av:?}");
            launch()?;
            assert_eq!(view.traffic(), moved(&av, 4000, 2000), "the device's copy stayed valid: {av:?}");
            synchronize(AccessType::ReadWrite)?;
            assert_eq!(view.traffic(), moved(&av, 4000, 4000), "{av:?}");
            launch()?;
            assert_eq!(view.traffic(), moved(&av, 6000, 4000), "the device's copy was dropped: {av:?}");
            assert_eq!((half.get(3)?, view.get(700)?), (4, 4), "{av:?}");
            let before = view.traffic();
            synchronize(AccessType::Write)?;
            assert_eq!(view.traffic(), before, "nothing is moved: {av:?}");
            half.fill(20)?;
            launch()?;
            let found = view.to_vec()?;
            assert!(found[..500].iter().all(|&x| x == 21) && found[500..].iter().all(|&x| x == 5), "{av:?}");
            assert!(text(synchronize(AccessType::None)).contains("synchronized for no access"));
        }
    }
    Ok(())
}

#[test]
fn av_14_av_16_who_writes_is_told_of_a_guard() -> Result<()> {
    for av in launchers() {
        let view = ArrayView::from_vec(10, vec![3; 10])?;
        let guard = view.host()?;
        view.synchronize_for(AccessType::Read)?;
        view.synchronize_to_for(&av, AccessType::Auto)?;
        for access in [AccessType::Write, AccessType::ReadWrite] {
            assert!(matches!(view.synchronize_for(access), Err(Error::Borrowed(_))), "{av:?}");
            assert!(matches!(view.synchronize_to_for(&av, access), Err(Error::Borrowed(_))), "{av:?}");
        }
        assert_eq!(guard.as_slice(), Some(&[3; 10][..]));
    }
    Ok(())
}

#[test]
fn av_16_an_access_says_what_is_moved_to_an_accelerator() -> Result<()> {
    for av in launchers() {
        for background in [false, true] {
            let synchronize = |view: &ArrayView<'_, i32>, access| match background {
                false => view.synchronize_to_for(&av, access),
                true => view.synchronize_to_for_async(&av, access)?.get(),
            };
            let mut data = vec![3; 100];
            let view = ArrayView::of(&mut data);
            let read = ArrayView::from_vec(100, vec![3; 100])?;
            synchronize(&read, AccessType::Read)?;
            assert_eq!(read.to_vec()?, [3; 100]);
            assert_eq!(read.traffic(), moved(&av, 400, 0), "host memory stayed valid: {av:?}");
            synchronize(&view, AccessType::ReadWrite)?;
            assert_eq!(view.traffic(), moved(&av, 400, 0), "{av:?}");
            assert_eq!(view.to_vec()?, [3; 100]);
            assert_eq!(view.traffic(), moved(&av, 400, 400), "the device alone was valid: {av:?}");
            view.set(7, 5)?;
            let before = view.traffic();
            let part = view.section(0, 50);
            synchronize(&part, AccessType::Write)?;
            parallel_for_each!(&av, part.extent(), |i| part[i] = i[0])?;
            assert_eq!(view.traffic(), before, "nothing is moved: {av:?}");
            drop((part, view));
            assert_eq!((data[7], data[49], data[50]), (7, 49, 3), "{av:?}");
            let none = ArrayView::from_vec(1, vec![0])?;
            assert!(text(synchronize(&none, AccessType::None)).contains("synchronized for no access"));
        }
    }
    Ok(())
}

#[test]
fn what_was_on_its_way_home_does_not_undo_a_later_kernel() -> Result<()> {
    for av in launchers() {
        let view = ArrayView::from_vec(8, vec![0; 8])?;
        parallel_for_each!(&av, view.extent(), |i| view[i] = 1)?;
        let first = view.synchronize_async()?;
        let half = view.section(0, 4);
        parallel_for_each!(&av, half.extent(), |i| half[i] = 2)?;
        first.get()?;
        assert_eq!(view.to_vec()?, [2, 2, 2, 2, 1, 1, 1, 1], "{av:?}");
    }
    Ok(())
}

#[test]
fn no_byte_is_moved_where_host_memory_is_used_in_place() -> Result<()> {
    for path in [Accelerator::JIT, Accelerator::REFERENCE, Accelerator::NATIVE] {
        let av = on(path)?;
        let view = ArrayView::from_vec(100, vec![1; 100])?;
        parallel_for_each!(&av, view.extent(), |i| view[i] += 1)?;
        assert_eq!(view.to_vec()?, [2; 100]);
        assert_eq!(view.traffic(), NONE, "{path}");
    }
    Ok(())
}

#[test]
fn a_ping_pong_stencil_moves_its_grid_once_each_way() -> Result<()> {
    for av in launchers() {
        let (mut a, mut b) = (vec![1.0f32; 4096], vec![0.0f32; 4096]);
        let (first, second) = (ArrayView::new((64, 64), &mut a)?, ArrayView::new((64, 64), &mut b)?);
        second.discard_data();
        for round in 0..10 {
            let (from, to) = if round % 2 == 0 { (&first, &second) } else { (&second, &first) };
            parallel_for_each!(&av, from.extent(), |i| to[i] = from[i] + 1.0)?;
        }
        assert_eq!(first.traffic(), moved(&av, 4 * 4096, 0));
        assert_eq!(second.traffic(), NONE, "what is overwritten and was given up is not uploaded");
        first.synchronize()?;
        first.synchronize()?;
        assert_eq!(first.traffic(), moved(&av, 4 * 4096, 4 * 4096));
        assert_eq!(first.get((63, 63))?, 11.0);
    }
    Ok(())
}

#[test]
fn what_is_only_read_never_comes_back() -> Result<()> {
    for av in launchers() {
        let data = vec![5u32; 256];
        let input = ArrayView::read_only(256, &data)?;
        let output = ArrayView::<u32>::without_source(256)?;
        parallel_for_each!(&av, input.extent(), |i| output[i] = input[i])?;
        for _ in 0..2 {
            parallel_for_each!(&av, input.extent(), |i| output[i] += input[i])?;
        }
        assert_eq!(output.to_vec()?, [15; 256]);
        assert_eq!(input.traffic(), moved(&av, 1024, 0));
        assert_eq!(output.traffic(), moved(&av, 0, 1024));
    }
    Ok(())
}

#[test]
fn of_a_section_only_its_rows_are_moved() -> Result<()> {
    for av in launchers() {
        let mut data = vec![1i32; 100 * 100];
        let view = ArrayView::new((100, 100), &mut data)?;
        let part = view.section((10, 20), (5, 7));
        parallel_for_each!(&av, part.extent(), |i| part[i] = 9)?;
        assert_eq!(view.traffic(), moved(&av, 4 * 35, 0));
        assert_eq!(view.get((0, 0))?, 1);
        assert_eq!(view.traffic().downloaded, 0, "nothing that is newer there was asked for");
        assert_eq!(view.get((10, 20))?, 9);
        assert_eq!(view.traffic(), moved(&av, 4 * 35, 4));
        drop((part, view));
        assert_eq!(data.iter().filter(|&&x| x == 9).count(), 35);
    }
    Ok(())
}

#[test]
fn av_18_discarded_sections_leave_what_the_host_had() -> Result<()> {
    for av in launchers() {
        let mut data = vec![20; 30];
        let base = ArrayView::of(&mut data);
        let parts = [base.section(0, 15), base.section(10, 15), base.section(15, 15)];
        for part in &parts {
            parallel_for_each!(&av, part.extent(), |i| part[i] = 1)?;
        }
        parts.iter().for_each(ArrayView::discard_data);
        base.synchronize()?;
        // Where kernels work in host memory, what they wrote is what the host has.
        let has = if moved(&av, 1, 0) == NONE { 1 } else { 20 };
        assert_eq!(base.to_vec()?, [has; 30], "{av:?}");
        assert_eq!(base.traffic().downloaded, 0);
    }
    Ok(())
}

#[test]
fn av_17_refresh_ends_what_a_discard_began() -> Result<()> {
    for av in launchers() {
        let mut data = [1, 2, 3, 4];
        let (view, out) = (ArrayView::of(&mut data), ArrayView::from_vec(4, vec![9; 4])?);
        view.discard_data();
        // Says that somebody wrote host memory.
        view.refresh()?;
        parallel_for_each!(&av, view.extent(), |i| out[i] = view[i])?;
        assert_eq!(out.to_vec()?, [1, 2, 3, 4], "{av:?}");
    }
    Ok(())
}

#[test]
fn av_17_refresh_keeps_what_kernels_wrote() -> Result<()> {
    for av in launchers() {
        let view = ArrayView::from_vec(4, vec![0; 4])?;
        view.host_mut()?[0] = 17;
        view.refresh()?;
        let result = ArrayView::<i32>::without_source(1)?;
        parallel_for_each!(&av, Extent([1]), |_i| {
            view[1] = view[0];
            result[0] = view[0];
        })?;
        view.refresh()?;
        assert_eq!((view.to_vec()?, result.get(0)?), (vec![17, 17, 0, 0], 17), "{av:?}");
    }
    Ok(())
}

#[test]
fn mem_8_overlapping_sections_captured_together() -> Result<()> {
    for av in launchers() {
        let mut host = vec![2; 768];
        let base = ArrayView::of(&mut host);
        let (low, high) = (base.section(0, 512), base.section(256, 512));
        parallel_for_each!(&av, low.extent(), |i| {
            low.atomic(i).fetch_inc();
            high.atomic(i).fetch_inc();
        })?;
        let thirds = |v: &[i32]| [v[0], v[255], v[256], v[511], v[512], v[767]];
        assert_eq!(thirds(&base.to_vec()?), [3, 3, 4, 4, 3, 3], "{av:?}");
        parallel_for_each!(&av, low.extent(), |i| {
            low.atomic(i).fetch_inc();
            high.atomic(i).fetch_inc();
            base.atomic(i).fetch_inc();
        })?;
        let mut out = vec![0; 768];
        copy(&base, &mut out)?;
        assert_eq!(thirds(&out), [5, 5, 7, 7, 4, 4], "{av:?}");
    }
    Ok(())
}

#[test]
fn av_12_two_accelerators_and_the_host_take_turns_on_sections() -> Result<()> {
    for first in launchers() {
        for second in launchers() {
            let mut data = vec![13; 25 * 25];
            let view = ArrayView::new((25, 25), &mut data)?;
            let near = view.section((0, 0), (5, 5));
            parallel_for_each!(&first, Extent([1, 1]), |_i| {
                near[(0, 0)] = near[(1, 1)];
                near[(1, 1)] = 12;
            })?;
            view.set((22, 22), view.get((0, 0))? + 1)?;
            let far = view.section((20, 20), (5, 5));
            parallel_for_each!(&second, Extent([1, 1]), |_i| {
                far[(0, 0)] = far[(1, 1)] + 2;
                far[(1, 1)] = far[(2, 2)];
            })?;
            let cells = [(0, 0), (1, 1), (20, 20), (21, 21), (22, 22)];
            let mut found = Vec::new();
            for cell in cells {
                found.push(view.get(cell)?);
            }
            assert_eq!(found, [13, 12, 15, 14, 14], "{first:?} then {second:?}");
            drop((near, far, view));
            assert_eq!(data.iter().filter(|&&x| x != 13).count(), 4);
        }
    }
    Ok(())
}

#[test]
fn bytes_beside_one_another_do_not_disturb_each_other() -> Result<()> {
    for av in launchers() {
        let mut data: Vec<u8> = (0..64).collect();
        let view = ArrayView::of(&mut data);
        let (odd, even) = (view.section(1, 5), view.section(6, 3));
        parallel_for_each!(&av, odd.extent(), |i| odd[i] += 100)?;
        even.fill(7)?;
        view.set(9, 200)?;
        parallel_for_each!(&av, odd.extent(), |i| odd[i] += 1)?;
        let mut expected: Vec<u8> = (0..64).collect();
        expected[1..6].iter_mut().for_each(|x| *x += 101);
        expected[6..9].fill(7);
        expected[9] = 200;
        assert_eq!(view.to_vec()?, expected, "{av:?}");
    }
    Ok(())
}

#[test]
fn mem_6_launches_of_several_threads_on_one_home_lose_nothing() -> Result<()> {
    for av in crate::launchers_where(|a| match a.path() {
        Accelerator::NATIVE => Err("it runs one thread at a time"),
        _ => Ok(()),
    }) {
        let view = ArrayView::from_vec(256, vec![0; 256])?;
        std::thread::scope(|scope| {
            for part in 0..4 {
                let (view, av) = (view.section(part * 64, 64), &av);
                scope.spawn(move || {
                    for round in 0..20 {
                        parallel_for_each!(av, view.extent(), |i| view[i] += 1).expect("it runs");
                        if round % 5 == 4 {
                            assert_eq!(view.get(0).expect("it is there"), round + 1);
                        }
                    }
                });
            }
        });
        assert_eq!(view.to_vec()?, [20; 256], "{av:?}");
    }
    Ok(())
}

#[test]
fn a_discard_waits_for_the_copy_that_reads_in_the_background() -> Result<()> {
    for av in launchers() {
        for round in 0..50 {
            let array = Array::<i32>::builder(64).on(&av).build_from(&[round; 64])?;
            let target = ArrayView::from_vec(64, vec![-1; 64])?;
            let copied = tilewise::copy_async(&array, &target)?;
            array.view().discard_data();
            array.view().fill(-2)?;
            copied.get()?;
            assert_eq!(target.to_vec()?, [round; 64], "{av:?}");
        }
    }
    Ok(())
}

#[test]
fn a_discard_leaves_what_a_guard_shows() -> Result<()> {
    for av in launchers() {
        let view = ArrayView::from_vec(4, vec![0; 4])?;
        parallel_for_each!(&av, view.extent(), |i| view[i] = 5)?;
        let guard = view.host()?;
        view.discard_data();
        assert_eq!(guard.as_slice(), Some(&[5; 4][..]));
        drop(guard);
        assert_eq!(view.to_vec()?, [5; 4], "{av:?}");
    }
    Ok(())
}

#[test]
fn elements_are_aligned_on_a_device_wherever_its_part_of_a_large_home_begins() -> Result<()> {
    for av in launchers() {
        // Of a home beyond 64 MiB a device has what is used, here from byte 1 on.
        let home = ArrayView::from_vec(18 << 20, vec![0u32; 18 << 20])?;
        let odd = home.reinterpret_as::<u8>().section(1, 100);
        parallel_for_each!(&av, odd.extent(), |i| odd[i] = 1)?;
        let words = home.section(26, 100);
        parallel_for_each!(&av, words.extent(), |i| {
            words.atomic(i).fetch_add(i[0] as u32 + 1);
        })?;
        assert_eq!(words.to_vec()?, (1..=100).collect::<Vec<_>>(), "{av:?}");
        assert_eq!(home.section(24, 2).to_vec()?, [0x0101_0101, 1], "{av:?}");
    }
    Ok(())
}

#[test]
fn small_sections_far_apart_in_a_large_view_are_used_one_after_the_other() -> Result<()> {
    for av in launchers() {
        // The ends are further apart than many an adapter binds at once.
        let (rows, columns) = (2, 64 << 20);
        let view = ArrayView::<u8, 2>::without_source((rows, columns))?;
        let first = view.section((0, 0), (1, 64));
        let last = view.section((rows - 1, columns - 64), (1, 64));
        first.fill(0)?;
        last.fill(0)?;
        for _ in 0..2 {
            parallel_for_each!(&av, first.extent(), |i| first[i] += 1)?;
            parallel_for_each!(&av, last.extent(), |i| last[i] += 5)?;
        }
        last.set((0, 1), 0)?;
        parallel_for_each!(&av, first.extent(), |i| first[i] *= 3)?;
        parallel_for_each!(&av, last.extent(), |i| last[i] += 1)?;
        assert_eq!((first.get((0, 3))?, first.get((0, 63))?), (6, 6), "{av:?}");
        assert_eq!((last.get((0, 0))?, last.get((0, 1))?), (11, 1), "{av:?}");
        assert_eq!((view.get((0, 64))?, view.get((1, 0))?), (0, 0), "{av:?}");
        parallel_for_each!(&av, first.extent(), |i| first[i] += 1)?;
        copy(&first, &last)?;
        assert_eq!(last.to_vec()?, [7; 64], "{av:?}");
        first.fill(6)?;
        last.set((0, 5), 11)?;
        // Both at once need all that is between.
        match parallel_for_each!(&av, first.extent(), |i| last[i] = first[i] + 1) {
            Ok(()) => assert_eq!(last.get((0, 5))?, 7, "{av:?}"),
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("spans 134217728 bytes") && text.contains("at once"), "{text}");
                assert_eq!((first.get((0, 5))?, last.get((0, 5))?), (6, 11), "{av:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn threads_that_read_an_array_at_once_all_get_what_it_holds() -> Result<()> {
    const COUNT: i32 = 4 << 20;
    for av in launchers() {
        // While one thread has the contents downloaded, others wait for the same, and one asks for an element.
        for place in 0..8 {
            let array = Array::<i32>::builder(COUNT).on(&av).build_from(&vec![7; COUNT as usize])?;
            let read = || -> Result<bool> {
                let mut numbers = vec![1; COUNT as usize];
                copy(&array, &mut numbers)?;
                Ok(numbers.iter().all(|&number| number == 7))
            };
            std::thread::scope(|scope| {
                let mut readers = vec![scope.spawn(read)];
                std::thread::sleep(Duration::from_millis(1));
                readers.extend((0..2).map(|_| scope.spawn(read)));
                let element = scope.spawn(|| array.view().get(place));
                readers.extend((0..4).map(|_| scope.spawn(read)));
                for reader in readers {
                    assert!(reader.join().expect("it does not panic")?, "zeros: {av:?}");
                }
                assert_eq!(element.join().expect("it does not panic")?, 7, "{av:?}");
                Ok::<(), Error>(())
            })?;
        }
    }
    Ok(())
}

#[test]
fn a_copy_of_what_a_failed_kernel_wrote_tells_of_the_failure() -> Result<()> {
    for av in launchers() {
        let (source, target) = (Array::<i32>::builder(8).on(&av).build()?, Array::<i32>::builder(4).on(&av).build()?);
        let (from, within) = (source.section(0, 4), source.section(4, 4));
        for inner in [false, true] {
            let launched = parallel_for_each!((&av, from.extent()), |i| {
                if i[0] == 2 {
                    error!("bad");
                }
                from[i] = 7;
            });
            // On a GPU who accesses what it wrote is told; elsewhere who launches.
            let told = match launched {
                Err(error) => Err(error),
                Ok(()) if inner => copy(&from, &within).and_then(|()| within.to_vec()),
                Ok(()) => copy(&from, &target).and_then(|()| target.to_vec()),
            };
            assert!(told.is_err_and(|error| error.to_string().contains("bad")), "{av:?}");
        }
    }
    Ok(())
}
