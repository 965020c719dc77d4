//! Heat that spreads through a plate: each inner point becomes the average of its four neighbours, again and again.
//! The neighbours are **sections** of the same plate, shifted by one, so that the kernel needs no arithmetic on
//! positions and never reaches over the edge.

use tilewise::prelude::*;

const ROWS: usize = 16;
const COLUMNS: usize = 48;

/// The inner points of `next` from those of `now`.
fn spread(now: &ArrayView<'_, f32, 2>, next: &ArrayView<'_, f32, 2>) -> tilewise::Result<()> {
    let inner = now.extent() - 2;
    let north = now.section((0, 1), inner);
    let south = now.section((2, 1), inner);
    let west = now.section((1, 0), inner);
    let east = now.section((1, 2), inner);
    let here = next.section((1, 1), inner);
    parallel_for_each!(inner, |i| {
        here[i] = (north[i] + south[i] + west[i] + east[i]) / 4.0;
    })
}

fn main() -> tilewise::Result<()> {
    // A plate with a hot upper edge and a warm spot at the right; the edges keep their heat.
    let mut plate = vec![0.0f32; ROWS * COLUMNS];
    plate[..COLUMNS].fill(100.0);
    for row in 8..12 {
        plate[row * COLUMNS + COLUMNS - 1] = 60.0;
    }

    let mut other = plate.clone();
    let mut now = ArrayView::new((ROWS, COLUMNS), &mut plate)?;
    let mut next = ArrayView::new((ROWS, COLUMNS), &mut other)?;
    for _ in 0..100 {
        spread(&now, &next)?;
        std::mem::swap(&mut now, &mut next);
    }

    let host = now.host()?;
    for row in 0..ROWS {
        let line: String =
            host.row((row, 0)).iter().map(|&heat| b" .:-=+*#%@"[(heat / 10.1) as usize] as char).collect();
        println!("{}", line.trim_end());
    }
    println!("one below the middle of the upper edge: {:.3}", host[(1, COLUMNS / 2)]);
    tilewise_examples::record("plate", &now.to_vec()?);
    Ok(())
}
