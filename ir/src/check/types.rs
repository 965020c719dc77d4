//! Types: every operand of every instruction. `K0100` to `K0118`, except for places (see `places`)
//! and types that must agree across blocks and functions (see `agree`).

use super::body::Body;
use super::report;
use super::wording::{self, count};
use crate::diag::Code;
use crate::format::ValueFormat;
use crate::kernel::{Block, Const, Init, Inst, InstKind, Message, Value, ValueDef, ValueId};
use crate::ops::{Op, OperandMisfit, SlotScalar};
use crate::pos::Pos;
use crate::types::{Data, Scalar, ValueType, ViewType};

/// Checks the family.
pub(super) fn check(body: &mut Body<'_>) {
    if let Some(ty @ ValueType::View(_)) = body.function.result {
        let name = &body.function.name;
        let out = report(Code::K0106, format!("`{name}` gives back {}", body.a(ty)))
            .at(body.function.pos, "a function gives a scalar or a vector, or nothing");
        body.report(out);
    }
    body.each(&mut |body, inst| body.inst_types(inst));
}

/// Reports the first value in error, if no rule has explained one.
pub(super) fn none_in_error(body: &mut Body<'_>) {
    let mut first = None;
    body.each(&mut |body, inst| {
        let mut bad = false;
        let mut look = |value: ValueId| bad |= body.context.value(value) == ValueType::Invalid;
        inst.kind.operands(&mut |&value| look(value));
        inst.result.into_iter().for_each(&mut look);
        super::body::inner_blocks(inst).into_iter().filter_map(|block| block.value).for_each(&mut look);
        if bad && first.is_none() {
            first = Some(inst.pos);
        }
    });
    if let Some(pos) = first {
        body.report(report(Code::K0100, "a value is in error").at(pos, "a value here does not exist or has no type"));
    } else if body.function.values.iter().any(|value| value.ty == ValueType::Invalid) {
        body.report(report(Code::K0100, "a value is in error").at(body.function.pos, "somewhere in this body"));
    }
}

