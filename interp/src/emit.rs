//! Compiles instructions without blocks, places and variables to bytecode.

use super::bind::BoundParam;
use super::code::{
    Apply, ArithmeticCode, AtomicCode, CopyCode, ExchangeCode, FrameSlot, Instr, MessageCode, OpMeaning, ViewCode,
    ViewKind,
};
use super::compile::{BYTES, Compiler, LocalHome, Watched, malformed};
use super::copy::ScalarBytes;
use super::detect::arithmetic::ArithmeticRule;
use super::fast::{Binary, Unary};
use super::place::{PlaceCode, RootCode, StepCode};
use super::words::{AccessSiteKind, PlaceStep};
use tilewise_ir::kernel::{AtomicOp, Init, Inst, InstKind, LocalId, Message, Place, Root, Step, ValueDef, ValueId};
use tilewise_ir::launch::Refusal;
use tilewise_ir::ops::{Op, OpFamily};
use tilewise_ir::types::{Data, Scalar, Stored, Type, TypeId};
use tilewise_ir::typing::PlaceType;

type Done = Result<(), Refusal>;

/// A scalar or vector place.
enum ScalarPlace {
    /// In the frame, from this slot.
    Lanes(FrameSlot),
    /// In the frame, one of `width` lanes at a dynamic index.
    Lane { first: FrameSlot, index: FrameSlot, width: u8, site: AccessSiteKind },
    /// In memory: an index into the table of places.
    Memory(u32),
}

