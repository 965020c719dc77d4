//! Views, on every accelerator: section 8 of the catalogue. How they cohere with the host is in `coherence`.

use tilewise::{Accelerator, AccessType, Array, ArrayView, Checks, Error, Extent, Index, ReadView, Result};
use tilewise::{kernel, parallel_for_each};

use crate::{launchers, on, text};

#[test]
fn av_0_a_view_is_a_handle_that_is_copied_and_captured() -> Result<()> {
    for av in launchers() {
        let mut data = [1, 2, 3];
        let view = ArrayView::of(&mut data);
        let other = view.clone();
        let add = kernel!(|i: Index<1>| view[i] += 10);
        drop(view);
        av.parallel_for_each(other.extent(), &add)?;
        av.parallel_for_each(Extent([2]), &add.clone())?;
        drop(add);
        assert_eq!(other.to_vec()?, [21, 22, 13], "{av:?}");
        drop(other);
        assert_eq!(data, [21, 22, 13]);
    }
    Ok(())
}

#[test]
fn av_1_views_of_an_array_are_the_array() -> Result<()> {
    for av in launchers() {
        let array = Array::<i32, 2>::builder((2, 3)).on(&av).build_from(&[1, 2, 3, 4, 5, 6])?;
        let (view, read): (ArrayView<'_, i32, 2>, ReadView<'_, i32, 2>) = (array.view(), array.read_view());
        let sums = ArrayView::from_vec((2, 3), vec![0; 6])?;
        parallel_for_each!(&av, view.extent(), |i| view[i] *= 2)?;
        parallel_for_each!(&av, view.extent(), |i| sums[i] = read[i] + array[i])?;
        assert_eq!(sums.to_vec()?, [4, 8, 12, 16, 20, 24], "{av:?}");
        assert_eq!((array.to_vec()?, view.source_accelerator_view()), (vec![2, 4, 6, 8, 10, 12], av));
    }
    Ok(())
}

#[test]
fn av_2_av_3_av_4_views_of_memory_of_the_host() -> Result<()> {
    for av in launchers() {
        // A container that is longer keeps its tail.
        let mut long = vec![1; 10];
        let view = ArrayView::new((2, 4), &mut long)?;
        parallel_for_each!(&av, view.extent(), |i| view[i] = 5 + i[0] * 4 + i[1])?;
        drop(view);
        assert_eq!(long, [5, 6, 7, 8, 9, 10, 11, 12, 1, 1], "{av:?}");
        let mut array = [0.5f32; 3];
        let whole = ArrayView::of(&mut array);
        assert_eq!(whole.extent(), Extent([3]));
        parallel_for_each!(&av, whole.extent(), |i| whole[i] *= 3.0)?;
        drop(whole);
        assert_eq!(array, [1.5; 3], "{av:?}");
        let owned = ArrayView::from_vec([1, 2, 1, 2], vec![1u32, 2, 3, 4])?;
        parallel_for_each!(&av, owned.extent(), |i| owned[i] += 1)?;
        assert_eq!(owned.into_vec()?, [2, 3, 4, 5], "{av:?}");
    }
    assert!(matches!(ArrayView::new((3, 4), &mut [0; 11]), Err(Error::Shape(_))));
    Ok(())
}

#[test]
fn av_5_views_without_a_source_are_results_and_can_be_used_at_once() -> Result<()> {
    for av in launchers() {
        let (a, b): (Vec<i32>, Vec<i32>) = ((0..4096).collect(), (0..4096).map(|x| x * x % 97).collect());
        let (a, b) = (ArrayView::read_only((64, 64), &a)?, ArrayView::read_only((64, 64), &b)?);
        let sum = ArrayView::<i32, 2>::without_source((64, 64))?;
        let difference = ArrayView::<i32, 2>::without_source((64, 64))?;
        parallel_for_each!(&av, sum.extent(), |i| sum[i] = a[i] + b[i])?;
        parallel_for_each!(&av, difference.extent().tile::<16, 16>(), |t| difference[t] = a[t] - b[t])?;
        let (sum, difference) = (sum.to_vec()?, difference.to_vec()?);
        assert!((0..4096).all(|x| sum[x as usize] == x + x * x % 97), "{av:?}");
        assert!((0..4096).all(|x| difference[x as usize] == x - x * x % 97), "{av:?}");

        let untouched = ArrayView::<f64>::without_source(5)?;
        let array = Array::<f64>::builder(5).on(&on(Accelerator::JIT)?).build()?;
        untouched.copy_to(&array)?;
        untouched.synchronize()?;
        untouched.refresh()?;
        untouched.discard_data();
        assert_eq!((untouched.get(4)?, array.to_vec()?), (0.0, vec![0.0; 5]));
    }
    Ok(())
}

