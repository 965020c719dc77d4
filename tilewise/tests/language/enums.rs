//! Comparisons of enums: kernels compare discriminants, as `derive(PartialEq)` does; another `PartialEq` is refused.

use std::cmp::Ordering;

use tilewise::{Accelerator, AmpStruct, ArrayView, Error, Extent, Index, amp, parallel_for_each};

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

/// No variant has the number 0.
#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
enum Level {
    High = 3,
    Middle = 2,
    Low = -1,
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
#[repr(u32)]
enum Mask {
    All = u32::MAX,
    Some = 7,
}

#[amp]
fn told(level: Level) -> i32 {
    match level {
        Level::High => 10,
        Level::Middle => 20,
        Level::Low => 30,
    }
}

#[amp]
fn after(launch: i32, captured: [Level; 3], pair: (Level, Mask), k: i32) -> i32 {
    let local = [Level::Low, Level::Middle, Level::Low];
    let pairs = [(pair.0, 1), (Level::Middle, 2)];
    match launch {
        0 => told(local[k]),
        1 => told(captured[k]),
        2 => told(pairs[k].0),
        3 => captured[k] as i32,
        4 => local[k - 7] as i32 * 100 + Level::Low as i32 + Level::High as i32,
        5 => (pair.1 as u32 >> 8) as i32,
        6 => pair.1 as i64 as i32 + pair.0 as i32,
        _ => (captured[2] == Level::Low) as i32 + 2 * (pair.1 == Mask::All) as i32,
    }
}

#[test]
fn what_is_out_of_range_is_a_variant() {
    let captured = [Level::Middle, Level::Middle, Level::Low];
    let pair = (Level::Low, Mask::All);
    for path in ["native", "jit"] {
        let on = Accelerator::new(path).unwrap().default_view();
        let out = ArrayView::from_vec(8, vec![0; 8]).unwrap();
        parallel_for_each!((&on, out.extent()), |i| {
            out[i] = after(i[0], captured, pair, 9 - i[0] / 7);
        })
        .unwrap();
        let want = [10, 10, 10, 3, -98, 0xFF_FFFF, -2, 3];
        assert_eq!(out.to_vec().unwrap(), want, "{path}");
    }
}

#[test]
fn an_unwritten_tile_static_enum_is_a_variant() {
    for path in ["native", "jit"] {
        let on = Accelerator::new(path).unwrap().default_view();
        let out = ArrayView::from_vec(4, vec![0; 4]).unwrap();
        parallel_for_each!((&on, out.extent().tile::<1>()), |t| {
            #[tile_static]
            let one: Level;
            #[tile_static]
            let many: [Level; 4];
            #[tile_static]
            let pair: (Level, i32);
            let all = [told(one), told(many[2]), told(pair.0), many[1] as i32];
            out[t] = all[t.global[0]];
        })
        .unwrap();
        assert_eq!(out.to_vec().unwrap(), [10, 10, 10, 3], "{path}");
    }
}

#[test]
fn a_message_shows_the_number_of_a_variant() {
    let level = Level::Low;
    for path in ["native", "reference", "jit"] {
        let on = Accelerator::new(path).unwrap().default_view();
        let launch = parallel_for_each!((&on, Extent([1])), |i| {
            let mut mine = level;
            if i[0] == 0 {
                mine = Level::Middle;
            }
            error!("{} {} {}", level as i32, mine as i32, Level::High as i32);
        });
        let told = launch.unwrap_err().to_string();
        assert!(told.contains("-1 2 3"), "{path}: {told}");
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, AmpStruct)]
enum Rank {
    Low = -2,
    Middle,
    Top = 9,
}

#[amp]
fn rank(n: i32) -> Rank {
    match n % 3 {
        0 => Rank::Top,
        1 => Rank::Low,
        _ => Rank::Middle,
    }
}

#[amp]
fn by_methods(a: Rank, b: Rank) -> i32 {
    let order = match a.cmp(&b) {
        Ordering::Less => 1,
        Ordering::Equal => 5,
        Ordering::Greater => 8,
    };
    let others = (a > b).max(b < Rank::Top) as i32 + 'm'.min(if a == b { 'c' } else { 'x' }) as i32;
    let orders = a.cmp(&Rank::Middle).max(Ordering::Equal) as i32;
    a.max(b) as i32 * 10_000 + a.min(b) as i32 * 1_000 + order * 100 + orders * 50 + others
}

#[test]
fn cmp_min_and_max_are_methods_of_enums_as_in_rust() {
    let results = on_all([9], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i: Index<1>| {
            v[i] = by_methods(rank(i[0] / 3), rank(i[0]));
        })
    });
    let expected: Vec<i32> = (0..9).map(|i| by_methods(rank(i / 3), rank(i))).collect();
    assert_eq!(results, expected);
    assert_eq!(by_methods(Rank::Low, Rank::Top), 90_000 - 2_000 + 100 + 'm' as i32);
}

#[derive(Clone, Copy, PartialEq, Eq, AmpStruct)]
enum Falling {
    High,
    Low,
}

impl PartialOrd for Falling {
    fn partial_cmp(&self, other: &Falling) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Falling {
    fn cmp(&self, other: &Falling) -> Ordering {
        (*other as i32).cmp(&(*self as i32))
    }
}

#[test]
fn methods_of_an_order_by_hand_are_refused() {
    for target in ["reference", "jit"] {
        let on = Accelerator::new(target).unwrap().default_view();
        let out = ArrayView::from_vec(1, vec![0]).unwrap();
        let launched = [
            parallel_for_each!(&on, Extent([1]), |i| {
                out[i] = Falling::High.min(Falling::Low) as i32;
            }),
            parallel_for_each!(&on, Extent([1]), |i| {
                out[i] = Falling::High.cmp(&Falling::Low) as i32;
            }),
        ];
        for launched in launched {
            let told = launched.unwrap_err().to_string();
            assert!(told.contains("K0704") && told.contains("`Falling` is ordered otherwise"), "{target}: {told}");
        }
    }
}

/// `<` is by the numbers of the variants, and `Ord` is not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, AmpStruct)]
enum Urgent {
    Now,
    Later,
}

#[allow(clippy::derive_ord_xor_partial_ord, reason = "it is what the test is about")]
impl Ord for Urgent {
    fn cmp(&self, other: &Urgent) -> Ordering {
        (*other as i32).cmp(&(*self as i32))
    }
}

#[test]
fn sorting_by_an_order_by_hand_is_refused() {
    for target in ["reference", "jit"] {
        let on = Accelerator::new(target).unwrap().default_view();
        let out = ArrayView::from_vec(1, vec![0]).unwrap();
        let launched = [
            parallel_for_each!(&on, Extent([1]), |i| {
                let mut all = [Urgent::Now, Urgent::Later];
                all.sort();
                out[i] = all[0] as i32;
            }),
            parallel_for_each!(&on, Extent([1]), |i| {
                let mut all = [0, 1];
                all.sort_by_key(|k| if *k == 0 { Urgent::Now } else { Urgent::Later });
                out[i] = all[0];
            }),
            parallel_for_each!(&on, Extent([1]), |i| {
                let all = [Urgent::Now, Urgent::Later];
                out[i] = all.binary_search(&Urgent::Now).is_ok() as i32;
            }),
        ];
        for launched in launched {
            let told = launched.unwrap_err().to_string();
            assert!(told.contains("K0704") && told.contains("`Urgent` is ordered otherwise"), "{target}: {told}");
        }
    }
}
