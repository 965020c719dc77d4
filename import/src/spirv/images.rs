//! Operands of images and barriers of SPIR-V that naga reads otherwise than they are meant. It drops offsets of images
//! that it has no form for, and makes a barrier of threads of one of memory that names the memory of subgroups.
//! What cannot be written otherwise is refused.

use std::collections::HashSet;

use spirv::{ImageFormat, Op};

use crate::spirv::op;
use crate::spirv::rewrite::SpirvRewriter;
use crate::spirv::types::{PlainType, SpirvTypes};
use crate::spirv::words::{PlacedWords, SpirvRefusal, opcode};

/// The bit of memory semantics for the memory of subgroups.
const SUBGROUP_MEMORY: u32 = 0x80;

/// Bits of image operands, each with the words it takes: `Bias`, `Lod`, `Grad`, `ConstOffset`, `Offset`,
/// `ConstOffsets`, `Sample`, `MinLod`.
const OPERAND_WORDS: [usize; 8] = [1, 1, 2, 1, 1, 1, 1, 1];
const LOD: u32 = 2;
const GRAD: u32 = 4;
const CONST_OFFSET: u32 = 8;
const OFFSET: u32 = 0x10;
const CONST_OFFSETS: u32 = 0x20;
const SAMPLE: u32 = 0x40;
const MIN_LOD: u32 = 0x80;

/// The place of the image operands among the words of an instruction.
fn image_operands(opcode: u32) -> Option<usize> {
    const AT_5: [Op; 6] = [
        Op::ImageSampleImplicitLod,
        Op::ImageSampleExplicitLod,
        Op::ImageSampleProjImplicitLod,
        Op::ImageSampleProjExplicitLod,
        Op::ImageFetch,
        Op::ImageRead,
    ];
    const AT_6: [Op; 6] = [
        Op::ImageSampleDrefImplicitLod,
        Op::ImageSampleDrefExplicitLod,
        Op::ImageSampleProjDrefImplicitLod,
        Op::ImageSampleProjDrefExplicitLod,
        Op::ImageGather,
        Op::ImageDrefGather,
    ];
    let is_one_of = |all: &[Op]| all.iter().any(|one| *one as u32 == opcode);
    if is_one_of(&AT_5) {
        Some(5)
    } else if is_one_of(&AT_6) {
        Some(6)
    } else {
        (opcode == Op::ImageWrite as u32).then_some(4)
    }
}

/// Gives storage images without a format that of four channels of 32 bits: the shader reads and writes such texels.
pub(crate) fn name_formats(module: &mut [PlacedWords], types: &SpirvTypes) {
    for one in module.iter_mut().filter(|one| opcode(one) == Op::TypeImage as u32) {
        if let [_, _, sampled, _, _, _, _, 2, format, ..] = one.1.as_mut_slice()
            && *format == ImageFormat::Unknown as u32
        {
            *format = match types.plain.get(sampled) {
                Some(PlainType::Float { .. }) => ImageFormat::Rgba32f as u32,
                Some(PlainType::Int { width: 32, is_signed: true }) => ImageFormat::Rgba32i as u32,
                Some(PlainType::Int { width: 32, is_signed: false }) => ImageFormat::Rgba32ui as u32,
                _ => continue,
            };
        }
    }
}

/// Refuses images of integers of 64 bits, but storage images of the format that naga has.
pub(crate) fn refuse_long(module: &[PlacedWords], types: &SpirvTypes) -> Result<(), SpirvRefusal> {
    for (byte, words) in module.iter().filter(|one| opcode(one) == Op::TypeImage as u32) {
        let &[_, _, texel, _, _, _, _, kind, format, ..] = words.as_slice() else { continue };
        let Some(&PlainType::Int { width: 64, is_signed }) = types.plain.get(&texel) else { continue };
        let what = match (kind, format) {
            (2, format) if format == ImageFormat::R64i as u32 => "a storage image of the format R64i",
            (2, format) if format == ImageFormat::R64ui as u32 && !is_signed => continue,
            (2, _) => "a storage image of integers of 64 bits without the format R64ui",
            _ => "a sampled image of integers of 64 bits",
        };
        let help = "storage images of unsigned integers of 64 bits are read, of the format R64ui";
        return Err(SpirvRefusal::at(*byte, what).with_help(help));
    }
    Ok(())
}

/// Refuses variables that are an image with its sampler where they are loaded: naga has none.
pub(crate) fn refuse_combined(module: &[PlacedWords]) -> Result<(), SpirvRefusal> {
    let of = |wanted: Op| module.iter().filter(move |one| opcode(one) == wanted as u32);
    let combined: HashSet<u32> = of(Op::TypeSampledImage).map(|one| one.1[1]).collect();
    match of(Op::Load).find(|one| combined.contains(&one.1[1])) {
        Some((byte, _)) => {
            Err(SpirvRefusal::at(*byte, "a variable that is an image with its sampler").with_help(COMBINED))
        }
        None => Ok(()),
    }
}