#[test]
fn av_6_a_read_only_view_sees_what_is_written_through_another() -> Result<()> {
    for av in launchers() {
        let view = ArrayView::from_vec(4, vec![1, 2, 3, 4])?;
        let (read, out) = (view.as_read_only(), ArrayView::from_vec(4, vec![0; 4])?);
        parallel_for_each!(&av, view.extent(), |i| view[i] *= 10)?;
        parallel_for_each!(&av, read.extent(), |i| out[i] = read[i] + 1)?;
        assert_eq!((out.to_vec()?, read.to_vec()?), (vec![11, 21, 31, 41], vec![10, 20, 30, 40]), "{av:?}");
    }
    Ok(())
}

#[test]
fn av_7_a_view_knows_its_extent_and_its_home() -> Result<()> {
    let cpu = on(Accelerator::CPU)?;
    for av in launchers() {
        let view = ArrayView::from_vec((2, 3), vec![0; 6])?;
        parallel_for_each!(&av, view.extent(), |i| view[i] = i[1])?;
        let extent = view.section((1, 0), (1, 2)).extent();
        assert_eq!((view.extent(), extent), (Extent([2, 3]), Extent([1, 2])));
        assert_eq!((view.source_accelerator_view(), view.cpu_access_type()), (cpu.clone(), AccessType::ReadWrite));
        let array = Array::<i32>::builder(2).on(&av).build()?;
        assert_eq!(array.view().source_accelerator_view(), av);
        assert_eq!(array.section(1, 1).cpu_access_type(), array.cpu_access_type());
    }
    Ok(())
}

#[test]
fn av_8_views_copy_themselves() -> Result<()> {
    for av in launchers() {
        let view = ArrayView::from_vec((2, 2), vec![1, 2, 3, 4])?;
        parallel_for_each!(&av, view.extent(), |i| view[i] += 1)?;
        let array = Array::<i32, 2>::builder((2, 2)).on(&av).build()?;
        let other = ArrayView::<i32, 2>::without_source((2, 2))?;
        view.copy_to(&array)?;
        view.as_read_only().copy_to(&other)?;
        assert_eq!((array.to_vec()?, other.to_vec()?), (vec![2, 3, 4, 5], vec![2, 3, 4, 5]), "{av:?}");
        let wrong = Array::<i32, 2>::builder((4, 1)).on(&av).build()?;
        assert!(matches!(view.copy_to(&wrong), Err(Error::Shape(_))));
        assert_eq!(wrong.to_vec()?, [0; 4]);
    }
    Ok(())
}

#[test]
fn av_9_av_10_av_11_the_host_sees_what_is_newest_in_every_way() -> Result<()> {
    for av in launchers() {
        let view = ArrayView::from_vec((3, 4), vec![0; 12])?;
        let bump = kernel!(|i: Index<2>| view[i] += 1 + i[0] * 4 + i[1]);
        let expected = |times: i32| (1..=12).map(|x| x * times).collect::<Vec<_>>();
        av.parallel_for_each(view.extent(), &bump)?;
        assert_eq!(view.host()?.as_slice(), Some(&expected(1)[..]), "a guard, {av:?}");
        av.parallel_for_each(view.extent(), &bump)?;
        assert_eq!((view.get((2, 3))?, view.get(Index([0, 1]))?), (24, 4), "one element, {av:?}");
        av.parallel_for_each(view.extent(), &bump)?;
        let row: ArrayView<'_, i32> = view.project(1);
        assert_eq!(row.host()?.as_slice(), Some(&[15, 18, 21, 24][..]), "a row, {av:?}");
        row.host_mut()?[2] = 100;
        av.parallel_for_each(view.extent(), &bump)?;
        assert_eq!((row.get(2)?, view.get((1, 2))?), (107, 107), "written by the host, {av:?}");
        assert_eq!(view.get((1, 3))?, 32);
    }
    Ok(())
}

#[test]
fn av_10_rows_are_used_in_kernels() -> Result<()> {
    for av in launchers() {
        let cube = ArrayView::from_vec((2, 3, 4), (0..24).collect())?;
        let out = ArrayView::from_vec((3, 4), vec![0; 12])?;
        parallel_for_each!(&av, out.extent(), |i| {
            let plane: ArrayView<'_, i32, 2> = cube.project(1);
            out[i] = plane[i] * 10 + cube[(0, i[0], i[1])];
        })?;
        assert_eq!(out.to_vec()?, (0..12).map(|x| (x + 12) * 10 + x).collect::<Vec<_>>(), "{av:?}");
    }
    Ok(())
}

