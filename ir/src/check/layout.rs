//! Memory types: their layout, and where they may be used. `K0205`, `K0206`, `K0602`, `K0606` to
//! `K0609`.
//!
//! Facts about types are computed once for each type, parts before wholes, without recursion: a
//! type may have exponentially many scalars.

use std::cell::LazyCell;

use super::report;
use crate::diag::{Code, Diagnostic, DiagnosticList};
use crate::kernel::{FnParamKind, InstKind, Kernel, ParamKind};
use crate::limits::{MAX_NESTING, MAX_RANK, MAX_TABLE, MAX_TABLE_SCALARS, MAX_TYPE_PARTS};
use crate::pos::Pos;
use crate::types::{Measure, Stored, Struct, Type, TypeId, Types, ValueType, ViewType};

/// The facts about a type that the checker needs.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct TypeFact {
    /// Whether it contains a `bool`.
    pub(super) has_bool: bool,
    /// Whether it is, or ends in, a runtime-sized array.
    pub(super) runtime_sized: bool,
}

/// The facts about all types of a kernel.
#[derive(Clone, Default, Debug)]
pub(super) struct TypeFacts {
    list: Vec<TypeFact>,
}

impl TypeFacts {
    /// Computes the facts.
    pub(super) fn of(types: &Types) -> TypeFacts {
        let mut facts = TypeFacts::default();
        for (_, ty) in types.iter() {
            let fact = match ty {
                Type::Scalar(stored) | Type::Vector(stored, _) => {
                    TypeFact { has_bool: *stored == Stored::Bool, runtime_sized: false }
                }
                Type::Array { element, length, .. } => {
                    let element = facts.of_type(*element);
                    TypeFact { has_bool: element.has_bool, runtime_sized: element.runtime_sized || length.is_none() }
                }
                Type::Struct(s) => {
                    let parts = || s.fields.iter().map(|field| facts.of_type(field.ty));
                    TypeFact {
                        has_bool: parts().any(|fact| fact.has_bool),
                        runtime_sized: parts().any(|fact| fact.runtime_sized),
                    }
                }
            };
            facts.list.push(fact);
        }
        facts
    }

    /// The facts about one type.
    pub(super) fn of_type(&self, id: TypeId) -> TypeFact {
        self.list.get(id.index()).copied().unwrap_or_default()
    }
}

/// Where each type is used first, for kernels without a text: there types have no place of their own.
struct FirstUses {
    /// By the numbers of the types.
    list: Vec<Option<Pos>>,
    /// The kernel's own place, for what nothing uses.
    kernel: Pos,
}

impl FirstUses {
    /// The first uses of the types of a kernel: by its parameters, its memory and tables, then by what its functions
    /// declare.
    fn of(kernel: &Kernel) -> FirstUses {
        let mut uses = FirstUses { list: vec![None; kernel.types.iter().count()], kernel: kernel.entry.pos };
        for param in &kernel.params {
            let ty = match param.kind {
                ParamKind::View(view) => view.element,
                ParamKind::Buffer { ty, .. } | ParamKind::Uniform(ty) => ty,
            };
            uses.note(kernel, ty, param.pos);
        }
        for var in &kernel.tile_vars {
            uses.note(kernel, var.ty, var.pos);
        }
        for table in &kernel.tables {
            uses.note(kernel, table.ty, table.pos);
        }
        for function in kernel.functions.iter().chain([&kernel.entry]) {
            for param in &function.params {
                match param.kind {
                    FnParamKind::Value(ValueType::View(view)) => uses.note(kernel, view.element, param.pos),
                    FnParamKind::Value(ValueType::Data(_) | ValueType::Invalid) => {}
                    FnParamKind::Ref { ty, .. } => uses.note(kernel, ty, param.pos),
                }
            }
            function.body.walk(&mut |inst| {
                if let InstKind::Declare { local, .. } = inst.kind
                    && let Some(local) = function.locals.get(local.index())
                {
                    uses.note(kernel, local.ty, inst.pos);
                }
            });
        }
        uses
    }

    /// Notes a use of a type, and so of its parts.
    fn note(&mut self, kernel: &Kernel, ty: TypeId, pos: Pos) {
        let mut left = vec![ty];
        while let Some(ty) = left.pop() {
            match self.list.get_mut(ty.index()) {
                Some(first @ None) => *first = Some(pos),
                Some(Some(_)) | None => continue,
            }
            match kernel.types.get(ty) {
                Type::Array { element, .. } => left.push(*element),
                Type::Struct(s) => left.extend(s.fields.iter().map(|field| field.ty)),
                Type::Scalar(_) | Type::Vector(..) => {}
            }
        }
    }

    /// The place of the first use, or else the kernel's.
    fn of_type(&self, id: TypeId) -> Pos {
        let used = self.list.get(id.index()).copied().flatten();
        used.filter(|pos| pos.is_known()).unwrap_or(self.kernel)
    }
}

