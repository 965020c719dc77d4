//! One kernel for many types: a function with a type parameter holds the kernel, and each type it is used with gets its own. `#[amp]` functions may have type and const parameters, too.

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
    Ok(())
}