impl<'a> Body<'a> {
    fn inst_types(&mut self, inst: &'a Inst) {
        let pos = inst.pos;
        match &inst.kind {
            InstKind::Op { op, args } => self.operation(*op, args, pos),
            InstKind::Compose(parts) => self.compose(parts, pos),
            InstKind::Splat { value, width } => {
                let Some(data) = self.data(*value, pos, "`splat`") else { return };
                if data.is_vector() {
                    let out = report(Code::K0105, format!("`splat` of {}", self.typed(*value)))
                        .at(pos, "only a scalar can be spread over a vector");
                    self.report(out);
                } else if !(2..=4).contains(width) {
                    self.report(report(Code::K0105, format!("a vector of {width} components")).at(pos, "2 to 4"));
                }
            }
            InstKind::Swizzle { value, components } => {
                let Some(data) = self.data(*value, pos, "a component") else { return };
                let worst = components.iter().copied().max().unwrap_or(0);
                if self.is_misindexed(*value) {
                    return;
                }
                if !data.is_vector() {
                    let out = report(Code::K0105, format!("{} has no components", self.say(*value)))
                        .at(pos, format!("{} is not a vector", self.typed(*value)));
                    self.report(out);
                } else if worst >= data.width || !(1..=4).contains(&components.len()) {
                    let out = report(Code::K0105, format!("`{data}` has {} components", data.width)).at(
                        pos,
                        if worst >= data.width { "there is no such component" } else { "1 to 4 are taken at once" },
                    );
                    self.report(out);
                }
            }
            InstKind::ComponentAt { value, index } => {
                self.index(*index, pos, "a vector");
                if let Some(data) = self.data(*value, pos, "a component")
                    && !data.is_vector()
                    && !self.is_misindexed(*value)
                {
                    let out = report(Code::K0105, format!("{} has no components", self.say(*value)))
                        .at(pos, format!("{} is not a vector", self.typed(*value)));
                    self.report(out);
                }
            }
            InstKind::ViewExtent { view, .. } => {
                self.view(*view, pos, "`extent`");
            }
            InstKind::Section { view, origin, extent } => {
                let Some(ty) = self.view(*view, pos, "`section`") else { return };
                self.numbers(origin, ty.rank, pos, "the origin of `section`");
                self.numbers(extent, ty.rank, pos, "the extent of `section`");
            }
            InstKind::Project { view, index } => {
                self.number(*index, pos, "`project`");
                if let Some(ty) = self.view(*view, pos, "`project`")
                    && ty.rank < 2
                {
                    let out = report(Code::K0116, format!("{} has rank 1", self.say(*view)))
                        .at(pos, "`project` takes a dimension away, and none would be left")
                        .help(format!("index it: `{}[..]`", self.code(*view)));
                    self.report(out);
                }
            }
            InstKind::Reinterpret { view, element } => {
                self.rank_one(*view, pos, "reinterpret");
                self.element(*element, pos);
            }
            InstKind::ViewAs { view, extent } => {
                self.rank_one(*view, pos, "view_as");
                if extent.is_empty() {
                    self.report(
                        report(Code::K0104, "`view_as` without an extent").at(pos, "a view has 1 dimension or more"),
                    );
                }
                extent.iter().for_each(|&value| self.number(value, pos, "the extent of `view_as`"));
            }
            InstKind::Atomic { op, place, value } => {
                let wants = !matches!(op, crate::kernel::AtomicOp::Inc | crate::kernel::AtomicOp::Dec);
                let place_data = self.context.place(place).and_then(|ty| self.context.loaded(ty));
                match (value, place_data) {
                    (Some(value), Some(data)) if wants => self.atomic_operand(*value, data, op.name(), pos),
                    (Some(_), _) if !wants => {
                        let out = report(Code::K0117, format!("`{}` has no operand", op.name()))
                            .at(pos, "one is given")
                            .help(format!("write `{}({})`", op.name(), self.say_place(place)));
                        self.report(out);
                    }
                    (None, _) if wants => {
                        let out =
                            report(Code::K0117, format!("`{}` needs an operand", op.name())).at(pos, "none is given");
                        self.report(out);
                    }
                    _ => {}
                }
            }
            InstKind::CompareExchange { place, expected, new, .. } => {
                if let Some(data) = self.context.place(place).and_then(|ty| self.context.loaded(ty)) {
                    self.atomic_operand(*expected, data, "atomic_compare_exchange", pos);
                    self.atomic_operand(*new, data, "atomic_compare_exchange", pos);
                }
            }
            InstKind::Store { place, value } => {
                if let Some(data) = self.context.place(place).and_then(|ty| self.context.loaded(ty)) {
                    self.stored(*value, data, &self.say_place(place), pos);
                }
            }
            InstKind::Declare { local, init } => self.declare(*local, init, pos),
            InstKind::Print(message) => self.message(message, "print", pos),
            InstKind::Error(message) => self.message(message, "error", pos),
            InstKind::Call { function, args } => self.call(*function, args, pos),
            InstKind::If { condition, then, otherwise } => {
                let mark = self.short_circuit(inst, then, otherwise);
                let what = mark.map_or("the condition of `if`".to_owned(), |mark| format!("the left side of `{mark}`"));
                self.condition(*condition, pos, &what);
                match mark {
                    Some(mark) => self.right_side(if mark == "&&" { then } else { otherwise }, mark, pos),
                    None => self.arms(inst, then, otherwise),
                }
            }
            InstKind::Loop { condition, continuing, .. } => {
                if let Some(block) = condition {
                    match block.value {
                        Some(value) => self.condition(value, pos, "the condition of `while`"),
                        None => self.report(
                            report(Code::K0102, "the condition of `while` has no value")
                                .at(pos, "the block gives none"),
                        ),
                    }
                }
                if let Some(value) = continuing.value {
                    self.condition(value, pos, "the condition of `break if`");
                }
            }
            InstKind::Switch { selector, cases, .. } => {
                if let Some(data) = self.data(*selector, pos, "`switch`")
                    && !matches!(data, Data::I32 | Data::U32)
                {
                    let out = report(Code::K0114, format!("a switch by {}", self.typed(*selector)))
                        .at(pos, format!("{} is neither `i32` nor `u32`", self.say(*selector)));
                    self.report(self.with_origin(out, *selector, pos).help("convert it: `switch x as i32 { .. }`"));
                }
                let mut seen = std::collections::HashMap::new();
                let signed = self.context.data(*selector) != Some(Data::U32);
                for case in cases {
                    if case.values.is_empty() {
                        self.report(report(Code::K0115, "a case without a value").at(case.pos, "when is it taken?"));
                    }
                    for &value in &case.values {
                        let Some(first) = seen.insert(value, case.pos) else { continue };
                        let shown = if signed { (value as i32).to_string() } else { value.to_string() };
                        self.report(
                            report(Code::K0115, format!("two cases for `{shown}`"))
                                .at(case.pos, "the second is never taken")
                                .and(first, "the first"),
                        );
                    }
                }
            }
            InstKind::Scope { label, body } => self.scope(inst, *label, body),
            InstKind::Break { label, value } => self.break_value(*label, *value, pos),
            InstKind::Return(value) => self.returned(*value, pos),
            InstKind::Builtin(_)
            | InstKind::Length(_)
            | InstKind::Load(_)
            | InstKind::Copy { .. }
            | InstKind::Barrier(_)
            | InstKind::Fence(_)
            | InstKind::Abort
            | InstKind::Continue { .. } => {}
        }
    }

