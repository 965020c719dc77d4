//! The values of expressions: scalars and vectors are values of the kernel, aggregates are taken
//! apart, pointers are places.

use naga::{Expression, GlobalVariable, Handle};
use tilewise_ir::kernel::{Const, Init, InstKind, ParamId, Place, Root, Step, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Data, Type, TypeId, ValueType};

use crate::ShaderImporter;
use crate::call::FunctionFrame;
use crate::feature::ShaderFeature;

/// The value of an expression.
#[derive(Clone, Debug)]
pub(crate) enum ShaderValue {
    /// A scalar or vector.
    Data(ValueId),
    /// The parts of a matrix, array or struct.
    Parts(Vec<ShaderValue>),
    /// An aggregate in a table, or in a temporary that is never written again.
    Memory(Place),
    /// An aggregate of many parts, all of them zero.
    Zero(TypeId),
    /// A pointer.
    Pointer(Place),
    /// A texture.
    Texture(Handle<GlobalVariable>),
    /// A sampler.
    Sampler(ParamId),
    /// The value of what was refused.
    Refused,
}

/// An aggregate of more scalars and vectors than these stays in memory.
const MAX_PARTS: u64 = 16;

impl<'m> ShaderImporter<'m> {
    /// Adds an operation at the position at hand.
    pub(crate) fn op(&mut self, op: Op, args: &[ValueId]) -> ValueId {
        let pos = self.pos;
        self.builder.op(op, args, pos)
    }

    /// Adds an instruction with a result at the position at hand.
    pub(crate) fn inst(&mut self, kind: InstKind) -> ValueId {
        let pos = self.pos;
        self.builder.value(kind, pos)
    }

    /// Declares a local variable.
    pub(crate) fn temporary(&mut self, name: &str, ty: TypeId, init: Init) -> Place {
        let local = self.builder.local(name, ty);
        let pos = self.pos;
        self.builder.emit(InstKind::Declare { local, init }, pos);
        Place { root: Root::Local(local), path: Vec::new() }
    }

    /// The scalar or vector of a value.
    pub(crate) fn data(&mut self, value: &ShaderValue) -> ValueId {
        match value {
            ShaderValue::Data(value) => *value,
            ShaderValue::Refused => self.builder.invalid(),
            ShaderValue::Parts(_) | ShaderValue::Memory(_) | ShaderValue::Zero(_) => {
                self.refuse(ShaderFeature::LargeAggregate);
                self.builder.invalid()
            }
            ShaderValue::Pointer(_) | ShaderValue::Texture(_) | ShaderValue::Sampler(_) => {
                self.refuse(ShaderFeature::PointerValue);
                self.builder.invalid()
            }
        }
    }

    /// The scalar or vector of an expression.
    pub(crate) fn data_of(&mut self, frame: &mut FunctionFrame<'m>, of: Handle<Expression>) -> ValueId {
        let value = self.value(frame, of);
        self.data(&value)
    }

    /// The place that an expression points to.
    pub(crate) fn place_of(&mut self, frame: &mut FunctionFrame<'m>, of: Handle<Expression>) -> Place {
        match self.value(frame, of) {
            ShaderValue::Pointer(place) => place,
            other => {
                if !matches!(other, ShaderValue::Refused) {
                    self.refuse(ShaderFeature::PointerValue);
                }
                // The kernel is refused; the walk goes on with some place of the type.
                let inner = self.type_of(frame, of);
                let ty = self.pointee_type(inner);
                self.temporary("refused", ty, Init::Zero)
            }
        }
    }

    /// Type of a scalar or vector; that of what was refused is `u32`.
    pub(crate) fn data_type(&self, value: ValueId) -> Data {
        match self.builder.value_type(value) {
            ValueType::Data(data) => data,
            ValueType::View(_) | ValueType::Invalid => Data::U32,
        }
    }

    pub(crate) fn u32(&mut self, number: u32) -> ValueId {
        self.builder.constant(Const::u32(number))
    }

    pub(crate) fn component(&mut self, value: ValueId, component: u8) -> ValueId {
        if self.data_type(value).width == 1 {
            return value;
        }
        self.inst(InstKind::Swizzle { value, components: vec![component] })
    }

    pub(crate) fn splat(&mut self, value: ValueId, width: u8) -> ValueId {
        if width == 1 || self.data_type(value).width != 1 {
            return value;
        }
        let splat = self.inst(InstKind::Splat { value, width });
        self.note_zeros(splat, &vec![value; width.into()]);
        splat
    }

    /// Notes the parts of an integer vector that has a constant zero: such a divisor is taken apart.
    fn note_zeros(&mut self, vector: ValueId, parts: &[ValueId]) {
        let Some(scalar) = parts.first().map(|&part| self.data_type(part).scalar) else { return };
        if scalar.is_integer() {
            let zero = self.builder.constant(Const { scalar, bits: 0 });
            if parts.contains(&zero) {
                self.zero_parts.insert(vector, parts.to_vec());
            }
        }
    }

