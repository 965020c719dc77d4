//! [`JitKernel`]: a kernel, and the machine code that launches have compiled for it.
//!
//! Equal kernels share their code, wherever they come from: a process-wide table holds all kernels
//! with live handles by a hash of their content, and compares them in full. If a launch can report
//! positions (messages, barrier divergence), these must be equal too.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, RwLock, Weak};
use std::time::{Duration, Instant};

use tilewise_ir::analysis::exit_levels::pass_levels;
use tilewise_ir::check::Checked;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{InstKind, Kernel};
use tilewise_ir::launch::Domain;
use tilewise_ir::stack::{bytes_for, with_bytes, with_levels};
use tilewise_trace::{SpanKind, TraceSpan, span};

use super::optimised_tier::{self, Better};
use super::options::Effort;
use super::streaming::StreamTrial;
use super::team::UnitCost;
use super::{content, heap};
use crate::bind::KernelBindings;
use crate::dump;
use crate::emit::{self, CodeForm, EmitOptions, MachineCode};
use crate::lanes::{
    ArenaSizes, Elem, LaneProgram, LaneType, OptimiseGoals, OwnRuns, RegisterPressure, ShortLoops, VectorMachine,
    polls, pressure, reads_in_rounds, repeatable,
};
use crate::perf;
use crate::vectorize::{self, CodeKey};

/// A kernel to launch, with its machine code. Cheap to clone; the code's memory is freed with the
/// last handle.
#[derive(Clone)]
pub struct JitKernel(Arc<SharedCode>);

/// The state shared by all handles of equal kernels.
pub(super) struct SharedCode {
    kernel: Arc<Checked<Kernel>>,
    /// The hash of its content.
    hash: u128,
    binder: KernelBindings,
    /// The same without tiles, for launches in which threads have no order; `None` if it needs its tiles.
    rows: OnceLock<Option<JitKernel>>,
    /// The same with its dimensions turned, by how far.
    turned: Mutex<Vec<(u32, JitKernel)>>,
    /// May tiles run in any order?
    any_order: OnceLock<bool>,
    /// Which launches have tried whether to stream.
    stream_trial: StreamTrial,
    /// Few: one for each width and each emitter, and for each way that views can overlap.
    specialised: RwLock<Vec<Arc<Specialised>>>,
}

/// Machine code of a kernel for a [`CodeKey`] by one emitter, or the reason there is none.
pub(super) struct Specialised {
    kernel: Arc<Checked<Kernel>>,
    key: CodeKey,
    /// The emitter of code with lanes.
    form: CodeForm,
    made: OnceLock<Result<ReadyCode, Arc<str>>>,
    /// One thread compiles, and others wait for it.
    making: Mutex<()>,
    /// The same with more lanes, compiled in the background for later launches.
    wider: OnceLock<Option<ReadyCode>>,
    /// The measured cost of its units.
    pub(super) pace: Arc<UnitCost>,
}

/// Machine code that is ready to run.
pub(super) struct ReadyCode {
    /// The program, without its body.
    pub(super) program: LaneProgram,
    /// The code compiled first.
    first: MachineCode,
    /// Its replacement from the optimised tier, if the first code is baseline.
    better: Option<Better>,
    /// Is a version with more lanes worth compiling?
    wider: bool,
    /// Has a wider version been requested?
    asked_wider: AtomicBool,
    /// May threads run twice?
    pub(super) repeatable: bool,
    /// Does it poll whether the launch is to end?
    pub(super) polls: bool,
}

/// Maximum number of 16-byte vector registers of a program of Cranelift's before it gets fewer lanes. In
/// loops that carry lanes slightly more than exist, since more lanes hide more latency. In others a spill
/// delays only its own iteration, so they may be more: a power, `fast_math::pow`, which needs 40 with 16
/// lanes, took 11% less time with 8.
const REGISTERS: RegisterPressure = RegisterPressure { carried: 20, free: 38 };

