//! What naga's reader of GLSL makes of a shader otherwise than it is meant, found in the module that it has made:
//! values of global variables that it drops, structs of std140 that it places too close, numbers whose type it
//! mistakes. And arguments that a function changes become copies, as they are in GLSL.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    AddressSpace, Arena, BinaryOperator, Block, Expression, Function, FunctionArgument, Handle, Literal, LocalVariable,
    MathFunction, Module, ScalarKind, Span, Statement, Type, TypeInner,
};

use crate::glsl_limits::{GlslFacts, MisreadConstruct};
use crate::visit::{blocks, blocks_mut, operands};

/// The first thing in a module that is otherwise than its text means it.
pub(crate) fn misread_in(module: &Module, facts: &GlslFacts<'_>) -> Option<MisreadConstruct> {
    dropped_initializer(module, &facts.initialized)
        .or_else(|| close_structs(module, &facts.std140))
        .or_else(|| module.functions.iter().find_map(|(handle, function)| mistaken_type(module, handle, function)))
}

/// A global variable whose value is no constant.
fn dropped_initializer(module: &Module, initialized: &[(&str, Range<usize>)]) -> Option<MisreadConstruct> {
    let is_dropped = |name: &str| {
        let mut all = module.global_variables.iter();
        all.any(|(_, variable)| variable.name.as_deref() == Some(name) && variable.init.is_none())
    };
    let (_, place) = initialized.iter().find(|(name, _)| is_dropped(name))?;
    Some(MisreadConstruct {
        place: place.clone(),
        what: "a global variable whose first value is no constant: naga drops it",
        help: "store it where `main` begins",
    })
}

/// A buffer of std140 that has a struct which does not begin at, or does not take, a multiple of 16 bytes.
fn close_structs(module: &Module, std140: &HashSet<&str>) -> Option<MisreadConstruct> {
    let mut seen = HashSet::new();
    let mut buffers = module.global_variables.iter().filter(|(_, variable)| {
        let name = module.types[variable.ty].name.as_deref();
        matches!(variable.space, AddressSpace::Storage { .. }) && name.is_some_and(|name| std140.contains(name))
    });
    let (handle, _) = buffers.find(|(_, variable)| has_close_struct(module, variable.ty, &mut seen))?;
    Some(MisreadConstruct {
        place: module.global_variables.get_span(handle).to_range()?,
        what: "a struct in a buffer of std140: naga places what follows it too close",
        help: "declare the buffer as std430, or fill the struct to a multiple of 16 bytes",
    })
}

/// Has a type a member that is such a struct? Types that are `seen` have none.
fn has_close_struct(module: &Module, ty: Handle<Type>, seen: &mut HashSet<Handle<Type>>) -> bool {
    if !seen.insert(ty) {
        return false;
    }
    match &module.types[ty].inner {
        TypeInner::Struct { members, .. } => members.iter().enumerate().any(|(i, member)| {
            let is_close = match module.types[member.ty].inner {
                TypeInner::Struct { span, .. } => {
                    let end = u64::from(member.offset) + u64::from(span).next_multiple_of(16);
                    let next = members.get(i + 1).map(|next| u64::from(next.offset));
                    member.offset % 16 != 0 || next.is_some_and(|next| next < end)
                }
                _ => false,
            };
            is_close || has_close_struct(module, member.ty, seen)
        }),
        TypeInner::Array { base, .. } => has_close_struct(module, *base, seen),
        _ => false,
    }
}

