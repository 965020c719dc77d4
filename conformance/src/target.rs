//! The targets: a closed list. A new one is a variant here, and every `match` that no longer compiles.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tilewise_cpu_jit::lanes::launch::{self as lanes, LaneLaunchFailure};
use tilewise_cpu_jit::run::{Effort, Engine, EngineOptions, JitKernel, JitLaunchOptions, JitLaunched, Ran};
use tilewise_interp::{self as interp, Checks, ThreadOrder};
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Outcome, Refusal};

/// What can run a kernel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SuiteTarget {
    /// The interpreter, which defines what kernels mean.
    Reference,
    /// The lane programs that compiled code is made of, interpreted: with 8 lanes, and with one.
    Lanes8,
    /// The same with 16 lanes, and with 4.
    Lanes16,
    /// Compiled code on the CPU.
    Jit,
    /// The first GPU, which takes kernels as WGSL.
    GpuWgsl,
    /// The same, as modules.
    GpuModule,
    /// The same, as SPIR-V whose floats mean what they say.
    GpuStrict,
}

/// Threads of the engine that all launches on `jit` share: more than one also where the machine has one core.
const THREADS: usize = 4;

impl SuiteTarget {
    /// Why no kernel can run there, in this program on this machine.
    pub fn missing(self) -> Option<String> {
        match self {
            SuiteTarget::Reference | SuiteTarget::Lanes8 | SuiteTarget::Lanes16 | SuiteTarget::Jit => None,
            SuiteTarget::GpuWgsl | SuiteTarget::GpuModule | SuiteTarget::GpuStrict => gpu::missing(),
        }
    }

    /// All of them.
    pub const ALL: [SuiteTarget; 7] = [
        SuiteTarget::Reference,
        SuiteTarget::Lanes8,
        SuiteTarget::Lanes16,
        SuiteTarget::Jit,
        SuiteTarget::GpuWgsl,
        SuiteTarget::GpuModule,
        SuiteTarget::GpuStrict,
    ];

    /// Those that run on the CPU.
    pub const CPU: [SuiteTarget; 4] =
        [SuiteTarget::Reference, SuiteTarget::Lanes8, SuiteTarget::Lanes16, SuiteTarget::Jit];

    /// Those that this program was built with.
    pub const BUILT: &'static [SuiteTarget] = if cfg!(feature = "gpu") { &SuiteTarget::ALL } else { &SuiteTarget::CPU };

    /// May its float operations be contracted and reordered?
    pub const fn is_relaxed(self) -> bool {
        matches!(self, SuiteTarget::GpuWgsl | SuiteTarget::GpuModule)
    }

    /// Does it run on a GPU?
    pub const fn is_gpu(self) -> bool {
        matches!(self, SuiteTarget::GpuWgsl | SuiteTarget::GpuModule | SuiteTarget::GpuStrict)
    }

