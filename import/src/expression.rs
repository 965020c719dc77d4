//! Expressions.
//!
//! naga computes an expression where a statement emits it, and all later uses see that value. The
//! walk keeps the values of a function in its frame; what is never emitted (constants, arguments,
//! variables) has no effect and is built where it is used.

use naga::{ArraySize, Expression, Handle, Literal, RelationalFunction, TypeInner};
use tilewise_ir::kernel::{AtomicOp, Const, InstKind, Place, Root, Step, ValueDef, ValueId};
use tilewise_ir::limits::MAX_PRIVATE;
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use crate::ShaderImporter;
use crate::call::FunctionFrame;
use crate::feature::ShaderFeature;
use crate::texture::{SampleRequest, TexelAddress};
use crate::types::{value_scalar, width};
use crate::value::{ShaderValue, stepped};

/// Scalars of a value that is made of parts: no local variable may have as many, and each is a part of the value.
const MAX_VALUE_PARTS: u64 = MAX_PRIVATE;

impl<'m> ShaderImporter<'m> {
    /// The value of an expression at this point.
    pub(crate) fn value(&mut self, frame: &mut FunctionFrame<'m>, of: Handle<Expression>) -> ShaderValue {
        if let Some(value) = frame.values.get(&of) {
            return value.clone();
        }
        let before = self.pos;
        let here = self.source.pos(frame.function.expressions.get_span(of));
        if here.is_known() {
            self.pos = here;
        }
        let value = self.evaluate(frame, of);
        self.pos = before;
        value
    }

