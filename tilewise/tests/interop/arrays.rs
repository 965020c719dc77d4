//! Arrays of `ndarray` as views and arrays, and back.

use ndarray::{Array1, Array2, Array3, ArrayView2, Ix2, aview1, s};
use tilewise::{Array, ArrayView, Error, Extent, ReadView, Result, parallel_for_each};

/// 0, 1, 2, .. in two dimensions.
fn table(rows: usize, columns: usize) -> Array2<i32> {
    Array2::from_shape_fn((rows, columns), |(y, x)| (y * columns + x) as i32)
}

/// The text of a shape error.
fn shape_error<T>(result: Result<T>) -> String {
    match result {
        Err(error @ Error::Shape(_)) => error.to_string(),
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("it is accepted"),
    }
}

#[test]
fn a_kernel_reads_one_array_and_writes_another_in_place() -> Result<()> {
    let from = table(3, 4);
    let mut to = Array2::<i32>::zeros((3, 4));
    let address = to.as_ptr();
    let (source, target) = (ReadView::try_from(&from)?, ArrayView::try_from(&mut to)?);
    assert_eq!(target.extent(), Extent([3, 4]));
    parallel_for_each!(target.extent(), |i| target[i] = source[i] * 10 + i[0])?;
    target.close()?;
    assert_eq!(to, Array2::from_shape_fn((3, 4), |(y, x)| (y * 4 + x) as i32 * 10 + y as i32));
    assert_eq!(to.as_ptr(), address);
    Ok(())
}

#[test]
fn ranks_one_to_six_keep_the_order_of_their_dimensions() -> Result<()> {
    let line = Array1::from(vec![1, 2, 3]);
    assert_eq!(ReadView::try_from(&line)?.to_vec()?, [1, 2, 3]);
    let space = Array3::from_shape_fn((2, 3, 4), |(z, y, x)| (z * 100 + y * 10 + x) as u32);
    let view = ReadView::try_from(space.view())?;
    assert_eq!((view.extent(), view.get((1, 2, 3))?), (Extent([2, 3, 4]), 123));
    assert_eq!(view.to_ndarray()?, space);
    let six = ndarray::Array6::<u8>::from_elem((1, 2, 1, 2, 1, 2), 7);
    assert_eq!(ArrayView::try_from(six.clone())?.into_ndarray()?, six);
    let dynamic = table(2, 2).into_dyn();
    let again = dynamic.into_dimensionality::<Ix2>().expect("it has two dimensions");
    assert_eq!(ReadView::try_from(&again)?.get((1, 0))?, 2);
    Ok(())
}

#[test]
fn parts_of_an_array_that_are_in_standard_layout_are_views() -> Result<()> {
    let mut all = table(5, 3);
    let rows = ReadView::try_from(all.slice(s![1..3, ..]))?;
    assert_eq!(rows.to_vec()?, [3, 4, 5, 6, 7, 8]);
    drop(rows);
    let middle = ArrayView::try_from(all.slice_mut(s![2..4, ..]))?;
    middle.fill(-1)?;
    middle.close()?;
    assert_eq!(all.row(1), aview1(&[3, 4, 5]));
    assert_eq!(all.row(3), aview1(&[-1, -1, -1]));
    assert_eq!(all.row(4), aview1(&[12, 13, 14]));
    Ok(())
}

#[test]
fn another_layout_is_an_error_that_says_so() -> Result<()> {
    let mut all = table(3, 4);
    let text = shape_error(ReadView::try_from(all.t()));
    let wanted = "the array of shape [4, 3] is not in standard layout, row-major without gaps: its strides are [1, 4]; \
                  `as_standard_layout()` makes a copy that is";
    assert!(text.contains(wanted), "{text}");
    assert!(shape_error(ReadView::try_from(all.slice(s![.., 1..3]))).contains("strides are [4, 1]"));
    assert!(shape_error(ArrayView::try_from(all.slice_mut(s![..;-1, ..]))).contains("strides are [-4, 1]"));
    assert!(shape_error(ArrayView::try_from(all.clone().reversed_axes())).contains("standard layout"));
    assert!(shape_error(Array::try_from(&all.t())).contains("standard layout"));
    let turned = all.t();
    let copied = turned.as_standard_layout();
    assert_eq!(ReadView::try_from(&copied)?.get((3, 2))?, all[(2, 3)]);
    Ok(())
}

#[test]
fn an_array_without_elements_is_refused_as_any_empty_view() {
    let none = Array2::<f32>::zeros((3, 0));
    assert!(shape_error(ReadView::try_from(&none)).contains("at least 1 in every dimension"));
    let mut none = none;
    assert!(shape_error(ArrayView::try_from(&mut none)).contains("at least 1 in every dimension"));
    assert!(shape_error(ArrayView::try_from(none)).contains("at least 1 in every dimension"));
}

#[test]
fn an_owned_array_gives_its_memory_and_gets_it_back() -> Result<()> {
    let array = table(4, 4);
    let address = array.as_ptr();
    let view = ArrayView::try_from(array)?;
    parallel_for_each!(view.extent(), |i| view[i] += 1)?;
    let back = view.into_ndarray()?;
    assert_eq!((back.as_ptr(), &back), (address, &(table(4, 4) + 1)));
    // Of an array that was cut in place, the elements that are left.
    let cut = table(5, 2).slice_move(s![2..4, ..]);
    assert_eq!(ArrayView::try_from(cut)?.to_vec()?, [4, 5, 6, 7]);
    Ok(())
}

#[test]
fn arrays_are_copies_of_each_other() -> Result<()> {
    let array = Array::try_from(&table(3, 2))?;
    let doubled = array.view();
    parallel_for_each!(array.extent(), |i| doubled[i] *= 2)?;
    assert_eq!(array.to_ndarray()?, table(3, 2) * 2);
    assert_eq!(doubled.section((1, 0), (2, 1)).to_ndarray()?, ndarray::array![[4], [8]]);
    Ok(())
}

#[test]
fn a_guard_is_shown_as_an_array() -> Result<()> {
    let mut data = vec![1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0];
    let view = ArrayView::new((2, 3), &mut data)?;
    {
        let mut guard = view.host_mut()?;
        guard.as_ndarray_mut()?.column_mut(2).fill(9.0);
        assert_eq!(guard.as_ndarray()?.sum(), 1.0 + 2.0 + 9.0 + 4.0 + 5.0 + 9.0);
    }
    let guard = view.host()?;
    let shown: ArrayView2<'_, f64> = guard.as_ndarray()?;
    assert_eq!(shown, ndarray::array![[1.0, 2.0, 9.0], [4.0, 5.0, 9.0]]);
    drop(guard);
    let column = view.section((0, 1), (2, 1));
    let text = shape_error(column.host()?.as_ndarray().map(|_| ()));
    assert!(text.contains("the rows of the section [2, 1] do not lie side by side"), "{text}");
    assert!(shape_error(column.host_mut()?.as_ndarray_mut().map(|_| ())).contains("`to_ndarray()`"));
    assert_eq!(view.section((1, 0), (1, 3)).host()?.as_ndarray()?, ndarray::array![[4.0, 5.0, 9.0]]);
    Ok(())
}
