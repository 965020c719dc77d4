//! The Mandelbrot set as text: one thread for each character, a loop that ends early, and `break` with a value.
//! Threads that take different numbers of steps are no trouble.

use tilewise::prelude::*;

const ROWS: usize = 23;
const COLUMNS: usize = 70;
/// Steps after which a point counts as inside.
const LIMIT: i32 = 40;

/// How many steps the point stays near the origin.
#[amp]
fn steps(x: f32, y: f32) -> i32 {
    let (mut a, mut b) = (0.0, 0.0);
    let mut count = 0;
    loop {
        if count == LIMIT || a * a + b * b > 4.0 {
            break count;
        }
        let next = a * a - b * b + x;
        b = 2.0 * a * b + y;
        a = next;
        count += 1;
    }
}

fn main() -> tilewise::Result<()> {
    let picture = ArrayView::<i32, 2>::without_source((ROWS, COLUMNS))?;
    parallel_for_each!(picture.extent(), |i| {
        let x = i[1] as f32 * (3.0 / COLUMNS as f32) - 2.2;
        let y = i[0] as f32 * (2.4 / ROWS as f32) - 1.15;
        picture[i] = steps(x, y);
    })?;

    let picture = picture.host()?;
    for row in 0..ROWS {
        let line: String = picture
            .row((row, 0))
            .iter()
            .map(|&steps| b" .,:;+*%&@#"[steps as usize * 10 / LIMIT as usize] as char)
            .collect();
        println!("{}", line.trim_end());
    }
    tilewise_examples::record("steps", picture.as_slice().unwrap_or_default());
    Ok(())
}