/// The same for programs that compute in `f64`: 16 lanes of it are eight registers, so that two such
/// values fill all. `precise_math::expf`, which needs 32 with 16 lanes, took 10% less time with 8.
const REGISTERS_OF_DOUBLES: RegisterPressure = RegisterPressure { carried: 13, free: 28 };

/// Number of values from which a kernel is large.
const LARGE: usize = 36;

/// Fewer threads in a row have no lanes.
const SHORTEST: i32 = 4;

/// A longer row of fewer threads is not worth code of its own for turned dimensions.
const TURNED: i32 = 16;

/// All kernels with live handles, by the hash of their content.
static KERNELS: LazyLock<Mutex<HashMap<u128, Vec<Weak<SharedCode>>>>> = LazyLock::new(Mutex::default);

impl JitKernel {
    /// Prepares a kernel. Nothing is compiled before the first launch.
    pub fn new(kernel: Arc<Checked<Kernel>>) -> JitKernel {
        with_levels(kernel.inlined().levels(), || JitKernel::of(kernel))
    }

    fn of(kernel: Arc<Checked<Kernel>>) -> JitKernel {
        let hash = content::hash(&kernel);
        let find = |known: &[Weak<SharedCode>]| {
            known
                .iter()
                .filter_map(Weak::upgrade)
                .find(|shared| Arc::ptr_eq(&shared.kernel, &kernel) || content::same(&shared.kernel, &kernel))
        };
        let known = KERNELS.lock().unwrap_or_else(PoisonError::into_inner).get(&hash).cloned();
        if let Some(shared) = known.and_then(|known| find(&known)) {
            return JitKernel(shared);
        }
        // Not while the table is locked: of two threads that do this at once each has its own code,
        // which is harmless.
        let binder = KernelBindings::new(kernel.inlined());
        let (rows, turned, specialised) = (OnceLock::new(), Mutex::default(), RwLock::default());
        let stream_trial = StreamTrial::default();
        let any_order = OnceLock::new();
        let shared = Arc::new(SharedCode { kernel, hash, binder, rows, turned, any_order, stream_trial, specialised });
        let mut kernels = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
        kernels.entry(hash).or_default().push(Arc::downgrade(&shared));
        JitKernel(shared)
    }

    /// The kernel.
    pub fn kernel(&self) -> &Checked<Kernel> {
        &self.0.kernel
    }

    /// The kernel whose code runs in launches with several lanes: the one without tiles, if no thread can see
    /// them. One thread at a time, the threads of a tile come one after the other.
    pub(super) fn in_lanes(&self) -> &JitKernel {
        let without_tiles = || Some(JitKernel::of(Arc::new(self.0.kernel.without_tiles()?)));
        self.0.rows.get_or_init(without_tiles).as_ref().unwrap_or(self)
    }

