//! Launches through the engine, compared with the interpreter.

mod ends;
mod fails;
mod forms;
mod handles;
mod in_place;
mod meaning;
mod rows;
mod streams;

use std::sync::Arc;

use tilewise_interp as interp;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument};
use tilewise_ir::text::parse;

use super::*;
use crate::emit::CodeForm;

fn kernel(text: &str) -> Arc<Checked<Kernel>> {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    Arc::new(check(kernel).unwrap_or_else(|rejected| panic!("{rejected}")))
}

fn bytes(numbers: impl IntoIterator<Item = i32>) -> Vec<u8> {
    numbers.into_iter().flat_map(i32::to_le_bytes).collect()
}

fn view(allocation: usize, extent: &[i32]) -> Argument {
    Argument::View(ViewArgument::dense(allocation, extent))
}

/// A view of an allocation from a byte on.
fn strided(allocation: usize, offset: u64, extent: &[i32], strides: &[u64]) -> Argument {
    Argument::View(ViewArgument::new(allocation, offset, extent.to_vec(), strides.to_vec()))
}

fn number(n: i32) -> Argument {
    Argument::Uniform(n.to_le_bytes().into())
}

fn threads(threads: usize) -> Engine {
    Engine::new(EngineOptions { threads: Some(threads), ..EngineOptions::default() })
}

/// The emitters whose code this processor runs.
fn native_forms() -> Vec<CodeForm> {
    CodeForm::ALL.into_iter().filter(|form| form.is_native()).collect()
}

/// Launches a kernel by the interpreter and by engines of 1 and 3 threads, by every emitter at every width, and compares all there is.
fn agree(text: &str, extent: &[i32], memory: &LaunchMemory, arguments: &[Argument]) {
    agree_within(text, extent, memory, arguments, |launch| launch());
}

/// As [`agree`], with each launch by an engine in surroundings of one's own.
fn agree_within(
    text: &str,
    extent: &[i32],
    memory: &LaunchMemory,
    arguments: &[Argument],
    within: impl Fn(&mut dyn FnMut()),
) {
    let kernel = kernel(text);
    let domain = Domain::new(extent);
    let mut expected = memory.clone();
    let outcome = interp::run(&kernel, &domain, &mut expected, arguments, &interp::Options::default());
    let outcome = outcome.unwrap_or_else(|refusal| panic!("{refusal}"));
    let prepared = JitKernel::new(kernel);
    for engine in [threads(1), threads(3)] {
        let widths = [None, Some(1), Some(4), Some(8), Some(16), Some(64)];
        for (form, width) in native_forms().into_iter().flat_map(|form| widths.map(|width| (form, width))) {
            let mut memory = memory.clone();
            let form = Some(form);
            let options = JitLaunchOptions { width, form, no_fallback: true, ..JitLaunchOptions::default() };
            let mut ran = None;
            within(&mut || ran = Some(engine.run(&prepared, &domain, &mut memory, arguments, &options)));
            let ran =
                ran.unwrap_or_else(|| panic!("nothing was launched")).unwrap_or_else(|refusal| panic!("{refusal}"));
            let of = format!("{} threads, width {width:?}, {:?}", engine.threads(), ran.ran);
            assert_eq!(ran.outcome.ending, outcome.ending, "{of}");
            assert_eq!((&ran.outcome.printed, ran.outcome.lost), (&outcome.printed, outcome.lost), "{of}");
            assert!(memory == expected, "memory differs: {of}");
        }
    }
}
