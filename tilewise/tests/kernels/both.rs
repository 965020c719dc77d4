//! The same on every target.

use tilewise::prelude::*;
use tilewise::{Launch, kernel, parallel_for_each};

use crate::{TARGETS, view};

#[test]
fn vector_addition() {
    for path in TARGETS {
        let (a, b) = ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]);
        let mut out = [0; 5];
        let a = ArrayView::read_only(5, &a).unwrap();
        let b = ArrayView::read_only(5, &b).unwrap();
        let sum = ArrayView::new(5, &mut out).unwrap();
        sum.discard_data();
        parallel_for_each!(&view(path), sum.extent(), |idx| {
            sum[idx] = a[idx] + b[idx];
        })
        .unwrap();
        assert_eq!(*sum.host().unwrap(), [7, 9, 11, 13, 15]);
        sum.close().unwrap();
        assert_eq!(out, [7, 9, 11, 13, 15]);
    }
}

#[test]
fn the_forms_of_a_launch() {
    for path in TARGETS {
        let v = ArrayView::from_vec((4, 6), vec![0; 24]).unwrap();
        let (av, e) = (view(path), v.extent());
        parallel_for_each!(&av, e, |i| {
            v[i] += 1;
        })
        .unwrap();
        parallel_for_each!((&av, e), |i| {
            v[i] += 1;
        })
        .unwrap();
        parallel_for_each!(Launch::new(e).on(&av), |i| {
            v[i] += 1;
        })
        .unwrap();
        parallel_for_each!(&av, e.tile::<2, 3>(), |t| {
            v[t] += 1;
        })
        .unwrap();
        let k = kernel!(|i: Index<2>| {
            v[i] += 1;
        });
        av.parallel_for_each(e, &k).unwrap();
        Launch::new(e).on(&av).run(&k).unwrap();
        assert_eq!(v.to_vec().unwrap(), [6; 24]);
    }
}

#[test]
fn tiles_average() {
    for path in TARGETS {
        let sample = [2, 2, 9, 7, 1, 4, 4, 4, 8, 8, 3, 4, 1, 5, 1, 2, 5, 2, 6, 8, 3, 2, 7, 2];
        let sample = ArrayView::read_only((4, 6), &sample).unwrap();
        let average = ArrayView::<i32, 2>::without_source((4, 6)).unwrap();
        parallel_for_each!(&view(path), sample.extent().tile::<2, 2>(), |t| {
            #[tile_static]
            let nums: [[i32; 2]; 2];
            nums[t.local[1]][t.local[0]] = sample[t.global];
            t.barrier.wait();
            average[t.global] = (nums[0][0] + nums[0][1] + nums[1][0] + nums[1][1]) / 4;
        })
        .unwrap();
        assert_eq!(
            average.to_vec().unwrap(),
            [3, 3, 8, 8, 3, 3, 3, 3, 8, 8, 3, 3, 5, 5, 2, 2, 4, 4, 5, 5, 2, 2, 4, 4],
            "{path}"
        );
    }
}

#[test]
fn what_is_captured_travels_with_each_launch() {
    for path in TARGETS {
        let v = ArrayView::from_vec(4, vec![0.0f32; 4]).unwrap();
        for n in 1..4 {
            let (scale, by, on, at, pair) = (n as f32, Float2 { x: 1.0, y: 2.0 }, true, Index([n]), (n, 0.5f32));
            parallel_for_each!(&view(path), v.extent(), |i| {
                if on && i == at {
                    v[i] = scale * (by.x + by.y) + pair.1 * pair.0 as f32;
                }
            })
            .unwrap();
        }
        assert_eq!(v.to_vec().unwrap(), [0.0, 3.5, 7.0, 10.5], "{path}");
    }
}

#[test]
fn a_view_behind_a_reference_is_captured_as_the_view() {
    struct Owner {
        values: ArrayView<'static, i32>,
    }
    impl Owner {
        fn add(&mut self, path: &str, by: i32) -> tilewise::Result<()> {
            let Owner { values } = self;
            parallel_for_each!(&view(path), values.extent(), |i| {
                values[i] += by;
            })
        }
    }
    for path in TARGETS {
        let mut owner = Owner { values: ArrayView::from_vec(3, vec![1, 2, 3]).unwrap() };
        owner.add(path, 10).unwrap();
        owner.add(path, 5).unwrap();
        assert_eq!(owner.values.to_vec().unwrap(), [16, 17, 18], "{path}");
    }
}

