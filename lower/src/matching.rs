//! `match`.
//!
//! A `match` on a single number with constant patterns alone becomes a `switch`; any other becomes
//! a chain of `if`s. rustc has proved it exhaustive, so the last arm is not tested. A guard belongs
//! to the condition; it sees the names of its pattern too, so they are bound for it and again for
//! the arm.

use std::collections::HashSet;

use tilewise_ast::{Expr, ExprKind, FieldPattern, MatchArm, Pattern};

use super::builtin::takes_places;
use super::join::{BuiltArm, Join};
use super::pattern::TakenApart;
use super::scan::binds;
use super::state::{Lower, NameBinding, NoValue, OrNoValue};
use super::value::{HeldAs, LoweredValue};
use super::{Form, RustBuiltin, RustType, VariantsTy};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Const, InstKind, SwitchCase, ValueId};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

/// Limit on the arms of a `match`, alternatives that bind names included.
const MOST_ARMS: usize = 10_000;

/// An arm with one pattern.
#[derive(Clone, Copy)]
struct Choice<'t> {
    pattern: &'t Pattern,
    guard: Option<&'t Expr>,
    body: &'t Expr,
}

impl Lower {
    /// Does an expression certainly do nothing but give its value?
    fn is_pure(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Literal(..) | ExprKind::Capture(_) | ExprKind::Const(_) => true,
            // A function that is handed on may be called.
            ExprKind::CaptureOrFunction(_, link) | ExprKind::ConstOrFunction(_, link) | ExprKind::Function(link) => {
                self.is_pure_function(*link)
            }
            ExprKind::Local(local) => match self.frame().locals.get(*local as usize).cloned() {
                Some(NameBinding::Function(bound)) => !self.may_act(&bound.function),
                _ => true,
            },
            ExprKind::Unary(_, operand, link) => self.is_pure(operand) && self.is_pure_function(*link),
            ExprKind::Binary(_, left, right, link) => {
                self.is_pure(left) && self.is_pure(right) && self.is_pure_function(*link)
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) | ExprKind::Range(left, right, _) => {
                self.is_pure(left) && self.is_pure(right)
            }
            ExprKind::Field(base, _) | ExprKind::Deref(base) | ExprKind::Cast(base, _) => self.is_pure(base),
            ExprKind::Index(base, index, link) => {
                self.is_pure(base) && self.is_pure(index) && link.is_none_or(|link| self.is_pure_function(link))
            }
            ExprKind::Ref(mutable, place) => !mutable && self.is_pure(place),
            ExprKind::Tuple(parts) | ExprKind::Array(parts, _) => parts.iter().all(|part| self.is_pure(part)),
            ExprKind::Repeat(value, _) => self.is_pure(value),
            ExprKind::Call(link, args) => self.is_pure_function(*link) && args.iter().all(|arg| self.is_pure(arg)),
            ExprKind::Assign(..)
            | ExprKind::AssignOp(..)
            | ExprKind::Struct(..)
            | ExprKind::Block(..)
            | ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::While(..)
            | ExprKind::Loop(..)
            | ExprKind::For(..)
            | ExprKind::ForEach(..)
            | ExprKind::Break(..)
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
            | ExprKind::Print(..)
            | ExprKind::Error(..)
            | ExprKind::Abort
            | ExprKind::Try(_)
            | ExprKind::Closure(..)
            | ExprKind::Invoke(..) => false,
        }
    }

    /// Does a function certainly do nothing but give its result?
    fn is_pure_function(&mut self, link: u32) -> bool {
        self.link(link, Pos::NONE).is_ok_and(|form| !self.form_may_act(&form()))
    }

    pub(super) fn match_(&mut self, value: &Expr, arms: &[MatchArm], pos: Pos) -> OrNoValue<LoweredValue> {
        let taken = self.taken_apart(value)?;
        let mut patterns = Vec::new();
        for arm in arms {
            // Each alternative that binds names is an arm of its own. So is each if the guard may have an
            // effect: it is asked again for the next alternative that fits.
            let apart = arm.guard.as_ref().is_some_and(|guard| !self.is_pure(guard));
            for pattern in alternatives(&arm.pattern, apart) {
                patterns.push((pattern, arm));
            }
            if patterns.len() > MOST_ARMS {
                return self.formless(
                    "the patterns of this `match` have too many alternatives",
                    "each combination of alternatives that bind names is an arm of its own",
                    "bind names in fewer alternatives",
                    pos,
                );
            }
        }
        let choices: Vec<Choice<'_>> = patterns
            .iter()
            .map(|(pattern, arm)| Choice { pattern, guard: arm.guard.as_ref(), body: &arm.body })
            .collect();
        if choices.is_empty() {
            return self.formless(
                "a `match` without arms",
                "the type that it is of has no values, and a kernel has nothing to do with one",
                "leave it out: `unwrap_or(0)`, or `let Ok(x) = y else { return };`",
                pos,
            );
        }
        let value = self.taken_value(&taken, pos)?;
        if let Some((cases, default)) = self.cases(&choices, &value, pos)? {
            return self.switch((&value, &taken), cases, default, pos);
        }
        self.match_chain(&choices, (&value, &taken), pos)
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
            RustType::Enum(_) | RustType::Variants(_) => true,
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
            let Some(mut values) = self.case_values(choice.pattern, value, pos)? else { return Ok(None) };
            values.retain(|&bits| seen.insert(bits));
            if !values.is_empty() {
                cases.push((values, *choice));
            }
        }
        Ok(None)
    }

    /// The numbers that a pattern matches, if it is made of constants alone.
    fn case_values(&mut self, pattern: &Pattern, value: &LoweredValue, pos: Pos) -> OrNoValue<Option<Vec<u32>>> {
        let all = match pattern {
            Pattern::Or(choices) => &choices[..],
            one => std::slice::from_ref(one),
        };
        let mut values = Vec::new();
        for pattern in all {
            if let RustType::Variants(of) = &value.ty {
                let Some(number) = self.whole_variant(pattern, of, pos)? else { return Ok(None) };
                values.push(number as u32);
                continue;
            }
            if !matches!(pattern, Pattern::Literal(..) | Pattern::Const(..)) {
                return Ok(None);
            }
            let value = self.pattern_value(pattern, &value.ty, pos)?;
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

    /// The number of the variant, if the pattern fits each value that is this variant, and no other.
    fn whole_variant(&mut self, pattern: &Pattern, of: &VariantsTy, pos: Pos) -> OrNoValue<Option<usize>> {
        match pattern {
            Pattern::Fields(slot, fields, _) if fields.iter().all(|field| always_fits(&field.pattern)) => {
                self.variant_number(*slot, pos).map(Some)
            }
            Pattern::Positions(slot, parts, _) if parts.iter().all(always_fits) => {
                self.variant_number(*slot, pos).map(Some)
            }
            Pattern::At(_, inner) => self.whole_variant(inner, of, pos),
            Pattern::Const(slot, _) => {
                let constant = self.constant(*slot, pos)?;
                let number = constant.leaves.first().map_or(0, |&leaf| leaf as usize);
                let is_bare = of.variants.get(number).is_some_and(|variant| variant.fields.is_empty());
                Ok(is_bare.then_some(number))
            }
            Pattern::Fields(..)
            | Pattern::Positions(..)
            | Pattern::Bind(_)
            | Pattern::Wild
            | Pattern::Tuple(_)
            | Pattern::Literal(..)
            | Pattern::Range(..)
            | Pattern::Or(_)
            | Pattern::Deref(_)
            | Pattern::Rest => Ok(None),
        }
    }

    fn switch(
        &mut self,
        (value, taken): (&LoweredValue, &TakenApart),
        cases: Vec<(Vec<u32>, Choice<'_>)>,
        default: Choice<'_>,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let selector = match &value.ty {
            RustType::Variants(_) => self.part(value, 0, pos).and_then(|number| self.id(&number, pos))?,
            _ => self.id(value, pos)?,
        };
        let mut join = Join::new(false);
        let mut built = Vec::new();
        for (values, choice) in cases {
            let at = self.pos(choice.body.at);
            let arm = self.arm(&mut join, at, |lower| lower.choice(choice, taken, at));
            built.push(SwitchCase { values, body: arm.block, pos: at });
        }
        let at = self.pos(default.body.at);
        let default = self.arm(&mut join, at, |lower| lower.choice(default, taken, at));
        self.declare_joined(&join, pos)?;
        self.emit(InstKind::Switch { selector, cases: built, default: default.block }, pos)?;
        self.joined(join, None, pos)
    }

    /// Binds the names of the arm's pattern, and returns the arm's value.
    fn choice(&mut self, choice: Choice<'_>, taken: &TakenApart, pos: Pos) -> OrNoValue<LoweredValue> {
        self.bind_taken(choice.pattern, taken, pos)?;
        self.end_value(choice.body)
    }

    /// A chain of `if`s, each in the `else` of the one before; built without recursion.
    fn match_chain(
        &mut self,
        choices: &[Choice<'_>],
        (value, taken): (&LoweredValue, &TakenApart),
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let mut join = Join::new(true);
        let mut open: Vec<(ValueId, BuiltArm, Pos)> = Vec::new();
        let mut last = Err(NoValue::Left);
        for (i, choice) in choices.iter().enumerate() {
            let at = self.pos(choice.body.at);
            let condition = match i + 1 == choices.len() && choice.guard.is_none() {
                true => Ok(None),
                false => self.choice_fits(*choice, (value, taken), at),
            };
            match condition {
                Ok(Some(condition)) => {
                    let arm = self.arm(&mut join, at, |lower| lower.choice(*choice, taken, at));
                    open.push((condition, arm, at));
                    self.b.begin_block();
                }
                // Nothing is tested: its value is that of the `match`.
                Ok(None) if i == 0 => return self.choice(*choice, taken, at),
                // The last arm, or one that always matches.
                Ok(None) => {
                    last = self.choice(*choice, taken, at).and_then(|value| self.bring(&mut join, &value, at));
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

    fn choice_fits(
        &mut self,
        choice: Choice<'_>,
        (value, taken): (&LoweredValue, &TakenApart),
        pos: Pos,
    ) -> OrNoValue<Option<ValueId>> {
        let fits = self.fits(choice.pattern, value, pos)?;
        let Some(guard) = choice.guard.filter(|_| !fault::planted(Fault::GuardIgnored)) else { return Ok(fits) };
        let asked = |lower: &mut Lower| {
            lower.bind_taken(choice.pattern, taken, pos)?;
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

/// Does it fit each value?
fn always_fits(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Bind(_) | Pattern::Wild | Pattern::Rest => true,
        Pattern::At(_, inner) | Pattern::Deref(inner) => always_fits(inner),
        Pattern::Tuple(parts) => parts.iter().all(always_fits),
        Pattern::Or(choices) => choices.iter().any(always_fits),
        // A struct's pattern may fit each value; that is not known without types.
        Pattern::Fields(..)
        | Pattern::Positions(..)
        | Pattern::Literal(..)
        | Pattern::Const(..)
        | Pattern::Range(..) => false,
    }
}

/// The patterns of which one fits where this one does, none of which binds names in alternatives, or has
/// any if they are to be `apart`, in Rust's order.
fn alternatives(pattern: &Pattern, apart: bool) -> Vec<Pattern> {
    let every = |parts: &[Pattern]| {
        let mut all = vec![Vec::new()];
        for part in parts {
            let choices = alternatives(part, apart);
            all = all
                .into_iter()
                .flat_map(|before: Vec<Pattern>| {
                    let with = |choice: &Pattern| before.iter().cloned().chain([choice.clone()]).collect();
                    choices.iter().map(with).collect::<Vec<_>>()
                })
                .take(MOST_ARMS + 1)
                .collect();
        }
        all
    };
    match pattern {
        Pattern::Or(choices) if apart || choices.iter().any(binds) => {
            choices.iter().flat_map(|choice| alternatives(choice, apart)).collect()
        }
        Pattern::At(local, inner) => {
            alternatives(inner, apart).into_iter().map(|inner| Pattern::At(*local, Box::new(inner))).collect()
        }
        Pattern::Deref(inner) => {
            alternatives(inner, apart).into_iter().map(|inner| Pattern::Deref(Box::new(inner))).collect()
        }
        Pattern::Tuple(parts) if apart || binds(pattern) => every(parts).into_iter().map(Pattern::Tuple).collect(),
        Pattern::Positions(slot, parts, at) if apart || binds(pattern) => {
            every(parts).into_iter().map(|parts| Pattern::Positions(*slot, parts, *at)).collect()
        }
        Pattern::Fields(slot, fields, at) if apart || binds(pattern) => {
            let inner: Vec<Pattern> = fields.iter().map(|field| field.pattern.clone()).collect();
            let with = |patterns: Vec<Pattern>| {
                let pair =
                    |(field, pattern): (&FieldPattern, Pattern)| FieldPattern { name: field.name.clone(), pattern };
                Pattern::Fields(*slot, fields.iter().zip(patterns).map(pair).collect(), *at)
            };
            every(&inner).into_iter().map(with).collect()
        }
        Pattern::Bind(_)
        | Pattern::Wild
        | Pattern::Rest
        | Pattern::Tuple(_)
        | Pattern::Fields(..)
        | Pattern::Positions(..)
        | Pattern::Or(_)
        | Pattern::Literal(..)
        | Pattern::Const(..)
        | Pattern::Range(..) => vec![pattern.clone()],
    }
}

/// Does what is called certainly do nothing but give its result?
pub(super) fn is_pure_form(form: &Form) -> bool {
    match form {
        // It takes a place, and reads none of it.
        Form::Builtin(RustBuiltin::Length) => true,
        Form::Builtin(builtin) => !takes_places(builtin) && !has_effect(builtin),
        Form::Function(_) => false,
    }
}

/// Does a built-in function that takes no places do more than give its result?
fn has_effect(builtin: &RustBuiltin) -> bool {
    matches!(
        builtin,
        RustBuiltin::Atomic(_) | RustBuiltin::CompareExchange | RustBuiltin::Barrier(_) | RustBuiltin::Fence(_)
    )
}
