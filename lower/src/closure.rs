//! Closures: made where they stand, inlined where they are called.
//!
//! A [`FunctionValue`] is a body and the frame that it was made in. That frame is below the caller's
//! on the stack of frames, as closures are handed down only. A call enters a copy of it: names of
//! the surroundings stand for the same places, and names of the body's own are bound anew.

use std::rc::Rc;

use tilewise_ast::{ClosureCopy, ClosureParam, Expr, ExprKind, Mode, Pattern, SyntaxParam};

use super::builtin::takes_places;
use super::scan::returns;
use super::sequence::Sequence;
use super::state::{CallFrame, Lower, MAX_CALLS, NameBinding, NoValue, OrNoValue};
use super::value::{LoweredValue, RustPlace, SpotRoot};
use super::{Form, FormLink, SequenceSource};
use tilewise_ir::diag::{Code, Diagnostic};
use tilewise_ir::pos::Pos;

/// A closure, or a function by its name.
#[derive(Debug)]
pub(super) struct FunctionValue {
    /// The position on the stack of the frame that it was made in.
    frame: usize,
    params: Vec<ClosureParam>,
    body: FunctionBody,
    /// What a `move` closure has copied: names with their bindings, the closure's own.
    own: Vec<(u32, NameBinding)>,
}

/// A closure that a name or a parameter stands for.
#[derive(Clone, Debug)]
pub(super) struct FunctionBinding {
    pub(super) function: Rc<FunctionValue>,
    /// Is it a reference to the closure? Its copies are the same closure.
    lent: bool,
}

/// What a call of it is.
#[derive(Clone, Debug)]
enum FunctionBody {
    /// The body of a closure.
    Closure(Expr),
    /// A call of a function.
    Item(Form),
}

/// An argument of a function.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    /// A value or a place.
    Spot(RustPlace),
    /// A closure.
    Function(FunctionBinding),
    /// An iterator.
    Iterator(Sequence),
}

impl FunctionValue {
    /// The body, if it is a closure's.
    pub(super) const fn closure(&self) -> Option<&Expr> {
        match &self.body {
            FunctionBody::Closure(body) => Some(body),
            FunctionBody::Item(_) => None,
        }
    }

    /// The functions that its body names by their slots.
    pub(super) fn links<'f>(&self, frames: &'f [CallFrame]) -> &'f [FormLink] {
        frames.get(self.frame).map_or(&[], |frame| &frame.function.links)
    }

    /// The values of the captured names of the function that it stands in.
    pub(super) fn captures<'f>(&self, frames: &'f [CallFrame]) -> &'f [LoweredValue] {
        frames.get(self.frame).map_or(&[], |frame| &frame.captures)
    }

    /// What a name in its body stands for: one of its own, or one of its surroundings.
    pub(super) fn binding<'f>(&'f self, frames: &'f [CallFrame], local: u32) -> Option<&'f NameBinding> {
        let own = self.own.iter().find(|(name, _)| *name == local).map(|(_, binding)| binding);
        own.or_else(|| frames.get(self.frame)?.locals.get(local as usize))
    }

    /// The function, if it is one.
    pub(super) const fn item(&self) -> Option<&Form> {
        match &self.body {
            FunctionBody::Closure(_) => None,
            FunctionBody::Item(form) => Some(form),
        }
    }

    /// Has it variables of its own, which a copy has for itself?
    fn has_state(&self) -> bool {
        self.own.iter().any(|(_, binding)| match binding {
            NameBinding::To(place) => !matches!(place.at, SpotRoot::Value(_)),
            NameBinding::Function(bound) => !bound.lent && bound.function.has_state(),
            NameBinding::Lent(_) | NameBinding::Iterator(_) | NameBinding::Nothing | NameBinding::Broken => false,
        })
    }
}

impl Lower {
    /// The closure that an expression is, or the one that it names: a copy, or a reference to it.
    pub(super) fn function_value(&mut self, expr: &Expr) -> OrNoValue<FunctionBinding> {
        let pos = self.pos(expr.at);
        match &expr.kind {
            ExprKind::Ref(_, inner) => {
                let function = self.nested(pos, |lower| lower.lent_function(inner))?;
                Ok(FunctionBinding { function, lent: true })
            }
            ExprKind::Deref(inner) => {
                let function = self.nested(pos, |lower| lower.lent_function(inner))?;
                self.copied_function(FunctionBinding { function, lent: false }, pos)
            }
            ExprKind::Local(local) => match self.frame().locals.get(*local as usize) {
                Some(NameBinding::Function(bound)) => {
                    let bound = bound.clone();
                    self.copied_function(bound, pos)
                }
                _ => Ok(FunctionBinding { function: self.lent_function(expr)?, lent: false }),
            },
            _ => Ok(FunctionBinding { function: self.lent_function(expr)?, lent: false }),
        }
    }

