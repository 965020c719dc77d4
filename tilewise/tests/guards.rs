//! Host guards: what they give, when they conflict, what a leak leaves behind. Small enough for Miri, which checks that no reference is ever aliased.

use std::mem::forget;
use std::thread;

use tilewise::{ArrayView, Error, HostRead, HostWrite, ReadView, Result};

fn borrowed<T>(result: Result<T>) -> u32 {
    match result {
        Err(Error::Borrowed(at)) => {
            assert_eq!(at.file(), file!());
            at.line()
        }
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("it is not refused"),
    }
}

#[test]
fn guards_are_indexed_by_positions_and_ranges() -> Result<()> {
    let view = ArrayView::from_vec((2, 3), vec![1, 2, 3, 4, 5, 6])?;
    let mut write = view.host_mut()?;
    write[(1, 2)] += 10;
    write[[0usize, 0]] = 7;
    write.row_mut((0, 1))[1] = 8;
    assert_eq!((write[(1u8, 2i64)], write.row((1, 0)).len(), write.extent().size()), (16, 3, 6));
    drop(write);
    let read = view.host()?;
    assert_eq!(read.as_slice(), Some(&[7, 2, 8, 4, 5, 16][..]));
    drop(read);
    let second: ArrayView<'_, i32> = view.project(1);
    let mut line = second.host_mut()?;
    line[1..].reverse();
    line.sort();
    assert_eq!((&line[..2], line.iter().sum::<i32>(), line.first()), (&[4, 5][..], 25, Some(&4)));
    Ok(())
}

#[test]
#[should_panic(expected = "index [0, 3] is outside of the extent")]
fn an_index_out_of_range_says_both() {
    let view = ArrayView::from_vec((2, 3), vec![0u64; 6]).unwrap();
    let _ = view.host().unwrap()[(0, 3)];
}

#[test]
fn a_section_has_rows_of_its_own_only() -> Result<()> {
    let view = ArrayView::from_vec((4, 5), (0..20).collect::<Vec<u16>>())?;
    let section = view.section((1, 1), (2, 3));
    let mut write = section.host_mut()?;
    assert!(write.as_slice().is_none() && write.as_mut_slice().is_none());
    let mut all = write.iter_mut();
    assert_eq!(all.len(), 6);
    let (first, second) = (all.next().unwrap(), all.next().unwrap());
    std::mem::swap(first, second);
    assert_eq!(all.len(), 4);
    all.for_each(|x| *x += 100);
    assert_eq!(write.iter().copied().collect::<Vec<_>>(), [7, 6, 108, 111, 112, 113]);
    assert_eq!(write.iter().len(), 6);
    drop(write);
    assert_eq!(view.project::<1>(1).to_vec()?, [5, 7, 6, 108, 9]);
    Ok(())
}

#[test]
fn guards_on_disjoint_sections_coexist() -> Result<()> {
    let base = ArrayView::from_vec((4, 8), vec![1; 32])?;
    let (left, right) = (base.section((0, 0), (4, 4)), base.section((0, 4), (4, 4)));
    assert!(!left.overlaps(&right) && left.overlaps(&base.project::<1>(0)));
    let (mut l, mut r) = (left.host_mut()?, right.host_mut()?);
    for (a, b) in l.iter_mut().zip(r.iter_mut()) {
        *a += 1;
        *b += *a;
    }
    l.row_mut((2, 0)).swap_with_slice(r.row_mut((2, 0)));
    drop((l, r));
    assert_eq!(base.project::<1>(2).to_vec()?, [3, 3, 3, 3, 2, 2, 2, 2]);
    Ok(())
}

#[test]
fn conflicts_name_the_line_of_the_guard() -> Result<()> {
    let view = ArrayView::from_vec(8, vec![0; 8])?;
    let (low, high) = (view.section_to(5), view.section_from(4));
    let write = low.host_mut()?;
    let taken = line!() - 1;
    assert_eq!(borrowed(high.host()), taken);
    assert_eq!(borrowed(high.host_mut()), taken);
    assert_eq!(borrowed(high.get(0)), taken);
    assert_eq!(borrowed(view.set(0, 1)), taken);
    assert_eq!(borrowed(view.to_vec()), taken);
    assert_eq!(borrowed(view.fill(1)), taken);
    assert_eq!(borrowed(view.synchronize()), taken);
    high.set(1, 7)?;
    drop(write);
    let (first, second) = (low.host()?, high.host()?);
    assert_eq!((first[4], second[0], second[1]), (0, 0, 7));
    let taken = line!() - 2;
    assert_eq!(borrowed(view.host_mut()), taken);
    assert_eq!(view.get(5)?, 7);
    Ok(())
}

#[test]
fn a_leaked_guard_keeps_its_elements_locked() -> Result<()> {
    let mut data = [1, 2, 3, 4];
    let view = ArrayView::new(4, &mut data)?;
    let (left, right) = (view.section_to(2), view.section_from(2));
    forget(left.host_mut()?);
    let leaked = line!() - 1;
    assert_eq!(borrowed(view.get(0)), leaked);
    assert_eq!(borrowed(left.into_vec()), leaked);
    right.set(0, 9)?;
    forget(right.host()?);
    assert_eq!((right.get(0)?, borrowed(right.set(0, 1))), (9, line!() - 1));
    assert_eq!(borrowed(view.close()), leaked);
    drop(right);
    data[0] += 1;
    assert_eq!(data, [2, 2, 9, 4]);
    Ok(())
}