    /// The name, as command lines and headers say it.
    pub const fn name(self) -> &'static str {
        match self {
            SuiteTarget::Reference => "reference",
            SuiteTarget::Lanes8 => "lanes-8",
            SuiteTarget::Lanes16 => "lanes-16",
            SuiteTarget::Jit => "jit",
            SuiteTarget::GpuWgsl => "gpu-wgsl",
            SuiteTarget::GpuModule => "gpu-module",
            SuiteTarget::GpuStrict => "gpu-strict",
        }
    }

    /// The target called `name`.
    pub fn by_name(name: &str) -> Option<SuiteTarget> {
        SuiteTarget::ALL.into_iter().find(|target| target.name() == name)
    }

    /// The ways a test is run, which must all give the same.
    pub const fn ways(self) -> &'static [LaunchVariant] {
        match self {
            SuiteTarget::Reference => &[LaunchVariant::Linear, LaunchVariant::Shuffled(1), LaunchVariant::Shuffled(2)],
            SuiteTarget::Lanes8 => &[LaunchVariant::Linear, LaunchVariant::Lanes(1)],
            SuiteTarget::Lanes16 => &[LaunchVariant::Linear, LaunchVariant::Lanes(4)],
            // As many lanes as suit the launch, one, and as many as there are.
            SuiteTarget::Jit => &[
                LaunchVariant::Linear,
                LaunchVariant::Threads(THREADS),
                LaunchVariant::Lanes(1),
                LaunchVariant::Lanes(16),
            ],
            SuiteTarget::GpuWgsl | SuiteTarget::GpuModule | SuiteTarget::GpuStrict => &[LaunchVariant::Linear],
        }
    }

    /// The way in which threads take their turns in the order of their index, each from barrier to barrier; nothing if the target has none.
    pub const fn in_order(self) -> Option<LaunchVariant> {
        match self {
            SuiteTarget::Reference => Some(LaunchVariant::Linear),
            SuiteTarget::Lanes8 | SuiteTarget::Jit => Some(LaunchVariant::Lanes(1)),
            SuiteTarget::Lanes16 | SuiteTarget::GpuWgsl | SuiteTarget::GpuModule | SuiteTarget::GpuStrict => None,
        }
    }

    /// Can it look for races, accesses out of range and reads before a write?
    pub const fn checks(self) -> bool {
        matches!(self, SuiteTarget::Reference)
    }

    /// Does it count instructions? If not, [`Limit::time`] ends what does not end.
    pub const fn counts(self) -> bool {
        matches!(self, SuiteTarget::Reference)
    }

    /// Launches a kernel as the library does for its users: what `jit` cannot compile for several lanes is compiled for one, and what it cannot compile is interpreted, unless there is to be
    /// `no_fallback`. With the outcome comes a sentence that says so.
    pub fn launch_for_users(
        self,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
        no_fallback: bool,
    ) -> Result<(Outcome, Option<String>), Refusal> {
        if self != SuiteTarget::Jit {
            return Ok((self.launch(launch, memory)?, None));
        }
        let JitLaunched { outcome, ran } = on_jit(launch, memory, no_fallback)?;
        Ok((outcome, slower_way(&ran)))
    }

    /// Launches a kernel. [`Refusal::Unsupported`] says why the target cannot run this kernel itself; it does not leave it to another.
    ///
    /// # Panics
    /// If a lane program breaks the rules of such, or a kernel is compiled for fewer lanes than were chosen.
    pub fn launch(self, launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
        let &TargetLaunch { kernel, domain, arguments, way, limit, ref checks } = launch;
        match self {
            SuiteTarget::Reference => {
                let order = match way {
                    LaunchVariant::Linear | LaunchVariant::Threads(_) | LaunchVariant::Lanes(_) => ThreadOrder::Linear,
                    LaunchVariant::Shuffled(seed) => ThreadOrder::Shuffled(seed),
                };
                let options = interp::Options { order, fuel: Some(limit.fuel), checks: checks.clone() };
                interp::run(kernel, domain, memory, arguments, &options)
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
                    Ok(outcome) => Ok(limited(outcome, limit)),
                    Err(LaneLaunchFailure::Refused(refusal)) => Err(refusal),
                    Err(LaneLaunchFailure::Unformed(reason)) => Err(Refusal::Unsupported(reason.0)),
                    Err(failure) => panic!("on {self}: {failure}"),
                }
            }
            SuiteTarget::Jit => {
                let JitLaunched { outcome, ran } = on_jit(launch, memory, true)?;
                // Users are given the result; here it is a fault of the compiler.
                if let Some(reason) = ran.narrowed {
                    panic!("on {self}: compiled for one lane only: {reason}");
                }
                Ok(outcome)
            }
            SuiteTarget::GpuWgsl | SuiteTarget::GpuModule | SuiteTarget::GpuStrict => {
                gpu::launch(self, launch, memory).map(|outcome| limited(outcome, limit))
            }
        }
    }
}

/// Launches a kernel on `jit`. `no_fallback`: what cannot be compiled is refused rather than interpreted.
fn on_jit(launch: &TargetLaunch<'_>, memory: &mut LaunchMemory, no_fallback: bool) -> Result<JitLaunched, Refusal> {
    let &TargetLaunch { kernel, domain, arguments, way, limit, checks: _ } = launch;
    let (threads, width) = match way {
        LaunchVariant::Linear | LaunchVariant::Shuffled(_) => (1, None),
        LaunchVariant::Threads(threads) => (threads, None),
        LaunchVariant::Lanes(width) => (1, Some(width)),
    };
    // Of both kinds of code, in lanes and thread by thread.
    let effort = match way {
        LaunchVariant::Linear | LaunchVariant::Lanes(1) => Effort::Soon,
        LaunchVariant::Shuffled(_) | LaunchVariant::Threads(_) | LaunchVariant::Lanes(_) => Effort::Well,
    };
    let options = JitLaunchOptions {
        time_limit: Some(limit.time),
        width,
        threads: Some(threads),
        no_fallback,
        effort,
        ..JitLaunchOptions::default()
    };
    let prepared = JitKernel::new(Arc::new(kernel.clone()));
    let JitLaunched { outcome, ran } = engine().run(&prepared, domain, memory, arguments, &options)?;
    Ok(JitLaunched { outcome: limited(outcome, limit), ran })
}

/// The slower way that a launch on `jit` took, in words.
fn slower_way(ran: &Ran) -> Option<String> {
    if let Some(reason) = &ran.fallback {
        return Some(format!("the kernel is interpreted, as it cannot be compiled: {reason}"));
    }
    if let Some(reason) = &ran.part {
        return Some(format!("a part of the kernel is interpreted, as it cannot be compiled: {reason}"));
    }
    let reason = ran.narrowed.as_ref()?;
    Some(format!("the kernel is compiled for one thread at a time, as it cannot be for several: {reason}"))
}

/// What is launched, and how: all but the memory, which the launch changes.
#[derive(Clone, Debug)]
pub struct TargetLaunch<'a> {
    /// The kernel.
    pub kernel: &'a Checked<Kernel>,
    /// The domain.
    pub domain: &'a Domain,
    /// The arguments.
    pub arguments: &'a [Argument],
    /// In which way.
    pub way: LaunchVariant,
    /// What ends it.
    pub limit: Limit,
    /// What is looked for, if the target [can](SuiteTarget::checks).
    pub checks: Checks,
}

