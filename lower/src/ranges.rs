//! `for` over ranges, forwards and backwards, in steps, of every integer type.
//!
//! The loop has the shape that [analysis](tilewise_ir::analysis) recognises: a counter in a
//! variable of its own, a condition before each iteration, a continuing part that changes the
//! counter.
//! ```text
//! for i in low..high { body }        var counter = low; while counter < high { let i = counter; body } continuing { counter = counter + 1; }
//! ```
//! - An inclusive end may be the largest value of its type. Unless it is known to be smaller, the
//!   continuing part ends the loop at the last number, before the counter would wrap.
//! - Backwards, the counter of an open range is one above the number:
//!   `while counter > low { let i = counter - 1; .. } continuing { counter = counter - 1; }`.
//! - Steps through an open range add with saturation: the largest value is below no end.
//! - All other loops (steps backwards, backwards through steps, ..) compute the first number, the
//!   last and the stride, and count from first to last.

use tilewise_ast::{ForHead, RangeAdapter, SyntaxBlock};

use super::join::Join;
use super::state::{Lower, NoValue, OrNoValue};
use super::value::{LoweredValue, RustPlace};
use super::{RustType, local};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Const, Init, InstKind, LocalId, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

/// The evaluated parts of a loop's head.
struct LoopHead {
    /// Type of the counter.
    scalar: Scalar,
    low: ValueId,
    high: ValueId,
    inclusive: bool,
    adapters: Vec<RangeTurn>,
}

/// An evaluated adapter.
#[derive(Clone, Copy)]
enum RangeTurn {
    Back,
    Step(ValueId),
}

/// The course of a loop.
struct Course {
    /// Initial value of the counter.
    first: ValueId,
    /// The condition before each iteration: the operation and the end that it compares the counter
    /// with.
    goes_on: Option<(Op, ValueId)>,
    /// The number of an iteration is the counter minus one.
    below: bool,
    /// The update of the counter.
    by: (Op, ValueId),
    /// The test after each iteration that ends the loop.
    last: Option<Last>,
}

enum Last {
    /// The counter is this number.
    At(ValueId),
    /// The end is nearer than a step: the end, the step as an unsigned number, whether the range is
    /// open.
    Near(ValueId, ValueId, bool),
}

impl Lower {
    pub(super) fn for_(&mut self, head: &ForHead, body: &SyntaxBlock, label: u32, pos: Pos) -> OrNoValue<LoweredValue> {
        let ty = self.ty(head.ty, pos)?;
        if ty == RustType::Char {
            let (why, help) = ("not every number is a character", "write `for n in 0..4` and `(b'a' + n) as char`");
            return self.formless("a `for` over characters", why, help, pos);
        }
        let evaluated = self.head(head, &ty, pos)?;
        let (course, guard) = self.course(&evaluated, pos.implied())?;
        let scalar = evaluated.scalar;
        match guard {
            None => self.run(&course, scalar, head, &ty, body, label, pos)?,
            Some(condition) => {
                let mut join = Join::new(false);
                let then = self.arm(&mut join, pos, |lower| {
                    lower.run(&course, scalar, head, &ty, body, label, pos).map(|()| LoweredValue::UNIT)
                });
                let otherwise = self.arm(&mut join, pos, |_| Ok(LoweredValue::UNIT));
                self.if_joined(condition, then, otherwise, join, pos)?;
            }
        }
        Ok(LoweredValue::UNIT)
    }

