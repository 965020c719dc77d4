//! Methods that change an element of an array, and give it.

use super::*;

mod chains_of_an_element {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct C {
        n: i32,
        m: i32,
    }

    #[amp]
    impl C {
        fn add(&mut self, k: i32) -> &mut Self {
            self.n += k;
            self
        }
        fn mul(&mut self, k: i32) -> &mut Self {
            self.n *= k;
            self
        }
        fn get(&self) -> i32 {
            self.n
        }
        fn next(&mut self) -> i32 {
            self.m += 1;
            self.m
        }
    }

    same! {
        runs: i32, |n| {
            let mut a = [C { n, m: 0 }; 3];
            let k = n as usize % 3;
            a[k].add(3);
            a[k].add(3).mul(2);
            a[1].add(1).mul(2).add(n);
            let g = a[1].add(5).get();
            let h = a[2].next() + a[2].next();
            a[0].n + a[1].n * 3 + a[2].n * 7 + g + h
        }
    }
}

mod chains_in_a_method {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct C {
        n: i32,
    }

    #[amp]
    impl C {
        fn add(&mut self, k: i32) -> &mut Self {
            self.n += k;
            self
        }
    }

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct W {
        cs: [C; 3],
    }

    #[amp]
    impl W {
        fn bump(&mut self, k: usize) {
            self.cs[k].add(2).add(3);
        }
    }

    same! {
        runs: i32, |n| {
            let mut w = W { cs: [C { n }; 3] };
            w.cs[1].add(4);
            w.cs[2].add(4).add(1);
            w.bump(n as usize % 3);
            w.cs[0].n + w.cs[1].n * 3 + w.cs[2].n * 7
        }
    }
}

mod a_copy_of_a_result {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct R {
        s: u32,
    }

    #[amp]
    impl R {
        fn next(&mut self) -> &mut Self {
            self.s = self.s.wrapping_mul(5).wrapping_add(1);
            self
        }
        fn value(&self) -> u32 {
            self.s
        }
    }

    same! {
        runs: u32, |n| {
            let mut s = [R { s: n as u32 }; 2];
            let t = *s[1].next();
            s[0].next().next();
            let u = s[0].next().value();
            t.s + s[0].s + s[1].s * 3 + u
        }
    }
}

mod results_as_arguments {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct C {
        n: i32,
    }

    #[amp]
    impl C {
        fn add(&mut self, k: i32) -> &mut Self {
            self.n += k;
            self
        }
    }

    #[amp]
    fn look(c: &C) -> i32 {
        c.n
    }

    #[amp]
    fn change(c: &mut C) {
        c.n += 100;
    }

    same! {
        runs: i32, |n| {
            let mut a = [C { n }; 3];
            let x = look(a[1].add(2));
            change(a[2].add(1));
            let i = 1usize;
            a[i].add(a[0].n).add(2);
            x + a[2].n + a[1].n
        }
    }
}
