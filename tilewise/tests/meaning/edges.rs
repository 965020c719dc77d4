//! Odd corners: numbers of the host's width in enums, `[]` with code of its own, constants behind conditions,
//! numbers under `as`, elements that are lent where an operand stands.

use super::*;
use std::ops::{Deref, DerefMut, Index, IndexMut};

const TARGETS: [&str; 3] = ["native", "reference", "jit"];

#[derive(Clone, Copy, AmpStruct)]
enum Bound {
    Off,
    At(usize),
    Between { low: usize, high: isize },
}

#[derive(Clone, Copy, AmpStruct)]
struct Holder {
    bound: Bound,
    k: i32,
}

const MOST: Bound = Bound::At(usize::MAX);
const WIDE: Bound = Bound::Between { low: 3, high: 1 << 40 };

#[amp]
fn most(bound: Bound) -> i32 {
    match bound {
        Bound::At(n) => n as i32,
        Bound::Off => -1,
        Bound::Between { low, high } => low as i32 * 100 + high as i32,
    }
}

#[test]
fn an_enum_has_no_number_of_more_than_32_bits() {
    let wide =
        [Bound::At(1 << 32), Bound::Between { low: 1 << 33, high: 0 }, Bound::Between { low: 0, high: -1 << 32 }];
    for target in TARGETS {
        let on = Accelerator::new(target).unwrap().default_view();
        let out = ArrayView::from_vec(1, vec![0]).unwrap();
        for bound in wide {
            let told = parallel_for_each!(&on, Extent([1]), |i| out[i] = most(bound)).unwrap_err().to_string();
            assert!(told.contains("`bound`") && told.contains("32 bits"), "{target}: {told}");
            let holder = Holder { bound, k: 3 };
            let told = parallel_for_each!(&on, Extent([1]), |i| out[i] = most(holder.bound)).unwrap_err().to_string();
            assert!(told.contains("32 bits"), "{target}: {told}");
        }
    }
    let bounds = [Bound::Off, Bound::At(7), Bound::Between { low: 3, high: -5 }]
        .map(|bound| on_all([1], |l, out: &ArrayView<'_, i32>| parallel_for_each!(l, |i| out[i] = most(bound))));
    assert_eq!(bounds, [[-1], [7], [295]]);
}

#[test]
fn a_constant_enum_has_no_number_of_more_than_32_bits() {
    for target in ["reference", "jit"] {
        let on = Accelerator::new(target).unwrap().default_view();
        let out = ArrayView::from_vec(1, vec![0]).unwrap();
        for told in [
            parallel_for_each!(&on, Extent([1]), |i| out[i] = most(MOST)).unwrap_err().to_string(),
            parallel_for_each!(&on, Extent([1]), |i| out[i] = most(WIDE)).unwrap_err().to_string(),
        ] {
            assert!(told.contains("K0706") && told.contains("edges.rs:"), "{target}: {told}");
        }
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Inner {
    cells: [i32; 4],
}

#[amp]
impl Index<i32> for Inner {
    type Output = i32;
    fn index(&self, i: i32) -> &i32 {
        &self.cells[i as usize]
    }
}

#[amp]
impl IndexMut<i32> for Inner {
    fn index_mut(&mut self, i: i32) -> &mut i32 {
        &mut self.cells[i as usize]
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Outer {
    cells: [i32; 4],
    inner: Inner,
}

impl Deref for Outer {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.inner
    }
}

impl DerefMut for Outer {
    fn deref_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }
}

#[test]
fn an_index_behind_a_deref_is_reported() {
    let outer = Outer { cells: [1; 4], inner: Inner { cells: [2; 4] } };
    for target in ["reference", "jit"] {
        let on = Accelerator::new(target).unwrap().default_view();
        let out = ArrayView::from_vec(1, vec![0]).unwrap();
        let written = parallel_for_each!(&on, Extent([1]), |i| {
            let mut o = outer;
            o[1] = 7;
            out[i] = o.cells[1] * 10 + o.inner.cells[1];
        });
        let told = written.unwrap_err().to_string();
        assert!(told.contains("K0704") && told.contains("`Deref`") && told.contains("edges.rs:"), "{target}: {told}");
    }
    let r = on_all([1], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let mut o = outer;
            o.inner[1] = 7;
            o.inner[2] += 1;
            out[i] = o.cells[1] * 100 + o.inner[1] * 10 + o.inner[2];
        })
    });
    assert_eq!(r, [173]);
}

#[derive(Clone, Copy, AmpStruct)]
struct Shared {
    cells: [i32; 4],
}

#[amp]
fn kept(k: i32) -> i32 {
    #[tile_static]
    let c: i32;
    c = k;
    c
}

#[amp]
impl Index<i32> for Shared {
    type Output = i32;
    fn index(&self, i: i32) -> &i32 {
        let k = kept(i);
        &self.cells[k as usize]
    }
}

#[amp]
impl IndexMut<i32> for Shared {
    fn index_mut(&mut self, i: i32) -> &mut i32 {
        let k = kept(i);
        &mut self.cells[k as usize]
    }
}

#[test]
fn an_index_of_tile_static_memory_uses_tile_static_memory() {
    let r = on_each(4, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([4]).tile::<1>(), |t| {
            #[tile_static]
            let s: Shared;
            s[t.tile[0] % 2 + 1] = 5;
            s[1] += 10;
            s.cells[2] += 1;
            t.barrier.wait();
            out[t] = s[1] * 100 + s[2];
        })
    });
    assert_eq!(r, [1501, 1006, 1501, 1006]);
}

