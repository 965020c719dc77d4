//! Where the scalars of an element of a buffer lie.
//!
//! | type | STD430 | STD140 |
//! |---|---|---|
//! | vector of 2, 4 as an element | packed | 16 bytes apart |
//! | vector of 3 | the place of 4 | the same |
//! | column of a matrix | as a vector | 16 bytes apart |
//! | array in a struct | elements by their alignment | 16 bytes apart at the least |
//! | struct | aligned as its largest member | to 16 bytes |
//!
//! Buffers are STD430 unless they say otherwise.

use tilewise_header::Complaint;
use tilewise_ir::types::Stored;

use crate::data_type::{DataType, StructMember, StructTable, TexelLayout};

/// The rules of a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LayoutRules {
    Std140,
    Std430,
}

/// An element of a buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ElementLayout {
    /// Bytes from one element to the next.
    pub stride: u64,
    /// Offset and type of each scalar, in the order in which scripts write them.
    pub scalars: Vec<(u64, Stored)>,
}

/// Bytes and scalars of an element, at most.
const MOST_BYTES: u64 = 1 << 24;
const MOST_SCALARS: usize = 1 << 18;

/// A type with its place: size and alignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlacedType {
    size: u64,
    align: u64,
}

impl ElementLayout {
    /// The element of a buffer of this type.
    pub(crate) fn of(ty: &DataType, rules: LayoutRules, structs: &StructTable) -> Result<ElementLayout, Complaint> {
        let mut layout = ElementLayout { stride: 0, scalars: Vec::new() };
        let placed = PlacedType::of(ty, None, rules, structs)?;
        layout.place(ty, 0, None, rules, structs)?;
        let apart = rules == LayoutRules::Std140 && !matches!(ty, DataType::Scalar(_));
        layout.stride = placed.size.next_multiple_of(if apart { placed.align.max(16) } else { placed.align });
        Ok(layout)
    }

    /// A byte that two scalars have, of one element or of neighbours: scripts may give offsets and strides that are too
    /// small, and a value would be lost.
    pub(crate) fn shared_byte(&self) -> Option<u64> {
        let mut sorted = self.scalars.clone();
        sorted.sort_unstable_by_key(|scalar| scalar.0);
        let mut end = 0;
        for (at, stored) in sorted {
            if at < end {
                return Some(at);
            }
            end = at + u64::from(stored.size());
        }
        (end > self.stride).then_some(self.stride)
    }

    /// The texel of a format: its channels without gaps.
    pub(crate) fn of_texel(format: &TexelLayout) -> ElementLayout {
        let size = u64::from(format.stored.size());
        let count = format.channels.len() as u64;
        ElementLayout { stride: size * count, scalars: (0..count).map(|i| (i * size, format.stored)).collect() }
    }

