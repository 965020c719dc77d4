//! Air that flows around a post, by the lattice method of Boltzmann: each cell holds how much moves in each of nine
//! directions. A step moves all of that to the neighbours and lets it collide. Behind the post whirls come off to the
//! left and to the right in turn, a street of Karman's; the picture shows which way the air turns.

use tilewise::graphics::{Texture, Unorm4};
use tilewise::prelude::*;
use tilewise_examples::pictures::PictureTask;

/// The directions: where they lead, their weights, and the number of the opposite one.
const ACROSS: [i32; 9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
const DOWN: [i32; 9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
const OPPOSITE: [i32; 9] = [0, 3, 4, 1, 2, 7, 8, 5, 6];
const WEIGHTS: [f32; 9] =
    [4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0];
/// The speed of the wind in cells for a step, and how much of the way to equilibrium a collision takes.
const WIND: f32 = 0.1;
const RELAXATION: f32 = 1.9;

/// What is in a cell: how much, and how fast it moves.
#[amp]
fn matter(cell: [f32; 9]) -> (f32, Float2) {
    let (mut sum, mut flow) = (0.0, Float2::default());
    for k in 0..9 {
        sum += cell[k];
        flow += Float2::new(ACROSS[k] as f32, DOWN[k] as f32) * cell[k];
    }
    (sum, flow / sum)
}

/// How much moves in a direction, of air in equilibrium.
#[amp]
fn equilibrium(k: usize, density: f32, speed: Float2) -> f32 {
    let along = speed.dot(Float2::new(ACROSS[k] as f32, DOWN[k] as f32));
    WEIGHTS[k] * density * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * speed.dot(speed))
}

/// The squared distance from the middle of the post, in radii.
#[amp]
fn from_post(extent: Extent<3>, y: f32, x: f32) -> f32 {
    let size = extent[1] as f32;
    let way = Float2::new(x - size * 0.3, y - size * 0.5) / (size * 0.05);
    way.dot(way)
}

/// Moves the air on by one step.
fn step(now: &ArrayView<'_, f32, 3>, next: &ArrayView<'_, f32, 3>) -> tilewise::Result<()> {
    let extent = now.extent();
    parallel_for_each!(Extent::new((extent[1], extent[2])), |i| {
        let (y, x) = (i[0], i[1]);
        let mut cell = [0.0; 9];
        for k in 0..9 {
            // The walls at the top and at the bottom are one; at the right the air goes out as it comes.
            let fy = (y - DOWN[k] + extent[1]) % extent[1];
            let fx = (x - ACROSS[k]).clamp(0, extent[2] - 1);
            let from_inside = from_post(extent, fy as f32, fx as f32) < 1.0;
            cell[k] = if from_inside { now[(OPPOSITE[k], y, x)] } else { now[(k, fy, fx)] };
        }
        let (density, speed) = matter(cell);
        for k in 0..9 {
            next[(k, y, x)] = if x == 0 {
                equilibrium(k, 1.0, Float2::new(WIND, 0.0))
            } else if from_post(extent, y as f32, x as f32) < 1.0 {
                equilibrium(k, 1.0, Float2::default())
            } else {
                cell[k] + (equilibrium(k, density, speed) - cell[k]) * RELAXATION
            };
        }
    })
}

fn main() -> tilewise::Result<()> {
    let task = PictureTask::from_arguments();
    let (extent, steps) = (task.extent(), if task.is_saved() { 5000 } else { 30 });
    let air = Extent::new((9, extent[0], extent[1]));
    let (mut now, mut next) = (ArrayView::without_source(air)?, ArrayView::without_source(air)?);
    // It begins with a breath from the side, or the whirls would begin much later.
    parallel_for_each!(air, |i| now[i] = equilibrium(i[0] as usize, 1.0, Float2::new(WIND, 0.2 * WIND)))?;
    for _ in 0..steps {
        step(&now, &next)?;
        std::mem::swap(&mut now, &mut next);
    }

    let speeds = ArrayView::<Float2, 2>::without_source(extent)?;
    parallel_for_each!(extent, |i| {
        let mut cell = [0.0; 9];
        for k in 0..9 {
            cell[k] = now[(k, i[0], i[1])];
        }
        speeds[i] = matter(cell).1;
    })?;
    let picture = Texture::<Unorm4, 2>::new(extent)?;
    parallel_for_each!(extent, |i| {
        let (y, x) = (i[0], i[1]);
        let (right, left) = (speeds[(y, (x + 1).min(extent[1] - 1))], speeds[(y, (x - 1).max(0))]);
        let (below, above) = (speeds[((y + 1).min(extent[0] - 1), x)], speeds[((y - 1).max(0), x)]);
        let turn = ((right.y - left.y) - (below.x - above.x)) * 25.0;
        let (warm, cold) = (turn.clamp(0.0, 1.0), (-turn).clamp(0.0, 1.0));
        let far = from_post(air, y as f32, x as f32);
        let color = if far < 1.0 {
            Float3::splat(0.85 - 0.5 * far)
        } else {
            let fast = speeds[i].length() / WIND;
            let wind = Float3::new(0.02, 0.045, 0.1) * fast;
            wind + Float3::new(1.0, 0.5, 0.12) * (warm * (2.0 - warm))
                + Float3::new(0.12, 0.55, 1.0) * (cold * (2.0 - cold))
        };
        picture.set(i, Float4::new(color.x, color.y, color.z, 1.0).as_unorm());
    })?;
    task.finish(&picture)
}
