//! Copies: section 9 of the catalogue.

use tilewise::vector::Float3;
use tilewise::{
    Accelerator, AmpStruct, Array, ArrayView, Element, Error, Result, copy, copy_async, copy_async_from,
    copy_async_into, copy_extend, copy_iter, parallel_for_each,
};

use crate::{launchers, on, text};

#[test]
fn cpy_1_cpy_6_every_pairing_on_every_pair_of_accelerators() -> Result<()> {
    let data: Vec<u32> = (1..=24).collect();
    for first in launchers() {
        for second in launchers() {
            let what = format!("{first:?} to {second:?}");
            let array = Array::<u32, 3>::builder((2, 3, 4)).on(&first).build_from(&data)?;
            let other = Array::<u32, 3>::builder((2, 3, 4)).on(&second).build()?;
            copy(&array, &other)?;
            assert_eq!(other.to_vec()?, data, "array to array, {what}");
            // A section with gaps on either side, after a kernel.
            parallel_for_each!(&first, array.extent(), |i| array[i] += 100)?;
            let part = other.section((1, 1, 1), (1, 2, 2));
            copy(&array.section((0, 0, 2), (1, 2, 2)), &part)?;
            assert_eq!(part.to_vec()?, [103, 104, 107, 108], "section to section, {what}");
            assert_eq!(other.to_vec()?[..12], data[..12], "{what}");
            let view = ArrayView::from_vec((2, 3, 4), vec![0; 24])?;
            parallel_for_each!(&second, view.extent(), |i| view[i] = 7)?;
            copy(&array, &view)?;
            assert_eq!(view.get((1, 2, 3))?, 124, "array to view, {what}");
            copy(&view.as_read_only(), &other)?;
            assert_eq!(other.to_vec()?, array.to_vec()?, "const view to array, {what}");
        }
    }
    Ok(())
}

#[test]
fn cpy_1_slices_have_every_rank() -> Result<()> {
    for view in launchers() {
        let array = Array::<f32, 2>::builder((2, 2)).on(&view).build()?;
        copy(&[1.0, 2.0, 3.0, 4.0], &array)?;
        let mut vec = vec![0.0; 4];
        copy(&array, &mut vec)?;
        let mut slice = [0.0f32; 4];
        copy(&array, &mut slice[..])?;
        assert_eq!((vec, slice), (vec![1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]));
    }
    let (from, mut to) = ([1, 2], [0, 0]);
    copy::<1, _, _>(&from, &mut to)?;
    assert_eq!(to, from);
    Ok(())
}

#[test]
fn cpy_2_cpy_3_sizes_must_agree() -> Result<()> {
    let array = Array::<i32, 2>::new((2, 3))?;
    let other = Array::<i32, 2>::new((3, 2))?;
    assert!(matches!(copy(&array, &other), Err(Error::Shape(shape)) if shape.dimension == Some(0)));
    assert!(text(copy(&[1, 2, 3], &array)).contains("3 elements cannot be copied to 6"));
    assert!(text(copy(&array, &mut [0; 7])).contains("6 elements cannot be copied to 7"));
    assert!(text(copy_iter(0..7, &array)).contains("more than the 6 elements"));
    assert!(text(copy_iter(0..5, &array)).contains("5 elements cannot be copied to 6"));
    assert!(text(copy_async_from(vec![1], &array)).contains("1 elements cannot be copied to 6"));
    assert_eq!(array.to_vec()?, [0; 6]);
    Ok(())
}

#[test]
fn cpy_5_iterators_are_read_once_and_collections_extended() -> Result<()> {
    for view in launchers() {
        let array = Array::<i32>::builder(3).on(&view).build()?;
        let mut once = [4, 5, 6, 7].into_iter();
        copy_iter(once.by_ref().take(3), &array)?;
        assert_eq!(once.next(), Some(7));
        let mut out = vec![9];
        copy_extend(&array, &mut out)?;
        let mut set = std::collections::BTreeSet::new();
        copy_extend(&array.section_from(1), &mut set)?;
        assert_eq!((out, set.into_iter().collect::<Vec<_>>()), (vec![9, 4, 5, 6], vec![5, 6]));
    }
    Ok(())
}

