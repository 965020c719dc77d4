//! A sun and its planets, each pulled by all others: structs in views, with methods that kernels call, and short
//! vectors. Circular orbits stay circular, and momentum is kept, but for rounding.

use tilewise::prelude::*;

/// Bodies, and threads of a tile.
const BODIES: usize = 8;
/// Seconds of a step.
const STEP: f32 = 0.01;

#[derive(Clone, Copy, Debug, Default, AmpStruct)]
#[repr(C)]
struct Body {
    position: Float3,
    velocity: Float3,
    mass: f32,
}

#[amp]
impl Body {
    /// The acceleration that `other` causes here. A body does not pull itself: its distance is softened away from zero.
    fn pull(self, other: Body) -> Float3 {
        let way = other.position - self.position;
        let square = way.dot(way) + 1e-6;
        way * (other.mass / (square * square.sqrt()))
    }

    fn momentum(self) -> Float3 {
        self.velocity * self.mass
    }
}

/// Moves all bodies of `now` on by one step, into `next`.
fn step(now: &ArrayView<'_, Body>, next: &ArrayView<'_, Body>) -> tilewise::Result<()> {
    parallel_for_each!(now.extent().tile::<BODIES>(), |t| {
        #[tile_static]
        let bodies: [Body; BODIES];
        let mut body = now[t];
        bodies[t.local[0]] = body;
        t.barrier.wait();

        let mut acceleration = Float3::default();
        for i in 0..BODIES {
            acceleration += body.pull(bodies[i]);
        }
        body.velocity += acceleration * STEP;
        body.position += body.velocity * STEP;
        next[t] = body;
    })
}

/// A sun at rest, and planets that fall around it.
fn system() -> [Body; BODIES] {
    let mut bodies = [Body::default(); BODIES];
    bodies[0].mass = 1.0;
    for (i, body) in bodies.iter_mut().enumerate().skip(1) {
        let radius = 1.0 + 0.5 * (i - 1) as f32;
        let side = if i % 2 == 0 { 1.0 } else { -1.0 };
        body.position = Float3::new(side * radius, 0.0, 0.0);
        body.velocity = Float3::new(0.0, side * (1.0 / radius).sqrt(), 0.0);
        body.mass = 1e-4;
    }
    bodies
}

fn distance(a: &Body, b: &Body) -> f32 {
    let way = a.position - b.position;
    way.dot(way).sqrt()
}

fn main() -> tilewise::Result<()> {
    let start = system();
    let mut now = ArrayView::from_vec(BODIES, start.to_vec())?;
    let mut next = ArrayView::without_source(BODIES)?;
    for _ in 0..200 {
        step(&now, &next)?;
        std::mem::swap(&mut now, &mut next);
    }

    let end = now.to_vec()?;
    println!("planet  from the sun  after 200 steps  at");
    for i in 1..BODIES {
        let Float3 { x, y, .. } = end[i].position;
        println!(
            "{i:6}  {:12.3}  {:15.3}  ({x:6.3}, {y:6.3})",
            distance(&start[0], &start[i]),
            distance(&end[0], &end[i])
        );
    }
    let momentum = |bodies: &[Body]| bodies.iter().fold(Float3::default(), |sum, body| sum + body.momentum());
    let gained = momentum(&end) - momentum(&start);
    let moved = end.iter().map(|body| body.momentum().dot(body.momentum()).sqrt()).sum::<f32>();
    println!("momentum: {moved:.1e} in all bodies, {:.1e} gained by rounding", gained.dot(gained).sqrt());
    tilewise_examples::record("bodies", &end);
    Ok(())
}
