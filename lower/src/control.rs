//! Blocks, conditions, loops, and the jumps out of them.
//!
//! Code after a `return` or `break` in its block is dropped: Rust allows it, the checker does not.
//! Blocks that end early have no value; code after a construct whose end is unreachable is dropped
//! too.

use std::any::TypeId;
use std::mem;

use tilewise_ast::{Expr, ExprKind, Pattern, Statement, SyntaxBlock};

use super::join::{BuiltArm, Join};
use super::scan::leaves;
use super::state::{LeaveTarget, Lower, NameBinding, NoValue, OrNoValue};
use super::value::{LoweredValue, RustPlace};
use super::{RustType, memory};
use tilewise_ir::diag::{Code, Diagnostic};
use tilewise_ir::kernel::{Const, InstKind, Place, Root, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;

impl Lower {
    /// Control-flow expressions.
    pub(super) fn flow(&mut self, expr: &Expr, pos: Pos) -> OrNoValue<LoweredValue> {
        match &expr.kind {
            ExprKind::Block(body, None) => self.block(body),
            ExprKind::Block(body, Some(label)) => self.labelled(body, *label, pos),
            ExprKind::If(condition, then, otherwise) => self.if_(condition, then, otherwise.as_ref(), pos),
            ExprKind::Match(value, arms) => self.match_(value, arms, pos),
            ExprKind::While(condition, body, label) => self.while_(condition, body, *label, pos),
            ExprKind::Loop(body, label) => self.loop_(body, *label, pos),
            ExprKind::For(head, body, label) => self.for_(head, body, *label, pos),
            ExprKind::ForEach(items, link, pattern, body, label) => {
                self.for_each(items, *link, pattern, body, *label, pos)
            }
            ExprKind::Break(label, value) => self.break_(*label, value.as_deref(), pos),
            ExprKind::Continue(label) => self.continue_(*label, pos),
            ExprKind::Return(value) => self.return_(value.as_deref(), pos),
            _ => self.broken("an expression of no kind", pos),
        }
    }

    /// Statements and the value at the end. An error in one statement does not hide the errors of
    /// others.
    pub(super) fn block(&mut self, block: &SyntaxBlock) -> OrNoValue<LoweredValue> {
        let failed = self.all_statements(block)?;
        let value = match &block.value {
            Some(value) => self.end_value(value)?,
            None => LoweredValue::UNIT,
        };
        if failed { Err(NoValue::Failed) } else { Ok(value) }
    }

    /// The statements alone.
    pub(super) fn statements(&mut self, block: &SyntaxBlock) -> OrNoValue<()> {
        if self.all_statements(block)? { Err(NoValue::Failed) } else { Ok(()) }
    }

    /// The statements. Returns whether one of them failed.
    fn all_statements(&mut self, block: &SyntaxBlock) -> OrNoValue<bool> {
        let mut failed = false;
        for statement in &block.statements {
            match self.statement(statement) {
                Err(NoValue::Failed) if !self.over => {
                    failed = true;
                    if let Statement::Let(pattern, ..) | Statement::LetElse(pattern, ..) = statement {
                        self.poison(pattern);
                    }
                }
                other => other?,
            }
        }
        Ok(failed)
    }

    fn statement(&mut self, statement: &Statement) -> OrNoValue<()> {
        match statement {
            Statement::Expr(expr) if self.gives_self(expr)? => self.place(expr).map(|_| ()),
            Statement::Expr(expr) => self.value(expr).map(|_| ()),
            Statement::Let(Pattern::Bind(local), _, Some(value), at) if self.is_function(value) => {
                let function = self.function_value(value)?;
                let pos = self.pos(*at);
                self.bind_name(*local, NameBinding::Function(function), pos)
            }
            Statement::Let(Pattern::Wild, _, Some(value), _) if self.is_function(value) => Ok(()),
            Statement::Let(Pattern::Wild, _, Some(value), _) if self.ends_in_self(value)? => {
                self.value(value).map(|_| ())
            }
            Statement::Let(pattern @ (Pattern::Bind(_) | Pattern::Wild), _, Some(value), at)
                if self.is_iterator(value) =>
            {
                let sequence = self.made(value)?;
                let pos = self.pos(*at);
                match pattern {
                    Pattern::Bind(local) => {
                        // Only what has a `mut` name can be asked for one item after the other.
                        let sequence = if self.is_mutable(*local) { self.begun(sequence, pos)? } else { sequence };
                        self.bind_name(*local, NameBinding::Iterator(sequence), pos)
                    }
                    _ => Ok(()),
                }
            }
            Statement::Let(pattern, _, Some(value), at) => {
                let taken = self.taken_apart(value)?;
                let pos = self.pos(*at);
                self.bind_taken(pattern, &taken, pos)
            }
            Statement::LetElse(pattern, value, otherwise, at) => {
                let taken = self.taken_apart(value)?;
                let pos = self.pos(*at);
                self.let_else(pattern, &taken, otherwise, pos)
            }
            Statement::Let(pattern, ty, None, at) => {
                let pos = self.pos(*at);
                let Some(ty) = ty else { return self.broken("a `let` without a value and a type", pos) };
                let ty = self.ty(*ty, pos)?;
                self.declare(pattern, &ty, pos)
            }
            Statement::TileStatic(local, slot, at) => {
                let pos = self.pos(*at);
                let ty = self.ty(*slot, pos)?.bare().clone();
                let rust_type = self.rust_type(*slot, pos)?;
                self.tile_static(*local, &ty, rust_type, pos)
            }
        }
    }

    /// Declares a variable for each name of a `let` without a value.
    fn declare(&mut self, pattern: &Pattern, ty: &RustType, pos: Pos) -> OrNoValue<()> {
        self.nested(pos, |lower| match pattern {
            Pattern::Bind(local) => {
                let name = lower.local_name(*local);
                let spot = lower.variable(&name, ty, None, pos)?;
                lower.bind_local(*local, spot, pos)
            }
            Pattern::Tuple(_) | Pattern::Fields(..) | Pattern::Positions(..) => {
                let whole = lower.variable("parts", ty, None, pos)?;
                lower.declare_parts(pattern, &whole, pos)
            }
            Pattern::At(..) | Pattern::Deref(_) => lower.broken("a `let` without a value that takes one apart", pos),
            // These bind nothing.
            Pattern::Wild
            | Pattern::Rest
            | Pattern::Literal(..)
            | Pattern::Const(..)
            | Pattern::Range(..)
            | Pattern::Or(_) => Ok(()),
        })
    }

    /// Binds the names of a pattern to parts of a variable without a value.
    fn declare_parts(&mut self, pattern: &Pattern, whole: &RustPlace, pos: Pos) -> OrNoValue<()> {
        for (part, pattern) in self.takes_apart(pattern, &whole.ty, pos)? {
            let place = self.part_of_place(whole, &part, pos)?;
            match pattern {
                Pattern::Bind(local) => self.bind_local(*local, place, pos)?,
                Pattern::Tuple(_) | Pattern::Fields(..) | Pattern::Positions(..) => {
                    self.nested(pos, |lower| lower.declare_parts(pattern, &place, pos))?;
                }
                other => self.declare(other, &place.ty, pos)?,
            }
        }
        Ok(())
    }

    /// One variable for each declaration and each type that a generic function gives it, however
    /// often the function is inlined.
    fn tile_static(&mut self, local: u32, ty: &RustType, rust_type: TypeId, pos: Pos) -> OrNoValue<()> {
        let Some(id) = memory(self.b.types(), ty) else {
            if ty.holds() == super::types::TypeContents::Nothing {
                return self.bind_local(local, RustPlace::value(LoweredValue::nothing(ty)), pos);
            }
            let what = format!("`tile_static` memory of type `{}`", ty.show());
            return self.formless(what, "a view or an atomic reference is not data", "", pos);
        };
        let key = (self.frame().function.tree.as_ptr(), local, rust_type);
        let var = match self.tile_vars.get(&key) {
            Some(&var) => var,
            None => {
                let name = self.local_name(local);
                let var = self.b.tile_var(&name, id, pos);
                self.tile_vars.insert(key, var);
                var
            }
        };
        let place = Place { root: Root::Tile(var), path: Vec::new() };
        self.bind_local(local, RustPlace::memory(ty.clone(), place), pos)
    }

    pub(super) fn local_name(&mut self, local: u32) -> String {
        let read = self.frame().read.clone();
        read.tree.locals.get(local as usize).map_or_else(String::new, |local| local.text.clone())
    }

    /// Is it a closure, or the name of one?
    fn is_function(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Closure(..) => true,
            ExprKind::Ref(_, inner) => self.is_function(inner),
            ExprKind::Local(local) => {
                matches!(self.frame().locals.get(*local as usize), Some(NameBinding::Function(_)))
            }
            _ => false,
        }
    }

    pub(super) fn bind_local(&mut self, local: u32, spot: RustPlace, pos: Pos) -> OrNoValue<()> {
        self.bind_name(local, NameBinding::To(spot), pos)
    }

    pub(super) fn bind_name(&mut self, local: u32, binding: NameBinding, pos: Pos) -> OrNoValue<()> {
        match self.frame().locals.get_mut(local as usize) {
            Some(bound) => {
                *bound = binding;
                Ok(())
            }
            None => self.broken(format!("there is no name {local}"), pos),
        }
    }

    fn poison(&mut self, pattern: &Pattern) {
        for local in pattern.names() {
            if let Some(bound) = self.frame().locals.get_mut(local as usize) {
                *bound = NameBinding::Broken;
            }
        }
    }

    pub(super) fn condition(&mut self, expr: &Expr) -> OrNoValue<ValueId> {
        let pos = self.pos(expr.at);
        let value = self.value(expr)?;
        self.id(&value, pos)
    }

    fn if_(
        &mut self,
        condition: &Expr,
        then: &SyntaxBlock,
        otherwise: Option<&SyntaxBlock>,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let condition = self.condition(condition)?;
        let mut join = Join::new(true);
        let then = self.arm(&mut join, pos, |lower| lower.block(then));
        let otherwise = self.arm(&mut join, pos, |lower| match otherwise {
            Some(block) => lower.block(block),
            None => Ok(LoweredValue::UNIT),
        });
        self.if_joined(condition, then, otherwise, join, pos)
    }

    /// Adds an `if` whose arms are built; returns its value.
    pub(super) fn if_joined(
        &mut self,
        condition: ValueId,
        mut then: BuiltArm,
        mut otherwise: BuiltArm,
        join: Join,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        self.patch(&mut then, &join, pos)?;
        self.patch(&mut otherwise, &join, pos)?;
        self.declare_joined(&join, pos)?;
        let kind = InstKind::If { condition, then: then.block, otherwise: otherwise.block };
        let result = self.emit(kind, pos)?;
        self.joined(join, result, pos)
    }

    /// Opens a scope or a loop, a target of jumps.
    pub(super) fn open(&mut self, label: Option<u32>, join: Join) -> usize {
        let id = self.b.label(None);
        self.targets.push(LeaveTarget { label: id, join, broken: false, goes_on: None });
        let target = self.targets.len() - 1;
        if let Some(label) = label {
            self.frame().labels.push((label, target));
        }
        target
    }

    /// Closes a target, and all targets that an error has left open inside it.
    pub(super) fn close(&mut self, target: usize) -> LeaveTarget {
        self.frame().labels.retain(|&(_, open)| open < target);
        self.targets.truncate(target + 1);
        self.targets.pop().expect("opened before")
    }

    /// Builds the body of an opened target, and closes the target.
    fn within(
        &mut self,
        target: usize,
        pos: Pos,
        fill: impl FnOnce(&mut Lower) -> OrNoValue<LoweredValue>,
    ) -> (LeaveTarget, BuiltArm) {
        let mut arm = self.body(|lower| {
            let value = fill(lower)?;
            lower.bring_to(target, &value, pos)
        });
        let mut target = self.close(target);
        target.note(arm.end);
        if self.patch(&mut arm, &target.join, pos).is_err() {
            target.note(Err(NoValue::Failed));
        }
        (target, arm)
    }

    fn body(&mut self, fill: impl FnOnce(&mut Lower) -> OrNoValue<Option<ValueId>>) -> BuiltArm {
        self.b.begin_block();
        self.arms += 1;
        let (value, end) = match fill(self) {
            Ok(value) => (value, Ok(())),
            Err(stop) => (None, Err(stop)),
        };
        self.arms -= 1;
        BuiltArm { block: self.b.end_block(value), end }
    }

    fn bring_to(&mut self, target: usize, value: &LoweredValue, pos: Pos) -> OrNoValue<Option<ValueId>> {
        let mut join = mem::replace(&mut self.targets[target].join, Join::new(false));
        let brought = self.bring(&mut join, value, pos);
        self.targets[target].join = join;
        brought
    }

    fn labelled(&mut self, body: &SyntaxBlock, label: u32, pos: Pos) -> OrNoValue<LoweredValue> {
        let target = self.open(Some(label), Join::new(true));
        let (target, arm) = self.within(target, pos, |lower| lower.block(body));
        self.scope(target, arm, pos)
    }

    /// The body of an inlined function, as a scope that `return` jumps out of.
    pub(super) fn returning(
        &mut self,
        pos: Pos,
        body: impl FnOnce(&mut Lower) -> OrNoValue<LoweredValue>,
    ) -> OrNoValue<LoweredValue> {
        let target = self.open(None, Join::new(true));
        self.frame().returns = Some(target);
        let (target, arm) = self.within(target, pos, body);
        self.scope(target, arm, pos)
    }

    fn scope(&mut self, target: LeaveTarget, arm: BuiltArm, pos: Pos) -> OrNoValue<LoweredValue> {
        self.declare_joined(&target.join, pos)?;
        let result = self.emit(InstKind::Scope { label: target.label, body: arm.block }, pos)?;
        self.joined(target.join, result, pos)
    }

    fn while_(&mut self, condition: &Expr, body: &SyntaxBlock, label: u32, pos: Pos) -> OrNoValue<LoweredValue> {
        let leaves = leaves(condition);
        let target = self.open(Some(label), Join::new(false));
        let mut head = self.body(|lower| {
            let goes_on = lower.condition(condition)?;
            if leaves {
                lower.break_unless(goes_on, target, pos)?;
            }
            Ok(Some(goes_on))
        });
        let end = head.end;
        let always = leaves || head.block.value.and_then(|value| self.known(value)) == Some(Const::bool(true));
        let mut body = match end {
            Ok(()) => self.body(|lower| lower.block(body).map(|_| None)),
            // The end of the condition is unreachable: nothing else executes.
            Err(_) => BuiltArm { block: mem::take(&mut head.block), end },
        };
        let target = self.close(target);
        let forever = always || end.is_err();
        if always {
            // The instructions before a constant `true` execute in each iteration. So do those of a
            // condition that jumps out of loops, which only bodies may do.
            let first = mem::take(&mut head.block.insts);
            body.block.insts.splice(0..0, first);
        }
        let condition = if forever { None } else { Some(Box::new(head.block)) };
        let kind = InstKind::Loop { label: target.label, condition, body: body.block, continuing: Default::default() };
        self.emit(kind, pos)?;
        match body.end {
            Err(NoValue::Failed) => Err(NoValue::Failed),
            _ if forever && !target.broken => Err(NoValue::Left),
            _ => Ok(LoweredValue::UNIT),
        }
    }

    /// `if !goes_on { break; }`
    pub(super) fn break_unless(&mut self, goes_on: ValueId, target: usize, pos: Pos) -> OrNoValue<()> {
        self.b.begin_block();
        let then = self.b.end_block(None);
        self.b.begin_block();
        let left = self.leave(target, &LoweredValue::UNIT, pos);
        let otherwise = self.b.end_block(None);
        match left {
            Err(NoValue::Failed) => Err(NoValue::Failed),
            _ => self.emit(InstKind::If { condition: goes_on, then, otherwise }, pos).map(|_| ()),
        }
    }

    fn loop_(&mut self, body: &SyntaxBlock, label: u32, pos: Pos) -> OrNoValue<LoweredValue> {
        let target = self.open(Some(label), Join::new(false));
        let body = self.body(|lower| lower.block(body).map(|_| None));
        let mut target = self.close(target);
        if body.end == Err(NoValue::Failed) {
            target.note(body.end);
        }
        self.declare_joined(&target.join, pos)?;
        let continuing = Default::default();
        let kind = InstKind::Loop { label: target.label, condition: None, body: body.block, continuing };
        self.emit(kind, pos)?;
        self.joined(target.join, None, pos)
    }

    fn target(&mut self, label: u32, pos: Pos) -> OrNoValue<usize> {
        match self.frame().labels.iter().rev().find(|(open, _)| *open == label) {
            Some((_, target)) => Ok(*target),
            None => self.broken(format!("no loop around this has the label {label}"), pos),
        }
    }

    fn break_(&mut self, label: u32, value: Option<&Expr>, pos: Pos) -> OrNoValue<LoweredValue> {
        let value = value.map_or(Ok(LoweredValue::UNIT), |value| self.moved(value))?;
        let target = self.target(label, pos)?;
        self.leave(target, &value, pos)
    }

    pub(super) fn leave(&mut self, target: usize, value: &LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        let value = self.bring_to(target, value, pos)?;
        self.targets[target].broken = true;
        let label = self.targets[target].label;
        self.emit(InstKind::Break { label, value }, pos)?;
        Err(NoValue::Left)
    }

    fn continue_(&mut self, label: u32, pos: Pos) -> OrNoValue<LoweredValue> {
        let target = self.target(label, pos)?;
        self.go_on(target, pos).map(|()| LoweredValue::UNIT)
    }

    fn return_(&mut self, value: Option<&Expr>, pos: Pos) -> OrNoValue<LoweredValue> {
        let value = value.map_or(Ok(LoweredValue::UNIT), |value| self.moved(value))?;
        self.return_value(value, pos)
    }

    fn return_value(&mut self, value: LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        if let Some(target) = self.frame().returns {
            return self.leave(target, &value, pos);
        }
        if self.frame().is_kernel {
            self.emit(InstKind::Return(None), pos)?;
        } else {
            self.frame().returned = Some(value);
        }
        Err(NoValue::Left)
    }

    /// `value?`: returns `None` where the value is, and is what is in it otherwise.
    pub(super) fn try_(&mut self, value: &Expr, pos: Pos) -> OrNoValue<LoweredValue> {
        let value = self.value(value)?;
        let result = self.frame().read.tree.result;
        let (RustType::Variants(_), Some(result)) = (&value.ty, result) else {
            return self.broken(format!("`?` of `{}`", value.ty.show()), pos);
        };
        let result = self.ty(result, pos)?;
        let (goes_on, otherwise) = (self.has_succeeded(&value, pos)?, self.zero(&result, pos)?);
        let failed = match value.ty.part(2) {
            None => otherwise,
            Some(error) if result.part(2).as_ref() == Some(&error) => {
                let (of_result, error) = (self.part(&otherwise, 1, pos)?, self.part(&value, 2, pos)?);
                LoweredValue::parts(result, [self.variant_constant(1), of_result, error])
            }
            Some(_) => {
                return self.formless(
                    "`?` gives an error of another type on",
                    "a kernel does not run the `From` between the two",
                    "write `.map_err(|error| ..)` before `?`",
                    pos,
                );
            }
        };
        self.unless(goes_on, pos, |lower| lower.return_value(failed, pos).map(|_| ()))?;
        self.part(&value, 1, pos)
    }

    /// Has an `Option` or a `Result` a value? That is in the second variant of the one, and in the first of the other,
    /// which has an error besides.
    pub(super) fn has_succeeded(&mut self, value: &LoweredValue, pos: Pos) -> OrNoValue<ValueId> {
        let is_second = self.is_some(value, pos)?;
        match value.ty.part(2) {
            Some(_) => self.op(Op::Not, &[is_second], pos),
            None => Ok(is_second),
        }
    }

    /// An `Option` or a `Result` with a value.
    pub(super) fn succeeded(&mut self, ty: &RustType, value: LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        match ty.part(2) {
            None => Ok(LoweredValue::parts(ty.clone(), [self.variant_constant(1), value])),
            Some(error) => {
                let error = self.zero(&error, pos)?;
                Ok(LoweredValue::parts(ty.clone(), [self.variant_constant(0), value, error]))
            }
        }
    }

    /// K0702: a function calls itself.
    pub(super) fn recursion<T>(&mut self, first: usize, pos: Pos) -> OrNoValue<T> {
        let names: Vec<String> = self.frames[first..].iter().map(|frame| frame.read.tree.name.clone()).collect();
        let again = names.first().cloned().unwrap_or_default();
        let message = match names.len() {
            1 => format!("`{again}` calls itself"),
            n => format!("`{again}` calls itself through {} other function{}", n - 1, if n > 2 { "s" } else { "" }),
        };
        let mut report = Diagnostic::new(Code::K0702, message).at(pos, format!("calls `{again}` again"));
        let calls: Vec<Pos> = self.frames[first..].iter().map(|frame| frame.called).collect();
        // Of a long chain, only the ends are shown.
        for (i, (name, call)) in names.iter().zip(calls).enumerate() {
            if i < 6 || i + 2 > names.len() {
                report = report.and(call, format!("calls `{name}`"));
            }
        }
        self.fail(report.note("functions are inlined, so that none can call itself").help("use a loop"))
    }
}

impl LeaveTarget {
    /// Records how a path to its end has stopped.
    pub(super) fn note(&mut self, end: OrNoValue<()>) {
        self.join.note(end);
    }
}
