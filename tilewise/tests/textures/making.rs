//! How textures are made, and what they say of themselves: TEX10-1 to TEX10-3.

use std::panic::{RefUnwindSafe, UnwindSafe};

use tilewise::graphics::{Bits8, Bits16, Texture, TextureView};
use tilewise::prelude::*;
use tilewise::vector::{Double2, Float3, Float4, Int2, UInt2, UInt4};
use tilewise::{Accelerator, Error};

use super::{targets, text};

#[test]
fn tex10_1_made_of_an_extent_is_zero_in_each_rank() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let line = Texture::<f32, 1>::builder(5).on(&target).build()?;
        assert_eq!(line.to_vec()?, [0.0; 5], "{name}");
        let table = Texture::<UInt4, 2, Bits8>::builder((2, 3)).on(&target).build()?;
        assert_eq!(table.to_vec()?, [UInt4::ZERO; 6], "{name}");
        let space = Texture::<Double2, 3>::builder((2, 3, 4)).on(&target).mip_levels(0).build()?;
        assert_eq!((space.to_vec()?.len(), space.to_vec_level(1)?.len(), space.to_vec_level(2)?.len()), (24, 2, 1));
        assert_eq!(space.to_vec_level(2)?, [Double2::ZERO], "{name}");
    }
    Ok(())
}

#[test]
fn tex10_1_made_of_texels_in_slices_and_iterators() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let texels: Vec<Float3> = (0..6).map(|k| Float3::splat(k as f32 / 3.0)).collect();
        let of = || Texture::<Float3, 2>::builder((2, 3)).on(&target);
        assert_eq!(of().build_from(&texels)?.to_vec()?, texels, "{name}");
        assert_eq!(of().build_from(&texels[..])?.to_vec()?, texels, "{name}");
        assert_eq!(of().build_from_iter(texels.iter().copied())?.to_vec()?, texels, "{name}");
        let few = text(of().build_from_iter(texels.iter().copied().take(5)));
        assert!(few.contains("5 elements") && few.contains('6'), "{few}");
        let many = text(of().build_from_iter(std::iter::repeat(texels[1])));
        assert!(many.contains("more than the 6"), "{many}");
        let few = text(of().build_from(&texels[1..]));
        assert!(few.contains("6 texels") && few.contains("has 5"), "{few}");
    }
    Ok(())
}

#[test]
fn tex10_1_made_of_bytes_exactly_as_many() -> tilewise::Result<()> {
    for (name, target) in targets() {
        // The example of the specification: 100 times 200 texels of two bytes.
        let bytes: Vec<u8> = (0..40_000u32).map(|k| (k % 251) as u8).collect();
        let of = || Texture::<UInt2, 2, Bits8>::builder((100, 200)).on(&target);
        let texture = of().build_from_bytes(&bytes)?;
        assert_eq!(texture.data_length(), 40_000);
        assert_eq!(texture.get((99, 199))?, UInt2::new(u32::from(bytes[39_998]), u32::from(bytes[39_999])), "{name}");
        assert_eq!(texture.to_bytes()?, bytes, "{name}");
        // An address that is no multiple of two.
        assert_eq!(of().build_from_bytes(&[&[9], &bytes[..]].concat()[1..])?.to_bytes()?, bytes, "{name}");
        for have in [0, 39_999, 40_001] {
            let wrong = text(of().build_from_bytes(&vec![1; have]));
            assert!(wrong.contains("40000 bytes") && wrong.contains(&format!("has {have}:")), "{wrong}");
        }
    }
    Ok(())
}

#[test]
fn tex10_1_made_of_the_bytes_of_all_levels() -> tilewise::Result<()> {
    for (name, target) in targets() {
        // Levels of 3 x 5, 1 x 2, 1 x 1 texels of 4 bytes.
        let bytes: Vec<u8> = (0..(15 + 2 + 1) * 4).collect();
        let of = || Texture::<Int2, 2, Bits16>::builder((3, 5)).mip_levels(0).on(&target);
        let texture = of().build_from_bytes_of_all_levels(&bytes)?;
        assert_eq!(texture.data_length(), bytes.len());
        assert_eq!(texture.to_bytes_of_all_levels()?, bytes, "{name}");
        assert_eq!(texture.to_bytes_level(1)?, bytes[60..68], "{name}");
        assert_eq!(texture.to_bytes_level(2)?, bytes[68..], "{name}");
        assert_eq!(texture.read_view().to_bytes_of_all_levels()?, bytes, "{name}");
        let wrong = text(of().build_from_bytes_of_all_levels(&bytes[1..]));
        assert!(wrong.contains("72 bytes") && wrong.contains("71"), "{wrong}");
        // The first level alone.
        let first = of().build_from_bytes(&bytes[..60])?;
        assert_eq!(first.to_bytes_level(0)?, bytes[..60], "{name}");
        assert_eq!(first.to_bytes_level(1)?, [0; 8], "{name}");
    }
    Ok(())
}

