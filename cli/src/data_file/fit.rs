//! Fits the numbers of a file to a parameter, or to the contents of memory: their count, their types,
//! their shape.

use tilewise::ir::kernel::{Kernel, Param, ParamKind};
use tilewise::ir::launch::element_count;
use tilewise::ir::types::{Stored, TypeId, Types};
use tilewise_conformance::kir::bind::{NamedData, tail};
use tilewise_conformance::kir::header::InputShape;
use tilewise_conformance::kir::shader::ShaderParams;
use tilewise_conformance::kir::value;

use super::npy::dtype;
use super::{DataFile, FileNumbers};
use crate::console::CommandError;

/// A scalar's offset and type.
type ScalarPlace = (u64, Stored);

/// The scalars of a parameter, and of each element behind them. They are counted, and written out only for
/// a file that has as many: a type may have billions.
struct ParamScalars<'k> {
    types: &'k Types,
    /// The type of those that are always there.
    fixed: Option<TypeId>,
    /// The elements whose number the input decides.
    elements: Option<ParamElements>,
    /// The number of dimensions, of a view.
    rank: Option<usize>,
}

/// Elements whose number an input decides.
struct ParamElements {
    /// The offset of the first.
    at: u64,
    stride: u64,
    ty: TypeId,
    /// The scalars of each.
    each: u64,
}

impl ParamScalars<'_> {
    fn of<'k>(kernel: &'k Kernel, param: &Param) -> ParamScalars<'k> {
        let types = kernel.types();
        let elements = |(at, stride, ty)| ParamElements { at, stride, ty, each: types.measure(ty).leaves };
        match param.kind {
            ParamKind::View(view) => ParamScalars {
                types,
                fixed: None,
                elements: Some(elements((0, types.element_size(view.element), view.element))),
                rank: Some(view.rank as usize),
            },
            ParamKind::Buffer { ty, .. } => {
                ParamScalars { types, fixed: Some(ty), elements: tail(types, ty, 0).map(elements), rank: None }
            }
            ParamKind::Uniform(ty) => ParamScalars { types, fixed: Some(ty), elements: None, rank: None },
        }
    }

    /// The number of scalars that are always there.
    fn fixed_count(&self) -> u64 {
        self.fixed.map_or(0, |ty| self.types.measure(ty).leaves)
    }

    /// The number of elements if there are this many scalars.
    fn count(&self, scalars: u64) -> Option<u64> {
        let rest = scalars.checked_sub(self.fixed_count())?;
        match &self.elements {
            None => (rest == 0).then_some(0),
            Some(elements) => rest.is_multiple_of(elements.each.max(1)).then(|| rest / elements.each.max(1)),
        }
    }

    /// The same for bytes. Behind the last scalar there may be padding, all of it or none.
    fn count_of_bytes(&self, bytes: u64) -> Option<u64> {
        let end = self.fixed.map_or(0, |ty| self.types.end_of_scalars(ty));
        let Some(ParamElements { at, stride, ty, .. }) = self.elements else {
            return is_padded(bytes, (end, self.fixed.map_or(0, |ty| self.types.size(ty)))).then_some(0);
        };
        let stride = stride.max(1);
        let rest = bytes.checked_sub(at).filter(|_| bytes >= end)?;
        match (rest / stride, rest % stride) {
            (whole, 0) => Some(whole),
            (whole, part) if part >= self.types.end_of_scalars(ty) => Some(whole + 1),
            // A struct is padded to its alignment, which may be less than one element; what is more is a part of one.
            (whole, _) => {
                let align = u64::from(self.fixed.map_or(1, |ty| self.types.align(ty))).max(1);
                let padded = (at + whole * stride).next_multiple_of(align);
                (at > 0 && bytes <= padded).then_some(whole)
            }
        }
    }

    /// All scalars, if there are this many elements.
    fn places(&self, count: u64) -> Vec<ScalarPlace> {
        let scalars = |ty: TypeId| {
            let mut out = Vec::new();
            self.types.leaves(ty, &mut |at, stored| out.push((at, stored)));
            out
        };
        let mut out = self.fixed.map_or_else(Vec::new, scalars);
        if let Some(elements) = self.elements.as_ref().filter(|_| count > 0) {
            let each = scalars(elements.ty);
            let at = |i: u64| elements.at + i * elements.stride;
            out.extend((0..count).flat_map(|i| each.iter().map(move |&(leaf, stored)| (at(i) + leaf, stored))));
        }
        out
    }

    /// What the parameter holds, for messages.
    fn described(&self, numbers: &FileNumbers) -> String {
        if let FileNumbers::Bytes(_) = numbers {
            return match &self.elements {
                None => format!("{} bytes", self.fixed.map_or(0, |ty| self.types.size(ty))),
                Some(ParamElements { at: 0, stride, .. }) => format!("{stride} bytes for each element"),
                Some(ParamElements { at, stride, .. }) => format!("{at} bytes, then {stride} for each element"),
            };
        }
        match (&self.elements, self.fixed_count()) {
            (None, fixed) => format!("{fixed} numbers"),
            (Some(ParamElements { each: 1, .. }), 0) => "one number for each element".to_owned(),
            (Some(ParamElements { each, .. }), 0) => format!("{each} numbers for each element"),
            (Some(ParamElements { each, .. }), fixed) => format!("{fixed} numbers, then {each} for each element"),
        }
    }
}

