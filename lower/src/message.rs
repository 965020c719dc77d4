//! Values in messages: which parts are written, and what stands between them. The closure on `native`
//! writes by the same [`WrittenValue`].
//!
//! By `{}`, a tuple, a struct and their like are their parts in brackets. By `{:?}` they look as
//! `derive(Debug)` writes them, and by `{:#?}` with each part on a line of its own.

use super::state::{Lower, OrNoValue};
use super::types::vector_fields;
use super::value::LoweredValue;
use super::{RustType, StructTy};
use tilewise_ast::Expr;
use tilewise_ir::format::{TextNotation, ValueFormat};
use tilewise_ir::kernel::{Const, InstKind, Message, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Name, Scalar, Stored};

/// A value in a message, as far as its type determines it.
#[derive(Debug, Default)]
pub struct WrittenValue {
    /// The texts around the leaves, one more than there are of those.
    pub pieces: Vec<String>,
    /// The numbers that are written, in order.
    pub leaves: Vec<WrittenLeaf>,
    /// The text behind the last leaf.
    piece: String,
    /// The number of parts so far.
    parts: u32,
}

/// The most parts of a value that is written.
const MAX_PARTS: u32 = 1 << 16;

/// A number that is written.
#[derive(Debug)]
pub struct WrittenLeaf {
    /// Its type.
    pub data: Data,
    /// How it is written.
    pub format: ValueFormat,
    /// Is added to it: of an enum, the discriminant that stands for zero.
    pub base: u32,
    /// The bits that are written.
    pub mask: Option<u32>,
}

impl WrittenValue {
    /// A value of a type in a format; `None` if such values cannot be written.
    pub fn of(ty: &RustType, format: &ValueFormat) -> Option<WrittenValue> {
        let mut out = WrittenValue::default();
        out.add(ty, format, 0)?;
        let last = std::mem::take(&mut out.piece);
        out.pieces.push(last);
        Some(out)
    }

    fn leaf(&mut self, data: Data, format: ValueFormat) -> &mut WrittenLeaf {
        self.pieces.push(std::mem::take(&mut self.piece));
        let at = self.leaves.len();
        self.leaves.push(WrittenLeaf { data, format, base: 0, mask: None });
        &mut self.leaves[at]
    }

    fn add(&mut self, ty: &RustType, format: &ValueFormat, depth: usize) -> Option<()> {
        self.parts += 1;
        if self.parts > MAX_PARTS || matches!(ty, RustType::Array(_, count) if *count > MAX_PARTS) {
            return None;
        }
        let debug = format.notation.is_debug();
        let component = RustType::scalar(Scalar::I32);
        match ty {
            RustType::Data(data @ Data { width: 2.., .. }) if debug => {
                let parts: Vec<RustType> = (0..data.width).map(|_| RustType::scalar(data.scalar)).collect();
                let names: Vec<&str> = vector_fields(ty).unwrap_or_default().to_vec();
                self.fields(vector_name(*data), &names, &parts, format, depth)
            }
            RustType::Data(data) => {
                self.leaf(*data, format.clone());
                Some(())
            }
            RustType::Small(stored) => {
                let mask = match stored {
                    Stored::I8 => Some(0xff),
                    Stored::I16 => Some(0xffff),
                    _ => None,
                };
                let leaf = self.leaf(Data::scalar(stored.value()), format.clone());
                leaf.mask = mask.filter(|_| format.notation.is_of_bits());
                Some(())
            }
            RustType::Char => {
                let notation = if debug { TextNotation::CharDebug } else { TextNotation::Char };
                self.leaf(Data::U32, ValueFormat { notation, ..format.clone() });
                Some(())
            }
            RustType::Enum(of) => {
                let names = of.variants.iter().map(|(name, number)| (*number, Name::from(*name)));
                // A derived `Debug` writes the name of a variant as it is, whatever the width.
                let format = match debug {
                    true => {
                        let notation = TextNotation::Debug;
                        ValueFormat { names: names.collect(), notation, ..ValueFormat::default() }
                    }
                    false => format.clone(),
                };
                self.leaf(Data::scalar(of.scalar), format).base = of.zero();
                Some(())
            }
            RustType::Unit if debug => {
                format.text(&mut self.piece, "()");
                Some(())
            }
            RustType::Unit => self.group(["(", ")"], &[], &[], format, depth),
            RustType::Tuple(parts) if debug && parts.len() == 1 && !format.alternate => {
                self.group(["(", ",)"], &[], parts, format, depth)
            }
            RustType::Tuple(parts) => self.group(["(", ")"], &[], parts, format, depth),
            RustType::Array(element, count) => {
                let parts = vec![RustType::clone(element); *count as usize];
                self.group(["[", "]"], &[], &parts, format, depth)
            }
            RustType::Struct(of) => self.of_struct(of, format, depth),
            RustType::Index(rank) | RustType::Extent(rank) if debug => {
                let name = if matches!(ty, RustType::Index(_)) { "Index" } else { "Extent" };
                let inside = RustType::Array(component.into(), *rank);
                self.group([&format!("{name}("), ")"], &[], &[inside], format, depth)
            }
            RustType::Index(rank) | RustType::Extent(rank) => {
                self.group(["(", ")"], &[], &vec![component; *rank as usize], format, depth)
            }
            RustType::TiledExtent(tile) => self.group(["(", ")"], &[], &vec![component; tile.len()], format, depth),
            RustType::Variants(_)
            | RustType::TiledIndex(_)
            | RustType::Barrier
            | RustType::View { .. }
            | RustType::TileStatic(_)
            | RustType::Atomic(_) => None,
        }
    }

