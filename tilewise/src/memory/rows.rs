//! [`CopiedRows`]: the rows of a copy between two layouts, without a list of them.
//!
//! A section of one column has a row for each of its elements, so a list would need many times the bytes that are
//! copied. Only devices get one, for they take few rows.

use crate::api::copy::make_room;
use crate::api::error::Result;

/// Rows to copy: the first byte in the source, the first byte in the target, the length.
pub(crate) type RowCopies = Vec<(u64, u64, u64)>;

/// Rows of one length, at places that repeat at constant distances in source and target.
#[derive(Debug)]
pub(crate) struct CopiedRows {
    /// The first byte of the first row in the source and in the target.
    start: (u64, u64),
    /// Bytes of a row.
    length: u64,
    /// The innermost first.
    steps: Vec<RowStep>,
}

/// A repetition: how often, and the bytes from one to the next in the source and in the target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowStep {
    pub(crate) count: u64,
    pub(crate) from: u64,
    pub(crate) to: u64,
}

impl CopiedRows {
    /// A row of `length` bytes, repeated by each step, the innermost first. What is contiguous in source and target
    /// is one row.
    pub(crate) fn new(start: (u64, u64), length: u64, steps: impl Iterator<Item = RowStep>) -> CopiedRows {
        let mut rows = CopiedRows { start, length, steps: Vec::new() };
        for step in steps {
            match rows.steps.last_mut() {
                _ if step.count == 1 => {}
                None if step.from == rows.length && step.to == rows.length => rows.length *= step.count,
                Some(inner) if step.from == inner.from * inner.count && step.to == inner.to * inner.count => {
                    inner.count *= step.count;
                }
                _ => rows.steps.push(step),
            }
        }
        rows
    }

    /// Bytes of all rows.
    pub(crate) fn bytes(&self) -> u64 {
        self.count() * self.length
    }

    /// The number of rows.
    pub(crate) fn count(&self) -> u64 {
        self.steps.iter().map(|step| step.count).product()
    }

    /// Bytes of a row.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Calls `copy` with the first byte in the source, the first byte in the target and the length of each row, in
    /// order.
    pub(crate) fn each(&self, mut copy: impl FnMut(u64, u64, u64)) {
        each_start(&self.steps, self.start, &mut |from, to| copy(from, to, self.length));
    }

    /// A list of the rows for a device, whose buffers begin at these bytes of the allocations.
    pub(crate) fn list(&self, source: u64, target: u64) -> Result<RowCopies> {
        let mut list = RowCopies::new();
        make_room(&mut list, self.count())?;
        self.each(|from, to, length| list.push((from - source, to - target, length)));
        Ok(list)
    }
}

fn each_start(steps: &[RowStep], at: (u64, u64), copy: &mut impl FnMut(u64, u64)) {
    let Some((step, inner)) = steps.split_last() else { return copy(at.0, at.1) };
    for number in 0..step.count {
        each_start(inner, (at.0 + number * step.from, at.1 + number * step.to), copy);
    }
}
