//! Methods of numbers in kernels, on the host's side.
//!
//! The macros write `x.min(y)` as `x.min_marked_amp(y)`, also in `#[amp]` functions that the host
//! calls. These companions are methods of traits, one for each family of methods, which generated
//! code imports by `use ::tilewise::macro_support::methods::*`. A companion does the same as the
//! method in a kernel, to the bit and also where Rust would panic, and marks its result with the
//! method, for the lowering (`tilewise_lower::methods`).
//!
//! `docs/methods.md` lists the methods. Tests compare the lists and the results of the two sides.

mod absent;
mod associated;
mod bytes;
mod family;
mod fitted;
mod meaning;
mod others;
#[cfg(test)]
mod tests;
mod width;

pub use absent::Absent;
pub use absent::MissingFunctions;
pub use associated::{Default, DefaultMethod, From, FromBits, FromBitsMethod, FromMethod};
pub use bytes::{BytesInOrder, BytesMethods, FromBytes, HighestFirst, LowestFirst, NumberBytes, SameBytes, ToBytes};
pub use family::{
    FloatMethods, Floats, IntegerMethods, Integers, NumberMethods, Numbers, SignMethods, SignedIntegers, SignedMethods,
    UnsignedIntegers, UnsignedMethods, WithSigns, of_floats, of_integers, of_numbers, of_signed, of_unsigned,
    with_sign,
};

pub use fitted::{FittedNumber, TryFromMethod, TryIntoMethod};
pub use others::{OtherSign, OthersOfFloats, OthersOfIntegers, OthersOfSigned, OthersOfUnsigned};

#[cfg(test)]
pub(crate) use tests::{Bare, Random};

/// All traits with companions of numbers, without names: for generated code to import as a whole.
pub mod methods {
    pub use super::{
        BytesMethods as _, DefaultMethod as _, FloatMethods as _, FromBitsMethod as _, FromMethod as _,
        IntegerMethods as _, NumberMethods as _, OthersOfFloats as _, OthersOfIntegers as _, OthersOfSigned as _,
        OthersOfUnsigned as _, SignMethods as _, SignedMethods as _, TryFromMethod as _, TryIntoMethod as _,
        UnsignedMethods as _,
    };
}
