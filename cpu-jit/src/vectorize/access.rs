//! Accesses: loads, stores, atomics, copies, declarations, of split variables and of places in
//! memory.

use std::ops::Range;

use tilewise_ir::analysis::aligned::is_word;
use tilewise_ir::analysis::plain_atomics::AtomicAccess;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{AtomicOp, Init, InstKind, Kernel, LocalId, Place, Root, Step, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Data, Scalar, Stored, Type, TypeId};
use tilewise_ir::typing::PlaceType;

use super::Unformed;
use super::comp::{Comp, steps};
use super::locals::{Keep, Touched};
use super::place::FormedPlace;
use super::state::{Formed, KernelValue, PartNumber, Vectorizer, malformed};
use crate::lanes::{AddressStep, ArenaPart, Effect, Elem, LaneAddress, LaneInst, LaneType, LaneValue, Likely};

/// Maximum number of scalars of an inline copy whose places may have bytes in common: all are read before any is
/// written.
const WRITTEN_OUT: usize = 16;

/// Maximum number of scalars of an inline copy between places apart, which reads and writes so many as above at a time.
/// Copies of one lane after another are many times slower where one place is a variable of the threads, whose lanes lie
/// beside one another.
const WRITTEN_OUT_APART: usize = 256;

/// Maximum number of scalars that all copies of a kernel have together: each is a part of its program.
const MOST_COPIED: u64 = 1 << 18;

/// Refuses a kernel whose copies have very many scalars: a type may have billions.
pub(super) fn count_copied(kernel: &Kernel) -> Formed {
    let context = kernel.context(kernel.entry());
    let mut copied = 0u64;
    kernel.entry().body().walk(&mut |inst| {
        if let InstKind::Copy { to, .. } = &inst.kind
            && let Some(PlaceType::Whole(ty)) = context.place(to)
        {
            copied = copied.saturating_add(kernel.types().measure(ty).leaves);
        }
    });
    match copied {
        0..=MOST_COPIED => Ok(()),
        more => Err(Unformed(format!("its copies have {more} scalars, too many to compile"))),
    }
}

/// The location of a scalar or vector place.
enum ScalarHome {
    /// A variable's parts, one for each component.
    Parts(Range<PartNumber>),
    /// One of the parts, by a computed index.
    OneOf(Range<PartNumber>, ValueId),
    Memory,
}