impl<'a> TargetLaunch<'a> {
    /// In the usual way, and nothing is looked for.
    pub fn new(
        kernel: &'a Checked<Kernel>,
        domain: &'a Domain,
        arguments: &'a [Argument],
        limit: Limit,
    ) -> TargetLaunch<'a> {
        TargetLaunch { kernel, domain, arguments, way: LaunchVariant::Linear, limit, checks: Checks::default() }
    }
}

/// What ends a launch that does not end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Instructions of all threads together, on targets that [count](SuiteTarget::counts).
    pub fuel: u64,
    /// Time, on the others.
    pub time: Duration,
}

/// Far more than a kernel of the suite takes, on a machine that has much else to do.
const TIME: Duration = Duration::from_secs(60);

impl Limit {
    /// So many instructions, or a time in which all of them are done.
    pub const fn of_fuel(fuel: u64) -> Limit {
        Limit { fuel, time: TIME }
    }
}

/// The limit was reached, whichever it was.
fn limited(outcome: Outcome, limit: Limit) -> Outcome {
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

    /// Launches on the one device of a real GPU.
    static BESIDE: Beside = Beside::new();

    /// Rounds of loops for a thread of a launch that is not to end, and far more than any other takes.
    const ROUNDS: [u32; 2] = [1 << 14, 1 << 24];

    /// Devices of the first adapter that nobody uses at this moment.
    static IDLE: Mutex<Vec<GpuDevice>> = Mutex::new(Vec::new());

    /// What is said where there is no adapter.
    const NONE: &str = "no GPU was found: there is no driver for Vulkan, Metal or Direct3D 12";

    pub(super) fn missing() -> Option<String> {
        adapters().is_empty().then(|| NONE.to_owned())
    }

    /// A device of the first adapter, for one launch. A driver in software compiles kernels on the one thread that a device has, so there each launch that is under way has a device to itself;
    /// a real GPU is one device for all. One that was lost is opened again.
    struct Lent(GpuDevice);

    impl Lent {
        fn new() -> Result<Lent, Refusal> {
            let adapter = adapters().first().ok_or_else(|| Refusal::Unsupported(NONE.into()))?;
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            idle.retain(|device| device.lost().is_none());
            let known = if adapter.is_software() { idle.pop() } else { idle.first().cloned() };
            if let Some(device) = known {
                return Ok(Lent(device));
            }
            let device = adapter.open().map_err(Refusal::Driver)?;
            if !adapter.is_software() {
                idle.push(device.clone());
            }
            Ok(Lent(device))
        }
    }

    impl Drop for Lent {
        fn drop(&mut self) {
            if self.0.adapter().is_software() {
                IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self.0.clone());
            }
        }
    }

    pub(super) fn launch(
        target: SuiteTarget,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<Outcome, Refusal> {
        let &TargetLaunch { kernel, domain, arguments, limit, .. } = launch;
        // What is wrong with a launch is the same everywhere, with a GPU or without.
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
            let lent = Lent::new()?;
            let outcome = lent.0.run(&prepared, domain, &mut memory, arguments, &options);
            let is_lost = lent.0.lost().is_some() && !lent.0.adapter().is_software();
            Ok((outcome, memory, is_lost))
        };
        let is_lost = |launched: &Result<(_, _, bool), Refusal>| match launched {
            Ok((_, _, is_lost)) => *is_lost,
            // A driver that has just lost a device may open none for a while.
            Err(refusal) => matches!(refusal, Refusal::Driver(_)),
        };
        let (outcome, after, _) = BESIDE.work(launch, is_lost)?;
        *memory = after;
        outcome
    }
}

/// Without the feature there is none.
#[cfg(not(feature = "gpu"))]
mod gpu {
    use tilewise_ir::launch::{LaunchMemory, Outcome, Refusal};

    use super::{SuiteTarget, TargetLaunch};

    const NONE: &str = "this program was built without the feature `gpu`";

    pub(super) fn missing() -> Option<String> {
        Some(NONE.into())
    }

    pub(super) fn launch(_: SuiteTarget, _: &TargetLaunch<'_>, _: &mut LaunchMemory) -> Result<Outcome, Refusal> {
        Err(Refusal::Unsupported(NONE.into()))
    }
}

impl fmt::Display for SuiteTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A way of running a kernel on a target that must not make a difference. What a target does not have is left out: of `reference`, threads and lanes; of `jit`, other orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaunchVariant {
    /// On one thread of the operating system; on `reference`, in the order of the threads' index.
    Linear,
    /// Threads in an order drawn from a seed.
    Shuffled(u64),
    /// On so many threads of the operating system.
    Threads(usize),
    /// On one thread of the operating system, so many threads side by side: 1, 4, 8 or 16. With 1 they take their turns in the order of their index, each as far as the next barrier.
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