/// Are these as many bytes as something has whose last scalar ends at `end` and which has this `size`? The padding may
/// be missing, or that of a uniform buffer, whose size is a multiple of 16.
fn is_padded(bytes: u64, (end, size): (u64, u64)) -> bool {
    (end..=size.max(end.saturating_add(15))).contains(&bytes)
}

/// The shape and the bits of a parameter's input from a file. `given` is the extent that stands
/// beside the file's name.
pub(crate) fn input_of(
    file: &DataFile,
    (kernel, shader): (&Kernel, &ShaderParams),
    param: &Param,
    given: Option<&[i32]>,
) -> Result<(Option<InputShape>, Vec<u64>), CommandError> {
    let scalars = ParamScalars::of(kernel, param);
    let subject = &param.name;
    let (count, length) = match &file.numbers {
        FileNumbers::Bytes(bytes) => (scalars.count_of_bytes(bytes.len() as u64), format!("{} bytes", bytes.len())),
        FileNumbers::Typed(_, bits) => (scalars.count(bits.len() as u64), format!("{} numbers", bits.len())),
        FileNumbers::Words(words) => (scalars.count(words.len() as u64), format!("{} numbers", words.len())),
        FileNumbers::Pixels(pixels) => (scalars.count(pixels.len() as u64), format!("{} numbers", pixels.len())),
    };
    let Some(count) = count else {
        let message = format!("`{}` holds {length}, which do not fit `{subject}`", file.name);
        return Err(CommandError::new(message, format!("`{subject}` has {}", scalars.described(&file.numbers))));
    };
    let bits = bits(file, subject, &scalars.places(count))?;
    let shape = match (&scalars.elements, scalars.rank) {
        (None, _) => match given {
            Some(given) => {
                let message = format!("`{subject}` has no extent, and `{given:?}` stands beside `{}`", file.name);
                return Err(CommandError::new(message, "leave the extent out"));
            }
            None => None,
        },
        // A picture for a texture that may have levels: one level, of the picture's shape.
        (Some(elements), Some(1)) if shader.has_levels(subject) => {
            let one = vec![i32::try_from(count).unwrap_or(i32::MAX)];
            let picture = picture_extent(file, elements.each, count, given);
            let is_count = given.is_none_or(|given| given == one);
            if !is_count && picture.is_none() {
                return Err(other_extent(file, subject, count, given.unwrap_or(&[])));
            }
            Some(InputShape::Extent(picture.unwrap_or(one)))
        }
        (Some(_), None) => {
            let one = vec![i32::try_from(count).unwrap_or(i32::MAX)];
            match given.filter(|given| **given != one) {
                Some(given) => return Err(other_extent(file, subject, count, given)),
                None => Some(InputShape::Extent(one)),
            }
        }
        (Some(elements), Some(rank)) => {
            Some(InputShape::Extent(extent(file, (subject, rank, elements.each), count, given)?))
        }
    };
    Ok((shape, bits))
}

/// An error if a file has other elements than the extent beside its name.
fn other_extent(file: &DataFile, subject: &str, count: u64, given: &[i32]) -> CommandError {
    let message = format!("`{}` holds {count} elements, which are no `{given:?}` of `{subject}`", file.name);
    CommandError::new(message, "leave the extent out, or write the file's")
}

/// The two or three dimensions that a file, or the extent beside its name, has for this many texels.
fn picture_extent(file: &DataFile, each: u64, count: u64, given: Option<&[i32]>) -> Option<Vec<i32>> {
    let shape: Vec<u64> = match given {
        Some(given) => given.iter().map(|&size| size.max(0) as u64).collect(),
        None => file.shape.clone()?,
    };
    let without = shape.split_last().filter(|(last, _)| **last == each).map(|(_, sizes)| sizes.to_vec());
    let fits = |sizes: &Vec<u64>| matches!(sizes.len(), 2 | 3) && element_count(sizes.iter().copied()) == Some(count);
    let sizes = [Some(shape), without].into_iter().flatten().find(fits)?;
    sizes.into_iter().map(|size| i32::try_from(size).ok()).collect()
}