    /// The same closure, not a copy of it.
    fn lent_function(&mut self, expr: &Expr) -> OrNoValue<Rc<FunctionValue>> {
        let pos = self.pos(expr.at);
        match &expr.kind {
            ExprKind::Closure(copies, params, body) => self.make_closure(copies, params, body, pos),
            ExprKind::Function(link) | ExprKind::CaptureOrFunction(_, link) | ExprKind::ConstOrFunction(_, link) => {
                self.function_item(*link, pos)
            }
            ExprKind::Ref(_, inner) | ExprKind::Deref(inner) => self.nested(pos, |lower| lower.lent_function(inner)),
            ExprKind::Local(local) => match self.frame().locals.get(*local as usize) {
                Some(NameBinding::Function(bound)) => Ok(bound.function.clone()),
                Some(NameBinding::Broken) => Err(NoValue::Failed),
                _ => self.broken("a name that stands for no closure", pos),
            },
            _ => self.formless(
                "the called value is no closure of the kernel",
                "a function is passed on as a closure that calls it",
                "write `|x| f(x)`",
                pos,
            ),
        }
    }

    /// A copy of a closure that is no reference to one.
    pub(super) fn copied_closure(&mut self, function: &Rc<FunctionValue>, pos: Pos) -> OrNoValue<Rc<FunctionValue>> {
        let bound = FunctionBinding { function: function.clone(), lent: false };
        self.copied_function(bound, pos).map(|copy| copy.function)
    }

    /// A copy of a closure, with variables of its own for those that it may change; of a reference to
    /// one, the reference.
    fn copied_function(&mut self, bound: FunctionBinding, pos: Pos) -> OrNoValue<FunctionBinding> {
        if bound.lent || !bound.function.has_state() {
            return Ok(bound);
        }
        let FunctionValue { frame, params, body, own } = &*bound.function;
        let mut copies = Vec::new();
        for (local, binding) in own {
            copies.push((*local, self.copied_binding(binding, pos)?));
        }
        let copy = FunctionValue { frame: *frame, params: params.clone(), body: body.clone(), own: copies };
        Ok(FunctionBinding { function: Rc::new(copy), lent: false })
    }

    /// A name of a closure's own, for a copy of the closure.
    fn copied_binding(&mut self, binding: &NameBinding, pos: Pos) -> OrNoValue<NameBinding> {
        match binding {
            NameBinding::To(place) if !matches!(place.at, SpotRoot::Value(_)) => {
                let value = self.load(place, pos)?;
                self.changing("copy", &value, pos).map(NameBinding::To)
            }
            NameBinding::Function(bound) => {
                let bound = bound.clone();
                self.nested(pos, |lower| lower.copied_function(bound, pos)).map(NameBinding::Function)
            }
            NameBinding::To(_)
            | NameBinding::Lent(_)
            | NameBinding::Iterator(_)
            | NameBinding::Nothing
            | NameBinding::Broken => Ok(binding.clone()),
        }
    }

    fn make_closure(
        &mut self,
        copies: &[ClosureCopy],
        params: &[ClosureParam],
        body: &Expr,
        pos: Pos,
    ) -> OrNoValue<Rc<FunctionValue>> {
        let mut own = Vec::new();
        for ClosureCopy { copy, original } in copies {
            match self.frame().locals.get(*original as usize).cloned() {
                // A reference, a closure or an iterator.
                Some(binding @ (NameBinding::Lent(_) | NameBinding::Function(_) | NameBinding::Iterator(_))) => {
                    let binding = self.copied_binding(&binding, pos)?;
                    self.bind_name(*copy, binding, pos)?;
                }
                _ => {
                    let place = self.place(&Expr { kind: ExprKind::Local(*original), at: body.at })?;
                    let value = self.load(&place, pos)?;
                    self.bind_value(*copy, &value, pos)?;
                }
            }
            if let Some(binding) = self.frame().locals.get(*copy as usize) {
                own.push((*copy, binding.clone()));
            }
        }
        let frame = self.frames.len() - 1;
        let body = FunctionBody::Closure(body.clone());
        Ok(Rc::new(FunctionValue { frame, params: params.to_vec(), body, own }))
    }

    /// A function that is handed on by its name.
    fn function_item(&mut self, link: u32, pos: Pos) -> OrNoValue<Rc<FunctionValue>> {
        let form = self.link(link, pos)?();
        let params = match &form {
            Form::Function(function) => {
                let read = self.read(function, pos)?;
                let param = |param: &SyntaxParam| ClosureParam { pattern: Pattern::Wild, mode: param.mode };
                read.tree.params.iter().map(param).collect()
            }
            Form::Builtin(_) => Vec::new(),
        };
        Ok(Rc::new(FunctionValue { frame: 0, params, body: FunctionBody::Item(form), own: Vec::new() }))
    }

