//! A fast Fourier transform by Stockham's method, four parts at a time: each pass reads one array and
//! writes another, in an order that needs no sorting at the end.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// A complex number: its real and its imaginary part.
pub type Complex = [f32; 2];
/// Complex numbers of each quarter that a worker takes at once.
const PART: usize = 1 << 10;

/// The numbers: as many as a power of four, at least 64.
pub fn inputs(count: usize) -> Vec<Complex> {
    input::floats(2 * count, 0, -1.0, 1.0).as_chunks().0.to_vec()
}

/// The roots of unity: `exp(-2 pi i k / count)` at `k`.
pub fn roots(count: usize) -> Vec<Complex> {
    let angle = |k: usize| -std::f64::consts::TAU * k as f64 / count as f64;
    (0..count).map(|k| [angle(k).cos() as f32, angle(k).sin() as f32]).collect()
}

struct Transform {
    given: Vec<Complex>,
    /// Those that the first pass needs, in its order.
    first_roots: [Vec<Complex>; 3],
    roots: Vec<Complex>,
    now: Vec<Complex>,
    next: Vec<Complex>,
}

fn times([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a * c - b * d, a * d + b * c]
}

/// The transform of four numbers, times the roots.
fn four([a, b, c, d]: [Complex; 4], roots: [Complex; 3]) -> [Complex; 4] {
    let (sum, difference) = ([a[0] + c[0], a[1] + c[1]], [a[0] - c[0], a[1] - c[1]]);
    let (other_sum, other) = ([b[0] + d[0], b[1] + d[1]], [b[0] - d[0], b[1] - d[1]]);
    [
        [sum[0] + other_sum[0], sum[1] + other_sum[1]],
        times(roots[0], [difference[0] + other[1], difference[1] - other[0]]),
        times(roots[1], [sum[0] - other_sum[0], sum[1] - other_sum[1]]),
        times(roots[2], [difference[0] - other[1], difference[1] + other[0]]),
    ]
}

/// The transforms of numbers that lie in four runs and have the same roots, to four runs.
fn long_runs([a, b, c, d]: [&[Complex]; 4], roots: [Complex; 3], [x, y, z, w]: [&mut [Complex]; 4]) {
    let from = a.iter().zip(b).zip(c).zip(d);
    let to = x.iter_mut().zip(y).zip(z).zip(w);
    for ((((a, b), c), d), (((x, y), z), w)) in from.zip(to) {
        [*x, *y, *z, *w] = four([*a, *b, *c, *d], roots);
    }
}

/// The same for numbers that have each their own roots, which is the first pass.
fn single([a, b, c, d]: [&[Complex]; 4], [u, v, w]: [&[Complex]; 3], to: &mut [Complex]) {
    let from = a.iter().zip(b).zip(c).zip(d).zip(u).zip(v).zip(w);
    for (((((((a, b), c), d), u), v), w), to) in from.zip(to.as_chunks_mut().0) {
        *to = four([*a, *b, *c, *d], [*u, *v, *w]);
    }
}

/// The same for short runs that follow each other, whose roots are of the places from `first` on.
fn runs_of<const LENGTH: usize>(from: [&[Complex]; 4], first: usize, roots: &[Complex], to: &mut [Complex]) {
    let [a, b, c, d] = from.map(|quarter| quarter.as_chunks::<LENGTH>().0);
    let to = to.as_chunks_mut::<LENGTH>().0.as_chunks_mut::<4>().0;
    for (run, ((((a, b), c), d), to)) in a.iter().zip(b).zip(c).zip(d).zip(to).enumerate() {
        let at = first + run * LENGTH;
        let roots = [roots[at], roots[2 * at], roots[3 * at]];
        for i in 0..LENGTH {
            [to[0][i], to[1][i], to[2][i], to[3][i]] = four([a[i], b[i], c[i], d[i]], roots);
        }
    }
}

/// One pass over runs of this length.
fn pass(length: usize, (roots, first_roots): (&[Complex], &[Vec<Complex>; 3]), from: &[Complex], to: &mut [Complex]) {
    let quarter = from.len() / 4;
    let quarters = |at: usize, count: usize| std::array::from_fn(|k| &from[k * quarter + at..][..count]);
    let of_run = |at: usize| std::array::from_fn(|k| roots[(k + 1) * at]);
    if length > PART {
        for (run, to) in to.chunks_mut(4 * length).enumerate() {
            let (low, high) = to.split_at_mut(2 * length);
            let ((a, b), (c, d)) = (low.split_at_mut(length), high.split_at_mut(length));
            let [a, b, c, d] = [a, b, c, d].map(|run| run.par_chunks_mut(PART));
            a.zip(b).zip(c).zip(d).enumerate().for_each(|(part, (((a, b), c), d))| {
                long_runs(quarters(run * length + part * PART, PART), of_run(run * length), [a, b, c, d]);
            });
        }
        return;
    }
    to.par_chunks_mut(4 * PART).enumerate().for_each(|(part, to)| {
        let first = part * PART;
        match length {
            1 => single(quarters(first, to.len() / 4), first_roots.each_ref().map(|roots| &roots[first..]), to),
            4 => runs_of::<4>(quarters(first, to.len() / 4), first, roots, to),
            16 => runs_of::<16>(quarters(first, to.len() / 4), first, roots, to),
            _ => {
                for (run, to) in to.chunks_mut(4 * length).enumerate() {
                    let at = first + run * length;
                    let (low, high) = to.split_at_mut(2 * length);
                    let ((a, b), (c, d)) = (low.split_at_mut(length), high.split_at_mut(length));
                    long_runs(quarters(at, length), of_run(at), [a, b, c, d]);
                }
            }
        }
    });
}

pub(super) fn prepare(count: usize) -> Box<dyn PreparedWork> {
    let (given, roots) = (inputs(count), roots(count));
    let first_roots = [1, 2, 3].map(|step| roots.iter().step_by(step).take(count / 4).copied().collect());
    Box::new(Plain {
        state: Transform { given, first_roots, roots, now: vec![[0.0; 2]; count], next: vec![[0.0; 2]; count] },
        restore: nothing,
        run: |s| {
            let roots = (s.roots.as_slice(), &s.first_roots);
            pass(1, roots, &s.given, &mut s.now);
            let mut length = 4;
            while length < s.given.len() {
                pass(length, roots, &s.now, &mut s.next);
                std::mem::swap(&mut s.now, &mut s.next);
                length *= 4;
            }
        },
        output: |s| PeerOutput::Floats(s.now.as_flattened().to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transform_is_the_sum_that_defines_it() {
        // Passes over single numbers, over runs that a worker takes together, and over longer ones.
        for count in [64, 1024, 1 << 14] {
            let mut transform = prepare(count);
            transform.run().expect("it runs");
            let PeerOutput::Floats(found) = transform.output().expect("it is there") else { panic!("floats") };
            let (given, roots) = (inputs(count), roots(count));
            for at in [0, 1, 17, count / 2, count - 1] {
                let term = |(i, &[re, im]): (usize, &Complex)| {
                    let [c, s] = roots[i * at % count].map(f64::from);
                    [f64::from(re) * c - f64::from(im) * s, f64::from(re) * s + f64::from(im) * c]
                };
                let sum = given.iter().enumerate().map(term).fold([0.0; 2], |[a, b], [c, d]| [a + c, b + d]);
                for (part, expected) in sum.into_iter().enumerate() {
                    let error = (f64::from(found[2 * at + part]) - expected).abs();
                    assert!(error < 1e-5 * count as f64, "{count}: number {at}: off by {error}");
                }
            }
        }
    }
}
