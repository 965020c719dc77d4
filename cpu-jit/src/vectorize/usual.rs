//! Values that are affine in nearly all strips, though not in every one: neighbours that are held
//! inside a view, as in `v[clamp(x + 1, 0, n - 1)]`, or that wrap around at its edge, as in
//! `if x == 0 { n - 1 } else { x - 1 }`; rows and columns of a position, as in `v[x / n, x % n]`; the
//! lower bits of a position, as in `x & (n - 1)`.
//!
//! Such a value varies, so its lanes are computed like any other. Beside it the table keeps its
//! [`UsualForm`]: the affine or uniform value that all its lanes, active or not, equal in a strip,
//! and the conditions for that. An access demands the conditions together with its bounds check, and
//! then has unit stride; where they fail, it takes the careful path with the lanes themselves
//! ([`place`](super::place)). Loops hoist conditions on ends of affine values as they hoist bounds
//! ([`version`](crate::lanes::version)).
//!
//! Masks are conditions only if they compare affine values: few strips then have lanes of both kinds.

use smallvec::SmallVec;
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::comp::Comp;
use super::state::Vectorizer;
use crate::hash::HashMap;
use crate::lanes::{BuildMark, Elem, LaneInst, LaneType, LaneValue};

/// Maximum number of conditions of a form.
const MOST: usize = 4;

/// The usual forms of values that are lanes.
pub(super) type UsualForms = HashMap<LaneValue, UsualForm>;

/// An affine value, and the conditions on which all lanes of another value equal it.
#[derive(Clone, Debug)]
pub(super) struct UsualForm {
    conditions: SmallVec<[UsualCondition; 2]>,
    base: LaneValue,
    /// 0 if it is uniform.
    step: i64,
    exact: Option<(i64, i64)>,
}

/// A condition of a form.
#[derive(Clone, Copy, Debug)]
enum UsualCondition {
    /// All lanes of a mask are set.
    All(LaneValue),
    /// No lane of a mask is set.
    None(LaneValue),
    /// A scalar is true.
    Holds(LaneValue),
    /// All lanes of an affine value are at least this number, and none wraps.
    Least(AffineLanes, LaneValue),
    /// All lanes of an affine value are at most this number, and none wraps.
    Most(AffineLanes, LaneValue),
}

/// An affine value of this type.
#[derive(Clone, Copy, Debug)]
struct AffineLanes {
    base: LaneValue,
    step: i64,
    scalar: Scalar,
    /// May lanes have wrapped?
    may_wrap: bool,
}

impl UsualForm {
    fn comp(&self) -> Comp {
        match self.step {
            0 => Comp::Plain(self.base),
            step => Comp::Affine { base: self.base, step, exact: self.exact },
        }
    }

    fn values(&self) -> impl Iterator<Item = LaneValue> + '_ {
        let condition = |condition: &UsualCondition| match *condition {
            UsualCondition::All(value) | UsualCondition::None(value) | UsualCondition::Holds(value) => [value, value],
            UsualCondition::Least(affine, limit) | UsualCondition::Most(affine, limit) => [affine.base, limit],
        };
        self.conditions.iter().flat_map(condition).chain([self.base])
    }

    fn with(mut self, condition: UsualCondition) -> Option<UsualForm> {
        self.conditions.push(condition);
        (self.conditions.len() <= MOST).then_some(self)
    }
}

