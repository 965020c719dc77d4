//! Shortest paths between all pairs: a launch for each point that paths may lead through. Its own row
//! and column do not change, so no thread writes what another reads.

use tilewise::prelude::*;
use tilewise_peers::plain::shortest_paths::distances;
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled};

pub(super) fn prepare(points: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    Ok(Box::new(Views {
        on: on.clone(),
        views: filled::<f32, 2>((points, points), distances(points))?,
        restore: |paths| {
            let before = distances(paths.extent()[0] as usize);
            paths.host_mut()?.iter_mut().zip(before).for_each(|(to, from)| *to = from);
            Ok(())
        },
        run: |on, paths| {
            for via in 0..paths.extent()[0] {
                parallel_for_each!((on, paths.extent()), |i| {
                    if i[0] != via && i[1] != via {
                        let sum = paths[(i[0], via)] + paths[(via, i[1])];
                        if sum < paths[i] {
                            paths[i] = sum;
                        }
                    }
                })?;
            }
            Ok(())
        },
        output: |paths| paths.to_vec().map(PeerOutput::Floats),
    }))
}