/// Checks the types of a kernel and of its declarations.
pub(super) fn check(kernel: &Kernel, facts: &TypeFacts, reports: &mut DiagnosticList) {
    // Most kernels have nothing to report.
    let uses = LazyCell::new(|| FirstUses::of(kernel));
    for (id, ty) in kernel.types.iter() {
        let pos = || kernel.types.place(id).unwrap_or_else(|| uses.of_type(id));
        let Measure { depth, parts, .. } = kernel.types.measure(id);
        if depth == MAX_NESTING + 1 {
            reports.push(
                report(Code::K0606, format!("a type is nested {depth} deep or more"))
                    .at(pos(), format!("at most {MAX_NESTING}")),
            );
        }
        let is_small = |part: TypeId| kernel.types.measure(part).parts <= MAX_TYPE_PARTS;
        // Types that only hold such a type are not reported too.
        let is_first = || match ty {
            Type::Scalar(_) | Type::Vector(..) => true,
            Type::Array { element, .. } => is_small(*element),
            Type::Struct(s) => s.fields.iter().all(|field| is_small(field.ty)),
        };
        if parts > MAX_TYPE_PARTS && is_first() {
            reports.push(
                report(Code::K0606, format!("a type has {parts} parts when written out"))
                    .at(pos(), format!("at most {MAX_TYPE_PARTS}")),
            );
        }
        match ty {
            Type::Scalar(_) => {}
            Type::Vector(_, n) => {
                if !(2..=4).contains(n) {
                    reports.push(report(Code::K0608, format!("a vector type of {n} components")).at(pos(), "2 to 4"));
                }
            }
            Type::Array { element, length, stride } => {
                array(kernel, facts, id, (*element, *length, *stride), &pos, reports);
            }
            Type::Struct(s) => structure(kernel, facts, s, &pos, reports),
        }
    }
    for param in &kernel.params {
        let name = format!("`{}`", param.name);
        match param.kind {
            ParamKind::View(view) => view_type(kernel, facts, view, &name, param.pos, reports),
            ParamKind::Buffer { ty, .. } => {
                if facts.of_type(ty).has_bool {
                    reports.push(holds_bool(kernel, ty, &name, param.pos));
                }
            }
            ParamKind::Uniform(ty) => {
                // A scalar or vector is passed as a value, which may be a `bool`.
                if facts.of_type(ty).runtime_sized || kernel.types.value(ty).is_none() {
                    reports.extend(shared(kernel, facts, ty, &name, param.pos));
                }
            }
        }
    }
    for var in &kernel.tile_vars {
        fixed(kernel, facts, var.ty, &var.name, "a `tile_static` variable", var.pos, reports);
    }
    let mut all = 0_u64;
    for table in &kernel.tables {
        fixed(kernel, facts, table.ty, &table.name, "a table", table.pos, reports);
        let scalars = kernel.types.measure(table.ty).leaves;
        let before = all;
        all = all.saturating_add(scalars);
        if before <= MAX_TABLE_SCALARS && all > MAX_TABLE_SCALARS {
            reports.push(
                report(Code::K0609, format!("with table `{}`, the tables have {all} scalars together", table.name))
                    .at(table.pos, format!("{scalars} in this one"))
                    .note(format!("the tables of a kernel have at most {MAX_TABLE_SCALARS}"))
                    .help("hand the data over in views"),
            );
        }
        // Elements at the same offset take no space, but there may be any number of them.
        let size = kernel.types.size(table.ty).max(scalars);
        if size > MAX_TABLE {
            reports.push(
                report(Code::K0609, format!("table `{}` takes {size} bytes", table.name))
                    .at(table.pos, format!("a table has at most {MAX_TABLE}"))
                    .help("hand the data over in a view"),
            );
        }
    }
    for function in &kernel.functions {
        for param in &function.params {
            if let FnParamKind::Value(ValueType::View(view)) = param.kind {
                view_type(kernel, facts, view, &format!("`{}`", param.name), param.pos, reports);
            }
        }
    }
}

/// Reports the properties that make a type unfit as an element of a view, or for data from the
/// host.
pub(super) fn shared(kernel: &Kernel, facts: &TypeFacts, ty: TypeId, user: &str, pos: Pos) -> Vec<Diagnostic> {
    let mut reports = Vec::new();
    let fact = facts.of_type(ty);
    if fact.has_bool {
        reports.push(holds_bool(kernel, ty, user, pos));
    }
    if fact.runtime_sized {
        reports.push(
            report(Code::K0206, format!("`{}` is runtime-sized", kernel.types.show(ty)))
                .at(pos, format!("{user} needs a fixed size"))
                .note("a runtime-sized array is a buffer, or the last field of a buffer's struct"),
        );
    }
    reports
}

