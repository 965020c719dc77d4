//! The round trip: a kernel is lowered to a shader by the GPU target, the shader is imported, and the
//! kernel that comes back must do what the first one does, to the bit.
//!
//! No driver takes part: the shader runs on a target of the CPU. So a difference is a bug of the
//! lowering, of naga, or of the importer; each of the three is met here by shaders that none of its
//! authors wrote by hand. [`ImportRoute`] lists the forms that a shader takes on its way, and
//! [`RoundTripGap`] is the closed list of reasons why a kernel cannot take one.

mod gap;
mod run;

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tilewise_gpu::exact::Exact;
use tilewise_gpu::lower::Unsupported;
use tilewise_gpu::run::PackedLaunch;
use tilewise_gpu::shader_form::{self, FloatControls};
use tilewise_import::{BindingSlot, ImportOptions, ImportedShader, ShaderError, ShaderModule};
use tilewise_ir::check::{Checked, check};
use tilewise_ir::diag::{Colour, render};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Outcome, Refusal};

use crate::fuzz::{FuzzCase, LIMIT, LaunchLeft, difference};
use crate::kir::shader::domain;
use crate::target::{LaunchVariant, Limit, SuiteTarget, TargetLaunch};
pub use gap::RoundTripGap;
pub use run::{RoundTripFailure, RoundTripOptions, RoundTripReport, run};

/// The form in which a kernel leaves and comes back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ImportRoute {
    /// Strict, as WGSL; every operation of floats is the shader's own.
    Wgsl,
    /// Strict, as WGSL, for a driver whose floats are exact in sums, differences and products only:
    /// all else is arithmetic of integers.
    WgslByBits,
    /// Strict, as SPIR-V.
    SpirV,
    /// Relaxed, as WGSL: functions of the library are those of WGSL.
    RelaxedWgsl,
}

impl ImportRoute {
    /// All routes.
    pub const ALL: [ImportRoute; 4] =
        [ImportRoute::Wgsl, ImportRoute::WgslByBits, ImportRoute::SpirV, ImportRoute::RelaxedWgsl];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            ImportRoute::Wgsl => "wgsl",
            ImportRoute::WgslByBits => "wgsl-by-bits",
            ImportRoute::SpirV => "spirv",
            ImportRoute::RelaxedWgsl => "relaxed-wgsl",
        }
    }

    /// The operations that the shader leaves to its runtime, if it is Strict.
    const fn exact(self) -> Option<Exact> {
        match self {
            ImportRoute::Wgsl | ImportRoute::SpirV => Some(Exact::ALL),
            ImportRoute::WgslByBits => Some(Exact::LEAST),
            ImportRoute::RelaxedWgsl => None,
        }
    }
}

impl fmt::Display for ImportRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A route and the target that runs what comes back.
pub type RoundTripPlan = [(ImportRoute, SuiteTarget)];

/// Every route on the reference, the first on `jit` too.
pub const PLAN: [(ImportRoute, SuiteTarget); 5] = [
    (ImportRoute::Wgsl, SuiteTarget::Reference),
    (ImportRoute::Wgsl, SuiteTarget::Jit),
    (ImportRoute::WgslByBits, SuiteTarget::Reference),
    (ImportRoute::SpirV, SuiteTarget::Reference),
    (ImportRoute::RelaxedWgsl, SuiteTarget::Reference),
];

/// What became of many round trips.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RoundTripCounts {
    /// Launches with the results of the kernel itself.
    pub agreed: BTreeMap<(ImportRoute, SuiteTarget), u64>,
    /// Kernels that could not take a route.
    pub gaps: BTreeMap<(ImportRoute, SuiteTarget, RoundTripGap), u64>,
}

impl RoundTripCounts {
    /// Adds the counts of others.
    pub fn add(&mut self, other: &RoundTripCounts) {
        for (&key, count) in &other.agreed {
            *self.agreed.entry(key).or_default() += count;
        }
        for (&key, count) in &other.gaps {
            *self.gaps.entry(key).or_default() += count;
        }
    }

    /// Counts a kernel that cannot take a route.
    pub fn gap(&mut self, (route, target): (ImportRoute, SuiteTarget), gap: RoundTripGap) {
        *self.gaps.entry((route, target, gap)).or_default() += 1;
    }
}

impl fmt::Display for RoundTripCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((route, target), count) in &self.agreed {
            writeln!(f, "{route} on {target}: {count} agree")?;
        }
        for ((route, target, gap), count) in &self.gaps {
            writeln!(f, "{route} on {target}: {count} not tried: {gap}")?;
        }
        Ok(())
    }
}

