//! The instructions of AVX2 and FMA that wide code for AVX-512 has too.
//!
//! Recipes name an instruction by the 128-bit form of its AVX-512 encoding (EVEX). Without AVX-512
//! the writer replaces it by the older encoding (VEX), if there is one: the instruction then has
//! neither a mask nor an operand that is repeated in each lane.

use iced_x86::Code;

use super::vcode::InstSlot;

/// The VEX encoding of an instruction with these operands, if it has one.
pub(super) fn vex_of(code: Code, slots: &[InstSlot]) -> Option<Code> {
    if let Some(code) = broadcast(code, slots) {
        return Some(code);
    }
    let longer = || {
        let shorter = vex_of_shortest(Code::try_from((code as usize).checked_sub(1)?).ok()?)?;
        Code::try_from(shorter as usize + 1).ok()
    };
    vex_of_shortest(code).or_else(longer)
}

/// Broadcasts have encodings for memory and for registers.
fn broadcast(code: Code, slots: &[InstSlot]) -> Option<Code> {
    let is_register = matches!(slots.get(1), Some(InstSlot::Reg(..)));
    Some(match (code, is_register) {
        (Code::EVEX_Vbroadcastss_xmm_k1z_xmmm32, true) => Code::VEX_Vbroadcastss_xmm_xmm,
        (Code::EVEX_Vbroadcastss_xmm_k1z_xmmm32, false) => Code::VEX_Vbroadcastss_xmm_m32,
        (Code::EVEX_Vbroadcastss_ymm_k1z_xmmm32, true) => Code::VEX_Vbroadcastss_ymm_xmm,
        (Code::EVEX_Vbroadcastss_ymm_k1z_xmmm32, false) => Code::VEX_Vbroadcastss_ymm_m32,
        (Code::EVEX_Vbroadcastsd_ymm_k1z_xmmm64, true) => Code::VEX_Vbroadcastsd_ymm_xmm,
        (Code::EVEX_Vbroadcastsd_ymm_k1z_xmmm64, false) => Code::VEX_Vbroadcastsd_ymm_m64,
        _ => return None,
    })
}