    /// A vector of scalars.
    pub(crate) fn vector(&mut self, scalars: Vec<ValueId>) -> ValueId {
        let vector = self.inst(InstKind::Compose(scalars.clone()));
        self.note_zeros(vector, &scalars);
        vector
    }

    /// Makes all values as wide as the widest.
    pub(crate) fn widen(&mut self, args: &mut [ValueId]) {
        let width = args.iter().map(|&arg| self.data_type(arg).width).max().unwrap_or(1);
        for arg in args {
            *arg = self.splat(*arg, width);
        }
    }

    /// The parts of an aggregate type: the step to each, and its type.
    fn parts(&mut self, ty: TypeId) -> Vec<(Step, TypeId)> {
        match self.builder.types().get(ty).clone() {
            Type::Struct(described) => {
                let fields = described.fields.iter().enumerate();
                fields.map(|(i, field)| (Step::Field(i as u32), field.ty)).collect()
            }
            Type::Array { element, length, .. } => {
                let length = length.unwrap_or(0);
                (0..length).map(|i| (Step::Index(self.u32(i)), element)).collect()
            }
            Type::Scalar(_) | Type::Vector(..) => Vec::new(),
        }
    }

    /// One part of an aggregate type, which may have very many: the step to it, and its type.
    fn one_part(&mut self, ty: TypeId, index: u32) -> Option<(Step, TypeId)> {
        match self.builder.types().get(ty) {
            Type::Struct(described) => {
                let field = described.fields.get(index as usize)?;
                Some((Step::Field(index), field.ty))
            }
            &Type::Array { element, length, .. } => {
                let is_inside = length.is_some_and(|length| index < length);
                is_inside.then(|| (Step::Index(self.u32(index)), element))
            }
            Type::Scalar(_) | Type::Vector(..) => None,
        }
    }

    /// The number of scalars and vectors that a type consists of; more than the limit is one more.
    fn units(&mut self, ty: TypeId) -> u64 {
        if let Some(&units) = self.units.get(&ty) {
            return units;
        }
        let units = match self.builder.types().get(ty).clone() {
            Type::Scalar(_) | Type::Vector(..) => 1,
            Type::Array { element, length, .. } => {
                let length = u64::from(length.unwrap_or(0));
                if length > MAX_PARTS { MAX_PARTS + 1 } else { length * self.units(element) }
            }
            Type::Struct(described) => described.fields.iter().map(|field| self.units(field.ty)).sum(),
        };
        let units = units.min(MAX_PARTS + 1);
        self.units.insert(ty, units);
        units
    }

    pub(crate) fn is_large(&mut self, ty: TypeId) -> bool {
        self.units(ty) > MAX_PARTS
    }

    /// The value at a place of type `ty`.
    pub(crate) fn load(&mut self, place: &Place, ty: TypeId) -> ShaderValue {
        if self.builder.types().value(ty).is_some() {
            return ShaderValue::Data(self.inst(InstKind::Load(place.clone())));
        }
        if self.is_large(ty) {
            let to = self.temporary("copied", ty, Init::Unset);
            let pos = self.pos;
            self.builder.emit(InstKind::Copy { to: to.clone(), from: place.clone() }, pos);
            return ShaderValue::Memory(to);
        }
        let parts = self.parts(ty);
        ShaderValue::Parts(parts.into_iter().map(|(step, ty)| self.load(&stepped(place, step), ty)).collect())
    }

    /// Loads a large aggregate of type `ty` whose value nobody needs: no memory is taken for a copy. One part is read,
    /// so that an index out of range is still seen.
    pub(crate) fn load_for_nothing(&mut self, place: Place, ty: TypeId) -> ShaderValue {
        let (mut first, mut inner) = (place.clone(), ty);
        while self.builder.types().value(inner).is_none() {
            let Some((step, part)) = self.one_part(inner, 0) else { break };
            (first, inner) = (stepped(&first, step), part);
        }
        if self.builder.types().value(inner).is_some() {
            self.inst(InstKind::Load(first));
        }
        // What is made of it later is needed by nobody either.
        ShaderValue::Memory(place)
    }

    /// Stores a value at a place of type `ty`.
    pub(crate) fn store(&mut self, place: &Place, value: ShaderValue, ty: TypeId) {
        let pos = self.pos;
        if !self.has_room() {
            return;
        }
        match value {
            ShaderValue::Data(value) => {
                self.builder.emit(InstKind::Store { place: place.clone(), value }, pos);
            }
            ShaderValue::Parts(values) => {
                for ((step, ty), value) in self.parts(ty).into_iter().zip(values) {
                    self.store(&stepped(place, step), value, ty);
                }
            }
            ShaderValue::Memory(from) => {
                self.builder.emit(InstKind::Copy { to: place.clone(), from }, pos);
            }
            ShaderValue::Zero(zero) => self.store_zeros(place, zero),
            ShaderValue::Pointer(_) | ShaderValue::Texture(_) | ShaderValue::Sampler(_) => {
                _ = self.refuse(ShaderFeature::PointerValue);
            }
            ShaderValue::Refused => {}
        }
    }

