//! [`Prepared`]: a kernel, and what launches have made of it so far.
//!
//! Equal kernels share their code, wherever they come from: a table of the process knows all that somebody has a handle to, by a hash of their content, and compares them as a
//! whole. Where a launch can tell of positions (messages, barriers that threads miss), they must be equal too.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, RwLock, Weak};
use std::time::{Duration, Instant};

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;

use super::better::{self, Better};
use super::content;
use super::options::Effort;
use super::team::Pace;
use crate::bind::Binder;
use crate::dump;
use crate::emit::{self, Code};
use crate::form::{self, Key};
use crate::lanes::{Arena, Program, pressure, repeatable};
use crate::perf;

/// A kernel to launch, with the machine code that there is of it. Cheap to clone; the code's memory is freed with the last handle.
#[derive(Clone)]
pub struct Prepared(Arc<Shared>);

/// What all handles of equal kernels share.
pub(super) struct Shared {
    kernel: Arc<Checked<Kernel>>,
    /// Of its content.
    hash: u64,
    binder: Binder,
    /// Few: one for each width, and for each way that views can overlap.
    specialised: RwLock<Vec<Arc<Specialised>>>,
}

/// Machine code of a kernel for a [`Key`], or why there is none.
pub(super) struct Specialised {
    key: Key,
    made: OnceLock<Result<Ready, Arc<str>>>,
    /// How long its units take.
    pub(super) pace: Arc<Pace>,
}

/// Machine code that is ready to run.
pub(super) struct Ready {
    /// The program, without its body.
    pub(super) program: Program,
    /// What there was first.
    first: Code,
    /// What takes its place, if that was not made to run fast.
    better: Option<Better>,
    /// May threads run twice?
    pub(super) repeatable: bool,
}

/// Vector registers of 16 bytes that a program may want before it gets fewer lanes: somewhat more than there are, since more lanes hide more of what
/// instructions wait for.
const REGISTERS: u32 = 20;

/// Values of a kernel beyond which it is large.
const LARGE: usize = 36;

/// Who has handles, by the hash of the content.
static KERNELS: LazyLock<Mutex<HashMap<u64, Vec<Weak<Shared>>>>> = LazyLock::new(Mutex::default);

impl Prepared {
    /// Prepares a kernel. Nothing is compiled before the first launch.
    pub fn new(kernel: Arc<Checked<Kernel>>) -> Prepared {
        let hash = content::hash(kernel.inlined());
        let find = |known: &[Weak<Shared>]| {
            known.iter().filter_map(Weak::upgrade).find(|shared| {
                Arc::ptr_eq(&shared.kernel, &kernel) || content::same(shared.kernel.inlined(), kernel.inlined())
            })
        };
        let known = KERNELS.lock().unwrap_or_else(PoisonError::into_inner).get(&hash).cloned();
        if let Some(shared) = known.and_then(|known| find(&known)) {
            return Prepared(shared);
        }
        // Not while the table is locked: of two that do this at once each has its own code, which is no harm.
        let binder = Binder::new(kernel.inlined());
        let shared = Arc::new(Shared { kernel, hash, binder, specialised: RwLock::default() });
        let mut kernels = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
        kernels.entry(hash).or_default().push(Arc::downgrade(&shared));
        Prepared(shared)
    }

    /// The kernel.
    pub fn kernel(&self) -> &Checked<Kernel> {
        &self.0.kernel
    }

    pub(super) fn binder(&self) -> &Binder {
        &self.0.binder
    }

    /// The specialisation for a key.
    pub(super) fn specialised(&self, key: Key) -> Arc<Specialised> {
        let find = |list: &[Arc<Specialised>]| list.iter().find(|known| known.key == key).cloned();
        if let Some(found) = find(&self.0.specialised.read().unwrap_or_else(PoisonError::into_inner)) {
            return found;
        }
        let mut list = self.0.specialised.write().unwrap_or_else(PoisonError::into_inner);
        find(&list).unwrap_or_else(|| {
            let new = Arc::new(Specialised { key, made: OnceLock::new(), pace: Arc::default() });
            list.push(Arc::clone(&new));
            new
        })
    }

