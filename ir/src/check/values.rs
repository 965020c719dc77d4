//! What can be known about values without running: division by zero, indices, dimensions. `K0401` to `K0403`.

use super::body::Body;
use super::report;
use super::say;
use crate::diag::Code;
use crate::kernel::{Inst, InstKind, Place, Root, Step, ValueId};
use crate::ops::Op;
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
                if let (Op::Div | Op::Rem | Op::DivEuclid | Op::RemEuclid, [_, divisor]) = (op, &args[..])
                    && self.is_zero(*divisor, 8)
                    && args
                        .iter()
                        .map(|&arg| self.context.data(arg))
                        .collect::<Option<Vec<_>>>()
                        .is_some_and(|types| op.resolve(&types).is_ok())
                {
                    let name = say::operation(*op);
                    let what = if matches!(op, Op::Rem | Op::RemEuclid) {
                        "the remainder of a division"
                    } else {
                        "a division"
                    };
                    let always = match self.definition(*divisor).map(|inst| &inst.kind) {
                        Some(InstKind::Compose(_)) => "has a component that is always",
                        _ => "is always",
                    };
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
            _ => {}
        }
    }

    fn dimensions(&self, rank: u32) -> String {
        match rank {
            0 => "there are no dimensions".to_owned(),
            1 => "the only dimension is 0".to_owned(),
            n => format!("dimensions are 0 to {}", n - 1),
        }
    }

    /// Is the value an integer zero in every component?
    fn is_zero(&self, value: ValueId, fuel: u32) -> bool {
        if self.constant(value) == Some(0) {
            return true;
        }
        match self.definition(value).map(|inst| &inst.kind) {
            Some(InstKind::Splat { value, .. }) if fuel > 0 => self.is_zero(*value, fuel - 1),
            Some(InstKind::Compose(parts)) if fuel > 0 => parts.iter().any(|&part| self.is_zero(part, fuel - 1)),
            _ => false,
        }
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
                let what = format!("`{}` is {} `{ty}`", self.say_place(&so_far), say::article(&ty));
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
