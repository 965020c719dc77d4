//! Textures as files of pictures: the feature `pictures`. What the crate `image` reads and writes is
//! the reference.

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use image::{DynamicImage, ImageBuffer, ImageFormat, Luma, LumaA, Rgb, Rgba};
use tilewise::graphics::{Bits8, Bits16, PictureTexel, TexelBits, Texture, Unorm, Unorm4};
use tilewise::prelude::*;
use tilewise::{Accelerator, Error};

/// A file of this name in the folder for tests.
fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder.join(name)
}

/// Bytes that look random.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..count).map(|_| next()).collect()
}

/// The bytes of a picture as a file.
fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, format).expect("it can be written");
    file.into_inner()
}

/// The text of an error about a picture.
fn refusal<T: std::fmt::Debug>(result: tilewise::Result<T>) -> String {
    match result {
        Err(error @ Error::Picture(_)) => error.to_string(),
        other => panic!("an error about a picture is expected: {other:?}"),
    }
}

fn there_and_back<T: PictureTexel<B>, B: TexelBits>(name: &str) -> tilewise::Result<()> {
    let path = file(name);
    let jit = Accelerator::new(Accelerator::JIT)?.default_view();
    let reference = Accelerator::new(Accelerator::REFERENCE)?.default_view();
    let bytes = noise(5 * 7 * size_of::<T::Stored>());
    let texture = Texture::<T, 2, B>::builder((5, 7)).on(&jit).build_from_bytes(&bytes)?;
    texture.save(&path)?;
    let again = Texture::<T, 2, B>::open_with(&path, |builder| builder.on(&reference).mip_levels(0))?;
    assert_eq!((again.extent(), again.mip_levels()), (Extent([5, 7]), 3), "{name}");
    assert_eq!(again.accelerator_view(), &reference, "{name}");
    assert_eq!(again.to_bytes()?, bytes, "{name}");
    let file = texture.to_png()?;
    assert_eq!(fs::read(&path).expect("it is there"), file, "{name}");
    assert_eq!(Texture::<T, 2, B>::from_picture(&file)?.to_bytes()?, bytes, "{name}");
    Ok(())
}

#[test]
fn every_format_is_saved_and_opened_to_the_byte() -> tilewise::Result<()> {
    there_and_back::<Unorm, Bits8>("grey_8.png")?;
    there_and_back::<Unorm, Bits16>("grey_16.png")?;
    there_and_back::<Unorm4, Bits8>("color_8.png")?;
    there_and_back::<Unorm4, Bits16>("color_16.PNG")?;
    there_and_back::<u32, Bits8>("integer_grey_8.png")?;
    there_and_back::<u32, Bits16>("integer_grey_16.png")?;
    there_and_back::<UInt4, Bits8>("integer_color_8.png")?;
    there_and_back::<UInt4, Bits16>("integer_color_16.png")
}

#[test]
fn other_programs_read_the_same_pixels() -> tilewise::Result<()> {
    let wide = Texture::<UInt4, 2, Bits16>::from_iter((1, 2), [UInt4::new(1, 256, 65535, 0), UInt4::new(2, 3, 4, 5)])?;
    let read = image::load_from_memory(&wide.to_png()?).expect("it can be read");
    assert_eq!(read.as_rgba16().expect("16 bits").as_raw(), &[1, 256, 65535, 0, 2, 3, 4, 5]);
    let grey = Texture::<u32, 2, Bits16>::from_iter((2, 1), [258, 40_000])?;
    let read = image::load_from_memory(&grey.to_png()?).expect("it can be read");
    assert_eq!(read.as_luma16().expect("16 bits").as_raw(), &[258, 40_000]);
    assert_eq!((read.width(), read.height()), (1, 2));
    // A texel that a kernel writes is the pixel at its column and row.
    let color = Texture::<Unorm4, 2>::new((2, 3))?;
    parallel_for_each!(color.extent(), |i| {
        let at = Float4::new(i[1] as f32, i[0] as f32, 0.0, 5.0);
        color.set(i, (at * 0.2).as_unorm());
    })?;
    let read = image::load_from_memory(&color.to_png()?).expect("it can be read").into_rgba8();
    assert_eq!(read.get_pixel(2, 1), &Rgba([102, 51, 0, 255]));
    Ok(())
}