    /// `f(x)`
    pub(super) fn invoke(&mut self, local: u32, args: &[Expr], pos: Pos) -> OrNoValue<LoweredValue> {
        let function = self.lent_function(&Expr { kind: ExprKind::Local(local), at: Default::default() })?;
        let is_builtin = matches!(function.body, FunctionBody::Item(Form::Builtin(_)));
        if function.params.len() != args.len() && !is_builtin {
            return self.broken(format!("a closure with {} arguments, not {}", args.len(), function.params.len()), pos);
        }
        let mut loans = Vec::new();
        let spots = self.while_lent(pos, |lower| {
            let mut spots = Vec::new();
            for (i, arg) in args.iter().enumerate() {
                // A parameter without a type takes references too.
                let by_place = match function.params.get(i).map_or(Mode::Value, |param| param.mode) {
                    Mode::Ref | Mode::RefMut => true,
                    Mode::Value | Mode::Function | Mode::Iterator => lower.is_reference(arg),
                };
                spots.push(match by_place {
                    true => lower.lent(arg, &mut loans)?,
                    false => RustPlace::value(lower.value(arg)?),
                });
            }
            Ok(spots)
        })?;
        let result = self.apply(&function, spots, pos)?;
        self.written_back(&loans, pos)?;
        Ok(result)
    }

    /// Is it `&place`, or a name that is a reference?
    pub(super) fn is_reference(&mut self, arg: &Expr) -> bool {
        matches!(arg.kind, ExprKind::Ref(..)) || self.is_lent_name(arg)
    }

    /// Is it the name of a reference?
    pub(super) fn is_lent_name(&mut self, expr: &Expr) -> bool {
        let ExprKind::Local(local) = &expr.kind else { return false };
        matches!(self.frame().locals.get(*local as usize), Some(NameBinding::Lent(_)))
    }

    /// The body of a closure, with these arguments.
    pub(super) fn apply(
        &mut self,
        function: &FunctionValue,
        args: Vec<RustPlace>,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let closure = match &function.body {
            FunctionBody::Closure(body) => body,
            FunctionBody::Item(Form::Function(function)) => return self.inline(function.clone(), args, pos),
            FunctionBody::Item(Form::Builtin(builtin)) if takes_places(builtin) => {
                return self.builtin_at(builtin, &args, pos);
            }
            FunctionBody::Item(Form::Builtin(builtin)) => {
                let args = args.iter().map(|arg| self.load(arg, pos)).collect::<OrNoValue<Vec<_>>>()?;
                return self.builtin(builtin, args, pos);
            }
        };
        self.entered(function, args, pos, |lower| match returns(closure) {
            true => lower.returning(pos, |lower| lower.moved(closure)),
            false => lower.moved(closure),
        })
    }

    /// The loop over what a function gives for an item: over an array, a range, another iterator.
    pub(super) fn each_given(
        &mut self,
        function: &FunctionValue,
        source: SequenceSource,
        item: RustPlace,
        pos: Pos,
        each: &mut dyn FnMut(&mut Lower, Sequence) -> OrNoValue<()>,
    ) -> OrNoValue<()> {
        let FunctionBody::Closure(closure) = &function.body else {
            let value = self.apply(function, vec![item], pos)?;
            let given = self.items_of(RustPlace::value(value), source, pos)?;
            return each(self, given);
        };
        if returns(closure) {
            return self.formless(
                "a closure leaves by `return` what is iterated over",
                "in a kernel, it is made where the closure ends",
                "let the last expression of the closure be the iterator",
                pos,
            );
        }
        // The names of the closure last as long as the loop, whose body is that of the caller.
        let caller = self.frame().clone();
        self.entered(function, vec![item], pos, |lower| {
            let given = lower.given_items(closure, source, pos)?;
            lower.frames.push(caller);
            let end = each(lower, given);
            lower.frames.pop();
            end
        })
    }

    /// Enters a closure with these arguments.
    fn entered<R>(
        &mut self,
        function: &FunctionValue,
        args: Vec<RustPlace>,
        pos: Pos,
        within: impl FnOnce(&mut Lower) -> OrNoValue<R>,
    ) -> OrNoValue<R> {
        let Some(made_in) = self.frames.get(function.frame) else {
            return self.broken("a closure outlives what it was made in", pos);
        };
        let mut frame = CallFrame {
            function: made_in.function.clone(),
            read: made_in.read.clone(),
            source: made_in.source,
            locals: made_in.locals.clone(),
            captures: made_in.captures.clone(),
            functions: Vec::new(),
            labels: Vec::new(),
            returns: None,
            is_kernel: false,
            returned: None,
            called: pos,
        };
        if self.frames.len() > MAX_CALLS {
            let report = Diagnostic::new(Code::K0705, format!("calls are nested more than {MAX_CALLS} deep"))
                .at(pos, "calls a closure");
            return self.end(report);
        }
        self.spend(frame.locals.len() as u64, pos)?;
        for (local, binding) in &function.own {
            if let Some(bound) = frame.locals.get_mut(*local as usize) {
                *bound = binding.clone();
            }
        }
        self.frames.push(frame);
        let value = self.nested(pos, |lower| {
            for (param, arg) in function.params.iter().zip(args) {
                lower.bind_argument(&param.pattern, param.mode, arg, pos)?;
            }
            within(lower)
        });
        self.frames.pop();
        value
    }
}
