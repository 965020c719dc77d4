//! What is found out about a function before it is lowered, by one walk over its tree: does it return early, and which names are indexed by computed numbers.

use tilewise_ast::{Adapter, Block, Expr, Kind, Pattern, Statement, Tree};

/// What is known of a tree.
#[derive(Debug)]
pub(super) struct Scan {
    /// Is there a `return` before the end?
    pub(super) returns_early: bool,
    /// For each name: is it, or a part of it, indexed by anything but a literal? Then an array in it is put in memory where the name is bound, once.
    pub(super) indexed: Vec<bool>,
}

/// Looks through a tree.
pub(super) fn scan(tree: &Tree) -> Scan {
    let mut found = Scan { returns_early: false, indexed: vec![false; tree.locals.len()] };
    let mut returns = 0;
    block(&tree.body, &mut |expr| match &expr.kind {
        Kind::Return(_) => returns += 1,
        Kind::Index(base, index) if !matches!(index.kind, Kind::Literal(..)) => {
            if let Some(indexed) = root(base).and_then(|local| found.indexed.get_mut(local as usize)) {
                *indexed = true;
            }
        }
        _ => {}
    });
    let last = match (&tree.body.value, tree.body.statements.last()) {
        (Some(value), _) => Some(&**value),
        (None, Some(Statement::Expr(expr))) => Some(expr),
        (None, _) => None,
    };
    let at_the_end = last.is_some_and(|expr| matches!(expr.kind, Kind::Return(_)));
    // A `return` inside the operand of the last one is early too, and makes two.
    found.returns_early = returns > u32::from(at_the_end);
    found
}

/// Is a loop or a labelled block left in it, by `break` or `continue`?
pub(super) fn leaves(it: &Expr) -> bool {
    let mut found = false;
    expr(it, &mut |part| found |= matches!(part.kind, Kind::Break(..) | Kind::Continue(_)));
    found
}

/// The name at the root of a place.
fn root(expr: &Expr) -> Option<u32> {
    let mut at = expr;
    loop {
        match &at.kind {
            Kind::Local(local) => return Some(*local),
            Kind::Field(base, _) | Kind::Index(base, _) | Kind::Deref(base) | Kind::Ref(_, base) => at = base,
            _ => return None,
        }
    }
}

/// Does the pattern bind a name?
pub(super) fn binds(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Bind(_) => true,
        Pattern::Tuple(parts) | Pattern::Or(parts) => parts.iter().any(binds),
        Pattern::Wild | Pattern::Literal(..) | Pattern::Const(..) | Pattern::Range(..) => false,
    }
}

fn block(it: &Block, visit: &mut dyn FnMut(&Expr)) {
    for statement in &it.statements {
        match statement {
            Statement::Let(_, _, value, _) => value.iter().for_each(|value| expr(value, visit)),
            Statement::TileStatic(..) => {}
            Statement::Expr(value) => expr(value, visit),
        }
    }
    it.value.iter().for_each(|value| expr(value, visit));
}

fn expr(it: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(it);
    match &it.kind {
        Kind::Literal(..) | Kind::Local(_) | Kind::Capture(_) | Kind::Const(_) | Kind::Continue(_) | Kind::Abort => {}
        Kind::Unary(_, a, _)
        | Kind::Field(a, _)
        | Kind::Ref(_, a)
        | Kind::Deref(a)
        | Kind::Cast(a, _)
        | Kind::Repeat(a, _) => expr(a, visit),
        Kind::Binary(_, a, b, _)
        | Kind::And(a, b)
        | Kind::Or(a, b)
        | Kind::Assign(a, b)
        | Kind::AssignOp(_, a, b, _)
        | Kind::Index(a, b) => {
            expr(a, visit);
            expr(b, visit);
        }
        Kind::Call(_, list)
        | Kind::Tuple(list)
        | Kind::Array(list, _)
        | Kind::Print(_, list)
        | Kind::Error(_, list) => list.iter().for_each(|part| expr(part, visit)),
        Kind::Struct(_, fields, rest) => {
            fields.iter().for_each(|field| expr(&field.value, visit));
            rest.iter().for_each(|rest| expr(rest, visit));
        }
        Kind::Break(_, value) | Kind::Return(value) => value.iter().for_each(|value| expr(value, visit)),
        Kind::Block(..) | Kind::If(..) | Kind::Match(..) | Kind::While(..) | Kind::Loop(..) | Kind::For(..) => {
            nested(&it.kind, visit);
        }
    }
}

fn nested(kind: &Kind, visit: &mut dyn FnMut(&Expr)) {
    match kind {
        Kind::Block(body, _) | Kind::Loop(body, _) => block(body, visit),
        Kind::If(condition, then, otherwise) => {
            expr(condition, visit);
            block(then, visit);
            otherwise.iter().for_each(|otherwise| block(otherwise, visit));
        }
        Kind::Match(value, arms) => {
            expr(value, visit);
            for arm in arms {
                arm.guard.iter().for_each(|guard| expr(guard, visit));
                expr(&arm.body, visit);
            }
        }
        Kind::While(condition, body, _) => {
            expr(condition, visit);
            block(body, visit);
        }
        Kind::For(head, body, _) => {
            expr(&head.low, visit);
            expr(&head.high, visit);
            for adapter in &head.adapters {
                if let Adapter::StepBy(step) = adapter {
                    expr(step, visit);
                }
            }
            block(body, visit);
        }
        _ => {}
    }
}
