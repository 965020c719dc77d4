//! What the text of a kernel means: `native`, `reference` and `jit` agree to the bit, and with plain Rust where that has the same text.
#![allow(
    clippy::all,
    clippy::pedantic,
    unused,
    non_upper_case_globals,
    non_camel_case_types,
    missing_debug_implementations,
    missing_docs,
    unreachable_pub,
    reason = "kernels that are written in odd ways, which is what is tested"
)]

use std::sync::Mutex;
use tilewise::prelude::*;
use tilewise::{Accelerator, ArrayView, Element, Error, Launch, ReadView, TileStatic, amp, kernel, parallel_for_each};

/// Runs a kernel on all targets, each on zeros, and gives the results. The reference may report what is out of range, or read before it is written: both have a meaning.
fn on_all<const N: usize, T: Element + PartialEq + std::fmt::Debug>(
    extent: [i32; N],
    run: impl Fn(Launch<Extent<N>>, &ArrayView<'_, T, N>) -> tilewise::Result<()>,
) -> Vec<T> {
    on_each_of(extent, |on, view| run(Launch::new(Extent(extent)).on(on), view))
}

fn on_each<T: Element + PartialEq + std::fmt::Debug>(
    n: i32,
    run: impl Fn(&tilewise::AcceleratorView, &ArrayView<'_, T>) -> tilewise::Result<()>,
) -> Vec<T> {
    on_each_of([n], run)
}

fn on_each_of<const N: usize, T: Element + PartialEq + std::fmt::Debug>(
    extent: [i32; N],
    run: impl Fn(&tilewise::AcceleratorView, &ArrayView<'_, T, N>) -> tilewise::Result<()>,
) -> Vec<T> {
    let [native, reference, jit] = ["native", "reference", "jit"].map(|target| {
        let on = Accelerator::new(target).unwrap().default_view();
        let count = Extent(extent).size() as usize;
        let view = ArrayView::from_vec(extent, vec![tilewise::bytemuck::Zeroable::zeroed(); count]).unwrap();
        match run(&on, &view) {
            Ok(()) => {}
            Err(Error::OutOfBounds(_) | Error::UninitializedRead(_)) if target == "reference" => {}
            Err(error) => panic!("on {target}: {error}"),
        }
        view.into_vec().unwrap()
    });
    assert_eq!(native, reference, "native, then reference");
    assert_eq!(jit, reference, "jit, then reference");
    native
}

/// The same tokens as an amp function and as plain Rust; compares plain, native, reference, jit.
macro_rules! oracle {
    ($($name:ident ($n:ident) -> $r:ty { $($body:tt)* })*) => {$(
        #[test]
        fn $name() {
            #[amp]
            fn inner($n: i32) -> $r { $($body)* }
            fn plain($n: i32) -> $r { $($body)* }
            let got = on_all([12], |launch, v: &ArrayView<'_, $r>| parallel_for_each!(launch, |i| { v[i] = inner(i[0]); }));
            let want: Vec<$r> = (0..12).map(plain).collect();
            assert_eq!(got, want, "kernel, then Rust");
        }
    )*};
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct P {
    x: i32,
    y: i32,
}

#[amp]
impl P {
    fn bump(&mut self, by: i32) -> i32 {
        self.x += by;
        self.x
    }
    fn after(&self, a: &mut [P; 4]) -> i32 {
        a[0].x = 100;
        self.x
    }
    fn after_view(&self, a: &ArrayView<'_, P>, at: i32) -> i32 {
        a[at].x = 100;
        self.x
    }
    fn after_tile(&self, a: &TileStatic<[P; 4]>) -> i32 {
        a[0].x = 100;
        self.x
    }
    fn sqrt(self) -> i32 {
        self.x * 1000 + self.y
    }
    fn min(self, o: i32) -> i32 {
        self.x - o
    }
    fn abs(&self) -> i32 {
        77
    }
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Q {
    p: P,
    a: [P; 3],
}

#[test]
fn shared_self_of_an_element_is_read_at_the_call() {
    let r = on_all([4], |l, v: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let mut a = [P { x: 1, y: 2 }; 4];
            v[i] = a[0].after(&mut a);
        })
    });
}

#[test]
fn shared_self_of_a_views_element_is_read_at_the_call() {
    let r = on_all([4], |l, v: &ArrayView<'_, P>| {
        parallel_for_each!(l, |i| {
            v[i].y = v[i].after_view(&v, i[0]);
        })
    });
}

#[test]
fn shared_self_of_a_tile_static_element_is_read_at_the_call() {
    let r = on_each(4, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([4]).tile::<1>(), |t| {
            #[tile_static]
            let a: [P; 4];
            a[0] = P { x: 1, y: 1 };
            out[t] = a[0].after_tile(&a);
        })
    });
}

