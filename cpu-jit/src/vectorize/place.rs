//! Places: their addresses and bounds checks.
//!
//! Every index is checked against its own length, unless its range proves it. Uniform and affine
//! indices are checked as scalars, at both ends of the lanes and in 64 bits, so that no value in
//! between can have wrapped; varying indices are checked into a mask, and those that are affine in
//! nearly all strips are affine on the quick path. So there are two paths to a
//! place: the **quick** one, valid if a scalar condition holds, and the **careful** one under a
//! mask, which is always valid. Lanes side by side stay so on the careful path: it accesses whole
//! vectors of a row at its edges too.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Place, Root, Step, ValueDef, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored, Type, TypeId};
use tilewise_ir::typing::PlaceType;

use super::comp::Comp;
use super::locals::Keep;
use super::state::{Formed, Vectorizer, malformed, small};
use super::view::Offset;
use crate::lanes::{
    AddressStep, ArenaPart, ArgumentWord, Elem, LaneAddress, LaneInst, LaneType, LaneValue, MemorySpace, VectorMachine,
};

/// The address of a place and its bounds checks.
#[derive(Clone, Debug)]
pub(super) struct FormedPlace {
    space: MemorySpace,
    base: LaneValue,
    offset: Offset,
    constant: i64,
    /// The constant bytes of the path to the place.
    path: i64,
    /// The layout of a thread's private memory: the unit by which lanes are interleaved.
    unit: Option<u64>,
    /// A scalar: are all indices that are checked as scalars in range? `None` if that is known.
    pub(super) fits: Option<LaneValue>,
    /// The lanes that are in range, for indices checked per lane.
    pub(super) mask: Option<LaneValue>,
    /// Is there a careful path if the scalar condition fails?
    pub(super) careful: bool,
}

