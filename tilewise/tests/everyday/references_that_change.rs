//! Names of references that refer to something else later.

use super::*;

mod the_greatest {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [3, n, 2, 4];
            let mut best = &a[0];
            for x in &a[1..] {
                if x > best {
                    best = x;
                }
            }
            *best
        }
    }
}

mod the_greatest_by_a_method {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [3, n, 2, 4];
            let mut best = &a[0];
            for x in a.iter() {
                if *x > *best {
                    best = x;
                }
            }
            let mut low = &a[0];
            for i in 1..a.len() {
                if a[i] < *low {
                    low = &a[i];
                }
            }
            *best * 10 + *low
        }
    }
}

mod the_greatest_of_structs {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
    }

    same! {
        runs: i32, |n| {
            let a = [P { x: 1, y: n }, P { x: n, y: 2 }, P { x: 3, y: 3 }];
            let mut best = &a[0];
            for p in &a {
                if p.x > best.x {
                    best = p;
                }
            }
            best.x * 10 + best.y
        }
    }
}

mod the_greatest_that_a_function_gives {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
    }

    #[amp]
    fn best(a: &[P; 3]) -> &P {
        let mut best = &a[0];
        for p in a {
            if p.x > best.x {
                best = p;
            }
        }
        best
    }

    same! {
        runs: i32, |n| {
            let a = [P { x: 1, y: n }, P { x: n, y: 2 }, P { x: 3, y: 3 }];
            let b = best(&a);
            b.x * 10 + b.y
        }
    }
}

mod the_greatest_in_an_option {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [3, n, 2, 4];
            let mut best: Option<&i32> = None;
            for x in &a {
                match best {
                    Some(b) if x <= b => {}
                    _ => best = Some(x),
                }
            }
            let mut second = None;
            for x in &a {
                if Some(x) != best {
                    second = Some(x);
                }
            }
            best.copied().unwrap_or(0) * 10 + second.copied().unwrap_or(0)
        }
    }
}

mod two_names_are_swapped {
    use super::*;

    same! {
        runs: i32, |n| {
            let (a, b) = (n, 10);
            let mut p = &a;
            let mut q = &b;
            if n > 2 {
                p = &b;
            }
            if n > 3 {
                q = p;
            }
            (p, q) = (q, p);
            *p * 100 + *q
        }
    }
}

mod a_name_without_a_value {
    use super::*;

    same! {
        runs: i32, |n| {
            let (a, b) = (n, 10);
            let p;
            if n > 2 {
                p = &b;
            } else {
                p = &a;
            }
            let q: &i32;
            q = p;
            *p * 100 + *q
        }
    }
}

mod two_names_in_a_tuple {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [3, n, 2, 4];
            let (mut lo, mut hi) = (&a[0], &a[0]);
            for x in &a {
                if x < lo {
                    lo = x;
                }
                if x > hi {
                    hi = x;
                }
            }
            *lo * 10 + *hi
        }
    }
}

mod a_row_of_a_matrix {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [[3, n], [2, 4]];
            let mut row = &a[0];
            for r in &a {
                if r[1] > row[1] {
                    row = r;
                }
            }
            row[0] * 10 + row[1]
        }
    }
}

mod a_position_beside_it {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [3, n, 2, 4];
            let mut best = (0, &a[0]);
            for (i, x) in a.iter().enumerate() {
                if x > best.1 {
                    best = (i, x);
                }
            }
            best.0 as i32 * 10 + *best.1
        }
    }
}

mod names_are_swapped_by_swap {
    use super::*;

    same! {
        runs: i32, |n| {
            let (a, b) = ([n, 1], [2, n]);
            let (mut p, mut q) = (&a, &b);
            if n > 2 {
                std::mem::swap(&mut p, &mut q);
            }
            p[0] * 10 + q[0]
        }
    }
}
