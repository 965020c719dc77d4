//! Builds one naga function: expressions, the open blocks that receive statements, and short names
//! for frequent expressions.
//!
//! naga evaluates an expression at a statement (`Emit`) in some block, so every expression here is
//! emitted where it is made. Literals, variables and arguments need none and may be used anywhere.

use std::collections::{HashMap, HashSet};

use naga::{
    BinaryOperator, Block, Expression, Function, FunctionArgument, Handle, Literal, LocalVariable, MathFunction,
    Module, Range, ScalarKind, Span, Statement, Type, TypeInner, UnaryOperator, VectorSize,
};
use tilewise_ir::types::{Data, Scalar};

/// An expression of the function.
pub(super) type ExprHandle = Handle<Expression>;

/// A module and the function in it that is being built.
pub(super) struct ModuleBuilder {
    pub(super) module: Module,
    pub(super) function: Function,
    /// The open blocks, innermost last.
    blocks: Vec<Block>,
    /// For each bitcast, the expression that was cast, and its type.
    cast_from: HashMap<ExprHandle, (ExprHandle, Scalar)>,
    /// Expressions that WGSL treats as constant.
    constant: HashSet<ExprHandle>,
}

/// The naga scalar type.
pub(super) const fn scalar(scalar: Scalar) -> naga::Scalar {
    match scalar {
        Scalar::Bool => naga::Scalar::BOOL,
        Scalar::I32 => naga::Scalar::I32,
        Scalar::U32 => naga::Scalar::U32,
        Scalar::I64 => naga::Scalar::I64,
        Scalar::U64 => naga::Scalar::U64,
        Scalar::F32 => naga::Scalar::F32,
        Scalar::F64 => naga::Scalar::F64,
    }
}

/// The naga size of a vector of 2 to 4 components.
pub(super) const fn vector_size(width: u8) -> VectorSize {
    match width {
        2 => VectorSize::Bi,
        3 => VectorSize::Tri,
        _ => VectorSize::Quad,
    }
}

impl ModuleBuilder {
    pub(super) fn new(module: Module) -> ModuleBuilder {
        ModuleBuilder {
            module,
            function: Function::default(),
            blocks: vec![Block::new()],
            cast_from: HashMap::new(),
            constant: HashSet::new(),
        }
    }

    /// The module and the finished function.
    pub(super) fn finish(mut self) -> (Module, Function) {
        self.function.body = self.blocks.pop().unwrap_or_default();
        (self.module, self.function)
    }

    pub(super) fn ty(&mut self, inner: TypeInner) -> Handle<Type> {
        self.module.types.insert(Type { name: None, inner }, Span::UNDEFINED)
    }

    pub(super) fn data_ty(&mut self, data: Data) -> Handle<Type> {
        self.ty(match data.width {
            1 => TypeInner::Scalar(scalar(data.scalar)),
            n => TypeInner::Vector { size: vector_size(n), scalar: scalar(data.scalar) },
        })
    }

    pub(super) fn argument(&mut self, name: &str, ty: Handle<Type>, builtin: naga::BuiltIn) -> ExprHandle {
        let binding = Some(naga::Binding::BuiltIn(builtin));
        self.function.arguments.push(FunctionArgument { name: Some(name.into()), ty, binding });
        let number = self.function.arguments.len() as u32 - 1;
        self.function.expressions.append(Expression::FunctionArgument(number), Span::UNDEFINED)
    }

    /// An uninitialised variable of the function: the pointer to it.
    pub(super) fn variable(&mut self, name: &str, ty: Handle<Type>) -> ExprHandle {
        let variable = LocalVariable { name: Some(name.into()), ty, init: None };
        let variable = self.function.local_variables.append(variable, Span::UNDEFINED);
        self.function.expressions.append(Expression::LocalVariable(variable), Span::UNDEFINED)
    }

    /// Sets the initial value of a variable, a constant.
    pub(super) fn begin_with(&mut self, variable: ExprHandle, constant: ExprHandle) {
        if let Expression::LocalVariable(variable) = self.function.expressions[variable] {
            self.function.local_variables[variable].init = Some(constant);
        }
    }

