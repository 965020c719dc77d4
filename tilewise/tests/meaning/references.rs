//! References and elements: what is read at a call, what is written through `&mut`.

use std::sync::Mutex;

use tilewise::prelude::*;
use tilewise::{Accelerator, ArrayView, Error, TileStatic, amp, parallel_for_each};

use crate::{P, Q, on_all, on_each};

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

#[amp]
fn through_parentheses(p: &mut P, c: &mut i32) -> i32 {
    inc((p));
    (p).x += 1;
    (*p).y = 7;
    inc(&mut *p);
    inc(&mut (*p));
    *(c) += 1;
    p.x + (p).x
}
#[amp]
fn inc(p: &mut P) {
    p.x += 1;
}
#[amp]
fn shared_as_values(p: &P, c: bool) -> i32 {
    let q = p;
    let mut r = if c { q } else { p };
    let t = (r, 3);
    r = p;
    q.x * 3 + r.y + t.0.x + t.1
}

#[test]
fn what_a_reference_refers_to_is_reached_through_parentheses_and_copies_of_shared_ones() {
    let r = on_all([4], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let (mut p, mut c) = (P { x: i[0], y: 2 }, 1);
            let sum = through_parentheses(&mut p, &mut c);
            out[i] = sum * 1000 + p.x * 100 + p.y * 10 + c + shared_as_values(&p, i[0] > 1);
        })
    });
    assert_eq!(r[0], 8 * 1000 + 4 * 100 + 70 + 2 + (4 * 3 + 7 + 4 + 3));
}

#[amp]
fn copied(t: &TileStatic<[i32; 4]>, k: i32) -> i32 {
    let q = (t, 1);
    t[k] = 5;
    q.0[k]
}

#[amp]
fn renamed(t: &TileStatic<[i32; 4]>, k: i32) -> i32 {
    let q = t;
    let (r, _) = (t, 1);
    t[k] = 5;
    q[k] + r[k] * 10
}

#[test]
fn a_reference_has_several_names() {
    let r = on_each(1, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, out.extent().tile::<1>(), |t| {
            #[tile_static]
            let a: [i32; 4];
            a[2] = 1;
            out[t] = renamed(&a, 2);
        })
    });
    assert_eq!(r, [55]);
}

#[test]
fn a_lent_tile_static_variable_is_no_value() {
    let out = ArrayView::from_vec(1, vec![0]).unwrap();
    // `native` runs the closure, which is right; the others are built from the tree.
    for path in ["reference", "jit"] {
        let on = Accelerator::new(path).unwrap().default_view();
        let launch = parallel_for_each!((&on, out.extent().tile::<1>()), |t| {
            #[tile_static]
            let a: [i32; 4];
            a[2] = 1;
            out[t] = copied(&a, 2);
        });
        let told = launch.expect_err("a copy is not shared").to_string();
        assert!(told.contains("`#[tile_static]` variable that was lent is used as a value"), "{path}: {told}");
        assert!(told.contains("K0704") && told.contains("references.rs:"), "{path}: {told}");
    }
}

#[amp]
fn raised<F: Fn(&mut i32) -> i32>(f: F, k: i32) -> i32 {
    let mut x = k;
    f(&mut x) * 100 + x
}

#[amp]
fn raise(x: &mut i32) -> i32 {
    *x += 10;
    *x
}

/// The one error of a kernel on each target that is built from the tree.
fn refused(launch: impl Fn(&tilewise::AcceleratorView) -> tilewise::Result<()>, wanted: &str) {
    for path in ["reference", "jit"] {
        let told = launch(&Accelerator::new(path).unwrap().default_view()).expect_err(wanted).to_string();
        assert!(told.contains(wanted) && told.contains("K0704"), "{path}: {told}");
        assert!(told.contains("references.rs:"), "{path}: {told}");
    }
}

