//! Control flow: what each form means is compared between the targets, and with the same Rust on the host.

use tilewise::{AmpStruct, ArrayView, amp, parallel_for_each};

use crate::on_all;

const LOW: i32 = 3;

#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Kind {
    Small,
    Large,
}

#[amp]
fn kind(x: i32) -> Kind {
    if x < LOW { Kind::Small } else { Kind::Large }
}

#[amp]
fn matches(x: i32) -> i32 {
    let a = match x {
        i32::MIN..=-1 => 1,
        0 => 2,
        LOW => 3,
        4 | 5 => 4,
        6..9 => 5,
        n if n % 2 == 0 => n,
        _ => 6,
    };
    let b = match (x % 2, kind(x)) {
        (0, Kind::Small) => 10,
        (1, Kind::Small) | (_, Kind::Large) if x > 7 => 20,
        (k, Kind::Large) => k + 30,
        (_, Kind::Small) => 50,
    };
    let c = match (x > 2, x as u32) {
        (true, 5u32..) => 100,
        (false, k) => k as i32,
        (true, _) => 300,
    };
    let d = match (x, x - 5) {
        (0, k) | (k, 0) => k * 1000,
        (1 | 2, k) | (k, 1 | 2) if k > -4 => k,
        (k, _) => -k,
    };
    a + b + c + d
}

#[amp]
fn loops(n: i32) -> i32 {
    let mut sum = 0;
    'outer: for i in (0..n).rev().step_by(2) {
        for j in 0..=i {
            if j == 3 {
                continue 'outer;
            }
            if i + j > 12 {
                break 'outer;
            }
            sum += i * j + 1;
        }
        sum += 100;
    }
    let mut k = n;
    while k > 0 && sum < 5000 {
        k /= 2;
        if k == 2 {
            continue;
        }
        sum += k;
    }
    let found = loop {
        k += 1;
        if k * k > n {
            break k * 1000;
        }
    };
    let labelled = 'here: {
        if n > 5 {
            break 'here 7;
        }
        if n > 3 {
            break 'here 8;
        }
        9
    };
    for _ in 0..2 {
        sum += 1;
    }
    for x in (1..n).step_by(3).rev() {
        sum = sum * 2 + x;
    }
    sum + found + labelled
}

#[amp]
fn early(x: i32) -> i32 {
    let x = x + 1;
    if x % 3 == 0 {
        return -x;
    }
    let x = {
        let x = x * 2;
        if x > 10 {
            return x;
        }
        x + 1
    };
    match x {
        3 => return 33,
        _ => {}
    }
    x
}

#[amp]
fn logic(x: i32, calls: &mut i32) -> bool {
    *calls += 1;
    x > 3
}

#[test]
fn control_flow() {
    let results = on_all([16, 4], |launch, v: &ArrayView<'_, i32, 2>| {
        parallel_for_each!(launch, |i| {
            let x = i[0] - 2;
            let mut calls = 0;
            let both = logic(x, &mut calls) && logic(-x, &mut calls) || logic(x + 2, &mut calls);
            v[i] = match i[1] {
                0 => matches(x),
                1 => loops(x),
                2 => early(x),
                _ => calls * 10 + both as i32,
            };
        })
    });
    for x in -2..14 {
        let mut calls = 0;
        let both = logic(x, &mut calls) && logic(-x, &mut calls) || logic(x + 2, &mut calls);
        let wanted = [matches(x), loops(x), early(x), calls * 10 + both as i32];
        assert_eq!(results[(x + 2) as usize * 4..][..4], wanted, "{x}");
    }
}