    /// The operand's scalar or vector type; reports a view.
    pub(super) fn data(&mut self, value: ValueId, pos: Pos, user: &str) -> Option<Data> {
        match self.context.value(value) {
            ValueType::Data(data) => Some(data),
            ValueType::View(view) => {
                let indices = vec![".."; view.rank.min(4) as usize].join(", ");
                let out = report(Code::K0106, format!("{user} on a view"))
                    .at(pos, format!("{} is {}", self.say(value), self.typed(value)))
                    .help(format!("to read an element, index it: `{}[{indices}]`", self.code(value)));
                self.report(self.with_origin(out, value, pos));
                None
            }
            ValueType::Invalid => None,
        }
    }

    /// The operand's view type; reports anything else.
    pub(super) fn view(&mut self, value: ValueId, pos: Pos, user: &str) -> Option<ViewType> {
        match self.context.value(value) {
            ValueType::View(view) => Some(view),
            ValueType::Data(_) => {
                let out = report(Code::K0106, format!("{user} needs a view"))
                    .at(pos, format!("{} is {}", self.say(value), self.typed(value)));
                self.report(self.with_origin(out, value, pos));
                None
            }
            ValueType::Invalid => None,
        }
    }

    fn operation(&mut self, op: Op, args: &[ValueId], pos: Pos) {
        let mut known = Vec::new();
        let name = wording::operation(op);
        for &arg in args {
            match self.data(arg, pos, &format!("`{name}`")) {
                Some(data) => known.push(data),
                None => return,
            }
        }
        let Err(misfit) = op.resolve(&known) else { return };
        let row = op.row();
        let shown = |data: &Data| format!("`{data}`");
        let types = wording::list(&known.iter().map(shown).collect::<Vec<_>>(), "and");
        let at = |n: usize| args.get(n).copied();
        let mut out = match misfit {
            OperandMisfit::Count { expected } => {
                let names: Vec<&str> = row.args.iter().map(|slot| slot.name).collect();
                report(Code::K0101, format!("`{name}` takes {}", count(expected, "operand", "operands")))
                    .at(pos, format!("{} given", args.len()))
                    .help(format!("write `{}({})`", row.name, names.join(", ")))
            }
            OperandMisfit::Class { arg } => {
                let classes: Vec<String> = row.class.iter().map(|scalar| format!("`{scalar}`")).collect();
                let found = known[arg];
                let mut out = report(Code::K0101, format!("`{name}` is not defined for `{found}`"))
                    .at(pos, at(arg).map_or(String::new(), |v| format!("{} is {}", self.say(v), self.typed(v))))
                    .note(format!("it is defined for {}, and vectors of them", wording::list(&classes, "and")));
                if found.scalar == Scalar::Bool && matches!(op, Op::Add | Op::Sub | Op::Mul) {
                    out = out.help("a `bool` counts as 0 or 1 by `x as i32`");
                } else if found.scalar.is_float() && row.class.contains(&Scalar::Bool) {
                    out = out.help("for the bits of a float, `bitcast_u32(x)`");
                } else if op == Op::Neg {
                    out = out.help("negate a signed number: `-(x as i32)`");
                }
                out
            }
            OperandMisfit::Scalar { arg, expected } => {
                let found = known[arg];
                let fixed = row.args.get(arg).is_some_and(|slot| matches!(slot.scalar, SlotScalar::Fixed(_)));
                let code = at(arg).map_or_else(|| "x".to_owned(), |v| self.code(v));
                let converted = at(arg).map_or_else(|| format!("x as {expected}"), |v| self.converted(v, expected));
                let (message, text) = if fixed {
                    let place = match name.bytes().any(|b| b.is_ascii_alphabetic()) {
                        true => format!("as operand `{}`", row.args[arg].name),
                        false => "on its right side".to_owned(),
                    };
                    let message = format!(
                        "`{name}` takes {} `{expected}` {place}, not `{found}`",
                        wording::article(expected.name())
                    );
                    (message, at(arg).map_or(String::new(), |v| format!("{} is {}", self.say(v), self.typed(v))))
                } else {
                    (format!("`{name}` on {types}"), "both sides must have the same type".to_owned())
                };
                let mut out = report(Code::K0101, message).at(pos, text);
                if expected == Scalar::Bool {
                    out = out.help(format!("compare it: `{code} != 0`"));
                } else {
                    out = out.help(format!("write `{converted}`"));
                }
                out.note("there are no implicit conversions")
            }
            OperandMisfit::Width { arg, expected } => {
                let found = known[arg];
                let out = report(Code::K0101, format!("`{name}` on {types}")).at(pos, "the widths differ");
                let (scalar, width) = if found.is_vector() { (at(0), found.width) } else { (at(arg), expected) };
                match scalar {
                    Some(v) if width > 1 && self.context.data(v).is_some_and(|data| !data.is_vector()) => {
                        out.help(format!("write `splat({}, {width})`", self.code(v)))
                    }
                    _ => out.note(format!(
                        "{expected} expected, {} found",
                        count(usize::from(found.width), "component", "components")
                    )),
                }
            }
            OperandMisfit::CommonWidth { arg } => {
                let (lo, hi) = row.widths;
                report(Code::K0101, format!("`{name}` is not defined for `{}`", known[arg]))
                    .at(pos, "the width does not fit")
                    .note(format!("it takes vectors of {lo} to {hi} components"))
            }
        };
        if !matches!(misfit, OperandMisfit::Count { .. }) {
            for &arg in args {
                out = self.with_origin(out, arg, pos);
            }
        }
        self.report(out);
    }

