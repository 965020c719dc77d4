//! The targets: a closed list. To add one, add a variant here and extend every `match` that no
//! longer compiles.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tilewise_cpu_jit::emit::CodeForm;
use tilewise_cpu_jit::lanes::launch::{self as lanes, LaneLaunchFailure};
pub use tilewise_cpu_jit::run::UserFallback;
use tilewise_cpu_jit::run::{Effort, Engine, EngineOptions, JitKernel, JitLaunchOptions, JitLaunched, Ran};
use tilewise_interp::{self as interp, Checks, ThreadOrder};
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Outcome, Refusal};
use tilewise_trace::{SpanKind, TraceSpan, span};

/// A target that runs kernels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SuiteTarget {
    /// The interpreter, which defines the meaning of kernels.
    Reference,
    /// The lane programs that the JIT compiles, interpreted: with 8 lanes, and with one.
    Lanes8,
    /// The same with 16 lanes, and with 4.
    Lanes16,
    /// Compiled code on the CPU, by the emitter that users get.
    Jit,
    /// The same by Cranelift.
    JitClif,
    /// The same as wide code for AVX2. A kernel that runs in lanes of other code is a failure.
    JitAvx2,
    /// The same as wide code for AVX-512.
    JitAvx512,
    /// The first GPU; kernels are passed to wgpu as WGSL.
    GpuWgsl,
    /// The same GPU; kernels are passed as naga modules.
    GpuModule,
    /// The same GPU; kernels are passed as SPIR-V with exact floats.
    GpuStrict,
}

/// Threads of the engine that all launches on `jit` share: more than one even on a machine with one
/// core.
const THREADS: usize = 4;

impl SuiteTarget {
    /// The reason why no kernel can run on the target, in this program on this machine.
    pub fn missing(self) -> Option<String> {
        match self {
            SuiteTarget::Reference | SuiteTarget::Lanes8 | SuiteTarget::Lanes16 | SuiteTarget::Jit => None,
            SuiteTarget::JitClif | SuiteTarget::JitAvx2 | SuiteTarget::JitAvx512 => {
                let form = self.form().filter(|form| !form.is_native())?;
                Some(format!("this processor does not run {} code", form.name()))
            }
            SuiteTarget::GpuWgsl | SuiteTarget::GpuModule | SuiteTarget::GpuStrict => gpu::missing(),
        }
    }

    /// Name and driver of the GPU that it runs on, if it runs on one that is there.
    pub fn gpu(self) -> Option<String> {
        if self.is_gpu() { gpu::described() } else { None }
    }

    /// All targets.
    pub const ALL: [SuiteTarget; 10] = [
        SuiteTarget::Reference,
        SuiteTarget::Lanes8,
        SuiteTarget::Lanes16,
        SuiteTarget::Jit,
        SuiteTarget::JitClif,
        SuiteTarget::JitAvx2,
        SuiteTarget::JitAvx512,
        SuiteTarget::GpuWgsl,
        SuiteTarget::GpuModule,
        SuiteTarget::GpuStrict,
    ];

    /// The targets that run on the CPU.
    pub const CPU: [SuiteTarget; 7] = [
        SuiteTarget::Reference,
        SuiteTarget::Lanes8,
        SuiteTarget::Lanes16,
        SuiteTarget::Jit,
        SuiteTarget::JitClif,
        SuiteTarget::JitAvx2,
        SuiteTarget::JitAvx512,
    ];

    /// Those of them that this processor runs.
    pub fn on_this_cpu() -> Vec<SuiteTarget> {
        SuiteTarget::CPU.into_iter().filter(|target| target.missing().is_none()).collect()
    }

    /// The targets that this program was built with.
    pub const BUILT: &'static [SuiteTarget] = if cfg!(feature = "gpu") { &SuiteTarget::ALL } else { &SuiteTarget::CPU };

    /// May its float operations be contracted and reordered?
    pub const fn is_relaxed(self) -> bool {
        matches!(self, SuiteTarget::GpuWgsl | SuiteTarget::GpuModule)
    }

    /// Does it run compiled code on the CPU?
    pub const fn is_jit(self) -> bool {
        matches!(self, SuiteTarget::Jit | SuiteTarget::JitClif | SuiteTarget::JitAvx2 | SuiteTarget::JitAvx512)
    }

