//! Values and places: tuples, arrays, casts, constants, compound assignment.

use tilewise::vector::{Float3, Int2};
use tilewise::{ArrayView, Extent, Index, Scalar, TileStatic, amp, parallel_for_each};

use crate::on_all;

mod constants {
    pub(super) const SCALE: i32 = 5;

    pub(super) mod inner {
        #[tilewise::amp]
        pub(in super::super) fn scaled(x: i32) -> i32 {
            x * super::SCALE
        }
    }
}

trait Limits {
    const LIMIT: i32;
}

struct Narrow;

impl Limits for Narrow {
    const LIMIT: i32 = 9;
}

#[amp]
fn limited<L: Limits>(x: i32) -> i32 {
    if x > L::LIMIT { L::LIMIT } else { x }
}

#[amp]
fn pair(x: i32, y: f32) -> (f32, (i32, bool)) {
    (y * 2.0, (x - 1, x > 2))
}

#[amp]
fn swap((a, b): (i32, i32), mut by: i32) -> (i32, i32) {
    by += 1;
    (b * by, a)
}

#[amp]
fn dot<T: Scalar, const N: usize>(a: [T; N], b: &[T; N]) -> T {
    let mut sum = T::ZERO;
    for i in 0..N {
        sum += a[i] * b[i];
    }
    sum
}

#[amp]
fn fill(a: &mut [[i32; 3]; 2], x: i32) {
    for i in 0..2 {
        for j in 0..3 {
            a[i][j] = x * i + j * 10;
        }
    }
    a[1][2] <<= 1;
}

#[amp]
fn numbers(x: i32) -> i32 {
    let u = x as u32;
    let f = x as f32 * 1.5 - 2e-1;
    let big = x as u64 + 0xffff_ffff;
    let mut y = x;
    y += 1;
    y -= 2;
    y *= 3;
    y /= 2;
    y %= 7;
    y &= 6;
    y |= 8;
    y ^= 3;
    y <<= 2;
    y >>= 1;
    let b = (x > 3) ^ true | false & !(x < 1);
    y + (u >> 1) as i32 + f as i32 + (big >> 32) as i32 + b as i32 - -3
        + !x
        + i32::MAX / 1_000_000
        + -2147483648 / 65536
}

#[test]
fn values() {
    let results = on_all([8, 6], |launch, v: &ArrayView<'_, i32, 2>| {
        let table = [[1, 2, 3], [4, 5, 6]];
        let offset = (10, 0.5f32);
        let e = Extent([2, 3]);
        parallel_for_each!(launch, |i| {
            let x = i[0];
            let (y, (mut a, b)) = pair(x, offset.1);
            a += y as i32;
            let t = swap((a, x), 2);
            let mut own = table;
            fill(&mut own, x);
            let at = Index::new((1, 2)) + i;
            let mut size = e;
            size[1] += at[0];
            let v3 = Float3::new(x as f32, 1.0, 2.0);
            let mut w = v3 * 2.0 + Float3 { x: 1.0, ..v3 };
            w.z -= 0.5;
            w[1] += 0.25;
            let c = Int2::new(x, 3);
            let (three, two) = ([4, 5, x], [x as f32, 1.0]);
            v[i] = match i[1] {
                0 => t.0 * 100 + t.1 + if b { 1 } else { 0 },
                1 => own[1][2] + own[0][1] * own[1][0] + table[1][x % 3],
                2 => dot([x, 2, 3], &three) + dot([1.5, 2.0], &two) as i32,
                3 => numbers(x) + constants::inner::scaled(x) + constants::SCALE + limited::<Narrow>(x * 2),
                4 => at[0] * at[1] + size.size() as i32 + offset.0 + const { 3 * constants::SCALE },
                _ => (w.x + w.y + w.z) as i32 * c.y + c[0],
            };
        })
    });
    for x in 0..8 {
        let row = &results[x as usize * 6..][..6];
        let (y, (a, b)) = pair(x, 0.5);
        let t = swap((a + y as i32, x), 2);
        assert_eq!(row[0], t.0 * 100 + t.1 + i32::from(b));
        let mut own = [[1, 2, 3], [4, 5, 6]];
        fill(&mut own, x);
        assert_eq!(row[1], own[1][2] + own[0][1] * own[1][0] + [4, 5, 6][x as usize % 3]);
        assert_eq!(row[2], dot([x, 2, 3], &[4, 5, x]) + (1.5 * x as f32 + 2.0) as i32);
        assert_eq!(row[3], numbers(x) + 5 * x + 5 + (x * 2).min(9));
    }
}

