//! Views as values: bound ones, and those that kernels derive from others. A derived view that does
//! not fit becomes empty.

use tilewise_ir::kernel::{ParamKind, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, TypeId, ViewType};

use super::comp::{Comp, steps};
use super::state::{Formed, KernelValue, Vectorizer, malformed};
use crate::lanes::{ArgumentWord, Elem, LaneBuilder, LaneValue};

/// A byte offset from a base: a scalar, a constant step per lane, and an arbitrary term per lane.
#[derive(Clone, Debug)]
pub(super) struct Offset {
    /// An `i64` scalar.
    pub(super) scalar: LaneValue,
    /// Bytes from one lane to the next.
    pub(super) step: i64,
    /// The additional offset of each lane: `i32` if all views are small, otherwise `i64`.
    pub(super) lanes: Option<LaneValue>,
    /// May `lanes` be negative, so that only the sum with the scalar is a valid offset?
    pub(super) falls: bool,
}

/// A view. Its in-range elements lie in the memory of the parameter that is its
/// [origin](tilewise_ir::analysis::view_origins).
#[derive(Clone, Debug)]
pub(super) struct FormedView {
    /// A pointer: the parameter's first element, or readable bytes.
    pub(super) base: LaneValue,
    pub(super) offset: Offset,
    /// `i32`, not negative.
    pub(super) extents: Vec<Comp>,
    /// Bytes: `i64` scalars, or lanes.
    pub(super) strides: Vec<Comp>,
    pub(super) element: TypeId,
}

