//! A variant that the enum does not have.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
#[repr(u32)]
enum Kind {
    Near,
    Far,
}

fn main() -> tilewise::Result<()> {
    let kind = Kind::Far;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = match kind {
            Kind::Near => 1.0,
            Kind::Distant => 2.0,
        };
    })
}