/// Sections of sections: each kernel adds to the innermost, whose origin is the sum of both.
macro_rules! nested {
    ($av:ident: $($n:literal)*) => {$(
        let base = ArrayView::from_vec([4; $n], vec![0; 1 << (2 * $n)])?;
        let inner = base.section([1; $n], [3; $n]).section([1; $n], [2; $n]);
        parallel_for_each!($av, inner.extent(), |i| inner[i] += 1)?;
        inner.set([0; $n], 50)?;
        assert_eq!((base.get([2; $n])?, base.get([3; $n])?), (50, 1), "rank {} on {:?}", $n, $av);
        let inside = |i: &Index<$n>| i.0.iter().all(|&x| x >= 2);
        for (i, found) in base.extent().indices().zip(base.to_vec()?) {
            let expected = if i == Index([2; $n]) { 50 } else { i32::from(inside(&i)) };
            assert_eq!(found, expected, "{i} on {:?}", $av);
        }
    )*};
}

#[test]
fn av_12_sections_of_sections_of_every_rank() -> Result<()> {
    for av in launchers() {
        let av = &av;
        nested!(av: 1 2 3 4 5 6);
        let base = ArrayView::from_vec((10, 10), vec![0; 100])?;
        let inner = base.section((3, 3), (4, 4)).section((1, 1), (2, 2));
        parallel_for_each!(av, inner.extent(), |i| inner[i] = 1 + i[0] * 2 + i[1])?;
        assert_eq!((base.get((4, 4))?, base.get((5, 5))?), (1, 4));
        assert_eq!(base.to_vec()?.iter().sum::<i32>(), 10, "nothing else is written on {av:?}");
    }
    Ok(())
}

#[test]
fn av_13_kernels_use_other_elements_and_shapes() -> Result<()> {
    for av in launchers() {
        let floats = ArrayView::from_vec(6, vec![1.0f32; 6])?;
        let (bits, plane) = (floats.reinterpret_as::<u32>(), floats.view_as((2, 2)));
        parallel_for_each!(&av, bits.extent(), |i| bits[i] += 0x0080_0000)?;
        parallel_for_each!(&av, plane.extent(), |i| plane[i] += (i[0] * 2 + i[1]) as f32)?;
        assert_eq!(floats.to_vec()?, [2.0, 3.0, 4.0, 5.0, 2.0, 2.0], "{av:?}");
    }
    let ten = ArrayView::from_vec(10, vec![0; 10])?;
    assert!(text(ten.try_reinterpret_as::<[i32; 3]>()).contains("left over"));
    assert!(text(ten.try_view_as((3, 4))).contains("needs 12 elements"));
    Ok(())
}

#[test]
fn av_20_what_kernels_only_read_is_never_copied_back() -> Result<()> {
    for av in launchers() {
        let data: Vec<i32> = (0..64).collect();
        let (read, out) = (ArrayView::read_only(64, &data)?, ArrayView::from_vec(64, vec![0; 64])?);
        parallel_for_each!(&av, read.extent(), |i| out[i] = read[63 - i[0]])?;
        read.synchronize()?;
        assert_eq!(out.to_vec()?, (0..64).rev().collect::<Vec<_>>(), "{av:?}");
        assert_eq!(read.traffic().downloaded, 0, "{av:?}");
    }
    Ok(())
}

#[test]
fn av_22_views_that_overlap_show_each_others_writes() -> Result<()> {
    for av in launchers() {
        let words = ArrayView::from_vec(16, vec![0u32; 16])?;
        let (bytes, tail) = (words.reinterpret_as::<u8>(), words.section(8, 8));
        let square = words.view_as((4, 4)).section((1, 1), (2, 2));
        assert!(words.overlaps(&bytes) && bytes.overlaps(&tail) && square.overlaps(&tail));
        assert!(!square.overlaps(&words.section(0, 5)) && !tail.overlaps(&bytes.section(0, 32)));
        parallel_for_each!(&av, bytes.extent(), |i| bytes[i] = i[0] as u8)?;
        parallel_for_each!(&av, tail.extent(), |i| tail[i] += 0x0100_0000)?;
        parallel_for_each!(&av, square.extent(), |i| square[i] = 7)?;
        let expected: Vec<u32> = (0..16)
            .map(|word| match word {
                5 | 6 | 9 | 10 => 7,
                _ => {
                    (0..4).map(|byte| (word * 4 + byte) << (8 * byte)).sum::<u32>() + u32::from(word >= 8) * 0x0100_0000
                }
            })
            .collect();
        assert_eq!(words.to_vec()?, expected, "{av:?}");
    }
    Ok(())
}

#[test]
fn av_23_zeros_where_nobody_has_written() -> Result<()> {
    for av in launchers() {
        let quiet = match av.accelerator().path() {
            Accelerator::REFERENCE => av.accelerator().view_builder().checks(Checks::NONE).create()?,
            _ => av,
        };
        let view = ArrayView::<i32>::without_source(8)?;
        parallel_for_each!(&quiet, view.extent(), |i| view[i] += i[0])?;
        assert_eq!(view.to_vec()?, (0..8).collect::<Vec<_>>(), "{quiet:?}");
        assert_eq!(view.source_accelerator_view(), quiet);
    }
    Ok(())
}