    pub(super) fn statement(&mut self, statement: Statement) {
        if let Some(block) = self.blocks.last_mut() {
            block.push(statement, Span::UNDEFINED);
        }
    }

    /// Makes an expression that needs no `Emit`, or that its own statement evaluates.
    pub(super) fn bare(&mut self, mut expression: Expression) -> ExprHandle {
        let mut constant = true;
        let role = visit_operands(&mut expression, &mut |operand| constant &= self.constant.contains(operand));
        let made = self.function.expressions.append(expression, Span::UNDEFINED);
        if constant && matches!(role, ConstantRole::Constant | ConstantRole::Gathers) {
            self.constant.insert(made);
        }
        made
    }

    /// Makes an expression and emits it here. No expression computes with constants alone: WGSL
    /// would evaluate it at compile time, and rejects cases in which a kernel has a result, such as
    /// `log2(-1.0)` and `255 << 31`; naga also rejects constant expressions that it cannot
    /// evaluate, such as conversions of 64-bit numbers.
    pub(super) fn expr(&mut self, mut expression: Expression) -> ExprHandle {
        let (mut first, mut constant) = (None, true);
        let role = visit_operands(&mut expression, &mut |operand| {
            first.get_or_insert(*operand);
            constant &= self.constant.contains(operand);
        });
        if let (ConstantRole::Computes, Some(first), true) = (role, first, constant) {
            let mut hidden = Some(self.hidden(first));
            visit_operands(&mut expression, &mut |operand| *operand = hidden.take().unwrap_or(*operand));
        }
        let made = self.bare(expression);
        self.statement(Statement::Emit(Range::new_from_bounds(made, made)));
        made
    }

    /// A constant that WGSL does not treat as one, since it has a name, as from `let`. Literals and
    /// zeros cannot have a name, but a vector of them can.
    fn hidden(&mut self, constant: ExprHandle) -> ExprHandle {
        let expression = &self.function.expressions[constant];
        if let Expression::ZeroValue(ty) = *expression
            && let TypeInner::Vector { size, scalar } = self.module.types[ty].inner
        {
            let ty = self.ty(TypeInner::Scalar(scalar));
            let value = self.bare(Expression::ZeroValue(ty));
            return self.named_splat(size, value);
        }
        if matches!(expression, Expression::Literal(_) | Expression::ZeroValue(_)) {
            let vector = self.named_splat(VectorSize::Bi, constant);
            return self.at(vector, 0);
        }
        self.give_name(constant);
        constant
    }

    fn named_splat(&mut self, size: VectorSize, value: ExprHandle) -> ExprHandle {
        let vector = self.expr(Expression::Splat { size, value });
        self.give_name(vector);
        vector
    }

    fn give_name(&mut self, expr: ExprHandle) {
        self.constant.remove(&expr);
        self.function.named_expressions.insert(expr, format!("kept_{}", expr.index()));
    }

    pub(super) fn open(&mut self) {
        self.blocks.push(Block::new());
    }

    /// Reopens a closed block.
    pub(super) fn reopen(&mut self, block: Block) {
        self.blocks.push(block);
    }

    pub(super) fn close(&mut self) -> Block {
        self.blocks.pop().unwrap_or_default()
    }

    pub(super) fn literal(&mut self, literal: Literal) -> ExprHandle {
        self.bare(Expression::Literal(literal))
    }

    pub(super) fn u32(&mut self, value: u32) -> ExprHandle {
        self.literal(Literal::U32(value))
    }

    pub(super) fn bool(&mut self, value: bool) -> ExprHandle {
        self.literal(Literal::Bool(value))
    }

    /// The value of a `u32` literal.
    pub(super) fn known(&self, value: ExprHandle) -> Option<u32> {
        match self.function.expressions[value] {
            Expression::Literal(Literal::U32(n)) => Some(n),
            _ => None,
        }
    }

