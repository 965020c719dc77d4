//! Vector addition and saxpy.

use tilewise::prelude::*;
use tilewise_peers::plain::elementwise::{ALPHA, inputs};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

struct Add {
    a: ReadView<'static, f32>,
    b: ReadView<'static, f32>,
    c: ArrayView<'static, f32>,
}

pub(super) fn add(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let (a, b) = inputs(count);
    let views = Add {
        a: filled(count, a)?.as_read_only(),
        b: filled(count, b)?.as_read_only(),
        c: filled(count, vec![0.0; count])?,
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Add { a, b, c }| {
            parallel_for_each!((on, c.extent()), |i| {
                c[i] = a[i] + b[i];
            })
        },
        output: |s| s.c.to_vec().map(PeerOutput::Floats),
    }))
}

struct Saxpy {
    x: ReadView<'static, f32>,
    y: ArrayView<'static, f32>,
}

pub(super) fn saxpy(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let (x, y) = inputs(count);
    let views = Saxpy { x: filled(count, x)?.as_read_only(), y: filled(count, y)? };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: |s| {
            let (_, before) = inputs(s.y.extent()[0] as usize);
            s.y.host_mut()?.copy_from_slice(&before);
            Ok(())
        },
        run: |on, Saxpy { x, y }| {
            let alpha = ALPHA;
            parallel_for_each!((on, y.extent()), |i| {
                y[i] = alpha * x[i] + y[i];
            })
        },
        output: |s| s.y.to_vec().map(PeerOutput::Floats),
    }))
}
