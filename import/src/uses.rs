//! Which expressions an expression or statement refers to, and which a block computes.
//!
//! The matches name every kind, so that a new one of naga's is not forgotten. Features that are
//! refused ([`feature`](crate::feature)) refer to nothing here: their kernel is never built.

use std::collections::HashSet;

use naga::{AtomicFunction, Block, Expression, GatherMode, Handle, ImageQuery, SampleLevel, Statement};

/// A set of expressions of one function.
pub(crate) type ExpressionSet = HashSet<Handle<Expression>>;

/// The expressions of a function whose values its statements use, directly or through other expressions. All others are
/// computed for nothing: `_ = v`, a `let` that nobody reads.
pub(crate) fn needed(function: &naga::Function) -> ExpressionSet {
    fn of_block(block: &Block, out: &mut ExpressionSet) {
        for statement in block {
            statement_operands(statement, &mut |operand| _ = out.insert(operand));
            blocks(statement, &mut |inner| of_block(inner, out));
        }
    }
    let mut out = ExpressionSet::new();
    of_block(&function.body, &mut out);
    // Operands stand before what is made of them.
    for (handle, expression) in function.expressions.iter().rev() {
        if out.contains(&handle) {
            operands(expression, &mut |operand| _ = out.insert(operand));
        }
    }
    out
}

/// Calls `each` with every operand of an expression.
pub(crate) fn operands(expression: &Expression, each: &mut dyn FnMut(Handle<Expression>)) {
    match *expression {
        Expression::Compose { ref components, .. } => components.iter().copied().for_each(each),
        Expression::Access { base, index } => {
            each(base);
            each(index);
        }
        Expression::AccessIndex { base, .. } => each(base),
        Expression::Splat { value, .. } => each(value),
        Expression::Swizzle { vector, .. } => each(vector),
        Expression::Load { pointer } => each(pointer),
        Expression::Unary { expr, .. } | Expression::As { expr, .. } => each(expr),
        Expression::Binary { left, right, .. } => {
            each(left);
            each(right);
        }
        Expression::Select { condition, accept, reject } => {
            [condition, accept, reject].into_iter().for_each(each);
        }
        Expression::Relational { argument, .. } => each(argument),
        Expression::Math { arg, arg1, arg2, arg3, .. } => {
            [Some(arg), arg1, arg2, arg3].into_iter().flatten().for_each(each);
        }
        Expression::ArrayLength(array) => each(array),
        Expression::ImageSample { image, sampler, coordinate, array_index, offset, ref level, depth_ref, .. } => {
            [image, sampler, coordinate].into_iter().for_each(&mut *each);
            [array_index, offset, depth_ref].into_iter().flatten().for_each(&mut *each);
            match *level {
                SampleLevel::Auto | SampleLevel::Zero => {}
                SampleLevel::Exact(level) | SampleLevel::Bias(level) => each(level),
                SampleLevel::Gradient { x, y } => {
                    each(x);
                    each(y);
                }
            }
        }
        Expression::ImageLoad { image, coordinate, array_index, sample, level } => {
            [Some(image), Some(coordinate), array_index, sample, level].into_iter().flatten().for_each(each);
        }
        Expression::ImageQuery { image, query } => {
            each(image);
            match query {
                ImageQuery::Size { level } => level.into_iter().for_each(each),
                ImageQuery::NumLevels | ImageQuery::NumLayers | ImageQuery::NumSamples => {}
            }
        }
        Expression::Derivative { expr, .. } => each(expr),
        Expression::Literal(_)
        | Expression::Constant(_)
        | Expression::Override(_)
        | Expression::ZeroValue(_)
        | Expression::FunctionArgument(_)
        | Expression::GlobalVariable(_)
        | Expression::LocalVariable(_)
        | Expression::CallResult(_)
        | Expression::AtomicResult { .. }
        | Expression::WorkGroupUniformLoadResult { .. }
        | Expression::RayQueryVertexPositions { .. }
        | Expression::RayQueryProceedResult
        | Expression::RayQueryGetIntersection { .. }
        | Expression::SubgroupBallotResult
        | Expression::SubgroupOperationResult { .. }
        | Expression::CooperativeLoad { .. }
        | Expression::CooperativeMultiplyAdd { .. } => {}
    }
}

