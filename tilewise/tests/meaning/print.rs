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

#[test]
fn a_variable_in_the_text_is_read_behind_the_values() {
    let want = {
        let (mut x, mut y) = (3, 1);
        [
            format!("{x} {}", {
                x = 5;
                x
            }),
            format!("{y} {} {x}", {
                y += x;
                y
            }),
        ]
    };
    let got = on_targets(|on| {
        parallel_for_each!(on, Extent([1]), |i| {
            let (mut x, mut y) = (3 + i[0], 1);
            print!("{x} {}", {
                x = 5;
                x
            });
            print!("{y} {} {x}", {
                y += x;
                y
            });
        })
    });
    assert_eq!(got, want);
}

#[test]
fn the_text_of_an_assertion_has_its_own_values() {
    for path in ["native", "reference", "jit"] {
        let on = Accelerator::new(path).unwrap().default_view();
        let x = 3;
        let by_number = parallel_for_each!(&on, Extent([1]), |i| assert_eq!(x + i[0], 4, "e {0} {0}", 5));
        let by_name = parallel_for_each!(&on, Extent([1]), |i| assert_eq!(x + i[0], 4, "e {n} {x}", n = 6));
        let in_order = parallel_for_each!(&on, Extent([1]), |i| assert_ne!(x + i[0], 3, "e {} {}", 7, 8));
        for (result, own, right) in [(by_number, "5 5", 4), (by_name, "6 3", 4), (in_order, "7 8", 3)] {
            let told = result.expect_err("the values differ").to_string();
            let sign = if right == 3 { "!=" } else { "==" };
            let want = format!("assertion `left {sign} right` failed: e {own}\n  left: 3\n right: {right}");
            assert!(told.contains(&want), "{path}: {told}");
        }
    }
}

/// The lines that a kernel prints on each target, which are the same.
fn on_targets(print: impl Fn(&tilewise::AcceleratorView) -> tilewise::Result<()>) -> Vec<String> {
    let all = ["native", "reference", "jit"].map(|target| {
        let on = Accelerator::new(target).unwrap().default_view();
        lines_of(|| print(&on).unwrap())
    });
    assert_eq!(all[0], all[1], "native, then reference");
    assert_eq!(all[2], all[1], "jit, then reference");
    all[0].clone()
}

#[test]
fn formats_are_those_of_rust() {
    let (x, n, m, small, wide, truth, c) = (2.5_f32, -42, 200_u32, -3_i8, 1_u64 << 40, true, 'é');
    let width = 7.0_f64 / 3.0;
    let got = on_targets(|on| {
        parallel_for_each!(on, Extent([1]), |i| {
            print!("{x:.2} {x:>8} {x:08.3} {x:+e} {x:?} {width:.3} {width:<9.1}|");
            print!("{n:5} {n:<5}| {n:^7}| {n:*>6} {n:06} {n:+} {n:#x} {n:b} {m:#010b} {m:o} {m:X} {m:e}");
            print!("{small:x} {small:#b} {small:5} {wide:#x} {wide:e}");
            print!("{truth:>6} {truth:?} {c} {c:?} {c:>3} {:?}", 'a');
            print!("{0:>4} {0:<4}| {y:.1} {:03}", i[0] + 7, y = x * 2.0);
            print!("{:.0} {:5.1} {:e}", f32::INFINITY, f32::NAN, 0.0_f32);
            print!("{{{n:3}}} {:-^9}", 5_u16);
        })
    });
    let mut want = vec![
        format!("{x:.2} {x:>8} {x:08.3} {x:+e} {x:?} {width:.3} {width:<9.1}|"),
        format!("{n:5} {n:<5}| {n:^7}| {n:*>6} {n:06} {n:+} {n:#x} {n:b} {m:#010b} {m:o} {m:X} {m:e}"),
        format!("{small:x} {small:#b} {small:5} {wide:#x} {wide:e}"),
        format!("{truth:>6} {truth:?} {c} {c:?} {c:>3} {:?}", 'a'),
    ];
    want.push(format!("{0:>4} {0:<4}| {y:.1} {:03}", 7, y = x * 2.0));
    want.push(format!("{:.0} {:5.1} {:e}", f32::INFINITY, f32::NAN, 0.0_f32));
    want.push(format!("{{{n:3}}} {:-^9}", 5_u16));
    assert_eq!(got, want);
}

#[derive(Clone, Copy, Debug, AmpStruct)]
struct Pair(f32, bool);

