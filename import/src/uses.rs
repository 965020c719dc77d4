//! Which expressions a function needs, and which a block computes.

use std::collections::HashSet;

use naga::{Block, Expression, Handle, Statement};

use crate::visit::{blocks, operands, results, statement_operands};

/// A set of expressions of one function.
pub(crate) type ExpressionSet = HashSet<Handle<Expression>>;

/// The expressions of a function whose values its statements use, directly or through other expressions. All others are
/// computed for nothing: `_ = v`, a `let` that nobody reads.
pub(crate) fn needed(function: &naga::Function) -> ExpressionSet {
    fn of_block(block: &Block, out: &mut ExpressionSet) {
        for statement in block {
            statement_operands(statement, &mut |&operand| _ = out.insert(operand));
            blocks(statement, &mut |inner| of_block(inner, out));
        }
    }
    let mut out = ExpressionSet::new();
    of_block(&function.body, &mut out);
    // Operands stand before what is made of them.
    for (handle, expression) in function.expressions.iter().rev() {
        if out.contains(&handle) {
            operands(expression, &mut |&operand| _ = out.insert(operand));
        }
    }
    out
}

/// The expressions that a statement, with the blocks inside, computes.
pub(crate) fn defined(statement: &Statement, each: &mut dyn FnMut(Handle<Expression>)) {
    if let Statement::Emit(range) = statement {
        range.clone().for_each(&mut *each);
    }
    results(statement, &mut |&result| each(result));
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
    statement_operands(statement, &mut |&operand| _ = out.insert(operand));
    if let Statement::Emit(range) = statement {
        for emitted in range.clone() {
            operands(&expressions[emitted], &mut |&operand| _ = out.insert(operand));
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
