//! Pictures: textures from PNG and JPEG files, and PNG files from textures. The feature `pictures`.
//! The crate `image` decodes and encodes; no name of it is part of the interface.

use std::fs::{self, File};
use std::io::{self, Cursor, Read as _};
use std::path::Path;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{
    DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageError, ImageFormat, ImageReader, Limits,
};

use crate::api::error::{Error, Result};
use crate::api::graphics::{Unorm, Unorm4};
use crate::api::vector::UInt4;
use crate::api::view::Access;
use crate::bytemuck;

use super::builder::TextureBuilder;
use super::format::{Bits8, Bits16, StoredAs, TexelBits};
use super::owned::Texture;
use super::shape::MAX_SIZE;
use super::view::TextureView;

/// Most bytes that a picture may have once it is decoded. A small file can claim any size.
const MOST_BYTES: u64 = 1 << 30;

/// A texel that pixels of pictures become, and that becomes a pixel: `Unorm` and `u32` of 8 or 16
/// bits are grey, `Unorm4` and `UInt4` are red, green, blue and alpha.
#[diagnostic::on_unimplemented(
    message = "a texture of `{Self}` with channels of `{B}` is not a picture",
    label = "not the format of a picture",
    note = "grey pictures are textures of `Unorm` or `u32`, pictures in colour of `Unorm4` or `UInt4`, each of `Bits8` or `Bits16`"
)]
pub trait PictureTexel<B: TexelBits>: StoredAs<B> {}

impl PictureTexel<Bits8> for Unorm {}
impl PictureTexel<Bits16> for Unorm {}
impl PictureTexel<Bits8> for Unorm4 {}
impl PictureTexel<Bits16> for Unorm4 {}
impl PictureTexel<Bits8> for u32 {}
impl PictureTexel<Bits16> for u32 {}
impl PictureTexel<Bits8> for UInt4 {}
impl PictureTexel<Bits16> for UInt4 {}

/// How the pixels of a texture lie in its bytes.
#[derive(Clone, Copy)]
enum PixelLayout {
    Grey8,
    Grey16,
    Color8,
    Color16,
}

impl PixelLayout {
    fn of<T: PictureTexel<B>, B: TexelBits>() -> PixelLayout {
        match (T::CHANNELS == 1, B::BITS == 8) {
            (true, true) => PixelLayout::Grey8,
            (true, false) => PixelLayout::Grey16,
            (false, true) => PixelLayout::Color8,
            (false, false) => PixelLayout::Color16,
        }
    }

    /// The bytes of a texture, from a decoded picture of any kind.
    fn bytes(self, picture: DynamicImage) -> Vec<u8> {
        match self {
            PixelLayout::Grey8 => picture.into_luma8().into_raw(),
            PixelLayout::Grey16 => bytemuck::cast_slice(picture.into_luma16().as_raw()).to_vec(),
            PixelLayout::Color8 => picture.into_rgba8().into_raw(),
            PixelLayout::Color16 => bytemuck::cast_slice(picture.into_rgba16().as_raw()).to_vec(),
        }
    }

    fn pixel_bytes(self) -> u64 {
        match self {
            PixelLayout::Grey8 => 1,
            PixelLayout::Grey16 => 2,
            PixelLayout::Color8 => 4,
            PixelLayout::Color16 => 8,
        }
    }

    fn color_type(self) -> ExtendedColorType {
        match self {
            PixelLayout::Grey8 => ExtendedColorType::L8,
            PixelLayout::Grey16 => ExtendedColorType::L16,
            PixelLayout::Color8 => ExtendedColorType::Rgba8,
            PixelLayout::Color16 => ExtendedColorType::Rgba16,
        }
    }
}

/// The bytes of a file that has at most `most`; there are files without an end.
fn bytes_of(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// A picture's pixels, as the bytes of a texture of this extent.
struct DecodedPicture {
    extent: (i32, i32),
    bytes: Vec<u8>,
}

impl DecodedPicture {
    /// `name` is how errors name the picture.
    fn new(name: &str, file: &[u8], layout: PixelLayout) -> Result<DecodedPicture> {
        let format = image::guess_format(file).map_err(|_| {
            picture_error(format!("{name} is not a picture: a picture is a PNG or a JPEG file, whatever its name"))
        })?;
        if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg) {
            let found = format.extensions_str().first().copied().unwrap_or("unknown");
            let text = format!("{name} is a picture of the format `{found}`: convert it to PNG or JPEG");
            return Err(picture_error(text));
        }
        let damaged = |error: ImageError| picture_error(format!("{name} is damaged, and cannot be decoded: {error}"));
        let mut reader = ImageReader::with_format(Cursor::new(file), format);
        let mut limits = Limits::no_limits();
        limits.max_alloc = Some(2 * MOST_BYTES);
        reader.limits(limits);
        let decoder = reader.into_decoder().map_err(damaged)?;
        let (width, height) = decoder.dimensions();
        let most = MAX_SIZE as u32;
        if width == 0 || height == 0 || width > most || height > most {
            let text = format!("{name} has {width} x {height} pixels: each dimension of a texture has 1 to {most}");
            return Err(picture_error(text));
        }
        // In the file's own kind of pixels, and in the texture's.
        let bytes = decoder.total_bytes().max(u64::from(width) * u64::from(height) * layout.pixel_bytes());
        if bytes > MOST_BYTES {
            let text = format!(
                "{name} has {width} x {height} pixels, which are {bytes} bytes: a picture may have {MOST_BYTES}; cut it or make it smaller"
            );
            return Err(picture_error(text));
        }
        let picture = DynamicImage::from_decoder(decoder).map_err(damaged)?;
        Ok(DecodedPicture { extent: (height as i32, width as i32), bytes: layout.bytes(picture) })
    }

    fn into_texture<T: PictureTexel<B>, B: TexelBits>(
        self,
        options: impl FnOnce(TextureBuilder<T, 2, B>) -> TextureBuilder<T, 2, B>,
    ) -> Result<Texture<T, 2, B>> {
        options(Texture::builder(self.extent)).build_from_bytes(&self.bytes)
    }
}

