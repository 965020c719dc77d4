//! Functions with a result that end in a loop which is left by `return` alone, as loops of attempts to exchange are.
//! naga's reader of WGSL adds a `return` without a value behind the loop, which its validation refuses.

use naga::{Block, Module, Statement};

use crate::uses::breaks;
use crate::visit::blocks_mut;

/// Removes the returns without a value that naga has added behind loops which are never left at their end.
pub(crate) fn remove_added_returns(module: &mut Module) {
    let functions = module.functions.iter_mut().map(|(_, function)| function);
    for function in functions.filter(|function| function.result.is_some()) {
        remove_at_end(&mut function.body);
    }
}

/// The same at the end of a block with which the function ends.
fn remove_at_end(block: &mut Block) {
    if let [.., before, Statement::Return { value: None }] = &**block
        && never_ends(before)
        && block.span_iter().last().is_some_and(|(_, span)| !span.is_defined())
    {
        block.cull(block.len() - 1..);
    }
    if let Some(last @ (Statement::Block(_) | Statement::If { .. } | Statement::Switch { .. })) = block.last_mut() {
        blocks_mut(last, &mut remove_at_end);
    }
}

/// Is it a loop that no `break` leaves?
fn never_ends(statement: &Statement) -> bool {
    match statement {
        Statement::Loop { body, break_if: None, .. } => !body.iter().any(breaks),
        _ => false,
    }
}
