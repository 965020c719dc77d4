//! Allocations whose bytes a launch can reach: [`LaunchMemory`], which owns them, and [`BorrowedMemory`],
//! which is lent bytes of somebody else's where they lie. No byte of it is copied.

use super::AllocationFacts;

/// The allocations that a launch works in. Views and buffers that name one allocation may overlap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LaunchMemory {
    /// The bytes of each, by its number.
    pub allocations: Vec<Vec<u8>>,
    /// For each allocation, is it **fresh**: made and never written? What it holds counts (zeros,
    /// as a rule), but the reference accelerator reports a read of bytes that the launch has not
    /// written yet. Allocations beyond the end of the list are not.
    pub fresh: Vec<bool>,
}

impl LaunchMemory {
    /// Memory of these allocations, none of them fresh.
    pub fn new(allocations: Vec<Vec<u8>>) -> LaunchMemory {
        LaunchMemory { allocations, fresh: Vec::new() }
    }

    /// The facts that [`validate`](super::validate()) asks for, of targets that reach bytes by
    /// offsets.
    pub fn facts(&self, allocation: usize) -> Option<AllocationFacts> {
        self.allocations.get(allocation).map(|bytes| AllocationFacts::of_offsets(bytes.len() as u64))
    }

    /// All allocations, lent to a launch.
    pub fn lend<'m>(&'m mut self) -> Vec<BorrowedMemory<'m>> {
        let fresh = |i: usize| self.fresh.get(i) == Some(&true);
        let allocations = self.allocations.iter_mut().enumerate();
        let whole = |(i, bytes): (usize, &'m mut Vec<u8>)| {
            BorrowedMemory::new(bytes.len() as u64, vec![(0, BorrowedRun::Write(bytes))], fresh(i))
        };
        allocations.map(whole).collect()
    }
}

/// Bytes that are lent for a launch.
#[derive(Debug)]
pub enum BorrowedRun<'m> {
    /// To be read; others may read them too.
    Read(&'m [u8]),
    /// To be read and written.
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

    /// The bytes, if they may be written.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            BorrowedRun::Read(_) => &mut [],
            BorrowedRun::Write(bytes) => bytes,
        }
    }
}

/// An allocation of which a launch is lent some bytes: those of its views. The bytes between are
/// another's; they read as zero, and writes to them are lost.
#[derive(Debug, Default)]
pub struct BorrowedMemory<'m> {
    size: u64,
    /// In order, without a byte in common.
    runs: Vec<(u64, BorrowedRun<'m>)>,
    fresh: bool,
}

impl<'m> BorrowedMemory<'m> {
    /// An allocation of so many bytes, of which these runs are lent, each with the offset of its
    /// first byte; [`fresh`](LaunchMemory::fresh): nobody has written them.
    ///
    /// # Panics
    /// When the runs are not in order, or have bytes in common, or do not lie within the
    /// allocation.
    pub fn new(size: u64, runs: Vec<(u64, BorrowedRun<'m>)>, fresh: bool) -> BorrowedMemory<'m> {
        let mut end = 0;
        for (start, run) in &runs {
            assert!(*start >= end, "runs are in order");
            end = start + run.bytes().len() as u64;
        }
        assert!(end <= size, "runs lie within their allocation");
        BorrowedMemory { size, runs, fresh }
    }

    /// All of some bytes, to be written too.
    pub fn whole(bytes: &'m mut [u8]) -> BorrowedMemory<'m> {
        BorrowedMemory { size: bytes.len() as u64, runs: vec![(0, BorrowedRun::Write(bytes))], fresh: false }
    }

    /// Bytes of the allocation, those counted that are not lent.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The runs that are lent.
    pub fn runs(&self) -> &[(u64, BorrowedRun<'m>)] {
        &self.runs
    }

    /// The same, to be used.
    pub fn into_runs(self) -> Vec<(u64, BorrowedRun<'m>)> {
        self.runs
    }

    /// Whether nobody has written to the allocation.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }
}
