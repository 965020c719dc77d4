//! References that live on: to constant expressions, and to parts of elements.

use super::*;

mod a_literal_in_an_option {
    use super::*;

    same! {
        runs: i32, |n| {
            let o = Some(&7);
            let p: Option<&i32> = if n > 2 { Some(&n) } else { None };
            let q = p.or(o);
            q.copied().unwrap_or(0) + o.map_or(0, |v| *v)
        }
    }
}

mod the_other_of_unwrap_or {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [4, n, 2];
            let m = a.first().unwrap_or(&9);
            let k = a.get(n as usize).unwrap_or(&-1);
            *m + *k * 3
        }
    }
}

mod an_argument_that_a_result_keeps {
    use super::*;

    const C: i32 = 11;
    #[amp]
    fn pick<'a>(a: &'a i32, b: &'a i32) -> &'a i32 {
        if *a > *b { a } else { b }
    }

    same! {
        runs: i32, |n| {
            let i = n;
            let r = pick(&i, &-1);
            let s = pick(r, &C);
            let t = pick(s, &5);
            *r + *s + *t
        }
    }
}

mod names_of_constants {
    use super::*;

    const C: i32 = 11;
    same! {
        runs: i32, |n| {
            let r = &5;
            let s = &(1, 2);
            let t = &[1, 2, 3];
            let u = &C;
            let w = &-1;
            *r + s.0 * n + s.1 + t[n as usize % 3] + *u + *w
        }
    }
}

mod a_tuple_in_an_option {
    use super::*;

    same! {
        runs: i32, |n| {
            let o = if n > 2 { Some(&(1, 2)) } else { None };
            let (a, b) = *o.unwrap_or(&(5, 6));
            let c = o.unwrap_or(&(7, 8));
            a * 10 + b + c.0
        }
    }
}

mod an_array_as_an_argument {
    use super::*;

    #[amp]
    fn first<'a>(a: &'a [i32; 3]) -> &'a i32 {
        &a[0]
    }

    same! {
        runs: i32, |n| {
            let r = first(&[4, 5, 6]);
            *r + n
        }
    }
}

mod arms_of_a_choice {
    use super::*;

    same! {
        runs: i32, |n| {
            let x = n;
            let r = match n {
                0 => &10,
                1 => &x,
                _ => &20,
            };
            let s = if n > 3 { &x } else { &0 };
            *r + *s
        }
    }
}

mod a_result_for_the_whole_program {
    use super::*;

    #[amp]
    fn small(n: i32) -> &'static i32 {
        if n > 2 { &1 } else { &0 }
    }

    same! {
        runs: i32, |n| {
            let r = small(n);
            *r + n
        }
    }
}

mod floats {
    use super::*;

    same! {
        runs: f32, |n| {
            let a = [1.5, n as f32];
            let m = a.get(n as usize).unwrap_or(&0.25);
            let k = a.iter().copied().reduce(f32::max);
            *m + k.as_ref().map_or(0.0, |x| *x) + *a.last().unwrap_or(&-1.5)
        }
    }
}

mod numbers_with_suffixes {
    use super::*;

    same! {
        runs: u32, |n| {
            let r = &5u32;
            let b = &true;
            let c = &'x';
            let k = &b'a';
            *r + u32::from(*b) + *c as u32 + u32::from(*k) + n as u32
        }
    }
}

mod structs_and_their_constants {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
    }
    const ORIGIN: P = P { x: 3, y: 4 };
    same! {
        runs: i32, |n| {
            let a = [P { x: 1, y: n }];
            let p = a.get(n as usize).unwrap_or(&ORIGIN);
            let q = a.get(n as usize).unwrap_or(&P { x: 7, y: 8 });
            let o = Some(&P { x: 1, y: 2 });
            p.x * 10 + q.y + o.map_or(0, |p| p.x)
        }
    }
}

mod variants {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    enum K {
        A,
        B(i32),
    }

    same! {
        runs: i32, |n| {
            let a = [K::A, K::B(n)];
            let k = a.get(n as usize).unwrap_or(&K::A);
            let l = a.get(n as usize).unwrap_or(&K::B(3));
            let s = match k {
                K::A => 1,
                K::B(v) => *v,
            };
            s * 10
                + match l {
                    K::A => 1,
                    K::B(v) => *v,
                }
        }
    }
}

