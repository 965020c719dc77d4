//! The wording for values, places, types and operations in reports: their names in the source, or a
//! description.

use super::body::Body;
use crate::diag::Diagnostic;
use crate::kernel::{Const, Function, Init, InstKind, Kernel, Place, Root, Step, ValueDef, ValueId};
use crate::ops::Op;
use crate::pos::Pos;
use crate::text::operators::{self, Operator};
use crate::types::{Scalar, Type, ValueType};
use crate::typing::PlaceType;

/// The operation in source syntax: `+`, `as f32`, `min`.
pub(crate) fn operation(op: Op) -> &'static str {
    match operators::of(op) {
        Operator::Infix(mark, _) | Operator::Prefix(mark) => mark,
        Operator::Cast(scalar) => match scalar {
            Scalar::Bool => "as bool",
            Scalar::I32 => "as i32",
            Scalar::U32 => "as u32",
            Scalar::I64 => "as i64",
            Scalar::U64 => "as u64",
            Scalar::F32 => "as f32",
            Scalar::F64 => "as f64",
        },
        Operator::Named => op.name(),
    }
}

/// A constant in the text form, without suffix.
pub(crate) fn constant(constant: Const) -> String {
    match constant.scalar {
        Scalar::Bool => (constant.bits != 0).to_string(),
        Scalar::F32 => with_point(f32::from_bits(constant.bits as u32).to_string()),
        Scalar::F64 => with_point(f64::from_bits(constant.bits).to_string()),
        Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => constant.integer().unwrap_or(0).to_string(),
    }
}

/// A point distinguishes a float from an integer.
fn with_point(shown: String) -> String {
    if shown.bytes().all(|b| b.is_ascii_digit() || b == b'-') { shown + ".0" } else { shown }
}

/// `a` or `an`, before a type.
pub(crate) fn article(ty: &str) -> &'static str {
    if ty.starts_with(['i', 'f']) { "an" } else { "a" }
}

