//! Operations on lanes that are one instruction with two sources.

use iced_x86::Code;
use tilewise_ir::ops::{BitwiseOp, Op};
use tilewise_ir::types::Scalar;

use super::machine::WideMachine;
use super::vectors::{is_wide, sized};
use crate::emit::op::compare::CompareRow;
use crate::emit::op::float::FloatRow;
use crate::emit::op::integer::IntegerRow;
use crate::emit::op::table::{OpWriter, lowering};
use crate::lanes::Elem;

/// An operation on lanes that is one instruction with two sources; may they change places?
pub(super) fn plain(op: Op, scalar: Scalar, machine: WideMachine) -> Option<(Code, bool)> {
    let signed = matches!(scalar, Scalar::I32 | Scalar::I64);
    let (dword, qword, commutes) = match lowering(op).code(scalar) {
        OpWriter::Float(row) => match row {
            FloatRow::Add => (Code::EVEX_Vaddps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vaddpd_xmm_k1z_xmm_xmmm128b64, true),
            FloatRow::Sub => {
                (Code::EVEX_Vsubps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vsubpd_xmm_k1z_xmm_xmmm128b64, false)
            }
            FloatRow::Mul => (Code::EVEX_Vmulps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vmulpd_xmm_k1z_xmm_xmmm128b64, true),
            FloatRow::Div => {
                (Code::EVEX_Vdivps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vdivpd_xmm_k1z_xmm_xmmm128b64, false)
            }
            _ => return None,
        },
        OpWriter::Integer(IntegerRow::Mul | IntegerRow::Min | IntegerRow::Max)
            if is_wide(Elem::of(scalar)) && !machine.has_masks =>
        {
            return None;
        }
        OpWriter::Integer(row) => match row {
            IntegerRow::Add => {
                (Code::EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64, true)
            }
            IntegerRow::Sub => {
                (Code::EVEX_Vpsubd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpsubq_xmm_k1z_xmm_xmmm128b64, false)
            }
            IntegerRow::Mul => {
                (Code::EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpmullq_xmm_k1z_xmm_xmmm128b64, true)
            }
            IntegerRow::Min if signed => {
                (Code::EVEX_Vpminsd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpminsq_xmm_k1z_xmm_xmmm128b64, true)
            }
            IntegerRow::Min => {
                (Code::EVEX_Vpminud_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpminuq_xmm_k1z_xmm_xmmm128b64, true)
            }
            IntegerRow::Max if signed => {
                (Code::EVEX_Vpmaxsd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpmaxsq_xmm_k1z_xmm_xmmm128b64, true)
            }
            IntegerRow::Max => {
                (Code::EVEX_Vpmaxud_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpmaxuq_xmm_k1z_xmm_xmmm128b64, true)
            }
            _ => return None,
        },
        OpWriter::Compare(CompareRow::Bitwise(row)) if scalar != Scalar::Bool => match row {
            BitwiseOp::And => {
                (Code::EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64, true)
            }
            BitwiseOp::Or => (Code::EVEX_Vpord_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vporq_xmm_k1z_xmm_xmmm128b64, true),
            BitwiseOp::Xor => {
                (Code::EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64, true)
            }
        },
        _ => return None,
    };
    Some((sized(Elem::of(scalar), dword, qword), commutes))
}