/// A number of the wrong type: counts of bits are `int` in GLSL, and of the type of what is counted in naga; a vector
/// of one condition is a number in naga.
fn mistaken_type(module: &Module, handle: Handle<Function>, function: &Function) -> Option<MisreadConstruct> {
    let expressions = &function.expressions;
    let (last, _) = expressions.iter().next_back()?;
    let mut types = Typifier::new();
    let context = ResolveContext::with_locals(module, &function.local_variables, &function.arguments);
    // naga's validation says what is wrong with an expression without a type.
    types.grow(last, expressions, &context).ok()?;
    let kind = |of: Handle<Expression>| types[of].inner_with(&module.types).scalar_kind();
    let place = |at: Handle<Expression>| {
        let mut spans = vec![expressions.get_span(at)];
        operands(&expressions[at], &mut |&operand| spans.push(expressions.get_span(operand)));
        spans.push(module.functions.get_span(handle));
        spans.into_iter().find_map(Span::to_range).unwrap_or(0..1)
    };
    let count = |at: Handle<Expression>| MisreadConstruct {
        place: place(at),
        what: "a count of the bits of a `uint`, which is an `int`: naga computes on with a `uint`",
        help: "write `int(bitCount(x))`",
    };
    // Counts, and what is computed of them that is the same number of either type.
    let mut counts: HashSet<Handle<Expression>> = HashSet::new();
    for (at, expression) in expressions.iter() {
        let (mut of_count, mut of_counts, mut of_int) = (false, true, false);
        operands(expression, &mut |&operand| {
            let is_count = counts.contains(&operand);
            let is_small = matches!(expressions[operand], Expression::Literal(Literal::U32(0..=0xffff)));
            of_count |= is_count;
            of_counts &= is_count || is_small;
            of_int |= matches!(
                expressions[operand],
                Expression::As { expr, kind: ScalarKind::Uint, .. } if kind(expr) == Some(ScalarKind::Sint)
            );
        });
        match *expression {
            Expression::Math { fun: MathFunction::CountOneBits, arg, .. } if kind(arg) == Some(ScalarKind::Uint) => {
                counts.insert(at);
            }
            Expression::Math { fun, .. } if is_of_vectors(fun) && !of_count => {
                let mut is_mistaken = false;
                operands(expression, &mut |&operand| is_mistaken |= is_of_condition(expressions, operand));
                if is_mistaken {
                    return Some(MisreadConstruct {
                        place: place(at),
                        what: "a vector of one condition: naga makes one number of it",
                        help: "write `vec3(float(b))`",
                    });
                }
            }
            // The same number whatever its type is.
            Expression::Compose { .. }
            | Expression::As { .. }
            | Expression::Access { .. }
            | Expression::Load { .. } => {}
            _ if !of_count => {}
            Expression::AccessIndex { .. } | Expression::Splat { .. } | Expression::Swizzle { .. } => {
                counts.insert(at);
            }
            Expression::Binary { op: BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight, left, .. }
                if !counts.contains(&left) => {}
            Expression::Binary { op, .. } => {
                use BinaryOperator as B;
                let is_same = match op {
                    B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual => true,
                    B::Add | B::Divide | B::Modulo | B::ShiftRight => true,
                    B::And | B::ExclusiveOr | B::InclusiveOr => true,
                    B::Subtract | B::Multiply | B::ShiftLeft | B::LogicalAnd | B::LogicalOr => false,
                };
                match (of_counts, is_same) {
                    (true, true) => _ = counts.insert(at),
                    // With a `uint` it is one in GLSL too.
                    (false, _) if !of_int => {}
                    _ => return Some(count(at)),
                }
            }
            Expression::Math { .. } | Expression::Select { .. } if of_counts => _ = counts.insert(at),
            Expression::Math { .. } | Expression::Select { .. } if !of_int => {}
            _ => return Some(count(at)),
        }
    }
    // Of functions of one name that of the type is taken.
    let mut chosen = None;
    each_call(&function.body, &mut |callee, arguments| {
        let name = &module.functions[callee].name;
        let are_several = module.functions.iter().filter(|(_, other)| other.name == *name).count() > 1;
        if are_several {
            chosen = chosen.or(arguments.iter().copied().find(|argument| counts.contains(argument)));
        }
    });
    chosen.map(count)
}

/// Is it a function of vectors that numbers have too?
fn is_of_vectors(function: MathFunction) -> bool {
    use MathFunction as M;
    matches!(function, M::Length | M::Distance | M::Dot | M::Normalize | M::Reflect | M::Refract | M::FaceForward)
}

