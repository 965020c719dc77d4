//! What only the host can say: text, iteration, panics, conversions back; barriers outside of a kernel.

use std::panic::{AssertUnwindSafe, catch_unwind};
use tilewise::{Extent, Index, IntoExtent, IntoIndex};

/// The text of a panic.
fn panic_of<R>(f: impl FnOnce() -> R) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).err().expect("it panics");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().expect("a panic has a text").to_string(),
    }
}

#[test]
fn text_is_the_list_of_components() {
    assert_eq!(Index::new((3, -1)).to_string(), "[3, -1]");
    assert_eq!(Extent::new(5).to_string(), "[5]");
    assert_eq!(Extent::new((4, 6)).to_string(), "[4, 6]");
    assert_eq!(Extent::new((4, 6, 2)).to_string(), "[4, 6, 2]");
    assert_eq!(Extent::new((20, 24)).tile::<5, 4>().to_string(), "[20, 24] in tiles of [5, 4]");
    assert_eq!(format!("{:?}", Index::new((1, 2))), "Index([1, 2])");
}

#[test]
fn every_integer_type_is_a_component() {
    assert_eq!(Index::new((1i8, 2u64)), Index([1, 2]));
    assert_eq!(Extent::new((3usize, 4u16, -5i64)), Extent([3, 4, -5]));
    assert_eq!(Index::new(7isize), Index([7]));
    assert_eq!(Index::new([1u8, 2, 3]), Index([1, 2, 3]));
    let index = Index::new((10, 20));
    assert_eq!((index[0u8], index[1i64], index[1usize]), (10, 20, 20));
}

#[test]
fn what_does_not_fit_32_bits_is_refused() {
    assert_eq!((0, 1i64 << 31).try_into_index(), None);
    assert_eq!([u32::MAX].try_into_extent(), None);
    assert_eq!(i64::from(i32::MIN).try_into_index(), Some(Index([i32::MIN])));
    assert!(panic_of(|| Index::new(u64::MAX)).contains("does not fit 32 bits"));
    assert!(panic_of(|| Extent::new((1, 1usize << 40))).contains("does not fit 32 bits"));
}

#[test]
fn a_component_that_is_not_there_panics() {
    let index = Index::new((1, 2));
    assert_eq!(panic_of(|| index[2]), "no such component: the index has 2, counted from 0");
    assert_eq!(panic_of(|| Extent::new(3)[-1]), "no such component: the extent has 1, counted from 0");
    let mut extent = Extent::new(3);
    assert!(panic_of(move || extent[u64::MAX] = 1).contains("no such component"));
}

#[test]
fn conversions_go_back() {
    assert_eq!(i32::from(Index::new(4)), 4);
    assert_eq!(<(i32, i32)>::from(Index::new((4, 5))), (4, 5));
    assert_eq!(<(i32, i32, i32)>::from(Extent::new((4, 5, 6))), (4, 5, 6));
    assert_eq!(<[i32; 4]>::from(Extent::new([1, 2, 3, 4])), [1, 2, 3, 4]);
    assert_eq!(Extent::from(Extent::new((8, 6)).tile::<4, 2>()), Extent([8, 6]));
    assert_eq!(Extent::new(Extent::new((8, 6)).tile::<4, 2>()), Extent([8, 6]));
}

#[test]
fn indices_come_in_memory_order() {
    let all: Vec<_> = Extent::new((2, 3)).indices().map(Index::to_array).collect();
    assert_eq!(all, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
    assert_eq!(Extent::new((3, 1, 4)).indices().count(), 12);
    for empty in [Extent::new((0, 3)), Extent::new((3, 0)), Extent::new((-1, -1))] {
        assert_eq!(empty.indices().next(), None, "{empty}");
    }
    let mut one = Extent::new(1).indices();
    assert_eq!((one.next(), one.next(), one.next()), (Some(Index([0])), None, None));
}

#[test]
fn checked_size_is_there_when_it_can_be_launched() {
    assert_eq!(Extent::new((4, 6)).checked_size(), Some(24));
    assert_eq!(Extent::new((65537, 65535)).checked_size(), Some(u32::MAX));
    assert_eq!(Extent::new((65536, 65536)).checked_size(), None);
    assert_eq!(Extent::new((4, 0)).checked_size(), None);
    assert_eq!(Extent::new((-2, -2)).checked_size(), None);
}

#[test]
fn indices_are_ordered_as_memory_is() {
    let mut all: Vec<_> = Extent::new((3, 4)).indices().collect();
    let sorted = all.clone();
    all.reverse();
    all.sort();
    assert_eq!(all, sorted);
}

#[test]
fn most_of_it_is_constant() {
    const EXTENT: Extent<2> = Extent([20, 24]);
    const SIZE: u32 = EXTENT.size();
    const PADDED: Extent<2> = EXTENT.tile::<8, 5>().pad().extent();
    assert_eq!((SIZE, PADDED), (480, Extent([24, 25])));
}
