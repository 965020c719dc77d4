//! Which traits a type has, as constants: what an `#[amp] impl` must know of an `impl` beside it.
//!
//! An associated constant of a type goes before that of a trait. So `<Asked<T, X>>::FROM` is `true`
//! where `T: From<X>`, and else, if [`Otherwise`] is in scope, `false`. This works where the types
//! are written, and not for the parameters of a generic function: there `T: From<X>` is not known.

use std::marker::PhantomData;
use std::ops;

use super::{Compares, FromMethod, Operates, op};
use crate::api::element::Element;

/// What is asked of `T`, with `X` as the argument of the trait.
#[derive(Debug)]
pub struct Asked<T, X>(PhantomData<(T, X)>);

/// Integers.
pub trait Integer {}
/// Floats.
pub trait AskedFloat {}

macro_rules! numbers {
    ($kind:ident: $($t:ident)*) => { $(impl $kind for $t {})* };
}

numbers!(Integer: i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize);
numbers!(AskedFloat: f32 f64);

impl<T, X: Integer> Asked<T, X> {
    /// `X` is an integer.
    pub const INTEGER: bool = true;
}

impl<T, X: AskedFloat> Asked<T, X> {
    /// `X` is a float.
    pub const FLOAT: bool = true;
}

/// `usize` and `isize`.
pub trait HostWide {}

numbers!(HostWide: usize isize);

impl<T: HostWide, X> Asked<T, X> {
    /// `T` has another width on the host.
    pub const HOST_WIDE: bool = true;
}

impl<T: Element<Value = T>, X> Asked<T, X> {
    /// `T` can be a field of an element of a view.
    pub const ELEMENT: bool = true;
}

impl<T: From<X>, X> Asked<T, X> {
    /// `T: From<X>`
    pub const FROM: bool = true;
}

impl<T: FromMethod<X>, X> Asked<T, X> {
    /// The same with `#[amp]`.
    pub const FROM_MARKED: bool = true;
}

impl<T: PartialEq<X>, X> Asked<T, X> {
    /// `T: PartialEq<X>`
    #[allow(non_upper_case_globals, reason = "the name of a trait")]
    pub const PartialEq: bool = true;
}

impl<T: Compares<op::Equal, X>, X> Asked<T, X> {
    /// The same with `#[amp]`.
    #[allow(non_upper_case_globals, reason = "the name of a trait")]
    pub const PartialEqMarked: bool = true;
}

impl<T: PartialOrd<X>, X> Asked<T, X> {
    /// `T: PartialOrd<X>`
    #[allow(non_upper_case_globals, reason = "the name of a trait")]
    pub const PartialOrd: bool = true;
}

impl<T: Compares<op::Order, X>, X> Asked<T, X> {
    /// The same with `#[amp]`.
    #[allow(non_upper_case_globals, reason = "the name of a trait")]
    pub const PartialOrdMarked: bool = true;
}

macro_rules! operators {
    ($($op:ident $marked:ident $assign:ident $assign_marked:ident)*) => {
        $(
            #[allow(non_upper_case_globals, reason = "the name of a trait")]
            impl<T: ops::$op<X>, X> Asked<T, X> {
                #[doc = concat!("`T: ", stringify!($op), "<X>`")]
                pub const $op: bool = true;
            }

            #[allow(non_upper_case_globals, reason = "the name of a trait")]
            impl<T: ops::$op<X>, X> Asked<T, X>
            where
                T::Output: Operates<op::$op, T, X>,
            {
                /// The same with `#[amp]`.
                pub const $marked: bool = true;
            }

            #[allow(non_upper_case_globals, reason = "the name of a trait")]
            impl<T: ops::$assign<X>, X> Asked<T, X> {
                #[doc = concat!("`T: ", stringify!($assign), "<X>`")]
                pub const $assign: bool = true;
            }

            #[allow(non_upper_case_globals, reason = "the name of a trait")]
            impl<T, X> Asked<T, X>
            where
                (): Operates<op::Assign<op::$op>, T, X>,
            {
                /// The same with `#[amp]`.
                pub const $assign_marked: bool = true;
            }
        )*

        /// The answers where the trait is missing.
        #[allow(non_upper_case_globals, reason = "the names of traits")]
        pub trait Otherwise {
            /// `T` has one width.
            const HOST_WIDE: bool = false;
            /// `T` is no element.
            const ELEMENT: bool = false;
            /// `X` is no integer.
            const INTEGER: bool = false;
            /// `X` is no float.
            const FLOAT: bool = false;
            /// Not `T: From<X>`.
            const FROM: bool = false;
            /// Not with `#[amp]`.
            const FROM_MARKED: bool = false;
            /// Not `T: PartialEq<X>`.
            const PartialEq: bool = false;
            /// Not with `#[amp]`.
            const PartialEqMarked: bool = false;
            /// Not `T: PartialOrd<X>`.
            const PartialOrd: bool = false;
            /// Not with `#[amp]`.
            const PartialOrdMarked: bool = false;
            $(
                #[doc = concat!("Not `T: ", stringify!($op), "<X>`.")]
                const $op: bool = false;
                /// Not with `#[amp]`.
                const $marked: bool = false;
                #[doc = concat!("Not `T: ", stringify!($assign), "<X>`.")]
                const $assign: bool = false;
                /// Not with `#[amp]`.
                const $assign_marked: bool = false;
            )*
        }
    };
}

operators! {
    Add AddMarked AddAssign AddAssignMarked
    Sub SubMarked SubAssign SubAssignMarked
    Mul MulMarked MulAssign MulAssignMarked
    Div DivMarked DivAssign DivAssignMarked
    Rem RemMarked RemAssign RemAssignMarked
    BitAnd BitAndMarked BitAndAssign BitAndAssignMarked
    BitOr BitOrMarked BitOrAssign BitOrAssignMarked
    BitXor BitXorMarked BitXorAssign BitXorAssignMarked
    Shl ShlMarked ShlAssign ShlAssignMarked
    Shr ShrMarked ShrAssign ShrAssignMarked
}

impl<T, X> Otherwise for Asked<T, X> {}