    /// The bits of a 64-bit literal.
    pub(super) fn known_double(&self, value: ExprHandle) -> Option<u64> {
        match self.function.expressions[value] {
            Expression::Literal(Literal::U64(n)) => Some(n),
            Expression::Literal(Literal::I64(n)) => Some(n as u64),
            Expression::Literal(Literal::F64(n)) => Some(n.to_bits()),
            _ => None,
        }
    }

    /// The value of a float literal, or of a vector of one.
    pub(super) fn known_float(&self, value: ExprHandle) -> Option<f64> {
        match &self.function.expressions[value] {
            Expression::Literal(Literal::F32(x)) => Some(f64::from(*x)),
            Expression::Literal(Literal::F64(x)) => Some(*x),
            Expression::Splat { value, .. } => self.known_float(*value),
            Expression::Compose { components, .. } => {
                let first = self.known_float(*components.first()?)?;
                let same = |&part: &ExprHandle| self.known_float(part).map(f64::to_bits) == Some(first.to_bits());
                components.iter().all(same).then_some(first)
            }
            _ => None,
        }
    }

    pub(super) fn zero(&mut self, data: Data) -> ExprHandle {
        let ty = self.data_ty(data);
        self.bare(Expression::ZeroValue(ty))
    }

    pub(super) fn binary(&mut self, op: BinaryOperator, left: ExprHandle, right: ExprHandle) -> ExprHandle {
        self.expr(Expression::Binary { op, left, right })
    }

    pub(super) fn unary(&mut self, op: UnaryOperator, expr: ExprHandle) -> ExprHandle {
        self.expr(Expression::Unary { op, expr })
    }

    pub(super) fn not(&mut self, expr: ExprHandle) -> ExprHandle {
        self.unary(UnaryOperator::LogicalNot, expr)
    }

    /// A divisor with ones in place of literal zeros, which naga rejects, also as a part of a vector: a quotient by
    /// zero is the dividend here, and a remainder is zero.
    pub(super) fn divisor(&mut self, value: ExprHandle) -> ExprHandle {
        match self.function.expressions[value] {
            Expression::Literal(Literal::U32(0)) => self.u32(1),
            Expression::Literal(Literal::I32(0)) => self.literal(Literal::I32(1)),
            Expression::Splat { size, value: part } => {
                let divisor = self.divisor(part);
                if divisor == part { value } else { self.expr(Expression::Splat { size, value: divisor }) }
            }
            Expression::Compose { ty, ref components } => {
                let components = components.clone();
                let divisors: Vec<ExprHandle> = components.iter().map(|&part| self.divisor(part)).collect();
                if divisors == components { value } else { self.expr(Expression::Compose { ty, components: divisors }) }
            }
            _ => value,
        }
    }

    /// The value of a `bool` literal.
    pub(super) fn truth(&self, value: ExprHandle) -> Option<bool> {
        match self.function.expressions[value] {
            Expression::Literal(Literal::Bool(value)) => Some(value),
            _ => None,
        }
    }

    /// Sum of `u32`s; folds constants.
    pub(super) fn add(&mut self, left: ExprHandle, right: ExprHandle) -> ExprHandle {
        match (self.known(left), self.known(right)) {
            (Some(a), Some(b)) => self.u32(a.wrapping_add(b)),
            (Some(0), _) => right,
            (_, Some(0)) => left,
            _ => self.binary(BinaryOperator::Add, left, right),
        }
    }

    /// Product of `u32`s; folds constants.
    pub(super) fn mul(&mut self, left: ExprHandle, right: ExprHandle) -> ExprHandle {
        match (self.known(left), self.known(right)) {
            (Some(a), Some(b)) => self.u32(a.wrapping_mul(b)),
            (Some(1), _) => right,
            (_, Some(1)) => left,
            (Some(n), _) if n.is_power_of_two() => self.shl(right, n.trailing_zeros()),
            (_, Some(n)) if n.is_power_of_two() => self.shl(left, n.trailing_zeros()),
            _ => self.binary(BinaryOperator::Multiply, left, right),
        }
    }

