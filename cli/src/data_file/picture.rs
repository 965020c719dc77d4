//! PNG files: four bytes for each pixel, red, green, blue and alpha. A texture of floats gets each byte's
//! 255th part. Only in programs with the feature `pictures`.

use crate::console::CommandError;

/// Rows, columns and bytes of a picture.
#[cfg(feature = "pictures")]
pub(super) fn read(name: &str, file: &[u8]) -> Result<(Vec<u64>, Vec<u8>), CommandError> {
    use tilewise::graphics::{Bits8, Texture};
    use tilewise::vector::UInt4;

    let read = || {
        let texture = Texture::<UInt4, 2, Bits8>::from_picture(file)?;
        let extent = texture.extent();
        Ok((vec![extent[0] as u64, extent[1] as u64, 4], texture.to_bytes()?))
    };
    read().map_err(|error: tilewise::Error| {
        CommandError::new(format!("`{name}`: {error}"), "write a PNG file with 8 or 16 bits in a channel")
    })
}

/// The bytes of a PNG file of these pixels.
#[cfg(feature = "pictures")]
pub(super) fn write(name: &str, [rows, columns]: [i32; 2], pixels: &[u8]) -> Result<Vec<u8>, CommandError> {
    use tilewise::graphics::{Bits8, Texture};
    use tilewise::vector::UInt4;

    let written = || Texture::<UInt4, 2, Bits8>::builder((rows, columns)).build_from_bytes(pixels)?.to_png();
    written().map_err(|error| CommandError::new(format!("`{name}`: {error}"), "save it as `.npy`"))
}

/// This build reads no pictures.
#[cfg(not(feature = "pictures"))]
pub(super) fn read(name: &str, _: &[u8]) -> Result<(Vec<u64>, Vec<u8>), CommandError> {
    Err(missing(name))
}

/// This build writes no pictures.
#[cfg(not(feature = "pictures"))]
pub(super) fn write(name: &str, _: [i32; 2], _: &[u8]) -> Result<Vec<u8>, CommandError> {
    Err(missing(name))
}

#[cfg(not(feature = "pictures"))]
fn missing(name: &str) -> CommandError {
    let help = "build it with the feature `pictures`, or use an `.npy` file";
    CommandError::new(format!("`{name}` is a picture, and this program has no pictures"), help)
}