struct Stage<'k> {
    name: &'static str,
    kernel: Kernel<'k, Index<1>>,
}

#[test]
fn kernels_are_stored_and_launched_on_several_accelerators_by_several_threads() {
    let v = ArrayView::from_vec(64, vec![1; 64]).unwrap();
    let stages = [
        Stage {
            name: "double",
            kernel: kernel!(|i: Index<1>| {
                v[i] *= 2;
            }),
        },
        Stage {
            name: "add",
            kernel: kernel!(|i: Index<1>| {
                v[i] += i[0];
            }),
        },
    ];
    let accelerators = TARGETS.map(view);
    for stage in &stages {
        assert!(stage.kernel.location().file().ends_with("both.rs"), "{}", stage.name);
        for av in &accelerators {
            stage.kernel.prepare(av).unwrap();
        }
    }
    std::thread::scope(|scope| {
        for av in &accelerators {
            scope.spawn(|| (0..5).for_each(|_| av.parallel_for_each(v.extent(), &stages[0].kernel).unwrap()));
        }
    });
    std::thread::scope(|scope| {
        for av in &accelerators {
            let add = stages[1].kernel.clone();
            let extent = v.extent();
            scope.spawn(move || (0..5).for_each(|_| av.parallel_for_each(extent, &add).unwrap()));
        }
    });
    let expected: Vec<i32> = (0..64).map(|i| (1 << 15) + 15 * i).collect();
    assert_eq!(v.to_vec().unwrap(), expected);
}

#[test]
fn only_what_a_kernel_writes_is_taken_for_writing() {
    for path in TARGETS {
        let from = ArrayView::from_vec(4, vec![1, 2, 3, 4]).unwrap();
        let to = ArrayView::from_vec(4, vec![0; 4]).unwrap();
        let reading = from.host().unwrap();
        parallel_for_each!(&view(path), to.extent(), |i| {
            to[i] = from[i];
        })
        .unwrap();
        assert_eq!(*to.host().unwrap(), *reading);
        let result = parallel_for_each!(&view(path), to.extent(), |i| {
            from[i] = to[i];
        });
        assert!(matches!(result, Err(tilewise::Error::Borrowed(_))), "{path}");
    }
}

#[test]
fn lines_come_sorted_when_the_launch_is_complete() {
    static LINES: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    tilewise::set_print_hook(|line| LINES.lock().unwrap().push(line.to_owned()));
    for path in TARGETS {
        parallel_for_each!(&view(path), Extent([4]).tile::<2>(), |t| {
            print!("{} before", t.global[0]);
            t.barrier.wait();
            print!("{} of {} after", t.global, 2.5);
        })
        .unwrap();
        let lines = std::mem::take(&mut *LINES.lock().unwrap());
        assert_eq!(lines[..2], ["0 before", "(0) of 2.5 after"], "{path}");
        assert_eq!(lines.len(), 8);
    }
    // More than is kept.
    for path in TARGETS {
        parallel_for_each!(&view(path), Extent([60_000]), |i| {
            print!("line {}, of some length", i[0]);
        })
        .unwrap();
        let lines = std::mem::take(&mut *LINES.lock().unwrap());
        let bytes: usize = lines[..lines.len() - 1].iter().map(|line| line.len() + 1).sum();
        let all: usize = (0..60_000).map(|i| format!("line {i}, of some length\n").len()).sum();
        assert!((1 << 20) - 40 < bytes && bytes <= 1 << 20);
        assert!(lines[lines.len() - 1].contains(&format!("{} bytes more", all - bytes)), "{path}");
    }
}

