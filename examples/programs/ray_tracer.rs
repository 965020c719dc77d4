//! A ray tracer: shapes are an enum with fields, each with the methods of a trait; a hit is an
//! `Option`; the scene is an array that the kernel captures. A second kernel finds the brightest
//! colour, tile by tile, and a third one makes pixels of three bytes. The functions are ordinary Rust:
//! the host calls them too, and gets the same bits.

use std::ops::{Add, AddAssign, Index, Mul, Neg, Sub};

use tilewise::prelude::*;

const WIDTH: usize = 64;
const HEIGHT: usize = 32;
const BOUNCES: usize = 3;
/// Width and height of a tile; its threads.
const TILE: usize = 8;
const THREADS: usize = TILE * TILE;

#[derive(Clone, Copy, Debug, PartialEq, Default, AmpStruct)]
struct Vector {
    x: f32,
    y: f32,
    z: f32,
}

#[amp]
impl Vector {
    fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    fn length(self) -> f32 {
        self.dot(self).sqrt()
    }

    fn normalized(self) -> Self {
        self * (1.0 / self.length())
    }

    fn reflected(self, normal: Self) -> Self {
        self - normal * (2.0 * self.dot(normal))
    }
}

#[amp]
impl Add for Vector {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

#[amp]
impl AddAssign for Vector {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[amp]
impl Sub for Vector {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

#[amp]
impl Neg for Vector {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

#[amp]
impl Mul<f32> for Vector {
    type Output = Self;

    fn mul(self, factor: f32) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Ray {
    origin: Vector,
    direction: Vector,
}

#[amp]
impl Ray {
    fn at(&self, distance: f32) -> Vector {
        self.origin + self.direction * distance
    }
}

/// Where a ray meets a surface.
#[derive(Clone, Copy, AmpStruct)]
struct Hit {
    distance: f32,
    normal: Vector,
}

#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Material {
    Matt(Vector),
    Mirror { share: f32 },
    Chequered(Vector, Vector),
}

/// Rays meet it.
#[amp]
trait Surface {
    /// Hits nearer than this are the ray's own origin.
    const NEAR: f32 = 1e-3;

    fn hit(&self, ray: &Ray) -> Option<Hit>;

