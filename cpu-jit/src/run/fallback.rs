//! The way out for what cannot be compiled: the interpreter, in a copy of the launch's memory.
//!
//! Only elements of views and bytes of buffers are read, and only those of parameters that the kernel writes are written back: between the rows of a section
//! lies memory that is not the launch's.
#![allow(
    unsafe_code,
    reason = "copies memory that the caller answers for, by pointers; `Engine::launch` says what must hold"
)]

use std::collections::BTreeMap;

use tilewise_ir::analysis::written::written;
use tilewise_ir::check::Checked;
use tilewise_ir::interp;
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{Argument, Domain, Memory, Outcome, Refusal, ViewArgument};
use tilewise_ir::types::round_up;

use crate::bind::Bound;

/// A launch's memory, copied.
pub(super) struct Copied {
    memory: Memory,
    arguments: Vec<Argument>,
    /// For each parameter: its bytes, and the piece that they are copied to, with the address that the piece's first byte is copied from.
    places: Vec<(Runs, usize, u64)>,
}

impl Copied {
    /// Copies the memory of a launch.
    ///
    /// # Safety
    /// As [`Engine::launch`](super::Engine::launch); what is bound fits the kernel's parameters.
    pub(super) unsafe fn of(kernel: &Kernel, bound: &[Bound<'_>]) -> Result<Copied, Refusal> {
        let too_large = || Refusal::Unsupported("what is bound is too large to be interpreted".into());
        let runs: Vec<Runs> =
            bound.iter().zip(kernel.params()).map(|(bound, param)| runs(kernel, bound, param.kind)).collect();
        // Views of one home share a piece, so that they overlap there as they do here.
        let mut homes: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        for (bound, runs) in bound.iter().zip(&runs) {
            if let (Some(home), Some((first, end))) = (home(bound), runs.span) {
                let span = homes.entry(home).or_insert((first, end));
                *span = (span.0.min(first), span.1.max(end));
            }
        }
        let mut memory = Memory::default();
        let mut pieces: BTreeMap<u64, (usize, u64)> = BTreeMap::new();
        for (&home, &(first, end)) in &homes {
            let size = usize::try_from(end - first).map_err(|_| too_large())?;
            let mut piece = Vec::new();
            piece.try_reserve_exact(size).map_err(|_| too_large())?;
            piece.resize(size, 0);
            pieces.insert(home, (memory.pieces.len(), first));
            memory.pieces.push(piece);
        }
        // For views without elements.
        memory.pieces.push(Vec::new());
        let nowhere = (memory.pieces.len() - 1, 0);
        let (mut arguments, mut places) = (Vec::new(), Vec::new());
        for (bound, runs) in bound.iter().zip(runs) {
            let (piece, first) = match (home(bound).and_then(|home| pieces.get(&home)), runs.span) {
                (Some(&place), Some(_)) => place,
                _ => nowhere,
            };
            runs.each(|at, bytes| {
                let from = std::ptr::with_exposed_provenance::<u8>(at as usize);
                let to = &mut memory.pieces[piece][(at - first) as usize..][..bytes];
                // SAFETY: these bytes are elements of what is bound, which are alive and which nobody writes.
                unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), bytes) };
            });
            let offset = |base: u64| if runs.span.is_some() { base - first } else { 0 };
            arguments.push(match *bound {
                Bound::View { base, extent, strides, .. } => Argument::View(ViewArgument {
                    piece,
                    offset: offset(base),
                    extent: extent.to_vec(),
                    strides: strides.to_vec(),
                }),
                Bound::Buffer { base, size, .. } => Argument::Buffer { piece, offset: offset(base), size },
                Bound::Uniform(bytes) => Argument::Uniform(bytes.to_vec()),
            });
            places.push((runs, piece, first));
        }
        Ok(Copied { memory, arguments, places })
    }

    /// Interprets the launch in the copy, and writes what the kernel may have changed over what is bound, whatever that has become meanwhile.
    ///
    /// # Safety
    /// As [`Copied::of`], and the kernel is the one that the copy was made for.
    pub(super) unsafe fn interpret(
        mut self,
        kernel: &Checked<Kernel>,
        domain: &Domain,
        interrupt: &dyn Fn() -> bool,
    ) -> Result<Outcome, Refusal> {
        let options = interp::Options::default();
        let outcome = interp::run_until(kernel, domain, &mut self.memory, &self.arguments, &options, interrupt)?;
        for ((runs, piece, first), _) in
            self.places.iter().zip(written(kernel.inlined())).filter(|(_, written)| *written)
        {
            runs.each(|at, bytes| {
                let from = &self.memory.pieces[*piece][(at - first) as usize..][..bytes];
                let to = std::ptr::with_exposed_provenance_mut::<u8>(at as usize);
                // SAFETY: these bytes are elements of something that the kernel writes: alive, and nobody else touches them.
                unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to, bytes) };
            });
        }
        Ok(Outcome { instructions: 0, ..outcome })
    }
}

fn home(bound: &Bound<'_>) -> Option<u64> {
    match *bound {
        Bound::View { home, .. } | Bound::Buffer { home, .. } => Some(home),
        Bound::Uniform(_) => None,
    }
}

/// The bytes of something that is bound: runs of them, at distances.
struct Runs {
    /// First byte and end of all.
    span: Option<(u64, u64)>,
    /// Number and distance in bytes of each dimension that is not within a run.
    steps: Vec<(u64, u64)>,
    /// Bytes of a run.
    bytes: usize,
}

impl Runs {
    /// Calls back with the address and length of each run.
    fn each(&self, mut run: impl FnMut(u64, usize)) {
        let Some((first, _)) = self.span else { return };
        let mut index = vec![0; self.steps.len()];
        loop {
            let at: u64 = index.iter().zip(&self.steps).map(|(&i, &(_, step))| i * step).sum();
            run(first + at, self.bytes);
            let more = index.iter_mut().zip(&self.steps).rev().any(|(i, &(count, _))| {
                *i = (*i + 1) % count;
                *i != 0
            });
            if !more {
                return;
            }
        }
    }
}

fn runs(kernel: &Kernel, bound: &Bound<'_>, kind: ParamKind) -> Runs {
    let nothing = Runs { span: None, steps: Vec::new(), bytes: 0 };
    match (*bound, kind) {
        (Bound::View { base, extent, strides, .. }, ParamKind::View(ty)) if extent.iter().all(|&e| e > 0) => {
            let types = kernel.types();
            let size = round_up(types.size(ty.element), types.align(ty.element));
            let mut steps: Vec<(u64, u64)> = extent.iter().zip(strides).map(|(&e, &s)| (e as u64, s * size)).collect();
            let end = steps.iter().map(|&(count, step)| (count - 1) * step).sum::<u64>() + base + size;
            let mut bytes = size;
            while let Some(&(count, step)) = steps.last()
                && (step == bytes || count == 1)
            {
                bytes *= count;
                steps.pop();
            }
            Runs { span: Some((base, end)), steps, bytes: bytes as usize }
        }
        (Bound::Buffer { base, size, .. }, _) if size > 0 => {
            Runs { span: Some((base, base + size)), steps: Vec::new(), bytes: size as usize }
        }
        _ => nothing,
    }
}
