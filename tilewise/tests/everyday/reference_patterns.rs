//! Patterns with `&` in them, in arms with guards, in conditions, in closures, and inside each other.

use super::*;

mod a_guard_behind_get {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let o = a.get(n as usize);
            match o {
                Some(&v) if v > 2 => v * 10,
                Some(&v) => v,
                None => -1,
            }
        }
    }
}

mod a_guard_behind_a_written_type {
    use super::*;

    same! {
        runs: i32, |n| {
            let x = n;
            let o: Option<&i32> = if n > 2 { Some(&x) } else { None };
            match o {
                Some(&v) if v > 3 => v * 10,
                Some(&3) => 33,
                Some(v) => *v,
                None => -1,
            }
        }
    }
}

mod a_guard_behind_some {
    use super::*;

    same! {
        runs: i32, |n| {
            let x = n;
            let o = Some(&x);
            match o {
                Some(&v) if v > 2 => v * 10,
                Some(&v) => v,
                None => -1,
            }
        }
    }
}

mod two_references_of_peek {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let mut it = a.iter().peekable();
            let mut s = 0;
            while let Some(&&c) = it.peek() {
                if c > 2 {
                    s += c;
                }
                s += 1;
                it.next();
            }
            s
        }
    }
}

mod a_guard_behind_two_references {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let mut it = a.iter().peekable();
            let mut s = 0;
            loop {
                match it.peek() {
                    Some(&&c) if c > 2 => {
                        s += c;
                        it.next();
                    }
                    Some(&&c) => {
                        s += 1 + c;
                        it.next();
                    }
                    None => break,
                }
            }
            s
        }
    }
}

mod a_guard_behind_peek {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let mut it = a.iter().copied().peekable();
            let mut s = 0;
            loop {
                match it.peek() {
                    Some(&c) if c > 2 => {
                        s += c;
                        it.next();
                    }
                    Some(&1) => {
                        s += 7;
                        it.next();
                    }
                    Some(c) => {
                        s += 1 + *c;
                        it.next();
                    }
                    None => break,
                }
            }
            s
        }
    }
}

mod a_pair_in_an_option {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [(1, n), (n, 3)];
            let o = a.first();
            if let Some(&(a, b)) = o { a * 10 + b } else { 0 }
        }
    }
}

mod a_pair_of_last {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [(1, n), (n, 3)];
            if let Some(&(a, b)) = a.last() { a * 10 + b } else { 0 }
        }
    }
}

mod a_pair_that_is_found {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [(1, n), (n, 3)];
            let found = a.iter().find(|&&(p, _)| p > 1);
            if let Some(&(p, q)) = found { p * 10 + q } else { 0 }
        }
    }
}

mod while_let_of_peek {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let mut it = a.iter().copied().peekable();
            let mut s = 0;
            while let Some(&c) = it.peek() {
                s += c;
                it.next();
            }
            s
        }
    }
}

mod let_else_of_a_name {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let o = a.get(n as usize);
            let r = 'b: {
                let Some(&v) = o else { break 'b -5 };
                v + 1
            };
            r
        }
    }
}

mod questions_by_patterns {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let o = a.get(1);
            i32::from(matches!(o, Some(&3)))
                + 2 * i32::from(matches!(o, Some(&x) if x > 2))
                + 4 * i32::from(matches!(o, Some(&(0..=2))))
                + 8 * i32::from(matches!(o, Some(1 | 2)))
        }
    }
}

mod parameters_of_adapters {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [(1, n), (n, 3)];
            let b = [5, n];
            let s: i32 = a.iter().zip(b.iter()).map(|(&(a, b), &c)| a * b + c).sum();
            let t: i32 = a.iter().map(|&(a, b)| a - b).sum();
            let u: i32 = a.iter().filter(|&&(a, b)| a > b).map(|&(a, _)| a).sum();
            let m = a.iter().map(|(a, b)| (a, b)).map(|(&a, &b)| a + b).fold(0, |x, y| x * 3 + y);
            s + t * 3 + u * 7 + m
        }
    }
}

mod parameters_of_named_closures {
    use super::*;

    same! {
        runs: i32, |n| {
            let (p, q) = (n, n + 1);
            let f = |(a, &b): (i32, &i32)| a * 10 + b;
            let g = |&(a, &b): &(i32, &i32)| a * 10 + b;
            f((p, &q)) + g(&(q, &p))
        }
    }
}

mod a_guard_in_a_pair {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [4, n, 9];
            let best = a.iter().enumerate().max_by_key(|&(_, &x)| x);
            match best {
                Some((i, &x)) if x > 4 => i as i32 * 100 + x,
                Some((i, x)) => *x + i as i32,
                None => -1,
            }
        }
    }
}