/// The extent of a view of this name, rank and number of scalars in an element.
fn extent(
    file: &DataFile,
    (subject, rank, each): (&str, usize, u64),
    count: u64,
    given: Option<&[i32]>,
) -> Result<Vec<i32>, CommandError> {
    let fits = |sizes: &[u64]| sizes.len() == rank && element_count(sizes.iter().copied()) == Some(count);
    let small = |sizes: &[u64]| sizes.iter().map(|&size| i32::try_from(size).unwrap_or(i32::MAX)).collect::<Vec<i32>>();
    if let Some(given) = given {
        let sizes: Vec<u64> = given.iter().map(|&size| size.max(0) as u64).collect();
        if fits(&sizes) {
            return Ok(given.to_vec());
        }
        return Err(other_extent(file, subject, count, given));
    }
    if rank == 1 {
        return Ok(small(&[count]));
    }
    let shape = file.shape.clone().unwrap_or_default();
    // The last dimension may be that of the numbers in an element.
    let without = shape.split_last().filter(|(last, _)| **last == each).map(|(_, sizes)| sizes.to_vec());
    match [Some(shape.clone()), without].into_iter().flatten().find(|sizes| fits(sizes)) {
        // One without elements may be as large as that in its other dimensions.
        Some(sizes) if sizes.iter().any(|&size| i32::try_from(size).is_err()) => {
            let shown: Vec<String> = sizes.iter().map(u64::to_string).collect();
            let message =
                format!("`{}` has the shape ({}), which is no extent of `{subject}`", file.name, shown.join(", "));
            Err(CommandError::new(message, format!("a dimension has at most {} elements", i32::MAX)))
        }
        Some(sizes) => Ok(small(&sizes)),
        None => {
            let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
            let message = match shape.as_slice() {
                [] => format!("`{}` has no shape, and `{subject}` has {rank} dimensions", file.name),
                _ => format!(
                    "`{}` has the shape ({}), and `{subject}` has {rank} dimensions",
                    file.name,
                    sizes.join(", ")
                ),
            };
            Err(CommandError::new(message, format!("say the extent: '{subject}: [4, 8] = {}'", file.name)))
        }
    }
}

/// The bits that a file gives to all scalars of memory: what it is to hold.
pub(crate) fn contents_of(file: &DataFile, object: &NamedData) -> Result<Vec<u64>, CommandError> {
    let first = object.bytes.start;
    let places: Vec<ScalarPlace> =
        object.leaves.iter().map(|&(at, stored)| (at.saturating_sub(first), stored)).collect();
    let (fits, length) = match &file.numbers {
        FileNumbers::Typed(_, bits) => (bits.len() == places.len(), format!("{} numbers", bits.len())),
        FileNumbers::Words(words) => (words.len() == places.len(), format!("{} numbers", words.len())),
        FileNumbers::Pixels(pixels) => (pixels.len() == places.len(), format!("{} numbers", pixels.len())),
        FileNumbers::Bytes(bytes) => {
            let end = places.iter().map(|&(at, stored)| at + u64::from(stored.size())).max().unwrap_or(0);
            let size = object.bytes.end.saturating_sub(first);
            (is_padded(bytes.len() as u64, (end, size)), format!("{} bytes", bytes.len()))
        }
    };
    if !fits {
        let message = format!("`{}` holds {length}, and `{}` has {} numbers", file.name, object.own_name, places.len());
        return Err(CommandError::new(message, "compare with a file of the same size"));
    }
    same_shape(file, object)?;
    bits(file, &object.own_name, &places)
}

/// Refuses numbers whose shape is not that of memory of several dimensions; those of one dimension or none are taken in
/// row-major order.
fn same_shape(file: &DataFile, object: &NamedData) -> Result<(), CommandError> {
    let (Some(wanted), Some(shape)) = (&object.extent, &file.shape) else { return Ok(()) };
    if wanted.len() < 2 || shape.len() < 2 {
        return Ok(());
    }
    let each = object.per_element.max(1) as u64;
    let sizes = || wanted.iter().map(|&size| size.max(0) as u64);
    // Lists of JSON end at a dimension without elements.
    let is_begun = matches!(file.numbers, FileNumbers::Words(_)) && shape.last() == Some(&0);
    if is_begun && sizes().take(shape.len()).eq(shape.iter().copied()) {
        return Ok(());
    }
    let count = element_count(sizes()).unwrap_or(0);
    if extent(file, (&object.own_name, wanted.len(), each), count, None).is_ok_and(|extent| extent == *wanted) {
        return Ok(());
    }
    let list = |sizes: Vec<String>| sizes.join(", ");
    let (has, wants) =
        (list(shape.iter().map(u64::to_string).collect()), list(wanted.iter().map(i32::to_string).collect()));
    let message = format!("`{}` has the shape ({has}), and `{}` has the extent [{wants}]", file.name, object.own_name);
    Err(CommandError::new(message, "compare with a file of the same shape"))
}

