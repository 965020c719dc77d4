//! Coherence by level and rows: the bytes that are moved between host and devices.

use tilewise::graphics::{Bits8, Texture, copy};
use tilewise::prelude::*;
use tilewise::vector::UInt4;
use tilewise::{AcceleratorView, Traffic};

use super::targets;

/// Levels of 64 x 64, 32 x 32, 16 x 16 texels of 4 bytes.
fn texture(target: &AcceleratorView) -> tilewise::Result<Texture<UInt4, 2, Bits8>> {
    Texture::builder((64, 64)).mip_levels(3).on(target).build_from(&vec![UInt4::splat(3); 64 * 64])
}

/// The bytes that a call moves.
fn moved(
    texture: &Texture<UInt4, 2, Bits8>,
    call: impl FnOnce() -> tilewise::Result<()>,
) -> tilewise::Result<(u64, u64)> {
    let before = texture.traffic();
    call()?;
    let after = texture.traffic();
    Ok((after.uploaded - before.uploaded, after.downloaded - before.downloaded))
}

#[test]
fn tcp_1_on_a_gpu_only_the_levels_and_rows_that_are_used_are_moved() -> tilewise::Result<()> {
    for (name, gpu) in targets().into_iter().filter(|(name, _)| name.starts_with("gpu/")) {
        levels_and_rows_of(&gpu).unwrap_or_else(|error| panic!("on {name}: {error}"));
    }
    Ok(())
}

fn levels_and_rows_of(gpu: &AcceleratorView) -> tilewise::Result<()> {
    let picture = texture(gpu)?;
    assert_eq!(picture.traffic(), Traffic { uploaded: 64 * 64 * 4, downloaded: 0 });
    let section = moved(&picture, || copy(&[UInt4::splat(9); 6], &picture.section_of(1, (3, 4), (2, 3))?))?;
    assert_eq!(section, (2 * 3 * 4, 0), "the texels of a section");
    let kernel = moved(&picture, || {
        parallel_for_each!(picture.extent(), |i| picture.set(i, UInt4::splat(i[0] as u32)))?;
        picture.accelerator_view().wait()
    })?;
    assert_eq!(kernel, (0, 0), "a kernel on the texture's accelerator");
    let level = moved(&picture, || picture.to_vec_level(1).map(drop))?;
    assert_eq!(level, (0, 32 * 32 * 4), "one level");
    let again = moved(&picture, || picture.to_vec_level(1).map(drop))?;
    assert_eq!(again, (0, 0), "it is there already");
    let rows = moved(&picture, || picture.section_of(0, (8, 0), (4, 64))?.to_vec().map(drop))?;
    assert_eq!(rows, (0, 4 * 64 * 4), "four rows");
    let texel = moved(&picture, || picture.get((60, 60)).map(drop))?;
    assert_eq!(texel, (0, 4), "one texel");
    let other = texture(gpu)?;
    let among = moved(&picture, || copy(&other, &picture))?;
    assert_eq!((among, other.traffic().downloaded), ((0, 0), 0), "between textures of one accelerator");
    let mips = Texture::<f32, 2>::builder((64, 64)).mip_levels(0).on(gpu).build_from(&vec![1.0f32; 64 * 64])?;
    mips.generate_mips()?;
    assert_eq!(mips.to_vec_level(6)?, [1.0]);
    assert_eq!(mips.traffic(), Traffic { uploaded: 64 * 64 * 4, downloaded: 4 }, "levels are generated there");
    Ok(())
}

#[test]
fn tcp_1_accelerators_that_work_in_memory_of_the_host_move_nothing() -> tilewise::Result<()> {
    for (name, target) in targets().into_iter().filter(|(name, _)| !name.starts_with("gpu/")) {
        let picture = texture(&target)?;
        parallel_for_each!(picture.extent(), |i| picture.set(i, UInt4::splat(i[1] as u32)))?;
        copy(&[UInt4::splat(9); 6], &picture.section_of(1, (3, 4), (2, 3))?)?;
        let staging = Texture::<UInt4, 2, Bits8>::builder((64, 64)).staging_for(&target).build_from(&picture)?;
        assert_eq!(staging.get((5, 6))?, UInt4::splat(6), "{name}");
        assert_eq!(staging.get_level((4, 6), 1)?, UInt4::splat(9), "{name}");
        assert_eq!((picture.traffic(), staging.traffic()), (Traffic::default(), Traffic::default()), "{name}");
    }
    Ok(())
}