#[test]
fn a_level_is_saved_from_a_view() -> tilewise::Result<()> {
    let texture = Texture::<Unorm, 2>::builder((4, 4)).mip_levels(0).build_from_bytes(&[10; 16])?;
    texture.generate_mips()?;
    let path = file("level.png");
    texture.level(1)?.save(&path)?;
    assert_eq!(Texture::<Unorm, 2>::open(&path)?.to_bytes()?, [10; 4]);
    assert_eq!(texture.mips(2, 1)?.to_png()?, Texture::<Unorm, 2>::builder((1, 1)).build_from_bytes(&[10])?.to_png()?);
    Ok(())
}

#[test]
fn pixels_of_other_kinds_are_converted() -> tilewise::Result<()> {
    let rgb = |r, g, b| DynamicImage::ImageRgb8(ImageBuffer::from_pixel(1, 1, Rgb([r, g, b])));
    let png = |picture: &DynamicImage| encoded(picture, ImageFormat::Png);
    // Without alpha: opaque. In grey: the luminance.
    let file = png(&rgb(200, 100, 50));
    assert_eq!(Texture::<UInt4, 2, Bits8>::from_picture(&file)?.to_vec()?, [UInt4::new(200, 100, 50, 255)]);
    let luminance = (2126 * 200 + 7152 * 100 + 722 * 50 + 5_000) / 10_000;
    assert_eq!(Texture::<u32, 2, Bits8>::from_picture(&file)?.to_vec()?, [luminance]);
    // 8 bits as 16, and 16 as 8.
    let wide = Texture::<UInt4, 2, Bits16>::from_picture(&file)?;
    assert_eq!(wide.to_vec()?, [UInt4::new(200, 100, 50, 255) * 257]);
    assert_eq!(Texture::<UInt4, 2, Bits8>::from_picture(&wide.to_png()?)?.get((0, 0))?, UInt4::new(200, 100, 50, 255));
    // Grey, with and without alpha.
    let grey = png(&DynamicImage::ImageLuma8(ImageBuffer::from_pixel(1, 1, Luma([77]))));
    assert_eq!(Texture::<UInt4, 2, Bits8>::from_picture(&grey)?.to_vec()?, [UInt4::new(77, 77, 77, 255)]);
    let glass = png(&DynamicImage::ImageLumaA8(ImageBuffer::from_pixel(1, 1, LumaA([77, 9]))));
    assert_eq!(Texture::<UInt4, 2, Bits8>::from_picture(&glass)?.to_vec()?, [UInt4::new(77, 77, 77, 9)]);
    assert_eq!(Texture::<u32, 2, Bits8>::from_picture(&glass)?.to_vec()?, [77]);
    let deep = png(&DynamicImage::ImageLuma16(ImageBuffer::from_pixel(1, 1, Luma([1000]))));
    assert_eq!(Texture::<u32, 2, Bits16>::from_picture(&deep)?.to_vec()?, [1000]);
    assert_eq!(Texture::<UInt4, 2, Bits16>::from_picture(&deep)?.to_vec()?, [UInt4::new(1000, 1000, 1000, 65535)]);
    Ok(())
}

#[test]
fn a_jpeg_is_opened_whatever_its_name() -> tilewise::Result<()> {
    let ramp = ImageBuffer::from_fn(24, 16, |x, y| Rgb([(x * 10) as u8, (y * 15) as u8, 128]));
    let jpeg = encoded(&DynamicImage::ImageRgb8(ramp.clone()), ImageFormat::Jpeg);
    for name in ["ramp.jpg", "ramp.data"] {
        fs::write(file(name), &jpeg).expect("it can be written");
        let texture = Texture::<Unorm4, 2>::open(file(name))?;
        assert_eq!(texture.extent(), Extent([16, 24]));
        let decoded = image::load_from_memory(&jpeg).expect("it can be read").into_rgba8();
        assert_eq!(&texture.to_bytes()?, decoded.as_raw(), "{name}");
        // It is the picture that was encoded, within what JPEG loses.
        let far = texture.to_vec()?.into_iter().zip(ramp.pixels()).map(|(texel, pixel)| {
            let Rgb([r, g, b]) = *pixel;
            let was = Float4::new(f32::from(r), f32::from(g), f32::from(b), 255.0);
            let difference = (texel.as_float() * 255.0 - was).abs();
            difference.x.max(difference.y).max(difference.z).max(difference.w)
        });
        assert!(far.fold(0.0, f32::max) < 24.0, "{name}");
    }
    Ok(())
}

