//! Functions: each call is inlined, with its arguments as they are, pointers too.

use std::collections::{HashMap, HashSet};

use naga::valid::FunctionInfo;
use naga::{Expression, Function, Handle, LocalVariable, Statement};
use tilewise_ir::kernel::{Init, InstKind, LabelId, LocalId, Place, Root};
use tilewise_ir::types::TypeId;

use crate::ShaderImporter;
use crate::feature::ShaderFeature;
use crate::short::ShortCircuits;
use crate::uses::{ExpressionSet, needed, returns};
use crate::value::ShaderValue;

/// The function being walked: one call of it.
pub(crate) struct FunctionFrame<'m> {
    pub(crate) function: &'m Function,
    pub(crate) info: &'m FunctionInfo,
    /// The values of the expressions computed so far.
    pub(crate) values: HashMap<Handle<Expression>, ShaderValue>,
    pub(crate) locals: HashMap<Handle<LocalVariable>, LocalId>,
    pub(crate) args: Vec<ShaderValue>,
    pub(crate) exit: FunctionExit,
    /// The value of a `return` at the very end.
    pub(crate) returned: Option<ShaderValue>,
    /// Has a `return` been reached?
    pub(crate) has_returned: bool,
    /// The loops and `switch`es around, the innermost last.
    pub(crate) targets: Vec<JumpTarget>,
    /// The loops and `switch`es that a `break` leaves which can be reached.
    pub(crate) left: HashSet<LabelId>,
    /// Values of loop bodies that continuing parts use: they pass through variables.
    pub(crate) carried: HashMap<Handle<Expression>, (LocalId, TypeId)>,
    /// The operators `&&` and `||`, and the values of those that have been computed, by the loads that give them.
    pub(crate) operators: ShortCircuits,
    pub(crate) decided: HashMap<Handle<Expression>, ShaderValue>,
    /// The number of calls around.
    depth: u32,
    /// The expressions whose values are needed, once somebody has asked.
    needed: Option<ExpressionSet>,
}

/// What `return` does.
#[derive(Clone, Copy)]
pub(crate) enum FunctionExit {
    /// Ends the thread.
    Thread,
    /// The function ends with its only `return`.
    Tail,
    /// Leaves a scope with the value.
    Value(LabelId),
    /// Leaves a scope; the value, if there is one, is in a variable.
    Variable(LabelId, Option<(LocalId, TypeId)>),
}

/// What `break` and `continue` refer to.
#[derive(Clone, Copy)]
pub(crate) enum JumpTarget {
    Loop(LabelId),
    /// A `switch`, in the scope that its `break`s leave.
    Switch(LabelId),
}

/// The greatest depth of calls.
const MAX_CALLS: u32 = 64;

impl<'m> FunctionFrame<'m> {
    pub(crate) fn new(
        function: &'m Function,
        info: &'m FunctionInfo,
        args: Vec<ShaderValue>,
        exit: FunctionExit,
        depth: u32,
    ) -> FunctionFrame<'m> {
        FunctionFrame {
            function,
            info,
            values: HashMap::new(),
            locals: HashMap::new(),
            args,
            exit,
            returned: None,
            has_returned: false,
            targets: Vec::new(),
            left: HashSet::new(),
            carried: HashMap::new(),
            operators: ShortCircuits::of(function),
            decided: HashMap::new(),
            depth,
            needed: None,
        }
    }

    /// Does the function need the value of this expression?
    pub(crate) fn needs(&mut self, of: Handle<Expression>) -> bool {
        let function = self.function;
        self.needed.get_or_insert_with(|| needed(function)).contains(&of)
    }
}

impl<'m> ShaderImporter<'m> {
    /// Declares the local variables of a function.
    pub(crate) fn declare_locals(&mut self, frame: &mut FunctionFrame<'m>) {
        let function = frame.function;
        for (handle, variable) in function.local_variables.iter() {
            if frame.operators.is_of_operator(handle) {
                continue;
            }
            if !self.has_room() {
                return;
            }
            self.pos = self.source.pos(function.local_variables.get_span(handle));
            let ty = self.memory_type(variable.ty);
            let init = variable.init.map(|init| self.value(frame, init));
            let local = self.builder.local(variable.name.as_deref().unwrap_or("local"), ty);
            let (first, rest) = match init {
                Some(ShaderValue::Data(value)) => (Init::Value(value), None),
                Some(value @ (ShaderValue::Parts(_) | ShaderValue::Memory(_))) => (Init::Zero, Some(value)),
                _ => (Init::Zero, None),
            };
            let pos = self.pos;
            self.builder.emit(InstKind::Declare { local, init: first }, pos);
            if let Some(value) = rest {
                self.store(&Place { root: Root::Local(local), path: Vec::new() }, value, ty);
            }
            frame.locals.insert(handle, local);
        }
    }

    /// Inlines a call; returns its result, and whether the function ever comes back.
    pub(crate) fn call(
        &mut self,
        frame: &FunctionFrame<'m>,
        callee: Handle<Function>,
        args: Vec<ShaderValue>,
    ) -> (ShaderValue, bool) {
        if frame.depth >= MAX_CALLS {
            return (self.refuse(ShaderFeature::CallDepth), true);
        }
        let (module, info) = (self.module, self.info);
        let function = &module.functions[callee];
        let here = self.pos;
        let result = function.result.as_ref().map(|result| self.memory_type(result.ty));
        let ends_with_return = matches!(function.body.last(), Some(Statement::Return { .. }));
        let is_tail = match returns(&function.body) {
            0 => true,
            1 => ends_with_return,
            _ => false,
        };
        let exit = match result {
            _ if is_tail => FunctionExit::Tail,
            Some(ty) if self.builder.types().value(ty).is_some() => FunctionExit::Value(self.builder.label(None)),
            _ => {
                let variable = result.and_then(|ty| match self.temporary("result", ty, Init::Zero).root {
                    Root::Local(local) => Some((local, ty)),
                    _ => None,
                });
                FunctionExit::Variable(self.builder.label(None), variable)
            }
        };
        let mut inner = FunctionFrame::new(function, &info[callee], args, exit, frame.depth + 1);
        let completes;
        let value = match exit {
            FunctionExit::Thread | FunctionExit::Tail => {
                self.declare_locals(&mut inner);
                completes = self.block(&mut inner, &function.body, true);
                inner.returned.take().unwrap_or(ShaderValue::Refused)
            }
            FunctionExit::Value(label) | FunctionExit::Variable(label, _) => {
                self.builder.begin_block();
                self.declare_locals(&mut inner);
                completes = self.block(&mut inner, &function.body, true);
                let body = self.builder.end_block(None);
                self.pos = here;
                let scope = self.builder.emit(InstKind::Scope { label, body }, here);
                match exit {
                    FunctionExit::Variable(_, Some((local, ty))) => {
                        self.load(&Place { root: Root::Local(local), path: Vec::new() }, ty)
                    }
                    FunctionExit::Variable(_, None) => ShaderValue::Refused,
                    _ => scope.map_or(ShaderValue::Refused, ShaderValue::Data),
                }
            }
        };
        self.pos = here;
        (value, completes || inner.has_returned)
    }
}
