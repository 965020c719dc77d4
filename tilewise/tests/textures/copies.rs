//! Copies of textures and their sections: TEX10-5, TCP-1.

use std::collections::BTreeSet;

use tilewise::graphics::{
    Bits8, Bits16, Texture, copy, copy_async, copy_async_from, copy_async_into, copy_extend, copy_iter,
};
use tilewise::prelude::*;
use tilewise::vector::{Float2, UInt2, UInt4};

use super::{targets, text};

/// Texels that all differ.
fn texels(count: u32) -> Vec<UInt2> {
    (0..count).map(|k| UInt2::new(k % 256, k / 256 + 7)).collect()
}

#[test]
fn tex10_5_whole_textures_are_copied_with_all_levels() -> tilewise::Result<()> {
    for (from_name, from) in targets() {
        for (to_name, to) in targets() {
            let of = |target| Texture::<UInt2, 3, Bits8>::builder((3, 4, 5)).mip_levels(0).on(target);
            let source = of(&from).build_from(&texels(60))?;
            source.set_level((0, 1, 1), 1, UInt2::new(8, 9))?;
            source.set_level((0, 0, 0), 2, UInt2::new(10, 11))?;
            let target = of(&to).build()?;
            source.copy_to(&target)?;
            assert_eq!(target.to_vec()?, texels(60), "{from_name} to {to_name}");
            assert_eq!(target.to_bytes_of_all_levels()?, source.to_bytes_of_all_levels()?, "{from_name} to {to_name}");
            // By views of some levels.
            let cleared = of(&to).build()?;
            copy(&source.mips(2, 1)?, &cleared.level(2)?)?;
            assert_eq!(cleared.to_vec_level(2)?, [UInt2::new(10, 11)], "{from_name} to {to_name}");
            assert_eq!(cleared.to_vec_level(1)?, [UInt2::ZERO; 4], "{from_name} to {to_name}");
        }
    }
    Ok(())
}

#[test]
fn tex10_5_extents_and_levels_must_agree() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let of = |extent: (i32, i32), levels| Texture::<f32, 2>::builder(extent).mip_levels(levels).on(&target).build();
        let source = of((4, 8), 3)?;
        let wrong = text(source.copy_to(&of((4, 7), 3)?));
        assert!(wrong.contains("[4, 8]") && wrong.contains("[4, 7]"), "{name}: {wrong}");
        for levels in [1, 2, 4] {
            let wrong = text(source.copy_to(&of((4, 8), levels)?));
            assert!(wrong.contains("3 levels cannot be copied to") && wrong.contains("`mips`"), "{name}: {wrong}");
        }
        let wrong = text(copy_async(&of((4, 8), 1)?, &source));
        assert!(wrong.contains("1 level cannot be copied to 3 levels"), "{wrong}");
        let wrong = text(copy_async(&source.mips(1, 1)?, &source.level(0)?));
        assert!(wrong.contains("[2, 4]"), "{wrong}");
    }
    Ok(())
}

#[test]
fn tcp_1_between_textures_and_the_host() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let texture = Texture::<UInt2, 2, Bits16>::builder((3, 4)).mip_levels(2).on(&target).build()?;
        let all = texels(12);
        copy(&all, &texture)?;
        let mut back = vec![UInt2::ZERO; 12];
        copy(&texture, &mut back)?;
        assert_eq!(back, all, "{name}");
        let mut bytes = [0u8; 48];
        copy(&texture, &mut bytes)?;
        assert_eq!(bytes[..4], [0, 0, 7, 0], "{name}");
        assert_eq!(bytes[44..], [11, 0, 7, 0], "{name}");
        bytes[44] = 12;
        // From an address that is a multiple of nothing.
        copy(&[&[1], &bytes[..]].concat()[1..], &texture)?;
        assert_eq!(texture.get((2, 3))?, UInt2::new(12, 7), "{name}");
        let mut odd = [0u8; 49];
        copy(&texture, &mut odd[1..])?;
        assert_eq!(odd[1..], bytes, "{name}");
        // A level.
        copy(&[UInt2::splat(5), UInt2::splat(6)], &texture.level(1)?)?;
        let mut level = [UInt2::ZERO; 2];
        copy(&texture.mips(1, 1)?, &mut level)?;
        assert_eq!(level, [UInt2::splat(5), UInt2::splat(6)], "{name}");
        copy_iter(texels(12).into_iter().rev(), &texture)?;
        let mut found = BTreeSet::new();
        copy_extend(&texture, &mut Sorted(&mut found))?;
        assert_eq!(found.into_iter().collect::<Vec<_>>(), (0..12).map(|k| (k, 7)).collect::<Vec<_>>(), "{name}");
    }
    Ok(())
}

