//! `assert!` and its like: where they hold, nothing; where not, the launch ends with Rust's words.

use std::panic::catch_unwind;

use super::*;

#[amp]
fn checked(n: i32) -> i32 {
    assert!(n < 9, "{n} is too large, by {}", n - 8);
    assert_eq!(n * 2, n + n);
    assert_ne!(n, 7, "seven");
    n + 1
}

same! {
    assertions_that_hold: i32, |i| {
        assert!(i >= 0);
        assert_eq!([i, 1], [i, 1]);
        assert_ne!(i as f32, -1.0);
        checked(i)
    }
}

/// What a kernel of one thread ends with, on each target.
fn ends(run: impl Fn(Launch<Extent<1>>, &ArrayView<'_, i32>) -> tilewise::Result<()>) -> Vec<String> {
    let mut said = Vec::new();
    for (name, target) in launchers() {
        let view = ArrayView::from_vec(1, vec![8]).unwrap();
        // A launch on a GPU says how it ended where its results are read.
        let ended = run(Launch::new(Extent([1])).on(&target), &view).and_then(|()| view.to_vec());
        match ended {
            Err(tilewise::Error::UnsupportedFeature(_)) if name.starts_with("gpu/") => {}
            Err(error) => said.push(error.to_string()),
            Ok(_) => panic!("on {name}: it goes on"),
        }
    }
    said
}

#[test]
fn assertions_that_do_not_hold_end_the_launch_with_their_words() {
    for said in ends(|launch, v| {
        parallel_for_each!(launch, |p| {
            assert!(v[p] < 8);
            v[p] = 1;
        })
    }) {
        assert!(said.contains("assertion failed: v[p] < 8"), "{said}");
    }
    for said in ends(|launch, v| parallel_for_each!(launch, |p| v[p] = checked(v[p] + 4))) {
        assert!(said.contains("12 is too large, by 4"), "{said}");
    }
    for said in ends(|launch, v| {
        parallel_for_each!(launch, |p| {
            assert_eq!(v[p], 5, "of {}", p[0]);
            v[p] = 1;
        })
    }) {
        assert!(said.contains("assertion `left == right` failed: of 0\n  left: 8\n right: 5"), "{said}");
    }
    for said in ends(|launch, v| {
        parallel_for_each!(launch, |p| {
            assert_ne!(v[p], 8);
            v[p] = 1;
        })
    }) {
        assert!(said.contains("assertion `left != right` failed\n  left: 8\n right: 8"), "{said}");
    }
}

#[test]
fn on_the_host_they_panic() {
    assert_eq!(checked(3), 4);
    assert!(catch_unwind(|| checked(7)).is_err());
    assert!(catch_unwind(|| checked(10)).is_err());
}