#[test]
fn a_parameter_without_a_type_that_is_a_changing_reference_is_no_value() {
    let out = ArrayView::from_vec(1, vec![0]).unwrap();
    let wanted = "a `&mut` reference is used as a value";
    let in_a_tuple = |on: &tilewise::AcceleratorView| {
        parallel_for_each!(on, out.extent(), |i| {
            out[i] = raised(
                |q| {
                    let t = (q, 1);
                    raise(t.0) + t.1
                },
                3,
            );
        })
    };
    refused(in_a_tuple, wanted);
    let in_a_block = |on: &tilewise::AcceleratorView| {
        parallel_for_each!(on, out.extent(), |i| {
            out[i] = raised(|q| raise({ q }), 3);
        })
    };
    refused(in_a_block, wanted);
    let in_a_choice = |on: &tilewise::AcceleratorView| {
        parallel_for_each!(on, out.extent(), |i| {
            let pick = |q, r| raise(if i[0] > 0 { q } else { r });
            let (mut x, mut y) = (1, 2);
            out[i] = pick(&mut x, &mut y) + x + y;
        })
    };
    refused(in_a_choice, wanted);
}

#[derive(Clone, Copy, AmpStruct)]
struct Part {
    a: i32,
    b: i32,
}

#[amp]
impl Part {
    fn sum(&self) -> i32 {
        self.a * 10 + self.b
    }
    fn first(self) -> i32 {
        self.a
    }
    fn bump(&mut self) {
        self.a += 1;
    }
}

#[amp]
fn of_part(x: &Part) -> i32 {
    x.a
}

#[amp]
fn change_part(x: &mut Part) {
    x.a = 77;
}

/// Has fields of the same names before the part that it stands for.
#[derive(Clone, Copy, AmpStruct)]
struct Whole {
    a: i32,
    b: i32,
    part: Part,
}

impl std::ops::Deref for Whole {
    type Target = Part;
    fn deref(&self) -> &Part {
        &self.part
    }
}

impl std::ops::DerefMut for Whole {
    fn deref_mut(&mut self) -> &mut Part {
        &mut self.part
    }
}

/// Like a vector by its fields.
#[derive(Clone, Copy, AmpStruct)]
struct Around {
    x: f32,
    y: f32,
    inner: [f32; 2],
    v: Float2,
}

