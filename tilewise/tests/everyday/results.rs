//! `Result` with its methods and `?`; methods of `Option` that fill it or end in a `Result`.

use super::*;

#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Fault {
    Empty,
    Digit { at: u32, byte: u8 },
    TooLarge(i32),
}

#[amp]
fn digit(byte: u8, at: u32) -> Result<i32, Fault> {
    if byte >= b'0' && byte <= b'9' { Ok((byte - b'0') as i32) } else { Err(Fault::Digit { at, byte }) }
}

#[amp]
fn parsed(text: [u8; 4], length: usize) -> Result<i32, Fault> {
    if length == 0 {
        return Err(Fault::Empty);
    }
    let mut n = 0;
    for i in 0..length {
        n = n * 10 + digit(text[i], i as u32)?;
    }
    if n > 900 { Err(Fault::TooLarge(n)) } else { Ok(n) }
}

#[amp]
fn both(a: Option<i32>, b: i32) -> Result<(i32, bool), i32> {
    let a = a.ok_or(-b)?;
    let half = a.checked_div(b).ok_or_else(|| a * 100)?;
    Ok((half, half > 2))
}

#[amp]
fn code(fault: Fault) -> i32 {
    match fault {
        Fault::Empty => 1,
        Fault::Digit { at, byte } => 10 + at as i32 * 1000 + byte as i32,
        Fault::TooLarge(n) => -n,
    }
}

#[amp]
fn or_code(text: [u8; 4], length: usize) -> Result<i32, i32> {
    let n = parsed(text, length).map_err(code)?;
    Ok(n + 1)
}

same! {
    results_are_made_and_taken_apart: i32, |i| {
        let text = [b'4', b'7', if i == 3 { b'x' } else { b'9' }, b'1'];
        let result = parsed(text, (i % 5) as usize);
        let shown = match result {
            Ok(n) if n > 100 => n * 2,
            Ok(n) => n,
            Err(Fault::Digit { at, .. }) => -(at as i32),
            Err(fault) => code(fault),
        };
        let known = or_code(text, (i % 5) as usize);
        let n = known.unwrap_or(7) + known.unwrap_or_else(|code| code * 3);
        shown * 7 + n + i32::from(result.is_ok()) + i32::from(known.is_err()) * 2
    }

    methods_of_results: i32, |i| {
        let r: Result<i32, u8> = if i % 2 == 0 { Ok(i) } else { Err(i as u8) };
        let mut s = r.map(|x| x * 2).unwrap_or(50);
        s = s * 3 + r.map_err(|e| e as i32 + 1).err().unwrap_or(-1);
        s = s * 3 + r.ok().map_or(9, |x| x + 1);
        s = s * 3 + r.and_then(|x| if x > 2 { Ok(x) } else { Err(77) }).map_or(5, |x| x);
        s = s * 3 + r.or_else(|e| if e > 2 { Ok(e as i32) } else { Err(e) }).unwrap_or_default();
        s = s * 3 + r.map_or_else(|e| e as i32 * 10, |x| x);
        s = s * 3 + i32::from(r.is_ok_and(|x| x > 1)) + i32::from(r == Ok(4)) + i32::from(r != Err(3));
        if let Ok(x) = r { s += x; }
        let e = if let Err(e) = r { e } else { 0 };
        s + e as i32 * 1000
    }

    options_end_in_results: i32, |i| {
        let a = if i > 1 { Some(i * 3) } else { None };
        match both(a, i - 3) {
            Ok((half, big)) => half * 10 + i32::from(big),
            Err(e) => -e,
        }
    }

    options_are_filled: i32, |i| {
        let mut slot = if i % 2 == 0 { Some(i) } else { None };
        let mut calls = 0;
        slot.get_or_insert(11);
        let mut other = if i % 3 == 0 { None } else { Some(i) };
        other.get_or_insert_with(|| { calls += 1; 20 });
        let mut third: Option<i32> = None;
        let _ = third.insert(i + 40);
        let mut seen = 0;
        let t = third.inspect(|x| seen += *x).unwrap_or_default();
        let none: Option<u8> = None;
        slot.unwrap_or(0) + other.unwrap_or(0) * 3 + calls * 100 + seen + t * 7 + i32::from(none.unwrap_or_default())
    }

    what_fills_options_gives_references: i32, |i| {
        let mut slot = if i % 2 == 0 { Some(i) } else { None };
        let first = slot.get_or_insert(11);
        let s = *first * 2 + first.abs();
        let mut array: Option<[i32; 3]> = None;
        let sum: i32 = array.get_or_insert([1, 2, i]).iter().sum();
        let third = array.get_or_insert_with(|| [0; 3])[2];
        let best = [*slot.insert(i - 5), *array.insert([i; 3]).first().unwrap_or(&0)];
        let mut fault: Option<Fault> = None;
        let at = match fault.get_or_insert_with(|| Fault::Digit { at: 7, byte: b'x' }) {
            Fault::Digit { at, .. } => *at,
            Fault::Empty | Fault::TooLarge(_) => 0,
        };
        let kept = *fault.get_or_insert(Fault::Empty);
        let mut none = None;
        let text = (*none.insert(i)).cmp(&3);
        let order = 3.cmp(&none.insert(i - 1)) as i32 + i.cmp(&slot.get_or_insert(2)) as i32 * 2;
        let is_kept = i32::from(matches!(kept, Fault::Digit { .. }));
        let filled = slot.unwrap_or(0) * 5 + none.unwrap_or(9) + text as i32;
        s + sum * 10 + third * 100 + best[0] + best[1] + at as i32 * 3 + is_kept + filled + order
    }

    try_fold_and_its_like: i32, |i| {
        let a = [3, 1, 4, 1, 5, i];
        let sum = a.iter().try_fold(0_i32, |s, x| if *x > 4 { None } else { Some(s + x) });
        let checked = a.iter().copied().try_fold(1_i8, |p, x| p.checked_mul(x as i8)).unwrap_or(-1);
        let ranged = (0..i).try_fold(0, |s, x| if x == 4 { Err(s) } else { Ok(s + x * x) });
        let r = match ranged { Ok(s) => s, Err(s) => -s };
        sum.unwrap_or(-7) + i32::from(checked) * 3 + r * 1000
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Wide(i32);

impl From<u32> for Wide {
    fn from(error: u32) -> Wide {
        Wide(error as i32)
    }
}

#[amp]
fn small(n: i32) -> Result<i32, u32> {
    if n < 3 { Ok(n) } else { Err(n as u32) }
}

#[amp]
fn given_on(n: i32) -> Result<i32, Wide> {
    let n = small(n)?;
    Ok(n)
}

#[test]
fn a_question_mark_that_converts_the_error_says_what_to_write() {
    for target in ["reference", "jit"] {
        let on = Accelerator::new(target).unwrap().default_view();
        let out = ArrayView::from_vec(1, vec![0]).unwrap();
        let launched = parallel_for_each!(&on, Extent([1]), |i| {
            out[i] = given_on(i[0]).unwrap_or(-1);
        });
        let said = launched.unwrap_err().to_string();
        assert!(said.contains("K0704") && said.contains("`?` gives an error of another type on"), "{target}: {said}");
        assert!(said.contains("write `.map_err(|error| ..)` before `?`") && said.contains("results.rs:"), "{said}");
    }
}