    /// The kernel and the domain with which a launch runs whose last dimensions have too few indices for
    /// lanes, such as the channels of a picture: turned, so that threads along a longer one are neighbours in
    /// a row. `None` if that is not so, or the kernel is tiled, or the order of threads may be seen.
    pub(super) fn turned(&self, domain: &Domain) -> Option<(JitKernel, Domain)> {
        let rank = domain.extent.len();
        let (mut by, mut indices) = (0, 1);
        while by < rank
            && let more = domain.extent[rank - 1 - by].saturating_mul(indices)
            && more < SHORTEST
        {
            (by, indices) = (by + 1, more);
        }
        let long = (by > 0 && by < rank).then(|| domain.extent[rank - 1 - by])?;
        if long < TURNED || self.0.kernel.tile().is_some() || indices > 1 && self.0.kernel.has_order() {
            return None;
        }
        let extent = domain.turned(by);
        let by = by as u32;
        let mut known = self.0.turned.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|(turned, _)| *turned == by).map(|(_, kernel)| kernel.clone());
        let kernel = found.unwrap_or_else(|| {
            let kernel = JitKernel::new(Arc::new(self.0.kernel.turned(by)));
            known.push((by, kernel.clone()));
            kernel
        });
        Some((kernel, extent))
    }

    pub(super) fn binder(&self) -> &KernelBindings {
        &self.0.binder
    }

    /// Does no tile see whether others have run?
    pub(super) fn is_of_any_order(&self) -> bool {
        *self.0.any_order.get_or_init(|| !self.0.kernel.has_order_of_tiles())
    }

    pub(super) fn stream_trial(&self) -> &StreamTrial {
        &self.0.stream_trial
    }

    /// Has code that was compiled rows together?
    #[cfg(test)]
    pub(super) fn has_rows_together(&self) -> bool {
        let list = self.0.specialised.read().unwrap_or_else(PoisonError::into_inner);
        let ready = list.iter().flat_map(|code| [code.get(Which::First), code.get(Which::Wider)]);
        ready.flatten().any(|ready| ready.program.rows.is_some())
    }

    /// The specialisation for a key and an emitter. Code of width 1 is Cranelift's whatever the
    /// emitter, and all share it.
    pub(super) fn specialised(&self, key: CodeKey, form: CodeForm) -> Arc<Specialised> {
        let form = if key.width == 1 { CodeForm::Cranelift } else { form };
        let key = CodeKey { goals: form.goals(key.goals.relaxed, key.goals.longer), ..key };
        let same = |known: &Arc<Specialised>| {
            known.form == form
                && (known.key == key
                    || fault::planted(Fault::CodeOfOtherAliases)
                        && CodeKey { params: key.params.clone(), writable: key.writable.clone(), ..known.key.clone() }
                            == key)
        };
        let find = |list: &[Arc<Specialised>]| list.iter().find(|known| same(known)).cloned();
        if let Some(found) = find(&self.0.specialised.read().unwrap_or_else(PoisonError::into_inner)) {
            return found;
        }
        let mut list = self.0.specialised.write().unwrap_or_else(PoisonError::into_inner);
        find(&list).unwrap_or_else(|| {
            let kernel = Arc::clone(&self.0.kernel);
            let (made, wider) = (OnceLock::new(), OnceLock::new());
            let making = Mutex::default();
            let new = Arc::new(Specialised { kernel, key, form, made, making, wider, pace: Arc::default() });
            list.push(Arc::clone(&new));
            new
        })
    }
}

/// The machine code of a specialisation: the first, or the one with more lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    First,
    Wider,
}

impl Specialised {
    /// The machine code for a launch that begins now, compiled on first request; and the compile
    /// time if this call compiled it.
    pub(super) fn ready(&self, effort: Effort) -> (Result<Which, Arc<str>>, Option<Duration>) {
        let mut took = None;
        let begin = Instant::now();
        if self.made.get().is_none() {
            // A panic, for lack of a stack, leaves nothing half done.
            let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
            if self.made.get().is_none() {
                let _compile = self.compile_span("");
                heap::make_room();
                let ready = self.with_room(|| make(&self.kernel, &self.key, self.form, effort));
                took = Some(begin.elapsed());
                match ready {
                    Err(why) if emit::is_passing(&why) => return (Err(why.into()), took),
                    // Nobody else sets it while this thread has the lock.
                    ready => drop(self.made.set(ready.map_err(Into::into))),
                }
            }
        }
        let ready = match self.made.get() {
            Some(Ok(ready)) => ready,
            Some(Err(why)) => return (Err(Arc::clone(why)), took),
            None => return (Err("its code was not kept".into()), took),
        };
        if effort == Effort::Well && self.make_better() {
            took = Some(begin.elapsed());
        }
        let wider = effort != Effort::Soon && ready.wider && matches!(self.wider.get(), Some(Some(_)));
        (Ok(if wider { Which::Wider } else { Which::First }), took)
    }

    fn compile_span(&self, tier: &str) -> TraceSpan {
        span(SpanKind::Compile, || format!("the kernel `{}` for the CPU{tier}", self.kernel.kernel().name()))
    }

