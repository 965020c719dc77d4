//! A kernel lowered, held to what every lowered kernel must be, and run.

use expect_test::Expect;
use tilewise_interp::{Checks, Options, run};
use tilewise_ir::check::{Checked, check};
use tilewise_ir::diag::Code;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Outcome, ViewArgument};
use tilewise_ir::text::{parse, print};
use tilewise_lower::{Binding, LoweredKernel, RustFunction, kernel, uniform_bytes};

/// Lowers a kernel that is right: it passes the checker, and reading what is printed gives it back.
pub(crate) fn lowered(function: &RustFunction) -> (Checked<Kernel>, Vec<Binding>) {
    let LoweredKernel { kernel, bindings } = kernel("k", function).unwrap_or_else(|rejected| panic!("{rejected}"));
    let text = print(&kernel);
    let again = parse("printed.kir", &text).unwrap_or_else(|failure| panic!("{failure}\n{text}"));
    assert!(again == kernel, "printed and read back it is another kernel:\n{text}\n{}", print(&again));
    let checked = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}\n{text}"));
    (checked, bindings)
}

/// Holds the printed kernel against a snapshot.
pub(crate) fn prints(function: &RustFunction, expected: Expect) {
    expected.assert_eq(&print(lowered(function).0.kernel()));
}

/// The codes and messages with which a kernel is refused.
pub(crate) fn refused(function: &RustFunction) -> Vec<(Code, String)> {
    let rejected = kernel("k", function).err().unwrap_or_else(|| panic!("it is not refused"));
    assert!(!rejected.diagnostics.is_empty());
    rejected.diagnostics.into_iter().map(|report| (report.code, report.message)).collect()
}

/// What is bound to a captured name.
pub(crate) enum Bind<'a> {
    /// A view of numbers of four bytes each, of that extent.
    Words(Vec<u32>, &'a [i32]),
    /// A value.
    Leaves(&'a [u64]),
}

/// A view of `i32`s of rank 1.
pub(crate) fn ints(values: &[i32]) -> Bind<'static> {
    let words: Vec<u32> = values.iter().map(|&value| value as u32).collect();
    let extent: &'static [i32] = Box::leak(vec![values.len() as i32].into_boxed_slice());
    Bind::Words(words, extent)
}

/// A view of `f32`s of rank 1.
pub(crate) fn floats(values: &[f32]) -> Bind<'static> {
    let words: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
    let extent: &'static [i32] = Box::leak(vec![values.len() as i32].into_boxed_slice());
    Bind::Words(words, extent)
}

/// Runs a kernel with every check on; gives what each view holds then, and the outcome.
pub(crate) fn launch(function: &RustFunction, domain: &[i32], binds: Vec<Bind<'_>>) -> (Vec<Vec<u32>>, Outcome) {
    let (kernel, bindings) = lowered(function);
    let mut memory = LaunchMemory::default();
    let mut arguments = Vec::new();
    assert_eq!(bindings.len(), binds.len());
    for (binding, bind) in bindings.iter().zip(binds) {
        match (binding, bind) {
            (Binding::View(_), Bind::Words(words, extent)) => {
                memory.allocations.push(words.iter().flat_map(|word| word.to_le_bytes()).collect());
                arguments.push(Argument::View(ViewArgument::dense(memory.allocations.len() - 1, extent)));
            }
            (Binding::Uniform(param), Bind::Leaves(leaves)) => {
                arguments.push(Argument::Uniform(uniform_bytes(kernel.kernel(), *param, leaves)));
            }
            (Binding::Nothing, Bind::Leaves([])) => {}
            _ => panic!("something else is to be bound"),
        }
    }
    let options = Options { fuel: Some(10_000_000), checks: Checks::all(), ..Options::default() };
    let outcome = run(&kernel, &Domain::new(domain), &mut memory, &arguments, &options)
        .unwrap_or_else(|refusal| panic!("{refusal}\n{}", print(kernel.kernel())));
    let words = |bytes: &Vec<u8>| bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    (memory.allocations.iter().map(words).collect(), outcome)
}

/// Runs a kernel that completes without a report; gives the `i32`s of its first view.
pub(crate) fn run_ints(function: &RustFunction, domain: &[i32], binds: Vec<Bind<'_>>) -> Vec<i32> {
    let (views, outcome) = launch(function, domain, binds);
    assert!(
        matches!(outcome.ending, Ending::Completed),
        "{:?}\n{}",
        outcome.ending,
        print(lowered(function).0.kernel())
    );
    assert!(outcome.reports.is_empty(), "{:?}", outcome.reports);
    views[0].iter().map(|&word| word as i32).collect()
}