#[amp]
fn set_tile(s: &TileStatic<P>) {}
#[amp]
fn later(x: &i32, b: &TileBarrier, s: &TileStatic<P>, me: i32) -> i32 {
    b.wait();
    if me == 0 {
        set_tile(s);
    }
    b.wait();
    *x
}

#[test]
fn a_reference_to_a_part_of_a_tile_static_variable_is_read_at_the_call() {
    let r = on_each(4, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([4]).tile::<2>(), |t| {
            #[tile_static]
            let s: P;
            if t.local[0] == 0 {
                s = P { x: 1, y: 1 };
            }
            t.barrier.wait();
            out[t] = later(&s.x, &t.barrier, &s, t.local[0]);
        })
    });
}

#[amp]
fn put(v: &ArrayView<'_, Q>, i: i32, x: i32) -> i32 {
    v[i].a[2].x = x;
    1
}

#[test]
fn an_index_that_changes_the_element_comes_before_it_is_read() {
    let r = on_all([4], |l, v: &ArrayView<'_, Q>| {
        parallel_for_each!(l, |i| {
            v[i].a[put(&v, i[0], 9)].x = 5;
            v[i].a[put(&v, i[0], 8)].y += 5;
        })
    });
    assert_eq!((r[0].a[1].x, r[0].a[2].x, r[0].a[1].y), (5, 8, 5));
}

oracle! {
    indices_with_effects_of_a_local_array(n) -> i32 {
        let mut a = [[0, 0, 0], [1, 1, 1]];
        a[0][{ a[0][1] = 7 + n; 2 }] = 3;
        a[0][0] * 100 + a[0][1] * 10 + a[0][2]
    }
}

macro_rules! hygienic_capture {
    ($launch:expr, $out:ident, $e:expr) => {{
        let k = 10;
        parallel_for_each!($launch, |i| {
            $out[i] = $e + k;
        })
    }};
}

#[test]
fn two_captures_of_one_name_by_hygiene() {
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| {
        let k = 1;
        hygienic_capture!(l, out, k * 100)
    });
    assert_eq!(r, [110; 2]);
}

macro_rules! hygienic_local {
    ($launch:expr, $out:ident, $e:expr) => {{
        parallel_for_each!($launch, |i| {
            let k = 10;
            $out[i] = $e + k;
        })
    }};
}

#[test]
fn a_local_and_a_capture_of_one_name_by_hygiene() {
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| {
        let k = 1;
        hygienic_local!(l, out, k * 100)
    });
    assert_eq!(r, [110; 2]);
}

macro_rules! hygienic_function {
    ($name:ident, $x:ident, $e:expr) => {
        #[amp]
        fn $name($x: i32) -> i32 {
            let y = 10;
            let z = $e;
            y + z
        }
    };
}
hygienic_function!(with_y, x, x + 1);

macro_rules! two_lets {
    ($launch:expr, $out:ident, $x:ident, $e:expr) => {
        parallel_for_each!($launch, |i| {
            let $x = 3;
            let k = 4;
            let k = k + 1;
            {
                let k = $x;
                $out[i] = $e + k;
            }
        })
    };
}

