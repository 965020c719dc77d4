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

#[amp]
fn raise(p: &mut P) -> i32 {
    p.x += 10;
    p.x
}

#[amp]
fn applied<F: FnMut(&mut P) -> i32>(mut f: F, p: &mut P) -> i32 {
    f(p) * 3 + f(p)
}

#[amp]
fn applied_twice<F: FnMut(&mut P) -> i32>(mut f: F, p: &mut P) -> i32 {
    let mut g = |q: &mut P| f(q) + 1;
    let a = g(p);
    a + applied(
        |q| {
            q.y += 1;
            g(q)
        },
        p,
    )
}

#[amp]
fn with_temporary<F: FnMut(&mut P) -> i32>(mut f: F) -> i32 {
    f(&mut P { x: 1, y: 2 })
}

#[amp]
fn bump(all: &mut [i32; 3], at: usize) -> i32 {
    all[at] += 5;
    all[0] *= 2;
    all[1] + all[at]
}

#[amp]
fn last_doubled(all: &mut [P; 2]) {
    let [_, rest @ ..] = all;
    for p in rest {
        p.x *= 2;
        p.y = p.x;
    }
}

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
    references_to_untyped_closures(n) -> i32 { let mut p = P { x: n, y: 2 }; let a = applied(|q| raise(q), &mut p); let b = applied(|q| { q.x += 3; q.x }, &mut p); a * 10000 + b * 100 + p.x }
    references_through_closures(n) -> i32 { let mut p = P { x: n, y: 2 }; let mut calls = 0; let a = applied_twice(|q| { calls += 1; raise(q) }, &mut p); a * 1000 + p.x * 10 + p.y + calls * 100000 }
    references_by_another_name(n) -> i32 { let mut p = P { x: n, y: 2 }; let a = applied(|q| { let r = q; r.y += 1; raise(r) }, &mut p); a * 1000 + p.x * 10 + p.y }
    references_in_moving_closures(n) -> i32 { let mut p = P { x: n, y: 2 }; let a = applied(|q| { let mut k = 1; let mut g = move || { k += 1; q.x += k; q.x }; g() + g() }, &mut p); a * 100 + p.x }
    temporaries_that_are_lent(n) -> i32 { let mut x = n; std::mem::swap(&mut x, &mut 5); x * 10000 + with_temporary(|q| { raise(q); q.x }) * 100 + with_temporary(|q| { q.x += n; q.x }) }
    closures_that_are_not_called(n) -> i32 { let f = |x: i32| x + 1; let _ = f; let _ = &f; f(n) }
    the_greater_of_two_characters(n) -> i32 { let c = if n % 2 == 0 { 'a' } else { 'z' }; let d = if n > 2 { std::cmp::max(c, 'b') } else { 'x' }; d as i32 * 1000 + std::cmp::min(d, 'y') as i32 }
    the_rest_of_an_array(n) -> i32 { let mut all = [n, 2, 3, 4]; let [first, rest @ ..] = &mut all; *first += 1; let a = bump(rest, 2) * 100 + bump(rest, n as usize % 3); rest[n as usize % 3] += 7; let b = *rest; a * 100000 + all[0] + all[1] * 10 + all[2] * 100 + all[3] * 1000 + b[1] }
    the_rest_of_a_rest(n) -> i32 { let mut all = [P { x: n, y: 1 }, P { x: 2, y: 3 }, P { x: 4, y: 5 }, P { x: 6, y: 7 }]; let [_, middle @ .., last] = &mut all; last_doubled(middle); let [_, end] = middle; end.y += 1; last.x = 9; let [.., tail @ _] = middle; tail.x += 1; let mut s = 0; for p in all { s = s * 10 + p.x + p.y; } s }
    names_of_parts_before_their_values(n) -> i32 { let P { x, y: mut k }: P; let (a, .., b): (i32, i32, f32, i32); let [first, Q { p: P { x: inner, .. }, .. }, ..]: [Q; 3]; x = n; k = x * 2; k += 1; a = k + 3; b = a - x; first = Q { p: P { x: 1, y: 2 }, a: [P { x: b, y: 2 }; 3] }; inner = 4; x * 10000 + k * 1000 + a * 100 + b * 10 + first.a[1].x + inner }
    indices_that_act(n) -> i32 { let mut a = [[n, 2], [3, 4]]; let x = a[0][{ a[0][1] = 7; 1 }]; let mut k = 0; let y = a[k][{ k = 1; a[1][0] = 8; k }]; let mut q = Q { p: P { x: n, y: 1 }, a: [P { x: 1, y: 2 }; 3] }; let z = q.a[{ q.a[1].y = 9; 1 }].y; let w = [a[1], a[0]][{ a[0][0] += 1; 1 }][{ a[0][0] += 1; 0 }]; x * 100000 + y * 10000 + z * 1000 + w * 100 + a[0][0] }
    the_rest_behind_a_shared_reference(n) -> i32 { let all = [n, n + 1, n + 2]; let [_, rest @ ..] = &all; let mut s = 0; for x in rest { s = s * 10 + *x; } s + rest[n as usize % 2] * 100 }
    moved_closures_have_their_state(n) -> i32 { let mut k = n; let mut f = move || { k += 1; k }; let mut g = move || f() * 2; let a = g(); let b = g(); let c = f(); a * 10000 + b * 100 + c + k }
    moved_closures_in_moved_closures(n) -> i32 { let mut k = n; let mut outer = move || { let mut inner = move || { k += 1; k }; inner() + inner() }; let a = outer(); let b = outer(); a * 100 + b + k }
    copies_of_closures_of_closures(n) -> i32 { let mut k = n; let mut f = move || { k += 1; k }; let mut g = move || f(); let mut h = g; let a = g() + g(); let b = h(); a * 100 + b * 10 + g() }
    closures_moved_by_reference(n) -> i32 { let mut k = n; let mut f = || { k += 1; k }; let g = &mut f; let a = twice(g, 10); let g = &mut f; let mut h = move || g() * 3; let b = h(); a * 10000 + b * 10 + f() }
    names_of_references_to_closures(n) -> i32 { let f = |x: i32| x * n; let g = &f; let h = &|x: i32| g(x) + 1; let k = g; h(n) + k(2) + first(|i| if h(i) > 3 { Some(i) } else { None }, 5).unwrap_or(-1) }
    matches_at_the_end(n) -> i32 { let s = step(n); let is = { matches! { s, Step::Go(_) | Step::Stay } }; is as i32 + n }
}

