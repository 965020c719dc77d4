//! Iterators over local arrays and ranges: what they are made of, and the companions of their methods.
//!
//! In the closure, the iterators are those of the standard library. A companion calls the method of its name, and
//! marks the result with what the lowering has to know: the method, and what its receiver is, as
//! [`IteratedSource`] tells it by the type.

mod absent;
mod asked_ranges;
mod choices;
mod endless;
mod filtered;
mod flat;
mod items;
mod marked;
mod methods;
mod parts;
mod peeked;

use std::array;
use std::iter::{
    Chain, Cloned, Copied, Cycle, Enumerate, Filter, FilterMap, FlatMap, Inspect, Map, MapWhile, Peekable, Rev, Scan,
    Skip, SkipWhile, StepBy, Take, TakeWhile, Zip,
};
use std::marker::PhantomData;
use std::ops::{Range, RangeFrom, RangeInclusive};
use std::slice;

pub use absent::{AbsentCollections, AbsentOfIterators, CollectedItems, MissingOfIterators};
pub use asked_ranges::AskedRanges;
pub use choices::{ByRef, CopiedChoices};
pub use endless::{EndlessRange, endless};
pub use filtered::FilteredItems;
pub use flat::{FlatIterators, FlattenedSource};
pub(crate) use items::kept_in_options;
pub use items::{HeldValue, ItemOfOption, MultipliedNumber, OrderedItem, SummedNumber, TriedValue};
pub use marked::{Adapted, AdaptedWith, Gathered, GatheredByKey, SequenceMark, marks};
pub use methods::IteratorMethods;
pub use parts::ArrayParts;
pub use peeked::PeekedItems;
pub use tilewise_lower::{SequenceCall, SequenceMethod, SequenceSource};

use super::{Called, Form, KernelFn, LinkedCall};
use marked::of_method;

/// What a kernel iterates over.
#[diagnostic::on_unimplemented(
    message = "kernels do not have an iterator over a `{Self}`",
    label = "neither an array nor a range",
    note = "iterators go over local arrays, `a.iter()`, and over ranges, `0..n`: the elements of a view are `view[i]`"
)]
pub trait IteratedSource {
    /// Which of them it is. (A type without the iterator's own, whose lifetimes a link must not have.)
    type Kind: SourceKind;
    /// May it give so many items that the launch should be able to end in between? Those of ranges, and what is made
    /// of them; the arrays of a kernel are short.
    const MAY_BE_LONG: bool;
}

/// An item of an iterator comes: leaves the closure if the launch is over.
#[inline(always)]
fn polled<I: IteratedSource>() {
    if I::MAY_BE_LONG {
        super::iteration();
    }
}

/// What is iterated over, as a type.
pub trait SourceKind {
    /// The same as data.
    const SOURCE: SequenceSource;
}

macro_rules! kinds {
    ($($name:ident)*) => {$(
        #[doc = concat!("`SequenceSource::", stringify!($name), "`")]
        #[derive(Debug)]
        pub enum $name {}

        impl super::SourceKind for $name {
            const SOURCE: super::SequenceSource = super::SequenceSource::$name;
        }
    )*};
}

/// What is iterated over, as types.
pub mod kinds {
    kinds!(Made Values Shared Exclusive Range RangeInclusive RangeFrom Optional);
}

/// A type that a `for` of a kernel goes over.
#[diagnostic::on_unimplemented(
    message = "`for` in a kernel does not go over a `{Self}`",
    label = "neither a range nor an array nor an iterator over one",
    note = "it goes over ranges, `for i in 0..n`, and over local arrays: the elements of a view are `view[i]`"
)]
pub trait LoopedOver: Sized {
    /// The type itself. If the trait is missing, rustc reports no other mistake about this.
    type Items: IntoIterator;
    /// What it is.
    type Source: KernelFn;

    /// Itself.
    fn items(self) -> Self::Items;
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator + IteratedSource> LoopedOver for I {
    type Items = I;
    type Source = IteratorOf<I::Kind>;

    #[inline(always)]
    fn items(self) -> I {
        self
    }
}

impl<M> LinkedCall<M> {
    /// Takes what a loop goes over, and returns it.
    #[inline(always)]
    pub fn items<I>(self, items: I) -> I::Items
    where
        I: LoopedOver<Source = M>,
    {
        items.items()
    }
}

macro_rules! sources {
    ($([$($generics:tt)*] $t:ty => $source:ident, $long:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> IteratedSource for $t {
            type Kind = kinds::$source;
            const MAY_BE_LONG: bool = $long;
        }
    )*};
}

sources! {
    [T, const N: usize] [T; N] => Values, false;
    [T, const N: usize] &[T; N] => Shared, false;
    [T, const N: usize] &mut [T; N] => Exclusive, false;
    [T] &[T] => Shared, false;
}

/// Iterators, and what `&mut` lends of them.
macro_rules! iterators {
    ($([$($generics:tt)*] $t:ty => $source:ident, $long:expr;)*) => {
        sources! {$(
            [$($generics)*] $t => $source, $long;
            [$($generics)*] &mut $t => Made, $long;
        )*}
    };
}

iterators! {
    [T] Range<T> => Range, true;
    [T] RangeInclusive<T> => RangeInclusive, true;
    [T] RangeFrom<T> => RangeFrom, true;
    [T] EndlessRange<T> => RangeFrom, true;
    [T] HandedIterator<T> => Made, false;
    [T] slice::Iter<'_, T> => Made, false;
    [T] slice::IterMut<'_, T> => Made, false;
    [T] slice::Windows<'_, T> => Made, false;
    [T] slice::Chunks<'_, T> => Made, false;
    [T] slice::ChunksExact<'_, T> => Made, false;
    [T, const N: usize] array::IntoIter<T, N> => Made, false;
    [A: IteratedSource, B: IteratedSource] Chain<A, B> => Made, A::MAY_BE_LONG || B::MAY_BE_LONG;
    [I: IteratedSource] Cloned<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] ByRef<'_, I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] Copied<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] Cycle<I> => Made, true;
    [I: IteratedSource] Enumerate<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] Filter<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] FilteredItems<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] FilterMap<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, U: IntoIterator + FlattenedSource, F] FlatMap<I, U, F> =>
        Made, I::MAY_BE_LONG || U::MAY_BE_LONG;
    [I: IteratedSource + Iterator] Peekable<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] Inspect<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] Map<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] MapWhile<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] Rev<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, S, F] Scan<I, S, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] Skip<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] SkipWhile<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] StepBy<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] Take<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] TakeWhile<I, F> => Made, I::MAY_BE_LONG;
    [A: IteratedSource, B: IteratedSource] Zip<A, B> => Made, A::MAY_BE_LONG && B::MAY_BE_LONG;
}

