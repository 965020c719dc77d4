//! What is printed.

use std::sync::Mutex;

use tilewise::prelude::*;
use tilewise::{Accelerator, ArrayView, Error, TileStatic, amp, parallel_for_each};

use crate::{P, Q, on_all, on_each};

#[derive(Clone, Copy, Debug, AmpStruct)]
enum E {
    A = 1,
    B = 2,
    C = -1,
}
static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The lines that are printed meanwhile.
pub(crate) fn lines_of(run: impl FnOnce()) -> Vec<String> {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock();
    tilewise::set_print_hook(|line| LINES.lock().unwrap().push(line.to_string()));
    LINES.lock().unwrap().clear();
    run();
    LINES.lock().unwrap().clone()
}

#[test]
fn what_is_printed_is_the_same() {
    let mut all = Vec::new();
    for target in ["native", "reference", "jit"] {
        let on = Accelerator::new(target).unwrap().default_view();
        let e = Extent([3, 4]);
        let p = P { x: 1, y: -2 };
        let c = E::B;
        let f = Float2::new(1.5, -0.0);
        all.push(lines_of(|| {
            let launch = parallel_for_each!(&on, Extent([1]), |i| {
                print!("{} {}", i, e);
                print!("{}", (1, 2.5f32, true));
                print!("{}", [1, 2, 3]);
                print!("{}", p);
                print!("{} {}", c, f);
                print!("{}", 5usize);
                print!("{p} {{}} {}", -1isize);
                print!("{} {} {}", usize::MAX, isize::MIN, isize::MAX);
                print!("{} {} {}", 1e30f32, f32::NAN, -0.0f64);
            });
            launch.unwrap();
        }));
    }
    assert_eq!(all[0], all[1]);
    assert_eq!(all[1], all[2]);
}

#[test]
fn a_cast_and_a_comparison_can_be_written_as_they_are() {
    for path in ["native", "reference", "jit"] {
        let on = Accelerator::new(path).unwrap().default_view();
        let launch = parallel_for_each!((&on, Extent([1])), |i| {
            error!("{} {} {}", 2.5_f32 as i32, i[0] < 3, i[0] == 0 && i[0] > 1);
        });
        let told = launch.unwrap_err().to_string();
        assert!(told.contains("2 true false"), "{path}: {told}");
    }
}

#[test]
fn values_are_printed_by_position_and_by_name() {
    for target in ["native", "reference", "jit"] {
        let on = Accelerator::new(target).unwrap().default_view();
        let counts = ArrayView::from_vec(1, vec![0]).unwrap();
        let (k, p) = (5_u8, P { x: 1, y: 2 });
        let lines = lines_of(|| {
            let launch = parallel_for_each!(&on, Extent([1]), |i| {
                let x = 2.5_f32;
                print!("{1} {0} {1} {x}", i[0] + 7, -3_i16);
                print!("{} {y} {} {0} {k}", 1, 2, y = x * 2.0);
                print!("{first}{first}{}", counts.atomic(0).fetch_add(1), first = counts.atomic(0).fetch_add(1));
                print!("{} {a}", p.x == 1, a = p.y);
            });
            launch.unwrap();
        });
        assert_eq!(lines, ["-3 7 -3 2.5", "1 5 2 1 5", "110", "true 2"], "{target}");
    }
}
