//! References as values: in `Option`s and tuples, from closures and functions, chosen by `if` and `match`.

use super::*;

mod a_reference_in_an_option {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let k = n as usize;
            let p = if k < 3 { Some(&a[k]) } else { None };
            match p {
                Some(p) => *p,
                None => -1,
            }
        }
    }
}

mod a_name_in_an_option {
    use super::*;

    same! {
        runs: i32, |n| {
            let x = n;
            let r = &x;
            let o = Some(r);
            match o {
                Some(p) => *p + 1,
                None => 0,
            }
        }
    }
}

mod an_option_of_a_written_type {
    use super::*;

    same! {
        runs: i32, |n| {
            let x = n;
            let o: Option<&i32> = if n > 2 { Some(&x) } else { None };
            o.copied().unwrap_or(7)
                + o.map_or(0, |v| *v)
                + if let Some(v) = o { *v } else { 3 }
                + i32::from(o.is_some())
                + i32::from(o == Some(&4))
        }
    }
}

mod a_closure_gives_one {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let f = |k: usize| if k < 3 { Some(&a[k]) } else { None };
            match f(n as usize) {
                Some(p) => *p,
                None => 0,
            }
        }
    }
}

mod a_function_gives_one {
    use super::*;

    #[amp]
    fn first_above(a: &[i32; 3], k: i32) -> Option<&i32> {
        for x in a.iter() {
            if *x > k {
                return Some(x);
            }
        }
        None
    }

    same! {
        runs: i32, |n| {
            first_above(&[1, n, 3], 2).copied().unwrap_or(0)
                + match first_above(&[1, n, 3], 5) {
                    Some(p) => *p,
                    None => 9,
                }
        }
    }
}

mod as_ref_is_matched {
    use super::*;

    same! {
        runs: i32, |n| {
            let o = if n > 2 { Some(n) } else { None };
            match o.as_ref() {
                Some(p) => *p,
                None => -1,
            }
        }
    }
}

mod as_ref_of_a_struct {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Ev {
        at: i32,
        kind: i32,
    }

    same! {
        runs: i32, |n| {
            let o = if n > 2 { Some(Ev { at: n, kind: 1 }) } else { None };
            if let Some(e) = o.as_ref() { e.at } else { o.as_ref().map_or(2, |e| e.at) }
        }
    }
}

mod the_greatest_by_a_key {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Ev {
        at: i32,
        kind: i32,
    }

    same! {
        runs: i32, |n| {
            let es = [Ev { at: n, kind: 1 }, Ev { at: 3, kind: 2 }];
            es.iter().max_by_key(|e| e.at).map_or(0, |e| e.at * 10 + e.kind as i32)
        }
    }
}

mod the_least_by_a_key {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Ev {
        at: i32,
        kind: i32,
    }

    same! {
        runs: i32, |n| {
            let es = [Ev { at: n, kind: 1 }, Ev { at: 3, kind: 2 }];
            let m = es.iter().min_by_key(|e| (e.at, e.kind));
            0 + match m {
                Some(e) => e.at,
                None => 0,
            } + es.iter().max_by(|a, b| a.at.cmp(&b.at)).map(|e| e.at).unwrap_or(0)
        }
    }
}

mod found_items {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Ev {
        at: i32,
        kind: i32,
    }

    same! {
        runs: i32, |n| {
            let es = [Ev { at: n, kind: 1 }, Ev { at: 3, kind: 2 }];
            let f = es.iter().find(|e| e.at > 2);
            0 + if let Some(e) = f { e.at } else { 0 }
                + es.iter().find(|e| e.at > 3).map_or(0, |e| e.at)
                + es.iter().find(|&&e| e.at > 3).copied().map_or(0, |e| e.at)
        }
    }
}

mod a_method_of_the_name_get {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Own {
        a: [i32; 2],
    }
    #[amp]
    impl Own {
        fn get(&self, k: usize) -> Option<i32> {
            if k < 2 { Some(self.a[k]) } else { None }
        }
    }

    same! {
        runs: i32, |n| {
            let o = Own { a: [1, n] };
            o.get(1).unwrap_or(0) + o.get(4).map_or(5, |x| x)
        }
    }
}

