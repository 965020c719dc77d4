//! Litmus programs: a few threads, each a few accesses, and what may stand between them.

use std::fmt;

use tilewise_ir::kernel::Fence;

/// The memory of a location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LitmusMemory {
    /// An element of a view.
    Global,
    /// An element of a `tile_static` array.
    TileStatic,
}

impl LitmusMemory {
    /// Does a fence or barrier of this flavour order accesses to it?
    pub const fn is_ordered_by(self, fence: Fence) -> bool {
        matches!(
            (self, fence),
            (_, Fence::All) | (LitmusMemory::Global, Fence::Global) | (LitmusMemory::TileStatic, Fence::TileStatic)
        )
    }
}

/// Where the threads of a test run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LitmusPlacement {
    /// In one tile.
    OneTile,
    /// Each in a tile of its own.
    TileEach,
}

/// An instruction of a litmus thread. Locations and registers are numbers; registers belong to the
/// test, each written once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LitmusStep {
    /// A plain load.
    Load {
        /// Where.
        location: usize,
        /// The register that gets the value.
        register: usize,
    },
    /// A plain store.
    Store {
        /// Where.
        location: usize,
        /// The value.
        value: u32,
    },
    /// An atomic that reads: an or with 0, which also writes what it reads.
    AtomicRead {
        /// Where.
        location: usize,
        /// The register that gets the value.
        register: usize,
    },
    /// An atomic exchange whose result is not used.
    AtomicWrite {
        /// Where.
        location: usize,
        /// The value.
        value: u32,
    },
    /// An atomic exchange with the value of a register.
    AtomicCopy {
        /// Where.
        location: usize,
        /// The register.
        from: usize,
    },
    /// An atomic addition.
    AtomicAdd {
        /// Where.
        location: usize,
        /// What is added.
        value: u32,
        /// The register that gets the value before.
        register: usize,
    },
    /// A fence.
    Fence(Fence),
    /// A barrier of the tile: all threads of the test have as many.
    Barrier(Fence),
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LitmusTest {
    /// `shape/placement/memory/order`.
    pub name: String,
    /// Where its threads run.
    pub placement: LitmusPlacement,
    /// The memory of each location; all are 0 in the beginning.
    pub locations: Vec<LitmusMemory>,
    /// The threads.
    pub threads: Vec<Vec<LitmusStep>>,
    /// The number of registers.
    pub registers: usize,
}

/// The result of one execution: the registers, then the final values of the locations.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LitmusOutcome {
    /// The registers.
    pub registers: Vec<u32>,
    /// The locations in the end.
    pub memory: Vec<u32>,
}

impl fmt::Display for LitmusOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let registers = self.registers.iter().enumerate().map(|(i, value)| format!("r{i}={value}"));
        let names = ["x", "y", "z", "w"];
        let memory = self.memory.iter().zip(names).map(|(value, name)| format!("{name}={value}"));
        f.write_str(&registers.chain(memory).collect::<Vec<_>>().join(" "))
    }
}
