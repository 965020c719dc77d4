//! Times the launches of a kernel on a target: compiled once, launched many times, each time on the
//! same memory, whose copy is not timed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tilewise_cpu_jit::run::{Effort, Engine, EngineOptions, JitKernel, JitLaunchOptions, UserFallback};
use tilewise_ir::launch::{Ending, LaunchMemory, Outcome, Refusal};

use crate::target::{SuiteTarget, TargetLaunch};

/// How long to measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchBudget {
    /// After how long no further launch begins.
    pub time: Duration,
    /// The maximum number of launches.
    pub launches: usize,
}

/// The times of launches, and how each of them ended.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BenchTimes {
    /// From the shortest to the longest.
    pub times: Vec<Duration>,
    /// Of the first launch that did not complete.
    pub unfinished: Option<Ending>,
    /// A sentence, if the code that ran is slower than what the target names: a part of the kernel is interpreted,
    /// it runs one thread at a time, or another emitter made it.
    pub slower: Option<String>,
}

impl BenchTimes {
    /// The median.
    pub fn median(&self) -> Option<Duration> {
        self.times.get(self.times.len() / 2).copied()
    }
}

/// Times launches of a kernel over this memory. The first is not counted: it compiles. It is ended if it takes longer
/// than the limit of the launch and the budget.
pub fn time_launches(
    target: SuiteTarget,
    launch: &TargetLaunch<'_>,
    memory: &LaunchMemory,
    budget: BenchBudget,
) -> Result<BenchTimes, Refusal> {
    match target {
        SuiteTarget::Jit | SuiteTarget::JitClif | SuiteTarget::JitAvx2 | SuiteTarget::JitAvx512 => {
            if let Some(missing) = target.missing() {
                return Err(Refusal::Unsupported(missing));
            }
            let engine = Engine::new(EngineOptions::default());
            let kernel = JitKernel::new(Arc::new(launch.kernel.clone()));
            let mut options = JitLaunchOptions {
                form: target.form(),
                effort: Effort::Well,
                no_fallback: true,
                time_limit: Some(launch.limit.time.max(budget.time)),
                ..JitLaunchOptions::default()
            };
            let mut slower = None;
            let times = repeat(budget, &mut || {
                let mut memory = memory.clone();
                let timed = timed(|| {
                    let launched = engine.run(&kernel, launch.domain, &mut memory, launch.arguments, &options)?;
                    let way = || launched.ran.slower_way(&"the kernel", UserFallback::Note);
                    slower = slower.take().or_else(way).or_else(|| target.other_code(&launched.ran));
                    Ok(launched.outcome)
                });
                // Those that are counted run as they do for users.
                options.time_limit = None;
                timed
            })?;
            Ok(BenchTimes { slower, ..times })
        }
        SuiteTarget::Reference | SuiteTarget::Lanes8 | SuiteTarget::Lanes16 => repeat(budget, &mut || {
            let mut memory = memory.clone();
            timed(|| target.launch(launch, &mut memory))
        }),
        SuiteTarget::GpuWgsl | SuiteTarget::GpuModule | SuiteTarget::GpuStrict => {
            gpu::time_launches(target, launch, memory, budget)
        }
    }
}

fn timed(launch: impl FnOnce() -> Result<Outcome, Refusal>) -> Result<(Duration, Ending), Refusal> {
    let begin = Instant::now();
    let outcome = launch()?;
    Ok((begin.elapsed(), outcome.ending))
}

fn repeat(
    budget: BenchBudget,
    launch: &mut dyn FnMut() -> Result<(Duration, Ending), Refusal>,
) -> Result<BenchTimes, Refusal> {
    let mut out = BenchTimes::default();
    let (_, ending) = launch()?;
    if ending != Ending::Completed {
        out.unfinished = Some(ending);
        return Ok(out);
    }
    let begin = Instant::now();
    while out.times.is_empty() || out.times.len() < budget.launches && begin.elapsed() < budget.time {
        out.times.push(launch()?.0);
    }
    out.times.sort();
    Ok(out)
}

#[cfg(feature = "gpu")]
mod gpu {
    use std::sync::Arc;