/// Why no results came back.
#[derive(Clone)]
enum NoReturn {
    /// For a reason of the list.
    Gap(RoundTripGap),
    /// By a bug.
    Fault(String),
}

/// Takes a case along the routes; an error names the route and says what is wrong.
pub fn judge(case: &FuzzCase, plan: &RoundTripPlan, counts: &mut RoundTripCounts) -> Result<(), String> {
    let kernel = check(case.kernel.clone()).map_err(|rejected| rejected.render(Colour::Never))?;
    judge_kernel(case, &kernel, plan, counts)
}

/// The same for a kernel that is checked already: the case's, perhaps with places in a text.
pub fn judge_kernel(
    case: &FuzzCase,
    kernel: &Checked<Kernel>,
    plan: &RoundTripPlan,
    counts: &mut RoundTripCounts,
) -> Result<(), String> {
    let mut memory = case.memory.clone();
    let launch = TargetLaunch::new(kernel, &case.domain, &case.arguments, LIMIT);
    let own = SuiteTarget::Reference.launch(&launch, &mut memory);
    let own = match own {
        Ok(outcome) => LaunchLeft { outcome, memory },
        Err(_) => {
            plan.iter().for_each(|&end| counts.gap(end, RoundTripGap::RefusedLaunch));
            return Ok(());
        }
    };
    if !matches!(own.outcome.ending, Ending::Completed | Ending::Failed { .. } | Ending::BarrierDivergence(_)) {
        plan.iter().for_each(|&end| counts.gap(end, RoundTripGap::Endless));
        return Ok(());
    }
    let mut returned: BTreeMap<ImportRoute, Result<ReturnedShader, NoReturn>> = BTreeMap::new();
    for &(route, target) in plan {
        let wrong = |what: &str| Err(format!("{route} on {target}: {what}"));
        let shader = returned.entry(route).or_insert_with(|| guarded(|| ReturnedShader::of(route, kernel, case)));
        let left = match shader {
            Ok(shader) => &guarded(|| shader.launch(kernel, case, target)),
            Err(no_return) => &Err(no_return.clone()),
        };
        let left = match left {
            Ok(left) => left,
            Err(NoReturn::Gap(gap)) => {
                counts.gap((route, target), *gap);
                continue;
            }
            Err(NoReturn::Fault(what)) => return wrong(what),
        };
        // Compared as with a GPU, whose tiles all run, also behind one that diverges.
        if let Some(what) = difference(case, &own, left, SuiteTarget::GpuStrict, LaunchVariant::Linear) {
            return wrong(&what);
        }
        *counts.agreed.entry((route, target)).or_default() += 1;
    }
    Ok(())
}

/// A panic is a fault.
fn guarded<R>(body: impl FnOnce() -> Result<R, NoReturn>) -> Result<R, NoReturn> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message");
        Err(NoReturn::Fault(format!("it panicked: {text}")))
    })
}

/// A kernel that came back as another, and the launch that it left with.
struct ReturnedShader {
    packed: PackedLaunch,
    kernel: Checked<Kernel>,
    imported: ImportedShader,
    /// The binding in the packed launch of each binding of the shader.
    numbers: Vec<u32>,
}

/// Iterations that a thread's loops may have together: more than any kernel here has.
const ROUNDS: u32 = 1 << 24;

impl ReturnedShader {
    fn of(route: ImportRoute, kernel: &Checked<Kernel>, case: &FuzzCase) -> Result<ReturnedShader, NoReturn> {
        let packed = PackedLaunch::new(kernel, &case.domain, &case.memory, &case.arguments, route.exact(), ROUNDS)
            .map_err(|refusal| not_lowered(refusal.text()))?;
        let unsupported = |why: Unsupported| not_lowered(&why.0);
        let (module, numbers) = match route {
            ImportRoute::Wgsl | ImportRoute::WgslByBits | ImportRoute::RelaxedWgsl => {
                let text = shader_form::wgsl(&packed.lowered).map_err(unsupported)?;
                (
                    ShaderModule::from_wgsl("lowered.wgsl", &text).map_err(|error| not_read(error, &text))?,
                    packed.lowered.bindings(),
                )
            }
            ImportRoute::SpirV => {
                let words = shader_form::strict(&packed.lowered, FloatControls::default()).map_err(unsupported)?;
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                let module = ShaderModule::from_spirv("lowered.spv", &bytes);
                (module.map_err(|error| not_read(error, "SPIR-V"))?, packed.lowered.bindings())
            }
        };
        let imported = module.import(&ImportOptions::default()).map_err(|error| not_read(error, route.name()))?;
        let back = check(imported.kernel.clone()).map_err(|rejected| {
            let report = rejected.render(Colour::Never);
            match RoundTripGap::of_import(&report) {
                Some(gap) => NoReturn::Gap(gap),
                None => NoReturn::Fault(format!("the checker refuses it: {report}")),
            }
        })?;
        // SPIR-V numbers the bindings without gaps.
        let numbers = match route {
            ImportRoute::SpirV => numbers,
            ImportRoute::Wgsl | ImportRoute::WgslByBits | ImportRoute::RelaxedWgsl => {
                (0..=numbers.last().copied().unwrap_or(0)).collect()
            }
        };
        Ok(ReturnedShader { packed, kernel: back, imported, numbers })
    }

