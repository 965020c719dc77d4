//! Shortest paths between all pairs, sixteen rounds at a time: a round shortens the paths that lead
//! through one point.
//!
//! The rounds of a block of points need the paths from and to those points as they are when each
//! round comes. As in the blocked form of Floyd and Warshall, one tile shortens the paths within the
//! block, a second launch those from it and to it, and a third one does the rounds to all paths,
//! which pass through the registers once.

use tilewise::prelude::*;
use tilewise_peers::plain::shortest_paths::distances;
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled};

/// Rounds that are done together.
const TOGETHER: usize = 16;

struct Paths {
    lengths: ArrayView<'static, f32, 2>,
    /// Between the points of the block: as each is when the round of the lesser of its points comes.
    within: ArrayView<'static, f32, 2>,
    /// From each point of the block to all points, when its round comes.
    rows: ArrayView<'static, f32, 2>,
    /// From all points to each point of the block, when its round comes.
    columns: ArrayView<'static, f32, 2>,
}

#[amp]
fn shorter(old: f32, new: f32) -> f32 {
    if new < old { new } else { old }
}

/// The paths within the block of `count` points that begins with the point `via`.
fn block(on: &AcceleratorView, via: i32, count: i32, paths: &Paths) -> tilewise::Result<()> {
    let Paths { lengths, within, .. } = paths;
    parallel_for_each!((on, within.extent().tile::<TOGETHER, TOGETHER>()), |t| {
        #[tile_static]
        let now: [[f32; TOGETHER]; TOGETHER];
        let [y, x] = t.local.0;
        now[y][x] = if y < count && x < count { lengths[(via + y, via + x)] } else { 0.0 };
        for k in 0..count {
            t.barrier.wait();
            let new = shorter(now[y][x], now[y][k] + now[k][x]);
            if k == y.min(x) {
                within[t.local] = now[y][x];
            }
            t.barrier.wait();
            now[y][x] = new;
        }
    })
}

/// The paths from the points of that block to all points, and from those to the block.
fn lines(on: &AcceleratorView, via: i32, count: i32, paths: &Paths) -> tilewise::Result<()> {
    let Paths { lengths, within, rows, columns } = paths;
    parallel_for_each!((on, Extent([lengths.extent()[0]])), |i| {
        let point = i[0];
        let mut row = [0.0; TOGETHER];
        let mut column = [0.0; TOGETHER];
        for m in 0..count {
            let mut from = lengths[(via + m, point)];
            let mut to = lengths[(point, via + m)];
            for k in 0..m {
                from = shorter(from, within[(m, k)] + row[k]);
                to = shorter(to, column[k] + within[(k, m)]);
            }
            row[m] = from;
            column[m] = to;
            rows[(m, point)] = from;
            columns[(m, point)] = to;
        }
    })
}

/// The rounds of that block.
fn shorten(on: &AcceleratorView, count: i32, paths: &Paths) -> tilewise::Result<()> {
    let Paths { lengths, rows, columns, .. } = paths;
    parallel_for_each!((on, lengths.extent()), |i| {
        let mut least = lengths[i];
        for k in 0..count {
            least = shorter(least, columns[(k, i[0])] + rows[(k, i[1])]);
        }
        lengths[i] = least;
    })
}

pub(super) fn prepare(points: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let empty = |width: usize| filled::<f32, 2>((TOGETHER, width), vec![0.0; TOGETHER * width]);
    let views = Paths {
        lengths: filled((points, points), distances(points))?,
        within: empty(TOGETHER)?,
        rows: empty(points)?,
        columns: empty(points)?,
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: |s| {
            let before = distances(s.lengths.extent()[0] as usize);
            s.lengths.host_mut()?.iter_mut().zip(before).for_each(|(to, from)| *to = from);
            Ok(())
        },
        run: |on, paths| {
            let points = paths.lengths.extent()[0];
            for via in (0..points).step_by(TOGETHER) {
                let count = (points - via).min(TOGETHER as i32);
                block(on, via, count, paths)?;
                lines(on, via, count, paths)?;
                shorten(on, count, paths)?;
            }
            Ok(())
        },
        output: |s| s.lengths.to_vec().map(PeerOutput::Floats),
    }))
}