#[amp]
fn shares(v: Int2, by: i32) -> i32 {
    if by == 0 {
        return -1;
    }
    let (both, each, second) = (v / by, v / Int2::new(by, by), v / Int2::new(2, by));
    both.x + each.y * 10 + second.x * 20 + (v % Int4::new(1, by, 2, by).xy()).y * 50
}

#[amp]
fn left_over(v: Int2, by: i32) -> i32 {
    let mut rest = v;
    if by != 0 {
        rest %= Int2::new(by, 5);
        rest /= Int2::new(1, by);
    }
    rest.x + rest.y
}

#[amp]
fn at(row: &[f32; 4], x: i32) -> f32 {
    if x >= 0 && x < 4 { row[x as usize] } else { 0.0 }
}

#[amp]
fn at_or_leave(row: [i32; 4], x: i32) -> i32 {
    if x < 0 || x >= 4 {
        return -1;
    }
    row[x as usize]
}

#[amp]
fn of_view(v: &ArrayView<'_, i32>, x: i32) -> i32 {
    if x < 0 { 9 } else { v[x] }
}

#[amp]
fn ratio(a: i32, b: i32) -> Option<i32> {
    if b == 0 { None } else { Some(a / b) }
}

#[amp]
fn rest(a: i32, b: i32) -> i32 {
    if b == 0 {
        return -1;
    }
    let mut x = a;
    x %= b;
    x + a.rem_euclid(b) + a.wrapping_div(b)
}

#[amp]
fn third<const N: usize>(a: [i32; N]) -> i32 {
    if N > 2 { a[2] } else { -1 }
}

#[amp]
fn third_or_leave<const N: usize>(a: &[i32; N]) -> i32 {
    if N < 3 {
        return -7;
    }
    a[2]
}

fn third_in_a_kernel<const N: usize>(l: Launch<Extent<1>>, out: &ArrayView<'_, i32>) -> tilewise::Result<()> {
    parallel_for_each!(l, |i| {
        let a = [i[0] + 4; N];
        out[i] = if N > 2 { a[2] } else { -1 };
    })
}

