//! Loops, ranges and iterators.

use super::*;
use tilewise::prelude::*;

same! {
    for_over_an_array: i32, |i| {
        let mut sum = 0;
        for x in [i, 2, i * i] {
            sum = sum * 10 + x;
        }
        sum
    }

    for_over_references: i32, |i| {
        let mut all = [1, i, 3];
        for x in &mut all {
            *x += i;
        }
        let mut sum = 0;
        for x in &all {
            sum += *x;
        }
        sum
    }

    items_with_their_numbers: i32, |i| {
        let weights = [5, i, 2];
        let mut sum = 0;
        for (k, x) in weights.iter().enumerate() {
            sum += k as i32 * x;
        }
        sum
    }

    a_range_with_a_name: i32, |i| {
        let all = 1..i;
        let mut sum = all.contains(&3) as i32 * 100;
        for k in all {
            sum += k;
        }
        sum
    }

    ranges_by_steps: i32, |i| {
        let mut sum = 0;
        for k in (0..10 * i).step_by(7) {
            sum += k;
        }
        sum
    }

    ranges_from_the_end: i32, |i| {
        let mut number = 0;
        for k in (0..=i).rev() {
            number = number * 10 + k;
        }
        number
    }

    the_length_of_an_array: i32, |i| {
        let (all, table) = ([0; 7], [[i; 3]; 2]);
        all.len() as i32 * 100 + (table.len() * table[0].len()) as i32 + i
    }

    labels: i32, |i| {
        let mut found = -1;
        'outer: for a in 1..9 {
            for b in a..9 {
                if a + b > 12 {
                    break 'outer;
                }
                if a * b != 3 * i {
                    continue;
                }
                found = a * 10 + b;
                continue 'outer;
            }
        }
        found
    }

    a_loop_has_a_value: i32, |i| {
        let mut n = i + 1;
        let steps = loop {
            if n > 50 {
                break n;
            }
            n *= 3;
        };
        let block = 'b: {
            if i == 2 {
                break 'b 0;
            }
            1
        };
        steps * 10 + block
    }

    sums_of_iterators: i32, |i| {
        let (a, b) = ([1, i, 3], [4, 5, i]);
        a.iter().zip(&b).map(|(x, y)| x * y).filter(|x| x % 2 == 0).sum::<i32>()
    }

    folds_and_questions: i32, |i| {
        let all = [i, 3, 1];
        let most = all.iter().fold(0, |most, x| if *x > most { *x } else { most });
        most * 10 + all.iter().any(|x| *x == 4) as i32 + all.iter().position(|x| *x == 1).unwrap_or(9) as i32
    }

    an_iterator_with_a_name: i32, |i| {
        let all = [i, 2, 3, 4];
        let mut it = all.iter().copied().skip(1);
        let first = it.next().unwrap_or(0);
        let rest: i32 = it.map(|x| x * i).sum();
        first * 100 + rest
    }

    windows_of_an_array: i32, |i| {
        let all = [i, 5, 2, 8];
        let mut rises = 0;
        for pair in all.windows(2) {
            rises += (pair[0] < pair[1]) as i32;
        }
        rises
    }

    an_array_is_sorted: i32, |i| {
        let mut all = [3, i, 9, 1];
        all.sort_unstable_by(|a, b| b.cmp(a));
        all[0] * 1000 + all[1] * 100 + all[2] * 10 + all[3]
    }
}
