//! [`Place`]: memory of somebody else that a launch works in, where it is. No byte of it is copied.

/// Bytes that are lent for a launch.
#[derive(Debug)]
pub enum Lent<'m> {
    /// To be read; others may read them too.
    Read(&'m [u8]),
    /// To be read and written.
    Write(&'m mut [u8]),
}

impl Lent<'_> {
    /// The bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Lent::Read(bytes) => bytes,
            Lent::Write(bytes) => bytes,
        }
    }

    /// The bytes, if they may be written.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Lent::Read(_) => &mut [],
            Lent::Write(bytes) => bytes,
        }
    }
}

/// A piece of memory, of which a launch has some bytes: those of its views. What lies between them is another's; it reads as zero, and what is written there is lost.
#[derive(Debug, Default)]
pub struct Place<'m> {
    bytes: u64,
    /// In order, without a byte in common.
    runs: Vec<(u64, Lent<'m>)>,
    fresh: bool,
}

impl<'m> Place<'m> {
    /// So many bytes, of which these runs are lent, each with the number of its first byte; [`fresh`](super::Memory::fresh): nobody has written them.
    ///
    /// # Panics
    /// When the runs are not in order, or have bytes in common, or do not lie within the piece.
    pub fn new(bytes: u64, runs: Vec<(u64, Lent<'m>)>, fresh: bool) -> Place<'m> {
        let mut end = 0;
        for (start, run) in &runs {
            assert!(*start >= end, "runs are in order");
            end = start + run.bytes().len() as u64;
        }
        assert!(end <= bytes, "runs lie within their piece");
        Place { bytes, runs, fresh }
    }

    /// All of some bytes, to be written too.
    pub fn whole(bytes: &'m mut [u8]) -> Place<'m> {
        Place { bytes: bytes.len() as u64, runs: vec![(0, Lent::Write(bytes))], fresh: false }
    }

    /// How many bytes it has, those between the runs counted.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The runs that are lent.
    pub fn runs(&self) -> &[(u64, Lent<'m>)] {
        &self.runs
    }

    /// The same, to be used.
    pub fn into_runs(self) -> Vec<(u64, Lent<'m>)> {
        self.runs
    }

    /// Whether it was allocated and never written.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }
}
