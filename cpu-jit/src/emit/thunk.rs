//! Calls from generated code to Rust functions: through a thunk that preserves every register.
//!
//! An ordinary call clobbers all vector registers, so the register allocator would spill values far
//! around it, in hot code too. Therefore calls, which are rare, go through a few instructions that
//! save the registers that the callee may change.

use std::sync::OnceLock;

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, Signature, UserFuncName, types};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::compile::CompiledFunction;
use super::{EmitError, MachineCode, target};

/// The number of arguments that the thunk forwards.
pub(super) const ARGS: usize = 5;

/// The signature of the thunk: the address of a function, and its arguments. Results are returned
/// in memory.
pub(super) fn signature() -> Signature {
    let mut signature = Signature::new(CallConv::PreserveAll);
    signature.params = vec![AbiParam::new(types::I64); ARGS + 1];
    signature
}

/// The address of the thunk.
pub(super) fn address() -> Result<usize, EmitError> {
    static THUNK: OnceLock<Result<MachineCode, EmitError>> = OnceLock::new();
    let made = THUNK.get_or_init(|| {
        let isa = target::host()?.well()?;
        let (bytes, alignment) = make(&**isa)?;
        MachineCode::new(isa.clone(), CompiledFunction { bytes, alignment, ..CompiledFunction::default() })
    });
    made.as_ref().map(|code| code.bytes().as_ptr().addr()).map_err(Clone::clone)
}

/// The instructions of the thunk, and their alignment.
fn make(isa: &dyn TargetIsa) -> Result<(Vec<u8>, u32), EmitError> {
    let mut context = Context::for_function(Function::with_name_signature(UserFuncName::default(), signature()));
    let mut scratch = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut context.func, &mut scratch);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    builder.seal_block(entry);
    let mut callee = Signature::new(isa.default_call_conv());
    callee.params = vec![AbiParam::new(types::I64); ARGS];
    let callee = builder.import_signature(callee);
    let args = builder.block_params(entry).to_vec();
    builder.ins().call_indirect(callee, args[0], &args[1..]);
    builder.ins().return_(&[]);
    builder.finalize(isa.frontend_config());
    let compiled = context.compile(isa, &mut ControlPlane::default());
    let compiled = compiled.map_err(|why| EmitError(format!("Cranelift does not take the thunk: {:?}", why.inner)))?;
    Ok((compiled.buffer.data().to_vec(), compiled.buffer.alignment))
}