    fn compose(&mut self, parts: &[ValueId], pos: Pos) {
        if !(2..=4).contains(&parts.len()) {
            self.report(
                report(Code::K0105, format!("a vector of {}", count(parts.len(), "component", "components")))
                    .at(pos, "2 to 4"),
            );
        }
        let mut first: Option<Data> = None;
        for &part in parts {
            let Some(data) = self.data(part, pos, "a vector") else { return };
            let expected = *first.get_or_insert(data);
            let out = if data.is_vector() {
                report(Code::K0105, format!("a vector out of {}", self.typed(part)))
                    .at(pos, "the components of a vector are scalars")
            } else if data != expected {
                report(Code::K0105, format!("a vector out of `{expected}` and `{data}`"))
                    .at(pos, "all components have the same type")
                    .help(format!("write `{}`", self.converted(part, expected.scalar)))
            } else {
                continue;
            };
            return self.report(self.with_origin(out, part, pos));
        }
    }

    /// Reports a value that is not a legal index.
    pub(super) fn index(&mut self, value: ValueId, pos: Pos, of: &str) {
        let Some(_) = self.data(value, pos, "an index") else { return };
        if !self.context.is_index(value) {
            let out = report(Code::K0103, format!("{} is indexed by {}", of, self.typed(value)))
                .at(pos, format!("{} is neither `i32` nor `u32`", self.say(value)))
                .help(format!("write `{}`", self.converted(value, Scalar::I32)));
            self.report(self.with_origin(out, value, pos));
        }
    }

