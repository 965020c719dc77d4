//! Finds gathers whose lanes probably lie within a few elements of each other.
//!
//! A sample of a texture, or of any table at a place between its elements, has an index that is a float
//! rounded to an integer: `floor(x * scale) as i32`, held to the table. From lane to lane such an index
//! grows by less than a few elements, but it is not affine. Code may then try whether all lanes lie
//! within one vector of memory, which is cheaper to load and to permute than to gather. It must be right
//! for all offsets: this is a guess, and the same index may run in wide steps.

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::program::{LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node};
use crate::hash::HashSet;

/// How a value changes from lane to lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum LaneChange {
    /// Not at all, or by nothing that is known.
    Other,
    /// All lanes are the same.
    None,
    /// It grows with the lane.
    Smooth,
    /// It grows with the lane, and was rounded to an integer.
    Rounded,
}

/// The offsets in bytes of 4-byte elements whose number is a rounded float that grows with the lane.
pub(crate) fn near_offsets(program: &LaneProgram) -> HashSet<LaneValue> {
    let changes = vec![LaneChange::Other; program.types.len()];
    let mut search = NearSearch { program, changes, fours: HashSet::default(), found: HashSet::default() };
    search.block(&program.body);
    search.found
}

struct NearSearch<'p> {
    program: &'p LaneProgram,
    changes: Vec<LaneChange>,
    /// Values that are 4, and splats of them.
    fours: HashSet<LaneValue>,
    found: HashSet<LaneValue>,
}

impl NearSearch<'_> {
    fn change(&self, value: LaneValue) -> LaneChange {
        match self.program.ty(value) {
            LaneType::Scalar(_) => LaneChange::None,
            LaneType::Lanes(_) => self.changes[value.index()],
        }
    }

    fn block(&mut self, block: &LaneBlock) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } => {
                    self.changes[value.index()] = self.change_of(inst);
                    self.note(*value, inst);
                }
                Node::If { then, otherwise, results, .. } => {
                    self.block(then);
                    self.block(otherwise);
                    // The arm that a launch takes is not known here.
                    for ((&result, &a), &b) in results.iter().zip(&then.results).zip(&otherwise.results) {
                        self.changes[result.index()] = self.change(a).max(self.change(b));
                    }
                }
                Node::Loop { body, .. } => self.block(body),
                Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    /// How the result of an instruction changes.
    fn change_of(&self, inst: &LaneInst) -> LaneChange {
        if let LaneInst::Lane = inst {
            return LaneChange::Smooth;
        }
        if let LaneInst::Splat(_) = inst {
            return LaneChange::None;
        }
        if let LaneInst::Select { yes, no, .. } = inst {
            return self.together(&[*yes, *no]);
        }
        if let LaneInst::Op { op, scalar, args } = inst
            && keeps_order(*op)
        {
            let change = self.together(args);
            let rounds = *scalar == Scalar::F32 && matches!(op, Op::ToI32 | Op::ToU32);
            return if rounds && change == LaneChange::Smooth { LaneChange::Rounded } else { change };
        }
        LaneChange::Other
    }

    /// How what is computed of several values changes.
    fn together(&self, values: &[LaneValue]) -> LaneChange {
        let changes = || values.iter().map(|&value| self.change(value));
        if changes().any(|change| change == LaneChange::Other) {
            return LaneChange::Other;
        }
        changes().max().unwrap_or(LaneChange::Other)
    }

    /// Notes what is 4, and what is four times a rounded number.
    fn note(&mut self, value: LaneValue, inst: &LaneInst) {
        let is_splat = matches!(inst, LaneInst::Splat(scalar) if self.fours.contains(scalar));
        if is_splat || matches!(inst, LaneInst::Const(4)) {
            self.fours.insert(value);
        }
        if let LaneInst::Op { op: Op::Mul, scalar: Scalar::I32 | Scalar::U32, args } = inst
            && self.changes[value.index()] == LaneChange::Rounded
            && args.iter().any(|arg| self.fours.contains(arg))
        {
            self.found.insert(value);
        }
    }
}

/// Does a result grow with its operands, or fall with them, in most places?
const fn keeps_order(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Fma
            | Op::Mad
            | Op::Neg
            | Op::Min
            | Op::Max
            | Op::Clamp
            | Op::Shr
            | Op::Floor
            | Op::Ceil
            | Op::Trunc
            | Op::Round
            | Op::RoundEven
            | Op::ToF32
            | Op::ToI32
            | Op::ToU32
    )
}
