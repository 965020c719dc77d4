//! `Array`: section 7 of the catalogue.

use tilewise::{Accelerator, AccessType, Array, ArrayView, Checks, Error, Extent, Index, Result, parallel_for_each};

use crate::{launchers, on, text};

#[test]
fn arr_1_an_extent_that_cannot_be_is_refused() {
    for bad in [[0, 3], [3, 0], [-1, 2], [i32::MIN, i32::MIN]] {
        let refused = Array::<i32, 2>::new(bad);
        assert!(matches!(refused, Err(Error::Shape(_))), "{bad:?}: {refused:?}");
    }
    assert!(text(Array::<u8, 2>::new([1 << 16, 1 << 17])).contains("too many elements"));
    assert!(matches!(Array::<f32, 128>::new([-2; 128]), Err(Error::Shape(_))));
}

#[test]
fn arr_1_an_array_is_zero_at_first_on_every_accelerator() -> Result<()> {
    for view in launchers() {
        let array = Array::<i32, 3>::builder((2, 3, 5)).on(&view).build()?;
        assert_eq!(array.extent(), Extent([2, 3, 5]));
        assert_eq!(array.to_vec()?, [0; 30], "{view:?}");
        // The interpreter reports a read of what nobody has written, if it is not told otherwise.
        let view = view.accelerator().view_builder().checks(Checks::NONE).create()?;
        let sums = Array::<i32>::builder(1).on(&view).build()?;
        parallel_for_each!(&view, array.extent(), |i| {
            sums.atomic(0).fetch_add(array[i] + 1);
        })?;
        assert_eq!(sums.to_vec()?, [30], "{view:?}");
    }
    Ok(())
}

#[test]
fn arr_2_an_array_is_made_from_slices_and_iterators() -> Result<()> {
    assert_eq!(Array::from_slice((2, 2), &[1, 2, 3, 4])?.to_vec()?, [1, 2, 3, 4]);
    let list = std::collections::LinkedList::from([7u32, 8, 9]);
    assert_eq!(Array::from_iter(3, list)?.to_vec()?, [7, 8, 9]);
    assert!(text(Array::from_iter(3, 0..4)).contains("more than the 3 elements"));
    assert!(text(Array::from_iter(3, 0..)).contains("more than the 3 elements"));
    assert!(text(Array::from_iter(3, 0..2)).contains("2 elements cannot be copied to 3"));
    assert!(text(Array::from_slice(3, &[1, 2])).contains("2 elements cannot be copied to 3"));
    Ok(())
}

#[test]
fn arr_3_arr_6_an_array_is_made_from_a_view_with_what_kernels_wrote() -> Result<()> {
    for av in launchers() {
        let source = ArrayView::from_vec(4, vec![1, 2, 3, 4])?;
        parallel_for_each!(&av, source.extent(), |i| source[i] *= 10)?;
        for target in launchers() {
            let array = Array::builder(4).on(&target).build_from(&source)?;
            assert_eq!(array.to_vec()?, [10, 20, 30, 40], "{av:?} to {target:?}");
        }
        assert_eq!(source.to_array()?.to_vec()?, [10, 20, 30, 40]);
    }
    Ok(())
}

#[test]
fn arr_4_the_access_type_is_the_real_one() -> Result<()> {
    for view in launchers() {
        let shares = view.accelerator().supports_cpu_shared_memory();
        let auto = Array::<i32>::builder(2).on(&view).build()?;
        assert_eq!(auto.cpu_access_type(), view.accelerator().default_cpu_access_type());
        assert_eq!(auto.accelerator_view(), &view);
        for wanted in [AccessType::None, AccessType::Read, AccessType::Write, AccessType::ReadWrite] {
            let made = Array::<i32>::builder(2).on(&view).cpu_access(wanted).build();
            if wanted != AccessType::None && !shares {
                assert!(text(made).contains("does not share memory with the host"));
                continue;
            }
            let array = made?;
            assert_eq!(array.cpu_access_type(), wanted);
            let read = array.host().is_ok();
            let write = array.host_mut().is_ok();
            assert_eq!(read, matches!(wanted, AccessType::Read | AccessType::ReadWrite), "{wanted:?}");
            assert_eq!(write, matches!(wanted, AccessType::Write | AccessType::ReadWrite), "{wanted:?}");
        }
    }
    Ok(())
}