    /// The emitter that the target names, if it names one.
    pub const fn form(self) -> Option<CodeForm> {
        match self {
            SuiteTarget::JitClif => Some(CodeForm::Cranelift),
            SuiteTarget::JitAvx2 => Some(CodeForm::Avx2),
            SuiteTarget::JitAvx512 => Some(CodeForm::Avx512),
            SuiteTarget::Reference
            | SuiteTarget::Lanes8
            | SuiteTarget::Lanes16
            | SuiteTarget::Jit
            | SuiteTarget::GpuWgsl
            | SuiteTarget::GpuModule
            | SuiteTarget::GpuStrict => None,
        }
    }

    /// Does it run on a GPU?
    pub const fn is_gpu(self) -> bool {
        matches!(self, SuiteTarget::GpuWgsl | SuiteTarget::GpuModule | SuiteTarget::GpuStrict)
    }

    /// The name on command lines and in headers.
    pub const fn name(self) -> &'static str {
        match self {
            SuiteTarget::Reference => "reference",
            SuiteTarget::Lanes8 => "lanes-8",
            SuiteTarget::Lanes16 => "lanes-16",
            SuiteTarget::Jit => "jit",
            SuiteTarget::JitClif => "jit-clif",
            SuiteTarget::JitAvx2 => "jit-avx2",
            SuiteTarget::JitAvx512 => "jit-avx512",
            SuiteTarget::GpuWgsl => "gpu-wgsl",
            SuiteTarget::GpuModule => "gpu-module",
            SuiteTarget::GpuStrict => "gpu-strict",
        }
    }

    /// The target called `name`.
    pub fn by_name(name: &str) -> Option<SuiteTarget> {
        SuiteTarget::ALL.into_iter().find(|target| target.name() == name)
    }

    /// The variants in which a test is run; all must give the same result.
    pub const fn ways(self) -> &'static [LaunchVariant] {
        match self {
            SuiteTarget::Reference => &[LaunchVariant::Linear, LaunchVariant::Shuffled(1), LaunchVariant::Shuffled(2)],
            SuiteTarget::Lanes8 => &[LaunchVariant::Linear, LaunchVariant::Lanes(1)],
            SuiteTarget::Lanes16 => &[LaunchVariant::Linear, LaunchVariant::Lanes(4)],
            // The number of lanes that suits the launch, one, and the maximum.
            SuiteTarget::Jit | SuiteTarget::JitClif => &[
                LaunchVariant::Linear,
                LaunchVariant::Threads(THREADS),
                LaunchVariant::Lanes(1),
                LaunchVariant::Lanes(16),
            ],
            // Width 1 is Cranelift's code, so the shortest vectors take its place.
            SuiteTarget::JitAvx2 | SuiteTarget::JitAvx512 => &[
                LaunchVariant::Linear,
                LaunchVariant::Threads(THREADS),
                LaunchVariant::Lanes(4),
                LaunchVariant::Lanes(64),
            ],
            SuiteTarget::GpuWgsl | SuiteTarget::GpuModule | SuiteTarget::GpuStrict => &[LaunchVariant::Linear],
        }
    }

    /// The variant that runs threads in the order of their index, each from barrier to barrier;
    /// `None` if the target has no such variant.
    pub const fn in_order(self) -> Option<LaunchVariant> {
        match self {
            SuiteTarget::Reference => Some(LaunchVariant::Linear),
            SuiteTarget::Lanes8 | SuiteTarget::Jit | SuiteTarget::JitClif => Some(LaunchVariant::Lanes(1)),
            SuiteTarget::Lanes16
            | SuiteTarget::JitAvx2
            | SuiteTarget::JitAvx512
            | SuiteTarget::GpuWgsl
            | SuiteTarget::GpuModule
            | SuiteTarget::GpuStrict => None,
        }
    }

    /// Does it detect races, out-of-range accesses and reads before a write?
    pub const fn checks(self) -> bool {
        matches!(self, SuiteTarget::Reference)
    }

    /// Does it count instructions? If not, [`Limit::time`] ends endless launches.
    pub const fn counts(self) -> bool {
        matches!(self, SuiteTarget::Reference)
    }

    /// Launches a kernel with the fallbacks that users of the library get: a kernel that `jit`
    /// cannot compile for several lanes is compiled for one, and a kernel that it cannot compile at
    /// all is interpreted, unless it is to be refused; or every kernel is. A sentence beside the
    /// outcome reports the fallback.
    pub fn launch_for_users(
        self,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
        fallback: UserFallback,
    ) -> Result<(Outcome, Option<String>), Refusal> {
        if !self.is_jit() {
            return Ok((self.launch(launch, memory)?, None));
        }
        let _launch = self.launch_span(launch);
        let JitLaunched { outcome, ran } =
            self.on_jit(launch, memory, JitLaunchOptions::default().with_fallback(fallback))?;
        let said = fallback != UserFallback::Quiet;
        let way = ran.slower_way(&"the kernel", fallback).or_else(|| self.other_code(&ran).filter(|_| said));
        Ok((outcome, way))
    }

    /// As [`SuiteTarget::launch_for_users`], but for a kernel that `jit` cannot compile at all, which is
    /// refused.
    pub fn launch_compiled(self, launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
        if !self.is_jit() {
            return self.launch(launch, memory);
        }
        let _launch = self.launch_span(launch);
        let options = JitLaunchOptions { no_fallback: true, ..JitLaunchOptions::default() };
        self.on_jit(launch, memory, options).map(|launched| launched.outcome)
    }

    /// Launches a kernel. [`Refusal::Unsupported`] gives the reason why the target cannot run this
    /// kernel itself; there is no fallback to another target.
    ///
    /// # Panics
    /// If a lane program breaks its invariants, or a kernel is compiled for fewer lanes than were
    /// chosen, or not by the emitter that the target names.
    pub fn launch(self, launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
        self.launch_in_form(launch, memory).map(|(outcome, _)| outcome)
    }

    /// As [`SuiteTarget::launch`], with the emitter of the code that ran, if any was compiled.
    ///
    /// # Panics
    /// As [`SuiteTarget::launch`].
    pub fn launch_in_form(
        self,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<(Outcome, Option<CodeForm>), Refusal> {
        let _launch = self.launch_span(launch);
        let &TargetLaunch { kernel, domain, arguments, way, limit, ref checks } = launch;
        match self {
            SuiteTarget::Reference => {
                let order = match way {
                    LaunchVariant::Linear | LaunchVariant::Threads(_) | LaunchVariant::Lanes(_) => ThreadOrder::Linear,
                    LaunchVariant::Shuffled(seed) => ThreadOrder::Shuffled(seed),
                };
                let options = interp::Options { order, fuel: Some(limit.fuel), checks: checks.clone() };
                interp::run(kernel, domain, memory, arguments, &options).map(|outcome| (outcome, None))
            }
            SuiteTarget::Lanes8 | SuiteTarget::Lanes16 => {
                let width = match (way, self) {
                    (LaunchVariant::Lanes(width), _) => width,
                    (_, SuiteTarget::Lanes8) => 8,
                    _ => 16,
                };
                let begin = Instant::now();
                let options = lanes::LaneOptions { width, fuel: None, interrupt: &|| begin.elapsed() > limit.time };
                match lanes::launch(kernel, domain, memory, arguments, &options) {
                    Ok(outcome) => Ok((limited(outcome, limit), None)),
                    Err(LaneLaunchFailure::Refused(refusal)) => Err(refusal),
                    Err(LaneLaunchFailure::Unformed(reason)) => Err(Refusal::Unsupported(reason.0)),
                    Err(failure) => panic!("on {self}: {failure}"),
                }
            }
            SuiteTarget::Jit | SuiteTarget::JitClif | SuiteTarget::JitAvx2 | SuiteTarget::JitAvx512 => {
                let JitLaunched { outcome, ran } =
                    self.on_jit(launch, memory, JitLaunchOptions { no_fallback: true, ..JitLaunchOptions::default() })?;
                // For users this is a fallback; here it is a compiler bug.
                if let Some(reason) = ran.narrowed {
                    panic!("on {self}: compiled for one lane only: {reason}");
                }
                // So is this where a target names its emitter. Width 1 is Cranelift's code always.
                if let (Some(asked), Some(form)) = (self.form(), ran.form)
                    && ran.width > 1
                    && form != asked
                {
                    let reason = ran.left_to_cranelift.as_deref().unwrap_or("no reason is given");
                    panic!("on {self}: {} lanes are {} code: {reason}", ran.width, form.name());
                }
                Ok((outcome, ran.form))
            }
            SuiteTarget::GpuWgsl | SuiteTarget::GpuModule | SuiteTarget::GpuStrict => {
                gpu::launch(self, launch, memory).map(|outcome| (limited(outcome, limit), None))
            }
        }
    }

    /// As [`SuiteTarget::launch_in_form`], of a kernel of a user's: if it is too large for the code that the target
    /// names, it is not run, with the reason.
    ///
    /// # Panics
    /// If a lane program breaks its invariants.
    pub fn launch_own(
        self,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<(Outcome, Option<CodeForm>), Refusal> {
        match self {
            SuiteTarget::Jit | SuiteTarget::JitClif | SuiteTarget::JitAvx2 | SuiteTarget::JitAvx512 => {
                let _launch = self.launch_span(launch);
                let options = JitLaunchOptions { no_fallback: true, ..JitLaunchOptions::default() };
                let JitLaunched { outcome, ran } = self.on_jit(launch, memory, options)?;
                // `jit` is what users have: there one lane is a way to run.
                let is_other = self.form().is_some_and(|asked| ran.form.is_some_and(|form| form != asked));
                match self.other_code(&ran) {
                    Some(reason) if is_other && (ran.width > 1 || ran.narrowed.is_some()) => {
                        Err(Refusal::Unsupported(reason))
                    }
                    _ => Ok((outcome, ran.form)),
                }
            }
            _ => self.launch_in_form(launch, memory),
        }
    }

    fn launch_span(self, launch: &TargetLaunch<'_>) -> TraceSpan {
        span(SpanKind::Launch, || format!("the kernel `{}` on {self}", launch.kernel.kernel().name()))
    }

    /// Launches a kernel as [`SuiteTarget::GpuStrict`] does, on the GPU of this number.
    pub(crate) fn launch_on_gpu(
        number: usize,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<Outcome, Refusal> {
        gpu::launch_on(number, SuiteTarget::GpuStrict, launch, memory)
    }

    /// Launches a kernel as compiled code, or as the options say where it cannot be.
    fn on_jit(
        self,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
        options: JitLaunchOptions<'_>,
    ) -> Result<JitLaunched, Refusal> {
        let &TargetLaunch { kernel, domain, arguments, way, limit, checks: _ } = launch;
        if let Some(reason) = self.missing() {
            // Errors of a launch are the same on every machine.
            domain.check(kernel)?;
            tilewise_ir::launch::validate(kernel, arguments, |allocation| memory.facts(allocation))?;
            return Err(Refusal::Unsupported(reason));
        }
        let (threads, width) = match way {
            LaunchVariant::Linear | LaunchVariant::Shuffled(_) => (1, None),
            LaunchVariant::Threads(threads) => (threads, None),
            LaunchVariant::Lanes(width) => (1, Some(width)),
        };
        // Both tiers, with several lanes and with one.
        let effort = match way {
            LaunchVariant::Linear | LaunchVariant::Lanes(1) => Effort::Soon,
            LaunchVariant::Shuffled(_) | LaunchVariant::Threads(_) | LaunchVariant::Lanes(_) => Effort::Well,
        };
        let options = JitLaunchOptions {
            time_limit: Some(limit.time),
            width,
            form: self.form(),
            threads: Some(threads),
            effort,
            ..options
        };
        let prepared = JitKernel::new(Arc::new(kernel.clone()));
        let JitLaunched { outcome, ran } = engine().run(&prepared, domain, memory, arguments, &options)?;
        Ok(JitLaunched { outcome: limited(outcome, limit), ran })
    }

    /// A sentence about code of fewer lanes, or of another emitter than the target names.
    pub(crate) fn other_code(self, ran: &Ran) -> Option<String> {
        if let Some(reason) = &ran.narrowed {
            return Some(format!(
                "the kernel is compiled for one thread at a time, as it cannot be for several: {reason}"
            ));
        }
        let (form, reason) = (self.form()?, ran.left_to_cranelift.as_ref()?);
        Some(format!("the kernel is compiled by Cranelift, as it has no {} code: {reason}", form.name()))
    }
}

/// The parameters of a launch, except the memory, which the launch changes.
#[derive(Clone, Debug)]
pub struct TargetLaunch<'a> {
    /// The kernel.
    pub kernel: &'a Checked<Kernel>,
    /// The domain.
    pub domain: &'a Domain,
    /// The arguments.
    pub arguments: &'a [Argument],
    /// The variant.
    pub way: LaunchVariant,
    /// The limit that ends it.
    pub limit: Limit,
    /// The checks to run, if the target [can](SuiteTarget::checks).
    pub checks: Checks,
}

impl<'a> TargetLaunch<'a> {
    /// A launch in the usual variant, without checks.
    pub fn new(
        kernel: &'a Checked<Kernel>,
        domain: &'a Domain,
        arguments: &'a [Argument],
        limit: Limit,
    ) -> TargetLaunch<'a> {
        TargetLaunch { kernel, domain, arguments, way: LaunchVariant::Linear, limit, checks: Checks::default() }
    }
}

