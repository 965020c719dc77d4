//! Where several ways meet: the arms of an `if` or `match`, the ends of a scope or a loop, each bringing a value of one type.
//!
//! A number or vector is the value of the construct itself where that has one. Anything larger goes through local variables, which are declared in front of the
//! construct: its blocks are built first, so what they bring is known by then. A view can be brought only if all ways bring the same one.

use std::rc::Rc;

use super::Ty;
use super::state::{Lower, Stop, Way};
use super::types::Holds;
use super::value::{At, Held, Spot, Value};
use crate::kernel::{Block, Init, InstKind, LocalId, ValueId};
use crate::pos::Pos;

/// What the ways so far have brought.
#[derive(Debug)]
pub(super) struct Join {
    /// Has the construct a value of its own?
    direct: bool,
    /// The type that is brought; nothing until the first way has come to its end.
    ty: Option<Ty>,
    how: How,
    /// Did a way end because its thread has ended?
    gone: bool,
    failed: bool,
}

#[derive(Debug)]
enum How {
    /// Nothing has been brought.
    Unknown,
    /// There is nothing to bring, or always the same.
    Same(Value),
    /// The construct's own value.
    Direct,
    /// Variables, which are still to be declared.
    Variables(Spot, Vec<LocalId>),
}

/// A block that was built, and how it ended.
pub(super) struct Arm {
    pub(super) block: Block,
    pub(super) end: Way<()>,
}

impl Join {
    /// Of a construct that has a value of its own, or has none.
    pub(super) const fn new(direct: bool) -> Join {
        Join { direct, ty: None, how: How::Unknown, gone: false, failed: false }
    }

    /// Notes how a way has ended.
    pub(super) fn note(&mut self, end: Way<()>) {
        self.gone |= end == Err(Stop::Gone);
        self.failed |= end == Err(Stop::Failed);
    }
}

impl Lower {
    /// Builds a block that brings its value.
    pub(super) fn arm(&mut self, join: &mut Join, pos: Pos, fill: impl FnOnce(&mut Lower) -> Way<Value>) -> Arm {
        self.b.begin_block();
        let end = fill(self).and_then(|value| self.bring(join, &value, pos));
        let (value, end) = match end {
            Ok(value) => (value, Ok(())),
            Err(stop) => (None, Err(stop)),
        };
        join.note(end);
        Arm { block: self.b.end_block(value), end }
    }

    /// Brings a value; gives what the block or the `break` is to say.
    pub(super) fn bring(&mut self, join: &mut Join, value: &Value, pos: Pos) -> Way<Option<ValueId>> {
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
            How::Unknown => Ok(None),
            How::Same(known) => match (value.ty.holds(), &known.held, &value.held) {
                (Holds::Nothing, ..) => Ok(None),
                (_, Held::One(a), Held::One(b)) if a == b => Ok(None),
                _ => self.chosen(&value.ty, pos),
            },
            How::Direct => self.id(value, pos).map(Some),
            How::Variables(spot, _) => {
                let spot = spot.clone();
                self.store(&spot, value, pos).map(|()| None)
            }
        }
    }

    fn first(&mut self, direct: bool, value: &Value, pos: Pos) -> Way<How> {
        match value.ty.holds() {
            Holds::Nothing => Ok(How::Same(Value::nothing(&value.ty))),
            Holds::Scalars if direct && value.ty.data().is_some() => Ok(How::Direct),
            Holds::Scalars => {
                let mut locals = Vec::new();
                let spot = self.new_variable(&value.ty, "result", &mut locals, pos)?;
                Ok(How::Variables(spot, locals))
            }
            Holds::Handle if matches!(value.held, Held::One(_)) => Ok(How::Same(value.clone())),
            Holds::Handle => self.chosen(&value.ty, pos),
        }
    }

    fn chosen<T>(&mut self, ty: &Ty, pos: Pos) -> Way<T> {
        self.formless(
            format!("which `{}` this is depends on a condition", ty.show()),
            "a view or an atomic reference can not be chosen while a kernel runs",
            "put what is done with it into the arms",
            pos,
        )
    }

    /// Declares the variables that the ways have written: directly in front of the construct.
    pub(super) fn declare_joined(&mut self, join: &Join, pos: Pos) -> Way<()> {
        let How::Variables(_, locals) = &join.how else { return Ok(()) };
        // A way whose thread has ended writes nothing, but for the checker it comes here too.
        let init = if join.gone { Init::Zero } else { Init::Unset };
        for &local in locals {
            self.emit(InstKind::Declare { local, init }, pos)?;
        }
        Ok(())
    }

    /// Gives the block of a thread that has ended a value, where the construct wants one.
    pub(super) fn patch(&mut self, arm: &mut Arm, join: &Join, pos: Pos) -> Way<()> {
        let (Err(Stop::Gone), How::Direct, Some(ty)) = (arm.end, &join.how, &join.ty) else { return Ok(()) };
        let ty = ty.clone();
        self.b.begin_block();
        let value = self.zero(&ty, pos).and_then(|zero| self.id(&zero, pos));
        let mut end = self.b.end_block(value.ok());
        arm.block.insts.append(&mut end.insts);
        arm.block.value = end.value;
        value.map(|_| ())
    }

    /// The value behind the construct, whose own value is `result`.
    pub(super) fn joined(&mut self, join: Join, result: Option<ValueId>, pos: Pos) -> Way<Value> {
        if join.failed {
            return Err(Stop::Failed);
        }
        match (join.how, join.ty) {
            (How::Same(value), _) => match value.held {
                Held::One(id) if !self.b.visible(id) => self.chosen(&value.ty, pos),
                _ => Ok(value),
            },
            (How::Direct, Some(ty)) => match result {
                Some(id) => Ok(Value::one(ty, id)),
                None => self.broken("a construct without a value", pos),
            },
            (How::Variables(spot, _), Some(_)) => self.settled(&spot, pos),
            // No way came to its end with a value.
            _ if join.gone => Err(Stop::Gone),
            _ => Err(Stop::Left),
        }
    }

    /// Reads variables that will not be written again.
    fn settled(&mut self, spot: &Spot, pos: Pos) -> Way<Value> {
        match &spot.at {
            At::Memory(place) if spot.ty.data().is_none() => {
                Ok(Value { ty: spot.ty.clone(), held: Held::Kept(Rc::clone(place)) })
            }
            At::Split(parts) => {
                let parts = parts.iter().map(|part| self.settled(part, pos)).collect::<Way<Vec<_>>>()?;
                Ok(Value::parts(spot.ty.clone(), parts))
            }
            _ => self.load(spot, pos),
        }
    }
}
