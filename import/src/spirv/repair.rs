//! What naga reads from SPIR-V as something else than SPIR-V means, put right before it is validated.

use naga::{Arena, BinaryOperator, Expression, MathFunction, Module, PredeclaredType, Scalar, VectorSize};

use crate::spirv::constants::narrow_constants;
use crate::spirv::zero_stores::divide_zero_stores;

/// Puts a module right that naga has read from SPIR-V.
///
/// `OpLogicalAnd` and `OpLogicalOr` of vectors arrive as operators that naga has for scalars only. Both
/// operands are computed already, so the operators that work component by component do the same.
/// The types of the results of `ModfStruct` and `FrexpStruct` are missing. And zeros for memory with
/// atomics have the type that it had without: [`divide_zero_stores`].
pub(crate) fn put_right(module: &mut Module) {
    component_by_component(&mut module.global_expressions);
    for (_, function) in module.functions.iter_mut() {
        component_by_component(&mut function.expressions);
    }
    for entry in &mut module.entry_points {
        component_by_component(&mut entry.function.expressions);
    }
    narrow_constants(module);
    declare_results(module);
    divide_zero_stores(module);
}

/// Declares the types of the results of `modf` and `frexp`, if the module has these.
fn declare_results(module: &mut Module) {
    let functions = module.functions.iter().map(|(_, function)| function);
    let functions = functions.chain(module.entry_points.iter().map(|entry| &entry.function));
    let (mut has_modf, mut has_frexp) = (false, false);
    for function in functions {
        for (_, expression) in function.expressions.iter() {
            has_modf |= matches!(expression, Expression::Math { fun: MathFunction::Modf, .. });
            has_frexp |= matches!(expression, Expression::Math { fun: MathFunction::Frexp, .. });
        }
    }
    let scalar = Scalar::F32;
    for size in [None, Some(VectorSize::Bi), Some(VectorSize::Tri), Some(VectorSize::Quad)] {
        if has_modf {
            module.generate_predeclared_type(PredeclaredType::ModfResult { size, scalar });
        }
        if has_frexp {
            module.generate_predeclared_type(PredeclaredType::FrexpResult { size, scalar });
        }
    }
}

fn component_by_component(expressions: &mut Arena<Expression>) {
    for (_, expression) in expressions.iter_mut() {
        if let Expression::Binary { op, .. } = expression {
            match op {
                BinaryOperator::LogicalAnd => *op = BinaryOperator::And,
                BinaryOperator::LogicalOr => *op = BinaryOperator::InclusiveOr,
                _ => {}
            }
        }
    }
}