#[amp]
fn sum_of(of: &TileStatic<[i32; 4]>, n: usize) -> i32 {
    let mut sum = 0;
    for i in 0..n {
        sum += of[i];
    }
    sum
}

#[amp]
fn first(of: &TileStatic<[i32; 4]>, x: i32) {
    of[0] = x;
}

#[test]
fn variables_of_a_tile() {
    for target in ["native", "reference", "jit"] {
        let target = tilewise::Accelerator::new(target).unwrap().default_view();
        let v = ArrayView::<i32>::without_source(8).unwrap();
        let total = ArrayView::<u32>::from_vec(1, vec![0]).unwrap();
        parallel_for_each!(&target, v.extent().tile::<4>(), |t| {
            #[tile_static]
            let numbers: [i32; 4];
            #[tile_static]
            let whole: i32;
            #[tile_static]
            let nested: [[f32; 2]; 4];
            let own = t.local[0];
            numbers[own] = t.global[0] + 1;
            nested[own][1] = 0.5;
            nested[own][1] += 1.0;
            t.barrier.wait();
            if own == 0 {
                whole = sum_of(&numbers, 4);
                whole += 1;
            }
            total.atomic(0).fetch_add(1);
            t.barrier.wait();
            if own == 2 {
                first(&numbers, whole * 2);
            }
            t.barrier.wait();
            v[t] = numbers[0] + nested[3 - own][1] as i32 + whole;
        })
        .unwrap();
        assert_eq!(v.into_vec().unwrap(), [34, 34, 34, 34, 82, 82, 82, 82]);
        assert_eq!(total.get(0).unwrap(), 8);
    }
}

struct Simulation<'a> {
    cells: ArrayView<'a, i32>,
    step: i32,
}

impl Simulation<'_> {
    fn run(&self, launch: tilewise::Launch<Extent<1>>) -> tilewise::Result<()> {
        parallel_for_each!(launch, |i| {
            self.cells[i] = i[0] * self.step;
            self.cells[i] += self.step;
        })
    }
}

#[test]
fn fields_of_self_are_captured() {
    let results = on_all([3], |launch, v: &ArrayView<'_, i32>| Simulation { cells: v.clone(), step: 4 }.run(launch));
    assert_eq!(results, [4, 8, 12]);
}

#[amp(device_only)]
fn only_in_kernels(x: i32) -> i32 {
    x + 1
}

#[test]
fn device_only_functions_run_in_kernels() {
    let results = on_all([3], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| {
            v[i] = only_in_kernels(i[0]);
        })
    });
    assert_eq!(results, [1, 2, 3]);
}

#[amp(device_only)]
fn one_in_kernels() -> i32 {
    1
}

#[amp(device_only)]
fn largest_in_kernels<T: Scalar + PartialOrd, const N: usize>(most: &mut T, all: &[T; N], (from, to): (i32, i32)) {
    for i in from..to {
        if all[i] > *most {
            *most = all[i];
        }
    }
}

#[test]
fn device_only_functions_of_every_shape_run_in_kernels() {
    let results = on_all([3], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| {
            let mut most = i[0];
            let all = [one_in_kernels(), 2, 0];
            largest_in_kernels(&mut most, &all, (0, 3 - i[0] * 2));
            largest_in_kernels::<i32, 3>(&mut most, &all, (0, 1));
            v[i] = most;
        })
    });
    assert_eq!(results, [2, 1, 2]);
}

fn scaled<T: Scalar, const N: usize>(
    launch: tilewise::Launch<Extent<1>>,
    v: &ArrayView<'_, T>,
    k: T,
) -> tilewise::Result<()> {
    // Names that the macros use themselves.
    let (__w0, __v1, __bindings) = (k, T::ONE, T::ZERO);
    parallel_for_each!(launch, |i| {
        let __kernel = [__w0; N];
        let mut __e2 = __bindings;
        for j in 0..N {
            __e2 += __kernel[j] * __v1;
        }
        v[i] = __e2 + T::ONE;
    })
}

#[test]
fn generic_kernels_and_names_of_the_macros() {
    let results = on_all([4], |launch, v: &ArrayView<'_, f32>| scaled::<f32, 3>(launch, v, 1.5));
    assert_eq!(results, [5.5; 4]);
    let results = on_all([4], |launch, v: &ArrayView<'_, i32>| scaled::<i32, 2>(launch, v, 4));
    assert_eq!(results, [9; 4]);
}
