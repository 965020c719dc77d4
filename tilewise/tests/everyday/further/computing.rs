//! Programs that compute: ways, roots, products, complex numbers.

// The shortest way through a maze, by a queue.
mod shortest_way {
    use super::super::*;

    #[amp]
    fn steps(walls: &[u8; 16], from: (usize, usize)) -> Option<u32> {
        let mut dist = [u32::MAX; 16];
        let mut queue = [(0_usize, 0_usize); 16];
        let (mut head, mut tail) = (0, 0);
        queue[tail] = from;
        tail += 1;
        dist[from.1 * 4 + from.0] = 0;
        while head < tail {
            let (x, y) = queue[head];
            head += 1;
            let d = dist[y * 4 + x];
            if (x, y) == (3, 3) {
                return Some(d);
            }
            for (dx, dy) in [(1_i32, 0_i32), (-1, 0), (0, 1), (0, -1)] {
                let (nx, ny) = (x as i32 + dx, y as i32 + dy);
                if !(0..4).contains(&nx) || !(0..4).contains(&ny) {
                    continue;
                }
                let at = (ny * 4 + nx) as usize;
                if walls[at] == b'#' || dist[at] != u32::MAX {
                    continue;
                }
                dist[at] = d + 1;
                queue[tail] = (nx as usize, ny as usize);
                tail += 1;
            }
        }
        None
    }
    same! {
        runs: u32, |i| {
            let mut w = *b"..#.#...#.#.....";
            w[(i + 9) as usize % 16] = b'#';
            steps(&w, (0, 0)).unwrap_or(99)
        }
    }
}

// Complex numbers.
mod complex_numbers {
    use super::super::*;

    use std::ops::*;
    #[derive(Clone, Copy, Debug, PartialEq, Default, AmpStruct)]
    struct C {
        re: f64,
        im: f64,
    }
    #[amp]
    impl Add for C {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Self { re: self.re + o.re, im: self.im + o.im }
        }
    }
    #[amp]
    impl Mul for C {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            Self { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
        }
    }
    #[amp]
    impl Mul<f64> for C {
        type Output = Self;
        fn mul(self, k: f64) -> Self {
            Self { re: self.re * k, im: self.im * k }
        }
    }
    #[amp]
    impl C {
        const I: C = C { re: 0.0, im: 1.0 };
        fn norm_sqr(self) -> f64 {
            self.re.powi(2) + self.im.powi(2)
        }
    }
    same! {
        runs: i32, |i| {
            let c = C { re: -0.7, im: 0.1 } + C::I * (i as f64 * 0.1);
            let mut z = C::default();
            (0..50)
                .take_while(|_| {
                    z = z * z + c;
                    z.norm_sqr() <= 4.0
                })
                .count() as i32
        }
    }
}

// Nodes of an expression in an array.
mod expression_nodes {
    use super::super::*;

    #[derive(Clone, Copy, AmpStruct)]
    enum Expr {
        Num(i32),
        Add(usize, usize),
        Mul(usize, usize),
        Neg(usize),
    }
    use Expr::{Add, Mul, Neg, Num};

    #[amp]
    fn eval<const N: usize>(nodes: &[Expr; N]) -> i32 {
        let mut values = [0; N];
        for (k, node) in nodes.iter().enumerate() {
            values[k] = match *node {
                Expr::Num(n) => n,
                Expr::Add(a, b) => values[a] + values[b],
                Expr::Mul(a, b) => values[a] * values[b],
                Expr::Neg(a) => -values[a],
            };
        }
        values[N - 1]
    }
    same! {
        runs: i32, |i| {
            eval(&[Num(i), Num(3), Add(0, 1), Mul(2, 2), Neg(3), Add(4, 0)])
        }
    }
}