#[test]
fn tex10_1_made_of_textures_and_views_of_any_accelerator() -> tilewise::Result<()> {
    for (from_name, from) in targets() {
        let source = Texture::<f32, 2, Bits16>::builder((4, 6)).mip_levels(2).on(&from);
        let source = source.build_from_iter((0..24).map(|k| k as f32))?;
        source.set_level((1, 2), 1, 0.5)?;
        for (to_name, to) in targets() {
            let copy = Texture::<f32, 2, Bits16>::builder((4, 6)).on(&to).build_from(&source)?;
            assert_eq!(copy.mip_levels(), 2, "as many as the source");
            assert_eq!(copy.to_bytes_of_all_levels()?, source.to_bytes_of_all_levels()?, "{from_name} to {to_name}");
            let level = source.mips(1, 1)?;
            let copy = Texture::<f32, 2, Bits16>::builder(level.extent()).on(&to).build_from(&level)?;
            assert_eq!(copy.to_vec()?, [0.0, 0.0, 0.0, 0.0, 0.0, 0.5], "{from_name} to {to_name}");
        }
        let other = text(Texture::<f32, 2, Bits16>::builder((4, 5)).build_from(&source));
        assert!(other.contains("[4, 6]") && other.contains("[4, 5]"), "{other}");
    }
    Ok(())
}

#[test]
fn tex10_1_a_clone_is_deep_and_a_move_is_the_texture_itself() -> tilewise::Result<()> {
    fn crosses<T: Send + Sync + UnwindSafe + RefUnwindSafe>(_: &T) {}
    for (name, target) in targets() {
        let texture = Texture::<i32, 1, Bits8>::builder(3).mip_levels(2).on(&target).build_from_iter([1, 2, 3])?;
        crosses(&texture);
        crosses(&texture.read_view());
        let copy = texture.try_clone()?;
        copy.set(0, -7)?;
        assert_eq!((texture.to_vec()?, copy.to_vec()?), (vec![1, 2, 3], vec![-7, 2, 3]), "{name}");
        assert_eq!((copy.mip_levels(), copy.accelerator_view()), (2, &target));
        let moved = std::thread::spawn(move || copy.set(1, 9).map(|()| copy)).join().expect("it does not panic")?;
        assert_eq!(moved.to_vec()?, [-7, 9, 3], "{name}");
        assert_eq!(
            format!("{texture:?}"),
            "Texture { extent: (3), levels: 2, .. }".replace("(3)", &format!("{:?}", Extent([3])))
        );
        // A view keeps the texels alive.
        let view: TextureView<'_, i32, 1, Bits8> = moved.read_view();
        drop(moved);
        assert_eq!(view.to_vec()?, [-7, 9, 3], "{name}");
    }
    Ok(())
}

#[test]
fn tex10_2_extents_and_levels_that_cannot_be() {
    for extent in [0, -1, 32_769] {
        let wrong = text(Texture::<f32, 2>::new((4, extent)));
        assert!(wrong.contains("dimension 1") && wrong.contains(&extent.to_string()), "{wrong}");
    }
    for levels in [-1, 4] {
        let wrong = text(Texture::<f32, 2>::builder((4, 7)).mip_levels(levels).build());
        assert!(wrong.contains(&levels.to_string()) && wrong.contains("1 to 3"), "{wrong}");
    }
    // What a message calls possible is: the limits are those of textures, which have fewer texels than arrays.
    for extent in [(32_768, 32_768, 32_768), (2048, 2048, 1024), (2048, 2048, 512)] {
        let large = text(Texture::<f32, 3>::new(extent));
        assert!(large.contains("more texels than a view: at most 2147483647 with all levels"), "{large}");
    }
    let wide = text(Texture::<f32, 2>::new((65_536, 65_536)));
    assert!(wide.contains("dimension 0 has the size 65536; each dimension has 1 to 32768 texels"), "{wide}");
    let wide = text(Texture::<f32, 1>::new(5_000_000_000_i64));
    assert!(wide.contains("does not fit 32 bits; each dimension has 1 to 32768 texels"), "{wide}");
}