/// Is it the number 1 or 0 that naga makes of a condition?
fn is_of_condition(expressions: &Arena<Expression>, of: Handle<Expression>) -> bool {
    let Expression::Select { accept, reject, .. } = expressions[of] else { return false };
    let is = |part: Handle<Expression>, number: f32| matches!(expressions[part], Expression::Literal(Literal::F32(found)) if found == number);
    is(accept, 1.0) && is(reject, 0.0)
}

/// Takes a function that is called, and its arguments.
type GivesCall<'f> = dyn FnMut(Handle<Function>, &[Handle<Expression>]) + 'f;

/// Calls `each` with the function and the arguments of every call.
fn each_call(block: &Block, each: &mut GivesCall<'_>) {
    for statement in block {
        if let Statement::Call { function, arguments, .. } = statement {
            each(*function, arguments);
        }
        blocks(statement, &mut |inner| each_call(inner, each));
    }
}

/// The types that the parameters of functions point to.
type PointedTypes = HashMap<Handle<Function>, Vec<Option<Handle<Type>>>>;

/// Gives each of several arguments that point into one variable a variable of its own, which is stored back behind the
/// call.
pub(crate) fn separate_arguments(module: &mut Module) {
    let types = &module.types;
    let pointee = |argument: &FunctionArgument| match types[argument.ty].inner {
        TypeInner::Pointer { base, .. } => Some(base),
        _ => None,
    };
    let pointed: PointedTypes = module
        .functions
        .iter()
        .map(|(handle, function)| (handle, function.arguments.iter().map(pointee).collect()))
        .collect();
    for (_, function) in module.functions.iter_mut() {
        let mut body = std::mem::take(&mut function.body);
        separate_in(&mut body, function, &pointed);
        function.body = body;
    }
}

fn separate_in(block: &mut Block, function: &mut Function, pointed: &PointedTypes) {
    for (mut statement, span) in std::mem::take(block).span_into_iter() {
        blocks_mut(&mut statement, &mut |inner| separate_in(inner, function, pointed));
        // What is stored back: the place, and the variable.
        let mut behind = Vec::new();
        if let Statement::Call { function: callee, arguments, .. } = &mut statement {
            let types = pointed.get(callee).map_or(&[][..], Vec::as_slice);
            let root = |at: usize| {
                let is_pointer = types.get(at).copied().flatten().is_some();
                if is_pointer { variable_of(&function.expressions, arguments[at]) } else { None }
            };
            let roots: Vec<_> = (0..arguments.len()).map(root).collect();
            for (at, argument) in arguments.iter_mut().enumerate() {
                let is_alone = roots.iter().filter(|other| **other == roots[at]).count() < 2;
                let Some(&Some(ty)) = types.get(at).filter(|_| roots[at].is_some() && !is_alone) else { continue };
                let variable = LocalVariable { name: None, ty, init: None };
                let variable = function.local_variables.append(variable, span);
                let copy = function.expressions.append(Expression::LocalVariable(variable), span);
                let value = loaded(block, function, *argument, span);
                block.push(Statement::Store { pointer: copy, value }, span);
                behind.push((*argument, copy));
                *argument = copy;
            }
        }
        block.push(statement, span);
        for (pointer, copy) in behind {
            let value = loaded(block, function, copy, span);
            block.push(Statement::Store { pointer, value }, span);
        }
    }
}

/// Appends a load to a block.
fn loaded(block: &mut Block, function: &mut Function, pointer: Handle<Expression>, span: Span) -> Handle<Expression> {
    let value = function.expressions.append(Expression::Load { pointer }, span);
    block.push(Statement::Emit(naga::Range::new_from_bounds(value, value)), span);
    value
}

/// The local variable or the parameter that a pointer points into, by whether it is a parameter and its number.
fn variable_of(expressions: &Arena<Expression>, pointer: Handle<Expression>) -> Option<(bool, usize)> {
    match expressions[pointer] {
        Expression::LocalVariable(variable) => Some((false, variable.index())),
        Expression::FunctionArgument(number) => Some((true, number as usize)),
        Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => variable_of(expressions, base),
        _ => None,
    }
}
