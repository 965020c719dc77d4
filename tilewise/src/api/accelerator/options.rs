//! Options: host access, queuing, float mode, checks.

use std::ops;

/// The host's access to memory of an accelerator. `Read | Write == ReadWrite`.
///
/// ```
/// use tilewise::{Accelerator, AccessType, Array};
/// assert_eq!(AccessType::Read | AccessType::Write, AccessType::ReadWrite);
/// let jit = Accelerator::new("jit")?.default_view();
/// let array = Array::<i32>::builder(4).on(&jit).cpu_access(AccessType::Read).build()?;
/// assert_eq!(array.cpu_access_type(), AccessType::Read);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[doc(alias = "access_type")]
pub enum AccessType {
    /// No access.
    #[doc(alias = "access_type_none")]
    None,
    /// Read access.
    #[doc(alias = "access_type_read")]
    Read,
    /// Write access.
    #[doc(alias = "access_type_write")]
    Write,
    /// Read and write access.
    #[doc(alias = "access_type_read_write")]
    ReadWrite,
    /// The accelerator's choice.
    #[doc(alias = "access_type_auto")]
    #[default]
    Auto,
}

impl ops::BitOr for AccessType {
    type Output = Self;

    /// The union of both; with `Auto`, the accelerator's choice.
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
///
/// ```
/// use tilewise::{Accelerator, QueuingMode};
/// let queue = Accelerator::new("jit")?.create_view(QueuingMode::Immediate)?;
/// assert_eq!(queue.queuing_mode(), QueuingMode::Immediate);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[doc(alias = "queuing_mode")]
pub enum QueuingMode {
    /// At once.
    #[doc(alias = "queuing_mode_immediate")]
    Immediate,
    /// In batches, at the library's convenience.
    #[doc(alias = "queuing_mode_automatic")]
    #[default]
    Automatic,
}

/// The required accuracy of float results.
///
/// ```
/// use tilewise::{ArrayView, FloatMode, Index, Launch, kernel};
/// let sums = ArrayView::from_vec(4, vec![0.1f32; 4])?;
/// let step = kernel!(|i: Index<1>| sums[i] = sums[i] * 3.0 + 0.2);
/// let got = Launch::new(sums.extent()).float_mode(FloatMode::Strict).run(&step)?;
/// assert_eq!(got, FloatMode::Strict);
/// // Product and sum are rounded one after the other, as here.
/// assert_eq!(sums.get(0)?, 0.1f32 * 3.0 + 0.2);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FloatMode {
    /// Strict where the target supports it, else relaxed; the launch returns the mode used.
    #[default]
    Auto,
    /// IEEE, never contracted; the same bits everywhere.
    Strict,
    /// The target's own contraction, division and square root.
    Relaxed,
}

/// Run-time checks. If an accelerator does not support one, requesting it is `UnsupportedFeature`.
///
/// ```
/// use tilewise::{Accelerator, ArrayView, Checks, Error, Extent, parallel_for_each};
/// let mut checks = Checks::NONE;
/// checks.races = true;
/// let queue = Accelerator::new("reference")?.view_builder().checks(checks).create()?;
/// let total = ArrayView::from_vec(1, vec![0])?;
/// let launched = parallel_for_each!(&queue, Extent([8]), |i| total[0] += i[0]);
/// assert!(matches!(launched, Err(Error::DataRace(_))));
/// # Ok::<(), tilewise::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Checks {
    /// Report accesses outside a view.
    pub bounds: bool,
    /// Report data races.
    pub races: bool,
    /// Report reads of memory whose contents were discarded and not written since.
    pub uninitialized: bool,
    /// Also report reads of memory that is zero because nothing has written it: `tile_static`
    /// variables, new arrays, views without a source. In C++ AMP their contents are unspecified.
    pub unwritten: bool,
    /// Also report races that write the same value.
    pub same_value_writes: bool,
    /// Report integer divisions and remainders by zero.
    pub division_by_zero: bool,
    /// Report integer arithmetic out of the range of its type. A method whose name says what becomes
    /// of it (`wrapping_add`, `checked_add`) is not reported where the source can be read.
    pub overflow: bool,
    /// Report shifts by the width of the type or more, other than by `wrapping_shl` and
    /// `wrapping_shr`. Shifts of integers of 8 and 16 bits are not checked; an amount of 64 bits counts with its
    /// lowest 32.
    pub shifts: bool,
    /// Report conversions (`as`) to integer types that do not have the number; to those of 8 and 16 bits only where the
    /// source can be read.
    pub lossy_conversions: bool,
    /// End at the first report instead of collecting 100.
    pub stop_at_first: bool,
}

impl Checks {
    /// Only the checks that safety requires.
    pub const NONE: Checks = Checks {
        bounds: false,
        races: false,
        uninitialized: false,
        unwritten: false,
        same_value_writes: false,
        division_by_zero: false,
        overflow: false,
        shifts: false,
        lossy_conversions: false,
        stop_at_first: false,
    };
    /// The default of `reference`: everything that is an error on every machine.
    pub const ALL: Checks = Checks { bounds: true, races: true, uninitialized: true, ..Checks::NONE };
    /// [`ALL`](Checks::ALL), and everything that is allowed and often a mistake.
    pub const EVERYTHING: Checks = Checks {
        unwritten: true,
        same_value_writes: true,
        division_by_zero: true,
        overflow: true,
        shifts: true,
        lossy_conversions: true,
        ..Checks::ALL
    };

    /// These checks, ending at the first report.
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
