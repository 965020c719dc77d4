//! Sampling against a model of plain Rust on a `Vec`: every filter, address mode, level and rank.

use tilewise::graphics::{AddressMode, Bits8, Bits16, FilterMode, Sampler, Texture};
use tilewise::prelude::*;
use tilewise::vector::{Float2, Float4, UInt4};
use tilewise::{Checks, Launch};

use super::on_all;

pub(super) const MODES: [AddressMode; 4] =
    [AddressMode::Wrap, AddressMode::Mirror, AddressMode::Clamp, AddressMode::Border];

/// The texel that a number stands for; `None` for the border.
pub(super) fn address(texel: i64, size: i64, mode: AddressMode) -> Option<usize> {
    let at = match mode {
        AddressMode::Clamp => texel.clamp(0, size - 1),
        AddressMode::Wrap => texel.rem_euclid(size),
        AddressMode::Mirror => {
            let along = texel.rem_euclid(2 * size);
            along.min(2 * size - 1 - along)
        }
        AddressMode::Border => texel,
    };
    (0..size).contains(&at).then_some(at as usize)
}

/// A texel and the weight of the next.
pub(super) fn footprint(coordinate: f32, size: usize) -> (i64, f32) {
    let coordinate = if coordinate.is_nan() { 0.0 } else { coordinate };
    let fixed = ((coordinate * size as f32 - 0.5) * 256.0 + 0.5).floor() as i32;
    (i64::from(fixed.div_euclid(256)), fixed.rem_euclid(256) as f32 / 256.0)
}

pub(super) fn blend(a: f32, b: f32, weight: f32) -> f32 {
    let (a, b) = (a * (1.0 - weight), b * weight);
    a + b
}

/// A sample of a level of rank 2.
pub(super) fn sampled(texels: &[f32], (h, w): (usize, usize), sampler: Sampler, at: Float2) -> f32 {
    let fetch = |y: i64, x: i64| {
        let place = (address(y, h as i64, sampler.address_mode()), address(x, w as i64, sampler.address_mode()));
        match place {
            (Some(y), Some(x)) => texels[y * w + x],
            _ => sampler.border_color().x,
        }
    };
    match sampler.filter_mode() {
        FilterMode::Point => {
            let near = |c: f32, n: usize| i64::from(((if c.is_nan() { 0.0 } else { c }) * n as f32).floor() as i32);
            fetch(near(at.y, h), near(at.x, w))
        }
        FilterMode::Linear => {
            let ((x, across), (y, down)) = (footprint(at.x, w), footprint(at.y, h));
            let row = |y| blend(fetch(y, x), fetch(y, x + 1), across);
            blend(row(y), row(y + 1), down)
        }
    }
}

