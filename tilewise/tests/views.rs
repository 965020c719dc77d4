//! Views on the host: what they give, and what they refuse. Conflicts of guards are in `guards.rs`.

use tilewise::{Accelerator, AccessType, ArrayView, Checks, Error, Extent, Index, ReadView, Result, parallel_for_each};

fn message<T>(result: Result<T>) -> String {
    match result {
        Err(Error::Shape(shape)) => shape.message,
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("it is accepted"),
    }
}

#[test]
fn a_view_shares_a_slice_and_gives_it_back() -> Result<()> {
    let mut data = [1, 2, 3, 4, 5];
    let view = ArrayView::new(5, &mut data)?;
    view.set(1, 20)?;
    view.clone().set(2u8, 30)?;
    assert_eq!(view.get(1)?, 20);
    view.close()?;
    assert_eq!(data, [1, 20, 30, 4, 5]);
    Ok(())
}

#[test]
fn rank_follows_the_extent() -> Result<()> {
    let data: Vec<i32> = (1..=24).collect();
    assert_eq!(ArrayView::read_only(5, &data)?.get(Index::new(2))?, 3);
    assert_eq!(ArrayView::read_only((2, 3), &data)?.get((1, 2))?, 6);
    let cube = ArrayView::read_only((2, 3, 4), &data)?;
    assert_eq!(cube.get((0, 1usize, 3u32))?, 8);
    assert_eq!(cube.extent(), Extent([2, 3, 4]));
    let four: ReadView<'_, i32, 4> = ArrayView::read_only([2, 3, 2, 2], &data)?;
    assert_eq!(four.get([1, 2, 1, 1])?, 24);
    Ok(())
}

#[test]
fn extents_that_cannot_be_are_refused_with_the_dimension() {
    let refused = |extent: [i64; 2]| match ArrayView::<f32, 2>::without_source(extent) {
        Err(Error::Shape(shape)) => (shape.dimension, shape.message),
        other => panic!("{other:?}"),
    };
    let (dimension, text) = refused([4, 0]);
    assert_eq!(dimension, Some(1));
    assert!(
        text.starts_with("dimension 1 of the extent ")
            && text.ends_with("is 0; a view needs at least 1 in every dimension"),
        "{text}"
    );
    assert_eq!(refused([-1, 4]).0, Some(0));
    assert!(refused([1 << 16, 1 << 17]).1.contains("too many elements; a view can have 4294967295"));
    assert!(refused([1 << 40, 1]).1.contains("does not fit 32 bits"));
    assert!(message(ArrayView::new((3, 4), &mut [0; 11])).contains("needs 12 elements, the slice has 11"));
    assert!(message(ArrayView::from_vec(3, vec![0u8; 2])).contains("the Vec has 2"));
}

#[test]
fn sections_compose_and_share() -> Result<()> {
    let base = ArrayView::from_vec((6, 8), (0..48).collect())?;
    let nested = base.section((1, 1), (5, 6)).section((2, 3), (2, 2));
    assert_eq!(nested.to_vec()?, [28, 29, 36, 37]);
    nested.fill(0)?;
    assert_eq!(base.get((3, 4))? + base.get((4, 5))?, 0);
    assert_eq!(base.get((3, 6))?, 30);
    assert_eq!(base.section_from((5, 6)).to_vec()?, [46, 47]);
    assert_eq!(base.section_to((1, 2)).to_vec()?, [0, 1]);
    Ok(())
}

#[test]
fn sections_that_do_not_fit_name_the_dimension() -> Result<()> {
    let base = ArrayView::<i32, 2>::without_source((6, 8))?;
    let text = message(base.try_section((1, 3), (5, 6)));
    assert_eq!(text, "a section of 6 from 3 on does not fit into dimension 1 of the view, which has 8");
    assert!(message(base.try_section((-1, 0), (1, 1))).contains("from -1 on"));
    assert!(message(base.try_section((0, 0), (1, 0))).contains("a section needs at least 1 in every dimension"));
    assert!(message(base.try_project(6)).contains("a projection at 6 is not in dimension 0 of the view, which has 6"));
    let far = message(base.try_project(u64::MAX));
    assert!(far.contains("a projection at a number outside of 32 bits is not in dimension 0"), "{far}");
    Ok(())
}

#[test]
fn projections_take_the_most_significant_dimension() -> Result<()> {
    let cube = ArrayView::from_vec((2, 3, 4), (0..24).collect())?;
    let row: ArrayView<'_, i32> = cube.project::<2>(1).project(2);
    assert_eq!(row.to_vec()?, [20, 21, 22, 23]);
    Ok(())
}

