//! The way of a launch.
#![allow(
    unsafe_code,
    reason = "works in memory that the caller answers for, by pointers; `Engine::launch` says what must hold"
)]

use std::time::{Duration, Instant};

use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{Argument, Domain, Memory, Outcome, Refusal, check_arguments};

use super::fallback;
use super::{Engine, LaunchOptions, Launched, Prepared, Ran};
use crate::bind::Bound;

impl Engine {
    /// Launches a kernel over memory that is there already. Refused, with nothing run, if the domain or what is bound does not fit.
    ///
    /// # Safety
    /// What is bound must be true: every element of a view (the element type's size, at `base` plus the strides' elements) and every byte of a buffer is alive
    /// until this returns; nobody else writes there meanwhile, and what the kernel writes nobody else reads.
    pub unsafe fn launch(
        &self,
        kernel: &Prepared,
        domain: &Domain,
        bound: &[Bound<'_>],
        options: &LaunchOptions<'_>,
    ) -> Result<Launched, Refusal> {
        domain.check(kernel.kernel())?;
        check_bound(kernel.kernel(), bound)?;
        let interrupt = interrupt(options);
        let reason = "this version compiles no kernel yet";
        // SAFETY: the caller's promise.
        interpreted(reason, options, || unsafe { fallback::interpret(kernel.kernel(), domain, bound, &interrupt) })
    }

    /// Launches a kernel in pieces of bytes, as [`interp::run_until`](tilewise_ir::interp::run_until) does.
    pub fn run(
        &self,
        kernel: &Prepared,
        domain: &Domain,
        memory: &mut Memory,
        arguments: &[Argument],
        options: &LaunchOptions<'_>,
    ) -> Result<Launched, Refusal> {
        domain.check(kernel.kernel())?;
        check_arguments(kernel.kernel(), memory, arguments)?;
        let bases: Vec<u64> =
            memory.pieces.iter_mut().map(|piece| piece.as_mut_ptr().expose_provenance() as u64).collect();
        let base = |piece: usize, offset: u64| bases.get(piece).copied().unwrap_or(0).wrapping_add(offset);
        let bound = arguments.iter().map(|argument| match argument {
            Argument::View(view) => Bound::View {
                base: base(view.piece, view.offset),
                home: view.piece as u64,
                extent: &view.extent,
                strides: &view.strides,
            },
            &Argument::Buffer { piece, offset, size } => {
                Bound::Buffer { base: base(piece, offset), home: piece as u64, size }
            }
            Argument::Uniform(bytes) => Bound::Uniform(bytes),
        });
        let bound: Vec<Bound<'_>> = bound.collect();
        // SAFETY: the arguments lie within their pieces, as was checked, and the memory is borrowed for us alone.
        unsafe { self.launch(kernel, domain, &bound, options) }
    }
}

/// A question whether to end that also looks at the clock.
fn interrupt<'a>(options: &LaunchOptions<'a>) -> impl Fn() -> bool + use<'a> {
    let end = options.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let asked = options.interrupt;
    move || end.is_some_and(|end| Instant::now() >= end) || asked.is_some_and(|asked| asked())
}

/// Interprets a launch that has no machine code.
fn interpreted(
    reason: &str,
    options: &LaunchOptions<'_>,
    run: impl FnOnce() -> Result<Outcome, Refusal>,
) -> Result<Launched, Refusal> {
    if options.no_fallback {
        return Err(Refusal::Unsupported(format!("the kernel cannot be compiled: {reason}")));
    }
    let begin = Instant::now();
    let outcome = run()?;
    let ran = Ran { run: begin.elapsed(), compile: Duration::ZERO, fallback: Some(reason.into()), ..Ran::default() };
    Ok(Launched { outcome: Outcome { instructions: 0, ..outcome }, ran })
}

/// Does what is bound fit the kernel's parameters? Whether it lies in memory is the caller's to know.
fn check_bound(kernel: &Kernel, bound: &[Bound<'_>]) -> Result<(), Refusal> {
    let bad = |text: String| Err(Refusal::BadArgument(text));
    let params = kernel.params();
    if bound.len() != params.len() {
        let (name, want, have) = (kernel.name(), params.len(), bound.len());
        return bad(format!("the kernel `{name}` has {want} parameters, {have} were bound"));
    }
    for (param, bound) in params.iter().zip(bound) {
        let name = &param.name;
        match (param.kind, bound) {
            (ParamKind::View(ty), Bound::View { extent, strides, .. }) => {
                let rank = ty.rank as usize;
                if extent.len() != rank || strides.len() != rank {
                    return bad(format!("`{name}` is a view of rank {rank}, the one bound has rank {}", extent.len()));
                }
                if let Some(e) = extent.iter().find(|&&e| e < 0) {
                    return bad(format!("`{name}`: an extent of {e} is negative"));
                }
            }
            (ParamKind::Buffer { ty, .. }, &Bound::Buffer { size, .. }) => {
                let need = kernel.types().size(ty);
                if size < need {
                    return bad(format!("`{name}` needs at least {need} bytes, {size} were bound"));
                }
            }
            (ParamKind::Uniform(ty), Bound::Uniform(bytes)) => {
                let need = kernel.types().size(ty);
                if bytes.len() as u64 != need {
                    return bad(format!("`{name}` takes {need} bytes, {} were given", bytes.len()));
                }
            }
            (ParamKind::View(_), _) => return bad(format!("`{name}` is a view, and something else was bound to it")),
            (ParamKind::Buffer { .. }, _) => {
                return bad(format!("`{name}` is a buffer, and something else was bound to it"));
            }
            (ParamKind::Uniform(_), _) => {
                return bad(format!("`{name}` is a value, and something else was bound to it"));
            }
        }
    }
    Ok(())
}