/// Collects the components of texels.
struct Sorted<'s>(&'s mut BTreeSet<(u32, u32)>);

impl Extend<UInt2> for Sorted<'_> {
    fn extend<I: IntoIterator<Item = UInt2>>(&mut self, texels: I) {
        self.0.extend(texels.into_iter().map(|texel| (texel.x, texel.y)));
    }
}

#[test]
fn tcp_1_sections_of_each_rank() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let line = Texture::<u32, 1, Bits8>::builder(6).on(&target).build()?;
        copy(&[1u32, 2, 300], &line.section(2, 3)?)?;
        assert_eq!(line.to_vec()?, [0, 0, 1, 2, 255, 0], "{name}");
        let table = Texture::<UInt2, 2, Bits8>::builder((4, 5)).on(&target).build_from(&texels(20))?;
        let part = table.section((1, 2), (2, 3))?;
        assert_eq!(part.extent(), Extent([2, 3]));
        let want: Vec<UInt2> = [7, 8, 9, 12, 13, 14].map(|k| texels(20)[k]).to_vec();
        assert_eq!(part.to_vec()?, want, "{name}");
        let mut bytes = [0u8; 12];
        part.copy_to(&mut bytes)?;
        assert_eq!(bytes, [7, 7, 8, 7, 9, 7, 12, 7, 13, 7, 14, 7], "{name}");
        copy(&[9u8; 12], &part)?;
        assert_eq!(table.to_vec()?.iter().filter(|texel| **texel == UInt2::splat(9)).count(), 6, "{name}");
        let space = Texture::<UInt2, 3, Bits8>::builder((3, 3, 3)).on(&target).build_from(&texels(27))?;
        let corner = space.section((1, 1, 1), (2, 2, 2))?;
        assert_eq!(corner.to_vec()?, [13, 14, 16, 17, 22, 23, 25, 26].map(|k| texels(27)[k]), "{name}");
        copy_iter((0..8).map(UInt2::splat), &space.section((0, 0, 0), (2, 2, 2))?)?;
        assert_eq!(space.get((1, 1, 1))?, UInt2::splat(7), "{name}");
        assert_eq!(space.get((2, 1, 1))?, texels(27)[22], "{name}");
    }
    Ok(())
}

#[test]
fn tcp_1_sections_between_textures_of_all_accelerators() -> tilewise::Result<()> {
    for (from_name, from) in targets() {
        for (to_name, to) in targets() {
            let source = Texture::<UInt2, 2, Bits8>::builder((4, 5)).on(&from).build_from(&texels(20))?;
            let target = Texture::<UInt2, 2, Bits8>::builder((6, 6)).mip_levels(2).on(&to).build()?;
            copy(&source.section((2, 1), (2, 2))?, &target.section_of(0, (4, 4), (2, 2))?)?;
            let level = target.level(1)?;
            copy_async(&source.read_view().section((0, 3), (3, 2))?, &level.section((0, 1), (3, 2))?)?.get()?;
            let (all, lower) = (target.to_vec()?, target.to_vec_level(1)?);
            assert_eq!(all[28..30], texels(20)[11..13], "{from_name} to {to_name}");
            assert_eq!(all[34..], texels(20)[16..18], "{from_name} to {to_name}");
            assert!(all[..28].iter().all(|texel| *texel == UInt2::ZERO), "{from_name} to {to_name}");
            let rows = [[3, 4], [8, 9], [13, 14]].map(|row| row.map(|k| texels(20)[k]));
            let want: Vec<UInt2> = rows.iter().flat_map(|row| [UInt2::ZERO, row[0], row[1]]).collect();
            assert_eq!(lower, want, "{from_name} to {to_name}");
        }
    }
    Ok(())
}

