//! Extensions of SPIR-V that say nothing more than instructions do, which are judged one by one, and instructions without
//! a meaning: naga refuses a module that names an extension or a set of instructions that it does not know.

use std::collections::HashSet;

use spirv::{Capability, Decoration, ExecutionMode, FPRoundingMode, Op};

use crate::spirv::op;
use crate::spirv::words::{PlacedWords, SpirvRefusal, opcode};

/// Extensions without which the module means the same: they permit instructions and types, or tell a compiler something.
const HARMLESS: [&str; 23] = [
    "SPV_KHR_8bit_storage",
    "SPV_KHR_integer_dot_product",
    "SPV_KHR_no_integer_wrap_decoration",
    "SPV_KHR_float_controls",
    "SPV_KHR_expect_assume",
    "SPV_KHR_terminate_invocation",
    "SPV_KHR_relaxed_extended_instruction",
    "SPV_KHR_subgroup_uniform_control_flow",
    "SPV_KHR_maximal_reconvergence",
    "SPV_KHR_variable_pointers",
    "SPV_KHR_shader_ballot",
    "SPV_KHR_subgroup_vote",
    "SPV_KHR_subgroup_rotate",
    "SPV_KHR_quad_control",
    "SPV_KHR_shader_draw_parameters",
    "SPV_KHR_device_group",
    "SPV_EXT_demote_to_helper_invocation",
    "SPV_EXT_shader_image_int64",
    "SPV_GOOGLE_decorate_string",
    "SPV_GOOGLE_hlsl_functionality1",
    "SPV_GOOGLE_user_type",
    "SPV_AMD_gpu_shader_int16",
    "SPV_AMD_gpu_shader_half_float",
];

/// The beginning of the names of sets whose instructions have no meaning for what is computed.
const NON_SEMANTIC: &str = "NonSemantic.";

/// Modes of execution that are those of kernels.
const OWN_MODES: [ExecutionMode; 6] = [
    ExecutionMode::DenormPreserve,
    ExecutionMode::SignedZeroInfNanPreserve,
    ExecutionMode::RoundingModeRTE,
    ExecutionMode::SubgroupUniformControlFlowKHR,
    ExecutionMode::MaximallyReconvergesKHR,
    // Of derivatives, which are refused.
    ExecutionMode::QuadDerivativesKHR,
];

/// Modes in which floats are others.
const OTHER_MODES: [(ExecutionMode, &str); 2] =
    [(ExecutionMode::DenormFlushToZero, "DenormFlushToZero"), (ExecutionMode::RoundingModeRTZ, "RoundingModeRTZ")];

/// Roundings of a conversion by its decoration `FPRoundingMode`: the number of each that is not to the nearest.
const OTHER_ROUNDINGS: [(FPRoundingMode, &str); 3] =
    [(FPRoundingMode::RTZ, "RTZ"), (FPRoundingMode::RTP, "RTP"), (FPRoundingMode::RTN, "RTN")];

/// Leaves out what says nothing.
pub(crate) fn leave_out(module: &mut Vec<PlacedWords>) -> Result<(), SpirvRefusal> {
    for (byte, words) in module.iter() {
        if let &[head, _, mode, ..] = words.as_slice()
            && head & 0xffff == op::EXECUTION_MODE
            && let Some((_, name)) = OTHER_MODES.iter().find(|(other, _)| *other as u32 == mode)
        {
            return Err(SpirvRefusal::at(*byte, format!("the execution mode {name}"))
                .with_help("floats are rounded to the nearest, and keep their denormal numbers"));
        }
        if let &[head, _, decoration, rounding] = words.as_slice()
            && head & 0xffff == op::DECORATE
            && decoration == Decoration::FPRoundingMode as u32
            && let Some((_, name)) = OTHER_ROUNDINGS.iter().find(|(other, _)| *other as u32 == rounding)
        {
            return Err(SpirvRefusal::at(*byte, format!("the rounding {name} of a conversion"))
                .with_help("floats are rounded to the nearest, ties to even"));
        }
    }
    let mut sets: HashSet<u32> = HashSet::new();
    module.retain(|one| match (opcode(one), one.1.as_slice()) {
        (op::EXTENSION, [_, name @ ..]) => !HARMLESS.contains(&text_of(name).as_str()),
        (op::EXT_INST_IMPORT, [_, id, name @ ..]) if text_of(name).starts_with(NON_SEMANTIC) => {
            sets.insert(*id);
            false
        }
        (op::EXT_INST, [_, _, _, set, ..]) => !sets.contains(set),
        // Images without a format get one.
        (op::CAPABILITY, &[_, capability]) => {
            let of_images = [Capability::StorageImageReadWithoutFormat, Capability::StorageImageWriteWithoutFormat];
            !of_images.iter().any(|of_images| *of_images as u32 == capability)
        }
        (op::EXECUTION_MODE, &[_, _, mode, ..]) => !OWN_MODES.iter().any(|own| *own as u32 == mode),
        (opcode, _) => opcode != Op::AssumeTrueKHR as u32,
    });
    Ok(())
}

/// The letters of a literal.
fn text_of(words: &[u32]) -> String {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0);
    String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(opcode: u32, id: Option<u32>, name: &str) -> PlacedWords {
        let mut letters = name.as_bytes().to_vec();
        letters.resize(name.len() / 4 * 4 + 4, 0);
        let mut words: Vec<u32> = id.into_iter().collect();
        words.extend(letters.as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four)));
        (0, crate::spirv::words::words(opcode, &words))
    }

    #[test]
    fn only_what_says_nothing_is_left_out() {
        let used = |set: u32| (0, vec![5 << 16 | op::EXT_INST, 1, 2, set, 4]);
        let mut module = vec![
            named(op::EXTENSION, None, "SPV_KHR_8bit_storage"),
            named(op::EXTENSION, None, "SPV_KHR_ray_query"),
            named(op::EXT_INST_IMPORT, Some(7), "NonSemantic.ClspvReflection.5"),
            named(op::EXT_INST_IMPORT, Some(8), "GLSL.std.450"),
            used(7),
            used(8),
        ];
        leave_out(&mut module).unwrap();
        let expected = [
            named(op::EXTENSION, None, "SPV_KHR_ray_query"),
            named(op::EXT_INST_IMPORT, Some(8), "GLSL.std.450"),
            used(8),
        ];
        assert_eq!(module, expected);
        let mode = |mode: ExecutionMode| vec![(40, vec![4 << 16 | op::EXECUTION_MODE, 1, mode as u32, 32])];
        let mut kept = mode(ExecutionMode::RoundingModeRTE);
        leave_out(&mut kept).unwrap();
        assert!(kept.is_empty());
        let refusal = leave_out(&mut mode(ExecutionMode::RoundingModeRTZ)).unwrap_err();
        assert_eq!((refusal.byte, refusal.what.as_str()), (40, "the execution mode RoundingModeRTZ"));
        let decorated = |rounding: FPRoundingMode| {
            let words = [9, Decoration::FPRoundingMode as u32, rounding as u32];
            leave_out(&mut vec![(80, crate::spirv::words::words(op::DECORATE, &words))])
        };
        assert_eq!(decorated(FPRoundingMode::RTE), Ok(()));
        for rounding in [FPRoundingMode::RTZ, FPRoundingMode::RTP, FPRoundingMode::RTN] {
            let refusal = decorated(rounding).unwrap_err();
            assert_eq!((refusal.byte, refusal.what), (80, format!("the rounding {rounding:?} of a conversion")));
        }
    }
}
