//! Checks of textures: texels at their places and levels, samples, and the newest contents in each launch.

use tilewise::graphics::{AddressMode, Bits16, FilterMode, Sampler, Texture, Unorm4};
use tilewise::vector::{Float2, Float4};
use tilewise::{Accelerator, AcceleratorView, ArrayView, Checks, FloatMode, parallel_for_each};

use super::CheckFinding;
use super::checks::same;

/// A view of the accelerator on which texture units may do what they can, and reads may be out of range.
fn relaxed(on: &Accelerator) -> tilewise::Result<AcceleratorView> {
    on.view_builder().float_mode(FloatMode::Relaxed).checks(Checks::NONE).create()
}

pub(super) fn texels_are_read_at_their_row_column_and_level(on: &Accelerator) -> Result<(), CheckFinding> {
    let texels: Vec<f32> = (0..12).map(|n| n as f32).collect();
    // Of 16 bits, as channels of 32 bits are read from memory.
    let picture =
        Texture::<f32, 2, Bits16>::builder((2, 6)).mip_levels(2).on(&on.default_view()).build_from_iter(texels)?;
    picture.generate_mips()?;
    let texture = picture.read_view();
    let out = ArrayView::from_vec((4, 8), vec![-1.0; 32])?;
    // Reads in a loop, as texture units are for kernels that read often; some are out of range.
    parallel_for_each!(&relaxed(on)?, out.extent(), |i| {
        let mut sum = texture.get_level((i[0], 2), 1);
        for level in 0..2 {
            for step in 0..2 {
                sum += texture.get_level((i[0], i[1] + step), level);
            }
        }
        out[i] = sum;
    })?;
    let at = |row: i32, column: i32, level: i32| match level {
        0 if row < 2 && column < 6 => (row * 6 + column) as f32,
        // The mean of four.
        1 if row < 1 && column < 3 => 2.0 * column as f32 + 3.5,
        _ => 0.0,
    };
    let sum = |n: i32| {
        let (row, column) = (n / 8, n % 8);
        at(row, 2, 1) + at(row, column, 0) + at(row, column + 1, 0) + at(row, column, 1) + at(row, column + 1, 1)
    };
    same("the sums", out.to_vec()?, (0..32).map(sum).collect::<Vec<_>>())?;
    same("the second level", picture.to_vec_level(1)?, [3.5, 5.5, 7.5])
}

pub(super) fn samples_are_of_the_place_and_the_sampler(on: &Accelerator) -> Result<(), CheckFinding> {
    let color = |n: i32| Float4::new((n % 4) as f32 / 3.0, (n / 4) as f32 / 3.0, 0.0, 1.0).as_unorm();
    let picture = Texture::<Unorm4, 2>::builder((4, 4)).on(&on.default_view()).build_from_iter((0..16).map(color))?;
    let texture = picture.read_view();
    let nearest = Sampler::new(FilterMode::Point, AddressMode::Clamp);
    let smooth = Sampler::new(FilterMode::Linear, AddressMode::Wrap);
    let out = ArrayView::from_vec((2, 8, 8), vec![Float4::default(); 128])?;
    parallel_for_each!(&relaxed(on)?, out.extent(), |i| {
        // The middles of texels, from half a picture before it on.
        let at = Float2::new((i[2] as f32 - 1.5) * 0.25, (i[1] as f32 - 1.5) * 0.25);
        out[i] =
            if i[0] == 0 { texture.sample(&nearest, at).as_float() } else { texture.sample(&smooth, at).as_float() };
    })?;
    for (at, found) in (0..).zip(out.to_vec()?) {
        let (mode, row, column) = (at / 64, at / 8 % 8 - 2, at % 8 - 2);
        let held = |n: i32| if mode == 0 { n.clamp(0, 3) } else { n.rem_euclid(4) };
        let expected = color(held(row) * 4 + held(column)).as_float();
        let difference = (found - expected).abs();
        // Devices blend with weights of 8 bits.
        let (sum, most) = (difference.x + difference.y + difference.z + difference.w, 0.008);
        if sum.is_nan() || sum > 4.0 * most {
            return Err(CheckFinding(format!("sample {at}: {found:?} in place of {expected:?}")));
        }
    }
    Ok(())
}

pub(super) fn a_texture_has_its_newest_texels_in_each_launch(on: &Accelerator) -> Result<(), CheckFinding> {
    let av = relaxed(on)?;
    let picture = Texture::<f32, 2>::builder((4, 8)).on(&av).build_from_iter((0..32).map(|n| n as f32))?;
    let out = ArrayView::from_vec((4, 8), vec![0.0f32; 32])?;
    let sampler = Sampler::new(FilterMode::Point, AddressMode::Clamp);
    for round in 0..3 {
        let texture = picture.read_view();
        parallel_for_each!(&av, out.extent(), |i| {
            let at = Float2::new((i[1] as f32 + 0.5) / 8.0, (i[0] as f32 + 0.5) / 4.0);
            out[i] += texture.sample(&sampler, at);
        })?;
        let target = picture.view()?;
        // A launch that reads and writes one texture: each thread its own texel, before and after.
        parallel_for_each!(&av, out.extent(), |i| {
            let at = Float2::new((i[1] as f32 + 0.5) / 8.0, (i[0] as f32 + 0.5) / 4.0);
            target.set(i, target.sample(&sampler, at) * 2.0 + 1.0);
            out[i] += target.sample(&sampler, at);
        })?;
        let texel = |n: i32| ((n + 1) << (round + 1)) as f32 - 1.0;
        same("the texels", picture.to_vec()?, (0..32).map(texel).collect::<Vec<_>>())?;
    }
    // n, twice 2n + 1 and 4n + 3, and 8n + 7.
    same("the sums", out.to_vec()?, (0..32).map(|n| (21 * n + 15) as f32).collect::<Vec<_>>())
}
