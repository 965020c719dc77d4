//! The scene that the programs about pictures work on: glossy balls on a chequered floor before an
//! evening sky, made by a kernel that follows rays.

use tilewise::Result;
use tilewise::graphics::{Texture, Unorm4};
use tilewise::prelude::*;

const BALLS: usize = 7;
/// Rays for each direction of a pixel.
const RAYS: i32 = 3;
const HORIZON: Float3 = Float3::new(1.0, 0.62, 0.36);

#[derive(Clone, Copy, AmpStruct)]
struct Ball {
    centre: Float3,
    radius: f32,
    color: Float3,
    shine: f32,
}

#[derive(Clone, Copy, AmpStruct)]
struct Evening {
    balls: [Ball; BALLS],
    /// The direction of the sun in the sky, and that of a lamp behind the camera.
    sun: Float3,
    lamp: Float3,
}

/// A point of a surface.
#[derive(Clone, Copy, AmpStruct)]
struct Spot {
    at: Float3,
    normal: Float3,
    color: Float3,
    shine: f32,
}

#[amp]
fn mix(a: Float3, b: Float3, share: f32) -> Float3 {
    a * (1.0 - share) + b * share
}

#[amp]
impl Evening {
    fn sky(&self, along: Float3) -> Float3 {
        let up = along.y.max(0.0);
        let sky = mix(HORIZON, Float3::new(0.16, 0.2, 0.52), (up * 1.7).min(1.0).sqrt());
        let near = along.dot(self.sun).max(0.0);
        let glow = near.powi(24) * 0.45;
        let disc = ((near - 0.9975) * 1200.0).clamp(0.0, 1.0);
        sky + Float3::new(1.0, 0.6, 0.25) * glow + Float3::splat(disc)
    }

    /// The first ball that a ray meets, and its distance; -1 if there is none.
    fn first_ball(&self, from: Float3, along: Float3) -> (i32, f32) {
        let mut best = (-1, 1e6);
        for number in 0..BALLS {
            let ball = self.balls[number];
            let way = ball.centre - from;
            let middle = way.dot(along);
            let rest = middle * middle - way.dot(way) + ball.radius * ball.radius;
            if rest > 0.0 {
                let distance = middle - rest.sqrt();
                if distance > 1e-3 && distance < best.1 {
                    best = (number as i32, distance);
                }
            }
        }
        best
    }

    /// The first surface that a ray meets.
    fn first_spot(&self, from: Float3, along: Float3) -> Option<Spot> {
        let (number, distance) = self.first_ball(from, along);
        let floor = -from.y / along.y;
        if floor > 1e-3 && floor < distance.min(200.0) {
            let at = from + along * floor;
            let odd = (at.x.floor() as i32 + at.z.floor() as i32) & 1;
            let square = if odd == 1 { Float3::new(0.86, 0.8, 0.7) } else { Float3::new(0.2, 0.16, 0.22) };
            let far = 1.0 - (-floor * 0.035).exp();
            return Some(Spot {
                at,
                normal: Float3::new(0.0, 1.0, 0.0),
                color: mix(square, HORIZON, far),
                shine: 0.12 * (1.0 - far),
            });
        }
        if number < 0 {
            return None;
        }
        let ball = self.balls[number as usize];
        let at = from + along * distance;
        Some(Spot { at, normal: (at - ball.centre) / ball.radius, color: ball.color, shine: ball.shine })
    }

    /// The light that a spot scatters.
    fn scattered(&self, spot: Spot) -> Float3 {
        let shaded = self.first_ball(spot.at + spot.normal * 1e-2, self.lamp).0 >= 0;
        let direct = if shaded { 0.0 } else { spot.normal.dot(self.lamp).max(0.0) };
        let sky = mix(Float3::new(0.26, 0.19, 0.18), Float3::new(0.34, 0.34, 0.5), spot.normal.y * 0.5 + 0.5);
        spot.color * (sky + Float3::new(1.15, 0.95, 0.72) * direct)
    }

    fn color(&self, from: Float3, along: Float3) -> Float3 {
        let (mut from, mut along) = (from, along);
        let (mut sum, mut share) = (Float3::splat(0.0), 1.0);
        for _ in 0..4 {
            let Some(spot) = self.first_spot(from, along) else {
                sum += self.sky(along) * share;
                break;
            };
            let facing = (1.0 + along.dot(spot.normal)).clamp(0.0, 1.0);
            let mirrored = spot.shine + (1.0 - spot.shine) * facing.powi(5) * 0.7;
            sum += self.scattered(spot) * (share * (1.0 - mirrored));
            share *= mirrored;
            from = spot.at + spot.normal * 1e-3;
            along -= spot.normal * (2.0 * along.dot(spot.normal));
        }
        sum
    }
}

fn evening() -> Evening {
    let ball = |x, z, radius, (red, green, blue), shine| Ball {
        centre: Float3::new(x, radius, z),
        radius,
        color: Float3::new(red, green, blue),
        shine,
    };
    Evening {
        balls: [
            ball(0.1, 1.2, 1.25, (0.9, 0.9, 0.95), 0.75),
            ball(-2.5, 0.6, 0.95, (0.85, 0.12, 0.1), 0.08),
            ball(2.6, 1.0, 1.0, (0.05, 0.5, 0.55), 0.12),
            ball(-1.0, -1.3, 0.45, (0.95, 0.65, 0.05), 0.1),
            ball(1.25, -1.5, 0.5, (0.2, 0.55, 0.12), 0.1),
            ball(-4.6, 4.0, 1.5, (0.45, 0.25, 0.7), 0.15),
            ball(5.0, 4.6, 1.7, (0.95, 0.45, 0.35), 0.1),
        ],
        sun: Float3::new(-0.42, 0.13, 0.9).normalize(),
        lamp: Float3::new(-0.5, 0.62, -0.6).normalize(),
    }
}

/// The picture of the scene.
pub fn render(extent: Extent<2>) -> Result<Texture<Unorm4, 2>> {
    let picture = Texture::<Unorm4, 2>::new(extent)?;
    let scene = evening();
    let camera = Float3::new(0.0, 1.55, -5.6);
    parallel_for_each!(extent, |i| {
        let mut sum = Float3::splat(0.0);
        for ray in 0..RAYS * RAYS {
            let down = i[0] as f32 + ((ray / RAYS) as f32 + 0.5) / RAYS as f32;
            let across = i[1] as f32 + ((ray % RAYS) as f32 + 0.5) / RAYS as f32;
            let height = extent[0] as f32;
            let (x, y) = (across - extent[1] as f32 * 0.5, height * 0.44 - down);
            let along = Float3::new(x / height, y / height, 1.15).normalize();
            let color = scene.color(camera, along);
            sum += color.max(Float3::splat(0.0)).min(Float3::splat(1.0));
        }
        let color = sum * (1.0 / (RAYS * RAYS) as f32);
        picture.set(i, Float4::new(color.x, color.y, color.z, 1.0).as_unorm());
    })?;
    Ok(picture)
}
