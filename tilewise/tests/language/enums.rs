//! Comparisons of enums: kernels compare discriminants, as `derive(PartialEq)` does; another `PartialEq` is refused.

use tilewise::{Accelerator, AmpStruct, ArrayView, Error, parallel_for_each};

use crate::on_all;

#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Derived {
    A = 7,
    B = -1,
}

#[derive(Clone, Copy, AmpStruct)]
enum SameByHand {
    A,
    B,
}

impl PartialEq for SameByHand {
    fn eq(&self, other: &Self) -> bool {
        matches!((self, other), (SameByHand::A, SameByHand::A) | (SameByHand::B, SameByHand::B))
    }
}

/// All letters but `C` are equal to each other.
#[derive(Clone, Copy, AmpStruct)]
enum Letter {
    A,
    B,
    C,
}

impl PartialEq for Letter {
    fn eq(&self, other: &Self) -> bool {
        (*self as i32 == 2) == (*other as i32 == 2)
    }
}

/// Not equal to itself.
#[derive(Clone, Copy, AmpStruct)]
enum Never {
    One,
}

impl PartialEq for Never {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

#[derive(Clone, Copy, AmpStruct)]
enum Panics {
    One,
}

impl PartialEq for Panics {
    fn eq(&self, _: &Self) -> bool {
        panic!("never compared")
    }
}

#[test]
fn enums_are_equal_by_their_variants() {
    let (a, b, c, d) = (Derived::A, Derived::B, SameByHand::A, SameByHand::B);
    let results = on_all([4], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| {
            let first = if i[0] % 2 == 0 { a } else { b };
            let second = if i[0] / 2 == 0 { c } else { d };
            v[i] = if first == Derived::A { 1 } else { 0 };
            v[i] += if first != b { 2 } else { 0 };
            v[i] += if second == SameByHand::B { 4 } else { 0 };
        })
    });
    assert_eq!(results, [3, 0, 7, 4]);
}

/// What a launch that compares two values of a type says.
macro_rules! refusals {
    ($($name:ident: $a:expr, $b:expr;)*) => {$(
        #[test]
        fn $name() {
            // `native` runs the closure, which no one translates.
            for target in ["reference", "jit"] {
                let target = Accelerator::new(target).unwrap().default_view();
                let (a, b) = ($a, $b);
                for v in [ArrayView::from_vec(1, vec![5]).unwrap(), ArrayView::from_vec(1, vec![6]).unwrap()] {
                    let done = parallel_for_each!((&target, v.extent()), |i| {
                        v[i] = if a == b { 1 } else { 0 };
                    });
                    let Err(Error::Kernel(report)) = done else { panic!("on {target:?}: {done:?}") };
                    assert_eq!(report.codes, ["K0704"]);
                    let text = report.to_string();
                    assert!(text.contains("enums.rs:") && text.contains("compares otherwise"), "{text}");
                    assert!(text.contains("derive(PartialEq)"), "{text}");
                }
            }
        }
    )*};
}

refusals! {
    an_enum_that_compares_by_hand_is_refused: Letter::A, Letter::B;
    an_enum_that_compares_by_hand_is_refused_where_its_answer_would_be_the_same: Letter::C, Letter::C;
    an_enum_that_differs_from_itself_is_refused: Never::One, Never::One;
    an_enum_whose_comparison_panics_is_refused: Panics::One, Panics::One;
}
