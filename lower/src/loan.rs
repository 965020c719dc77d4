//! Elements that are lent by `&mut` while the other arguments of a call are evaluated.
//!
//! The function works on a copy, which is stored when the call is done. An argument that changes the element meanwhile
//! would lose its change, so it is refused, as Rust does. Only for a method of an element has rustc not judged that:
//! the closure cannot tell whether a method in an argument takes `&mut self`, `a[0].add(a[1].get())`.

use std::rc::Rc;

use super::state::{Lower, OrNoValue};
use super::value::{RustPlace, SpotRoot};
use tilewise_ir::kernel::{InstKind, Place, Root, Step};
use tilewise_ir::pos::Pos;

/// An element that is lent by `&mut`.
pub(super) struct ElementLoan {
    pub(super) element: RustPlace,
    pub(super) copy: RustPlace,
}

impl ElementLoan {
    /// Is this place the copy?
    pub(super) fn is_of(&self, place: &RustPlace) -> bool {
        match (&self.copy.at, &place.at) {
            (SpotRoot::Memory(copy), SpotRoot::Memory(place)) => copy == place,
            (SpotRoot::Split(copy), SpotRoot::Split(place)) => Rc::ptr_eq(copy, place),
            _ => false,
        }
    }

    /// Is the element one of a variable of this thread?
    pub(super) fn is_local(&self) -> bool {
        matches!(&self.element.at, SpotRoot::Memory(place) if is_of_thread(place))
    }
}

/// The elements whose calls have arguments that are still evaluated.
#[derive(Default)]
pub(super) struct OpenLoans {
    places: Vec<OpenPlace>,
}

struct OpenPlace {
    place: Rc<Place>,
    is_changed: bool,
}

impl OpenLoans {
    /// Notes what an instruction changes.
    pub(super) fn changed_by(&mut self, kind: &InstKind) {
        if self.places.is_empty() {
            return;
        }
        if let InstKind::Store { place: to, .. } | InstKind::Copy { to, .. } = kind {
            for open in &mut self.places {
                open.is_changed |= may_overlap(&open.place, to);
            }
        }
    }
}

impl Lower {
    /// Evaluates the arguments of a call, which lend elements.
    pub(super) fn while_lent<R>(
        &mut self,
        pos: Pos,
        arguments: impl FnOnce(&mut Lower) -> OrNoValue<R>,
    ) -> OrNoValue<R> {
        let open = self.open_loans.places.len();
        let result = arguments(self);
        let mut closed = self.open_loans.places.drain(open..);
        let is_changed = closed.any(|loan| loan.is_changed);
        drop(closed);
        if is_changed {
            return self.formless(
                "an argument changes the element that the call changes",
                "the element is borrowed by `&mut` until the call is done, so Rust refuses this",
                "compute the argument first: `let value = ..;`",
                pos,
            );
        }
        result
    }

    /// Notes that an element is lent until the arguments are evaluated.
    pub(super) fn open_loan(&mut self, element: &RustPlace) {
        match &element.at {
            SpotRoot::Memory(place) if is_of_thread(place) => {
                self.open_loans.places.push(OpenPlace { place: Rc::clone(place), is_changed: false });
            }
            SpotRoot::Split(parts) | SpotRoot::Chosen(parts, _) => {
                for part in Rc::clone(parts).iter() {
                    self.open_loan(part);
                }
            }
            SpotRoot::Rest(whole, _) => self.open_loan(&Rc::clone(whole)),
            SpotRoot::Memory(_) | SpotRoot::Absent | SpotRoot::Value(_) => {}
        }
    }
}

/// Is it a place in a variable of this thread? Views and memory of a tile are changed by others too, so there the copy
/// is the meaning.
fn is_of_thread(place: &Place) -> bool {
    match place.root {
        Root::View { .. } | Root::Tile(_) => false,
        Root::Param(_) | Root::Table(_) | Root::Local(_) | Root::Ref(_) => true,
    }
}

/// May one be a part of the other? Rust takes all elements of an array for one.
fn may_overlap(a: &Place, b: &Place) -> bool {
    a.root == b.root
        && a.path.iter().zip(&b.path).all(|steps| match steps {
            (Step::Field(a), Step::Field(b)) => a == b,
            (Step::Component(a), Step::Component(b)) => a == b,
            (Step::Index(_), _) | (_, Step::Index(_)) | (Step::Field(_), Step::Component(_)) => true,
            (Step::Component(_), Step::Field(_)) => true,
        })
}
