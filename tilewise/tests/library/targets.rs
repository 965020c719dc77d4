//! Where a launch runs: section 11 of the catalogue.

use tilewise::{
    Accelerator, AcceleratorView, Array, ArrayView, Error, Launch, QueuingMode, Result, copy, copy_async, kernel,
    parallel_for_each,
};

use crate::{launchers, on, text};

/// Two new queues of an accelerator, one of each mode.
fn two_queues(av: &AcceleratorView) -> Result<[AcceleratorView; 2]> {
    let accelerator = av.accelerator();
    Ok([accelerator.create_view(QueuingMode::Automatic)?, accelerator.create_view(QueuingMode::Immediate)?])
}

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
    // The captures are in the order of their names' first use in the kernel, or another: either is the first.
    let orders = [("a", "jit", "b", "reference"), ("b", "reference", "a", "jit")];
    let expected = orders.map(|(first, on_first, second, on_second)| {
        format!(
            "captures arrays of several accelerators, `{first}` of `{on_first}` and `{second}` of `{on_second}`: give it a copy, `Array::builder({second}.extent()).on(&view).build_from(&{second})?` on `{on_first}`"
        )
    });
    assert!(expected.iter().any(|expected| refused.contains(expected)), "{refused}");
    assert!(refused.contains("the kernel at ") && refused.contains("targets.rs:"), "{refused}");
    let named = text(first.parallel_for_each(a.extent(), &both));
    let expected = "`b`, an array of the accelerator `reference`, cannot be used by a launch on `jit`: launch there with a copy, `Array::builder(b.extent()).on(&view).build_from(&b)?`";
    assert!(named.contains(expected), "{named}");
    // What is said helps.
    let copied = Array::builder(b.extent()).on(&first).build_from(&b)?;
    parallel_for_each!(a.extent(), |i| a[i] = copied[i])?;
    Ok(())
}

#[test]
fn pfe_6_pfe_9_arrays_of_two_queues_need_a_named_one_and_any_queue_of_their_accelerator_will_do() -> Result<()> {
    for av in launchers() {
        let [first, second] = two_queues(&av)?;
        let a = Array::<i32>::builder(4).on(&first).build_from(&[1, 2, 3, 4])?;
        let b = Array::<i32>::builder(4).on(&second).build_from(&[10, 20, 30, 40])?;
        let add = kernel!(|i: tilewise::Index<1>| a[i] += b[i]);
        for launch in [Launch::new(a.extent()), Launch::new(a.extent()).on(&Accelerator::auto_selection_view())] {
            let refused = text(launch.run(&add));
            let expected = format!("arrays of several accelerator views, all of `{}`: name the view", av.accelerator());
            assert!(refused.contains(&expected), "{refused}");
        }
        for queue in [&first, &second, &av] {
            queue.parallel_for_each(a.extent(), &add)?;
        }
        assert_eq!(a.to_vec()?, [31, 62, 93, 124], "{av:?}");
        // Of one queue's arrays nothing need be named.
        let c = Array::<i32>::builder(4).on(&second).build()?;
        parallel_for_each!(c.extent(), |i| c[i] = b[i] + 1)?;
        assert_eq!(c.to_vec()?, [11, 21, 31, 41], "{av:?}");
    }
    Ok(())
}

#[test]
fn acv_3_mem_6_queues_that_take_turns_with_an_array_see_what_the_other_did() -> Result<()> {
    for av in launchers() {
        let queues = two_queues(&av)?;
        let array = Array::<i32, 2>::builder((4, 8)).on(&queues[0]).build_from(&[0; 32])?;
        let section = array.section((1, 2), (2, 4));
        for round in 0..12 {
            // Half of the launches are of the other queue than the array's, and nobody waits for any.
            let queue = &queues[round % 2];
            parallel_for_each!((queue, array.extent()), |i| array[i] = array[i] * 3 + 1)?;
            parallel_for_each!((&queues[(round + 1) % 2], section.extent()), |i| section[i] -= i[0] + 1)?;
        }
        let mut expected = [[0i32; 8]; 4];
        for _ in 0..12 {
            expected.iter_mut().flatten().for_each(|x| *x = *x * 3 + 1);
            for (taken, row) in (1..).zip(&mut expected[1..3]) {
                row[2..6].iter_mut().for_each(|x| *x -= taken);
            }
        }
        assert_eq!(array.to_vec()?, expected.concat(), "{av:?}");
    }
    Ok(())
}

#[test]
fn cpy_6_arrays_of_two_queues_are_copied_in_the_order_of_the_calls() -> Result<()> {
    for av in launchers() {
        let [first, second] = two_queues(&av)?;
        let a = Array::<i32>::builder(16).on(&first).build_from(&[0; 16])?;
        let b = Array::<i32>::builder(16).on(&second).build()?;
        for round in 0..10 {
            parallel_for_each!(a.extent(), |i| a[i] += i[0] + round)?;
            copy(&a, &b)?;
            parallel_for_each!(b.extent(), |i| b[i] *= 2)?;
            copy(&b.section(8, 8), &a.section(0, 8))?;
            copy_async(&b.section(0, 4), &a.section(8, 4))?.get()?;
        }
        let (mut x, mut y) = ([0i32; 16], [0i32; 16]);
        for round in 0..10 {
            (0..16).for_each(|i| x[i] += i as i32 + round);
            y = x.map(|x| x * 2);
            x[..8].copy_from_slice(&y[8..]);
            x[8..12].copy_from_slice(&y[..4]);
        }
        assert_eq!((a.to_vec()?, b.to_vec()?), (x.to_vec(), y.to_vec()), "{av:?}");
    }
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
    // A launch that is refused has touched nothing.
    let reference = on(Accelerator::REFERENCE)?;
    let far = Array::<i32>::builder(4).on(&on(Accelerator::NATIVE)?).build()?;
    // Whichever of the two it comes to first.
    let from = kernel!(|i: tilewise::Index<1>| view[i] = far[i]);
    let into = kernel!(|i: tilewise::Index<1>| far[i] = view[i]);
    for kernel in [from, into] {
        assert!(text(reference.parallel_for_each(view.extent(), &kernel)).contains("cannot be used by a launch"));
    }
    assert_eq!(view.source_accelerator_view(), on(Accelerator::CPU)?);
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
        let own = av.accelerator().create_view(QueuingMode::Automatic)?;
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
        let own = av.accelerator().create_view(QueuingMode::Immediate)?;
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
