//! Iterators over local arrays and ranges: each program gives in a kernel what it gives in plain Rust.

use super::*;

same! {
    sums: i32, |i| {
        let a = [i, 2, 3 * i, 4];
        let b = a.iter().sum::<i32>() + a.iter().copied().product::<i32>();
        let c: i32 = a.into_iter().map(|x| x * x).sum();
        b + c + (0..i).sum::<i32>() + (1..=i).map(|k| k * k).sum::<i32>()
    }

    sums_of_floats_in_order: u32, |i| {
        let x = i as f32;
        let a = [0.1, 1e7 * x, -1e7, x * 0.3, 1e-3];
        let sum = a.iter().map(|y| y * 1.5).sum::<f32>();
        let none = a.iter().copied().skip(9).sum::<f32>();
        let product: f32 = a.iter().product();
        sum.to_bits() ^ none.to_bits().rotate_left(3) ^ product.to_bits().rotate_left(7)
    }

    pairs: i32, |i| {
        let (a, b) = ([i, 2, 3], [5, i + 1, 7, 9]);
        let mut s = 0;
        for (x, y) in a.iter().zip(b.iter()) {
            s += x * *y;
        }
        for (x, y) in a.into_iter().zip(b) {
            s = s * 3 + x - y;
        }
        for (x, y) in a.iter().zip(&b).rev() {
            s = s * 3 + *x - y;
        }
        for ((k, x), y) in a.iter().enumerate().zip(b.iter().skip(1)) {
            s += k as i32 * x + y;
        }
        for (k, (x, y)) in a.iter().zip(b.iter()).enumerate() {
            s += k as i32 * (*x + *y);
        }
        for p in a.iter().zip(b.iter()) {
            s += *p.0 * 2 - p.1;
        }
        s + a.iter().zip(b.iter()).map(|(x, y)| x * y).sum::<i32>() + a.iter().zip(0..).map(|(x, k)| x * k).sum::<i32>()
    }

    parts_of_arrays: i32, |i| {
        let a = [1, 20, 300, 4000, 50000, i];
        let mut s = 0;
        for x in a.iter().copied().skip(1).step_by(2) {
            s = s * 2 + x;
        }
        for x in a.iter().cloned().take(4).rev() {
            s = s * 2 + x;
        }
        for x in a.iter().rev().skip(i as usize).take(2) {
            s = s * 2 + *x;
        }
        for (k, x) in a.iter().rev().enumerate() {
            s += k as i32 * x;
        }
        for (k, &x) in a.iter().enumerate().skip(2).step_by(3) {
            s += k as i32 * x;
        }
        for (mut k, mut x) in a.into_iter().enumerate().rev() {
            k += 1;
            x += k as i32;
            s ^= x;
        }
        s
    }

    ranges: i32, |i| {
        let mut s = 0;
        for k in (0..10).rev().step_by(3).skip(1) {
            s = s * 10 + k;
        }
        for k in (i..9).skip(2).take(3) {
            s = s * 3 + k;
        }
        for (k, m) in (0..i).zip(3..) {
            s += k * m;
        }
        for (k, x) in (0..i).zip([4, 5, 6]) {
            s += k * x;
        }
        for k in (0..=i as u8).rev().map(|k| k * 2) {
            s += i32::from(k);
        }
        for k in (i as i64 - 3..4).rev().filter(|k| k % 2 == 0) {
            s = s * 2 + k as i32;
        }
        for k in 5.. {
            if k > i + 7 {
                break;
            }
            s += k;
        }
        let numbers = 0..i;
        s + numbers.map(|k| k * 2).sum::<i32>() + (0..i).len() as i32 + (2..2 * i + 2).step_by(3).count() as i32
    }

    ranges_that_contain_what_a_name_refers_to: i32, |i| {
        let (a, pair) = ([1, 2, 3, 4], (i, 2));
        let r = 2..i;
        let x = &pair.0;
        let mut s = (0..10).filter(|k| (2..i).contains(k)).count();
        s += a.iter().filter(|x| (2..=i).contains(*x)).count() * 10;
        s += a.iter().copied().filter(|k| r.contains(k) || (..2).contains(k)).count() * 100;
        s as i32 + (1..4).contains(x) as i32 * 1000
    }

    folds: i32, |i| {
        let a = [3, i, -2, 7];
        let b = a.iter().fold(0, |sum, x| sum * 2 + x);
        let c = a.iter().fold(i32::MIN, |most, &x| most.max(x));
        let d = a.iter().copied().fold(1, |sum: i32, x| sum.wrapping_mul(31).wrapping_add(x));
        let (least, most) = a.iter().fold((i32::MAX, i32::MIN), |(low, high), &x| (low.min(x), high.max(x)));
        let e = a.into_iter().reduce(|x, y| x * 3 - y).unwrap_or(0);
        b + c * 2 + d + least * 7 + most * 11 + e
    }

    floats_folded: f32, |i| {
        let a = [0.5_f32, i as f32, -1.25];
        let most = a.iter().fold(f32::NEG_INFINITY, |most, x| most.max(*x));
        let least = a.iter().copied().fold(f32::INFINITY, |a, b| a.min(b));
        let length = a.iter().map(|x| x * x).sum::<f32>().sqrt();
        most * 100.0 + least + length
    }

    searches: i32, |i| {
        let a = [4, i, 9, 2, 3];
        let mut s = 0;
        s += a.iter().any(|&x| x == 3 + i) as i32;
        s += 2 * a.iter().all(|x| *x > 1) as i32;
        s += 10 * a.iter().position(|&x| x == i).unwrap_or(9) as i32;
        s += 100 * a.iter().copied().find(|x| x % 3 == 0).unwrap_or(0);
        s += 1000 * a.iter().filter(|&&x| x > 2).count() as i32;
        s += 10000 * (0..9).find(|k| k * k > i).unwrap_or(0);
        s += 100000 * a.iter().find_map(|&x| (x > 4).then_some(x - 5)).unwrap_or(7);
        s += a.iter().copied().max().unwrap_or(0) - a.iter().copied().min().unwrap_or(0);
        s += a.iter().copied().nth(2).unwrap_or(1) * 3 + a.iter().copied().last().unwrap_or(1) * 5;
        s + a.iter().copied().min_by_key(|x| (x - 3).abs()).unwrap_or(0) * 7
            + a.iter().copied().max_by_key(|x| x % 4).unwrap_or(0) * 13
    }

    filters: i32, |i| {
        let a = [1, 2, 3, 4, 5, 6, 7, 8];
        let mut s = 0;
        for x in a.iter().filter(|x| **x > i) {
            s = s * 3 + *x;
        }
        for (k, x) in a.iter().filter(|x| *x % 2 == 0).enumerate().skip(1) {
            s += k as i32 * x;
        }
        for x in a.iter().copied().filter(|x| x % 3 != i % 3).step_by(2).take(2) {
            s = s * 3 + x;
        }
        for x in a.iter().skip_while(|x| **x < i).take_while(|x| **x < 7) {
            s = s * 2 + x;
        }
        for (x, y) in a.iter().filter(|x| **x > 4).zip(a.iter().rev()) {
            s += x * y;
        }
        for x in a.iter().filter_map(|x| if x % 2 == 1 { Some(x * 10) } else { None }).rev().take(3) {
            s = s * 2 + x;
        }
        s + a.iter().map_while(|&x| if x < 4 { Some(x) } else { None }).sum::<i32>()
            + a.iter().chain([i, 9].iter()).skip(6).map(|x| x * 2).sum::<i32>()
    }

    changes: i32, |i| {
        let mut a = [1, 2, 3, 4];
        let b = [i, 5, 6, 7];
        for (x, y) in a.iter_mut().zip(b) {
            *x += y;
        }
        for x in a.iter_mut().rev().take(2) {
            *x *= 3;
        }
        for (k, x) in a.iter_mut().skip(1).enumerate() {
            *x += k as i32;
        }
        a.iter_mut().for_each(|x| *x -= 1);
        for (x, y) in a.iter_mut().zip(b.iter()).filter(|(_, y)| **y > 5) {
            *x = *x * 2 + y;
        }
        let mut seen = 0;
        let doubled = a.iter().map(|x| { seen += 1; x * 2 }).skip(1).sum::<i32>();
        a[0] + a[1] * 10 + a[2] * 100 + a[3] * 1000 + seen * 7 + doubled
    }

    with_a_name: i32, |i| {
        let a = [3, i, -2, 7];
        let doubled = a.iter().map(|x| x * 2);
        let mut s: i32 = doubled.sum();
        let mut n = i;
        let numbers = (0..n).map(|k| k * k).filter(|k| k % 2 == 0);
        n += 5;
        for k in numbers {
            s = s * 3 + k;
        }
        let pairs = a.iter().enumerate();
        let later = pairs.skip(1);
        for (k, x) in later {
            s += k as i32 * x * n;
        }
        let moved = later_ones(a);
        let mut b = a;
        let before = b.into_iter().rev();
        b[3] = 100;
        for (k, x) in before.enumerate() {
            s = s * 2 + x * k as i32 + b[k];
        }
        let total = {
            let items = b.iter();
            items.copied().fold(0, |sum, x| sum * 2 + x)
        };
        let places = b.iter_mut();
        for x in places {
            *x += 1;
        }
        let by_value = b.into_iter();
        let first = by_value.zip(a).map(|(x, y)| x * y);
        let count = (i..9).step_by(2);
        let _unused = a.iter().skip(2);
        s + moved + total + first.max().unwrap_or(0) + count.count() as i32
    }

    functions_of_numbers_by_name: i32, |i| {
        let a = [0.5_f32, -3.25, i as f32, 1.5];
        let most = a.into_iter().fold(f32::MIN, f32::max);
        let least = a.iter().copied().fold(f32::INFINITY, f32::min);
        let sizes: f32 = a.iter().copied().map(f32::abs).sum();
        let by = a.iter().copied().max_by(f32::total_cmp).unwrap_or(0.0);
        let near = a.iter().copied().min_by(|x, y| x.abs().total_cmp(&y.abs())).unwrap_or(0.0);
        let n = [3, i, -7];
        let product = n.iter().copied().fold(1, i32::wrapping_mul);
        let wide: i64 = n.into_iter().map(i64::from).sum();
        let last = n.into_iter().min_by(i32::cmp).unwrap_or(0);
        let digits = [b'1', b'x', b'9'].iter().filter(|c| c.is_ascii_digit()).count();
        let all = [b'1', b'0' + i as u8].iter().all(u8::is_ascii_digit);
        let squares: i32 = (0..4).zip([2_u32, 1, 3, 0]).map(|(x, n)| i32::pow(x, n)).sum();
        let kept = (i > 2).then_some(-0.75).map_or(2.5, f32::abs);
        ((most - least) * 4.0 + sizes + by + near + kept) as i32 * 100
            + product
            + wide as i32
            + last
            + digits as i32
            + all as i32
            + squares
    }

    text_as_bytes: u64, |i| {
        let mut text = *b"Kernels!";
        for c in text.iter_mut() {
            if c.is_ascii_lowercase() {
                *c -= 32;
            }
            *c = c.to_ascii_lowercase().wrapping_add(i as u8);
        }
        let (a, b) = (*b"kitten", *b"sit\n\x00g");
        let same = a.iter().zip(&b).filter(|(x, y)| x == y).count();
        let vowels = text.iter().filter(|c| matches!(**c, b'a' | b'e' | b'i')).count();
        u64::from_be_bytes(text) ^ same as u64 ^ (vowels as u64) << 32
    }

    parts_by_a_range: i32, |i| {
        let mut a = [3, 1, i, 1, 5, 9];
        let n = i as usize;
        let mut s = 0;
        for x in &a[..n] {
            s = s * 3 + x;
        }
        for (k, x) in a[1..].iter().enumerate() {
            s += k as i32 * x;
        }
        for x in &mut a[2..=4] {
            *x += 1;
        }
        for x in a[..n].iter_mut().rev() {
            *x *= 2;
        }
        for &x in &a[..] {
            s = s * 2 + x;
        }
        let sum: i32 = a[n / 2..n].iter().sum();
        let most = a[1..n + 1].iter().copied().max().unwrap_or(0);
        let rises = a.iter().zip(&a[1..]).filter(|(x, y)| x < y).count() as i32;
        let later = a[3..].iter();
        s + sum * 10 + most * 100 + rises * 1000 + later.map(|x| x * x).sum::<i32>()
    }

    rows_of_a_matrix: i32, |i| {
        let (a, b) = ([[1, i], [3, 4]], [[5, 6], [7, i]]);
        let mut c = [[0; 2]; 2];
        for (row, a) in c.iter_mut().zip(&a) {
            for (j, cell) in row.iter_mut().enumerate() {
                *cell = a.iter().zip(b.iter()).map(|(x, b)| x * b[j]).sum();
            }
        }
        for row in c.iter_mut() {
            for cell in row.iter_mut() {
                *cell += 1;
            }
            for cell in row {
                *cell *= 2;
            }
        }
        let sums = |rows: &[[i32; 2]; 2]| {
            let mut s = 0;
            for row in rows {
                for (k, x) in row.iter().enumerate() {
                    s = s * 3 + *x * k as i32;
                }
            }
            s
        };
        let mut s = sums(&c);
        c.iter().for_each(|row| {
            for x in row {
                s = s * 5 + x;
            }
        });
        s
    }

    references_in_a_loop: i32, |i| {
        let rows = [[1, i, 3], [4, 5, 6]];
        let mut s = 0;
        for row in &rows {
            for &x in row {
                s = s * 2 + x;
            }
            for (k, &x) in row.iter().enumerate() {
                s += k as i32 * x;
            }
            for (k, x) in row.iter().enumerate().rev() {
                s += k as i32 + *x;
            }
        }
        for (y, row) in rows.iter().enumerate() {
            for (x, &cell) in row.iter().enumerate() {
                s += (y * 3 + x) as i32 * cell;
            }
            for x in row {
                s ^= x;
            }
        }
        let pair = (rows, i);
        let (grid, by) = &pair;
        for row in grid {
            for x in row {
                s += x * by;
            }
        }
        for &[a, b, c] in &rows {
            s = s * 3 + a - b + c;
        }
        if let Some(row) = &Some(rows[1]) {
            for &x in row {
                s += x;
            }
            for (k, x) in row.iter().enumerate() {
                s += x * k as i32;
            }
        }
        match &pair {
            (all, 3) => {
                for row in all.iter().skip(1) {
                    for x in row.iter() {
                        s += 100 * x;
                    }
                }
            }
            (all, _) => {
                for &[first, ..] in all {
                    s += 7 * first;
                }
            }
        }
        s + all_of(&rows[0]) + all_of(&[i, 2, 3])
    }

    nested: i32, |i| {
        let rows = [[1, i, 3], [4, 5, i], [7, 8, 9]];
        let mut s: i32 = rows.iter().map(|row| row.iter().sum::<i32>()).sum();
        s += rows.iter().map(|row| row.iter().copied().max().unwrap_or(0)).product::<i32>();
        for (y, row) in rows.iter().enumerate().rev() {
            for (x, cell) in row.iter().enumerate().skip(y) {
                s = s * 2 + cell * (x + y) as i32;
            }
        }
        s += (0..3).map(|y| (0..3).filter(|x| *x != y).map(|x| rows[x][y]).sum::<i32>()).sum::<i32>();
        'rows: for row in rows.iter().skip(1) {
            for x in row.iter().rev().step_by(2) {
                if *x == i {
                    continue 'rows;
                }
                s += x;
            }
        }
        s
    }
}

