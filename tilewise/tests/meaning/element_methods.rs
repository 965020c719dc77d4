//! Methods of elements in the arguments and indices of methods of elements of the same array.

use tilewise::prelude::*;
use tilewise::{Accelerator, ArrayView, amp, parallel_for_each};

use crate::on_all;

#[derive(Clone, Copy, AmpStruct)]
struct Cell {
    n: i32,
}

#[amp]
impl Cell {
    fn get(&self) -> i32 {
        self.n
    }
    fn plus(&self, by: i32) -> i32 {
        self.n + by
    }
    fn value(self, by: i32) -> i32 {
        self.n * 2 + by
    }
    fn add(&mut self, by: i32) -> i32 {
        self.n += by;
        self.n - 1
    }
    fn scaled(self, by: i32) -> Cell {
        Cell { n: self.n * by }
    }
    fn join(&mut self, other: &Cell) {
        self.n += 10;
        self.n += other.n;
    }
    fn change(&mut self, mut by: impl FnMut(i32) -> i32) {
        self.n += 1;
        self.n += by(self.n);
    }
    fn larger(&self, other: &Cell) -> i32 {
        self.n.max(other.n)
    }
}

oracle! {
    a_method_that_changes_an_element_takes_what_others_give(n) -> i32 {
        let mut a = [Cell { n }, Cell { n: 3 }, Cell { n: n * 5 }];
        a[0].add(a[1].get());
        a[1].add(a[0].get() + a[1].plus(a[2].n));
        a[2].add(a[0].value(a[2].value(a[1].get())));
        a[0].n * 100 + a[1].n * 10 + a[2].n
    }
    a_method_that_reads_an_element_takes_what_others_give(n) -> i32 {
        let mut a = [Cell { n }, Cell { n: 3 }, Cell { n: n * 5 }];
        a[0].n += 1;
        let x = a[0].plus(a[1].get()) + a[0].plus(a[1].plus(a[2].plus(a[0].n)));
        x * 10 + a[2].value(a[1].get()) + a[0].larger(&a[1])
    }
    an_index_of_an_element_is_what_a_method_of_another_gives(n) -> i32 {
        let mut a = [Cell { n: 1 }, Cell { n: 2 }, Cell { n: 0 }];
        a[a[0].get() as usize].add(n);
        a[a[2].add(1) as usize].add(a[0].n);
        a[a[2].add(1) as usize].add(a[0].plus(a[1].n));
        a[a[2].value(0) as usize % 3].plus(a[1].n) + a[0].n * 1000 + a[1].n * 100 + a[2].n * 10
    }
    another_array_is_changed_in_an_argument(n) -> i32 {
        let mut a = [Cell { n }, Cell { n: 3 }];
        let mut b = [Cell { n: 5 }; 2];
        a[0].add(b[0].add(a[1].get()));
        a[1].value(b[1].add(a[0].n)) + a[0].n * 10 + b[0].n * 100 + b[1].n * 1000
    }
    a_reference_to_what_an_argument_makes_borrows_no_array(n) -> i32 {
        let mut a = [Cell { n }, Cell { n: 3 }];
        a[0].join(&a[1].scaled(2));
        a[1].join(&{
            let old = a[0];
            Cell { n: old.n + 4 }
        });
        a[0].join(&Cell { n: a[0].n + 1 });
        a[0].n * 100 + a[1].n
    }
    an_argument_is_computed_by_a_closure_that_reads_the_array(n) -> i32 {
        let mut a = [Cell { n }, Cell { n: 3 }, Cell { n: 5 }];
        a[0].add((0..3).map(|k| a[k].n).sum::<i32>());
        a[0].n
    }
    an_argument_is_computed_by_two_closures(n) -> i32 {
        let mut a = [Cell { n }, Cell { n: 3 }, Cell { n: 5 }];
        a[1].add(a.iter().map(|x| x.n + a[0].n).fold(n, |sum, x| sum * 2 + x) + 1);
        a[1].n
    }
    an_argument_is_computed_by_a_closure_with_a_name(n) -> i32 {
        let mut a = [Cell { n }, Cell { n: 3 }, Cell { n: 5 }];
        a[2].add({
            let read = |k: usize| a[k].n;
            read(0) + read(1)
        });
        a[2].n
    }
    a_name_in_an_argument_hides_the_array(n) -> i32 {
        let mut a = [Cell { n }, Cell { n: 3 }];
        a[0].add({
            let mut a = [Cell { n: 7 }; 2];
            a[1].add(2);
            a[1].get()
        });
        a[0].n
    }
}