/// The blocks inside a statement.
pub(crate) fn blocks(statement: &Statement, each: &mut dyn FnMut(&Block)) {
    match statement {
        Statement::Block(block) => each(block),
        Statement::If { accept, reject, .. } => {
            each(accept);
            each(reject);
        }
        Statement::Switch { cases, .. } => cases.iter().for_each(|case| each(&case.body)),
        Statement::Loop { body, continuing, .. } => {
            each(body);
            each(continuing);
        }
        Statement::Emit(_)
        | Statement::Break
        | Statement::Continue
        | Statement::Return { .. }
        | Statement::Kill
        | Statement::ControlBarrier(_)
        | Statement::MemoryBarrier(_)
        | Statement::Store { .. }
        | Statement::ImageStore { .. }
        | Statement::Atomic { .. }
        | Statement::ImageAtomic { .. }
        | Statement::WorkGroupUniformLoad { .. }
        | Statement::Call { .. }
        | Statement::RayQuery { .. }
        | Statement::RayPipelineFunction(_)
        | Statement::SubgroupBallot { .. }
        | Statement::SubgroupGather { .. }
        | Statement::SubgroupCollectiveOperation { .. }
        | Statement::CooperativeStore { .. } => {}
    }
}

/// The operands of a statement itself, without those of the blocks inside.
pub(crate) fn statement_operands(statement: &Statement, each: &mut dyn FnMut(Handle<Expression>)) {
    match *statement {
        Statement::If { condition, .. } => each(condition),
        Statement::ImageStore { image, coordinate, array_index, value }
        | Statement::ImageAtomic { image, coordinate, array_index, value, fun: _ } => {
            [Some(image), Some(coordinate), array_index, Some(value)].into_iter().flatten().for_each(each);
        }
        Statement::Switch { selector, .. } => each(selector),
        Statement::Loop { break_if, .. } => break_if.into_iter().for_each(each),
        Statement::Return { value } => value.into_iter().for_each(each),
        Statement::Store { pointer, value } => {
            each(pointer);
            each(value);
        }
        Statement::Atomic { pointer, ref fun, value, .. } => {
            each(pointer);
            each(value);
            if let AtomicFunction::Exchange { compare: Some(compare) } = *fun {
                each(compare);
            }
        }
        Statement::WorkGroupUniformLoad { pointer, .. } => each(pointer),
        Statement::Call { ref arguments, .. } => arguments.iter().copied().for_each(each),
        Statement::SubgroupBallot { predicate, .. } => predicate.into_iter().for_each(each),
        Statement::SubgroupGather { ref mode, argument, .. } => {
            each(argument);
            gather_operand(mode).into_iter().for_each(each);
        }
        Statement::SubgroupCollectiveOperation { argument, .. } => each(argument),
        Statement::Emit(_)
        | Statement::Block(_)
        | Statement::Break
        | Statement::Continue
        | Statement::Kill
        | Statement::ControlBarrier(_)
        | Statement::MemoryBarrier(_)
        | Statement::RayQuery { .. }
        | Statement::RayPipelineFunction(_)
        | Statement::CooperativeStore { .. } => {}
    }
}

/// The operand of a gather beside the value.
fn gather_operand(mode: &GatherMode) -> Option<Handle<Expression>> {
    match *mode {
        GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => None,
        GatherMode::Broadcast(operand)
        | GatherMode::Shuffle(operand)
        | GatherMode::ShuffleDown(operand)
        | GatherMode::ShuffleUp(operand)
        | GatherMode::ShuffleXor(operand)
        | GatherMode::QuadBroadcast(operand) => Some(operand),
    }
}