impl Vectorizer<'_> {
    /// The form of a component; an affine one has no conditions.
    fn usual_form(&self, comp: Comp) -> Option<UsualForm> {
        match comp {
            Comp::Affine { base, step, exact } => Some(UsualForm { conditions: SmallVec::new(), base, step, exact }),
            Comp::Plain(value) => self.usual.get(&value).cloned(),
        }
    }

    /// The form of what a mask selects.
    pub(super) fn usual_choice(&self, mask: LaneValue, yes: Comp, no: Comp) -> Option<UsualForm> {
        if !self.b.ty(mask).is_lanes() {
            return None;
        }
        let (any, all) = self.b.description(mask)?;
        let (all, none) = (self.b.constant_of(all), self.b.constant_of(any));
        let (yes, no) = (self.usual_form(yes), self.usual_form(no));
        match (yes, no) {
            // A comparison for equality is rarely true.
            (_, Some(form)) if all == Some(0) => form.with(UsualCondition::None(mask)),
            (Some(form), _) if none == Some(1) => form.with(UsualCondition::All(mask)),
            (Some(yes), Some(no)) if yes.step != 1 && no.step == 1 => no.with(UsualCondition::None(mask)),
            (Some(form), _) => form.with(UsualCondition::All(mask)),
            (None, Some(form)) => form.with(UsualCondition::None(mask)),
            (None, None) => None,
        }
    }

    /// The form of the result of an operation that is not affine itself.
    pub(super) fn usual_operation(
        &mut self,
        op: Op,
        scalar: Scalar,
        args: &[Comp],
        bounds: &[Option<(i64, i64)>],
    ) -> Option<UsualForm> {
        if !matches!(scalar, Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64) {
            return None;
        }
        if let Scalar::I32 | Scalar::U32 = scalar {
            if let Op::Min | Op::Max | Op::Clamp = op {
                return self.usual_extreme(op, scalar, args);
            }
            if let (Op::And | Op::Rem | Op::Div, &[arg, by]) = (op, args)
                && let (Some(form), Some(by)) = (self.usual_form(arg), by.scalar(&self.b))
            {
                return self.usual_part(op, scalar, form, by);
            }
        }
        let mut conditions = SmallVec::<[UsualCondition; 2]>::new();
        let mut any = false;
        let args: Vec<Comp> = args
            .iter()
            .map(|&arg| match (arg, self.usual_form(arg)) {
                (Comp::Plain(_), Some(form)) => {
                    any = true;
                    conditions.extend_from_slice(&form.conditions);
                    form.comp()
                }
                (arg, _) => arg,
            })
            .collect();
        if !any || conditions.len() > MOST {
            return None;
        }
        match self.affine(op, scalar, &args, bounds)? {
            Comp::Affine { base, step, exact } => Some(UsualForm { conditions, base, step, exact }),
            Comp::Plain(base) if self.b.ty(base).is_lanes() => None,
            Comp::Plain(base) => Some(UsualForm { conditions, base, step: 0, exact: None }),
        }
    }

    /// The form of the lower bits of an affine value, of its remainder or of its quotient: the lanes
    /// of a strip seldom cross a multiple.
    fn usual_part(&mut self, op: Op, scalar: Scalar, form: UsualForm, by: LaneValue) -> Option<UsualForm> {
        if form.step <= 0 {
            return None;
        }
        let span = self.b.number((i64::from(self.b.width()) - 1) * form.step);
        let wide = |s: &mut Self, scalar, value| s.b.op(Op::ToI64, scalar, &[value]);
        let one = self.b.constant(Elem::I32, 1);
        let zero = self.b.constant(Elem::I32, 0);
        let (rest, limit, holds) = if op == Op::And {
            // All bits below some bit: the lanes count on in them until they overflow.
            let rest = self.b.op(Op::And, Scalar::I32, &[form.base, by]);
            let next = self.b.op(Op::Add, Scalar::I32, &[by, one]);
            let above = self.b.op(Op::And, Scalar::I32, &[by, next]);
            let low_bits = self.b.op(Op::Eq, Scalar::I32, &[above, zero]);
            let (limit, one) = (wide(self, Scalar::U32, by), self.b.number(1));
            (rest, self.b.op(Op::Add, Scalar::I64, &[limit, one]), low_bits)
        } else {
            let rest = self.b.op(Op::Rem, scalar, &[form.base, by]);
            let positive = self.b.op(Op::Gt, scalar, &[by, zero]);
            let affine = AffineLanes { base: form.base, step: form.step, scalar, may_wrap: true };
            let within = self.lanes_within(affine, Some(zero), None);
            (rest, wide(self, scalar, by), self.b.and(positive, within))
        };
        let first = wide(self, Scalar::U32, rest);
        let last = self.b.op(Op::Add, Scalar::I64, &[first, span]);
        let below = self.b.op(Op::Lt, Scalar::I64, &[last, limit]);
        let holds = self.b.and(holds, below);
        if self.b.constant_of(holds) == Some(0) {
            return None;
        }
        let (base, step) = match op == Op::Div {
            true => (self.b.op(Op::Div, scalar, &[form.base, by]), 0),
            false => (rest, form.step),
        };
        UsualForm { base, step, exact: None, ..form }.with(UsualCondition::Holds(holds))
    }

    /// The form of an affine value that is held between scalars.
    fn usual_extreme(&self, op: Op, scalar: Scalar, args: &[Comp]) -> Option<UsualForm> {
        let (mut form, limits) = match (args, self.usual_form(*args.first()?)) {
            (&[_, low, high], Some(form)) => (form, [Some(low), Some(high)]),
            (&[_, limit], Some(form)) if op == Op::Max => (form, [Some(limit), None]),
            (&[_, limit], Some(form)) => (form, [None, Some(limit)]),
            (&[limit, other], None) if op == Op::Max => (self.usual_form(other)?, [Some(limit), None]),
            (&[limit, other], None) => (self.usual_form(other)?, [None, Some(limit)]),
            _ => return None,
        };
        let may_wrap = form.exact.is_none_or(|(lo, _)| lo < 0 && scalar == Scalar::U32);
        let affine = AffineLanes { base: form.base, step: form.step, scalar, may_wrap };
        for (limit, condition) in limits.into_iter().zip([UsualCondition::Least, UsualCondition::Most]) {
            if let Some(limit) = limit {
                form = form.with(condition(affine, limit.scalar(&self.b)?))?;
            }
        }
        Some(form)
    }

    /// Keeps the form of a value, unless the value existed before: `before` is the number of values
    /// then. What the form consists of is available wherever a new value is.
    pub(super) fn note_usual(&mut self, value: LaneValue, before: usize, form: Option<UsualForm>) {
        if let Some(form) = form
            && value.index() >= before
            && self.b.ty(value).is_lanes()
        {
            self.usual.insert(value, form);
        }
    }

    /// The affine value that an index usually is, and a scalar: is it?
    pub(super) fn usual_index(&mut self, index: Comp) -> Option<(Comp, LaneValue)> {
        let Comp::Plain(value) = index else { return None };
        let form = self.usual.get(&value)?.clone();
        let mut holds = self.b.truth(true);
        for condition in &form.conditions {
            let one = match *condition {
                UsualCondition::All(mask) => self.b.all(mask),
                // Loops exclude comparisons for equality that only their ends fulfil: as masks, not
                // by the scalars that describe these.
                UsualCondition::None(mask) => {
                    let any = self.b.pure(LaneInst::Any(mask), LaneType::Scalar(Elem::Bool));
                    self.b.not(any)
                }
                UsualCondition::Holds(scalar) => scalar,
                UsualCondition::Least(affine, limit) => self.lanes_within(affine, Some(limit), None),
                UsualCondition::Most(affine, limit) => self.lanes_within(affine, None, Some(limit)),
            };
            holds = self.b.and(holds, one);
        }
        Some((form.comp(), holds))
    }

    /// Do all lanes of an affine value, without wrapping, lie between these numbers, or those of
    /// its type? By the comparisons that loops hoist.
    fn lanes_within(&mut self, affine: AffineLanes, least: Option<LaneValue>, most: Option<LaneValue>) -> LaneValue {
        let AffineLanes { base, step, scalar, may_wrap } = affine;
        let wide = |s: &mut Self, value| s.b.op(Op::ToI64, scalar, &[value]);
        let first = wide(self, base);
        let span = self.b.number((i64::from(self.b.width()) - 1) * step);
        let last = self.b.op(Op::Add, Scalar::I64, &[first, span]);
        let (low, high) = if step > 0 { (first, last) } else { (last, first) };
        let of_type = if scalar == Scalar::U32 { (0, i64::from(u32::MAX)) } else { (i32::MIN.into(), i32::MAX.into()) };
        let mut holds = self.b.truth(true);
        if least.is_some() || may_wrap {
            let least = match least {
                Some(least) => wide(self, least),
                None => self.b.number(of_type.0),
            };
            let above = self.b.op(Op::Ge, Scalar::I64, &[low, least]);
            holds = self.b.and(holds, above);
        }
        if most.is_some() || may_wrap {
            let beyond = match most {
                Some(most) => {
                    let (most, one) = (wide(self, most), self.b.number(1));
                    self.b.op(Op::Add, Scalar::I64, &[most, one])
                }
                None => self.b.number(of_type.1 + 1),
            };
            let below = self.b.op(Op::Lt, Scalar::I64, &[high, beyond]);
            holds = self.b.and(holds, below);
        }
        holds
    }

    /// Removes everything written since the mark, forms included: the numbers of removed values are
    /// given to others.
    pub(super) fn back_to(&mut self, mark: &BuildMark) {
        self.b.back_to(mark);
        self.usual.retain(|&value, form| mark.has(value) && form.values().all(|value| mark.has(value)));
    }
}