    /// The machine code of a specialisation of this kernel, made at the first request; and the time that took now.
    pub(super) fn ready<'s>(
        &self,
        specialised: &'s Specialised,
        effort: Effort,
    ) -> (Result<&'s Ready, &'s Arc<str>>, Option<Duration>) {
        let mut took = None;
        let made = specialised.made.get_or_init(|| {
            let begin = Instant::now();
            let ready = make(&self.0.kernel, &specialised.key, effort);
            took = Some(begin.elapsed());
            ready.map_err(Into::into)
        });
        if effort == Effort::Well
            && let Ok(Ready { better: Some(better), .. }) = made
        {
            let begin = Instant::now();
            if better.make() {
                took = Some(took.unwrap_or_default() + begin.elapsed());
            }
        }
        (made.as_ref(), took)
    }
}

impl Specialised {
    /// The machine code, if it is made and could be.
    pub(super) fn made(&self) -> Option<&Ready> {
        self.made.get()?.as_ref().ok()
    }

    /// Has faster code compiled, if there is to be such and nobody has asked for it.
    pub(super) fn improve(self: &Arc<Self>) {
        if self.made().and_then(|ready| ready.better.as_ref()).is_some_and(Better::is_wanted) {
            better::compile(Arc::downgrade(self));
        }
    }

    /// Compiles the faster code.
    pub(super) fn make_better(&self) {
        if let Some(better) = self.made().and_then(|ready| ready.better.as_ref()) {
            better.make();
        }
    }
}

impl Drop for Shared {
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
fn make(kernel: &Checked<Kernel>, key: &Key, effort: Effort) -> Result<Ready, String> {
    let formed = |width| {
        let key = Key { width, ..key.clone() };
        emit::guarded(|| {
            #[cfg(test)]
            broken(kernel, width)?;
            form::form(kernel, &key).map_err(|why| emit::EmitError(why.0))
        })
        .map_err(|why| why.0)
    };
    let program = with_lanes(kernel, key.width, formed)?;
    let options = dump::options();
    // What is shown is what runs in the end.
    let soon = match effort {
        Effort::Auto if !options.whole || cfg!(debug_assertions) => emit::Options::WORTH,
        Effort::Soon => 0,
        Effort::Auto | Effort::Well => emit::Options::WELL,
    };
    let first = emit::compile(&program, &emit::Options { soon, ..options }).map_err(|why| why.0)?;
    dump::tell(kernel, &program, &first);
    perf::note(kernel, &program, &first);
    let repeatable = repeatable(&program);
    let rest = Program { types: Vec::new(), ..program.without_body() };
    let better = first.is_soon().then(|| Better::new(program));
    Ok(Ready { program: rest, first, better, repeatable })
}

/// The program with so many lanes, or with 8 instead of 16 if registers would not suffice: half the lanes do the same columns in twice the strips.
fn with_lanes(
    kernel: &Checked<Kernel>,
    width: u32,
    formed: impl Fn(u32) -> Result<Program, String>,
) -> Result<Program, String> {
    if width < 16 {
        return formed(width);
    }
    // Only which is tried first: a large kernel is rarely content with the registers, and takes longest.
    let large = kernel.inlined().entry().values().len() > LARGE;
    let program = formed(if large { 8 } else { 16 })?;
    let registers = pressure(&program) * if large { 2 } else { 1 };
    match (large, registers > REGISTERS) {
        (true, false) => formed(16),
        (false, true) => formed(8),
        _ => Ok(program),
    }
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

impl Ready {
    /// The best code that there is by now; with `first`, what there was first.
    pub(super) fn code(&self, first: bool) -> &Code {
        match &self.better {
            Some(better) if !first => better.get().unwrap_or(&self.first),
            _ => &self.first,
        }
    }

    pub(super) fn arena(&self) -> &Arena {
        &self.program.arena
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("kernel", &self.kernel().name()).finish_non_exhaustive()
    }
}
