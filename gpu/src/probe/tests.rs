//! Tests: the probe's kernels are valid, and wrong results are detected.

use std::collections::HashSet;

use tilewise_ir::check::check;
use tilewise_ir::text::parse;

use super::*;

fn asks_all<F: Format>(asked: &[ProbeExpression<F>]) {
    for own in NativeOp::ALL {
        let (text, expressions) = kernel(asked, own);
        assert!(!expressions.is_empty(), "{}", own.name());
        let kernel = parse("probe.kir", &text).unwrap_or_else(|failure| panic!("{text}\n{failure}"));
        if let Err(rejected) = check(kernel) {
            panic!("{text}\n{rejected}");
        }
    }
}

#[test]
fn all_that_a_driver_may_do_is_asked_by_valid_kernels() {
    asks_all(&list::single());
    asks_all(&list::double());
}

#[test]
fn steps_are_asked_when_it_is_known_whether_products_are_fused() {
    let place = |own| NativeOp::ALL.into_iter().position(|other| other == own);
    for own in NativeOp::ALL.into_iter().filter(|&own| is_stepped(own)) {
        assert!(place(own) > place(NativeOp::Fma).max(place(NativeOp::FusedNormal)), "{}", own.name());
    }
}

#[test]
fn what_is_wrong_is_told_with_its_arguments() {
    let asked = list::single();
    let add = &asked[0];
    let arguments = [1.0f32, f32::from_bits(1), 0.0];
    assert_eq!(wrong(add.wants, arguments, u64::from(1f32.to_bits())), None);
    let fault = wrong(add.wants, arguments, 2);
    assert_eq!(fault, Some(Some(0x3f80_0000)));
    let text = said(add.text, arguments, 2, Some(0x3f80_0000));
    assert_eq!(text, "`x + y` of x = 0x3f800000, y = 0x1 gives 0x2, not 0x3f800000");
    let nan = [f32::NAN, 1.0, 0.0];
    assert_eq!(wrong(add.wants, nan, 0xffc0_0001), None);
}

#[test]
fn whatever_is_exact_what_kernels_may_call_counts() {
    let counted = texts();
    let counted: HashSet<&str> = counted.iter().flat_map(|text| text.lines()).collect();
    let shown = |exact: Exact| {
        let text = prelude_text(exact);
        let missing: Vec<&str> = text.lines().filter(|line| !counted.contains(line)).collect();
        assert!(missing.is_empty(), "{exact:?}: {missing:?}");
    };
    for scalar in [Scalar::F32, Scalar::F64] {
        for own in NativeOp::ALL {
            for other in NativeOp::ALL {
                shown(Exact::ALL.without(own, scalar).without(other, scalar));
                shown(Exact::LEAST.with(own, scalar).with(other, scalar));
            }
        }
    }
}

#[test]
fn the_number_of_the_probe_is_the_same_each_time() {
    assert_eq!(version(), version());
}