oracle! {
    borders(n) -> i32 { let row = [1.0, 2.0, 3.0, n as f32]; ((at(&row, -1) + at(&row, n) + at(&row, 4) * 10.0 + at(&row, 3) * 100.0) * 4.0) as i32 }
    borders_that_leave(n) -> i32 { let row = [1, 2, 3, n]; at_or_leave(row, -1) * 1000 + at_or_leave(row, n) * 100 + at_or_leave(row, 4) * 10 + at_or_leave(row, 3) }
    divisors_that_calls_bring(n) -> i32 { ratio(n, 0).unwrap_or(-1) * 100 + ratio(n, 3).unwrap_or(-1) * 10 + rest(n, 0) + rest(n, 2) }
    vector_divisors_that_calls_bring(n) -> i32 { let v = Int2::new(n, 7 * n + 1); shares(v, 0) * 1000 + shares(v, 3) + left_over(v, 0) * 100 + left_over(v, 2) * 10 }
    checked_division_by_zero(n) -> i32 { let u = n as u32; n.checked_div(0).unwrap_or(-2) * 10 + n.checked_rem(0).unwrap_or(-3) + u.is_multiple_of(0) as i32 * 100 + u.is_multiple_of(3) as i32 * 1000 }
    lengths_that_calls_bring(n) -> i32 { third([n]) * 1000 + third([n, 2, n + 5]) * 100 + third_or_leave(&[n]) * 10 + third_or_leave(&[n, 2, 3]) }
    numbers_under_as(n) -> i32 { let x = n as f32 + 1.00000005960464477539062500001 as f32; let y = n as u32 ^ 0xDEADBEEF as u32; let z = 3_000_000_000 as i64 + n as i64; (x.to_bits() ^ y) as i32 ^ (z >> 7) as i32 }
    signed_numbers_under_as(n) -> i32 { let a = -3_000_000_000 as i64; let b = (-(5)) as i16; let c = !0 as u64; let d = (!0xFFFF_FFF0) as u32; let e = -1.5 as f32; let f = 2.9 as i32; let g = 97 as char; let h = 7 as f32; ((a >> 5) as i32) ^ (b as i32) ^ (c as i32) ^ (d as i32) ^ (e * 2.0) as i32 ^ f ^ g as i32 ^ (h * n as f32) as i32 }
    numbers_under_an_alias(n) -> i32 { type Word = usize; type Real = f32; let w = 4_000_000_000 as Word; let r = 16777217.0 as Real; let s = 3 as isize; (w % 1000) as i32 + (r - 16777216.0) as i32 * 7 + s as i32 + n }
}

#[test]
fn lengths_of_host_functions() {
    let short = on_all([3], |l, out: &ArrayView<'_, i32>| third_in_a_kernel::<1>(l, out));
    let long = on_all([3], |l, out: &ArrayView<'_, i32>| third_in_a_kernel::<3>(l, out));
    assert_eq!((short, long), (vec![-1; 3], vec![4, 5, 6]));
}

#[test]
fn borders_of_views() {
    let v = ArrayView::from_vec(3, vec![1, 2, 3]).unwrap();
    let r = on_all([3], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| out[i] = of_view(&v, -1) * 10 + of_view(&v, i[0]))
    });
    assert_eq!(r, [91, 92, 93]);
}

#[test]
fn a_written_index_out_of_range_is_reported() {
    for target in ["reference", "jit"] {
        let on = Accelerator::new(target).unwrap().default_view();
        let out = ArrayView::from_vec(1, vec![0]).unwrap();
        let array = parallel_for_each!(&on, Extent([1]), |i| {
            let a = [1, 2];
            out[i] = a[2];
        });
        let view = parallel_for_each!(&on, Extent([1]), |i| out[i] = out[-1]);
        for told in [array, view].map(|it| it.unwrap_err().to_string()) {
            assert!(told.contains("K0402") && told.contains("edges.rs:"), "{target}: {told}");
        }
    }
}

#[amp]
fn next(seed: &mut u32) -> u32 {
    *seed = *seed * 5 + 1;
    *seed % 4
}

#[amp]
fn is_next(seed: &mut u32) -> bool {
    next(seed) > 1
}

#[amp]
fn as_a_number(seeds: &ArrayView<'_, u32>, i: i32) -> i32 {
    next(&mut seeds[i]) as i32
}

#[amp]
fn as_an_operand(seeds: &ArrayView<'_, u32>, i: i32) -> u32 {
    next(&mut seeds[i]) + 1
}

#[amp]
fn as_a_condition(seeds: &ArrayView<'_, u32>, i: i32) -> bool {
    is_next(&mut seeds[i]) && i > 3
}