    /// Runs `work` on a stack with enough room for compilation.
    fn with_room<R>(&self, work: impl FnOnce() -> R) -> R {
        with_bytes(emit::COMPILE_STACK + bytes_for(pass_levels(&self.kernel)), work)
    }

    /// The machine code that [`Specialised::ready`] selected.
    pub(super) fn get(&self, which: Which) -> Option<&ReadyCode> {
        match which {
            Which::First => self.made.get()?.as_ref().ok(),
            Which::Wider => self.wider.get()?.as_ref(),
        }
    }

    /// Requests optimised code, if it is useful and has not been requested.
    pub(super) fn improve(self: &Arc<Self>) {
        let Some(ready) = self.get(Which::First) else { return };
        let wanted = match &ready.better {
            Some(better) => better.is_wanted(),
            None => ready.wider && !ready.asked_wider.swap(true, Ordering::Relaxed),
        };
        if wanted {
            optimised_tier::compile(Arc::downgrade(self));
        }
    }

    /// Compiles the optimised code, or waits for the thread that does; returns whether this call
    /// compiled any.
    pub(super) fn make_better(&self) -> bool {
        let Some(ready) = self.get(Which::First) else { return false };
        let mut made = ready.better.as_ref().is_some_and(|better| {
            let _compile = better.get().is_none().then(|| self.compile_span(", optimised"));
            better.make()
        });
        if ready.wider {
            self.wider.get_or_init(|| {
                made = true;
                let _compile = self.compile_span(", optimised");
                // If it fails to compile, the first code remains in use.
                self.with_room(|| {
                    let program = match ready.first.form() {
                        CodeForm::Cranelift => formed(&self.kernel, &self.key, VECTOR).ok()?,
                        CodeForm::Avx2 | CodeForm::Avx512 => longer(&self.kernel, &self.key, self.form)?,
                    };
                    finished(&self.kernel, program, self.form, EmitOptions::WELL).ok()
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
fn make(kernel: &Checked<Kernel>, key: &CodeKey, form: CodeForm, effort: Effort) -> Result<ReadyCode, String> {
    // Dumps show the code that runs in the end.
    let baseline = |worth| match effort {
        Effort::Auto if !dump::is_asked() => worth,
        Effort::Soon => 0,
        Effort::Auto | Effort::Well => EmitOptions::WELL,
    };
    let soon = baseline(EmitOptions::WORTH);
    let formed = |width| formed(kernel, key, width);
    let finished = |program, soon| finished(kernel, program, form, soon);
    // 8 lanes instead of 16 if registers are insufficient: half the lanes process the same columns
    // in twice the strips.
    let fits = |program: &LaneProgram, times| {
        let (needs, most) = (RegisterPressure::of(program), registers(program));
        needs.carried * times <= most.carried && needs.free * times <= most.free
    };
    if key.width < VECTOR {
        return finished(formed(key.width)?, soon);
    }
    if form != CodeForm::Cranelift
        && let Some(ready) = make_wide(kernel, key, form, baseline(EmitOptions::WORTH_WIDE))?
    {
        return Ok(ready);
    }
    // This decides only which width is tried first: a large kernel rarely fits in the registers,
    // and takes longest to compile.
    if kernel.inlined().entry().values().len() <= LARGE {
        let program = formed(16)?;
        let program = if fits(&program, 1) { program } else { formed(8)? };
        return finished(program, soon);
    }
    let program = formed(8)?;
    if !fits(&program, 2) {
        return finished(program, soon);
    }
    if soon == EmitOptions::WELL {
        return finished(formed(16)?, soon);
    }
    // Later launches can use the wider code.
    let ready = finished(program, soon)?;
    if ready.better.is_some() { Ok(ReadyCode { wider: true, ..ready }) } else { finished(formed(16)?, soon) }
}

/// The registers that a program of Cranelift's may need before it gets fewer lanes.
fn registers(program: &LaneProgram) -> RegisterPressure {
    let doubles = program.types.contains(&LaneType::Lanes(Elem::F64));
    if doubles { REGISTERS_OF_DOUBLES } else { REGISTERS }
}

/// Wide code, unless the program has none. The first launches run one vector of lanes, which takes
/// the least time to compile, and from `soon` instructions on code of the baseline tier; later ones
/// may run more lanes.
fn make_wide(
    kernel: &Checked<Kernel>,
    key: &CodeKey,
    form: CodeForm,
    soon: usize,
) -> Result<Option<ReadyCode>, String> {
    if soon == EmitOptions::WELL
        && let Some(program) = longer(kernel, key, form)
        // With so many lanes, or with blocks of runs, it may be too large.
        && let Ok(ready) = finished(kernel, program, form, soon)
        && ready.first.form() == form
    {
        return Ok(Some(ReadyCode { wider: false, ..ready }));
    }
    let program = formed(kernel, key, VECTOR)?;
    let program = if fits_vector(&program, form) { program } else { formed(kernel, key, VECTOR / 2)? };
    let gains = program.short_loops != ShortLoops::None || program.own_runs != OwnRuns::None;
    let ready = finished(kernel, program, form, soon)?;
    if ready.first.form() == CodeForm::Cranelift {
        return Ok(None);
    }
    let wider = key.width > VECTOR || !kernel.tile_vars().is_empty() || gains;
    Ok(Some(ReadyCode { wider: wider && soon != EmitOptions::WELL, ..ready }))
}

/// Lanes of one vector of 32-bit elements with AVX-512, of two with AVX2.
const VECTOR: u32 = 16;

/// Do the values of a program of that many lanes fit? Where two vectors for each value do not, 8 lanes do.
fn fits_vector(program: &LaneProgram, form: CodeForm) -> bool {
    form == CodeForm::Avx512 || pressure(program) <= VectorMachine::BITS_256.capacity()
}

/// A program that is worth compiling beside launches: with tile memory in registers, or with more
/// lanes.
fn longer(kernel: &Checked<Kernel>, key: &CodeKey, form: CodeForm) -> Option<LaneProgram> {
    promoted(kernel, key, form).or_else(|| grouped(kernel, key, form))
}

/// The program with tile memory in registers, if no tile then needs it.
fn promoted(kernel: &Checked<Kernel>, key: &CodeKey, form: CodeForm) -> Option<LaneProgram> {
    if kernel.tile_vars().is_empty() {
        return None;
    }
    let program =
        formed(kernel, &CodeKey { goals: OptimiseGoals { longer: true, ..key.goals }, ..key.clone() }, VECTOR).ok()?;
    (program.promoted && emit::is_wide(&program, form)).then_some(program)
}

/// The program with as many vectors for each value as the registers allow, if that is more than one
/// and worth it; or with rows together; or with unrolled loops; or with runs of threads in blocks, which
/// gain more than several vectors do. Between barriers, strips of tiles
/// overlap by themselves; only loops inside them that read the memory of the launch gain, whose
/// accesses become longer: so much that some values may leave the registers. A tile without barriers
/// and tile memory is like a row.
fn grouped(kernel: &Checked<Kernel>, key: &CodeKey, form: CodeForm) -> Option<LaneProgram> {
    let registers = key.goals.machine.capacity();
    let key = CodeKey { goals: OptimiseGoals { longer: true, ..key.goals }, ..key.clone() };
    let widths = [64, 32, VECTOR, VECTOR / 2].into_iter().filter(|&width| width <= key.width);
    let programs = widths.filter_map(|width| {
        let program = formed(kernel, &key, width).ok()?;
        let fits = match kernel.tile() {
            _ if program.own_runs == OwnRuns::Blocks => {
                width == VECTOR && fits_vector(&program, form) || width < VECTOR
            }
            // The rows are as many as the registers hold.
            None => width >= VECTOR && program.rows.is_some() || width > VECTOR && pressure(&program) <= registers,
            Some(tile) if is_one_row(tile, width) && has_no_barriers(&program.arena) => {
                width > VECTOR && pressure(&program) <= registers
            }
            Some(_) => {
                width > VECTOR
                    && reads_in_rounds(&program)
                    && pressure(&program) <= registers.max(2 * VectorMachine::BITS_256.capacity())
            }
        };
        let unrolled = program.short_loops == ShortLoops::Unrolled
            && (width < VECTOR || width == VECTOR && fits_vector(&program, form));
        ((fits || unrolled) && emit::is_wide(&program, form)).then_some(program)
    });
    let mut first: Option<LaneProgram> = None;
    let mut together: Option<LaneProgram> = None;
    for program in programs {
        if program.own_runs == OwnRuns::Blocks {
            return Some(program);
        }
        if program.rows.is_some() {
            if together.as_ref().is_some_and(|longer| sums_at_once(longer) > sums_at_once(&program)) {
                break;
            }
            together = Some(program);
            continue;
        }
        if together.is_some() {
            break;
        }
        // Both save more than long vectors, and there may be room for them beside shorter ones.
        let shorter = program.own_runs == OwnRuns::Kept || may_have_rows(kernel, &key);
        first.get_or_insert(program);
        if !shorter {
            break;
        }
    }
    together.or(first)
}

/// The number of sums of a program that executes rows together. Of two that have as many, the one
/// with more rows and shorter vectors reads less of what the rows share: a product of matrices, 1024
/// by 1024, took 12.8 ms with 8 rows of 32 lanes and 13.5 with 4 of 64 (AVX-512 on a Zen 5), 41 with
/// 4 rows of 16 lanes and 55 with 2 of 32 (AVX2).
fn sums_at_once(program: &LaneProgram) -> u32 {
    program.width * program.rows.as_ref().map_or(1, |rows| rows.count)
}

/// Has a program neither tile memory nor anything that crosses barriers?
fn has_no_barriers(arena: &ArenaSizes) -> bool {
    [arena.tile_static, arena.context, arena.votes] == [0; 3]
}

/// Is a tile one row of whole strips?
fn is_one_row(tile: &[u32], width: u32) -> bool {
    tile.split_last().is_some_and(|(columns, rows)| columns.is_multiple_of(width) && rows.iter().all(|&row| row <= 1))
}

/// May rows be executed together?
fn may_have_rows(kernel: &Checked<Kernel>, key: &CodeKey) -> bool {
    let mut loops = false;
    kernel.inlined().entry().body().walk(&mut |inst| loops |= matches!(inst.kind, InstKind::Loop { .. }));
    loops && kernel.tile().is_none() && kernel.rank() > 1 && !key.flat
}

/// The program with `width` lanes.
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
fn finished(kernel: &Checked<Kernel>, program: LaneProgram, form: CodeForm, soon: usize) -> Result<ReadyCode, String> {
    let first = emit::compile(&program, &EmitOptions { soon, form, ..dump::options() }).map_err(|why| why.0)?;
    dump::tell(kernel, &program, &first);
    perf::note(kernel, &program, &first);
    let (repeatable, polls) = (repeatable(&program), polls(&program));
    let rest = LaneProgram { types: Vec::new(), ..program.without_body() };
    let better = first.is_soon().then(|| Better::new(program, first.form()));
    Ok(ReadyCode { program: rest, first, better, wider: false, asked_wider: AtomicBool::new(false), repeatable, polls })
}

/// Makes the compiler fail, for tests: for kernels with these names.
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
    /// The best code available; with `first`, the code compiled first.
    pub(super) fn code(&self, first: bool) -> &MachineCode {
        match &self.better {
            Some(better) if !first => better.get().unwrap_or(&self.first),
            _ => &self.first,
        }
    }

    /// The reason a cold block that was reached could not be compiled, if there is one.
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
