//! `BUFFER` and `IMAGE`.

use tilewise_header::{Complaint, FilePlace, value};
use tilewise_ir::types::Stored;

use crate::data_type::{ChannelMode, DataType, StructTable, TexelLayout, data_type, texel_format};
use crate::layout::{ElementLayout, LayoutRules};
use crate::number::{bits, float_bits, integer};
use crate::script::{ScriptBuffer, ScriptFault};
use crate::token::{ScriptLines, ScriptStatement, ScriptWord};

const FORM: &str =
    "BUFFER NAME DATA_TYPE type [STD140 | STD430] {SIZE n FILL v | SIZE n SERIES_FROM a INC_BY b | DATA .. END}";

/// Bytes of all buffers of a script, at most.
const MOST_BYTES: u64 = 1 << 28;
/// Scalars of the elements of all buffers, at most. The layout of each takes memory, however small the buffer is.
const MOST_SCALARS: usize = 1 << 24;

/// What buffers may have beside those before.
pub(crate) struct BufferRoom {
    bytes: u64,
    scalars: usize,
}

impl Default for BufferRoom {
    fn default() -> BufferRoom {
        BufferRoom { bytes: MOST_BYTES, scalars: MOST_SCALARS }
    }
}

/// The type of elements.
enum ElementType {
    Data(DataType),
    Texel(TexelLayout),
}

/// Reads a buffer or an image, which takes its part of the room.
pub(crate) fn read(
    mut statement: ScriptStatement,
    lines: &mut ScriptLines<'_>,
    structs: &StructTable,
    room: &mut BufferRoom,
) -> Result<ScriptBuffer, ScriptFault> {
    let is_image = statement.peek_is("IMAGE");
    statement.next();
    let name = statement.word("the name of the buffer")?;
    let mut reader = BufferReader { name, rules: LayoutRules::Std430, is_image, extent: [None; 3], size: None };
    let ty = reader.element_type(&mut statement, structs)?;
    reader.sizes(&mut statement)?;
    let (element, texels) = match ty {
        ElementType::Data(ty) => {
            let texels = texels_of(&ty);
            (ElementLayout::of(&ty, reader.rules, structs)?, texels)
        }
        ElementType::Texel(format) => (ElementLayout::of_texel(&format), Some(format)),
    };
    if let Some(byte) = element.shared_byte() {
        let help =
            format!("`OFFSET`, `ARRAY_STRIDE` and `MATRIX_STRIDE` leave room for each value; byte {byte} has two");
        let message = "two values of the elements of this buffer lie over each other";
        return Err(Complaint::new(reader.name.at, message, help).into());
    }
    room.scalars = room.scalars.checked_sub(element.scalars.len()).ok_or_else(|| {
        let help = format!("one element of each buffer has at most {MOST_SCALARS} scalars, all together");
        Complaint::new(reader.name.at, "the elements of the buffers have too many scalars", help)
    })?;
    let count = reader.count()?;
    let contents = reader.contents(&mut statement, lines, &element, count, room.bytes)?;
    room.bytes -= contents.len() as u64;
    let [width, height, depth] = reader.extent;
    let elements = contents.len() as u64 / element.stride.max(1);
    let is_image = reader.is_image || width.is_some();
    let width = width.unwrap_or(u32::try_from(elements).unwrap_or(u32::MAX));
    let extent = [width, height.unwrap_or(1), depth.unwrap_or(1)];
    Ok(ScriptBuffer { name: reader.name.text, at: reader.name.at, element, texels, extent, is_image, contents })
}

/// The texels that a scalar or a vector is as an image.
fn texels_of(ty: &DataType) -> Option<TexelLayout> {
    let (stored, count) = match ty {
        DataType::Scalar(stored) => (*stored, 1),
        DataType::Vector(stored, count) => (*stored, usize::from(*count)),
        DataType::Matrix { .. } | DataType::Struct(_) => return None,
    };
    let is_float = matches!(stored, Stored::F16 | Stored::F32 | Stored::F64);
    let mode = if is_float { ChannelMode::Float } else { ChannelMode::Integer };
    Some(TexelLayout { channels: b"RGBA"[..count].to_vec(), stored, mode })
}

struct BufferReader {
    name: ScriptWord,
    rules: LayoutRules,
    is_image: bool,
    extent: [Option<u32>; 3],
    size: Option<u32>,
}

