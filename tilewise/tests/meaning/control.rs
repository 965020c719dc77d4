//! Control flow, order of evaluation and copies: the same as plain Rust.

use std::sync::Mutex;

use tilewise::prelude::*;
use tilewise::{Accelerator, ArrayView, Error, TileStatic, amp, parallel_for_each};

use crate::{P, Q, on_all, on_each};

oracle! {
    a_condition_leaves_its_own_loop_by_label(n) -> i32 {
        let mut c = 0;
        'outer: loop {
            c += 1;
            'a: while { if c > n { break 'a; } true } {
                c += 10;
                if c > 50 { break 'outer; }
            }
            c += 1000;
            if c > 2000 { break; }
        }
        c
    }
    effects_of_a_condition_that_is_always_true(n) -> i32 {
        let mut c = 0;
        let mut s = 0;
        'a: while { c += 1; if c > n * 3 { break 'a; } c % 7 != 6 } {
            if c == 3 { continue; }
            s += c;
        }
        while { c += 1; true } {
            if c % 2 == 0 { continue; }
            s += c;
            if c > 30 { break; }
        }
        s * 100 + c
    }
    loops_in_conditions(n) -> i32 {
        let mut s = n;
        while { let mut k = 0; while k < s % 4 { k += 1; } s += k + 1; s < 100 } { s += 5; }
        s
    }
    breaks_in_conditions_of_loops_in_conditions(n) -> i32 {
        let mut s = n;
        'b: while { s += 1; 'c: while { s += 2; if s % 3 == 0 { break 'c; } if s == 901 { continue 'b; } s % 11 != 0 } { s += 1; } s < 1000 } { s += 5; }
        s
    }
    breaks_of_outer_loops_in_conditions(n) -> i32 {
        let mut s = n;
        'b: while { s += 1; let mut k = 0; loop { k += 1; if k > 3 { break; } if s > 50 { break 'b; } } s < 1000 } { s += 5; }
        s
    }
    the_body_reads_what_the_condition_wrote(n) -> i32 {
        let mut s = 0;
        let mut j = n;
        let mut c = 0;
        while { c = (j * 3 + 5) % 7; c != 0 } { s = s * 3 + c; j += 1; }
        s * 10 + c
    }
    returns_in_a_condition(n) -> i32 {
        let mut i = 0;
        while { if i > n { return i * 100; } i < 4 } { i += 1; }
        i
    }
    continues_of_an_outer_loop_in_a_condition(n) -> i32 {
        let mut s = 0;
        'o: for r in 0..5 {
            let mut i = r;
            while { if i > n { continue 'o; } i < 6 } { i += 1; s += 1; }
            s += 100;
        }
        s
    }
    labels(n) -> i32 {
        let mut c = 0;
        'a: for i in 0..n {
            'b: for j in 0..n {
                if j == i { continue 'a; }
                if j > 5 { break 'a; }
                c += 1;
            }
            c += 100;
        }
        let d = 'x: { if n > 5 { break 'x n * 2; } if n > 3 { break 'x 7; } n };
        let e = loop { c += 1; if c % 7 == 3 { break c; } };
        c + d + e
    }
}

