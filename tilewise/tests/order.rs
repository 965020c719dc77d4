//! What a kernel does, in the order in which Rust does it: native, reference and jit give the same.

use tilewise::prelude::*;
use tilewise::{Accelerator, Launch, parallel_for_each};

/// Runs a kernel on all targets, each on zeros; gives the one result.
fn on_all<const N: usize>(
    extent: [i32; N],
    run: impl Fn(Launch<Extent<N>>, &ArrayView<'_, i32, N>) -> tilewise::Result<()>,
) -> Vec<i32> {
    let [native, reference, jit] = ["native", "reference", "jit"].map(|path| {
        let target = Accelerator::new(path).unwrap().default_view();
        let view = ArrayView::<i32, N>::without_source(extent).unwrap();
        run(Launch::new(Extent(extent)).on(&target), &view).unwrap_or_else(|error| panic!("on {path}: {error}"));
        view.into_vec().unwrap()
    });
    assert_eq!(native, reference, "native, then reference");
    assert_eq!(jit, reference, "jit, then reference");
    native
}

/// Counts its calls, and gives the number of this one.
#[amp]
fn next(n: &mut i32) -> i32 {
    *n += 1;
    *n
}

/// Writes down what it is given, as one more digit.
#[amp]
fn note(log: &mut i32, digit: i32) -> i32 {
    *log = *log * 10 + digit;
    digit
}

#[amp]
fn asked(log: &mut i32, digit: i32, answer: bool) -> bool {
    *log = *log * 10 + digit;
    answer
}

#[test]
fn operands_and_arguments_go_from_left_to_right() {
    let found = on_all([1], |launch, v| {
        parallel_for_each!(launch, |i| {
            let mut log = 0;
            let x =
                note(&mut log, 1) + note(&mut log, 2) * note(&mut log, 3) - (note(&mut log, 4), note(&mut log, 5)).1;
            v[i] = log * 10 + x;
        })
    });
    assert_eq!(found, [123_452]);
}

#[test]
fn an_assignment_takes_its_value_first() {
    let found = on_all([4], |launch, v| {
        parallel_for_each!(launch, |i| {
            if i[0] == 0 {
                let mut n = -1;
                let mut list = [0; 4];
                list[next(&mut n)] = next(&mut n) * 10;
                list[next(&mut n)] += next(&mut n) * 10;
                v[0] = list[0];
                v[1] = list[1];
                v[2] = list[2];
                v[3] = list[3];
            }
        })
    });
    // The value is the first call each time, its place the second.
    assert_eq!(found, [0, 0, 0, 20]);
}

#[test]
fn conditions_ask_no_more_than_they_must() {
    let found = on_all([4], |launch, v| {
        parallel_for_each!(launch, |i| {
            let (a, b) = (i[0] % 2 == 1, i[0] / 2 == 1);
            let mut log = 0;
            if asked(&mut log, 1, a) && asked(&mut log, 2, b) || asked(&mut log, 3, !a) && !asked(&mut log, 4, b) {
                log += 1000;
            }
            v[i] = log;
        })
    });
    assert_eq!(found, [1134, 123, 134, 1012]);
}

#[amp]
fn find(list: &[i32; 5], wanted: i32) -> i32 {
    for k in 0..5 {
        if list[k] == wanted {
            return k;
        }
        if list[k] > wanted {
            return -k;
        }
    }
    100
}

#[test]
fn an_early_return_leaves_the_function_only() {
    let found = on_all([6], |launch, v| {
        parallel_for_each!(launch, |i| {
            let list = [0, 2, 4, i[0], 8];
            v[i] = find(&list, i[0]) * 10 + find(&list, 1);
        })
    });
    assert_eq!(found, [-1, -11, 9, -21, 19, 29]);
}

#[test]
fn every_range_gives_its_numbers() {
    let found = on_all([8], |launch, v| {
        parallel_for_each!(launch, |i| {
            let n = i[0];
            let mut log = 0;
            for k in (0..n).rev() {
                log = log * 10 + k;
            }
            for k in (n..=n + 1).rev() {
                log += k;
            }
            for k in (0..n).step_by(3) {
                log = log * 2 + k;
            }
            for k in (0..=n).rev().step_by(2) {
                log ^= k;
            }
            for k in (0..n as u32).step_by(2).rev() {
                log += k as i32;
            }
            for k in 250u32..=u32::MAX {
                log += k as i32 % 7;
                if k > 252 {
                    break;
                }
            }
            for _ in i32::MAX - 2..=i32::MAX {
                log += 1;
            }
            v[i] = log;
        })
    });
    assert_eq!(found.len(), 8);
}

#[test]
fn labels_and_values_of_loops() {
    let found = on_all([6], |launch, v| {
        parallel_for_each!(launch, |i| {
            let mut steps = 0;
            let x = 'outer: loop {
                let mut k = 0;
                loop {
                    steps += 1;
                    if steps > 20 {
                        break 'outer (steps, -1);
                    }
                    k += 1;
                    if k > i[0] {
                        continue 'outer;
                    }
                    if steps * k % 7 == 3 {
                        break 'outer (steps, k);
                    }
                }
            };
            let y = 'block: {
                if x.1 < 0 {
                    break 'block 0;
                }
                let mut w = x.0;
                while w > 3 {
                    w -= 3;
                    if w == 5 {
                        break 'block 55;
                    }
                }
                w
            };
            v[i] = x.0 * 100 + x.1 * 10 + y;
        })
    });
    assert_eq!(found.len(), 6);
}

