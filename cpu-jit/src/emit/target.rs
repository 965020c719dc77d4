//! Compilation targets: this machine, or another by its name.

use std::sync::OnceLock;

use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable, SetError};

use super::{EmitError, is_code_checked};

/// A compilation target with a configuration for each tier.
pub(super) struct CodeTarget {
    builder: isa::Builder,
    /// The optimised tier.
    well: Lazy,
    /// The baseline tier.
    soon: Lazy,
}

type Lazy = OnceLock<Result<OwnedTargetIsa, EmitError>>;

impl CodeTarget {
    fn new(builder: isa::Builder) -> CodeTarget {
        CodeTarget { builder, well: OnceLock::new(), soon: OnceLock::new() }
    }

    /// The configuration of the optimised tier.
    pub(super) fn well(&self) -> Result<&OwnedTargetIsa, EmitError> {
        self.way(&self.well, "backtracking")
    }

    /// The configuration of the baseline tier: the same instructions with single-pass register
    /// allocation, which takes less time.
    pub(super) fn soon(&self) -> Result<&OwnedTargetIsa, EmitError> {
        self.way(&self.soon, "single_pass")
    }

    fn way<'t>(&self, way: &'t Lazy, registers: &str) -> Result<&'t OwnedTargetIsa, EmitError> {
        let make = || {
            let flags = flags(registers).map_err(|why| EmitError(format!("a setting of Cranelift's: {why}")))?;
            self.builder.finish(flags).map_err(|why| EmitError(format!("no code for this machine: {why}")))
        };
        way.get_or_init(make).as_ref().map_err(Clone::clone)
    }
}

/// This machine.
pub(super) fn host() -> Result<&'static CodeTarget, EmitError> {
    static HOST: OnceLock<Result<CodeTarget, EmitError>> = OnceLock::new();
    let made = HOST.get_or_init(|| {
        let builder = cranelift_native::builder();
        builder.map(CodeTarget::new).map_err(|why| EmitError(format!("no code for this machine: {why}")))
    });
    made.as_ref().map_err(Clone::clone)
}

/// Another machine, such as `aarch64-unknown-linux-gnu`; an x86-64 one has AVX2 and FMA.
pub(super) fn named(name: &str) -> Result<CodeTarget, EmitError> {
    let triple = name.parse().map_err(|_| EmitError(format!("no machine is called `{name}`")))?;
    let mut builder = isa::lookup(triple).map_err(|why| EmitError(format!("no code for `{name}`: {why}")))?;
    if name.starts_with("x86_64") {
        builder.enable("haswell").map_err(|why| EmitError(why.to_string()))?;
    }
    Ok(CodeTarget::new(builder))
}

/// An x86-64 machine with only the features that all have: no FMA, no instructions that round to
/// integers.
#[cfg(test)]
pub(super) fn oldest() -> CodeTarget {
    CodeTarget::new(isa::lookup("x86_64-unknown-linux-gnu".parse().expect("a name")).expect("code for x86-64"))
}

fn flags(registers: &str) -> Result<settings::Flags, SetError> {
    let mut builder = settings::builder();
    for (name, value) in [
        // Lane programs compute everything once and as far outside of loops as possible. A level
        // above "none" sinks computations before a branch into each arm that uses them.
        ("opt_level", "none"),
        ("regalloc_algorithm", registers),
        ("enable_verifier", if is_code_checked() { "true" } else { "false" }),
        // No unwinding passes through generated code.
        ("unwind_info", "false"),
        // Frames larger than a page touch each of their pages, so that the guard page is not
        // skipped.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
    ] {
        builder.set(name, value)?;
    }
    Ok(settings::Flags::new(builder))
}

/// Does this machine have a fused multiply-add?
pub fn fuses() -> bool {
    host().and_then(CodeTarget::well).is_ok_and(|isa| isa.has_native_fma())
}

/// The maximum number of lanes for this machine: 1 if its vectors lack the features that make them
/// worthwhile.
pub fn widest() -> u32 {
    let wide = match host().and_then(CodeTarget::well) {
        Ok(isa) if isa.name() == "x64" => {
            let has = |name: &str| isa.isa_flags().iter().any(|flag| flag.name == name && flag.as_bool() == Some(true));
            ["has_avx2", "has_fma", "has_bmi1", "has_bmi2", "has_lzcnt", "has_popcnt"].into_iter().all(has)
        }
        Ok(isa) => isa.name() == "aarch64",
        Err(_) => false,
    };
    if wide { 16 } else { 1 }
}