impl BufferReader {
    fn element_type(
        &mut self,
        statement: &mut ScriptStatement,
        structs: &StructTable,
    ) -> Result<ElementType, ScriptFault> {
        let at = statement.at();
        let is_format = statement.skip("FORMAT");
        if !is_format {
            statement.expect("DATA_TYPE")?;
        }
        let word = statement.word("a type")?;
        match texel_format(&word.text) {
            Some(format) => Ok(ElementType::Texel(format)),
            None if is_format => {
                let help = "formats have channels of the same bits, such as R32_SFLOAT or R8G8B8A8_UNORM";
                Err(ScriptFault::refused(at, format!("the format `{}` is", word.text), help))
            }
            None => Ok(ElementType::Data(data_type(&word, structs)?)),
        }
    }

    /// Reads layout, levels, samples and sizes.
    fn sizes(&mut self, statement: &mut ScriptStatement) -> Result<(), ScriptFault> {
        loop {
            let at = statement.at();
            let dimensions = ["WIDTH", "HEIGHT", "DEPTH"];
            let dimension = dimensions.into_iter().position(|keyword| statement.peek_is(keyword));
            if let Some(dimension) = dimension {
                statement.next();
                ScriptStatement::once(at, self.extent[dimension].is_some(), dimensions[dimension])?;
                let size: u32 = statement.number("a size in texels")?;
                if size == 0 {
                    return Err(Complaint::new(at, "a size of 0", "images have texels").into());
                }
                self.extent[dimension] = Some(size);
            } else if statement.skip("STD140") {
                self.rules = LayoutRules::Std140;
            } else if statement.skip("STD430") {
                self.rules = LayoutRules::Std430;
            } else if statement.skip("MIP_LEVELS") {
                let levels: u32 = statement.number("the number of levels")?;
                if levels != 1 {
                    return Err(ScriptFault::refused(at, "images with several levels are", "write `MIP_LEVELS 1`"));
                }
            } else if statement.skip("SAMPLES") {
                let samples: u32 = statement.number("the number of samples")?;
                if samples != 1 {
                    return Err(ScriptFault::refused(at, "images with several samples are", "write `SAMPLES 1`"));
                }
            } else if statement.skip("SIZE") {
                ScriptStatement::once(at, self.size.is_some(), "SIZE")?;
                self.size = Some(statement.number("the number of elements")?);
            } else if !(statement.skip("DIM_1D") || statement.skip("DIM_2D") || statement.skip("DIM_3D")) {
                return Ok(());
            }
        }
    }

    /// The number of elements, if it is said.
    fn count(&self) -> Result<Option<u64>, Complaint> {
        if self.extent.iter().all(Option::is_none) {
            return Ok(self.size.map(u64::from));
        }
        let sizes = self.extent.iter().map(|size| u64::from(size.unwrap_or(1)));
        let count = sizes.fold(1u64, u64::saturating_mul);
        if self.size.is_some() || self.extent[0].is_none() {
            let help = "an image has a WIDTH, and perhaps a HEIGHT and a DEPTH, in place of a SIZE";
            return Err(Complaint::new(self.name.at, "these sizes do not fit together", help));
        }
        Ok(Some(count))
    }

    /// What the buffer holds at first.
    fn contents(
        &self,
        statement: &mut ScriptStatement,
        lines: &mut ScriptLines<'_>,
        element: &ElementLayout,
        count: Option<u64>,
        bytes_left: u64,
    ) -> Result<Vec<u8>, ScriptFault> {
        let at = statement.at();
        if statement.skip("DATA") {
            return Ok(self.data(statement, lines, element, count, bytes_left)?);
        }
        if statement.skip("FILE") {
            let help = "write the numbers into the script: `DATA .. END`";
            return Err(ScriptFault::refused(at, "buffers from files are", help));
        }
        let Some(count) = count else {
            if self.is_image || statement.peek().is_none() {
                let help = "images here have a WIDTH and a HEIGHT; those of the size of a framebuffer are of graphics";
                return Err(ScriptFault::refused(self.name.at, "buffers without a size are", help));
            }
            return Err(statement.wrong("`SIZE` or `DATA`").into());
        };
        if count == 0 {
            return Err(Complaint::new(self.name.at, "a buffer without elements", "write a SIZE of 1 or more").into());
        }
        let size = element.stride.checked_mul(count).filter(|&size| size <= bytes_left);
        let size = size.ok_or_else(|| too_large(self.name.at))?;
        let mut out = vec![0; size as usize];
        if statement.skip("FILL") {
            let word = statement.word("the value to fill with")?;
            let mut one = vec![0; element.stride as usize];
            for &(offset, stored) in &element.scalars {
                value::write(&mut one, offset, stored, bits(&word, stored)?);
            }
            out.chunks_exact_mut(one.len().max(1)).for_each(|to| to.copy_from_slice(&one));
        } else if statement.skip("SERIES_FROM") {
            let start = statement.word("the first value")?;
            statement.expect("INC_BY")?;
            let step = statement.word("the step")?;
            series(&mut out, element, &start, &step)?;
        } else if statement.peek().is_some() {
            return Err(statement.wrong("`FILL`, `SERIES_FROM` or `DATA`").into());
        } else if !self.is_image {
            return Err(statement.wrong("`FILL` or `SERIES_FROM`").into());
        }
        statement.end(FORM)?;
        Ok(out)
    }

