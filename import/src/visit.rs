//! The expressions that an expression or a statement of naga's refers to, and the blocks inside a statement: to read,
//! and to change.
//!
//! The matches name every kind, so that a new one of naga's is not forgotten.

use naga::{AtomicFunction, Block, Expression, GatherMode, Handle, ImageQuery, RayPipelineFunction, RayQueryFunction};
use naga::{SampleLevel, Statement};

/// The functions that visit, of shared references or of mutable ones.
macro_rules! visitors {
    ($operands:ident, $statement_operands:ident, $results:ident, $blocks:ident $(, $mutable:tt)?) => {
        /// Calls `each` with every operand of an expression.
        pub(crate) fn $operands(
            expression: &$($mutable)? Expression,
            each: &mut dyn FnMut(&$($mutable)? Handle<Expression>),
        ) {
            match expression {
                Expression::Compose { components, .. } => {
                    for component in components {
                        each(component);
                    }
                }
                Expression::Access { base, index } => {
                    each(base);
                    each(index);
                }
                Expression::AccessIndex { base: operand, .. }
                | Expression::Splat { value: operand, .. }
                | Expression::Swizzle { vector: operand, .. }
                | Expression::Load { pointer: operand }
                | Expression::Unary { expr: operand, .. }
                | Expression::As { expr: operand, .. }
                | Expression::Relational { argument: operand, .. }
                | Expression::ArrayLength(operand)
                | Expression::Derivative { expr: operand, .. }
                | Expression::RayQueryVertexPositions { query: operand, .. }
                | Expression::RayQueryGetIntersection { query: operand, .. } => each(operand),
                Expression::Binary { left, right, .. } => {
                    each(left);
                    each(right);
                }
                Expression::Select { condition, accept, reject } => {
                    each(condition);
                    each(accept);
                    each(reject);
                }
                Expression::Math { arg, arg1, arg2, arg3, .. } => {
                    each(arg);
                    for more in [arg1, arg2, arg3].into_iter().flatten() {
                        each(more);
                    }
                }
                Expression::ImageSample {
                    image,
                    sampler,
                    coordinate,
                    array_index,
                    offset,
                    level,
                    depth_ref,
                    gather: _,
                    clamp_to_edge: _,
                } => {
                    each(image);
                    each(sampler);
                    each(coordinate);
                    for more in [array_index, offset, depth_ref].into_iter().flatten() {
                        each(more);
                    }
                    match level {
                        SampleLevel::Auto | SampleLevel::Zero => {}
                        SampleLevel::Exact(level) | SampleLevel::Bias(level) => each(level),
                        SampleLevel::Gradient { x, y } => {
                            each(x);
                            each(y);
                        }
                    }
                }
                Expression::ImageLoad { image, coordinate, array_index, sample, level } => {
                    each(image);
                    each(coordinate);
                    for more in [array_index, sample, level].into_iter().flatten() {
                        each(more);
                    }
                }
                Expression::ImageQuery { image, query } => {
                    each(image);
                    match query {
                        ImageQuery::Size { level: Some(level) } => each(level),
                        ImageQuery::Size { level: None }
                        | ImageQuery::NumLevels
                        | ImageQuery::NumLayers
                        | ImageQuery::NumSamples => {}
                    }
                }
                Expression::CooperativeLoad { data, .. } => {
                    each(&$($mutable)? data.pointer);
                    each(&$($mutable)? data.stride);
                }
                Expression::CooperativeMultiplyAdd { a, b, c } => {
                    each(a);
                    each(b);
                    each(c);
                }
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
                | Expression::RayQueryProceedResult
                | Expression::SubgroupBallotResult
                | Expression::SubgroupOperationResult { .. } => {}
            }
        }

        /// Calls `each` with every operand of a statement itself, without those of the blocks inside.
        pub(crate) fn $statement_operands(
            statement: &$($mutable)? Statement,
            each: &mut dyn FnMut(&$($mutable)? Handle<Expression>),
        ) {
            match statement {
                Statement::If { condition: operand, .. }
                | Statement::Switch { selector: operand, .. }
                | Statement::Loop { break_if: Some(operand), .. }
                | Statement::Return { value: Some(operand) }
                | Statement::WorkGroupUniformLoad { pointer: operand, .. }
                | Statement::SubgroupBallot { predicate: Some(operand), .. }
                | Statement::SubgroupCollectiveOperation { argument: operand, .. } => each(operand),
                Statement::ImageStore { image, coordinate, array_index, value } => {
                    each(image);
                    each(coordinate);
                    if let Some(array_index) = array_index {
                        each(array_index);
                    }
                    each(value);
                }
                Statement::ImageAtomic { image, coordinate, array_index, fun, value } => {
                    each(image);
                    each(coordinate);
                    if let Some(array_index) = array_index {
                        each(array_index);
                    }
                    each(value);
                    if let AtomicFunction::Exchange { compare: Some(compare) } = fun {
                        each(compare);
                    }
                }
                Statement::Store { pointer, value } => {
                    each(pointer);
                    each(value);
                }
                Statement::Atomic { pointer, fun, value, result: _ } => {
                    each(pointer);
                    each(value);
                    if let AtomicFunction::Exchange { compare: Some(compare) } = fun {
                        each(compare);
                    }
                }
                Statement::Call { arguments, .. } => {
                    for argument in arguments {
                        each(argument);
                    }
                }
                Statement::SubgroupGather { mode, argument, result: _ } => {
                    each(argument);
                    match mode {
                        GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => {}
                        GatherMode::Broadcast(operand)
                        | GatherMode::Shuffle(operand)
                        | GatherMode::ShuffleDown(operand)
                        | GatherMode::ShuffleUp(operand)
                        | GatherMode::ShuffleXor(operand)
                        | GatherMode::QuadBroadcast(operand) => each(operand),
                    }
                }
                Statement::RayQuery { query, fun } => {
                    each(query);
                    match fun {
                        RayQueryFunction::Initialize { acceleration_structure, descriptor } => {
                            each(acceleration_structure);
                            each(descriptor);
                        }
                        RayQueryFunction::GenerateIntersection { hit_t } => each(hit_t),
                        RayQueryFunction::Proceed { result: _ }
                        | RayQueryFunction::ConfirmIntersection
                        | RayQueryFunction::Terminate => {}
                    }
                }
                Statement::RayPipelineFunction(RayPipelineFunction::TraceRay {
                    acceleration_structure,
                    descriptor,
                    payload,
                }) => {
                    each(acceleration_structure);
                    each(descriptor);
                    each(payload);
                }
                Statement::CooperativeStore { target, data } => {
                    each(target);
                    each(&$($mutable)? data.pointer);
                    each(&$($mutable)? data.stride);
                }
                Statement::Emit(_)
                | Statement::Block(_)
                | Statement::Loop { break_if: None, .. }
                | Statement::Return { value: None }
                | Statement::SubgroupBallot { predicate: None, .. }
                | Statement::Break
                | Statement::Continue
                | Statement::Kill
                | Statement::ControlBarrier(_)
                | Statement::MemoryBarrier(_) => {}
            }
        }

        /// Calls `each` with the expression that a statement defines, beside those it emits.
        pub(crate) fn $results(
            statement: &$($mutable)? Statement,
            each: &mut dyn FnMut(&$($mutable)? Handle<Expression>),
        ) {
            match statement {
                Statement::Atomic { result: Some(result), .. }
                | Statement::Call { result: Some(result), .. }
                | Statement::WorkGroupUniformLoad { result, .. }
                | Statement::SubgroupBallot { result, .. }
                | Statement::SubgroupGather { result, .. }
                | Statement::SubgroupCollectiveOperation { result, .. }
                | Statement::RayQuery { fun: RayQueryFunction::Proceed { result }, .. } => each(result),
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
                | Statement::Atomic { result: None, .. }
                | Statement::Call { result: None, .. }
                | Statement::ImageAtomic { .. }
                | Statement::RayQuery { .. }
                | Statement::RayPipelineFunction(_)
                | Statement::CooperativeStore { .. } => {}
            }
        }

        /// Calls `each` with the blocks inside a statement.
        pub(crate) fn $blocks(statement: &$($mutable)? Statement, each: &mut dyn FnMut(&$($mutable)? Block)) {
            match statement {
                Statement::Block(block) => each(block),
                Statement::If { accept, reject, .. } => {
                    each(accept);
                    each(reject);
                }
                Statement::Switch { cases, .. } => {
                    for case in cases {
                        each(&$($mutable)? case.body);
                    }
                }
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
    };
}

visitors!(operands, statement_operands, results, blocks);
visitors!(operands_mut, statement_operands_mut, results_mut, blocks_mut, mut);
