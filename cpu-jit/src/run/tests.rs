//! Launches through the engine, compared with the interpreter.

use std::sync::Arc;
use std::time::Duration;

use tilewise_ir::check::{Checked, check};
use tilewise_ir::interp;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Ending, Memory, Refusal, ViewArgument};
use tilewise_ir::text::parse;

use super::*;

fn kernel(text: &str) -> Arc<Checked<Kernel>> {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    Arc::new(check(kernel).unwrap_or_else(|rejected| panic!("{rejected}")))
}

fn bytes(numbers: impl IntoIterator<Item = i32>) -> Vec<u8> {
    numbers.into_iter().flat_map(i32::to_le_bytes).collect()
}

const SECTION: &str = r#"kernel k(a: view<i32, 2, read_write>, b: view<i32, 2, read>) rank(2) {
    let y = global[0]; let x = global[1];
    a[y, x] = a[y, x] * 10 + b[y, x];
    if x == 1 { print("at {} {}", y, a[y, x]); }
}"#;

#[test]
fn a_launch_does_what_the_interpreter_does() {
    let kernel = kernel(SECTION);
    let mut memory = Memory::new(vec![bytes(0..40)]);
    let mut expected = memory.clone();
    // Two sections of one piece that overlap.
    let view = |offset| Argument::View(ViewArgument { piece: 0, offset, extent: vec![3, 2], strides: vec![8, 1] });
    let arguments = [view(4), view(68)];
    let domain = Domain::new([3, 2]);
    let outcome = interp::run(&kernel, &domain, &mut expected, &arguments, &interp::Options::default());
    let engine = Engine::new(Options::default());
    let ran = engine.run(&Prepared::new(kernel), &domain, &mut memory, &arguments, &LaunchOptions::default());
    let (outcome, ran) =
        (outcome.unwrap_or_else(|refusal| panic!("{refusal}")), ran.unwrap_or_else(|refusal| panic!("{refusal}")));
    assert_eq!(memory, expected);
    assert_eq!((ran.outcome.ending, ran.outcome.printed), (outcome.ending, outcome.printed));
}

#[test]
fn what_does_not_fit_is_refused() {
    let kernel = Prepared::new(kernel(SECTION));
    let engine = Engine::new(Options::default());
    let domain = Domain::new([3, 2]);
    let options = LaunchOptions::default();
    let run = |arguments: &[Argument], domain: &Domain| {
        engine.run(&kernel, domain, &mut Memory::new(vec![bytes(0..40)]), arguments, &options)
    };
    let view = |extent: &[i32]| Argument::View(ViewArgument::dense(0, extent));
    assert!(matches!(run(&[view(&[3, 2])], &domain), Err(Refusal::BadArgument(_))));
    assert!(matches!(run(&[view(&[3, 2]), view(&[30, 2])], &domain), Err(Refusal::BadArgument(_))));
    assert!(matches!(run(&[view(&[3, 2]), view(&[3, 2])], &Domain::new([3])), Err(Refusal::InvalidComputeDomain(_))));
    assert!(run(&[view(&[3, 2]), view(&[3, 2])], &domain).is_ok());
}

#[test]
fn a_launch_ends_when_its_time_is_over_or_somebody_says_so() {
    let kernel = Prepared::new(kernel("kernel k(n: i32) rank(1) { loop { if n == 1 { break; } } }"));
    let engine = Engine::new(Options::default());
    let run = |options: LaunchOptions<'_>| {
        let n = Argument::Uniform(0i32.to_le_bytes().into());
        let ran = engine.run(&kernel, &Domain::new([1]), &mut Memory::default(), &[n], &options);
        ran.map(|ran| ran.outcome.ending)
    };
    let limit = LaunchOptions { time_limit: Some(Duration::from_millis(20)), ..LaunchOptions::default() };
    assert_eq!(run(limit), Ok(Ending::Interrupted));
    let asked = LaunchOptions { interrupt: Some(&|| true), ..LaunchOptions::default() };
    assert_eq!(run(asked), Ok(Ending::Interrupted));
}
