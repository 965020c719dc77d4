//! Types that must agree across blocks and functions: arguments and parameters, arms, scopes and
//! their `break`s, returned values. `K0108` to `K0112`.
//!
//! Called from the walk in `types`.

use super::body::Body;
use super::wording::{self, count};
use super::{control, report};
use crate::diag::Code;
use crate::kernel::{Block, CallArgument, FnParamKind, FunctionId, Inst, InstKind, LabelId, ValueId};
use crate::pos::Pos;
use crate::types::{Access, Scalar, Type, ValueType, ViewType};
use crate::typing::PlaceType;

impl Body<'_> {
    pub(super) fn call(&mut self, function: FunctionId, args: &[CallArgument], pos: Pos) {
        let Some(callee) = self.kernel.functions.get(function.index()) else {
            return self.report(report(Code::K0306, "a call names no function").at(pos, ""));
        };
        if args.len() != callee.params.len() {
            let out = report(
                Code::K0108,
                format!("`{}` takes {}", callee.name, count(callee.params.len(), "argument", "arguments")),
            )
            .at(pos, format!("{} given", args.len()))
            .and(callee.pos, "declared here");
            return self.report(out);
        }
        for (arg, param) in args.iter().zip(&callee.params) {
            match (arg, param.kind) {
                (CallArgument::Value(value), FnParamKind::Value(ty)) => {
                    let found = self.context.value(*value);
                    if found == ValueType::Invalid || ty == ValueType::Invalid || fits(found, ty) {
                        continue;
                    }
                    let mut out =
                        report(Code::K0109, format!("`{}` takes {}, not {}", param.name, self.a(ty), self.a(found)))
                            .at(pos, format!("{} is {}", self.say(*value), self.typed(*value)))
                            .and(param.pos, format!("`{}` is {}", param.name, self.a(ty)));
                    if let (ValueType::Data(to), ValueType::Data(from)) = (ty, found)
                        && to.width == from.width
                        && to.scalar != Scalar::Bool
                    {
                        out = out.help(format!("write `{}`", self.converted(*value, to.scalar)));
                    }
                    self.report(self.with_origin(out, *value, pos));
                }
                (CallArgument::Value(value), FnParamKind::Ref { ty, access }) => {
                    let amp = if access == Access::Read { "&" } else { "&mut " };
                    let out = report(
                        Code::K0109,
                        format!("`{}` is a reference to `{}`", param.name, self.kernel.types.show(ty)),
                    )
                    .at(pos, format!("{} is a value", self.say(*value)))
                    .and(param.pos, "declared here")
                    .help(format!("hand over a place: `{amp}..`"));
                    self.report(out);
                }
                (CallArgument::Place(place), FnParamKind::Value(ty)) => {
                    let shown = self.say_place(place);
                    let out = report(Code::K0109, format!("`{}` is {}, not a reference", param.name, self.a(ty)))
                        .at(pos, format!("`{shown}` is handed over by reference"))
                        .and(param.pos, "declared here")
                        .help(format!("write `{shown}` without `&`"));
                    self.report(out);
                }
                (CallArgument::Place(place), FnParamKind::Ref { ty, .. }) => {
                    let Some(found) = self.context.place(place) else { continue };
                    let fits = match found {
                        PlaceType::Whole(found) => found == ty,
                        PlaceType::Component(stored) => *self.kernel.types.get(ty) == Type::Scalar(stored),
                    };
                    if !fits {
                        let found = self.place_type(found);
                        let out = report(
                            Code::K0109,
                            format!("`{}` refers to `{}`, not to `{found}`", param.name, self.kernel.types.show(ty)),
                        )
                        .at(pos, format!("`{}` is {} `{found}`", self.say_place(place), wording::article(&found)))
                        .and(param.pos, "declared here");
                        self.report(out);
                    }
                }
            }
        }
    }

    pub(super) fn arms(&mut self, inst: &Inst, then: &Block, otherwise: &Block) {
        if inst.result.is_none() {
            return;
        }
        let pos = inst.pos;
        let mut first: Option<(ValueId, ValueType)> = None;
        for (arm, word) in [(then, "first"), (otherwise, "second")] {
            let Some(value) = arm.value else {
                if control::completes(self, arm) {
                    let out = report(Code::K0111, "one arm of the `if` gives a value and the other does not")
                        .at(pos, format!("the {word} arm ends without a value"));
                    self.report(out);
                }
                continue;
            };
            let ty = self.context.value(value);
            self.no_view(ty, "an `if`", pos);
            match first {
                None => first = Some((value, ty)),
                Some((_, other)) if ty == other || ty == ValueType::Invalid || other == ValueType::Invalid => {}
                Some((other, other_ty)) => {
                    let mut out = report(Code::K0111, "the arms of the `if` give different types")
                        .at(pos, format!("{} and {}", self.a(other_ty), self.a(ty)));
                    out = self.with_origin(out, other, pos);
                    self.report(self.with_origin(out, value, pos));
                }
            }
        }
    }

    pub(super) fn scope(&mut self, inst: &Inst, label: LabelId, block: &Block) {
        let Some(result) = inst.result else { return };
        let ty = self.context.value(result);
        self.no_view(ty, "a scope", inst.pos);
        match block.value {
            Some(value) => {
                let found = self.context.value(value);
                if found != ty && found != ValueType::Invalid && ty != ValueType::Invalid {
                    let out = report(
                        Code::K0111,
                        format!("the scope ends with {} and is left with {}", self.a(found), self.a(ty)),
                    )
                    .at(inst.pos, "all ways out give a value of one type");
                    self.report(self.with_origin(out, value, inst.pos));
                }
            }
            None if control::completes(self, block) => {
                let out = report(Code::K0111, "the scope ends without a value").at(inst.pos, "no value at the end");
                let out = match self.is_broken(label) {
                    true => out.note(format!("a `break` leaves it with {}", self.a(ty))),
                    false => out,
                };
                self.report(out);
            }
            None => {}
        }
    }

    pub(super) fn break_value(&mut self, label: LabelId, value: Option<ValueId>, pos: Pos) {
        let Some(target) = self.target(label) else { return };
        if let (InstKind::Loop { .. }, Some(_)) = (&target.kind, value) {
            let out =
                report(Code::K0112, "a loop gives no value").at(pos, "`break` brings one").and(target.pos, "the loop");
            return self.report(out);
        }
        // A loop has no result.
        let result = target.result.filter(|_| matches!(target.kind, InstKind::Scope { .. }));
        match (value, result) {
            (Some(value), Some(result)) => {
                let (found, ty) = (self.context.value(value), self.context.value(result));
                if found != ty && found != ValueType::Invalid && ty != ValueType::Invalid {
                    let out = report(
                        Code::K0112,
                        format!("`break` brings {}, the scope gives {}", self.a(found), self.a(ty)),
                    )
                    .at(pos, format!("{} is {}", self.say(value), self.a(found)))
                    .and(target.pos, "the scope");
                    self.report(self.with_origin(out, value, pos));
                }
            }
            (None, Some(result)) => {
                let ty = self.context.value(result);
                let out = report(Code::K0112, "`break` without a value")
                    .at(pos, format!("the scope gives {}", self.a(ty)))
                    .and(target.pos, "the scope");
                self.report(out);
            }
            (_, None) => {}
        }
    }

    pub(super) fn returned(&mut self, value: Option<ValueId>, pos: Pos) {
        let name = &self.function.name;
        let out = match (value, self.function.result) {
            (None, None) => return,
            (Some(_), None) if self.is_entry() => report(Code::K0110, "a kernel gives no value")
                .at(pos, "`return` brings one")
                .help("store results in a view"),
            (Some(value), None) => report(Code::K0110, format!("`{name}` gives no value"))
                .at(pos, format!("`return` brings {}", self.typed(value)))
                .and(self.function.pos, "declared without a result"),
            (None, Some(ty)) => report(Code::K0110, "`return` without a value")
                .at(pos, format!("`{name}` gives {}", self.a(ty)))
                .and(self.function.pos, "declared here"),
            (Some(value), Some(ty)) => {
                let found = self.context.value(value);
                if found == ty || found == ValueType::Invalid || ty == ValueType::Invalid {
                    return;
                }
                let out =
                    report(Code::K0110, format!("`return` brings {}, `{name}` gives {}", self.a(found), self.a(ty)))
                        .at(pos, format!("{} is {}", self.say(value), self.a(found)))
                        .and(self.function.pos, "declared here");
                let out = match (found, ty) {
                    (ValueType::Data(from), ValueType::Data(to))
                        if from.width == to.width && to.scalar != Scalar::Bool =>
                    {
                        out.help(format!("write `{}`", self.converted(value, to.scalar)))
                    }
                    _ => out,
                };
                self.with_origin(out, value, pos)
            }
        };
        self.report(out);
    }

    fn no_view(&mut self, ty: ValueType, of: &str, pos: Pos) {
        if let ValueType::View(_) = ty {
            let out = report(Code::K0106, format!("a view is the value of {of}"))
                .at(pos, "a view is not selected")
                .help("select its extent, origin or index instead");
            self.report(out);
        }
    }
}

/// Whether a value of type `found` can be passed where `declared` is declared. A writable view fits
/// a read-only one.
fn fits(found: ValueType, declared: ValueType) -> bool {
    match (found, declared) {
        (ValueType::View(found), ValueType::View(declared)) => {
            found == declared
                || declared.access == Access::Read && ViewType { access: Access::Read, ..found } == declared
        }
        _ => found == declared,
    }
}