#[derive(Clone, Copy, AmpStruct)]
struct Pair {
    a: i32,
    b: [i32; 2],
}

#[test]
fn a_shared_reference_to_part_of_a_tile_static_variable_is_a_copy() {
    let r = on_each(4, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([4]).tile::<2>(), |t| {
            #[tile_static]
            let s: Pair;
            if t.local[0] == 0 {
                s.a = 1;
                s.b = [2, 3];
            }
            t.barrier.wait();
            let get = |x: &i32, change: i32| {
                if change > 0 && t.local[0] == 0 {
                    s.a = change;
                }
                *x
            };
            let p = &s.a;
            let q = &s.b[1];
            t.barrier.wait();
            let mut sum = 0;
            if t.local[0] == 0 {
                s.a = 5;
                s.b[1] = 7;
                sum += *p + *q * 10;
                sum += get(&s.a, 9) * 100;
                match &s.a {
                    x => {
                        s.a = 4;
                        sum += *x * 1000;
                    }
                }
            }
            out[t] = sum;
        })
    });
    assert_eq!(r, [9531, 0, 9531, 0]);
}

#[test]
fn a_guard_that_changes_a_view_is_asked_for_each_alternative() {
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let a = out.atomic(i);
            let other = match i[0] {
                0 | _ if a.fetch_add(1) > 5 => 100,
                _ => 200,
            };
            a.fetch_add(other);
        })
    });
    assert_eq!(r, [202, 201]);
}

#[test]
fn a_tuple_with_a_view_can_change_its_numbers() {
    let grid = ArrayView::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
    let r = on_all([3], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let mut t = (grid[1], i[0], (1, 2));
            t.1 += 5;
            t.2.0 = t.1 * 2;
            out[i] = t.0[i] * 1000 + t.1 * 100 + t.2.0 + t.2.1;
        })
    });
    assert_eq!(r, [4512, 5614, 6716]);
}

#[derive(Clone, Copy, AmpStruct)]
struct Cells {
    a: [i32; 2],
}

#[amp]
fn second_set(cells: &ArrayView<'_, Cells>) -> usize {
    cells[0].a[1] = 7;
    1
}

#[test]
fn an_element_is_read_after_all_indices() {
    let r = on_all([1], |l, out: &ArrayView<'_, i32>| {
        let cells = ArrayView::from_vec(1, vec![Cells { a: [1, 2] }]).unwrap();
        let one = ArrayView::from_vec([1, 2], vec![5, 6]).unwrap();
        parallel_for_each!(l, |i| {
            let first = cells[0].a[second_set(&cells)];
            let second = one[i[0]][{
                one[[0, 1]] += first;
                1
            }];
            out[i] = first * 100 + second;
        })
    });
    assert_eq!(r, [713]);
}

#[derive(Clone, Copy, AmpStruct)]
struct Underlined {
    b: i32,
    _b: i32,
}

#[test]
fn captured_fields_whose_names_have_underlines_are_apart() {
    let (a, a_) = (Underlined { b: 1, _b: 2 }, Underlined { b: 3, _b: 4 });
    let r = on_all([1], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| out[i] = a.b * 1000 + a._b * 100 + a_.b * 10 + a_._b)
    });
    assert_eq!(r, [1234]);
}
