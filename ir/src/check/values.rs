//! Errors that constant values reveal: division by zero, indices, dimensions. `K0401` to `K0403`.

use super::body::Body;
use super::report;
use super::wording;
use crate::diag::Code;
use crate::kernel::{Inst, InstKind, Place, Root, Step, ValueId};
use crate::ops::{DivisionOp, OpFamily};
use crate::pos::Pos;
use crate::types::Type;
use crate::typing::PlaceType;

/// Checks the family.
pub(super) fn check(body: &mut Body<'_>) {
    body.each(&mut |body, inst| {
        body.inst_values(inst);
        inst.kind.places(&mut |place| body.place_values(place, inst.pos));
    });
}

impl<'a> Body<'a> {
    fn inst_values(&mut self, inst: &'a Inst) {
        let pos = inst.pos;
        match &inst.kind {
            InstKind::Op { op, args } => {
                if let (OpFamily::Division(part), [_, divisor]) = (op.family(), &args[..])
                    && self.is_zero(*divisor, 8)
                    && args
                        .iter()
                        .map(|&arg| self.context.data(arg))
                        .collect::<Option<Vec<_>>>()
                        .is_some_and(|types| op.resolve(&types).is_ok())
                {
                    let name = wording::operation(*op);
                    let what = match part {
                        DivisionOp::Rem | DivisionOp::RemEuclid => "the remainder of a division",
                        DivisionOp::Div | DivisionOp::DivEuclid => "a division",
                    };
                    let parts = self.definition(*divisor).is_some_and(|inst| matches!(inst.kind, InstKind::Compose(_)));
                    let always = if parts { "has a component that is always" } else { "is always" };
                    let out = report(Code::K0401, format!("{what} by zero"))
                        .at(pos, format!("the right side of `{name}` {always} zero"));
                    self.report(out);
                }
            }
            InstKind::ComponentAt { value, index } => {
                if let (Some(data), Some(index)) = (self.context.data(*value), self.constant(*index))
                    && data.is_vector()
                    && !(0..i128::from(data.width)).contains(&index)
                {
                    let what = format!("{} has {} components", self.say(*value), data.width);
                    self.out_of_range(index, what, i128::from(data.width), pos);
                }
            }
            InstKind::Builtin(builtin) if builtin.dimension() >= self.kernel.rank => {
                let (name, dimension, rank) = (builtin.name(), builtin.dimension(), self.kernel.rank);
                let out = report(Code::K0403, format!("`{name}[{dimension}]` in a kernel of rank {rank}"))
                    .at(pos, self.dimensions(rank));
                self.report(out);
            }
            InstKind::ViewExtent { view, dimension } => {
                if let Some(ty) = self.context.view(*view)
                    && *dimension >= ty.rank
                {
                    let out = report(Code::K0403, format!("dimension {dimension} of a view of rank {}", ty.rank))
                        .at(pos, format!("{} is {}; {}", self.say(*view), self.typed(*view), self.dimensions(ty.rank)));
                    self.report(out);
                }
            }
            InstKind::Builtin(_)
            | InstKind::Compose(_)
            | InstKind::Splat { .. }
            | InstKind::Swizzle { .. }
            | InstKind::Section { .. }
            | InstKind::Project { .. }
            | InstKind::Reinterpret { .. }
            | InstKind::ViewAs { .. }
            | InstKind::Length(_)
            | InstKind::Load(_)
            | InstKind::Store { .. }
            | InstKind::Copy { .. }
            | InstKind::Atomic { .. }
            | InstKind::CompareExchange { .. }
            | InstKind::Declare { .. }
            | InstKind::Barrier(_)
            | InstKind::Fence(_)
            | InstKind::Print(_)
            | InstKind::Error(_)
            | InstKind::Abort
            | InstKind::Call { .. }
            | InstKind::If { .. }
            | InstKind::Loop { .. }
            | InstKind::Switch { .. }
            | InstKind::Scope { .. }
            | InstKind::Break { .. }
            | InstKind::Continue { .. }
            | InstKind::Return(_) => {}
        }
    }

    fn dimensions(&self, rank: u32) -> String {
        match rank {
            0 => "there are no dimensions".to_owned(),
            1 => "the only dimension is 0".to_owned(),
            n => format!("dimensions are 0 to {}", n - 1),
        }
    }

    /// Whether the value is an integer with a zero component.
    fn is_zero(&self, value: ValueId, fuel: u32) -> bool {
        if self.constant(value) == Some(0) {
            return true;
        }
        let Some(inst) = self.definition(value).filter(|_| fuel > 0) else { return false };
        // Vectors made of constants; other values are unknown.
        let mut parts = Vec::new();
        if let InstKind::Splat { .. } | InstKind::Compose(_) = inst.kind {
            inst.kind.operands(&mut |&part| parts.push(part));
        }
        parts.into_iter().any(|part| self.is_zero(part, fuel - 1))
    }

    fn place_values(&mut self, place: &Place, pos: Pos) {
        if let Root::View { index, .. } = &place.root {
            for &index in index {
                if let Some(n) = self.constant(index).filter(|&n| n < 0) {
                    let out = report(Code::K0402, format!("the index {n} is out of range"))
                        .at(pos, "indices begin at 0")
                        .note("an access out of range reads zero and writes nothing");
                    self.report(out);
                }
            }
        }
        let Some(mut at) = self.context.root(&place.root).map(PlaceType::Whole) else { return };
        for (i, step) in place.path.iter().enumerate() {
            let length = match at {
                PlaceType::Whole(id) => match self.kernel.types.get(id) {
                    Type::Array { length, .. } => length.map(i128::from),
                    Type::Vector(_, n) => Some(i128::from(*n)),
                    Type::Scalar(_) | Type::Struct(_) => None,
                },
                PlaceType::Component(_) => None,
            };
            if let Step::Index(index) = step
                && let Some(n) = self.constant(*index)
                && (n < 0 || length.is_some_and(|length| n >= length))
            {
                let so_far = Place { root: place.root.clone(), path: place.path[..i].to_vec() };
                let ty = self.place_type(at);
                let what = format!("`{}` is {} `{ty}`", self.say_place(&so_far), wording::article(&ty));
                self.out_of_range(n, what, length.unwrap_or(0), pos);
            }
            match self.context.step(at, step) {
                Some(next) => at = next,
                None => return,
            }
        }
    }

    fn out_of_range(&mut self, index: i128, what: String, length: i128, pos: Pos) {
        let out = report(Code::K0402, format!("the index {index} is out of range"))
            .at(pos, what)
            .note("an access out of range reads zero and writes nothing");
        self.report(if length > 0 { out.help(format!("indices are 0 to {}", length - 1)) } else { out });
    }
}
