//! Mathematical functions in a kernel: the common logarithm of six numbers. `fast_math` computes with `f32` within two
//! units in the last place, and to the same bits on every accelerator and on the host.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut numbers = [1.0, 10.0, 60.0, 100.0, 600.0, 1000.0];

    let logs = ArrayView::new(6, &mut numbers)?;
    parallel_for_each!(logs.extent(), |idx| {
        logs[idx] = fast_math::log10(logs[idx]);
    })?;
    logs.close()?;

    for log in numbers {
        println!("{log:.5}");
    }
    tilewise_examples::record("logs", &numbers);

    let on_the_host = [1.0, 10.0, 60.0, 100.0, 600.0, 1000.0].map(fast_math::log10);
    assert_eq!(numbers.map(f32::to_bits), on_the_host.map(f32::to_bits));
    Ok(())
}