#[test]
fn two_locals_of_one_name_by_hygiene() {
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| two_lets!(l, out, k, k * 100));
    assert_eq!(r, [303; 2]);
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Pt(i32, i32);

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

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[test]
fn what_is_printed_is_the_same() {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock();
    tilewise::set_print_hook(|line| LINES.lock().unwrap().push(line.to_string()));
    let mut all = Vec::new();
    for target in ["native", "reference", "jit"] {
        let on = Accelerator::new(target).unwrap().default_view();
        let e = Extent([3, 4]);
        let p = P { x: 1, y: -2 };
        let c = E::B;
        let f = Float2::new(1.5, -0.0);
        LINES.lock().unwrap().clear();
        let r = parallel_for_each!(&on, Extent([1]), |i| {
            print!("{} {}", i, e);
            print!("{}", (1, 2.5f32, true));
            print!("{}", [1, 2, 3]);
            print!("{}", p);
            print!("{} {}", c, f);
            print!("{}", 5usize);
            print!("{p} {{}} {}", -1isize);
            print!("{} {} {}", 1e30f32, f32::NAN, -0.0f64);
        });
        all.push(LINES.lock().unwrap().clone());
    }
    assert_eq!(all[0], all[1]);
    assert_eq!(all[1], all[2]);
}

struct S1;
#[amp]
impl S1 {
    fn one(v: i32) -> i32 {
        #[tile_static]
        let x: [i32; 2];
        x[0] += v;
        x[0]
    }
    fn two(v: i32) -> i32 {
        #[tile_static]
        let z: [i32; 2];
        z[0] += v;
        z[0]
    }
}

#[test]
fn tile_static_variables_of_two_methods_are_two() {
    let r = on_each(2, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([2]).tile::<1>(), |t| {
            let a = S1::one(1);
            let b = S1::two(10);
            let c = S1::one(100);
            out[t] = a * 10000 + b * 1000 + c;
        })
    });
    assert_eq!(r, [1 * 10000 + 10 * 1000 + 101; 2]);
}

macro_rules! with_static {
    ($m:ident) => {
        mod $m {
            #[tilewise::amp]
            pub fn add(v: i32) -> i32 {
                #[tile_static]
                let x: i32;
                x += v;
                x
            }
        }
    };
}
with_static!(sa);
with_static!(sb);

macro_rules! two_with_static {
    ($($f:ident)*) => {$(
            #[tilewise::amp]
            pub fn $f(v: i32) -> i32 {
                #[tile_static]
                let x: i32;
                x += v;
                x
            }
    )*};
}
two_with_static!(tw1 tw2);

#[test]
fn tile_static_variables_of_functions_in_modules_that_a_macro_makes() {
    let r = on_each(2, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([2]).tile::<1>(), |t| {
            let a = sa::add(1);
            let b = sb::add(10);
            out[t] = a * 100 + b;
        })
    });
    assert_eq!(r, [110; 2]);
}

#[test]
fn tile_static_variables_of_functions_that_one_macro_call_makes() {
    let r = on_each(2, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([2]).tile::<1>(), |t| {
            let a = tw1(1);
            let b = tw2(10);
            out[t] = a * 100 + b;
        })
    });
    assert_eq!(r, [110; 2]);
}

#[amp]
fn generic_static<T: Scalar>(v: T) -> T {
    #[tile_static]
    let x: T;
    x += v;
    x
}
#[amp]
fn generic_const<const N: usize>(v: i32) -> i32 {
    #[tile_static]
    let x: i32;
    x += v + N as i32;
    x
}

#[test]
fn tile_static_variables_of_generic_functions() {
    let r = on_each(2, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([2]).tile::<1>(), |t| {
            let a = generic_static(1);
            let b = generic_static(10.0f32) as i32;
            let c = generic_static(2u32) as i32;
            let d = generic_const::<1>(0);
            let e = generic_const::<2>(0);
            out[t] = a * 100 + b * 1000 + c + d * 1000000 + e * 10000000;
        })
    });
}

