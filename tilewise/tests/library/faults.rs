//! Errors, and what kernels say: sections 15 and 18 of the catalogue.

use std::sync::Mutex;

use tilewise::{Accelerator, AcceleratorView, Array, ArrayView, Completion, Error, Extent, QueuingMode, Result};
use tilewise::{copy_async_into, copy_extend, copy_iter, parallel_for_each, set_print_hook};

use crate::{launchers, text};

#[test]
fn exc_1_an_error_has_words_and_says_its_kind() -> Result<()> {
    let shape = Array::<i32>::new(0).expect_err("there are no empty arrays");
    let place = Accelerator::new("nowhere").expect_err("there is none");
    let memory = Error::OutOfMemory(12);
    let domain = parallel_for_each!(Extent([0]), |_i| {}).expect_err("there is nothing to run");
    for (error, plain) in [(&shape, true), (&place, true), (&memory, false), (&domain, false)] {
        assert_eq!(error.is_runtime_exception(), plain, "{error}");
        let standard: &dyn std::error::Error = error;
        assert_eq!(standard.to_string(), error.clone().to_string());
        assert!(!error.to_string().is_empty());
    }
    assert!(memory.to_string().contains("12 bytes"));
    Ok(())
}

#[test]
fn exc_2_no_memory_is_said_with_its_size() -> Result<()> {
    for av in launchers() {
        // More than any machine's addresses reach.
        let wanted: u64 = 4 * 4096 * 128 * 0x7fff_ffff;
        match Array::<[[u32; 4096]; 128]>::builder(i32::MAX).on(&av).build() {
            Err(Error::OutOfMemory(bytes)) => assert_eq!(bytes, wanted, "{av:?}"),
            // More than a device has addresses for in one piece.
            Err(Error::UnsupportedFeature(why)) if av.accelerator().path().starts_with("gpu/") => {
                assert!(why.contains(&wanted.to_string()), "{why}");
            }
            other => panic!("{other:?} on {av:?}"),
        }
        // And it goes on.
        assert_eq!(Array::<i32>::builder(2).on(&av).build()?.to_vec()?, [0; 2]);
    }
    Ok(())
}

#[test]
fn exc_3_a_domain_that_cannot_be_is_an_error_of_its_own() {
    for av in launchers() {
        let refused = parallel_for_each!(&av, Extent([4, 0]), |_i| {});
        assert!(matches!(&refused, Err(Error::InvalidComputeDomain(shape)) if shape.dimension == Some(1)), "{av:?}");
        assert!(text(refused).starts_with("invalid compute domain: "));
    }
}

#[test]
fn exc_4_what_an_accelerator_cannot_do_is_said_with_the_reason() {
    for av in crate::launchers_where(|a| match a.path() {
        Accelerator::JIT => Err("it has what the test asks the others for"),
        _ => Ok(()),
    }) {
        let refused = av.accelerator().view_builder().threads(3).create();
        assert!(matches!(&refused, Err(Error::UnsupportedFeature(why)) if !why.is_empty()), "{av:?}: {refused:?}");
    }
}

/// A view of its own, so that errors of other tests do not come here.
fn own(av: &AcceleratorView) -> Result<AcceleratorView> {
    av.accelerator().create_view(QueuingMode::Immediate)
}

/// What comes of a launch, at once or when it is waited for.
fn outcome(launched: Result<()>, view: &ArrayView<'_, i32>, av: &AcceleratorView) -> String {
    let told = text(launched.and_then(|()| view.synchronize()).and_then(|()| av.wait()));
    assert!(view.synchronize().is_ok() && av.wait().is_ok(), "it is told once on {av:?}");
    told
}

#[test]
fn dbg_1_kernels_print_lines_in_the_order_of_threads() -> Result<()> {
    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    set_print_hook(|line| {
        if line.starts_with("dbg_1 ") {
            LINES.lock().expect("nobody panics with it").push(line.to_owned());
        }
    });
    for av in launchers() {
        let av = own(&av)?;
        let view = ArrayView::from_vec(8, vec![0; 8])?;
        parallel_for_each!(&av, view.extent().tile::<4>(), |t| {
            print!("dbg_1 thread {} of {}", t.global[0], 2.5f32);
            t.barrier.wait();
            if t.local[0] == 3 {
                print!("dbg_1 the last of {}", t.tile);
            }
            view[t] = 1;
        })?;
        view.synchronize()?;
        av.wait()?;
        let lines = std::mem::take(&mut *LINES.lock().expect("nobody panics with it"));
        let mut expected = Vec::new();
        for thread in 0..8 {
            expected.push(format!("dbg_1 thread {thread} of 2.5"));
            if thread % 4 == 3 {
                expected.push(format!("dbg_1 the last of ({})", thread / 4));
            }
        }
        assert_eq!(lines, expected, "{av:?}");
        assert_eq!(view.to_vec()?, [1; 8]);
    }
    Ok(())
}

