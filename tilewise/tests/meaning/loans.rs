//! Arguments by reference: elements of views, arrays and `#[tile_static]` arrays, values, views.

use tilewise::prelude::*;
use tilewise::{ReadView, TileStatic};

use crate::{P, Q, on_all, on_each};

#[amp]
fn bump(x: &mut i32, by: i32) -> i32 {
    while *x < 3 {
        *x += 1;
    }
    *x += by;
    *x
}

#[amp]
fn turn(p: &mut P, all: &ArrayView<'_, Q>, i: i32) -> i32 {
    *p = P { x: p.y, y: p.x + 1 };
    // The caller's element has not changed yet.
    all[i].a[2].x
}

#[amp]
fn sum(row: &ReadView<'_, i32>, line: &[i32; 3], one: &i32) -> i32 {
    row[0] + row[1] * 10 + line[0] * 100 + line[2] * 1000 + *one * 10_000
}

oracle! {
    elements_of_local_arrays_are_lent(n) -> i32 {
        fn grow(x: &mut i32, by: i32) -> i32 {
            while *x < 3 {
                *x += 1;
            }
            *x += by;
            *x
        }
        fn read(x: &i32) -> i32 {
            *x * 2
        }
        let mut a = [1, n, 3];
        let by = grow(&mut a[0], 1);
        let got = grow(&mut a[1], n) + grow(&mut a[(n % 3) as usize], by);
        let double = |x: &mut i32| *x *= 2;
        double(&mut a[2]);
        let mut pairs = [(n, 2), (3, 4)];
        let mut nested = [[1, 2], [3, n]];
        std::mem::swap(&mut pairs[1].0, &mut a[1]);
        grow(&mut nested[1][(n % 2) as usize], 5);
        let more = pairs[1].0 + nested[1][0] * 2 + nested[1][1] * 3;
        let old = more + std::mem::replace(&mut a[0], 100) + std::mem::take(&mut a[1]);
        got + a[0] * 3 + a[1] * 5 + a[2] * 7 + old + read(&a[2]) + read(&(n + 1)) + read(&read(&n))
    }
}

#[test]
fn elements_of_views_are_lent() {
    let table = [1, 2, 3, 4];
    let got = on_all([4], |l, v: &ArrayView<'_, Q>| {
        let table = ArrayView::read_only((2, 2), &table)?;
        let counts = ArrayView::from_vec(1, vec![0])?;
        parallel_for_each!(l, |i| {
            v[i].a[2].x = 7;
            v[i].p.y = bump(&mut v[i].p.x, i[0]);
            v[i].p.x += turn(&mut v[i].p, &v, i[0]);
            let q = v[i];
            v[i].a[1].x = sum(&table[1], &[5, 6, 7], &v[i].p.x) + sum(&table[0], &[0; 3], &q.a[2].x);
            // Out of range: the function runs on zeros, and nothing is written.
            v[i].a[0].y = bump(&mut v[i[0] + 4].p.x, 1);
            std::mem::swap(&mut v[i].a[0].x, &mut v[i].p.y);
            std::mem::swap(&mut v[i].a[0].x, &mut v[i].a[0].y);
            // The index is computed once, before the other arguments.
            let (mut first, mut second) = ([0, 0], [0, 0]);
            let by = bump(&mut first[(counts.atomic(0).fetch_add(0) + 1) as usize], bump(&mut second[0], 0));
            v[i].a[1].y = second[0] + first[1] + by;
        })
    });
    let q = |i: i32| {
        let (x, y) = (3 + i, 3 + i);
        let p = P { x: y + 7, y: x + 1 };
        let sum = 3 + 40 + 500 + 7000 + p.x * 10_000 + 1 + 20 + 70_000;
        Q { p: P { y: 0, ..p }, a: [P { x: 4, y: p.y }, P { x: sum, y: 3 + 6 + 6 }, P { x: 7, y: 0 }] }
    };
    assert_eq!(got, (0..4).map(q).collect::<Vec<_>>());
}

#[test]
fn elements_that_the_threads_of_a_tile_share_are_lent() {
    let got = on_each(4, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([4]).tile::<2>(), |t| {
            #[tile_static]
            let all: [P; 2];
            let me = t.local[0];
            all[me] = P { x: t.global[0], y: 2 };
            let first = bump(&mut all[me].x, 10);
            t.barrier.wait();
            out[t] = first * 100 + all[1 - me].x;
            bump(&mut out[t], 1);
        })
    });
    assert_eq!(got, [1313 + 1, 1313 + 1, 1313 + 1, 1313 + 1]);
}

oracle! {
    an_index_is_taken_before_a_later_one_changes_its_name(n) -> i32 {
        let mut m = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]];
        let mut k = 0;
        let x = &mut m[k][{ k += 1; k }][0];
        *x = 9 + n;
        k = 0;
        m[k][{ k += 1; k }].reverse();
        k = 1;
        for y in m[k][{ k -= 1; k }].iter_mut() {
            *y *= 2;
        }
        k = 1;
        let [_, y] = &mut m[k][{ k -= 1; k }];
        *y += 1;
        let mut sum = 0;
        for part in m {
            for row in part {
                for y in row {
                    sum = sum * 10 + y;
                }
            }
        }
        sum
    }
}
