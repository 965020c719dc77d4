//! `Result` in kernels: an enum with fields, like an `Option`. Its methods are in the kernel language, in
//! [`containers`](super::written::containers).

use std::sync::Arc;

use super::capture::Capture;
use super::macro_support::op::{Equal, OWN, Plain};
use super::macro_support::{
    Compares, Form, HeldValue, RustConstant, RustType, VariantTy, VariantsTy, name_of, variants_on_the_host,
};
use super::types::{KernelType, KernelValue};

#[diagnostic::do_not_recommend]
impl<T: HeldValue, E: HeldValue> KernelType for Result<T, E> {
    fn ty() -> RustType {
        RustType::Variants(Arc::new(VariantsTy {
            name: name_of::<Result<T::Kept, E::Kept>>(),
            variants: vec![
                VariantTy { name: "Ok", fields: vec![("0", T::ty())] },
                VariantTy { name: "Err", fields: vec![("0", E::ty())] },
            ],
        }))
    }

    fn variant(is: &dyn Fn(&Self) -> bool) -> u32 {
        u32::from(!is(&zero()))
    }
}

/// A `Result` that reads as zero has a value. The error may be of a type without values, and never occurs then.
fn zero<T: HeldValue, E>() -> Result<T, E> {
    const { assert!(T::Kept::HAS_VALUES, "a kernel has no `Result` that can only be an error: use the error itself") };
    Ok(T::held_zero())
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue, E: KernelValue> KernelValue for Result<T, E> {
    fn leaves(&self, out: &mut Vec<u64>) {
        out.push(self.is_err().into());
        match self {
            Ok(value) => {
                value.leaves(out);
                out.extend(E::filler().leaves);
            }
            Err(error) => {
                out.extend(T::filler().leaves);
                error.leaves(out);
            }
        }
    }

    fn zero() -> Self {
        zero()
    }

    fn beyond(&self) -> Option<i128> {
        match self {
            Ok(value) => value.beyond(),
            Err(error) => error.beyond(),
        }
    }

    fn on_the_host(&self) -> RustConstant {
        let value = self.ok().map_or_else(T::filler, |value| value.on_the_host());
        let error = self.err().map_or_else(E::filler, |error| error.on_the_host());
        variants_on_the_host(Self::ty(), self.is_err().into(), &[value, error])
    }

    fn end_in_a_kernel(self) -> Self {
        self.map(T::end_in_a_kernel).map_err(E::end_in_a_kernel)
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue, E: KernelValue> Capture for Result<T, E> {
    type Value = Self;

    #[inline]
    fn capture(&self) -> Self {
        *self
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue + Plain, E: KernelValue + Plain> Compares<Equal, Result<T, E>> for Result<T, E> {
    fn form() -> Form {
        OWN
    }
}
