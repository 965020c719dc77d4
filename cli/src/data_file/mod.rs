//! Files of numbers: inputs of a launch, its results, and what these are compared with. The name's
//! end says the format.
//!
//! - `.npy`, NumPy's: numbers of one type, with their shape ([`npy`]).
//! - `.json`: numbers, nested as they like; strings for `"nan"`, `"inf"` and `"-inf"` ([`json`]).
//! - `.bin` and `.raw`: the bytes of memory as they are.
//! - `.png`: pixels, for textures of shaders ([`picture`]).

mod fit;
mod json;
mod npy;
mod picture;
mod save;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use tilewise::ir::types::Stored;
use tilewise_conformance::kir::data::MOST;

use crate::console::CommandError;

pub(crate) use fit::{contents_of, input_of};
pub(crate) use save::{file_bytes, saved_format};

/// The format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DataFormat {
    Npy,
    Json,
    Bytes,
    Picture,
}

impl DataFormat {
    fn of(path: &str) -> Option<DataFormat> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "npy" => Some(DataFormat::Npy),
            "json" => Some(DataFormat::Json),
            "bin" | "raw" => Some(DataFormat::Bytes),
            "png" => Some(DataFormat::Picture),
            _ => None,
        }
    }
}

/// The help of an error about a file's name.
const FORMATS: &str = "the name ends in `.npy`, `.json`, `.bin`, `.raw` or `.png`";

/// Is this the name of a file of numbers, and not numbers themselves?
pub(crate) fn is_data_file(word: &str) -> bool {
    DataFormat::of(word).is_some()
}

/// The contents of a file.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct DataFile {
    name: String,
    /// The lengths of its dimensions, if the format has them.
    shape: Option<Vec<u64>>,
    numbers: FileNumbers,
}

/// Numbers, before it is known what they are stored as.
#[derive(Clone, PartialEq, Debug)]
enum FileNumbers {
    /// Of this type: their bits.
    Typed(Stored, Vec<u64>),
    /// As words.
    Words(Vec<String>),
    /// Bytes as they lie in memory.
    Bytes(Vec<u8>),
    /// Bytes of pixels: integers, or their 255th parts.
    Pixels(Vec<u8>),
}

/// The maximum number of bytes of a file: as many as inputs have together.
const MOST_BYTES: u64 = MOST * 16;

impl DataFile {
    /// Reads a file.
    pub(crate) fn read(name: &str) -> Result<DataFile, CommandError> {
        let format = DataFormat::of(name)
            .ok_or_else(|| CommandError::new(format!("`{name}` is no file of numbers"), FORMATS))?;
        let unreadable = |error: std::io::Error| {
            CommandError::new(
                format!("cannot read `{name}`: {error}"),
                "look at the spelling, and at the folder the command runs in",
            )
        };
        let mut bytes = Vec::new();
        File::open(Path::new(name))
            .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
            .map_err(unreadable)?;
        if bytes.len() as u64 > MOST_BYTES {
            let message = format!("`{name}` has more than {MOST_BYTES} bytes, which inputs have at most");
            return Err(CommandError::new(message, "a program that uses the library has no such limit"));
        }
        let (shape, numbers) = match format {
            DataFormat::Npy => {
                let (shape, stored, bits) =
                    npy::read(&bytes).map_err(|error| CommandError::new(format!("`{name}`: {}", error.0), error.1))?;
                (Some(shape), FileNumbers::Typed(stored, bits))
            }
            DataFormat::Json => {
                let (shape, words) = json::read(&bytes).map_err(|message| {
                    CommandError::new(format!("`{name}`: {message}"), "write numbers, in lists of equal lengths")
                })?;
                (Some(shape), FileNumbers::Words(words))
            }
            DataFormat::Bytes => (None, FileNumbers::Bytes(bytes)),
            DataFormat::Picture => {
                let (shape, pixels) = picture::read(name, &bytes)?;
                (Some(shape), FileNumbers::Pixels(pixels))
            }
        };
        Ok(DataFile { name: name.to_owned(), shape, numbers })
    }
}
