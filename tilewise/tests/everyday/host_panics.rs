//! Where Rust panics, so does an `#[amp]` function that the host calls, and a kernel goes on.

use std::panic::catch_unwind;

use super::*;

#[amp]
fn digits(x: i32) -> u32 {
    x.ilog10()
}

#[amp]
fn logarithm(x: u32, base: u32) -> u32 {
    x.ilog(base)
}

#[amp]
fn halvings(x: u64) -> u32 {
    x.ilog2()
}

#[test]
fn logarithms_of_what_has_none() {
    assert_eq!((digits(1000), logarithm(80, 3), halvings(9)), (3, 3, 3));
    for panics in [
        catch_unwind(|| digits(0)),
        catch_unwind(|| digits(-5)),
        catch_unwind(|| logarithm(0, 10)),
        catch_unwind(|| logarithm(5, 1)),
        catch_unwind(|| halvings(0)),
    ] {
        assert!(panics.is_err());
    }
    on_all(&[0_u32, 0, 0, 1], |launch, v| {
        parallel_for_each!(launch, |p| {
            let x = 4 * p[0] - 2;
            v[p] = digits(x) + logarithm(x as u32 % 3 % 2, 1);
        })
    });
}
