//! `Norm` and `Unorm` as texels on all targets: every encoding both ways, roundings, filtering.

use tilewise::graphics::{Bits8, Bits16, Norm, Norm4, Sampler, Texture, Unorm, Unorm2, Unorm4, copy, copy_async_into};
use tilewise::prelude::*;
use tilewise::vector::{Float2, Float4};

use super::formats::{both_ways, bytes_of, four, stored, words};
use super::{on_all, targets};

/// The number of an unsigned encoding.
fn unsigned(bits: u32, largest: u32) -> Unorm {
    Unorm::new(bits as f32 / largest as f32)
}

/// The number of a signed encoding.
fn signed(bits: i32, largest: i32) -> Norm {
    Norm::new(bits as f32 / largest as f32)
}

#[test]
fn tex10_4_all_encodings_of_unorm() -> tilewise::Result<()> {
    let all: Vec<u8> = (0..=255).collect();
    both_ways::<Unorm, Bits8>(&all, &all.iter().map(|&b| unsigned(b.into(), 255)).collect::<Vec<_>>())?;
    let halves: Vec<Unorm> = words().map(|word| unsigned(word.into(), 65_535)).collect();
    both_ways::<Unorm, Bits16>(&bytes_of(|word| [word]), &halves)?;
    let number = |b: u8| unsigned(b.into(), 255);
    let pairs = words().map(u16::to_le_bytes).map(|[x, y]| Unorm2::new(number(x), number(y)));
    both_ways::<Unorm2, Bits8>(&bytes_of(|word| [word]), &pairs.collect::<Vec<_>>())?;
    let bytes: Vec<u8> = words().flat_map(four).collect();
    let fours = words().map(four).map(|[x, y, z, w]| Unorm4::new(number(x), number(y), number(z), number(w)));
    both_ways::<Unorm4, Bits8>(&bytes, &fours.collect::<Vec<_>>())
}

#[test]
fn tex10_4_all_encodings_of_norm() -> tilewise::Result<()> {
    // The least integer stands for -1, as the next one does, which is what is stored for it.
    let byte = |b: u8| if b == 0x80 { 0x81 } else { b };
    let all: Vec<u8> = (0..=255).map(byte).collect();
    both_ways::<Norm, Bits8>(&all, &all.iter().map(|&b| signed((b as i8).into(), 127)).collect::<Vec<_>>())?;
    let half = |word: u16| if word == 0x8000 { 0x8001 } else { word };
    let halves: Vec<Norm> = words().map(|word| signed((half(word) as i16).into(), 32_767)).collect();
    both_ways::<Norm, Bits16>(&bytes_of(|word| [half(word)]), &halves)?;
    let fours = |word: u16| four(word).map(byte);
    let bytes: Vec<u8> = words().flat_map(fours).collect();
    let number = |b: u8| signed((b as i8).into(), 127);
    let texels = words().map(fours).map(|[x, y, z, w]| Norm4::new(number(x), number(y), number(z), number(w)));
    both_ways::<Norm4, Bits8>(&bytes, &texels.collect::<Vec<_>>())?;
    for (name, target) in targets() {
        let least = Texture::<Norm, 1, Bits8>::builder(1).on(&target).build_from_bytes(&[0x80])?;
        let read = ArrayView::<Norm>::without_source(1)?;
        parallel_for_each!(&target, read.extent(), |i| read[i] = least.get(i))?;
        assert_eq!((read.to_vec()?, least.to_vec()?), (vec![Norm::new(-1.0)], vec![Norm::new(-1.0)]), "{name}");
        let least = Texture::<Norm, 1, Bits16>::builder(1).on(&target).build_from_bytes(&[0, 0x80])?;
        assert_eq!(least.to_vec()?, [Norm::new(-1.0)], "{name}");
    }
    Ok(())
}