#[test]
fn extents_of_sections_without_elements() {
    let data = [0i32; 24];
    let v = ArrayView::read_only((4, 6), &data).unwrap();
    let r = on_all([8], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let s = v.section((0, 0), (2, 0));
            let f = v.section_from((1, 6));
            let t = v.section_to((0, 3));
            let z = v.section((4, 6), (0, 0));
            let n = v.section((-1, 0), (2, 2));
            let o = v.section((1, 0), (i32::MAX, 2));
            let w = v[1].view_as((0, 5));
            let g = v.section((1, 1), (2, -1));
            out[i] = match i[0] {
                0 => s.extent()[0] * 10 + s.extent()[1],
                1 => f.extent()[0] * 10 + f.extent()[1],
                2 => t.extent()[0] * 10 + t.extent()[1],
                3 => z.extent()[0] * 10 + z.extent()[1],
                4 => n.extent()[0] * 10 + n.extent()[1],
                5 => o.extent()[0] * 10 + o.extent()[1],
                6 => w.extent()[0] * 10 + w.extent()[1],
                _ => g.extent()[0] * 10 + g.extent()[1],
            };
        })
    });
}

#[test]
fn extents_of_rows_of_sections_without_elements() {
    let data = [0i32; 24];
    let v = ArrayView::read_only((2, 3, 4), &data).unwrap();
    let r = on_all([4], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let s = v.section((0, 0, 0), (2, 0, 4));
            let a = s[1];
            let b = v[7];
            let c = s.section_from((0, 0, 2));
            let d = v.section((0, 0, 0), (0, 3, 4))[0];
            out[i] = match i[0] {
                0 => a.extent()[0] * 10 + a.extent()[1],
                1 => b.extent()[0] * 10 + b.extent()[1],
                2 => c.extent()[0] * 100 + c.extent()[1] * 10 + c.extent()[2],
                _ => d.extent()[0] * 10 + d.extent()[1],
            };
        })
    });
}

