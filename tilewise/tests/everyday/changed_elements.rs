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

/// A method by value has the element as it was before its arguments changed it.
mod elements_by_value {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Cell {
        n: i32,
    }

    #[amp]
    impl Cell {
        fn inc(&mut self) -> i32 {
            self.n += 1;
            self.n
        }
        fn plus(self, k: i32, l: i32) -> i32 {
            self.n * 100 + k * 10 + l
        }
    }

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Counts {
        of: [i32; 3],
        by: i32,
    }

    #[amp]
    impl Counts {
        fn both(&mut self) -> i32 {
            self.of[0].wrapping_add(self.up())
        }
        fn up(&mut self) -> i32 {
            self.of[0] += 10;
            self.of[0]
        }
    }

    #[amp]
    fn step(a: &mut [i32; 3]) -> i32 {
        a[0] += 5;
        a[1]
    }

    #[amp]
    fn twice(a: &mut [i32; 3]) -> i32 {
        let before = a[0].wrapping_add(step(a));
        before * 100 + a[0]
    }

    same! {
        runs: i32, |n| {
            let mut a = [n, 2, 3];
            let mut sum = a[0].wrapping_add({ a[0] = 9; 1 });
            sum = sum * 3 + a[0].wrapping_add(step(&mut a));
            sum = sum * 3 + a[0].max({ a[0] = 50; a[2] }).min({ a[2] = 3; a[2] + 1 });
            sum = sum * 3 + a[1].clamp({ a[1] = 8; 1 }, { a[1] += 2; a[1] });
            sum = sum * 3 + twice(&mut a);
            let mut rows = [[1, 2, n], [3, 4, 5]];
            sum = sum * 3 + rows[1][0].wrapping_sub({ rows[1][0] = 50; rows[1][2] });
            let mut cells = [Cell { n }, Cell { n: 2 }];
            sum = sum * 3 + cells[0].plus(cells[0].inc(), cells[0].inc());
            let mut counts = Counts { of: [n, 2, 3], by: 1 };
            sum = sum * 3 + counts.of[0].wrapping_add({ counts.of[0] = 40; counts.by });
            sum = sum * 3 + counts.both();
            let mut options = [Some(n), None];
            sum = sum * 3 + options[0].unwrap_or({ options[0] = None; 5 });
            let lent = &mut a;
            sum = sum * 3 + lent[0].wrapping_add({ lent[0] = 9; 1 });
            sum * 3 + a[0] + rows[1][0] + cells[0].n + counts.of[0] + options[0].unwrap_or(7)
        }
    }
}

/// A method on a field of what a method gives changes that field.
mod fields_of_results {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Inner {
        n: i32,
    }

    #[amp]
    impl Inner {
        fn mul(&mut self, k: i32) -> &mut Self {
            self.n *= k;
            self
        }
        fn bump(&mut self) -> i32 {
            self.n += 1;
            self.n
        }
    }

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Outer {
        d: Inner,
        pair: (Inner, i32),
        v: [i32; 3],
        e: Option<i32>,
    }

    #[amp]
    impl Outer {
        fn go(&mut self, k: i32) -> &mut Self {
            self.d.n += k;
            self
        }
        fn inside(&mut self) -> i32 {
            self.go(3).d.bump()
        }
    }

    #[amp]
    fn made(n: i32) -> Outer {
        Outer { d: Inner { n }, pair: (Inner { n: 2 }, 3), v: [3, 1, n], e: Some(n) }
    }

    same! {
        runs: i32, |n| {
            let mut w = made(n);
            w.go(2).d.mul(3);
            let x = w.go(1).go(2).d.bump();
            let y = w.inside();
            w.go(1).pair.0.mul(5);
            w.go(1).v.sort();
            w.go(1).v.swap(0, 1);
            w.v[1] += w.go(1).v[0].abs();
            let z = w.go(2).e.take().unwrap_or(9);
            let t = made(n).d.bump();
            w.d.n + x * 3 + y * 5 + z * 7 + t * 11 + w.pair.0.n + w.v[0] * 2 + w.v[1] * 3 + w.e.unwrap_or(100)
        }
    }
}

mod arguments_that_assign_to_several_places {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct C {
        n: i32,
        m: i32,
    }

    #[amp]
    impl C {
        fn with(self, k: i32) -> i32 {
            self.n * 10 + self.m + k
        }
    }

    #[amp]
    fn pair(n: i32) -> C {
        C { n: n + 70, m: 80 }
    }

    same! {
        runs: i32, |n| {
            let mut a = [C { n, m: 2 }; 4];
            let mut t = 0;
            let x = a[0].with({ (a[0].n, t) = (50, 1); 3 });
            let y = a[1].with({ [t, a[1].n] = [2, 60]; t });
            let z = a[2].with({ C { n: a[2].n, m: t } = pair(n); t });
            let u = a[3].with({ (t, (_, a[3])) = (4, (5, C { n: 9, m: 8 })); 1 });
            let v = a[0].with({ assert!({ a[0].n = 1; t > 0 }); 2 });
            x + y * 3 + z * 5 + u * 7 + v * 11 + t + a[0].n + a[1].n + a[2].n + a[3].n
        }
    }
}

mod indices_that_read_their_array {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Node {
        next: i32,
        seen: i32,
    }

