//! Operands: names, places, literals, parentheses, and their postfixes.

use super::scope::NameMeaning;
use super::{ParseFailed, Parsed, Parser};
use crate::diag::{Code, Diagnostic};
use crate::kernel::{FnParamKind, InstKind, ParamKind, Place, Root, Step, ValueId};
use crate::ops::Op;
use crate::pos::Pos;
use crate::text::lex::{TextToken, TokenKind};
use crate::types::{Type, ValueType};
use crate::typing::PlaceType;

/// An operand whose use is not yet known.
pub(super) enum Operand {
    Value(ValueId),
    /// A place; loading it gives a value.
    Place(Place),
    /// A call or construct without a value, with its description for messages.
    Nothing(&'static str),
}

const LETTERS: &str = "xyzw";

impl Parser<'_, '_> {
    /// A place: something that can be written, copied or passed by reference.
    pub(super) fn place(&mut self) -> Parsed<Place> {
        let start = self.peek().pos;
        match self.operators(0)? {
            Operand::Place(place) => Ok(place),
            other => Err(self.no_place(other, self.span(start), "a place is wanted here")),
        }
    }

    /// Whether it has an error that was already reported.
    fn is_broken(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Value(value) => !self.reports.is_empty() && self.b.value_type(*value) == ValueType::Invalid,
            Operand::Place(_) | Operand::Nothing(_) => false,
        }
    }

    /// Reports that an operand is no place, unless it already has an error.
    pub(super) fn no_place(&mut self, operand: Operand, pos: Pos, label: &str) -> ParseFailed {
        if self.is_broken(&operand) {
            return ParseFailed;
        }
        if let (Operand::Value(value), Some((no_step, report))) = (&operand, self.no_step.take())
            && *value == no_step
        {
            return self.report(report);
        }
        let report = Diagnostic::new(Code::K0013, "this is a value, not a place").at(pos, label);
        self.report(report.note(
            "places are variables, elements of views, and fields and elements of places; parentheses end a place",
        ))
    }