/// The bits of scalars at these places.
fn bits(file: &DataFile, subject: &str, places: &[ScalarPlace]) -> Result<Vec<u64>, CommandError> {
    match &file.numbers {
        FileNumbers::Bytes(bytes) => {
            Ok(places.iter().map(|&(at, stored)| value::read(bytes, at, stored).unwrap_or(0)).collect())
        }
        FileNumbers::Typed(stored, bits) => match places.iter().position(|place| place.1 != *stored) {
            None => Ok(bits.clone()),
            Some(at) => {
                let wanted = places[at].1;
                let message = format!("`{}` holds `{stored}`, and `{subject}` has `{wanted}`", file.name);
                let is_one = places.iter().all(|place| place.1 == wanted);
                let help = match is_one {
                    true => format!("convert it: `a.astype('{}')`", dtype(wanted)),
                    false => "numbers of several types fit in a `.json` or `.bin` file".to_owned(),
                };
                Err(CommandError::new(message, help))
            }
        },
        FileNumbers::Pixels(pixels) => {
            let pixel = |(&byte, &(_, stored)): (&u8, &ScalarPlace)| match stored {
                Stored::U8 => Ok(u64::from(byte)),
                Stored::F32 => Ok(u64::from((f32::from(byte) / 255.0).to_bits())),
                Stored::Bool
                | Stored::I8
                | Stored::I16
                | Stored::U16
                | Stored::F16
                | Stored::I32
                | Stored::U32
                | Stored::I64
                | Stored::U64
                | Stored::F64 => {
                    let message = format!("`{}` holds pixels, and `{subject}` has `{stored}`", file.name);
                    Err(CommandError::new(message, "a picture is a texture of floats or of bytes"))
                }
            };
            pixels.iter().zip(places).map(pixel).collect()
        }
        FileNumbers::Words(words) => {
            let parsed = words.iter().zip(places).map(|(word, &(_, stored))| value::parse(word, stored));
            parsed.collect::<Result<_, _>>().map_err(|message| {
                CommandError::new(
                    format!("`{}` for `{subject}`: {message}", file.name),
                    "the types are those that the kernel stores",
                )
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use tilewise::ir::text::parse;

    use super::{FileNumbers, ParamScalars};

    #[test]
    fn the_scalars_of_a_type_are_counted_as_they_would_be_written_out() {
        let text = "struct Row size(20) { x: [i32; 2] @ 8, y: u8 @ 3 }
            struct Ends { n: i64, rows: [Row] }
            struct Huge { a: [[u8; 65536]; 60000 stride 65537], b: [Row; 0], c: u16 }
            kernel k(none: view<[f64; 400000000], 1, read>, view: view<Row, 2, read>, row: Row,
                ends: buffer<Ends, read>, huge: Huge) rank(1) {}";
        let kernel = parse("k.kir", text).expect("it parses");
        let of = |name: &str| {
            let param = kernel.params().iter().find(|param| &*param.name == name).expect("there is such a parameter");
            ParamScalars::of(&kernel, param)
        };
        assert_eq!(of("none").count(800_000_000), Some(2));
        assert_eq!((of("none").count(1), of("none").places(0)), (None, Vec::new()));
        assert_eq!((of("view").count(6), of("view").count_of_bytes(40)), (Some(2), Some(2)));
        let places: Vec<u64> = of("view").places(2).iter().map(|place| place.0).collect();
        assert_eq!(places, [8, 12, 3, 28, 32, 23]);
        // The last scalar ends at byte 16, and as many bytes more are padding.
        let fits = |bytes: u64| of("row").count_of_bytes(bytes).is_some();
        assert_eq!([15, 16, 31, 32].map(fits), [false, true, true, false]);
        assert_eq!((of("ends").count(7), of("ends").count_of_bytes(48)), (Some(2), Some(2)));
        // One row ends at byte 28, and the struct at 32; the scalars of the next end at 44.
        let rows = [27, 28, 32, 33, 43, 44].map(|bytes| of("ends").count_of_bytes(bytes));
        assert_eq!(rows, [Some(1), Some(1), Some(1), None, None, Some(2)]);
        let (words, bytes) = (FileNumbers::Words(Vec::new()), FileNumbers::Bytes(Vec::new()));
        assert_eq!(of("huge").described(&words), "3932160001 numbers");
        assert_eq!(of("view").described(&bytes), "20 bytes for each element");
        assert_eq!(of("ends").described(&bytes), "8 bytes, then 20 for each element");
        // The last element may lack its padding, and none may lack a number.
        assert_eq!([39, 36, 35, 20].map(|bytes| of("view").count_of_bytes(bytes)), [Some(2), Some(2), None, Some(1)]);
        let end = 65_537 * 60_000 + 2;
        assert_eq!((of("huge").count_of_bytes(end - 1), of("huge").count_of_bytes(end)), (None, Some(0)));
    }
}
