//! `flat_map` and `flatten`: an item stands for several, of an array, a range or another iterator, or for those of an
//! `Option`.

use std::iter::{FlatMap, Inspect};

use super::super::Called;
use super::{AdaptedWith, IteratedSource, SourceKind, kinds, marks, polled};

/// What an item of an iterator may stand for.
#[diagnostic::on_unimplemented(
    message = "in a kernel, `flat_map` and `flatten` go over arrays, ranges, iterators and `Option`s, and not over a `{Self}`",
    label = "nothing to go over in a kernel",
    note = "the elements of a view are `view[i]`: `flat_map(|k| (0..n).map(move |i| view[[k, i]]))`"
)]
pub trait FlattenedSource: Sized {
    /// Which of them it is.
    type Kind: SourceKind;
    /// The iterator over what a function gives for each item. If the trait is missing, rustc reports no other mistake
    /// about this.
    type Flat<I: Iterator, F: FnMut(I::Item) -> Self>;
    /// As of [`IteratedSource`].
    const MAY_BE_LONG: bool;

    /// The iterator.
    fn flat<I: Iterator, F: FnMut(I::Item) -> Self>(items: I, f: F) -> Self::Flat<I, F>;
}

#[diagnostic::do_not_recommend]
impl<I: IteratedSource + IntoIterator> FlattenedSource for I {
    type Kind = I::Kind;
    type Flat<J: Iterator, F: FnMut(J::Item) -> I> = FlatMap<J, I, F>;
    const MAY_BE_LONG: bool = I::MAY_BE_LONG;

    #[inline(always)]
    fn flat<J: Iterator, F: FnMut(J::Item) -> I>(items: J, f: F) -> FlatMap<J, I, F> {
        items.flat_map(f)
    }
}

macro_rules! options {
    ($([$($generics:tt)*] $t:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> FlattenedSource for $t {
            type Kind = kinds::Optional;
            type Flat<I: Iterator, F: FnMut(I::Item) -> $t> = FlatMap<I, $t, F>;
            const MAY_BE_LONG: bool = false;

            #[inline(always)]
            fn flat<I: Iterator, F: FnMut(I::Item) -> $t>(items: I, f: F) -> FlatMap<I, $t, F> {
                items.flat_map(f)
            }
        }
    )*};
}

options! {
    [T] Option<T>;
    ['a, T] &'a Option<T>;
}

/// Never implemented.
pub trait NeverFlattened {}

// As of two `impl`s none is taken whose bounds are not met, there is no second error where the first one's items are used.
#[diagnostic::do_not_recommend]
impl<I> FlattenedSource for I
where
    (I, NothingToFlatten): NeverFlattened,
{
    type Kind = kinds::Made;
    type Flat<J: Iterator, F: FnMut(J::Item) -> I> = ();
    const MAY_BE_LONG: bool = false;

    fn flat<J: Iterator, F: FnMut(J::Item) -> I>(_: J, _: F) {}
}

/// With any type, it makes a bound that is never met.
#[derive(Debug)]
pub struct NothingToFlatten;

/// An iterator each of whose items lets the launch end.
type Polled<I> = Inspect<I, fn(&<I as Iterator>::Item)>;

/// The companions.
pub trait FlatIterators: Iterator + IteratedSource + Sized {
    /// The companion of `flat_map`.
    #[inline(always)]
    #[allow(clippy::type_complexity, reason = "a name for it would hide the method")]
    fn flat_map_marked_amp<U: FlattenedSource, F: FnMut(Self::Item) -> U>(
        self,
        f: F,
    ) -> Called<U::Flat<Polled<Self>, F>, AdaptedWith<marks::FlatMap, Self::Kind, U::Kind>> {
        Called::new(U::flat(self.inspect(|_| polled::<Self>()), f))
    }

    /// The companion of `flatten`.
    #[inline(always)]
    #[allow(clippy::type_complexity, reason = "a name for it would hide the method")]
    fn flatten_marked_amp(
        self,
    ) -> Called<
        <Self::Item as FlattenedSource>::Flat<Polled<Self>, fn(Self::Item) -> Self::Item>,
        AdaptedWith<marks::Flatten, Self::Kind, <Self::Item as FlattenedSource>::Kind>,
    >
    where
        Self::Item: FlattenedSource,
    {
        let items: Polled<Self> = self.inspect(|_| polled::<Self>());
        Called::new(FlattenedSource::flat(items, std::convert::identity as fn(_) -> _))
    }
}

impl<I: Iterator + IteratedSource> FlatIterators for I {}