#[derive(Clone, Copy, Debug, AmpStruct)]
enum E {
    A = 1,
    B = 2,
    C = -1,
}
impl PartialEq for E {
    fn eq(&self, o: &E) -> bool {
        (*self as i32).abs() == (*o as i32).abs()
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

#[test]
fn small_elements() {
    let data: Vec<u8> = (0..8).map(|x| (x * 37 + 200) as u8).collect();
    for target in [0] {
        let r = ["native", "reference", "jit"].map(|t| {
            let on = Accelerator::new(t).unwrap().default_view();
            let a = ArrayView::from_vec(8, data.clone()).unwrap();
            let b = ArrayView::from_vec(8, vec![-5i8; 8]).unwrap();
            let c = ArrayView::from_vec(8, vec![65530u16; 8]).unwrap();
            let d = ArrayView::from_vec(8, vec![i16::MIN; 8]).unwrap();
            let out = ArrayView::from_vec(8, vec![0i32; 8]).unwrap();
            let e = ArrayView::from_vec(8, vec![tilewise_half(65519.9); 8]).unwrap();
            parallel_for_each!(&on, Extent([8]), |i| {
                let x = a[i];
                a[i] += 50;
                b[i] -= 200;
                c[i] = c[i] * 3 + i[0] as u32;
                d[i] -= 1;
                d[i] = -d[i];
                a[i] <<= 1;
                e[i] = e[i] + 16.0 + i[0] as f32 * 1000.0;
                e[i] += 0.1;
                out[i] =
                    (x as i32 * 3 - (a[i] as i32) + b[i] + c[i] as i32 + d[i] + (a[i].wrapping_sub(300) > 5) as i32)
                        .wrapping_add(e[i] as i32);
                a[i] = 1u32.wrapping_sub(3);
                b[i] = 128;
            })
            .unwrap();
            (
                a.to_vec().unwrap(),
                b.to_vec().unwrap(),
                c.to_vec().unwrap(),
                d.to_vec().unwrap(),
                out.to_vec().unwrap(),
                e.to_vec().unwrap().iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
            )
        });
        assert_eq!(r[0], r[1]);
        assert_eq!(r[1], r[2]);
    }
}
fn tilewise_half(x: f32) -> ::half::f16 {
    ::half::f16::from_f32(x)
}

#[amp]
fn cut(v: &ArrayView<'_, i32>, k: i32) -> i32 {
    let s = v.section(k, 3);
    let t = s.section(1, 2);
    t[0] += 1;
    t[5] = 9;
    s.extent()[0] * 100 + t.extent()[0] * 10 + t[1]
}

#[test]
fn views_of_views() {
    let r = ["native", "reference", "jit"].map(|t| {
        let on = Accelerator::new(t).unwrap().default_view();
        let a = ArrayView::from_vec(8, (0..8).collect::<Vec<i32>>()).unwrap();
        let b = a.section(2, 4);
        let a2 = &a;
        let out = ArrayView::from_vec(6, vec![0i32; 6]).unwrap();
        let r = parallel_for_each!(&on, Extent([1]), |i| {
            out[0] = cut(&a, 4);
            out[1] = cut(&a, 6);
            out[2] = cut(&b, 1);
            out[3] = cut(&a, -1);
            b[1] = 70;
            a2[0] = a[3] + b[1];
            let f = a.reinterpret_as::<f32>();
            f[7] = 1.5;
            let w = a.view_as((2, 4));
            w[1][0] = w[(0, 3)] + 1;
            let row = w[0];
            row[1] = 33;
            out[4] = a[7] as i32 + w[(1, 3)] + w[(0, 5)] + w[2].extent()[0];
            out[5] = f.extent()[0]
                + a.section_from(i32::MAX).extent()[0]
                + a.section_from(i32::MIN).extent()[0]
                + a.section(1, i32::MAX).extent()[0];
        });
        assert!(r.is_ok() || t == "reference", "{t}: {r:?}");
        (a.to_vec().unwrap(), out.to_vec().unwrap())
    });
    assert_eq!(r[0], r[1]);
    assert_eq!(r[1], r[2]);
}

#[test]
fn large_capture() {
    let table: [u32; 16000] = std::array::from_fn(|i| (i * i) as u32);
    let big = [[table; 1]; 1];
    let small = [5u32, 6, 7];
    let r = on_all([8], |l, out: &ArrayView<'_, u32>| {
        parallel_for_each!(l, |i| {
            let k = i[0] * 2500;
            out[i] = table[k] + big[0][0][k + 1] + small[i[0]];
        })
    });
    assert_eq!(r[1], 2500 * 2500 + 2501 * 2501 + 6);
}

#[test]
fn constants() {
    const T: [[i32; 3]; 2] = [[1, 2, 3], [4, 5, 6]];
    const PS: [P; 2] = [P { x: 1, y: 2 }, P { x: 3, y: 4 }];
    const TU: (i32, [f32; 2], bool) = (7, [0.5, -0.0], true);
    static ST: [u32; 4] = [9, 8, 7, 6];
    const fn f(x: i32) -> i32 {
        x * x
    }
    const FX: i32 = f(12);
    const F: Float3 = Float3::new(1.0, 2.0, 3.0);
    trait C {
        const A: [i32; 2];
        const P: P;
    }
    struct D;
    impl C for D {
        const A: [i32; 2] = [11, 12];
        const P: P = P { x: 13, y: 14 };
    }
    let r = on_all([8], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let k = i[0] - 2;
            let row = T[k];
            let p = PS[k];
            let q = D::A;
            out[i] = T[k][i[0]]
                + row[0] * 10
                + p.y * 100
                + PS[1].x
                + TU.1[k] as i32
                + TU.0
                + ST[k] as i32 * 1000
                + FX
                + F.y as i32
                + F[k] as i32 * 10000
                + D::A[k]
                + D::P.x
                + q[i[0]]
                + const { T[1][2] }
                + TU.2 as i32;
        })
    });
}

