//! [`JitKernel`]: a kernel, and what launches have made of it so far.
//!
//! Equal kernels share their code, wherever they come from: a table of the process knows all that somebody has a handle to, by a hash of their content, and compares them as a
//! whole. Where a launch can tell of positions (messages, barriers that threads miss), they must be equal too.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, RwLock, Weak};
use std::time::{Duration, Instant};

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::stack::{bytes_for, with_bytes, with_levels};

use super::content;
use super::optimised_tier::{self, Better};
use super::options::Effort;
use super::team::UnitCost;
use crate::bind::KernelBindings;
use crate::dump;
use crate::emit::{self, MachineCode};
use crate::lanes::{ArenaSizes, LaneProgram, pressure, repeatable};
use crate::perf;
use crate::vectorize::{self, CodeKey};

/// A kernel to launch, with the machine code that there is of it. Cheap to clone; the code's memory is freed with the last handle.
#[derive(Clone)]
pub struct JitKernel(Arc<SharedCode>);

/// What all handles of equal kernels share.
pub(super) struct SharedCode {
    kernel: Arc<Checked<Kernel>>,
    /// Of its content.
    hash: u128,
    binder: KernelBindings,
    /// Few: one for each width, and for each way that views can overlap.
    specialised: RwLock<Vec<Arc<Specialised>>>,
}

/// Machine code of a kernel for a [`CodeKey`], or why there is none.
pub(super) struct Specialised {
    kernel: Arc<Checked<Kernel>>,
    key: CodeKey,
    made: OnceLock<Result<ReadyCode, Arc<str>>>,
    /// The same with more lanes, compiled behind the first launches: what later ones take.
    wider: OnceLock<Option<ReadyCode>>,
    /// How long its units take.
    pub(super) pace: Arc<UnitCost>,
}

/// Machine code that is ready to run.
pub(super) struct ReadyCode {
    /// The program, without its body.
    pub(super) program: LaneProgram,
    /// What there was first.
    first: MachineCode,
    /// What takes its place, if that was not made to run fast.
    better: Option<Better>,
    /// Are more lanes worth their registers?
    wider: bool,
    /// May threads run twice?
    pub(super) repeatable: bool,
}

/// Vector registers of 16 bytes that a program may want before it gets fewer lanes: somewhat more than there are, since more lanes hide more of what
/// instructions wait for.
const REGISTERS: u32 = 20;

/// Values of a kernel beyond which it is large.
const LARGE: usize = 36;

/// Who has handles, by the hash of the content.
static KERNELS: LazyLock<Mutex<HashMap<u128, Vec<Weak<SharedCode>>>>> = LazyLock::new(Mutex::default);

impl JitKernel {
    /// Prepares a kernel. Nothing is compiled before the first launch.
    pub fn new(kernel: Arc<Checked<Kernel>>) -> JitKernel {
        with_levels(kernel.inlined().levels(), || JitKernel::of(kernel))
    }

    fn of(kernel: Arc<Checked<Kernel>>) -> JitKernel {
        let hash = content::hash(kernel.inlined());
        let find = |known: &[Weak<SharedCode>]| {
            known.iter().filter_map(Weak::upgrade).find(|shared| {
                Arc::ptr_eq(&shared.kernel, &kernel) || content::same(shared.kernel.inlined(), kernel.inlined())
            })
        };
        let known = KERNELS.lock().unwrap_or_else(PoisonError::into_inner).get(&hash).cloned();
        if let Some(shared) = known.and_then(|known| find(&known)) {
            return JitKernel(shared);
        }
        // Not while the table is locked: of two that do this at once each has its own code, which is no harm.
        let binder = KernelBindings::new(kernel.inlined());
        let shared = Arc::new(SharedCode { kernel, hash, binder, specialised: RwLock::default() });
        let mut kernels = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
        kernels.entry(hash).or_default().push(Arc::downgrade(&shared));
        JitKernel(shared)
    }

    /// The kernel.
    pub fn kernel(&self) -> &Checked<Kernel> {
        &self.0.kernel
    }

    pub(super) fn binder(&self) -> &KernelBindings {
        &self.0.binder
    }

    /// The specialisation for a key.
    pub(super) fn specialised(&self, key: CodeKey) -> Arc<Specialised> {
        let find = |list: &[Arc<Specialised>]| list.iter().find(|known| known.key == key).cloned();
        if let Some(found) = find(&self.0.specialised.read().unwrap_or_else(PoisonError::into_inner)) {
            return found;
        }
        let mut list = self.0.specialised.write().unwrap_or_else(PoisonError::into_inner);
        find(&list).unwrap_or_else(|| {
            let kernel = Arc::clone(&self.0.kernel);
            let (made, wider) = (OnceLock::new(), OnceLock::new());
            let new = Arc::new(Specialised { kernel, key, made, wider, pace: Arc::default() });
            list.push(Arc::clone(&new));
            new
        })
    }
}

/// Machine code of a specialisation: what there was first, or the one with more lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    First,
    Wider,
}

impl Specialised {
    /// The machine code for a launch that begins now, made at the first request; and the time that took now.
    pub(super) fn ready(&self, effort: Effort) -> (Result<Which, Arc<str>>, Option<Duration>) {
        let mut took = None;
        let begin = Instant::now();
        let made = self.made.get_or_init(|| {
            let ready = self.with_room(|| make(&self.kernel, &self.key, effort));
            took = Some(begin.elapsed());
            ready.map_err(Into::into)
        });
        let ready = match made {
            Ok(ready) => ready,
            Err(why) => return (Err(Arc::clone(why)), took),
        };
        if effort == Effort::Well && self.make_better() {
            took = Some(begin.elapsed());
        }
        let wider = effort != Effort::Soon && ready.wider && matches!(self.wider.get(), Some(Some(_)));
        (Ok(if wider { Which::Wider } else { Which::First }), took)
    }

