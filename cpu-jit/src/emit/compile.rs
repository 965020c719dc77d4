//! From a lane program to machine code: sets the stage for the emitter, and survives what Cranelift has no code for.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, Function, Signature, UserFuncName, types};
use cranelift_codegen::isa::{OwnedTargetIsa, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use tilewise_ir::pos::Pos;

use super::copy::Runs;
use super::emitter::Emitter;
use super::{Code, EmitError, Options, target, thunk};
use crate::lanes::Program;

/// Makes machine code for this machine.
pub fn compile(program: &Program, options: &Options) -> Result<Code, EmitError> {
    let made = guarded(|| make(program, options, target::host()?, thunk::address()?))?;
    Code::new(&made.bytes, made.lines, made.text, made.runs)
}

/// Makes machine code for another machine, such as `aarch64-unknown-linux-gnu`: only to look at.
pub fn compile_for(program: &Program, options: &Options, machine: &str) -> Result<Vec<u8>, EmitError> {
    let isa = target::named(machine)?;
    guarded(|| make(program, options, &isa, 0)).map(|made| made.bytes)
}

struct Made {
    bytes: Vec<u8>,
    lines: Vec<(u32, Pos)>,
    text: Option<Box<str>>,
    runs: Vec<Runs>,
}

fn make(program: &Program, options: &Options, isa: &OwnedTargetIsa, thunk: usize) -> Result<Made, EmitError> {
    let isa: &dyn TargetIsa = &**isa;
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params = vec![AbiParam::new(types::I64); 7];
    signature.returns = vec![AbiParam::new(types::I64)];
    let mut context = Context::for_function(Function::with_name_signature(UserFuncName::default(), signature));
    let mut scratch = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut context.func, &mut scratch);
    let (runs, places) = Emitter::new(builder, isa, program, thunk).run(isa);
    let clif = options.text.then(|| context.func.display().to_string());
    let compiled = context.compile(isa, &mut ControlPlane::default());
    let compiled = compiled.map_err(|why| EmitError(format!("Cranelift does not take it: {:#?}", why.inner)))?;
    if !compiled.buffer.relocs().is_empty() {
        return Err(EmitError("Cranelift wants to call a library".into()));
    }
    let starts = compiled.buffer.get_srclocs_sorted().iter();
    let pos = |bits: u32| places.get(bits as usize).copied().unwrap_or(Pos::NONE);
    Ok(Made {
        bytes: compiled.buffer.data().to_vec(),
        lines: starts.map(|loc| (loc.start, pos(loc.loc.bits()))).collect(),
        text: clif.map(Into::into),
        runs,
    })
}

thread_local! {
    /// Is a panic of this thread to be told to nobody?
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Some gaps of Cranelift panic, and faults of our own: that is an error as any other here, and no text on the terminal.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, EmitError>) -> Result<T, EmitError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                before(info);
            }
        }));
    });
    let was = QUIET.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    QUIET.set(was);
    result.unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("nothing was said");
        Err(EmitError(format!("the compiler gave up: {text}")))
    })
}
