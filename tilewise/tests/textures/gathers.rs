//! Samplers, SMP-1, and gathers against a model of plain Rust, SMP-3.

use tilewise::graphics::{AddressMode, Bits16, FilterMode, Sampler, Texture};
use tilewise::prelude::*;
use tilewise::vector::{Float2, Float4};

use super::on_all;
use super::sampling::{MODES, address, footprint};

#[test]
fn smp_1_samplers_are_linear_and_clamped_by_default() -> tilewise::Result<()> {
    let sampler = Sampler::default();
    assert_eq!(sampler, Sampler::LINEAR);
    assert_eq!((sampler.filter_mode(), sampler.address_mode()), (FilterMode::Linear, AddressMode::Clamp));
    assert_eq!(sampler.border_color(), Float4::ZERO);
    assert_eq!((FilterMode::default(), AddressMode::default()), (FilterMode::Linear, AddressMode::Clamp));
    let point = Sampler::new(FilterMode::Point, AddressMode::Mirror);
    assert_eq!(point, Sampler::POINT.address(AddressMode::Mirror));
    let border = point.with_border(Float4::splat(0.5));
    assert_eq!((border.filter_mode(), border.address_mode()), (FilterMode::Point, AddressMode::Border));
    assert_eq!(border.border_color(), Float4::splat(0.5));
    Ok(())
}

#[test]
fn smp_1_a_kernel_captures_samplers_and_chooses_between_them() -> tilewise::Result<()> {
    let (near, between) = (Sampler::POINT, Sampler::default());
    let all = on_all::<f32>(Extent([2, 4]), |launch, target, out| {
        let texture = Texture::<f32, 1>::builder(2).on(target).build_from(&[1.0f32, 2.0])?;
        parallel_for_each!(launch, |i| {
            let sampler = if i[0] == 0 { near } else { between };
            out[i] = texture.sample(&sampler, i[1] as f32 / 4.0 + 0.125);
        })
    });
    for (name, got) in all {
        assert_eq!(got, [1.0, 1.0, 2.0, 2.0, 1.0, 1.25, 1.75, 2.0], "{name}");
    }
    Ok(())
}

#[test]
fn smp_1_a_border_has_the_channels_of_the_texture() -> tilewise::Result<()> {
    let sampler = Sampler::POINT.with_border(Float4::new(0.25, -3.0, 7.0, 9.0));
    let all = on_all::<Float2>(Extent([1, 2]), |launch, target, out| {
        let texture = Texture::<Float2, 2, Bits16>::builder((1, 1)).on(target).build_from(&[Float2::splat(1.0)])?;
        parallel_for_each!(launch, |i| {
            out[i] = texture.sample(&sampler, Float2::new(i[1] as f32 + 0.5, 0.5));
        })
    });
    for (name, got) in all {
        assert_eq!(got, [Float2::splat(1.0), Float2::new(0.25, -3.0)], "{name}");
    }
    Ok(())
}

/// The four texels around a place, from the lower left counter-clockwise.
fn gathered(texels: &[Float4], (h, w): (usize, usize), sampler: Sampler, at: Float2) -> [Float4; 4] {
    let ((x, _), (y, _)) = (footprint(at.x, w), footprint(at.y, h));
    [(y + 1, x), (y + 1, x + 1), (y, x + 1), (y, x)].map(|(y, x)| {
        match (address(y, h as i64, sampler.address_mode()), address(x, w as i64, sampler.address_mode())) {
            (Some(y), Some(x)) => texels[y * w + x],
            _ => sampler.border_color(),
        }
    })
}

#[test]
fn smp_3_four_texels_of_each_channel_by_every_address_mode() -> tilewise::Result<()> {
    for (h, w) in [(1, 1), (1, 3), (2, 2), (3, 4)] {
        let texels: Vec<Float4> =
            (0..h * w).map(|k| Float4::new(k as f32, k as f32 + 0.25, -(k as f32), 100.0 - k as f32)).collect();
        let (rows, columns) = (h * 5 * 3, w * 5 * 3);
        for mode in MODES {
            for filter in [FilterMode::Point, FilterMode::Linear] {
                let border = Float4::new(-1.0, -2.0, -3.0, -4.0);
                let sampler = Sampler::new(filter, AddressMode::Border).with_border(border).address(mode);
                let all = on_all::<Float4>(Extent([rows as i32, columns as i32 * 4]), |launch, target, out| {
                    let texture = Texture::<Float4, 2, Bits16>::builder((h, w)).on(target).build_from(&texels)?;
                    let (width, height) = (w as f32, h as f32);
                    parallel_for_each!(launch, |i| {
                        let (column, channel) = (i[1] / 4, i[1] % 4);
                        let at = Float2::new(
                            (column as f32 + 0.5) / (3.0 * width) - 2.0,
                            (i[0] as f32 + 0.5) / (3.0 * height) - 2.0,
                        );
                        out[i] = match channel {
                            0 => texture.gather_red(&sampler, at),
                            1 => texture.gather_green(&sampler, at),
                            2 => texture.gather_blue(&sampler, at),
                            _ => texture.gather_alpha(&sampler, at),
                        };
                    })
                });
                for (name, got) in all {
                    for (k, got) in got.into_iter().enumerate() {
                        let (row, column, channel) = (k / (columns * 4), k / 4 % columns, k % 4);
                        let place = |k: usize, n: usize| (k as f32 + 0.5) / (3.0 * n as f32) - 2.0;
                        let at = Float2::new(place(column, w), place(row, h));
                        let [a, b, c, d] = gathered(&texels, (h, w), sampler, at).map(|texel| match channel {
                            0 => texel.x,
                            1 => texel.y,
                            2 => texel.z,
                            _ => texel.w,
                        });
                        assert_eq!(
                            got,
                            Float4::new(a, b, c, d),
                            "{name}: {mode:?}, {h}x{w}, channel {channel} at {at}"
                        );
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn smp_3_channels_that_are_not_there_are_zero() -> tilewise::Result<()> {
    let sampler = Sampler::LINEAR;
    let all = on_all::<Float4>(Extent([2, 4]), |launch, target, out| {
        let one = Texture::<f32, 2>::builder((2, 2)).mip_levels(2).on(target).build_from(&[1.0f32, 2.0, 3.0, 4.0])?;
        let two = Texture::<Float2, 2>::builder((1, 1)).on(target).build_from(&[Float2::new(5.0, 6.0)])?;
        parallel_for_each!(launch, |i| {
            let at = Float2::splat(0.5);
            out[i] = match i[0] * 4 + i[1] {
                0 => one.gather_red(&sampler, at),
                1 => one.gather_green(&sampler, at),
                2 => one.gather_blue(&sampler, at),
                3 => one.gather_alpha(&sampler, at),
                4 => two.gather_red(&sampler, at),
                5 => two.gather_green(&sampler, at),
                6 => two.gather_blue(&sampler, at),
                _ => two.gather_alpha(&sampler, at),
            };
        })
    });
    for (name, got) in all {
        let around = Float4::new(3.0, 4.0, 2.0, 1.0);
        let zero = Float4::ZERO;
        let want = [around, zero, zero, zero, Float4::splat(5.0), Float4::splat(6.0), zero, zero];
        assert_eq!(got, want, "{name}");
    }
    Ok(())
}