/// The limit that ends an endless launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Instructions of all threads together, on targets that [count](SuiteTarget::counts).
    pub fuel: u64,
    /// Time, on the other targets.
    pub time: Duration,
}

/// Far more than a kernel of the suite takes, even on a machine under load.
const TIME: Duration = Duration::from_secs(60);

impl Limit {
    /// A limit on instructions, with a time in which all of them complete.
    pub const fn of_fuel(fuel: u64) -> Limit {
        Limit { fuel, time: TIME }
    }
}

/// Reports an interrupted launch as out of fuel, so that both kinds of limit end alike.
pub(crate) fn limited(outcome: Outcome, limit: Limit) -> Outcome {
    match outcome.ending {
        Ending::Interrupted => Outcome { ending: Ending::OutOfFuel { fuel: limit.fuel }, ..outcome },
        _ => outcome,
    }
}

fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| Engine::new(EngineOptions { threads: Some(THREADS), ..EngineOptions::default() }))
}

/// The GPU of the program.
#[cfg(feature = "gpu")]
mod gpu {
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::Duration;

    use tilewise_gpu::run::{GpuDevice, GpuKernel, GpuLaunchOptions, adapters};
    use tilewise_gpu::shader_form;
    use tilewise_ir::launch::{LaunchMemory, Outcome, Refusal};