#[test]
fn arr_4_a_hundred_rounds_of_host_and_kernel_on_shared_memory() -> Result<()> {
    for view in
        crate::launchers_where(|a| a.supports_cpu_shared_memory().then_some(()).ok_or("it has memory of its own"))
    {
        let array = Array::<i32>::builder(37).on(&view).cpu_access(AccessType::ReadWrite).build_from(&[100; 37])?;
        for round in 0..100i32 {
            parallel_for_each!(array.extent(), |i| array[i] += 2)?;
            assert_eq!(array.host()?[round as usize % 37], 102 + 2 * round, "{view:?}");
        }
        assert_eq!(array.to_vec()?, [300; 37]);
    }
    Ok(())
}

#[test]
fn arr_7_staging_arrays_live_on_the_cpu_and_copy_both_ways() -> Result<()> {
    let cpu = on(Accelerator::CPU)?;
    for view in launchers() {
        let staging = Array::<u32, 5>::builder([2, 1, 3, 2, 2]).on(&cpu).staging_for(&view).build()?;
        assert_eq!((staging.accelerator_view(), staging.associated_accelerator_view()), (&cpu, &view));
        for (number, element) in (0..).zip(staging.host_mut()?.iter_mut()) {
            *element = number;
        }
        let array = Array::<u32, 5>::builder(staging.extent()).on(&view).build()?;
        assert_eq!(array.associated_accelerator_view(), &view);
        staging.copy_to(&array)?;
        parallel_for_each!(array.extent(), |i| array[i] += 1)?;
        array.copy_to(&staging)?;
        assert_eq!(staging.host()?.as_slice(), Some(&(1..25).collect::<Vec<_>>()[..]));
    }
    Ok(())
}

#[test]
fn arr_7_pfe_6_an_array_of_the_cpu_cannot_be_used_in_a_kernel() -> Result<()> {
    let cpu = on(Accelerator::CPU)?;
    let array = Array::<i32>::builder(4).on(&cpu).build()?;
    let words = "parallel_for_each is not supported on the selected accelerator \"CPU accelerator\".";
    assert_eq!(text(parallel_for_each!(array.extent(), |i| array[i] = 1)), words);
    let jit = on(Accelerator::JIT)?;
    let elsewhere = "`array`, an array of the accelerator `cpu`, cannot be used by a launch on `jit`: launch there with a copy, `Array::builder(array.extent()).on(&view).build_from(&array)?`";
    assert_eq!(text(parallel_for_each!(&jit, array.extent(), |i| array[i] = 1)), elsewhere);
    let view = ArrayView::<i32>::without_source(4)?;
    assert_eq!(text(parallel_for_each!(&cpu, view.extent(), |i| view[i] = 1)), words);
    assert_eq!(array.to_vec()?, [0; 4]);
    Ok(())
}

#[test]
fn arr_8_a_clone_is_deep_and_lives_where_the_original_does() -> Result<()> {
    for view in launchers() {
        let first = Array::<i64>::builder(3).on(&view).build_from(&[1, 2, 3])?;
        let second = first.try_clone()?;
        assert_eq!((second.accelerator_view(), second.cpu_access_type()), (&view, first.cpu_access_type()));
        parallel_for_each!(&view, first.extent(), |i| first[i] = -1)?;
        assert_eq!((first.to_vec()?, second.to_vec()?), (vec![-1; 3], vec![1, 2, 3]));
    }
    Ok(())
}

