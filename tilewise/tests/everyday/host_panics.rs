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

#[amp]
fn digit(c: char, radix: u32) -> u32 {
    c.to_digit(radix).unwrap_or(99)
}

#[amp]
fn letter(x: u32, radix: u32) -> char {
    char::from_digit(x, radix).unwrap_or('?')
}

#[test]
fn a_radix_without_digits() {
    assert_eq!((digit('z', 36), letter(35, 36)), (35, 'z'));
    assert!(catch_unwind(|| digit('1', 37)).is_err());
    assert!(catch_unwind(|| digit('1', 1)).is_err());
    assert!(catch_unwind(|| letter(1, 40)).is_err());
    on_all(&[1_u32, 1, 1], |launch, v| {
        parallel_for_each!(launch, |p| {
            v[p] = digit('1', 37 + p[0] as u32);
        })
    });
}
