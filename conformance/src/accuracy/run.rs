//! Runs a function on a target, over columns of arguments.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tilewise_cpu_jit::run::{Effort, Engine, EngineOptions, JitKernel, JitLaunchOptions};
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Outcome, Refusal, ViewArgument};
use tilewise_ir::text;

use super::AccuracyLevel;
use super::functions::AccuracyFunction;
use crate::target::{Limit, SuiteTarget, TargetLaunch};

/// A function as a kernel, for one target.
pub struct FunctionRunner {
    function: AccuracyFunction,
    target: SuiteTarget,
    kernel: Checked<Kernel>,
    /// For `jit`: the machine code stays, which launches of the suite make anew.
    jit: Option<(Engine, JitKernel)>,
}

impl std::fmt::Debug for FunctionRunner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FunctionRunner").field("path", &self.function.path).field("target", &self.target).finish()
    }
}

/// More than any chunk of arguments takes.
const LIMIT: Limit = Limit { fuel: u64::MAX, time: Duration::from_secs(600) };

impl FunctionRunner {
    /// Prepares a function. The error is the reason why there is no kernel of it.
    pub fn new(function: AccuracyFunction, target: SuiteTarget) -> Result<FunctionRunner, String> {
        let scalar = if function.oracle.is_double() { "f64" } else { "f32" };
        let (params, call) = match function.oracle.arity() {
            1 => (format!("x: view<{scalar}, 1, read>"), "x[global[0]]"),
            _ => (format!("x: view<{scalar}, 1, read>, y: view<{scalar}, 1, read>"), "x[global[0]], y[global[0]]"),
        };
        let path = function.path;
        let text = format!(
            "kernel accuracy({params}, out: view<{scalar}, 1, read_write>) rank(1) {{
                out[global[0]] = {path}({call});
            }}"
        );
        let kernel = text::parse("accuracy.kir", &text).map_err(|failure| failure.to_string())?;
        let kernel = check(kernel).map_err(|rejected| rejected.to_string())?;
        let jit = target.is_jit().then(|| {
            let engine = Engine::new(EngineOptions { threads: Some(1), ..EngineOptions::default() });
            (engine, JitKernel::new(Arc::new(kernel.clone())))
        });
        Ok(FunctionRunner { function, target, kernel, jit })
    }

    /// The function.
    pub const fn function(&self) -> &AccuracyFunction {
        &self.function
    }

    /// The target.
    pub const fn target(&self) -> SuiteTarget {
        self.target
    }

    /// The results for rows of arguments, as bits. The error is the reason why the target did not
    /// run it.
    pub fn run(&self, rows: &[[u64; 2]]) -> Result<Vec<u64>, String> {
        self.timed(rows).map(|(results, _)| results)
    }

    /// The results, and how long the launch took.
    fn timed(&self, rows: &[[u64; 2]]) -> Result<(Vec<u64>, Duration), String> {
        let size = if self.function.oracle.is_double() { 8 } else { 4 };
        let column = |i: usize| rows.iter().flat_map(|row| row[i].to_le_bytes().into_iter().take(size)).collect();
        let mut allocations: Vec<Vec<u8>> = (0..self.function.oracle.arity()).map(column).collect();
        allocations.push(vec![0; rows.len() * size]);
        let extent = [i32::try_from(rows.len()).map_err(|_| "too many arguments at a time".to_owned())?];
        let arguments: Vec<_> =
            (0..allocations.len()).map(|i| Argument::View(ViewArgument::dense(i, &extent))).collect();
        let mut memory = LaunchMemory::new(allocations);
        let domain = Domain::new(extent);
        let begin = Instant::now();
        let outcome = self.launch(&domain, &arguments, &mut memory).map_err(|refusal| refusal.to_string())?;
        let took = begin.elapsed();
        if outcome.ending != Ending::Completed {
            return Err(format!("`{}` did not complete on {}", self.function.path, self.target.name()));
        }
        let results = memory.allocations.pop().unwrap_or_default();
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        Ok((results.chunks_exact(size).map(number).collect(), took))
    }

    fn launch(&self, domain: &Domain, arguments: &[Argument], memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
        let Some((engine, kernel)) = &self.jit else {
            return self.target.launch(&TargetLaunch::new(&self.kernel, domain, arguments, LIMIT), memory);
        };
        let options = JitLaunchOptions {
            form: self.target.form(),
            threads: Some(1),
            no_fallback: true,
            effort: Effort::Well,
            ..JitLaunchOptions::default()
        };
        engine.run(kernel, domain, memory, arguments, &options).map(|launched| launched.outcome)
    }
}

/// Nanoseconds that the function takes for an element, on one thread, for arguments in its usual
/// range; the shortest of several launches. At the quick level a rough figure.
pub fn speed(runner: &FunctionRunner, level: AccuracyLevel) -> Result<f64, String> {
    let (elements, launches) = match level {
        AccuracyLevel::Quick => (1_u64 << 13, 2),
        AccuracyLevel::Full => (1 << 18, 8),
    };
    // The even indices are those of the usual range.
    let rows: Vec<_> = (0..elements).map(|i| super::arguments::random(runner.function(), 2 * i)).collect();
    let mut least = Duration::MAX;
    for _ in 0..launches {
        least = least.min(runner.timed(&rows)?.1);
    }
    Ok(least.as_secs_f64() * 1e9 / elements as f64)
}