/// The expression that a statement defines, beside those it emits.
fn result(statement: &Statement) -> Option<Handle<Expression>> {
    match *statement {
        Statement::Atomic { result, .. } | Statement::Call { result, .. } => result,
        Statement::WorkGroupUniformLoad { result, .. }
        | Statement::SubgroupBallot { result, .. }
        | Statement::SubgroupGather { result, .. }
        | Statement::SubgroupCollectiveOperation { result, .. } => Some(result),
        Statement::Emit(_)
        | Statement::Block(_)
        | Statement::If { .. }
        | Statement::Switch { .. }
        | Statement::Loop { .. }
        | Statement::Break
        | Statement::Continue
        | Statement::Return { .. }
        | Statement::Kill
        | Statement::ControlBarrier(_)
        | Statement::MemoryBarrier(_)
        | Statement::Store { .. }
        | Statement::ImageStore { .. }
        | Statement::ImageAtomic { .. }
        | Statement::RayQuery { .. }
        | Statement::RayPipelineFunction(_)
        | Statement::CooperativeStore { .. } => None,
    }
}

/// The expressions that a statement, with the blocks inside, computes.
pub(crate) fn defined(statement: &Statement, each: &mut dyn FnMut(Handle<Expression>)) {
    if let Statement::Emit(range) = statement {
        range.clone().for_each(&mut *each);
    }
    result(statement).into_iter().for_each(&mut *each);
    blocks(statement, &mut |block| block.iter().for_each(|inner| defined(inner, each)));
}

/// The expressions that statements use: their operands, and the operands of what they emit.
pub(crate) fn used(
    statements: &mut dyn Iterator<Item = &Statement>,
    expressions: &naga::Arena<Expression>,
) -> ExpressionSet {
    let mut out = ExpressionSet::new();
    for statement in statements {
        used_by(statement, expressions, &mut out);
    }
    out
}

fn used_by(statement: &Statement, expressions: &naga::Arena<Expression>, out: &mut ExpressionSet) {
    statement_operands(statement, &mut |operand| _ = out.insert(operand));
    if let Statement::Emit(range) = statement {
        for emitted in range.clone() {
            operands(&expressions[emitted], &mut |operand| _ = out.insert(operand));
        }
    }
    blocks(statement, &mut |block| {
        block.iter().for_each(|inner| used_by(inner, expressions, out));
    });
}

/// Does a statement leave the loop or `switch` that it stands in by `break`?
pub(crate) fn breaks(statement: &Statement) -> bool {
    match statement {
        Statement::Break => true,
        // A `break` in one of these leaves the inner one.
        Statement::Loop { .. } | Statement::Switch { .. } => false,
        Statement::Block(_)
        | Statement::If { .. }
        | Statement::Emit(_)
        | Statement::Continue
        | Statement::Return { .. }
        | Statement::Kill
        | Statement::ControlBarrier(_)
        | Statement::MemoryBarrier(_)
        | Statement::Store { .. }
        | Statement::ImageStore { .. }
        | Statement::Atomic { .. }
        | Statement::ImageAtomic { .. }
        | Statement::WorkGroupUniformLoad { .. }
        | Statement::Call { .. }
        | Statement::RayQuery { .. }
        | Statement::RayPipelineFunction(_)
        | Statement::SubgroupBallot { .. }
        | Statement::SubgroupGather { .. }
        | Statement::SubgroupCollectiveOperation { .. }
        | Statement::CooperativeStore { .. } => {
            let mut found = false;
            blocks(statement, &mut |block| found |= block.iter().any(breaks));
            found
        }
    }
}

/// The number of `return` statements.
pub(crate) fn returns(block: &Block) -> usize {
    let mut count = 0;
    for statement in block {
        if let Statement::Return { .. } = statement {
            count += 1;
        }
        blocks(statement, &mut |inner| count += returns(inner));
    }
    count
}