    /// A `u32` shifted left by a constant below 32.
    pub(super) fn shl(&mut self, value: ExprHandle, by: u32) -> ExprHandle {
        match (self.known(value), by) {
            (_, 0) => value,
            (Some(n), _) => self.u32(n << by),
            _ => {
                let by = self.u32(by);
                self.binary(BinaryOperator::ShiftLeft, value, by)
            }
        }
    }

    /// A `u32` shifted right by a constant below 32.
    pub(super) fn shr(&mut self, value: ExprHandle, by: u32) -> ExprHandle {
        match (self.known(value), by) {
            (_, 0) => value,
            (Some(n), _) => self.u32(n >> by),
            _ => {
                let by = self.u32(by);
                self.binary(BinaryOperator::ShiftRight, value, by)
            }
        }
    }

    /// Bitwise AND of a `u32` and a constant.
    pub(super) fn and(&mut self, value: ExprHandle, mask: u32) -> ExprHandle {
        match self.known(value) {
            Some(n) => self.u32(n & mask),
            None => {
                let mask = self.u32(mask);
                self.binary(BinaryOperator::And, value, mask)
            }
        }
    }

    /// Bitwise OR of two `u32`s.
    pub(super) fn or(&mut self, left: ExprHandle, right: ExprHandle) -> ExprHandle {
        match (self.known(left), self.known(right)) {
            (Some(0), _) => right,
            (_, Some(0)) => left,
            _ => self.binary(BinaryOperator::InclusiveOr, left, right),
        }
    }

    pub(super) fn both(&mut self, left: ExprHandle, right: ExprHandle) -> ExprHandle {
        match (self.truth(left), self.truth(right)) {
            (Some(true), _) | (_, Some(false)) => right,
            (_, Some(true)) | (Some(false), _) => left,
            _ => self.binary(BinaryOperator::LogicalAnd, left, right),
        }
    }

    pub(super) fn either(&mut self, left: ExprHandle, right: ExprHandle) -> ExprHandle {
        match (self.truth(left), self.truth(right)) {
            (Some(false), _) | (_, Some(true)) => right,
            (_, Some(false)) | (Some(true), _) => left,
            _ => self.binary(BinaryOperator::LogicalOr, left, right),
        }
    }

    pub(super) fn less(&mut self, left: ExprHandle, right: ExprHandle) -> ExprHandle {
        match (self.known(left), self.known(right)) {
            (Some(a), Some(b)) => self.bool(a < b),
            _ => self.binary(BinaryOperator::Less, left, right),
        }
    }

    pub(super) fn equal(&mut self, left: ExprHandle, right: ExprHandle) -> ExprHandle {
        self.binary(BinaryOperator::Equal, left, right)
    }

    pub(super) fn select(&mut self, condition: ExprHandle, accept: ExprHandle, reject: ExprHandle) -> ExprHandle {
        self.expr(Expression::Select { condition, accept, reject })
    }

    /// Bitcast to another type of the same size, 4 or 8 bytes.
    pub(super) fn bits(&mut self, expr: ExprHandle, from: Scalar, to: Scalar) -> ExprHandle {
        if from == to {
            return expr;
        }
        // A cast back to the original type.
        if let Some(&(before, was)) = self.cast_from.get(&expr)
            && was == to
        {
            return before;
        }
        let cast = self.expr(Expression::As { expr, kind: scalar(to).kind, convert: None });
        self.cast_from.insert(cast, (expr, from));
        cast
    }

    /// Conversion of the value to another type.
    pub(super) fn convert(&mut self, expr: ExprHandle, to: Scalar) -> ExprHandle {
        let naga::Scalar { kind, width } = scalar(to);
        let convert = Some(if kind == ScalarKind::Bool { naga::BOOL_WIDTH } else { width });
        self.expr(Expression::As { expr, kind, convert })
    }

