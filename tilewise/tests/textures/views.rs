//! Views of textures: WTV-1, TVW-1, TVC-1.

use std::panic::{RefUnwindSafe, UnwindSafe};

use tilewise::graphics::{Bits8, Bits16, Texture, TextureView, WriteonlyTextureView};
use tilewise::prelude::*;
use tilewise::vector::{Float2, Int4, UInt4};
use tilewise::{Accelerator, AcceleratorView};

use super::{targets, text, unchecked_targets};

/// A texture of the given levels, whose texels are 100 times the level and their place in it.
fn numbered(target: &AcceleratorView, extent: (i32, i32), levels: i32) -> tilewise::Result<Texture<u32, 2, Bits16>> {
    let texture = Texture::<u32, 2, Bits16>::builder(extent).mip_levels(levels).on(target).build()?;
    for level in 0..texture.mip_levels() {
        for (k, index) in texture.mip_extent(level)?.indices().enumerate() {
            texture.set_level(index, level, 100 * level as u32 + k as u32)?;
        }
    }
    Ok(texture)
}

#[test]
fn wtv_1_kernels_set_texels_of_every_kind() -> tilewise::Result<()> {
    for (name, target) in unchecked_targets()? {
        let one = Texture::<f32, 1, Bits16>::builder(4).on(&target).build()?;
        let two = Texture::<Int4, 2, Bits8>::builder((2, 3)).on(&target).mip_levels(2).build()?;
        let three = Texture::<Float2, 3>::builder((2, 2, 2)).on(&target).build()?;
        let (out1, out2, out3) = (one.writeonly_view()?, two.writeonly_view()?, three.writeonly_view()?);
        assert_eq!((out1.extent(), out2.extent()), (Extent([4]), Extent([2, 3])));
        parallel_for_each!(&target, out1.extent() + 3, |i| out1.set(i - 1, i[0] as f32 * 0.1))?;
        parallel_for_each!(&target, out2.extent(), |i| {
            let size = out2.extent();
            out2.set(i, Int4::new(i[0] - 1, i[1], size[0] * 100, -size[1] * 100));
        })?;
        parallel_for_each!(&target, out3.extent(), |i| out3.set((i[0], i[1], i[2]), Float2::new(i[2] as f32, 0.5)))?;
        let tenths = [0.1f32, 0.2, 3.0 * 0.1, 0.4].map(|x| half::f16::from_f32(x).to_f32());
        assert_eq!(one.to_vec()?, tenths, "{name}");
        assert_eq!(two.to_vec()?[4], Int4::new(0, 1, 127, -128), "{name}");
        assert_eq!(two.to_vec_level(1)?, [Int4::ZERO], "{name}: the other level is untouched");
        assert_eq!(three.to_vec()?[5], Float2::new(1.0, 0.5), "{name}");
    }
    Ok(())
}

#[test]
fn wtv_1_of_a_level_and_of_a_view_but_not_of_a_staging_texture() -> tilewise::Result<()> {
    fn crosses<T: Send + Sync + UnwindSafe + RefUnwindSafe>(_: &T) {}
    for (name, target) in targets() {
        let texture = numbered(&target, (4, 4), 3)?;
        let level: WriteonlyTextureView<'_, u32, 2, Bits16> = texture.level(1)?.writeonly_view()?;
        crosses(&level);
        let again = level.clone();
        parallel_for_each!(&target, level.extent(), |i| again.set(i, 70_000))?;
        assert_eq!(texture.to_vec_level(1)?, [65_535; 4], "{name}");
        assert_eq!(texture.to_vec()?, (0..16).collect::<Vec<u32>>(), "{name}");
        assert_eq!(format!("{level:?}").split(' ').next(), Some("WriteonlyTextureView"));
        let staging = Texture::<u32, 2, Bits16>::builder((4, 4)).staging_for(&target).build()?;
        let wrong = text(staging.writeonly_view());
        assert!(wrong.contains("a staging texture has no writable views"), "{wrong}");
    }
    Ok(())
}

#[test]
fn tvw_1_a_view_of_one_level_reads_and_writes_it() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let texture = numbered(&target, (4, 6), 3)?;
        let level = texture.level(1)?;
        assert_eq!((level.extent(), level.mip_levels()), (Extent([2, 3]), 1), "{name}");
        parallel_for_each!(&target, level.extent(), |i| level.set(i, level.get(i) * 2))?;
        assert_eq!(texture.to_vec_level(1)?, [200, 202, 204, 206, 208, 210], "{name}");
        assert_eq!(texture.to_vec()?, (0..24).collect::<Vec<u32>>(), "{name}");
        assert_eq!(texture.to_vec_level(2)?, [200], "{name}");
        // A level of the view of all levels is the same texels.
        let all = texture.view()?;
        let last = all.level(2)?;
        parallel_for_each!(&target, last.extent(), |i| last.set(i, 7))?;
        assert_eq!(all.to_vec_level(2)?, [7], "{name}");
        // The host reads and writes by the functions of kernels.
        last.set((0, 0), 8);
        assert_eq!((last.get((0, 0)), texture.get_level((0, 0), 2)?), (8, 8), "{name}");
    }
    Ok(())
}

#[test]
fn tvw_1_two_levels_in_one_kernel() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let texture = numbered(&target, (4, 4), 2)?;
        let (from, to) = (texture.mips(0, 1)?, texture.level(1)?);
        parallel_for_each!(&target, to.extent(), |i| to.set(i, from.get((i[0] * 2, i[1] * 2)) + 1000))?;
        assert_eq!(texture.to_vec_level(1)?, [1000, 1002, 1008, 1010], "{name}");
    }
    Ok(())
}

