//! What only a kernel form has: the checks of `reference`, and what does not build.

use std::time::Duration;

use tilewise::prelude::*;
use tilewise::report::Fault;
use tilewise::{Checks, Error, parallel_for_each};

use crate::{TARGETS, view};

fn fault(result: tilewise::Result<()>, of: impl Fn(&Error) -> bool) -> Fault {
    let error = result.unwrap_err();
    assert!(of(&error), "{error}");
    match error {
        Error::OutOfBounds(fault)
        | Error::DataRace(fault)
        | Error::UninitializedRead(fault)
        | Error::BarrierDivergence(fault) => *fault,
        other => panic!("{other}"),
    }
}

#[test]
fn an_access_out_of_bounds_is_told_and_the_results_stay() {
    let v = ArrayView::from_vec(4, vec![1, 2, 3, 4]).unwrap();
    let line = line!() + 2;
    let result = parallel_for_each!(&view("reference"), v.extent(), |i| {
        v[i + 1] = 9;
    });
    let fault = fault(result, |error| matches!(error, Error::OutOfBounds(_)));
    assert_eq!(fault.message, "index 4 is out of range for `v`, whose extent is 4");
    assert_eq!((fault.thread, fault.source.1), (vec![3], line));
    assert!(fault.source.0.ends_with("diagnostics.rs"));
    assert!(fault.text.contains("a write out of range does nothing"), "{}", fault.text);
    assert_eq!(v.to_vec().unwrap(), [1, 9, 9, 9]);
}

#[test]
fn a_race_is_told_with_both_threads() {
    let v = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    let result = parallel_for_each!(&view("reference"), v.extent(), |i| {
        v[0] = i[0];
    });
    let fault = fault(result, |error| matches!(error, Error::DataRace(_)));
    assert!(fault.message.contains("a data race on `v[0]`"), "{}", fault.message);
    assert!(fault.text.contains("thread (0)") && fault.text.contains("thread (1)"), "{}", fault.text);
}

#[test]
fn a_read_before_a_write_is_told() {
    let v = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    let mut checks = Checks::ALL;
    checks.unwritten = true;
    let view = Accelerator::new(Accelerator::REFERENCE).unwrap().view_builder().checks(checks).create().unwrap();
    let result = parallel_for_each!(&view, v.extent().tile::<4>(), |t| {
        #[tile_static]
        let sums: [i32; 4];
        t.barrier.wait();
        v[t] = sums[t.local[0]];
    });
    let fault = fault(result, |error| matches!(error, Error::UninitializedRead(_)));
    assert!(fault.message.contains("is read before it is written"), "{}", fault.message);
    let fresh = ArrayView::<i32>::without_source(4).unwrap();
    let result = parallel_for_each!(&view, v.extent(), |i| {
        v[i] = fresh[i];
    });
    assert!(matches!(result, Err(Error::UninitializedRead(_))), "{result:?}");
}

#[test]
fn without_checks_nothing_is_told() {
    let reference = Accelerator::new(Accelerator::REFERENCE).unwrap();
    let quiet = reference.view_builder().checks(Checks::NONE).create().unwrap();
    let v = ArrayView::from_vec(4, vec![1, 2, 3, 4]).unwrap();
    parallel_for_each!(&quiet, v.extent(), |i| {
        v[i + 1] = 9;
    })
    .unwrap();
    assert_eq!(v.to_vec().unwrap(), [1, 9, 9, 9]);
    let first = reference.view_builder().checks(Checks::ALL.stopping_at_first()).create().unwrap();
    let result = parallel_for_each!(&first, v.extent(), |i| {
        v[i - 1] = 7;
    });
    let fault = fault(result, |error| matches!(error, Error::OutOfBounds(_)));
    assert_eq!(fault.thread, [0]);
    assert_eq!(v.to_vec().unwrap(), [1, 9, 9, 9], "the launch ended there");
}

#[test]
fn divergence_is_told_by_every_target() {
    let flags = [0, 0, 1, 0];
    let flags = ArrayView::read_only(4, &flags).unwrap();
    let out = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    for path in TARGETS {
        let result = parallel_for_each!(&view(path), out.extent().tile::<4>(), |t| {
            if flags[t.global] == 0 {
                t.barrier.wait();
            }
            out[t] = 1;
        });
        let fault = fault(result, |error| matches!(error, Error::BarrierDivergence(_)));
        assert_eq!(
            (fault.message.as_str(), fault.thread),
            ("the threads of tile (0) do not meet at one barrier", vec![0])
        );
        assert!(fault.text.contains("threads 0-1, 3 of the tile reached this barrier"), "{path}: {}", fault.text);
    }
}

