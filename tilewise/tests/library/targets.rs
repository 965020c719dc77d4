//! Where a launch runs: section 11 of the catalogue.

use tilewise::{Accelerator, Array, ArrayView, Error, Result, kernel, parallel_for_each};

use crate::{launchers, on, text};

#[test]
fn pfe_6_a_launch_goes_to_the_arrays_that_its_kernel_captures() -> Result<()> {
    for view in launchers() {
        let array = Array::<i32>::builder(8).on(&view).build()?;
        parallel_for_each!(array.extent(), |i| array[i] = i[0])?;
        assert_eq!(array.to_vec()?, (0..8).collect::<Vec<_>>(), "{view:?}");
    }
    Ok(())
}

#[test]
fn pfe_6_arrays_of_several_views_need_a_named_one() -> Result<()> {
    let (first, second) = (on(Accelerator::JIT)?, on(Accelerator::REFERENCE)?);
    let a = Array::<i32>::builder(4).on(&first).build()?;
    let b = Array::<i32>::builder(4).on(&second).build()?;
    let both = kernel!(|i: tilewise::Index<1>| a[i] = b[i]);
    let refused = parallel_for_each(a.extent(), &both);
    let refused = text(refused);
    assert!(refused.contains("arrays of several accelerator views, one of `reference` and one of `jit`"), "{refused}");
    let named = first.parallel_for_each(a.extent(), &both);
    assert!(text(named).contains("an array of the accelerator `reference` cannot be used by a launch on `jit`"));
    Ok(())
}

#[test]
fn pfe_6_views_of_arrays_do_not_choose_but_must_be_at_home() -> Result<()> {
    let reference = on(Accelerator::REFERENCE)?;
    let array = Array::<i32>::builder(4).on(&reference).build()?;
    let view = array.view();
    parallel_for_each!(&reference, view.extent(), |i| view[i] = 3)?;
    let jit = on(Accelerator::JIT)?;
    assert!(matches!(parallel_for_each!(&jit, view.extent(), |i| view[i] = 4), Err(Error::Accelerator(_))));
    assert_eq!(array.to_vec()?, [3; 4]);
    Ok(())
}

#[test]
fn av_23_a_view_without_a_source_takes_the_place_of_whoever_touches_it_first() -> Result<()> {
    for av in launchers() {
        let view = ArrayView::<i32>::without_source(4)?;
        parallel_for_each!(&av, view.extent(), |i| view[i] = i[0])?;
        assert_eq!(view.source_accelerator_view(), av);
        assert_eq!(view.cpu_access_type(), av.accelerator().default_cpu_access_type());
    }
    let view = ArrayView::<i32>::without_source(4)?;
    view.set(0, 1)?;
    assert_eq!(view.source_accelerator_view(), on(Accelerator::CPU)?);
    Ok(())
}

#[test]
fn acc_3_every_accelerator_is_listed_with_its_properties() -> Result<()> {
    for view in launchers() {
        let accelerator = view.accelerator();
        println!("{accelerator}: {}", accelerator.description());
        assert_eq!(&Accelerator::new(accelerator.path())?, accelerator);
        assert!(!accelerator.description().is_empty());
        assert!(Accelerator::all().contains(accelerator));
        assert_eq!(accelerator.default_view(), view);
        assert!(accelerator.supports_double_precision() <= accelerator.supports_limited_double_precision());
        let threads = accelerator.view_builder().threads(2).create();
        assert_eq!(threads.is_ok(), accelerator.path() == Accelerator::JIT, "{accelerator}");
    }
    assert!(text(Accelerator::new("gpu/99")).contains("there is no accelerator `gpu/99`"));
    Ok(())
}

#[test]
fn acv_4_work_is_done_after_wait_and_before_a_marker_completes() -> Result<()> {
    for av in launchers() {
        let own = av.accelerator().create_view(tilewise::QueuingMode::Automatic)?;
        let array = Array::<i32>::builder(64).on(&own).build_from(&[0; 64])?;
        for _ in 0..64 {
            parallel_for_each!(array.extent(), |i| array[i] += 1)?;
        }
        own.flush()?;
        own.create_marker()?.get()?;
        own.wait()?;
        assert_eq!(array.to_vec()?, [64; 64], "{av:?}");
    }
    Ok(())
}

#[test]
fn an_error_of_a_kernel_is_told_once() -> Result<()> {
    for av in launchers() {
        let own = av.accelerator().create_view(tilewise::QueuingMode::Immediate)?;
        let view = ArrayView::from_vec(4, vec![0; 4])?;
        let launched = parallel_for_each!(&own, view.extent(), |i| {
            view[i] = 1;
            if i[0] == 2 {
                error!("thread {}", i[0]);
            }
        });
        let told = match launched {
            Err(error) => Err(error),
            Ok(()) => view.synchronize(),
        };
        assert!(text(told).contains("thread 2"), "{av:?}");
        view.synchronize()?;
        own.wait()?;
        assert_eq!(view.to_vec()?, [1; 4]);
    }
    Ok(())
}