    #[amp]
    impl Node {
        fn visit(&mut self, k: i32) -> i32 {
            self.seen += k;
            self.seen
        }
        fn add(&mut self, k: i32) -> &mut Self {
            self.seen += k;
            self
        }
    }

    same! {
        runs: i32, |n| {
            let mut nodes = [Node { next: 1, seen: n }, Node { next: 2, seen: 0 }, Node { next: 0, seen: 1 }];
            let x = nodes[nodes[0].next as usize].visit(3);
            let y = nodes[nodes[nodes[0].next as usize].next as usize].visit(nodes[1].seen);
            nodes[nodes[2].next as usize].add(2).add(5);
            x + y * 3 + nodes[0].seen * 5 + nodes[1].seen * 7 + nodes[2].seen * 11
        }
    }
}

mod arguments_with_what_is_temporary {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct C {
        n: i32,
    }

    #[amp]
    impl C {
        fn add(&mut self, k: &C) -> &mut Self {
            self.n += k.n;
            self
        }
        fn more(self, k: i32) -> C {
            C { n: self.n + k }
        }
        fn larger<'a>(&'a self, other: &'a C) -> &'a C {
            if self.n > other.n { self } else { other }
        }
    }

    same! {
        runs: i32, |n| {
            let c = C { n };
            let mut a = [c, C { n: 3 }, C { n: 1 }];
            a[2].add(c.larger(&c.more(a[1].n)));
            a[1].add(c.larger(&C { n: a[0].n + 1 })).add(&C { n: 2 });
            a[0].n + a[1].n * 3 + a[2].n * 5
        }
    }
}

mod arguments_that_change_other_fields {
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
        fn absorb(&mut self, other: &C) -> &mut Self {
            self.n += other.n;
            self
        }
        fn next(&mut self) -> i32 {
            self.n = self.n * 3 + 1;
            self.n
        }
        fn with(self, k: i32) -> i32 {
            self.n * 10 + k
        }
    }

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct World {
        cells: [C; 3],
        random: C,
    }

    #[amp]
    impl World {
        fn step(&mut self, k: i32) -> i32 {
            self.cells[0].add(self.random.next());
            self.cells[1].add(self.random.next()).add(k);
            self.cells[2].absorb(&self.random);
            self.cells[1].with({
                self.random.n += 4;
                self.random.add(2).n
            })
        }
    }

    same! {
        runs: i32, |n| {
            let mut w = World { cells: [C { n }; 3], random: C { n: 1 } };
            let x = w.step(n);
            w.cells[0].add(w.random.next() % 7);
            w.cells[1].absorb(&w.random).add(3);
            let y = w.cells[1].with(w.cells[1].add(4).n);
            let mut a = [C { n: 2 }; 2];
            let z = a[0].with(a[0].add(5).n) + a[1].with({ a[1].add(7).n += 1; n });
            x + y * 3 + z * 5 + w.cells[0].n + w.cells[1].n * 7 + w.cells[2].n * 11 + w.random.n
        }
    }
}

mod arguments_before_the_element {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct C {
        n: i32,
    }

    #[amp]
    impl C {
        fn apply<F: FnMut(i32) -> i32>(&mut self, mut f: F, k: i32) -> i32 {
            self.n = f(k) % 101;
            self.n
        }
        fn asked<F: Fn(i32) -> i32>(&self, k: i32, f: F, m: i32) -> i32 {
            f(self.n + k) + m
        }
        fn with(self, k: i32) -> C {
            C { n: self.n * 2 + k }
        }
        fn lend(&mut self, other: &mut C, k: i32) -> i32 {
            other.n += k;
            self.n += other.n;
            self.n
        }
    }

    #[amp]
    fn lend_twice(other: &mut C, all: &mut [C; 3]) -> i32 {
        let a = all[0].lend(other, all[1].n);
        let b = all[1].lend(other, all[0].n);
        other.n += 1;
        a + b * 3
    }

    same! {
        // A `move` closure has the values of its place among the arguments.
        closures: i32, |n| {
            let mut all = [C { n }, C { n: 2 }, C { n: n + 4 }];
            let mut x = n;
            let a = all[0].apply(move |k| k + x, { x = 50; all[1].n + 1 });
            let b = all[2].asked({ x += 1; all[0].n }, move |k| k * x, { x = 7; all[1].n });
            a + b * 3 + x * 5 + all[0].n * 7
        }
        // `r#all` is the name `all`.
        raw_names: i32, |n| {
            let mut all = [C { n }, C { n: 2 }, C { n: n + 4 }];
            let a = r#all[0].with({ all[0].n = 50; r#all[1].n });
            let b = all[1].with({ r#all[1].n = 60; all[0].n });
            a.n + b.n * 3 + all[0].n * 5 + all[1].n * 7
        }
        // A name of a `&mut` is lent and not moved.
        lent_names: i32, |n| {
            let (mut all, mut other) = ([C { n }, C { n: 2 }, C { n: n + 4 }], C { n: 3 });
            lend_twice(&mut other, &mut all) + all[0].n * 5 + all[1].n * 7 + other.n * 11
        }
    }

    // An element of a view is copied before the arguments, which may change it by another name of the view.
    #[test]
    fn names_of_a_view() {
        on_all(&[50, 51, 52, 53, 54, 55], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |p| {
                let mut other = v.section(0, 6);
                other[p] = p[0];
                v[p] = other[p].wrapping_add({
                    v[p] = 50;
                    other[p]
                });
            })
        });
    }
}
