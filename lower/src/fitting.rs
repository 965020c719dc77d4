//! The conditions of patterns: does a value fit?

use tilewise_ast::Pattern;

use super::RustType;
use super::pattern::is_rest;
use super::state::{Lower, OrNoValue};
use super::value::LoweredValue;
use tilewise_ir::kernel::{Const, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;

impl Lower {
    /// The condition under which the pattern matches; `None` if it always does.
    pub(super) fn fits(&mut self, pattern: &Pattern, value: &LoweredValue, pos: Pos) -> OrNoValue<Option<ValueId>> {
        self.nested(pos, |lower| lower.fits_within(pattern, value, pos))
    }

    fn fits_within(&mut self, pattern: &Pattern, value: &LoweredValue, pos: Pos) -> OrNoValue<Option<ValueId>> {
        match pattern {
            Pattern::Bind(_) | Pattern::Wild | Pattern::Rest => Ok(None),
            Pattern::At(_, inner) | Pattern::Deref(inner) => self.fits(inner, value, pos),
            Pattern::Tuple(_) => self.fits_parts(pattern, value, pos),
            Pattern::Fields(slot, _, at) | Pattern::Positions(slot, _, at) => {
                let at = self.pos(*at);
                let is_it = self.is_variant(*slot, value, at)?;
                let parts = self.fits_parts(pattern, value, pos)?;
                self.both(is_it, parts, pos)
            }
            Pattern::Literal(..) | Pattern::Const(..) => {
                let wanted = self.pattern_value(pattern, &value.ty, pos)?;
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

    /// Is the value this variant? `None` if it can be no other.
    fn is_variant(&mut self, slot: u32, value: &LoweredValue, pos: Pos) -> OrNoValue<Option<ValueId>> {
        match &value.ty {
            RustType::Variants(of) if of.variants.len() > 1 => {
                let number = self.variant_number(slot, pos)?;
                let wanted = self.variant_constant(number);
                let found = self.part(value, 0, pos)?;
                self.equal(&found, &wanted, pos).map(Some)
            }
            RustType::Enum(of) if of.variants.len() > 1 => {
                let number = self.variant_number(slot, pos)?;
                let bits = of.variants.get(number).map_or(0, |(_, bits)| bits.wrapping_sub(of.zero()));
                let wanted = self.b.constant(Const { scalar: of.scalar, bits: bits.into() });
                self.equal(value, &LoweredValue::one(value.ty.clone(), wanted), pos).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn fits_parts(&mut self, pattern: &Pattern, value: &LoweredValue, pos: Pos) -> OrNoValue<Option<ValueId>> {
        let mut all = None;
        for (part, pattern) in self.takes_apart(pattern, &value.ty, pos)? {
            if is_rest(pattern) || matches!(pattern, Pattern::Bind(_) | Pattern::Wild) {
                continue;
            }
            let part = self.part_of_value(value, &part, pos)?;
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
        let end = self.pattern_value(end, &value.ty, pos)?;
        let (a, b) = (self.id(value, pos)?, self.id(&end, pos)?);
        self.op(op, &[a, b], pos).map(Some)
    }

    /// The constant that a pattern tests a value of this type for.
    pub(super) fn pattern_value(&mut self, pattern: &Pattern, ty: &RustType, pos: Pos) -> OrNoValue<LoweredValue> {
        match pattern {
            Pattern::Literal(literal, negative, at) => {
                let pos = self.pos(*at);
                self.literal_of(ty.clone(), literal, *negative, pos)
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