#[test]
fn the_example_of_the_documentation() {
    on_all(&[5.25, 5.5, 6.75], |launch, out: &ArrayView<'_, f32>| {
        parallel_for_each!(launch, |i| {
            let (weights, mut values) = ([0.25_f32, 0.5, 0.25], [1.0, 2.0, i[0] as f32]);
            for (k, x) in values.iter_mut().enumerate().skip(1) {
                *x += k as f32;
            }
            let blurred: f32 = weights.iter().zip(&values).map(|(w, x)| w * x).sum();
            let most = values.iter().fold(f32::MIN, |most, x| most.max(*x));
            out[i] = if (0..3).any(|k| k == i[0]) { blurred + most } else { 0.0 };
        })
    });
}

#[amp]
fn later_ones(a: [i32; 4]) -> i32 {
    let later = a.iter().skip(1).step_by(2);
    later.sum()
}

#[amp]
fn all_of(a: &[i32; 3]) -> i32 {
    let mut s = 0;
    for &x in a {
        s = s * 5 + x;
    }
    for (k, &x) in a.iter().enumerate() {
        s += k as i32 * x;
    }
    s
}

mod of_structs {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Body {
        at: f32,
        mass: f32,
    }

    #[amp]
    fn center<const N: usize>(bodies: &[Body; N]) -> f32 {
        let mass: f32 = bodies.iter().map(|body| body.mass).sum();
        bodies.iter().map(|Body { at, mass }| at * mass).sum::<f32>() / mass
    }