#[test]
fn cpy_6_structs_and_small_elements_are_copied() -> Result<()> {
    for view in launchers() {
        let points = vec![Float3 { x: 1.0, y: 2.0, z: 3.0 }; 5];
        let array = Array::<Float3>::builder(5).on(&view).build_from(&points)?;
        assert_eq!(array.to_vec()?, points);
        // Bytes, with neighbours that belong to others.
        let bytes = Array::<u8>::builder(11).on(&view).build_from(&(0..11).collect::<Vec<u8>>())?;
        copy(&[100u8, 101, 102], &bytes.section(3, 3))?;
        assert_eq!(bytes.to_vec()?, [0, 1, 2, 100, 101, 102, 6, 7, 8, 9, 10], "{view:?}");
        let other = Array::<u8>::builder(11).on(&view).build()?;
        copy(&bytes.section(2, 5), &other.section(5, 5))?;
        assert_eq!(other.to_vec()?, [0, 0, 0, 0, 0, 2, 100, 101, 102, 6, 0], "{view:?}");
    }
    Ok(())
}

#[test]
fn cpy_7_overlap_is_refused_and_neighbours_are_not() -> Result<()> {
    for view in launchers() {
        let array = Array::<i32>::builder(10).on(&view).build_from(&(0..10).collect::<Vec<_>>())?;
        assert!(text(copy(&array.section(0, 4), &array.section(3, 4))).contains("have elements in common"));
        copy(&array.section(0, 4), &array.section(4, 4))?;
        assert_eq!(array.to_vec()?, [0, 1, 2, 3, 0, 1, 2, 3, 8, 9], "{view:?}");
    }
    Ok(())
}

#[test]
fn cpy_8_copies_in_the_background_are_seen_by_who_comes_later() -> Result<()> {
    for view in launchers() {
        let a = Array::<i32, 2>::builder((64, 64)).on(&view).build()?;
        let b = Array::<i32, 2>::builder((64, 64)).on(&on(Accelerator::JIT)?).build()?;
        let data: Vec<i32> = (0..4096).collect();
        let first = copy_async_from(data.clone(), &a)?;
        let second = copy_async(&a, &b)?;
        let third = copy_async_into(&b, Vec::with_capacity(4096))?;
        assert_eq!(third.get()?, data, "{view:?}");
        second.get()?;
        assert_eq!(first.get()?, data);
        // Borrowed memory is read and written at the call.
        let mut out = vec![0; 4096];
        let borrowed = ArrayView::new((64, 64), &mut out)?;
        let done = copy_async(&a, &borrowed)?;
        assert!(done.is_complete());
        done.get()?;
        borrowed.close()?;
        assert_eq!(out, data);
    }
    Ok(())
}

#[test]
fn a_copy_does_not_pass_a_guard() -> Result<()> {
    let view = ArrayView::from_vec(8, vec![1; 8])?;
    let half = view.section(0, 4);
    let guard = half.host_mut()?;
    assert!(matches!(copy(&view, &mut [0; 8]), Err(Error::Borrowed(_))));
    copy(&[2; 4], &view.section(4, 4))?;
    drop(guard);
    assert_eq!(view.to_vec()?, [1, 1, 1, 1, 2, 2, 2, 2]);
    Ok(())
}

#[test]
fn cpy_5_iterators_that_say_what_is_not_so_are_counted() -> Result<()> {
    /// So many elements, of which it says that they are another number.
    struct Lying(u32, usize);

    impl Iterator for Lying {
        type Item = u32;

        fn next(&mut self) -> Option<u32> {
            self.0 = self.0.checked_sub(1)?;
            Some(self.0)
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            (self.1, Some(self.1))
        }
    }

    for av in launchers() {
        let array = Array::<u32>::builder(4).on(&av).build()?;
        for says in [0, 1, 4, 5, usize::MAX] {
            copy_iter(Lying(4, says), &array)?;
            assert_eq!(array.to_vec()?, [3, 2, 1, 0], "{says} on {av:?}");
            for count in [0, 3, 5, 100] {
                assert!(matches!(copy_iter(Lying(count, says), &array), Err(Error::Shape(_))), "{count} for {says}");
            }
        }
    }
    Ok(())
}

