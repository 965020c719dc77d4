//! Methods of arrays that sort, copy and compare them.

use super::*;
use std::cmp::Ordering;

#[amp]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, AmpStruct)]
struct Card {
    rank: i32,
    suit: u32,
}

#[amp]
fn digest(a: &[i32; 6]) -> i32 {
    let mut s = 0;
    for x in a {
        s = (s * 31 + x) % 10_007;
    }
    s
}

same! {
    arrays_are_sorted: i32, |i| {
        let mut a = [7, 3, i, 1, -9, 3];
        a.sort();
        let mut s = digest(&a) + i32::from(a.is_sorted());
        a.sort_by(|x, y| y.cmp(x));
        s = s * 3 + digest(&a) + i32::from(a.is_sorted());
        a.sort_by_key(|x| (x % 3, *x));
        s = s * 3 + digest(&a);
        a.sort_unstable();
        s = s * 3 + digest(&a);
        a.sort_unstable_by_key(|x| -*x);
        a.sort_unstable_by(|x, y| (x % 4).cmp(&(y % 4)).then(x.cmp(y)));
        s = s * 3 + digest(&a);
        let mut rows = [[3, i, 1], [2, 9, 4]];
        rows[1].sort();
        rows[(i & 1) as usize].reverse();
        rows[0].swap(0, 2);
        s % 10_007 + rows[0][0] + rows[1][0] * 10 + rows[1][2] * 100
    }

    sorting_is_stable: i32, |i| {
        let mut pairs = [(2, 0), (1, 1), (2, 2), (i, 3), (1, 4), (2, 5)];
        pairs.sort_by_key(|p| p.0);
        let mut s = 0;
        for (x, at) in pairs {
            s = (s * 13 + x * 7 + at) % 10_007;
        }
        pairs.sort_by(|a, b| b.0.cmp(&a.0));
        for (x, at) in pairs {
            s = (s * 13 + x * 7 + at) % 10_007;
        }
        s
    }

    structs_and_floats_are_sorted: i32, |i| {
        let mut hand = [Card { rank: i, suit: 2 }, Card { rank: 3, suit: 1 }, Card { rank: 3, suit: 0 }];
        hand.sort();
        let mut heights = [2.5, -1.0, i as f32, 0.25];
        heights.sort_by(|a, b| a.total_cmp(b));
        let mut x = [1.5, i as f64, -2.0];
        x.sort_by(|a, b| b.partial_cmp(a).unwrap_or(Ordering::Equal));
        hand[0].rank * 100 + hand[1].suit as i32 * 10 + (heights[1] * 4.0) as i32 + x[1] as i32
    }

    arrays_are_copied_and_turned: i32, |i| {
        let mut a = [1, 2, 3, 4, i, 6];
        a.rotate_left((i % 4) as usize);
        let mut s = digest(&a);
        a.rotate_right(2);
        s += digest(&a) * 3;
        let mut b = [0; 6];
        b.copy_from_slice(&a);
        b[0] = 9;
        let mut next = i;
        a.fill_with(|| {
            next += 3;
            next
        });
        s = s % 1000 + digest(&a) + digest(&b);
        let squares = a.map(|x| x * x);
        let halves = b.map(|x| x as f32 * 0.5);
        s + squares[5] + halves[1] as i32
    }

    arrays_begin_and_end: u32, |i| {
        let a = [1, 2, 3, i];
        let mut s = u32::from(a.starts_with(&[1, 2]));
        s = s * 2 + u32::from(a.starts_with(&[2]));
        s = s * 2 + u32::from(a.ends_with(&[3, 4]));
        s = s * 2 + u32::from(a.starts_with(&a));
        s * 2 + u32::from([1.0, f32::NAN].is_sorted())
    }

    binary_search_by_hand_in_a_sorted_array: i32, |i| {
        let mut a = [9, 4, 7, 1, 8, 2, 5];
        a.sort();
        let (mut low, mut high) = (0, a.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match a[middle].cmp(&(i * 2)) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return_at(&mut low, &mut high, middle),
                Ordering::Greater => high = middle,
            }
        }
        low as i32 * 10 + a[low % 7]
    }
}

#[amp]
fn return_at(low: &mut usize, high: &mut usize, at: usize) {
    *low = at;
    *high = at;
}
