//! A selection of the smaller or larger of two values, as one instruction.
//!
//! `if a < b { a } else { b }` is what `minps` computes, to the bit: the second operand if the two
//! are equal, which matters for zeros, or if either is NaN. `a > b`, and the other value of the
//! two, are the same with operands or `min` and `max` exchanged. Integers have `<=` and `>=` too.

use iced_x86::Code;
use tilewise_ir::ops::{Comparison, Op};

use super::machine::WideMachine;
use super::plain_op;
use super::vectors::sized;
use crate::emit::op::compare::CompareRow;
use crate::emit::op::table::{OpWriter, lowering};
use crate::lanes::{Elem, LaneInst, LaneValue};

/// The smaller or larger of two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ExtremeValue {
    /// The instruction.
    pub(super) code: Code,
    /// The operand that is not the result if the two are equal, or either is NaN.
    pub(super) first: LaneValue,
    /// The other operand.
    pub(super) second: LaneValue,
    /// May the operands change places?
    pub(super) commutes: bool,
}

impl ExtremeValue {
    /// What a selection by a comparison is, if it is between the values that are compared.
    pub(super) fn of(comparison: &LaneInst, [yes, no]: [LaneValue; 2], machine: WideMachine) -> Option<ExtremeValue> {
        let LaneInst::Op { op, scalar, args } = comparison else { return None };
        let OpWriter::Compare(CompareRow::Compare(order)) = lowering(*op).code(*scalar) else { return None };
        let (less, strict) = match order {
            Comparison::Lt => (true, true),
            Comparison::Le => (true, false),
            Comparison::Gt => (false, true),
            Comparison::Ge => (false, false),
            Comparison::Eq | Comparison::Ne => return None,
        };
        let smaller = match args[..] {
            [a, b] if (a, b) == (yes, no) => less,
            [a, b] if (a, b) == (no, yes) => !less,
            _ => return None,
        };
        if !scalar.is_float() {
            let op = if smaller { Op::Min } else { Op::Max };
            let (code, commutes) = plain_op::plain(op, *scalar, machine)?;
            return Some(ExtremeValue { code, first: yes, second: no, commutes });
        }
        let code = if smaller {
            sized(Elem::of(*scalar), Code::EVEX_Vminps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vminpd_xmm_k1z_xmm_xmmm128b64)
        } else {
            sized(Elem::of(*scalar), Code::EVEX_Vmaxps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vmaxpd_xmm_k1z_xmm_xmmm128b64)
        };
        strict.then_some(ExtremeValue { code, first: yes, second: no, commutes: false })
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::types::Scalar;

    use super::*;
    use crate::emit::CodeForm;

    const A: LaneValue = LaneValue(0);
    const B: LaneValue = LaneValue(1);

    fn selected(op: Op, scalar: Scalar, values: [LaneValue; 2]) -> Option<ExtremeValue> {
        let comparison = LaneInst::Op { op, scalar, args: smallvec::smallvec![A, B] };
        ExtremeValue::of(&comparison, values, WideMachine::of(CodeForm::Avx2)?)
    }

    #[test]
    fn floats_have_an_extreme_only_by_strict_order() {
        let is_min = |extreme: Option<ExtremeValue>| {
            extreme.map(|extreme| extreme.code == Code::EVEX_Vminps_xmm_k1z_xmm_xmmm128b32)
        };
        for (op, values, expected) in [
            (Op::Lt, [A, B], Some(true)),
            (Op::Lt, [B, A], Some(false)),
            (Op::Gt, [A, B], Some(false)),
            (Op::Gt, [B, A], Some(true)),
            (Op::Le, [A, B], None),
            (Op::Ge, [B, A], None),
            (Op::Eq, [A, B], None),
        ] {
            let found = selected(op, Scalar::F32, values);
            assert_eq!(is_min(found), expected, "{op:?} {values:?}");
            assert!(found.is_none_or(|found| [found.first, found.second] == values && !found.commutes));
        }
    }

    #[test]
    fn integers_have_one_by_each_order() {
        for (op, values, smaller) in [
            (Op::Lt, [A, B], true),
            (Op::Le, [A, B], true),
            (Op::Ge, [A, B], false),
            (Op::Gt, [B, A], true),
            (Op::Le, [B, A], false),
        ] {
            let expected = if smaller {
                Code::EVEX_Vpminud_xmm_k1z_xmm_xmmm128b32
            } else {
                Code::EVEX_Vpmaxud_xmm_k1z_xmm_xmmm128b32
            };
            assert_eq!(selected(op, Scalar::U32, values).map(|found| found.code), Some(expected), "{op:?} {values:?}");
        }
        assert_eq!(selected(Op::Lt, Scalar::U32, [A, A]), None);
    }
}
