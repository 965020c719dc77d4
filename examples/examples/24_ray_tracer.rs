//! A ray tracer: shapes and materials are enums with fields, a hit is an `Option` of a tuple, and the kernel captures
//! the scene with its array of bodies. The functions are ordinary Rust: the host calls them, and gets the same bits.

use tilewise::prelude::*;

const WIDTH: usize = 64;
const HEIGHT: usize = 32;
/// Hits nearer than this are the ray's own origin.
const NEAR: f32 = 1e-3;

/// Where a ray meets a surface: how far away, and the direction out of the surface.
type Hit = (f32, Float3);

#[derive(Clone, Copy, AmpStruct)]
enum Shape {
    Ball { centre: Float3, radius: f32 },
    Floor { height: f32 },
}

#[amp]
impl Shape {
    fn hit(&self, from: Float3, along: Float3) -> Option<Hit> {
        match *self {
            Shape::Ball { centre, radius } => {
                let way = centre - from;
                let middle = way.dot(along);
                let rest = middle * middle - way.dot(way) + radius * radius;
                let distance = middle - rest.max(0.0).sqrt();
                (rest >= 0.0 && distance > NEAR).then_some((distance, (along * distance - way) / radius))
            }
            Shape::Floor { height } => {
                let distance = (height - from.y) / along.y;
                (distance > NEAR).then_some((distance, Float3::new(0.0, 1.0, 0.0)))
            }
        }
    }
}

#[derive(Clone, Copy, AmpStruct)]
enum Material {
    Matt(f32),
    Mirror(f32),
    Chequered(f32, f32),
}

#[derive(Clone, Copy, AmpStruct)]
struct Scene {
    bodies: [(Shape, Material); 4],
    light: Float3,
}

#[amp]
impl Scene {
    /// The nearest hit, and the material there.
    fn nearest(&self, from: Float3, along: Float3) -> Option<(Hit, Material)> {
        let mut best: Option<(Hit, Material)> = None;
        for (shape, material) in self.bodies {
            let nearer = shape.hit(from, along).filter(|hit| !best.is_some_and(|(before, _)| before.0 <= hit.0));
            best = nearer.map(|hit| (hit, material)).or(best);
        }
        best
    }

    /// How bright the light makes a surface: little if a body shades it.
    fn brightness(&self, at: Float3, normal: Float3) -> f32 {
        let along = (self.light - at).normalize();
        let shaded = self.nearest(at, along).is_some_and(|(hit, _)| hit.0 < self.light.distance(at));
        if shaded { 0.1 } else { along.dot(normal).max(0.1) }
    }

    /// What comes along the ray through a place of the picture.
    fn seen(&self, y: i32, x: i32) -> f32 {
        let right = ((x as f32 + 0.5) / WIDTH as f32 * 2.0 - 1.0) * 1.5;
        let up = 1.0 - (y as f32 + 0.5) / HEIGHT as f32 * 2.0;
        let (mut from, mut along) = (Float3::new(0.0, 1.0, -4.0), Float3::new(right, up, 2.0).normalize());
        let mut share = 1.0;
        for _ in 0..3 {
            let Some((hit, material)) = self.nearest(from, along) else { return share * (0.3 + 0.4 * along.y) };
            from += along * hit.0;
            let own = match material {
                Material::Mirror(mirrored) => {
                    share *= mirrored;
                    along -= hit.1 * (2.0 * along.dot(hit.1));
                    continue;
                }
                Material::Matt(shade) => shade,
                Material::Chequered(even, odd) => {
                    let square = (from.x.floor() + from.z.floor()).rem_euclid(2.0);
                    if square == 0.0 { even } else { odd }
                }
            };
            return share * own * self.brightness(from, hit.1);
        }
        0.0
    }
}

fn main() -> tilewise::Result<()> {
    let ball = |x, y, z, radius| Shape::Ball { centre: Float3::new(x, y, z), radius };
    let bodies = [
        (ball(-1.5, 1.0, 1.0, 1.0), Material::Matt(0.6)),
        (ball(0.3, 0.4, -0.5, 0.4), Material::Matt(0.8)),
        (ball(0.7, 1.0, 2.0, 1.0), Material::Mirror(0.8)),
        (Shape::Floor { height: 0.0 }, Material::Chequered(0.9, 0.2)),
    ];
    let scene = Scene { bodies, light: Float3::new(-4.0, 6.0, -3.0) };
    let picture = ArrayView::<f32, 2>::without_source((HEIGHT, WIDTH))?;
    parallel_for_each!(picture.extent(), |i| picture[i] = scene.seen(i[0], i[1]))?;
    let picture = picture.into_vec()?;
    for row in picture.chunks(WIDTH).step_by(2) {
        let line: String = row.iter().map(|light| b" .:-=+*#%@"[((light * 11.0) as usize).min(9)] as char).collect();
        println!("{}", line.trim_end());
    }
    let on_the_host = picture.iter().zip(0_i32..).map(|(_, n)| scene.seen(n / WIDTH as i32, n % WIDTH as i32));
    let equal = on_the_host.zip(&picture).filter(|(expected, light)| expected.to_bits() == light.to_bits()).count();
    println!("{equal} of {} points have the bits of the host", picture.len());
    tilewise_examples::record("picture", &picture);
    Ok(())
}
