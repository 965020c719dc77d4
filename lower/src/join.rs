//! Control-flow joins: the arms of an `if` or `match` and the exits of a scope or a loop each bring
//! a value of one type.
//!
//! A number or vector is the value of the construct itself, if that kind has one. All other data is
//! brought through local variables that are declared before the construct: its blocks are built
//! first, so the type of the values is known by then. A view can be brought only if all paths bring
//! the same one.

use std::rc::Rc;

use super::RustType;
use super::state::{Lower, NoValue, OrNoValue};
use super::types::TypeContents;
use super::value::{HeldAs, LoweredValue, RustPlace, SpotRoot};
use tilewise_ir::kernel::{Block, Init, InstKind, LocalId, ValueId};
use tilewise_ir::pos::Pos;

/// The values brought so far.
#[derive(Debug)]
pub(super) struct Join {
    /// Does the construct have a value of its own?
    direct: bool,
    /// The type of the value; `None` until the first path has ended.
    ty: Option<RustType>,
    how: JoinWay,
    /// Did a path end because its thread has ended?
    gone: bool,
    failed: bool,
}

#[derive(Debug)]
enum JoinWay {
    /// Nothing has been brought.
    Unknown,
    /// No value, or always the same.
    Same(LoweredValue),
    /// The construct's own value.
    Direct,
    /// Variables, not declared yet.
    Variables(RustPlace, Vec<LocalId>),
}

/// A block that is built, and how it ended.
pub(super) struct BuiltArm {
    pub(super) block: Block,
    pub(super) end: OrNoValue<()>,
}

impl Join {
    /// `direct`: the construct can have a value of its own.
    pub(super) const fn new(direct: bool) -> Join {
        Join { direct, ty: None, how: JoinWay::Unknown, gone: false, failed: false }
    }

    /// Records how a path has ended.
    pub(super) fn note(&mut self, end: OrNoValue<()>) {
        self.gone |= end == Err(NoValue::Gone);
        self.failed |= end == Err(NoValue::Failed);
    }
}

impl Lower {
    /// Builds a block that brings its value.
    pub(super) fn arm(
        &mut self,
        join: &mut Join,
        pos: Pos,
        fill: impl FnOnce(&mut Lower) -> OrNoValue<LoweredValue>,
    ) -> BuiltArm {
        self.begin_arm();
        let filled = fill(self);
        self.end_arm(join, filled, pos)
    }

    /// Begins a block that not every thread runs.
    pub(super) fn begin_arm(&mut self) {
        self.b.begin_block();
        self.arms += 1;
    }

    fn end_arm(&mut self, join: &mut Join, filled: OrNoValue<LoweredValue>, pos: Pos) -> BuiltArm {
        let end = filled.and_then(|value| self.bring(join, &value, pos));
        self.arms -= 1;
        let (value, end) = match end {
            Ok(value) => (value, Ok(())),
            Err(stop) => (None, Err(stop)),
        };
        join.note(end);
        BuiltArm { block: self.b.end_block(value), end }
    }

    /// Brings a value; returns the operand for the block's value or the `break`.
    pub(super) fn bring(&mut self, join: &mut Join, value: &LoweredValue, pos: Pos) -> OrNoValue<Option<ValueId>> {
        match &join.ty {
            None => {
                join.how = self.first(join.direct, value, pos)?;
                join.ty = Some(value.ty.clone());
            }
            Some(ty) if *ty != value.ty => {
                let why = format!("one way gives `{}`, another `{}`", ty.show(), value.ty.show());
                return self.broken(why, pos);
            }
            Some(_) => {}
        }
        match &join.how {
            JoinWay::Unknown => Ok(None),
            JoinWay::Same(known) => match (value.ty.holds(), &known.held, &value.held) {
                (TypeContents::Nothing, ..) => Ok(None),
                (_, HeldAs::One(a), HeldAs::One(b)) if a == b => Ok(None),
                _ => self.chosen(&value.ty, pos),
            },
            JoinWay::Direct => self.id(value, pos).map(Some),
            JoinWay::Variables(spot, _) => {
                let spot = spot.clone();
                self.store(&spot, value, pos).map(|()| None)
            }
        }
    }

