//! Patterns, enums and closures in each other, with effects in odd places: as in plain Rust.

use super::*;

#[derive(Clone, Copy, AmpStruct)]
enum Step {
    Stay,
    Go(i32),
    Turn { by: i32, times: [i32; 2] },
    Maybe(Option<i32>),
}

#[amp]
impl Step {
    fn twist(&mut self, by: i32) -> bool {
        match self {
            Step::Go(n) if *n > by => {
                *n -= by;
                true
            }
            Step::Go(_) => {
                *self = Step::Turn { by, times: [1, 2] };
                false
            }
            Step::Turn { times: [a, _], .. } => {
                *a += by;
                true
            }
            Step::Maybe(inner) => {
                if let Some(x) = inner {
                    *x *= 2;
                } else {
                    *inner = Some(by);
                }
                false
            }
            Step::Stay => false,
        }
    }

    fn value(self) -> i32 {
        match self {
            Self::Stay => 0,
            Self::Go(n) => n,
            Self::Turn { by, times: [a, b] } => by * 100 + a * 10 + b,
            Self::Maybe(None) => -1,
            Self::Maybe(Some(x)) => x * 1000,
        }
    }
}

#[amp]
fn step(n: i32) -> Step {
    match n % 4 {
        0 => Step::Stay,
        1 => Step::Go(n),
        2 => Step::Turn { times: [n, 1], by: 2 },
        _ => Step::Maybe(if n > 5 { Some(n) } else { None }),
    }
}

#[amp]
fn first<F: FnMut(i32) -> Option<i32>>(mut f: F, n: i32) -> Option<i32> {
    for i in 0..n {
        let Some(x) = f(i) else { continue };
        return Some(x);
    }
    None
}

#[amp]
fn twice<F: FnMut() -> i32>(mut f: F, k: i32) -> i32 {
    f() * k + f()
}

#[amp]
fn chained(n: i32) -> Option<i32> {
    let a = first(|i| if i * i > n { Some(i) } else { None }, 9)?;
    let b = first(|i| if i > a { Some(i * 10) } else { None }, n)?;
    Some(a + b)
}

const BEST: Option<i32> = Some(4);

oracle! {
    changed_enums(n) -> i32 { let mut s = step(n); let a = s.twist(3); let b = s.twist(1); s.value() * 4 + a as i32 * 2 + b as i32 }
    enums_in_arrays(n) -> i32 { let mut all = [step(n), step(n + 1), Step::Stay]; all[n as usize % 3] = Step::Go(7); let mut s = 0; for x in &mut all { x.twist(2); } for x in all { s = s * 3 + x.value(); } s }
    options_in_arrays(n) -> i32 { let mut a = [None; 4]; for (i, x) in a.iter_mut().enumerate() { if i as i32 % 3 == n % 3 { *x = Some(i as i32 + n); } } let mut s = 0; for x in a { s = s * 7 + x.unwrap_or(-1); } s }
    loops_that_leave(n) -> i32 { let mut s = 0; 'a: for i in 0..n { let (1..=6, Some(k)) = (i, BEST) else { continue }; for j in 0..k { let 0..3 = j else { continue 'a }; if i + j == 8 { break 'a; } s += i * j; } s += 1000; } s }
    scrutinees_once(n) -> i32 { let mut calls = 0; let mut next = || { calls += 1; if calls > n { None } else { Some(calls) } }; let mut s = 0; while let Some(x) = next() && x < 6 { s = s * 2 + x; } s * 100 + calls }
    effects_in_conditions(n) -> i32 { let mut k = n; let r = if { k += 1; k > 3 } && let Some(x) = { k *= 2; BEST } && x < { k += 5; k } { x + k } else { -k }; r * 100 + k }
    shadows_in_chains(n) -> i32 { let x = n; if let x @ 3..=5 = x + 1 && let y = x * 2 && let x = y + 1 { x * 10 + y } else { x } }
    else_ifs(n) -> i32 { let s = step(n); if let Step::Go(x) = s { x } else if let Step::Turn { by: x, .. } = s && x == n { x * 10 } else if let Step::Maybe(Some(x)) = (match s { Step::Maybe(None) => Step::Maybe(Some(-3)), other => other }) { x } else { 99 } }
    alternatives(n) -> i32 { match (n % 3, step(n)) { (0, Step::Go(mut a)) | (mut a, Step::Stay) => { a += 1; a } (k @ (1 | 2), Step::Go(a) | Step::Turn { by: a, .. }) if a > k => a * 10 + k, (k, _) => -k } }
    guards_are_asked_again(n) -> i32 { let mut asked = 0; let mut ask = |x: i32| { asked += 1; x > 5 }; let r = match (n, 6) { (x, _) | (_, x) if ask(x) => x, _ => -1 }; r * 10 + asked }
    guards_are_asked_again_without_names(n) -> i32 { let mut asked = 0; let r = match (n, n) { (0..=5 | 3..=9, _) | (_, 7) if { asked += 1; asked > 2 } => 1, _ => 2 }; r * 10 + asked }
    values_are_read_before_later_arguments(n) -> i32 { let mut x = n as f32; let y = tilewise::fast_math::atan2(x, { x = 30.0; 1.0 }); let z = tilewise::precise_math::pow(x, { x += 1.0; 2.0 }); ((y + z) * 100.0) as i32 }
    names_of_names(n) -> i32 { let mut x = n; let p = &mut x; let q = &mut *p; *q += 1; let r = q; *r *= 2; *p += 3; x }
    parts_of_variables(n) -> i32 { let mut q = Q { p: P { x: n, y: 1 }, a: [P { x: 1, y: 2 }; 3] }; let Q { p: P { x, .. }, a: [first, .., last] } = &mut q; *x += 5; first.y = *x; last.x += first.y; let p = &mut q.p; p.y = 9; q.p.x * 100 + q.p.y * 10 + q.a[0].y + q.a[2].x }
    questions(n) -> i32 { chained(n).map_or(-1, |x| x * 2) }
    closures_and_patterns(n) -> i32 { let pick = |s: Step| match s { Step::Go(x) => return x, Step::Maybe(o) => o.unwrap_or(5), _ => 1 }; let both = |a, b| pick(a) * 100 + pick(b); both(step(n), step(n + 2)) }
    counters(n) -> i32 { let mut k = 0; let mut next = move || { k += 1; k }; let a = next() + next() * 10; let mut other = next; other() * 1000 + a + k + n }
    copies_of_counters(n) -> i32 { let mut k = n; let mut next = move || { k += 1; k }; let a = next(); let mut other = next; let b = other() + other(); let c = next(); let d = twice(next, 5) + twice(&mut next, 2); a + b * 10 + c * 100 + d * 1000 + next() + k }
    early_returns(n) -> i32 { let f = |x: i32| { let Some(h) = (if x % 2 == 0 { Some(x / 2) } else { None }) else { return -1 }; h }; let mut s = 0; for i in 0..n { let x = f(i); if x < 0 { continue; } if x == 4 { return s * 10; } s += x; } s }
}