#[test]
fn elements_are_lent_where_operands_stand() {
    let all = || ArrayView::from_vec(6, (1..7_u32).collect()).unwrap();
    let r = on_all([6], |l, out: &ArrayView<'_, i32>| {
        let (seeds, ends) = (all(), all());
        parallel_for_each!(l, |i| {
            let mut s = 0;
            for k in 0..next(&mut seeds[i]) {
                s += k + 1;
            }
            for k in (0..=next(&mut seeds[i])).rev() {
                s = s * 2 + k;
            }
            while next(&mut ends[i]) > 1 {
                s += 100;
            }
            if is_next(&mut seeds[i]) {
                s += 1000;
            }
            let t = match next(&mut seeds[i]) {
                0 => 5,
                n => n,
            };
            let f = |x: &mut u32| next(x);
            let u = f(&mut seeds[i]) as i32 + as_a_number(&seeds, i[0]) + as_an_operand(&seeds, i[0]) as i32;
            out[i] = s as i32 * 100 + t as i32 * 10 + u + as_a_condition(&seeds, i[0]) as i32 * 100000;
        })
    });
    let mut want = Vec::new();
    for i in 0..6 {
        let (mut seed, mut end) = (i as u32 + 1, i as u32 + 1);
        let mut s = 0;
        for k in 0..next(&mut seed) {
            s += k + 1;
        }
        for k in (0..=next(&mut seed)).rev() {
            s = s * 2 + k;
        }
        while next(&mut end) > 1 {
            s += 100;
        }
        if is_next(&mut seed) {
            s += 1000;
        }
        let t = match next(&mut seed) {
            0 => 5,
            n => n,
        };
        let u = next(&mut seed) as i32 + next(&mut seed) as i32 + next(&mut seed) as i32 + 1;
        want.push(s as i32 * 100 + t as i32 * 10 + u + (is_next(&mut seed) && i > 3) as i32 * 100000);
    }
    assert_eq!(r, want);
}

#[derive(Clone, Copy, AmpStruct)]
enum Odd {
    A,
    B,
}

impl PartialEq for Odd {
    fn eq(&self, o: &Odd) -> bool {
        *self as i32 == *o as i32
    }
    fn ne(&self, _: &Odd) -> bool {
        true
    }
}

impl PartialOrd for Odd {
    fn partial_cmp(&self, o: &Odd) -> Option<std::cmp::Ordering> {
        (*self as i32).partial_cmp(&(*o as i32))
    }
    fn lt(&self, _: &Odd) -> bool {
        true
    }
}

#[test]
fn comparisons_by_hand_of_an_enum_without_fields_are_reported() {
    for target in ["reference", "jit"] {
        let on = Accelerator::new(target).unwrap().default_view();
        let out = ArrayView::from_vec(1, vec![0]).unwrap();
        let unequal = parallel_for_each!(&on, Extent([1]), |i| out[i] = (Odd::A != Odd::A) as i32);
        let less = parallel_for_each!(&on, Extent([1]), |i| out[i] = (Odd::B < Odd::A) as i32);
        for told in [unequal, less].map(|it| it.unwrap_err().to_string()) {
            assert!(told.contains("K0704") && told.contains("`Odd`"), "{target}: {told}");
        }
    }
}

type Word = usize;

struct Mask;

impl Mask {
    const BITS: i32 = 5;
}

#[test]
fn the_width_of_an_alias_is_that_in_a_kernel() {
    let r = on_all([2], |l, out: &ArrayView<'_, u32>| {
        parallel_for_each!(l, |i| {
            let w = i[0] as Word + 1;
            out[i] = (Word::BITS - w.leading_zeros()) * 10000
                + (usize::BITS - w.leading_zeros()) * 1000
                + (<usize>::BITS - w.leading_zeros()) * 100
                + (Mask::BITS + i[0]) as u32
                + u64::BITS;
        })
    });
    assert_eq!(r, [11169, 22270]);
    #[amp]
    fn bits() -> u32 {
        Word::BITS
    }
    assert_eq!(bits(), usize::BITS);
}

trait Says {
    fn says(&self) -> Vec<String>;
}

impl Says for i32 {
    fn says(&self) -> Vec<String> {
        #[derive(Clone, Copy, Debug, AmpStruct)]
        struct Inside {
            x: i32,
        }
        print::lines_of(|| {
            for target in TARGETS {
                let on = Accelerator::new(target).unwrap().default_view();
                parallel_for_each!(&on, Extent([1]), |i| {
                    let p = Inside { x: 1 };
                    print!("{:?}", p);
                })
                .unwrap();
            }
        })
    }
}

