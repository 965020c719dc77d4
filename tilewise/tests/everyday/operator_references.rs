//! Operators on references: each that Rust gives `&T` beside `T`, of numbers, `bool`s, characters, enums, tuples,
//! arrays and types of the program.

use super::*;

/// `a op b` for each operator and each choice of `T` and `&T`; `c op= b`; `a == b` and its like of `T`, `&T`, `&&T`.
macro_rules! operators {
    ($($name:ident: $t:ty, |$i:ident| ($a:expr, $b:expr), [$($op:tt)*] [$($assign:tt)*] [$($unary:tt)*];)*) => {$(
        same! {
            $name: i32, |$i| {
                let (a, b): ($t, $t) = ($a, $b);
                let (x, y) = (&a, &b);
                let both = [a, b];
                let mut s = 0_i32;
                $(
                    s = s.wrapping_mul(3).wrapping_add((a $op b) as i32);
                    s = s.wrapping_mul(3).wrapping_add((x $op b) as i32);
                    s = s.wrapping_mul(3).wrapping_add((a $op y) as i32);
                    s = s.wrapping_mul(3).wrapping_add((x $op y) as i32);
                    s = s.wrapping_mul(3).wrapping_add((&a $op &b) as i32);
                    let f = |p: &$t, q: &$t| (p $op q) as i32;
                    s = s.wrapping_mul(3).wrapping_add(f(&a, y));
                    let g = |p: $t, q: &$t| (p $op q) as i32;
                    s = s.wrapping_mul(3).wrapping_add(g(a, &b));
                    s = both.iter().fold(s, |s, p| s.wrapping_mul(3).wrapping_add((p $op b) as i32));
                    s = both.iter().fold(s, |s, p| s.wrapping_mul(3).wrapping_add((a $op p) as i32));
                    for (p, q) in both.iter().zip([b, a].iter()) {
                        s = s.wrapping_mul(3).wrapping_add((p $op q) as i32);
                    }
                )*
                $(
                    let mut c = a;
                    c $assign b;
                    c $assign y;
                    c $assign &b;
                    let m = &mut c;
                    *m $assign &both[1];
                    s = s.wrapping_mul(3).wrapping_add(c as i32);
                )*
                $(
                    s = s.wrapping_mul(3).wrapping_add(($unary a) as i32);
                    s = s.wrapping_mul(3).wrapping_add(($unary x) as i32);
                    s = s.wrapping_mul(3).wrapping_add(($unary &b) as i32);
                    s = both.iter().fold(s, |s, p| s.wrapping_mul(3).wrapping_add(($unary p) as i32));
                )*
                s
            }
        }
    )*};
}

operators! {
    of_i8: i8, |i| (i as i8 + 5, 1), [+ - * / % & | ^] [+= -= *= /= %= &= |= ^=] [- !];
    of_u8: u8, |i| (i as u8 + 5, 1), [+ * / % & | ^] [+= *= /= %= &= |= ^=] [!];
    of_i16: i16, |i| (i as i16 + 5, 3), [+ - * / % & | ^] [+= -= *= /= %= &= |= ^=] [- !];
    of_u16: u16, |i| (i as u16 + 5, 3), [+ * / % & | ^] [+= *= /= %= &= |= ^=] [!];
    of_i32: i32, |i| (i + 5, 3), [+ - * / % & | ^] [+= -= *= /= %= &= |= ^=] [- !];
    of_u32: u32, |i| (i as u32 + 5, 3), [+ * / % & | ^] [+= *= /= %= &= |= ^=] [!];
    of_i64: i64, |i| (i as i64 + 5, 3), [+ - * / % & | ^] [+= -= *= /= %= &= |= ^=] [- !];
    of_u64: u64, |i| (i as u64 + 5, 3), [+ * / % & | ^] [+= *= /= %= &= |= ^=] [!];
    of_isize: isize, |i| (i as isize + 5, 3), [+ - * / % & | ^] [+= -= *= /= %= &= |= ^=] [- !];
    of_f32: f32, |i| (i as f32 + 5.5, 3.25), [+ - * / %] [+= -= *= /= %=] [-];
    of_f64: f64, |i| (i as f64 + 5.5, 3.25), [+ - * / %] [+= -= *= /= %=] [-];
    of_bool: bool, |i| (i > 2, i % 2 == 0), [& | ^] [&= |= ^=] [!];
}

/// Shifts by amounts of another type.
macro_rules! shifts {
    ($($name:ident: $t:ty, $n:ty;)*) => {$(
        same! {
            $name: i32, |i| {
                let (a, n): ($t, $n) = (i as $t * 3 + 5, i as $n % 4 + 1);
                let (x, m) = (&a, &n);
                let mut s = 0_i32;
                for shifted in [a << n, a << m, x << n, x << m] {
                    s = s.wrapping_mul(3).wrapping_add(shifted as i32);
                }
                for shifted in [a >> n, a >> m, x >> n, x >> m] {
                    s = s.wrapping_mul(3).wrapping_add(shifted as i32);
                }
                s = s.wrapping_mul(3).wrapping_add((&a << &2) as i32 + (a >> &1) as i32);
                let mut c = a;
                c <<= m;
                c >>= &1;
                c <<= n;
                s = s.wrapping_mul(3).wrapping_add(c as i32);
                s = s.wrapping_mul(3).wrapping_add((0..6).filter(|b| a >> b & 1 == 1).count() as i32);
                [1 as $n, 2].iter().fold(s, |s, n| s.wrapping_mul(3).wrapping_add((x >> n) as i32))
            }
        }
    )*};
}

