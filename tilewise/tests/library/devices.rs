//! Accelerators and their views, access types: section 14 of the catalogue. What chooses the default is in `default_accelerator`.

use tilewise::{Accelerator, AccessType, Array, ArrayView, Completion, QueuingMode, Result, kernel, parallel_for_each};

use crate::{launchers, on, text};

#[test]
fn acc_1_the_paths_that_are_everywhere() -> Result<()> {
    for path in [Accelerator::CPU, Accelerator::NATIVE, Accelerator::REFERENCE, Accelerator::JIT] {
        let accelerator = Accelerator::new(path)?;
        assert_eq!((accelerator.path(), accelerator.to_string()), (path, path.to_owned()));
        assert_eq!(path.parse::<Accelerator>()?, accelerator);
    }
    assert!(text(Accelerator::new("direct3d\\ref")).contains("there is no accelerator"));
    Ok(())
}

#[test]
fn acc_6_the_view_that_selects_runs_where_the_default_is() -> Result<()> {
    let auto = Accelerator::auto_selection_view();
    assert!(auto.is_auto_selection());
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(&auto, out.extent(), |i| out[i] = i[0] + 1)?;
    assert_eq!(out.to_vec()?, [1, 2, 3, 4]);
    assert_eq!(auto.accelerator(), &Accelerator::default());
    assert!(launchers().all(|av| !av.is_auto_selection()));
    Ok(())
}

#[test]
fn acc_7_every_property_has_a_value_that_fits_the_others() {
    for accelerator in Accelerator::all() {
        let on_host = !accelerator.path().starts_with("gpu/");
        assert!(!accelerator.description().is_empty() && !accelerator.path().is_empty());
        assert!(accelerator.is_emulated() || !on_host, "{accelerator}: what runs on the host emulates");
        assert!(accelerator.supports_limited_double_precision() || !accelerator.supports_double_precision());
        assert!(accelerator.dedicated_memory() == 0 || !on_host, "{accelerator}: it uses the host's memory");
        assert!(accelerator.supports_cpu_shared_memory() || !on_host, "{accelerator}");
        assert!(accelerator.version() != (0, 0), "{accelerator}");
        assert_eq!(accelerator.default_view().queuing_mode(), QueuingMode::Automatic);
    }
}

#[test]
fn acc_9_acv_2_views_are_made_with_either_mode() -> Result<()> {
    for av in launchers() {
        for mode in [QueuingMode::Immediate, QueuingMode::Automatic] {
            let own = av.accelerator().create_view(mode)?;
            assert_eq!((own.queuing_mode(), own.accelerator()), (mode, av.accelerator()));
            assert_ne!(own, av);
            let out = Array::<i32>::builder(64).on(&own).build_from(&[1; 64])?;
            parallel_for_each!(&own, out.extent(), |i| out[i] += i[0])?;
            own.wait()?;
            assert_eq!(out.to_vec()?, (1..=64).collect::<Vec<_>>(), "{own:?}");
        }
    }
    Ok(())
}

#[test]
fn acc_10_accelerators_are_equal_when_they_are_the_same_device() -> Result<()> {
    let all = Accelerator::all();
    for (at, one) in all.iter().enumerate() {
        for (other_at, other) in all.iter().enumerate() {
            assert_eq!(one == other, at == other_at, "{one} and {other}");
        }
        assert_eq!(&Accelerator::new(one.path())?.clone(), one);
    }
    Ok(())
}

#[test]
fn acv_1_a_clone_is_the_same_queue_and_a_new_view_is_not() -> Result<()> {
    for av in launchers() {
        let (same, other) = (av.clone(), av.accelerator().create_view(QueuingMode::Automatic)?);
        assert!(same == av && other != av && other == other.clone());
        assert_eq!(av.accelerator().default_view(), av);
    }
    Ok(())
}

#[test]
fn acv_3_work_of_one_view_runs_in_order() -> Result<()> {
    for av in launchers() {
        let own = av.accelerator().create_view(QueuingMode::Automatic)?;
        let view = ArrayView::from_vec(128, vec![1u32; 128])?;
        let (double, add) =
            (kernel!(|i: tilewise::Index<1>| view[i] *= 2), kernel!(|i: tilewise::Index<1>| view[i] += 1));
        for _ in 0..8 {
            own.parallel_for_each(view.extent(), &double)?;
            own.parallel_for_each(view.extent(), &add)?;
        }
        own.wait()?;
        let expected = (0..8).fold(1, |x, _| x * 2 + 1);
        assert_eq!(view.to_vec()?, [expected; 128], "{av:?}");
    }
    Ok(())
}

#[test]
fn acv_5_a_view_says_its_accelerator_and_that_its_version_and_whether_it_debugs() {
    for av in launchers() {
        let accelerator = Accelerator::new(av.accelerator().path()).expect("it is there");
        assert_eq!(av.accelerator().version(), accelerator.version());
        assert!(accelerator.is_debug() || accelerator.path() != Accelerator::REFERENCE);
        assert!(!accelerator.is_debug() || accelerator.path() != Accelerator::JIT);
    }
}

#[test]
fn act_1_access_types_are_joined_as_flags() {
    use AccessType::{Auto, None, Read, ReadWrite, Write};
    assert_eq!((Read | Write, Write | Read, Read | Read), (ReadWrite, ReadWrite, Read));
    assert_eq!((None | Read, Write | None, None | None), (Read, Write, None));
    assert_eq!((ReadWrite | Read, ReadWrite | None, Write | Write), (ReadWrite, ReadWrite, Write));
    assert_eq!((AccessType::default(), Auto | Read), (Auto, Auto));
}

#[test]
fn fut_1_every_completion_stands_for_something() -> Result<()> {
    for av in launchers() {
        let view = ArrayView::from_vec(8, vec![1; 8])?;
        parallel_for_each!(&av, view.extent(), |i| view[i] += 1)?;
        let made: [Completion; 4] =
            [av.create_marker()?, view.synchronize_async()?, view.synchronize_to_async(&av)?, Completion::ready(())];
        for one in made {
            one.wait();
            assert!(one.is_complete(), "{av:?}");
            one.get()?;
        }
    }
    Ok(())
}

#[test]
fn fut_2_a_completion_is_moved_to_where_it_is_waited_for() -> Result<()> {
    for av in launchers() {
        let array = Array::<i32>::builder(100).on(&av).build()?;
        let copied = tilewise::copy_async_from((0..100).collect(), &array)?;
        let back = std::thread::spawn(move || copied.get()).join().expect("it does not panic")?;
        assert_eq!((back, array.to_vec()?), ((0..100).collect(), (0..100).collect()), "{av:?}");
    }
    Ok(())
}

#[test]
fn cpy_4_no_more_is_taken_of_a_source_than_fits() -> Result<()> {
    for av in [on(Accelerator::JIT)?, on(Accelerator::REFERENCE)?] {
        let array = Array::<i32>::builder(4).on(&av).build()?;
        let mut endless = 0..;
        assert!(text(tilewise::copy_iter(endless.by_ref(), &array)).contains("more than the 4 elements"));
        assert!(endless.next().is_some_and(|next| next <= 5), "it was read no further");
        tilewise::copy_iter(endless.by_ref().take(4), &array)?;
        assert_eq!(array.to_vec()?, [6, 7, 8, 9]);
    }
    Ok(())
}
