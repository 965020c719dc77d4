//! Calls: arguments for parameters, and the inlining of functions.

use std::ptr;
use std::rc::Rc;

use tilewise_ast::{Expr, ExprKind, Mode, Pattern, SyntaxTree};

use super::builtin::takes_places;
use super::closure::{Argument, FunctionValue};
use super::loan::ElementLoan;
use super::scan::binds;
use super::state::{CallFrame, Lower, MAX_CALLS, NameBinding, NoValue, OrNoValue};
use super::types::TypeContents;
use super::value::{LoweredValue, RustPlace, SpotRoot};
use super::{Form, RustBuiltin, RustFunction, RustType};
use tilewise_ir::diag::{Code, Diagnostic};
use tilewise_ir::kernel::{Place, Root};
use tilewise_ir::pos::Pos;

impl Lower {
    /// A call of the link's target.
    pub(super) fn call(&mut self, link: u32, args: &[Expr], pos: Pos) -> OrNoValue<LoweredValue> {
        match self.link(link, pos)?() {
            Form::Function(function) => {
                let mut loans = Vec::new();
                let args = self.arguments(&function, args, &mut loans, pos)?;
                let result = self.called(function, args, pos)?;
                self.written_back(&loans, pos)?;
                Ok(result)
            }
            Form::Builtin(RustBuiltin::OfOption(method, result)) => self.option_method(method, &result, args, pos),
            Form::Builtin(RustBuiltin::Sequence(call)) => self.sequence_method(&call, args, pos),
            // Refused, whatever the arguments are: one may be a closure, which is no value.
            Form::Builtin(builtin @ RustBuiltin::OtherOrder(_)) => self.builtin(&builtin, Vec::new(), pos),
            Form::Builtin(builtin) if takes_places(&builtin) => {
                let mut loans = Vec::new();
                let takes = self.taken_places(&builtin);
                let args = self.while_lent(pos, |lower| {
                    let lent = args.iter().enumerate().map(|(i, arg)| match takes.get(i) {
                        // A value is read before later arguments, which may change its variable, are evaluated.
                        Some(false) => Ok(RustPlace::value(lower.value(arg)?)),
                        Some(true) | None => lower.lent(arg, &mut loans),
                    });
                    lent.collect::<OrNoValue<Vec<_>>>()
                })?;
                if !matches!(builtin, RustBuiltin::Swap | RustBuiltin::Replace | RustBuiltin::Take(_)) {
                    args.first()
                        .map_or(Ok(()), |first| self.is_no_deref(&first.ty, "what this is a method of", pos))?;
                }
                let result = self.builtin_at(&builtin, &args, pos)?;
                self.written_back(&loans, pos)?;
                Ok(result)
            }
            Form::Builtin(builtin) => {
                let args = args.iter().map(|arg| self.value(arg)).collect::<OrNoValue<Vec<_>>>()?;
                let of_enums = matches!(
                    builtin,
                    RustBuiltin::OfOrdering(_)
                        | RustBuiltin::Compare(_)
                        | RustBuiltin::Chosen(_)
                        | RustBuiltin::OtherOrder(_)
                );
                if !of_enums {
                    args.first()
                        .map_or(Ok(()), |first| self.is_no_deref(&first.ty, "what this is a method of", pos))?;
                }
                self.builtin(&builtin, args, pos)
            }
        }
    }

    /// Does the link's target give the `&mut self` that it takes?
    pub(super) fn gives_self(&mut self, expr: &Expr) -> OrNoValue<bool> {
        let ExprKind::Call(link, _) = &expr.kind else { return Ok(false) };
        let pos = self.pos(expr.at);
        match self.link(*link, pos)?() {
            Form::Function(function) => Ok(self.read(&function, pos)?.tree.gives_self),
            Form::Builtin(_) => Ok(false),
        }
    }

    /// Is it such a call, or has it one at its end: in a block, in an arm? Behind it, the `&mut` reference is a value,
    /// and which place that stands for may not be known.
    pub(super) fn ends_in_self(&mut self, expr: &Expr) -> OrNoValue<bool> {
        let mut ends = vec![expr];
        while let Some(end) = ends.pop() {
            match &end.kind {
                ExprKind::Call(..) if self.gives_self(end)? => return Ok(true),
                ExprKind::Block(body, _) => ends.extend(body.value.as_deref()),
                ExprKind::If(_, then, otherwise) => {
                    let arms = [Some(then), otherwise.as_ref()].into_iter().flatten();
                    ends.extend(arms.filter_map(|arm| arm.value.as_deref()));
                }
                ExprKind::Match(_, arms) => ends.extend(arms.iter().map(|arm| &arm.body)),
                _ => {}
            }
        }
        Ok(false)
    }