impl Vectorizer<'_> {
    /// The address of a place. `first` is the index of its first value among the places' values
    /// known at this instruction.
    pub(super) fn spot(&mut self, place: &Place, first: usize, careful: bool) -> Formed<FormedPlace> {
        let zero = self.b.number(0);
        let offset = Offset { scalar: zero, step: 0, lanes: None, falls: false };
        let at = |space, base| FormedPlace {
            space,
            base,
            offset,
            constant: 0,
            path: 0,
            unit: None,
            fits: None,
            mask: None,
            careful: false,
        };
        let mut known = first;
        let spot = match &place.root {
            Root::View { view, index } => {
                let view = self.view(*view)?;
                let mut spot = at(self.buffer_of(place)?, view.base);
                spot.offset = view.offset.clone();
                known += 1;
                if view.extents.len() != index.len() {
                    return Err(malformed("an index has another rank than its view"));
                }
                if index.first().is_some_and(|index| self.positions.contains(index)) {
                    let size = self.element_size(view.element);
                    let size = Comp::Plain(self.b.number(size as i64));
                    self.step_by(&mut spot.offset, self.here.global[0], size);
                    return self.way(spot, place, known + index.len(), careful);
                }
                for (d, &index) in index.iter().enumerate() {
                    self.index(&mut spot, index, known, view.extents[d], view.strides[d], careful)?;
                    known += 1;
                }
                spot
            }
            Root::Param(id) => {
                let param = id.index();
                let buffer =
                    matches!(self.input.kernel.params()[param].kind, tilewise_ir::kernel::ParamKind::Buffer { .. });
                let space = if buffer { self.buffer_of(place)? } else { MemorySpace::Constant };
                at(space, self.b.input(ArgumentWord::ParamBase(param as u32)))
            }
            Root::Table(id) => at(MemorySpace::Constant, self.b.input(ArgumentWord::TableBase(id.index() as u32))),
            Root::Tile(id) => {
                let base = self.arena(ArenaPart::TileStatic);
                let mut spot = at(MemorySpace::Arena(ArenaPart::TileStatic), base);
                spot.constant = self.here.tile_vars[id.index()] as i64;
                spot
            }
            Root::Local(id) => {
                let Keep::Memory { offset, unit, .. } = *self.input.locals.keep(*id) else {
                    return Err(malformed("a variable that is no aggregate is used as one"));
                };
                let base = self.arena(ArenaPart::Private);
                let mut spot = at(MemorySpace::Arena(ArenaPart::Private), base);
                let width = u64::from(self.b.width());
                spot.constant = (offset * width) as i64;
                spot.offset.scalar = self.private_offset();
                spot.unit = Some(u64::from(unit));
                spot
            }
            Root::Ref(_) => return Err(malformed("a reference outside a function")),
        };
        self.way(spot, place, known, careful)
    }

    /// The allocation of the parameter in whose memory a place lies.
    fn buffer_of(&self, place: &Place) -> Formed<MemorySpace> {
        let param = self.input.origins.of_place(place).ok_or_else(|| malformed("a place is in no parameter"))?;
        Ok(MemorySpace::Buffer(self.input.key.params[param.index()].allocation))
    }

    /// Follows the path from the root of a place to its end.
    fn way(&mut self, mut spot: FormedPlace, place: &Place, mut known: usize, careful: bool) -> Formed<FormedPlace> {
        let Some(root) = self.input.context.root(&place.root) else { return Err(malformed("a place has no type")) };
        let mut ty = PlaceType::Whole(root);
        // The byte offset from the root, for arrays that are as long as their buffer.
        let mut way = 0;
        for step in &place.path {
            let PlaceType::Whole(id) = ty else { return Err(malformed("a step into a component")) };
            match (self.input.context.types.get(id), *step) {
                (Type::Struct(s), Step::Field(i)) => {
                    let offset = s.fields.get(i as usize).map_or(0, |field| u64::from(field.offset));
                    way += offset;
                    spot.path += offset as i64;
                }
                (Type::Vector(stored, _), Step::Component(i)) => {
                    spot.path += i64::from(stored.size()) * i64::from(i);
                }
                (_, Step::Index(index)) => {
                    let (length, stride) = self.length_and_stride(id, place, way)?;
                    self.element(&mut spot, index, known, length, stride, careful)?;
                    known += 1;
                }
                _ => return Err(malformed("a step does not fit its place")),
            }
            ty = self.input.context.step(ty, step).ok_or_else(|| malformed("a step does not fit its place"))?;
        }
        Ok(spot)
    }

    /// The interleaved offset of a byte of the object.
    fn lies(&self, spot: &FormedPlace, byte: i64) -> i64 {
        match spot.unit {
            Some(unit) => {
                let unit = unit as i64;
                byte / unit * unit * i64::from(self.b.width()) + byte % unit
            }
            None => byte,
        }
    }

    /// The number of elements of an array or vector, an `i32`, and its stride in bytes. An array
    /// that is as long as its buffer has the elements that begin at `way` bytes.
    pub(super) fn length_and_stride(&mut self, id: TypeId, place: &Place, way: u64) -> Formed<(Comp, i64)> {
        match self.input.context.types.get(id) {
            Type::Vector(stored, n) => {
                Ok((Comp::Plain(self.b.constant(Elem::I32, u64::from(*n))), i64::from(stored.size())))
            }
            Type::Array { length: Some(length), stride, .. } => {
                Ok((Comp::Plain(self.b.constant(Elem::I32, u64::from(*length))), i64::from(*stride)))
            }
            Type::Array { length: None, stride, .. } => {
                let Root::Param(param) = place.root else { return Err(malformed("an array has no length")) };
                let size = self.b.input(ArgumentWord::ParamSize(param.index() as u32));
                let (way, by) = (self.b.number(way as i64), self.b.number(i64::from(*stride)));
                let way = if fault::planted(Fault::BufferLengthWithHeader) { self.b.number(0) } else { way };
                let rest = self.b.op(Op::Sub, Scalar::I64, &[size, way]);
                let zero = self.b.number(0);
                let rest = self.b.op(Op::Max, Scalar::I64, &[rest, zero]);
                let count = self.b.op(Op::Div, Scalar::I64, &[rest, by]);
                let most = self.b.number(i64::from(u32::MAX));
                let count = self.b.op(Op::Min, Scalar::I64, &[count, most]);
                Ok((Comp::Plain(self.b.op(Op::ToI32, Scalar::I64, &[count])), i64::from(*stride)))
            }
            Type::Scalar(_) | Type::Struct(_) => Err(malformed("an index into something else than an array or vector")),
        }
    }

    /// Steps to an element of an array.
    fn element(
        &mut self,
        spot: &mut FormedPlace,
        index: ValueId,
        known: usize,
        length: Comp,
        stride: i64,
        careful: bool,
    ) -> Formed {
        if let ValueDef::Const(constant) = self.input.function.value(index).def
            && let Some(n) = length.scalar(&self.b).and_then(|length| self.b.constant_of(length))
            && constant.bits < n + u64::from(fault::planted(Fault::ConstantIndexAtLength))
        {
            spot.path += constant.bits as i64 * stride;
            return Ok(());
        }
        // Elements are aligned to units, or all lie in one.
        let stride = match spot.unit {
            Some(unit) if stride % unit as i64 == 0 => {
                stride * fault::choose(Fault::PrivateElementsNotInterleaved, i64::from(self.b.width()), 1)
            }
            _ => stride,
        };
        let stride = Comp::Plain(self.b.number(stride));
        self.index(spot, index, known, length, stride, careful)
    }

    /// Adds an index, and checks it.
    fn index(
        &mut self,
        spot: &mut FormedPlace,
        index: ValueId,
        known: usize,
        extent: Comp,
        stride: Comp,
        careful: bool,
    ) -> Formed {
        let mut comp = self.comp(index)?;
        if !careful && let Some((affine, holds)) = self.usual_index(comp) {
            comp = affine;
            spot.careful = true;
            self.demand(spot, holds);
        }
        let fact = self.fact().and_then(|fact| small(fact.places.get(known)?.range?));
        let overhangs = self.may_overhang(spot, comp, extent, stride);
        // On the careful path, the lanes between the first and the last one within lie side by side.
        let reaches = overhangs.or_else(|| self.may_be_masked_row(spot, comp, stride));
        if careful && matches!(comp, Comp::Affine { .. }) && reaches.is_none() {
            comp = Comp::Plain(comp.lanes(&mut self.b));
        }
        let limit = extent.scalar(&self.b);
        let constant = limit.and_then(|limit| self.b.constant_of(limit)).map(|n| n as i64);
        let unjudged = self.input.key.without.checks;
        let within = |range: Option<(i64, i64)>| {
            unjudged
                || range.zip(constant).is_some_and(|((lo, hi), n)| {
                    lo >= 0 && hi < n + i64::from(fault::planted(Fault::RangeProofOffByOne))
                })
        };
        match (comp, limit) {
            (Comp::Affine { exact, .. }, Some(_)) if within(exact) || self.active.is_none() && within(fact) => {}
            // Active lanes lie within, so the others are near.
            (Comp::Affine { base, .. }, Some(_)) if overhangs.is_some() && within(fact) => {
                return self.step_signed(spot, comp, base, stride);
            }
            (Comp::Affine { base, .. }, Some(limit)) if careful => {
                let index = comp.lanes(&mut self.b);
                self.mask_below(spot, index, limit);
                // Beyond this no lane lies within, and the address is irrelevant.
                let reach = reaches.unwrap_or_default();
                let reach = reach + i64::from(fault::planted(Fault::CarefulIndexTooFar)) * -2;
                let (low, high) = (self.b.constant(Elem::I32, (1 - reach) as u64), limit);
                let base = self.b.op(Op::Max, Scalar::I32, &[base, low]);
                let base = self.b.op(Op::Min, Scalar::I32, &[base, high]);
                return self.step_signed(spot, comp, base, stride);
            }
            (Comp::Affine { base, step, .. }, Some(limit)) => {
                spot.careful = true;
                self.demand_ends(spot, base, step, limit);
            }
            (comp, Some(limit)) if comp.scalar(&self.b).is_some() => {
                if !within(fact) {
                    let index = comp.value(&mut self.b);
                    let scalar = fault::choose(Fault::UniformIndexSigned, Scalar::U32, Scalar::I32);
                    let holds = self.b.op(Op::Lt, scalar, &[index, limit]);
                    self.demand(spot, holds);
                }
            }
            _ => {
                let index = comp.lanes(&mut self.b);
                if within(fact) {
                    self.add_mask(spot, self.active);
                } else {
                    let limit = extent.value(&mut self.b);
                    self.mask_below(spot, index, limit);
                }
                if spot.mask.is_none() && self.active.is_some() {
                    spot.mask = self.active;
                }
                // Out-of-range lanes may lie on the other side of zero.
                comp = self.begun(comp);
            }
        }
        self.step_by(&mut spot.offset, comp, stride);
        Ok(())
    }

    /// Excludes active lanes whose index is not below a limit.
    fn mask_below(&mut self, spot: &mut FormedPlace, index: LaneValue, limit: LaneValue) {
        let scalar = fault::choose(Fault::VaryingIndexSigned, Scalar::U32, Scalar::I32);
        let holds = self.b.op(Op::Lt, scalar, &[index, limit]);
        let inside = self.active_and(holds);
        self.add_mask(spot, inside);
    }

    /// Excludes lanes that are not in a mask.
    fn add_mask(&mut self, spot: &mut FormedPlace, inside: Option<LaneValue>) {
        spot.mask = match (spot.mask, inside) {
            (Some(a), Some(_)) if fault::planted(Fault::OnlyFirstIndexMasked) => Some(a),
            (Some(a), Some(b)) => Some(self.b.and(a, b)),
            (a, b) => a.or(b),
        };
    }

    /// Demands that the first and the last lane of an affine index lie below a limit.
    fn demand_ends(&mut self, spot: &mut FormedPlace, base: LaneValue, step: i64, limit: LaneValue) {
        let wide = |s: &mut Self, value| s.b.op(Op::ToI64, Scalar::U32, &[value]);
        let (first, limit) = (wide(self, base), wide(self, limit));
        let lanes = i64::from(self.b.width()) - 1 - i64::from(fault::planted(Fault::LastLaneUnchecked));
        let span = self.b.number(lanes * step);
        let last = self.b.op(Op::Add, Scalar::I64, &[first, span]);
        let (low, high) = if step > 0 { (first, last) } else { (last, first) };
        let mut holds = self.b.op(Op::Lt, Scalar::I64, &[high, limit]);
        if step < 0 && !fault::planted(Fault::FallingIndexBelowZero) {
            let zero = self.b.number(0);
            let above = self.b.op(Op::Ge, Scalar::I64, &[low, zero]);
            holds = self.b.and(holds, above);
        }
        self.demand(spot, holds);
    }

    /// In the worker's memory up to 64 bytes beyond an object may be accessed: the number of lanes,
    /// if all of them reach no further than that.
    fn may_overhang(&self, spot: &FormedPlace, comp: Comp, extent: Comp, stride: Comp) -> Option<i64> {
        let Comp::Affine { step, .. } = comp else { return None };
        let stride = self.b.number_of(stride.scalar(&self.b)?)?;
        self.b.number_of(extent.scalar(&self.b)?)?;
        let width = i64::from(self.b.width());
        let reach = step.checked_mul(stride)?.checked_mul(width - 1)?;
        let arena = spot.space == MemorySpace::Arena(ArenaPart::TileStatic)
            && spot.offset.step == 0
            && spot.offset.lanes.is_none();
        (arena && step == 1 && (1..64).contains(&reach)).then_some(width)
    }

    /// A row of a launch's memory is accessed by whole vectors under a mask, also where lanes lie
    /// before its beginning or behind its end: the number of lanes, for an index that counts up at a
    /// constant stride, if the machine has such accesses. In a launch of small views an index within
    /// is less than 2^31, so for such lanes the first one's index is right as a signed number.
    fn may_be_masked_row(&self, spot: &FormedPlace, comp: Comp, stride: Comp) -> Option<i64> {
        let is_row = matches!(spot.space, MemorySpace::Buffer(_))
            && matches!(comp, Comp::Affine { step: 1, .. })
            && self.b.number_of(stride.scalar(&self.b)?).is_some()
            && spot.offset.step == 0
            && spot.offset.lanes.is_none();
        let (key, width) = (self.input.key, self.b.width());
        // For four lanes the code would be longer.
        let masks = key.goals.machine != VectorMachine::BITS_128 && width >= 8;
        (is_row && masks && key.small).then(|| i64::from(width))
    }

    /// Adds an index whose lane 0 may lie before the beginning.
    fn step_signed(&mut self, spot: &mut FormedPlace, comp: Comp, base: LaneValue, stride: Comp) -> Formed {
        let Comp::Affine { step, .. } = comp else { return Err(malformed("an index does not go evenly")) };
        let Some(stride) = stride.scalar(&self.b).and_then(|stride| self.b.number_of(stride)) else {
            return Err(malformed("a distance is not known"));
        };
        let wide = self.b.op(Op::ToI64, Scalar::I32, &[base]);
        let by = self.b.number(stride);
        let bytes = self.b.op(Op::Mul, Scalar::I64, &[wide, by]);
        spot.offset.scalar = self.b.op(Op::Add, Scalar::I64, &[spot.offset.scalar, bytes]);
        spot.offset.step += step * stride;
        Ok(())
    }

    fn demand(&mut self, spot: &mut FormedPlace, holds: LaneValue) {
        spot.fits = match spot.fits {
            Some(before) => Some(self.b.and(before, holds)),
            None if self.b.constant_of(holds) == Some(1) => None,
            None => Some(holds),
        };
    }

    /// The address of a scalar at a byte offset in the place.
    pub(super) fn address(&mut self, spot: &FormedPlace, bytes: u64, stored: Stored) -> LaneAddress {
        let width = i64::from(self.b.width());
        let mut spot = spot.clone();
        let displacement = spot.constant + self.lies(&spot, spot.path + bytes as i64);
        let mut step = spot.offset.step;
        if let Some(unit) = spot.unit {
            step += unit as i64;
        }
        if let Some(lanes) = spot.offset.lanes
            && (spot.offset.falls || step < 0)
            && self.b.ty(lanes).elem() == Elem::I32
        {
            // Lane offsets are unsigned: decreasing ones must be added to their start.
            let first = self.b.op(Op::ToI32, Scalar::I64, &[spot.offset.scalar]);
            let first = self.b.lanes(first);
            spot.offset.lanes = Some(self.b.op(Op::Add, Scalar::I32, &[lanes, first]));
            spot.offset.scalar = self.b.number(0);
        }
        let along = match spot.offset.lanes {
            Some(lanes) if step == 0 => AddressStep::Each(lanes),
            Some(lanes) => {
                let elem = self.b.ty(lanes).elem();
                let more = super::comp::steps(&mut self.b, elem, step);
                AddressStep::Each(self.b.op(Op::Add, super::comp::integer(elem), &[lanes, more]))
            }
            None if step == 0 => AddressStep::Uniform,
            None if width == 1 => AddressStep::Step(i64::from(stored.size())),
            None => AddressStep::Step(step),
        };
        let offset = (self.b.number_of(spot.offset.scalar) != Some(0)).then_some(spot.offset.scalar);
        LaneAddress { space: spot.space, base: spot.base, offset, displacement, along, stored }
    }

    /// Pointer to a part of the worker's memory.
    pub(super) fn arena(&mut self, part: ArenaPart) -> LaneValue {
        self.b.pure(LaneInst::Arena(part), LaneType::Scalar(Elem::I64))
    }

    /// The interleaved distance of a byte from the start of the place.
    pub(super) fn bytes_in(&self, spot: &FormedPlace, bytes: u64) -> u64 {
        (self.lies(spot, spot.path + bytes as i64) - self.lies(spot, spot.path)) as u64
    }
}