    /// Evaluates the ends, then the steps, in source order.
    fn head(&mut self, head: &ForHead, ty: &RustType, pos: Pos) -> OrNoValue<LoopHead> {
        let Some(Data { scalar, width: 1 }) = ty.data().filter(|data| data.scalar.is_integer()) else {
            return self.broken(format!("a loop over numbers of type `{}`", ty.show()), pos);
        };
        let mut end = |expr| {
            let value = self.value(expr)?;
            let value = self.id(&value, pos)?;
            if self.b.value_type(value).data() == Some(Data::scalar(scalar)) {
                return Ok(value);
            }
            self.broken("the end of a range is of another type", pos)
        };
        let (low, high) = (end(&head.low)?, end(&head.high)?);
        let mut adapters = Vec::new();
        for adapter in &head.adapters {
            adapters.push(match adapter {
                RangeAdapter::Rev => RangeTurn::Back,
                RangeAdapter::StepBy(step) => {
                    let step = self.value(step)?;
                    let step = self.id(&step, pos)?;
                    if self.b.value_type(step).data() != Some(Data::U32) {
                        return self.broken("a step that is no `usize`", pos);
                    }
                    RangeTurn::Step(self.at_least_one(step, pos)?)
                }
            });
        }
        Ok(LoopHead { scalar, low, high, inclusive: head.inclusive, adapters })
    }

    pub(super) fn at_least_one(&mut self, step: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        let one = self.b.constant(Const::u32(1));
        match self.known(step) {
            Some(known) if known.bits > 0 => Ok(step),
            Some(_) => Ok(one),
            None => self.op(Op::Max, &[step, one], pos),
        }
    }

    fn one(&mut self, scalar: Scalar) -> ValueId {
        self.b.constant(Const { scalar, bits: 1 })
    }

    /// The course of the loop, and a condition for entering it at all, if its own condition does
    /// not decide that.
    fn course(&mut self, head: &LoopHead, pos: Pos) -> OrNoValue<(Course, Option<ValueId>)> {
        let LoopHead { scalar, low, high, inclusive, .. } = *head;
        let one = self.one(scalar);
        // An end cannot be passed by wrapping if it is constant and not the limit of the type.
        let room = |lower: &Lower, end: ValueId, up: bool| {
            let edge = tilewise_ir::analysis::range::IntegerRange::of_type(scalar);
            lower.known(end).and_then(Const::integer).zip(edge).is_some_and(|(end, edge)| match up {
                true => end < edge.hi,
                false => end > edge.lo,
            })
        };
        let simple =
            |first, goes_on, below, by, last| Ok((Course { first, goes_on: Some(goes_on), below, by, last }, None));
        match (&head.adapters[..], inclusive) {
            ([], false) => simple(low, (Op::Lt, high), false, (Op::Add, one), None),
            ([], true) => {
                let last = (!room(self, high, true)).then_some(Last::At(high));
                let order = fault::choose(Fault::InclusiveEnd, Op::Le, Op::Lt);
                simple(low, (order, high), false, (Op::Add, one), last)
            }
            ([RangeTurn::Back], false) => {
                simple(high, (Op::Gt, low), !fault::planted(Fault::ReversedStart), (Op::Sub, one), None)
            }
            ([RangeTurn::Back], true) => {
                let last = (!room(self, low, false)).then_some(Last::At(low));
                simple(high, (Op::Ge, low), false, (Op::Sub, one), last)
            }
            ([RangeTurn::Step(step)], inclusive) => {
                let goes_on = if inclusive { (Op::Le, high) } else { (Op::Lt, high) };
                let small = scalar != Scalar::I32 || self.known(*step).is_some_and(|step| step.bits <= i32::MAX as u64);
                if small && (!inclusive || room(self, high, true)) {
                    let step = self.convert(*step, scalar, pos)?;
                    let add = fault::choose(Fault::StepWraps, Op::AddSat, Op::Add);
                    return simple(low, goes_on, false, (add, step), None);
                }
                let unsigned = unsigned(scalar);
                let far = self.convert(*step, unsigned, pos)?;
                let step = self.convert(far, scalar, pos)?;
                simple(low, goes_on, false, (Op::Add, step), Some(Last::Near(high, far, !inclusive)))
            }
            _ => self.any_course(head, pos),
        }
    }

