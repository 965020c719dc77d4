//! Arrays in arrays: loops and iterators over one of them, in place.

use super::*;

#[derive(Clone, Copy, AmpStruct)]
struct Board {
    cells: [[i32; 3]; 2],
    moves: i32,
}

#[amp]
impl Board {
    fn raise(&mut self, row: usize, by: i32) {
        for cell in self.cells[row].iter_mut() {
            *cell += by;
            self.moves += 1;
        }
        for (cell, k) in self.cells[1 - row].iter_mut().zip(0..) {
            *cell *= k + 1;
        }
    }

    fn sum(&self, row: usize) -> i32 {
        let mut sum = 0;
        for cell in &self.cells[row] {
            sum = sum * 5 + cell;
        }
        sum
    }
}

#[amp]
fn doubled(rows: &mut [[i32; 2]; 2], at: usize) {
    for x in &mut rows[at] {
        *x *= 2;
    }
}

same! {
    tuples_with_arrays_in_them_are_compared: i32, |i| {
        let a = [(1, [i % 3, 5 - i]), (i % 2, [2, 3]), (1, [0, i])];
        let mut s = 0;
        for (k, x) in a.iter().enumerate() {
            for y in a {
                s = s * 2 + i32::from(*x < y) + i32::from(*x == y) * (k as i32 + 1) + i32::from(*x >= y) % 1000;
            }
            s = s % 100_003 + i32::from([*x, (i, [i; 2])] <= [(1, [0, i]), (i, [i; 2])]);
        }
        let best = a.into_iter().max_by_key(|x| (x.1, x.0)).unwrap_or((7, [7, 7]));
        let same = ((i, [i]), [[i, 1]; 2]) == ((i, [3]), [[3, 1]; 2]);
        s + best.0 * 1000 + best.1[0] * 100 + best.1[1] * 10 + i32::from(same)
    }

    loops_change_a_row_in_place: i32, |i| {
        let mut m = [[1, 2, 3], [4, 5, 6], [7, 8, i]];
        let mut k = (i % 3) as usize;
        for x in m[k].iter_mut() {
            // The loop goes over the row that was meant when it began.
            k = (k + 1) % 3;
            *x = *x * 10 + k as i32;
        }
        for (at, x) in m[2].iter_mut().enumerate() {
            *x += at as i32;
        }
        for x in &mut m[0] {
            *x -= i;
        }
        for x in m[1].iter_mut().rev().take(2) {
            *x *= 3;
        }
        let mut s = 0;
        for row in &m {
            for x in row {
                s = (s * 7 + x) % 10_007;
            }
        }
        for x in &m[k] {
            s = (s * 3 + x) % 10_007;
        }
        for x in m[k].iter().skip(1) {
            s = (s * 3 + x) % 10_007;
        }
        s
    }

    rows_are_joined_with_others: i32, |i| {
        let mut m = [[i; 4], [3; 4]];
        let (other, k) = ([1, 2, 3, 4], (i & 1) as usize);
        for (x, y) in m[k].iter_mut().zip(other.iter()) {
            *x += *y;
        }
        for (y, x) in other.iter().zip(&mut m[1]) {
            *x = *x * 5 + y;
        }
        let mut s = 0;
        for (y, x) in other.iter().zip(&m[0]) {
            s = (s * 3 + x * y) % 10_007;
        }
        m[k].iter_mut().for_each(|x| *x ^= 5);
        for row in m {
            for x in row {
                s = (s * 11 + x) % 10_007;
            }
        }
        s
    }

    rows_of_a_field_and_of_a_parameter: i32, |i| {
        let mut board = Board { cells: [[1, 2, 3], [i, 5, 6]], moves: 0 };
        board.raise((i % 2) as usize, i);
        let mut boards = [board; 2];
        for cell in boards[1].cells[0].iter_mut() {
            *cell += 100;
        }
        let mut rows = [[i, 1], [2, 3]];
        doubled(&mut rows, 1);
        boards[1].sum(0) + board.sum(1) * 3 + board.moves + rows[1][1] * rows[1][0] + rows[0][0]
    }
}

mod rows_at_indices_that_read_their_array {
    use super::*;

    #[amp]
    fn raised(x: &mut i32) -> i32 {
        *x += 10;
        *x
    }

    same! {
        runs: i32, |n| {
            let mut m = [[1, n, 3], [4, 5, 0], [n, 7, 2]];
            m[m[0][0] as usize].sort();
            let k = n as usize % 3;
            let r = &mut m[m[1][0] as usize][k];
            *r += 3;
            for x in &mut m[m[1][0] as usize + 1] {
                *x *= 2;
            }
            for x in m[k].iter_mut().rev() {
                *x += 1;
            }
            let mut at = 0;
            let q = &mut m[{ at += 1; at }][{ at += 1; at }];
            *q += 100;
            let y = raised(&mut m[m[0][0] as usize % 3][at]);
            m.iter().flatten().fold(y, |h, x| (h * 7 + x) % 100_003)
        }
    }
}