#[test]
fn a_file_that_is_no_picture_is_refused_with_its_path() {
    let open = |path: &PathBuf| refusal(Texture::<Unorm4, 2>::open(path));
    let missing = open(&file("missing.png"));
    assert!(missing.contains("missing.png` cannot be opened: ") && missing.len() > 40, "{missing}");
    fs::write(file("text.png"), "no picture at all").expect("it can be written");
    let text = open(&file("text.png"));
    assert!(text.contains("text.png` is not a picture: a picture is a PNG or a JPEG file"), "{text}");
    fs::write(file("empty.png"), "").expect("it can be written");
    assert!(open(&file("empty.png")).contains("empty.png` is not a picture"));
    fs::write(file("animated.png"), "GIF89a").expect("it can be written");
    let gif = open(&file("animated.png"));
    assert!(gif.contains("animated.png` is a picture of the format `gif`: convert it to PNG or JPEG"), "{gif}");
    let whole = encoded(&DynamicImage::ImageRgb8(ImageBuffer::from_pixel(9, 9, Rgb([1, 2, 3]))), ImageFormat::Png);
    for length in [20, whole.len() - 20] {
        fs::write(file("half.png"), &whole[..length]).expect("it can be written");
        let half = open(&file("half.png"));
        assert!(half.contains("half.png` is damaged, and cannot be decoded: "), "{half}");
    }
    let memory = refusal(Texture::<Unorm, 2>::from_picture(b"?"));
    assert!(memory.starts_with("the picture is not a picture"), "{memory}");
}

/// The checksum of a chunk of a PNG file.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    })
}

#[test]
fn a_picture_that_is_too_large_is_refused_before_it_takes_room() {
    let long = DynamicImage::ImageLuma8(ImageBuffer::from_pixel(40_000, 1, Luma([3])));
    let text = refusal(Texture::<Unorm, 2>::from_picture(&encoded(&long, ImageFormat::Png)));
    assert_eq!(text, "the picture has 40000 x 1 pixels: each dimension of a texture has 1 to 32768");
    // A small file that claims eight gigabytes.
    let claim = |small: DynamicImage| {
        let mut claim = encoded(&small, ImageFormat::Png);
        for from in [16, 20] {
            claim[from..from + 4].copy_from_slice(&32_000_u32.to_be_bytes());
        }
        let sum = checksum(&claim[12..29]);
        claim[29..33].copy_from_slice(&sum.to_be_bytes());
        claim
    };
    let color = claim(DynamicImage::ImageRgba16(ImageBuffer::from_pixel(1, 1, Rgba([1, 2, 3, 4]))));
    let grey = claim(DynamicImage::ImageLuma8(ImageBuffer::from_pixel(1, 1, Luma([3]))));
    let wanted = "32000 x 32000 pixels, which are 8192000000 bytes: a picture may have 1073741824";
    let text = refusal(Texture::<Unorm, 2>::from_picture(&color));
    assert!(text.contains(wanted), "{text}");
    // In the file it has one gigabyte, in the texture eight.
    let text = refusal(Texture::<Unorm4, 2, Bits16>::from_picture(&grey));
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn a_picture_is_saved_as_png_where_it_can_be_written() -> tilewise::Result<()> {
    let texture = Texture::<Unorm, 2>::new((2, 2))?;
    for name in ["out.jpg", "out", "png"] {
        let text = refusal(texture.save(file(name)));
        assert!(text.contains(&format!("{name}` does not end in `.png`: pictures are saved as PNG")), "{text}");
        assert!(!file(name).exists(), "{name}");
    }
    let text = refusal(texture.save(file("no_such_folder").join("out.png")));
    assert!(text.contains("out.png` cannot be written: "), "{text}");
    Ok(())
}
