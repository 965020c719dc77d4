//! Compiles a lane program to machine code: sets up the emitter and Cranelift, and converts their
//! failures to errors.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, Function, Signature, UserFuncName, types};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use tilewise_ir::pos::Pos;
use tilewise_ir::stack::{NoStack, bytes_for, with_bytes};

use super::cold_block::ColdBlock;
use super::copy::Runs;
use super::emitter::{ColdArm, Emitter};
use super::plan::OutlinePlan;
use super::target::CodeTarget;
#[cfg(all(target_arch = "x86_64", not(windows)))]
use super::wide;
use super::{CodeForm, EmitError, EmitOptions, MachineCode, Slow, is_code_checked, target, thunk};
use crate::lanes::LaneProgram;

#[cfg(test)]
thread_local! {
    /// Has the program `lacks_memory_at_first` had none on this thread?
    static LACKED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Compiles for this machine.
pub fn compile(program: &LaneProgram, options: &EmitOptions) -> Result<MachineCode, EmitError> {
    code(program, None, options)
}

/// Compiles a cold block.
pub(super) fn aside(around: &LaneProgram, arm: ColdArm<'_>, options: &EmitOptions) -> Result<MachineCode, EmitError> {
    #[cfg(test)]
    if &*around.name == "fails_in_an_arm" {
        return Err(EmitError("as the test wants".into()));
    }
    code(around, Some(arm), options)
}

/// Bytes of stack that Cranelift needs. It does not recurse over the function: 128 KiB were
/// measured in an optimised build.
pub(crate) const COMPILE_STACK: usize = 1 << 20;

/// The most lanes of a program that Cranelift compiles.
const CRANELIFT_LANES: u32 = 16;

fn code(program: &LaneProgram, arm: Option<ColdArm<'_>>, options: &EmitOptions) -> Result<MachineCode, EmitError> {
    let host = target::host()?;
    let levels = arm.map_or(&program.body, |(body, _)| body).depth();
    let make = || {
        // Cold blocks are Cranelift's in any code.
        let refused = match arm.map_or_else(|| make_wide(program, options), |_| Ok(None)) {
            Ok(Some(made)) => return Ok(made),
            Ok(None) => None,
            // Cranelift has no code for so many lanes: the caller takes fewer.
            Err(why) if program.width > CRANELIFT_LANES => return Err(why),
            Err(why) => Some(why),
        };
        let made = guarded(|| make(program, arm, options, host, thunk::address()?))?;
        Ok(CompiledFunction { refused, ..made })
    };
    let made = with_bytes(COMPILE_STACK + bytes_for(levels), make)?;
    #[cfg(test)]
    if &*program.name == "lacks_memory_at_first" && LACKED.with(|lacked| !lacked.replace(true)) {
        return Err(EmitError(format!("{}: as the test wants", super::executable::NO_MEMORY)));
    }
    let code = MachineCode::new(host.well()?.clone(), made)?;
    #[cfg(test)]
    let options = &EmitOptions { whole: options.whole && &*program.name != "fails_in_an_arm", ..*options };
    if options.whole || options.text {
        for aside in code.asides() {
            aside.code(options).map_err(Clone::clone)?;
        }
    }
    Ok(code)
}

/// Wide code, if it is asked for. If there is none, or the program has none, which is the error,
/// Cranelift compiles the program.
#[cfg(all(target_arch = "x86_64", not(windows)))]
fn make_wide(program: &LaneProgram, options: &EmitOptions) -> Result<Option<CompiledFunction>, EmitError> {
    if options.form == CodeForm::Cranelift || options.text || program.width < 4 {
        return Ok(None);
    }
    // It is about cold blocks, which Cranelift's code has.
    #[cfg(test)]
    if matches!(&*program.name, "fails_in_an_arm" | "fails_in_wide_code")
        || &*program.name == "fails_with_more_lanes" && program.width > CRANELIFT_LANES
    {
        return Err(EmitError("as the test wants".into()));
    }
    guarded(|| wide::compile(program, options.form, options.soon, is_code_checked())).map(Some)
}

#[cfg(not(all(target_arch = "x86_64", not(windows))))]
fn make_wide(_: &LaneProgram, options: &EmitOptions) -> Result<Option<CompiledFunction>, EmitError> {
    match options.form {
        CodeForm::Cranelift => Ok(None),
        CodeForm::Avx2 | CodeForm::Avx512 => Err(EmitError("this program was built for another processor".into())),
    }
}

/// Does every node of a program with more lanes than Cranelift compiles have wide code?
#[cfg(all(target_arch = "x86_64", not(windows)))]
pub(crate) fn is_wide(program: &LaneProgram, form: CodeForm) -> bool {
    let check = || guarded(|| wide::check(program, form)).is_ok();
    with_bytes(COMPILE_STACK + bytes_for(program.body.depth()), check)
}

/// No program has wide code.
#[cfg(not(all(target_arch = "x86_64", not(windows))))]
pub(crate) fn is_wide(program: &LaneProgram, _: CodeForm) -> bool {
    program.width <= CRANELIFT_LANES
}

/// Compiles for another machine, such as `aarch64-unknown-linux-gnu`: for tests, as only these are
/// built with Cranelift's code for other machines.
pub fn compile_for(program: &LaneProgram, options: &EmitOptions, machine: &str) -> Result<Vec<u8>, EmitError> {
    let target = target::named(machine)?;
    let make_all = || {
        let made = make(program, None, options, &target, 0)?;
        for (around, arm) in made.asides.iter().map(|aside| aside.parts()) {
            make(around, Some(arm), options, &target, 0)?;
        }
        Ok(made.bytes)
    };
    with_bytes(COMPILE_STACK + bytes_for(program.body.depth()), || guarded(make_all))
}

/// The Cranelift IR for a machine, and the operations that are not lowered to vector instructions.
#[cfg(test)]
pub(super) fn written_for(program: &LaneProgram, target: &CodeTarget) -> Result<(String, Vec<Slow>), EmitError> {
    let made = guarded(|| make(program, None, &EmitOptions { text: true, ..EmitOptions::default() }, target, 0))?;
    Ok((made.text.unwrap_or_default().into(), made.slow))
}

/// The machine code of one function, before it is executable.
#[derive(Default)]
pub(super) struct CompiledFunction {
    pub(super) bytes: Vec<u8>,
    /// Alignment of the function, and so of the constants after its instructions.
    pub(super) alignment: u32,
    pub(super) lines: Vec<(u32, Pos)>,
    pub(super) text: Option<Box<str>>,
    pub(super) runs: Vec<Runs>,
    pub(super) asides: Vec<Arc<ColdBlock>>,
    pub(super) slow: Vec<Slow>,
    /// Was it compiled in the baseline tier?
    pub(super) soon: bool,
    /// Its stack frame in bytes.
    pub(super) frame: u32,
    /// The emitter that made it.
    pub(super) form: CodeForm,
    /// The reason the requested emitter has no code for the program, if another made it.
    pub(super) refused: Option<EmitError>,
}

/// Number of Cranelift instructions from which optimising register allocation takes too long:
/// several times as many as any handwritten kernel has.
const LARGE: usize = 20_000;

/// Number of Cranelift instructions from which a function is not compiled: it would take seconds,
/// and gigabytes.
const MOST: usize = 600_000;

/// Maximum stack frame of a function in bytes, for threads that may have 2 MiB.
const FRAME: u32 = 512 << 10;

fn make(
    program: &LaneProgram,
    arm: Option<ColdArm<'_>>,
    options: &EmitOptions,
    target: &CodeTarget,
    thunk: usize,
) -> Result<CompiledFunction, EmitError> {
    let isa: &dyn TargetIsa = &**target.well()?;
    // Arms within a cold block are not outlined again.
    let plan = if arm.is_some() { OutlinePlan::default() } else { OutlinePlan::of(program, options.apart) };
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params = vec![AbiParam::new(types::I64); if arm.is_some() { 4 } else { 7 }];
    signature.returns = vec![AbiParam::new(types::I64)];
    let mut context = Context::for_function(Function::with_name_signature(UserFuncName::default(), signature));
    let mut scratch = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut context.func, &mut scratch);
    let written = Emitter::new(builder, isa, program, &plan, thunk).run(isa, arm);
    let clif = options.text.then(|| context.func.display().to_string());
    let instructions = context.func.dfg.num_insts();
    if instructions > MOST {
        return Err(EmitError(format!("it has {instructions} instructions, at most {MOST} are compiled")));
    }
    let large = instructions >= LARGE;
    let soon = instructions >= options.soon && !large;
    let isa = if soon || large { &**target.soon()? } else { isa };
    let compiled = context.compile(isa, &mut ControlPlane::default());
    let compiled = compiled.map_err(|why| EmitError(format!("Cranelift does not take it: {:#?}", why.inner)))?;
    if !compiled.buffer.relocs().is_empty() {
        return Err(EmitError("Cranelift wants to call a library".into()));
    }
    let frame = compiled.buffer.frame_layout().map_or(0, |layout| layout.frame_to_fp_offset);
    if frame > FRAME {
        return Err(EmitError(format!("it would take {frame} bytes on the stack, at most {FRAME} may be")));
    }
    let starts = compiled.buffer.get_srclocs_sorted().iter();
    let pos = |bits: u32| written.places.get(bits as usize).copied().unwrap_or(Pos::NONE);
    Ok(CompiledFunction {
        bytes: compiled.buffer.data().to_vec(),
        alignment: compiled.buffer.alignment,
        lines: starts.map(|loc| (loc.start, pos(loc.loc.bits()))).collect(),
        text: clif.map(Into::into),
        runs: written.runs,
        asides: written.asides,
        slow: written.slow,
        soon,
        frame,
        form: CodeForm::Cranelift,
        refused: None,
    })
}

/// Runs a part of the compiler. A panic in it is a bug of ours or of Cranelift, and becomes an
/// error like any other: the launch falls back, or reports why it cannot run. The page of
/// [`emit`](super) explains why the panic hook of the process is not replaced.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, EmitError>) -> Result<T, EmitError> {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        if payload.is::<NoStack>() {
            // Nothing is wrong with the program.
            panic::resume_unwind(payload);
        }
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("nothing was said");
        Err(EmitError(format!("the compiler gave up: {text}")))
    })
}