fn picture_error(text: String) -> Error {
    Error::Picture(text.into())
}

/// With the feature `pictures`: textures from PNG and JPEG files, and PNG files from textures.
///
/// A channel of a picture becomes the channel of the texel as it is: numbers of sRGB files are not
/// made linear, and alpha is not multiplied. Other pixels are converted: a picture in colour
/// becomes grey by the luminance of Rec. 709 (0.2126 red, 0.7152 green, 0.0722 blue), grey has
/// equal red, green and blue, missing alpha is opaque, and 8 and 16 bits are scaled by 257. Rows are
/// in the order of the file; an orientation in its metadata is not applied.
///
/// ```no_run
/// use tilewise::graphics::{Texture, Unorm4};
/// use tilewise::prelude::*;
/// let photo = Texture::<Unorm4, 2>::open("photo.jpg")?;
/// let negative = Texture::<Unorm4, 2>::new(photo.extent())?;
/// parallel_for_each!(negative.extent(), |i| {
///     let color = photo[i].as_float();
///     negative.set(i, Float4::new(1.0 - color.x, 1.0 - color.y, 1.0 - color.z, color.w).as_unorm());
/// })?;
/// negative.save("negative.png")?;
/// # Ok::<(), tilewise::Error>(())
/// ```
impl<T: PictureTexel<B>, B: TexelBits> Texture<T, 2, B> {
    /// The picture of a PNG or JPEG file, as a texture with one level on the default accelerator.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, |builder| builder)
    }

    /// The picture of a PNG or JPEG file, as a texture with options: an accelerator, levels.
    ///
    /// ```no_run
    /// use tilewise::graphics::{Texture, Unorm4};
    /// let photo = Texture::<Unorm4, 2>::open_with("photo.jpg", |builder| builder.mip_levels(0))?;
    /// photo.generate_mips()?;
    /// # Ok::<(), tilewise::Error>(())
    /// ```
    pub fn open_with(
        path: impl AsRef<Path>,
        options: impl FnOnce(TextureBuilder<T, 2, B>) -> TextureBuilder<T, 2, B>,
    ) -> Result<Self> {
        let path = path.as_ref();
        let name = format!("`{}`", path.display());
        let file =
            bytes_of(path, MOST_BYTES).map_err(|error| picture_error(format!("{name} cannot be opened: {error}")))?;
        DecodedPicture::new(&name, &file, PixelLayout::of::<T, B>())?.into_texture(options)
    }

    /// The picture that these bytes of a PNG or JPEG file hold.
    ///
    /// ```
    /// use tilewise::graphics::{Bits8, Texture};
    /// let dots = Texture::<u32, 2, Bits8>::from_iter((1, 3), [0, 128, 255])?;
    /// let again = Texture::<u32, 2, Bits8>::from_picture(&dots.to_png()?)?;
    /// assert_eq!(again.to_vec()?, [0, 128, 255]);
    /// # Ok::<(), tilewise::Error>(())
    /// ```
    pub fn from_picture(file: &[u8]) -> Result<Self> {
        Self::from_picture_with(file, |builder| builder)
    }

    /// The picture that these bytes of a PNG or JPEG file hold, as a texture with options.
    pub fn from_picture_with(
        file: &[u8],
        options: impl FnOnce(TextureBuilder<T, 2, B>) -> TextureBuilder<T, 2, B>,
    ) -> Result<Self> {
        DecodedPicture::new("the picture", file, PixelLayout::of::<T, B>())?.into_texture(options)
    }

    /// Writes the most detailed level to a PNG file. What was there is replaced.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.whole().save(path)
    }

    /// The bytes of a PNG file of the most detailed level.
    pub fn to_png(&self) -> Result<Vec<u8>> {
        self.whole().to_png()
    }
}

/// With the feature `pictures`: PNG files from levels of textures.
impl<T: PictureTexel<B>, B: TexelBits, A: Access> TextureView<'_, T, 2, B, A> {
    /// Writes the most detailed of these levels to a PNG file. What was there is replaced.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        // A name that is nothing else has no extension to the standard library.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.to_ascii_lowercase().ends_with(".png") {
            let text = format!("`{}` does not end in `.png`: pictures are saved as PNG files", path.display());
            return Err(picture_error(text));
        }
        let written = fs::write(path, self.to_png()?);
        written.map_err(|error| picture_error(format!("`{}` cannot be written: {error}", path.display())))
    }

    /// The bytes of a PNG file of the most detailed of these levels.
    pub fn to_png(&self) -> Result<Vec<u8>> {
        let (extent, bytes) = (self.extent(), self.to_bytes()?);
        let mut file = Vec::new();
        // The same file wherever it is made: the encoder's version is pinned.
        PngEncoder::new_with_quality(&mut file, CompressionType::Default, FilterType::Adaptive)
            .write_image(&bytes, extent[1] as u32, extent[0] as u32, PixelLayout::of::<T, B>().color_type())
            .map_err(|error| picture_error(format!("a picture cannot be encoded: {error}")))?;
        Ok(file)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_an_end_is_an_error() {
        let error = bytes_of(Path::new("/dev/zero"), 1000).unwrap_err();
        assert_eq!(error.to_string(), "it has more than 1000 bytes");
    }
}
