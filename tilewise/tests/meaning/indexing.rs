//! `[]` of types of the program's own, by `#[amp] impl Index` and `IndexMut`.

use std::ops::{Index, IndexMut};

use tilewise::prelude::*;
use tilewise::types::KernelValue;

use crate::{on_all, on_each};

/// A matrix in rows.
#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Matrix {
    cells: [i32; 6],
    scale: i32,
}

#[amp]
impl Index<(i32, i32)> for Matrix {
    type Output = i32;

    fn index(&self, (row, column): (i32, i32)) -> &i32 {
        let at = row * 3 + column;
        &self.cells[at as usize]
    }
}

#[amp]
impl IndexMut<(i32, i32)> for Matrix {
    fn index_mut(&mut self, (row, column): (i32, i32)) -> &mut i32 {
        let at = row * 3 + column;
        &mut self.cells[at as usize]
    }
}

/// By its number, or its scale.
#[amp]
impl Index<usize> for Matrix {
    type Output = i32;

    fn index(&self, at: usize) -> &i32 {
        if at == 100 {
            return &self.scale;
        }
        match at {
            6.. => &self.scale,
            _ => &self.cells[at],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Body {
    at: [f32; 2],
    speed: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
#[repr(C)]
struct Ring<T, const N: usize> {
    all: [T; N],
}

#[amp]
impl<T: Element<Value = T> + KernelValue + 'static, const N: usize> Index<i32> for Ring<T, N> {
    type Output = T;

    fn index(&self, at: i32) -> &T {
        &self.all[at.rem_euclid(N as i32) as usize]
    }
}

#[amp]
impl<T: Element<Value = T> + KernelValue + 'static, const N: usize> IndexMut<i32> for Ring<T, N> {
    fn index_mut(&mut self, at: i32) -> &mut T {
        let count = N as i32;
        let place = if at < 0 { at + count } else { at % count };
        &mut self.all[place as usize]
    }
}

/// One inside another.
#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Wheel {
    ring: Ring<i32, 4>,
    turn: i32,
}

#[amp]
impl Index<i32> for Wheel {
    type Output = i32;

    fn index(&self, at: i32) -> &i32 {
        &self.ring[at + self.turn]
    }
}

#[amp]
impl IndexMut<i32> for Wheel {
    fn index_mut(&mut self, at: i32) -> &mut i32 {
        &mut self.ring[at + self.turn]
    }
}

oracle! {
    elements_of_own_types_are_read_and_written(n) -> i32 {
        let mut m = Matrix { cells: [1, 2, 3, 4, 5, 6], scale: n };
        m[(1, n % 3)] = 10 * n;
        m[(0, 1)] += m[(1, n % 3)] + m[2];
        m[(0, 0)] <<= 2;
        let mut w = Wheel { ring: Ring { all: [1, 2, 3, 4] }, turn: n };
        w[-1] = 7;
        w[2] *= w[1] + 1;
        let mut bodies = Ring { all: [Body { at: [0.5, 1.5], speed: n as f32 }; 2] };
        bodies[n].at[1] += 2.0;
        bodies[n + 1].speed -= 1.0;
        let body = bodies[1];
        let far = n as usize + 100;
        let sum = m[far] * 2 + m[(n % 6) as usize] + m[(0, 1)] + m[0] + w[0] + w[1] * 3 + w[2] * 5 + w[3] * 7;
        sum + (bodies[0].at[1] * 4.0) as i32 + (body.at[1] * 8.0 + body.speed * 16.0) as i32
    }

    elements_of_own_types_are_lent(n) -> i32 {
        fn grow(x: &mut i32, by: i32) -> i32 {
            *x += by;
            *x * 2
        }
        let mut w = Wheel { ring: Ring { all: [1, 2, 3, 4] }, turn: n };
        let first = grow(&mut w[n], 5);
        let old = std::mem::replace(&mut w[1], 9);
        w[2] -= old;
        let all = w.ring.all;
        first + all[0] + all[1] * 10 + all[2] * 100 + all[3] * 1000
    }
}

#[test]
fn an_own_type_is_indexed_in_views_and_tiles_and_out_of_range() {
    let got = on_each(4, |on, v: &ArrayView<'_, Matrix>| {
        let factor = Ring { all: [2, 3] };
        parallel_for_each!(on, Extent([4]).tile::<2>(), |t| {
            #[tile_static]
            let shared: Matrix;
            let me = t.local[0];
            let i = t.global[0];
            if me == 0 {
                shared[(0, 1)] = i + 1;
                shared[(0, 2)] += 5;
            }
            t.barrier.wait();
            v[t][(1, 1)] = shared[(0, 1)] * factor[me];
            v[t][(0, 0)] += shared[(0, 2)];
            v[t].scale = v[t][4];
            // Nothing is there: reads give zero, writes do nothing.
            v[t][(2, 5)] = 9;
            v[t][(7, 0)] += 9;
            v[t].cells[5] = v[t][(9, 9)] + 1 + v[i + 100][(0, 0)];
        })
    });
    let want = |i: i32| {
        let first = i / 2 * 2 + 1;
        let middle = first * [2, 3][(i % 2) as usize];
        Matrix { cells: [5, 0, 0, 0, middle, 1], scale: middle }
    };
    assert_eq!(got, (0..4).map(want).collect::<Vec<_>>());
}