impl std::ops::Deref for Around {
    type Target = Float2;
    fn deref(&self) -> &Float2 {
        &self.v
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Row {
    c: [i32; 4],
}

impl std::ops::Deref for Row {
    type Target = [i32; 4];
    fn deref(&self) -> &[i32; 4] {
        &self.c
    }
}

impl std::ops::DerefMut for Row {
    fn deref_mut(&mut self) -> &mut [i32; 4] {
        &mut self.c
    }
}

#[test]
fn what_a_type_derefs_to_is_not_taken_for_it() {
    let whole = Whole { a: 1, b: 2, part: Part { a: 3, b: 4 } };
    let around = Around { x: 1.0, y: 2.0, inner: [3.0; 2], v: Float2::new(4.0, 5.0) };
    let row = Row { c: [1; 4] };
    for path in ["reference", "jit"] {
        let on = Accelerator::new(path).unwrap().default_view();
        let out = ArrayView::from_vec(1, vec![0]).unwrap();
        let launches = [
            parallel_for_each!((&on, out.extent()), |i| out[i] = whole.sum()),
            parallel_for_each!((&on, out.extent()), |i| out[i] = whole.first()),
            parallel_for_each!((&on, out.extent()), |i| out[i] = of_part(&whole)),
            parallel_for_each!((&on, out.extent()), |i| {
                let mut w = whole;
                w.bump();
                out[i] = w.a;
            }),
            parallel_for_each!((&on, out.extent()), |i| {
                let mut w = [whole, whole];
                let mut x = w[1];
                change_part(&mut x);
                out[i] = x.a;
            }),
            parallel_for_each!((&on, out.extent()), |i| out[i] = around.dot(around.v) as i32),
            parallel_for_each!((&on, out.extent()), |i| out[i] = around.to_array()[1] as i32),
            parallel_for_each!((&on, out.extent()), |i| out[i] = around.length() as i32),
            parallel_for_each!((&on, out.extent()), |i| {
                let mut r = row;
                r[1] = 5;
                out[i] = r.c[1];
            }),
        ];
        for (number, launch) in launches.into_iter().enumerate() {
            let told = launch.expect_err("a `Deref` of its own").to_string();
            let is_told = told.contains("K0704") && told.contains("`Deref`") && told.contains("references.rs:");
            assert!(is_told, "{path}, {number}: {told}");
        }
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Total {
    n: i32,
    last: [i32; 2],
}

#[amp]
impl Total {
    fn add(&mut self, k: i32) -> &mut Self {
        self.n += k;
        self
    }
    fn raise(&mut self, k: i32) -> i32 {
        self.n += k;
        self.n
    }
}

/// Which of two places it is, no kernel knows where it is changed; and of one place, a block has a copy.
#[test]
fn a_changing_reference_at_the_end_of_a_block_is_not_changed_behind_it() {
    let out = ArrayView::from_vec(1, vec![0]).unwrap();
    let wanted = "a `&mut` reference is used as a value";
    macro_rules! all {
        ($(|$t:ident, $n:ident| $body:block)*) => {$(
            refused(
                |on| {
                    parallel_for_each!((on, out.extent()), |i| {
                        let $n = i[0];
                        let mut $t = Total { n: $n, last: [2, 1] };
                        $body;
                        out[i] = $t.n;
                    })
                },
                wanted,
            );
        )*};
    }
    all! {
        |t, n| { (if n > 2 { t.add(1) } else { t.add(2) }).add(3); }
        |t, n| { (match n { 0 => t.add(1), _ => t.add(2) }).add(3); }
        |t, n| { { t.add(n) }.add(3); }
        |t, n| { (loop { break t.add(n); }).add(3); }
        |t, n| { ('a: { if n > 2 { break 'a t.add(1); } t.add(2) }).add(3); }
        |t, n| { (t.add(n), 3).0.add(4); }
        |t, n| { let r = if n > 2 { t.add(1) } else { t.add(2) }; r.add(3); }
        |t, n| { let r = { t.add(n) }; r.add(3); }
        |t, n| { let (r, k) = (t.add(n), 3); r.add(k); }
        |t, n| { (if n > 2 { t.add(1) } else { t.add(2) }).n = 3; }
        |t, n| { (if n > 2 { t.add(1) } else { t.add(2) }).n += 3; }
        |t, n| { (if n > 2 { t.add(1) } else { t.add(2) }).last[1] = 3; }
        |t, n| { (if n > 2 { t.add(1) } else { t.add(2) }).last.sort(); }
        |t, n| { *(if n > 2 { t.add(1) } else { t.add(2) }) = Total { n: 4, last: [0; 2] }; }
        |t, n| { match { t.add(n) } { Total { n, .. } => *n += 3 } }
        |t, n| { let Total { n, .. } = { t.add(n) }; *n += 3; }
    }
}

/// The start of a `fold` is a value, which the closure has a copy of.
#[test]
fn a_changing_reference_is_not_folded() {
    let out = ArrayView::from_vec(1, vec![0]).unwrap();
    let wanted = "a `&mut` reference is used as a value";
    macro_rules! all {
        ($(|$t:ident, $n:ident| $body:block)*) => {$(
            refused(
                |on| {
                    parallel_for_each!((on, out.extent()), |i| {
                        let $n = i[0];
                        let mut $t = Total { n: $n, last: [2, 1] };
                        out[i] = $body;
                        out[i] += $t.n;
                    })
                },
                wanted,
            );
        )*};
    }
    all! {
        |t, n| { (0..n + 3).fold(&mut t, |t, k| { t.raise(k); t }).n }
        |t, n| { (0..n + 3).rfold(&mut t, |t, k| { t.n += k; t }).n }
        |t, n| { *(0..n + 3).fold(&mut t.n, |n, k| { *n += k; n }) }
    }
}

#[test]
fn a_part_of_a_value_without_a_name_is_not_assigned_to() {
    let out = ArrayView::from_vec(1, vec![0]).unwrap();
    refused(
        |on| {
            parallel_for_each!((on, out.extent()), |i| {
                let t = Total { n: i[0], last: [2, 1] };
                { t }.n = 7;
                out[i] = t.n;
            })
        },
        "a part of a value that has no name is assigned to",
    );
}