shifts! {
    i32_by_u32: i32, u32;
    i32_by_usize: i32, usize;
    u8_by_i32: u8, i32;
    u64_by_u8: u64, u8;
    usize_by_usize: usize, usize;
    usize_by_i64: usize, i64;
    i64_by_i16: i64, i16;
}

/// Comparisons of `T`, `&T` and `&&T`.
macro_rules! comparisons {
    ($($name:ident: $t:ty, |$i:ident| ($a:expr, $b:expr), [$($op:tt)*];)*) => {$(
        same! {
            $name: i32, |$i| {
                let (a, b): ($t, $t) = ($a, $b);
                let (x, y) = (&a, &b);
                let (both, other) = ([a, b], [b, a]);
                let mut s = 0_i32;
                $(
                    s = s.wrapping_mul(2).wrapping_add(i32::from(a $op b));
                    s = s.wrapping_mul(2).wrapping_add(i32::from(x $op y));
                    s = s.wrapping_mul(2).wrapping_add(i32::from(&a $op &b));
                    s = s.wrapping_mul(2).wrapping_add(i32::from(x $op &b));
                    s = s.wrapping_mul(2).wrapping_add(i32::from(&x $op &y));
                    s = s.wrapping_mul(2).wrapping_add(i32::from(*x $op b));
                    s = s.wrapping_mul(2).wrapping_add(i32::from(both[0] $op *y));
                    let f = |p: &&$t, q: &&$t| p $op q;
                    s = s.wrapping_mul(2).wrapping_add(i32::from(f(&x, &&b)));
                    s = s.wrapping_mul(3).wrapping_add(both.iter().filter(|p| p $op &&b).count() as i32);
                    s = s.wrapping_mul(3).wrapping_add(both.iter().filter(|p| *p $op &b).count() as i32);
                    s = s.wrapping_mul(3).wrapping_add(both.iter().filter(|p| **p $op b).count() as i32);
                    let beside = both.iter().zip(other.iter()).filter(|(p, q)| p $op q);
                    s = s.wrapping_mul(3).wrapping_add(beside.count() as i32);
                )*
                s
            }
        }
    )*};
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, AmpStruct)]
enum Level {
    Low,
    Middle,
    High,
}

#[amp]
#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Shape {
    Dot,
    Disc(i32),
    Box { width: i32 },
}

#[amp]
#[derive(Clone, Copy, PartialEq, PartialOrd, AmpStruct)]
struct Pair {
    a: i32,
    b: i32,
}

comparisons! {
    compared_i32: i32, |i| (i, 3), [== != < <= > >=];
    compared_u8: u8, |i| (i as u8, 3), [== != < <= > >=];
    compared_i64: i64, |i| (i as i64, 3), [== != < <= > >=];
    compared_f32: f32, |i| (i as f32, 3.0), [== != < <= > >=];
    compared_bool: bool, |i| (i > 2, i % 2 == 0), [== != < <= > >=];
    compared_char: char, |i| (if i > 2 { 'a' } else { 'c' }, 'b'), [== != < <= > >=];
    compared_levels: Level, |i| (if i > 2 { Level::Low } else { Level::High }, Level::Middle), [== != < <= > >=];
    compared_shapes: Shape, |i| (if i > 2 { Shape::Disc(i) } else { Shape::Dot }, Shape::Disc(3)), [== !=];
    compared_pairs: Pair, |i| (Pair { a: i, b: 2 }, Pair { a: 3, b: 1 }), [== != < <= > >=];
    compared_tuples: (i32, u8), |i| ((i, 2), (3, 1)), [== != < <= > >=];
    compared_arrays: [i32; 2], |i| ([i, 2], [3, 1]), [== != < <= > >=];
    compared_options: Option<i32>, |i| (if i > 4 { None } else { Some(i) }, Some(3)), [== != < <= > >=];
}

same! {
    references_in_tuples_and_arrays: i32, |i| {
        let (a, b, c, d) = (i, 2, 1, i);
        let (x, y) = (&a, &c);
        let mut s = i32::from((&a, b) == (&c, d)) + i32::from((&a, &b) < (&c, &d)) * 2;
        s += i32::from((x, y) == (y, x)) * 4 + i32::from([x, y] == [y, x]) * 8;
        s + i32::from([&a, &b] < [&c, &d]) * 16
    }

    orders_of_references: i32, |i| {
        let (a, b) = (i, 3);
        let (x, y) = (&a, &b);
        let mut s = x.cmp(y) as i32 + x.cmp(&b) as i32 * 3 + a.cmp(y) as i32 * 5;
        s += i32::from((&x).partial_cmp(&&b).is_some());
        s += *std::cmp::max(x, y) * 7 + *x.min(y) + *(&a).max(&b);
        s += i32::from(std::cmp::min(&a, &b) == &a);
        s += [a, b].iter().filter(|p| p.cmp(&&b).is_lt()).count() as i32 * 11;
        s + [a, b].iter().map(|p| p.clone() + x.clone()).sum::<i32>() * 13
    }

    bits_by_references: i32, |i| {
        let n = i * 7 + 3;
        let set = (0..8).filter(|b| n >> b & 1 == 1).count() as i32;
        let powers = [1_u32, 2, 3, 4, i as u32].iter().filter(|x| x.is_power_of_two()).count() as i32;
        let mut order = [5, i, 1, -2];
        order.sort_unstable_by_key(|x| -x);
        set + powers * 10 + order[0] * 100 + order[3] * 1000
    }
}
