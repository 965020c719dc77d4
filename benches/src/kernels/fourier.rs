//! A fast Fourier transform by Stockham's method: a launch for each pass, which transforms four
//! numbers in a thread, and reads one array and writes another.

use tilewise::bytemuck;
use tilewise::prelude::*;
use tilewise_peers::plain::fourier::{inputs, roots};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

struct Transform {
    given: ReadView<'static, Float2>,
    roots: ReadView<'static, Float2>,
    buffers: [ArrayView<'static, Float2>; 2],
}

/// The product of complex numbers.
#[amp]
fn times(a: Float2, b: Float2) -> Float2 {
    Float2::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}

/// A pass over runs of this length.
fn pass(
    on: &AcceleratorView,
    length: i32,
    from: &ReadView<'_, Float2>,
    roots: &ReadView<'_, Float2>,
    to: &ArrayView<'_, Float2>,
) -> tilewise::Result<()> {
    let quarter = from.extent()[0] / 4;
    parallel_for_each!((on, Extent([quarter])), |i| {
        let i = i[0];
        let in_run = i & (length - 1);
        let start = i - in_run;
        let a = from[i];
        let b = from[i + quarter];
        let c = from[i + 2 * quarter];
        let d = from[i + 3 * quarter];
        let sum = a + c;
        let difference = a - c;
        let other_sum = b + d;
        let other = b - d;
        let turned = Float2::new(other.y, -other.x);
        let first = 4 * start + in_run;
        to[first] = sum + other_sum;
        to[first + length] = times(roots[start], difference + turned);
        to[first + 2 * length] = times(roots[2 * start], sum - other_sum);
        to[first + 3 * length] = times(roots[3 * start], difference - turned);
    })
}

pub(super) fn prepare(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let own = |given: Vec<[f32; 2]>| given.into_iter().map(Float2::from).collect::<Vec<_>>();
    let empty = || filled(count, vec![Float2::ZERO; count]);
    let views = Transform {
        given: filled(count, own(inputs(count)))?.as_read_only(),
        roots: filled(count, own(roots(count)))?.as_read_only(),
        buffers: [empty()?, empty()?],
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Transform { given, roots, buffers: [now, next] }| {
            let (mut now, mut next) = (now, next);
            let count = given.extent()[0];
            pass(on, 1, given, roots, now)?;
            let mut length = 4;
            while length < count {
                pass(on, length, &now.as_read_only(), roots, next)?;
                (now, next) = (next, now);
                length *= 4;
            }
            Ok(())
        },
        output: |s| {
            // Passes alternate between the buffers, and begin with the first.
            let passes = s.given.extent()[0].ilog2() / 2;
            let all = s.buffers[(passes as usize + 1) % 2].to_vec()?;
            Ok(PeerOutput::Floats(bytemuck::cast_slice(&all).to_vec()))
        },
    }))
}