#[test]
fn out_of_range_of_nested_arrays() {
    let r = on_all([12, 6], |l, out: &ArrayView<'_, i32, 2>| {
        parallel_for_each!(l, |i| {
            let mut a = [[P { x: 1, y: 2 }; 3]; 2];
            let j = i[1] - 2;
            let k = i[0] - 4;
            a[j][k].x = 5;
            a[j][k].y += 7;
            let b = a[j];
            let c = b[k];
            a[k] = b;
            a[j as u32][k as i64] = P { x: 100, y: 200 };
            let mut f = Float3::new(1.0, 2.0, 3.0);
            f[k] = 9.0;
            f[j] += 1.5;
            let mut ix = i;
            ix[k] = 5;
            ix[j] *= 3;
            let mut t = ([1, 2], [[3; 2]; 2]);
            t.1[j][k] = 8;
            t.0[k] -= 4;
            let mut s = c.x
                + c.y * 2
                + f.x as i32 * 3
                + f.y as i32 * 5
                + f.z as i32 * 7
                + ix[0] * 11
                + ix[1] * 13
                + t.1[0][0]
                + t.1[1][1] * 2
                + t.0[0] * 3
                + f[k] as i32
                + ix[k];
            for q in 0..2 {
                for w in 0..3 {
                    s = s * 3 + a[q][w].x + a[q][w].y * 2;
                }
            }
            out[i] = s;
        })
    });
}

#[amp]
fn first(a: &mut P, b: &mut P) {
    a.x += b.y;
    b.x -= a.x;
    second(a, 3);
    second(&mut *b, 4);
}
#[amp]
fn second(a: &mut P, k: i32) {
    a.y = a.x * k;
    *a = P { x: a.y, y: a.x };
    third(&mut a.x);
}
#[amp]
fn third(x: &mut i32) {
    *x += 1;
    let c = *x;
    *x *= c;
}
#[amp]
fn swap(a: &mut i32, b: &mut i32) {
    let t = *a;
    *a = *b;
    *b = t;
}

fn third_(x: &mut i32) {
    *x += 1;
    let c = *x;
    *x *= c;
}

#[test]
fn references() {
    let r = on_all([6], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let mut p = P { x: i[0], y: 1 };
            let mut q = P { x: 2, y: i[0] };
            first(&mut p, &mut q);
            let mut t = (1, 2, Q { p, a: [q; 3] });
            swap(&mut t.0, &mut t.1);
            swap(&mut t.2.p.x, &mut t.0);
            third(&mut t.2.p.y);
            out[i] =
                p.x.wrapping_add(p.y.wrapping_mul(3))
                    .wrapping_add(q.x.wrapping_mul(5))
                    .wrapping_add(q.y)
                    .wrapping_add(t.0 * 3 + t.1 * 5 + t.2.p.x * 7);
        })
    });
}

mod userland {
    use tilewise::prelude::*;
    #[derive(Clone, Copy, Debug, AmpStruct)]
    pub struct V(pub i32, pub i32);
    #[amp]
    impl std::ops::Sub for V {
        type Output = i32;
        fn sub(self, o: V) -> i32 {
            self.0 * 10 - o.1
        }
    }
    #[amp]
    impl std::ops::Add<i32> for V {
        type Output = V;
        fn add(mut self, o: i32) -> V {
            self.0 += o;
            V(self.0, self.1 - o)
        }
    }
    #[amp]
    impl std::ops::Not for V {
        type Output = bool;
        fn not(self) -> bool {
            self.0 == self.1
        }
    }
    #[amp]
    impl PartialEq for V {
        fn eq(&self, o: &V) -> bool {
            if self.0 > 3 {
                return false;
            }
            self.0 == o.1
        }
    }
    #[amp]
    impl std::ops::Shl<f32> for V {
        type Output = V;
        fn shl(self, o: f32) -> V {
            V(o as i32, self.0)
        }
    }
}
use userland::V;

