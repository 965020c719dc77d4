//! Operations on components: uniform values stay scalar, and affine values stay affine.

use tilewise_ir::analysis::range::{self, IntegerRange};
use tilewise_ir::analysis::shape::{self, ArgumentShape, Stride};
use tilewise_ir::kernel::{Builtin, ValueId};
use tilewise_ir::ops::{Comparison, Op, OpFamily, OverflowRule, ShiftOp, SignOp, StepWriter};
use tilewise_ir::types::{Data, Scalar};

use super::Unformed;
use super::comp::{Comp, integer};
use super::state::{Formed, KernelValue, Vectorizer, malformed};
use crate::lanes::{Elem, LaneInst, LaneType, LaneValue};

/// Writes the [steps](tilewise_ir::ops::VectorSteps) of a row on whole vectors by components, so
/// that affine ones stay affine.
struct CompSteps<'s, 'k> {
    vectorizer: &'s mut Vectorizer<'k>,
    scalar: Scalar,
}

impl StepWriter for CompSteps<'_, '_> {
    type Value = Vec<Comp>;
    type Error = Unformed;

    fn row(&mut self, op: Op, width: u8, args: &[Vec<Comp>]) -> Formed<Vec<Comp>> {
        let component = |i: usize| {
            let args: Vec<Comp> = args.iter().map(|arg| arg[i]).collect();
            self.vectorizer.each(op, self.scalar, &args, &[None; 3])
        };
        Ok((0..usize::from(width)).map(component).collect())
    }

    fn component(&mut self, vector: &Vec<Comp>, index: u8) -> Vec<Comp> {
        vec![vector[usize::from(index)]]
    }

    fn compose(&mut self, components: [Vec<Comp>; 3]) -> Vec<Comp> {
        components.concat()
    }

    fn splat(&mut self, scalar: &Vec<Comp>, width: u8) -> Vec<Comp> {
        vec![scalar[0]; usize::from(width)]
    }

    fn number(&mut self, number: f64) -> Vec<Comp> {
        let bits = if self.scalar == Scalar::F64 { number.to_bits() } else { u64::from((number as f32).to_bits()) };
        vec![Comp::Plain(self.vectorizer.b.constant(Elem::of(self.scalar), bits))]
    }
}

/// The bounds of a number, if it has any.
type Bounds = Option<(i64, i64)>;

/// A range as bounds of the numbers of a type, if none of it has wrapped. Unsigned numbers of 32
/// bits count as signed ones.
fn bounds_in(elem: Elem, range: IntegerRange) -> Bounds {
    let scalar = if elem == Elem::I64 { Scalar::I64 } else { Scalar::I32 };
    let fits = IntegerRange::of_type(scalar).is_some_and(|whole| whole.contains(range));
    fits.then_some((range.lo as i64, range.hi as i64))
}

