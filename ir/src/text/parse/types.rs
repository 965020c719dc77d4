//! Types and structs. An inconsistent layout is refused here, because later stages add sizes
//! without checks.

use std::collections::HashMap;

use super::scope::{self, NameMeaning};
use super::{Parsed, Parser, foreign};
use crate::diag::{Code, Diagnostic};
use crate::limits::{MAX_NESTING, MAX_TYPE_PARTS};
use crate::names;
use crate::pos::Pos;
use crate::text::lex::TokenKind;
use crate::text::number;
use crate::types::{Access, Field, Name, Scalar, Stored, Struct, Type, TypeId, ValueType, ViewType, round_up};

/// A field in source form.
struct WrittenField<'t> {
    name: &'t str,
    pos: Pos,
    ty: TypeId,
    offset: Option<u32>,
}

impl<'t> Parser<'t, '_> {
    /// A memory type.
    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        self.deeper(Self::ty_inside)
    }

    fn ty_inside(&mut self) -> Parsed<TypeId> {
        let token = self.peek();
        if self.eat("[") {
            return self.array(token.pos);
        }
        if token.kind != TokenKind::Word {
            return Err(self.unexpected("a type"));
        }
        if self.broken.contains(token.text) {
            return Err(super::ParseFailed);
        }
        self.next();
        if let Some((stored, width)) = names::type_by_name(token.text) {
            let ty = self.b.types().vector(stored, width);
            return self.measured(ty, token.pos);
        }
        if let Some(&ty) = self.structs.get(token.text) {
            return Ok(ty);
        }
        if let Some(ty) = self.link_struct(token.text) {
            return self.measured(ty, token.pos);
        }
        Err(self.unknown_type(token.text, token.pos))
    }

    fn unknown_type(&mut self, name: &str, pos: Pos) -> super::ParseFailed {
        if let Some(below) = self.declared_below(name, &["struct"]) {
            return self.report(scope::below_its_use(name, pos, below));
        }
        let mut report = Diagnostic::new(Code::K0005, format!("no type has the name `{name}`")).at(pos, "not a type");
        let other = foreign::type_for(name).or_else(|| {
            let structs = self.structs.keys().filter(|_| !self.hints.is_spent());
            let mut known: Vec<&str> = structs.map(String::as_str).collect();
            known.sort_unstable();
            let stored = Stored::ALL.iter().map(|stored| stored.name());
            self.hints.nearest(name, &mut known.into_iter().chain(stored)).map(str::to_owned)
        });
        if matches!(name, "view" | "buffer") {
            report = report.help(format!("only a parameter can be a {name}: `name: {name}<..>`"));
        } else if foreign::is_too_wide(name) {
            report = report.note("a vector has 2 to 4 components");
        } else if let Some(other) = other {
            report = report.help(format!("did you mean `{other}`?"));
        } else {
            report = report.note("a struct is declared above its use");
        }
        self.report(report)
    }

    fn array(&mut self, start: Pos) -> Parsed<TypeId> {
        let Ok(element) = self.ty() else {
            self.skip_bracket();
            return Err(super::ParseFailed);
        };
        let (mut length, mut at) = (None, start);
        if self.eat(";") {
            at = self.peek().pos;
            length = Some(self.number_u32("the length of the array")?);
        }
        let size = self.b.types().size(element);
        let natural = round_up(size, self.b.types().align(element));
        let stride = if self.eat("stride") {
            let at = self.peek().pos;
            let stride = self.number_u32("the stride")?;
            if u64::from(stride) < size {
                let what = format!("an element takes {size} bytes");
                self.report(Diagnostic::new(Code::K0008, "the elements of this array overlap").at(at, what));
            }
            stride
        } else {
            match u32::try_from(natural) {
                Ok(stride) => stride,
                Err(_) => return Err(self.too_large(start)),
            }
        };
        if !self.eat("]") {
            let expected = if length.is_none() { "`;` and a length, or `]`" } else { "`]`" };
            return Err(self.unexpected(expected));
        }
        let ty = self.b.types().add(Type::Array { element, length, stride });
        self.b.types().declared_at(ty, at);
        self.measured(ty, start)
    }

    fn too_large(&mut self, pos: Pos) -> super::ParseFailed {
        let report = Diagnostic::new(Code::K0008, "this type is too large").at(self.span(pos), "");
        self.report(report.note("an element and a struct have less than 4 GiB"))
    }

    /// Returns the type if its size as a tree is within the limits.
    fn measured(&mut self, ty: TypeId, pos: Pos) -> Parsed<TypeId> {
        let measure = self.b.so_far().types().measure(ty);
        if measure.depth > MAX_NESTING || measure.parts > MAX_TYPE_PARTS {
            let report = Diagnostic::new(Code::K0009, "this type has too many parts").at(self.span(pos), "");
            let note = format!(
                "types nest at most {MAX_NESTING} deep and have at most {MAX_TYPE_PARTS} parts when written out"
            );
            return Err(self.report(report.note(note)));
        }
        Ok(ty)
    }

    /// A number that is not a value: a length, rank or dimension.
    pub(super) fn number_u32(&mut self, what: &str) -> Parsed<u32> {
        let token = self.peek();
        if token.kind != TokenKind::Number {
            return Err(self.unexpected(&format!("a number: {what}")));
        }
        self.next();
        match number::constant(token.text, false, Some(Scalar::U32)) {
            Ok(constant) if constant.scalar == Scalar::U32 => Ok(constant.bits as u32),
            Ok(_) => {
                let message = format!("{what} is a whole number without suffix");
                Err(self.report(Diagnostic::new(Code::K0004, message).at(token.pos, "")))
            }
            Err(bad) => Err(self.bad_number(bad, token.pos)),
        }
    }

    pub(super) fn bad_number(&mut self, bad: number::Bad, pos: Pos) -> super::ParseFailed {
        let mut report = Diagnostic::new(Code::K0004, bad.message).at(pos, "");
        report.helps.extend(bad.help);
        self.report(report)
    }

    /// Whether a view type is next.
    pub(super) fn at_view(&self) -> bool {
        self.is("view") && self.is_ahead(1, "<")
    }

    /// `view<element, rank, access>`.
    pub(super) fn view(&mut self) -> Parsed<ViewType> {
        self.next();
        self.expect("<")?;
        let element = self.ty()?;
        self.expect(",")?;
        let rank = self.number_u32("the rank of the view")?;
        self.expect(",")?;
        let access = self.access()?;
        self.expect(">")?;
        Ok(ViewType { element, rank, access })
    }

    pub(super) fn access(&mut self) -> Parsed<Access> {
        Ok(if self.word(&["read", "read_write"])? == "read" { Access::Read } else { Access::ReadWrite })
    }

    /// The type of a value: a scalar, a vector or a view.
    pub(super) fn value_type(&mut self) -> Parsed<ValueType> {
        if self.at_view() {
            return self.view().map(ValueType::View);
        }
        let start = self.peek().pos;
        let ty = self.ty()?;
        let pos = self.span(start);
        let types = self.b.types();
        let (name, stored, value) = (types.show(ty), types.stored(ty), types.value(ty));
        match (stored, value) {
            (Some(stored), Some(value)) if stored == value.scalar.stored() => Ok(value.into()),
            (_, value) => {
                let report = Diagnostic::new(Code::K0005, format!("a value can not be of type `{name}`"))
                    .at(pos, "not the type of a value");
                Err(self.report(match value {
                    Some(value) => report.help(format!("`{name}` is a format of memory; it reads as `{value}`")),
                    None => report.help(format!("hand the place over: `&{name}` or `&mut {name}`")),
                }))
            }
        }
    }

    /// `struct Name { .. }`, from the name.
    pub(super) fn structure(&mut self) -> Parsed<(&'t str, TypeId)> {
        let (name, pos) = self.name("a struct")?;
        match self.structure_inside(name, pos) {
            Ok(ty) => {
                self.structs.insert(name.to_owned(), ty);
                Ok((name, ty))
            }
            Err(failed) => {
                self.broken.insert(name.to_owned());
                Err(failed)
            }
        }
    }

    fn structure_inside(&mut self, name: &'t str, pos: Pos) -> Parsed<TypeId> {
        let mut size = None;
        let mut align = None;
        while !self.is("{") {
            let word = self.peek();
            if !self.is("size") && !self.is("align") {
                return Err(self.unexpected("`{`, `size(..)` or `align(..)`"));
            }
            self.next();
            self.expect("(")?;
            let number = self.number_u32(if word.text == "size" { "the size" } else { "the alignment" })?;
            self.expect(")")?;
            *(if word.text == "size" { &mut size } else { &mut align }) = Some((number, self.span(word.pos)));
        }
        self.next();
        let mut fields = Vec::new();
        self.list_of_all("}", "the field", |p| {
            fields.push(p.field()?);
            Ok(())
        })?;
        let mut known: HashMap<&str, Pos> = HashMap::with_capacity(fields.len());
        for field in &fields {
            if let Some(first) = known.insert(field.name, field.pos) {
                let report = Diagnostic::new(Code::K0003, format!("the field `{}` is declared twice", field.name))
                    .at(field.pos, "declared again here")
                    .and(first, "first declared here");
                return Err(self.report(report));
            }
        }
        let ty = self.lay_out(name, pos, &fields, size, align);
        // An inconsistent layout was reported; the name is declared nevertheless.
        self.declare(name, NameMeaning::Struct, pos);
        self.measured(ty?, pos)
    }

    fn field(&mut self) -> Parsed<WrittenField<'t>> {
        let (name, pos) = self.name("a field")?;
        self.expect(":")?;
        let ty = self.ty()?;
        let offset = if self.eat("@") { Some(self.number_u32("the offset of the field")?) } else { None };
        Ok(WrittenField { name, pos, ty, offset })
    }

    /// Computes the offset of each field; unspecified ones follow `repr(C)`.
    fn lay_out(
        &mut self,
        name: &str,
        pos: Pos,
        written: &[WrittenField<'_>],
        size: Option<(u32, Pos)>,
        align: Option<(u32, Pos)>,
    ) -> Parsed<TypeId> {
        let mut end = 0_u64;
        let mut natural_align = 1;
        let mut fields = Vec::with_capacity(written.len());
        let mut ranges: Vec<(u64, u64, usize)> = Vec::with_capacity(written.len());
        for (i, field) in written.iter().enumerate() {
            let (field_size, field_align) = (self.b.types().size(field.ty), self.b.types().align(field.ty));
            natural_align = natural_align.max(field_align);
            let offset = field.offset.map_or_else(|| round_up(end, field_align), u64::from);
            end = offset + field_size;
            let (Ok(offset), true) = (u32::try_from(offset), end <= u64::from(u32::MAX)) else {
                return Err(self.too_large(field.pos));
            };
            ranges.push((u64::from(offset), end, i));
            fields.push(Field { name: Name::from(field.name), ty: field.ty, offset });
        }
        if let Some((align, at)) = align
            && !align.is_power_of_two()
        {
            let report = Diagnostic::new(Code::K0008, format!("{align} is no alignment")).at(at, "");
            return Err(self.report(report.note("an alignment is a power of two")));
        }
        let align = align.map_or(natural_align, |(align, _)| align);
        let end = ranges.iter().map(|range| range.1).max().unwrap_or(0);
        self.no_overlap(written, &mut ranges)?;
        let natural_size = round_up(end, align);
        let size = match size {
            Some((size, _)) if u64::from(size) >= end => size,
            Some((size, at)) => {
                let report = Diagnostic::new(Code::K0008, format!("the fields of `{name}` leave the struct"))
                    .at(at, format!("the last field ends at byte {end}, behind the size of {size}"));
                return Err(self.report(report));
            }
            None => match u32::try_from(natural_size) {
                Ok(size) => size,
                Err(_) => return Err(self.too_large(pos)),
            },
        };
        let ty = self.b.types().add(Type::Struct(Struct { name: Name::from(name), fields, size, align }));
        self.b.types().declared_at(ty, pos);
        Ok(ty)
    }

    fn no_overlap(&mut self, written: &[WrittenField<'_>], ranges: &mut Vec<(u64, u64, usize)>) -> Parsed<()> {
        // A field without bytes overlaps nothing, except that a runtime-sized field must be alone
        // at the end.
        ranges.retain(|range| range.0 < range.1 || self.b.so_far().types().is_runtime_sized(written[range.2].ty));
        ranges.sort_unstable();
        for pair in ranges.windows(2) {
            let [(_, end, first), (begin, _, second)] = [pair[0], pair[1]];
            if end > begin {
                let (first, second) = (&written[first], &written[second]);
                let report =
                    Diagnostic::new(Code::K0008, format!("the fields `{}` and `{}` overlap", first.name, second.name))
                        .at(second.pos, format!("begins at byte {begin}"))
                        .and(first.pos, format!("ends at byte {end}"));
                return Err(self.report(report));
            }
        }
        Ok(())
    }
}
