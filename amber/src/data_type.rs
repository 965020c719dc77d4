//! Types of data: scalars, vectors, matrices, structs, and formats of texels.

use std::collections::BTreeMap;

use tilewise_header::{Complaint, FilePlace};
use tilewise_ir::types::Stored;

use crate::layout::PlacedType;
use crate::token::{ScriptLines, ScriptStatement, ScriptWord};

/// A type that buffers and members have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum DataType {
    Scalar(Stored),
    Vector(Stored, u8),
    Matrix { stored: Stored, columns: u8, rows: u8 },
    Struct(String),
}

/// A struct.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ScriptStruct {
    pub(crate) members: Vec<StructMember>,
    /// Its size and alignment by each of the rules, computed once: structs nest.
    pub(crate) sizes: [Result<PlacedType, Complaint>; 2],
    /// Structs nest as deep as this one at the most.
    pub(crate) depth: u32,
}

/// A member of a struct.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StructMember {
    pub(crate) at: FilePlace,
    pub(crate) ty: DataType,
    /// The length of an array.
    pub(crate) length: Option<u32>,
    pub(crate) offset: Option<u64>,
    pub(crate) array_stride: Option<u64>,
    pub(crate) matrix_stride: Option<u64>,
}

/// All structs of a script, by name.
pub(crate) type StructTable = BTreeMap<String, ScriptStruct>;

/// Structs in structs, at most: the layout of one is written by a recursion.
const MAX_DEPTH: u32 = 8;

/// The type of a word.
pub(crate) fn data_type(word: &ScriptWord, structs: &StructTable) -> Result<DataType, Complaint> {
    let text = word.text.as_str();
    let found = scalar(text).map(DataType::Scalar).or_else(|| vector(text)).or_else(|| matrix(text));
    let found = found.or_else(|| structs.contains_key(text).then(|| DataType::Struct(text.to_owned())));
    found.ok_or_else(|| {
        let help = "the types are int8 to int64, uint8 to uint64, float16, float, double, vec2<T> to vec4<T>, \
            mat2x2<T> to mat4x4<T>, and structs that are declared above";
        Complaint::new(word.at, format!("`{text}` is no type of data"), help)
    })
}

fn scalar(text: &str) -> Option<Stored> {
    Some(match text {
        "int8" => Stored::I8,
        "int16" => Stored::I16,
        "int32" => Stored::I32,
        "int64" => Stored::I64,
        "uint8" => Stored::U8,
        "uint16" => Stored::U16,
        "uint32" => Stored::U32,
        "uint64" => Stored::U64,
        "float16" => Stored::F16,
        "float" => Stored::F32,
        "double" => Stored::F64,
        _ => return None,
    })
}

fn vector(text: &str) -> Option<DataType> {
    let (width, component) = text.strip_prefix("vec")?.strip_suffix('>')?.split_once('<')?;
    Some(DataType::Vector(scalar(component)?, size_of(width)?))
}

fn matrix(text: &str) -> Option<DataType> {
    let (sizes, component) = text.strip_prefix("mat")?.strip_suffix('>')?.split_once('<')?;
    let (columns, rows) = sizes.split_once('x')?;
    Some(DataType::Matrix { stored: scalar(component)?, columns: size_of(columns)?, rows: size_of(rows)? })
}

fn size_of(word: &str) -> Option<u8> {
    word.parse().ok().filter(|size| (2..=4).contains(size) && word.len() == 1)
}

/// Reads the members of `STRUCT NAME .. END`; its first line is read.
pub(crate) fn read_struct(lines: &mut ScriptLines<'_>, structs: &StructTable) -> Result<ScriptStruct, Complaint> {
    let begin = lines.place();
    let mut out = ScriptStruct { members: Vec::new(), sizes: PlacedType::of_struct(&[], structs), depth: 1 };
    loop {
        let Some(mut statement) = lines.statement() else {
            return Err(Complaint::new(begin, "this struct has no `END`", "write `END` below its members"));
        };
        if statement.skip("END") {
            statement.end("END")?;
            break;
        }
        let word = statement.word("the type of a member")?;
        let ty = data_type(&word, structs)?;
        if let DataType::Struct(name) = &ty {
            out.depth = out.depth.max(structs.get(name).map_or(0, |inner| inner.depth) + 1);
        }
        if out.depth > MAX_DEPTH {
            return Err(Complaint::new(word.at, format!("structs nest more than {MAX_DEPTH} deep"), "take fewer"));
        }
        out.members.push(member(word.at, ty, &mut statement)?);
    }
    out.sizes = PlacedType::of_struct(&out.members, structs);
    if out.members.is_empty() {
        return Err(Complaint::new(begin, "this struct has no members", "write their types and names"));
    }
    Ok(out)
}