    pub(super) fn primary(&mut self) -> Parsed<Operand> {
        let token = self.peek();
        match token.kind {
            TokenKind::Number => self.constant(),
            TokenKind::Label => self.construct(),
            TokenKind::Numbered => {
                self.next();
                self.named(token.text, token.pos)
            }
            TokenKind::Mark if token.text == "(" => {
                self.next();
                let value = self.expression()?;
                self.expect(")")?;
                Ok(Operand::Value(value))
            }
            TokenKind::Word if self.is_ahead(1, "::") => self.word_operand(),
            TokenKind::Word => match token.text {
                "true" | "false" | "inf" | "nan" | "inf_f64" | "nan_f64" => self.constant(),
                "if" => self.construct(),
                "zero" => {
                    let report = Diagnostic::new(Code::K0001, "`zero` has no type of its own").at(token.pos, "");
                    Err(self.report(report.note("it stands only behind `=` of a `var` or a table")))
                }
                _ => self.word_operand(),
            },
            TokenKind::Stray if token.is_name() => {
                self.next();
                match self.scope.find(token.text) {
                    Some(_) => self.named(token.text, token.pos),
                    None => Ok(Operand::Value(self.b.invalid())),
                }
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn constant(&mut self) -> Parsed<Operand> {
        let constant = self.literal(false, None)?;
        Ok(Operand::Value(self.b.constant(constant)))
    }

    pub(super) fn named(&mut self, name: &str, pos: Pos) -> Parsed<Operand> {
        let root = match self.lookup(name, pos)? {
            NameMeaning::Value(value) => return Ok(Operand::Value(value)),
            // A parameter of an invalid header has only a name.
            NameMeaning::Param(i) if i as usize >= self.b.so_far().params().len() => {
                return Ok(Operand::Value(self.b.invalid()));
            }
            NameMeaning::FnParam(i) if i as usize >= self.b.context().fn_params.len() => {
                return Ok(Operand::Value(self.b.invalid()));
            }
            NameMeaning::Param(i) => match self.b.so_far().params()[i as usize].kind {
                ParamKind::View(_) => return Ok(Operand::Value(self.b.param_value(i))),
                ParamKind::Uniform(ty) if self.b.so_far().types().value(ty).is_some() => {
                    return Ok(Operand::Value(self.b.param_value(i)));
                }
                ParamKind::Buffer { .. } | ParamKind::Uniform(_) => Root::Param(crate::kernel::ParamId(i)),
            },
            NameMeaning::FnParam(i) => match self.b.context().fn_params[i as usize].kind {
                FnParamKind::Value(_) => return Ok(Operand::Value(self.b.param_value(i))),
                FnParamKind::Ref { .. } => Root::Ref(i),
            },
            NameMeaning::Tile(id) => Root::Tile(id),
            NameMeaning::Table(id) => Root::Table(id),
            NameMeaning::Local(id) => Root::Local(id),
            NameMeaning::Broken => return Ok(Operand::Value(self.b.invalid())),
            NameMeaning::Struct | NameMeaning::Function => {
                let what = if self.functions.contains_key(name) { "function" } else { "struct" };
                let report = Diagnostic::new(Code::K0014, format!("`{name}` is a {what}, not a value")).at(pos, "");
                let report = if what == "function" { report.help(format!("call it: `{name}(..)`")) } else { report };
                return Err(self.report(report));
            }
        };
        Ok(Operand::Place(Place { root, path: Vec::new() }))
    }

    /// Any number of `.x` and `[i]`.
    pub(super) fn postfix(&mut self, operand: Operand, start: Pos) -> Parsed<Operand> {
        let mut operand = operand;
        loop {
            if self.eat(".") {
                operand = self.dot(operand, start)?;
            } else if self.is("[") {
                operand = self.index(operand, start)?;
            } else {
                return Ok(operand);
            }
        }
    }

    fn dot(&mut self, operand: Operand, start: Pos) -> Parsed<Operand> {
        let token = self.peek();
        if token.kind != TokenKind::Word {
            return Err(self.unexpected("the name of a field or component"));
        }
        let components = components(token.text);
        if self.is_broken(&operand) {
            self.next();
            return Ok(operand);
        }
        let mut no_step = None;
        let place = match operand {
            Operand::Place(mut place) => match self.b.context().place(&place) {
                Some(PlaceType::Whole(ty)) => match self.b.so_far().types().get(ty) {
                    Type::Struct(s) => match s.field(token.text) {
                        Some(field) => {
                            self.next();
                            place.path.push(Step::Field(field));
                            return Ok(Operand::Place(place));
                        }
                        None => {
                            let mut report =
                                Diagnostic::new(Code::K0006, format!("`{}` has no field `{}`", s.name, token.text));
                            report = report.at(token.pos, "not a field");
                            let fields = s.fields.iter().map(|field| &*field.name);
                            if let Some(near) = self.hints.nearest(token.text, &mut fields.clone()) {
                                report = report.help(format!("did you mean `{near}`?"));
                            } else if s.fields.len() <= 12 {
                                let list: Vec<String> = fields.map(|field| format!("`{field}`")).collect();
                                report = report.help(format!("its fields are {}", list.join(", ")));
                            }
                            return Err(self.report(report));
                        }
                    },
                    Type::Vector(..) => match components.as_deref() {
                        // The checker reports a component beyond the width.
                        Some([one]) => {
                            self.next();
                            place.path.push(Step::Component(*one));
                            return Ok(Operand::Place(place));
                        }
                        Some([_, _, ..]) => {
                            let report = Diagnostic::new(Code::K0013, "several components are no place");
                            no_step =
                                Some(report.at(token.pos, "").help("store to each of them, or to the whole vector"));
                            Operand::Place(place)
                        }
                        _ => Operand::Place(place),
                    },
                    Type::Array { .. } => {
                        let shown = self.b.so_far().types().show(ty);
                        let report = Diagnostic::new(Code::K0006, format!("`{shown}` has no field `{}`", token.text));
                        let report = report.at(token.pos, "");
                        return Err(self.report(match token.text {
                            "length" | "len" | "size" => report.help("its length is `array_length(..)`"),
                            _ => report.help("an element is written `[index]`"),
                        }));
                    }
                    Type::Scalar(_) => match components.as_deref() {
                        Some([one]) => {
                            self.next();
                            place.path.push(Step::Component(*one));
                            return Ok(Operand::Place(place));
                        }
                        _ => Operand::Place(place),
                    },
                },
                _ => Operand::Place(place),
            },
            other => other,
        };
        let value = self.value_of(place, start)?;
        self.next();
        let Some(components) = components else {
            return Err(self.no_component(value, token));
        };
        let value = self.b.value(InstKind::Swizzle { value, components }, self.span(start));
        self.no_step = no_step.map(|report| (value, report));
        Ok(Operand::Value(value))
    }

    /// Reports a word after `.` that is no component.
    fn no_component(&mut self, value: ValueId, token: TextToken<'_>) -> ParseFailed {
        // The source text of the view, if it is a name: the point and the word after it are
        // consumed.
        let before = self.at.checked_sub(3).map(|i| self.tokens[i]).filter(|token| token.kind == TokenKind::Word);
        let shown = before.map_or("..", |token| token.text);
        if let ValueType::View(_) = self.b.value_type(value) {
            let report = Diagnostic::new(Code::K0006, format!("a view has no field `{}`", token.text));
            return match token.text {
                "extent" | "len" | "length" | "size" | "shape" => {
                    self.report(report.at(token.pos, "").help(format!("write `extent({shown}, 0)`")))
                }
                _ => self.report(report.at(token.pos, "").help(format!("an element is written `{shown}[..]`"))),
            };
        }
        let report = Diagnostic::new(Code::K0006, format!("`.{}` names no components", token.text)).at(token.pos, "");
        if self.is("(") && (Op::by_name(token.text).is_some() || self.functions.contains_key(token.text)) {
            return self.report(report.help(format!("a function is called by its name: `{}(..)`", token.text)));
        }
        self.report(report.note("components are written with the letters x, y, z and w, at most four of them"))
    }

    fn index(&mut self, operand: Operand, start: Pos) -> Parsed<Operand> {
        let at = self.next().pos;
        if self.is_broken(&operand) {
            self.list("]", "the index", Self::expression)?;
            return Ok(operand);
        }
        // The indexed operand is evaluated before the indices. The checker reports a place without
        // elements.
        let stepped = match &operand {
            Operand::Place(place) => matches!(self.b.context().place(place), Some(PlaceType::Whole(_))),
            Operand::Value(_) | Operand::Nothing(_) => false,
        };
        let operand = match operand {
            Operand::Place(place) if stepped => Operand::Place(place),
            other => Operand::Value(self.value_of(other, start)?),
        };
        let index = self.list("]", "the index", Self::expression)?;
        match operand {
            // Of a view in error, the checker reports the error; taken for a vector, its element would be no place.
            Operand::Value(view)
                if matches!(self.b.value_type(view), ValueType::View(_)) || self.views_in_error.contains(&view) =>
            {
                if index.is_empty() {
                    return Err(self.one_index(at, "an index is missing"));
                }
                Ok(Operand::Place(Place { root: Root::View { view, index }, path: Vec::new() }))
            }
            _ if index.len() != 1 => {
                let text = if index.is_empty() {
                    "an index is missing"
                } else {
                    "write one pair of brackets for each: `[i][j]`"
                };
                Err(self.one_index(at, text))
            }
            Operand::Place(mut place) => {
                place.path.push(Step::Index(index[0]));
                Ok(Operand::Place(place))
            }
            Operand::Value(value) => {
                let kind = InstKind::ComponentAt { value, index: index[0] };
                Ok(Operand::Value(self.b.value(kind, self.span(start))))
            }
            Operand::Nothing(_) => Err(ParseFailed),
        }
    }

    fn one_index(&mut self, at: Pos, text: &str) -> ParseFailed {
        let pos = self.span(at);
        self.report(
            Diagnostic::new(Code::K0001, "an array or vector takes one index, a view as many as its rank")
                .at(pos, text),
        )
    }
}

/// The components that the letters name.
fn components(text: &str) -> Option<Vec<u8>> {
    if text.len() > 4 {
        return None;
    }
    text.chars().map(|c| LETTERS.find(c).map(|i| i as u8)).collect()
}