    /// Adds the scalars of a type at byte `at`.
    fn place(
        &mut self,
        ty: &DataType,
        at: u64,
        matrix_stride: Option<u64>,
        rules: LayoutRules,
        structs: &StructTable,
    ) -> Result<(), Complaint> {
        match ty {
            &DataType::Scalar(stored) => self.scalars.push((at, stored)),
            &DataType::Vector(stored, width) => {
                let size = u64::from(stored.size());
                self.scalars.extend((0..u64::from(width)).map(|i| (at + i * size, stored)));
            }
            &DataType::Matrix { stored, columns, rows } => {
                let size = u64::from(stored.size());
                let stride = matrix_stride.unwrap_or_else(|| column_align(stored, rows, rules));
                for column in 0..u64::from(columns) {
                    self.scalars.extend((0..u64::from(rows)).map(|i| (at + column * stride + i * size, stored)));
                }
            }
            DataType::Struct(name) => {
                let mut end = 0;
                for member in members(name, structs) {
                    let placed = PlacedMember::of(member, end, rules, structs)?;
                    end = placed.end;
                    for i in 0..placed.count {
                        let here = at + placed.offset + i * placed.stride;
                        self.place(&member.ty, here, member.matrix_stride, rules, structs)?;
                        if self.scalars.len() > MOST_SCALARS {
                            return Err(too_large(member));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl PlacedType {
    fn of(
        ty: &DataType,
        matrix_stride: Option<u64>,
        rules: LayoutRules,
        structs: &StructTable,
    ) -> Result<PlacedType, Complaint> {
        Ok(match ty {
            &DataType::Scalar(stored) => {
                let size = u64::from(stored.size());
                PlacedType { size, align: size }
            }
            &DataType::Vector(stored, width) => {
                let size = u64::from(stored.size()) * u64::from(width);
                PlacedType { size, align: vector_align(stored, width) }
            }
            &DataType::Matrix { stored, columns, rows } => {
                let align = column_align(stored, rows, rules);
                PlacedType { size: matrix_stride.unwrap_or(align) * u64::from(columns), align }
            }
            DataType::Struct(name) => match structs.get(name) {
                Some(described) => described.sizes[rules as usize].clone()?,
                None => PlacedType { size: 0, align: 1 },
            },
        })
    }

    /// The sizes of a struct by both rules, in the order of these.
    pub(crate) fn of_struct(members: &[StructMember], structs: &StructTable) -> [Result<PlacedType, Complaint>; 2] {
        [LayoutRules::Std140, LayoutRules::Std430].map(|rules| {
            let (mut end, mut align) = (0, 1);
            for member in members {
                let placed = PlacedMember::of(member, end, rules, structs)?;
                end = placed.end;
                align = align.max(placed.align);
            }
            let align = if rules == LayoutRules::Std140 { align.max(16) } else { align };
            Ok(PlacedType { size: end.next_multiple_of(align), align })
        })
    }
}

/// A member of a struct with its place.
struct PlacedMember {
    /// The first byte of the first element; a member that is no array has one.
    offset: u64,
    stride: u64,
    count: u64,
    align: u64,
    /// The end of the struct up to this member.
    end: u64,
}

impl PlacedMember {
    /// The place of a member behind the byte `end` of a struct.
    fn of(
        member: &StructMember,
        end: u64,
        rules: LayoutRules,
        structs: &StructTable,
    ) -> Result<PlacedMember, Complaint> {
        let alone = PlacedType::of(&member.ty, member.matrix_stride, rules, structs)?;
        let is_std140 = rules == LayoutRules::Std140;
        let align = if is_std140 && member.length.is_some() { alone.align.max(16) } else { alone.align };
        let offset = member.offset.unwrap_or_else(|| end.next_multiple_of(align));
        let stride = member.array_stride.unwrap_or_else(|| alone.size.next_multiple_of(align));
        let count = u64::from(member.length.unwrap_or(1));
        let size = if member.length.is_some() { stride.checked_mul(count) } else { Some(alone.size) };
        let size = size.and_then(|size| size.checked_add(offset)).filter(|&size| size <= MOST_BYTES);
        let size = size.ok_or_else(|| too_large(member))?;
        Ok(PlacedMember { offset, stride, count, align, end: size.max(end) })
    }
}

fn members<'s>(name: &str, structs: &'s StructTable) -> &'s [StructMember] {
    structs.get(name).map_or(&[][..], |described| &described.members)
}

fn too_large(member: &StructMember) -> Complaint {
    Complaint::new(member.at, "this struct is too large", format!("it has at most {MOST_BYTES} bytes"))
}

/// The alignment of a column of a matrix.
fn column_align(stored: Stored, rows: u8, rules: LayoutRules) -> u64 {
    let align = vector_align(stored, rows);
    if rules == LayoutRules::Std140 { align.max(16) } else { align }
}

/// The alignment of a vector: that of 3 is the one of 4.
fn vector_align(stored: Stored, width: u8) -> u64 {
    u64::from(stored.size()) * if width == 2 { 2 } else { 4 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_type::read_struct;
    use crate::token::ScriptLines;

    fn offsets(members: &str, rules: LayoutRules) -> (u64, Vec<u64>) {
        let text = format!("{members}\nEND");
        let inner = read_struct(&mut ScriptLines::new("int32 a\nvec3<float> b\nEND"), &StructTable::new()).unwrap();
        let mut structs = StructTable::from([("Inner".to_owned(), inner)]);
        let described = read_struct(&mut ScriptLines::new(&text), &structs).unwrap();
        structs.insert("S".to_owned(), described);
        let layout = ElementLayout::of(&DataType::Struct("S".to_owned()), rules, &structs).unwrap();
        (layout.stride, layout.scalars.iter().map(|scalar| scalar.0).collect())
    }

    #[test]
    fn members_lie_as_the_rules_say() {
        let array = "float a\nuint8 b[2]\nfloat c";
        assert_eq!(offsets(array, LayoutRules::Std430), (12, vec![0, 4, 5, 8]));
        assert_eq!(offsets(array, LayoutRules::Std140), (64, vec![0, 16, 32, 48]));
        let nested = "float a\nInner b\ndouble c";
        assert_eq!(offsets(nested, LayoutRules::Std430), (64, vec![0, 16, 32, 36, 40, 48]));
        let matrix = "mat2x2<float> m\nvec2<float> v";
        assert_eq!(offsets(matrix, LayoutRules::Std430), (24, vec![0, 4, 8, 12, 16, 20]));
        assert_eq!(offsets(matrix, LayoutRules::Std140), (48, vec![0, 4, 16, 20, 32, 36]));
        let own = "float a OFFSET 8\nfloat b[2] OFFSET 32 ARRAY_STRIDE 8\nmat2x2<float> m MATRIX_STRIDE 32";
        assert_eq!(offsets(own, LayoutRules::Std430).1, [8, 32, 40, 48, 52, 80, 84]);
    }

    #[test]
    fn large_structs_are_refused() {
        let structs = StructTable::new();
        let described = read_struct(&mut ScriptLines::new("double a[4000000]\nEND"), &structs).unwrap();
        let structs = StructTable::from([("S".to_owned(), described)]);
        let refused = ElementLayout::of(&DataType::Struct("S".to_owned()), LayoutRules::Std140, &structs);
        assert!(refused.unwrap_err().message.contains("too large"));
    }
}
