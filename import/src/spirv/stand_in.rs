//! A module that naga takes for valid in place of one that it does not: with numbers for infinities and NaN, and integers
//! of 16 bits for those of 8, and of SPIR-V other operations of subgroups. What naga finds out of the one, the types of its expressions, is true of the other.

use naga::{Arena, Expression, Literal, Module, Scalar, ScalarKind, Type, TypeInner};

use crate::spirv::loosen::loosen;

/// The module to validate; nothing if that is the module itself.
pub(crate) fn stand_in(module: &Module, is_spirv: bool) -> Option<Module> {
    if !is_spirv {
        return None;
    }
    let has_bytes = module.types.iter().any(|(_, ty)| widened(&ty.inner).is_some());
    let functions = module.functions.iter().map(|(_, function)| function);
    let functions = functions.chain(module.entry_points.iter().map(|entry| &entry.function));
    let mut expressions = functions.map(|function| &function.expressions).chain([&module.global_expressions]);
    let is_infinite = expressions.any(|all| all.iter().any(|(_, expression)| is_infinite(expression)));
    let mut module = module.clone();
    if !loosen(&mut module) && !has_bytes && !is_infinite {
        return None;
    }
    make_finite(&mut module.global_expressions);
    for (_, function) in module.functions.iter_mut() {
        make_finite(&mut function.expressions);
    }
    for entry in &mut module.entry_points {
        make_finite(&mut entry.function.expressions);
    }
    if has_bytes {
        widen_bytes(&mut module);
    }
    Some(module)
}

fn is_infinite(expression: &Expression) -> bool {
    match *expression {
        Expression::Literal(Literal::F64(number)) => !number.is_finite(),
        Expression::Literal(Literal::F32(number)) => !number.is_finite(),
        _ => false,
    }
}

fn make_finite(expressions: &mut Arena<Expression>) {
    for (_, expression) in expressions.iter_mut() {
        if is_infinite(expression)
            && let Expression::Literal(literal) = expression
        {
            *literal = match literal {
                Literal::F64(_) => Literal::F64(1.0),
                _ => Literal::F32(1.0),
            };
        }
    }
}

/// Integers of 8 bits and vectors of them, with 16.
fn widened(inner: &TypeInner) -> Option<TypeInner> {
    let wide = |scalar: Scalar| {
        let is_integer = matches!(scalar.kind, ScalarKind::Sint | ScalarKind::Uint);
        (is_integer && scalar.width == 1).then_some(Scalar { width: 2, ..scalar })
    };
    Some(match *inner {
        TypeInner::Scalar(scalar) => TypeInner::Scalar(wide(scalar)?),
        TypeInner::Vector { size, scalar } => TypeInner::Vector { size, scalar: wide(scalar)? },
        TypeInner::ValuePointer { size, scalar, space } => {
            TypeInner::ValuePointer { size, scalar: wide(scalar)?, space }
        }
        _ => return None,
    })
}

/// Gives all integers of 8 bits 16, and structs the place for them. Strides stay: naga does not ask whether elements
/// have their place.
fn widen_bytes(module: &mut Module) {
    let changed: Vec<(naga::Handle<Type>, Type)> = module
        .types
        .iter()
        .filter_map(|(handle, ty)| {
            // No two types are alike, also while only some are changed; none of a shader is called so.
            let name = format!("{}#{}", ty.name.as_deref().unwrap_or_default(), handle.index());
            if let Some(inner) = widened(&ty.inner) {
                return Some((handle, Type { name: Some(name), inner }));
            }
            let TypeInner::Struct { mut members, span } = ty.inner.clone() else { return None };
            for member in &mut members {
                member.offset = member.offset.saturating_mul(2);
            }
            // An offset of the module may be any number.
            let inner = TypeInner::Struct { members, span: span.saturating_mul(2) };
            Some((handle, Type { name: Some(name), inner }))
        })
        .collect();
    for (handle, ty) in changed {
        module.types.replace(handle, ty);
    }
}

#[cfg(test)]
mod tests {
    use naga::{Span, StructMember};

    use super::*;

    #[test]
    fn structs_with_doubled_offsets_are_never_alike_and_offsets_may_be_any() {
        let mut module = Module::default();
        let mut scalar = |kind, width| {
            let inner = TypeInner::Scalar(Scalar { kind, width });
            module.types.insert(Type { name: None, inner }, Span::UNDEFINED)
        };
        let (word, _) = (scalar(ScalarKind::Uint, 4), scalar(ScalarKind::Uint, 1));
        for second in [12, 24, 48, u32::MAX - 3] {
            let member = |offset| StructMember { name: None, ty: word, binding: None, offset };
            let inner = TypeInner::Struct { members: vec![member(0), member(second)], span: second.saturating_add(4) };
            module.types.insert(Type { name: None, inner }, Span::UNDEFINED);
        }
        let stand_in = stand_in(&module, true).expect("it has integers of 8 bits");
        let last = |ty: &Type| match &ty.inner {
            TypeInner::Struct { members, .. } => members.last().map(|member| member.offset),
            _ => None,
        };
        let offsets: Vec<u32> = stand_in.types.iter().filter_map(|(_, ty)| last(ty)).collect();
        assert_eq!(offsets, [24, 48, 96, u32::MAX]);
    }
}