    fn of_struct(&mut self, of: &StructTy, format: &ValueFormat, depth: usize) -> Option<()> {
        let parts: Vec<RustType> = of.fields.iter().map(|field| field.ty.clone()).collect();
        if !format.notation.is_debug() {
            return self.group(["{", "}"], &[], &parts, format, depth);
        }
        // `Debug` does not write the arguments of a generic struct.
        let name = of.name.split('<').next().unwrap_or_default();
        // Nor does it write brackets without fields, or the width.
        if of.fields.is_empty() {
            self.piece += name;
            return Some(());
        }
        if of.fields.iter().all(|field| field.name.starts_with(|c: char| c.is_ascii_digit())) {
            return self.group([&format!("{name}("), ")"], &[], &parts, format, depth);
        }
        let names: Vec<&str> = of.fields.iter().map(|field| field.name).collect();
        self.fields(name, &names, &parts, format, depth)
    }

    fn fields(
        &mut self,
        name: &str,
        names: &[&str],
        parts: &[RustType],
        format: &ValueFormat,
        depth: usize,
    ) -> Option<()> {
        let (open, close) = if format.alternate { (" {", "}") } else { (" { ", " }") };
        self.group([&format!("{name}{open}"), close], names, parts, format, depth)
    }

    /// Parts between brackets.
    fn group(
        &mut self,
        [open, close]: [&str; 2],
        names: &[&str],
        parts: &[RustType],
        format: &ValueFormat,
        depth: usize,
    ) -> Option<()> {
        let on_lines = format.notation.is_debug() && format.alternate && !parts.is_empty();
        self.piece += open;
        for (i, part) in parts.iter().enumerate() {
            if on_lines {
                self.piece += "\n";
                self.piece += &"    ".repeat(depth + 1);
            } else if i > 0 {
                self.piece += ", ";
            }
            if let Some(name) = names.get(i) {
                self.piece += name;
                self.piece += ": ";
            }
            self.add(part, format, depth + 1)?;
            if on_lines {
                self.piece += ",";
            }
        }
        if on_lines {
            self.piece += "\n";
            self.piece += &"    ".repeat(depth);
        }
        self.piece += close;
        Some(())
    }
}

