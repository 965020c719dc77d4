//! Methods of iterators that kernels do not have.

use super::super::Called;
use crate::kernel::numbers::Absent;

/// Never implemented.
#[diagnostic::on_unimplemented(
    message = "kernels do not have this method of an iterator",
    label = "not a method in kernels",
    note = "write a loop, `for x in &a {{ .. }}`; docs/kernels.md lists the methods of iterators that there are"
)]
pub trait MissingOfIterators {
    /// What the method gives: of a missing trait's type, rustc reports nothing more.
    type Nothing;
}

/// Never implemented.
#[diagnostic::on_unimplemented(
    message = "kernels do not have `collect`: a kernel has no heap, and an array has a fixed size",
    label = "not a method in kernels",
    note = "fill an array, `let mut all = [0; 4];`, by `for (to, x) in all.iter_mut().zip(a.iter()) {{ *to = x * 2; }}`; or make one of another, `a.map(|x| x * 2)`"
)]
pub trait CollectedItems {
    /// What the method gives: of a missing trait's type, rustc reports nothing more.
    type Nothing;
}

/// Never implemented: `collect` and its like.
pub trait AbsentCollections: Iterator + Sized {
    /// No companion.
    fn collect_marked_amp<B>(&self) -> Called<Self::Nothing, Absent>
    where
        Self: CollectedItems,
    {
        unreachable!()
    }
}

impl<I: Iterator> AbsentCollections for I {}

macro_rules! absent {
    ($($companion:ident $([$($g:ident),*])? ($($arg:ty),*);)*) => {
        /// Methods of iterators that kernels do not have. Their companions have a bound that no type satisfies.
        #[allow(clippy::should_implement_trait, reason = "the names are those of the methods")]
        pub trait AbsentOfIterators: Iterator + Sized {$(
            /// No companion.
            fn $companion<$($($g),*)?>(&self, $(_: $arg),*) -> Called<Self::Nothing, Absent>
            where
                Self: MissingOfIterators,
            {
                unreachable!()
            }
        )*}

        impl<I: Iterator> AbsentOfIterators for I {}
    };
}

absent! {
    dedup_marked_amp();
    first_marked_amp();
    fuse_marked_amp();
    join_marked_amp[S](S);
    pop_marked_amp();
    push_marked_amp[T](T);
    reverse_marked_amp();
    sort_marked_amp();
    sort_by_marked_amp[F](F);
    sort_by_key_marked_amp[F](F);
    sort_unstable_marked_amp();
    to_vec_marked_amp();
    windows_marked_amp(usize);
    is_sorted_by_marked_amp[F](F);
    is_sorted_by_key_marked_amp[F](F);
    next_back_marked_amp();
    nth_back_marked_amp(usize);
    partition_marked_amp[B, F](F);
    size_hint_marked_amp();
    try_for_each_marked_amp[F](F);
    unzip_marked_amp[A, B]();
}
