//! Numbers of WGSL that have no type yet in functions: naga gives them one where it evaluates an expression, and does not
//! evaluate all functions, such as `smoothstep(0.0, 2.0, 1.0)`. What is left is `f32` and `i32`, as WGSL says.

use naga::compact::{KeepUnused, compact};
use naga::{Arena, Expression, Handle, Literal, Module, Scalar, Type, TypeInner, UniqueArena};

/// Gives the numbers in functions that have no type the one that WGSL prefers. Those that it does not hold stay, and are
/// refused.
pub(crate) fn concretize(module: &mut Module) {
    let Module { types, functions, entry_points, .. } = module;
    let functions = functions.iter_mut().map(|(_, function)| function);
    let mut is_changed = false;
    for function in functions.chain(entry_points.iter_mut().map(|entry| &mut entry.function)) {
        is_changed |= concretize_expressions(&mut function.expressions, types);
    }
    if is_changed {
        // Types without a type of numbers are left over, which are refused too.
        compact(module, KeepUnused::Yes);
    }
}

/// Returns whether there are any.
fn concretize_expressions(expressions: &mut Arena<Expression>, types: &mut UniqueArena<Type>) -> bool {
    let mut is_changed = false;
    for (_, expression) in expressions.iter_mut() {
        match expression {
            Expression::Literal(literal) => {
                if let Some(concrete) = concrete_literal(*literal) {
                    *literal = concrete;
                    is_changed = true;
                }
            }
            Expression::Compose { ty, .. } | Expression::ZeroValue(ty) => {
                let concrete = concrete_type(*ty, types);
                is_changed |= concrete != *ty;
                *ty = concrete;
            }
            _ => {}
        }
    }
    is_changed
}

fn concrete_literal(literal: Literal) -> Option<Literal> {
    match literal {
        Literal::AbstractFloat(number) => Some(number as f32).filter(|number| number.is_finite()).map(Literal::F32),
        Literal::AbstractInt(number) => i32::try_from(number).ok().map(Literal::I32),
        _ => None,
    }
}

fn concrete_scalar(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::ABSTRACT_FLOAT => Scalar::F32,
        Scalar::ABSTRACT_INT => Scalar::I32,
        other => other,
    }
}

/// A type with concrete scalars in place of abstract ones.
fn concrete_type(ty: Handle<Type>, types: &mut UniqueArena<Type>) -> Handle<Type> {
    let inner = match types[ty].inner {
        TypeInner::Scalar(scalar) => TypeInner::Scalar(concrete_scalar(scalar)),
        TypeInner::Vector { size, scalar } => TypeInner::Vector { size, scalar: concrete_scalar(scalar) },
        TypeInner::Matrix { columns, rows, scalar } => {
            TypeInner::Matrix { columns, rows, scalar: concrete_scalar(scalar) }
        }
        _ => return ty,
    };
    if inner == types[ty].inner {
        return ty;
    }
    let span = types.get_span(ty);
    types.insert(Type { name: None, inner }, span)
}