    use super::{SuiteTarget, TargetLaunch};
    use crate::retry_alone::Beside;

    /// Launches on the one device of a real GPU: a launch that loses it is retried alone.
    static BESIDE: Beside = Beside::new();

    /// Loop iterations of a thread: of a launch that should not end, and, far more than any other
    /// launch takes, of all others.
    const ROUNDS: [u32; 2] = [1 << 14, 1 << 24];

    /// Devices that are not in use, each with the number of its adapter.
    static IDLE: Mutex<Vec<(usize, GpuDevice)>> = Mutex::new(Vec::new());

    /// The message where there is no adapter.
    const NONE: &str = "no GPU was found: there is no driver for Vulkan, Metal or Direct3D 12";

    pub(super) fn missing() -> Option<String> {
        adapters().is_empty().then(|| NONE.to_owned())
    }

    /// Name and driver of the first adapter.
    pub(super) fn described() -> Option<String> {
        adapters().first().map(|adapter| format!("{}, {}", adapter.name(), adapter.driver()))
    }

    /// A device of an adapter, for one launch. A driver in software compiles kernels on the one thread
    /// that a device has, so there each launch in flight has a device to itself; a real GPU is one
    /// device for all launches. A lost device is opened again.
    struct Lent(usize, GpuDevice);

