//! `Option` in kernels: an enum with fields, like those with `derive(AmpStruct)`.

use std::sync::Arc;

use super::capture::Capture;
use super::macro_support::{RustType, VariantTy, VariantsTy, name_of};
use super::types::{KernelType, KernelValue};

#[diagnostic::do_not_recommend]
impl<T: KernelValue> KernelType for Option<T> {
    fn ty() -> RustType {
        let some = T::ty();
        RustType::Variants(Arc::new(VariantsTy {
            name: name_of::<Self>(),
            variants: vec![
                VariantTy { name: "None", fields: Vec::new() },
                VariantTy { name: "Some", fields: vec![("0", some)] },
            ],
        }))
    }

    fn variant(is: &dyn Fn(&Self) -> bool) -> u32 {
        u32::from(!is(&None))
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue> KernelValue for Option<T> {
    fn leaves(&self, out: &mut Vec<u64>) {
        out.push(self.is_some().into());
        self.unwrap_or_else(T::zero).leaves(out);
    }

    fn zero() -> Self {
        None
    }

    fn beyond(&self) -> Option<i128> {
        self.and_then(|value| value.beyond())
    }

    fn end_in_a_kernel(self) -> Self {
        self.map(T::end_in_a_kernel)
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue> Capture for Option<T> {
    type Value = Self;

    #[inline]
    fn capture(&self) -> Self {
        *self
    }
}