    pub(super) fn math(&mut self, fun: MathFunction, arguments: &[ExprHandle]) -> ExprHandle {
        let at = |i: usize| arguments.get(i).copied();
        self.expr(Expression::Math { fun, arg: arguments[0], arg1: at(1), arg2: at(2), arg3: at(3) })
    }

    pub(super) fn load(&mut self, pointer: ExprHandle) -> ExprHandle {
        self.expr(Expression::Load { pointer })
    }

    pub(super) fn store(&mut self, pointer: ExprHandle, value: ExprHandle) {
        self.statement(Statement::Store { pointer, value });
    }

    pub(super) fn at(&mut self, base: ExprHandle, index: u32) -> ExprHandle {
        self.expr(Expression::AccessIndex { base, index })
    }

    pub(super) fn compose(&mut self, data: Data, components: Vec<ExprHandle>) -> ExprHandle {
        if data.width == 1 {
            return components[0];
        }
        let ty = self.data_ty(data);
        self.expr(Expression::Compose { ty, components })
    }

    /// `if condition { .. }`, with `body` writing the arm.
    pub(super) fn when(&mut self, condition: ExprHandle, body: impl FnOnce(&mut ModuleBuilder)) {
        self.open();
        body(self);
        let accept = self.close();
        self.statement(Statement::If { condition, accept, reject: Block::new() });
    }
}

/// The role of an expression in WGSL's constant evaluation if all its operands are constants.
#[derive(Clone, Copy)]
enum ConstantRole {
    /// A constant by itself.
    Constant,
    /// A constant, composed of its operands or extracted from them.
    Gathers,
    /// A constant that the compiler computes.
    Computes,
    /// Never a constant.
    Runtime,
}

/// Visits the operands that decide whether an expression is constant.
fn visit_operands(expression: &mut Expression, visit: &mut dyn FnMut(&mut ExprHandle)) -> ConstantRole {
    match expression {
        Expression::Literal(_) | Expression::ZeroValue(_) => ConstantRole::Constant,
        Expression::Compose { components, .. } => {
            components.iter_mut().for_each(visit);
            ConstantRole::Gathers
        }
        Expression::Splat { value: operand, .. }
        | Expression::Swizzle { vector: operand, .. }
        | Expression::AccessIndex { base: operand, .. } => {
            visit(operand);
            ConstantRole::Gathers
        }
        Expression::Unary { expr, .. }
        | Expression::As { expr, .. }
        | Expression::Relational { argument: expr, .. } => {
            visit(expr);
            ConstantRole::Computes
        }
        Expression::Access { base: left, index: right } | Expression::Binary { left, right, .. } => {
            visit(left);
            visit(right);
            ConstantRole::Computes
        }
        Expression::Select { condition, accept, reject } => {
            [condition, accept, reject].into_iter().for_each(visit);
            ConstantRole::Computes
        }
        Expression::Math { arg, arg1, arg2, arg3, .. } => {
            visit(arg);
            [arg1, arg2, arg3].into_iter().flatten().for_each(visit);
            ConstantRole::Computes
        }
        // The lowering makes no module constants.
        Expression::Constant(_)
        | Expression::Override(_)
        | Expression::FunctionArgument(_)
        | Expression::GlobalVariable(_)
        | Expression::LocalVariable(_)
        | Expression::Load { .. }
        | Expression::ImageSample { .. }
        | Expression::ImageLoad { .. }
        | Expression::ImageQuery { .. }
        | Expression::Derivative { .. }
        | Expression::CallResult(_)
        | Expression::AtomicResult { .. }
        | Expression::WorkGroupUniformLoadResult { .. }
        | Expression::ArrayLength(_)
        | Expression::RayQueryVertexPositions { .. }
        | Expression::RayQueryProceedResult
        | Expression::RayQueryGetIntersection { .. }
        | Expression::SubgroupBallotResult
        | Expression::SubgroupOperationResult { .. }
        | Expression::CooperativeLoad { .. }
        | Expression::CooperativeMultiplyAdd { .. } => ConstantRole::Runtime,
    }
}