    /// Launches it, dispatch by dispatch.
    fn launch(&self, kernel: &Checked<Kernel>, case: &FuzzCase, target: SuiteTarget) -> Result<LaunchLeft, NoReturn> {
        let mut packed = self.packed.clone();
        let mut memory = LaunchMemory::new(packed.buffers.iter().map(|buffer| buffer.bytes.clone()).collect());
        for &dispatch in &self.packed.dispatches {
            let mut arguments = Vec::new();
            for binding in &self.imported.bindings {
                let number = match binding.slot {
                    BindingSlot::Resource { group: 0, binding } => self.numbers.get(binding as usize).copied(),
                    BindingSlot::Resource { .. } | BindingSlot::Immediate => None,
                };
                let buffer = packed.buffers.iter().position(|buffer| Some(buffer.binding) == number);
                arguments.push(match buffer {
                    Some(allocation) => {
                        Argument::Buffer { allocation, offset: 0, size: packed.buffers[allocation].bytes.len() as u64 }
                    }
                    None => Argument::Uniform(packed.argument_block(dispatch)),
                });
            }
            let [x, y] = dispatch.tiles;
            let extent = domain([x, y, 1], self.imported.workgroup_size).map_err(NoReturn::Fault)?;
            if extent.contains(&0) {
                continue;
            }
            let limit = Limit { fuel: FUEL, ..LIMIT };
            let domain = Domain::new(extent);
            let launch = TargetLaunch::new(&self.kernel, &domain, &arguments, limit);
            // As users launch a shader: one that is too large for lanes runs one thread at a time.
            let outcome: Outcome = match target.launch_compiled(&launch, &mut memory) {
                Ok(outcome) => outcome,
                Err(Refusal::Unsupported(why)) => return Err(NoReturn::Fault(format!("not compiled: {why}"))),
                Err(refusal) => return Err(NoReturn::Fault(format!("refused: {refusal}"))),
            };
            match outcome.ending {
                Ending::Completed => {}
                Ending::OutOfFuel { .. } => return Err(NoReturn::Gap(RoundTripGap::TooLong)),
                Ending::BarrierDivergence(_) => {
                    return Err(NoReturn::Fault("its threads do not meet at a barrier".to_owned()));
                }
                Ending::Failed { .. } | Ending::Interrupted | Ending::Stopped | Ending::OutOfMemory { .. } => {
                    return Err(NoReturn::Fault("it does not complete".to_owned()));
                }
            }
        }
        for (buffer, bytes) in packed.buffers.iter_mut().zip(memory.allocations) {
            buffer.bytes = bytes;
        }
        let mut memory = case.memory.clone();
        packed.unpack(&mut memory);
        Ok(LaunchLeft { outcome: packed.outcome(kernel, &case.domain), memory })
    }
}

/// Instructions of a launch that came back: floats by bits take a hundred times as many.
const FUEL: u64 = 400_000_000;

fn not_lowered(why: &str) -> NoReturn {
    match RoundTripGap::of_lowering(why) {
        Some(gap) => NoReturn::Gap(gap),
        None => NoReturn::Fault(format!("not lowered: {why}")),
    }
}

fn not_read(error: ShaderError, text: &str) -> NoReturn {
    let report = render(&error.diagnostics, &error.sources, Colour::Never);
    match RoundTripGap::of_import(&report) {
        Some(gap) => NoReturn::Gap(gap),
        None => NoReturn::Fault(format!("not imported: {report}\n{text}")),
    }
}
