//! Masks that only strips at an edge have: `x == 0`, `x < last`.
//!
//! A mask that compares neighbouring lanes with one number is the same in all lanes of every strip but the one that the number is in. The interval for the
//! quick loop can leave that strip out: with it all strips on one side. If the number is a small constant, those are the strips before it, else those behind.
//! What is true of a whole row and is joined to such a mask (`x == 0 || y == 0`) is taken to be as the mask mostly is, unless it is the same in the whole launch.

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::judge::{Judge, Line};
use crate::hash::{HashMap, HashSet};
use crate::lanes::program::{Block, Inst, Likely, Node, Ty, Value};

/// What is the same in all lanes and rounds of the quick loop: masks, and questions about them.
pub(super) type Fixed = HashMap<Value, bool>;

impl Judge<'_> {
    /// Finds the masks of a block that can be fixed, and demands what fixes them. Arms that `free` leaves out do not count.
    pub(super) fn masks(&mut self, block: &Block, free: &HashSet<Value>, fixed: &mut Fixed) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } => {
                    if let Some(truth) = self.mask(inst, fixed) {
                        fixed.insert(*value, truth);
                    }
                }
                Node::If { condition, then, otherwise, likely, .. } => {
                    let left_out = *likely == Likely::Then && free.contains(condition);
                    if fixed.get(condition) != Some(&false) {
                        self.masks(then, free, fixed);
                    }
                    if !left_out && fixed.get(condition) != Some(&true) {
                        self.masks(otherwise, free, fixed);
                    }
                }
                Node::Loop { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    fn mask(&mut self, inst: &Inst, fixed: &Fixed) -> Option<bool> {
        match inst {
            Inst::Any(mask) | Inst::All(mask) => fixed.get(mask).copied(),
            Inst::FirstLanes(count) => self.first_lanes(*count),
            Inst::Op { op: Op::Not, scalar: Scalar::Bool, args } => fixed.get(&args[0]).map(|truth| !truth),
            Inst::Op { op: op @ (Op::And | Op::Or), scalar: Scalar::Bool, args } => {
                let &[a, b] = args.as_slice() else { return None };
                // `and` with what is true, `or` with what is false, is the other one.
                let neutral = *op == Op::And;
                match (fixed.get(&a), fixed.get(&b)) {
                    (Some(&truth), _) | (_, Some(&truth)) if truth != neutral => Some(truth),
                    (Some(_), Some(_)) => Some(neutral),
                    (Some(_), None) => self.row(b, neutral),
                    (None, Some(_)) => self.row(a, neutral),
                    (None, None) => None,
                }
            }
            Inst::Op { op: op @ (Op::Eq | Op::Ne), scalar: Scalar::I32 | Scalar::U32, args } => {
                let &[a, b] = args.as_slice() else { return None };
                let (splat, lane) = if self.is_lane(a) { (b, a) } else { (a, b) };
                let Some(&Inst::Splat(number)) = self.pass.defs.get(&splat).filter(|_| self.is_lane(lane)) else {
                    return None;
                };
                self.edge(number, |judge, line, before| match before {
                    true => judge.limit(line, Op::Lt, 0),
                    false => judge.limit(line, Op::Ge, judge.pass.width),
                })?;
                Some(*op == Op::Ne)
            }
            _ => None,
        }
    }

    /// The lanes whose number is below something: all or none. Where it is anything that the launch says, it may cut the row in half, and is left as it is.
    fn first_lanes(&mut self, count: Value) -> Option<bool> {
        let mut number = count;
        while let Some(Inst::Op { op: Op::Add, args, .. }) = self.pass.defs.get(&number)
            && self.pass.number(args[1]).is_some_and(|number| number.abs() <= self.pass.width)
        {
            number = args[0];
        }
        let Some(Inst::Op { op: Op::Sub, args, .. }) = self.pass.defs.get(&number) else { return None };
        if !self.is_at_an_end(args[0]) {
            return None;
        }
        let mut all = false;
        self.edge(count, |judge, line, before| {
            all = !before;
            match before {
                true => judge.limit(line, Op::Lt, 1),
                false => judge.limit(line, Op::Ge, judge.pass.width),
            }
        })?;
        Some(all)
    }

    /// A number of the loop that goes against the counter, so that lanes meet it in one strip only: is that strip before the others?
    fn edge(&mut self, number: Value, demand: impl FnOnce(&mut Self, Line, bool)) -> Option<()> {
        if !self.inside.contains(&number) {
            return None;
        }
        let before = self.mark();
        let Some(line) = self.line(number).filter(Line::goes_against) else {
            self.back_to(before);
            return None;
        };
        let small = line.offset.is_some_and(|offset| offset <= self.pass.width);
        demand(self, line, small);
        Some(())
    }

    /// What is the same in all lanes of a row is taken to be so; not what is the same in the whole launch, as that may always be otherwise.
    fn row(&mut self, mask: Value, truth: bool) -> Option<bool> {
        let Some(&Inst::Splat(scalar)) = self.pass.defs.get(&mask) else { return None };
        if self.inside.contains(&scalar) || !self.pass.of_a_row.contains(&scalar) {
            return None;
        }
        let demanded = if truth { scalar } else { self.opposite(scalar) };
        self.demand(demanded);
        Some(truth)
    }

    /// Is it a small number, or nearly an extent?
    fn is_at_an_end(&self, value: Value) -> bool {
        if let Some(number) = self.pass.number(value) {
            return number <= self.pass.width;
        }
        match self.pass.defs.get(&value) {
            Some(Inst::Op { op: Op::ToI64 | Op::ToU64, args, .. }) => self.is_at_an_end(args[0]),
            Some(Inst::Op { op: Op::Add | Op::Sub, args, .. }) => {
                let near = self.pass.number(args[1]).is_some_and(|number| number.abs() <= self.pass.width);
                near && self.pass.number(args[0]).is_none() && self.is_at_an_end(args[0])
            }
            _ => self.pass.is_extent(value),
        }
    }

    fn is_lane(&self, value: Value) -> bool {
        matches!(self.pass.defs.get(&value), Some(Inst::Lane)) && matches!(self.pass.types[value.index()], Ty::Lanes(_))
    }
}