#[test]
fn tvw_1_no_writable_view_of_a_staging_texture_and_of_a_level_that_is_not_there() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let staging = Texture::<UInt4, 1, Bits8>::builder(8).mip_levels(0).staging_for(&target).build()?;
        for wrong in [text(staging.view()), text(staging.level(0)), text(staging.level(9))] {
            assert!(wrong.contains("a staging texture has no writable views"), "{name}: {wrong}");
            assert!(wrong.contains("copy it to a texture on"), "{wrong}");
        }
        let texture = Texture::<UInt4, 1, Bits8>::builder(8).mip_levels(2).on(&target).build()?;
        for level in [-1, 2, i32::MAX] {
            let wrong = text(texture.level(level));
            assert_eq!(wrong, format!("level {level} of a texture of 2 levels: it has 0 to 1"), "{name}");
        }
    }
    Ok(())
}

#[test]
fn tvc_1_levels_are_relative_to_the_view() -> tilewise::Result<()> {
    for (name, target) in unchecked_targets()? {
        let texture = numbered(&target, (8, 8), 0)?;
        let lower = texture.mips(1, 3)?;
        assert_eq!((lower.extent(), lower.mip_levels(), lower.mip_extent(2)), (Extent([4, 4]), 3, Extent([1, 1])));
        let lowest: TextureView<'_, u32, 2, Bits16> = lower.mips(1, 2)?;
        assert_eq!((lowest.extent(), lowest.mip_levels()), (Extent([2, 2]), 2), "{name}");
        assert_eq!((lowest.to_vec()?, lowest.to_vec_level(1)?), (vec![200, 201, 202, 203], vec![300]), "{name}");
        let one = lowest.level(1)?;
        let out = ArrayView::<u32, 2>::without_source((4, 4))?;
        let all = texture.read_view();
        parallel_for_each!(&target, out.extent(), |i| {
            out[i] = match i[0] {
                0 => all.get_level((0, 1), i[1]),
                1 => lower.get_level((0, 1), i[1]),
                2 => lowest.get_level((0, 1), i[1]),
                _ => one.get_level((0, 0), i[1]) + one.mip_levels() as u32,
            };
        })?;
        // Out of range are (0, 1) of a level of one texel, and levels behind the last.
        let want = [1, 101, 201, 0, 101, 201, 0, 0, 201, 0, 0, 0, 301, 1, 1, 1];
        assert_eq!(out.to_vec()?, want, "{name}");
        let read: TextureView<'_, u32, 2, Bits16> = texture.view()?.into();
        assert_eq!(read.to_vec()?, texture.to_vec()?, "{name}");
    }
    Ok(())
}

#[test]
fn tvc_1_levels_that_are_not_there() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let texture = numbered(&target, (8, 8), 0)?;
        let view = texture.mips(1, 3)?;
        for (first, levels) in [(-1, 1), (0, 0), (0, 5), (3, 2), (4, 1), (i32::MAX, i32::MAX), (1, -1)] {
            let wrong = text(texture.mips(first, levels));
            assert!(wrong.ends_with("of a texture of 4 levels: it has 0 to 3"), "{name}: {wrong}");
            let asked =
                if levels == 1 { format!("level {first} ") } else { format!("{levels} levels from level {first} ") };
            assert!(wrong.starts_with(&asked), "{wrong}");
        }
        assert_eq!(text(view.mips(2, 2)), "2 levels from level 2 on of a texture of 3 levels: it has 0 to 2");
        assert!(text(view.level(3)).contains("0 to 2"), "{name}");
        assert!(text(view.to_vec_level(-1)).contains("level -1"), "{name}");
    }
    Ok(())
}

#[test]
fn wtv_1_a_view_to_write_of_another_accelerator_is_a_texture_s_and_is_made_there() -> tilewise::Result<()> {
    let [home, away] = [Accelerator::new("reference")?.default_view(), Accelerator::new("jit")?.default_view()];
    let texture = Texture::<u32, 1>::builder(4).on(&home).build()?;
    let out = texture.writeonly_view()?;
    let refused = text(parallel_for_each!(&away, out.extent(), |i| out.set(i, 7)));
    let expected = "`out`, a texture of the accelerator `reference`, cannot be used by a launch on `jit`: launch there with a texture that is made there, `Texture::builder(out.extent()).on(&view).build()?`";
    assert!(refused.contains(expected), "{refused}");
    // What is said helps.
    let other = Texture::<u32, 1>::builder(out.extent()).on(&away).build()?;
    let out = other.writeonly_view()?;
    parallel_for_each!(&away, out.extent(), |i| out.set(i, 7))?;
    assert_eq!(other.to_vec()?, [7; 4]);
    Ok(())
}

#[test]
fn tvc_1_the_host_reads_a_staging_texture_through_a_view_and_kernels_do_not() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let staging = Texture::<u32, 1, Bits8>::builder(4).staging_for(&target).build_from(&[1u32, 2, 3, 400])?;
        let (read, out) = (staging.read_view(), ArrayView::<u32>::without_source(4)?);
        assert_eq!((read.to_vec()?, read.get(1)), (vec![1, 2, 3, 255], 2), "{name}");
        let used = parallel_for_each!(&target, out.extent(), |i| out[i] = read.get(i) + 1);
        let used = text(used);
        assert!(used.contains("a texture of the accelerator `cpu`, cannot be used by a launch on"), "{name}: {used}");
    }
    Ok(())
}
