//! Zeros that SPIR-V stores whole into memory with atomics, as compilers of shaders do at the start of an
//! entry point. naga finds out which memory is atomic when it sees the operations, and gives it another
//! type then; the store keeps a zero of the old type, which naga's own validation refuses. Here each such
//! store becomes stores of the scalars, with a loop over the elements of an array.

use naga::{
    ArraySize, BinaryOperator, Block, Constant, Expression, Function, GlobalVariable, Handle, Literal, LocalVariable,
    Module, Range, Scalar, ScalarKind, Span, Statement, Type, TypeInner, UniqueArena,
};

use crate::visit::blocks_mut;

/// Elements of an array up to which no loop is made.
const UNROLLED: u32 = 4;

/// Divides stores of whole zeros into memory with atomics.
pub(crate) fn divide_zero_stores(module: &mut Module) {
    let Module { types, global_variables, constants, global_expressions, functions, entry_points, .. } = module;
    let counter = types.insert(Type { name: None, inner: TypeInner::Scalar(Scalar::U32) }, Span::UNDEFINED);
    let functions = functions.iter_mut().map(|(_, function)| function);
    for function in functions.chain(entry_points.iter_mut().map(|entry| &mut entry.function)) {
        let mut body = std::mem::take(&mut function.body);
        let globals = |handle: Handle<GlobalVariable>| global_variables[handle].ty;
        let is_zero = |constant: Handle<Constant>| {
            matches!(global_expressions[constants[constant].init], Expression::ZeroValue(_))
        };
        ZeroDivider { types: &*types, function, globals: &globals, is_zero: &is_zero, counter }.block(&mut body);
        function.body = body;
    }
}

struct ZeroDivider<'m> {
    types: &'m UniqueArena<Type>,
    function: &'m mut Function,
    /// The types of global variables.
    globals: &'m dyn Fn(Handle<GlobalVariable>) -> Handle<Type>,
    /// Whether a constant is zero.
    is_zero: &'m dyn Fn(Handle<Constant>) -> bool,
    /// The type `u32`.
    counter: Handle<Type>,
}

