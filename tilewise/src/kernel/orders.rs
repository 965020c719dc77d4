//! Orders in kernels: `Ordering` as a value, its methods, and `partial_cmp` and `cmp` of numbers.
//!
//! `<` and its like on a type of the user's own are a call of its `partial_cmp`, as in Rust.

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::sync::Arc;

use super::capture::captured_by_copy;
use super::macro_support::op::{Equal, OWN, Order};
use super::macro_support::{Called, Compares, EnumTy, Form, KernelFn, OrderingMethod, RustBuiltin, RustType, Scalar};
use super::types::{KernelType, KernelValue};

#[diagnostic::do_not_recommend]
impl KernelType for Ordering {
    fn ty() -> RustType {
        let variants = vec![("Less", -1_i32 as u32), ("Equal", 0), ("Greater", 1)];
        RustType::Enum(Arc::new(EnumTy { name: "Ordering".to_owned(), scalar: Scalar::I32, variants }))
    }

    fn variant(is: &dyn Fn(&Self) -> bool) -> u32 {
        let all = [Ordering::Less, Ordering::Equal, Ordering::Greater];
        all.iter().position(is).unwrap_or_default() as u32
    }
}

#[diagnostic::do_not_recommend]
impl KernelValue for Ordering {
    fn leaves(&self, out: &mut Vec<u64>) {
        out.push(u64::from(*self as i32 as u32));
    }

    fn zero() -> Self {
        Ordering::Equal
    }
}

captured_by_copy! {
    () Ordering;
}

#[diagnostic::do_not_recommend]
impl Compares<Equal> for Ordering {
    fn form() -> Form {
        OWN
    }
}

#[diagnostic::do_not_recommend]
impl Compares<Order> for Ordering {
    fn form() -> Form {
        OWN
    }
}

#[diagnostic::do_not_recommend]
impl Compares<Equal, Option<Ordering>> for Option<Ordering> {
    fn form() -> Form {
        OWN
    }
}

/// The companion of `partial_cmp`: of numbers, and of types with an `#[amp] impl PartialOrd`.
pub trait PartialCmpMethod<R: ?Sized = Self> {
    /// Stands for the comparison.
    type Mark: KernelFn;
    /// The companion.
    fn partial_cmp_marked_amp(&self, other: &R) -> Called<Option<Ordering>, Self::Mark>;
}

/// The companion of `cmp`: of integers, characters, `bool`s, enums without fields, and types with a derived `Ord`.
pub trait CmpMethod {
    /// Stands for the comparison.
    type Mark: KernelFn;
    /// The companion.
    fn cmp_marked_amp(&self, other: &Self) -> Called<Ordering, Self::Mark>;
}

#[diagnostic::do_not_recommend]
impl<T: PartialCmpMethod<R>, R> PartialCmpMethod<&R> for &T {
    type Mark = T::Mark;

    #[inline(always)]
    fn partial_cmp_marked_amp(&self, other: &&R) -> Called<Option<Ordering>, T::Mark> {
        T::partial_cmp_marked_amp(self, other)
    }
}

#[diagnostic::do_not_recommend]
impl<T: CmpMethod> CmpMethod for &T {
    type Mark = T::Mark;

    #[inline(always)]
    fn cmp_marked_amp(&self, other: &Self) -> Called<Ordering, T::Mark> {
        T::cmp_marked_amp(self, other)
    }
}

/// The companions of `min` and `max` of what is no number: characters, `bool`s, enums without fields, types with a
/// derived `Ord`.
pub trait ChoiceMethods: ChosenByOrder + Sized {
    /// The companion of `min`.
    fn min_marked_amp(self, other: Self) -> Called<Self, ChosenValue<Self, false>>;
    /// The companion of `max`.
    fn max_marked_amp(self, other: Self) -> Called<Self, ChosenValue<Self, true>>;
}

/// The companions of `min` and `max` of two references: as in Rust, they give one of the references.
pub trait ReferenceChoices<T: ChosenByOrder>: Sized {
    /// The companion of `min`.
    fn min_marked_amp(self, other: Self) -> Called<Self, ChosenValue<T, false>>;
    /// The companion of `max`.
    fn max_marked_amp(self, other: Self) -> Called<Self, ChosenValue<T, true>>;
}