#[test]
fn the_host_indexes_by_the_same_functions() {
    let mut m = Matrix { cells: [1, 2, 3, 4, 5, 6], scale: 7 };
    m[(1, 2)] += 10;
    assert_eq!((m[(1, 2)], m[5], m[100]), (16, 16, 7));
    assert!(std::panic::catch_unwind(|| m[(2, 0)]).is_err());
}

/// A number that grows at each call, in the memory of the tile.
#[amp]
fn ticket() -> i32 {
    #[tile_static]
    let next: [i32; 1];
    next[0] += 1;
    next[0] - 1
}

/// Each access names the next cell.
#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Queue {
    cells: [i32; 8],
}

#[amp]
impl Index<i32> for Queue {
    type Output = i32;

    fn index(&self, skip: i32) -> &i32 {
        let at = ticket() + skip;
        &self.cells[at as usize]
    }
}

#[amp]
impl IndexMut<i32> for Queue {
    fn index_mut(&mut self, skip: i32) -> &mut i32 {
        let at = ticket() + skip;
        &mut self.cells[at as usize]
    }
}

/// A queue behind its own function, which takes a ticket too.
#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Hall {
    queue: Queue,
}

#[amp]
impl Index<i32> for Hall {
    type Output = Queue;

    fn index(&self, _at: i32) -> &Queue {
        ticket();
        &self.queue
    }
}

#[amp]
impl IndexMut<i32> for Hall {
    fn index_mut(&mut self, _at: i32) -> &mut Queue {
        ticket();
        &mut self.queue
    }
}

#[amp]
fn add_to(x: &mut i32, by: i32) -> i32 {
    *x += by;
    *x
}

#[test]
fn a_function_that_names_an_element_runs_once() {
    let got = on_each(1, |on, v: &ArrayView<'_, [i32; 8]>| {
        parallel_for_each!(on, Extent([1]).tile::<1>(), |t| {
            let mut q = Queue { cells: [0; 8] };
            q[0] = 1;
            q[0] += 2;
            q[0] |= 3;
            let sum = add_to(&mut q[0], 4) + q[0];
            let old = std::mem::replace(&mut q[0], 5);
            q[1] -= sum + old;
            v[t] = q.cells;
        })
    });
    assert_eq!(got, [[1, 2, 3, 4, 0, 5, 0, -4]]);
}

#[test]
fn the_functions_of_a_place_run_from_the_outermost_on_and_once() {
    let got = on_each(1, |on, v: &ArrayView<'_, [i32; 8]>| {
        parallel_for_each!(on, Extent([1]).tile::<1>(), |t| {
            let mut h = Hall { queue: Queue { cells: [0; 8] } };
            // The hall's ticket, that of the index, the queue's.
            h[0][ticket() - 1] = 1;
            h[0][ticket() - 4] += 2;
            let four = h[0].cells[ticket() as usize - 3] + 4;
            add_to(&mut h[0][-4], four);
            h[0].cells[6] = 7;
            h[ticket()].cells[7] = ticket();
            v[t] = h.queue.cells;
        })
    });
    assert_eq!(got, [[0, 0, 1, 0, 0, 6, 7, 11]]);
}

#[amp]
fn add_to_both(a: &mut i32, b: &mut i32) {
    *a += 10;
    *b += 100;
}

#[amp]
fn turn_further(x: &mut i32, wheel: &mut Wheel) {
    wheel.turn += 1;
    wheel.ring.all[0] += 1000;
    *x += 5;
}

/// Loans of elements are copies, which are written back in order, each where it was found.
#[test]
fn two_loans_of_one_value_are_written_back_in_order_where_they_were_found() {
    let got = on_each(1, |on, v: &ArrayView<'_, [i32; 12]>| {
        parallel_for_each!(on, Extent([1]), |i| {
            let mut w = Wheel { ring: Ring { all: [1, 2, 3, 4] }, turn: 0 };
            std::mem::swap(&mut w[0], &mut w[1]);
            add_to_both(&mut w[2], &mut w[2]);
            let first = w.ring.all;
            // The place was found before `turn` changed.
            add_to_both(&mut w[3], &mut w.turn);
            let turn = w.turn;
            w.turn = 0;
            turn_further(&mut w[0], &mut w);
            let second = w.ring.all;
            let mut row = [w, w];
            std::mem::swap(&mut row[0][0], &mut row[1].turn);
            let [a, b, c, d] = first;
            let [e, f, g, h] = second;
            v[i] = [a, b, c, d, turn, e, f, g, h, w.turn, row[0].ring.all[1], row[1].turn];
        })
    });
    assert_eq!(got, [[2, 1, 103, 4, 100, 7, 1, 103, 14, 1, 1, 1]]);
}