mod an_option_without_a_value {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [Some(n), None];
            let k = a.get(n as usize).unwrap_or(&None);
            k.unwrap_or(8)
        }
    }
}

mod arrays_are_compared {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n];
            let e = &[1, 2];
            i32::from(&a == e) + i32::from(a == *e) + i32::from(Some(&2) == a.last())
        }
    }
}

mod limits_of_usize {
    use super::*;

    const BIG: usize = usize::MAX;
    #[amp]
    fn pick<'a>(a: &'a usize, b: &'a usize) -> &'a usize {
        if *a > *b { a } else { b }
    }

    same! {
        runs: u32, |n| {
            let k = n as usize;
            let r = pick(&k, &3);
            *r as u32 + u32::from(*pick(&k, &usize::MAX) == BIG) + u32::from(*pick(&BIG, &k) == usize::MAX)
        }
    }
}

mod an_element_of_a_field {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct S {
        t: [i32; 3],
        k: i32,
    }

    #[amp]
    fn get(x: &i32) -> i32 {
        *x * 2
    }

    same! {
        runs: i32, |n| {
            let s = S { t: [n, 2, 3], k: 4 };
            let r = &s.t[1];
            let k = &s.k;
            let j = &s.t[n as usize % 3];
            get(&s.t[0]) + *r + *k + *j
        }
    }
}

mod a_field_of_an_element {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [(1, n), (n, 3)];
            let o = Some(&a[0].1);
            let p = if n > 2 { Some(&a[1].0) } else { None };
            o.copied().unwrap_or(0) + p.map_or(7, |x| *x)
        }
    }
}

mod parts_behind_a_parameter {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct S {
        t: [i32; 3],
        k: i32,
        p: (i32, i32),
    }

    #[amp]
    fn k(r: &S) -> &i32 {
        &r.k
    }

    #[amp]
    fn t1(r: &S) -> &i32 {
        &r.t[1]
    }

    #[amp]
    fn p1(r: &S) -> &i32 {
        &r.p.1
    }

    #[amp]
    fn ti(r: &S, i: usize) -> Option<&i32> {
        if i < 3 { Some(&r.t[i]) } else { None }
    }

    same! {
        runs: i32, |n| {
            let s = S { t: [n, 2, 3], k: 4, p: (n, 5) };
            let r = &s;
            let q = &r.k;
            let w = &r.t[n as usize % 3];
            *q + *k(&s) + *t1(r) * 10 + *p1(r) + *w + ti(r, n as usize).copied().unwrap_or(50)
        }
    }
}

mod parts_in_tuples {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [(1, n), (n, 3)];
            let t = (&a[0].1, &a[1]);
            let (x, y) = (&a[0].0, &a[1].1);
            *t.0 + t.1.0 + *x * *y
        }
    }
}

mod rows_of_a_matrix {
    use super::*;

    same! {
        runs: i32, |n| {
            let m = [[1, n], [n, 3]];
            let r = &m[1];
            let e = &m[n as usize % 2][1];
            let o = Some(&m[0]);
            r[0] + *e + o.map_or(0, |r| r[1])
        }
    }
}

mod parts_of_structs_in_arrays {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct S {
        t: [i32; 3],
        k: i32,
    }

    #[amp]
    impl S {
        fn sum(&self) -> i32 {
            self.t[0] + self.k
        }
        fn at(&self, i: usize) -> &i32 {
            &self.t[i]
        }
        fn both(&self) -> (&i32, &i32) {
            (&self.t[0], &self.k)
        }
    }

    #[amp]
    fn val(s: &S) -> i32 {
        s.k
    }

    same! {
        runs: i32, |n| {
            let a = [S { t: [n, 2, 3], k: 4 }, S { t: [5, n, 7], k: n }];
            let i = n as usize % 2;
            let r = &a[i].t[1];
            let s = &a[i];
            let o = Some(&a[i].k);
            let (b, c) = a[1].both();
            *r + s.sum() + o.copied().unwrap_or(0) + val(&a[1]) + *a[0].at(i) + *b + *c
        }
    }
}

mod parts_that_closures_give {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [(1, n), (n, 3)];
            let f = |k: usize| &a[k].1;
            let g = |k: usize| if k < 2 { Some(&a[k].0) } else { None };
            *f(1) + g(n as usize).copied().unwrap_or(-3)
        }
    }
}

mod parts_that_functions_give {
    use super::*;

