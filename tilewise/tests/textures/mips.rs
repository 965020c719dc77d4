//! Generated levels against a model of plain Rust.

use tilewise::graphics::{Bits16, Sampler, Texture};
use tilewise::vector::{Float2, Float4};

use super::sampling::{blend, sampled};
use super::targets;

#[test]
fn tex10_1_generated_levels_are_linear_samples_of_the_level_before() -> tilewise::Result<()> {
    for (h, w) in [(8, 8), (5, 7), (1, 6), (9, 2), (3, 3)] {
        let texels: Vec<f32> = (0..h * w).map(|k| (k * k % 23) as f32 / 3.0).collect();
        for (name, target) in targets() {
            let texture = Texture::<f32, 2>::builder((h, w)).mip_levels(0).on(&target).build_from(&texels)?;
            texture.generate_mips()?;
            assert_eq!(texture.to_vec()?, texels, "{name}: the most detailed level stays");
            let (mut before, mut size) = (texels.clone(), (h, w));
            for level in 1..texture.mip_levels() {
                let next = ((size.0 / 2).max(1), (size.1 / 2).max(1));
                let place = |k: usize, n: usize| (k as f32 + 0.5) / n as f32;
                let samples = (0..next.0 * next.1).map(|k| {
                    let at = Float2::new(place(k % next.1, next.1), place(k / next.1, next.0));
                    sampled(&before, size, Sampler::LINEAR, at)
                });
                let want: Vec<f32> = samples.collect();
                let got = texture.to_vec_level(level)?;
                let bits = |texels: &[f32]| texels.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&got), bits(&want), "{name}: level {level} of {h}x{w}: {got:?}, not {want:?}");
                (before, size) = (want, next);
            }
        }
    }
    Ok(())
}

#[test]
fn tex10_1_generated_levels_of_one_and_three_dimensions() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let line = Texture::<Float2, 1, Bits16>::builder(6).mip_levels(0).on(&target);
        let line = line.build_from_iter((0..6).map(|k| Float2::new(k as f32, -(k as f32))))?;
        line.generate_mips()?;
        assert_eq!(line.to_vec_level(1)?, [0.5, 2.5, 4.5].map(|x| Float2::new(x, -x)), "{name}");
        // The middle of three texels.
        assert_eq!(line.to_vec_level(2)?, [Float2::new(2.5, -2.5)], "{name}");
        let texels: Vec<Float4> = (0..64).map(|k| Float4::splat((k * k % 19) as f32 / 3.0)).collect();
        let space = Texture::<Float4, 3>::builder((4, 4, 4)).mip_levels(0).on(&target).build_from(&texels)?;
        space.generate_mips()?;
        let at = |z: usize, y: usize, x: usize| texels[z * 16 + y * 4 + x].x;
        let row = |z, y, x| blend(at(z, y, x), at(z, y, x + 1), 0.5);
        let slice = |z, y, x| blend(row(z, y, x), row(z, y + 1, x), 0.5);
        let cube = |z: usize, y: usize, x: usize| blend(slice(z, y, x), slice(z + 1, y, x), 0.5);
        let want: Vec<Float4> = (0..8).map(|k| Float4::splat(cube(k / 4 * 2, k / 2 % 2 * 2, k % 2 * 2))).collect();
        assert_eq!(space.to_vec_level(1)?, want, "{name}");
        assert_eq!(space.mip_levels(), 3);
    }
    Ok(())
}
