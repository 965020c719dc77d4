//! Every encoding of each 8-bit and 16-bit format, both ways, on the host and in kernels; and
//! values that a channel cannot hold: TEX10-4.

use std::fmt::Debug;

use half::f16;
use tilewise::graphics::{Bits8, Bits16, Bits32, Bits64, StoredAs, TexelBits, Texture};
use tilewise::prelude::*;
use tilewise::vector::{Double2, Float2, Float3, Float4, Int2, Int4, UInt2, UInt4};

use super::targets;

/// Whether a channel is NaN.
fn is_nan<T: PartialEq>(texel: &T) -> bool {
    let same = |a: &T, b: &T| a == b;
    !same(texel, texel)
}

/// The first place where two lists differ, but for the bits of NaN.
#[track_caller]
fn same<T: PartialEq + Debug>(name: &str, got: &[T], want: &[T]) {
    assert_eq!(got.len(), want.len(), "{name}");
    for (k, (got, want)) in got.iter().zip(want).enumerate() {
        let is_same = got == want || is_nan(got) && is_nan(want);
        assert!(is_same, "{name}: texel {k} is {got:?}, not {want:?}");
    }
}

/// Texels with these bytes are these on all targets and the host, and are stored as these bytes.
pub(super) fn both_ways<T: StoredAs<B> + PartialEq + Debug, B: TexelBits>(
    bytes: &[u8],
    texels: &[T],
) -> tilewise::Result<()> {
    let extent = Extent([texels.len() as i32 / 64, 64]);
    for (name, target) in targets() {
        let texture = Texture::<T, 2, B>::builder(extent).on(&target).build_from_bytes(bytes)?;
        same(&name, &texture.to_vec()?, texels);
        let read = ArrayView::<T, 2>::without_source(extent)?;
        let back = Texture::<T, 2, B>::builder(extent).on(&target).build()?;
        parallel_for_each!(extent, |i| {
            let texel = texture.get(i);
            read[i] = texel;
            back.set(i, texel);
        })?;
        same(&name, &read.to_vec()?, texels);
        same(&name, &back.to_vec()?, texels);
        let by_host = Texture::<T, 2, B>::builder(extent).on(&target).build_from(texels)?;
        same(&name, &by_host.to_vec()?, texels);
        if !texels.iter().any(is_nan) {
            assert!(back.to_bytes()? == bytes, "{name}: a kernel stores other bytes");
            assert!(by_host.to_bytes()? == bytes, "{name}: the host stores other bytes");
        }
    }
    Ok(())
}

/// All 65,536 words.
pub(super) fn words() -> impl Iterator<Item = u16> + Clone {
    0..=u16::MAX
}

/// The bytes of some words for each of all words.
pub(super) fn bytes_of<const K: usize>(each: impl Fn(u16) -> [u16; K]) -> Vec<u8> {
    words().flat_map(each).flat_map(u16::to_le_bytes).collect()
}

/// Four different bytes that follow from a word; over all words, each has all 256 values.
pub(super) fn four(word: u16) -> [u8; 4] {
    let [low, high] = word.to_le_bytes();
    [low, high, low ^ 0x5A, high.wrapping_mul(7)]
}

#[test]
fn tex10_4_all_encodings_of_bytes() -> tilewise::Result<()> {
    let all: Vec<u8> = (0..=255).collect();
    both_ways::<u32, Bits8>(&all, &all.iter().map(|&b| u32::from(b)).collect::<Vec<_>>())?;
    both_ways::<i32, Bits8>(&all, &all.iter().map(|&b| i32::from(b as i8)).collect::<Vec<_>>())?;
    let pairs = bytes_of(|word| [word]);
    let channels = |word: u16| word.to_le_bytes();
    let unsigned = words().map(channels).map(|[x, y]| UInt2::new(x.into(), y.into()));
    both_ways::<UInt2, Bits8>(&pairs, &unsigned.collect::<Vec<_>>())?;
    let signed = words().map(channels).map(|[x, y]| Int2::new((x as i8).into(), (y as i8).into()));
    both_ways::<Int2, Bits8>(&pairs, &signed.collect::<Vec<_>>())?;
    let fours: Vec<u8> = words().flat_map(four).collect();
    let unsigned = words().map(|word| four(word).map(u32::from)).map(|[x, y, z, w]| UInt4::new(x, y, z, w));
    both_ways::<UInt4, Bits8>(&fours, &unsigned.collect::<Vec<_>>())?;
    let signed = words().map(|word| four(word).map(|b| i32::from(b as i8))).map(|[x, y, z, w]| Int4::new(x, y, z, w));
    both_ways::<Int4, Bits8>(&fours, &signed.collect::<Vec<_>>())
}

/// Four different words that follow from one.
pub(super) fn four_words(word: u16) -> [u16; 4] {
    [word, !word, word.rotate_left(5), word.wrapping_mul(40_503)]
}

