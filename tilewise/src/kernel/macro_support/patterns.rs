//! Patterns: which variant of an enum a pattern fits, the value of a constant in it, the type of a
//! part.
//!
//! Rust's own patterns answer: a table holds a closure that matches them, so that they mean what
//! they mean to rustc. The type of what is matched comes from a witness. If the two do not fit, rustc
//! has reported that for the user's `match` already; the methods of [`PatternMismatch`], which apply
//! where the others do not, keep it from doing so again for the table.

use super::{HeldValue, RustConstant, Witness, pattern_constant};
use crate::kernel::types::KernelType;

/// A closure that matches a pattern, and the type of what it is given.
#[derive(Debug)]
pub struct PatternOf<T, F>(pub Witness<T>, pub F);

impl<T: KernelType, F: Fn(&T) -> bool> PatternOf<T, F> {
    /// The number of the variant that the pattern fits; 0 for a type that is no enum with fields.
    pub fn variant_number(self) -> RustConstant {
        RustConstant { ty: u32::ty(), leaves: vec![T::variant(&self.1).into()], too_wide: None }
    }
}

/// A closure that returns a part of what it is given, and the type of that.
#[derive(Debug)]
pub struct PatternPart<T, F>(pub Witness<T>, pub F);

impl<T, U, F: Fn(T) -> U> PatternPart<T, F> {
    /// The part's type.
    pub fn part_type(self) -> Witness<U> {
        Witness::NEW
    }
}

/// A value of another form than a pattern's, in code that does not run. It has the type that is asked for: a `!`
/// there would become the type of a part that nothing else gives one, such as an item of `[1, 2, 3]`.
#[cold]
pub fn other_form<T>() -> T {
    unreachable!()
}

/// Items of iterators that a pattern with a variant takes apart: their type behind the references. A method, as rustc
/// looks for those behind references.
pub trait BehindReferences {
    /// Unifies a witness with the type.
    #[inline(always)]
    fn behind_references(&self, _: Witness<Self>) {}
}

/// The answers where a pattern takes a reference apart, as a part of a tuple that is a value: they are about the type
/// behind it.
pub trait PatternOfReference<T> {
    /// The number of the variant that the pattern fits.
    fn variant_number(self) -> RustConstant;
}

impl<T: KernelType, F: Fn(&T) -> bool> PatternOfReference<T> for PatternOf<&T, F> {
    fn variant_number(self) -> RustConstant {
        PatternOf(Witness::<T>::NEW, self.1).variant_number()
    }
}

/// The same for a part of what is behind a reference.
pub trait PartOfReference<T, U> {
    /// The part's type.
    fn part_type(self) -> Witness<U>;
}

impl<T, U, F: Fn(T) -> U> PartOfReference<T, U> for PatternPart<&T, F> {
    fn part_type(self) -> Witness<U> {
        Witness::NEW
    }
}

/// The answers behind two references: of what `peek` gives of an iterator over references.
pub trait PatternBehindTwo<T> {
    /// The number of the variant that the pattern fits.
    fn variant_number(self) -> RustConstant;
}

impl<T: KernelType, F: Fn(&T) -> bool> PatternBehindTwo<T> for PatternOf<&&T, F> {
    fn variant_number(self) -> RustConstant {
        PatternOf(Witness::<T>::NEW, self.1).variant_number()
    }
}

/// The same for a part of what is behind two references.
pub trait PartBehindTwo<T, U> {
    /// The part's type.
    fn part_type(self) -> Witness<U>;
}

impl<T, U, F: Fn(T) -> U> PartBehindTwo<T, U> for PatternPart<&&T, F> {
    fn part_type(self) -> Witness<U> {
        Witness::NEW
    }
}

/// A constant in a pattern, and the type of what it is compared with.
#[derive(Debug)]
pub struct PatternConstant<T, V>(pub Witness<T>, pub V);

impl<T: HeldValue> PatternConstant<T, T> {
    /// The constant as data.
    pub fn constant_value(self) -> RustConstant {
        pattern_constant(&self.1.kept())
    }
}

impl<T: HeldValue> PatternConstant<&T, T> {
    /// The constant as data.
    pub fn constant_value(self) -> RustConstant {
        pattern_constant(&self.1.kept())
    }
}

impl<T: HeldValue> PatternConstant<&&T, T> {
    /// The constant as data.
    pub fn constant_value(self) -> RustConstant {
        pattern_constant(&self.1.kept())
    }
}

impl<T, const N: usize> Witness<&&[T; N]> {
    /// The type of an element.
    pub const fn element_type(self) -> Witness<T> {
        Witness::NEW
    }
}

impl<T, const N: usize> Witness<&[T; N]> {
    /// The type of an element.
    pub const fn element_type(self) -> Witness<T> {
        Witness::NEW
    }
}

impl<T, const N: usize> Witness<[T; N]> {
    /// The type of an element.
    pub const fn element_type(self) -> Witness<T> {
        Witness::NEW
    }
}

impl<T> Witness<&[T]> {
    /// The type of an element, of what `windows` and its like give.
    pub const fn element_type(self) -> Witness<T> {
        Witness::NEW
    }
}

/// The answers where pattern and type do not fit.
pub trait PatternMismatch {
    /// A constant that lowering refuses.
    fn variant_number(&self) -> RustConstant {
        RustConstant { ty: u32::ty(), leaves: Vec::new(), too_wide: None }
    }

    /// No type.
    fn part_type(&self) -> Witness<()> {
        Witness::NEW
    }

    /// No type.
    fn element_type(&self) -> Witness<()> {
        Witness::NEW
    }

    /// A constant that lowering refuses.
    fn constant_value(&self) -> RustConstant {
        self.variant_number()
    }
}

impl<T> PatternMismatch for Witness<T> {}
impl<T, F> PatternMismatch for PatternOf<T, F> {}
impl<T, F> PatternMismatch for PatternPart<T, F> {}
impl<T, V> PatternMismatch for PatternConstant<T, V> {}