oracle! {
    ranges(n) -> i64 {
        let mut s = 0i64;
        for i in (i32::MAX - n)..=i32::MAX { s += i as i64; }
        for i in (i32::MIN..=i32::MIN + n).rev() { s = s * 3 % 1000003 + i as i64; }
        for i in (u32::MAX - 3..=u32::MAX).rev().step_by(2) { s = s * 3 % 1000003 + i as i64; }
        for i in (i32::MIN..=i32::MAX).step_by(1 << 30) { s = s * 3 % 1000003 + i as i64; }
        for i in (i32::MIN..i32::MAX).rev().step_by(3_000_000_000) { s = s * 3 % 1000003 + i as i64; }
        for i in (i32::MIN..=i32::MAX).step_by(4_294_967_295) { s = s * 3 % 1000003 + i as i64; }
        for i in (-5..n).step_by(3).rev() { s = s * 3 % 1000003 + i as i64; }
        for i in (-5..=n).rev().step_by(4) { s = s * 3 % 1000003 + i as i64; }
        for i in (-5..n).rev().step_by(2).rev().step_by(3) { s = s * 3 % 1000003 + i as i64; }
        for i in (5..n) { s = s * 3 % 1000003 + i as i64; }
        for i in (5..=n).rev() { s = s * 3 % 1000003 + i as i64; }
        for i in (i64::MAX - 2)..=i64::MAX { s = s * 3 % 1000003 + i % 1000; }
        for i in (0..=u64::MAX).rev().step_by(4_000_000_000).step_by(3) { s = s * 3 % 1000003 + (i % 1000) as i64; if i < u64::MAX - 50_000_000_000 { break; } }
        for i in 250u8..=255 { s = s * 3 % 1000003 + i as i64; }
        for i in (0i8..=127).step_by(100).rev() { s = s * 3 % 1000003 + i as i64; }
        for i in (0u16..65535).rev().step_by(30000) { s = s * 3 % 1000003 + i as i64; }
        for i in 0..n as usize { s = s * 3 % 1000003 + i as i64; }
        for i in (0..=n as usize).rev().step_by(3) { s = s * 3 % 1000003 + i as i64; }
        for i in 0..0 { s += 1; }
        for i in 1..=0 { s += 1; }
        for i in (1..=0).rev() { s += 1; }
        for i in (1..0).step_by(2).rev() { s += 1; }
        for i in (0..=u32::MAX).step_by(65536).step_by(65536) { s = s * 3 % 1000003 + i as i64 + 1; }
        s
    }
    range_evaluated_once(n) -> i32 {
        let mut m = n;
        let mut s = 0;
        for i in m..m + 3 { m += 10; s = s * 7 + i; }
        for mut i in 0..3 { i *= 5; s = s * 3 + i; }
        let mut log = 0;
        for i in ({ log = log * 10 + 1; 0 }..{ log = log * 10 + 2; 5 }) { s += i; }
        for i in ({ log = log * 10 + 3; 0 }..{ log = log * 10 + 4; 9 }).step_by({ log = log * 10 + 5; 2 }).rev() { s += i; }
        s + log
    }
    matches(n) -> i32 {
        let a = match n { i32::MIN..=-1 => 1, 0 => 2, 1 | 2 => 3, 3..=4 => 4, x if x % 2 == 0 => x * 10, 7.. => 5, _ => 6 };
        let b = match (n % 3, n > 5, n) { (0, true, _) => 10, (1, _, x) | (2, true, x) if x > 6 => x * 100, (k, false, _) => k + 20, (_, _, q) if q > 100 => 0, _ => 30 };
        let f = match n as f32 - 3.0 { 0.0 => 1, -3.0..=-2.0 => 2, x if x.is_nan() => 3, 1e0..4.5 => 4, _ => 5 };
        let g = match -0.0f32 * n as f32 { 0.0 => 1, _ => 2 };
        let h = match n as u32 { 0..3 => 1, 3..=u32::MAX => 2 };
        let i = match n as i64 * 5_000_000_000 { -1 => 1, 5_000_000_000 => 2, 10_000_000_000..=25_000_000_000 => 3, _ => 4 };
        let j = match n > 3 { true => 1, false => 2 };
        let k = match n as u8 { 5 => 2, 0..=3 => 3, _ => 4 };
        a + b * 7 + f * 1000 + g * 3000 + h * 10000 + i * 100000 + j * 500000 + k * 2000000
    }
    match_order(n) -> i32 {
        let mut log = 0;
        let r = match { log += 1; n } { x if { log = log * 2 + 1; x > 8 } => 1, 3 if { log = log * 2 + 5; false } => 2, 3 => 3, y2 if { log = log * 3; y2 == 5 } => 4, _ => 5 };
        log * 10 + r
    }
    order_of_operands(n) -> i32 {
        let mut x = n;
        let a = x + { x = 5; x } * { x += 1; x };
        let b = (x, { x = 9; x }, x);
        let c = [x, { x *= 2; x }, x];
        let mut arr = [1, 2, 3, 4];
        let mut k = 0usize;
        arr[{ k += 1; k }] = { k += 1; k as i32 * 10 };
        arr[{ k = 0; k }] += { k += 2; k as i32 * 10 };
        x += { x = 3; x };
        let d = { x } + 1;
        let e = if x > 3 { 1 } else { 2 } + 3;
        let f = (if x > 3 { 1 } else { 2 }) + 3;
        let g = match x { 6 => 1, _ => 2 } * 4;
        a + b.0 * 3 + b.1 * 5 + b.2 * 7 + c[0] + c[1] * 2 + c[2] * 3 + arr[0] + arr[1] * 2 + arr[2] * 3 + arr[3] * 5 + x * 1000 + d + e * 3 + f * 5 + g * 7
    }
    short_circuit(n) -> i32 {
        let mut log = 0;
        let a = n > 3 && { log += 1; n > 5 } || { log += 10; n == 2 };
        let b = (n > 3 || { log += 100; n > 1 }) && { log += 1000; n < 9 };
        let c = n > 3 & { log += 10000; 1 } ;
        let d = (n > 3) ^ (n < 9) | !(n == 4) & true;
        log + a as i32 + b as i32 * 2 + c as i32 * 4 + d as i32 * 8
    }
    struct_order(n) -> i32 {
        let mut x = n;
        let p = P { y: { x += 1; x }, x: { x *= 2; x } };
        let q = P { x: { x += 5; x }, ..{ x += 1; P { x, y: x } } };
        let r = P { x: 1, ..p };
        p.x + p.y * 3 + q.x * 5 + q.y * 7 + r.x + r.y + x
    }
    copies(n) -> i32 {
        let b = P { x: n, y: 2 };
        let mut a = b;
        a.x = 100;
        let mut c = [b, a, b];
        let d = c;
        c[1].x = 7;
        let mut e = (a, c);
        e.0.y = 9;
        e.1[0].x = 55;
        let mut f = Q { p: a, a: c };
        let g = f;
        f.a[2].y = f.a[1].x + f.p.x;
        f.p = f.a[0];
        f.a[0] = f.a[2];
        let mut h = [[1, 2], [3, 4]];
        let row = h[0];
        h[0] = h[1];
        h[1] = row;
        h[0][1] = h[1][0] + row[1];
        let mut t = (1, 2);
        t = (t.1, t.0);
        let mut z = [1, 2, 3];
        z = [z[2], z[0], z[1]];
        let mut s = P { x: 3, y: 4 };
        s = P { x: s.y, y: s.x };
        a.x + b.x * 2 + c[1].x * 3 + d[1].x * 4 + e.0.y + e.1[0].x + a.y + c[0].x * 5 + f.a[2].y + f.p.x + f.a[0].y + g.a[2].y + h[0][1] + h[1][0] * 3 + t.0 * 11 + z[0] * 13 + z[1] * 17 + s.x * 19
    }
    large_array_copies(n) -> i32 {
        let mut a = [n; 40];
        let k = n as usize;
        a[k] = 5;
        let b = a;
        a[k + 1] = 6;
        let mut keep = b;
        let mut s = 0;
        for i in 0..4 {
            let c = if i % 2 == 0 { a } else { b };
            s = s * 3 + keep[k + 1] + c[k] + keep[k];
            keep = c;
            keep[k] += i as i32;
            a = keep;
        }
        let d = loop { s += 1; if s % 5 == 0 { break [s; 20]; } };
        let e = 'l: { if n > 5 { break 'l keep; } a };
        s + d[k] + e[k] + b[k + 1]
    }
    casts(n) -> i64 {
        let mut s = 0i64;
        let mut k = 0;
        let table = [0.0f64, -1.0, 1.5, 255.5, 256.0, -128.5, 65536.0, 2147483648.0, -2147483649.0, 1e19, -1e30, f64::NAN];
        let x = table[n as usize];
        let f = x as f32;
        let i = x as i32;
        let u = x as u32;
        let l = x as i64;
        let m = x as u64;
        s = s * 31 % 1000000007 + (x as i8) as i64;
        s = s * 31 % 1000000007 + (x as u8) as i64;
        s = s * 31 % 1000000007 + (x as i16) as i64;
        s = s * 31 % 1000000007 + (x as u16) as i64;
        s = s * 31 % 1000000007 + (f as i8) as i64;
        s = s * 31 % 1000000007 + (f as u8) as i64;
        s = s * 31 % 1000000007 + (f as i16) as i64;
        s = s * 31 % 1000000007 + (f as u16) as i64;
        s = s * 31 % 1000000007 + (f as i32) as i64;
        s = s * 31 % 1000000007 + (f as u32) as i64;
        s = s * 31 % 1000000007 + (f as i64) % 1000;
        s = s * 31 % 1000000007 + (f as u64 % 1000) as i64;
        s = s * 31 % 1000000007 + i as i64 + u as i64 + l % 1000 + (m % 1000) as i64;
        s = s * 31 % 1000000007 + (i as i8) as i64 + (i as u8) as i64 + (i as i16) as i64 + (i as u16) as i64 + (i as u32) as i64 + (i as u64 % 1000) as i64;
        s = s * 31 % 1000000007 + (u as i8) as i64 + (u as u8) as i64 + (u as i16) as i64 + (u as u16) as i64 + (u as i32) as i64 + (u as u64 % 1000) as i64;
        s = s * 31 % 1000000007 + (l as i8) as i64 + (l as u8) as i64 + (l as i16) as i64 + (l as u16) as i64 + (l as i32) as i64 + (l as u32) as i64;
        s = s * 31 % 1000000007 + (m as i8) as i64 + (m as u8) as i64 + (m as i16) as i64 + (m as u16) as i64 + (m as i32) as i64 + (m as u32) as i64;
        s = s * 31 % 1000000007 + (i as f32).to_bits() as i64 + (u as f32).to_bits() as i64 + (l as f32).to_bits() as i64 + (m as f32).to_bits() as i64;
        s = s * 31 % 1000000007 + ((i as f64).to_bits() % 1000) as i64 + ((u as f64).to_bits() % 1000) as i64 + ((l as f64).to_bits() % 1000) as i64 + ((m as f64).to_bits() % 1000) as i64;
        s = s * 31 % 1000000007 + (n > 3) as i64 + ((n > 3) as u8) as i64 + ((n > 2) as u64) as i64 + ((n > 2) as i32) as i64;
        s = s * 31 % 1000000007 + ((i as i8) as u8) as i64 + ((i as u8) as i8) as i64 + ((i as i16) as u32) as i64 + ((i as i8) as u64 % 1000) as i64 + ((i as u16) as f32) as i64 + ((i as i8) as f64) as i64;
        s = s * 31 % 1000000007 + -1i32 as u32 as i64 + (-1i64 as u32) as i64 + (u32::MAX as i32) as i64 + (!0u64 as i64);
        s
    }
    early_returns(n) -> i32 {
        let mut s = 0;
        for i in 0..10 {
            for j in 0..10 {
                s += i * j;
                if s > n * 10 { return s * 2; }
                if j > i { break; }
            }
            if i == 8 { return -1; }
        }
        let x = match n { 0 => return 5, 1 => { if s > 3 { return 6; } 7 } _ => 8 };
        if x > 7 { if n > 5 { return x * 100; } else { s += 1; } }
        x + s
    }
    nested_returns(n) -> i32 {
        let x = if n > 8 { return 1; } else if n > 6 { return { if n == 7 { 3 } else { return 4 } }; } else { 5 };
        let y2 = { let q = n * 2; if q > 8 { return q; } q };
        let z: i32;
        if n > 2 { z = 5; } else { z = 6; }
        return x + y2 * 10 + z * 100;
    }
    shadowing(n) -> i32 {
        let x = n;
        let x = x + 1;
        let r = { let x = x * 2; let y2 = x; { let x = 100; y2 + x } };
        for x in 0..2 { let x = x + 10; }
        let s = match x { x if x > 5 => x * 3, x => x };
        let (x, y2) = (s, x);
        r + x * 7 + y2
    }
    names_of_the_macro(n) -> i32 {
        let __w0 = n;
        let __v1 = 2;
        let __bindings = 3;
        let mut __i1 = [1, 2, 3];
        let __e2 = 4;
        let dual = 5;
        let r#match = 6;
        let called = 7;
        let __call = 8;
        let marker = 1;
        __i1[{ let __v1 = 1; __v1 }] += { let __i1 = 5; __i1 + __v1 };
        __w0 + __v1 + __bindings + __i1[1] + __e2 + dual + r#match + called + __call + marker
    }
    blocks(n) -> i32 {
        let u = ();
        let one = (n,);
        let ((a, b), c, (d,)) = ((1, n), 3, (4,));
        let e = { {}; { n } };
        let f = -{ n };
        let g = { 5 } + loop { break 3; } * 2;
        let i = -n.abs().pow(2).min(3);
        let j = !n as i32;
        let k = -1i32 as u32 as i32;
        let l = n - -n - - -n;
        let m = 2 + 3 * n % 5 - 8 / 3 << 1 & 0xff | 3 ^ 1;
        one.0 + a + b + c + d + e + f + g + i + j + k + l + m
    }
}

oracle! {
    steps_whose_product_is_beyond_the_type(n) -> i32 {
        let mut rounds = 0;
        let end = u32::MAX - (n as u32 / 6);
        for _ in (0..=end).step_by(3).step_by(0x5555_5556) { rounds += 1; }
        for _ in (0..=end).step_by(5).step_by(0x3333_3334) { rounds += 10; }
        for _ in (0..=end).step_by(3).step_by(0x5555_5555) { rounds += 100; }
        for _ in (0..end).rev().step_by(0x5555_5556).step_by(3) { rounds += 1_000; }
        for _ in (0..end).step_by(0x8000_0000).rev().step_by(2).step_by(7) { rounds += 10_000; }
        for _ in (i32::MIN..=i32::MAX).step_by(3).step_by(0x5555_5556) { rounds += 100_000; }
        for _ in (0..=u64::MAX).step_by(0xFFFF_FFFF).step_by(0xFFFF_FFFF).step_by(5) { rounds += 1_000_000; }
        rounds
    }
}
