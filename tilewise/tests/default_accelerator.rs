//! ACC-2, ACC-4, ACC-5, ACC-8: which device is the default, and when that is fixed. A program of its own, as choices are made once in a program.

use tilewise::prelude::*;

#[test]
fn the_default_can_be_chosen_until_a_launch_uses_it() {
    // Looking at it fixes nothing.
    if std::env::var_os("TILEWISE_DEFAULT_ACCELERATOR").is_none() {
        assert_eq!(Accelerator::default().path(), Accelerator::JIT);
    }
    assert_eq!(Accelerator::default(), Accelerator::new(Accelerator::DEFAULT).unwrap());
    assert!(Accelerator::set_default("gpu/7").is_err());
    assert!(Accelerator::set_default(Accelerator::NATIVE).unwrap());
    assert!(!Accelerator::set_default(Accelerator::CPU).unwrap(), "it was chosen already");
    assert_eq!(Accelerator::default().path(), "native");
    assert_eq!(Accelerator::auto_selection_view().accelerator().path(), "native");

    // An access out of range is no error there, as it is on `reference`.
    let v = ArrayView::from_vec(2, vec![1, 2]).unwrap();
    parallel_for_each!(v.extent(), |i| {
        v[i + 1] = 5;
    })
    .unwrap();
    let kernel = kernel!(|i: Index<1>| {
        v[i] += 1;
    });
    parallel_for_each(v.extent(), &kernel).unwrap();
    Accelerator::auto_selection_view().parallel_for_each(v.extent(), &kernel).unwrap();
    assert_eq!(v.to_vec().unwrap(), [3, 7]);
}

/// The environment of a program decides, so the test runs itself again, with a path that is expected of it.
#[test]
fn acc_5_the_environment_names_the_default() {
    const EXPECTED: &str = "TILEWISE_TEST_EXPECTS";
    const NAME: &str = "acc_5_the_environment_names_the_default";
    if let Some(expected) = std::env::var_os(EXPECTED) {
        match Accelerator::new(Accelerator::DEFAULT) {
            Ok(found) => {
                assert_eq!((found.path(), Accelerator::default()), (&*expected.to_string_lossy(), found.clone()));
            }
            Err(error) => assert!(expected == "nothing" && error.to_string().contains("gpu/99"), "{error}"),
        }
        return;
    }
    for (set, expected) in [("native", "native"), ("reference", "reference"), ("jit", "jit"), ("gpu/99", "nothing")] {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", NAME]).env("TILEWISE_DEFAULT_ACCELERATOR", set).env(EXPECTED, expected);
        let output = again.output().unwrap();
        assert!(output.status.success(), "{set}: {}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
    }
}

#[test]
fn acc_8_host_access_by_default_is_chosen_once() {
    let reference = Accelerator::new(Accelerator::REFERENCE).unwrap();
    let array = || Array::<i32>::builder(2).on(&reference.default_view()).build().unwrap();
    // Looking at it, and an array that says what it wants, fix nothing.
    assert_eq!(reference.default_cpu_access_type(), AccessType::ReadWrite);
    Array::<i32>::builder(2).on(&reference.default_view()).cpu_access(AccessType::Write).build().unwrap();
    assert!(reference.set_default_cpu_access_type(AccessType::Read));
    assert!(!reference.set_default_cpu_access_type(AccessType::Write), "it was chosen already");
    assert_eq!((reference.default_cpu_access_type(), array().cpu_access_type()), (AccessType::Read, AccessType::Read));
    let jit = Accelerator::new(Accelerator::JIT).unwrap();
    assert_eq!(jit.default_cpu_access_type(), AccessType::ReadWrite, "each device has its own");
    let array = || Array::<i32>::builder(2).on(&jit.default_view()).build().unwrap();
    assert_eq!(array().cpu_access_type(), AccessType::ReadWrite);
    assert!(!jit.set_default_cpu_access_type(AccessType::None), "an array was made with it");
    assert_eq!(
        (jit.default_cpu_access_type(), array().cpu_access_type()),
        (AccessType::ReadWrite, AccessType::ReadWrite)
    );
    let native = Accelerator::new(Accelerator::NATIVE).unwrap();
    ArrayView::<i32>::without_source(2).unwrap().get(0).unwrap();
    assert!(native.set_default_cpu_access_type(AccessType::Auto), "nothing was made there");
    assert!(!native.set_default_cpu_access_type(AccessType::Auto), "it was chosen already");
}

/// On a GPU an error comes after the launch: who asks the view that chooses is given it as by the view that was chosen.
#[test]
fn acc_4_the_view_that_chooses_waits_for_what_it_launched() {
    const CHILD: &str = "TILEWISE_TEST_WAITS";
    const NAME: &str = "acc_4_the_view_that_chooses_waits_for_what_it_launched";
    if std::env::var_os(CHILD).is_some() {
        let auto = Accelerator::auto_selection_view();
        let fail = || {
            let v = ArrayView::from_vec(4, vec![0; 4]).unwrap();
            let launched = parallel_for_each!(&auto, v.extent(), |i| {
                v[i] = 1;
                if i[0] == 3 {
                    error!("three");
                }
            });
            launched.and_then(|()| auto.wait())
        };
        assert!(fail().is_err_and(|error| error.to_string().contains("three")));
        assert!(auto.wait().is_ok(), "it is given once");
        let v = ArrayView::from_vec(4, vec![0; 4]).unwrap();
        parallel_for_each!(&auto, v.extent(), |i| v[i] = 7).unwrap();
        auto.flush().unwrap();
        auto.create_marker().unwrap().get().unwrap();
        auto.cancel();
        assert_eq!(v.to_vec().unwrap(), [7; 4]);
        return;
    }
    for accelerator in Accelerator::all().into_iter().filter(|accelerator| accelerator.path() != Accelerator::CPU) {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", NAME]).env("TILEWISE_DEFAULT_ACCELERATOR", accelerator.path()).env(CHILD, "1");
        let output = again.output().unwrap();
        assert!(output.status.success(), "{accelerator}: {}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
    }
}