impl Vectorizer<'_> {
    fn data(&self, place: &Place) -> Formed<(Data, Stored)> {
        let ty = self.input.context.place(place);
        ty.and_then(|ty| Some((self.input.context.loaded(ty)?, self.input.context.stored(ty)?)))
            .ok_or_else(|| malformed("a scalar or vector place is none"))
    }

    /// The location of a scalar or vector place.
    fn home(&self, place: &Place) -> ScalarHome {
        match self.input.locals.touched(self.input.kernel, place) {
            Some(Touched::Parts(parts)) => ScalarHome::Parts(parts),
            Some(Touched::Component { vector, index }) => ScalarHome::OneOf(vector, index),
            None => ScalarHome::Memory,
        }
    }

    pub(super) fn load(&mut self, result: Option<ValueId>, place: &Place) -> Formed {
        let (data, stored) = self.data(place)?;
        let comps = self.read(place, 0, data, stored)?;
        self.define(result, KernelValue::Data(comps));
        Ok(())
    }

    fn read(&mut self, place: &Place, first: usize, data: Data, stored: Stored) -> Formed<Vec<Comp>> {
        match self.home(place) {
            ScalarHome::Parts(parts) => Ok(parts.map(|part| self.held(part)).collect()),
            ScalarHome::OneOf(parts, index) => {
                let all: Vec<Comp> = parts.map(|part| self.held(part)).collect();
                let index = self.comp(index)?;
                Ok(vec![self.component_at(&all, index)])
            }
            ScalarHome::Memory => {
                let reads: Vec<_> =
                    (0..u64::from(data.width)).map(|c| (c * u64::from(stored.size()), stored)).collect();
                self.load_scalars(place, first, &reads)
            }
        }
    }

    /// The value of a part. It is unknown only where it is not needed: in unreachable code, and
    /// where one component among others is written.
    fn held(&mut self, part: PartNumber) -> Comp {
        let zero = self.b.constant(Elem::of(self.input.locals.part(part).stored.value()), 0);
        self.parts[part].unwrap_or(Comp::Plain(zero))
    }

    /// Loads scalars at byte offsets in a place.
    fn load_scalars(&mut self, place: &Place, first: usize, reads: &[(u64, Stored)]) -> Formed<Vec<Comp>> {
        let quick = self.spot(place, first, false)?;
        let zeros = |s: &mut Self| -> Vec<Comp> {
            let zero =
                |s: &mut Self, &(_, stored): &(u64, Stored)| Comp::Plain(s.b.constant(Elem::of(stored.value()), 0));
            reads.iter().map(|read| zero(s, read)).collect()
        };
        let load = |s: &mut Self, spot: &FormedPlace| -> Formed<Vec<Comp>> {
            let uniform = s.address(spot, 0, Stored::U8).along == AddressStep::Uniform;
            let all = |s: &mut Self, mask: Option<LaneValue>| -> Vec<Comp> {
                let one = |s: &mut Self, &(bytes, stored): &(u64, Stored)| {
                    let at = s.address(spot, bytes, stored);
                    Comp::Plain(s.b.load(at, mask))
                };
                reads.iter().map(|read| one(s, read)).collect()
            };
            match spot.mask {
                // A load of one address for all lanes takes no mask: if no lane is in range nothing
                // may be read, and lanes out of range yield zeros.
                Some(mask) if uniform && Some(mask) != s.active => {
                    let any = if s.b.ty(mask).is_lanes() { s.b.any(mask) } else { mask };
                    let found = s.merge(any, Likely::Then, |s| Ok(all(s, None)), |s| Ok(zeros(s)))?;
                    let zeros = zeros(s);
                    let zero_of = |x, zero| fault::choose(Fault::UniformLoadOutOfRange, zero, x);
                    let pairs = found.into_iter().zip(zeros);
                    Ok(pairs.map(|(x, zero)| s.choose(Comp::Plain(mask), x, zero_of(x, zero))).collect())
                }
                mask => Ok(all(s, mask.filter(|_| !uniform))),
            }
        };
        let Some(fits) = quick.fits else { return load(self, &quick) };
        self.merge(
            fits,
            Likely::Then,
            |s| load(s, &quick),
            |s| {
                if quick.careful {
                    let spot = s.careful(place, first)?;
                    return load(s, &spot);
                }
                Ok(zeros(s))
            },
        )
    }

    /// The careful path to a place, under a mask: always valid.
    fn careful(&mut self, place: &Place, first: usize) -> Formed<FormedPlace> {
        let mut spot = self.spot(place, first, true)?;
        let active = self.active_value();
        let mut mask = spot.mask.unwrap_or(active);
        if let Some(fits) = spot.fits.take() {
            mask = self.b.and(mask, fits);
        }
        spot.mask = Some(self.b.lanes(mask));
        Ok(spot)
    }

    pub(super) fn store(&mut self, place: &Place, value: ValueId) -> Formed {
        let (_, stored) = self.data(place)?;
        let comps = self.comps(value)?;
        self.write(place, 0, stored, &comps)
    }

    fn write(&mut self, place: &Place, first: usize, stored: Stored, comps: &[Comp]) -> Formed {
        match self.home(place) {
            ScalarHome::Parts(parts) => {
                for (part, &comp) in parts.zip(comps) {
                    let comp = self.narrowed(stored, comp);
                    self.set(part, comp);
                }
                Ok(())
            }
            ScalarHome::OneOf(parts, index) => {
                let comp = self.narrowed(stored, comps[0]);
                let index = self.comp(index)?;
                for (part, i) in parts.zip(0u64..) {
                    let at = Comp::Plain(self.b.constant(Elem::I32, i));
                    let op = fault::choose(Fault::SplitArrayStoresToAll, Op::Eq, Op::Ge);
                    let here = self.each(op, Scalar::I32, &[index, at], &[None; 2]);
                    let old = self.held(part);
                    let new = self.choose(here, comp, old);
                    self.set(part, new);
                }
                Ok(())
            }
            ScalarHome::Memory => {
                let writes: Vec<_> =
                    comps.iter().zip(0u64..).map(|(&comp, c)| (c * u64::from(stored.size()), stored, comp)).collect();
                self.store_scalars(place, first, &writes)
            }
        }
    }

    /// The value after a store and a reload in a format.
    fn narrowed(&mut self, stored: Stored, comp: Comp) -> Comp {
        let op = match stored {
            Stored::I8 => Op::WrapI8,
            Stored::U8 => Op::WrapU8,
            Stored::I16 => Op::WrapI16,
            Stored::U16 => fault::choose(Fault::U16VariablesSigned, Op::WrapU16, Op::WrapI16),
            Stored::F16 => Op::QuantizeF16,
            Stored::Bool | Stored::I32 | Stored::U32 | Stored::I64 | Stored::U64 | Stored::F32 | Stored::F64 => {
                return comp;
            }
        };
        self.each(op, stored.value(), &[comp], &[None])
    }

    /// Is a place in a variable that was declared under the same mask? For inactive lanes it is out of
    /// scope, so a store may write theirs too; what it stored is known then.
    fn is_for_active(&self, place: &Place) -> bool {
        let Root::Local(local) = place.root else { return false };
        self.active.is_some() && self.declared_under.get(&local) == self.active.as_ref()
    }

    fn store_scalars(&mut self, place: &Place, first: usize, writes: &[(u64, Stored, Comp)]) -> Formed {
        let quick = self.spot(place, first, false)?;
        let store = |s: &mut Self, spot: &FormedPlace, mask: Option<LaneValue>| {
            for &(bytes, stored, comp) in writes {
                let at = s.address(spot, bytes, stored);
                let value = comp.value(&mut s.b);
                let scalar = !s.b.ty(value).is_lanes();
                match at.along {
                    // At least one lane is active, and all store the same value.
                    AddressStep::Uniform
                        if scalar && (spot.mask.is_none() || fault::planted(Fault::UniformStoreUnmasked)) =>
                    {
                        s.b.effect(Effect::Store { at, value, mask: None });
                    }
                    _ => {
                        let value = s.b.lanes(value);
                        s.b.effect(Effect::Store { at, value, mask });
                    }
                }
            }
        };
        let active = if self.is_for_active(place) { None } else { self.active };
        let Some(fits) = quick.fits else {
            store(self, &quick, quick.mask.or(active));
            return Ok(());
        };
        self.merge(
            fits,
            Likely::Then,
            |s| {
                store(s, &quick, quick.mask.or(active));
                Ok(Vec::new())
            },
            |s| {
                if quick.careful {
                    let spot = s.careful(place, first)?;
                    store(s, &spot, spot.mask);
                }
                Ok(Vec::new())
            },
        )?;
        Ok(())
    }

    pub(super) fn atomic(
        &mut self,
        result: Option<ValueId>,
        op: AtomicOp,
        place: &Place,
        value: Option<ValueId>,
    ) -> Formed {
        let (data, stored) = self.data(place)?;
        let scalar = data.scalar;
        let operand = value.map(|value| self.comp(value)).transpose()?;
        let constant = operand.and_then(|comp| comp.scalar(&self.b)).and_then(|bits| self.b.constant_of(bits));
        // The threads of a tile run on one worker.
        if matches!(place.root, Root::Tile(_)) && is_word(self.input.kernel, &self.input.origins, place, stored) {
            match self.input.atomic_results.access(result, op, scalar, constant) {
                AtomicAccess::Load => return self.load(result, place),
                AtomicAccess::Store => {
                    let new = operand.ok_or_else(|| malformed("an exchange stores nothing"))?;
                    return self.write(place, 0, stored, &[new]);
                }
                AtomicAccess::Update => {}
            }
        }
        let operand = operand.map(|comp| comp.lanes(&mut self.b));
        let (at, mask) = self.atomic_place(place, stored)?;
        let is_used = self.input.atomic_results.is_used(result);
        let old = match self.atomic_at_one_place((op, scalar), (&at, mask), operand, is_used) {
            Some(old) => old,
            None => {
                let mask = if is_used { mask } else { self.lanes_that_improve((op, scalar), &at, operand, mask) };
                let ty = LaneType::Lanes(Elem::of(scalar));
                self.b.here(LaneInst::Atomic { op, scalar, at, operand, mask }, ty)
            }
        };
        self.define(result, KernelValue::Data(vec![Comp::Plain(old)]));
        Ok(())
    }

    /// Defines the previous contents, and whether they equalled the expected value.
    pub(super) fn compare_exchange(
        &mut self,
        [result, equal]: [Option<ValueId>; 2],
        place: &Place,
        expected: ValueId,
        new: ValueId,
    ) -> Formed {
        let (data, stored) = self.data(place)?;
        let expected = self.comp(expected)?.lanes(&mut self.b);
        let new = self.comp(new)?.lanes(&mut self.b);
        let (at, mask) = self.atomic_place(place, stored)?;
        let scalar = data.scalar;
        let ty = LaneType::Lanes(Elem::of(scalar));
        let old = self.b.here(LaneInst::CompareExchange { scalar, at, expected, new, mask }, ty);
        let bits = |s: &mut Self, value| match scalar {
            Scalar::F32 if fault::planted(Fault::CompareExchangeByValue) => (value, scalar),
            Scalar::F32 => (s.b.op(Op::BitcastI32, Scalar::F32, &[value]), Scalar::I32),
            Scalar::F64 => (s.b.op(Op::BitcastI64, Scalar::F64, &[value]), Scalar::I64),
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => (value, scalar),
        };
        let ((a, whole), (b, _)) = (bits(self, old), bits(self, expected));
        let mut same = self.b.op(Op::Eq, whole, &[a, b]);
        if let Some(mask) = mask {
            same = self.b.and(same, mask);
        }
        self.define(result, KernelValue::Data(vec![Comp::Plain(old)]));
        self.define(equal, KernelValue::Data(vec![Comp::Plain(same)]));
        Ok(())
    }

    /// Atomics are scalarised anyway, so there is a single path to their places.
    fn atomic_place(&mut self, place: &Place, stored: Stored) -> Formed<(LaneAddress, Option<LaneValue>)> {
        let mut spot = self.spot(place, 0, false)?;
        if spot.careful {
            spot = self.careful(place, 0)?;
        } else if let Some(fits) = spot.fits {
            let active = self.active_value();
            let mask = spot.mask.unwrap_or(active);
            let mask = self.b.and(mask, fits);
            spot.mask = Some(self.b.lanes(mask));
        }
        let mut mask = spot.mask.or(self.active);
        let at = self.address(&spot, 0, stored);
        if !is_word(self.input.kernel, &self.input.origins, place, stored)
            && !fault::planted(Fault::VectorizingMisalignedAtomicDone)
        {
            let aligned = self.aligned_lanes(&at);
            mask = Some(match mask {
                Some(mask) => self.b.and(mask, aligned),
                None => aligned,
            });
        }
        Ok((at, mask))
    }

    /// The lanes whose address is aligned to the stored format. Bases of views, buffers and
    /// variables are multiples of the largest atomic word in them.
    fn aligned_lanes(&mut self, at: &LaneAddress) -> LaneValue {
        let b = &mut self.b;
        let behind = b.number(at.displacement);
        let mut first = b.op(Op::Add, Scalar::I64, &[at.base, behind]);
        if let Some(offset) = at.offset {
            first = b.op(Op::Add, Scalar::I64, &[first, offset]);
        }
        // Only the lowest bits matter.
        let mut low = b.op(Op::ToI32, Scalar::I64, &[first]);
        let more = match at.along {
            AddressStep::Uniform => None,
            AddressStep::Step(step) => Some(steps(b, Elem::I32, step)),
            AddressStep::Each(lanes) if b.ty(lanes).elem() == Elem::I64 => Some(b.op(Op::ToI32, Scalar::I64, &[lanes])),
            AddressStep::Each(lanes) => Some(lanes),
        };
        if let Some(more) = more {
            low = b.op(Op::Add, Scalar::I32, &[low, more]);
        }
        let ones = b.constant(Elem::I32, u64::from(at.stored.size() - 1));
        let rest = b.op(Op::And, Scalar::I32, &[low, ones]);
        let zero = b.constant(Elem::I32, 0);
        let aligned = b.op(Op::Eq, Scalar::I32, &[rest, zero]);
        b.lanes(aligned)
    }

    pub(super) fn length(&mut self, result: Option<ValueId>, place: &Place) -> Formed {
        let Some(PlaceType::Whole(id)) = self.input.context.place(place) else {
            return Err(malformed("a length of something else than an array"));
        };
        let mut way = 0;
        let mut at = self.input.context.root(&place.root).map(PlaceType::Whole);
        for step in &place.path {
            if let (Some(PlaceType::Whole(id)), Step::Field(i)) = (at, step)
                && let Type::Struct(s) = self.input.context.types.get(id)
            {
                way += s.fields.get(*i as usize).map_or(0, |field| u64::from(field.offset));
            }
            at = at.and_then(|at| self.input.context.step(at, step));
        }
        let (length, _) = self.length_and_stride(id, place, way)?;
        self.define(result, KernelValue::Data(vec![length]));
        Ok(())
    }

    pub(super) fn declare(&mut self, local: LocalId, init: Init) -> Formed {
        let ty = self.input.context.locals[local.index()].ty;
        if let Keep::Parts(_) = self.input.locals.keep(local) {
            let comps = match init {
                Init::Value(value) => self.comps(value)?,
                Init::Unset | Init::Zero => Vec::new(),
            };
            for (i, part) in self.input.locals.parts(local).enumerate() {
                let stored = self.input.locals.part(part).stored;
                let comp = match comps.get(i) {
                    Some(&comp) => self.narrowed(stored, comp),
                    None => Comp::Plain(self.b.constant(Elem::of(stored.value()), 0)),
                };
                self.set(part, comp);
            }
            return Ok(());
        }
        let Keep::Memory { offset, .. } = *self.input.locals.keep(local) else {
            return Err(malformed("a variable is kept nowhere"));
        };
        match self.active {
            Some(active) => _ = self.declared_under.insert(local, active),
            None => _ = self.declared_under.remove(&local),
        }
        // For all lanes: the variable is out of scope for inactive lanes.
        let width = u64::from(self.b.width());
        let base = self.arena(ArenaPart::Private);
        let strip = self.private_offset();
        let from = self.b.op(Op::Add, Scalar::I64, &[base, strip]);
        let first = self.b.number((offset * width) as i64);
        let from = self.b.op(Op::Add, Scalar::I64, &[from, first]);
        let bytes = (self.input.context.types.size(ty) * width).next_multiple_of(4);
        if !fault::planted(Fault::VariableNotCleared) {
            self.b.effect(Effect::Clear { from, bytes });
        }
        Ok(())
    }

    /// Copies an aggregate, or a scalar or vector.
    pub(super) fn copy(&mut self, to: &Place, from: &Place) -> Formed {
        let Some(PlaceType::Whole(ty)) = self.input.context.place(to) else {
            return Err(malformed("a copy to something that is no place"));
        };
        let mut behind = 0;
        to.place_values(&mut |_| behind += 1);
        if self.input.context.types.value(ty).is_some() {
            let (data, stored) = self.data(from)?;
            let comps = self.read(from, behind, data, stored)?;
            return self.write(to, 0, stored, &comps);
        }
        let leaves = self.leaves(ty);
        let (to_parts, from_parts) = (self.split(to), self.split(from));
        if to_parts.is_none() && from_parts.is_none() && leaves.len() > WRITTEN_OUT {
            if leaves.len() > WRITTEN_OUT_APART || !are_apart(&to.root, &from.root) {
                return self.copy_whole(to, from, behind, &leaves);
            }
            for some in leaves.chunks(WRITTEN_OUT) {
                let comps = self.load_scalars(from, behind, some)?;
                let writes: Vec<_> = some.iter().zip(comps).map(|(&(at, stored), comp)| (at, stored, comp)).collect();
                self.store_scalars(to, 0, &writes)?;
            }
            return Ok(());
        }
        let comps: Vec<Comp> = match from_parts {
            Some(parts) => parts.map(|part| self.held(part)).collect(),
            None => self.load_scalars(from, behind, &leaves)?,
        };
        match to_parts {
            Some(parts) => {
                for ((part, comp), (_, stored)) in parts.zip(comps).zip(leaves) {
                    let comp = self.narrowed(stored, comp);
                    self.set(part, comp);
                }
                Ok(())
            }
            None => {
                let writes: Vec<_> = leaves.iter().zip(comps).map(|(&(at, stored), comp)| (at, stored, comp)).collect();
                self.store_scalars(to, 0, &writes)
            }
        }
    }

    /// The parts of a place in a split variable.
    fn split(&self, place: &Place) -> Option<Range<PartNumber>> {
        self.input.locals.touched(self.input.kernel, place).map(|touched| touched.parts())
    }

    fn leaves(&self, ty: TypeId) -> Vec<(u64, Stored)> {
        let mut leaves = Vec::new();
        self.input.context.types.leaves(ty, &mut |at, stored| leaves.push((at, stored)));
        leaves
    }

    fn copy_whole(&mut self, to: &Place, from: &Place, behind: usize, leaves: &[(u64, Stored)]) -> Formed {
        let (target, source) = (self.careful(to, 0)?, self.careful(from, behind)?);
        let first = leaves.first().map_or(Stored::I32, |leaf| leaf.1);
        let shape = leaves.iter().map(|&(at, stored)| (self.bytes_in(&target, at), self.bytes_in(&source, at), stored));
        let shape: Vec<_> = shape.collect();
        let number = self.tables.copies.len() as u32;
        self.tables.copies.push(shape);
        let (to, from) = (self.address(&target, 0, first), self.address(&source, 0, first));
        self.b.effect(Effect::Copy { shape: number, to, from, read: source.mask, mask: target.mask });
        Ok(())
    }
}