/// `1 index`, `2 indices`.
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// `a`, `b` and `c`.
pub(crate) fn list(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// A place in the text form, with `..` for computed indices.
pub(crate) fn place(kernel: &Kernel, function: &Function, place: &Place) -> String {
    let context = kernel.context(function);
    let index = |value: &ValueId| match function.values.get(value.index()) {
        Some(value) => match (&value.name, value.def) {
            (Some(name), _) => name.to_string(),
            (None, ValueDef::Const(c)) => constant(c),
            (None, ValueDef::Param(_) | ValueDef::Inst) => "..".to_owned(),
        },
        None => "..".to_owned(),
    };
    let mut out = match &place.root {
        Root::View { view, index: indices } => {
            let indices: Vec<String> = indices.iter().map(index).collect();
            format!("{}[{}]", value_name(kernel, function, *view).unwrap_or_else(|| "view".into()), indices.join(", "))
        }
        Root::Param(id) => kernel.params.get(id.index()).map_or("?", |param| &param.name).to_owned(),
        Root::Tile(id) => kernel.tile_vars.get(id.index()).map_or("?", |var| &var.name).to_owned(),
        Root::Table(id) => kernel.tables.get(id.index()).map_or("?", |table| &table.name).to_owned(),
        Root::Local(id) => function.locals.get(id.index()).map_or("?", |local| &local.name).to_owned(),
        Root::Ref(i) => function.params.get(*i as usize).map_or("?", |param| &param.name).to_owned(),
    };
    let mut at = context.root(&place.root).map(PlaceType::Whole);
    for step in &place.path {
        match (step, at) {
            (Step::Field(i), Some(PlaceType::Whole(id))) => {
                let name = match kernel.types.get(id) {
                    Type::Struct(s) => s.fields.get(*i as usize).map(|field| field.name.to_string()),
                    Type::Scalar(_) | Type::Vector(..) | Type::Array { .. } => None,
                };
                out += &format!(".{}", name.as_deref().unwrap_or("?"));
            }
            (Step::Field(_), _) => out += ".?",
            (Step::Component(i), _) => out += [".x", ".y", ".z", ".w"].get(usize::from(*i)).unwrap_or(&".?"),
            (Step::Index(value), _) => out += &format!("[{}]", index(value)),
        }
        at = at.and_then(|at| context.step(at, step));
    }
    out
}

/// The name of a value in the source, if it has one.
pub(crate) fn value_name(kernel: &Kernel, function: &Function, value: ValueId) -> Option<String> {
    let value = function.values.get(value.index())?;
    match value.def {
        ValueDef::Param(i) if std::ptr::eq(function, &kernel.entry) => {
            kernel.params.get(i as usize).map(|param| param.name.to_string())
        }
        ValueDef::Param(i) => function.params.get(i as usize).map(|param| param.name.to_string()),
        ValueDef::Const(_) | ValueDef::Inst => value.name.as_ref().map(ToString::to_string),
    }
}

/// A description of an instruction's result.
pub(crate) fn result_of(kernel: &Kernel, function: &Function, kind: &InstKind) -> String {
    let view_name = |view: &ValueId| {
        value_name(kernel, function, *view).map_or_else(|| "a view".to_owned(), |name| format!("`{name}`"))
    };
    match kind {
        InstKind::Op { op, .. } => format!("the result of `{}`", operation(*op)),
        InstKind::Compose(_) | InstKind::Splat { .. } => "the vector".to_owned(),
        InstKind::Swizzle { .. } | InstKind::ComponentAt { .. } => "the component".to_owned(),
        InstKind::Builtin(builtin) => format!("`{}[{}]`", builtin.name(), builtin.dimension()),
        InstKind::ViewExtent { view, .. } => format!("the extent of {}", view_name(view)),
        InstKind::Section { view, .. } => format!("the section of {}", view_name(view)),
        InstKind::Project { view, .. } => format!("the projection of {}", view_name(view)),
        InstKind::Reinterpret { view, .. } | InstKind::ViewAs { view, .. } => {
            format!("the view of the bytes of {}", view_name(view))
        }
        InstKind::Length(at) => format!("the length of `{}`", place(kernel, function, at)),
        InstKind::Load(at) => format!("`{}`", place(kernel, function, at)),
        InstKind::Atomic { op, .. } => format!("the result of `{}`", op.name()),
        InstKind::CompareExchange { .. } => "the result of `atomic_compare_exchange`".to_owned(),
        InstKind::Call { function: callee, .. } => match kernel.functions.get(callee.index()) {
            Some(callee) => format!("the result of `{}`", callee.name),
            None => "the result of a call".to_owned(),
        },
        InstKind::If { .. } => "the value of the `if`".to_owned(),
        InstKind::Scope { .. } => "the value of the scope".to_owned(),
        InstKind::Store { .. }
        | InstKind::Copy { .. }
        | InstKind::Declare { init: Init::Unset | Init::Zero | Init::Value(_), .. }
        | InstKind::Barrier(_)
        | InstKind::Fence(_)
        | InstKind::Print(_)
        | InstKind::Error(_)
        | InstKind::Abort
        | InstKind::Loop { .. }
        | InstKind::Switch { .. }
        | InstKind::Break { .. }
        | InstKind::Continue { .. }
        | InstKind::Return(_) => "a value".to_owned(),
    }
}

impl Body<'_> {
    /// A value in words: its name, or a description.
    pub(super) fn say(&self, value: ValueId) -> String {
        if let Some(name) = value_name(self.kernel, self.function, value) {
            return match self.function.values[value.index()].def {
                ValueDef::Param(_) => format!("parameter `{name}`"),
                ValueDef::Const(_) | ValueDef::Inst => format!("`{name}`"),
            };
        }
        match (self.function.values.get(value.index()).map(|value| value.def), self.definition(value)) {
            (Some(ValueDef::Const(c)), _) => format!("the constant `{}`", constant(c)),
            (_, Some(inst)) => result_of(self.kernel, self.function, &inst.kind),
            _ => "a value".to_owned(),
        }
    }

    /// A value as code in a help text.
    pub(super) fn code(&self, value: ValueId) -> String {
        if let Some(name) = value_name(self.kernel, self.function, value) {
            return name;
        }
        match (self.function.values.get(value.index()).map(|value| value.def), self.definition(value)) {
            (Some(ValueDef::Const(c)), _) => constant(c),
            (_, Some(inst)) => self.code_of(&inst.kind),
            (_, None) => "(..)".to_owned(),
        }
    }

    /// Short values as code, and no others: a help is one line.
    fn code_of(&self, kind: &InstKind) -> String {
        if let InstKind::Load(at) = kind {
            return self.say_place(at);
        }
        if let InstKind::Builtin(b) = kind {
            return format!("{}[{}]", b.name(), b.dimension());
        }
        "(..)".to_owned()
    }

    /// A value converted to another type, as code in a help text: a literal becomes another
    /// literal, if its value is the same.
    pub(super) fn converted(&self, value: ValueId, to: Scalar) -> String {
        let constant = match self.function.values.get(value.index()).map(|value| value.def) {
            Some(ValueDef::Const(constant)) => constant,
            _ => return format!("{} as {to}", self.code(value)),
        };
        let number = match constant.scalar {
            Scalar::Bool => None,
            Scalar::F32 => Some(f64::from(f32::from_bits(constant.bits as u32))),
            Scalar::F64 => Some(f64::from_bits(constant.bits)),
            // Beyond 2^53 some integers are not representable as `f64`.
            _ => constant.integer().filter(|n| n.unsigned_abs() <= 1 << 53).map(|n| n as f64),
        };
        let whole = number.filter(|n| {
            n.fract() == 0.0 && n.abs() <= 2_147_483_647.0 && (*n >= 0.0 || to.is_float() || to.is_signed_integer())
        });
        match (to, whole, number) {
            (Scalar::I32, Some(n), _) => format!("{n}"),
            (Scalar::U32 | Scalar::I64 | Scalar::U64, Some(n), _) => format!("{n}{to}"),
            (Scalar::F32, _, Some(n)) if n.is_finite() => with_point(n.to_string()),
            (Scalar::F64, _, Some(n)) if n.is_finite() => format!("{}f64", with_point(n.to_string())),
            _ => format!("{} as {to}", self.code(value)),
        }
    }

    /// A place in the text form.
    pub(super) fn say_place(&self, at: &Place) -> String {
        place(self.kernel, self.function, at)
    }

    /// A value's type with its article: "an `i32`".
    pub(super) fn typed(&self, value: ValueId) -> String {
        self.a(self.context.value(value))
    }

    /// A type with its article.
    pub(super) fn a(&self, ty: ValueType) -> String {
        let shown = self.kernel.types.show_value(ty);
        format!("{} `{shown}`", article(&shown))
    }

    /// The type of a place in the text form.
    pub(super) fn place_type(&self, ty: PlaceType) -> String {
        match ty {
            PlaceType::Whole(id) => self.kernel.types.show(id),
            PlaceType::Component(stored) => stored.name().to_owned(),
        }
    }

    /// Adds a label with the type of a value at its definition; not if the report already refers to
    /// that position.
    pub(super) fn with_origin(&self, report: Diagnostic, value: ValueId, here: Pos) -> Diagnostic {
        let text = format!("{} is {}", self.say(value), self.typed(value));
        match self.origin(value) {
            Some(pos) if !same(pos, here) && report.labels.iter().all(|label| label.text != text) => {
                report.and(pos, text)
            }
            _ => report,
        }
    }
}

fn same(a: Pos, b: Pos) -> bool {
    (a.source, a.line, a.column, a.length) == (b.source, b.line, b.column, b.length)
}