    fn first(&mut self, direct: bool, value: &LoweredValue, pos: Pos) -> OrNoValue<JoinWay> {
        match value.ty.holds() {
            TypeContents::Nothing => Ok(JoinWay::Same(LoweredValue::nothing(&value.ty))),
            TypeContents::Scalars if direct && value.ty.data().is_some() => Ok(JoinWay::Direct),
            TypeContents::Scalars => {
                let mut locals = Vec::new();
                let spot = self.new_variable(&value.ty, "result", &mut locals, pos)?;
                Ok(JoinWay::Variables(spot, locals))
            }
            TypeContents::Handle if matches!(value.held, HeldAs::One(_)) => Ok(JoinWay::Same(value.clone())),
            TypeContents::Handle => self.chosen(&value.ty, pos),
        }
    }

    fn chosen<T>(&mut self, ty: &RustType, pos: Pos) -> OrNoValue<T> {
        self.formless(
            format!("which `{}` this is depends on a condition", ty.show()),
            "a view or an atomic reference can not be chosen while a kernel runs",
            "move its use into the arms",
            pos,
        )
    }

    /// Declares the variables that the paths have written, directly before the construct.
    pub(super) fn declare_joined(&mut self, join: &Join, pos: Pos) -> OrNoValue<()> {
        let JoinWay::Variables(_, locals) = &join.how else { return Ok(()) };
        // A path whose thread has ended writes nothing, but for the checker it reaches this point
        // too.
        let init = if join.gone { Init::Zero } else { Init::Unset };
        for &local in locals {
            self.emit(InstKind::Declare { local, init }, pos)?;
        }
        Ok(())
    }

    /// Gives the block of an ended thread a value, if the construct requires one.
    pub(super) fn patch(&mut self, arm: &mut BuiltArm, join: &Join, pos: Pos) -> OrNoValue<()> {
        let (Err(NoValue::Gone), JoinWay::Direct, Some(ty)) = (arm.end, &join.how, &join.ty) else { return Ok(()) };
        let ty = ty.clone();
        self.b.begin_block();
        let value = self.zero(&ty, pos).and_then(|zero| self.id(&zero, pos));
        let mut end = self.b.end_block(value.ok());
        arm.block.insts.append(&mut end.insts);
        arm.block.value = end.value;
        value.map(|_| ())
    }

    /// The value after the construct, whose own value is `result`.
    pub(super) fn joined(&mut self, join: Join, result: Option<ValueId>, pos: Pos) -> OrNoValue<LoweredValue> {
        if join.failed {
            return Err(NoValue::Failed);
        }
        match (join.how, join.ty) {
            (JoinWay::Same(value), _) => match value.held {
                HeldAs::One(id) if !self.b.visible(id) => self.chosen(&value.ty, pos),
                _ => Ok(value),
            },
            (JoinWay::Direct, Some(ty)) => match result {
                Some(id) => Ok(LoweredValue::one(ty, id)),
                None => self.broken("a construct without a value", pos),
            },
            (JoinWay::Variables(spot, _), Some(_)) => self.settled(&spot, pos),
            // No path reached its end with a value.
            _ if join.gone => Err(NoValue::Gone),
            _ => Err(NoValue::Left),
        }
    }

    /// Loads variables that are not written again.
    fn settled(&mut self, spot: &RustPlace, pos: Pos) -> OrNoValue<LoweredValue> {
        match &spot.at {
            SpotRoot::Memory(place) if spot.ty.data().is_none() => {
                Ok(LoweredValue { ty: spot.ty.clone(), held: HeldAs::Kept(Rc::clone(place)) })
            }
            SpotRoot::Split(parts) => {
                let parts = parts.iter().map(|part| self.settled(part, pos)).collect::<OrNoValue<Vec<_>>>()?;
                Ok(LoweredValue::parts(spot.ty.clone(), parts))
            }
            _ => self.load(spot, pos),
        }
    }
}
