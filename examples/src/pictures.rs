//! What the programs about pictures share: their arguments, their input, and what they do with
//! their result.
//!
//! `PROGRAM OUT.png [IN.png]` saves a picture of 288 x 192 pixels, or one as large as the input.
//! Without arguments a program makes a small picture and prints a summary of it.

use std::env;
use std::path::PathBuf;

use tilewise::graphics::{Texture, Unorm4};
use tilewise::{Extent, Result};

use crate::{record, scene};

/// The rows and columns of a picture that is saved.
const SAVED: (i32, i32) = (192, 288);
/// The rows and columns of a picture that is summed up: quick also where a kernel is interpreted.
const SUMMED_UP: (i32, i32) = (32, 48);

/// The picture that a program is asked for.
#[derive(Debug)]
pub struct PictureTask {
    output: Option<PathBuf>,
    input: Option<PathBuf>,
}

impl PictureTask {
    /// The task that the arguments of the program name.
    pub fn from_arguments() -> PictureTask {
        let mut arguments = env::args_os().skip(1).map(PathBuf::from);
        PictureTask { output: arguments.next(), input: arguments.next() }
    }

    /// Whether the picture is saved; if not, a program may do less.
    pub fn is_saved(&self) -> bool {
        self.output.is_some()
    }

    /// The rows and columns of a picture without an input.
    pub fn extent(&self) -> Extent<2> {
        Extent::new(if self.is_saved() { SAVED } else { SUMMED_UP })
    }

    /// The picture of the input file, or else the scene that [`scene::render`] makes.
    pub fn input(&self) -> Result<Texture<Unorm4, 2>> {
        match &self.input {
            Some(path) => Texture::open(path),
            None => scene::render(self.extent()),
        }
    }

    /// Saves the picture, or prints its extent, the mean of its colours and a checksum, which are
    /// the same on every accelerator.
    pub fn finish(&self, picture: &Texture<Unorm4, 2>) -> Result<()> {
        if let Some(path) = &self.output {
            return picture.save(path);
        }
        let bytes = picture.to_bytes()?;
        let texels = bytes.len() / 4;
        let mean = |channel: usize| {
            let sum: u64 = bytes.iter().skip(channel).step_by(4).map(|byte| u64::from(*byte)).sum();
            sum as f64 / texels as f64
        };
        let checksum =
            bytes.iter().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
        let extent = picture.extent();
        println!("{} x {} pixels", extent[1], extent[0]);
        println!("mean: red {:.2}, green {:.2}, blue {:.2}", mean(0), mean(1), mean(2));
        println!("checksum: {checksum:08x}");
        record("picture", &bytes);
        Ok(())
    }
}