impl ZeroDivider<'_> {
    fn block(&mut self, block: &mut Block) {
        for (mut statement, span) in std::mem::take(block).span_into_iter() {
            if let Statement::Store { pointer, value } = statement
                && self.is_zero(value)
                && let Some(ty) = self.pointee(pointer).filter(|&ty| self.is_whole_with_atomics(ty))
            {
                self.store(block, pointer, ty, span);
                continue;
            }
            blocks_mut(&mut statement, &mut |inner| self.block(inner));
            block.push(statement, span);
        }
    }

    fn is_zero(&self, value: Handle<Expression>) -> bool {
        match self.function.expressions[value] {
            Expression::ZeroValue(_) => true,
            Expression::Constant(constant) => (self.is_zero)(constant),
            _ => false,
        }
    }

    /// The type of the memory of a global variable or a part of it; `None` of other pointers.
    fn pointee(&self, pointer: Handle<Expression>) -> Option<Handle<Type>> {
        match self.function.expressions[pointer] {
            Expression::GlobalVariable(variable) => Some((self.globals)(variable)),
            Expression::AccessIndex { base, index } => match &self.types[self.pointee(base)?].inner {
                TypeInner::Struct { members, .. } => members.get(index as usize).map(|member| member.ty),
                TypeInner::Array { base, .. } => Some(*base),
                _ => None,
            },
            Expression::Access { base, .. } => match self.types[self.pointee(base)?].inner {
                TypeInner::Array { base, .. } => Some(base),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it is a struct or an array that has atomics in it.
    fn is_whole_with_atomics(&self, ty: Handle<Type>) -> bool {
        match &self.types[ty].inner {
            TypeInner::Struct { members, .. } => members.iter().any(|member| self.has_atomics(member.ty)),
            TypeInner::Array { base, size: ArraySize::Constant(_), .. } => self.has_atomics(*base),
            _ => false,
        }
    }

    fn has_atomics(&self, ty: Handle<Type>) -> bool {
        matches!(self.types[ty].inner, TypeInner::Atomic(_)) || self.is_whole_with_atomics(ty)
    }

    /// Whether an array that has atomics in it is a part of the type, or the type itself.
    fn has_array_of_atomics(&self, ty: Handle<Type>) -> bool {
        match &self.types[ty].inner {
            TypeInner::Struct { members, .. } => members.iter().any(|member| self.has_array_of_atomics(member.ty)),
            TypeInner::Array { .. } => self.is_whole_with_atomics(ty),
            _ => false,
        }
    }

    /// Appends an expression that the block computes.
    fn emit(&mut self, block: &mut Block, expression: Expression, span: Span) -> Handle<Expression> {
        let handle = self.function.expressions.append(expression, span);
        block.push(Statement::Emit(Range::new_from_bounds(handle, handle)), span);
        handle
    }

    /// Appends a constant or a variable, which no block computes.
    fn plain(&mut self, expression: Expression, span: Span) -> Handle<Expression> {
        self.function.expressions.append(expression, span)
    }

    /// Appends the stores of zeros to all that `pointer` points to.
    fn store(&mut self, block: &mut Block, pointer: Handle<Expression>, ty: Handle<Type>, span: Span) {
        let types = self.types;
        match &types[ty].inner {
            TypeInner::Atomic(scalar) => {
                let value = match scalar.kind {
                    ScalarKind::Float => Literal::F32(0.0),
                    ScalarKind::Sint if scalar.width == 8 => Literal::I64(0),
                    ScalarKind::Uint if scalar.width == 8 => Literal::U64(0),
                    ScalarKind::Sint => Literal::I32(0),
                    _ => Literal::U32(0),
                };
                let value = self.plain(Expression::Literal(value), span);
                block.push(Statement::Store { pointer, value }, span);
            }
            TypeInner::Struct { members, .. } => {
                for (index, member) in (0..).zip(members) {
                    let part = self.emit(block, Expression::AccessIndex { base: pointer, index }, span);
                    self.store(block, part, member.ty, span);
                }
            }
            TypeInner::Array { base, size: ArraySize::Constant(size), .. } if self.has_atomics(*base) => {
                // Of arrays in arrays only the innermost, or the stores would be as many as the scalars.
                if size.get() <= UNROLLED && !self.has_array_of_atomics(*base) {
                    for index in 0..size.get() {
                        let part = self.emit(block, Expression::AccessIndex { base: pointer, index }, span);
                        self.store(block, part, *base, span);
                    }
                } else {
                    self.store_elements(block, pointer, *base, size.get(), span);
                }
            }
            _ => {
                let value = self.plain(Expression::ZeroValue(ty), span);
                block.push(Statement::Store { pointer, value }, span);
            }
        }
    }

    /// Appends a loop over the elements of an array.
    fn store_elements(
        &mut self,
        block: &mut Block,
        array: Handle<Expression>,
        element: Handle<Type>,
        size: u32,
        span: Span,
    ) {
        let variable = LocalVariable { name: None, ty: self.counter, init: None };
        let variable = self.function.local_variables.append(variable, span);
        let counter = self.plain(Expression::LocalVariable(variable), span);
        let [zero, one, end] = [0, 1, size].map(|number| self.plain(Expression::Literal(Literal::U32(number)), span));
        block.push(Statement::Store { pointer: counter, value: zero }, span);
        let mut body = Block::new();
        let index = self.emit(&mut body, Expression::Load { pointer: counter }, span);
        let is_over = Expression::Binary { op: BinaryOperator::GreaterEqual, left: index, right: end };
        let is_over = self.emit(&mut body, is_over, span);
        let leave = Block::from_vec(vec![Statement::Break]);
        body.push(Statement::If { condition: is_over, accept: leave, reject: Block::new() }, span);
        let part = self.emit(&mut body, Expression::Access { base: array, index }, span);
        self.store(&mut body, part, element, span);
        let mut continuing = Block::new();
        let index = self.emit(&mut continuing, Expression::Load { pointer: counter }, span);
        let next = Expression::Binary { op: BinaryOperator::Add, left: index, right: one };
        let next = self.emit(&mut continuing, next, span);
        continuing.push(Statement::Store { pointer: counter, value: next }, span);
        block.push(Statement::Loop { body, continuing, break_if: None }, span);
    }
}
