//! Memory of a launch: [`LaunchMemory`] owns its bytes; [`BorrowedMemory`] borrows bytes in place,
//! without a copy.

use super::AllocationFacts;

/// The allocations of a launch. Views and buffers that name one allocation may overlap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LaunchMemory {
    /// The bytes of each allocation, indexed by its number.
    pub allocations: Vec<Vec<u8>>,
    /// For each allocation, whether it is **fresh**: made and never written. Its contents (normally
    /// zeros) are valid, but the reference accelerator reports a read of bytes that the launch has
    /// not written. Allocations beyond the end of the list are not fresh.
    pub fresh: Vec<bool>,
}

impl LaunchMemory {
    /// Memory of these allocations, none of them fresh.
    pub fn new(allocations: Vec<Vec<u8>>) -> LaunchMemory {
        LaunchMemory { allocations, fresh: Vec::new() }
    }

    /// The facts that [`validate`](super::validate()) needs, for targets that address bytes by
    /// offset.
    pub fn facts(&self, allocation: usize) -> Option<AllocationFacts> {
        self.allocations.get(allocation).map(|bytes| AllocationFacts::of_offsets(bytes.len() as u64))
    }

    /// Lends all allocations to a launch.
    pub fn lend<'m>(&'m mut self) -> Vec<BorrowedMemory<'m>> {
        let fresh = |i: usize| self.fresh.get(i) == Some(&true);
        let allocations = self.allocations.iter_mut().enumerate();
        let whole = |(i, bytes): (usize, &'m mut Vec<u8>)| {
            BorrowedMemory::new(bytes.len() as u64, vec![(0, BorrowedRun::Write(bytes))], fresh(i))
        };
        allocations.map(whole).collect()
    }
}

/// Bytes borrowed for a launch.
#[derive(Debug)]
pub enum BorrowedRun<'m> {
    /// Shared, read-only.
    Read(&'m [u8]),
    /// Exclusive, writable.
    Write(&'m mut [u8]),
}

impl BorrowedRun<'_> {
    /// The bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match self {
            BorrowedRun::Read(bytes) => bytes,
            BorrowedRun::Write(bytes) => bytes,
        }
    }

    /// The bytes if they are writable, else an empty slice.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            BorrowedRun::Read(_) => &mut [],
            BorrowedRun::Write(bytes) => bytes,
        }
    }
}

/// An allocation of which a launch borrows only the bytes of its views. All other bytes read as
/// zero, and writes to them are lost.
#[derive(Debug, Default)]
pub struct BorrowedMemory<'m> {
    size: u64,
    /// Sorted and disjoint.
    runs: Vec<(u64, BorrowedRun<'m>)>,
    fresh: bool,
}

impl<'m> BorrowedMemory<'m> {
    /// An allocation of `size` bytes, of which these runs are borrowed, each with the offset of its
    /// first byte. `fresh`: see [`fresh`](LaunchMemory::fresh).
    ///
    /// # Panics
    /// If the runs are not sorted, overlap, or do not lie within the allocation.
    pub fn new(size: u64, runs: Vec<(u64, BorrowedRun<'m>)>, fresh: bool) -> BorrowedMemory<'m> {
        let mut end = 0;
        for (start, run) in &runs {
            assert!(*start >= end, "runs are in order");
            end = start + run.bytes().len() as u64;
        }
        assert!(end <= size, "runs lie within their allocation");
        BorrowedMemory { size, runs, fresh }
    }

    /// An allocation of which all bytes are borrowed, writable.
    pub fn whole(bytes: &'m mut [u8]) -> BorrowedMemory<'m> {
        BorrowedMemory { size: bytes.len() as u64, runs: vec![(0, BorrowedRun::Write(bytes))], fresh: false }
    }

    /// Size of the allocation in bytes, including those not borrowed.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The borrowed runs.
    pub fn runs(&self) -> &[(u64, BorrowedRun<'m>)] {
        &self.runs
    }

    /// The borrowed runs, by value.
    pub fn into_runs(self) -> Vec<(u64, BorrowedRun<'m>)> {
        self.runs
    }

    /// Whether the allocation was never written.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }
}