#[test]
fn tex10_4_unorm_rounds_the_exact_product_half_to_even() -> tilewise::Result<()> {
    // Floats around the places half-way between two bytes, and others. The product with 255 is exact
    // in `f64`.
    let mut numbers = vec![0.0, 1.0, f32::MIN_POSITIVE, 0.5];
    for b in 0..255 {
        let middle = (b as f32 + 0.5) / 255.0;
        numbers.extend([middle.next_down(), middle, middle.next_up(), (b as f32 + 0.3) / 255.0]);
    }
    let texels: Vec<Unorm> = numbers.iter().map(|&x| Unorm::new(x)).collect();
    let want = |largest: f64| -> Vec<Unorm> {
        let bits = numbers.iter().map(|&x| (f64::from(x) * largest).round_ties_even() as f32);
        bits.map(|bits| Unorm::new(bits / largest as f32)).collect()
    };
    stored::<Unorm, Bits8>(&texels, &want(255.0))?;
    stored::<Unorm, Bits16>(&texels, &want(65_535.0))
}

#[test]
fn smp_1_a_border_is_held_to_the_range_of_the_texture() -> tilewise::Result<()> {
    let sampler = Sampler::POINT.with_border(Float4::new(-3.0, 0.25, 7.0, f32::NAN));
    let all = on_all::<Float4>(Extent([1, 2]), |launch, target, out| {
        let unsigned = Texture::<Unorm4, 1>::builder(1).on(target).build()?;
        let signed = Texture::<Norm4, 1>::builder(1).on(target).build()?;
        parallel_for_each!(launch, |i| {
            out[i] = if i[1] == 0 {
                unsigned.sample(&sampler, 2.0).as_float()
            } else {
                signed.sample(&sampler, -1.0).as_float()
            };
        })
    });
    for (name, got) in all {
        assert_eq!(
            got.iter().map(|x| (x.x, x.y, x.z)).collect::<Vec<_>>(),
            [(0.0, 0.25, 1.0), (-1.0, 0.25, 1.0)],
            "{name}"
        );
    }
    Ok(())
}

#[test]
fn smp_2_levels_and_samples_of_bytes() -> tilewise::Result<()> {
    let grey = |bytes: [u8; 4]| bytes.map(|b| [b, 255 - b, 0, 255]).concat();
    let bytes = grey([0, 255, 100, 51]);
    for (name, target) in targets() {
        let picture =
            Texture::<Unorm4, 2, Bits8>::builder((2, 2)).mip_levels(0).on(&target).build_from_bytes(&bytes)?;
        picture.generate_mips()?;
        // Of 101.5 and 153.5 the even neighbours would be 102 and 154; what is stored is the rounded
        // product of the rounded average.
        let average = {
            let x = |b: u8| f32::from(b) / 255.0;
            let row = |a, b| x(a) * 0.5 + x(b) * 0.5;
            (row(0, 255) * 0.5 + row(100, 51) * 0.5, row(255, 0) * 0.5 + row(155, 204) * 0.5)
        };
        let stored = |x: f32| (f64::from(x) * 255.0).round_ties_even() as u8;
        assert_eq!(picture.to_bytes_level(1)?, [stored(average.0), stored(average.1), 0, 255], "{name}");
        let out = ArrayView::<Float4>::without_source(2)?;
        let sampler = Sampler::LINEAR;
        parallel_for_each!(&target, out.extent(), |i| {
            let at = Float2::new(0.5, 0.25 + i[0] as f32 * 0.25);
            out[i] = picture.sample(&sampler, at).as_float();
        })?;
        let out = out.to_vec()?;
        assert_eq!((out[0].x, out[1].x, out[1].y, out[0].w), (0.5, average.0, average.1, 1.0), "{name}");
        let mut texels = [Unorm4::default(); 4];
        copy(&picture, &mut texels)?;
        assert_eq!(texels[2].as_float().x, 100.0 / 255.0, "{name}");
        let back: Vec<u8> = copy_async_into(&picture.read_view(), Vec::new())?.get()?;
        assert_eq!(back, bytes, "{name}");
    }
    Ok(())
}
