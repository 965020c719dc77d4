//! Views as values: a buffer, a first byte, extents and strides, and the operations that make one
//! view from another. All numbers are 32 bits wide: a binding has at most
//! [`BINDING_LIMIT`](super::lowered::BINDING_LIMIT) bytes, less than 2 GiB, and every address in
//! range lies in the binding, so intermediate sums may wrap.
//!
//! Why no result that is used wraps: an address is a sum of products of indices below their extents
//! with strides. Every address in range lies in the binding, below 2^31, and wrapping arithmetic is
//! right modulo 2^32. An address out of range is not used. A stride matters only where its extent
//! is 2 or more: then the second element lies in the binding, so the stride in bytes is below 2^31,
//! and shifting it right as a signed number loses nothing. An extent is below 2^31: a view's own is
//! an `i32`, and one computed here is at most a count of bytes. So `first + count` in
//! [`section`](Lowerer::section) is below 2^32, and the bytes in
//! [`reinterpret`](Lowerer::reinterpret), of contiguous elements, lie in the binding.

use naga::BinaryOperator;
use tilewise_ir::analysis::view_origins::ViewOrigin;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::ValueId;
use tilewise_ir::types::{Scalar, TypeId};

use super::builder::ExprHandle;
use super::launch_predicates::ShapeFit;
use super::lowered::{ModuleKey, ParamWords, bindable};
use super::state::{Lowerer, LoweringResult, ModuleValue, malformed};

#[derive(Clone, Debug)]
pub(super) struct ModuleView {
    pub(super) element: TypeId,
    /// Bytes of an element.
    pub(super) size: u32,
    /// The unit of `base` and `strides` in bytes: 4 if all addresses are multiples of that, else 1.
    pub(super) scale: u32,
    /// First address, including the buffer's head.
    pub(super) base: ExprHandle,
    pub(super) extents: Vec<ExprHandle>,
    pub(super) strides: Vec<ExprHandle>,
    /// Whether the thread's own index is in range.
    pub(super) covers: bool,
}

/// What a launch makes of the [origin](tilewise_ir::analysis::view_origins) of a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct OriginKey {
    /// The number of its allocation.
    pub(super) allocation: usize,
    /// Common alignment of all element addresses in bytes, 1 to 4.
    pub(super) align: u32,
    /// Whether every element lies at a multiple of 16 bytes.
    pub(super) quad: bool,
    /// Whether the thread's own index is in range.
    pub(super) covers: bool,
}

impl OriginKey {
    /// For launches with this key; `None` for a view without memory.
    pub(super) fn of(key: &ModuleKey, origin: ViewOrigin) -> Option<OriginKey> {
        let param = key.params[origin.param.index()];
        Some(OriginKey {
            allocation: param.allocation? as usize,
            align: common(&[u64::from(param.align.max(1)), origin.grain]),
            quad: param.align >= 16 && origin.grain >= 16,
            covers: param.covers && origin.whole,
        })
    }

    /// The unit of addresses in bytes: 4 if all are multiples of that, else 1.
    fn scale(self) -> u32 {
        if self.align == 4 { 4 } else { 1 }
    }
}

/// The largest power of two, at most 4, that divides all.
pub(super) fn common(numbers: &[u64]) -> u32 {
    let all = numbers.iter().fold(4, |all, n| all | n);
    let zeros = all.trailing_zeros().min(numbers.iter().map(|n| n.trailing_zeros()).min().unwrap_or(2));
    1 << zeros.min(2)
}

