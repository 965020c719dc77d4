//! Operators and literals. Instructions are emitted as soon as their operands are parsed, so text
//! order is the order of evaluation.

use super::operand::Operand;
use super::{Parsed, Parser};
use crate::diag::{Code, Diagnostic};
use crate::kernel::{Const, InstKind, ValueId};
use crate::limits::MAX_NESTING;
use crate::ops::Op;
use crate::pos::Pos;
use crate::text::lex::TokenKind;
use crate::text::number;
use crate::text::operators::{self, AND, CAST, COMPARE, OR};
use crate::types::Scalar;

impl Parser<'_, '_> {
    /// An expression with a value.
    pub(super) fn expression(&mut self) -> Parsed<ValueId> {
        let start = self.peek().pos;
        let operand = self.operators(0)?;
        self.value_of(operand, start)
    }

    /// The value of an operand parsed from `start`: loads a place.
    pub(super) fn value_of(&mut self, operand: Operand, start: Pos) -> Parsed<ValueId> {
        let pos = self.span(start);
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Place(place) => Ok(self.b.load(place, pos)),
            Operand::Nothing(what) => {
                let report =
                    Diagnostic::new(Code::K0014, format!("{what} gives no value")).at(pos, "a value is wanted here");
                Err(self.report(report))
            }
        }
    }

    /// Operands and the operators between them with precedence of at least `least`.
    pub(super) fn operators(&mut self, least: u8) -> Parsed<Operand> {
        self.deeper(|p| p.operators_inside(least))
    }

    fn operators_inside(&mut self, least: u8) -> Parsed<Operand> {
        let start = self.peek().pos;
        let first = self.at;
        let mut left = self.unary()?;
        loop {
            let token = self.peek();
            if token.kind == TokenKind::Word && token.text == "as" && CAST >= least {
                let value = self.value_of(left, start)?;
                self.next();
                left = Operand::Value(self.cast(value, start)?);
                continue;
            }
            let level = match token.text {
                _ if token.kind != TokenKind::Mark => return Ok(left),
                "&&" => AND,
                "||" => OR,
                mark => match operators::by_mark(mark) {
                    Some((level, _)) => level,
                    None => return Ok(left),
                },
            };
            if level < least {
                return Ok(left);
            }
            let a = self.value_of(left, start)?;
            self.next();
            self.compound(first, token.text)?;
            left = Operand::Value(match operators::by_mark(token.text) {
                Some((_, op)) => {
                    let b = self.right(level + 1)?;
                    self.b.op(op, &[a, b], self.span(start))
                }
                None => self.short(a, token.text == "&&", level + 1, token.pos)?,
            });
            let chained = operators::by_mark(self.peek().text).is_some_and(|(next, _)| next == COMPARE);
            if level == COMPARE && chained && self.peek().kind == TokenKind::Mark {
                let pos = self.peek().pos;
                let report = Diagnostic::new(Code::K0001, "comparisons are not chained").at(pos, "a second comparison");
                return Err(self.report(report.help("write `a < b && b < c`, or parentheses")));
            }
        }
    }

    fn right(&mut self, least: u8) -> Parsed<ValueId> {
        let start = self.peek().pos;
        let operand = self.operators(least)?;
        self.value_of(operand, start)
    }

    /// `a && b` is `if a { b } else { false }`, `a || b` is `if a { true } else { b }`.
    fn short(&mut self, condition: ValueId, and: bool, least: u8, pos: Pos) -> Parsed<ValueId> {
        if self.blocks >= MAX_NESTING {
            return Err(self.too_deep(pos));
        }
        let mut read = Err(super::ParseFailed);
        let asked = self.nested(|p| {
            read = p.right(least);
            read.ok()
        });
        read?;
        let known = self.nested(|p| Some(p.b.constant(Const::bool(!and))));
        let (then, otherwise) = if and { (asked, known) } else { (known, asked) };
        Ok(self.b.value(InstKind::If { condition, then, otherwise }, pos))
    }

    fn cast(&mut self, value: ValueId, start: Pos) -> Parsed<ValueId> {
        let token = self.peek();
        if token.kind != TokenKind::Word {
            return Err(self.unexpected("the type to convert to"));
        }
        self.next();
        match Op::by_name(&format!("to_{}", token.text)) {
            Some(op) => Ok(self.b.op(op, &[value], self.span(start))),
            None => {
                let mut report =
                    Diagnostic::new(Code::K0005, format!("`as` can not convert to `{}`", token.text)).at(token.pos, "");
                report = report.note(
                    "`as` converts to `i32`, `u32`, `i64`, `u64`, `f32` and `f64`, vectors component by component",
                );
                report = match token.text {
                    "bool" => report.help("compare with zero: `x != 0`"),
                    "i8" | "u8" | "i16" | "u16" => {
                        report.help(format!("`wrap_{}(x)` cuts a number to its range", token.text))
                    }
                    "f16" => report.help("`quantize_f16(x)` rounds to its precision"),
                    _ => report,
                };
                Err(self.report(report))
            }
        }
    }

    fn unary(&mut self) -> Parsed<Operand> {
        let start = self.peek().pos;
        if self.is("-") && self.is_number(1) && self.ahead(1).adjacent {
            self.next();
            let constant = self.literal(true, None)?;
            let value = self.b.constant(constant);
            return self.postfix(Operand::Value(value), start);
        }
        if !self.is("-") && !self.is("!") {
            let operand = self.primary()?;
            return self.postfix(operand, start);
        }
        let op = if self.next().text == "-" { Op::Neg } else { Op::Not };
        let value = self.deeper(|p| {
            let at = p.peek().pos;
            let operand = p.unary()?;
            p.value_of(operand, at)
        })?;
        Ok(Operand::Value(self.b.op(op, &[value], self.span(start))))
    }

    pub(super) fn is_number(&self, n: usize) -> bool {
        let token = self.ahead(n);
        token.kind == TokenKind::Number
            || token.kind == TokenKind::Word && matches!(token.text, "inf" | "nan" | "inf_f64" | "nan_f64")
    }

    /// A literal after its sign. `wanted` is the type, if the context determines it.
    pub(super) fn literal(&mut self, negative: bool, wanted: Option<Scalar>) -> Parsed<Const> {
        let token = self.next();
        if token.kind == TokenKind::Number {
            return number::constant(token.text, negative, wanted).map_err(|bad| self.bad_number(bad, token.pos));
        }
        let scalar = match token.text {
            "true" | "false" => return Ok(Const::bool(token.text == "true")),
            "inf_f64" | "nan_f64" => Scalar::F64,
            _ => wanted.filter(|scalar| scalar.is_float()).unwrap_or(Scalar::F32),
        };
        let mut constant = if token.text.starts_with("inf") { number::infinity(scalar) } else { number::nan(scalar) };
        if token.text.starts_with("nan") && self.eat("(") {
            let bits = self.peek();
            if bits.kind != TokenKind::Number {
                return Err(self.unexpected("the bits of the NaN, as in `nan(0x7fc00001)`"));
            }
            self.next();
            constant = match number::constant(bits.text, false, Some(Scalar::U64)) {
                Ok(read) if number::is_nan(Const { scalar, bits: read.bits }) => Const { scalar, bits: read.bits },
                Ok(_) => {
                    let report =
                        Diagnostic::new(Code::K0004, format!("these are not the bits of a NaN of type `{scalar}`"));
                    return Err(self.report(report.at(bits.pos, "")));
                }
                Err(bad) => return Err(self.bad_number(bad, bits.pos)),
            };
            self.expect(")")?;
        }
        Ok(if negative { number::negated(constant) } else { constant })
    }
}
