//! Every kernel of the benchmarks is right, at a small size, on every accelerator that runs kernels.

use tilewise::Accelerator;
use tilewise_benches::kernels;
use tilewise_peers::{PeerWork, plain};

/// Accelerators that run kernels, by their paths.
fn accelerators() -> Vec<Accelerator> {
    Accelerator::all().into_iter().filter(|accelerator| accelerator.path() != Accelerator::CPU).collect()
}

#[test]
fn each_accelerator_has_the_bits_of_plain_rust() {
    let mut wrong = Vec::new();
    for work in PeerWork::ALL {
        let expected = kernels::expected(work, work.small_size()).expect("plain Rust runs");
        for accelerator in accelerators() {
            let on = accelerator.default_view();
            let result = kernels::prepare(work, work.small_size(), &on)
                .map_err(|error| error.to_string())
                .and_then(|mut kernel| kernel.run().and_then(|()| kernel.output()))
                .and_then(|output| output.compare(&expected, work.freedom()).map_err(|mismatch| mismatch.to_string()));
            wrong.extend(result.err().map(|reason| format!("{work} on {accelerator}: {reason}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_second_run_after_restore_gives_the_same() {
    let on = Accelerator::new(Accelerator::NATIVE).expect("it is everywhere").default_view();
    for work in PeerWork::ALL {
        let mut kernel = kernels::prepare(work, work.small_size(), &on).expect("it fits");
        kernel.run().expect("it runs");
        let first = kernel.output().expect("it is there");
        kernel.restore().expect("it can be written");
        kernel.run().expect("it runs");
        assert_eq!(kernel.output().expect("it is there").compare(&first, None), Ok(()), "{work}");
    }
}

#[test]
fn the_plain_forms_are_within_their_tolerance() {
    for work in PeerWork::ALL {
        let expected = kernels::expected(work, work.small_size()).expect("plain Rust runs");
        let mut natural = plain::prepare(work, work.small_size());
        natural.run().expect("plain Rust runs");
        let output = natural.output().expect("it is there");
        assert_eq!(output.compare(&expected, work.tolerance()), Ok(()), "{work}");
    }
}