impl Vectorizer<'_> {
    /// An operation.
    pub(super) fn operation(&mut self, result: Option<ValueId>, op: Op, args: &[ValueId]) -> Formed {
        let comps = self.op(op, args)?;
        self.define(result, KernelValue::Data(comps));
        Ok(())
    }

    /// Composes a vector of its components.
    pub(super) fn compose(&mut self, result: Option<ValueId>, parts: &[ValueId]) -> Formed {
        let comps = parts.iter().map(|&part| self.comp(part)).collect::<Formed<_>>()?;
        self.define(result, KernelValue::Data(comps));
        Ok(())
    }

    /// A vector with equal components.
    pub(super) fn splat(&mut self, result: Option<ValueId>, value: ValueId, width: u8) -> Formed {
        let comps = vec![self.comp(value)?; usize::from(width)];
        self.define(result, KernelValue::Data(comps));
        Ok(())
    }

    /// Selects components of a vector by constant indices.
    pub(super) fn swizzle(&mut self, result: Option<ValueId>, value: ValueId, components: &[u8]) -> Formed {
        let from = self.comps(value)?;
        let pick = |&c: &u8| from.get(usize::from(c)).copied().ok_or_else(|| malformed("a component is none"));
        let comps = components.iter().map(pick).collect::<Formed<_>>()?;
        self.define(result, KernelValue::Data(comps));
        Ok(())
    }

    /// Selects a component of a vector by a computed index.
    pub(super) fn component(&mut self, result: Option<ValueId>, value: ValueId, index: ValueId) -> Formed {
        let from = self.comps(value)?;
        let index = self.comp(index)?;
        let comp = self.component_at(&from, index);
        self.define(result, KernelValue::Data(vec![comp]));
        Ok(())
    }

    /// A builtin of the thread's position.
    pub(super) fn thread_index(&mut self, result: Option<ValueId>, builtin: Builtin) {
        let comp = if matches!(builtin, Builtin::Global(_)) && self.input.key.flat {
            // Only whole positions are used, and those as the position in the row.
            self.positions.extend(result);
            Comp::Plain(self.b.constant(Elem::I32, 0))
        } else {
            self.builtin(builtin)
        };
        self.define(result, KernelValue::Data(vec![comp]));
    }

    /// The component at a computed index; zero out of range.
    pub(super) fn component_at(&mut self, from: &[Comp], index: Comp) -> Comp {
        let Some(first) = from.first() else { return index };
        let zero = self.b.constant(first.elem(&self.b), 0);
        let mut found = Comp::Plain(zero);
        for (i, &comp) in from.iter().enumerate() {
            let at = self.b.constant(Elem::I32, i as u64);
            let here = self.each(Op::Eq, Scalar::I32, &[index, Comp::Plain(at)], &[None; 2]);
            found = self.choose(here, comp, found);
        }
        found
    }

    /// Selects by a condition.
    pub(super) fn choose(&mut self, condition: Comp, yes: Comp, no: Comp) -> Comp {
        if yes == no {
            return yes;
        }
        let condition = condition.value(&mut self.b);
        match (yes, no) {
            (Comp::Affine { base: yes, step, exact: a }, Comp::Affine { base: no, step: other, exact: b })
                if step == other && !self.b.ty(condition).is_lanes() =>
            {
                let base = self.b.select(condition, yes, no);
                let exact = a.zip(b).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
                Comp::Affine { base, step, exact }
            }
            _ => {
                let form = self.usual_choice(condition, yes, no);
                let (yes, no) = (yes.value(&mut self.b), no.value(&mut self.b));
                let before = self.b.value_count();
                let chosen = self.b.select(condition, yes, no);
                self.note_usual(chosen, before, form);
                Comp::Plain(chosen)
            }
        }
    }

    fn op(&mut self, op: Op, args: &[ValueId]) -> Formed<Vec<Comp>> {
        let types: Option<Vec<Data>> = args.iter().map(|&arg| self.input.context.data(arg)).collect();
        let Some((types, Ok(instance))) = types.map(|types| (types.clone(), op.resolve(&types))) else {
            return Err(malformed("an operation does not take its arguments"));
        };
        let comps: Vec<Vec<Comp>> = args.iter().map(|&arg| self.comps(arg)).collect::<Formed<_>>()?;
        if op.row().each {
            let bounds: Vec<Bounds> = args.iter().map(|&arg| self.range(arg)).collect();
            let one = |s: &mut Self, i: usize| {
                let args: Vec<Comp> = comps.iter().map(|arg| arg[i.min(arg.len() - 1)]).collect();
                s.each(op, instance.scalar, &args, &bounds)
            };
            return Ok((0..usize::from(instance.width)).map(|i| one(self, i)).collect());
        }
        if let OpFamily::Geometry(steps) = op.family() {
            let width = types[0].width;
            return steps.write(&mut CompSteps { vectorizer: self, scalar: instance.scalar }, width, &comps);
        }
        if let Some(&(_, with)) = [(Op::Any, Op::Or), (Op::All, Op::And)].iter().find(|(reduction, _)| *reduction == op)
        {
            let both = |s: &mut Self, a: Comp, b: Comp| s.each(with, Scalar::Bool, &[a, b], &[None; 2]);
            return Ok(comps[0].iter().copied().reduce(|a, b| both(self, a, b)).into_iter().collect());
        }
        let flat: Vec<LaneValue> = comps.iter().flatten().map(|comp| comp.value(&mut self.b)).collect();
        let widths: Vec<u8> = types.iter().map(|data| data.width).collect();
        let component = |s: &mut Self, c| Comp::Plain(s.b.whole(op, instance, &flat, &widths, c));
        Ok((0..instance.result.width).map(|c| component(self, c)).collect())
    }

    /// A componentwise row. `bounds` are those of the arguments in active lanes.
    pub(super) fn each(&mut self, op: Op, scalar: Scalar, args: &[Comp], bounds: &[Bounds]) -> Comp {
        if op == Op::Select
            && let &[condition, yes, no] = args
        {
            return self.choose(condition, yes, no);
        }
        if args.iter().any(|arg| matches!(arg, Comp::Affine { .. }))
            && let Some(comp) = self.affine(op, scalar, args, bounds).or_else(|| self.compared(op, scalar, args))
        {
            return comp;
        }
        let form = self.usual_operation(op, scalar, args, bounds);
        let values: Vec<LaneValue> = args.iter().map(|arg| arg.value(&mut self.b)).collect();
        let before = self.b.value_count();
        let value = self.b.op(op, scalar, &values);
        self.note_usual(value, before, form);
        Comp::Plain(value)
    }

    /// The value of lane 0, the difference from lane to lane, and the bounds of a component; `None`
    /// if it varies.
    fn lane_zero(&self, comp: Comp, bounds: Bounds) -> Option<(LaneValue, i64, Bounds)> {
        if let Comp::Affine { base, step, exact } = comp {
            return Some((base, step, exact));
        }
        let scalar = comp.scalar(&self.b)?;
        Some((scalar, 0, self.b.number_of(scalar).map(|n| (n, n)).or(bounds)))
    }

    /// The result of an operation as an affine component, if it stays affine.
    pub(super) fn affine(&mut self, op: Op, scalar: Scalar, args: &[Comp], bounds: &[Bounds]) -> Option<Comp> {
        let elem = match scalar {
            Scalar::I32 | Scalar::U32 => Elem::I32,
            Scalar::I64 | Scalar::U64 => Elem::I64,
            Scalar::Bool | Scalar::F32 | Scalar::F64 => return None,
        };
        match op.family() {
            // Lane 0 of the result is the result of all lanes 0; how it grows, and between which
            // numbers, are facts of the row.
            OpFamily::Arithmetic(_, OverflowRule::Wrap)
            | OpFamily::Shift(ShiftOp::Shl)
            | OpFamily::Signed(SignOp::Neg) => {
                let (mut bases, mut ranges, mut shapes) = (Vec::new(), Vec::new(), Vec::<ArgumentShape>::new());
                for (&arg, &bounds) in args.iter().zip(bounds) {
                    let (base, by, exact) = self.lane_zero(arg, bounds)?;
                    bases.push(base);
                    ranges.push(exact.map(|(lo, hi)| IntegerRange { lo: lo.into(), hi: hi.into() }));
                    // A factor must hold in inactive lanes too, as only that of a constant does.
                    let factor = self.b.number_of(base).filter(|_| by == 0);
                    shapes.push((Some(Stride { by, exact: true }), factor.map(|n| IntegerRange::just(n.into()))));
                }
                let step = shape::apply(op, scalar, scalar, &shapes)?.by;
                let exact = range::unbounded(op, scalar, &ranges).and_then(|range| bounds_in(elem, range));
                if op == Op::Mul && self.b.number_of(bases[0]).is_some() {
                    bases.swap(0, 1);
                }
                let base = self.b.op(op, integer(elem), &bases);
                Some(if step == 0 { Comp::Plain(base) } else { Comp::Affine { base, step, exact } })
            }
            OpFamily::MultiplyAdd => {
                let product = self.affine(Op::Mul, scalar, &args[..2], &bounds[..2])?;
                let product_bounds = match product {
                    Comp::Affine { exact, .. } => exact,
                    Comp::Plain(_) => None,
                };
                self.affine(Op::Add, scalar, &[product, args[2]], &[product_bounds, bounds[2]])
            }
            OpFamily::Conversion(to) | OpFamily::Bitcast(to) => match to {
                Scalar::I32 | Scalar::U32 => (elem == Elem::I32).then_some(args[0]),
                Scalar::I64 | Scalar::U64 if elem == Elem::I64 => Some(args[0]),
                Scalar::I64 | Scalar::U64 => {
                    let (base, step, exact) = self.lane_zero(args[0], bounds[0])?;
                    let (lo, hi) = exact.filter(|&(lo, _)| lo >= 0 || scalar == Scalar::I32)?;
                    Some(Comp::Affine { base: self.b.op(Op::ToI64, scalar, &[base]), step, exact: Some((lo, hi)) })
                }
                Scalar::Bool | Scalar::F32 | Scalar::F64 => None,
            },
            OpFamily::Arithmetic(_, OverflowRule::Saturate | OverflowRule::Report)
            | OpFamily::Shift(ShiftOp::Shr)
            | OpFamily::Signed(SignOp::Abs | SignOp::Sign)
            | OpFamily::Division(_)
            | OpFamily::Extreme(_)
            | OpFamily::Clamp
            | OpFamily::Integer(_)
            | OpFamily::Comparison(_)
            | OpFamily::Select
            | OpFamily::Reduction
            | OpFamily::Bitwise(_)
            | OpFamily::Not
            | OpFamily::BitCount
            | OpFamily::BitSearch
            | OpFamily::BitMove
            | OpFamily::ExtractBits
            | OpFamily::Narrow(_)
            | OpFamily::Float
            | OpFamily::FloatTest
            | OpFamily::Packed
            | OpFamily::Geometry(_) => None,
        }
    }

    /// Compares a component that increases by one from lane to lane, which splits the lanes in two.
    fn compared(&mut self, op: Op, scalar: Scalar, args: &[Comp]) -> Option<Comp> {
        let (Some(comparison), &[a, b]) = (op.comparison(), args) else { return None };
        let (comparison, affine, other) = match (a, b) {
            (Comp::Affine { .. }, _) => (comparison, a, b),
            (Comp::Plain(_), Comp::Affine { .. }) => (comparison.swapped(), b, a),
            (Comp::Plain(_), Comp::Plain(_)) => return None,
        };
        let Comp::Affine { base, step: 1, exact: Some((lo, _)) } = affine else { return None };
        if !matches!(scalar, Scalar::I32 | Scalar::U32) || lo < 0 && scalar == Scalar::U32 || self.b.width() == 1 {
            return None;
        }
        let other = other.scalar(&self.b)?;
        let wide = |s: &mut Self, value| s.b.op(Op::ToI64, scalar, &[value]);
        let (base, other) = (wide(self, base), wide(self, other));
        let distance = self.b.op(Op::Sub, Scalar::I64, &[other, base]);
        let one = self.b.number(1);
        let mask = match comparison {
            Comparison::Lt | Comparison::Ge => self.b.first_lanes(distance),
            Comparison::Le | Comparison::Gt => {
                let beyond = self.b.op(Op::Add, Scalar::I64, &[distance, one]);
                self.b.first_lanes(beyond)
            }
            Comparison::Eq | Comparison::Ne => {
                let distance = self.b.op(Op::ToI32, Scalar::I64, &[distance]);
                let at = self.b.lanes(distance);
                let lane = self.b.pure(LaneInst::Lane, LaneType::Lanes(Elem::I32));
                let mask = self.b.op(Op::Eq, Scalar::I32, &[at, lane]);
                let width = self.b.constant(Elem::I32, u64::from(self.b.width()));
                let any = self.b.op(Op::Lt, Scalar::U32, &[distance, width]);
                let all = self.b.truth(false);
                self.b.describe(mask, any, all);
                mask
            }
        };
        let negated = matches!(comparison, Comparison::Ge | Comparison::Gt | Comparison::Ne);
        Some(Comp::Plain(if negated { self.b.not(mask) } else { mask }))
    }
}