    #[amp]
    fn push(bodies: &mut [Body; 3], by: &[f32; 3]) {
        for (body, by) in bodies.iter_mut().zip(by).skip(1) {
            body.at += by;
            body.mass *= 2.0;
        }
    }

    #[amp]
    fn total<T: Scalar + std::iter::Sum<T>>(a: &[T; 3]) -> T {
        a.iter().copied().sum()
    }

    #[test]
    fn run() {
        let expected: Vec<f32> = (0..3)
            .map(|i| {
                let mut bodies = [Body { at: i as f32, mass: 1.0 }; 3];
                push(&mut bodies, &[1.0, 2.0, 0.5]);
                center(&bodies) + total(&[i, 2, 3]) as f32
            })
            .collect();
        on_all(&expected, |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                let mut bodies = [Body { at: i[0] as f32, mass: 1.0 }; 3];
                push(&mut bodies, &[1.0, 2.0, 0.5]);
                v[i] = center(&bodies) + total(&[i[0], 2, 3]) as f32;
            })
        });
    }
}

mod of_the_users_own_names {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Line {
        from: i32,
        to: i32,
    }

    #[amp]
    impl Line {
        fn map(self, by: i32) -> i32 {
            self.from * by + self.to
        }

        fn sum(&self) -> i32 {
            self.from + self.to
        }

