//! Two galaxies meet. Each star is pulled by all others; a tile of threads brings them into its own memory, a tile of
//! stars at a time. Then each pixel adds up the light of all stars, in the order of their numbers, so that sums of
//! floats have the same bits everywhere.

use tilewise::graphics::{Texture, Unorm4};
use tilewise::prelude::*;
use tilewise_examples::pictures::PictureTask;

/// Threads of a tile.
const TILE: usize = 64;
/// Time of a step.
const STEP: f32 = 0.01;
/// Pulls of stars nearer than about the root of this are softened.
const SOFT: f32 = 2e-3;

/// The first star of a galaxy is its core, heavier than all others together.
#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Star {
    place: Float3,
    motion: Float3,
    mass: f32,
    /// From 0 for a star that shines blue to 1 for one that shines red.
    warmth: f32,
}

/// Moves all stars of `now` on by one step, into `next`.
fn step(now: &ArrayView<'_, Star>, next: &ArrayView<'_, Star>) -> tilewise::Result<()> {
    let tiles = now.extent()[0] / TILE as i32;
    parallel_for_each!(now.extent().tile::<TILE>(), |t| {
        #[tile_static]
        let near: [Float4; TILE];
        let me = t.local[0];
        let mut star = now[t];
        let mut pull = Float3::default();
        for tile in 0..tiles {
            let other = now[tile * TILE as i32 + me];
            near[me] = Float4::new(other.place.x, other.place.y, other.place.z, other.mass);
            t.barrier.wait();
            for k in 0..TILE {
                let way = near[k].xyz() - star.place;
                let square = way.dot(way) + SOFT;
                pull += way * (near[k].w / (square * square.sqrt()));
            }
            t.barrier.wait();
        }
        star.motion += pull * STEP;
        star.place += star.motion * STEP;
        next[t] = star;
    })
}

/// A disc of stars that circle around a core of mass 1, in the plane of two directions.
fn galaxy(count: usize, core: Star, (right, up): (Float3, Float3)) -> Vec<Star> {
    let mut seed = core.place.y.to_bits();
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / 8_388_608.0 - 1.0
    };
    let mut stars = vec![core];
    while stars.len() < count {
        let (x, y) = (random(), random());
        let square = x * x + y * y;
        if !(0.02..=1.0).contains(&square) {
            continue;
        }
        // As dense as one by the distance, which is `square`; the speed is that of a circle around the core.
        let (distance, along) = (square, square.sqrt());
        let softened = (distance * distance + SOFT).sqrt();
        let speed = distance / (softened * softened.sqrt());
        let (x, y) = (x / along, y / along);
        stars.push(Star {
            place: core.place + (right * x + up * y) * distance,
            motion: core.motion + (up * x - right * y) * speed,
            mass: 0.1 / count as f32,
            warmth: core.warmth + 0.25 * random(),
        });
    }
    stars
}

fn main() -> tilewise::Result<()> {
    let task = PictureTask::from_arguments();
    let (count, steps) = if task.is_saved() { (64 * TILE, 160) } else { (TILE, 6) };
    let core = |x, y: f32, warmth| {
        let (place, motion) = (Float3::new(x, y, 0.0), Float3::new(0.0, -0.45 * y, 0.0));
        Star { place, motion, mass: 1.0, warmth }
    };
    let (x, y) = (Float3::new(1.0, 0.0, 0.0), Float3::new(0.0, 1.0, 0.0));
    let mut stars = galaxy(count, core(-0.5, 1.3, 0.15), (x, Float3::new(0.0, 0.8, 0.6)));
    stars.extend(galaxy(count, core(0.5, -1.3, 0.85), (Float3::new(0.8, 0.0, 0.6), y)));

    let mut now = ArrayView::from_vec(2 * count, stars)?;
    let mut next = ArrayView::without_source(2 * count)?;
    for _ in 0..steps {
        step(&now, &next)?;
        std::mem::swap(&mut now, &mut next);
    }

    let extent = task.extent();
    let picture = Texture::<Unorm4, 2>::new(extent)?;
    let number = now.extent()[0];
    parallel_for_each!(extent, |i| {
        let (height, width) = (extent[0] as f32, extent[1] as f32);
        let at = Float2::new(i[1] as f32 - width * 0.5, height * 0.5 - i[0] as f32) * (2.2 / height);
        let mut light = Float3::new(0.004, 0.005, 0.012);
        for k in 0..number {
            let star = now[k];
            let way = star.place.xy() - at;
            let square = way.dot(way);
            let (point, glow) = (1.0 / (1.0 + square * 9000.0), 1.0 / (1.0 + square * 150.0));
            let color = Float3::new(0.25 + 0.75 * star.warmth, 0.5, 1.0 - 0.8 * star.warmth);
            light += color * ((point * point + glow * glow * 0.003) * (0.6 + 4.0 * star.mass));
        }
        let bright = light / (light + Float3::splat(0.6));
        picture.set(i, Float4::new(bright.x, bright.y, bright.z, 1.0).as_unorm());
    })?;
    task.finish(&picture)
}