/// Do two places lie in memory apart, one of them a thread's own variable? Other copies are of whole bytes, lane by
/// lane.
fn are_apart(one: &Root, other: &Root) -> bool {
    match (one, other) {
        (Root::Local(one), Root::Local(other)) => one != other,
        (Root::Local(_), Root::View { .. } | Root::Param(_) | Root::Tile(_) | Root::Table(_)) => true,
        (Root::View { .. } | Root::Param(_) | Root::Tile(_) | Root::Table(_), Root::Local(_)) => true,
        (
            Root::View { .. } | Root::Param(_) | Root::Tile(_) | Root::Table(_),
            Root::View { .. } | Root::Param(_) | Root::Tile(_) | Root::Table(_),
        ) => false,
        (Root::Ref(_), _) | (_, Root::Ref(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use crate::vectorize::{CodeKey, Unformed, vectorize};

    #[test]
    fn copies_of_very_many_scalars_have_no_program() {
        let copied = |length: u32, times: usize| {
            let text = format!(
                "kernel k(a: view<u8, 1, read_write>) rank(1) {{
                let r = reinterpret<[u8; {length}]>(a); {} }}",
                "copy(r[0], r[1]); ".repeat(times)
            );
            let kernel = check(parse("k.kir", &text).expect("it parses")).expect("it is right");
            vectorize(&kernel, &CodeKey::apart(4, 1))
        };
        let program = copied(60_000, 3).expect("there is a program");
        assert_eq!(program.copies.len(), 3);
        let refused = |scalars: &str| Err(Unformed(format!("its copies have {scalars} scalars, too many to compile")));
        assert_eq!(copied(400_000, 1).map(|_| ()), refused("400000"));
        assert_eq!(copied(10_000, 200).map(|_| ()), refused("2000000"));
    }
}