#[test]
fn matches_take_the_first_arm_that_fits() {
    let found = on_all([12], |launch, v| {
        parallel_for_each!(launch, |i| {
            let n = i[0];
            let mut log = 0;
            let a = match (n % 3, n > 5) {
                (0, true) => 1,
                (0, _) | (_, true) if asked(&mut log, 7, n != 7) => 2,
                (k, false) => k + 10,
                (k, true) => k + 20,
            };
            let b = match n {
                0 | 3 | 9 => 5,
                1..=4 => 6,
                i32::MIN..=0 => 7,
                k if k % 2 == 0 => k,
                _ => -1,
            };
            let n = match n as u32 {
                0 => 1u32,
                1 => 10,
                2 => 100,
                m => m,
            };
            v[i] = ((a * 100 + b) * 10 + log) * 1000 + n as i32;
        })
    });
    assert_eq!(found.len(), 12);
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Pair {
    first: i32,
    list: [i32; 3],
}

#[amp]
impl Pair {
    fn turned(self) -> Pair {
        Pair { first: self.list[0], list: [self.list[1], self.list[2], self.first] }
    }

    fn add_at(&mut self, k: i32, by: i32) {
        if k < 0 {
            self.first += by;
            return;
        }
        self.list[k] += by;
    }
}

#[test]
fn structs_are_copied_when_rust_copies_them() {
    let found = on_all([4], |launch, v| {
        let setup = Pair { first: 3, list: [4, 5, 6] };
        parallel_for_each!(launch, |i| {
            let mut p = setup;
            let q = p;
            p.add_at(i[0] - 1, 100);
            let mut all = [p, q.turned(), setup];
            all[1].list[i[0] % 3] *= 2;
            let kept = all[1];
            all[1] = all[2].turned().turned();
            p.first = all[1].first;
            v[i] = p.first + all[0].list[i[0] % 3] * 10 + kept.list[i[0] % 3] * 10_000 + all[1].list[2] * 1_000_000;
        })
    });
    assert_eq!(found.len(), 4);
}

#[test]
fn truth_values_are_captured_in_tuples_and_arrays() {
    let found = on_all([4], |launch, v| {
        let (pair, answers, flag) = ((true, 7), [false, true, true, false], true);
        parallel_for_each!(launch, |i| {
            let mut mine = answers;
            mine[0] = flag && !pair.0;
            v[i] = if pair.0 == answers[i[0]] { pair.1 } else { -1 } * 10 + mine[i[0]] as i32;
        })
    });
    assert_eq!(found, [-10, 71, 71, -10]);
}