impl Compiler<'_> {
    /// Compiles an instruction without blocks that is no jump.
    pub(super) fn plain(&mut self, inst: &Inst) -> Done {
        match &inst.kind {
            InstKind::Op { op, args } => self.op(inst.result, *op, args),
            InstKind::Compose(parts) => {
                let to = self.define(inst.result)?;
                for (&part, to) in parts.iter().zip(to..) {
                    self.copy(to, self.slot(part)?, 1);
                }
                Ok(())
            }
            InstKind::Splat { value, width } => {
                let to = self.define(inst.result)?;
                let from = self.slot(*value)?;
                (to..to + FrameSlot::from(*width)).for_each(|to| self.copy(to, from, 1));
                Ok(())
            }
            InstKind::Swizzle { value, components } => {
                let to = self.define(inst.result)?;
                let from = self.slot(*value)?;
                components.iter().zip(to..).for_each(|(&c, to)| self.copy(to, from + FrameSlot::from(c), 1));
                Ok(())
            }
            InstKind::ComponentAt { value, index } => {
                let to = self.define(inst.result)?;
                let what = self.lane_site(self.context.values[value.index()].name.as_ref(), *index)?;
                let (from, index, width) = (self.slot(*value)?, self.slot(*index)?, self.lanes(*value)? as u8);
                self.emit_site(Instr::Component { to, from, index, width }, what);
                Ok(())
            }
            InstKind::Builtin(builtin) => {
                let slot = self.builtin(*builtin)?;
                self.alias(inst.result, slot);
                Ok(())
            }
            InstKind::ViewExtent { view, dimension } => {
                let from = self.slot(*view)? + super::views::EXTENTS + dimension;
                let to = self.define(inst.result)?;
                self.copy(to, from, 1);
                Ok(())
            }
            InstKind::Section { view, origin, extent } => {
                let kind = ViewKind::Section { origin: self.slots_of(origin)?, extent: self.slots_of(extent)? };
                self.view(inst.result, *view, kind, true)
            }
            InstKind::Project { view, index } => {
                let kind = ViewKind::Project { index: self.slot(*index)? };
                self.view(inst.result, *view, kind, self.is_signed(*index))
            }
            InstKind::Reinterpret { view, element } => {
                let kind = ViewKind::Reinterpret { size: self.element_size(*element) };
                self.view(inst.result, *view, kind, true)
            }
            InstKind::ViewAs { view, extent } => {
                let kind = ViewKind::ViewAs { extent: self.slots_of(extent)? };
                self.view(inst.result, *view, kind, true)
            }
            InstKind::Length(place) => self.length(inst.result, place),
            InstKind::Load(place) => self.load(inst.result, place),
            InstKind::Store { place, value } => self.store(place, self.slot(*value)?),
            InstKind::Copy { to, from } => self.copy_place(to, from),
            InstKind::Atomic { op, place, value, .. } => {
                let code = AtomicCode {
                    op: *op,
                    stores: *op == AtomicOp::Exchange && !self.is_used(inst.result),
                    scalar: self.data(place)?.0.scalar,
                    place: self.memory(place)?,
                    value: value.map(|value| self.slot(value)).transpose()?,
                    to: inst.result.map(|_| self.define(inst.result)).transpose()?,
                };
                let site = AccessSiteKind::Place(code.place);
                self.code.atomics.push(code);
                self.emit_site(Instr::Atomic(self.code.atomics.len() as u32 - 1), site);
                Ok(())
            }
            InstKind::CompareExchange { place, expected, new, equal } => {
                let code = ExchangeCode {
                    scalar: self.data(place)?.0.scalar,
                    place: self.memory(place)?,
                    expected: self.slot(*expected)?,
                    new: self.slot(*new)?,
                    to: inst.result.map(|_| self.define(inst.result)).transpose()?,
                    equal: self.define(Some(*equal))?,
                };
                let site = AccessSiteKind::Place(code.place);
                self.code.exchanges.push(code);
                self.emit_site(Instr::CompareExchange(self.code.exchanges.len() as u32 - 1), site);
                Ok(())
            }
            InstKind::Declare { local, init } => self.declare(*local, *init),
            // Threads of a tile run one at a time, so memory always satisfies a fence.
            InstKind::Fence(_) => Ok(()),
            InstKind::Print(message) => {
                let message = self.message(message)?;
                self.emit(Instr::Print(message));
                Ok(())
            }
            InstKind::Barrier(fence) => {
                self.barrier(*fence, inst.pos);
                Ok(())
            }
            InstKind::Abort => {
                self.jump(Instr::Abort);
                Ok(())
            }
            InstKind::Error(message) => {
                let message = self.message(message)?;
                self.jump(Instr::Error(message));
                Ok(())
            }
            InstKind::Call { .. } => Err(malformed("it calls a function")),
            InstKind::If { .. }
            | InstKind::Loop { .. }
            | InstKind::Switch { .. }
            | InstKind::Scope { .. }
            | InstKind::Break { .. }
            | InstKind::Continue { .. }
            | InstKind::Return(_) => Err(malformed("structure where there is none")),
        }
    }

    fn op(&mut self, result: Option<ValueId>, op: Op, args: &[ValueId]) -> Done {
        let types: Option<Vec<Data>> = args.iter().map(|&arg| self.context.data(arg)).collect();
        let Some(instance) = types.as_ref().and_then(|types| op.resolve(types).ok()) else {
            return Err(malformed(&format!("`{}` does not take its arguments", op.name())));
        };
        let from = self.slots_of(args)?;
        if let Watched::Arithmetic(checks) = self.watched
            && let Some(rule) = ArithmeticRule::of(op.family(), self.made_here(args), instance.scalar, checks)
        {
            let result = rule.narrow().unwrap_or_else(|| instance.result.scalar.stored());
            let (scalar, width) = (instance.scalar, instance.width);
            self.code.arithmetic.push(ArithmeticCode { op, rule, scalar, result, width, args: from.clone() });
            self.emit(Instr::Arithmetic(self.code.arithmetic.len() as u32 - 1));
        }
        self.last_op = result.map(|result| (result, op.family(), self.pos));
        let to = self.define(result)?;
        if instance.result.width == 1 && instance.width == 1 && op.row().each {
            let direct = match *from.as_slice() {
                [a] => Unary::of(op, instance.scalar).map(|op| Instr::Unary { op, to, a }),
                [a, b] => Binary::of(op, instance.scalar).map(|op| Instr::Binary { op, to, a, b }),
                [condition, a, b] if op == Op::Select => Some(Instr::Select { to, condition, a, b }),
                _ => None,
            };
            if let Some(direct) = direct {
                self.emit(direct);
                return Ok(());
            }
        }
        let each = op.each(instance.scalar).map(OpMeaning::Each);
        let Some(meaning) = each.or_else(|| op.whole(instance.scalar).map(OpMeaning::Whole)) else {
            return Err(malformed(&format!("`{}` has no meaning for its arguments", op.name())));
        };
        let widths = types.iter().flatten().map(|data| data.width);
        let args = from.into_iter().zip(widths).collect();
        self.code.applies.push(Apply { meaning, to, result_width: instance.result.width, width: instance.width, args });
        self.emit(Instr::Apply(self.code.applies.len() as u32 - 1));
        Ok(())
    }

    /// The operation just before, if it has made the one operand for the same place in the source.
    fn made_here(&self, args: &[ValueId]) -> Option<OpFamily> {
        let (made, family, pos) = self.last_op?;
        (args == [made] && pos.key() == self.pos.key()).then_some(family)
    }

    fn view(&mut self, result: Option<ValueId>, from: ValueId, kind: ViewKind, signed: bool) -> Done {
        let Some(ty) = self.context.view(from) else { return Err(malformed("a view is none")) };
        let size = self.element_size(ty.element);
        let from_slot = self.slot(from)?;
        let to = self.define(result)?;
        self.code.views.push(ViewCode { kind, to, from: from_slot, rank: ty.rank, size });
        let what = AccessSiteKind::View { name: self.view_name(from), index_signed: signed };
        self.emit_site(Instr::View(self.code.views.len() as u32 - 1), what);
        Ok(())
    }

    fn length(&mut self, result: Option<ValueId>, place: &Place) -> Done {
        // The place is the array itself; its length is the bound of a step into it.
        let length = match self.context.place(place) {
            Some(PlaceType::Whole(id)) => self.array(id, place, self.constant_offset(place)).map_or(0, |(_, n, _)| n),
            _ => return Err(malformed("a length of something else than an array")),
        };
        let to = self.define(result)?;
        // The number is known, because the buffer is bound.
        self.emit(Instr::Set { to, value: length });
        Ok(())
    }

    fn load(&mut self, result: Option<ValueId>, place: &Place) -> Done {
        let (data, stored) = self.data(place)?;
        let home = self.home(place)?;
        let to = self.define(result)?;
        match home {
            ScalarPlace::Lanes(from) => self.copy(to, from, u32::from(data.width)),
            ScalarPlace::Lane { first: from, index, width, site } => {
                self.emit_site(Instr::Component { to, from, index, width }, site);
            }
            ScalarPlace::Memory(place) => {
                let instr = match self.word_view(place, stored, data) {
                    Some((view, index)) => Instr::LoadWord { to, view, index },
                    None => Instr::Load { to, place, stored, width: data.width },
                };
                self.emit_site(instr, AccessSiteKind::Place(place));
            }
        }
        Ok(())
    }

    fn store(&mut self, place: &Place, from: FrameSlot) -> Done {
        let (data, stored) = self.data(place)?;
        match self.home(place)? {
            ScalarPlace::Lanes(to) => {
                self.copy(to, from, u32::from(data.width));
                self.narrow(to, stored, data.width);
            }
            ScalarPlace::Lane { first: to, index, width, site } => {
                self.emit_site(Instr::SetComponent { to, from, index, width }, site);
                self.narrow(to, stored, width);
            }
            ScalarPlace::Memory(place) => {
                let instr = match self.word_view(place, stored, data) {
                    Some((view, index)) => Instr::StoreWord { from, view, index },
                    None => Instr::Store { from, place, stored, width: data.width },
                };
                self.emit_site(instr, AccessSiteKind::Place(place));
            }
        }
        Ok(())
    }

    /// Whether the place is a 32-bit element of a view of rank 1, without further steps.
    fn word_view(&self, place: u32, stored: Stored, data: Data) -> Option<(FrameSlot, FrameSlot)> {
        let word = matches!(stored, Stored::I32 | Stored::U32 | Stored::F32) && data.width == 1;
        match self.code.places.get(place as usize)? {
            PlaceCode { root: RootCode::View { view, index, size: 4 }, offset: 0, steps }
                if word && steps.is_empty() =>
            {
                match *index.as_slice() {
                    [index] => Some((*view, index)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Truncates lanes after a store in a narrow format.
    fn narrow(&mut self, at: FrameSlot, stored: Stored, width: u8) {
        if stored.value().stored() != stored {
            self.emit(Instr::Narrow { at, stored, width });
        }
    }

    fn copy_place(&mut self, to: &Place, from: &Place) -> Done {
        let Some(PlaceType::Whole(ty)) = self.context.place(to) else {
            return Err(malformed("a copy to something that is no place"));
        };
        if self.kernel.types().value(ty).is_some() {
            let (data, _) = self.data(from)?;
            let between = self.slots.take(u32::from(data.width));
            match self.home(from)? {
                ScalarPlace::Lanes(from) => self.copy(between, from, u32::from(data.width)),
                ScalarPlace::Lane { first, index, width, site } => {
                    self.emit_site(Instr::Component { to: between, from: first, index, width }, site);
                }
                ScalarPlace::Memory(place) => {
                    let (_, stored) = self.data(from)?;
                    let load = Instr::Load { to: between, place, stored, width: data.width };
                    self.emit_site(load, AccessSiteKind::Place(place));
                }
            }
            self.store(to, between)?;
            self.slots.give_back(between, u32::from(data.width));
            return Ok(());
        }
        self.count(self.kernel.types().size(ty) / BYTES);
        let code = CopyCode {
            to: self.memory(to)?,
            from: self.memory(from)?,
            shape: ScalarBytes::new(self.kernel.types(), ty),
        };
        let site = AccessSiteKind::Copy { to: code.to, from: code.from };
        self.code.copies.push(code);
        self.emit_site(Instr::CopyPlace(self.code.copies.len() as u32 - 1), site);
        Ok(())
    }

    fn declare(&mut self, local: LocalId, init: Init) -> Done {
        let home = self.local(local)?;
        match (home, init) {
            (LocalHome::Lanes(to), Init::Value(value)) => {
                let (from, lanes) = (self.slot(value)?, self.lanes(value)?);
                self.copy(to, from, lanes);
                if let Some(stored) = self.kernel.types().stored(self.context.locals[local.index()].ty) {
                    self.narrow(to, stored, lanes as u8);
                }
            }
            // A variable without a value is zeroed at each declaration too, so that nothing depends
            // on earlier contents of the slots.
            (LocalHome::Lanes(to), Init::Zero | Init::Unset) => {
                let ty = self.context.locals[local.index()].ty;
                let count = self.kernel.types().value(ty).map_or(0, |data| u32::from(data.width));
                self.emit(Instr::Zero { to, count });
            }
            (LocalHome::Private(at), _) => {
                let size = self.kernel.types().size(self.context.locals[local.index()].ty);
                let (Ok(at), Ok(size)) = (u32::try_from(at), u32::try_from(size)) else {
                    return Err(Refusal::Unsupported("its local variables are too large".to_owned()));
                };
                self.count(u64::from(size) / BYTES);
                self.emit(Instr::ClearPrivate { at, size, unset: init == Init::Unset });
            }
        }
        Ok(())
    }

    /// The location of a local variable; allocates it at its first occurrence in its block.
    fn local(&mut self, local: LocalId) -> Result<LocalHome, Refusal> {
        let Some(declared) = self.context.locals.get(local.index()) else {
            return Err(malformed("a variable is not declared"));
        };
        if let Some(home) = self.locals[local.index()] {
            return Ok(home);
        }
        let home = match self.kernel.types().value(declared.ty) {
            Some(data) => {
                let count = u32::from(data.width);
                let slot = self.slots.take(count);
                self.keep_local(local, slot, count);
                LocalHome::Lanes(slot)
            }
            None => {
                let at = self.private_top;
                self.keep_local(local, 0, 0);
                self.private_top = at.saturating_add(self.kernel.types().size(declared.ty));
                self.code.frame.private = self.code.frame.private.max(self.private_top);
                LocalHome::Private(at)
            }
        };
        self.locals[local.index()] = Some(home);
        Ok(home)
    }

    /// The type of a load from the place, and the stored format.
    fn data(&self, place: &Place) -> Result<(Data, Stored), Refusal> {
        let ty = self.context.place(place);
        match ty.and_then(|ty| Some((self.context.loaded(ty)?, self.context.stored(ty)?))) {
            Some(found) => Ok(found),
            None => Err(malformed("a scalar or vector place is none")),
        }
    }

    /// The location of a scalar or vector place.
    fn home(&mut self, place: &Place) -> Result<ScalarPlace, Refusal> {
        if let Root::Local(local) = place.root
            && let LocalHome::Lanes(first) = self.local(local)?
        {
            let width = self.kernel.types().value(self.context.locals[local.index()].ty).map_or(0, |data| data.width);
            return match *place.path.as_slice() {
                [] => Ok(ScalarPlace::Lanes(first)),
                [Step::Component(i)] if i < width => Ok(ScalarPlace::Lanes(first + FrameSlot::from(i))),
                [Step::Index(index)] => {
                    let site = self.lane_site(Some(&self.context.locals[local.index()].name), index)?;
                    Ok(ScalarPlace::Lane { first, index: self.slot(index)?, width, site })
                }
                _ => Err(malformed("a way into a scalar")),
            };
        }
        Ok(ScalarPlace::Memory(self.memory(place)?))
    }

    /// A place in memory.
    fn memory(&mut self, place: &Place) -> Result<u32, Refusal> {
        let root = match &place.root {
            Root::View { view, index } => {
                let Some(ty) = self.context.view(*view) else { return Err(malformed("a view is none")) };
                if ty.rank as usize != index.len() {
                    return Err(malformed("an index has another rank than its view"));
                }
                let size = self.element_size(ty.element);
                RootCode::View { view: self.slot(*view)?, index: self.slots_of(index)?, size }
            }
            Root::Param(id) => match self.plan.params.get(id.index()) {
                Some(&BoundParam::Place { space, at, .. }) => RootCode::Fixed { space, at },
                _ => return Err(malformed("a parameter that is a value is used as a place")),
            },
            Root::Tile(id) => match self.plan.tile_vars.get(id.index()) {
                Some(&at) => RootCode::Fixed { space: self.plan.tile_space, at },
                None => return Err(malformed("a `tile_static` variable is not declared")),
            },
            Root::Table(id) => match self.plan.tables.get(id.index()) {
                Some(&at) => RootCode::Fixed { space: self.plan.constant_space, at },
                None => return Err(malformed("a table is not declared")),
            },
            Root::Local(local) => match self.local(*local)? {
                LocalHome::Private(at) => RootCode::Private { at },
                LocalHome::Lanes(_) => return Err(malformed("a scalar variable is used as an aggregate")),
            },
            Root::Ref(_) => return Err(malformed("a reference outside a function")),
        };
        let mut code = PlaceCode { root, offset: 0, steps: Vec::new() };
        let Some(root) = self.context.root(&place.root) else { return Err(malformed("a place has no type")) };
        let mut at = PlaceType::Whole(root);
        let mut words = self.root_words(&place.root)?;
        let mut steps = 0;
        for step in &place.path {
            words.parts.extend(self.step_words(at, step)?);
            self.step(&mut code, at, step, place)?;
            if let (Some(PlaceStep::Index(_, bounded)), Step::Index(_)) = (words.parts.last_mut(), step)
                && code.steps.len() > steps
            {
                *bounded = Some(steps as u32);
                steps += 1;
            }
            at = self.context.step(at, step).ok_or_else(|| malformed("a step does not fit its place"))?;
        }
        self.code.places.push(code);
        self.code.report.words.push(words);
        Ok(self.code.places.len() as u32 - 1)
    }

    /// Adds a step to a place.
    fn step(&self, code: &mut PlaceCode, at: PlaceType, step: &Step, place: &Place) -> Done {
        let PlaceType::Whole(id) = at else { return Err(malformed("a step into a component")) };
        match (self.kernel.types().get(id), *step) {
            (Type::Struct(s), Step::Field(i)) => {
                code.offset += s.fields.get(i as usize).map_or(0, |field| u64::from(field.offset));
            }
            (Type::Vector(stored, _), Step::Component(i)) => code.offset += u64::from(stored.size()) * u64::from(i),
            (_, Step::Index(index)) => {
                let Some((_, length, stride)) = self.array(id, place, code.offset) else {
                    return Err(malformed("an index into something else than an array or vector"));
                };
                match self.constant(index) {
                    Some(constant) if constant < length => code.offset += u64::from(constant) * u64::from(stride),
                    _ => code.steps.push(StepCode { index: self.slot(index)?, length, stride }),
                }
            }
            _ => return Err(malformed("a step does not fit its place")),
        }
        Ok(())
    }

    /// Element, length and stride of an array or vector at `offset` from the root of `place`. The
    /// length of a runtime-sized array follows from the remaining bytes of its buffer.
    fn array(&self, id: TypeId, place: &Place, offset: u64) -> Option<(Option<TypeId>, u32, u32)> {
        match self.kernel.types().get(id) {
            Type::Vector(stored, n) => Some((None, u32::from(*n), stored.size())),
            Type::Array { element, length: Some(length), stride } => Some((Some(*element), *length, *stride)),
            Type::Array { element, length: None, stride } => {
                let size = match place.root {
                    Root::Param(id) => match self.plan.params.get(id.index())? {
                        BoundParam::Place { size, .. } => *size,
                        BoundParam::Value(_) => 0,
                    },
                    _ => 0,
                };
                let count = size.saturating_sub(offset).checked_div(u64::from(*stride)).unwrap_or(0);
                Some((Some(*element), u32::try_from(count).unwrap_or(u32::MAX), *stride))
            }
            Type::Scalar(_) | Type::Struct(_) => None,
        }
    }

    /// Sum of the field offsets in the path of a place.
    fn constant_offset(&self, place: &Place) -> u64 {
        let mut at = self.context.root(&place.root).map(PlaceType::Whole);
        let mut offset = 0;
        for step in &place.path {
            let (Some(PlaceType::Whole(id)), Step::Field(i)) = (at, step) else { return offset };
            if let Type::Struct(s) = self.kernel.types().get(id) {
                offset += s.fields.get(*i as usize).map_or(0, |field| u64::from(field.offset));
            }
            at = self.context.step(PlaceType::Whole(id), step);
        }
        offset
    }

    /// The value of a constant index.
    fn constant(&self, index: ValueId) -> Option<u32> {
        match self.context.values.get(index.index())?.def {
            ValueDef::Const(constant) if matches!(constant.scalar, Scalar::I32 | Scalar::U32) => {
                Some(constant.bits as u32)
            }
            _ => None,
        }
    }

    /// Bytes between consecutive elements of a dense view.
    fn element_size(&self, element: TypeId) -> u64 {
        let types = self.kernel.types();
        types.element_size(element)
    }

    /// Adds the text of a print or an error.
    pub(super) fn message(&mut self, message: &Message) -> Result<u32, Refusal> {
        let mut values = Vec::new();
        for &value in &message.values {
            let Some(data) = self.context.data(value) else { return Err(malformed("a printed value is a view")) };
            values.push((self.slot(value)?, data));
        }
        self.code.messages.push(MessageCode { message: message.clone(), values });
        Ok(self.code.messages.len() as u32 - 1)
    }
}
