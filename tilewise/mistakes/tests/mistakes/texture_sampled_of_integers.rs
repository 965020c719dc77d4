//! Integers are not blended, so a texture of them is not sampled.

use tilewise::graphics::{Bits8, Sampler, Texture};
use tilewise::prelude::*;
use tilewise::vector::{Float2, UInt4};

fn main() -> tilewise::Result<()> {
    let picture = Texture::<UInt4, 2, Bits8>::new((4, 4))?;
    let sampler = Sampler::LINEAR;
    let out = ArrayView::<UInt4>::without_source(4)?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = picture.sample(&sampler, Float2::ZERO);
    })
}
