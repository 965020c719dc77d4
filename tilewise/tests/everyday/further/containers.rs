//! Programs around containers in arrays, and traits above them.

// A hash table with open addressing.
mod hash_map {
    use super::super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Map {
        keys: [Option<u32>; 16],
        values: [i32; 16],
        len: usize,
    }
    #[amp]
    impl Map {
        fn new() -> Self {
            Map { keys: [None; 16], values: [0; 16], len: 0 }
        }
        fn slot(&self, key: u32) -> Result<usize, usize> {
            let mut at = (key.wrapping_mul(0x9E37_79B9) >> 28) as usize;
            loop {
                match self.keys[at] {
                    Some(k) if k == key => return Ok(at),
                    None => return Err(at),
                    Some(_) => at = (at + 1) % 16,
                }
            }
        }
        fn add(&mut self, key: u32, v: i32) {
            match self.slot(key) {
                Ok(at) => self.values[at] += v,
                Err(at) => {
                    self.keys[at] = Some(key);
                    self.values[at] = v;
                    self.len += 1;
                }
            }
        }
        fn get(&self, key: u32) -> Option<i32> {
            self.slot(key).ok().map(|at| self.values[at])
        }
    }
    same! {
        runs: i32, |i| {
            let mut m = Map::new();
            for k in 0..20_u32 {
                m.add(k * k % 11 + i as u32, k as i32);
            }
            m.len as i32 * 10000 + m.get(4).unwrap_or(-1) * 10 + m.get(100).is_none() as i32
        }
    }
}

// A stack of any numbers, whose `push` gives a `Result`.
mod generic_stack {
    use super::super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Stack<T, const N: usize> {
        items: [T; N],
        top: usize,
    }
    #[amp]
    impl<T: Scalar, const N: usize> Stack<T, N> {
        fn new() -> Self {
            Self { items: [T::ZERO; N], top: 0 }
        }
        fn push(&mut self, x: T) -> Result<(), T> {
            if self.top == N {
                return Err(x);
            }
            self.items[self.top] = x;
            self.top += 1;
            Ok(())
        }
        fn pop(&mut self) -> Option<T> {
            if self.top == 0 {
                None
            } else {
                self.top -= 1;
                Some(self.items[self.top])
            }
        }
        fn is_empty(&self) -> bool {
            self.top == 0
        }
        fn peek(&self) -> Option<T> {
            self.top.checked_sub(1).map(|k| self.items[k])
        }
    }
    same! {
        runs: i32, |i| {
            let mut s = Stack::<i32, 4>::new();
            let mut full = 0;
            for k in 0..6 {
                if s.push(k * i).is_err() {
                    full += 1;
                }
            }
            let p = s.peek().unwrap_or(0);
            let mut t = 0;
            while let Some(x) = s.pop() {
                t = t * 3 + x;
            }
            t * 100 + full * 10 + p + s.is_empty() as i32
        }
    }
}

// A heap in an array.
mod binary_heap {
    use super::super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Heap {
        a: [i32; 16],
        n: usize,
    }
    #[amp]
    impl Heap {
        fn push(&mut self, x: i32) {
            let mut k = self.n;
            self.a[k] = x;
            self.n += 1;
            while k > 0 {
                let p = (k - 1) / 2;
                if self.a[p] <= self.a[k] {
                    break;
                }
                self.a.swap(p, k);
                k = p;
            }
        }
        fn pop(&mut self) -> Option<i32> {
            if self.n == 0 {
                return None;
            }
            let top = self.a[0];
            self.n -= 1;
            self.a[0] = self.a[self.n];
            let mut k = 0;
            loop {
                let (l, r) = (2 * k + 1, 2 * k + 2);
                let mut m = k;
                if l < self.n && self.a[l] < self.a[m] {
                    m = l;
                }
                if r < self.n && self.a[r] < self.a[m] {
                    m = r;
                }
                if m == k {
                    break;
                }
                self.a.swap(m, k);
                k = m;
            }
            Some(top)
        }
    }
    same! {
        runs: i32, |i| {
            let mut h = Heap { a: [0; 16], n: 0 };
            for x in [5, i, 9, 1, 7, 3] {
                h.push(x);
            }
            let mut s = 0;
            while let Some(x) = h.pop() {
                s = (s * 7 + x) % 100_003;
            }
            s
        }
    }
}

// Sets that are joined.
mod joined_sets {
    use super::super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Sets {
        parent: [usize; 8],
        size: [u32; 8],
    }
    #[amp]
    impl Sets {
        fn new() -> Self {
            let mut parent = [0; 8];
            for (k, p) in parent.iter_mut().enumerate() {
                *p = k;
            }
            Sets { parent, size: [1; 8] }
        }
        fn find(&mut self, mut x: usize) -> usize {
            while self.parent[x] != x {
                self.parent[x] = self.parent[self.parent[x]];
                x = self.parent[x];
            }
            x
        }
        fn join(&mut self, a: usize, b: usize) -> bool {
            let (mut a, mut b) = (self.find(a), self.find(b));
            if a == b {
                return false;
            }
            if self.size[a] < self.size[b] {
                std::mem::swap(&mut a, &mut b);
            }
            self.parent[b] = a;
            self.size[a] += self.size[b];
            true
        }
    }
    same! {
        runs: u32, |i| {
            let mut s = Sets::new();
            let edges = [(0, 1), (2, 3), (1, i as usize), (4, 5), (5, 0), (6, 6)];
            let joined = edges.iter().filter(|(a, b)| s.join(*a, *b)).count() as u32;
            let r = s.find(5);
            joined * 100 + s.size[r]
        }
    }
}