mod a_struct_behind_a_reference {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
    }

    same! {
        runs: i32, |n| {
            let a = [P { x: 1, y: n }, P { x: n, y: 3 }];
            let o = a.iter().find(|p| p.x > 1);
            match o {
                Some(&P { x, y }) if y > 2 => x * 10 + y,
                Some(&P { x, .. }) => x,
                None => -1,
            }
        }
    }
}

mod variants_behind_two_references {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    enum T {
        Num(i32),
        Plus,
        Minus,
    }

    same! {
        runs: i32, |n| {
            let a = [T::Num(n), if n > 2 { T::Plus } else { T::Minus }, T::Num(3)];
            let mut it = a.iter().peekable();
            let mut s = 0;
            while let Some(&t) = it.next() {
                match t {
                    T::Num(k) => s += k,
                    T::Plus => s += 100,
                    T::Minus => s -= 100,
                }
                if let Some(&&T::Num(k)) = it.peek() {
                    s += k * 7;
                }
                if let Some(T::Plus) = it.peek() {
                    s += 1;
                }
            }
            s
        }
    }
}

mod variants_behind_a_name {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    enum T {
        Num(i32),
        Plus,
        Minus,
    }

    same! {
        runs: i32, |n| {
            let a = [T::Num(n), if n > 2 { T::Plus } else { T::Minus }, T::Num(3)];
            let o = a.get(n as usize);
            match o {
                Some(&T::Num(k)) if k > 2 => k,
                Some(&T::Num(_)) => 5,
                Some(&T::Plus) => 6,
                Some(_) => 7,
                None => 8,
            }
        }
    }
}

mod options_as_parameters {
    use super::*;

    #[amp]
    fn f(o: Option<&i32>) -> i32 {
        match o {
            Some(&v) if v > 2 => v,
            Some(_) => 1,
            None => 0,
        }
    }

    #[amp]
    fn g(o: &Option<i32>) -> i32 {
        match o {
            Some(v) if *v > 2 => *v,
            &Some(v) => v + 1,
            None => 0,
        }
    }

    #[amp]
    fn h(o: Option<&(i32, i32)>) -> i32 {
        if let Some(&(a, b)) = o { a + b } else { 0 }
    }

    same! {
        runs: i32, |n| {
            let x = n;
            f(Some(&x)) + g(&Some(n)) * 3 + h(Some(&(n, 2))) + f(None)
        }
    }
}

mod two_options {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let (p, q) = (a.get(0), a.get(n as usize));
            match (p, q) {
                (Some(&x), Some(&y)) if x < y => x * 10 + y,
                (Some(&x), None) => x,
                (Some(x), Some(y)) => *x - *y,
                _ => -1,
            }
        }
    }
}

mod options_in_options {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [Some(1), if n > 2 { Some(n) } else { None }];
            let o = a.last();
            match o {
                Some(&Some(v)) if v > 3 => v,
                Some(Some(v)) => *v + 20,
                Some(None) => 7,
                None => 8,
            }
        }
    }
}

mod a_name_before_a_pattern {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            match a.get(1) {
                Some(&v @ 2..=4) => v * 10,
                Some(v @ &5) => *v,
                Some(&v) => v,
                None => -1,
            }
        }
    }
}

mod references_by_let {
    use super::*;

    same! {
        runs: i32, |n| {
            let x = (n, 2);
            let r = &x;
            let &(a, b) = r;
            let &c = &n;
            let &(d, e) = &x;
            a + b + c + d + e
        }
    }
}

mod a_match_of_a_reference {
    use super::*;

    same! {
        runs: i32, |n| {
            let x = n;
            let r = &x;
            match r {
                &0 => 5,
                &v if v > 2 => v * 10,
                &v => v,
            }
        }
    }
}

mod a_match_of_an_item {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [0, n, 9];
            let mut s = 0;
            for x in &a {
                s += match x {
                    &0 => 5,
                    &v if v > 2 => v * 10,
                    v => *v,
                };
            }
            for x in a.iter() {
                match x {
                    0 => s += 1,
                    &v if v > 2 => s += v,
                    _ => {}
                }
            }
            s
        }
    }
}

mod windows_taken_apart {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [0, n, 9, 4];
            let mut s = 0;
            for w in a.windows(2) {
                if let &[x, y] = w {
                    s += x * y;
                }
            }
            let t: i32 = a.windows(2).map(|w| if let [x, y] = w { x - y } else { 0 }).sum();
            s + t
        }
    }
}