    /// Does something with the stack that making code takes.
    fn with_room<R>(&self, work: impl FnOnce() -> R) -> R {
        with_bytes(emit::COMPILE_STACK + bytes_for(self.kernel.inlined().levels()), work)
    }

    /// Machine code that [`Specialised::ready`] told of.
    pub(super) fn get(&self, which: Which) -> Option<&ReadyCode> {
        match which {
            Which::First => self.made.get()?.as_ref().ok(),
            Which::Wider => self.wider.get()?.as_ref(),
        }
    }

    /// Has faster code compiled, if there is to be such and nobody has asked for it.
    pub(super) fn improve(self: &Arc<Self>) {
        if self.get(Which::First).and_then(|ready| ready.better.as_ref()).is_some_and(Better::is_wanted) {
            optimised_tier::compile(Arc::downgrade(self));
        }
    }

    /// Compiles the faster code, or waits for whoever does; says whether some was compiled here.
    pub(super) fn make_better(&self) -> bool {
        let Some(ready) = self.get(Which::First) else { return false };
        let mut made = ready.better.as_ref().is_some_and(Better::make);
        if ready.wider {
            self.wider.get_or_init(|| {
                made = true;
                // If it cannot be made, the other goes on serving.
                self.with_room(|| {
                    let program = formed(&self.kernel, &self.key, self.key.width).ok()?;
                    finished(&self.kernel, program, emit::EmitOptions::WELL).ok()
                })
            });
        }
        made
    }
}

impl Drop for SharedCode {
    fn drop(&mut self) {
        let mut kernels = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kernels.get_mut(&self.hash) {
            known.retain(|known| known.strong_count() > 0);
            if known.is_empty() {
                kernels.remove(&self.hash);
            }
        }
    }
}

/// Compiles.
fn make(kernel: &Checked<Kernel>, key: &CodeKey, effort: Effort) -> Result<ReadyCode, String> {
    // What is shown is what runs in the end.
    let soon = match effort {
        Effort::Auto if !dump::is_asked() => emit::EmitOptions::WORTH,
        Effort::Soon => 0,
        Effort::Auto | Effort::Well => emit::EmitOptions::WELL,
    };
    let formed = |width| formed(kernel, key, width);
    // With 8 lanes instead of 16 if registers would not suffice: half the lanes do the same columns in twice the strips.
    let fits = |program: &LaneProgram, times| pressure(program) * times <= REGISTERS;
    if key.width < 16 {
        return finished(kernel, formed(key.width)?, soon);
    }
    // Only which is tried first: a large kernel is rarely content with the registers, and takes longest.
    if kernel.inlined().entry().values().len() <= LARGE {
        let program = formed(16)?;
        let program = if fits(&program, 1) { program } else { formed(8)? };
        return finished(kernel, program, soon);
    }
    let program = formed(8)?;
    if !fits(&program, 2) {
        return finished(kernel, program, soon);
    }
    if soon == emit::EmitOptions::WELL {
        return finished(kernel, formed(16)?, soon);
    }
    // Later launches can have the others.
    let ready = finished(kernel, program, soon)?;
    if ready.better.is_some() { Ok(ReadyCode { wider: true, ..ready }) } else { finished(kernel, formed(16)?, soon) }
}

/// The program with so many lanes.
fn formed(kernel: &Checked<Kernel>, key: &CodeKey, width: u32) -> Result<LaneProgram, String> {
    let key = CodeKey { width, ..key.clone() };
    emit::guarded(|| {
        #[cfg(test)]
        broken(kernel, width)?;
        vectorize::vectorize(kernel, &key).map_err(|why| emit::EmitError(why.0))
    })
    .map_err(|why| why.0)
}

/// Machine code of a program.
fn finished(kernel: &Checked<Kernel>, program: LaneProgram, soon: usize) -> Result<ReadyCode, String> {
    let first = emit::compile(&program, &emit::EmitOptions { soon, ..dump::options() }).map_err(|why| why.0)?;
    dump::tell(kernel, &program, &first);
    perf::note(kernel, &program, &first);
    let repeatable = repeatable(&program);
    let rest = LaneProgram { types: Vec::new(), ..program.without_body() };
    let better = first.is_soon().then(|| Better::new(program));
    Ok(ReadyCode { program: rest, first, better, wider: false, repeatable })
}

/// Lets the compiler fail, for tests: at kernels of these names.
#[cfg(test)]
fn broken(kernel: &Kernel, width: u32) -> Result<(), emit::EmitError> {
    match kernel.name() {
        "fails" => Err(emit::EmitError("as the test wants".into())),
        "fails_in_lanes" if width > 1 => Err(emit::EmitError("as the test wants".into())),
        "panics" => panic!("as the test wants"),
        _ => Ok(()),
    }
}

impl ReadyCode {
    /// The best code that there is by now; with `first`, what there was first.
    pub(super) fn code(&self, first: bool) -> &MachineCode {
        match &self.better {
            Some(better) if !first => better.get().unwrap_or(&self.first),
            _ => &self.first,
        }
    }

    /// Why a part that was reached could not be compiled, if so.
    pub(super) fn failure(&self) -> Option<&emit::EmitError> {
        let better = self.better.as_ref().and_then(Better::get);
        [Some(&self.first), better].into_iter().flatten().find_map(MachineCode::failure)
    }

    pub(super) fn arena(&self) -> &ArenaSizes {
        &self.program.arena
    }
}

impl fmt::Debug for JitKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("kernel", &self.kernel().name()).finish_non_exhaustive()
    }
}
