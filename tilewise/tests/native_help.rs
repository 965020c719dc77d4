//! What `native` says about a panic must be true of Rust: `MIN / -1` panics also without overflow checks.

use tilewise::prelude::*;

#[test]
fn a_division_that_overflows_is_not_blamed_on_overflow_checks() {
    let native = Accelerator::new(Accelerator::NATIVE).unwrap().default_view();
    let numbers = ArrayView::from_vec(2, vec![i32::MIN, -1]).unwrap();
    let out = ArrayView::from_vec(1, vec![0]).unwrap();
    let divided = parallel_for_each!((&native, out.extent()), |i| out[i] = numbers[0] / numbers[1]);
    let rest = parallel_for_each!((&native, out.extent()), |i| out[i] = numbers[0] % numbers[1]);
    for launched in [divided, rest] {
        let told = launched.unwrap_err().to_string();
        assert!(!told.contains("overflow-checks"), "rustc has no switch for this panic: {told}");
    }
}
