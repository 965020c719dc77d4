//! The nearest of some centres for each point, which is a struct of three floats.

use tilewise::prelude::*;
use tilewise_peers::plain::k_means::{CENTRES, centres, points};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

struct Points {
    points: ReadView<'static, Float3>,
    centres: ReadView<'static, Float3>,
    nearest: ArrayView<'static, u32>,
}

pub(super) fn prepare(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let own = |given: Vec<[f32; 3]>| given.into_iter().map(Float3::from).collect::<Vec<_>>();
    let views = Points {
        points: filled(count, own(points(count)))?.as_read_only(),
        centres: filled(CENTRES, own(centres()))?.as_read_only(),
        nearest: filled(count, vec![0; count])?,
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Points { points, centres, nearest }| {
            parallel_for_each!((on, points.extent()), |i| {
                let p = points[i];
                let mut least = f32::INFINITY;
                let mut which = 0;
                for c in 0..CENTRES as i32 {
                    let q = centres[c];
                    let dx = p.x - q.x;
                    let dy = p.y - q.y;
                    let dz = p.z - q.z;
                    let square = dx * dx + dy * dy + dz * dz;
                    if square < least {
                        least = square;
                        which = c as u32;
                    }
                }
                nearest[i] = which;
            })
        },
        output: |s| s.nearest.to_vec().map(PeerOutput::Words),
    }))
}