#[test]
fn threads_that_end_themselves() {
    for path in TARGETS {
        let v = ArrayView::from_vec(8, vec![0; 8]).unwrap();
        let result = parallel_for_each!(&view(path), v.extent().tile::<4>(), |t| {
            if t.global[0] == 5 {
                abort!();
            }
            if t.local[0] == 2 {
                error!("thread {} at {}", t.global[0], 0.5);
            }
            t.barrier.wait();
            v[t] = 1;
        });
        let Err(tilewise::Error::Aborted(fault)) = result else { panic!("{result:?}") };
        assert_eq!(fault.message, "thread 2 at 0.5; 2 other threads ended so too", "{path}");
        assert_eq!(fault.thread, [2]);
        assert!(fault.source.0.ends_with("both.rs"), "{:?}", fault.source);
        assert_eq!(v.to_vec().unwrap(), [1, 1, 0, 1, 1, 0, 0, 1]);
    }
}

#[test]
fn a_generic_kernel_has_a_program_for_each_type() {
    fn add<T: Scalar>(path: &str, by: T, v: &ArrayView<'_, T>) {
        parallel_for_each!(&view(path), v.extent(), |i| {
            v[i] = v[i] + by;
        })
        .unwrap();
    }
    let ints = ArrayView::from_vec(4, vec![1, 2, 3, 4]).unwrap();
    let floats = ArrayView::from_vec(2, vec![0.5f32, 1.5]).unwrap();
    for path in TARGETS {
        add(path, 10, &ints);
        add(path, 0.25, &floats);
        add(path, 20, &ints);
    }
    assert_eq!(ints.to_vec().unwrap(), [91, 92, 93, 94]);
    assert_eq!(floats.to_vec().unwrap(), [1.25, 2.25]);
}

#[test]
fn pfe_2_every_cell_is_counted_by_a_million_threads() {
    for path in TARGETS {
        let cells = ArrayView::from_vec(4095, vec![0; 4095]).unwrap();
        let (rows, columns) = (1025, 1023);
        parallel_for_each!(&view(path), Extent([rows, columns]), |i| {
            cells.atomic((i[0] * columns + i[1]) % 4095).fetch_add(1);
        })
        .unwrap();
        let counts = cells.to_vec().unwrap();
        let full = rows * columns / 4095;
        let rest = (rows * columns % 4095) as usize;
        assert!(counts[..rest].iter().all(|&count| count == full + 1), "{path}");
        assert!(counts[rest..].iter().all(|&count| count == full), "{path}");
    }
}

#[test]
fn pfe_7_kernels_without_captures_and_with_many() {
    for path in TARGETS {
        parallel_for_each!(&view(path), Extent([3]), |_i| {}).unwrap();
        let out = ArrayView::from_vec(16, vec![0; 16]).unwrap();
        let views: Vec<ArrayView<'static, i32>> =
            (0..8).map(|n| ArrayView::from_vec(16, vec![n; 16]).unwrap()).collect();
        let [a, b, c, d, e, f, g, h] = &views[..] else { panic!("there are eight") };
        let (flag, shift, extent, weights) = (true, 2u32, Extent([4, 4]), [1, 10, 100]);
        parallel_for_each!(&view(path), out.extent(), |i| {
            let sum = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i];
            if flag {
                out[i] = (sum << shift) + extent[0] + weights[i[0] % 3];
            }
        })
        .unwrap();
        let expected: Vec<i32> = (0..16).map(|i| (28 << 2) + 4 + [1, 10, 100][i % 3]).collect();
        assert_eq!(out.to_vec().unwrap(), expected, "{path}");
    }
}

#[test]
fn views_of_one_home_that_overlap_are_one_memory() {
    for path in TARGETS {
        let all = ArrayView::from_vec(768, vec![2; 768]).unwrap();
        let (low, high) = (all.section(0, 512), all.section(256, 512));
        parallel_for_each!(&view(path), low.extent(), |i| {
            low.atomic(i).fetch_add(1);
            high.atomic(i).fetch_add(1);
        })
        .unwrap();
        let counts = all.to_vec().unwrap();
        assert!(counts[..256].iter().chain(&counts[512..]).all(|&count| count == 3), "{path}");
        assert!(counts[256..512].iter().all(|&count| count == 4), "{path}");
    }
}
