//! ACC-2, ACC-4: which device is the default, and when that is fixed. A program of its own, as the choice is made once in a program. What the environment variable does is seen
//! where the examples are run.

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