#[test]
fn arr_10_arr_11_arrays_copy_themselves_out() -> Result<()> {
    let array = Array::from_slice((2, 3), &[1, 2, 3, 4, 5, 6])?;
    let (other, view) = (Array::<i32, 2>::new((2, 3))?, ArrayView::<i32, 2>::without_source((2, 3))?);
    array.copy_to(&other)?;
    array.copy_to(&view)?;
    assert_eq!((other.to_vec()?, view.to_vec()?), (array.to_vec()?, array.to_vec()?));
    Ok(())
}

#[test]
fn arr_12_arr_13_a_guard_shows_the_elements_in_order() -> Result<()> {
    let array = Array::<i32, 2>::builder((2, 3)).on(&on(Accelerator::JIT)?).build_from(&[1, 2, 3, 4, 5, 6])?;
    array.host_mut()?[(1, 0)] = 40;
    let guard = array.host()?;
    assert_eq!((guard[(0, 2)], guard[Index([1, 0])]), (3, 40));
    assert_eq!(guard.as_slice(), Some(&[1, 2, 3, 40, 5, 6][..]));
    for view in launchers() {
        let array = Array::<i32>::builder(2).on(&view).cpu_access(AccessType::None).build()?;
        assert!(text(array.host()).starts_with("The array is not accessible on CPU."), "{view:?}");
    }
    Ok(())
}

#[test]
fn arr_14_projections_are_rows_of_the_most_significant_dimension() -> Result<()> {
    let array = Array::<i32, 4>::from_iter([6, 5, 4, 3], 0..360)?;
    let row: ArrayView<'_, i32, 3> = array.project(5);
    let last: ArrayView<'_, i32> = row.project::<2>(4).project(3);
    assert_eq!(last.get(2)?, array.view().get([5, 4, 3, 2])?);
    let square = Array::<i32, 2>::new((10, 10))?;
    assert!(text(square.try_project::<1>(10)).contains("a projection at 10"));
    assert!(text(square.try_project::<1>(-1)).contains("a projection at -1"));
    Ok(())
}

#[test]
fn arr_15_sections_are_checked_on_the_host() -> Result<()> {
    let array = Array::<i32, 3>::from_iter((3, 3, 3), 0..27)?;
    assert_eq!(array.section((1, 1, 1), (1, 2, 2)).to_vec()?, [13, 14, 16, 17]);
    assert_eq!(array.section_from((2, 2, 1)).to_vec()?, [25, 26]);
    assert_eq!(array.section_to((1, 1, 2)).to_vec()?, [0, 1]);
    for (origin, extent) in
        [((1, 1, 1), (2, 2, 3)), ((-1, 0, 0), (1, 1, 1)), ((0, 0, 0), (1, 0, 1)), ((3, 0, 0), (1, 1, 1))]
    {
        assert!(matches!(array.try_section(origin, extent), Err(Error::Shape(_))), "{origin:?} {extent:?}");
    }
    Ok(())
}

#[test]
fn arr_16_arr_17_arrays_are_seen_as_other_elements_and_shapes() -> Result<()> {
    let array = Array::<f32, 2>::from_slice((2, 2), &[1.0, 2.0, -0.5, 0.0])?;
    assert_eq!(array.reinterpret_as::<u32>().to_vec()?, [0x3f80_0000, 0x4000_0000, 0xbf00_0000, 0]);
    let ten = Array::<i32>::new(10)?;
    assert!(text(ten.try_reinterpret_as::<[i32; 3]>()).contains("left over"));
    assert_eq!(ten.view_as((3, 3)).extent(), Extent([3, 3]));
    assert!(text(ten.try_view_as((3, 4))).contains("needs 12 elements"));
    Ok(())
}

#[test]
fn av_21_views_keep_the_elements_of_an_array_alive() -> Result<()> {
    for view in launchers() {
        let array = Array::<i32>::builder(3).on(&view).build_from(&[1, 2, 3])?;
        let rest = array.section_from(1);
        assert_eq!(rest.source_accelerator_view(), view);
        drop(array);
        parallel_for_each!(&view, rest.extent(), |i| rest[i] += 5)?;
        assert_eq!(rest.to_vec()?, [7, 8]);
    }
    Ok(())
}
