//! Patterns: their conditions and their bindings.
//!
//! A pattern has no effects, so its condition may be evaluated as a whole, and its names bound at
//! the start of the arm.

use tilewise_ast::Pattern;

use super::RustType;
use super::scan::binds;
use super::state::{Lower, OrNoValue};
use super::types::TypeContents;
use super::value::{HeldAs, LoweredValue, RustPlace};
use tilewise_ir::kernel::{ValueDef, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;

impl Lower {
    /// Binds the names of an irrefutable pattern.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: &LoweredValue, pos: Pos) -> OrNoValue<()> {
        match pattern {
            Pattern::Bind(local) => {
                let read = self.frame().read.clone();
                let Some(info) = read.tree.locals.get(*local as usize) else {
                    return self.broken(format!("there is no name {local}"), pos);
                };
                let at = if info.at.line > 0 { self.pos(info.at) } else { pos };
                // A name whose value cannot change is the value itself, even with `mut`.
                let changes = info.mutable && value.ty.holds() == TypeContents::Scalars;
                let spot = if changes {
                    self.variable(&info.text, &value.ty, Some(value), at)?
                } else {
                    let indexed = read.scan.indexed.get(*local as usize).copied().unwrap_or(false);
                    let value = if indexed { self.keep_arrays(value, at)? } else { value.clone() };
                    self.name(&value, &info.text);
                    RustPlace::value(value)
                };
                self.bind_local(*local, spot, at)
            }
            Pattern::Tuple(parts) => self.nested(pos, |lower| {
                if value.ty.count() != parts.len() {
                    return lower.broken(format!("`{}` taken apart into {}", value.ty.show(), parts.len()), pos);
                }
                for (i, pattern) in parts.iter().enumerate() {
                    let part = lower.part(value, i, pos)?;
                    lower.bind(pattern, &part, pos)?;
                }
                Ok(())
            }),
            Pattern::Or(choices) if choices.iter().any(binds) => self.formless(
                "a name is bound in only one of several patterns, or differently in each",
                "which value it stands for depends on the pattern that fits",
                "write an arm for each pattern",
                pos,
            ),
            Pattern::Wild | Pattern::Literal(..) | Pattern::Const(..) | Pattern::Range(..) | Pattern::Or(_) => Ok(()),
        }
    }

    /// For a name that is indexed by computed numbers, puts the arrays in its value in memory,
    /// once.
    fn keep_arrays(&mut self, value: &LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        match (&value.ty, &value.held) {
            (RustType::Array(element, n), HeldAs::Parts(_) | HeldAs::Repeat(_)) if *n > 0 && element.in_memory() => {
                self.keep(value, pos)
            }
            (RustType::Struct(_) | RustType::Tuple(_), HeldAs::Parts(parts)) => {
                let parts = parts.iter().map(|part| self.keep_arrays(part, pos)).collect::<OrNoValue<Vec<_>>>()?;
                Ok(LoweredValue::parts(value.ty.clone(), parts))
            }
            _ => Ok(value.clone()),
        }
    }

    /// Names the results of instructions as in the source, for readers of the kernel.
    fn name(&mut self, value: &LoweredValue, name: &str) {
        match &value.held {
            HeldAs::One(id) => {
                let free = self
                    .b
                    .context()
                    .values
                    .get(id.index())
                    .is_some_and(|it| it.def == ValueDef::Inst && it.name.is_none());
                if free && !name.is_empty() {
                    self.b.name(*id, name);
                }
            }
            HeldAs::Parts(parts) if parts.len() <= 8 => {
                for (i, part) in parts.iter().enumerate() {
                    self.name(part, &format!("{name}_{}", value.ty.part_name(i)));
                }
            }
            _ => {}
        }
    }

    /// The condition under which the pattern matches; `None` if it always does.
    pub(super) fn fits(&mut self, pattern: &Pattern, value: &LoweredValue, pos: Pos) -> OrNoValue<Option<ValueId>> {
        self.nested(pos, |lower| lower.fits_within(pattern, value, pos))
    }

    fn fits_within(&mut self, pattern: &Pattern, value: &LoweredValue, pos: Pos) -> OrNoValue<Option<ValueId>> {
        match pattern {
            Pattern::Bind(_) | Pattern::Wild => Ok(None),
            Pattern::Tuple(parts) => self.fits_tuple(parts, value, pos),
            Pattern::Literal(..) | Pattern::Const(..) => {
                let wanted = self.pattern_value(pattern, pos)?;
                self.equal(value, &wanted, pos).map(Some)
            }
            Pattern::Range(low, high, inclusive, at) => {
                let pos = self.pos(*at);
                let last = if *inclusive { Op::Le } else { Op::Lt };
                let low = self.within_end(low.as_deref(), value, Op::Ge, pos)?;
                let high = self.within_end(high.as_deref(), value, last, pos)?;
                self.both(low, high, pos)
            }
            Pattern::Or(choices) => self.fits_any(choices, value, pos),
        }
    }

    fn both(&mut self, a: Option<ValueId>, b: Option<ValueId>, pos: Pos) -> OrNoValue<Option<ValueId>> {
        match (a, b) {
            (Some(a), Some(b)) => self.op(Op::And, &[a, b], pos).map(Some),
            (a, b) => Ok(a.or(b)),
        }
    }

    fn fits_tuple(&mut self, parts: &[Pattern], value: &LoweredValue, pos: Pos) -> OrNoValue<Option<ValueId>> {
        if value.ty.count() != parts.len() {
            return self.broken(format!("`{}` taken apart into {}", value.ty.show(), parts.len()), pos);
        }
        let mut all = None;
        for (i, pattern) in parts.iter().enumerate() {
            let part = self.part(value, i, pos)?;
            let fits = self.fits(pattern, &part, pos)?;
            all = self.both(all, fits, pos)?;
        }
        Ok(all)
    }

    fn fits_any(&mut self, choices: &[Pattern], value: &LoweredValue, pos: Pos) -> OrNoValue<Option<ValueId>> {
        let mut any = None;
        for choice in choices {
            let Some(fits) = self.fits(choice, value, pos)? else { return Ok(None) };
            any = Some(match any {
                Some(any) => self.op(Op::Or, &[any, fits], pos)?,
                None => fits,
            });
        }
        match any {
            Some(any) => Ok(Some(any)),
            None => self.broken("a pattern of no choices", pos),
        }
    }

    fn within_end(
        &mut self,
        end: Option<&Pattern>,
        value: &LoweredValue,
        op: Op,
        pos: Pos,
    ) -> OrNoValue<Option<ValueId>> {
        let Some(end) = end else { return Ok(None) };
        let end = self.pattern_value(end, pos)?;
        let (a, b) = (self.id(value, pos)?, self.id(&end, pos)?);
        self.op(op, &[a, b], pos).map(Some)
    }

    /// The constant that a pattern tests for.
    pub(super) fn pattern_value(&mut self, pattern: &Pattern, pos: Pos) -> OrNoValue<LoweredValue> {
        match pattern {
            Pattern::Literal(literal, negative, slot, at) => {
                let pos = self.pos(*at);
                let ty = self.ty(*slot, pos)?;
                self.literal_of(ty, literal, *negative, pos)
            }
            Pattern::Const(slot, at) => {
                let pos = self.pos(*at);
                let constant = self.constant(*slot, pos)?;
                self.constant_value(&constant, pos)
            }
            _ => self.broken("a pattern that is no constant", pos),
        }
    }
}
