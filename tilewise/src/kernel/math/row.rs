//! Rows of the op table on the host, where std has no function with their meaning.

use tilewise_ir::ops::ScalarBits;

use crate::kernel::macro_support::{Op, Scalar};

/// A number that rows take. Users do not see it.
pub trait RowNumber: ScalarBits {
    /// Its type in the kernel language.
    const SCALAR: Scalar;
}

impl RowNumber for f32 {
    const SCALAR: Scalar = Scalar::F32;
}

impl RowNumber for f64 {
    const SCALAR: Scalar = Scalar::F64;
}

impl RowNumber for i32 {
    const SCALAR: Scalar = Scalar::I32;
}

impl RowNumber for u32 {
    const SCALAR: Scalar = Scalar::U32;
}

/// The arguments of a row, whose meaning the first one's type chooses.
pub(crate) trait RowArguments {
    /// The first argument's type.
    const SCALAR: Scalar;
    /// The bits of all, then zeros.
    fn bits(self) -> [u64; 4];
}

impl<A: RowNumber> RowArguments for (A,) {
    const SCALAR: Scalar = A::SCALAR;
    fn bits(self) -> [u64; 4] {
        [self.0.to_bits(), 0, 0, 0]
    }
}

impl<A: RowNumber, B: ScalarBits> RowArguments for (A, B) {
    const SCALAR: Scalar = A::SCALAR;
    fn bits(self) -> [u64; 4] {
        [self.0.to_bits(), self.1.to_bits(), 0, 0]
    }
}

impl<A: RowNumber, B: ScalarBits, C: ScalarBits> RowArguments for (A, B, C) {
    const SCALAR: Scalar = A::SCALAR;
    fn bits(self) -> [u64; 4] {
        [self.0.to_bits(), self.1.to_bits(), self.2.to_bits(), 0]
    }
}

/// The result of a row that computes component by component.
///
/// # Panics
/// If the row has no meaning for numbers of that type, which is a mistake in this crate.
pub(crate) fn row<A: RowArguments, R: ScalarBits>(op: Op, arguments: A) -> R {
    let Some(meaning) = op.each(A::SCALAR) else { unreachable!("`{}` has a meaning for {}", op.name(), A::SCALAR) };
    R::from_bits(meaning(arguments.bits()))
}
