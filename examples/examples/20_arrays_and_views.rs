//! An array against a view: the array's elements belong to an accelerator and are copied in and out by the program; a
//! view's are the program's, and move when they must. With what each says of access from the host.

use tilewise::copy;
use tilewise::prelude::*;

const SIZE: usize = 1 << 10;

fn main() -> tilewise::Result<()> {
    let input: Vec<i32> = (0..SIZE as i32).collect();

    // With arrays the program says what goes where, and when.
    let numbers = Array::from_slice(SIZE, &input)?;
    let squares = Array::<i32>::new(SIZE)?;
    parallel_for_each!(squares.extent(), |i| squares[i] = numbers[i] * numbers[i])?;
    let mut by_arrays = vec![0; SIZE];
    copy(&squares, &mut by_arrays)?;

    // With views it says what is used, and no more.
    let mut by_views = vec![0; SIZE];
    let (numbers, squares) = (ArrayView::read_only(SIZE, &input)?, ArrayView::of(&mut by_views));
    squares.discard_data();
    parallel_for_each!(squares.extent(), |i| squares[i] = numbers[i] * numbers[i])?;
    squares.close()?;
    assert_eq!(by_arrays, by_views);
    println!("{:?} ..", &by_views[..5]);

    // An array with access for the host, where the accelerator shares its memory with it; else a staging array on the
    // cpu, and a copy.
    let default = Accelerator::default().default_view();
    if default.accelerator().supports_cpu_shared_memory() {
        let shared = Array::<i32>::builder(4).cpu_access(AccessType::ReadWrite).build()?;
        shared.host_mut()?.copy_from_slice(&[1, 2, 3, 4]);
        parallel_for_each!(shared.extent(), |i| shared[i] *= 10)?;
        println!("{:?}", shared.to_vec()?);
    } else {
        let staging = Array::<i32>::builder(4).staging_for(&default).build()?;
        staging.host_mut()?.copy_from_slice(&[1, 2, 3, 4]);
        let array = Array::<i32>::new(4)?;
        copy(&staging, &array)?;
        parallel_for_each!(array.extent(), |i| array[i] *= 10)?;
        copy(&array, &staging)?;
        println!("{:?}", staging.to_vec()?);
    }
    Ok(())
}