    fn shades(&self, from: Vector, light: Vector) -> bool {
        let way = light - from;
        let ray = Ray { origin: from, direction: way.normalized() };
        self.hit(&ray).is_some_and(|hit| hit.distance < way.length())
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Sphere {
    centre: Vector,
    radius: f32,
}

#[amp]
impl Surface for Sphere {
    fn hit(&self, ray: &Ray) -> Option<Hit> {
        let to_origin = ray.origin - self.centre;
        let half = to_origin.dot(ray.direction);
        let rest = half * half - to_origin.dot(to_origin) + self.radius * self.radius;
        if rest < 0.0 {
            return None;
        }
        for distance in [-half - rest.sqrt(), -half + rest.sqrt()] {
            if distance > Self::NEAR {
                let normal = (ray.at(distance) - self.centre) * (1.0 / self.radius);
                return Some(Hit { distance, normal });
            }
        }
        None
    }
}

/// A horizontal plane.
#[derive(Clone, Copy, AmpStruct)]
struct Floor {
    height: f32,
}

#[amp]
impl Surface for Floor {
    fn hit(&self, ray: &Ray) -> Option<Hit> {
        let distance = (self.height - ray.origin.y) / ray.direction.y;
        let upwards = Vector { y: 1.0, ..Vector::default() };
        (distance > Self::NEAR).then_some(Hit { distance, normal: upwards })
    }
}

#[derive(Clone, Copy, AmpStruct)]
enum Shape {
    Ball(Sphere),
    Ground(Floor),
}

#[amp]
impl Surface for Shape {
    fn hit(&self, ray: &Ray) -> Option<Hit> {
        match self {
            Shape::Ball(ball) => ball.hit(ray),
            Shape::Ground(ground) => ground.hit(ray),
        }
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Body {
    shape: Shape,
    material: Material,
}

#[derive(Clone, Copy, AmpStruct)]
struct Scene {
    bodies: [Body; 4],
    light: Vector,
}

#[amp]
impl Index<usize> for Scene {
    type Output = Body;

    fn index(&self, number: usize) -> &Body {
        &self.bodies[number]
    }
}

#[amp]
impl Scene {
    /// The nearest hit, and the number of the body.
    fn nearest(&self, ray: &Ray) -> Option<(usize, Hit)> {
        let mut best: Option<(usize, Hit)> = None;
        for (number, body) in self.bodies.iter().enumerate() {
            if let Some(hit) = body.shape.hit(ray) {
                best = match best {
                    Some((_, before)) if before.distance <= hit.distance => best,
                    _ => Some((number, hit)),
                };
            }
        }
        best
    }

    fn brightness(&self, at: Vector, normal: Vector) -> f32 {
        for Body { shape, .. } in self.bodies {
            if shape.shades(at, self.light) {
                return 0.1;
            }
        }
        (self.light - at).normalized().dot(normal).max(0.1)
    }

    fn colour(&self, first: Ray) -> Vector {
        let (mut ray, mut share, mut sum) = (first, 1.0, Vector::default());
        for _ in 0..BOUNCES {
            let Some((number, Hit { distance, normal })) = self.nearest(&ray) else {
                let up = 0.5 * (ray.direction.y + 1.0);
                sum += Vector::new(0.5, 0.7, 1.0) * (up * share);
                break;
            };
            let at = ray.at(distance);
            let own = match self[number].material {
                Material::Mirror { share: reflected } => {
                    share *= reflected;
                    ray = Ray { origin: at, direction: ray.direction.reflected(normal) };
                    continue;
                }
                Material::Matt(colour) => colour,
                Material::Chequered(even, odd) => {
                    let square = at.x.floor() as i32 + at.z.floor() as i32;
                    if square.rem_euclid(2) == 0 { even } else { odd }
                }
            };
            sum += own * (self.brightness(at, normal) * share);
            break;
        }
        sum
    }
}

/// The ray through a point of the picture.
#[amp]
fn ray_of(x: usize, y: usize) -> Ray {
    let right = (x as f32 + 0.5) / WIDTH as f32 * 2.0 - 1.0;
    let up = 1.0 - (y as f32 + 0.5) / HEIGHT as f32 * 2.0;
    Ray { origin: Vector::new(0.0, 1.0, -4.0), direction: Vector::new(right * 1.5, up, 2.0).normalized() }
}

fn scene() -> Scene {
    let ball = |x, y, z, radius| Shape::Ball(Sphere { centre: Vector { x, y, z }, radius });
    let (white, grey) = (Vector { x: 0.9, y: 0.9, z: 0.9 }, Vector { x: 0.2, y: 0.2, z: 0.2 });
    Scene {
        bodies: [
            Body { shape: ball(-1.5, 1.0, 1.0, 1.0), material: Material::Matt(Vector { x: 0.9, y: 0.2, z: 0.1 }) },
            Body { shape: ball(0.7, 1.0, 2.0, 1.0), material: Material::Mirror { share: 0.8 } },
            Body { shape: ball(0.3, 0.4, -0.5, 0.4), material: Material::Matt(Vector { x: 0.1, y: 0.4, z: 0.9 }) },
            Body { shape: Shape::Ground(Floor { height: 0.0 }), material: Material::Chequered(white, grey) },
        ],
        light: Vector { x: -4.0, y: 6.0, z: -3.0 },
    }
}

/// A pixel as red, green and blue in the bytes of a number, for a brightest component of `most`.
#[amp]
fn pixel(colour: Vector, most: f32) -> u32 {
    let byte = |component: f32| ((component / most).sqrt() * 255.0 + 0.5).clamp(0.0, 255.0) as u8;
    let [red, green, blue] = [colour.x, colour.y, colour.z].map(byte);
    u32::from_be_bytes([0, red, green, blue])
}

/// The brightest component of a picture: the threads of a tile halve their number from step to step.
fn brightest(picture: &ArrayView<'_, Vector, 2>) -> tilewise::Result<f32> {
    let most = ArrayView::<f32>::without_source(1)?;
    parallel_for_each!(picture.extent().tile::<TILE, TILE>(), |t| {
        #[tile_static]
        let part: [f32; THREADS];
        let me = t.local[0] as usize * TILE + t.local[1] as usize;
        let Vector { x, y, z } = picture[t];
        part[me] = x.max(y).max(z);
        t.barrier.wait();
        let mut half = THREADS / 2;
        while half > 0 {
            if me < half {
                part[me] = part[me].max(part[me + half]);
            }
            t.barrier.wait();
            half /= 2;
        }
        if me == 0 {
            most.atomic(0).fetch_max(part[0]);
        }
    })?;
    most.get(0)
}

/// The pixels of a picture, compared with those of the host.
fn pixels(picture: &ArrayView<'_, Vector, 2>, colours: &[Vector]) -> tilewise::Result<Vec<u32>> {
    let most = brightest(picture)?;
    let expected = colours.iter().flat_map(|colour| [colour.x, colour.y, colour.z]).fold(0.0, f32::max);
    assert_eq!(most, expected);
    let pixels = ArrayView::<u32, 2>::without_source(picture.extent())?;
    parallel_for_each!(pixels.extent(), |i| pixels[i] = pixel(picture[i], most))?;
    let pixels = pixels.into_vec()?;
    for (number, (found, colour)) in pixels.iter().zip(colours).enumerate() {
        assert_eq!(*found, pixel(*colour, most), "the host gives another pixel at {number}");
    }
    Ok(pixels)
}

fn main() -> tilewise::Result<()> {
    let scene = scene();
    let picture = ArrayView::<Vector, 2>::without_source((HEIGHT, WIDTH))?;
    parallel_for_each!(picture.extent(), |i| {
        picture[i] = scene.colour(ray_of(i[1] as usize, i[0] as usize));
    })?;
    let colours = picture.to_vec()?;
    let pixels = pixels(&picture, &colours)?;

    for (number, colour) in colours.iter().enumerate() {
        let expected = scene.colour(ray_of(number % WIDTH, number / WIDTH));
        assert_eq!(*colour, expected, "the host gives another colour at {number}");
    }
    for row in colours.chunks(WIDTH).step_by(2) {
        let sign = |colour: &Vector| b" .:-=+*#%@"[((colour.length() * 6.0) as usize).min(9)] as char;
        println!("{}", row.iter().map(sign).collect::<String>().trim_end());
    }
    tilewise_examples::record("picture", &colours);
    tilewise_examples::record("pixels", &pixels);
    Ok(())
}
