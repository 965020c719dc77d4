//! The machine features that determine how an operation is lowered.

use cranelift_codegen::isa::{CallConv, TargetIsa};

/// Features of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MachineFacts {
    /// x86-64, otherwise aarch64.
    pub(crate) x64: bool,
    /// It has instructions that round floats to integers, and that select lanes by their top bits
    /// (SSE4.1; always on aarch64).
    pub(crate) rounds: bool,
    /// It has fused multiply-add.
    pub(crate) fma: bool,
    /// The calling convention of Rust functions with a C signature.
    pub(crate) call_conv: CallConv,
}

impl MachineFacts {
    /// The features of a target.
    pub(crate) fn of(isa: &dyn TargetIsa) -> MachineFacts {
        MachineFacts {
            x64: isa.name() == "x64",
            rounds: isa.has_round(),
            fma: isa.has_native_fma(),
            call_conv: isa.default_call_conv(),
        }
    }

    /// The number of its vector registers of 16 bytes.
    pub(crate) fn vector_registers(self) -> u32 {
        if self.x64 { 16 } else { 32 }
    }
}