#[test]
fn dbg_2_an_error_of_a_kernel_reaches_the_host_with_its_words() -> Result<()> {
    for av in launchers() {
        let av = own(&av)?;
        let view = ArrayView::from_vec(8, vec![0; 8])?;
        let launched = parallel_for_each!(&av, view.extent(), |i| {
            view[i] = 1;
            if i[0] % 4 == 2 {
                error!("thread {} found {}", i[0], view[i]);
            }
            view[i] = 2;
        });
        let told = outcome(launched, &view, &av);
        assert!(told.contains("thread 2 found 1; another thread ended so too"), "{told} on {av:?}");
        assert_eq!(view.to_vec()?, [2, 2, 1, 2, 2, 2, 1, 2], "{av:?}");
    }
    Ok(())
}

#[test]
fn dbg_3_an_abort_ends_its_thread_only_and_is_told() -> Result<()> {
    for av in launchers() {
        let av = own(&av)?;
        let view = ArrayView::from_vec(8, vec![0; 8])?;
        let launched = parallel_for_each!(&av, view.extent().tile::<4>(), |t| {
            if t.global[0] == 5 {
                abort!();
            }
            t.barrier.wait();
            view[t] = 1;
        });
        let told = outcome(launched, &view, &av);
        assert!(told.starts_with("a kernel ended itself"), "{told} on {av:?}");
        assert_eq!(view.to_vec()?, [1, 1, 1, 1, 1, 0, 1, 1], "{av:?}");
    }
    Ok(())
}

#[test]
fn exc_5_who_is_given_up_says_why_and_the_next_launch_runs() -> Result<()> {
    for path in [Accelerator::REFERENCE, Accelerator::JIT] {
        let accelerator = Accelerator::new(path)?;
        let limit = Some(std::time::Duration::from_millis(30));
        let av = accelerator.view_builder().time_limit(limit).create()?;
        let view = ArrayView::from_vec(2, vec![1, 1])?;
        let launched = parallel_for_each!(&av, view.extent(), |i| {
            while view[i] != 0 {
                view[i] = view[i] % 1000 + 1;
            }
        });
        assert!(matches!(&launched, Err(Error::AcceleratorViewRemoved(why)) if why.contains("30ms")), "{launched:?}");
        parallel_for_each!(&av, view.extent(), |i| view[i] = 5)?;
        assert_eq!(view.to_vec()?, [5, 5]);
    }
    Ok(())
}

#[test]
fn exc_2_a_copy_that_the_host_has_no_room_for_is_an_error() -> Result<()> {
    // 256 TiB: more than a process has addresses for, however much its system promises.
    const ELEMENT: usize = 16 << 10;
    let huge = ArrayView::<[u64; ELEMENT]>::without_source(i32::MAX)?;
    let bytes = (ELEMENT as u64 * 8) * i32::MAX as u64;
    let refused = |what: &str, result: Result<()>| {
        assert!(matches!(result, Err(Error::OutOfMemory(said)) if said >= bytes), "{what}: {result:?}");
    };
    refused("get", huge.get(0).map(drop));
    refused("host", huge.host().map(drop));
    refused("fill", huge.fill([1; ELEMENT]));
    refused("to_vec", huge.to_vec().map(drop));
    refused("copy_extend", copy_extend(&huge, &mut Vec::new()));
    refused("copy_iter", copy_iter(std::iter::repeat([1; ELEMENT]), &huge));
    refused("copy_async_into", copy_async_into(&huge, Vec::new()).and_then(Completion::get).map(drop));
    Ok(())
}

#[cfg(not(feature = "gpu"))]
#[test]
fn a_gpu_without_the_feature_is_explained() {
    let text = Accelerator::new("gpu/0").unwrap_err().to_string();
    assert!(text.contains("the feature `gpu` of the package `tilewise` is off"), "{text}");
}