fn holds_bool(kernel: &Kernel, ty: TypeId, user: &str, pos: Pos) -> Diagnostic {
    let shown = kernel.types.show(ty);
    let text = if shown == "bool" {
        format!("{user} holds `bool`")
    } else {
        format!("`{shown}`, which {user} holds, has a `bool` in it")
    };
    report(Code::K0205, text)
        .at(pos, "the host sees this memory")
        .note("`bool` may be captured and computed with; memory shared with the host has none, as most bytes are neither true nor false")
        .help("store 0 or 1 as `u32`")
}

fn view_type(kernel: &Kernel, facts: &TypeFacts, view: ViewType, name: &str, pos: Pos, reports: &mut DiagnosticList) {
    if !(1..=MAX_RANK).contains(&view.rank) {
        reports.push(report(Code::K0602, format!("{name} has rank {}", view.rank)).at(pos, format!("1 to {MAX_RANK}")));
    }
    reports.extend(shared(kernel, facts, view.element, name, pos));
}

fn fixed(
    kernel: &Kernel,
    facts: &TypeFacts,
    ty: TypeId,
    name: &str,
    what: &str,
    pos: Pos,
    reports: &mut DiagnosticList,
) {
    if facts.of_type(ty).runtime_sized {
        reports.push(
            report(Code::K0206, format!("`{name}` is runtime-sized, `{}`", kernel.types.show(ty)))
                .at(pos, format!("{what} needs a length"))
                .note("a runtime-sized array is a buffer, or the last field of a buffer's struct"),
        );
    }
}

fn array(
    kernel: &Kernel,
    facts: &TypeFacts,
    id: TypeId,
    (element, length, stride): (TypeId, Option<u32>, u32),
    pos: &dyn Fn() -> Pos,
    reports: &mut DiagnosticList,
) {
    let types = &kernel.types;
    if length == Some(0) {
        reports.push(
            report(Code::K0608, format!("`{}` has no elements", types.show(id))).at(pos(), "a length is 1 or more"),
        );
    }
    if facts.of_type(element).runtime_sized {
        reports.push(
            report(Code::K0206, format!("an array of `{}`, which is runtime-sized", types.show(element)))
                .at(pos(), "the elements of an array have a fixed size"),
        );
    } else if u64::from(stride) < types.size(element) {
        reports.push(
            report(Code::K0607, format!("the elements of `{}` overlap", types.show(id)))
                .at(pos(), "its type has them")
                .note(format!("an element takes {} bytes, the stride is {stride}", types.size(element))),
        );
    }
}

fn structure(kernel: &Kernel, facts: &TypeFacts, s: &Struct, pos: &dyn Fn() -> Pos, reports: &mut DiagnosticList) {
    let types = &kernel.types;
    let say = |code, text: String| report(code, format!("struct `{}`: {text}", s.name)).at(pos(), "this struct");
    if s.fields.is_empty() {
        reports.push(say(Code::K0608, "it has no fields".to_owned()));
    }
    if !s.align.is_power_of_two() {
        reports.push(say(Code::K0607, format!("an alignment of {}", s.align)).note("an alignment is a power of two"));
    }
    let mut spans = Vec::new();
    for (i, field) in s.fields.iter().enumerate() {
        let (first, size) = (u64::from(field.offset), types.size(field.ty));
        if facts.of_type(field.ty).runtime_sized {
            let is_array = matches!(types.get(field.ty), Type::Array { length: None, .. });
            if i + 1 != s.fields.len() || !is_array {
                reports.push(
                    say(Code::K0206, format!("field `{}` is runtime-sized", field.name))
                        .note("a runtime-sized array is a buffer, or the last field of a buffer's struct"),
                );
            } else if first < u64::from(s.size) {
                let text = format!("its size, {}, reaches into its field `{}`", s.size, field.name);
                let note = format!("`{}` begins at byte {first}; the size is that of what comes before it", field.name);
                reports.push(say(Code::K0607, text).note(note).help(format!("make the size at most {first}")));
            }
            continue;
        }
        if first + size > u64::from(s.size) {
            let text = format!("field `{}` reaches beyond its end", field.name);
            reports.push(say(Code::K0607, text).note(format!(
                "the field takes bytes {first} to {}, the struct has {}",
                (first + size).saturating_sub(1),
                s.size
            )));
        }
        spans.push((first, first + size, &field.name));
    }
    spans.sort();
    for pair in spans.windows(2) {
        if let [(_, end, a), (first, _, b)] = pair
            && first < end
        {
            reports.push(
                say(Code::K0607, format!("fields `{a}` and `{b}` overlap"))
                    .note(format!("`{a}` ends before byte {end}, `{b}` begins at {first}")),
            );
        }
    }
}
