//! Targets of users: the trait that one implements, and how the suite launches on it.
//!
//! A target of a user is judged by the rules of a GPU with exact floats: it launches each kernel once, in
//! any order of threads, without checks, and every result must be the expected one, bit for bit. One that
//! says that it [is relaxed](KernelTarget::is_relaxed) is judged as `gpu-module`: other floats count as not
//! run.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tilewise::Accelerator;
use tilewise_cpu_jit::emit::CodeForm;
use tilewise_ir::launch::{LaunchMemory, Outcome, Refusal};

use crate::target::{SuiteTarget, TargetLaunch, limited};
use crate::tolerance::Tolerance;

/// Something that launches checked kernels.
///
/// A closure of the same form is one too, and so are an [`Accelerator`] and each [`SuiteTarget`].
pub trait KernelTarget {
    /// Launches a kernel on this memory. The launch is [valid](tilewise_ir::launch::validate): the suite
    /// answers itself where one must be refused. A launch that does not end within
    /// [`limit.time`](crate::target::Limit::time) is to be ended as
    /// [interrupted](tilewise_ir::launch::Ending::Interrupted).
    ///
    /// # Errors
    /// [`Refusal::Unsupported`] if the target lacks a feature that the kernel needs: the case counts as not
    /// run. Every other refusal is a failure.
    fn launch(&self, launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal>;

    /// May it contract and reorder float operations?
    fn is_relaxed(&self) -> bool {
        false
    }
}

impl<F> KernelTarget for F
where
    F: Fn(&TargetLaunch<'_>, &mut LaunchMemory) -> Result<Outcome, Refusal>,
{
    fn launch(&self, launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
        self(launch, memory)
    }
}

impl KernelTarget for SuiteTarget {
    fn launch(&self, launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
        SuiteTarget::launch(*self, launch, memory)
    }

    fn is_relaxed(&self) -> bool {
        SuiteTarget::is_relaxed(*self)
    }
}

/// `reference`, `jit`, and each GPU in its strict form. `native` and `cpu` run closures, not kernels.
impl KernelTarget for Accelerator {
    fn launch(&self, launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
        let path = self.path();
        let gpu = path.strip_prefix("gpu/").and_then(|number| number.parse().ok());
        match (path, gpu) {
            (Accelerator::REFERENCE, _) => SuiteTarget::Reference.launch(launch, memory),
            (Accelerator::JIT, _) => SuiteTarget::Jit.launch(launch, memory),
            (_, Some(number)) => SuiteTarget::launch_on_gpu(number, launch, memory),
            (_, None) => Err(Refusal::Unsupported(format!("`{path}` runs closures of Rust, not kernels"))),
        }
    }
}

/// A user's target under judgement, with what it did.
pub(crate) struct OwnTarget<'a> {
    target: &'a dyn KernelTarget,
    /// Launches that came to an end.
    executed: AtomicU64,
    /// Why it refused kernels.
    reasons: Mutex<BTreeSet<String>>,
}

impl<'a> OwnTarget<'a> {
    pub(crate) fn new(target: &'a dyn KernelTarget) -> OwnTarget<'a> {
        OwnTarget { target, executed: AtomicU64::new(0), reasons: Mutex::default() }
    }

    /// The number of launches that came to an end.
    pub(crate) fn executed(&self) -> u64 {
        self.executed.load(Ordering::Relaxed)
    }

    /// A reason why it refused a kernel.
    pub(crate) fn reason(&self) -> Option<String> {
        self.reasons.lock().ok().and_then(|reasons| reasons.first().cloned())
    }

    fn launch(&self, launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
        // Errors of a launch are the same on every target, whatever the target thinks of them.
        launch.domain.check(launch.kernel)?;
        tilewise_ir::launch::validate(launch.kernel, launch.arguments, |allocation| memory.facts(allocation))?;
        let mut after = memory.clone();
        let launched = catch_unwind(AssertUnwindSafe(|| self.target.launch(launch, &mut after)));
        // Memory of a launch that panicked is of no interest: the panic is the failure.
        let launched = match launched {
            Ok(launched) => {
                // A comparison would pass over what is not there.
                if launched.is_ok()
                    && !after.allocations.iter().map(Vec::len).eq(memory.allocations.iter().map(Vec::len))
                {
                    let sizes = |memory: &LaunchMemory| memory.allocations.iter().map(Vec::len).collect::<Vec<_>>();
                    let (had, left) = (sizes(memory), sizes(&after));
                    let text = format!("the target leaves allocations of {left:?} bytes, and there were {had:?}");
                    return Err(Refusal::Driver(text));
                }
                *memory = after;
                launched
            }
            Err(payload) => {
                let text = payload.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message");
                return Err(Refusal::Driver(format!("the target panicked: {text}")));
            }
        };
        match launched {
            Ok(outcome) => {
                self.executed.fetch_add(1, Ordering::Relaxed);
                Ok(limited(outcome, launch.limit))
            }
            Err(refusal) => {
                if let Ok(mut reasons) = self.reasons.lock() {
                    reasons.insert(refusal.text().to_owned());
                }
                Err(refusal)
            }
        }
    }
}

/// A target as the suite judges it: one of its own, or a user's by the rules of one of them.
#[derive(Clone, Copy)]
pub(crate) struct JudgedTarget<'a> {
    /// The target whose rules hold: its variants, its checks, its floats.
    pub(crate) rules: SuiteTarget,
    own: Option<&'a OwnTarget<'a>>,
    /// By how much floats may differ.
    pub(crate) tolerance: Tolerance,
    /// Is the kernel a user's, which may be none for the code of a target?
    of_user: bool,
}

impl<'a> JudgedTarget<'a> {
    /// A target of the suite.
    pub(crate) const fn of(rules: SuiteTarget) -> JudgedTarget<'a> {
        JudgedTarget { rules, own: None, tolerance: Tolerance::NONE, of_user: false }
    }

    /// A user's.
    pub(crate) fn own(own: &'a OwnTarget<'a>) -> JudgedTarget<'a> {
        let rules = if own.target.is_relaxed() { SuiteTarget::GpuModule } else { SuiteTarget::GpuStrict };
        JudgedTarget { rules, own: Some(own), tolerance: Tolerance::NONE, of_user: false }
    }

    /// The same, where floats may differ by so much.
    pub(crate) const fn within(self, tolerance: Tolerance) -> JudgedTarget<'a> {
        JudgedTarget { tolerance, ..self }
    }

    /// The same for a kernel of a user's: what the target has no code for is not run.
    pub(crate) const fn with_kernel_of_user(self, of_user: bool) -> JudgedTarget<'a> {
        JudgedTarget { of_user, ..self }
    }

    /// The reason why no kernel can run on it.
    pub(crate) fn missing(self) -> Option<String> {
        if self.own.is_some() { None } else { self.rules.missing() }
    }

    /// Launches a kernel; as [`SuiteTarget::launch_in_form`].
    pub(crate) fn launch_in_form(
        self,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<(Outcome, Option<CodeForm>), Refusal> {
        match self.own {
            None if self.of_user => self.rules.launch_own(launch, memory),
            None => self.rules.launch_in_form(launch, memory),
            Some(own) => own.launch(launch, memory).map(|outcome| (outcome, None)),
        }
    }
}