#[test]
fn tex10_4_all_encodings_of_16_bit_integers() -> tilewise::Result<()> {
    let one = bytes_of(|word| [word]);
    both_ways::<u32, Bits16>(&one, &words().map(u32::from).collect::<Vec<_>>())?;
    both_ways::<i32, Bits16>(&one, &words().map(|word| i32::from(word as i16)).collect::<Vec<_>>())?;
    let (unsigned, signed) = (|word: u16| u32::from(word), |word: u16| i32::from(word as i16));
    let two = |word: u16| [word, word.rotate_left(7) ^ 0x1234];
    let texels = words().map(|word| two(word).map(unsigned)).map(|[x, y]| UInt2::new(x, y));
    both_ways::<UInt2, Bits16>(&bytes_of(two), &texels.collect::<Vec<_>>())?;
    let texels = words().map(|word| two(word).map(signed)).map(|[x, y]| Int2::new(x, y));
    both_ways::<Int2, Bits16>(&bytes_of(two), &texels.collect::<Vec<_>>())?;
    let texels = words().map(|word| four_words(word).map(unsigned)).map(|[x, y, z, w]| UInt4::new(x, y, z, w));
    both_ways::<UInt4, Bits16>(&bytes_of(four_words), &texels.collect::<Vec<_>>())?;
    let texels = words().map(|word| four_words(word).map(signed)).map(|[x, y, z, w]| Int4::new(x, y, z, w));
    both_ways::<Int4, Bits16>(&bytes_of(four_words), &texels.collect::<Vec<_>>())
}

/// All halves but NaN, in whose place is a number: their bytes are compared, too.
fn number(word: u16) -> u16 {
    if f16::from_bits(word).is_nan() { word & 0x83FF } else { word }
}

#[test]
fn tex10_4_all_encodings_of_halves() -> tilewise::Result<()> {
    let wide = |word: u16| f16::from_bits(word).to_f32();
    both_ways::<f32, Bits16>(&bytes_of(|word| [word]), &words().map(wide).collect::<Vec<_>>())?;
    let numbers = bytes_of(|word| [number(word)]);
    both_ways::<f32, Bits16>(&numbers, &words().map(|word| wide(number(word))).collect::<Vec<_>>())?;
    let two = |word: u16| [number(word), number(!word)];
    let texels = words().map(|word| two(word).map(wide)).map(|[x, y]| Float2::new(x, y));
    both_ways::<Float2, Bits16>(&bytes_of(two), &texels.collect::<Vec<_>>())?;
    let four = |word: u16| four_words(word).map(number);
    let texels = words().map(|word| four(word).map(wide)).map(|[x, y, z, w]| Float4::new(x, y, z, w));
    both_ways::<Float4, Bits16>(&bytes_of(four), &texels.collect::<Vec<_>>())
}

#[test]
fn tex10_4_formats_of_32_and_64_bits_keep_their_bits() -> tilewise::Result<()> {
    let texels: Vec<Float3> = (0..128).map(|k| Float3::new(k as f32 / 7.0, -0.0, f32::MIN_POSITIVE / 4.0)).collect();
    both_ways::<Float3, Bits32>(bytemuck::cast_slice(&texels), &texels)?;
    let texels: Vec<Int4> = (0..64).map(|k| Int4::new(k, i32::MIN + k, i32::MAX - k, -k)).collect();
    both_ways::<Int4, Bits32>(bytemuck::cast_slice(&texels), &texels)?;
    let texels: Vec<Double2> = (0..64).map(|k| Double2::new(f64::from(k) / 7.0, 1e300)).collect();
    both_ways::<Double2, Bits64>(bytemuck::cast_slice(&texels), &texels)
}

/// What kernels and the host store of these texels is the same, and reads as `want`.
pub(super) fn stored<T: StoredAs<B> + PartialEq + Debug, B: TexelBits>(
    texels: &[T],
    want: &[T],
) -> tilewise::Result<()> {
    let extent = texels.len();
    let given = ArrayView::read_only(extent, texels)?;
    for (name, target) in targets() {
        let texture = Texture::<T, 1, B>::builder(extent).on(&target).build()?;
        parallel_for_each!(texture.extent(), |i| texture.set(i, given[i]))?;
        same(&name, &texture.to_vec()?, want);
        same(&name, &Texture::<T, 1, B>::builder(extent).on(&target).build_from(texels)?.to_vec()?, want);
        let one_by_one = Texture::<T, 1, B>::builder(extent).on(&target).build()?;
        for (k, texel) in texels.iter().enumerate() {
            one_by_one.set(k, *texel)?;
        }
        same(&name, &one_by_one.to_vec()?, want);
    }
    Ok(())
}

