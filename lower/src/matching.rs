//! `match`.
//!
//! A `match` on a single number with constant patterns alone becomes a `switch`; any other becomes
//! a chain of `if`s. rustc has proved it exhaustive, so the last arm is not tested. A guard belongs
//! to the condition; it sees the names of its pattern too, so they are bound for it and again for
//! the arm.

use std::collections::HashSet;

use tilewise_ast::{Expr, MatchArm, Pattern};

use super::RustType;
use super::join::{BuiltArm, Join};
use super::scan::binds;
use super::state::{Lower, NoValue, OrNoValue};
use super::value::{HeldAs, LoweredValue};
use tilewise_ir::kernel::{Const, InstKind, SwitchCase, ValueId};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

/// An arm with one pattern.
#[derive(Clone, Copy)]
struct Choice<'t> {
    pattern: &'t Pattern,
    guard: Option<&'t Expr>,
    body: &'t Expr,
}

impl Lower {
    pub(super) fn match_(&mut self, value: &Expr, arms: &[MatchArm], pos: Pos) -> OrNoValue<LoweredValue> {
        let value = self.value(value)?;
        let mut choices = Vec::new();
        for arm in arms {
            let choice = |pattern| Choice { pattern, guard: arm.guard.as_ref(), body: &arm.body };
            match &arm.pattern {
                // Each alternative that binds names is an arm of its own.
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

    /// The cases of a `switch` with their values, and the default arm, if the `match` can be a
    /// `switch`.
    #[allow(clippy::type_complexity, reason = "cases and the default")]
    fn cases<'t>(
        &mut self,
        choices: &[Choice<'t>],
        value: &LoweredValue,
        pos: Pos,
    ) -> OrNoValue<Option<(Vec<(Vec<u32>, Choice<'t>)>, Choice<'t>)>> {
        let asked = match value.ty {
            RustType::Enum(_) => true,
            RustType::Data(data) => matches!(data, Data::I32 | Data::U32),
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

    /// The numbers that a pattern matches, if it is made of constants alone.
    fn case_values(&mut self, pattern: &Pattern, pos: Pos) -> OrNoValue<Option<Vec<u32>>> {
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
                HeldAs::One(id) => self.known(id),
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
        value: &LoweredValue,
        cases: Vec<(Vec<u32>, Choice<'_>)>,
        default: Choice<'_>,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let selector = self.id(value, pos)?;
        let mut join = Join::new(false);
        let mut built = Vec::new();
        for (values, choice) in cases {
            let at = self.pos(choice.body.at);
            let arm = self.arm(&mut join, at, |lower| lower.value(choice.body));
            built.push(SwitchCase { values, body: arm.block, pos: at });
        }
        let at = self.pos(default.body.at);
        let default = self.arm(&mut join, at, |lower| lower.choice(default, value, at));
        self.declare_joined(&join, pos)?;
        self.emit(InstKind::Switch { selector, cases: built, default: default.block }, pos)?;
        self.joined(join, None, pos)
    }

    /// Binds the names of the arm's pattern, and returns the arm's value.
    fn choice(&mut self, choice: Choice<'_>, value: &LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        self.bind(choice.pattern, value, pos)?;
        self.value(choice.body)
    }

    /// A chain of `if`s, each in the `else` of the one before; built without recursion.
    fn match_chain(&mut self, choices: &[Choice<'_>], value: &LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        let mut join = Join::new(true);
        let mut open: Vec<(ValueId, BuiltArm, Pos)> = Vec::new();
        let mut last = Err(NoValue::Left);
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
                // Nothing is tested: its value is that of the `match`.
                Ok(None) if i == 0 => return self.choice(*choice, value, at),
                // The last arm, or one that always matches.
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

    fn choice_fits(&mut self, choice: Choice<'_>, value: &LoweredValue, pos: Pos) -> OrNoValue<Option<ValueId>> {
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
        let otherwise = self.arm(&mut join, pos, |lower| {
            Ok(LoweredValue::one(RustType::Data(Data::BOOL), lower.b.constant(Const::bool(false))))
        });
        let both = self.if_joined(fits, then, otherwise, join, pos)?;
        self.id(&both, pos).map(Some)
    }

    /// Closes the chain from its last arm outwards. The variables that arms wrote are declared
    /// before the whole chain.
    fn close_chain(
        &mut self,
        open: Vec<(ValueId, BuiltArm, Pos)>,
        last: OrNoValue<Option<ValueId>>,
        mut join: Join,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let count = open.len();
        let (mut given, mut end) = match last {
            Ok(value) => (value, Ok(())),
            Err(stop) => (None, Err(stop)),
        };
        join.note(end);
        for (i, (condition, mut then, at)) in open.into_iter().rev().enumerate() {
            let mut otherwise = BuiltArm { block: self.b.end_block(given), end };
            self.patch(&mut then, &join, at)?;
            self.patch(&mut otherwise, &join, at)?;
            // Gone if neither path continues and one of them only for the checker.
            end = match (then.end, otherwise.end) {
                (Ok(()), _) | (_, Ok(())) => Ok(()),
                (Err(NoValue::Gone), _) | (_, Err(NoValue::Gone)) => Err(NoValue::Gone),
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