#[test]
fn operators() {
    let r = on_all([8], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let a = V(i[0], 3);
            let mut b = a + 2;
            b += {
                b = V(7, 8);
                5
            };
            let c = a << 2.5;
            out[i] = (a - b) + b.0 * 100 + (!a) as i32 + (a == c) as i32 * 2 + (a != c) as i32 * 4 + (c - a) * 1000;
        })
    });
}

#[test]
fn own_methods_with_builtin_names() {
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let p = P { x: 4, y: 5 };
            out[i] = p.sqrt() + p.min(3) * 7 + p.abs();
        })
    });
    assert_eq!(r, [4005 + 7 + 77; 2]);
}

mod alias {
    #[allow(non_camel_case_types)]
    type f32 = f64;
    #[allow(non_camel_case_types)]
    type u32 = i64;
    #[tilewise::amp]
    pub fn f(x: i32) -> i32 {
        let a: f32 = x as f32 * 0.1 + 16777217.0;
        let b = -1i32 as u32;
        let c = 7u64 as u32;
        ((a - 16777216.0) * 10.0) as i32 + (b + c) as i32
    }
    pub fn want(x: i32) -> i32 {
        let a: f32 = x as f32 * 0.1 + 16777217.0;
        let b = -1i32 as u32;
        let c = 7u64 as u32;
        ((a - 16777216.0) * 10.0) as i32 + (b + c) as i32
    }
}
#[test]
fn shadowed_primitives() {
    let r = on_all([6], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            out[i] = alias::f(i[0]);
        })
    });
    assert_eq!(r, (0..6).map(alias::want).collect::<Vec<_>>());
}

#[amp]
fn calledx(x: i32) -> i32 {
    x + 1
}
#[amp]
fn dual(x: i32) -> i32 {
    calledx(x) * 2
}
#[amp]
fn form(read: i32) -> i32 {
    dual(read) - 1
}
use form as half;
mod deep {
    pub(crate) use super::dual as renamed;
    #[tilewise::amp]
    pub fn twice<T: tilewise::Scalar>(x: T) -> T {
        x + x
    }
}
use deep::{renamed as r2, twice as thrice};

#[test]
fn names_of_functions() {
    let r = on_all([6], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            out[i] = calledx(i[0])
                + dual(i[0]) * 3
                + form(i[0]) * 5
                + half(2) * 7
                + deep::renamed(1)
                + r2(3) * 11
                + thrice(4) * 13
                + thrice::<i32>(5)
                + crate::deep::twice(1.5f32) as i32
                + self::deep::twice::<u64>(6) as i32;
        })
    });
}

struct Holder<'a> {
    v: ArrayView<'a, i32>,
    k: i32,
    t: (i32, P),
}
impl Holder<'_> {
    fn go(&self, on: &tilewise::AcceleratorView) -> tilewise::Result<()> {
        let k = 100;
        parallel_for_each!(on, Extent([4]), |i| {
            self.v[i] = self.k + k + self.t.1.y + self.t.0 + self.k;
        })
    }
}
#[test]
fn fields_of_self() {
    let r = ["native", "reference", "jit"].map(|t| {
        let on = Accelerator::new(t).unwrap().default_view();
        let h = Holder { v: ArrayView::from_vec(4, vec![0; 4]).unwrap(), k: 3, t: (5, P { x: 1, y: 9 }) };
        h.go(&on).unwrap();
        h.v.to_vec().unwrap()
    });
    assert_eq!(r, [vec![120; 4], vec![120; 4], vec![120; 4]].map(|v| v));
}

#[test]
fn captures_and_shadowing() {
    let k = 5;
    let i = 1000;
    let r = on_all([4], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let a = {
                let k = k + 1;
                k * 2
            };
            let k = k + a;
            let i = i[0] + k;
            for k in 0..2 {
                out[i - 17] = k + i;
            }
        })
    });
}

#[amp]
fn meet(b: &TileBarrier, s: &TileStatic<[i32; 4]>, me: i32, rounds: i32) -> i32 {
    let mut sum = 0;
    for r in 0..rounds {
        s[me] = me * 10 + r;
        b.wait();
        sum += s[(me + 1) % 4];
        b.wait();
        if r == 2 {
            return sum;
        }
    }
    sum
}

