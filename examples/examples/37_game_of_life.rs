//! The Game of Life on a torus: cells live, are born and die by the number of their neighbours. Without arguments the
//! program prints a gun of Gosper's, which shoots a glider every 30 generations. With the name of a PNG file it draws
//! seven cells, the acorn, 500 generations later; where cells have died, they glow for a while.

use tilewise::graphics::{Texture, Unorm4};
use tilewise::prelude::*;
use tilewise_examples::pictures::PictureTask;

/// A living cell. One that died has less, a generation each, down to 0.
const ALIVE: u32 = 240;
/// Rows and columns of pixels of a cell.
const PIXELS: i32 = 2;

const GUN: [&str; 9] = [
    "........................#...........",
    "......................#.#...........",
    "............##......##............##",
    "...........#...#....##............##",
    "##........#.....#...##..............",
    "##........#...#.##....#.#...........",
    "..........#.....#.......#...........",
    "...........#...#....................",
    "............##......................",
];
const ACORN: [&str; 3] = [".#.....", "...#...", "##..###"];

/// The cell after a generation.
#[amp]
fn next(now: &ArrayView<'_, u32, 2>, y: i32, x: i32) -> u32 {
    let extent = now.extent();
    let (rows, columns) = (extent[0], extent[1]);
    let mut living = 0;
    for dy in 0..3 {
        for dx in 0..3 {
            let cell = now[((y + dy + rows - 1) % rows, (x + dx + columns - 1) % columns)];
            living += u32::from(cell == ALIVE);
        }
    }
    // The cell counts itself: with it, three and four are two and three neighbours.
    let own = now[(y, x)];
    if living == 3 || living == 4 && own == ALIVE { ALIVE } else { own.saturating_sub(1) }
}

/// A torus with a pattern at a corner.
fn torus(
    extent: (usize, usize),
    pattern: &[&str],
    corner: (usize, usize),
) -> tilewise::Result<ArrayView<'static, u32, 2>> {
    let mut cells = vec![0; extent.0 * extent.1];
    for (y, row) in pattern.iter().enumerate() {
        for (x, _) in row.bytes().enumerate().filter(|&(_, sign)| sign == b'#') {
            cells[(corner.0 + y) * extent.1 + corner.1 + x] = ALIVE;
        }
    }
    ArrayView::from_vec(extent, cells)
}

/// The torus after some generations.
fn later(mut now: ArrayView<'static, u32, 2>, generations: usize) -> tilewise::Result<ArrayView<'static, u32, 2>> {
    let mut other = ArrayView::without_source(now.extent())?;
    for _ in 0..generations {
        parallel_for_each!(now.extent(), |i| other[i] = next(&now, i[0], i[1]))?;
        std::mem::swap(&mut now, &mut other);
    }
    Ok(now)
}

/// The colour of a cell: from black over violet, red and yellow to nearly white.
#[amp]
fn color_of(cell: u32) -> Float3 {
    if cell == ALIVE {
        return Float3::new(1.0, 0.98, 0.88);
    }
    let glow = cell as f32 / ALIVE as f32;
    let ramp = |begin: f32, end: f32| ((glow - begin) / (end - begin)).clamp(0.0, 1.0);
    let violet = 0.35 * (ramp(0.0, 0.4) - ramp(0.5, 0.9));
    Float3::new(0.03 + 0.9 * ramp(0.2, 0.9), 0.03 + 0.62 * ramp(0.55, 1.0), 0.07 + violet)
}

fn main() -> tilewise::Result<()> {
    let task = PictureTask::from_arguments();
    if task.is_saved() {
        let extent = task.extent();
        let cells = ((extent[0] / PIXELS) as usize, (extent[1] / PIXELS) as usize);
        let now = later(torus(cells, &ACORN, (cells.0 / 2, cells.1 / 2))?, 500)?;
        let picture = Texture::<Unorm4, 2>::new(extent)?;
        parallel_for_each!(extent, |i| {
            let color = color_of(now[(i[0] / PIXELS, i[1] / PIXELS)]);
            picture.set(i, Float4::new(color.x, color.y, color.z, 1.0).as_unorm());
        })?;
        return task.finish(&picture);
    }

    let mut now = torus((24, 48), &GUN, (1, 1))?;
    for generation in [0, 30, 60] {
        let living = now.host()?.iter().filter(|&&cell| cell == ALIVE).count();
        println!("generation {generation}: {living} cells");
        if generation < 60 {
            now = later(now, 30)?;
        }
    }
    let cells = now.into_vec()?;
    for row in cells.chunks(48) {
        println!("{}", row.iter().map(|&cell| if cell == ALIVE { '#' } else { ' ' }).collect::<String>().trim_end());
    }
    tilewise_examples::record("cells", &cells);
    Ok(())
}
