//! The representation of a component of a kernel value in the lane program: uniform, affine in the
//! lane index, or varying.

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use crate::lanes::{Elem, LaneBuilder, LaneInst, LaneType, LaneValue};

/// A component of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comp {
    /// A scalar, if uniform; or lanes.
    Plain(LaneValue),
    /// Lane `n` holds `base + n * step`, wrapped to the type of `base`, an integer scalar.
    Affine {
        /// The value of lane 0.
        base: LaneValue,
        /// The difference from one lane to the next; not 0.
        step: i64,
        /// The range of numbers in any lane, active or not, if none of them has wrapped.
        exact: Option<(i64, i64)>,
    },
}

impl Comp {
    /// The scalar, if it is one.
    pub(super) fn scalar(self, b: &LaneBuilder) -> Option<LaneValue> {
        match self {
            Comp::Plain(value) if !b.ty(value).is_lanes() => Some(value),
            Comp::Plain(_) | Comp::Affine { .. } => None,
        }
    }

    /// The element type.
    pub(super) fn elem(self, b: &LaneBuilder) -> Elem {
        match self {
            Comp::Plain(value) | Comp::Affine { base: value, .. } => b.ty(value).elem(),
        }
    }

    /// As one value: a scalar if uniform, otherwise lanes.
    pub(super) fn value(self, b: &mut LaneBuilder) -> LaneValue {
        match self {
            Comp::Plain(value) => value,
            Comp::Affine { base, step, .. } => {
                let elem = b.ty(base).elem();
                let offsets = steps(b, elem, step);
                let base = b.lanes(base);
                b.op(Op::Add, integer(elem), &[base, offsets])
            }
        }
    }

    /// As lanes.
    pub(super) fn lanes(self, b: &mut LaneBuilder) -> LaneValue {
        let value = self.value(b);
        b.lanes(value)
    }
}

/// Lanes that hold `n * step`.
pub(super) fn steps(b: &mut LaneBuilder, elem: Elem, step: i64) -> LaneValue {
    let mut lane = b.pure(LaneInst::Lane, LaneType::Lanes(Elem::I32));
    if elem == Elem::I64 {
        lane = b.op(Op::ToI64, Scalar::I32, &[lane]);
    }
    let by = b.constant(elem, step as u64);
    let by = b.lanes(by);
    if step == 1 { lane } else { b.op(Op::Mul, integer(elem), &[lane, by]) }
}

/// The signed integer type of an element's size.
pub(super) fn integer(elem: Elem) -> Scalar {
    if elem == Elem::I64 { Scalar::I64 } else { Scalar::I32 }
}
