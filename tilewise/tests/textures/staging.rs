//! Staging textures: texels of the host for copies to and from an accelerator.

use tilewise::graphics::{Bits8, Bits16, Texture, copy};
use tilewise::prelude::*;
use tilewise::vector::{UInt2, UInt4};
use tilewise::{Accelerator, AccessType};

use super::{targets, text};

#[test]
fn tex10_1_staging_textures_live_on_the_cpu_and_copy_both_ways() -> tilewise::Result<()> {
    let cpu = Accelerator::new(Accelerator::CPU)?.default_view();
    for (name, target) in targets() {
        let staging = Texture::<UInt4, 2, Bits8>::builder((2, 3)).mip_levels(2).staging_for(&target).build()?;
        assert!(staging.is_staging());
        assert_eq!((staging.accelerator_view(), staging.associated_accelerator_view()), (&cpu, &target), "{name}");
        assert_eq!(staging.cpu_access_type(), AccessType::ReadWrite);
        for (k, place) in staging.host_mut()?.iter_mut().enumerate() {
            *place = 0x0403_0201 * k as u32;
        }
        staging.host_level_mut(1)?[(0, 0)] = 77;
        let texture = Texture::<UInt4, 2, Bits8>::builder((2, 3)).on(&target).build_from(&staging)?;
        assert_eq!(texture.get((1, 0))?, UInt4::new(3, 6, 9, 12), "{name}");
        parallel_for_each!(texture.extent(), |i| {
            let texel = texture.get(i);
            texture.set(i, texel + UInt4::splat(1));
        })?;
        texture.copy_to(&staging)?;
        let host = staging.host()?;
        assert_eq!((host[(0, 0)], host[(1, 2)]), (0x0101_0101, 0x1510_0B06), "{name}");
        assert_eq!(staging.host_level(1)?[(0, 0)], 77, "{name}");
    }
    Ok(())
}

#[test]
fn tex10_3_pitches_are_those_of_staging_textures() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let table = Texture::<UInt2, 2, Bits16>::builder((3, 5)).staging_for(&target).build()?;
        assert_eq!(table.row_pitch()?, 20, "{name}");
        let space = Texture::<UInt4, 3>::builder((2, 3, 5)).staging_for(&target).build()?;
        assert_eq!((space.row_pitch()?, space.depth_pitch()?), (80, 240), "{name}");
        // They are the distances in the memory of the host.
        space.set((1, 2, 3), UInt4::splat(5))?;
        let guard = space.host()?;
        let words: &[u8] = bytemuck::cast_slice(guard.as_slice().expect("it is contiguous"));
        assert_eq!(words[240 + 2 * 80 + 3 * 16], 5, "{name}");
        drop(guard);
        let there = Texture::<UInt2, 2, Bits16>::builder((3, 5)).on(&target).build()?;
        let wrong = text(there.row_pitch());
        assert!(wrong.contains("only a staging texture has a pitch") && wrong.contains("staging_for"), "{wrong}");
        let there = Texture::<UInt2, 3, Bits16>::builder((3, 5, 1)).on(&target).build()?;
        assert_eq!(text(there.depth_pitch()), text(there.row_pitch()));
    }
    Ok(())
}

#[test]
fn tex10_3_only_staging_textures_have_memory_of_the_host() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let there = Texture::<f32, 1>::builder(4).on(&target).build()?;
        for wrong in [text(there.host()), text(there.host_mut())] {
            assert!(wrong.contains("only a staging texture has memory of the host"), "{name}: {wrong}");
            assert!(wrong.contains("staging_for") && wrong.contains("to_vec"), "{wrong}");
        }
        let of = |access| Texture::<f32, 1>::builder(4).staging_for(&target).cpu_access(access).build();
        let (read, write) = (of(AccessType::Read)?, of(AccessType::Write)?);
        assert_eq!(read.host()?.iter().sum::<f32>(), 0.0);
        assert!(text(read.host_mut()).contains("`AccessType::Read` and cannot be written"), "{name}");
        write.host_mut()?[1] = 2.0;
        assert!(text(write.host()).contains("`AccessType::Write` and cannot be read"), "{name}");
        copy(&write, &read)?;
        assert_eq!(read.host()?[1], 2.0);
        assert!(text(read.host_level(1)).contains("level 1 of a texture of 1 level"), "{name}");
    }
    Ok(())
}

#[test]
fn tex10_1_staging_textures_are_not_used_by_kernels() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let staging = Texture::<f32, 1>::builder(4).mip_levels(0).staging_for(&target).build()?;
        let used = parallel_for_each!(staging.extent(), |i| staging.set(i, 1.0));
        assert!(text(used).contains("not supported on the selected accelerator \"CPU"), "{name}");
        assert!(text(staging.generate_mips()).contains("a staging texture has no kernels"), "{name}");
    }
    Ok(())
}