impl Lowerer<'_> {
    /// What the launch makes of the origin of a view.
    pub(super) fn origin(&self, view: ValueId) -> LoweringResult<OriginKey> {
        let origin = self.input.origins.of_view(view).and_then(|origin| OriginKey::of(self.input.key, origin));
        origin.ok_or_else(|| malformed("a view lies nowhere"))
    }

    /// The view of a parameter, which is this value.
    pub(super) fn param_view(
        &mut self,
        value: ValueId,
        param: usize,
        element: TypeId,
        rank: u32,
    ) -> LoweringResult<ModuleView> {
        let key = self.input.key.params[param];
        let &ParamWords::View { at, size } = &self.memory.layout.params[param] else {
            return Err(malformed("a parameter is not laid out as the view it is"));
        };
        let scale = self.origin(value)?.scale();
        let first = self.word(at);
        let base = self.b.shr(first, u32::trailing_zeros(scale));
        let extents = (0..rank).map(|d| self.word(at + 1 + d)).collect();
        let stride = |lowerer: &mut Self, d: u32| match key.unit && d + 1 == rank {
            true => lowerer.b.u32(size / scale),
            false => {
                let bytes = lowerer.word(at + 1 + rank + d);
                lowerer.signed_part(bytes, scale)
            }
        };
        let strides = (0..rank).map(|d| stride(self, d)).collect();
        let covers = self.origin(value)?.covers;
        Ok(ModuleView { element, size, scale, base, extents, strides, covers })
    }

    /// A number of bytes, possibly negative, in units of `scale` bytes.
    fn signed_part(&mut self, bytes: ExprHandle, scale: u32) -> ExprHandle {
        if scale == 1 || fault::planted(Fault::StridesInBytes) {
            return bytes;
        }
        let signed = self.b.bits(bytes, Scalar::U32, Scalar::I32);
        let by = self.b.u32(scale.trailing_zeros());
        let part = self.b.binary(BinaryOperator::ShiftRight, signed, by);
        self.b.bits(part, Scalar::I32, Scalar::U32)
    }

    /// Records the view that an instruction makes.
    pub(super) fn set_view(&mut self, result: Option<ValueId>, view: ModuleView) -> LoweringResult {
        if let Some(result) = result {
            self.forms.values[result.index()] = Some(ModuleValue::View(view));
        }
        Ok(())
    }

    pub(super) fn section(
        &mut self,
        view: ValueId,
        origin: &[ValueId],
        size: &[ValueId],
    ) -> LoweringResult<ModuleView> {
        let mut view = self.view(view)?;
        let mut fits = None;
        let mut extents = Vec::new();
        for d in 0..view.extents.len() {
            let (first, count) = (self.index(origin[d])?, self.index(size[d])?);
            // Both are below 2^31 if they are valid, so their sum does not wrap.
            let limit = self.b.u32(1 << 31);
            let orderly = self.b.less(first, limit);
            let limit = self.b.u32(1 << 31);
            let counted = self.b.less(count, limit);
            let end = self.b.add(first, count);
            let reach = if fault::planted(Fault::SectionTooLong) { count } else { end };
            let within = self.b.binary(BinaryOperator::LessEqual, reach, view.extents[d]);
            for test in [orderly, counted, within] {
                fits = Some(self.and_then(fits, test));
            }
            let step = self.b.mul(first, view.strides[d]);
            view.base = self.b.add(view.base, step);
            extents.push(count);
        }
        view.extents = extents;
        view.covers = false;
        Ok(self.if_fits(view, fits))
    }

    pub(super) fn project(&mut self, view: ValueId, index: ValueId) -> LoweringResult<ModuleView> {
        let mut view = self.view(view)?;
        let index = self.index(index)?;
        let fits = self.b.less(index, view.extents[0]);
        let step = self.b.mul(index, view.strides[0]);
        view.base = self.b.add(view.base, step);
        view.extents.remove(0);
        view.strides.remove(0);
        view.covers = false;
        Ok(self.if_fits(view, Some(fits)))
    }

    /// Made as `result`, whose origin decides the unit of its addresses.
    pub(super) fn reinterpret(
        &mut self,
        result: Option<ValueId>,
        view: ValueId,
        element: TypeId,
    ) -> LoweringResult<ModuleView> {
        let mut view = self.view(view)?;
        let scale = result.map_or(Ok(view.scale), |result| self.origin(result).map(OriginKey::scale))?;
        let types = self.input.kernel.types();
        let size = types.element_size(element);
        let size = bindable(size, || format!("`{}`, as which a view is reinterpreted,", types.show(element)))?;
        let step = self.b.u32(view.size / view.scale);
        let dense = self.b.equal(view.strides[0], step);
        let old = self.b.u32(view.size);
        let bytes = self.b.mul(view.extents[0], old);
        let size_expr = self.b.u32(size);
        let (count, whole) = if size == 0 {
            let none = self.b.u32(0);
            (none, self.b.equal(bytes, none))
        } else {
            let count = self.b.binary(BinaryOperator::Divide, bytes, size_expr);
            let again = self.b.mul(count, size_expr);
            (count, self.b.equal(again, bytes))
        };
        let whole = if fault::planted(Fault::ReinterpretRest) { self.b.bool(true) } else { whole };
        let fits = self.b.both(dense, whole);
        view.extents = vec![count];
        view.covers = false;
        if scale < view.scale {
            view.base = self.b.shl(view.base, view.scale.trailing_zeros());
            view.scale = scale;
        }
        view.strides = vec![self.b.u32(size / view.scale)];
        (view.size, view.element) = (size, element);
        Ok(self.if_fits(view, Some(fits)))
    }

    pub(super) fn view_as(&mut self, view: ValueId, extent: &[ValueId]) -> LoweringResult<ModuleView> {
        let shape = ShapeFit::of(self.input.kernel, self.input.loads, view, extent);
        let known = shape.and_then(|shape| self.input.key.shapes.iter().find(|known| known.shape == shape));
        let mut view = self.view(view)?;
        let size = self.b.u32(view.size / view.scale);
        if let Some(known) = known {
            let (mut extents, mut strides, mut stride) = (Vec::new(), Vec::new(), size);
            for &count in extent.iter().rev() {
                let count = self.index(count)?;
                extents.insert(0, count);
                strides.insert(0, stride);
                stride = self.b.mul(stride, count);
            }
            (view.extents, view.strides, view.covers) = (extents, strides, known.covers);
            return Ok(view);
        }
        let mut fits = self.b.equal(view.strides[0], size);
        // The product saturates at all ones, which no extent reaches.
        let mut product = self.b.u32(1);
        let mut stride = size;
        let (mut extents, mut strides) = (Vec::new(), Vec::new());
        for &count in extent.iter().rev() {
            let count = self.index(count)?;
            let limit = self.b.u32(1 << 31);
            let counted = self.b.less(count, limit);
            fits = self.b.both(fits, counted);
            extents.insert(0, count);
            strides.insert(0, stride);
            stride = self.b.mul(stride, count);
            let one = self.b.u32(1);
            let most = self.b.u32(u32::MAX);
            let divisor = self.b.math(naga::MathFunction::Max, &[count, one]);
            let room = self.b.binary(BinaryOperator::Divide, most, divisor);
            let over = self.b.less(room, product);
            let next = self.b.binary(BinaryOperator::Multiply, product, count);
            let over_next = self.b.select(over, most, next);
            let none = self.b.u32(0);
            let empty = self.b.equal(count, none);
            product = self.b.select(empty, none, over_next);
        }
        let enough = self.b.binary(BinaryOperator::LessEqual, product, view.extents[0]);
        let enough = if fault::planted(Fault::ViewAsTooMany) { fits } else { enough };
        let fits = self.b.both(fits, enough);
        (view.extents, view.strides, view.covers) = (extents, strides, false);
        Ok(self.if_fits(view, Some(fits)))
    }

    /// The view, or the empty view if it does not fit.
    fn if_fits(&mut self, mut view: ModuleView, fits: Option<ExprHandle>) -> ModuleView {
        if let Some(fits) = fits {
            for extent in &mut view.extents {
                let none = self.b.u32(0);
                *extent = self.b.select(fits, *extent, none);
            }
        }
        view
    }

    pub(super) fn and_then(&mut self, first: Option<ExprHandle>, test: ExprHandle) -> ExprHandle {
        match first {
            Some(first) => self.b.both(first, test),
            None => test,
        }
    }

    pub(super) fn view_extent(&mut self, view: ValueId, dimension: u32, result: Option<ValueId>) -> LoweringResult {
        let view = self.view(view)?;
        let extent = self.b.bits(view.extents[dimension as usize], Scalar::U32, Scalar::I32);
        self.set(result, extent);
        Ok(())
    }
}