/// Elements that are aligned to more than any number is.
#[repr(C, align(32))]
#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
struct HalfLine([f32; 8]);

#[repr(C, align(128))]
#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
struct TwoLines([u32; 32]);

/// Reads into new memory, often: where the allocator puts what the library needs meanwhile is chance.
fn read_into_new_memory<T: Element + PartialEq + std::fmt::Debug>(elements: &[T]) -> Result<()> {
    for view in launchers() {
        let array = Array::<T>::builder(elements.len()).on(&view).build_from(elements)?;
        let mut kept = Vec::new();
        for round in 0..24 {
            kept.push(Vec::<u128>::with_capacity(1 + round % 7));
            let mut out = vec![elements[0]];
            copy_extend(&array, &mut out)?;
            assert_eq!(out[1..], *elements, "{view:?}");
            assert_eq!(copy_async_into(&array, Vec::new())?.get()?, elements, "{view:?}");
            assert_eq!(copy_async_into(&array, vec![elements[1]; 2])?.get()?, elements, "{view:?}");
        }
    }
    Ok(())
}

#[test]
fn cpy_5_elements_of_any_alignment_are_read_into_new_memory() -> Result<()> {
    read_into_new_memory(&[1.0, 2.0, 3.0, 4.0, 5.0].map(|x| HalfLine([x; 8])))?;
    read_into_new_memory(&[6, 7, 8].map(|x| TwoLines([x; 32])))
}

#[test]
fn cpy_1_parts_with_gaps_are_copied_whatever_their_shapes() -> Result<()> {
    for view in launchers() {
        let table = Array::<i32, 3>::builder((3, 4, 5)).on(&view).build_from(&(0..60).collect::<Vec<_>>())?;
        // Gaps in one dimension and in several, single rows, all of a dimension, and one element.
        for (origin, extent) in [
            ((0, 0, 0), (3, 4, 1)),
            ((1, 1, 1), (2, 2, 3)),
            ((0, 2, 0), (3, 1, 5)),
            ((0, 0, 3), (3, 1, 2)),
            ((1, 0, 0), (2, 4, 5)),
            ((2, 3, 4), (1, 1, 1)),
        ] {
            let mut expected = Vec::new();
            for i in origin.0..origin.0 + extent.0 {
                for j in origin.1..origin.1 + extent.1 {
                    expected.extend((origin.2..origin.2 + extent.2).map(|k| i * 20 + j * 5 + k));
                }
            }
            let (part, what) = (table.section(origin, extent), format!("{origin:?} {extent:?} on {view:?}"));
            let mut slice = vec![0; expected.len()];
            copy(&part, &mut slice)?;
            assert_eq!(slice, expected, "{what}");
            for target in [&view, &on(Accelerator::REFERENCE)?] {
                let other = Array::<i32, 3>::builder((3, 6, 7)).on(target).build()?;
                let place = other.section((0, 1, 2), extent);
                copy(&part, &place)?;
                assert_eq!(place.to_vec()?, expected, "{what}");
                assert_eq!(
                    other.to_vec()?.iter().filter(|&&x| x != 0).count(),
                    expected.iter().filter(|&&x| x != 0).count()
                );
                let doubled: Vec<i32> = expected.iter().map(|x| x * 2 + 1).collect();
                copy(&doubled, &place)?;
                assert_eq!(place.to_vec()?, doubled, "{what}");
                assert_eq!(other.to_vec()?.iter().filter(|&&x| x != 0).count(), doubled.len(), "{what}");
            }
        }
        // Within one allocation.
        copy(&table.section((0, 0, 0), (3, 4, 1)), &table.section((0, 0, 4), (3, 4, 1)))?;
        assert_eq!(table.section((2, 2, 0), (1, 1, 5)).to_vec()?, [50, 51, 52, 53, 50], "{view:?}");
    }
    Ok(())
}
