//! What code is made for: this machine, or another by its name.

use std::sync::OnceLock;

use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable, SetError};

use super::EmitError;

/// This machine.
pub(super) fn host() -> Result<&'static OwnedTargetIsa, EmitError> {
    static HOST: OnceLock<Result<OwnedTargetIsa, EmitError>> = OnceLock::new();
    let made = HOST.get_or_init(|| {
        let builder =
            cranelift_native::builder().map_err(|why| EmitError(format!("no code for this machine: {why}")))?;
        finish(builder)
    });
    made.as_ref().map_err(Clone::clone)
}

/// Another machine, such as `aarch64-unknown-linux-gnu`; of x86-64 one with AVX2 and FMA.
pub(super) fn named(name: &str) -> Result<OwnedTargetIsa, EmitError> {
    let triple = name.parse().map_err(|_| EmitError(format!("no machine is called `{name}`")))?;
    let mut builder = isa::lookup(triple).map_err(|why| EmitError(format!("no code for `{name}`: {why}")))?;
    if name.starts_with("x86_64") {
        builder.enable("haswell").map_err(|why| EmitError(why.to_string()))?;
    }
    finish(builder)
}

fn finish(builder: isa::Builder) -> Result<OwnedTargetIsa, EmitError> {
    let flags = flags().map_err(|why| EmitError(format!("a setting of Cranelift's: {why}")))?;
    builder.finish(flags).map_err(|why| EmitError(format!("no code for this machine: {why}")))
}

fn flags() -> Result<settings::Flags, SetError> {
    let mut builder = settings::builder();
    for (name, value) in [
        // Programs come with everything computed once and as far outside of loops as can be. More than "none" moves what is computed before a branch into its
        // arms, once into each that uses it.
        ("opt_level", "none"),
        ("regalloc_algorithm", "backtracking"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        // Nothing unwinds through generated code.
        ("unwind_info", "false"),
        // Frames larger than a page touch each of their pages, so that the guard page is not skipped.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
    ] {
        builder.set(name, value)?;
    }
    Ok(settings::Flags::new(builder))
}

/// Does this machine multiply and add in one operation?
pub fn fuses() -> bool {
    host().is_ok_and(|isa| isa.has_native_fma())
}

/// Most lanes that code for this machine should have: 1 where vectors lack what makes them worth it.
pub fn widest() -> u32 {
    let wide = match host() {
        Ok(isa) if isa.name() == "x64" => {
            let has = |name: &str| isa.isa_flags().iter().any(|flag| flag.name == name && flag.as_bool() == Some(true));
            ["has_avx2", "has_fma", "has_bmi1", "has_bmi2", "has_lzcnt", "has_popcnt"].into_iter().all(has)
        }
        Ok(isa) => isa.name() == "aarch64",
        Err(_) => false,
    };
    if wide { 16 } else { 1 }
}
