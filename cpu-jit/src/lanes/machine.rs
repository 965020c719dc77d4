//! [`VectorMachine`]: the facts about a processor that budgets of passes depend on.

/// The vectors of the code that an emitter makes of a lane program. Programs are the same for every
/// machine but for choices that registers limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VectorMachine {
    /// Bytes of the longest vector.
    pub vector_bytes: u32,
    /// The number of vector registers.
    pub vector_registers: u32,
    /// Does an estimate of a reciprocal root take less time than a root and a quotient?
    pub estimates_roots: bool,
}

impl VectorMachine {
    /// Vectors of 128 bits, 16 registers.
    pub const BITS_128: VectorMachine =
        VectorMachine { vector_bytes: 16, vector_registers: 16, estimates_roots: false };
    /// Vectors of 256 bits, 16 registers.
    pub const BITS_256: VectorMachine =
        VectorMachine { vector_bytes: 32, vector_registers: 16, estimates_roots: false };
    /// Vectors of 512 bits, 32 registers.
    pub const BITS_512: VectorMachine = VectorMachine { vector_bytes: 64, vector_registers: 32, estimates_roots: true };

    /// Does a fused product and sum take no longer than either? Every processor with vectors of 256
    /// bits or more that code is made for has it.
    pub const fn fuses(self) -> bool {
        self.vector_bytes >= 32
    }

    /// The registers in units of 16 bytes, in which [`pressure`](super::pressure) counts.
    pub const fn capacity(self) -> u32 {
        self.vector_registers * (self.vector_bytes / 16)
    }
}