        fn zip(self, other: Line) -> [i32; 2] {
            [self.map(2), other.sum()]
        }

        fn iter(&self) -> [i32; 2] {
            [self.to, self.from]
        }
    }

    #[test]
    fn run() {
        on_all(&[109, 115, 121], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let line = Line { from: i[0], to: 9 };
                let [a, b] = line.iter();
                let mut s = 0;
                for x in line.zip(Line { from: 1, to: 90 }) {
                    s += x;
                }
                for x in line.zip(line).iter().skip(1) {
                    s += x;
                }
                v[i] = s + a - a + b * 3 - line.from * 0 - 0;
            })
        });
    }
}

mod threads_of_a_tile {
    use super::*;

    #[test]
    fn sum_what_they_share() {
        let view = ArrayView::<i32>::without_source([4]).expect("there is memory");
        parallel_for_each!(view.extent().tile::<4>(), |t| {
            #[tile_static]
            let shared: [i32; 4];
            shared[t.local[0]] = t.local[0] * 10;
            t.barrier.wait();
            view[t.global] = shared.iter().sum::<i32>() + shared.iter().copied().skip(2).step_by(1).sum::<i32>();
        })
        .expect("it runs");
        assert_eq!(view.into_vec().expect("the elements can be read"), [110; 4]);
    }
}