#[test]
fn a_leaked_guard_keeps_the_vec() -> Result<()> {
    let view = ArrayView::from_vec(2, vec![1u64, 2])?;
    forget(view.host_mut()?);
    assert_eq!(borrowed(view.into_vec()), line!() - 1);
    let view = ArrayView::from_vec(2, vec![1u64, 2])?;
    forget(view.host()?);
    assert_eq!(borrowed(view.into_vec()), line!() - 1);
    Ok(())
}

#[test]
fn after_a_leaked_view_the_borrow_still_ends() -> Result<()> {
    let mut data = [1, 2, 3];
    let view = ArrayView::new(3, &mut data)?;
    view.set(0, 5)?;
    forget(view.section_to(2));
    forget(view);
    data[1] = 6;
    assert_eq!(data, [5, 6, 3]);
    let shared = [1, 2, 3];
    forget(ReadView::read_only(3, &shared)?);
    assert_eq!(shared.iter().sum::<i32>(), 6);
    forget(ArrayView::from_vec(1, vec![1])?);
    Ok(())
}

#[test]
fn leaked_iterators_and_rows_leave_the_guard_usable() -> Result<()> {
    let view = ArrayView::from_vec((2, 2), vec![1, 2, 3, 4])?;
    let mut write = view.host_mut()?;
    forget(write.iter_mut());
    forget(write.iter());
    let row = write.row_mut((1, 0));
    row[0] = 30;
    assert_eq!(write[(1, 0)], 30);
    drop(write);
    let _ = view.atomic((0, 0));
    assert_eq!(view.to_vec()?, [1, 2, 30, 4]);
    Ok(())
}

#[test]
fn the_vec_comes_back_without_a_copy() -> Result<()> {
    let data = vec![1u32; 100];
    let address = data.as_ptr();
    let view = ArrayView::from_vec((10, 9), data)?;
    view.host_mut()?[(0, 1)] = 2;
    let back = view.into_vec()?;
    assert_eq!((back.as_ptr(), back.len(), back[1]), (address, 90, 2));
    let view = ArrayView::from_vec(100, back.into_iter().chain([0; 10]).collect())?;
    let other = view.clone();
    assert_eq!(view.into_vec()?.len(), 100);
    assert_eq!(other.section_from(1).into_vec()?.len(), 99);
    let bits = other.reinterpret_as::<f32>();
    drop(other);
    assert_eq!(bits.into_vec()?.len(), 100);
    Ok(())
}

#[test]
fn slices_of_reinterpreted_views_go_by_the_alignment_that_is_known() -> Result<()> {
    let mut data = [0f32; 4];
    let view = ArrayView::new(4, &mut data)?;
    let wide = view.reinterpret_as::<f64>();
    let text = match wide.host() {
        Err(Error::Shape(shape)) => shape.message,
        other => panic!("{other:?}"),
    };
    assert!(text.contains("need not begin at a multiple of 8 bytes"), "{text}");
    wide.set(1, 1.5)?;
    assert_eq!(wide.get(1)?, 1.5);
    let own = ArrayView::<f32>::without_source(4)?;
    own.reinterpret_as::<f64>().host_mut()?[1] = 2.5;
    assert!(own.section(1, 2).reinterpret_as::<f64>().host().is_err());
    assert!(own.section(2, 2).reinterpret_as::<f64>().host().is_ok());
    Ok(())
}

#[test]
fn threads_have_disjoint_sections_each() -> Result<()> {
    let (threads, each) = (4, if cfg!(miri) { 5 } else { 2000 });
    let mut data = vec![0; threads * each];
    let view = ArrayView::new((threads, each), &mut data)?;
    thread::scope(|scope| {
        for t in 0..threads {
            let row: ArrayView<'_, i32> = view.project(t);
            scope.spawn(move || {
                for i in 0..each {
                    row.set(i, t as i32).unwrap();
                }
                row.host_mut().unwrap().iter_mut().for_each(|x| *x += 1);
                assert!(row.host().unwrap().iter().all(|&x| x == t as i32 + 1));
            });
        }
    });
    view.close()?;
    assert!(data.chunks(each).zip(1..).all(|(row, t)| row.iter().all(|&x| x == t)));
    Ok(())
}

#[test]
fn atomic_additions_of_threads_are_all_counted() -> Result<()> {
    let view = ArrayView::<u32>::without_source(2)?;
    let rounds = if cfg!(miri) { 10 } else { 1000 };
    thread::scope(|scope| {
        for _ in 0..4 {
            let view = view.clone();
            scope.spawn(move || {
                for _ in 0..rounds {
                    view.atomic(1).fetch_inc();
                }
            });
        }
    });
    assert_eq!(view.to_vec()?, [0, 4 * rounds]);
    Ok(())
}

#[test]
fn a_view_that_owns_its_elements_goes_to_any_thread() -> Result<()> {
    let view = ArrayView::from_vec(3, vec![1, 2, 3])?;
    let other = view.clone();
    thread::spawn(move || other.fill(4)).join().unwrap()?;
    assert_eq!(view.to_vec()?, [4; 3]);
    Ok(())
}

#[test]
fn everything_can_be_sent_and_shared() {
    fn both<T: Send + Sync>() {}
    both::<ArrayView<'_, f32, 2>>();
    both::<ReadView<'_, i32>>();
    both::<HostRead<'_, f32, 1>>();
    both::<HostWrite<'_, f32, 3>>();
    both::<Error>();
}
