//! The Mandelbrot set in `f64`, as C++ AMP's sample has it beside the one in `f32`: one function
//! for both floats. The picture is so small that `f32` has one column of its points; every count is
//! that of plain Rust on the host.
//!
//! A known value: over the neck at -3/4 a point at height `e` takes about pi / `e` steps to leave.

use tilewise::prelude::*;

const ROWS: usize = 16;
const COLUMNS: usize = 60;
/// The corner of the picture, on the antenna, and how far apart its points are.
const CORNER: (f64, f64) = (-1.749_086_374_814_941_4, -1e-11);
const APART: f64 = 3e-13;
/// Steps after which a point counts as inside.
const LIMIT: i32 = 2000;

/// How many steps the point stays near the origin.
#[amp]
fn steps<T: Float>(x: T, y: T, limit: i32) -> i32 {
    let (mut a, mut b) = (T::ZERO, T::ZERO);
    let mut count = 0;
    while count < limit && a * a + b * b <= T::from(4.0) {
        let next = a * a - b * b + x;
        b = (a + a) * b + y;
        a = next;
        count += 1;
    }
    count
}

/// The point of a column and a row.
#[amp]
fn point(row: i32, column: i32) -> (f64, f64) {
    (CORNER.0 + f64::from(column) * APART, CORNER.1 + f64::from(row) * (2.0 * APART))
}

fn main() -> tilewise::Result<()> {
    let picture = ArrayView::<i32, 2>::without_source((ROWS, COLUMNS))?;
    let coarse = ArrayView::<i32, 2>::without_source((ROWS, COLUMNS))?;
    parallel_for_each!(picture.extent(), |i| {
        let (x, y) = point(i[0], i[1]);
        picture[i] = steps(x, y, LIMIT);
        coarse[i] = steps(x as f32, y as f32, LIMIT);
    })?;

    let (picture, coarse) = (picture.to_vec()?, coarse.to_vec()?);
    let least = picture.iter().min().unwrap_or(&0);
    for row in picture.chunks(COLUMNS) {
        let shade = |count: &i32| b" .,:;+*%&@#"[((count - least + 1).ilog2() as usize).min(10)] as char;
        println!("{}", row.iter().map(shade).collect::<String>().trim_end());
    }
    let kinds = |counts: &[i32]| {
        let mut kinds = counts.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.len()
    };
    println!("different counts: {} in f64, {} in f32", kinds(&picture), kinds(&coarse));
    let expected = (0..ROWS * COLUMNS).map(|i| {
        let (x, y) = point((i / COLUMNS) as i32, (i % COLUMNS) as i32);
        steps(x, y, LIMIT)
    });
    let equal = expected.zip(&picture).filter(|(expected, count)| expected == *count).count();
    println!("{equal} of {} counts are those of plain Rust", picture.len());

    let heights = ArrayView::<i32, 1>::without_source(4)?;
    parallel_for_each!(heights.extent(), |i| {
        let height = precise_math::exp10(-1.0 - f64::from(i[0]));
        heights[i] = steps(-0.75, height, 1_000_000);
    })?;
    let counts = heights.to_vec()?;
    println!("steps over the neck: {counts:?}");
    tilewise_examples::record("picture", &picture);
    tilewise_examples::record("coarse", &coarse);
    tilewise_examples::record("neck", &counts);
    Ok(())
}