    /// Refuses to change what stands at the end of a block or an arm, or a part of it: that is a copy here.
    pub(super) fn refuse_changed_end(&mut self, changed: &Expr) -> OrNoValue<()> {
        let mut whole = changed;
        while let ExprKind::Field(base, _)
        | ExprKind::Index(base, ..)
        | ExprKind::Ref(_, base)
        | ExprKind::Deref(base) = &whole.kind
        {
            whole = base;
        }
        if !matches!(whole.kind, ExprKind::Call(..)) && self.ends_in_self(whole)? {
            let pos = self.pos(whole.at);
            return self.changed_end(pos);
        }
        Ok(())
    }

    /// Of a reference at the end of a block or an arm that is changed behind it, or gets a name.
    pub(super) fn changed_end<T>(&mut self, pos: Pos) -> OrNoValue<T> {
        self.formless(
            "a `&mut` reference is used as a value",
            "which place it stands for can not change while a kernel runs: behind a block or an arm there is a copy",
            "change it in the block, or in each arm",
            pos,
        )
    }

    /// The place that such a call gives: that of its receiver.
    pub(super) fn receiver_place(&mut self, link: u32, args: &[Expr], pos: Pos) -> OrNoValue<RustPlace> {
        let Form::Function(function) = self.link(link, pos)?() else {
            return self.broken("a method without a body", pos);
        };
        let mut loans = Vec::new();
        let mut args = self.arguments(&function, args, &mut loans, pos)?;
        let Some(Argument::Spot(receiver)) = args.first_mut() else {
            return self.broken("a method without a receiver", pos);
        };
        // An element of a local array is changed in its place, as the next method and what keeps the result go on there.
        if let Some(loan) = loans.first().filter(|loan| loan.is_of(receiver) && loan.is_local()) {
            *receiver = loan.element.clone();
            loans.remove(0);
        }
        // What is no place is a variable of its own, which the next method changes too.
        if let SpotRoot::Value(value) = &receiver.at
            && value.ty.holds() == TypeContents::Scalars
        {
            let value = value.clone();
            *receiver = self.variable("receiver", &value.ty, Some(&value), pos)?;
        }
        let place = RustPlace { exclusive: true, ..receiver.clone() };
        self.called(function, args, pos)?;
        self.written_back(&loans, pos)?;
        Ok(place)
    }

    /// Evaluates the arguments in order, each as its parameter requires.
    fn arguments(
        &mut self,
        function: &RustFunction,
        args: &[Expr],
        loans: &mut Vec<ElementLoan>,
        pos: Pos,
    ) -> OrNoValue<Vec<Argument>> {
        self.while_lent(pos, |lower| lower.arguments_in_order(function, args, loans, pos))
    }

    fn arguments_in_order(
        &mut self,
        function: &RustFunction,
        args: &[Expr],
        loans: &mut Vec<ElementLoan>,
        pos: Pos,
    ) -> OrNoValue<Vec<Argument>> {
        let read = self.read(function, pos)?;
        if read.tree.params.len() != args.len() {
            let why = format!("`{}` with {} arguments, not {}", read.tree.name, args.len(), read.tree.params.len());
            return self.broken(why, pos);
        }
        let mut spots = Vec::new();
        for (param, arg) in read.tree.params.iter().zip(args) {
            let at = self.pos(arg.at);
            match param.mode {
                Mode::Function => {
                    spots.push(Argument::Function(self.function_value(arg)?));
                    continue;
                }
                Mode::Iterator => {
                    spots.push(Argument::Iterator(self.handed_iterator(arg)?));
                    continue;
                }
                Mode::Value | Mode::Ref | Mode::RefMut => {}
            }
            let wanted = function.types.get(param.ty as usize);
            let shared = matches!(wanted, Some(RustType::TileStatic(_)));
            let spot = match param.mode {
                Mode::Value if !shared => RustPlace::value(self.value(arg)?),
                Mode::RefMut => self.lent(arg, loans)?,
                Mode::Value | Mode::Ref | Mode::Function | Mode::Iterator => {
                    let spot = self.place(arg)?;
                    // For a shared reference to an element, the element is loaded here, as in the
                    // closure: views may overlap, and the value must not change in the meantime.
                    // The same holds for `tile_static` memory, which other threads change at
                    // barriers.
                    let of_many = |place: &Place| matches!(place.root, Root::View { .. } | Root::Tile(_));
                    let is_copy = is_element(arg) || matches!(&spot.at, SpotRoot::Memory(place) if of_many(place));
                    if is_copy && !shared && !matches!(arg.kind, ExprKind::Deref(_)) {
                        RustPlace::value(self.load(&spot, at)?)
                    } else {
                        spot
                    }
                }
            };
            let wanted = wanted.map(|ty| if let RustType::TileStatic(inner) = ty { inner } else { ty });
            if let Some(wanted) = wanted.filter(|wanted| **wanted != spot.ty) {
                self.is_no_deref(&spot.ty, &format!("a `{}`", wanted.show()), at)?;
            }
            spots.push(Argument::Spot(spot));
        }
        Ok(spots)
    }

