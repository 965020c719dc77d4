//! The suite and some random kernels as Strict ones, for drivers that are exact in less than the one here may be: what such a driver would be asked for is right everywhere, so that is tested
//! everywhere, and not only where there is such a driver.
//!
//! Without a GPU that takes Strict kernels all are ignored, and say so. The suite as it is for the driver itself is in `kir`.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use tilewise_conformance::corpus;
use tilewise_conformance::fuzz;
use tilewise_conformance::kir::case::{self, File};
use tilewise_conformance::kir::compare::{self, compare};
use tilewise_conformance::kir::header::Expected;
use tilewise_conformance::shader_optimiser::run_without_shader_optimiser;
use tilewise_conformance::target::{SuiteTarget, TargetLaunch};
use tilewise_conformance::tolerance::Tolerance;
use tilewise_gpu::exact::{Exact, NativeOp};
use tilewise_gpu::run::{Adapter, GpuKernel, GpuLaunchOptions, adapters};
use tilewise_gpu::shader_form::ShaderForm;
use tilewise_ir::launch::{LaunchMemory, Outcome, Refusal};
use tilewise_ir::types::Scalar;

/// A driver other than the one here.
#[derive(Clone, Copy)]
enum Driver {
    /// One that is exact in no more than it must be.
    Least,
    /// One that takes denormals for zeros where it compares, and else is as the one here.
    Near,
    /// One that is exact in no more than it must be, but has a rough reciprocal root, from which
    /// steps lead to roots, their inverses and quotients.
    Steps,
}

impl Driver {
    fn exact(self, here: &Adapter) -> Result<Exact, String> {
        let formats = [Scalar::F32, Scalar::F64];
        match self {
            Driver::Least => Ok(Exact::LEAST),
            Driver::Steps => {
                let steps = [NativeOp::StepNear, NativeOp::InverseBySteps, NativeOp::DivBySteps];
                Ok(steps.into_iter().fold(Exact::LEAST, |exact, own| exact.with(own, Scalar::F32)))
            }
            Driver::Near => {
                let found = here.qualified()?.exact;
                Ok(formats.into_iter().fold(found, |exact, scalar| exact.without(NativeOp::Compare, scalar)))
            }
        }
    }

    /// Launches Strict kernels on it, and others where they belong.
    fn launch(
        self,
        target: SuiteTarget,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<Outcome, Refusal> {
        if target != SuiteTarget::GpuStrict {
            return target.launch(launch, memory);
        }
        let here = adapters().first().ok_or_else(|| Refusal::Unsupported("there is no GPU".into()))?;
        let device = here.open().map_err(Refusal::Driver)?;
        let options = GpuLaunchOptions {
            way: ShaderForm::Strict,
            exact: Some(self.exact(here).map_err(Refusal::Unsupported)?),
            time_limit: Some(launch.limit.time),
            ..GpuLaunchOptions::default()
        };
        let prepared = GpuKernel::new(Arc::new(launch.kernel.clone()));
        device.run(&prepared, launch.domain, memory, launch.arguments, &options)
    }
}

fn main() -> ExitCode {
    if let Some(code) = run_without_shader_optimiser() {
        return code;
    }
    let arguments = Arguments::from_args();
    let adapter = adapters().first().filter(|adapter| adapter.strict().is_ok());
    let mut trials = Vec::new();
    for (driver, kind) in [(Driver::Least, "least"), (Driver::Near, "near"), (Driver::Steps, "steps")] {
        let mut of_kind = vec![Trial::test("random kernels", move || random_kernels(driver))];
        for (name, text) in
            corpus::FILES.iter().filter(|(name, text)| !name.ends_with(".amber") && case::launches(text))
        {
            // Steps stand in for roots and quotients alone, which few other files have.
            if kind == "steps" && !["/ops/", "/rows/"].iter().any(|group| format!("/{name}").contains(group)) {
                continue;
            }
            of_kind.push(Trial::ignorable_test(*name, move || file(name, text, driver)));
        }
        trials.extend(of_kind.into_iter().map(|trial| trial.with_kind(kind).with_ignored_flag(adapter.is_none())));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// One file test.
fn file(name: &str, text: &str, driver: Driver) -> Result<Completion, Failed> {
    let File { header, marks, kernel, .. } = case::read(name, text);
    let Ok(kernel) = &kernel else { return Ok(Completion::ignored_with("the kernel is rejected")) };
    if header.order_dependent.is_some() {
        return Ok(Completion::ignored_with("the result depends on the order of threads"));
    }
    for run in &header.runs {
        let endless = run.expects.iter().any(|expect| matches!(expect.expected, Expected::OutOfFuel));
        let Ok((domain, bound)) = case::prepare(kernel, run) else { continue };
        if endless {
            return Ok(Completion::ignored_with("it does not end"));
        }
        let mut memory = bound.memory.clone();
        let launch = case::launch_of(kernel, run, &domain, &bound);
        let outcome = driver.launch(SuiteTarget::GpuStrict, &launch, &mut memory);
        if let Err(Refusal::Unsupported(reason)) = outcome {
            return Ok(Completion::ignored_with(reason));
        }
        let result = compare::RunResult { outcome, memory, form: None };
        let differences = compare(run, &bound, &marks, &result, Tolerance::NONE).list;
        if let Some(difference) = differences.first() {
            return Err(difference.message.clone().into());
        }
    }
    Ok(Completion::Completed)
}

fn random_kernels(driver: Driver) -> Result<(), Failed> {
    let number = |name: &str, usual| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual);
    let options = fuzz::FuzzOptions {
        seed: number("FUZZ_SEED", 3_000_000),
        kernels: number("FUZZ_KERNELS", 60),
        size: fuzz::KernelSize::Small,
        targets: vec![SuiteTarget::Reference, SuiteTarget::GpuStrict],
        coverage: false,
        tries: 200,
        launcher: fuzz::KernelLauncher::new(move |target, launch, memory| driver.launch(target, launch, memory)),
        ..fuzz::FuzzOptions::default()
    };
    let report = fuzz::run(&options, &mut |report| report.failures.is_empty());
    match (report.failures.first(), report.refused.first()) {
        (Some(failure), _) => Err(format!("{}\n{}", failure.detail, failure.file).into()),
        (None, Some(refused)) => Err(format!("{}\n{}", refused.detail, refused.file).into()),
        (None, None) if report.endings.completed > report.kernels / 2 => Ok(()),
        (None, None) => Err(format!("only {:?}", report.endings).into()),
    }
}
