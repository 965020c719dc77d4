//! Patterns and `match`.
//!
//! A `match` on one number that asks for constants alone becomes a `switch`; any other a chain of `if`s. rustc has seen to it that an arm fits: the last one is not
//! asked for. A pattern has no effects, so that it may be asked for as a whole, and bound where its arm begins. A guard belongs to the condition; it sees the names too, so they
//! are bound for it and again for the arm.

use std::collections::HashSet;

use tilewise_ast::{Arm as MatchArm, Expr, Pattern};

use super::Ty;
use super::join::{Arm, Join};
use super::scan::binds;
use super::state::{Lower, Stop, Way};
use super::types::Holds;
use super::value::{Held, Spot, Value};
use crate::kernel::{Case, Const, InstKind, ValueDef, ValueId};
use crate::ops::Op;
use crate::pos::Pos;
use crate::types::{Data, Scalar};

/// An arm with one pattern.
#[derive(Clone, Copy)]
struct Choice<'t> {
    pattern: &'t Pattern,
    guard: Option<&'t Expr>,
    body: &'t Expr,
}

impl Lower {
    /// Binds the names of a pattern that always fits.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: &Value, pos: Pos) -> Way<()> {
        match pattern {
            Pattern::Bind(local) => {
                let read = self.frame().read.clone();
                let Some(info) = read.tree.locals.get(*local as usize) else {
                    return self.broken(format!("there is no name {local}"), pos);
                };
                let at = if info.at.line > 0 { self.pos(info.at) } else { pos };
                // A name that cannot change is the value itself, whatever its `mut` says.
                let changes = info.mutable && value.ty.holds() == Holds::Scalars;
                let spot = if changes {
                    self.variable(&info.text, &value.ty, Some(value), at)?
                } else {
                    let indexed = read.scan.indexed.get(*local as usize).copied().unwrap_or(false);
                    let value = if indexed { self.keep_arrays(value, at)? } else { value.clone() };
                    self.name(&value, &info.text);
                    Spot::value(value)
                };
                self.bind_local(*local, spot, at)
            }
            Pattern::Tuple(parts) => {
                self.deeper(pos)?;
                if value.ty.count() != parts.len() {
                    return self.broken(format!("`{}` taken apart into {}", value.ty.show(), parts.len()), pos);
                }
                for (i, pattern) in parts.iter().enumerate() {
                    let part = self.part(value, i, pos)?;
                    self.bind(pattern, &part, pos)?;
                }
                self.levels -= 1;
                Ok(())
            }
            Pattern::Or(choices) if choices.iter().any(binds) => self.formless(
                "a name is bound in only one of several patterns, or differently in each",
                "which value it stands for depends on the pattern that fits",
                "write an arm for each pattern",
                pos,
            ),
            Pattern::Wild | Pattern::Literal(..) | Pattern::Const(..) | Pattern::Range(..) | Pattern::Or(_) => Ok(()),
        }
    }

    /// Puts the arrays of a value that is indexed by computed numbers in memory, once.
    fn keep_arrays(&mut self, value: &Value, pos: Pos) -> Way<Value> {
        match (&value.ty, &value.held) {
            (Ty::Array(element, n), Held::Parts(_) | Held::Repeat(_)) if *n > 0 && element.in_memory() => {
                self.keep(value, pos)
            }
            (Ty::Struct(_) | Ty::Tuple(_), Held::Parts(parts)) => {
                let parts = parts.iter().map(|part| self.keep_arrays(part, pos)).collect::<Way<Vec<_>>>()?;
                Ok(Value::parts(value.ty.clone(), parts))
            }
            _ => Ok(value.clone()),
        }
    }

    /// Names the results of instructions as the source does, for whoever reads the kernel.
    fn name(&mut self, value: &Value, name: &str) {
        match &value.held {
            Held::One(id) => {
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
            Held::Parts(parts) if parts.len() <= 8 => {
                for (i, part) in parts.iter().enumerate() {
                    self.name(part, &format!("{name}_{}", value.ty.part_name(i)));
                }
            }
            _ => {}
        }
    }

    /// Does the pattern fit? Nothing if it always does.
    fn fits(&mut self, pattern: &Pattern, value: &Value, pos: Pos) -> Way<Option<ValueId>> {
        self.deeper(pos)?;
        let fits = match pattern {
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
        };
        self.levels -= 1;
        fits
    }

    fn both(&mut self, a: Option<ValueId>, b: Option<ValueId>, pos: Pos) -> Way<Option<ValueId>> {
        match (a, b) {
            (Some(a), Some(b)) => self.op(Op::And, &[a, b], pos).map(Some),
            (a, b) => Ok(a.or(b)),
        }
    }

    fn fits_tuple(&mut self, parts: &[Pattern], value: &Value, pos: Pos) -> Way<Option<ValueId>> {
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

    fn fits_any(&mut self, choices: &[Pattern], value: &Value, pos: Pos) -> Way<Option<ValueId>> {
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

    fn within_end(&mut self, end: Option<&Pattern>, value: &Value, op: Op, pos: Pos) -> Way<Option<ValueId>> {
        let Some(end) = end else { return Ok(None) };
        let end = self.pattern_value(end, pos)?;
        let (a, b) = (self.id(value, pos)?, self.id(&end, pos)?);
        self.op(op, &[a, b], pos).map(Some)
    }

    /// The constant that a pattern asks for.
    fn pattern_value(&mut self, pattern: &Pattern, pos: Pos) -> Way<Value> {
        match pattern {
            Pattern::Literal(literal, negative, slot, at) => {
                let pos = self.pos(*at);
                let ty = self.ty(*slot, pos)?;
                match self.literal_bits(literal, &ty, *negative) {
                    Some(constant) => Ok(Value::one(ty, self.b.constant(constant))),
                    None => self.broken(format!("a literal of type `{}`", ty.show()), pos),
                }
            }
            Pattern::Const(slot, at) => {
                let pos = self.pos(*at);
                let constant = self.constant(*slot, pos)?;
                self.constant_value(&constant, pos)
            }
            _ => self.broken("a pattern that is no constant", pos),
        }
    }

    pub(super) fn match_(&mut self, value: &Expr, arms: &[MatchArm], pos: Pos) -> Way<Value> {
        let value = self.value(value)?;
        let mut choices = Vec::new();
        for arm in arms {
            let choice = |pattern| Choice { pattern, guard: arm.guard.as_ref(), body: &arm.body };
            match &arm.pattern {
                // Each of several patterns that bind names is an arm of its own.
                Pattern::Or(patterns) if patterns.iter().any(binds) => choices.extend(patterns.iter().map(choice)),
                pattern => choices.push(choice(pattern)),
            }
        }
        if choices.is_empty() {
            return self.broken("a `match` without arms", pos);
        }
        if let Some((cases, default)) = self.cases(&choices, &value, pos)? {
            return self.switch(&value, cases, default, pos);
        }
        self.match_chain(&choices, &value, pos)
    }

    /// The cases of a `switch` with their values, and the arm for the rest, if the `match` can be one.
    #[allow(clippy::type_complexity, reason = "cases and the default")]
    fn cases<'t>(
        &mut self,
        choices: &[Choice<'t>],
        value: &Value,
        pos: Pos,
    ) -> Way<Option<(Vec<(Vec<u32>, Choice<'t>)>, Choice<'t>)>> {
        let asked = match value.ty {
            Ty::Enum(_) => true,
            Ty::Data(data) => matches!(data, Data::I32 | Data::U32),
            _ => false,
        };
        if !asked || choices.iter().any(|choice| choice.guard.is_some()) {
            return Ok(None);
        }
        let mut seen = HashSet::new();
        let mut cases = Vec::new();
        for (i, choice) in choices.iter().enumerate() {
            if i + 1 == choices.len() || matches!(choice.pattern, Pattern::Bind(_) | Pattern::Wild) {
                return Ok((cases.len() > 1).then_some((cases, *choice)));
            }
            let Some(mut values) = self.case_values(choice.pattern, pos)? else { return Ok(None) };
            values.retain(|&bits| seen.insert(bits));
            if !values.is_empty() {
                cases.push((values, *choice));
            }
        }
        Ok(None)
    }

    /// The numbers a pattern asks for, if it asks for nothing else.
    fn case_values(&mut self, pattern: &Pattern, pos: Pos) -> Way<Option<Vec<u32>>> {
        let all = match pattern {
            Pattern::Or(choices) => &choices[..],
            one => std::slice::from_ref(one),
        };
        let mut values = Vec::new();
        for pattern in all {
            if !matches!(pattern, Pattern::Literal(..) | Pattern::Const(..)) {
                return Ok(None);
            }
            let value = self.pattern_value(pattern, pos)?;
            let known = match value.held {
                Held::One(id) => self.known(id),
                _ => None,
            };
            match known {
                Some(Const { scalar: Scalar::I32 | Scalar::U32, bits }) => values.push(bits as u32),
                _ => return Ok(None),
            }
        }
        Ok(Some(values))
    }

    fn switch(
        &mut self,
        value: &Value,
        cases: Vec<(Vec<u32>, Choice<'_>)>,
        default: Choice<'_>,
        pos: Pos,
    ) -> Way<Value> {
        let selector = self.id(value, pos)?;
        let mut join = Join::new(false);
        let mut built = Vec::new();
        for (values, choice) in cases {
            let at = self.pos(choice.body.at);
            let arm = self.arm(&mut join, at, |lower| lower.value(choice.body));
            built.push(Case { values, body: arm.block, pos: at });
        }
        let at = self.pos(default.body.at);
        let default = self.arm(&mut join, at, |lower| lower.choice(default, value, at));
        self.declare_joined(&join, pos)?;
        self.emit(InstKind::Switch { selector, cases: built, default: default.block }, pos)?;
        self.joined(join, None, pos)
    }

    /// Binds what the arm's pattern binds, and gives its value.
    fn choice(&mut self, choice: Choice<'_>, value: &Value, pos: Pos) -> Way<Value> {
        self.bind(choice.pattern, value, pos)?;
        self.value(choice.body)
    }

    /// A chain of `if`s, each in the `else` of the one before; built without going deeper for each.
    fn match_chain(&mut self, choices: &[Choice<'_>], value: &Value, pos: Pos) -> Way<Value> {
        let mut join = Join::new(true);
        let mut open: Vec<(ValueId, Arm, Pos)> = Vec::new();
        let mut last = Err(Stop::Left);
        for (i, choice) in choices.iter().enumerate() {
            let at = self.pos(choice.body.at);
            let condition = match i + 1 == choices.len() && choice.guard.is_none() {
                true => Ok(None),
                false => self.choice_fits(*choice, value, at),
            };
            match condition {
                Ok(Some(condition)) => {
                    let arm = self.arm(&mut join, at, |lower| lower.choice(*choice, value, at));
                    open.push((condition, arm, at));
                    self.b.begin_block();
                }
                // Nothing is asked: its value is that of the `match`.
                Ok(None) if i == 0 => return self.choice(*choice, value, at),
                // The last arm, or one that always fits.
                Ok(None) => {
                    last = self.choice(*choice, value, at).and_then(|value| self.bring(&mut join, &value, at));
                    break;
                }
                Err(stop) if i == 0 => return Err(stop),
                Err(stop) => {
                    last = Err(stop);
                    break;
                }
            }
        }
        self.close_chain(open, last, join, pos)
    }

    fn choice_fits(&mut self, choice: Choice<'_>, value: &Value, pos: Pos) -> Way<Option<ValueId>> {
        let fits = self.fits(choice.pattern, value, pos)?;
        let Some(guard) = choice.guard else { return Ok(fits) };
        let asked = |lower: &mut Lower| {
            lower.bind(choice.pattern, value, pos)?;
            lower.value(guard)
        };
        let Some(fits) = fits else {
            let guard = asked(self)?;
            return self.id(&guard, pos).map(Some);
        };
        let mut join = Join::new(true);
        let then = self.arm(&mut join, pos, asked);
        let otherwise = self
            .arm(&mut join, pos, |lower| Ok(Value::one(Ty::Data(Data::BOOL), lower.b.constant(Const::bool(false)))));
        let both = self.if_joined(fits, then, otherwise, join, pos)?;
        self.id(&both, pos).map(Some)
    }

    /// Closes the chain from its last arm outwards. The variables that arms wrote are declared in front of it all.
    fn close_chain(
        &mut self,
        open: Vec<(ValueId, Arm, Pos)>,
        last: Way<Option<ValueId>>,
        mut join: Join,
        pos: Pos,
    ) -> Way<Value> {
        let count = open.len();
        let (mut given, mut end) = match last {
            Ok(value) => (value, Ok(())),
            Err(stop) => (None, Err(stop)),
        };
        join.note(end);
        for (i, (condition, mut then, at)) in open.into_iter().rev().enumerate() {
            let mut otherwise = Arm { block: self.b.end_block(given), end };
            self.patch(&mut then, &join, at)?;
            self.patch(&mut otherwise, &join, at)?;
            // Gone if neither way goes on and one of them only for the checker.
            end = match (then.end, otherwise.end) {
                (Ok(()), _) | (_, Ok(())) => Ok(()),
                (Err(Stop::Gone), _) | (_, Err(Stop::Gone)) => Err(Stop::Gone),
                (other, _) => other,
            };
            if i + 1 == count {
                self.declare_joined(&join, pos)?;
            }
            let kind = InstKind::If { condition, then: then.block, otherwise: otherwise.block };
            given = self.emit(kind, at)?;
        }
        self.joined(join, given, pos)
    }
}
