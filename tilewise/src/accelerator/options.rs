//! What may be chosen: access of the host, queuing, floats, checks.

use std::ops;

/// What the host may do with memory of an accelerator. `Read | Write == ReadWrite`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[doc(alias = "access_type")]
pub enum AccessType {
    /// Nothing.
    None,
    /// Read.
    Read,
    /// Write.
    Write,
    /// Both.
    ReadWrite,
    /// The accelerator's choice.
    #[default]
    Auto,
}

impl ops::BitOr for AccessType {
    type Output = Self;

    /// What either allows; with `Auto`, the accelerator's choice.
    fn bitor(self, other: Self) -> Self {
        match (self, other) {
            (AccessType::Auto, _) | (_, AccessType::Auto) => AccessType::Auto,
            (AccessType::None, one) | (one, AccessType::None) => one,
            (one, same) if one == same => one,
            _ => AccessType::ReadWrite,
        }
    }
}

/// When submitted work starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[doc(alias = "queuing_mode")]
pub enum QueuingMode {
    /// At once.
    Immediate,
    /// In batches, at the library's convenience.
    #[default]
    Automatic,
}

/// How float results are bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FloatMode {
    /// Strict where it can be had, else relaxed; the launch says which.
    #[default]
    Auto,
    /// IEEE, never contracted; the same bits everywhere.
    Strict,
    /// The target's own contraction, division and square root.
    Relaxed,
}

/// What is checked while running; beyond an accelerator's means it is `UnsupportedFeature`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Checks {
    /// Accesses outside a view are reported.
    pub bounds: bool,
    /// Data races are reported.
    pub races: bool,
    /// Reads of `tile_static`, of local variables and of memory that nobody has written are reported.
    pub uninitialized: bool,
    /// Races that write the same value are reported too.
    pub same_value_writes: bool,
    /// End at the first report instead of collecting 100.
    pub stop_at_first: bool,
}

impl Checks {
    /// Only what safety needs.
    pub const NONE: Checks =
        Checks { bounds: false, races: false, uninitialized: false, same_value_writes: false, stop_at_first: false };
    /// The default of `reference`.
    pub const ALL: Checks =
        Checks { bounds: true, races: true, uninitialized: true, same_value_writes: false, stop_at_first: false };

    /// The same, ending at the first report.
    pub const fn stopping_at_first(self) -> Checks {
        Checks { stop_at_first: true, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_types_are_flags() {
        use AccessType::{Auto, None, Read, ReadWrite, Write};
        assert_eq!([Read | Write, None | Read, Write | Write, ReadWrite | None], [ReadWrite, Read, Write, ReadWrite]);
        assert_eq!(Auto | Read, Auto);
    }
}