#[test]
fn other_types_and_shapes_of_the_same_bytes() -> Result<()> {
    let bits = ArrayView::from_vec(6, vec![1.0f32; 6])?;
    assert_eq!(bits.reinterpret_as::<u32>().get(5)?, 0x3f80_0000);
    assert_eq!(bits.view_as((2, 2)).extent(), Extent([2, 2]));
    let text = message(bits.section(0, 5).try_reinterpret_as::<f64>());
    assert_eq!(text, "the 20 bytes of the view are not a whole number of elements of 8 bytes; 4 are left over");
    assert!(message(bits.try_view_as((3, 3))).contains("needs 9 elements, the view has 6"));
    Ok(())
}

#[test]
fn the_home_of_host_memory_is_the_cpu() -> Result<()> {
    let (mut data, shared) = ([1, 2], [3, 4]);
    let (view, read) = (ArrayView::of(&mut data), ReadView::read_only(2, &shared)?);
    assert_eq!(view.source_accelerator_view(), Accelerator::new("cpu")?.default_view());
    assert_eq!((view.cpu_access_type(), read.cpu_access_type()), (AccessType::ReadWrite, AccessType::Read));
    Ok(())
}

#[test]
fn read_only_views_are_made_of_others_in_every_way() -> Result<()> {
    let view = ArrayView::from_vec(2, vec![1, 2])?;
    let ways = [view.as_read_only(), ReadView::from(&view), view.clone().into()];
    view.set(0, 5)?;
    for way in ways {
        assert_eq!(way.get(0)?, 5);
    }
    Ok(())
}

#[test]
fn storage_without_a_source_is_zero() -> Result<()> {
    let view = ArrayView::<u8, 3>::without_source((3, 5, 7))?;
    assert_eq!(view.to_vec()?, [0; 105]);
    // More than any machine's addresses reach, so that none can promise it; it takes room when it is first used. Miri would try.
    if !cfg!(miri) {
        let huge = ArrayView::<[[u64; 4096]; 64], 3>::without_source((1 << 10, 1 << 10, 1 << 11))?;
        let used = huge.synchronize();
        assert!(matches!(used, Err(Error::OutOfMemory(bytes)) if bytes == 1 << 52), "{used:?}");
    }
    Ok(())
}

#[test]
fn the_rank_can_be_128() -> Result<()> {
    let mut extent = [1; 128];
    (extent[0], extent[64], extent[127]) = (2, 3, 4);
    let view = ArrayView::from_vec(extent, (0..24).collect())?;
    let mut index = [0; 128];
    (index[0], index[64], index[127]) = (1, 2, 3);
    assert_eq!(view.get(index)?, 23);
    assert_eq!(view.host()?[index], 23);
    assert_eq!(view.project::<127>(1).to_vec()?, (12..24).collect::<Vec<_>>());
    Ok(())
}

#[test]
#[should_panic(expected = "dimension 0 of the extent")]
fn a_view_of_an_empty_slice_panics() {
    let _ = ArrayView::<i32>::of(&mut []);
}

#[test]
#[should_panic(expected = "a section of 3 from 2 on does not fit into dimension 0 of the view, which has 4")]
fn a_section_that_does_not_fit_panics_on_the_host() {
    let _ = ArrayView::from_vec(4, vec![0; 4]).unwrap().section(2, 3);
}

/// An extent without elements keeps its other sizes; one of 64 bits is the nearest that fits, wherever the kernel runs.
#[test]
fn the_shape_of_an_empty_view_is_the_same_on_every_target() -> Result<()> {
    for path in ["reference", "jit", "native"] {
        let target = Accelerator::new(path)?.view_builder();
        let target = target.checks(Checks::NONE).create()?;
        let (view, out) = (ArrayView::from_vec(12, vec![0; 12])?, ArrayView::from_vec(4, vec![-1; 4])?);
        let (none, many) = (0_i64, 5_000_000_000_i64);
        parallel_for_each!((&target, Extent([1])), |i| {
            let wide = view.view_as::<2>((none, many)).extent();
            let negative = view.view_as::<2>((none, -many)).extent();
            out[i] = wide[0];
            out[1] = wide[1];
            out[2] = negative[0];
            out[3] = negative[1];
        })?;
        assert_eq!(out.to_vec()?, [0, i32::MAX, 0, 0], "{path}");
    }
    Ok(())
}