/// Refuses samples of depth images at a level that is not whole for certain, as a constant and a converted integer are:
/// naga cuts off what is behind the point.
pub(crate) fn refuse_levels_of_depth(module: &[PlacedWords], types: &SpirvTypes) -> Result<(), SpirvRefusal> {
    let of =
        |wanted: Op| module.iter().map(|one| one.1.as_slice()).filter(move |words| words[0] & 0xffff == wanted as u32);
    let depth: HashSet<u32> =
        of(Op::TypeImage).filter_map(|words| (words.get(4) == Some(&1)).then_some(words[1])).collect();
    if depth.is_empty() {
        return Ok(());
    }
    let sampled: HashSet<u32> =
        of(Op::TypeSampledImage).filter(|words| depth.contains(&words[2])).map(|words| words[1]).collect();
    let samples: HashSet<u32> =
        of(Op::SampledImage).filter(|words| sampled.contains(&words[1])).map(|words| words[2]).collect();
    let converted: HashSet<u32> = of(Op::ConvertSToF).chain(of(Op::ConvertUToF)).map(|words| words[2]).collect();
    let explicit = [Op::ImageSampleExplicitLod as u32, Op::ImageSampleProjExplicitLod as u32];
    for (byte, words) in module.iter().filter(|one| explicit.contains(&opcode(one))) {
        let &[_, _, _, sample, _, mask, ref operands @ ..] = words.as_slice() else { continue };
        if !samples.contains(&sample) || mask & LOD == 0 {
            continue;
        }
        let level = operands.get(OPERAND_WORDS[0] * (mask & 1) as usize);
        let is_whole = |level: &u32| {
            let bits = types.numbers.get(level);
            converted.contains(level) || bits.is_some_and(|&bits| f32::from_bits(bits).fract() == 0.0)
        };
        if !level.is_some_and(is_whole) {
            let help =
                "name the level by a whole constant or a converted integer, or declare the image without `Depth`";
            let what = "a sample of a depth image at a level that is perhaps no whole number";
            return Err(SpirvRefusal::at(*byte, what).with_help(help));
        }
    }
    Ok(())
}

/// What to write in place of a combined image and sampler.
const COMBINED: &str =
    "declare two variables, in GLSL `uniform texture2D t; uniform sampler s;`, and use `sampler2D(t, s)`";

impl SpirvRewriter<'_> {
    /// An instruction on an image or a barrier, as naga reads it rightly; nothing if it is right as it is.
    pub(crate) fn image_or_barrier(&mut self, words: &[u32]) -> Result<Option<Vec<u32>>, String> {
        let opcode = words[0] & 0xffff;
        if let &[_, scope, semantics] = words
            && opcode == Op::MemoryBarrier as u32
            && let Some(&bits) = self.writer.types.numbers.get(&semantics)
            && bits & SUBGROUP_MEMORY != 0
        {
            let others = self.writer.types.number(bits & !SUBGROUP_MEMORY);
            return Ok(Some(vec![words[0], scope, others]));
        }
        if opcode == Op::ImageTexelPointer as u32 {
            return Err("an atomic operation on a texel of an image".to_owned());
        }
        let is_fetch = opcode == Op::ImageFetch as u32;
        let given = image_operands(opcode).and_then(|at| Some((at, *words.get(at)?)));
        let (at, mask) = match given {
            // A texel without a level and a sample is one of the first level, which naga wants to be named.
            None if is_fetch && words.len() == 5 => {
                let level = self.writer.types.number(0);
                let mut out = [words, &[LOD, level]].concat();
                out[0] = 7 << 16 | opcode;
                return Ok(Some(out));
            }
            Some((at, mask)) if is_fetch && mask & (LOD | SAMPLE) == 0 => {
                let level = self.writer.types.number(0);
                let mut out = words.to_vec();
                out[at] |= LOD;
                let place = at + 1 + OPERAND_WORDS[0] * (mask & 1) as usize;
                if place > out.len() {
                    return Err("image operands that are cut short".to_owned());
                }
                out.insert(place, level);
                out[0] = (out.len() as u32) << 16 | opcode;
                return Ok(Some(self.image_or_barrier(&out)?.unwrap_or(out)));
            }
            Some(given) => given,
            None => return Ok(None),
        };
        let is_compared =
            opcode == Op::ImageSampleDrefExplicitLod as u32 || opcode == Op::ImageSampleProjDrefExplicitLod as u32;
        if is_compared && mask & LOD != 0 {
            // naga takes any level for the first.
            let level = words.get(at + 1 + OPERAND_WORDS[0] * (mask & 1) as usize).copied();
            if !level.is_some_and(|level| self.zeros.is_zero(level)) {
                return Err("a comparison with a level of an image that is not the constant 0".to_owned());
            }
        }
        for (bit, name) in [(CONST_OFFSETS, "ConstOffsets"), (MIN_LOD, "MinLod"), (OFFSET, "Offset"), (GRAD, "Grad")] {
            let is_misread = match bit {
                OFFSET => !is_fetch,
                GRAD => is_compared,
                _ => true,
            };
            if mask & bit != 0 && is_misread {
                return Err(format!("the image operand {name} of an instruction that has no form with it"));
            }
        }
        let offset_bit = mask & (CONST_OFFSET | OFFSET);
        if !is_fetch || offset_bit == 0 {
            return Ok(None);
        }
        let before: usize =
            (0..8).filter(|i| mask & (1 << i) != 0 && 1 << i < offset_bit).map(|i| OPERAND_WORDS[i]).sum();
        let (coordinate, place) = (words[4], at + 1 + before);
        let of = |id: u32| self.writer.types.of(id);
        let offset = words.get(place).copied();
        let types = offset.and_then(|offset| Some((of(coordinate)?, of(offset)?)));
        let count = |ty: u32| self.components(ty).map(|(_, count)| count);
        match (offset, types) {
            (Some(offset), Some((ty, other))) if count(ty).is_some() && count(ty) == count(other) => {
                let sum = self.writer.add(op::I_ADD, ty, &[coordinate, offset]);
                let mut out = words.to_vec();
                out.remove(place);
                (out[4], out[at]) = (sum, mask & !offset_bit);
                if out[at] == 0 {
                    out.truncate(at);
                }
                out[0] = (out.len() as u32) << 16 | opcode;
                Ok(Some(out))
            }
            _ => Err("an offset of a texel of an array of images".to_owned()),
        }
    }
}
