//! Executable memory: the pages that hold the machine code of one function, owned by a module of
//! `cranelift-jit`.
//!
//! A module maps pages, copies the bytes into them, makes them executable and visible to the
//! processor, and leaks them unless it is explicitly freed; each function has a module of its own,
//! so that its pages are freed with it. A page is writable or executable, never both.
#![allow(unsafe_code, reason = "holds code that was made at run time, and frees it")]

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use cranelift_codegen::ir::Signature;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, ModuleError, default_libcall_names};

use super::EmitError;

/// How the error begins that a later try may not have.
pub(super) const NO_MEMORY: &str = "no memory for machine code";

/// The executable machine code of one function. Its memory is freed when it is dropped.
pub(super) struct ExecutableMemory {
    /// Owns the pages; behind a mutex because it is not `Sync`. `Some` until this is dropped.
    module: Mutex<Option<JITModule>>,
    entry: EntryPoint,
    size: usize,
}

/// The address of a function of unspecified type.
type EntryPoint = unsafe extern "C" fn();

impl ExecutableMemory {
    /// Makes instructions, which call nothing by name, executable, at a multiple of `alignment`.
    pub(super) fn new(isa: OwnedTargetIsa, bytes: &[u8], alignment: u32) -> Result<ExecutableMemory, EmitError> {
        if bytes.is_empty() {
            return Err(EmitError("a function without instructions".into()));
        }
        let builder = JITBuilder::with_isa(isa, default_libcall_names());
        let mut module = JITModule::new(builder);
        // On systems that lack a required call, the module panics instead of returning an error.
        let defined = catch_unwind(AssertUnwindSafe(|| define(&mut module, bytes, alignment)));
        let why = match defined {
            Ok(Ok(entry)) => {
                return Ok(ExecutableMemory { module: Mutex::new(Some(module)), entry, size: bytes.len() });
            }
            Ok(Err(why)) => format!("{NO_MEMORY}: {why}"),
            Err(_) => "the processor's instruction cache cannot be flushed".into(),
        };
        // SAFETY: none of its functions has been called, and no pointer to one exists.
        unsafe { module.free_memory() };
        Err(EmitError(why))
    }

    /// The address of the function.
    pub(super) fn entry(&self) -> *const u8 {
        self.entry as *const u8
    }

    /// Its instructions.
    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: the module copied that many bytes there, and made the pages readable and no
        // longer writable; it keeps them as long as this lives.
        unsafe { std::slice::from_raw_parts(self.entry(), self.size) }
    }
}

/// Makes a function executable; returns its address, or the reason for failure.
fn define(module: &mut JITModule, bytes: &[u8], alignment: u32) -> Result<EntryPoint, String> {
    let text = |why: ModuleError| why.to_string();
    // Callers of the function know its type; the module does not need it.
    let signature = Signature::new(module.isa().default_call_conv());
    let function = module.declare_anonymous_function(&signature).map_err(text)?;
    module.define_function_bytes(function, alignment.into(), bytes, &[]).map_err(text)?;
    module.finalize_definitions().map_err(text)?;
    let start = module.get_finalized_function(function);
    // SAFETY: an address of code becomes a pointer to it, of the same size; callers give it the
    // type that the function has.
    Ok(unsafe { std::mem::transmute::<*const u8, EntryPoint>(start) })
}

impl Drop for ExecutableMemory {
    fn drop(&mut self) {
        if let Some(module) = self.module.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            // SAFETY: callers of the function borrow this, so no thread executes it any more. Only
            // the address of the thunk is kept elsewhere, and the thunk is never dropped.
            unsafe { module.free_memory() };
        }
    }
}

impl fmt::Debug for ExecutableMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExecutableMemory({} bytes)", self.size)
    }
}