    /// Stores zeros at a place of a type of many parts: an array element by element.
    fn store_zeros(&mut self, place: &Place, ty: TypeId) {
        if !self.has_room() {
            return;
        }
        if !self.is_large(ty) {
            let zero = self.zero(ty);
            return self.store(place, zero, ty);
        }
        let (element, length) = match self.builder.types().get(ty).clone() {
            Type::Array { element, length, .. } => (element, length.unwrap_or(0)),
            Type::Scalar(_) | Type::Vector(..) | Type::Struct(_) => {
                for (step, ty) in self.parts(ty) {
                    self.store_zeros(&stepped(place, step), ty);
                }
                return;
            }
        };
        let pos = self.pos;
        let number = self.builder.types().data(Data::U32);
        let [zero, one, end] = [0, 1, length].map(|number| self.u32(number));
        let counter = self.temporary("number", number, Init::Value(zero));
        let label = self.builder.label(None);
        self.builder.begin_block();
        let index = self.inst(InstKind::Load(counter.clone()));
        let goes_on = self.op(Op::Lt, &[index, end]);
        let condition = Some(Box::new(self.builder.end_block(Some(goes_on))));
        self.builder.begin_block();
        let index = self.inst(InstKind::Load(counter.clone()));
        self.store_zeros(&stepped(place, Step::Index(index)), element);
        let body = self.builder.end_block(None);
        self.builder.begin_block();
        let index = self.inst(InstKind::Load(counter.clone()));
        let value = self.op(Op::Add, &[index, one]);
        self.builder.emit(InstKind::Store { place: counter, value }, pos);
        let continuing = self.builder.end_block(None);
        self.builder.emit(InstKind::Loop { label, condition, body, continuing }, pos);
    }

    /// Zero of a type.
    pub(crate) fn zero(&mut self, ty: TypeId) -> ShaderValue {
        if let Some(Data { scalar, width }) = self.builder.types().value(ty) {
            let zero = self.builder.constant(Const { scalar, bits: 0 });
            return ShaderValue::Data(self.splat(zero, width));
        }
        if self.is_large(ty) {
            return ShaderValue::Zero(ty);
        }
        let parts = self.parts(ty);
        ShaderValue::Parts(parts.into_iter().map(|(_, ty)| self.zero(ty)).collect())
    }

    /// A part of an aggregate of type `ty`, by its number.
    pub(crate) fn part(&mut self, value: ShaderValue, ty: TypeId, index: u32) -> ShaderValue {
        match value {
            ShaderValue::Data(value) => ShaderValue::Data(self.component(value, index as u8)),
            ShaderValue::Parts(values) => values.into_iter().nth(index as usize).unwrap_or(ShaderValue::Refused),
            ShaderValue::Memory(place) => match self.one_part(ty, index) {
                Some((step, ty)) => self.inside(stepped(&place, step), ty),
                None => ShaderValue::Refused,
            },
            ShaderValue::Zero(_) => match self.one_part(ty, index) {
                Some((_, ty)) => self.zero(ty),
                None => ShaderValue::Refused,
            },
            ShaderValue::Pointer(_) | ShaderValue::Texture(_) | ShaderValue::Sampler(_) => {
                self.refuse(ShaderFeature::PointerValue)
            }
            ShaderValue::Refused => ShaderValue::Refused,
        }
    }

    /// An element of an array or matrix of type `ty`, by an index known only when the kernel runs.
    pub(crate) fn element(&mut self, value: ShaderValue, ty: TypeId, index: ValueId) -> ShaderValue {
        let mut place = match value {
            ShaderValue::Data(value) => {
                return ShaderValue::Data(self.inst(InstKind::ComponentAt { value, index }));
            }
            ShaderValue::Memory(place) => place,
            // Any element is zero, and so is what is read out of range.
            ShaderValue::Zero(_) => {
                return match *self.builder.types().get(ty) {
                    Type::Array { element, .. } => self.zero(element),
                    Type::Scalar(_) | Type::Vector(..) | Type::Struct(_) => ShaderValue::Refused,
                };
            }
            ShaderValue::Parts(_) => {
                let place = self.temporary("indexed", ty, Init::Unset);
                self.store(&place, value, ty);
                place
            }
            ShaderValue::Pointer(_) | ShaderValue::Texture(_) | ShaderValue::Sampler(_) => {
                return self.refuse(ShaderFeature::PointerValue);
            }
            ShaderValue::Refused => return ShaderValue::Refused,
        };
        let Type::Array { element, .. } = *self.builder.types().get(ty) else {
            return ShaderValue::Refused;
        };
        place.path.push(Step::Index(index));
        self.inside(place, element)
    }

    /// A part of a temporary. A small one, as a matrix is, has its parts as values.
    fn inside(&mut self, place: Place, ty: TypeId) -> ShaderValue {
        if self.is_large(ty) { ShaderValue::Memory(place) } else { self.load(&place, ty) }
    }
}

/// A place one step further.
pub(crate) fn stepped(place: &Place, step: Step) -> Place {
    let mut place = place.clone();
    place.path.push(step);
    place
}