    #[amp]
    fn pick(a: &[(i32, i32); 3], k: usize) -> Option<&i32> {
        if a[k].0 > 1 { Some(&a[k].1) } else { None }
    }

    #[amp]
    fn pick2(a: &[(i32, i32); 3], k: usize) -> &i32 {
        &a[k].1
    }

    same! {
        runs: i32, |n| {
            let a = [(1, n), (n, 3), (2, 2)];
            pick(&a, n as usize % 3).copied().unwrap_or(9) + *pick2(&a, 2)
        }
    }
}

mod parts_taken_apart {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct In {
        v: i32,
        w: i32,
    }

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Out {
        a: In,
        b: [In; 2],
    }

    same! {
        runs: i32, |n| {
            let o = Out { a: In { v: 1, w: n }, b: [In { v: n, w: 2 }, In { v: 3, w: 4 }] };
            let In { v, w } = &o.b[1];
            let x = match &o.b[n as usize % 2] {
                In { v: 3, w } => *w,
                In { v, .. } => *v,
            };
            let y = if let In { v: 1, w } = &o.a { *w } else { 0 };
            *v + *w + x + y
        }
    }
}

mod parts_as_arguments {
    use super::*;

    #[amp]
    fn mx<'a, T: Scalar>(a: &'a T, b: &'a T) -> &'a T {
        if *a > *b { a } else { b }
    }

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct S {
        t: [i32; 3],
        k: i32,
    }

    same! {
        runs: i32, |n| {
            let s = S { t: [n, 2, 3], k: 4 };
            let m = mx(&s.t[0], &s.k);
            let q = mx(&s.t[n as usize % 3], m);
            *m + *q
        }
    }
}

/// The index of a row is evaluated once, where an element of the row is referred to.
mod indices_with_effects {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Cell {
        n: i32,
    }

    #[amp]
    impl Cell {
        fn get(&self) -> i32 {
            self.n
        }
    }

    #[amp]
    fn step(k: &mut usize) -> usize {
        *k += 1;
        *k % 2
    }

    same! {
        runs: i32, |n| {
            let m = [[1, 2], [3, n]];
            let mut k = 0usize;
            let kept = Some(&m[step(&mut k)][0]);
            let mut sum = kept.copied().unwrap_or(0);
            let r = &m[step(&mut k)][step(&mut k)];
            sum = sum * 5 + *r;
            let cells = [[Cell { n }, Cell { n: 2 }], [Cell { n: 3 }, Cell { n: 4 }]];
            sum = sum * 5 + cells[step(&mut k)][0].get();
            let pairs = [[(Cell { n: 7 }, 1)], [(Cell { n }, 2)]];
            sum = sum * 5 + pairs[step(&mut k)][0].0.get();
            let cubes = [[[1, 2], [3, 4]], [[5, 6], [7, n]]];
            let c = &cubes[step(&mut k)][step(&mut k)][step(&mut k)];
            let mut rows = [[1, 2], [3, n]];
            let q = &mut rows[step(&mut k)][0];
            *q += 5;
            sum * 5 + *c * 2 + rows[0][0] * 3 + rows[1][0] + k as i32
        }
    }
}

mod indices_of_rows_that_jump {
    use super::*;

    same! {
        runs: i32, |n| {
            let m = [[1, n, 3], [4, 5, 6]];
            let mut s = 0;
            for k in 0..6 {
                let r = &m[if k > 3 { break } else { 1 }][if k == 2 { continue } else { 0 }];
                s += *r + k;
            }
            let f = |k: i32| {
                let r = &m[if k > 3 { return 7 } else { 1 }][2];
                *r
            };
            s * 10 + f(n)
        }
    }
}

mod chosen_references_of_an_array {
    use super::*;

    same! {
        runs: i32, |n| {
            let (a, b) = (n, 3);
            let all = [&a, &b, &2];
            let most = all.iter().max().copied().unwrap_or(&0);
            let found = all.iter().find(|x| ***x < 3).copied().map_or(9, |x| *x);
            *most * 10 + found
        }
    }
}

mod an_arm_with_a_name_beside_one_that_takes_the_value {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [3, n, 2];
            let x = match a.iter().max() {
                Some(&3) => 1,
                other => other.map_or(0, |v| *v),
            };
            let y = match a.iter().min() {
                None => 0,
                Some(&v) if v > 1 => v,
                rest => rest.copied().unwrap_or(7) + 20,
            };
            x + y * 10
        }
    }
}