impl Vectorizer<'_> {
    /// The stride in bytes of a dense view.
    pub(super) fn element_size(&self, element: TypeId) -> u64 {
        self.input.context.types.element_size(element)
    }

    /// A view parameter.
    pub(super) fn bound_view(&mut self, param: u32, ty: ViewType) -> FormedView {
        let known = self.input.key.params[param as usize];
        let size = self.element_size(ty.element);
        let base = self.b.input(ArgumentWord::ViewBase(param));
        let zero = self.b.number(0);
        let extents = (0..ty.rank).map(|d| Comp::Plain(self.b.input(ArgumentWord::ViewExtent(param, d)))).collect();
        let stride = |b: &mut LaneBuilder, d: u32| match known.unit && d + 1 == ty.rank {
            true => b.number(size as i64),
            false => b.input(ArgumentWord::ViewStride(param, d)),
        };
        let strides = (0..ty.rank).map(|d| Comp::Plain(stride(&mut self.b, d))).collect();
        let offset = Offset { scalar: zero, step: 0, lanes: None, falls: false };
        FormedView { base, offset, extents, strides, element: ty.element }
    }

    /// Defines the values that are parameters.
    pub(super) fn params(&mut self) -> Formed {
        for (i, value) in self.input.function.values().iter().enumerate() {
            let tilewise_ir::kernel::ValueDef::Param(param) = value.def else { continue };
            let Some(kind) = self.input.kernel.params().get(param as usize).map(|param| param.kind) else {
                return Err(malformed("a parameter is none"));
            };
            let val = match kind {
                ParamKind::View(ty) => KernelValue::View(Box::new(self.bound_view(param, ty))),
                ParamKind::Uniform(ty) => {
                    let Some(data) = self.input.context.types.value(ty) else {
                        return Err(malformed("an aggregate is used as a value"));
                    };
                    let elem = Elem::of(data.scalar);
                    let word = |b: &mut LaneBuilder, c| Comp::Plain(b.input(ArgumentWord::Uniform(param, c, elem)));
                    KernelValue::Data((0..data.width).map(|c| word(&mut self.b, c)).collect())
                }
                ParamKind::Buffer { .. } => return Err(malformed("a buffer is used as a value")),
            };
            self.values[i] = Some(val);
        }
        Ok(())
    }

    /// Adds `index * stride` bytes; the index is unsigned. An affine index must be 0 or more in all
    /// lanes.
    pub(super) fn step_by(&mut self, to: &mut Offset, index: Comp, stride: Comp) {
        let small = self.input.key.small;
        let b = &mut self.b;
        let wide = |b: &mut LaneBuilder, value: LaneValue| match b.ty(value).elem() {
            Elem::I64 => value,
            _ => b.op(Op::ToI64, Scalar::U32, &[value]),
        };
        // Converts to per-lane offsets.
        let narrow = |b: &mut LaneBuilder, comp: Comp| {
            let value = comp.value(b);
            let value = match (b.ty(value).elem(), small) {
                (Elem::I64, true) => b.op(Op::ToI32, Scalar::I64, &[value]),
                (Elem::I32, false) => b.op(Op::ToI64, Scalar::U32, &[value]),
                _ => value,
            };
            b.lanes(value)
        };
        let (elem, scalar) = if small { (Elem::I32, Scalar::I32) } else { (Elem::I64, Scalar::I64) };
        let uniform = stride.scalar(b);
        let constant = uniform.and_then(|stride| b.number_of(stride));
        let lanes = match (index, uniform, constant) {
            (Comp::Affine { base, step, .. }, Some(stride), constant) => {
                let base = wide(b, base);
                let bytes = b.op(Op::Mul, Scalar::I64, &[base, stride]);
                to.scalar = b.op(Op::Add, Scalar::I64, &[to.scalar, bytes]);
                match constant.and_then(|stride| stride.checked_mul(step)?.checked_add(to.step)) {
                    Some(step) => {
                        to.step = step;
                        return;
                    }
                    None => {
                        to.falls |= step < 0;
                        let along = steps(b, elem, step);
                        let stride = narrow(b, Comp::Plain(stride));
                        b.op(Op::Mul, scalar, &[along, stride])
                    }
                }
            }
            (Comp::Plain(value), Some(stride), _) if !b.ty(value).is_lanes() => {
                let index = wide(b, value);
                let bytes = b.op(Op::Mul, Scalar::I64, &[index, stride]);
                to.scalar = b.op(Op::Add, Scalar::I64, &[to.scalar, bytes]);
                return;
            }
            _ => {
                let (index, stride) = (narrow(b, index), narrow(b, stride));
                b.op(Op::Mul, scalar, &[index, stride])
            }
        };
        to.lanes = Some(match to.lanes {
            Some(before) => b.op(Op::Add, scalar, &[before, lanes]),
            None => lanes,
        });
    }

    /// A section of a view.
    pub(super) fn section(
        &mut self,
        result: Option<ValueId>,
        view: ValueId,
        origin: &[ValueId],
        extent: &[ValueId],
    ) -> Formed {
        let none = [None; 4];
        let mut made = self.view(view)?;
        let mut fits = None;
        for d in 0..made.extents.len() {
            let (first, count) = (self.comp(origin[d])?, self.comp(extent[d])?);
            let whole = made.extents[d];
            let zero = Comp::Plain(self.b.constant(Elem::I32, 0));
            // count <= whole and first <= whole - count: nothing wraps, since a whole is not
            // negative.
            let rest = self.each(Op::Sub, Scalar::I32, &[whole, count], &none);
            for (op, x, y) in
                [(Op::Ge, first, zero), (Op::Ge, count, zero), (Op::Le, count, whole), (Op::Le, first, rest)]
            {
                let holds = self.each(op, Scalar::I32, &[x, y], &none);
                fits = Some(self.both(fits, holds));
            }
            let first = self.begun(first);
            self.step_by(&mut made.offset, first, made.strides[d]);
            made.extents[d] = count;
        }
        self.fitted(result, made, fits);
        Ok(())
    }

    /// A view without its first dimension.
    pub(super) fn project(&mut self, result: Option<ValueId>, view: ValueId, index: ValueId) -> Formed {
        let none = [None; 4];
        let mut made = self.view(view)?;
        let index = self.comp(index)?;
        let fits = self.each(Op::Lt, Scalar::U32, &[index, made.extents[0]], &none);
        let index = self.begun(index);
        self.step_by(&mut made.offset, index, made.strides[0]);
        made.extents.remove(0);
        made.strides.remove(0);
        self.fitted(result, made, Some(fits));
        Ok(())
    }

    /// Reinterprets the bytes of a view as other elements.
    pub(super) fn reinterpret(&mut self, result: Option<ValueId>, view: ValueId, element: TypeId) -> Formed {
        let none = [None; 4];
        let mut made = self.view(view)?;
        let (old, new) = (self.element_size(made.element), self.element_size(element));
        let wide = self.each(Op::ToI64, Scalar::U32, &[made.extents[0]], &none);
        let (old, new) = (Comp::Plain(self.b.number(old as i64)), Comp::Plain(self.b.number(new as i64)));
        let bytes = self.each(Op::Mul, Scalar::I64, &[wide, old], &none);
        let count = self.each(Op::Div, Scalar::I64, &[bytes, new], &none);
        let back = self.each(Op::Mul, Scalar::I64, &[count, new], &none);
        let most = Comp::Plain(self.b.number(i64::from(i32::MAX)));
        let mut fits = Some(self.each(Op::Eq, Scalar::I64, &[made.strides[0], old], &none));
        for (op, x, y) in [(Op::Eq, back, bytes), (Op::Le, count, most)] {
            let holds = self.each(op, Scalar::I64, &[x, y], &none);
            fits = Some(self.both(fits, holds));
        }
        made.extents[0] = self.each(Op::ToI32, Scalar::I64, &[count], &none);
        made.strides[0] = new;
        made.element = element;
        self.fitted(result, made, fits);
        Ok(())
    }

    /// Reshapes a view to other dimensions.
    pub(super) fn view_as(&mut self, result: Option<ValueId>, view: ValueId, extent: &[ValueId]) -> Formed {
        let none = [None; 4];
        let mut made = self.view(view)?;
        let size = Comp::Plain(self.b.number(self.element_size(made.element) as i64));
        let mut fits = Some(self.each(Op::Eq, Scalar::I64, &[made.strides[0], size], &none));
        let zero = Comp::Plain(self.b.constant(Elem::I32, 0));
        let none64 = Comp::Plain(self.b.number(0));
        let most = Comp::Plain(self.b.number(i64::from(i32::MAX)));
        let mut product = Comp::Plain(self.b.number(1));
        let mut extents = Vec::new();
        let mut strides = Vec::new();
        for &extent in extent.iter().rev() {
            let count = self.comp(extent)?;
            let holds = self.each(Op::Ge, Scalar::I32, &[count, zero], &none);
            fits = Some(self.both(fits, holds));
            strides.push(self.each(Op::Mul, Scalar::I64, &[product, size], &none));
            extents.push(count);
            let count = self.each(Op::ToI64, Scalar::U32, &[count], &none);
            // Clamped below 2^31 to avoid overflow: a larger product never fits, unless a later
            // dimension is 0.
            product = self.each(Op::Mul, Scalar::I64, &[product, count], &none);
            let beyond = Comp::Plain(self.b.number(1 << 31));
            let over = self.each(Op::Gt, Scalar::I64, &[product, most], &none);
            product = self.choose(over, beyond, product);
            let empty = self.each(Op::Eq, Scalar::I64, &[count, none64], &none);
            product = self.choose(empty, none64, product);
        }
        extents.reverse();
        strides.reverse();
        let whole = self.each(Op::ToI64, Scalar::U32, &[made.extents[0]], &none);
        let holds = self.each(Op::Le, Scalar::I64, &[product, whole], &none);
        fits = Some(self.both(fits, holds));
        (made.extents, made.strides) = (extents, strides);
        self.fitted(result, made, fits);
        Ok(())
    }

    /// Defines a view, empty where it does not fit.
    fn fitted(&mut self, result: Option<ValueId>, mut made: FormedView, fits: Option<Comp>) {
        if let Some(fits) = fits {
            let zero = Comp::Plain(self.b.constant(Elem::I32, 0));
            for d in 0..made.extents.len() {
                made.extents[d] = self.choose(fits, made.extents[d], zero);
            }
        }
        self.define(result, KernelValue::View(Box::new(made)));
    }

    /// The start of a view in its parent, in a form that can be added to an offset: an affine start
    /// may be below zero, or exceed 32 bits, and still be within the parent in later lanes. Then
    /// each lane has its own.
    pub(super) fn begun(&mut self, first: Comp) -> Comp {
        match first {
            Comp::Affine { exact: Some((low, _)), .. } if low >= 0 => first,
            Comp::Affine { .. } => Comp::Plain(first.lanes(&mut self.b)),
            Comp::Plain(_) => first,
        }
    }

    /// The conjunction.
    fn both(&mut self, a: Option<Comp>, b: Comp) -> Comp {
        match a {
            Some(a) => self.each(Op::And, Scalar::Bool, &[a, b], &[None; 2]),
            None => b,
        }
    }
}