/// The 128-bit VEX encoding of a 128-bit EVEX one. In both groups the next number is the 256-bit
/// form.
fn vex_of_shortest(code: Code) -> Option<Code> {
    Some(match code {
        Code::EVEX_Vaddpd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vaddpd_xmm_xmm_xmmm128,
        Code::EVEX_Vaddps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vaddps_xmm_xmm_xmmm128,
        Code::EVEX_Vaddss_xmm_k1z_xmm_xmmm32_er => Code::VEX_Vaddss_xmm_xmm_xmmm32,
        Code::EVEX_Vcmppd_kr_k1_xmm_xmmm128b64_imm8 => Code::VEX_Vcmppd_xmm_xmm_xmmm128_imm8,
        Code::EVEX_Vcmpps_kr_k1_xmm_xmmm128b32_imm8 => Code::VEX_Vcmpps_xmm_xmm_xmmm128_imm8,
        Code::EVEX_Vcvtdq2pd_xmm_k1z_xmmm64b32 => Code::VEX_Vcvtdq2pd_xmm_xmmm64,
        Code::EVEX_Vcvtdq2ps_xmm_k1z_xmmm128b32 => Code::VEX_Vcvtdq2ps_xmm_xmmm128,
        Code::EVEX_Vcvtpd2ps_xmm_k1z_xmmm128b64 => Code::VEX_Vcvtpd2ps_xmm_xmmm128,
        Code::EVEX_Vcvtph2ps_xmm_k1z_xmmm64 => Code::VEX_Vcvtph2ps_xmm_xmmm64,
        Code::EVEX_Vcvtps2pd_xmm_k1z_xmmm64b32 => Code::VEX_Vcvtps2pd_xmm_xmmm64,
        Code::EVEX_Vcvtps2ph_xmmm64_k1z_xmm_imm8 => Code::VEX_Vcvtps2ph_xmmm64_xmm_imm8,
        Code::EVEX_Vcvttpd2dq_xmm_k1z_xmmm128b64 => Code::VEX_Vcvttpd2dq_xmm_xmmm128,
        Code::EVEX_Vcvttps2dq_xmm_k1z_xmmm128b32 => Code::VEX_Vcvttps2dq_xmm_xmmm128,
        Code::EVEX_Vdivpd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vdivpd_xmm_xmm_xmmm128,
        Code::EVEX_Vdivps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vdivps_xmm_xmm_xmmm128,
        Code::EVEX_Vfmadd213pd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vfmadd213pd_xmm_xmm_xmmm128,
        Code::EVEX_Vfmadd213ps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vfmadd213ps_xmm_xmm_xmmm128,
        Code::EVEX_Vfmadd231pd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vfmadd231pd_xmm_xmm_xmmm128,
        Code::EVEX_Vfmadd231ps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vfmadd231ps_xmm_xmm_xmmm128,
        Code::EVEX_Vfmsub213pd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vfmsub213pd_xmm_xmm_xmmm128,
        Code::EVEX_Vfmsub213ps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vfmsub213ps_xmm_xmm_xmmm128,
        Code::EVEX_Vfmsub231pd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vfmsub231pd_xmm_xmm_xmmm128,
        Code::EVEX_Vfmsub231ps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vfmsub231ps_xmm_xmm_xmmm128,
        Code::EVEX_Vfnmadd213pd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vfnmadd213pd_xmm_xmm_xmmm128,
        Code::EVEX_Vfnmadd213ps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vfnmadd213ps_xmm_xmm_xmmm128,
        Code::EVEX_Vfnmadd231pd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vfnmadd231pd_xmm_xmm_xmmm128,
        Code::EVEX_Vfnmadd231ps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vfnmadd231ps_xmm_xmm_xmmm128,
        Code::EVEX_Vfnmsub213pd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vfnmsub213pd_xmm_xmm_xmmm128,
        Code::EVEX_Vfnmsub213ps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vfnmsub213ps_xmm_xmm_xmmm128,
        Code::EVEX_Vfnmsub231pd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vfnmsub231pd_xmm_xmm_xmmm128,
        Code::EVEX_Vfnmsub231ps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vfnmsub231ps_xmm_xmm_xmmm128,
        Code::EVEX_Vgatherdpd_xmm_k1_vm32x => Code::VEX_Vgatherdpd_xmm_vm32x_xmm,
        Code::EVEX_Vgatherdps_xmm_k1_vm32x => Code::VEX_Vgatherdps_xmm_vm32x_xmm,
        Code::EVEX_Vgatherqpd_xmm_k1_vm64x => Code::VEX_Vgatherqpd_xmm_vm64x_xmm,
        Code::EVEX_Vgatherqps_xmm_k1_vm64x => Code::VEX_Vgatherqps_xmm_vm64x_xmm,
        Code::EVEX_Vinsertps_xmm_xmm_xmmm32_imm8 => Code::VEX_Vinsertps_xmm_xmm_xmmm32_imm8,
        Code::EVEX_Vmaxpd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vmaxpd_xmm_xmm_xmmm128,
        Code::EVEX_Vmaxps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vmaxps_xmm_xmm_xmmm128,
        Code::EVEX_Vminpd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vminpd_xmm_xmm_xmmm128,
        Code::EVEX_Vminps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vminps_xmm_xmm_xmmm128,
        Code::EVEX_Vmovaps_xmm_k1z_xmmm128 => Code::VEX_Vmovaps_xmm_xmmm128,
        Code::EVEX_Vmovaps_xmmm128_k1z_xmm => Code::VEX_Vmovaps_xmmm128_xmm,
        Code::EVEX_Vmovd_rm32_xmm => Code::VEX_Vmovd_rm32_xmm,
        Code::EVEX_Vmovd_xmm_rm32 => Code::VEX_Vmovd_xmm_rm32,
        Code::EVEX_Vmovddup_xmm_k1z_xmmm64 => Code::VEX_Vmovddup_xmm_xmmm64,
        Code::EVEX_Vmovhpd_xmm_xmm_m64 => Code::VEX_Vmovhpd_xmm_xmm_m64,
        Code::EVEX_Vmovlhps_xmm_xmm_xmm => Code::VEX_Vmovlhps_xmm_xmm_xmm,
        Code::EVEX_Vmovq_rm64_xmm => Code::VEX_Vmovq_rm64_xmm,
        Code::EVEX_Vmovq_xmm_rm64 => Code::VEX_Vmovq_xmm_rm64,
        Code::EVEX_Vmovsd_m64_k1_xmm => Code::VEX_Vmovsd_m64_xmm,
        Code::EVEX_Vmovsd_xmm_k1z_m64 => Code::VEX_Vmovsd_xmm_m64,
        Code::EVEX_Vmovss_m32_k1_xmm => Code::VEX_Vmovss_m32_xmm,
        Code::EVEX_Vmovss_xmm_k1z_m32 => Code::VEX_Vmovss_xmm_m32,
        Code::EVEX_Vmovupd_xmm_k1z_xmmm128 => Code::VEX_Vmovupd_xmm_xmmm128,
        Code::EVEX_Vmovupd_xmmm128_k1z_xmm => Code::VEX_Vmovupd_xmmm128_xmm,
        Code::EVEX_Vmovups_xmm_k1z_xmmm128 => Code::VEX_Vmovups_xmm_xmmm128,
        Code::EVEX_Vmovups_xmmm128_k1z_xmm => Code::VEX_Vmovups_xmmm128_xmm,
        Code::EVEX_Vmulpd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vmulpd_xmm_xmm_xmmm128,
        Code::EVEX_Vmulps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vmulps_xmm_xmm_xmmm128,
        Code::EVEX_Vpabsd_xmm_k1z_xmmm128b32 => Code::VEX_Vpabsd_xmm_xmmm128,
        Code::EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpaddd_xmm_xmm_xmmm128,
        Code::EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vpaddq_xmm_xmm_xmmm128,
        Code::EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpand_xmm_xmm_xmmm128,
        Code::EVEX_Vpandnd_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpandn_xmm_xmm_xmmm128,
        Code::EVEX_Vpandnq_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vpandn_xmm_xmm_xmmm128,
        Code::EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vpand_xmm_xmm_xmmm128,
        Code::EVEX_Vpbroadcastq_xmm_k1z_xmmm64 => Code::VEX_Vpbroadcastq_xmm_xmmm64,
        Code::EVEX_Vpextrq_rm64_xmm_imm8 => Code::VEX_Vpextrq_rm64_xmm_imm8,
        Code::EVEX_Vpmaxsd_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpmaxsd_xmm_xmm_xmmm128,
        Code::EVEX_Vpmaxud_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpmaxud_xmm_xmm_xmmm128,
        Code::EVEX_Vpminsd_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpminsd_xmm_xmm_xmmm128,
        Code::EVEX_Vpminud_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpminud_xmm_xmm_xmmm128,
        Code::EVEX_Vpmovsxbd_xmm_k1z_xmmm32 => Code::VEX_Vpmovsxbd_xmm_xmmm32,
        Code::EVEX_Vpmovsxdq_xmm_k1z_xmmm64 => Code::VEX_Vpmovsxdq_xmm_xmmm64,
        Code::EVEX_Vpmovsxwd_xmm_k1z_xmmm64 => Code::VEX_Vpmovsxwd_xmm_xmmm64,
        Code::EVEX_Vpmovzxbd_xmm_k1z_xmmm32 => Code::VEX_Vpmovzxbd_xmm_xmmm32,
        Code::EVEX_Vpmovzxdq_xmm_k1z_xmmm64 => Code::VEX_Vpmovzxdq_xmm_xmmm64,
        Code::EVEX_Vpmovzxwd_xmm_k1z_xmmm64 => Code::VEX_Vpmovzxwd_xmm_xmmm64,
        Code::EVEX_Vpmuldq_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vpmuldq_xmm_xmm_xmmm128,
        Code::EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpmulld_xmm_xmm_xmmm128,
        Code::EVEX_Vpmuludq_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vpmuludq_xmm_xmm_xmmm128,
        Code::EVEX_Vpord_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpor_xmm_xmm_xmmm128,
        Code::EVEX_Vporq_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vpor_xmm_xmm_xmmm128,
        Code::EVEX_Vpshufb_xmm_k1z_xmm_xmmm128 => Code::VEX_Vpshufb_xmm_xmm_xmmm128,
        Code::EVEX_Vpslld_xmm_k1z_xmmm128b32_imm8 => Code::VEX_Vpslld_xmm_xmm_imm8,
        Code::EVEX_Vpsllq_xmm_k1z_xmmm128b64_imm8 => Code::VEX_Vpsllq_xmm_xmm_imm8,
        Code::EVEX_Vpsllvd_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpsllvd_xmm_xmm_xmmm128,
        Code::EVEX_Vpsllvq_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vpsllvq_xmm_xmm_xmmm128,
        Code::EVEX_Vpsrad_xmm_k1z_xmmm128b32_imm8 => Code::VEX_Vpsrad_xmm_xmm_imm8,
        Code::EVEX_Vpsravd_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpsravd_xmm_xmm_xmmm128,
        Code::EVEX_Vpsrld_xmm_k1z_xmmm128b32_imm8 => Code::VEX_Vpsrld_xmm_xmm_imm8,
        Code::EVEX_Vpsrlq_xmm_k1z_xmmm128b64_imm8 => Code::VEX_Vpsrlq_xmm_xmm_imm8,
        Code::EVEX_Vpsrlvd_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpsrlvd_xmm_xmm_xmmm128,
        Code::EVEX_Vpsrlvq_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vpsrlvq_xmm_xmm_xmmm128,
        Code::EVEX_Vpsubd_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpsubd_xmm_xmm_xmmm128,
        Code::EVEX_Vpsubq_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vpsubq_xmm_xmm_xmmm128,
        Code::EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vpxor_xmm_xmm_xmmm128,
        Code::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vpxor_xmm_xmm_xmmm128,
        Code::EVEX_Vrndscalepd_xmm_k1z_xmmm128b64_imm8 => Code::VEX_Vroundpd_xmm_xmmm128_imm8,
        Code::EVEX_Vrndscaleps_xmm_k1z_xmmm128b32_imm8 => Code::VEX_Vroundps_xmm_xmmm128_imm8,
        Code::EVEX_Vsqrtpd_xmm_k1z_xmmm128b64 => Code::VEX_Vsqrtpd_xmm_xmmm128,
        Code::EVEX_Vsqrtps_xmm_k1z_xmmm128b32 => Code::VEX_Vsqrtps_xmm_xmmm128,
        Code::EVEX_Vsubpd_xmm_k1z_xmm_xmmm128b64 => Code::VEX_Vsubpd_xmm_xmm_xmmm128,
        Code::EVEX_Vsubps_xmm_k1z_xmm_xmmm128b32 => Code::VEX_Vsubps_xmm_xmm_xmmm128,
        _ => return None,
    })
}