#[test]
fn barriers_in_functions() {
    let r = on_each(8, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([8]).tile::<4>(), |t| {
            #[tile_static]
            let s: [i32; 4];
            let a = meet(&t.barrier, &s, t.local[0], 2);
            let b = meet(&t.barrier, &s, t.local[0], 5);
            out[t] = a * 1000 + b;
        })
    });
}

#[test]
fn tile_static_shapes() {
    let r = on_each(8, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([8]).tile::<1>(), |t| {
            #[tile_static]
            let a: [[i32; 3]; 2];
            #[tile_static]
            let q: Q;
            #[tile_static]
            let n: i32;
            #[tile_static]
            let f: Float3;
            #[tile_static]
            let tu: (i32, [P; 2]);
            let k = t.global[0] - 3;
            a[1][k] = 5;
            a[k][1] += 7;
            a[0] = a[1];
            q.a[k].x = 4;
            q.p = q.a[1];
            q.a[0].y += 2;
            n += 3;
            n *= n;
            f.y = 2.0;
            f[k] += 1.0;
            tu.1[k].y = 6;
            tu.0 -= 1;
            let c = a;
            a[0][0] = 77;
            out[t] = a[0][1]
                + a[1][0] * 10
                + a[1][2] * 100
                + q.a[0].x
                + q.a[0].y * 3
                + q.p.x * 5
                + n * 7
                + (f.x + f.y * 2.0 + f.z * 3.0) as i32 * 1000
                + tu.1[0].y * 11
                + tu.1[1].y * 13
                + tu.0
                + c[0][0] * 3
                + q.a[2].x * 17;
        })
    });
}

#[test]
fn atomics_as_operands() {
    let r = on_each(8, |on, out: &ArrayView<'_, i32>| {
        let c = ArrayView::from_vec(2, vec![0i32; 2]).unwrap();
        let r = parallel_for_each!(on, Extent([1]), |i| {
            out[c.atomic(0).fetch_add(1)] = c.atomic(0).fetch_add(1) + 10;
            out[c.atomic(0).fetch_add(1)] += c.atomic(0).fetch_add(1) * 10;
            let x0 = i[0];
            let x = (c.atomic(0).fetch_add(1), c.atomic(0).fetch_sub(2)).0 - c.atomic(5).fetch_add(1)
                + c.atomic(x0 - 1).exchange(4);
            out[7] = x + c[0] * 100 + c.atomic(1).compare_exchange(0, 5).0 + c.atomic(1).fetch_max(9);
        });
        r
    });
}

#[test]
fn index_arithmetic() {
    let r = on_all([6, 6], |l, out: &ArrayView<'_, i32, 2>| {
        let e = Extent([i32::MAX, 3]);
        parallel_for_each!(l, |i| {
            let j = i - 3;
            let a = j / (i[1] - 2);
            let b = j % (i[1] - 2);
            let c = Index::new((i32::MIN, -1)) / (i[0] - 1);
            let d = Index::new((i32::MAX, -1)) + i;
            let mut m = i * 1_000_000_000;
            m += i;
            m -= 7;
            let mut g = e - i;
            g *= 3;
            let o = (i < j) as i32
                + (a <= b) as i32 * 2
                + (c > d) as i32 * 4
                + (i == Index([1, 2])) as i32 * 8
                + (a != b) as i32 * 16
                + e.contains(j) as i32 * 32;
            out[i] = a[0] * 3
                + a[1] * 5
                + b[0] * 7
                + b[1] * 11
                + (c[0] % 1000) * 13
                + c[1]
                + (d[0] % 1000)
                + d[1]
                + (m[0] % 1000) * 3
                + m[1] % 1000
                + (g[0] % 1000)
                + g[1]
                + o * 10000
                + (e.size() % 1000) as i32
                + i.to_array()[1]
                + i.0[0];
        })
    });
}
