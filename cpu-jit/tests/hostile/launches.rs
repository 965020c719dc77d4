//! Launches by machine code, compared with the interpreter.

use std::sync::{Arc, LazyLock};

use tilewise_cpu_jit::run::{Engine, EngineOptions, JitKernel, JitLaunchOptions};
use tilewise_interp as interp;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, ViewArgument};
use tilewise_ir::text::parse;

static ONE: LazyLock<Engine> = LazyLock::new(|| engine(1));
static THREE: LazyLock<Engine> = LazyLock::new(|| engine(3));

fn engine(threads: usize) -> Engine {
    tilewise_cpu_jit::emit::check_generated_code();
    Engine::new(EngineOptions { threads: Some(threads), ..EngineOptions::default() })
}

/// Engines of 1 and 3 threads, each to be asked for the lanes that suit it and for single ones.
pub(crate) fn engines() -> [(&'static Engine, Option<u32>); 4] {
    [(&ONE, None), (&ONE, Some(1)), (&THREE, Some(16)), (&THREE, Some(1))]
}

pub(crate) fn kernel(text: &str) -> Arc<Checked<Kernel>> {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}\n{text}"));
    Arc::new(check(kernel).unwrap_or_else(|rejected| panic!("{rejected}\n{text}")))
}

pub(crate) fn bytes(numbers: impl IntoIterator<Item = i32>) -> Vec<u8> {
    numbers.into_iter().flat_map(i32::to_le_bytes).collect()
}

pub(crate) fn view(allocation: usize, extent: &[i32]) -> Argument {
    Argument::View(ViewArgument::dense(allocation, extent))
}

pub(crate) fn number(n: i32) -> Argument {
    Argument::Uniform(n.to_le_bytes().into())
}

/// Asserts that machine code does to memory what the interpreter does, at every width and number of threads.
pub(crate) fn agree(kernel: &JitKernel, extent: &[i32], memory: &LaunchMemory, arguments: &[Argument], what: &str) {
    let domain = Domain::new(extent);
    let mut expected = memory.clone();
    let outcome = interp::run(kernel.kernel(), &domain, &mut expected, arguments, &interp::Options::default());
    let outcome = outcome.unwrap_or_else(|refusal| panic!("{refusal}: {what}"));
    assert_eq!(outcome.ending, Ending::Completed, "{what}");
    for (engine, width) in engines() {
        let mut memory = memory.clone();
        let options = JitLaunchOptions { width, no_fallback: true, ..JitLaunchOptions::default() };
        let ran = engine.run(kernel, &domain, &mut memory, arguments, &options);
        let ran = ran.unwrap_or_else(|refusal| panic!("{refusal}: {what}"));
        let of = || format!("{what}, {} threads, width {width:?}", engine.threads());
        assert_eq!(ran.outcome.ending, Ending::Completed, "{}", of());
        assert_eq!(ran.ran.narrowed, None, "{}", of());
        for (allocation, (have, want)) in memory.allocations.iter().zip(&expected.allocations).enumerate() {
            let first = have.iter().zip(want).position(|(have, want)| have != want);
            assert!(first.is_none(), "byte {} of allocation {allocation} differs: {}", first.unwrap_or(0), of());
        }
    }
}
