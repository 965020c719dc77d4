//! How much of the suite and of random kernels the CPU target runs in lanes.

use tilewise_conformance::corpus;
use tilewise_conformance::fuzz::{KernelBudget, generate};
use tilewise_conformance::kir::case;
use tilewise_conformance::stage::{Share, compiled_report};
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::Argument;

/// Lanes that are asked for.
const WIDTH: u32 = 16;
/// Enough random kernels that each construct is met many times. `FUZZ_KERNELS` may say another number.
const KERNELS: u64 = 300;

/// What was found out.
#[derive(Default)]
struct Sum {
    kernels: u32,
    share: Share,
    accesses: usize,
    one_by_one: usize,
    scalar: Vec<String>,
}

#[test]
fn nearly_all_kernels_and_their_loops_run_in_lanes() {
    let mut sum = Sum::default();
    for (name, text) in corpus::FILES {
        let file = case::read(name, text);
        let Ok(kernel) = &file.kernel else { continue };
        let bound = file.header.runs.first().and_then(|run| case::prepare(kernel, run).ok());
        let arguments = bound.as_ref().map(|(_, bound)| &bound.arguments[..]);
        sum.add(name, kernel, arguments);
    }
    let files = sum.kernels;
    let random = std::env::var("FUZZ_KERNELS").ok().and_then(|n| n.parse().ok()).unwrap_or(KERNELS);
    let of_files = sum.share;
    for seed in 0..random {
        let case = generate(seed, KernelBudget::of_seed(seed));
        let Ok(kernel) = check(case.kernel.clone()) else { panic!("seed {seed} is not accepted") };
        sum.add(&format!("seed {seed}"), &kernel, Some(&case.arguments));
    }
    let Sum { kernels, share, accesses, one_by_one, scalar } = sum;
    println!("{files} files: {} of {} kernels and loops in lanes", of_files.lanes, of_files.parts);
    let [lanes, parts] = [share.lanes - of_files.lanes, share.parts - of_files.parts];
    println!("{random} random kernels: {lanes} of {parts} kernels and loops in lanes");
    println!("accesses whose lanes go one by one: {one_by_one} of {accesses}");
    assert!(kernels > 500, "{kernels} kernels were compiled");
    assert!(share.percent() >= 95.0, "{:.1}% run in lanes; not these:\n{}", share.percent(), scalar.join("\n"));
}

impl Sum {
    fn add(&mut self, name: &str, kernel: &Checked<Kernel>, arguments: Option<&[Argument]>) {
        self.kernels += 1;
        match compiled_report(kernel, arguments, WIDTH) {
            Ok(report) => {
                self.share = self.share.and(report.share());
                self.accesses += report.accesses().count();
                self.one_by_one += report.one_by_one();
            }
            Err(why) => {
                self.share = self.share.and(Share { lanes: 0, parts: 1 });
                self.scalar.push(format!("{name}: {why}"));
            }
        }
    }
}