    impl Lent {
        fn new(number: usize) -> Result<Lent, Refusal> {
            let adapter = adapters().get(number).ok_or_else(|| Refusal::Unsupported(none(number)))?;
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            idle.retain(|(_, device)| device.lost().is_none());
            let place = idle.iter().position(|(of, _)| *of == number);
            let known =
                place.map(|place| if adapter.is_software() { idle.swap_remove(place) } else { idle[place].clone() });
            if let Some((_, device)) = known {
                return Ok(Lent(number, device));
            }
            let device = adapter.open().map_err(Refusal::Driver)?;
            if !adapter.is_software() {
                idle.push((number, device.clone()));
            }
            Ok(Lent(number, device))
        }
    }

    impl Drop for Lent {
        fn drop(&mut self) {
            if self.1.adapter().is_software() {
                IDLE.lock().unwrap_or_else(PoisonError::into_inner).push((self.0, self.1.clone()));
            }
        }
    }

    /// The message where an adapter is missing.
    fn none(number: usize) -> String {
        if number == 0 { NONE.to_owned() } else { format!("this machine has no GPU of the number {number}") }
    }

    pub(super) fn launch(
        target: SuiteTarget,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<Outcome, Refusal> {
        launch_on(0, target, launch, memory)
    }

    /// Launches on the adapter of this number, in the form of a target.
    pub(super) fn launch_on(
        number: usize,
        target: SuiteTarget,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<Outcome, Refusal> {
        let &TargetLaunch { kernel, domain, arguments, limit, .. } = launch;
        // Errors of a launch are the same on every machine, with a GPU or without.
        domain.check(kernel)?;
        tilewise_ir::launch::validate(kernel, arguments, |allocation| memory.facts(allocation))?;
        let way = match target {
            SuiteTarget::GpuWgsl => shader_form::ShaderForm::Wgsl,
            SuiteTarget::GpuStrict => shader_form::ShaderForm::Strict,
            _ => shader_form::ShaderForm::Module,
        };
        let rounds = ROUNDS[usize::from(limit.time >= Duration::from_secs(1))];
        let options = GpuLaunchOptions {
            way,
            rounds: Some(rounds),
            time_limit: Some(limit.time.max(Duration::from_secs(20))),
            ..GpuLaunchOptions::default()
        };
        let prepared = GpuKernel::new(Arc::new(kernel.clone()));
        let launch = || {
            let mut memory = memory.clone();
            let lent = Lent::new(number)?;
            let outcome = lent.1.run(&prepared, domain, &mut memory, arguments, &options);
            let is_lost = lent.1.lost().is_some() && !lent.1.adapter().is_software();
            Ok((outcome, memory, is_lost))
        };
        let is_lost = |launched: &Result<(_, _, bool), Refusal>| match launched {
            Ok((_, _, is_lost)) => *is_lost,
            // A driver that has just lost a device may be unable to open another for a while.
            Err(refusal) => matches!(refusal, Refusal::Driver(_)),
        };
        let (outcome, after, _) = BESIDE.work(launch, is_lost)?;
        *memory = after;
        outcome
    }
}

/// Without the feature there are no GPU targets.
#[cfg(not(feature = "gpu"))]
mod gpu {
    use tilewise_ir::launch::{LaunchMemory, Outcome, Refusal};

    use super::{SuiteTarget, TargetLaunch};

    const NONE: &str = "this program was built without the feature `gpu`";

    pub(super) fn missing() -> Option<String> {
        Some(NONE.into())
    }

    pub(super) fn described() -> Option<String> {
        None
    }

    pub(super) fn launch(_: SuiteTarget, _: &TargetLaunch<'_>, _: &mut LaunchMemory) -> Result<Outcome, Refusal> {
        Err(Refusal::Unsupported(NONE.into()))
    }

    pub(super) fn launch_on(
        _: usize,
        target: SuiteTarget,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<Outcome, Refusal> {
        self::launch(target, launch, memory)
    }
}

impl fmt::Display for SuiteTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A way of running a kernel that must not affect the result. Each target ignores the variants it
/// lacks: `reference` threads and lanes, `jit` other orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaunchVariant {
    /// On one thread of the operating system; on `reference`, in the order of thread indices.
    Linear,
    /// Threads in an order drawn from a seed.
    Shuffled(u64),
    /// On this many threads of the operating system.
    Threads(usize),
    /// On one thread of the operating system, with this many threads side by side: 1, 4, 8 or 16, in
    /// wide code also 32 or 64.
    /// With 1, threads run in the order of their index, each up to the next barrier.
    Lanes(u32),
}

impl fmt::Display for LaunchVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaunchVariant::Linear => f.write_str("linear"),
            LaunchVariant::Shuffled(seed) => write!(f, "shuffled:{seed}"),
            LaunchVariant::Threads(threads) => write!(f, "threads:{threads}"),
            LaunchVariant::Lanes(width) => write!(f, "lanes:{width}"),
        }
    }
}