    /// Reports a value that is not an `i32`.
    fn number(&mut self, value: ValueId, pos: Pos, of: &str) {
        let Some(data) = self.data(value, pos, of) else { return };
        if data != Data::I32 {
            let out = report(Code::K0103, format!("{of} takes `i32`, not `{data}`"))
                .at(pos, format!("{} is {}", self.say(value), self.typed(value)))
                .help(format!("write `{}`", self.converted(value, Scalar::I32)));
            self.report(self.with_origin(out, value, pos));
        }
    }

    fn numbers(&mut self, values: &[ValueId], rank: u32, pos: Pos, of: &str) {
        if values.len() != rank as usize {
            let out = report(Code::K0104, format!("{of} has {}", count(values.len(), "component", "components")))
                .at(pos, format!("the view has {}", count(rank as usize, "dimension", "dimensions")));
            self.report(out);
        }
        values.iter().for_each(|&value| self.number(value, pos, of));
    }

    fn rank_one(&mut self, view: ValueId, pos: Pos, user: &str) {
        if let Some(ty) = self.view(view, pos, &format!("`{user}`"))
            && ty.rank != 1
        {
            let out = report(Code::K0116, format!("`{user}` of a view of rank {}", ty.rank))
                .at(pos, format!("{} is {}", self.say(view), self.typed(view)))
                .note("only a view of rank 1 can be seen as something else");
            self.report(out);
        }
    }

    fn atomic_operand(&mut self, value: ValueId, place: Data, name: &str, pos: Pos) {
        let Some(data) = self.data(value, pos, &format!("`{name}`")) else { return };
        if data != place && !place.is_vector() {
            let out = report(Code::K0117, format!("`{name}` of {} with {}", self.a(place.into()), self.typed(value)))
                .at(pos, format!("the place holds {}", self.a(place.into())))
                .help(format!("write `{}`", self.converted(value, place.scalar)));
            self.report(self.with_origin(out, value, pos));
        }
    }

    fn stored(&mut self, value: ValueId, place: Data, name: &str, pos: Pos) {
        if let ValueType::View(_) = self.context.value(value) {
            let out = report(Code::K0106, format!("{} is stored in `{name}`", self.typed(value)))
                .at(pos, "a view is no value that could be stored")
                .help(format!("to store an element, index it: `{}[..]`", self.code(value)));
            return self.report(self.with_origin(out, value, pos));
        }
        let Some(data) = self.context.data(value) else { return };
        if data == place {
            return;
        }
        let out = report(
            Code::K0107,
            format!("{} is stored in `{name}`, which holds {}", self.typed(value), self.a(place.into())),
        )
        .at(pos, format!("expected `{place}`, found `{data}`"));
        let out = match (data.width == place.width, place.scalar) {
            (true, Scalar::Bool) => out.help(format!("compare it: `{} != 0`", self.code(value))),
            (true, scalar) => out.help(format!("write `{}`", self.converted(value, scalar))),
            (false, _) if data.width == 1 && data.scalar == place.scalar => {
                out.help(format!("write `splat({}, {})`", self.code(value), place.width))
            }
            (false, _) => out,
        };
        self.report(self.with_origin(out, value, pos));
    }

