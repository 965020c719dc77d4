//! Effects: does what is called do more than to give a value?
//!
//! One answer for all the ways in which a function gets to its call: by a link, by its name as an argument, as a
//! closure, as a name or a parameter that stands for one. A function of the program is asked by its body. A function
//! that is handed to another one counts where it is handed on, so a call of a parameter does not.
//!
//! And: does a closure use memory that others change, so that its value may be another one the next time?

use std::rc::Rc;

use super::call::is_same;
use super::closure::FunctionValue;
use super::matching::is_pure_form;
use super::scan::{EffectSources, effects_of, effects_of_block};
use super::state::{Lower, MAX_CALLS, NameBinding};
use super::value::{RustPlace, SpotRoot};
use super::{Form, RustFunction, RustType};
use tilewise_ast::Mode;
use tilewise_ir::kernel::{Place, Root};
use tilewise_ir::pos::Pos;
use tilewise_ir::stack::with_block;

/// Functions of the program that have been asked, with the answers.
#[derive(Default)]
pub(super) struct KnownEffects {
    asked: Vec<(RustFunction, bool)>,
    /// Functions that are being asked.
    depth: usize,
}

impl Lower {
    /// Does a closure, or a function by its name, do more than to give a value, or may it?
    pub(super) fn may_act(&mut self, function: &FunctionValue) -> bool {
        let Some(body) = function.closure() else {
            return function.item().is_none_or(|form| self.form_may_act(form));
        };
        let sources = effects_of(body);
        let forms: Option<Vec<Form>> = {
            let links = function.links(&self.frames);
            sources.links.iter().map(|link| links.get(*link as usize).map(|form| form())).collect()
        };
        let Some(forms) = forms else { return true };
        sources.acts || self.names_may_act(function, &sources) || forms.iter().any(|form| self.form_may_act(form))
    }

    /// Does it assign a name of its surroundings, or name a closure that acts?
    fn names_may_act(&mut self, function: &FunctionValue, sources: &EffectSources) -> bool {
        let is_outer = |local: &u32| function.binding(&self.frames, *local).is_some_and(is_bound);
        // A part of a name of its own may be behind a reference to something outside.
        if sources.assigned.iter().any(is_outer) || !sources.assigned_parts.is_empty() {
            return true;
        }
        // A named iterator calls its closures where it is used up.
        let is_iterator =
            |local: &u32| matches!(function.binding(&self.frames, *local), Some(NameBinding::Iterator(_)));
        if sources.names.iter().any(is_iterator) {
            return true;
        }
        self.closures_named(function, sources).iter().any(|closure| self.may_act(closure))
    }

    /// The closures that a closure names.
    fn closures_named(&self, function: &FunctionValue, sources: &EffectSources) -> Vec<Rc<FunctionValue>> {
        let closure = |local: &u32| match function.binding(&self.frames, *local) {
            Some(NameBinding::Function(bound)) => Some(bound.function.clone()),
            Some(
                NameBinding::To(_)
                | NameBinding::Lent(_)
                | NameBinding::Iterator(_)
                | NameBinding::Nothing
                | NameBinding::Broken,
            )
            | None => None,
        };
        sources.names.iter().filter_map(closure).collect()
    }

    /// Does a closure use what other threads and other names change: a view, or memory of a tile?
    pub(super) fn uses_shared_memory(&self, function: &FunctionValue) -> bool {
        let Some(body) = function.closure() else { return false };
        let sources = effects_of(body);
        let captures = function.captures(&self.frames);
        let is_handle = |capture: &u32| captures.get(*capture as usize).is_some_and(|value| is_shared(&value.ty));
        let is_place_of_many = |local: &u32| match function.binding(&self.frames, *local) {
            Some(NameBinding::To(place) | NameBinding::Lent(place)) => place.is_shared(),
            Some(NameBinding::Function(_) | NameBinding::Iterator(_) | NameBinding::Nothing | NameBinding::Broken)
            | None => false,
        };
        sources.captures.iter().any(is_handle)
            || sources.names.iter().any(is_place_of_many)
            || self.closures_named(function, &sources).iter().any(|closure| self.uses_shared_memory(closure))
    }

    /// Does what is called do more than to give a value, or may it?
    pub(super) fn form_may_act(&mut self, form: &Form) -> bool {
        match form {
            Form::Builtin(_) => !is_pure_form(form),
            Form::Function(function) => self.function_may_act(function),
        }
    }

    fn function_may_act(&mut self, function: &RustFunction) -> bool {
        if let Some((_, acts)) = self.effects.asked.iter().find(|(asked, _)| is_same(asked, function)) {
            return *acts;
        }
        let (Ok(read), Ok(())) = (self.read(function, Pos::NONE), self.spend(1, Pos::NONE)) else { return true };
        if self.effects.depth > MAX_CALLS || read.tree.params.iter().any(|param| param.mode == Mode::RefMut) {
            return true;
        }
        // Until its answer is known: a function that calls itself is refused elsewhere.
        let place = self.effects.asked.len();
        self.effects.asked.push((function.clone(), true));
        self.effects.depth += 1;
        let sources = effects_of_block(&read.tree.body);
        // A variable of its own is no effect: it ends with the call. That of a tile does not.
        let is_own = |local: &u32| {
            let is_variable = read.tree.locals.get(*local as usize).is_some_and(|local| local.mutable);
            is_variable
                && function.shared.is_empty()
                && !read.tree.params.iter().any(|param| param.pattern.names().contains(local))
        };
        let acts = sources.acts
            || !sources.assigned_parts.iter().all(is_own)
            || sources.links.iter().any(|link| match function.links.get(*link as usize) {
                Some(form) => with_block(|| self.form_may_act(&form())),
                None => true,
            });
        self.effects.depth -= 1;
        if let Some((_, answer)) = self.effects.asked.get_mut(place) {
            *answer = acts;
        }
        acts
    }
}

/// Is it a name of the surroundings? Those of a closure's own body are bound when it is called.
const fn is_bound(binding: &NameBinding) -> bool {
    !matches!(binding, NameBinding::Nothing)
}

/// Is it a handle of memory that others use too, or has it one in it?
fn is_shared(ty: &RustType) -> bool {
    match ty {
        RustType::View { .. } | RustType::TileStatic(_) | RustType::Atomic(_) => true,
        RustType::Tuple(parts) => parts.iter().any(is_shared),
        RustType::Array(element, _) => is_shared(element),
        RustType::Struct(ty) => ty.fields.iter().any(|field| is_shared(&field.ty)),
        RustType::Variants(ty) => ty.fields().any(is_shared),
        RustType::Unit
        | RustType::Data(_)
        | RustType::Char
        | RustType::Small(_)
        | RustType::Enum(_)
        | RustType::Index(_)
        | RustType::Extent(_)
        | RustType::TiledIndex(_)
        | RustType::TiledExtent(_)
        | RustType::Barrier => false,
    }
}

impl RustPlace {
    /// Is it or has it such a handle, or is it in memory that others use too?
    fn is_shared(&self) -> bool {
        let of_many = |place: &Place| matches!(place.root, Root::View { .. } | Root::Tile(_));
        is_shared(&self.ty) || matches!(&self.at, SpotRoot::Memory(place) if of_many(place))
    }
}