#[test]
fn tcp_1_in_the_background() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let of = || Texture::<Float2, 2, Bits16>::builder((2, 3)).on(&target).mip_levels(2);
        let (first, second) = (of().build()?, of().build()?);
        let texels: Vec<Float2> = (0..6).map(|k| Float2::new(k as f32, 0.5)).collect();
        let sent = copy_async_from(texels.clone(), &first)?;
        let passed = copy_async(&first, &second)?;
        let back: Vec<Float2> = copy_async_into(&second, Vec::new())?.get()?;
        assert_eq!((back, sent.get()?), (texels.clone(), texels.clone()), "{name}");
        passed.get()?;
        let bytes: Vec<u8> = copy_async_into(&second.section_of(0, (1, 0), (1, 2))?, vec![1; 100])?.get()?;
        assert_eq!(bytes, second.to_bytes()?[12..20], "{name}");
        let bytes = copy_async_from(bytes, &first.section_of(0, (0, 0), (1, 2))?)?.get()?;
        assert_eq!(first.to_bytes()?[..8], bytes, "{name}");
        assert!(text(copy_async_from(texels[1..].to_vec(), &first)).contains("6 texels"), "{name}");
        assert!(text(copy_async_from(vec![0u8; 25], &first)).contains("24 bytes"), "{name}");
    }
    Ok(())
}

#[test]
fn tcp_1_errors_say_what_does_not_fit() -> tilewise::Result<()> {
    for (name, target) in targets() {
        let texture = Texture::<UInt4, 2, Bits8>::builder((3, 4)).on(&target).build()?;
        let small = text(copy(&texture, &mut [0u8; 47]));
        assert!(small.contains("48 bytes") && small.contains("has 47"), "{name}: {small}");
        let small = text(copy(&texture, &mut vec![UInt4::ZERO; 11]));
        assert!(small.contains("12 texels") && small.contains("has 11"), "{name}: {small}");
        let large = text(copy(&[UInt4::ZERO; 13], &texture));
        assert!(large.contains("12 texels") && large.contains("has 13"), "{name}: {large}");
        let few = text(copy_iter((0..11).map(UInt4::splat), &texture));
        assert!(few.contains("11 elements"), "{name}: {few}");
        let shared = text(copy(&texture, &texture));
        assert!(shared.contains("elements in common"), "{name}: {shared}");
        let shared = text(copy_async(&texture.section((0, 0), (2, 2))?, &texture.section((1, 1), (2, 2))?));
        assert!(shared.contains("elements in common"), "{name}: {shared}");
        for (offset, extent) in [((0, 0), (4, 4)), ((0, 1), (3, 4)), ((-1, 0), (1, 1)), ((0, 0), (0, 1))] {
            let outside = text(texture.section(offset, extent));
            assert!(outside.contains("dimension"), "{name}: {outside}");
        }
        let levels = Texture::<UInt4, 2, Bits8>::builder((3, 4)).mip_levels(2).on(&target).build()?;
        let several = text(levels.section((0, 0), (1, 1)));
        assert!(several.contains("the texture has 2") && several.contains("section_of"), "{name}: {several}");
        assert_eq!(text(levels.read_view().section((0, 0), (1, 1))), several);
        assert!(text(levels.section_of(2, (0, 0), (1, 1))).contains("level 2"), "{name}");
        let other = text(copy(&texture.section((0, 0), (2, 2))?, &levels.level(1)?));
        assert!(other.contains("[2, 2]") && other.contains("[1, 2]"), "{name}: {other}");
        let whole = text(copy(&texture.section((0, 0), (3, 4))?, &levels));
        assert!(whole.contains("1 level cannot be copied to 2 levels"), "{name}: {whole}");
        // Sections of one texture that share nothing are copied.
        texture.set((0, 3), UInt4::splat(3))?;
        copy(&texture.section((0, 2), (3, 2))?, &texture.section((0, 0), (3, 2))?)?;
        assert_eq!(texture.get((0, 1))?, UInt4::splat(3), "{name}");
    }
    Ok(())
}
