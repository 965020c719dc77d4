//! Methods of arrays and of `Option`s that kernels do not have, so that the error names what to write. Their
//! companions have a bound that no type satisfies, and the bound carries the message.

use crate::kernel::macro_support::Called;
use crate::kernel::numbers::Absent;
use crate::kernel::types::KernelValue;

/// Never implemented.
#[diagnostic::on_unimplemented(
    message = "kernels do not have this method of an array",
    label = "not a method in kernels",
    note = "write `a.iter()` before it, a loop over the elements, `for x in &mut a {{ .. }}`, or `a[k]` for one of them; arrays have `len`, `swap`, `fill`, `reverse`, `sort`, `map`, `contains` and more, which docs/kernels.md lists"
)]
pub trait MissingOfArrays {
    /// What the method gives: of a missing trait's type, rustc reports nothing more.
    type Nothing;
}

/// Never implemented.
#[diagnostic::on_unimplemented(
    message = "in a kernel, a part of an array gets no name: kernels do not have this method",
    label = "not a method in kernels",
    note = "iterate over the parts, `a[..n].iter()` and `a[n..].iter()`, or name elements, `a[k]`; a pattern takes an array apart: `let [first, rest @ ..] = a;`"
)]
pub trait MissingParts {
    /// What the method gives.
    type Nothing;
}

/// Never implemented.
#[diagnostic::on_unimplemented(
    message = "kernels do not have this method of an `Option`",
    label = "not a method in kernels",
    note = "write `match option {{ Some(x) => .., None => .. }}`; docs/kernels.md lists the methods that there are"
)]
pub trait MissingOfOptions {
    /// What the method gives.
    type Nothing;
}

/// Never implemented.
#[diagnostic::on_unimplemented(
    message = "kernels do not have this method: it panics where the `Result` has none",
    label = "not a method in kernels",
    note = "write `let Ok(x) = result else {{ return }};`, or `result.unwrap_or(..)`"
)]
pub trait PanickingMethod {}

// No call of these companions compiles, so their results do not matter but for what is done with them.
macro_rules! absent {
    ($(#[$doc:meta])* $methods:ident for $t:ident in $of:ty, $missing:ident:
        $($companion:ident $([$($g:ident),*])? ($($arg:ty),*) -> $result:ty;)*) => {
        $(#[$doc])*
        #[allow(clippy::wrong_self_convention, reason = "the names are those of the methods")]
        pub trait $methods<$t: KernelValue> {$(
            /// No companion.
            fn $companion<$($($g),*)?>(&self, $(_: $arg),*) -> Called<$result, Absent>
            where
                Self: $missing,
            {
                unreachable!()
            }
        )*}

        impl<$t: KernelValue> $methods<$t> for $of {}
    };
}

absent! {
    /// Of slices: Rust looks for them behind what traits give to an array, and so do kernels.
    AbsentOfSlices for T in [T], MissingOfArrays:
    concat_marked_amp() -> Self::Nothing;
    enumerate_marked_amp() -> Self::Nothing;
    extend_marked_amp[I](I) -> Self::Nothing;
    filter_marked_amp[F](F) -> Self::Nothing;
    fold_marked_amp[B, F](B, F) -> Self::Nothing;
    insert_marked_amp[I](usize, I) -> Self::Nothing;
    is_empty_marked_amp() -> bool;
    max_marked_amp() -> Self::Nothing;
    min_marked_amp() -> Self::Nothing;
    pop_marked_amp() -> Self::Nothing;
    product_marked_amp() -> Self::Nothing;
    push_marked_amp[I](I) -> Self::Nothing;
    remove_marked_amp(usize) -> Self::Nothing;
    rev_marked_amp() -> Self::Nothing;
    sum_marked_amp() -> Self::Nothing;
    select_nth_unstable_marked_amp(usize) -> Self::Nothing;
    split_marked_amp[F](F) -> Self::Nothing;
    to_vec_marked_amp() -> Self::Nothing;
}

absent! {
    /// Of slices: what gives parts.
    PartsOfSlices for T in [T], MissingParts:
    split_at_marked_amp(usize) -> Self::Nothing;
    split_at_mut_marked_amp(usize) -> Self::Nothing;
    split_first_marked_amp() -> Self::Nothing;
    split_last_marked_amp() -> Self::Nothing;
}

absent! {
    /// Of `Option`s.
    AbsentOfOptions for T in Option<T>, MissingOfOptions:
    as_mut_marked_amp() -> Option<T>;
    clamp_marked_amp[L, H](L, H) -> Self::Nothing;
    cmp_marked_amp[O](O) -> Self::Nothing;
    into_iter_marked_amp() -> Self::Nothing;
    iter_marked_amp() -> Self::Nothing;
    iter_mut_marked_amp() -> Self::Nothing;
    max_marked_amp[O](O) -> Self::Nothing;
    min_marked_amp[O](O) -> Self::Nothing;
    partial_cmp_marked_amp[O](O) -> Self::Nothing;
    take_if_marked_amp[F](F) -> Option<T>;
}

/// Never implemented.
#[diagnostic::on_unimplemented(
    message = "kernels do not have this method of a tuple",
    label = "not a method in kernels",
    note = "compare tuples of numbers by `a < b` and `a == b`, `if a < b {{ b }} else {{ a }}`, and those with a type of your own part by part: `a.0 < b.0 || a.0 == b.0 && a.1 < b.1`"
)]
pub trait MissingOfTuples {
    /// What the method gives.
    type Nothing;
}

macro_rules! absent_of_tuples {
    ($($companion:ident[$($g:ident),*];)*) => {
        /// Methods of tuples that kernels do not have.
        pub trait AbsentOfTuples {$(
            /// No companion.
            fn $companion<$($g),*>(&self, $(_: $g),*) -> Called<Self::Nothing, Absent>
            where
                Self: MissingOfTuples,
            {
                unreachable!()
            }
        )*}
    };
}

absent_of_tuples! {
    clamp_marked_amp[L, H];
    cmp_marked_amp[O];
    max_marked_amp[O];
    min_marked_amp[O];
    partial_cmp_marked_amp[O];
}

macro_rules! tuples {
    ($(($($t:ident)*))*) => {$(
        impl<$($t),*> AbsentOfTuples for ($($t,)*) {}
    )*};
}

tuples!((A)(A B)(A B C)(A B C D)(A B C D E)(A B C D E F));

/// Methods of a `Result` that panic.
#[allow(clippy::wrong_self_convention, reason = "the names are those of the methods")]
pub trait PanickingOfResults<T: KernelValue, E: KernelValue> {
    /// No companion.
    fn unwrap_marked_amp(&self) -> Called<T, Absent>
    where
        Self: PanickingMethod,
    {
        unreachable!()
    }
    /// No companion.
    fn expect_marked_amp(&self, _: &str) -> Called<T, Absent>
    where
        Self: PanickingMethod,
    {
        unreachable!()
    }
    /// No companion.
    fn unwrap_err_marked_amp(&self) -> Called<E, Absent>
    where
        Self: PanickingMethod,
    {
        unreachable!()
    }
}

impl<T: KernelValue, E: KernelValue> PanickingOfResults<T, E> for Result<T, E> {}
