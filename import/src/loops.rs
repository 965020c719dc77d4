//! Loops.
//!
//! Two things differ from the loops of kernels. naga's continuing part, and its `break if`, may use
//! values that the body has computed; the values of a kernel's body end with it, so these pass
//! through variables, and pointers are made once more. And `while` and `for` arrive as a `loop` whose
//! body begins with `if condition {} else { break; }`, perhaps behind the `if`s of `&&` and `||`; such a
//! loop gets its condition back, which targets compile better.

use naga::{Block, Expression, Handle, Statement};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Const, Init, InstKind, Place, Root};

use crate::ShaderImporter;
use crate::call::{FunctionFrame, JumpTarget};
use crate::types::is_pointer;
use crate::uses::{ExpressionSet, defined, used};
use crate::visit::operands;

impl<'m> ShaderImporter<'m> {
    /// Walks a loop; returns whether what follows it can be reached.
    pub(crate) fn loop_statement(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        body: &'m Block,
        continuing: &'m Block,
        break_if: Option<Handle<Expression>>,
    ) -> bool {
        let pos = self.pos;
        let label = self.builder.label(None);
        let carried = self.carry(frame, body, continuing, break_if);
        frame.targets.push(JumpTarget::Loop(label));
        let head = condition_length(frame, body, continuing, break_if);
        let mut condition = None;
        // A loop with a constant condition does not end by it.
        let mut ends_itself = false;
        if let Some((count, of)) = head {
            self.builder.begin_block();
            for statement in body.iter().take(count) {
                self.statement(frame, statement, false);
            }
            let value = self.data_of(frame, of);
            ends_itself = self.constant_of(value) != Some(Const::bool(true));
            condition = Some(Box::new(self.builder.end_block(Some(value))));
        }
        self.builder.begin_block();
        let rest = head.map_or(0, |(count, _)| count + 1);
        for (statement, span) in body.span_iter().skip(rest) {
            let here = self.source.pos(*span);
            if here.is_known() {
                self.pos = here;
            }
            if !self.statement(frame, statement, false) {
                break;
            }
        }
        let main = self.builder.end_block(None);
        self.builder.begin_block();
        self.uncarry(frame, body, &carried);
        frame.targets.pop();
        self.block(frame, continuing, false);
        let ends = break_if.map(|of| self.data_of(frame, of));
        ends_itself |= ends.is_some_and(|ends| self.constant_of(ends) != Some(Const::bool(false)));
        let continuing = self.builder.end_block(ends);
        self.builder.emit(InstKind::Loop { label, condition, body: main, continuing }, pos);
        ends_itself || frame.left.contains(&label)
    }

    /// Declares a variable for each value of the body that the continuing part needs.
    fn carry(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        body: &Block,
        continuing: &Block,
        break_if: Option<Handle<Expression>>,
    ) -> Vec<Handle<Expression>> {
        let wanted = wanted_later(self, frame, continuing, break_if);
        let mut carried = Vec::new();
        // Values inside of the body's own blocks are not visible in the continuing part.
        let mut inside = Vec::new();
        for statement in body {
            match statement {
                Statement::Block(_) | Statement::If { .. } | Statement::Switch { .. } | Statement::Loop { .. } => {}
                leaf => defined(leaf, &mut |expression| inside.push(expression)),
            }
        }
        for expression in inside {
            if !wanted.contains(&expression) || is_pointer(self.type_of(frame, expression)) {
                continue;
            }
            let ty = self.expression_type(frame, expression);
            if let Root::Local(local) = self.temporary("carried", ty, Init::Zero).root {
                frame.carried.insert(expression, (local, ty));
                carried.push(expression);
            }
        }
        carried
    }

    /// At the start of the continuing part: reads the variables, and forgets pointers.
    fn uncarry(&mut self, frame: &mut FunctionFrame<'m>, body: &Block, carried: &[Handle<Expression>]) {
        for statement in body {
            defined(statement, &mut |expression| {
                if is_pointer(self.type_of(frame, expression)) {
                    frame.values.remove(&expression);
                }
            });
        }
        for expression in carried {
            if let Some((local, ty)) = frame.carried.remove(expression) {
                let value = self.load(&Place { root: Root::Local(local), path: Vec::new() }, ty);
                if !fault::planted(Fault::CarriedStale) {
                    frame.values.insert(*expression, value);
                }
            }
        }
    }
}

/// What the continuing part uses, with what its pointers are made of.
fn wanted_later<'m>(
    importer: &ShaderImporter<'m>,
    frame: &FunctionFrame<'m>,
    continuing: &Block,
    break_if: Option<Handle<Expression>>,
) -> ExpressionSet {
    let expressions = &frame.function.expressions;
    let mut wanted = used(&mut continuing.iter(), expressions);
    wanted.extend(break_if);
    let mut rest: Vec<Handle<Expression>> = wanted.iter().copied().collect();
    while let Some(next) = rest.pop() {
        if is_pointer(importer.type_of(frame, next)) {
            operands(&expressions[next], &mut |&operand| {
                if wanted.insert(operand) {
                    rest.push(operand);
                }
            });
        }
    }
    wanted
}

/// If a body begins with `if condition {} else { break; }`: the number of statements before that,
/// and the condition. Not if anything behind uses a value of theirs.
fn condition_length(
    frame: &FunctionFrame<'_>,
    body: &Block,
    continuing: &Block,
    break_if: Option<Handle<Expression>>,
) -> Option<(usize, Handle<Expression>)> {
    let is_of_condition = |statement: &Statement| {
        matches!(statement, Statement::Emit(_)) || frame.operators.is_operator(statement, frame.function)
    };
    let count = body.iter().position(|statement| !is_of_condition(statement))?;
    let Statement::If { condition, ref accept, ref reject } = body[count] else { return None };
    if !accept.is_empty() || !matches!(reject[..], [Statement::Break]) {
        return None;
    }
    let mut head = ExpressionSet::new();
    for statement in body.iter().take(count) {
        defined(statement, &mut |expression| _ = head.insert(expression));
    }
    let mut behind = body.iter().skip(count + 1).chain(continuing.iter());
    let mut later = used(&mut behind, &frame.function.expressions);
    later.extend(break_if);
    (head.is_disjoint(&later) || fault::planted(Fault::ConditionUsedBehind)).then_some((count, condition))
}