    /// The course by the first number, the last, and the stride.
    fn any_course(&mut self, head: &LoopHead, pos: Pos) -> OrNoValue<(Course, Option<ValueId>)> {
        let LoopHead { scalar, low, high, inclusive, .. } = *head;
        let wide = unsigned(scalar);
        let there = self.op(if inclusive { Op::Le } else { Op::Lt }, &[low, high], pos)?;
        let one = self.one(scalar);
        let end = if inclusive { high } else { self.op(Op::Sub, &[high, one], pos)? };
        let (mut first, mut last, mut up) = (low, end, true);
        let mut stride = self.b.constant(Const { scalar: wide, bits: 1 });
        for turn in &head.adapters {
            match turn {
                RangeTurn::Back => {
                    (first, last) = (last, first);
                    up = !up;
                }
                RangeTurn::Step(step) => {
                    let step = self.convert(*step, wide, pos)?;
                    let (from, to) = if up { (first, last) } else { (last, first) };
                    let distance = self.op(Op::Sub, &[to, from], pos)?;
                    let distance = self.convert(distance, wide, pos)?;
                    let over;
                    (stride, over) = self.longer_stride(stride, step, distance, wide, pos)?;
                    let over = self.convert(over, scalar, pos)?;
                    last = self.op(if up { Op::Sub } else { Op::Add }, &[last, over], pos)?;
                }
            }
        }
        let stride = self.convert(stride, scalar, pos)?;
        let by = (if up { Op::Add } else { Op::Sub }, stride);
        Ok((Course { first, goes_on: None, below: false, by, last: Some(Last::At(last)) }, Some(there)))
    }