fn member(at: FilePlace, ty: DataType, statement: &mut ScriptStatement) -> Result<StructMember, Complaint> {
    let name = statement.word("the name of the member")?;
    let mut out = StructMember { at, ty, length: None, offset: None, array_stride: None, matrix_stride: None };
    if let Some((_, length)) = name.text.split_once('[') {
        let length = length.strip_suffix(']').and_then(|length| length.parse().ok()).filter(|&length| length > 0);
        let help = "write an array as `float weights[4]`";
        out.length = Some(length.ok_or_else(|| Complaint::new(name.at, "this is no length of an array", help))?);
    }
    loop {
        let place = statement.at();
        if statement.skip("OFFSET") {
            ScriptStatement::once(place, out.offset.is_some(), "OFFSET")?;
            out.offset = Some(u64::from(statement.number::<u32>("the offset in bytes")?));
        } else if statement.skip("ARRAY_STRIDE") {
            ScriptStatement::once(place, out.array_stride.is_some(), "ARRAY_STRIDE")?;
            out.array_stride = Some(u64::from(statement.number::<u32>("the stride in bytes")?));
            if out.length.is_none() {
                return Err(Complaint::new(
                    place,
                    "`ARRAY_STRIDE` is of arrays",
                    "write the length: `float weights[4]`",
                ));
            }
        } else if statement.skip("MATRIX_STRIDE") {
            ScriptStatement::once(place, out.matrix_stride.is_some(), "MATRIX_STRIDE")?;
            out.matrix_stride = Some(u64::from(statement.number::<u32>("the stride in bytes")?));
            if !matches!(out.ty, DataType::Matrix { .. }) {
                return Err(Complaint::new(place, "`MATRIX_STRIDE` is of matrices", "remove it"));
            }
        } else {
            break;
        }
    }
    statement.end("TYPE NAME [OFFSET n] [ARRAY_STRIDE n] [MATRIX_STRIDE n]")?;
    Ok(out)
}

/// How the bits of a channel are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelMode {
    /// Whole numbers.
    Integer,
    /// Parts of 1, from 0 or from -1.
    Norm,
    /// Floats.
    Float,
}

/// The format of a texel: channels of the same bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TexelLayout {
    /// The letter of each channel, in the order of memory.
    pub channels: Vec<u8>,
    /// How a channel is stored.
    pub stored: Stored,
    /// How its bits are read.
    pub mode: ChannelMode,
}

/// A format such as `R8G8B8A8_UNORM`; nothing for one whose channels are packed or differ.
pub(crate) fn texel_format(name: &str) -> Option<TexelLayout> {
    let (channels, mode) = name.rsplit_once('_')?;
    let bytes = channels.as_bytes();
    let (mut letters, mut width) = (Vec::new(), None);
    let mut at = 0;
    while at < bytes.len() {
        let letter = bytes[at];
        if !b"RGBA".contains(&letter) || letters.contains(&letter) {
            return None;
        }
        letters.push(letter);
        let digits = channels[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let bits: u32 = channels.get(at + 1..at + 1 + digits)?.parse().ok()?;
        if *width.get_or_insert(bits) != bits {
            return None;
        }
        at += 1 + digits;
    }
    let (stored, mode) = match (mode, width?) {
        ("UINT", 8) => (Stored::U8, ChannelMode::Integer),
        ("UINT", 16) => (Stored::U16, ChannelMode::Integer),
        ("UINT", 32) => (Stored::U32, ChannelMode::Integer),
        ("UINT", 64) => (Stored::U64, ChannelMode::Integer),
        ("SINT", 8) => (Stored::I8, ChannelMode::Integer),
        ("SINT", 16) => (Stored::I16, ChannelMode::Integer),
        ("SINT", 32) => (Stored::I32, ChannelMode::Integer),
        ("SINT", 64) => (Stored::I64, ChannelMode::Integer),
        ("UNORM", 8) => (Stored::U8, ChannelMode::Norm),
        ("UNORM", 16) => (Stored::U16, ChannelMode::Norm),
        ("SNORM", 8) => (Stored::I8, ChannelMode::Norm),
        ("SNORM", 16) => (Stored::I16, ChannelMode::Norm),
        ("SFLOAT", 16) => (Stored::F16, ChannelMode::Float),
        ("SFLOAT", 32) => (Stored::F32, ChannelMode::Float),
        ("SFLOAT", 64) => (Stored::F64, ChannelMode::Float),
        _ => return None,
    };
    Some(TexelLayout { channels: letters, stored, mode })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_formats_are_read_by_name() {
        let of = |text: &str| {
            data_type(&ScriptWord { at: FilePlace::default(), text: text.to_owned() }, &StructTable::new()).ok()
        };
        assert_eq!(of("uint8"), Some(DataType::Scalar(Stored::U8)));
        assert_eq!(of("vec3<float16>"), Some(DataType::Vector(Stored::F16, 3)));
        let matrix = DataType::Matrix { stored: Stored::F64, columns: 2, rows: 4 };
        assert_eq!(of("mat2x4<double>"), Some(matrix));
        for wrong in ["vec5<float>", "vec2<vec2<float>>", "mat2x<float>", "vec+2<float>", "Nothing", "vec2<>"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        let format = texel_format("B8G8R8A8_UNORM").unwrap();
        assert_eq!((format.channels.as_slice(), format.stored), (&b"BGRA"[..], Stored::U8));
        assert_eq!(texel_format("R32_SFLOAT").map(|format| format.mode), Some(ChannelMode::Float));
        for wrong in ["R8G16_UINT", "D32_SFLOAT", "R8R8_UINT", "R_UINT", "R8", "_UINT", "Ä8_UINT"] {
            assert_eq!(texel_format(wrong), None, "{wrong}");
        }
    }
}