    /// The place of an argument. Of an element by `&mut` it is a copy, as in the closure, which
    /// [`Lower::written_back`] stores when the call is done.
    pub(super) fn lent(&mut self, arg: &Expr, loans: &mut Vec<ElementLoan>) -> OrNoValue<RustPlace> {
        let place = self.lent_place(arg, loans)?;
        let exclusive = place.exclusive || matches!(arg.kind, ExprKind::Ref(true, _));
        Ok(RustPlace { exclusive, ..place })
    }

    fn lent_place(&mut self, arg: &Expr, loans: &mut Vec<ElementLoan>) -> OrNoValue<RustPlace> {
        self.refuse_changed_end(arg)?;
        let place = self.place(arg)?;
        let at = self.pos(arg.at);
        match &arg.kind {
            // A reference to a value that is no place refers to a copy, here too.
            ExprKind::Ref(true, _) => match &place.at {
                SpotRoot::Value(value) if value.ty.holds() == TypeContents::Scalars => {
                    self.variable("lent", &value.ty, Some(value), at)
                }
                _ => self.lent_element(arg, place, loans),
            },
            _ => self.lent_element(arg, place, loans),
        }
    }

    /// The place of an argument that is an element or no reference.
    fn lent_element(&mut self, arg: &Expr, place: RustPlace, loans: &mut Vec<ElementLoan>) -> OrNoValue<RustPlace> {
        let at = self.pos(arg.at);
        match &arg.kind {
            // As for a function, a shared reference to a part of `tile_static` memory refers to a copy.
            ExprKind::Ref(false, inner) if is_tile_part(inner, &place) => Ok(RustPlace::value(self.load(&place, at)?)),
            ExprKind::Ref(mutable, inner) if is_element(inner) && place.ty.holds() == TypeContents::Scalars => {
                let value = self.load(&place, at)?;
                if !mutable {
                    return Ok(RustPlace::value(value));
                }
                let copy = self.variable("lent", &value.ty, Some(&value), at)?;
                self.open_loan(&place);
                loans.push(ElementLoan { element: place, copy: copy.clone() });
                Ok(copy)
            }
            _ => Ok(place),
        }
    }

    /// Stores the copies of elements that were lent.
    pub(super) fn written_back(&mut self, loans: &[ElementLoan], pos: Pos) -> OrNoValue<()> {
        for ElementLoan { element, copy } in loans {
            let value = self.load(copy, pos)?;
            self.store(element, &value, pos)?;
        }
        Ok(())
    }

    /// Reports a struct or an enum where rustc has found something else. Only a `Deref` of its own
    /// leads from the one to the other, in the closure: the tree does not show it.
    pub(super) fn is_no_deref(&mut self, given: &RustType, wanted: &str, pos: Pos) -> OrNoValue<()> {
        if !matches!(given, RustType::Struct(_) | RustType::Enum(_) | RustType::Variants(_)) {
            return Ok(());
        }
        self.formless(
            format!("`{}` stands for {wanted} by a `Deref` of its own", given.show()),
            "a kernel does not run `Deref`",
            "name the part that `Deref` returns: `x.part.method()`, `f(&x.part)`, `x.part[i]`",
            pos,
        )
    }

