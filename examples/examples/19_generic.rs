//! One kernel for many types: a function with a type parameter holds the kernel, and each type it is used with gets its
//! own. `#[amp]` functions may have type and const parameters, too, and a trait with `#[amp]` says which methods a
//! kernel finds in a type.

use tilewise::prelude::*;

/// `x` to the power of `N`.
#[amp]
fn power<T: Scalar, const N: u32>(x: T) -> T {
    let mut result = T::ONE;
    for _ in 0..N {
        result = result * x;
    }
    result
}

/// `a * x^3 + y` for all elements.
fn cubes<T: Scalar>(a: T, x: &[T], y: &[T]) -> tilewise::Result<Vec<T>> {
    let (x, y) = (ArrayView::read_only(x.len(), x)?, ArrayView::read_only(y.len(), y)?);
    let result = ArrayView::<T>::without_source(x.extent())?;
    parallel_for_each!(result.extent(), |i| {
        result[i] = a * power::<T, 3>(x[i]) + y[i];
    })?;
    result.into_vec()
}

#[amp]
trait Curve {
    fn at(&self, x: f32) -> f32;
}

#[derive(Clone, Copy, AmpStruct)]
struct Line {
    slope: f32,
}

#[amp]
impl Curve for Line {
    fn at(&self, x: f32) -> f32 {
        self.slope * x
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Circle {
    radius: f32,
}

#[amp]
impl Curve for Circle {
    fn at(&self, x: f32) -> f32 {
        (self.radius * self.radius - x * x).max(0.0).sqrt()
    }
}

/// The area under a curve from 0 to `end`, in a hundred strips.
#[amp]
fn area<C: Curve>(curve: &C, end: f32) -> f32 {
    let mut sum = 0.0;
    for strip in 0..100 {
        sum += curve.at((strip as f32 + 0.5) * end / 100.0);
    }
    sum * end / 100.0
}

fn main() -> tilewise::Result<()> {
    let whole = cubes(2, &[1, 2, 3, 4], &[10, 20, 30, -40])?;
    println!("i32: {whole:?}");
    tilewise_examples::record("whole", &whole);

    let single = cubes(0.1f32, &[1.0, 2.0, 3.0, 4.0], &[0.0, 0.25, 0.5, 1e9])?;
    println!("f32: {single:?}");
    tilewise_examples::record("single", &single);

    let double = cubes(0.1f64, &[1.0, 2.0, 3.0, 4.0], &[0.0, 0.25, 0.5, 1e9])?;
    println!("f64: {double:?}");
    tilewise_examples::record("double", &double);

    let areas = ArrayView::<f32, 2>::without_source((2, 4))?;
    let (line, circle) = (Line { slope: 0.5 }, Circle { radius: 4.0 });
    parallel_for_each!(areas.extent(), |i| {
        let end = (i[1] + 1) as f32;
        areas[i] = if i[0] == 0 { area(&line, end) } else { area(&circle, end) };
    })?;
    let areas = areas.into_vec()?;
    println!("under a line: {:.3?}, under a circle: {:.3?}", &areas[..4], &areas[4..]);
    tilewise_examples::record("areas", &areas);
    Ok(())
}
