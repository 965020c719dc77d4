//! A fast Fourier transform by Stockham's method, four numbers at a time: each pass reads one array
//! and writes another.
//!
//! The first launch does two passes, in registers: each thread transforms sixteen numbers, which it
//! writes one behind the other. Alone, these passes would write every fourth number, and runs of
//! four. Later passes write longer runs, a launch for each.

use tilewise::bytemuck;
use tilewise::prelude::*;
use tilewise_peers::plain::fourier::{inputs, roots};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

/// Numbers of a thread of the first launch.
const FIRST: i32 = 16;

struct Transform {
    given: ReadView<'static, Float2>,
    roots: ReadView<'static, Float2>,
    /// Those that the first two passes need, in their order: three for each four numbers, and for
    /// each sixteen.
    first_roots: [ReadView<'static, Float2, 2>; 2],
    buffers: [ArrayView<'static, Float2>; 2],
}

/// The product of complex numbers.
#[amp]
fn times(a: Float2, b: Float2) -> Float2 {
    Float2::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}

/// The transform of four numbers, times the roots.
#[amp]
fn four([a, b, c, d]: [Float2; 4], roots: [Float2; 3]) -> [Float2; 4] {
    let sum = a + c;
    let difference = a - c;
    let other_sum = b + d;
    let other = b - d;
    let turned = Float2::new(other.y, -other.x);
    [
        sum + other_sum,
        times(roots[0], difference + turned),
        times(roots[1], sum - other_sum),
        times(roots[2], difference - turned),
    ]
}

/// The first two passes, over single numbers and over runs of four.
fn first_passes(
    on: &AcceleratorView,
    from: &ReadView<'_, Float2>,
    [single, fours]: &[ReadView<'_, Float2, 2>; 2],
    to: &ArrayView<'_, Float2>,
) -> tilewise::Result<()> {
    let part = from.extent()[0] / FIRST;
    parallel_for_each!((on, Extent([part])), |i| {
        let i = i[0];
        let row = |k: i32| {
            let at = i + k * part;
            four(
                [from[at], from[at + 4 * part], from[at + 8 * part], from[at + 12 * part]],
                [single[(0, at)], single[(1, at)], single[(2, at)]],
            )
        };
        let (a, b, c, d) = (row(0), row(1), row(2), row(3));
        let roots = [fours[(0, i)], fours[(1, i)], fours[(2, i)]];
        let x = four([a[0], b[0], c[0], d[0]], roots);
        let y = four([a[1], b[1], c[1], d[1]], roots);
        let z = four([a[2], b[2], c[2], d[2]], roots);
        let w = four([a[3], b[3], c[3], d[3]], roots);
        let first = i * FIRST;
        to[first] = x[0];
        to[first + 1] = y[0];
        to[first + 2] = z[0];
        to[first + 3] = w[0];
        to[first + 4] = x[1];
        to[first + 5] = y[1];
        to[first + 6] = z[1];
        to[first + 7] = w[1];
        to[first + 8] = x[2];
        to[first + 9] = y[2];
        to[first + 10] = z[2];
        to[first + 11] = w[2];
        to[first + 12] = x[3];
        to[first + 13] = y[3];
        to[first + 14] = z[3];
        to[first + 15] = w[3];
    })
}

/// A pass over runs of this length, a multiple of sixteen: a run for each row of threads.
fn pass(
    on: &AcceleratorView,
    length: i32,
    from: &ReadView<'_, Float2>,
    roots: &ReadView<'_, Float2>,
    to: &ArrayView<'_, Float2>,
) -> tilewise::Result<()> {
    let quarter = from.extent()[0] / 4;
    parallel_for_each!((on, Extent([quarter / length, length])), |i| {
        let start = i[0] * length;
        let at = start + i[1];
        let [a, b, c, d] = four(
            [from[at], from[at + quarter], from[at + 2 * quarter], from[at + 3 * quarter]],
            [roots[start], roots[2 * start], roots[3 * start]],
        );
        let first = 4 * start + i[1];
        to[first] = a;
        to[first + length] = b;
        to[first + 2 * length] = c;
        to[first + 3 * length] = d;
    })
}

pub(super) fn prepare(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let own = |given: Vec<[f32; 2]>| given.into_iter().map(Float2::from).collect::<Vec<_>>();
    let empty = || filled(count, vec![Float2::ZERO; count]);
    let roots = own(roots(count));
    let first_roots = |length: usize| {
        let starts = (0..count / 4).step_by(length);
        let roots_of = |k: usize| starts.clone().map(move |at| k * at);
        let in_order: Vec<Float2> = (1..4).flat_map(roots_of).map(|at| roots[at]).collect();
        filled::<_, 2>((3, starts.len()), in_order).map(|view| view.as_read_only())
    };
    let views = Transform {
        given: filled(count, own(inputs(count)))?.as_read_only(),
        first_roots: [first_roots(1)?, first_roots(4)?],
        roots: filled(count, roots.clone())?.as_read_only(),
        buffers: [empty()?, empty()?],
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Transform { given, roots, first_roots, buffers: [now, next] }| {
            let (mut now, mut next) = (now, next);
            let count = given.extent()[0];
            first_passes(on, given, first_roots, now)?;
            let mut length = FIRST;
            while length < count {
                pass(on, length, &now.as_read_only(), roots, next)?;
                (now, next) = (next, now);
                length *= 4;
            }
            Ok(())
        },
        output: |s| {
            // Launches alternate between the buffers, and begin with the first.
            let launches = s.given.extent()[0].ilog2() / 2 - 1;
            let all = s.buffers[(launches as usize + 1) % 2].to_vec()?;
            Ok(PeerOutput::Floats(bytemuck::cast_slice(&all).to_vec()))
        },
    }))
}