#[diagnostic::do_not_recommend]
impl<T: ChosenByOrder + Ord> ReferenceChoices<T> for &T {
    #[inline(always)]
    fn min_marked_amp(self, other: Self) -> Called<Self, ChosenValue<T, false>> {
        Called::new(Ord::min(self, other))
    }

    #[inline(always)]
    fn max_marked_amp(self, other: Self) -> Called<Self, ChosenValue<T, true>> {
        Called::new(Ord::max(self, other))
    }
}

/// The companion of `total_cmp` of floats.
pub trait TotalCmpMethod {
    /// The companion.
    fn total_cmp_marked_amp(&self, other: &Self) -> Called<Ordering, ComparedTotally>;
}

/// The meaning of `total_cmp`.
#[derive(Debug)]
pub enum ComparedTotally {}

impl KernelFn for ComparedTotally {
    fn form() -> Form {
        Form::Builtin(RustBuiltin::TotalOrder(Ordering::ty()))
    }
}

/// Of two values, `cmp::min` and `cmp::max` give one: integers, characters, `bool`s, enums without fields, types with
/// a derived `Ord`.
#[diagnostic::on_unimplemented(
    message = "a kernel has no `min` and `max` of `{Self}`",
    label = "neither a number nor a type with an order that is marked `#[amp]`",
    note = "of a type of your own, write `#[amp]` on the line before its `#[derive(PartialEq, Eq, PartialOrd, Ord)]`, or on the `impl` that has its `min` and `max`",
    note = "of an `Option`, a tuple or an array, compare the two, `if a < b {{ b }} else {{ a }}`, or take the values out: `match (a, b) {{ (Some(x), Some(y)) => .. }}`"
)]
pub trait ChosenByOrder {
    /// The meaning of `cmp::max`, or of `cmp::min`.
    fn chosen(greatest: bool) -> Form;

