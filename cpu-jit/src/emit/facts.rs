//! What the machine can do, as far as it matters for how an operation is written.

use cranelift_codegen::isa::{CallConv, TargetIsa};

/// What is known of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MachineFacts {
    /// x86-64, else aarch64.
    pub(crate) x64: bool,
    /// It rounds floats to integers by instructions, and chooses between lanes by their top bits (SSE4.1; always on aarch64).
    pub(crate) rounds: bool,
    /// It has fused multiply-add.
    pub(crate) fma: bool,
    /// How functions written in Rust are called.
    pub(crate) call_conv: CallConv,
}

impl MachineFacts {
    /// Those of a target.
    pub(crate) fn of(isa: &dyn TargetIsa) -> MachineFacts {
        MachineFacts {
            x64: isa.name() == "x64",
            rounds: isa.has_round(),
            fma: isa.has_native_fma(),
            call_conv: isa.default_call_conv(),
        }
    }
}
