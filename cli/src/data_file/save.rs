//! The contents of memory as files have them.

use tilewise::ir::launch::LaunchMemory;
use tilewise::ir::types::Stored;
use tilewise_conformance::kir::bind::NamedData;
use tilewise_conformance::kir::data::MOST;
use tilewise_conformance::kir::value;

use super::{DataFormat, FORMATS, json, npy, picture};
use crate::console::CommandError;

/// How a file has the contents of memory.
pub(crate) enum SavedFormat {
    /// Numbers of one type.
    Npy(Stored),
    Json,
    Bytes,
    /// Rows and columns.
    Picture([i32; 2]),
}

/// The format of a file of this name, if it can have what `object` holds.
pub(crate) fn saved_format(name: &str, object: &NamedData) -> Result<SavedFormat, CommandError> {
    let format =
        DataFormat::of(name).ok_or_else(|| CommandError::new(format!("`{name}` is no file of numbers"), FORMATS))?;
    match format {
        DataFormat::Npy => number_type(object).map(SavedFormat::Npy).ok_or_else(|| {
            let message = format!("`{}` has no numbers of one type, as an `.npy` file has", object.own_name);
            CommandError::new(message, "save it as `.json` or `.bin`")
        }),
        DataFormat::Json => Ok(SavedFormat::Json),
        DataFormat::Bytes => Ok(SavedFormat::Bytes),
        DataFormat::Picture => picture_size(object).map(SavedFormat::Picture).ok_or_else(|| {
            let message = format!("`{}` is no picture: rows of four bytes, as `rgba8unorm` has", object.own_name);
            CommandError::new(message, "save it as `.npy`")
        }),
    }
}

/// The type of all its numbers.
fn number_type(object: &NamedData) -> Option<Stored> {
    let types = object.types();
    let first = types.first().copied().or(object.scalar);
    first.filter(|first| types.iter().all(|stored| stored == first))
}

/// Rows and columns of a picture.
fn picture_size(object: &NamedData) -> Option<[i32; 2]> {
    let is_picture = object.per_element == 4 && object.types().iter().all(|stored| *stored == Stored::U8);
    let extent = object.extent.as_deref().filter(|_| is_picture)?;
    extent.try_into().ok()
}

/// What `object` holds, in the format of a file of this name.
pub(crate) fn file_bytes(name: &str, object: &NamedData, memory: &LaunchMemory) -> Result<Vec<u8>, CommandError> {
    let format = saved_format(name, object)?;
    let (types, bits) = (object.types(), object.contents(memory));
    Ok(match format {
        SavedFormat::Npy(first) => npy::write(&shape(object), first, &bits),
        SavedFormat::Picture(size) => picture::write(name, size, &raw(object, memory))?,
        SavedFormat::Json => {
            let words = bits.iter().zip(&types).map(|(&bits, &stored)| {
                let word = value::show(bits, stored);
                // JSON has no word for these.
                if word.contains("nan") || word.contains("inf") { format!("\"{word}\"") } else { word }
            });
            let text = json::write(&shape(object), &words.collect::<Vec<_>>(), MOST).ok_or_else(|| {
                let sizes: Vec<String> = shape(object).iter().map(u64::to_string).collect();
                let message = format!(
                    "`{}` has no numbers, and JSON would have more than {MOST} empty lists for its extent [{}]",
                    object.own_name,
                    sizes.join(", ")
                );
                CommandError::new(message, "save it as `.npy`, which writes the extent as numbers")
            })?;
            text.into_bytes()
        }
        SavedFormat::Bytes => raw(object, memory),
    })
}

/// Elements in each dimension; the numbers of an element are the last.
fn shape(object: &NamedData) -> Vec<u64> {
    let each = object.per_element.max(1);
    let mut shape: Vec<u64> = match &object.extent {
        Some(extent) => extent.iter().map(|&size| size.max(0) as u64).collect(),
        None => vec![(object.leaves.len() / each) as u64],
    };
    if each > 1 {
        shape.push(each as u64);
    }
    shape
}

/// All bytes that it takes, as many as a binding of WebGPU has.
fn raw(object: &NamedData, memory: &LaunchMemory) -> Vec<u8> {
    let bytes = memory.allocations.get(object.allocation).map_or(&[][..], Vec::as_slice);
    let [begin, end] = [object.bytes.start, object.bytes.end].map(|at| (at as usize).min(bytes.len()));
    bytes.get(begin..end).unwrap_or(&[]).to_vec()
}
