//! Tests: regions against sets of bytes.

use std::collections::BTreeSet;

use proptest::prelude::{ProptestConfig, Strategy, prop, prop_assert_eq, proptest};
use tilewise_ir::launch::ViewArgument;

use crate::memory::region::ByteRegion;

/// A view: first byte, size of an element, extent, strides in elements.
#[derive(Clone, Debug)]
struct Shape {
    start: u64,
    size: u64,
    extent: Vec<i32>,
    strides: Vec<u64>,
}

impl Shape {
    fn region(&self) -> ByteRegion {
        ByteRegion::of_view(self.start, self.size, &self.extent, &self.strides)
    }

    /// Its bytes, by iteration over every element.
    fn bytes(&self) -> BTreeSet<u64> {
        let mut starts = vec![self.start];
        for (&extent, &stride) in self.extent.iter().zip(&self.strides) {
            let inner = |start: u64| (0..extent as u64).map(move |i| start + i * stride * self.size);
            starts = starts.into_iter().flat_map(inner).collect();
        }
        starts.into_iter().flat_map(|start| start..start + self.size).collect()
    }
}

/// A contiguous section of a parent, of rank 1 to 4, with elements of 1, 4 or 12 bytes.
fn shapes() -> impl Strategy<Value = Shape> {
    let dimension = (1u64..6).prop_flat_map(|parent| {
        (0..parent).prop_flat_map(move |from| (1..=parent - from).prop_map(move |extent| (parent, from, extent)))
    });
    let size = prop::sample::select(vec![1u64, 4, 12]);
    (prop::collection::vec(dimension, 1..5), size, 0u64..40).prop_map(|(dimensions, size, base)| {
        let mut shape = Shape { start: base, size, extent: Vec::new(), strides: Vec::new() };
        let mut stride = 1;
        for (parent, from, extent) in dimensions.into_iter().rev() {
            shape.start += from * stride * size;
            shape.extent.insert(0, extent as i32);
            shape.strides.insert(0, stride);
            stride *= parent;
        }
        shape
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(if cfg!(miri) { 20 } else { 256 }) })]

    /// The region that a launch locks of a view equals the bytes that its argument names.
    #[test]
    fn regions_have_the_bytes_of_arguments(a in shapes()) {
        let argument = ViewArgument::new(0, a.start, a.extent.clone(), a.strides.clone());
        prop_assert_eq!(a.region().bytes(), argument.bytes(a.size));
    }

    #[test]
    fn views_overlap_if_they_share_a_byte(a in shapes(), b in shapes()) {
        let share = a.bytes().intersection(&b.bytes()).next().is_some();
        prop_assert_eq!(a.region().overlaps(&b.region()), share);
        prop_assert_eq!(b.region().overlaps(&a.region()), share);
    }

    #[test]
    fn a_region_contains_its_own_bytes(shape in shapes(), size in 1u64..14) {
        let (region, bytes) = (shape.region(), shape.bytes());
        let (first, last) = (*bytes.first().unwrap(), *bytes.last().unwrap());
        prop_assert_eq!((region.start(), region.end()), (first, last + 1));
        for at in first.saturating_sub(2)..last + 3 {
            // Within a run, and not across the gap to the next row.
            let all = (at..at + size).all(|byte| bytes.contains(&byte));
            prop_assert_eq!(region.contains(at, size), all, "{} bytes at {}", size, at);
        }
    }

    #[test]
    fn runs_are_the_bytes_in_order(shape in shapes()) {
        let region = shape.region();
        let listed: Vec<u64> = region.runs().flat_map(|(start, bytes)| start..start + bytes).collect();
        prop_assert_eq!(&listed, &shape.bytes().into_iter().collect::<Vec<_>>());
        let all = region.bytes();
        prop_assert_eq!(all.runs().flat_map(|(start, bytes)| start..start + bytes).collect::<Vec<_>>(), listed);
    }
}

#[test]
fn sections_of_one_big_view_are_compared_without_going_through_them() {
    // Two combs in 2^20 rows of 2^11 floats each, beside each other and then interleaved.
    let comb = |column: u64, width: i32| ByteRegion::of_view(column * 4, 4, &[1 << 20, width], &[1 << 11, 1]);
    assert!(!comb(0, 100).overlaps(&comb(100, 100)));
    assert!(comb(0, 101).overlaps(&comb(100, 100)));
    // Rank 32, with a gap in each dimension: two of three.
    let extent = [2; 20];
    let strides: Vec<u64> = (0..20u32).rev().map(|d| 3u64.pow(d)).collect();
    let low = ByteRegion::of_view(0, 4, &extent, &strides);
    let high = ByteRegion::of_view(4 * strides.iter().sum::<u64>(), 4, &extent, &strides);
    assert!(low.overlaps(&high));
    let beyond = ByteRegion::of_view(4 * (strides.iter().sum::<u64>() + 1), 4, &extent, &strides);
    assert!(!low.overlaps(&beyond));
}

#[test]
fn a_view_without_elements_overlaps_nothing() {
    let empty = ByteRegion::of_view(8, 4, &[0, 3], &[3, 1]);
    assert!(
        empty.is_empty() && !empty.overlaps(&ByteRegion::solid(0, 100)) && !ByteRegion::solid(0, 100).overlaps(&empty)
    );
    assert_eq!(empty.runs().count(), 0);
    assert!(!empty.contains(8, 1));
}

/// Rows and columns of tables of the same bytes, whose widths have nothing to do with one another.
fn columns() -> impl Strategy<Value = Shape> {
    (0u64..60, 1u64..4, 1i32..40, 1u64..14).prop_map(|(start, size, count, stride)| Shape {
        start,
        size,
        extent: vec![count, 1],
        strides: vec![stride, 1],
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(if cfg!(miri) { 20 } else { 2000 }) })]

    #[test]
    fn columns_overlap_if_they_share_a_byte(a in columns(), b in columns()) {
        let share = a.bytes().intersection(&b.bytes()).next().is_some();
        prop_assert_eq!(a.region().overlaps(&b.region()), share);
        prop_assert_eq!(b.region().overlaps(&a.region()), share);
    }
}

#[test]
fn columns_of_large_tables_are_compared_without_a_look_at_each_element() {
    // 10^15 rows: to look at each would take days.
    let column = |start, stride| ByteRegion::of_view(start, 1, &[1 << 24, 1 << 26, 1], &[stride << 26, stride, 1]);
    for (start, first, second, share) in
        [(1, 4, 6, false), (2, 4, 6, true), (0, 4, 6, true), (1, 4, 7, true), (3, 6, 9, true), (4, 6, 9, false)]
    {
        let (a, b) = (column(0, first), column(start, second));
        assert_eq!((a.overlaps(&b), b.overlaps(&a)), (share, share), "every {first} and every {second} from {start}");
    }
}