// Chains over an array of structs.
mod points_in_chains {
    use super::super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct P {
        x: f32,
        y: f32,
        id: i32,
    }
    same! {
        runs: i32, |i| {
            let ps = [P { x: 1.0, y: 2.0, id: 1 }, P { x: -3.0, y: i as f32, id: 2 }, P { x: 0.5, y: 0.5, id: 3 }];
            let far = ps.iter().copied().max_by(|a, b| (a.x * a.x + a.y * a.y).total_cmp(&(b.x * b.x + b.y * b.y)));
            let (lo, hi) = ps.iter().fold((f32::MAX, f32::MIN), |(lo, hi), p| (lo.min(p.y), hi.max(p.y)));
            let total: f32 = ps.iter().map(|P { x, .. }| x.abs()).sum();
            let ids = ps.iter().filter(|p| p.x > 0.0).map(|p| p.id).sum::<i32>();
            far.map_or(0, |p| p.id) * 1000 + (hi - lo) as i32 * 100 + total as i32 * 10 + ids
        }
    }
}

// Products of 128 bits, in two halves.
mod wide_products {
    use super::super::*;

    #[amp]
    fn mul_wide(a: u64, b: u64) -> (u64, u64) {
        let (al, ah, bl, bh) = (a & 0xffff_ffff, a >> 32, b & 0xffff_ffff, b >> 32);
        let ll = al * bl;
        let lh = al * bh;
        let hl = ah * bl;
        let hh = ah * bh;
        let mid = (ll >> 32) + (lh & 0xffff_ffff) + (hl & 0xffff_ffff);
        (hh + (lh >> 32) + (hl >> 32) + (mid >> 32), (mid << 32) | (ll & 0xffff_ffff))
    }
    same! {
        runs: u64, |i| {
            let (h, l) = mul_wide(u64::MAX - i as u64, 0x1234_5678_9abc_def0);
            h ^ l.rotate_left(7)
        }
    }
}

// Functions of functions: roots.
mod roots_of_functions {
    use super::super::*;

    #[amp]
    fn bisect<F: Fn(f64) -> f64>(f: F, mut lo: f64, mut hi: f64) -> Option<f64> {
        if f(lo).signum() == f(hi).signum() {
            return None;
        }
        while hi - lo > 1e-9 {
            let mid = (lo + hi) / 2.0;
            if f(mid).signum() == f(lo).signum() {
                lo = mid;
            } else {
                hi = mid;
            }
        }
        Some(lo)
    }
    #[amp]
    fn newton(f: impl Fn(f64) -> f64, df: impl Fn(f64) -> f64, x0: f64) -> f64 {
        let mut x = x0;
        for _ in 0..20 {
            x -= f(x) / df(x);
        }
        x
    }
    same! {
        runs: i32, |i| {
            let k = i as f64 + 2.0;
            let r = bisect(|x| x * x - k, 0.0, 10.0).unwrap_or(0.0);
            let s = newton(|x| x * x * x - k, |x| 3.0 * x * x, 2.0);
            (r * 1000.0) as i32 * 10000 + (s * 1000.0) as i32
        }
    }
}

// The game of life on bits.
mod life_on_bits {
    use super::super::*;

    const W: usize = 8;
    #[amp]
    fn step(g: [u8; W]) -> [u8; W] {
        let mut out = [0; W];
        for y in 0..W {
            for x in 0..W {
                let mut n = 0;
                for dy in [W - 1, 0, 1] {
                    for dx in [W - 1, 0, 1] {
                        if (dy, dx) != (0, 0) {
                            n += g[(y + dy) % W] >> ((x + dx) % W) & 1;
                        }
                    }
                }
                let alive = g[y] >> x & 1 == 1;
                if matches!((alive, n), (true, 2) | (_, 3)) {
                    out[y] |= 1 << x;
                }
            }
        }
        out
    }
    same! {
        runs: u32, |i| {
            let mut g = [0, 0b10, 0b100, 0b111, 0, 0, 0b1100, i as u8];
            for _ in 0..3 {
                g = step(g);
            }
            g.iter().fold(0, |h, b| h * 31 % 1_000_003 + *b as u32)
        }
    }
}