    /// Replaces a call by the function's body.
    pub(super) fn inline(&mut self, function: RustFunction, args: Vec<RustPlace>, pos: Pos) -> OrNoValue<LoweredValue> {
        self.called(function, args.into_iter().map(Argument::Spot).collect(), pos)
    }

    /// Replaces a call by the function's body; one that texture units compute stays a call.
    fn called(&mut self, function: RustFunction, args: Vec<Argument>, pos: Pos) -> OrNoValue<LoweredValue> {
        match self.texture_call(&function, &args, pos)? {
            Some(result) => Ok(result),
            None => self.inline_with(function, args, pos),
        }
    }

    /// The place that a function's last expression lends: `&mut self.cells[i]`.
    pub(super) fn inline_place(
        &mut self,
        function: RustFunction,
        args: Vec<RustPlace>,
        pos: Pos,
    ) -> OrNoValue<RustPlace> {
        let args = args.into_iter().map(Argument::Spot).collect();
        self.in_frame(function, args, pos, |lower, tree| match &tree.body.value {
            Some(last) => {
                lower.statements(&tree.body)?;
                lower.place(last)
            }
            None => lower.broken("a function that names no place", pos),
        })
    }

    pub(super) fn inline_with(
        &mut self,
        function: RustFunction,
        args: Vec<Argument>,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        self.in_frame(function, args, pos, |lower, tree| lower.function_body(tree, pos))
    }

    /// A function's body, in a frame of its own with its parameters bound.
    fn in_frame<R>(
        &mut self,
        function: RustFunction,
        args: Vec<Argument>,
        pos: Pos,
        body: impl FnOnce(&mut Lower, &SyntaxTree) -> OrNoValue<R>,
    ) -> OrNoValue<R> {
        let mut functions: Vec<Rc<FunctionValue>> = Vec::new();
        for arg in &args {
            match arg {
                Argument::Spot(_) => {}
                Argument::Function(bound) => functions.push(bound.function.clone()),
                Argument::Iterator(sequence) => sequence.functions(&mut functions),
            }
        }
        let read = self.read(&function, pos)?;
        if read.tree.params.len() != args.len() {
            return self.broken(format!("`{}` with another number of arguments", read.tree.name), pos);
        }
        // With another closure, it is another function.
        let same_closures = |frame: &CallFrame| {
            frame.functions.len() == functions.len()
                && frame.functions.iter().zip(&functions).all(|(a, b)| Rc::ptr_eq(a, b))
        };
        let is_again = |frame: &CallFrame| same_closures(frame) && is_same(&frame.function, &function);
        if let Some(first) = self.frames.iter().position(is_again) {
            return self.recursion(first, pos);
        }
        if self.frames.len() > MAX_CALLS {
            let report = Diagnostic::new(Code::K0705, format!("calls are nested more than {MAX_CALLS} deep"))
                .at(pos, format!("calls `{}`", read.tree.name));
            return self.end(report);
        }
        self.enter(function, read.clone(), pos)?;
        self.frame().functions = functions;
        let value = self.bind_all(&read.tree, args, pos).and_then(|()| body(self, &read.tree));
        self.frames.pop();
        value
    }

    fn bind_all(&mut self, tree: &SyntaxTree, args: Vec<Argument>, pos: Pos) -> OrNoValue<()> {
        for (param, arg) in tree.params.iter().zip(args) {
            match (arg, &param.pattern) {
                (Argument::Spot(arg), pattern) => self.bind_argument(pattern, param.mode, arg, pos)?,
                (Argument::Function(function), Pattern::Bind(local)) => {
                    self.bind_name(*local, NameBinding::Function(function), pos)?;
                }
                (Argument::Iterator(sequence), Pattern::Bind(local)) => {
                    // Only what has a `mut` name can be asked for one item after the other.
                    let sequence = if self.is_mutable(*local) { self.begun(sequence, pos)? } else { sequence };
                    self.bind_name(*local, NameBinding::Iterator(sequence), pos)?;
                }
                (Argument::Function(_) | Argument::Iterator(_), _) => {}
            }
        }
        Ok(())
    }

    fn function_body(&mut self, tree: &SyntaxTree, pos: Pos) -> OrNoValue<LoweredValue> {
        if self.frame().read.scan.returns_early {
            return self.returning(pos, |lower| lower.block(&tree.body));
        }
        match self.block(&tree.body) {
            Err(NoValue::Left) => self.frame().returned.take().ok_or(NoValue::Left),
            other => other,
        }
    }