    fn evaluate(&mut self, frame: &mut FunctionFrame<'m>, of: Handle<Expression>) -> ShaderValue {
        let module = self.module;
        let function = frame.function;
        if let Some(place) = self.large_constant(&function.expressions, of) {
            return ShaderValue::Memory(place);
        }
        match function.expressions[of] {
            Expression::Literal(literal) => self.literal(literal),
            Expression::Constant(constant) => self.constant_expression(module.constants[constant].init),
            Expression::Override(_) => self.refuse(ShaderFeature::ConstantExpression),
            Expression::ZeroValue(ty) => {
                let ty = self.memory_type(ty);
                self.zero(ty)
            }
            Expression::Compose { ty, ref components } => {
                let memory = self.memory_type(ty);
                if self.builder.types().measure(memory).leaves > MAX_VALUE_PARTS {
                    return self.refuse(ShaderFeature::LargeAggregate);
                }
                let values = components.iter().map(|&part| self.value(frame, part)).collect();
                self.compose(&module.types[ty].inner, values)
            }
            Expression::Splat { size, value } => {
                let value = self.data_of(frame, value);
                ShaderValue::Data(self.splat(value, width(size)))
            }
            Expression::Swizzle { size, vector, pattern } => {
                let value = self.data_of(frame, vector);
                let count = usize::from(width(size));
                let components = pattern[..count].iter().map(|&component| component as u8).collect();
                ShaderValue::Data(self.inst(InstKind::Swizzle { value, components }))
            }
            Expression::AccessIndex { base, index } => self.access_index(frame, base, index),
            Expression::Access { base, index } => self.access(frame, base, index),
            Expression::FunctionArgument(index) => {
                frame.args.get(index as usize).cloned().unwrap_or(ShaderValue::Refused)
            }
            Expression::GlobalVariable(variable) => {
                self.globals.get(&variable).cloned().unwrap_or(ShaderValue::Refused)
            }
            Expression::LocalVariable(variable) => match frame.locals.get(&variable) {
                Some(&local) => ShaderValue::Pointer(Place { root: Root::Local(local), path: Vec::new() }),
                None => ShaderValue::Refused,
            },
            Expression::Load { pointer } => self.load_expression(frame, of, pointer),
            Expression::Unary { op, expr } => {
                let value = self.value(frame, expr);
                let result = self.unary(op, value);
                self.narrowed(result, self.type_of(frame, of))
            }
            Expression::Binary { op, left, right } => {
                let types = (self.type_of(frame, left), self.type_of(frame, right));
                let (left, right) = (self.value(frame, left), self.value(frame, right));
                let narrow = self.type_of(frame, of);
                let result = self.binary(op, left, right, types, narrow);
                self.narrowed(result, narrow)
            }
            Expression::Select { condition, accept, reject } => {
                let condition = self.data_of(frame, condition);
                let (accept, reject) = (self.data_of(frame, accept), self.data_of(frame, reject));
                let condition = self.splat(condition, self.data_type(accept).width);
                ShaderValue::Data(self.op(Op::Select, &[condition, accept, reject]))
            }
            Expression::Relational { fun, argument } => {
                let value = self.data_of(frame, argument);
                let is_scalar = self.data_type(value).width == 1;
                let op = match fun {
                    RelationalFunction::All | RelationalFunction::Any if is_scalar => {
                        return ShaderValue::Data(value);
                    }
                    RelationalFunction::All => Op::All,
                    RelationalFunction::Any => Op::Any,
                    RelationalFunction::IsNan => Op::IsNan,
                    RelationalFunction::IsInf => Op::IsInf,
                };
                ShaderValue::Data(self.op(op, &[value]))
            }
            Expression::As { expr, kind, convert } => {
                let from = self.type_of(frame, expr);
                let to = self.type_of(frame, of);
                let value = self.value(frame, expr);
                let result = self.cast(value, kind, convert, from, to);
                self.narrowed(result, to)
            }
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let args = [Some(arg), arg1, arg2, arg3].into_iter().flatten();
                let args: Vec<_> = args.map(|arg| self.value(frame, arg)).collect();
                let narrow = self.type_of(frame, arg);
                let result = self.math(fun, args, narrow);
                self.narrowed(result, self.type_of(frame, of))
            }
            Expression::ArrayLength(array) => {
                let place = self.place_of(frame, array);
                ShaderValue::Data(self.inst(InstKind::Length(place)))
            }
            Expression::Derivative { .. } => self.refuse(ShaderFeature::Derivatives),
            Expression::ImageSample {
                image,
                sampler,
                gather,
                coordinate,
                array_index,
                offset,
                level,
                depth_ref,
                clamp_to_edge,
            } => {
                let layer = array_index;
                let reference = depth_ref;
                let request = SampleRequest {
                    image,
                    sampler,
                    gather,
                    coordinate,
                    layer,
                    offset,
                    level,
                    reference,
                    clamp_to_edge,
                };
                self.texture_sample(frame, request)
            }
            Expression::ImageLoad { image, coordinate, array_index, sample, level } => {
                let address = TexelAddress { coordinate, layer: array_index, sample, level };
                self.texture_load(frame, image, address)
            }
            Expression::ImageQuery { image, query } => self.texture_query(frame, image, query),
            Expression::RayQueryVertexPositions { .. }
            | Expression::RayQueryProceedResult
            | Expression::RayQueryGetIntersection { .. } => self.refuse(ShaderFeature::RayQueries),
            Expression::CooperativeLoad { .. } | Expression::CooperativeMultiplyAdd { .. } => {
                self.refuse(ShaderFeature::CooperativeMatrices)
            }
            // The statements that compute these put them into the frame; without such a statement
            // before it, code cannot be reached.
            Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::SubgroupBallotResult
            | Expression::SubgroupOperationResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. } => ShaderValue::Refused,
        }
    }

    /// An expression of the module: constants and what is made of them.
    pub(crate) fn constant_expression(&mut self, of: Handle<Expression>) -> ShaderValue {
        let module = self.module;
        if let Some(place) = self.large_constant(&module.global_expressions, of) {
            return ShaderValue::Memory(place);
        }
        match module.global_expressions[of] {
            Expression::Literal(literal) => self.literal(literal),
            Expression::Constant(constant) => self.constant_expression(module.constants[constant].init),
            Expression::ZeroValue(ty) => {
                let ty = self.memory_type(ty);
                self.zero(ty)
            }
            Expression::Compose { ty, ref components } => {
                let values = components.iter().map(|&part| self.constant_expression(part)).collect();
                self.compose(&module.types[ty].inner, values)
            }
            Expression::Splat { size, value } => {
                let value = self.constant_expression(value);
                let value = self.data(&value);
                ShaderValue::Data(self.splat(value, width(size)))
            }
            // naga has evaluated all others.
            _ => self.refuse(ShaderFeature::ConstantExpression),
        }
    }

    fn literal(&mut self, literal: Literal) -> ShaderValue {
        match constant_of_literal(literal) {
            Some(constant) => ShaderValue::Data(self.builder.constant(constant)),
            // Concrete when naga has evaluated the module.
            None => self.refuse(ShaderFeature::ConstantExpression),
        }
    }

    /// A value made of parts.
    fn compose(&mut self, inner: &TypeInner, values: Vec<ShaderValue>) -> ShaderValue {
        match *inner {
            TypeInner::Vector { size, .. } => {
                let mut scalars = Vec::new();
                for value in &values {
                    let value = self.data(value);
                    match self.data_type(value).width {
                        whole if whole == width(size) => return ShaderValue::Data(value),
                        count => scalars.extend((0..count).map(|i| self.component(value, i))),
                    }
                }
                ShaderValue::Data(self.vector(scalars))
            }
            TypeInner::Matrix { rows, .. } => {
                let of_scalars = values.iter().any(|value| {
                    let ShaderValue::Data(value) = value else { return false };
                    self.data_type(*value).width == 1
                });
                if !of_scalars {
                    return ShaderValue::Parts(values);
                }
                let scalars: Vec<ValueId> = values.iter().map(|value| self.data(value)).collect();
                let columns = scalars.chunks(usize::from(width(rows)));
                let columns = columns.map(|column| ShaderValue::Data(self.inst(InstKind::Compose(column.to_vec()))));
                ShaderValue::Parts(columns.collect())
            }
            _ => ShaderValue::Parts(values),
        }
    }

    fn access_index(&mut self, frame: &mut FunctionFrame<'m>, base: Handle<Expression>, index: u32) -> ShaderValue {
        let inner = self.type_of(frame, base);
        match self.value(frame, base) {
            ShaderValue::Pointer(place) => {
                let step = match self.pointee(inner) {
                    TypeInner::Struct { .. } => Step::Field(index),
                    TypeInner::Vector { .. } => Step::Component(index as u8),
                    _ => Step::Index(self.u32(index)),
                };
                ShaderValue::Pointer(stepped(&place, step))
            }
            ShaderValue::Data(vector) => ShaderValue::Data(self.component(vector, index as u8)),
            ShaderValue::Refused => ShaderValue::Refused,
            value => {
                let ty = self.expression_type(frame, base);
                self.part(value, ty, index)
            }
        }
    }

    fn access(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        base: Handle<Expression>,
        index: Handle<Expression>,
    ) -> ShaderValue {
        let index = self.data_of(frame, index);
        let inner = self.type_of(frame, base);
        let index = self.not_constant_outside(index, inner);
        if matches!(inner, TypeInner::Array { .. } | TypeInner::Matrix { .. })
            && let Some(place) = self.constant_place(&frame.function.expressions, base)
        {
            let ty = self.expression_type(frame, base);
            return self.element(ShaderValue::Memory(place), ty, index);
        }
        match self.value(frame, base) {
            ShaderValue::Pointer(place) => ShaderValue::Pointer(stepped(&place, Step::Index(index))),
            ShaderValue::Refused => ShaderValue::Refused,
            value => {
                let ty = self.expression_type(frame, base);
                self.element(value, ty, index)
            }
        }
    }

    fn not_constant_outside(&mut self, index: ValueId, base: &TypeInner) -> ValueId {
        let count = match self.pointee(base) {
            TypeInner::Array { size: ArraySize::Constant(count), .. } => i128::from(count.get()),
            TypeInner::Vector { size, .. } => i128::from(width(size)),
            TypeInner::Matrix { columns, .. } => i128::from(width(columns)),
            _ => i128::MAX,
        };
        self.not_constant_beyond(index, count)
    }

    /// The index of one of `count` elements. Inlining makes indices constant that were arguments; in
    /// kernels a constant index that is out of range is an error, and here it is an access out of range,
    /// if it is reached.
    pub(crate) fn not_constant_beyond(&mut self, index: ValueId, count: i128) -> ValueId {
        let Some(constant) = self.constant_of(index) else { return index };
        match constant.integer() {
            Some(number) if !(0..count).contains(&number) => {
                let zero = self.builder.constant(Const { scalar: constant.scalar, bits: 0 });
                self.op(Op::Add, &[index, zero])
            }
            _ => index,
        }
    }

    /// The constant that a value is.
    pub(crate) fn constant_of(&self, value: ValueId) -> Option<Const> {
        match self.builder.context().values.get(value.index())?.def {
            ValueDef::Const(constant) => Some(constant),
            ValueDef::Param(_) | ValueDef::Inst => None,
        }
    }

    fn load_expression(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        of: Handle<Expression>,
        pointer: Handle<Expression>,
    ) -> ShaderValue {
        let inner = self.type_of(frame, pointer);
        if let ShaderValue::Refused = self.value(frame, pointer) {
            return ShaderValue::Refused;
        }
        let place = self.place_of(frame, pointer);
        match self.pointee(inner) {
            TypeInner::Atomic(scalar) => self.atomic_load(place, scalar),
            _ => {
                let ty = self.pointee_type(inner);
                if self.is_large(ty) && !frame.needs(of) {
                    return self.load_for_nothing(place, ty);
                }
                self.load(&place, ty)
            }
        }
    }

    /// Reads an atomic, as an operation that leaves it as it is: no access of the thread before it or
    /// behind it is merged with it. In a buffer that the shader may not write a load does the same.
    pub(crate) fn atomic_load(&mut self, place: Place, scalar: naga::Scalar) -> ShaderValue {
        if matches!(place.root, Root::Param(param) if self.read_only.contains(&param)) {
            return ShaderValue::Data(self.inst(InstKind::Load(place)));
        }
        let Some(scalar) = value_scalar(scalar) else {
            return self.refuse(ShaderFeature::ScalarType);
        };
        let (op, neutral) = match scalar {
            // The sum with -0 is every number itself, zeros too.
            Scalar::F32 => (AtomicOp::Add, Const::f32(-0.0)),
            Scalar::F64 => (AtomicOp::Add, Const::f64(-0.0)),
            scalar => (AtomicOp::Or, Const { scalar, bits: 0 }),
        };
        let value = Some(self.builder.constant(neutral));
        ShaderValue::Data(self.inst(InstKind::Atomic { op, place, value }))
    }
}

/// The constant of a literal; `None` if it has no type yet.
pub(crate) fn constant_of_literal(literal: Literal) -> Option<Const> {
    Some(match literal {
        Literal::F64(number) => Const::f64(number),
        Literal::F32(number) => Const::f32(number),
        Literal::F16(number) => Const::f32(number.to_f32()),
        Literal::U16(number) => Const::u32(number.into()),
        Literal::I16(number) => Const::i32(number.into()),
        Literal::U32(number) => Const::u32(number),
        Literal::I32(number) => Const::i32(number),
        Literal::U64(number) => Const::u64(number),
        Literal::I64(number) => Const::i64(number),
        Literal::Bool(truth) => Const::bool(truth),
        Literal::AbstractInt(_) | Literal::AbstractFloat(_) => return None,
    })
}