#[test]
fn views_and_what_uses_them_may_be_seen_after_a_panic_was_caught() -> Result<()> {
    use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind};

    fn holds<T: UnwindSafe + RefUnwindSafe>() {}
    holds::<ArrayView<'_, f32, 2>>();
    holds::<Array<f32, 2>>();
    holds::<ReadView<'_, f32>>();
    holds::<tilewise::AcceleratorView>();
    holds::<tilewise::Kernel<'_, Index<1>>>();
    holds::<Error>();
    let view = ArrayView::from_vec(4, vec![1; 4])?;
    assert!(catch_unwind(|| view.section(3, 2)).is_err());
    assert_eq!(view.to_vec()?, [1; 4]);
    Ok(())
}

#[test]
fn a_captured_view_or_index_of_rank_129_is_an_error_that_names_the_limit() -> Result<()> {
    for av in launchers() {
        let out = ArrayView::from_vec(1, vec![0])?;
        let deep = ArrayView::from_vec(Extent([1; 129]), vec![7])?;
        let at = Index([0; 129]);
        let refusals = [
            ("a view of rank 129", parallel_for_each!((&av, out.extent()), |i| out[i] = deep[at])),
            ("an index of rank 129", parallel_for_each!((&av, out.extent()), |i| out[i] = at[128])),
            ("an extent of rank 129", parallel_for_each!((&av, out.extent()), |i| out[i] = deep.extent()[128])),
            (
                "an index of rank 200",
                parallel_for_each!((&av, out.extent()), |i| {
                    let here = Index::<200>::default();
                    out[i] = here[199];
                }),
            ),
        ];
        for (what, done) in refusals {
            let Err(Error::Kernel(report)) = done else { panic!("on {av:?}: {done:?}") };
            assert_eq!(report.codes, ["K0602"], "{report}");
            let text = report.to_string();
            assert!(text.contains(what) || text.contains("a view of rank 129"), "{text}");
            assert!(text.contains("1 to 128") && text.contains("views.rs:"), "{text}");
        }
        assert_eq!((out.to_vec()?, deep.to_vec()?), (vec![0], vec![7]));
    }
    Ok(())
}

#[test]
fn an_array_of_more_elements_than_one_dimension_has_gives_shorter_views() -> Result<()> {
    // 2^31 + 4 bytes; most are never touched.
    let jit = on("jit")?;
    let array = Array::<u8, 2>::builder((2, (1 << 30) + 2)).on(&jit).build()?;
    let words = array.try_reinterpret_as::<u32>()?;
    assert_eq!(words.extent(), Extent([(1 << 29) + 1]));
    let last = words.section_from(1 << 29);
    parallel_for_each!((&jit, last.extent()), |i| last[i] = 0x0102_0304)?;
    let first = array.try_view_as((3, 5))?;
    assert_eq!((first.extent(), first.get((2, 4))?), (Extent([3, 5]), 0));
    assert_eq!(array.section((1, (1 << 30) - 2), (1, 4)).to_vec()?, 0x0102_0304_u32.to_ne_bytes());
    let whole = text(array.try_reinterpret_as::<i8>());
    assert!(whole.contains("reinterpreted, the view has 2147483652 elements"), "{whole}");
    Ok(())
}

#[test]
fn a_section_from_a_negative_index_on_says_so() -> Result<()> {
    let view = ArrayView::<i32, 2>::without_source((4, 5))?;
    let caught = std::panic::catch_unwind(|| view.section_from((0, -2)));
    let panic = caught.expect_err("there is no such index");
    let text = panic.downcast_ref::<String>().expect("it has a text");
    assert!(
        text.contains("a section from -2 on begins before dimension 1 of the view, whose first index is 0"),
        "{text}"
    );
    Ok(())
}

#[test]
fn an_index_out_of_range_is_shown_beside_the_indices_that_there_are() -> Result<()> {
    let view = ArrayView::<i32, 2>::without_source((4, 5))?;
    let texture = tilewise::graphics::Texture::<f32, 2>::builder((4, 5)).on(&on("jit")?).build()?;
    for (index, said) in
        [((4, 0), "dimension 0 has the indices 0 to 3, not 4"), ((3, -1), "dimension 1 has the indices 0 to 4, not -1")]
    {
        for found in [text(view.get(index)), text(view.set(index, 1)), text(texture.get(index))] {
            assert!(found.ends_with(said) && !found.contains("view"), "{found}");
        }
    }
    Ok(())
}