    /// The meaning of `cmp`.
    fn compared() -> Form {
        Form::Builtin(RustBuiltin::Compare(Ordering::ty()))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ChosenByOrder> ChosenByOrder for &T {
    fn chosen(greatest: bool) -> Form {
        T::chosen(greatest)
    }

    fn compared() -> Form {
        T::compared()
    }
}

#[diagnostic::do_not_recommend]
impl ChosenByOrder for Ordering {
    fn chosen(greatest: bool) -> Form {
        Form::Builtin(RustBuiltin::Chosen(greatest))
    }
}

/// A comparison with this result.
#[derive(Debug)]
pub struct ComparedValues<R>(PhantomData<R>);

impl<R: KernelType> KernelFn for ComparedValues<R> {
    fn form() -> Form {
        Form::Builtin(RustBuiltin::Compare(R::ty()))
    }
}

/// A comparison of an enum without fields, whose variants are in the order of their numbers.
#[derive(Debug)]
pub struct ComparedVariants<E>(PhantomData<E>);

impl<E: Compares<Order>> KernelFn for ComparedVariants<E> {
    fn form() -> Form {
        match <E as Compares<Order>>::form() {
            Form::Builtin(RustBuiltin::Operator) => Form::Builtin(RustBuiltin::Compare(Option::<Ordering>::ty())),
            other => other,
        }
    }
}

/// The `cmp` of an enum without fields.
#[derive(Debug)]
pub struct ComparedTotalVariants<E>(PhantomData<E>);

impl<E: ChosenByOrder> KernelFn for ComparedTotalVariants<E> {
    fn form() -> Form {
        E::compared()
    }
}

/// The method `max`, or `min`, of a value that is no number.
#[derive(Debug)]
pub struct ChosenValue<T, const GREATEST: bool>(PhantomData<T>);

impl<T: ChosenByOrder, const GREATEST: bool> KernelFn for ChosenValue<T, GREATEST> {
    fn form() -> Form {
        T::chosen(GREATEST)
    }
}

macro_rules! compared {
    ($($t:ident)*) => {$(
        impl PartialCmpMethod for $t {
            type Mark = ComparedValues<Option<Ordering>>;

            #[inline(always)]
            fn partial_cmp_marked_amp(&self, other: &$t) -> Called<Option<Ordering>, Self::Mark> {
                Called::new(self.partial_cmp(other))
            }
        }
    )*};
}

macro_rules! totally {
    ($($t:ident)*) => {$(
        impl CmpMethod for $t {
            type Mark = ComparedValues<Ordering>;

            #[inline(always)]
            fn cmp_marked_amp(&self, other: &$t) -> Called<Ordering, Self::Mark> {
                Called::new(self.cmp(other))
            }
        }
    )*};
}

macro_rules! in_total_order {
    ($($t:ident)*) => {$(
        impl TotalCmpMethod for $t {
            #[inline(always)]
            fn total_cmp_marked_amp(&self, other: &$t) -> Called<Ordering, ComparedTotally> {
                Called::new(self.total_cmp(other))
            }
        }
    )*};
}

in_total_order!(f32 f64);

macro_rules! choices {
    ($($t:ident)*) => {$(
        impl ChoiceMethods for $t {
            #[inline(always)]
            fn min_marked_amp(self, other: $t) -> Called<$t, ChosenValue<$t, false>> {
                Called::new(self.min(other))
            }

            #[inline(always)]
            fn max_marked_amp(self, other: $t) -> Called<$t, ChosenValue<$t, true>> {
                Called::new(self.max(other))
            }
        }
    )*};
}

macro_rules! chosen {
    ($($t:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ChosenByOrder for $t {
            fn chosen(greatest: bool) -> Form {
                Form::Builtin(RustBuiltin::Method(if greatest { "max" } else { "min" }))
            }
        }
    )*};
}

#[diagnostic::do_not_recommend]
impl ChosenByOrder for bool {
    fn chosen(greatest: bool) -> Form {
        Form::Builtin(RustBuiltin::Chosen(greatest))
    }
}

chosen!(char i8 u8 i16 u16 i32 u32 i64 u64 usize isize);
compared!(bool char i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 usize isize);
choices!(bool char Ordering);
totally!(bool char i8 u8 i16 u16 i32 u32 i64 u64 usize isize);

macro_rules! methods {
    ($($mark:ident $kind:ident $companion:ident $method:ident($($arg:ident)?) -> $result:ty;)*) => {
        $(
            #[doc = concat!("The method `", stringify!($method), "` of an `Ordering`.")]
            #[derive(Debug)]
            pub enum $mark {}

            impl KernelFn for $mark {
                fn form() -> Form {
                    Form::Builtin(RustBuiltin::OfOrdering(OrderingMethod::$kind))
                }
            }
        )*

        /// The companions of the methods of `Ordering`.
        #[allow(clippy::wrong_self_convention, reason = "the names are those of the methods")]
        pub trait OrderingMethods: Sized {$(
            #[doc = concat!("The companion of `", stringify!($method), "`.")]
            fn $companion(self $(, $arg: Self)?) -> Called<$result, $mark>;
        )*}

        impl OrderingMethods for Ordering {$(
            #[inline(always)]
            fn $companion(self $(, $arg: Ordering)?) -> Called<$result, $mark> {
                Called::new(self.$method($($arg)?))
            }
        )*}
    };
}

methods! {
    OrderingIsEq IsEq is_eq_marked_amp is_eq() -> bool;
    OrderingIsNe IsNe is_ne_marked_amp is_ne() -> bool;
    OrderingIsLt IsLt is_lt_marked_amp is_lt() -> bool;
    OrderingIsGt IsGt is_gt_marked_amp is_gt() -> bool;
    OrderingIsLe IsLe is_le_marked_amp is_le() -> bool;
    OrderingIsGe IsGe is_ge_marked_amp is_ge() -> bool;
    OrderingReverse Reverse reverse_marked_amp reverse() -> Ordering;
    OrderingThen Then then_marked_amp then(other) -> Ordering;
}