#[test]
fn tex10_4_integers_out_of_range_are_clamped() -> tilewise::Result<()> {
    let signed = [i32::MIN, -32_769, -32_768, -129, -128, -1, 0, 127, 128, 32_767, 32_768, i32::MAX];
    let unsigned = [0, 255, 256, 65_535, 65_536, u32::MAX];
    stored::<i32, Bits8>(&signed, &signed.map(|x| x.clamp(-128, 127)))?;
    stored::<i32, Bits16>(&signed, &signed.map(|x| x.clamp(-32_768, 32_767)))?;
    stored::<u32, Bits8>(&unsigned, &unsigned.map(|x| x.min(255)))?;
    stored::<u32, Bits16>(&unsigned, &unsigned.map(|x| x.min(65_535)))?;
    let vectors = signed.map(|x| Int4::new(x, 1, !x, -1));
    stored::<Int4, Bits8>(&vectors, &signed.map(|x| Int4::new(x.clamp(-128, 127), 1, (!x).clamp(-128, 127), -1)))?;
    let vectors = unsigned.map(|x| UInt2::new(7, x));
    stored::<UInt2, Bits16>(&vectors, &unsigned.map(|x| UInt2::new(7, x.min(65_535))))
}

#[test]
fn tex10_4_floats_round_to_the_nearest_half_ties_to_even() -> tilewise::Result<()> {
    // Each positive half, the place between it and the next, and the floats beside that place.
    let halves: Vec<f32> = (0..0x7C00).step_by(7).map(|bits| f16::from_bits(bits).to_f32()).collect();
    let mut texels = vec![65_504.0, 65_519.996, 65_520.0, 1e30, f32::INFINITY, -65_520.0, -0.0, 1e-30];
    for pair in (0..0x7BFFu16).step_by(7).map(|bits| [bits, bits + 1]) {
        let [low, high] = pair.map(|bits| f16::from_bits(bits).to_f32());
        let middle = (low + high) / 2.0;
        texels.extend([low, middle.next_down(), middle, middle.next_up(), -middle]);
    }
    assert!(halves.len() > 4000 && texels.len() < 32_768);
    let want: Vec<f32> = texels.iter().map(|&x| f16::from_f32(x).to_f32()).collect();
    stored::<f32, Bits16>(&texels, &want)?;
    let pairs: Vec<Float2> = texels.iter().map(|&x| Float2::new(x, -x)).collect();
    let want: Vec<Float2> = want.iter().map(|&x| Float2::new(x, -x)).collect();
    stored::<Float2, Bits16>(&pairs, &want)
}

#[test]
fn tex10_4_texels_at_indices_that_wrap_below_zero() -> tilewise::Result<()> {
    for (name, target) in super::unchecked_targets()? {
        let texture = Texture::<i32, 1>::builder(2).on(&target).build_from(&[5, 6])?;
        let (texels, wide) = (ArrayView::from_vec(3, vec![9; 3])?, ArrayView::from_vec(3, vec![9; 3])?);
        let shifted = ArrayView::<Index<1>>::without_source(3)?;
        parallel_for_each!(texels.extent(), |i| {
            let at = (i[0] - 1) as usize;
            texels[i] = texture.get(at);
            texture.set(at + 9, 7);
            wide[i] = texture.get((i[0] - 1) as i64 + 4_294_967_296);
            shifted[i] = Index::new(3_000_000_000u32) + Index::new(i[0] as u32);
        })?;
        assert_eq!(texels.to_vec()?, [0, 5, 6], "{name}");
        assert_eq!(wide.to_vec()?, [0; 3], "{name}");
        let wrapped = |i: i32| Index([3_000_000_000u32 as i32 + i]);
        assert_eq!(shifted.to_vec()?, [0, 1, 2].map(wrapped), "{name}");
    }
    Ok(())
}

#[test]
fn tex10_4_out_of_range_a_kernel_reads_zeros_and_writes_nothing() -> tilewise::Result<()> {
    for (name, target) in super::unchecked_targets()? {
        let texture = Texture::<UInt4, 3, Bits8>::builder((2, 3, 4)).on(&target).mip_levels(2);
        let texture = texture.build_from(&[UInt4::splat(9); 24])?;
        let read = ArrayView::<UInt4, 3>::without_source((4, 5, 6))?;
        let levels = ArrayView::<UInt4>::without_source(4)?;
        parallel_for_each!(read.extent(), |i| {
            let at = i - Index::new((1, 1, 1));
            read[i] = texture.get(at);
            if !texture.extent().contains(at) {
                texture.set(at, UInt4::splat(1));
            }
        })?;
        parallel_for_each!(levels.extent(), |i| levels[i] = texture.get_level((0, 0, 0), i[0] - 1))?;
        assert_eq!(texture.to_vec()?, [UInt4::splat(9); 24], "{name}");
        assert_eq!(texture.to_vec_level(1)?, [UInt4::ZERO; 2], "{name}");
        for (index, texel) in Extent([4, 5, 6]).indices().zip(read.to_vec()?) {
            let inside = texture.extent().contains(index - Index::new((1, 1, 1)));
            assert_eq!(texel, UInt4::splat(if inside { 9 } else { 0 }), "{name}: {index}");
        }
        assert_eq!(levels.to_vec()?, [0, 9, 0, 0].map(UInt4::splat), "{name}");
        let outside = super::text(texture.get((0, 3, 0)));
        assert!(outside.contains("dimension 1") && outside.contains('3'), "{outside}");
        assert_eq!(super::text(texture.set((0, 3, 0), UInt4::ZERO)), outside);
    }
    Ok(())
}