#[test]
fn smp_2_every_address_mode_at_all_texels_of_small_sizes() -> tilewise::Result<()> {
    for (h, w) in [(1, 1), (1, 3), (2, 2), (3, 5), (4, 4)] {
        let texels: Vec<f32> = (0..h * w).map(|k| (k * k % 17) as f32 + 0.25).collect();
        // Two textures to each side, four places a texel.
        let (rows, columns) = (h * 5 * 4, w * 5 * 4);
        let place = |k: usize, n: usize| (k as f32 + 0.5) / (4 * n) as f32 - 2.0;
        for filter in [FilterMode::Point, FilterMode::Linear] {
            for mode in MODES {
                let sampler = Sampler::new(filter, mode).with_border(Float4::splat(0.5)).address(mode);
                let extent = Extent([rows as i32, columns as i32]);
                let all = on_all::<f32>(extent, |launch, target, out| {
                    let texture = Texture::<f32, 2>::builder((h as i32, w as i32)).on(target);
                    let texture = texture.build_from_iter(texels.iter().copied())?;
                    let (width, height) = (w as f32, h as f32);
                    parallel_for_each!(launch, |i| {
                        let at = Float2::new(
                            (i[1] as f32 + 0.5) / (4.0 * width) - 2.0,
                            (i[0] as f32 + 0.5) / (4.0 * height) - 2.0,
                        );
                        out[i] = texture.sample(&sampler, at);
                    })
                });
                for (name, got) in all {
                    for (k, got) in got.into_iter().enumerate() {
                        let at = Float2::new(place(k % columns, w), place(k / columns, h));
                        let want = sampled(&texels, (h, w), sampler, at);
                        assert_eq!(got.to_bits(), want.to_bits(), "{name}: {filter:?}, {mode:?}, {h}x{w} at {at}");
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn smp_2_strange_coordinates() -> tilewise::Result<()> {
    let texels: Vec<f32> = (0..12).map(|k| k as f32).collect();
    let strange = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, -0.0, 1e-40, 0.999_999_94, 3e4, -3e4];
    let view = ArrayView::read_only(strange.len(), &strange)?;
    for filter in [FilterMode::Point, FilterMode::Linear] {
        for mode in MODES {
            let sampler = Sampler::new(filter, mode);
            let n = strange.len() as i32;
            let all = on_all::<f32>(Extent([n, n]), |launch, target, out| {
                let texture = Texture::<f32, 2>::builder((3, 4)).on(target);
                let texture = texture.build_from_iter(texels.iter().copied())?;
                let view = view.clone();
                parallel_for_each!(launch, |i| {
                    out[i] = texture.sample(&sampler, Float2::new(view[i[1]], view[i[0]]));
                })
            });
            for (name, got) in all {
                for (k, got) in got.into_iter().enumerate() {
                    let at = Float2::new(strange[k % strange.len()], strange[k / strange.len()]);
                    let want = sampled(&texels, (3, 4), sampler, at);
                    assert_eq!(got.to_bits(), want.to_bits(), "{name}: {filter:?}, {mode:?} at {at}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn tex10_4_sets_convert_and_gets_widen() -> tilewise::Result<()> {
    for (name, target) in super::targets() {
        let texture = Texture::<UInt4, 2, Bits8>::builder((3, 5)).on(&target).build()?;
        parallel_for_each!(texture.extent(), |i| {
            texture.set(i, UInt4::new(i[0] as u32, i[1] as u32, 255, 256 + i[1] as u32));
        })?;
        let expected: Vec<UInt4> = (0..15).map(|k| UInt4::new(k / 5, k % 5, 255, 255)).collect();
        assert_eq!(texture.to_vec()?, expected, "{name}");
        let half = Texture::<Float2, 1, Bits16>::builder(4).on(&target).build()?;
        parallel_for_each!(half.extent(), |i| {
            half.set(i, Float2::new(2048.5 + i[0] as f32, 0.1));
        })?;
        let tenth = half::f16::from_f32(0.1).to_f32();
        let wide = |k: i32| half::f16::from_f32(2048.5 + k as f32).to_f32();
        let expected: Vec<Float2> = (0..4).map(|k| Float2::new(wide(k), tenth)).collect();
        assert_eq!(half.to_vec()?, expected, "{name}");
    }
    Ok(())
}

#[test]
fn tex10_4_brackets_read_a_texel_and_zeros_out_of_range() -> tilewise::Result<()> {
    for (name, target) in super::targets() {
        let texture = Texture::<i32, 3>::builder((2, 3, 4)).on(&target).build_from_iter(1..=24)?;
        let out = ArrayView::<i32, 3>::without_source((4, 5, 6))?;
        let unchecked = target.accelerator().view_builder().checks(Checks::NONE).create()?;
        parallel_for_each!(Launch::new(out.extent()).on(&unchecked), |i| {
            let (z, y, x) = (i[0] - 1, i[1] - 1, i[2] - 1);
            out[i] = texture[(z, y, x)] + texture[Index::new((z, y, x))] + texture.get([z, y, x]);
        })?;
        let out = out.to_vec()?;
        for z in -1..3 {
            for y in -1..4 {
                for x in -1..5 {
                    let inside = (0..2).contains(&z) && (0..3).contains(&y) && (0..4).contains(&x);
                    let want = if inside { 3 * (z * 12 + y * 4 + x + 1) } else { 0 };
                    assert_eq!(out[((z + 1) * 30 + (y + 1) * 6 + x + 1) as usize], want, "{name}: {z} {y} {x}");
                }
            }
        }
    }
    Ok(())
}