    /// The stride times a step, and how far the distance exceeds the last multiple of it.
    ///
    /// A product that overflows the type exceeds any distance, so all of the distance remains. The
    /// saturated product does not show this: it may equal the distance.
    fn longer_stride(
        &mut self,
        stride: ValueId,
        step: ValueId,
        distance: ValueId,
        wide: Scalar,
        pos: Pos,
    ) -> OrNoValue<(ValueId, ValueId)> {
        if self.known(stride).is_some_and(|stride| stride.bits == 1) {
            return Ok((step, self.op(Op::Rem, &[distance, step], pos)?));
        }
        let most = self.b.constant(Const { scalar: wide, bits: u64::MAX >> (64 - wide.bits()) });
        let fits = self.op(Op::Div, &[most, stride], pos)?;
        let beyond = self.op(Op::Gt, &[step, fits], pos)?;
        let longer = self.op(Op::MulSat, &[stride, step], pos)?;
        let over = self.op(Op::Rem, &[distance, longer], pos)?;
        Ok((longer, self.op(Op::Select, &[beyond, distance, over], pos)?))
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one `for`")]
    fn run(
        &mut self,
        course: &Course,
        scalar: Scalar,
        head: &ForHead,
        ty: &RustType,
        body: &SyntaxBlock,
        label: u32,
        pos: Pos,
    ) -> OrNoValue<()> {
        let name = head.local.map_or_else(|| "round".to_owned(), |local| format!("{}_counter", self.local_name(local)));
        let id = self.b.types().data(Data::scalar(scalar));
        let counter = self.b.local(&name, id);
        self.emit(InstKind::Declare { local: counter, init: Init::Value(course.first) }, pos)?;
        let target = self.open(Some(label), Join::new(false));
        let condition = match course.goes_on {
            Some((op, end)) => {
                self.b.begin_block();
                let at = self.counter(counter, pos);
                let asked = at.and_then(|at| self.op(op, &[at, end], pos));
                let block = self.b.end_block(asked.ok());
                asked?;
                Some(Box::new(block))
            }
            None => None,
        };
        self.b.begin_block();
        let end = self.round(course, counter, head, ty, body, pos);
        let body = self.b.end_block(None);
        self.b.begin_block();
        let ends = self.move_on(course, counter, scalar, pos);
        let continuing = self.b.end_block(ends.unwrap_or(None));
        let target = self.close(target);
        ends?;
        self.emit(InstKind::Loop { label: target.label, condition, body, continuing }, pos)?;
        if end == Err(NoValue::Failed) { end } else { Ok(()) }
    }

    fn counter(&mut self, counter: LocalId, pos: Pos) -> OrNoValue<ValueId> {
        self.inst(InstKind::Load(local(counter)), pos)
    }

    fn round(
        &mut self,
        course: &Course,
        counter: LocalId,
        head: &ForHead,
        ty: &RustType,
        body: &SyntaxBlock,
        pos: Pos,
    ) -> OrNoValue<()> {
        if let Some(bound) = head.local {
            let mut number = self.counter(counter, pos)?;
            if course.below {
                let by = course.by.1;
                number = self.op(Op::Sub, &[number, by], pos)?;
            }
            self.bind(&tilewise_ast::Pattern::Bind(bound), &LoweredValue::one(ty.clone(), number), pos)?;
        }
        self.block(body).map(|_| ())
    }

    /// Updates the counter; returns whether the iteration was the last, if the test is made here.
    fn move_on(&mut self, course: &Course, counter: LocalId, scalar: Scalar, pos: Pos) -> OrNoValue<Option<ValueId>> {
        let at = self.counter(counter, pos)?;
        let ends = match course.last {
            None => None,
            Some(Last::At(last)) => Some(self.op(Op::Eq, &[at, last], pos)?),
            Some(Last::Near(end, step, open)) => {
                let distance = self.op(Op::Sub, &[end, at], pos.implied())?;
                let distance = self.convert(distance, unsigned(scalar), pos.implied())?;
                Some(self.op(if open { Op::Le } else { Op::Lt }, &[distance, step], pos)?)
            }
        };
        let (op, by) = course.by;
        // Behind the last number, the counter may wrap; nothing reads it then.
        let value = self.op(op, &[at, by], pos.implied())?;
        self.emit(InstKind::Store { place: local(counter), value }, pos)?;
        Ok(ends)
    }

    /// A loop with a constant iteration count, for lowering's own use.
    pub(super) fn count_up(
        &mut self,
        count: u32,
        pos: Pos,
        body: impl FnOnce(&mut Lower, ValueId) -> OrNoValue<()>,
    ) -> OrNoValue<()> {
        let mut locals = Vec::new();
        let ty = RustType::Data(Data::U32);
        let spot = self.new_variable(&ty, "round", &mut locals, pos)?;
        let [counter] = locals[..] else { return Ok(()) };
        let zero = self.b.constant(Const::u32(0));
        self.emit(InstKind::Declare { local: counter, init: Init::Value(zero) }, pos)?;
        let label = self.b.label(None);
        let end = self.b.constant(Const::u32(count));
        self.b.begin_block();
        let at = self.counter(counter, pos)?;
        let asked = self.op(Op::Lt, &[at, end], pos)?;
        let condition = Some(Box::new(self.b.end_block(Some(asked))));
        self.b.begin_block();
        let at = self.counter(counter, pos)?;
        let filled = body(self, at);
        let body = self.b.end_block(None);
        filled?;
        self.b.begin_block();
        let at = self.counter(counter, pos)?;
        let one = self.b.constant(Const::u32(1));
        let next = self.op(Op::Add, &[at, one], pos)?;
        self.store(&RustPlace::new(ty.clone(), spot.at), &LoweredValue::one(ty, next), pos)?;
        let continuing = self.b.end_block(None);
        self.emit(InstKind::Loop { label, condition, body, continuing }, pos).map(|_| ())
    }
}

/// The unsigned type of the same width.
pub(super) const fn unsigned(scalar: Scalar) -> Scalar {
    if scalar.bits() == 64 { Scalar::U64 } else { Scalar::U32 }
}