#[amp]
fn of_a_field(pair: &mut Halves) -> i32 {
    pair.left[0].add(pair.right[1].add(pair.left[1].get()));
    pair.left[0].change(|by| {
        pair.right[0].n += by;
        pair.right[1].n * 2
    });
    pair.left[0].n * 100 + pair.right[1].n * 10 + pair.right[0].n
}

#[derive(Clone, Copy, AmpStruct)]
struct Halves {
    left: [Cell; 2],
    right: [Cell; 2],
}

#[test]
fn another_field_is_changed_in_an_argument() {
    let halves = || Halves { left: [Cell { n: 2 }; 2], right: [Cell { n: 4 }; 2] };
    let got = on_all([1], |launch, out: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| {
            let mut pair = Halves { left: [Cell { n: 2 }; 2], right: [Cell { n: 4 }; 2] };
            out[i] = of_a_field(&mut pair);
        })
    });
    assert_eq!(got, [of_a_field(&mut halves())]);
}

/// The one error of a kernel on each target that is built from the tree.
fn refused(launch: impl Fn(&tilewise::AcceleratorView) -> tilewise::Result<()>) {
    for path in ["native", "reference", "jit"] {
        let told = launch(&Accelerator::new(path).unwrap().default_view());
        let told = told.expect_err("the change of an argument would be lost").to_string();
        let wanted = "an argument changes the element that the call changes";
        assert!(told.contains(wanted) && told.contains("K0704"), "{path}: {told}");
        assert!(told.contains("element_methods.rs:"), "{path}: {told}");
    }
}

#[test]
fn an_argument_that_changes_the_element_of_the_call_is_refused() {
    let out = ArrayView::from_vec(1, vec![0]).unwrap();
    refused(|on| {
        parallel_for_each!(on, out.extent(), |i| {
            let mut a = [Cell { n: 1 }, Cell { n: 2 }];
            a[0].add(a[0].add(1));
            out[i] = a[0].n;
        })
    });
    // Another element is refused as well, as in Rust.
    refused(|on| {
        parallel_for_each!(on, out.extent(), |i| {
            let mut a = [Cell { n: 1 }, Cell { n: 2 }];
            out[i] = a[0].add(3 + a[i[0] as usize + 1].add(1)) + a[1].n;
        })
    });
    refused(|on| {
        parallel_for_each!(on, out.extent(), |i| {
            let mut pair = Halves { left: [Cell { n: 2 }; 2], right: [Cell { n: 4 }; 2] };
            out[i] = pair.left[0].add(pair.right[1].add(pair.left[1].add(1)));
        })
    });
    // The call of a closure is one, too.
    refused(|on| {
        parallel_for_each!(on, out.extent(), |i| {
            let mut a = [1, 2];
            let mut raise = |x: &mut i32, by: i32| *x += by;
            raise(&mut a[0], {
                a[0] = 5;
                1
            });
            out[i] = a[0];
        })
    });
    refused(|on| {
        parallel_for_each!(on, out.extent(), |i| {
            let mut a = [Cell { n: 1 }, Cell { n: 2 }];
            let raise = |cell: &mut Cell, by: i32| cell.add(by);
            out[i] = raise(&mut a[0], a[0].add(1));
        })
    });
}

#[derive(Clone, Copy, AmpStruct)]
struct TwoCells {
    first: Cell,
    second: Cell,
}

#[amp]
fn raised(cell: &mut Cell, by: i32) -> i32 {
    cell.n += by;
    cell.n
}

oracle! {
    another_field_of_an_element_is_changed_in_an_argument(n) -> i32 {
        let mut a = [TwoCells { first: Cell { n }, second: Cell { n: 3 } }; 2];
        let sum = raised(&mut a[0].first, raised(&mut a[1].second, n));
        sum + a[0].first.n * 10 + a[0].second.n * 100
    }
}