mod a_method_get_gives_a_reference {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Own {
        a: [i32; 2],
    }
    #[amp]
    impl Own {
        fn get(&self, k: usize) -> Option<&i32> {
            if k < 2 { Some(&self.a[k]) } else { None }
        }
    }

    same! {
        runs: i32, |n| {
            let own = Own { a: [1, n] };
            own.get(1).copied().unwrap_or(0) + own.get(4).map_or(5, |x| *x)
        }
    }
}

mod get_of_a_field {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Own {
        a: [i32; 2],
    }
    #[amp]
    impl Own {
        fn get(&self, k: usize) -> Option<&i32> {
            self.a.get(k)
        }
    }

    same! {
        runs: i32, |n| {
            let own = Own { a: [1, n] };
            own.get(1).copied().unwrap_or(0) + own.get(4).map_or(5, |x| *x)
        }
    }
}

mod a_filter_is_cloned {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let e = a.iter().filter(|x| **x > 1);
            e.clone().count() as i32 + e.sum::<i32>()
        }
    }
}

mod a_map_is_cloned {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let e = a.iter().map(|x| x + 1);
            e.clone().count() as i32 + e.clone().max().unwrap_or(0) + e.sum::<i32>()
        }
    }
}

mod elements_of_arrays {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            0 + match a.get(n as usize) {
                Some(x) => *x,
                None => -4,
            } + a.get(1).copied().unwrap_or(0)
                + a.first().copied().unwrap_or(0)
                + if let Some(x) = a.last() { *x } else { 0 }
        }
    }
}

mod options_are_compared {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            i32::from(a.iter().max() == Some(&3)) + i32::from(a.first() == Some(&n)) + i32::from(a.get(1) == a.get(2))
        }
    }
}

mod pairs_of_references {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n];
            let b = [4, 5];
            let best = a.iter().zip(b.iter()).max_by_key(|(x, _)| **x);
            match best {
                Some((x, y)) => x * 10 + y,
                None => 0,
            }
        }
    }
}

mod the_best_so_far {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Ev {
        at: i32,
        kind: i32,
    }

    same! {
        runs: i32, |n| {
            let es = [Ev { at: n, kind: 1 }, Ev { at: 3, kind: 2 }];
            let mut best: Option<&Ev> = None;
            for e in es.iter() {
                match best {
                    Some(b) if b.at >= e.at => {}
                    _ => best = Some(e),
                }
            }
            best.map_or(0, |e| e.at)
        }
    }
}

mod a_reference_in_a_tuple {
    use super::*;

    same! {
        runs: i32, |n| {
            let (a, b) = (n, 2);
            let t = if n > 2 { (&a, 1) } else { (&b, 2) };
            *t.0 + t.1
        }
    }
}

mod one_of_two_by_if {
    use super::*;

    same! {
        runs: i32, |n| {
            let (a, b) = (n, 2);
            let r = if n > 2 { &a } else { &b };
            *r + 1
        }
    }
}

mod one_of_two_by_match {
    use super::*;

    same! {
        runs: i32, |n| {
            let (a, b) = ([n, 1], [2, 4]);
            let r = match n {
                0 => &a,
                1 => &b,
                _ => &a,
            };
            r[0] + r.iter().sum::<i32>()
        }
    }
}

mod functions_that_give_references {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Stack {
        cells: [i32; 3],
        n: i32,
    }

    #[amp]
    impl Stack {
        fn last(&self) -> &i32 {
            &self.cells[2]
        }

        fn n(&self) -> &i32 {
            &self.n
        }

        fn all(&self) -> &[i32; 3] {
            &self.cells
        }
    }

    #[amp]
    fn at(cells: &[i32; 3], k: usize) -> &i32 {
        &cells[k]
    }

    #[amp]
    fn greater<'a>(a: &'a i32, b: &'a i32) -> &'a i32 {
        if *a > *b { a } else { b }
    }

    same! {
        results: i32, |i| {
            let s = Stack { cells: [1, 2, i], n: i + 1 };
            let (a, b) = (i, 3);
            let sum = *s.last() + *s.n() * 3 + s.last() * 5;
            sum + *at(&s.cells, 1) * 17 + s.all()[0] * 7 + s.all().iter().sum::<i32>() * 11 + *greater(&a, &b) * 13 + greater(&a, &b)
        }
    }
}
