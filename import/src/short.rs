//! `&&` and `||` of WGSL. naga writes them as an `if` that stores the right side, or what the left side has decided, to
//! a variable of their own, which is read behind it. Where that is all that happens to the variable, the `if` has a value
//! instead: it can stand in the condition of a loop, as that of a kernel in Rust does.

use std::collections::HashMap;

use naga::{Block, Expression, Function, Handle, Literal, LocalVariable, Statement, UnaryOperator};
use tilewise_ir::kernel::{Const, InstKind};

use crate::ShaderImporter;
use crate::call::FunctionFrame;
use crate::value::ShaderValue;
use crate::visit::{blocks, operands, statement_operands};

/// The operators of a function.
#[derive(Default)]
pub(crate) struct ShortCircuits {
    /// The load of each variable of an operator.
    loads: HashMap<Handle<LocalVariable>, Handle<Expression>>,
}

/// An operator's `if`.
struct ShortCircuit<'m> {
    variable: Handle<LocalVariable>,
    /// What comes before the value of the right side.
    before: &'m [Statement],
    right: Handle<Expression>,
    /// The value if the right side does not matter.
    decided: bool,
}

impl ShortCircuits {
    /// Finds the operators of a function.
    pub(crate) fn of(function: &Function) -> ShortCircuits {
        let mut candidates = HashMap::new();
        candidates_in(&function.body, function, &mut candidates);
        if candidates.is_empty() {
            return ShortCircuits::default();
        }
        // Two stores and a load are all that happens to the variable.
        let variable = |of: Handle<Expression>| match function.expressions[of] {
            Expression::LocalVariable(variable) => Some(variable),
            _ => None,
        };
        let mut uses: HashMap<Handle<LocalVariable>, u32> = HashMap::new();
        let mut note = |operand: &Handle<Expression>| {
            if let Some(variable) = variable(*operand) {
                *uses.entry(variable).or_default() += 1;
            }
        };
        for (_, expression) in function.expressions.iter() {
            operands(expression, &mut note);
        }
        statements_in(&function.body, &mut |statement| statement_operands(statement, &mut note));
        candidates.retain(|variable, _| uses.get(variable) == Some(&3));
        ShortCircuits { loads: candidates }
    }

    /// Is the variable that of an operator, and so needs no memory?
    pub(crate) fn is_of_operator(&self, variable: Handle<LocalVariable>) -> bool {
        self.loads.contains_key(&variable)
    }

    /// Is it the `if` of an operator without effects?
    pub(crate) fn is_operator(&self, statement: &Statement, function: &Function) -> bool {
        matched(statement, function).is_some_and(|found| self.is_of_operator(found.variable))
    }
}

/// Calls `each` with every statement of a block, also inside of others.
fn statements_in(block: &Block, each: &mut dyn FnMut(&Statement)) {
    for statement in block {
        each(statement);
        blocks(statement, &mut |inner| statements_in(inner, each));
    }
}

/// Finds `if`s like that of an operator with the load behind them.
fn candidates_in(block: &Block, function: &Function, out: &mut HashMap<Handle<LocalVariable>, Handle<Expression>>) {
    for (i, statement) in block.iter().enumerate() {
        if let Some(found) = matched(statement, function)
            && let Some(Statement::Emit(range)) = block.get(i + 1)
        {
            let load = range.clone().find(|&one| match function.expressions[one] {
                Expression::Load { pointer } => {
                    matches!(function.expressions[pointer], Expression::LocalVariable(variable) if variable == found.variable)
                }
                _ => false,
            });
            if let Some(load) = load {
                out.insert(found.variable, load);
            }
        }
        blocks(statement, &mut |inner| candidates_in(inner, function, out));
    }
}

/// A statement that has the form of an operator.
fn matched<'m>(statement: &'m Statement, function: &Function) -> Option<ShortCircuit<'m>> {
    let Statement::If { accept, reject, .. } = statement else { return None };
    let [before @ .., Statement::Store { pointer, value: right }] = &accept[..] else { return None };
    let [Statement::Store { pointer: other, value: decided }] = &reject[..] else { return None };
    let expressions = &function.expressions;
    let (Expression::LocalVariable(variable), Expression::LocalVariable(same)) =
        (&expressions[*pointer], &expressions[*other])
    else {
        return None;
    };
    let Expression::Literal(Literal::Bool(decided)) = expressions[*decided] else { return None };
    let local = &function.local_variables[*variable];
    let is_pure = |statement: &Statement| match statement {
        Statement::Emit(_) => true,
        other => matched(other, function).is_some(),
    };
    let is_own = variable == same && local.name.is_none() && local.init.is_none();
    (is_own && before.iter().all(is_pure)).then_some(ShortCircuit {
        variable: *variable,
        before,
        right: *right,
        decided,
    })
}

impl<'m> ShaderImporter<'m> {
    /// Walks an `if` that is an operator: its value is known where its variable is loaded. Returns whether it is one.
    pub(crate) fn short_circuit(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        statement: &'m Statement,
        condition: Handle<Expression>,
    ) -> bool {
        let function = frame.function;
        let Some(found) = matched(statement, function) else { return false };
        let Some(&load) = frame.operators.loads.get(&found.variable) else { return false };
        let pos = self.pos;
        // `||` asks whether the left side does not hold.
        let (condition, is_negated) = match function.expressions[condition] {
            Expression::Unary { op: UnaryOperator::LogicalNot, expr } if found.decided => (expr, true),
            _ => (condition, false),
        };
        let condition = self.data_of(frame, condition);
        self.builder.begin_block();
        for inner in found.before {
            self.statement(frame, inner, false);
        }
        let right = self.data_of(frame, found.right);
        let right = self.builder.end_block(Some(right));
        self.builder.begin_block();
        let decided = self.builder.constant(Const::bool(found.decided));
        let decided = self.builder.end_block(Some(decided));
        let (then, otherwise) = if is_negated { (decided, right) } else { (right, decided) };
        if let Some(value) = self.builder.emit(InstKind::If { condition, then, otherwise }, pos) {
            frame.decided.insert(load, ShaderValue::Data(value));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::{ImportOptions, ShaderModule};

    fn printed(body: &str) -> String {
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
            @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {{ {body} }}"
        );
        let module = ShaderModule::from_wgsl("a.wgsl", &text).unwrap();
        tilewise_ir::text::print(&module.import(&ImportOptions::default()).unwrap().kernel)
    }

    #[test]
    fn operators_are_values_in_conditions_of_loops() {
        let text = printed("var i = 0u; while (i < 9u && v[i] != 7u || i == 3u) { i++; } v[0] = i;");
        assert!(text.contains("while ") && !text.contains("loop ") && !text.contains("local"), "{text}");
    }

    #[test]
    fn an_if_that_is_written_out_stays_one() {
        let text = printed("var b: bool; if v[0] > 3u { b = v[1] > 4u; } else { b = false; } if b { v[2] = 1u; }");
        assert!(text.contains("var b: bool"), "{text}");
    }
}