/// Stands for the iterator that a function gets, where the function's kernel form is made.
#[derive(Debug)]
pub struct HandedIterator<T>(PhantomData<fn() -> T>);

impl<T> Iterator for HandedIterator<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        None
    }
}

impl<T> DoubleEndedIterator for HandedIterator<T> {
    fn next_back(&mut self) -> Option<T> {
        None
    }
}

impl<T> ExactSizeIterator for HandedIterator<T> {}

/// What makes an iterator of something of this kind.
#[derive(Debug)]
pub struct IteratorOf<I>(PhantomData<I>);

impl<I: SourceKind> KernelFn for IteratorOf<I> {
    fn form() -> Form {
        of_method(SequenceMethod::Itself, I::SOURCE, None, None)
    }
}

/// The companions of what makes an iterator of an array by reference.
pub trait ArrayIterators {
    /// The type of an element.
    type Element;

    /// The companion of `iter`.
    fn iter_marked_amp(&self) -> Called<slice::Iter<'_, Self::Element>, IteratorOf<kinds::Shared>>;

    /// The companion of `iter_mut`.
    fn iter_mut_marked_amp(&mut self) -> Called<slice::IterMut<'_, Self::Element>, IteratorOf<kinds::Exclusive>>;
}

impl<T, const N: usize> ArrayIterators for [T; N] {
    type Element = T;

    #[inline(always)]
    fn iter_marked_amp(&self) -> Called<slice::Iter<'_, T>, IteratorOf<kinds::Shared>> {
        Called::new(self.iter())
    }

    #[inline(always)]
    fn iter_mut_marked_amp(&mut self) -> Called<slice::IterMut<'_, T>, IteratorOf<kinds::Exclusive>> {
        Called::new(self.iter_mut())
    }
}

impl<T> ArrayIterators for [T] {
    type Element = T;

    #[inline(always)]
    fn iter_marked_amp(&self) -> Called<slice::Iter<'_, T>, IteratorOf<kinds::Shared>> {
        Called::new(self.iter())
    }

    #[inline(always)]
    fn iter_mut_marked_amp(&mut self) -> Called<slice::IterMut<'_, T>, IteratorOf<kinds::Exclusive>> {
        Called::new(self.iter_mut())
    }
}

/// The companions of what makes an iterator over several elements at once.
pub trait SliceRuns<T> {
    /// The companion of `windows`.
    fn windows_marked_amp(&self, n: usize) -> Called<slice::Windows<'_, T>, Adapted<marks::Windows, kinds::Shared>>;

    /// The companion of `chunks`.
    fn chunks_marked_amp(&self, n: usize) -> Called<slice::Chunks<'_, T>, Adapted<marks::AnyChunks, kinds::Shared>>;

    /// The companion of `chunks_exact`.
    fn chunks_exact_marked_amp(
        &self,
        n: usize,
    ) -> Called<slice::ChunksExact<'_, T>, Adapted<marks::ExactChunks, kinds::Shared>>;
}

impl<T> SliceRuns<T> for [T] {
    #[inline(always)]
    fn windows_marked_amp(&self, n: usize) -> Called<slice::Windows<'_, T>, Adapted<marks::Windows, kinds::Shared>> {
        Called::new(self.windows(n.max(1)))
    }

    #[inline(always)]
    fn chunks_marked_amp(&self, n: usize) -> Called<slice::Chunks<'_, T>, Adapted<marks::AnyChunks, kinds::Shared>> {
        Called::new(self.chunks(n.max(1)))
    }

    #[inline(always)]
    fn chunks_exact_marked_amp(
        &self,
        n: usize,
    ) -> Called<slice::ChunksExact<'_, T>, Adapted<marks::ExactChunks, kinds::Shared>> {
        Called::new(self.chunks_exact(n.max(1)))
    }
}

/// The companion of `into_iter`.
pub trait IntoIterMethod: IntoIterator + IteratedSource + Sized {
    /// The companion.
    #[inline(always)]
    fn into_iter_marked_amp(self) -> Called<Self::IntoIter, IteratorOf<Self::Kind>> {
        Called::new(self.into_iter())
    }
}

impl<I: IntoIterator + IteratedSource> IntoIterMethod for I {}