    /// Binds a parameter: a value to a name of its own, a reference to the caller's place.
    pub(super) fn bind_argument(&mut self, pattern: &Pattern, mode: Mode, arg: RustPlace, pos: Pos) -> OrNoValue<()> {
        let exclusive = match mode {
            Mode::Ref => false,
            Mode::RefMut => true,
            // Without a type, what is lent tells it.
            Mode::Value | Mode::Function | Mode::Iterator => arg.exclusive,
        };
        let arg = RustPlace { exclusive, ..arg };
        match (&arg.at, mode) {
            // A reference to a value that is no place refers to a copy.
            (SpotRoot::Value(value), Mode::RefMut) if value.ty.holds() == TypeContents::Scalars => {
                let spot = self.variable("argument", &value.ty, Some(value), pos)?;
                self.bind_spot(pattern, spot, pos)
            }
            (SpotRoot::Value(value), _) => self.bind(pattern, value, pos),
            _ => self.bind_spot(pattern, arg, pos),
        }
    }

    pub(super) fn is_mutable(&mut self, local: u32) -> bool {
        self.frame().read.tree.locals.get(local as usize).is_some_and(|local| local.mutable)
    }

    /// Binds the names of a pattern to places behind a reference.
    pub(super) fn bind_spot(&mut self, pattern: &Pattern, spot: RustPlace, pos: Pos) -> OrNoValue<()> {
        match pattern {
            Pattern::Bind(local) => match &spot.at {
                // A part that is no reference, and changes: `(mut k, x)`.
                SpotRoot::Value(value) if self.is_mutable(*local) => self.bind_value(*local, &value.clone(), pos),
                // A name that may refer to something else later has a copy of the target; not of `tile_static` memory,
                // which other threads change.
                SpotRoot::Memory(place) if matches!(place.root, Root::Tile(_)) => {
                    self.bind_name(*local, NameBinding::Lent(spot), pos)
                }
                _ if !spot.exclusive && self.is_mutable(*local) => {
                    let value = self.load(&spot, pos)?;
                    self.bind_value(*local, &value, pos)
                }
                _ => self.bind_name(*local, NameBinding::Lent(spot), pos),
            },
            Pattern::At(local, inner) => {
                self.bind_spot(&Pattern::Bind(*local), spot.clone(), pos)?;
                self.nested(pos, |lower| lower.bind_spot(inner, spot, pos))
            }
            Pattern::Tuple(_) | Pattern::Fields(..) | Pattern::Positions(..) => self.nested(pos, |lower| {
                for (part, pattern) in lower.takes_apart(pattern, &spot.ty, pos)? {
                    let part = lower.part_of_place(&spot, &part, pos)?;
                    let part = RustPlace { exclusive: spot.exclusive || part.exclusive, ..part };
                    lower.bind_spot(pattern, part, pos)?;
                }
                Ok(())
            }),
            Pattern::Deref(inner) => {
                let value = self.load(&spot, pos)?;
                self.nested(pos, |lower| lower.bind(inner, &value, pos))
            }
            Pattern::Or(choices) if choices.iter().any(binds) => self.bound_in_one_choice(pos),
            Pattern::Wild
            | Pattern::Literal(..)
            | Pattern::Const(..)
            | Pattern::Range(..)
            | Pattern::Or(_)
            | Pattern::Rest => Ok(()),
        }
    }
}

/// Is it an element, or a part of one?
fn is_element(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Index(..) => true,
        ExprKind::Field(base, _) | ExprKind::Ref(_, base) => is_element(base),
        _ => false,
    }
}

/// Is it a part of a variable in `tile_static` memory?
fn is_tile_part(expr: &Expr, place: &RustPlace) -> bool {
    let of_tile = matches!(&place.at, SpotRoot::Memory(place) if matches!(place.root, Root::Tile(_)));
    of_tile && matches!(expr.kind, ExprKind::Field(..) | ExprKind::Index(..))
}

/// Is it the same function with the same types, constants and functions? A call of it within itself
/// would never end.
pub(super) fn is_same(a: &RustFunction, b: &RustFunction) -> bool {
    // The bytes may occur in the program more than once.
    a.tree == b.tree
        && a.file == b.file
        && a.types == b.types
        && a.constants == b.constants
        && a.links.len() == b.links.len()
        && a.links.iter().zip(&b.links).all(|(a, b)| ptr::fn_addr_eq(*a, *b))
}