#[test]
fn what_does_not_build_is_told_each_time_with_its_line() {
    let v = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    let line = line!() + 3;
    let k = kernel!(|t: TiledIndex<1, 4>| {
        if t.local[0] == 0 {
            t.barrier.wait();
        }
        v[t] = 1;
    });
    for target in ["reference", "reference", "native", "jit"] {
        let result = view(target).parallel_for_each(v.extent().tile::<4>(), &k);
        let Err(Error::Kernel(diagnostics)) = result else { panic!("{result:?}") };
        assert_eq!(diagnostics.codes, ["K0501"]);
        assert!(diagnostics.text.contains(&format!("diagnostics.rs:{line}:")), "{}", diagnostics.text);
    }
    assert!(matches!(k.prepare(&view("reference")), Err(Error::Kernel(_))));
    assert_eq!(v.to_vec().unwrap(), [0; 4]);
}

#[test]
fn a_kernel_that_never_ends_is_given_up() {
    let reference = Accelerator::new(Accelerator::REFERENCE).unwrap();
    let limited = reference.view_builder().time_limit(Some(Duration::from_millis(30))).create().unwrap();
    let v = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    let forever = kernel!(|i: Index<1>| {
        v[i] = 1;
        while v[3] >= 0 {
            v[i] += 0;
        }
    });
    let result = limited.parallel_for_each(v.extent(), &forever);
    let Err(Error::AcceleratorViewRemoved(reason)) = result else { panic!("{result:?}") };
    assert!(reason.contains("30ms"), "{reason}");
    assert_eq!(v.get(0).unwrap(), 1, "what was written until then is there");

    let queue = reference.create_view(tilewise::QueuingMode::Automatic).unwrap();
    std::thread::scope(|scope| {
        let launch = scope.spawn(|| queue.parallel_for_each(v.extent(), &forever));
        while !launch.is_finished() {
            queue.cancel();
            std::thread::sleep(Duration::from_millis(5));
        }
        let result = launch.join().unwrap();
        assert!(
            matches!(&result, Err(Error::AcceleratorViewRemoved(reason)) if reason.contains("cancelled")),
            "{result:?}"
        );
    });
}

#[test]
fn pfe_8_a_tile_has_32_kib_of_tile_static() {
    let v = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    let result = parallel_for_each!(&view("reference"), v.extent().tile::<4>(), |t| {
        #[tile_static]
        let large: [i32; 8193];
        large[t.local[0]] = 1;
        v[t] = large[t.local[0]];
    });
    let Err(Error::Kernel(diagnostics)) = result else { panic!("{result:?}") };
    assert_eq!(diagnostics.codes, ["K0603"]);
}

#[test]
fn native_names_the_place_of_a_barrier_a_message_and_a_panic() {
    let native = view("native");
    let two = ArrayView::from_vec(1, vec![2]).unwrap();
    let line = line!() + 3;
    let result = parallel_for_each!(&native, Extent::new(8).tile::<4>(), |t| {
        if t.local[0] < two[0] {
            t.barrier.wait();
        }
    });
    let fault = fault(result, |error| matches!(error, Error::BarrierDivergence(_)));
    assert_eq!((fault.source.1, fault.source.2), (line, 23), "{}", fault.text);

    let line = line!() + 3;
    let result = parallel_for_each!(&native, Extent::new(8), |i| {
        if i[0] == 3 {
            error!("bad {}", i[0]);
        }
    });
    let Err(Error::Aborted(fault)) = result else { panic!("{result:?}") };
    assert_eq!((fault.source.1, fault.source.2, fault.thread), (line, 13, vec![3]));

    let v = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    let z = 0;
    // The line of the panic itself is known to the panic hook alone, which prints it; the error has the kernel's.
    let line = line!() + 1;
    let result = parallel_for_each!(&native, v.extent(), |i| {
        let x = i[0] + 5;
        v[i] = 1 + x / z;
    });
    let text = result.unwrap_err().to_string();
    assert!(text.contains(&format!("diagnostics.rs:{line}:")), "{text}");
    assert!(text.contains("attempt to divide by zero; in a kernel `x / 0` is `x`"), "{text}");
}

#[test]
#[cfg(target_pointer_width = "64")]
fn a_captured_usize_that_needs_64_bits_is_refused_on_every_target() {
    let v = ArrayView::from_vec(2, vec![0.0_f32; 2]).unwrap();
    let (size, pair) = (5_000_000_000_usize, [(1, 2_isize), (2, -3_000_000_000)]);
    for target in TARGETS {
        let result = parallel_for_each!(&view(target), v.extent(), |i| {
            v[i] = size as f32;
        });
        let text = result.unwrap_err().to_string();
        assert!(text.contains("`size` holds 5000000000: `usize` and `isize` have 32 bits"), "{text}");
        let result = parallel_for_each!(&view(target), v.extent(), |i| {
            v[i] = pair[i[0]].1 as f32;
        });
        let text = result.unwrap_err().to_string();
        assert!(text.contains("`pair` holds -3000000000"), "{text}");
    }
    assert_eq!(v.to_vec().unwrap(), [0.0; 2]);
}