#[test]
fn a_struct_that_is_declared_in_a_function_is_printed_by_its_name() {
    let in_a_closure = || {
        #[derive(Clone, Copy, Debug, AmpStruct)]
        struct Within<T> {
            x: T,
        }
        print::lines_of(|| {
            for target in TARGETS {
                let on = Accelerator::new(target).unwrap().default_view();
                parallel_for_each!(&on, Extent([1]), |i| {
                    let p = Within { x: 1 };
                    print!("{:?}", p);
                })
                .unwrap();
            }
        })
    };
    assert!(1.says().iter().all(|line| line.ends_with("Inside { x: 1 }") && !line.contains('<')), "{:?}", 1.says());
    let lines = in_a_closure();
    assert!(lines.iter().all(|line| line.contains("Within") && !line.contains("closure")), "{lines:?}");
}

#[derive(Clone, Copy, AmpStruct)]
struct Said {
    cells: [i32; 4],
}

#[amp]
fn said(k: i32) -> usize {
    print!("index {}", k);
    k as usize
}

#[amp]
impl Index<i32> for Said {
    type Output = i32;
    fn index(&self, i: i32) -> &i32 {
        &self.cells[said(i)]
    }
}

#[amp]
impl IndexMut<i32> for Said {
    fn index_mut(&mut self, i: i32) -> &mut i32 {
        &mut self.cells[said(i)]
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct SaidWithin {
    said: Said,
}

#[amp]
impl Index<i32> for SaidWithin {
    type Output = i32;
    fn index(&self, i: i32) -> &i32 {
        &self.said[i]
    }
}

#[amp]
impl IndexMut<i32> for SaidWithin {
    fn index_mut(&mut self, i: i32) -> &mut i32 {
        &mut self.said[i]
    }
}

#[amp]
fn raise(x: &mut i32) {
    *x += 1;
}

#[test]
fn index_mut_prints_once() {
    let lines = TARGETS.map(|target| {
        let on = Accelerator::new(target).unwrap().default_view();
        let out = ArrayView::from_vec(1, vec![0]).unwrap();
        let lines = print::lines_of(|| {
            parallel_for_each!(&on, Extent([1]), |i| {
                let mut s = SaidWithin { said: Said { cells: [1; 4] } };
                s[0] = 7;
                s.said[1] += 7;
                s[2] += 7;
                raise(&mut s.said[3]);
                raise(&mut s[3]);
                out[i] = s.said.cells[0] * 1000 + s.said.cells[1] * 100 + s.said.cells[2] * 10 + s.said.cells[3];
            })
            .unwrap();
        });
        assert_eq!(out.to_vec().unwrap(), [7883]);
        lines.into_iter().filter(|line| line.contains("index")).collect::<Vec<_>>()
    });
    assert_eq!(lines[0].len(), 5, "{lines:?}");
    assert_eq!(lines[1], lines[0]);
    assert_eq!(lines[2], lines[0]);
}

#[test]
fn arrays_are_turned_by_any_number() {
    let turned = on_all([8], |launch, out: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| {
            let (mut left, mut right) = ([10, 20, 30], [10, 20, 30]);
            let by = (i[0] as usize).wrapping_sub(4);
            left.rotate_left(by);
            right.rotate_right(by);
            out[i] = left[0] * 10_000 + left[1] * 100 + left[2] - (right[0] * 10_000 + right[1] * 100 + right[2]);
        })
    });
    // 2^32 - 4, the first of them, is a multiple of 3.
    let [whole, one, two] = [0, 203_010 - 301_020, 301_020 - 203_010];
    assert_eq!(turned, [whole, one, two, whole, whole, one, two, whole]);
}

#[test]
fn arrays_of_another_length_are_not_copied() {
    let copied = on_all([4], |launch, out: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| {
            let (mut all, few) = ([1, 2, 3, 4], [50, 60, i[0]]);
            all.copy_from_slice(&few);
            let (mut none, mut three) = ([0; 0], [7; 3]);
            none.clone_from_slice(&all);
            three.clone_from_slice(&few);
            out[i] = all[i[0]] * 100 + three[i[0]] + none.len() as i32;
        })
    });
    assert_eq!(copied, [150, 260, 302, 400]);
}