#[test]
fn tex10_2_the_cpu_has_staging_textures_only() -> tilewise::Result<()> {
    let cpu = Accelerator::new(Accelerator::CPU)?.default_view();
    let Err(error @ Error::UnsupportedFeature(_)) = Texture::<f32, 2>::builder((2, 2)).on(&cpu).build() else {
        panic!("no kernel could use it")
    };
    assert!(error.to_string().contains("staging_for"), "{error}");
    Ok(())
}

#[test]
fn tex10_3_a_texture_says_what_it_is() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let texture = Texture::<Float4, 3, Bits16>::builder((2, 9, 4)).mip_levels(0).on(&target).build()?;
        assert_eq!(texture.extent(), Extent([2, 9, 4]));
        assert_eq!((texture.mip_levels(), texture.bits_per_scalar_element()), (4, 16));
        let extents: Vec<_> = (0..4).map(|level| texture.mip_extent(level)).collect::<tilewise::Result<_>>()?;
        assert_eq!(extents, [[2, 9, 4], [1, 4, 2], [1, 2, 1], [1, 1, 1]].map(Extent));
        assert_eq!(texture.data_length(), (72 + 8 + 2 + 1) * 8);
        assert_eq!((texture.accelerator_view(), texture.associated_accelerator_view()), (&target, &target), "{name}");
        assert!(!texture.is_staging());
        for level in [-1, 4, i32::MAX] {
            let wrong = text(texture.mip_extent(level));
            assert!(wrong.contains(&format!("level {level} of")) && wrong.contains("0 to 3"), "{wrong}");
            assert_eq!(wrong, text(texture.to_vec_level(level)));
            assert_eq!(wrong, text(texture.get_level((0, 0, 0), level)));
            assert_eq!(wrong, text(texture.set_level((0, 0, 0), level, Float4::ZERO)));
        }
        let view = texture.mips(1, 2)?;
        assert_eq!((view.extent(), view.mip_levels(), view.bits_per_scalar_element()), (Extent([1, 4, 2]), 2, 16));
        assert_eq!((view.accelerator_view(), view.mip_extent(1)), (target, Extent([1, 2, 1])));
    }
    Ok(())
}

#[test]
fn tex10_2_pfe_6_a_texture_of_another_accelerator_is_launched_with_a_copy() -> tilewise::Result<()> {
    let [home, away] = [Accelerator::new("reference")?.default_view(), Accelerator::new("jit")?.default_view()];
    let texture = Texture::<f32, 1>::builder(4).on(&home).build_from(&[1.0, 2.0, 3.0, 4.0])?;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    let refused = text(parallel_for_each!(&away, out.extent(), |i| out[i] = texture[i]));
    let expected = "`texture`, a texture of the accelerator `reference`, cannot be used by a launch on `jit`: launch there with a copy, `Texture::builder(texture.extent()).on(&view).build_from(&texture)?`";
    assert!(refused.contains(expected), "{refused}");
    // What is said helps.
    let copied = Texture::builder(texture.extent()).on(&away).build_from(&texture)?;
    parallel_for_each!(&away, out.extent(), |i| out[i] = copied[i])?;
    assert_eq!(out.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
    Ok(())
}

#[test]
fn tex10_2_pfe_6_a_texture_and_an_array_of_two_accelerators_need_a_named_one() -> tilewise::Result<()> {
    let [home, away] = [Accelerator::new("reference")?.default_view(), Accelerator::new("jit")?.default_view()];
    let texture = Texture::<f32, 1>::builder(4).on(&home).build()?;
    let array = Array::<f32>::builder(4).on(&away).build()?;
    let refused = text(parallel_for_each!(array.extent(), |i| array[i] = texture[i]));
    assert!(refused.contains("captures arrays and textures of several accelerators"), "{refused}");
    Ok(())
}
