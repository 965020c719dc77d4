//! Tiles with barriers.

use super::state::{Formed, Former, malformed};
use crate::lanes::Value;

impl Former<'_> {
    pub(super) fn tile(&mut self, number: Value) -> Formed {
        let _ = number;
        Err(malformed("barriers"))
    }
}
