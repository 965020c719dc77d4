//! What the companions of the methods of iterators mark their results with.

use std::marker::PhantomData;

use super::super::{Form, KernelFn, RustBuiltin, RustType};
use super::{SequenceCall, SequenceMethod, SequenceSource, SourceKind};
use crate::kernel::types::KernelType;

/// A method of an iterator as a form.
pub(super) const fn of_method(
    method: SequenceMethod,
    receiver: SequenceSource,
    argument: Option<SequenceSource>,
    result: Option<RustType>,
) -> Form {
    Form::Builtin(RustBuiltin::Sequence(SequenceCall { method, receiver, argument, result, key: None }))
}

/// A method of iterators, as a type.
pub trait SequenceMark {
    /// The method.
    const METHOD: SequenceMethod;
}

/// The method `M` of an iterator of the kind `I`, which makes another one, or has a result whose type needs no name.
#[derive(Debug)]
pub struct Adapted<M, I>(PhantomData<(M, I)>);

impl<M: SequenceMark, I: SourceKind> KernelFn for Adapted<M, I> {
    fn form() -> Form {
        of_method(M::METHOD, I::SOURCE, None, None)
    }
}

/// The method `M` of an iterator of the kind `I` with another one, which makes a third.
#[derive(Debug)]
pub struct AdaptedWith<M, I, U>(PhantomData<(M, I, U)>);

impl<M: SequenceMark, I: SourceKind, U: SourceKind> KernelFn for AdaptedWith<M, I, U> {
    fn form() -> Form {
        of_method(M::METHOD, I::SOURCE, Some(U::SOURCE), None)
    }
}

/// The method `M` of an iterator of the kind `I` whose result has this type.
#[derive(Debug)]
pub struct Gathered<M, I, R>(PhantomData<(M, I, R)>);

impl<M: SequenceMark, I: SourceKind, R: KernelType> KernelFn for Gathered<M, I, R> {
    fn form() -> Form {
        of_method(M::METHOD, I::SOURCE, None, Some(R::ty()))
    }
}

/// The method `M` of an iterator of the kind `I` whose result has the type `R`, by keys of the type `K`.
#[derive(Debug)]
pub struct GatheredByKey<M, I, R, K>(PhantomData<(M, I, R, K)>);

impl<M: SequenceMark, I: SourceKind, R: KernelType, K: KernelType> KernelFn for GatheredByKey<M, I, R, K> {
    fn form() -> Form {
        let result = Some(R::ty());
        let call = SequenceCall { method: M::METHOD, receiver: I::SOURCE, argument: None, result, key: Some(K::ty()) };
        Form::Builtin(RustBuiltin::Sequence(call))
    }
}

macro_rules! marks {
    ($($name:ident)*) => {$(
        #[doc = concat!("`SequenceMethod::", stringify!($name), "`")]
        #[derive(Debug)]
        pub enum $name {}

        impl super::SequenceMark for $name {
            const METHOD: super::SequenceMethod = super::SequenceMethod::$name;
        }
    )*};
}

/// `chunks`
#[derive(Debug)]
pub enum AnyChunks {}

impl SequenceMark for AnyChunks {
    const METHOD: SequenceMethod = SequenceMethod::Chunks(false);
}

/// `chunks_exact`
#[derive(Debug)]
pub enum ExactChunks {}

impl SequenceMark for ExactChunks {
    const METHOD: SequenceMethod = SequenceMethod::Chunks(true);
}

/// The methods of iterators, as types.
pub mod marks {
    pub use super::{AnyChunks, ExactChunks};

    marks! {
        Itself ByRef Clone Rev Skip Take StepBy PartFrom PartTo PartBetween Windows Enumerate Copied Map Filter FilterMap TakeWhile
        SkipWhile MapWhile Inspect Chain Zip Scan Cycle
        ForEach Count Len Sum Product Fold Reduce Min Max MinByKey MaxByKey MinBy MaxBy Any All Position Find
        FindMap Last Nth Next IsSorted TryFold RFind RFold RPosition FlatMap Flatten Peekable Peek NextIf NextIfEq
        Contains IsEmpty
    }
}
