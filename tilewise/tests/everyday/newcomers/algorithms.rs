//! Algorithms: sorting networks, matrices, bodies, run lengths, distances between texts, bounds.

use super::*;

mod sorting_network {
    use super::*;

    #[amp]
    fn compare_swap(a: &mut [i32; 8], i: usize, j: usize, up: bool) {
        if (a[i] > a[j]) == up {
            a.swap(i, j);
        }
    }

    same! {
        bitonic: i32, |i| {
            let mut a = [7, 3, i, 1, 9, -4, 2, 8];
            let mut k = 2;
            while k <= a.len() {
                let mut j = k / 2;
                while j > 0 {
                    for n in 0..a.len() {
                        let l = n ^ j;
                        if l > n {
                            compare_swap(&mut a, n, l, n & k == 0);
                        }
                    }
                    j /= 2;
                }
                k *= 2;
            }
            a.iter().fold(0, |s, &x| s * 11 + x)
        }
    }
}

mod matrices {
    use super::*;

    type Matrix = [[f32; 4]; 4];
    const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    #[amp]
    fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
        let mut c = [[0.0; 4]; 4];
        for (row, a) in c.iter_mut().zip(a) {
            for (j, cell) in row.iter_mut().enumerate() {
                *cell = a.iter().zip(b.iter()).map(|(x, b)| x * b[j]).sum();
            }
        }
        c
    }
    #[amp]
    fn transpose(m: Matrix) -> Matrix {
        let mut t = m;
        for i in 0..4 {
            for j in 0..4 {
                t[j][i] = m[i][j];
            }
        }
        t
    }
    #[amp]
    fn trace(m: &Matrix) -> f32 {
        (0..4).map(|i| m[i][i]).sum()
    }

    same! {
        matrices: f32, |i| {
            let mut m = IDENTITY;
            m[0][3] = i as f32;
            m[2][1] = 0.5;
            let p = multiply(&multiply(&m, &transpose(m)), &m);
            trace(&p) + p[0][3] * 100.0
        }
    }
}

mod bodies {
    use super::*;

    use std::ops::{Add, AddAssign, Mul, Sub};
    #[derive(Clone, Copy, Default, PartialEq, AmpStruct)]
    struct V3 {
        x: f32,
        y: f32,
        z: f32,
    }
    #[amp]
    impl Add for V3 {
        type Output = V3;
        fn add(self, o: V3) -> V3 {
            V3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
        }
    }
    #[amp]
    impl Sub for V3 {
        type Output = V3;
        fn sub(self, o: V3) -> V3 {
            V3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
        }
    }
    #[amp]
    impl Mul<f32> for V3 {
        type Output = V3;
        fn mul(self, s: f32) -> V3 {
            V3 { x: self.x * s, y: self.y * s, z: self.z * s }
        }
    }
    #[amp]
    impl Mul<V3> for f32 {
        type Output = V3;
        fn mul(self, v: V3) -> V3 {
            v * self
        }
    }
    #[amp]
    impl AddAssign for V3 {
        fn add_assign(&mut self, o: V3) {
            *self = *self + o;
        }
    }
    #[amp]
    impl V3 {
        fn dot(self, o: V3) -> f32 {
            self.x * o.x + self.y * o.y + self.z * o.z
        }
        fn length(&self) -> f32 {
            self.dot(*self).sqrt()
        }
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct Body {
        at: V3,
        mass: f32,
    }

    same! {
        force: f32, |i| {
            let bodies = [
                Body { at: V3 { x: i as f32, ..V3::default() }, mass: 1.0 },
                Body { at: V3 { y: 2.0, ..Default::default() }, mass: 3.0 },
                Body { at: V3 { x: -1.0, y: 0.5, z: 4.0 }, mass: 0.25 },
            ];
            let mut f = V3::default();
            let me = bodies[0];
            for other in &bodies[..] {
                let d = other.at - me.at;
                let r2 = d.dot(d) + 0.01;
                f += 2.0 * (d * (other.mass / (r2 * r2.sqrt())));
            }
            f.length()
        }
    }
}

mod run_lengths {
    use super::*;

    same! {
        runs: u32, |i| {
            let data = [1u8, 1, 1, 2, 2, i as u8, 3, 3, 3, 3];
            let mut out = [(0u8, 0u8); 10];
            let mut len = 0;
            for &b in &data {
                if len > 0 && out[len - 1].0 == b {
                    out[len - 1].1 += 1;
                } else {
                    out[len] = (b, 1);
                    len += 1;
                }
            }
            let mut h = 0u32;
            for (value, count) in out.iter().take(len) {
                h = h * 31 + (*value as u32) * 7 + u32::from(*count);
            }
            h
        }
    }
}

mod edit_distance {
    use super::*;

    same! {
        distance: u32, |i| {
            let (a, b) = (*b"kitten", *b"sitting");
            let mut b = b;
            b[0] = b[0] - i as u8;
            let mut row: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
            for (x, ca) in a.iter().enumerate() {
                let mut previous = row[0];
                row[0] = x + 1;
                for (y, cb) in b.iter().enumerate() {
                    let cost = if ca == cb { 0 } else { 1 };
                    let next = (previous + cost).min(row[y] + 1).min(row[y + 1] + 1);
                    previous = std::mem::replace(&mut row[y + 1], next);
                }
            }
            row[b.len()] as u32
        }
    }
}

mod bounds_of_data {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
    struct Range {
        low: f32,
        high: f32,
    }
    #[amp]
    impl Range {
        const EMPTY: Range = Range { low: f32::INFINITY, high: f32::NEG_INFINITY };
        fn extend(self, x: f32) -> Range {
            Range { low: self.low.min(x), high: self.high.max(x) }
        }
        fn width(&self) -> f32 {
            self.high - self.low
        }
    }

    same! {
        ranges: f32, |i| {
            let data = [0.5, -2.0, i as f32, 1.25];
            let range = data.iter().fold(Range::EMPTY, |range, &x| range.extend(x));
            let total = data.into_iter().fold(f32::MIN, f32::max);
            range.width() + total
        }
    }
}
