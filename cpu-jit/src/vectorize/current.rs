//! The values of parts at a place. Both arms of a branch begin with the same, and most assign few or none: a copy is
//! shared until one of its owners writes, as a kernel can have a hundred thousand parts and as many branches.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use super::comp::Comp;

/// The value of each part; none where it is not known.
#[derive(Clone, Default)]
pub(super) struct CurrentParts(Rc<Vec<Option<Comp>>>);

impl CurrentParts {
    /// So many parts without values.
    pub(super) fn unknown(count: usize) -> CurrentParts {
        CurrentParts(Rc::new(vec![None; count]))
    }

    /// Has neither been written since one was copied from the other?
    pub(super) fn is_shared_with(&self, other: &CurrentParts) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for CurrentParts {
    type Target = Vec<Option<Comp>>;

    fn deref(&self) -> &Vec<Option<Comp>> {
        &self.0
    }
}

impl DerefMut for CurrentParts {
    fn deref_mut(&mut self) -> &mut Vec<Option<Comp>> {
        Rc::make_mut(&mut self.0)
    }
}