/// The name of a vector type.
const fn vector_name(data: Data) -> &'static str {
    match (data.scalar, data.width) {
        (Scalar::I32, 2) => "Int2",
        (Scalar::I32, 3) => "Int3",
        (Scalar::I32, _) => "Int4",
        (Scalar::U32, 2) => "UInt2",
        (Scalar::U32, 3) => "UInt3",
        (Scalar::U32, _) => "UInt4",
        (Scalar::F32, 2) => "Float2",
        (Scalar::F32, 3) => "Float3",
        (Scalar::F32, _) => "Float4",
        (Scalar::F64, 2) => "Double2",
        (Scalar::F64, 3) => "Double3",
        (Scalar::F64, _) => "Double4",
        (Scalar::Bool | Scalar::I64 | Scalar::U64, _) => "vector",
    }
}

impl Lower {
    pub(super) fn print(
        &mut self,
        pieces: &[String],
        values: &[Expr],
        formats: &[String],
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let message = self.message(pieces, values, formats, pos)?;
        self.emit(InstKind::Print(message), pos)?;
        Ok(LoweredValue::UNIT)
    }

    pub(super) fn message(
        &mut self,
        pieces: &[String],
        values: &[Expr],
        formats: &[String],
        pos: Pos,
    ) -> OrNoValue<Message> {
        if pieces.len() != values.len() + 1 || formats.len() != values.len() {
            return self.broken("a message with other than one value between two pieces", pos);
        }
        let mut out = Message { pieces: Vec::new(), values: Vec::new(), formats: Vec::new() };
        let mut before = pieces[0].clone();
        for ((value, format), piece) in values.iter().zip(formats).zip(&pieces[1..]) {
            let at = self.pos(value.at);
            let value = self.value(value)?;
            let Some(format) = ValueFormat::parse(format) else { return self.broken("a format that is none", at) };
            self.spend(value.ty.leaves(), at)?;
            let Some(written) = WrittenValue::of(&value.ty, &format) else {
                let what = format!("a `{}` in a message", value.ty.show());
                let help = "write its parts, `match x { Some(x) => print!(\"{x}\"), None => print!(\"none\") }`";
                return self.formless(what, "only numbers can be written, and what consists of them", help, at);
            };
            let mut leaves = Vec::new();
            self.leaves_of(&value, format.notation.is_debug(), &mut leaves, at)?;
            if leaves.len() != written.leaves.len() {
                return self.broken(format!("a `{}` of other parts", value.ty.show()), at);
            }
            let last = written.pieces.len() - 1;
            for (i, text) in written.pieces.iter().enumerate() {
                before += text;
                if i < last {
                    out.pieces.push(std::mem::take(&mut before).into());
                }
            }
            for (leaf, id) in written.leaves.into_iter().zip(leaves) {
                out.values.push(self.masked(id, leaf.mask, at)?);
                out.formats.push(leaf.format);
            }
            before += piece;
        }
        out.pieces.push(before.into());
        // A message without formats has one form.
        if out.formats.iter().all(|format| *format == ValueFormat::default()) {
            out.formats.clear();
        }
        Ok(out)
    }

    fn masked(&mut self, id: ValueId, mask: Option<u32>, pos: Pos) -> OrNoValue<ValueId> {
        let Some(mask) = mask else { return Ok(id) };
        let mask = self.b.constant(Const::i32(mask as i32));
        self.op(Op::And, &[id, mask], pos)
    }

    /// The numbers in a value, in order.
    fn leaves_of(&mut self, value: &LoweredValue, components: bool, out: &mut Vec<ValueId>, pos: Pos) -> OrNoValue<()> {
        if let Some(data) = value.ty.data() {
            let id = self.number_of(value, pos)?;
            if data.width == 1 || !components {
                out.push(id);
                return Ok(());
            }
            for i in 0..data.width {
                out.push(self.inst(InstKind::Swizzle { value: id, components: vec![i] }, pos)?);
            }
            return Ok(());
        }
        self.nested(pos, |lower| {
            for i in 0..value.ty.count() {
                let part = lower.part(value, i, pos)?;
                lower.leaves_of(&part, components, out, pos)?;
            }
            Ok(())
        })
    }
}