// A ring buffer with `Index`.
mod ring_buffer {
    use super::super::*;

    use std::ops::Index;
    #[derive(Clone, Copy, Default, AmpStruct)]
    struct Ring {
        buf: [f32; 4],
        head: usize,
        len: usize,
    }
    #[amp]
    impl Ring {
        fn push(&mut self, x: f32) {
            let at = (self.head + self.len) % self.buf.len();
            self.buf[at] = x;
            if self.len < self.buf.len() {
                self.len += 1;
            } else {
                self.head = (self.head + 1) % self.buf.len();
            }
        }
        fn mean(&self) -> f32 {
            if self.len == 0 {
                return 0.0;
            }
            (0..self.len).map(|k| self[k]).sum::<f32>() / self.len as f32
        }
    }
    #[amp]
    impl Index<usize> for Ring {
        type Output = f32;
        fn index(&self, k: usize) -> &f32 {
            &self.buf[(self.head + k) % 4]
        }
    }
    same! {
        runs: i32, |i| {
            let mut r = Ring::default();
            let mut s = 0.0;
            for k in 0..7 {
                r.push((k * i) as f32 * 0.5);
                s += r.mean();
            }
            (s * 16.0) as i32
        }
    }
}

// Enums in enums, and chains of methods of `Option`.
mod cells_of_options {
    use super::super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    enum Cell {
        Empty,
        Full { owner: Option<u8>, weight: i32 },
    }
    #[amp]
    impl Cell {
        fn owner(self) -> Option<u8> {
            if let Cell::Full { owner: Some(o), .. } = self { Some(o) } else { None }
        }
    }
    same! {
        runs: i32, |i| {
            let cells =
                [Cell::Empty, Cell::Full { owner: None, weight: 3 }, Cell::Full { owner: Some(i as u8), weight: i }];
            let mut s = 0;
            for c in cells {
                let Cell::Full { weight, .. } = c else {
                    s += 1;
                    continue;
                };
                if let Some(o) = c.owner()
                    && o % 2 == 0
                {
                    s += 100;
                }
                s += weight * 10;
            }
            let best = cells.iter().filter_map(|c| c.owner()).max();
            let best = best.filter(|o| *o > 1).or(Some(9)).xor(None).zip(Some(2));
            best.map_or(s, |(a, b)| s * 10 + (a * b) as i32)
        }
    }
}

// A trait above another, and functions of a type parameter.
mod traits_above_traits {
    use super::super::*;

    #[amp]
    trait Named {
        fn id(&self) -> u32;
    }
    #[amp]
    trait Scored: Named {
        fn score(&self) -> u32 {
            self.id() * 10 + Self::bonus()
        }
        fn bonus() -> u32 {
            1
        }
        fn make(n: u32) -> Self;
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct A(u32);
    #[derive(Clone, Copy, AmpStruct)]
    struct B {
        n: u32,
    }
    #[amp]
    impl Named for A {
        fn id(&self) -> u32 {
            self.0
        }
    }
    #[amp]
    impl Named for B {
        fn id(&self) -> u32 {
            self.n + 1
        }
    }
    #[amp]
    impl Scored for A {
        fn make(n: u32) -> Self {
            A(n)
        }
    }
    #[amp]
    impl Scored for B {
        fn bonus() -> u32 {
            5
        }
        fn make(n: u32) -> Self {
            B { n }
        }
    }
    #[amp]
    fn total<S: Scored>(n: u32) -> u32 {
        (0..n).map(|k| S::make(k).score()).sum()
    }
    same! {
        runs: u32, |i| {
            total::<A>(i as u32) * 1000 + total::<B>(3)
        }
    }
}

// A closure that calls others and changes a variable.
mod closures_of_closures {
    use super::super::*;

    same! {
        runs: i32, |i| {
            let scale = 3;
            let f = |x: i32| x * scale;
            let g = |x: i32| f(x) + f(x + 1);
            let mut total = 0;
            let mut push = |x: i32| {
                total += g(x);
                total
            };
            push(i);
            push(2);
            let c = push(1);
            total * 10 + c % 10
        }
    }
}

// `impl Trait`, and closures by `where`.
mod functions_as_arguments {
    use super::super::*;

    #[amp]
    fn twice(f: impl Fn(i32) -> i32, x: i32) -> i32 {
        f(f(x))
    }
    #[amp]
    fn sum_of<I>(items: I) -> i32
    where
        I: Iterator<Item = i32>,
    {
        items.sum()
    }
    #[amp]
    fn apply<F, G, T>(f: F, g: G, x: T) -> T
    where
        F: Fn(T) -> T,
        G: Fn(T) -> T,
        T: Scalar,
    {
        g(f(x))
    }
    same! {
        runs: i32, |i| {
            let k = 3;
            twice(|x| x * k + 1, i) + sum_of((0..i).map(|x| x * x)) * 100 + apply(|x| x + 1, |x| x * 2, i)
        }
    }
}