    fn declare(&mut self, local: crate::kernel::LocalId, init: &Init, pos: Pos) {
        let (Init::Value(value), Some(declared)) = (init, self.function.locals.get(local.index())) else { return };
        match self.kernel.types.value(declared.ty) {
            Some(data) => self.stored(*value, data, &declared.name, pos),
            None => {
                let ty = self.kernel.types.show(declared.ty);
                let out = report(Code::K0204, format!("`{}` is an aggregate, `{ty}`", declared.name))
                    .at(pos, "it cannot begin with a value")
                    .help("declare it as `zero` and set its parts, or `copy` to it");
                self.report(out);
            }
        }
    }

    fn message(&mut self, message: &Message, word: &str, pos: Pos) {
        let (holes, values) = (message.pieces.len().saturating_sub(1), message.values.len());
        if message.pieces.is_empty() || holes != values {
            let out = report(
                Code::K0113,
                format!(
                    "the message has {} of braces and {}",
                    count(holes, "pair", "pairs"),
                    count(values, "value", "values")
                ),
            )
            .at(pos, format!("`{word}` needs one value for each `{{}}`"))
            .help("a brace itself is written `{{` or `}}`");
            self.report(out);
        }
        for format in &message.formats {
            let shown = format.to_string();
            if ValueFormat::parse(shown.trim_start_matches(':')).as_ref() != Some(format) {
                let out = report(Code::K0113, format!("`{{{shown}}}` is no format of a value")).at(pos, "");
                self.report(out);
            }
        }
        message.values.iter().for_each(|&value| {
            self.data(value, pos, &format!("`{word}`"));
        });
    }

    /// Whether it is a load from a view with too few or too many indices.
    fn is_misindexed(&self, value: ValueId) -> bool {
        let definition = self.definition(value).map(|inst| &inst.kind);
        if let Some(InstKind::Load(place)) = definition { self.is_misindexed_root(place) } else { false }
    }

    /// `&&` or `||`, if the source of the `if` is one.
    fn short_circuit(&self, inst: &Inst, then: &Block, otherwise: &Block) -> Option<&'static str> {
        let InstKind::If { condition, .. } = &inst.kind else { return None };
        let is_bool = |value: ValueId| self.context.value(value) == ValueType::Data(Data::BOOL);
        if [Some(*condition), then.value, otherwise.value].into_iter().flatten().all(is_bool) {
            return None;
        }
        // The search in the text takes time proportional to its length, so it runs only if the
        // shape fits.
        let known = |block: &Block| match block.value.and_then(|value| self.function.values.get(value.index())) {
            Some(Value { def: ValueDef::Const(constant), .. }) => block.insts.is_empty().then_some(*constant),
            _ => None,
        };
        let marks = [("&&", otherwise, false), ("||", then, true)].into_iter();
        let marks = marks.filter(|(_, block, value)| known(block) == Some(Const::bool(*value)));
        let marks: Vec<&str> = marks.map(|(mark, ..)| mark).collect();
        if marks.is_empty() || self.reports.is_full() {
            return None;
        }
        let written = self.kernel.sources.at(inst.pos)?;
        marks.into_iter().find(|mark| written.starts_with(mark))
    }

    fn right_side(&mut self, block: &Block, mark: &str, pos: Pos) {
        if let Some(value) = block.value {
            self.condition(value, pos, &format!("the right side of `{mark}`"));
        }
    }

    fn condition(&mut self, value: ValueId, pos: Pos, what: &str) {
        let Some(data) = self.data(value, pos, what) else { return };
        // The operands of `&&` and `||` have been reported.
        if data == Data::BOOL {
            return;
        }
        if let Some(inst @ Inst { kind: InstKind::If { then, otherwise, .. }, .. }) = self.definition(value)
            && self.short_circuit(inst, then, otherwise).is_some()
        {
            return;
        }
        let out = report(Code::K0102, format!("{what} is {}", self.typed(value)))
            .at(pos, format!("{} is not a `bool`", self.say(value)));
        let out = match data {
            Data { scalar: Scalar::Bool, .. } => out.help("reduce the vector: `any(..)` or `all(..)`"),
            Data { width: 1, .. } => out.help(format!("compare it: `{} != 0`", self.code(value))),
            _ => out,
        };
        self.report(self.with_origin(out, value, pos));
    }
}
