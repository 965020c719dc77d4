//! Facts about a function, gathered before it is lowered by one traversal of its tree: whether it
//! returns early, which names are indexed by computed numbers, and what in it may have an effect.

use tilewise_ast::{Expr, ExprKind, Pattern, RangeAdapter, Statement, SyntaxBlock, SyntaxTree};

/// Facts about a tree.
#[derive(Debug)]
pub(super) struct TreeScan {
    /// Is there a `return` before the end?
    pub(super) returns_early: bool,
    /// For each name: is it, or a part of it, indexed by anything but a literal? Then an array in
    /// it is put in memory once, where the name is bound.
    pub(super) indexed: Vec<bool>,
}

/// Scans a tree.
pub(super) fn scan(tree: &SyntaxTree) -> TreeScan {
    let mut found = TreeScan { returns_early: false, indexed: vec![false; tree.locals.len()] };
    let mut returns = 0;
    block(&tree.body, &mut |expr| match &expr.kind {
        ExprKind::Return(_) | ExprKind::Try(_) => returns += 1,
        ExprKind::Index(base, index, _) if !matches!(index.kind, ExprKind::Literal(..)) => {
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
    let at_the_end = last.is_some_and(|expr| matches!(expr.kind, ExprKind::Return(_)));
    // A `return` inside the operand of the last one is early too: then there are two.
    found.returns_early = returns > u32::from(at_the_end);
    found
}

/// Does it jump out of a loop or a labelled block, by `break` or `continue`?
pub(super) fn leaves(it: &Expr) -> bool {
    let mut found = false;
    expr(it, &mut |part| found |= matches!(part.kind, ExprKind::Break(..) | ExprKind::Continue(_)));
    found
}

/// Does it have a `return`, or a `?`?
pub(super) fn returns(it: &Expr) -> bool {
    let mut found = false;
    expr(it, &mut |part| found |= matches!(part.kind, ExprKind::Return(_) | ExprKind::Try(_)));
    found
}

/// What in a tree may do more than to give a value.
#[derive(Default, Debug)]
pub(super) struct EffectSources {
    /// Is there something that certainly does: a print, a report, a write through a reference or an index?
    pub(super) acts: bool,
    /// The slots of the functions that it calls, or hands on by their names.
    pub(super) links: Vec<u32>,
    /// The names that it uses: some may stand for closures.
    pub(super) names: Vec<u32>,
    /// The names that it assigns as a whole.
    pub(super) assigned: Vec<u32>,
    /// The captured names that it uses.
    pub(super) captures: Vec<u32>,
    /// The names of which it assigns parts that no reference and no function leads to.
    pub(super) assigned_parts: Vec<u32>,
}

impl EffectSources {
    fn add(&mut self, part: &Expr) {
        match &part.kind {
            ExprKind::Assign(place, _) => self.assign(place),
            ExprKind::AssignOp(_, place, _, link) => {
                self.assign(place);
                self.links.push(*link);
            }
            ExprKind::Ref(true, _) | ExprKind::Print(..) | ExprKind::Error(..) | ExprKind::Abort => self.acts = true,
            ExprKind::Invoke(local, _) | ExprKind::Local(local) => self.names.push(*local),
            ExprKind::Capture(capture) => self.captures.push(*capture),
            ExprKind::CaptureOrFunction(capture, link) => {
                self.captures.push(*capture);
                self.links.push(*link);
            }
            ExprKind::Call(link, _)
            | ExprKind::Unary(_, _, link)
            | ExprKind::Binary(_, _, _, link)
            | ExprKind::Index(_, _, Some(link))
            | ExprKind::Function(link)
            | ExprKind::ConstOrFunction(_, link)
            | ExprKind::ForEach(_, link, ..) => self.links.push(*link),
            ExprKind::Literal(..)
            | ExprKind::Const(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Field(..)
            | ExprKind::Index(_, _, None)
            | ExprKind::Ref(false, _)
            | ExprKind::Deref(_)
            | ExprKind::Cast(..)
            | ExprKind::Struct(..)
            | ExprKind::Tuple(_)
            | ExprKind::Range(..)
            | ExprKind::Array(..)
            | ExprKind::Repeat(..)
            | ExprKind::Block(..)
            | ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::While(..)
            | ExprKind::Loop(..)
            | ExprKind::For(..)
            | ExprKind::Break(..)
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
            | ExprKind::Try(_)
            | ExprKind::Closure(..) => {}
        }
    }

    fn assign(&mut self, place: &Expr) {
        let mut whole = place;
        while let ExprKind::Field(base, _) | ExprKind::Index(base, _, None) = &whole.kind {
            whole = base;
        }
        match (&whole.kind, &place.kind) {
            (ExprKind::Local(local), ExprKind::Local(_)) => self.assigned.push(*local),
            (ExprKind::Local(local), _) => self.assigned_parts.push(*local),
            _ => self.acts = true,
        }
    }
}

/// What in a closure's body may do more than to give a value.
pub(super) fn effects_of(it: &Expr) -> EffectSources {
    let mut found = EffectSources::default();
    expr(it, &mut |part| found.add(part));
    found
}

/// What in a function's body may do more than to give a value.
pub(super) fn effects_of_block(it: &SyntaxBlock) -> EffectSources {
    let mut found = EffectSources::default();
    block(it, &mut |part| found.add(part));
    found
}

/// The name at the root of a place.
fn root(expr: &Expr) -> Option<u32> {
    let mut at = expr;
    loop {
        match &at.kind {
            ExprKind::Local(local) => return Some(*local),
            ExprKind::Field(base, _) | ExprKind::Index(base, ..) | ExprKind::Deref(base) | ExprKind::Ref(_, base) => {
                at = base;
            }
            _ => return None,
        }
    }
}

/// Does the pattern bind a name?
pub(super) fn binds(pattern: &Pattern) -> bool {
    !pattern.names().is_empty()
}

fn block(it: &SyntaxBlock, visit: &mut dyn FnMut(&Expr)) {
    for statement in &it.statements {
        match statement {
            Statement::Let(_, _, value, _) => value.iter().for_each(|value| expr(value, visit)),
            Statement::TileStatic(..) => {}
            Statement::Expr(value) => expr(value, visit),
            Statement::LetElse(_, value, otherwise, _) => {
                expr(value, visit);
                block(otherwise, visit);
            }
        }
    }
    it.value.iter().for_each(|value| expr(value, visit));
}

fn expr(it: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(it);
    match &it.kind {
        ExprKind::Literal(..)
        | ExprKind::Local(_)
        | ExprKind::Capture(_)
        | ExprKind::CaptureOrFunction(..)
        | ExprKind::ConstOrFunction(..)
        | ExprKind::Const(_)
        | ExprKind::Continue(_)
        | ExprKind::Function(_)
        | ExprKind::Abort => {}
        ExprKind::Unary(_, a, _)
        | ExprKind::Field(a, _)
        | ExprKind::Ref(_, a)
        | ExprKind::Deref(a)
        | ExprKind::Cast(a, _)
        | ExprKind::Try(a)
        | ExprKind::Repeat(a, _) => expr(a, visit),
        ExprKind::Binary(_, a, b, _)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Assign(a, b)
        | ExprKind::AssignOp(_, a, b, _)
        | ExprKind::Range(a, b, _)
        | ExprKind::Index(a, b, _) => {
            expr(a, visit);
            expr(b, visit);
        }
        ExprKind::Closure(_, _, body) => expr(body, visit),
        ExprKind::Call(_, list)
        | ExprKind::Invoke(_, list)
        | ExprKind::Tuple(list)
        | ExprKind::Array(list, _)
        | ExprKind::Print(_, list, _)
        | ExprKind::Error(_, list, _) => list.iter().for_each(|part| expr(part, visit)),
        ExprKind::Struct(_, _, fields, rest) => {
            fields.iter().for_each(|field| expr(&field.value, visit));
            rest.iter().for_each(|rest| expr(rest, visit));
        }
        ExprKind::Break(_, value) | ExprKind::Return(value) => value.iter().for_each(|value| expr(value, visit)),
        ExprKind::Block(..)
        | ExprKind::If(..)
        | ExprKind::Match(..)
        | ExprKind::While(..)
        | ExprKind::Loop(..)
        | ExprKind::For(..)
        | ExprKind::ForEach(..) => {
            nested(&it.kind, visit);
        }
    }
}

fn nested(kind: &ExprKind, visit: &mut dyn FnMut(&Expr)) {
    match kind {
        ExprKind::Block(body, _) | ExprKind::Loop(body, _) => block(body, visit),
        ExprKind::If(condition, then, otherwise) => {
            expr(condition, visit);
            block(then, visit);
            otherwise.iter().for_each(|otherwise| block(otherwise, visit));
        }
        ExprKind::Match(value, arms) => {
            expr(value, visit);
            for arm in arms {
                arm.guard.iter().for_each(|guard| expr(guard, visit));
                expr(&arm.body, visit);
            }
        }
        ExprKind::While(condition, body, _) => {
            expr(condition, visit);
            block(body, visit);
        }
        ExprKind::For(head, body, _) => {
            expr(&head.low, visit);
            expr(&head.high, visit);
            for adapter in &head.adapters {
                if let RangeAdapter::StepBy(step) = adapter {
                    expr(step, visit);
                }
            }
            block(body, visit);
        }
        ExprKind::ForEach(items, _, _, body, _) => {
            expr(items, visit);
            block(body, visit);
        }
        _ => {}
    }
}
