//! Closures: made where they stand, inlined where they are called.
//!
//! A [`FunctionValue`] is a body and the frame that it was made in. That frame is below the caller's
//! on the stack of frames, as closures are handed down only. A call enters a copy of it: names of
//! the surroundings stand for the same places, and names of the body's own are bound anew.

use std::rc::Rc;

use tilewise_ast::{ClosureCopy, ClosureParam, Expr, ExprKind, Mode, Pattern, SyntaxParam};

use super::Form;
use super::builtin::takes_places;
use super::scan::returns;
use super::state::{CallFrame, Lower, MAX_CALLS, NameBinding, NoValue, OrNoValue};
use super::value::{LoweredValue, RustPlace, SpotRoot};
use tilewise_ir::diag::{Code, Diagnostic};
use tilewise_ir::pos::Pos;

/// A closure, or a function by its name.
#[derive(Debug)]
pub(super) struct FunctionValue {
    /// The position on the stack of the frame that it was made in.
    frame: usize,
    params: Vec<ClosureParam>,
    body: FunctionBody,
    /// What a `move` closure has copied: names with their places, the closure's own.
    own: Vec<(u32, RustPlace)>,
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
    Function(Rc<FunctionValue>),
}

impl Lower {
    /// The closure that an expression is, or the one that it names.
    pub(super) fn function_value(&mut self, expr: &Expr) -> OrNoValue<Rc<FunctionValue>> {
        let pos = self.pos(expr.at);
        match &expr.kind {
            ExprKind::Closure(copies, params, body) => self.make_closure(copies, params, body, pos),
            ExprKind::Ref(_, inner) | ExprKind::Deref(inner) => self.nested(pos, |lower| lower.lent_function(inner)),
            ExprKind::Local(_) => {
                let function = self.lent_function(expr)?;
                self.copied_function(function, pos)
            }
            _ => self.lent_function(expr),
        }
    }

    /// The same closure, not a copy of it.
    fn lent_function(&mut self, expr: &Expr) -> OrNoValue<Rc<FunctionValue>> {
        let pos = self.pos(expr.at);
        match &expr.kind {
            ExprKind::Closure(copies, params, body) => self.make_closure(copies, params, body, pos),
            ExprKind::Function(link) | ExprKind::CaptureOrFunction(_, link) => self.function_item(*link, pos),
            ExprKind::Ref(_, inner) | ExprKind::Deref(inner) => self.nested(pos, |lower| lower.lent_function(inner)),
            ExprKind::Local(local) => match self.frame().locals.get(*local as usize) {
                Some(NameBinding::Function(function)) => Ok(function.clone()),
                Some(NameBinding::Broken) => Err(NoValue::Failed),
                _ => self.broken("a name that stands for no closure", pos),
            },
            _ => self.formless(
                "what is called here is no closure of the kernel",
                "a function is passed on as a closure that calls it",
                "write `|x| f(x)`",
                pos,
            ),
        }
    }

    /// A copy of a closure, with variables of its own for those that it may change.
    fn copied_function(&mut self, function: Rc<FunctionValue>, pos: Pos) -> OrNoValue<Rc<FunctionValue>> {
        if function.own.iter().all(|(_, place)| matches!(place.at, SpotRoot::Value(_))) {
            return Ok(function);
        }
        let mut own = Vec::new();
        for (local, place) in &function.own {
            let value = self.load(place, pos)?;
            own.push((*local, self.variable("copy", &value.ty, Some(&value), pos)?));
        }
        let FunctionValue { frame, params, body, .. } = &*function;
        Ok(Rc::new(FunctionValue { frame: *frame, params: params.clone(), body: body.clone(), own }))
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
            let original = Expr { kind: ExprKind::Local(*original), at: body.at };
            let place = self.place(&original)?;
            let value = self.load(&place, pos)?;
            self.bind_value(*copy, &value, pos)?;
            if let Some(NameBinding::To(place)) = self.frame().locals.get(*copy as usize) {
                own.push((*copy, place.clone()));
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
        let (mut spots, mut loans) = (Vec::new(), Vec::new());
        for (i, arg) in args.iter().enumerate() {
            let mode = function.params.get(i).map_or(Mode::Value, |param| param.mode);
            spots.push(match (mode, &arg.kind) {
                (Mode::Value, ExprKind::Ref(..)) | (Mode::Ref | Mode::RefMut, _) => self.lent(arg, &mut loans)?,
                (Mode::Value | Mode::Function, _) => RustPlace::value(self.value(arg)?),
            });
        }
        let result = self.apply(&function, spots, pos)?;
        self.written_back(&loans, pos)?;
        Ok(result)
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
            returned: None,
            called: pos,
        };
        if self.frames.len() > MAX_CALLS {
            let report = Diagnostic::new(Code::K0705, format!("calls are nested more than {MAX_CALLS} deep"))
                .at(pos, "calls a closure");
            return self.end(report);
        }
        self.spend(frame.locals.len() as u64, pos)?;
        for (local, place) in &function.own {
            if let Some(bound) = frame.locals.get_mut(*local as usize) {
                *bound = NameBinding::To(place.clone());
            }
        }
        self.frames.push(frame);
        let value = self.nested(pos, |lower| {
            for (param, arg) in function.params.iter().zip(args) {
                lower.bind_argument(&param.pattern, param.mode, arg, pos)?;
            }
            match returns(closure) {
                true => lower.returning(pos, |lower| lower.value(closure)),
                false => lower.value(closure),
            }
        });
        self.frames.pop();
        value
    }
}
