//! Names parts of long expressions, for the way through text: naga's reader of WGSL, which drivers'
//! shaders pass too, follows an expression to a limited depth, and its writer writes whatever is used
//! once in one piece.

use naga::proc::TypeResolution;
use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{Block, Expression, Function, Handle, Module, Statement, TypeInner};

/// The depth at which a part gets a name. A reader goes through several steps for each level.
const DEPTH: u32 = 24;

/// Gives names to parts of expressions so that none is deeper than a reader goes. `info` stays valid:
/// names mean nothing.
pub(crate) fn shorten(module: &mut Module, info: &ModuleInfo) {
    let types = &module.types;
    let is_value = |info: &FunctionInfo, of: Handle<Expression>| {
        let inner = match &info[of].ty {
            TypeResolution::Handle(handle) => &types[*handle].inner,
            TypeResolution::Value(inner) => inner,
        };
        matches!(inner, TypeInner::Scalar(_) | TypeInner::Vector { .. })
    };
    for (handle, function) in module.functions.iter_mut() {
        shorten_function(function, &|of| is_value(&info[handle], of));
    }
    for (number, entry) in module.entry_points.iter_mut().enumerate() {
        let info = info.get_entry_point(number);
        shorten_function(&mut entry.function, &|of| is_value(info, of));
    }
}

fn shorten_function(function: &mut Function, is_value: &dyn Fn(Handle<Expression>) -> bool) {
    let mut is_emitted = vec![false; function.expressions.len()];
    emitted(&function.body, &mut is_emitted);
    let mut depths = vec![0; function.expressions.len()];
    // Operands come before what uses them.
    for (handle, expression) in function.expressions.iter() {
        let mut deepest = 0;
        operands(expression, &mut |operand| deepest = deepest.max(depths[operand.index()]));
        let depth = deepest + 1;
        let is_named = depth >= DEPTH && is_emitted[handle.index()] && is_value(handle);
        depths[handle.index()] = if is_named { 0 } else { depth };
        if is_named && !function.named_expressions.contains_key(&handle) {
            function.named_expressions.insert(handle, format!("part_{}", handle.index()));
        }
    }
}

/// Marks the expressions that a statement computes: only these can have names.
fn emitted(block: &Block, marks: &mut [bool]) {
    for statement in block {
        match statement {
            Statement::Emit(range) => range.clone().for_each(|handle| marks[handle.index()] = true),
            Statement::Block(inner) => emitted(inner, marks),
            Statement::If { accept, reject, .. } => {
                emitted(accept, marks);
                emitted(reject, marks);
            }
            Statement::Switch { cases, .. } => cases.iter().for_each(|case| emitted(&case.body, marks)),
            Statement::Loop { body, continuing, .. } => {
                emitted(body, marks);
                emitted(continuing, marks);
            }
            _ => {}
        }
    }
}

/// The operands of an expression, of the kinds that lowered kernels have.
fn operands(expression: &Expression, found: &mut dyn FnMut(Handle<Expression>)) {
    match *expression {
        Expression::Compose { ref components, .. } => components.iter().for_each(|&part| found(part)),
        Expression::Access { base, index } => {
            found(base);
            found(index);
        }
        Expression::Splat { value, .. } => found(value),
        Expression::AccessIndex { base, .. } => found(base),
        Expression::Swizzle { vector, .. } => found(vector),
        Expression::Load { pointer } => found(pointer),
        Expression::Unary { expr, .. } | Expression::As { expr, .. } => found(expr),
        Expression::Binary { left, right, .. } => {
            found(left);
            found(right);
        }
        Expression::Select { condition, accept, reject } => [condition, accept, reject].into_iter().for_each(found),
        Expression::Relational { argument, .. } => found(argument),
        Expression::Math { arg, arg1, arg2, arg3, .. } => {
            [Some(arg), arg1, arg2, arg3].into_iter().flatten().for_each(found);
        }
        Expression::ArrayLength(array) => found(array),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::*;

    #[test]
    fn a_long_sum_is_read_again() {
        let steps: String = (0..2000).map(|i| format!("let a{} = a{i} + x;\n", i + 1)).collect();
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
            @compute @workgroup_size(1) fn main(@builtin(local_invocation_index) x: u32) {{
                let a0 = x;
                {steps}
                v[0] = a2000;
            }}"
        );
        let mut module = naga::front::wgsl::parse_str(&text).expect("it is WGSL");
        // As the lowering makes it: values without names.
        module.entry_points[0].function.named_expressions.clear();
        let info =
            Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module).expect("it is valid");
        let write = |module: &Module| {
            naga::back::wgsl::write_string(module, &info, naga::back::wgsl::WriterFlags::empty())
                .expect("it is written")
        };
        assert!(naga::front::wgsl::parse_str(&write(&module)).is_err(), "naga reads any depth: this is not needed");
        shorten(&mut module, &info);
        naga::front::wgsl::parse_str(&write(&module)).expect("it is read again");
    }
}
