//! The companions through which kernels call the methods of views and of their atomic elements. The
//! page of [`macro_support`](crate::kernel::macro_support) defines companions.

use super::{Above, Access, ArrayView, AtomicRef, Rank, ReadView, Writable};
use crate::api::element::{AtomicElement, AtomicInteger, Element};
use crate::kernel::macro_support::{AtomicOp, Called, RustBuiltin};
use crate::{Extent, Int, IntoExtent, IntoIndex};

macro_rules! companions {
    ($(fn $companion:ident = $name:ident[$mark:ty]($($arg:ident: $ty:ty),*) -> $result:ty;)*) => {$(
        #[doc(hidden)]
        #[inline]
        #[track_caller]
        pub fn $companion(&self, $($arg: $ty),*) -> Called<$result, $mark> {
            Called::new(self.$name($($arg),*))
        }
    )*};
}

impl<'a, T: Element, const N: usize, A: Access> ArrayView<'a, T, N, A> {
    companions! {
        fn extent_marked_amp = extent[mark::Extent]() -> Extent<N>;
        fn clone_marked_amp = clone[mark::Same]() -> Self;
        fn section_marked_amp = section[mark::Section](origin: impl IntoIndex<N>, extent: impl IntoExtent<N>) -> Self;
        fn section_from_marked_amp = section_from[mark::SectionFrom](origin: impl IntoIndex<N>) -> Self;
        fn section_to_marked_amp = section_to[mark::SectionTo](extent: impl IntoExtent<N>) -> Self;
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn project_marked_amp<const M: usize>(&self, i: impl Int) -> Called<ArrayView<'a, T, M, A>, mark::Project>
    where
        Rank<N>: Above<M>,
    {
        Called::new(self.project(i))
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn atomic_marked_amp(&self, index: impl IntoIndex<N>) -> Called<AtomicRef<'_, T>, mark::AtomicAt>
    where
        T: AtomicElement,
        A: Writable,
    {
        Called::new(self.atomic(index))
    }
}

impl<'a, T: Element, const N: usize> ArrayView<'a, T, N> {
    companions! {
        fn as_read_only_marked_amp = as_read_only[mark::AsReadOnly]() -> ReadView<'a, T, N>;
    }
}

impl<'a, T: Element, A: Access> ArrayView<'a, T, 1, A> {
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn view_as_marked_amp<const M: usize>(
        &self,
        extent: impl IntoExtent<M>,
    ) -> Called<ArrayView<'a, T, M, A>, mark::ViewAs<M>> {
        Called::new(self.view_as(extent))
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn reinterpret_as_marked_amp<U: Element>(&self) -> Called<ArrayView<'a, U, 1, A>, mark::Reinterpret<U>> {
        Called::new(self.reinterpret_as())
    }
}

impl<T: AtomicElement> AtomicRef<'_, T> {
    companions! {
        fn fetch_add_marked_amp = fetch_add[mark::Add](value: T) -> T;
        fn fetch_min_marked_amp = fetch_min[mark::Min](value: T) -> T;
        fn fetch_max_marked_amp = fetch_max[mark::Max](value: T) -> T;
        fn exchange_marked_amp = exchange[mark::Exchange](value: T) -> T;
    }
}

impl<T: AtomicInteger> AtomicRef<'_, T> {
    companions! {
        fn fetch_sub_marked_amp = fetch_sub[mark::Sub](value: T) -> T;
        fn fetch_and_marked_amp = fetch_and[mark::And](value: T) -> T;
        fn fetch_or_marked_amp = fetch_or[mark::Or](value: T) -> T;
        fn fetch_xor_marked_amp = fetch_xor[mark::Xor](value: T) -> T;
        fn fetch_inc_marked_amp = fetch_inc[mark::Inc]() -> T;
        fn fetch_dec_marked_amp = fetch_dec[mark::Dec]() -> T;
        fn compare_exchange_marked_amp = compare_exchange[mark::CompareExchange](current: T, new: T) -> (T, bool);
    }
}

#[doc(hidden)]
pub(crate) mod mark {
    //! The kernel operations of the companions.

    use super::{AtomicOp, Element, RustBuiltin};
    use crate::kernel::companions::marks;

    marks! {
        /// `view.extent()`
        Extent => RustBuiltin::ViewExtent;
        /// `view.clone()`
        Same => RustBuiltin::Identity;
        /// `view.section(origin, extent)`
        Section => RustBuiltin::Section;
        /// `view.section_from(origin)`
        SectionFrom => RustBuiltin::SectionFrom;
        /// `view.section_to(extent)`
        SectionTo => RustBuiltin::SectionTo;
        /// `view.project(i)`
        Project => RustBuiltin::Project;
        /// `view.reinterpret_as::<U>()`
        Reinterpret<U: Element> => RustBuiltin::Reinterpret(U::ty());
        /// `view.view_as(extent)`
        ViewAs<const M: usize> => RustBuiltin::ViewAs(M as u32);
        /// `view.as_read_only()`
        AsReadOnly => RustBuiltin::AsReadOnly;
        /// `view.atomic(i)`
        AtomicAt => RustBuiltin::AtomicAt;
        /// `fetch_add`
        Add => RustBuiltin::Atomic(AtomicOp::Add);
        /// `fetch_sub`
        Sub => RustBuiltin::Atomic(AtomicOp::Sub);
        /// `fetch_min`
        Min => RustBuiltin::Atomic(AtomicOp::Min);
        /// `fetch_max`
        Max => RustBuiltin::Atomic(AtomicOp::Max);
        /// `fetch_and`
        And => RustBuiltin::Atomic(AtomicOp::And);
        /// `fetch_or`
        Or => RustBuiltin::Atomic(AtomicOp::Or);
        /// `fetch_xor`
        Xor => RustBuiltin::Atomic(AtomicOp::Xor);
        /// `fetch_inc`
        Inc => RustBuiltin::Atomic(AtomicOp::Inc);
        /// `fetch_dec`
        Dec => RustBuiltin::Atomic(AtomicOp::Dec);
        /// `exchange`
        Exchange => RustBuiltin::Atomic(AtomicOp::Exchange);
        /// `compare_exchange`
        CompareExchange => RustBuiltin::CompareExchange;
    }
}