    use tilewise_gpu::run::{Buffer, DeviceFailure, GpuKernel, GpuLaunchOptions, adapters};
    use tilewise_gpu::shader_form::ShaderForm;
    use tilewise_ir::launch::{LaunchMemory, Refusal};

    use super::{BenchBudget, BenchTimes, SuiteTarget, TargetLaunch, repeat, timed};

    pub(super) fn time_launches(
        target: SuiteTarget,
        launch: &TargetLaunch<'_>,
        memory: &LaunchMemory,
        budget: BenchBudget,
    ) -> Result<BenchTimes, Refusal> {
        let missing = || Refusal::Unsupported(target.missing().unwrap_or_default());
        let device = adapters().first().ok_or_else(missing)?.open().map_err(Refusal::Driver)?;
        let failed = |failure: DeviceFailure| Refusal::Driver(failure.to_string());
        let kernel = GpuKernel::new(Arc::new(launch.kernel.clone()));
        let queue = device.queue();
        let buffers = memory.allocations.iter().map(|bytes| device.allocate(bytes.len() as u64, false));
        let buffers = buffers.collect::<Result<Vec<Buffer>, _>>().map_err(failed)?;
        let way = match target {
            SuiteTarget::GpuWgsl => ShaderForm::Wgsl,
            SuiteTarget::GpuStrict => ShaderForm::Strict,
            _ => ShaderForm::Module,
        };
        let options = GpuLaunchOptions { way, ..GpuLaunchOptions::default() };
        repeat(budget, &mut || {
            for (buffer, bytes) in buffers.iter().zip(&memory.allocations) {
                queue.upload(buffer, &[(0, bytes)]).map_err(failed)?;
            }
            queue.wait().map_err(failed)?;
            timed(|| {
                let launched = queue.launch(&kernel, launch.domain, &buffers, launch.arguments, &options)?;
                launched.outcome().map_err(failed)
            })
        })
    }
}

/// Without the feature there are no GPU targets.
#[cfg(not(feature = "gpu"))]
mod gpu {
    use tilewise_ir::launch::{LaunchMemory, Refusal};

    use super::{BenchBudget, BenchTimes, SuiteTarget, TargetLaunch};

    pub(super) fn time_launches(
        target: SuiteTarget,
        _: &TargetLaunch<'_>,
        _: &LaunchMemory,
        _: BenchBudget,
    ) -> Result<BenchTimes, Refusal> {
        Err(Refusal::Unsupported(target.missing().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::launch::{Argument, Domain, ViewArgument};
    use tilewise_ir::text;

    use super::*;
    use crate::target::Limit;

    fn timed_on(target: SuiteTarget, body: &str, time: Duration) -> Result<BenchTimes, Refusal> {
        let text = format!("kernel k(a: view<u32, 1, read_write>) rank(1) {{ {body} }}");
        let kernel = check(text::parse("k.kir", &text).unwrap()).unwrap();
        let (domain, arguments) = (Domain::new([64]), [Argument::View(ViewArgument::dense(0, &[64]))]);
        let launch = TargetLaunch::new(&kernel, &domain, &arguments, Limit { fuel: 1000, time });
        let budget = BenchBudget { time: Duration::from_millis(1), launches: 2 };
        time_launches(target, &launch, &LaunchMemory::new(vec![vec![0; 256]]), budget)
    }

    #[test]
    fn a_target_that_is_missing_has_no_time() {
        for target in SuiteTarget::BUILT.iter().copied().filter(|target| target.is_jit()) {
            let times = timed_on(target, "a[global[0]] = 1u32;", Duration::from_secs(9));
            match target.missing() {
                Some(missing) => assert_eq!(times, Err(Refusal::Unsupported(missing)), "{target}"),
                None => assert!(times.is_ok_and(|times| !times.times.is_empty() && times.slower.is_none()), "{target}"),
            }
        }
    }

    #[test]
    fn a_launch_that_never_ends_is_ended() {
        let times =
            timed_on(SuiteTarget::Jit, "while a[0] < 4294967295u32 { a[0] = a[0] | 1u32; }", Duration::from_millis(50))
                .unwrap();
        assert!(times.unfinished.is_some() && times.times.is_empty(), "{times:?}");
    }
}