    /// The values up to `END`, in this statement and those behind it.
    fn data(
        &self,
        statement: &mut ScriptStatement,
        lines: &mut ScriptLines<'_>,
        element: &ElementLayout,
        count: Option<u64>,
        bytes_left: u64,
    ) -> Result<Vec<u8>, Complaint> {
        let mut out = Vec::new();
        let per = element.scalars.len().max(1);
        let mut number = 0;
        let mut current = statement.clone();
        loop {
            let Some(word) = current.next() else {
                let help = "write `END` behind the values";
                current = lines
                    .statement()
                    .ok_or_else(|| Complaint::new(self.name.at, "the values of this buffer have no `END`", help))?;
                continue;
            };
            if word.text == "END" {
                break;
            }
            let &(offset, stored) = &element.scalars[number % per];
            if number % per == 0 {
                out.resize(out.len() + element.stride as usize, 0);
                if out.len() as u64 > bytes_left {
                    return Err(too_large(self.name.at));
                }
            }
            let begin = (number / per) as u64 * element.stride;
            value::write(&mut out, begin + offset, stored, bits(&word, stored)?);
            number += 1;
        }
        current.end(FORM)?;
        if !number.is_multiple_of(per) {
            let message = format!("{number} values are no whole number of elements of {per} values");
            return Err(Complaint::new(self.name.at, message, "add the values of the last element"));
        }
        let elements = (number / per) as u64;
        match count {
            _ if number == 0 => {
                Err(Complaint::new(self.name.at, "this buffer has no values", "write them between `DATA` and `END`"))
            }
            Some(count) if count != elements => {
                let message = format!("{elements} elements are given, and the size is {count}");
                Err(Complaint::new(self.name.at, message, "make both the same"))
            }
            _ => Ok(out),
        }
    }
}

fn too_large(at: FilePlace) -> Complaint {
    let help = format!("the buffers of a script have at most {MOST_BYTES} bytes together");
    Complaint::new(at, "this buffer is too large", help)
}

/// Fills a buffer with numbers that increase by a step from scalar to scalar.
fn series(out: &mut [u8], element: &ElementLayout, start: &ScriptWord, step: &ScriptWord) -> Result<(), Complaint> {
    let stored = element.scalars.first().map_or(Stored::U32, |scalar| scalar.1);
    let is_float = |stored: Stored| matches!(stored, Stored::F16 | Stored::F32 | Stored::F64);
    let float = |word: &ScriptWord| bits(word, Stored::F64).map(f64::from_bits);
    let has_floats = element.scalars.iter().any(|&(_, stored)| is_float(stored));
    let (mut number, by) = if has_floats { (float(start)?, float(step)?) } else { (0.0, 0.0) };
    let (mut whole, whole_by) = if has_floats { (0, 0) } else { (integer(start, stored)?, integer(step, stored)?) };
    let count = out.len() as u64 / element.stride.max(1);
    for i in 0..count {
        for &(offset, stored) in &element.scalars {
            let bits = match is_float(stored) {
                true => float_bits(number, stored),
                // An integer wraps, as it does in Amber.
                false if has_floats => number as i128 as u64 & value::mask(stored),
                false => whole as u64 & value::mask(stored),
            };
            value::write(out, i * element.stride + offset, stored, bits);
            number += by;
            whole += whole_by;
        }
    }
    Ok(())
}