#[derive(Clone, Copy, Debug, AmpStruct)]
struct Whole {
    pair: Pair,
    letters: [char; 2],
    kind: E,
}

#[test]
fn debug_is_as_derived() {
    let whole = Whole { pair: Pair(1.0, true), letters: ['a', '\n'], kind: E::C };
    let (p, v, at) = (P { x: 1, y: -2 }, Float2::new(1.5, -0.0), Index([3, 4]));
    let (kind, kinds, truth) = (E::A, [E::B, E::C], true);
    let got = on_targets(|on| {
        parallel_for_each!(on, Extent([1]), |_| {
            print!("{whole:?} {p:?} {v:?} {at:?}");
            print!("{whole:#?}");
            print!("{p:5?} {:x?} {:?} {:?}", [10, 255], (1, 2.0_f32), (3_u8,));
            print!("{:#?} {:#x?}", [0_i32; 0], (17, [1]));
            print!("{kind:10?}|{kind:>4.1?}|{kinds:8?}|{truth:6.2?}|");
        })
    });
    let want = [
        format!("{whole:?} {p:?} {v:?} {at:?}"),
        format!("{whole:#?}"),
        format!("{p:5?} {:x?} {:?} {:?}", [10, 255], (1, 2.0_f32), (3_u8,)),
        format!("{:#?} {:#x?}", [0_i32; 0], (17, [1])),
        format!("{kind:10?}|{kind:>4.1?}|{kinds:8?}|{truth:6.2?}|"),
    ];
    assert_eq!(got, want);
}

#[derive(Clone, Copy, Debug, AmpStruct)]
struct Plain;

#[derive(Clone, Copy, Debug, AmpStruct)]
struct Braced {}

#[derive(Clone, Copy, Debug, AmpStruct)]
struct Bracketed();

#[derive(Clone, Copy, Debug, AmpStruct)]
struct Around {
    n: u8,
    plain: Plain,
    nothing: (),
    pair: (Braced, Bracketed),
    several: [Plain; 2],
}

#[test]
fn what_has_no_parts_is_written_as_derived() {
    let around = Around { n: 1, plain: Plain, nothing: (), pair: (Braced {}, Bracketed()), several: [Plain; 2] };
    let got = on_targets(|on| {
        parallel_for_each!(on, Extent([1]), |_| {
            print!("{:?} {:?} {:?} {around:?}", Plain, Braced {}, Bracketed());
            print!("{around:#?} {:#?}", Plain);
            print!("{around:>7?}|{:9?}|{:^4.1?}|", Plain, Bracketed());
            print!("{:*<3?}|{:>5?}|{:^6?}|{:05?}|{:.1?}|{:?}", (), (), (), (), (), ((), 1));
        })
    });
    let want = [
        format!("{:?} {:?} {:?} {around:?}", Plain, Braced {}, Bracketed()),
        format!("{around:#?} {:#?}", Plain),
        format!("{around:>7?}|{:9?}|{:^4.1?}|", Plain, Bracketed()),
        format!("{:*<3?}|{:>5?}|{:^6?}|{:05?}|{:.1?}|{:?}", (), (), (), (), (), ((), 1)),
    ];
    assert_eq!(got, want);
}

#[test]
fn what_cannot_be_written_is_an_error_on_every_target() {
    for target in ["native", "reference", "jit"] {
        let on = Accelerator::new(target).unwrap().default_view();
        let launched = parallel_for_each!(&on, Extent([1]), |i| {
            let found = i[0].checked_add(1);
            print!("{:?}", found);
        });
        let text = launched.expect_err(target).to_string();
        assert!(text.contains("only numbers can be written"), "{target}: {text}");
    }
}

#[test]
fn a_format_stands_in_errors_and_on_the_host() {
    #[amp]
    fn told(x: f32) -> f32 {
        if x > 1.0 {
            error!("{x:.3} is above {:>4}", 1);
        }
        x
    }
    for path in ["native", "reference", "jit"] {
        let on = Accelerator::new(path).unwrap().default_view();
        let launch = parallel_for_each!((&on, Extent([1])), |i| {
            let _x = told(i[0] as f32 + 2.0);
        });
        let told = launch.unwrap_err().to_string();
        assert!(told.contains("2.000 is above    1"), "{path}: {told}");
    }
    let panicked = std::panic::catch_unwind(|| told(3.5)).unwrap_err();
    assert_eq!(panicked.downcast_ref::<String>().map(String::as_str), Some("3.500 is above    1"));
}
