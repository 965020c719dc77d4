//! Signed and unsigned opcodes of SPIR-V on integers of the other type, and results that are declared with
//! another type than their operand's: compilers whose languages have no signed types write such. naga's
//! writer does not, so the modules are put together here.

use tilewise_conformance::kir::shader::{self, ShaderContents, ShaderOptions};
use tilewise_conformance::target::SuiteTarget;

use super::{TestShader, launch, read};

/// The header that the launch is taken from.
const LAUNCH: &str = "//! dispatch 1
//! v: [4] = 0xfffffffb 0xc06ccccd 0x12 0
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(1) fn main() { v[3] = 0u; }
";

const GLSL: u32 = 1;
const MAIN: u32 = 2;
const BUFFER: u32 = 3;
const VOID: u32 = 4;
const FUNCTION: u32 = 5;
const U32: u32 = 6;
const I32: u32 = 7;
const F32: u32 = 8;
const ELEMENTS: u32 = 9;
const STRUCT: u32 = 10;
const POINTER: u32 = 11;
const ELEMENT_POINTER: u32 = 12;
const U16: u32 = 13;
const I16: u32 = 14;
const F16: u32 = 15;
/// The constants 0 to 9.
const NUMBERS: u32 = 20;

/// The constant 2^30.
const LARGE: u32 = 30;

/// A module while it is written.
struct SpirvWriter {
    words: Vec<u32>,
    bound: u32,
}

impl SpirvWriter {
    fn put(&mut self, opcode: u32, words: &[u32]) {
        self.words.push((words.len() as u32 + 1) << 16 | opcode);
        self.words.extend(words);
    }

    fn value(&mut self, opcode: u32, ty: u32, operands: &[u32]) -> u32 {
        let id = self.bound;
        self.bound += 1;
        let words: Vec<u32> = [ty, id].iter().chain(operands).copied().collect();
        self.put(opcode, &words);
        id
    }

    fn load(&mut self, at: u32) -> u32 {
        let pointer = self.value(65, ELEMENT_POINTER, &[BUFFER, NUMBERS, NUMBERS + at]);
        self.value(61, U32, &[pointer])
    }

    /// A shader that stores what `compute` makes into element 3.
    fn module(compute: &dyn Fn(&mut SpirvWriter) -> u32) -> Vec<u8> {
        let mut writer = SpirvWriter { words: vec![0x0723_0203, 0x0001_0300, 0, 0, 0], bound: 50 };
        let main = [u32::from_le_bytes(*b"main"), 0];
        writer.put(17, &[1]);
        for capability in [22, 9, 61, 63] {
            writer.put(17, &[capability]);
        }
        writer.put(11, &[GLSL, u32::from_le_bytes(*b"GLSL"), u32::from_le_bytes(*b".std"), 0x3035_342e, 0]);
        writer.put(14, &[0, 1]);
        writer.put(15, &[5, MAIN, main[0], main[1]]);
        writer.put(16, &[MAIN, 17, 1, 1, 1]);
        writer.put(5, &[BUFFER, u32::from(b'v')]);
        writer.put(71, &[ELEMENTS, 6, 4]);
        writer.put(72, &[STRUCT, 0, 35, 0]);
        writer.put(71, &[STRUCT, 3]);
        writer.put(71, &[BUFFER, 34, 0]);
        writer.put(71, &[BUFFER, 33, 0]);
        writer.put(19, &[VOID]);
        writer.put(33, &[FUNCTION, VOID]);
        writer.put(21, &[U32, 32, 0]);
        writer.put(21, &[I32, 32, 1]);
        writer.put(22, &[F32, 32]);
        writer.put(21, &[U16, 16, 0]);
        writer.put(21, &[I16, 16, 1]);
        writer.put(22, &[F16, 16]);
        writer.put(29, &[ELEMENTS, U32]);
        writer.put(30, &[STRUCT, ELEMENTS]);
        writer.put(32, &[POINTER, 2, STRUCT]);
        writer.put(32, &[ELEMENT_POINTER, 2, U32]);
        for number in 0..10 {
            writer.put(43, &[U32, NUMBERS + number, number]);
        }
        writer.put(43, &[U32, LARGE, 1 << 30]);
        writer.put(59, &[POINTER, BUFFER, 2]);
        writer.put(54, &[VOID, MAIN, 0, FUNCTION]);
        let label = writer.bound;
        writer.bound += 1;
        writer.put(248, &[label]);
        let result = compute(&mut writer);
        let pointer = writer.value(65, ELEMENT_POINTER, &[BUFFER, NUMBERS, NUMBERS + 3]);
        writer.put(62, &[pointer, result]);
        writer.put(253, &[]);
        writer.put(56, &[]);
        writer.words[3] = writer.bound;
        writer.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// What is computed of -5, the bits of -3.7 and 18, and the result.
type OpcodeCase = (&'static str, &'static dyn Fn(&mut SpirvWriter) -> u32, u32);

/// -5 of the type `u32`, and a constant.
fn binary(writer: &mut SpirvWriter, opcode: u32, number: u32) -> u32 {
    let minus_five = writer.load(0);
    writer.value(opcode, U32, &[minus_five, NUMBERS + number])
}

fn glsl(writer: &mut SpirvWriter, function: u32, others: &[u32]) -> u32 {
    let minus_five = writer.load(0);
    let operands: Vec<u32> = [GLSL, function, minus_five].iter().chain(others).copied().collect();
    writer.value(12, U32, &operands)
}

/// The sum of a result that is declared as `i32`, and of a number that is one.
fn signed_sum(writer: &mut SpirvWriter, result: u32) -> u32 {
    let one = writer.value(124, I32, &[NUMBERS + 1]);
    let sum = writer.value(128, I32, &[result, one]);
    writer.value(124, U32, &[sum])
}

/// An operation on -5 and a constant of the type `i32`.
fn of_signed(writer: &mut SpirvWriter, opcode: u32, number: u32) -> u32 {
    let minus_five = writer.load(0);
    let operands = [minus_five, NUMBERS + number].map(|value| writer.value(124, I32, &[value]));
    let result = writer.value(opcode, I32, &operands);
    writer.value(124, U32, &[result])
}

/// What an exclusive scan over the subgroup gives its first thread: the operation's identity, of integers of 16 bits.
/// naga reads scans of sums and products only.
fn first_of_scan(writer: &mut SpirvWriter, opcode: u32, ty: u32) -> u32 {
    let (convert, wide) = if ty == I16 { (114, I32) } else { (113, U32) };
    let value = writer.load(2);
    let value = if ty == I16 { writer.value(124, I32, &[value]) } else { value };
    let narrow = writer.value(convert, ty, &[value]);
    let scanned = writer.value(opcode, ty, &[NUMBERS + 3, 2, narrow]);
    let result = writer.value(convert, wide, &[scanned]);
    if ty == I16 { writer.value(124, U32, &[result]) } else { result }
}

/// The same of floats of 16 bits, as the bits of an `f32`.
fn first_of_float_scan(writer: &mut SpirvWriter, opcode: u32) -> u32 {
    let bits = writer.load(1);
    let number = writer.value(124, F32, &[bits]);
    let narrow = writer.value(115, F16, &[number]);
    let scanned = writer.value(opcode, F16, &[NUMBERS + 3, 2, narrow]);
    let result = writer.value(115, F32, &[scanned]);
    writer.value(124, U32, &[result])
}

const CASES: [OpcodeCase; 30] = [
    ("OpSDiv", &|w| binary(w, 135, 2), -2_i32 as u32),
    ("OpSRem", &|w| binary(w, 138, 3), -2_i32 as u32),
    ("OpSMod", &|w| binary(w, 139, 3), 1),
    ("OpShiftRightArithmetic", &|w| binary(w, 195, 1), -3_i32 as u32),
    ("OpUDiv of i32", &|w| of_signed(w, 134, 2), 0x7fff_fffd),
    ("OpUMod of i32", &|w| of_signed(w, 137, 7), 0xffff_fffb % 7),
    ("OpShiftRightLogical of i32", &|w| of_signed(w, 194, 1), 0x7fff_fffd),
    (
        "OpSNegate",
        &|w| {
            let value = w.load(0);
            w.value(126, U32, &[value])
        },
        5,
    ),
    ("SAbs", &|w| glsl(w, 5, &[]), 5),
    ("SSign", &|w| glsl(w, 7, &[]), -1_i32 as u32),
    ("SMin", &|w| glsl(w, 39, &[NUMBERS + 3]), -5_i32 as u32),
    ("SMax", &|w| glsl(w, 42, &[NUMBERS + 3]), 3),
    ("SClamp", &|w| glsl(w, 45, &[NUMBERS + 1, NUMBERS + 3]), 1),
    ("FindSMsb", &|w| glsl(w, 74, &[]), 2),
    ("FindUMsb", &|w| glsl(w, 75, &[]), 31),
    ("FindILsb", &|w| glsl(w, 73, &[]), 0),
    (
        "OpConvertFToS",
        &|w| {
            let bits = w.load(1);
            let number = w.value(124, F32, &[bits]);
            w.value(110, U32, &[number])
        },
        -3_i32 as u32,
    ),
    (
        "OpConvertFToU to i32",
        &|w| {
            // 3.7 times 2^30 is beyond the largest signed number.
            let bits = w.load(1);
            let number = w.value(124, F32, &[bits]);
            let negative = w.value(127, F32, &[number]);
            let large = w.value(112, F32, &[LARGE]);
            let product = w.value(133, F32, &[negative, large]);
            let result = w.value(109, I32, &[product]);
            w.value(124, U32, &[result])
        },
        3_972_844_800,
    ),
    ("FindUMsb as i32", &|w| typed_as_signed(w, &[GLSL, 75]), 5),
    ("FindSMsb as i32", &|w| typed_as_signed(w, &[GLSL, 74]), 5),
    ("FindILsb as i32", &|w| typed_as_signed(w, &[GLSL, 73]), 2),
    ("SMax as i32", &|w| typed_as_signed(w, &[GLSL, 42, NUMBERS + 3]), 19),
    (
        "OpBitCount as i32",
        &|w| {
            let value = w.load(2);
            let count = w.value(205, I32, &[value]);
            signed_sum(w, count)
        },
        3,
    ),
    (
        "OpBitCount of u16 as i32",
        &|w| {
            let value = w.load(0);
            let narrow = w.value(113, U16, &[value]);
            let count = w.value(205, I32, &[narrow]);
            signed_sum(w, count)
        },
        16,
    ),
    (
        "OpBitReverse of u16",
        &|w| {
            let value = w.load(2);
            let narrow = w.value(113, U16, &[value]);
            let reversed = w.value(204, U16, &[narrow]);
            w.value(113, U32, &[reversed])
        },
        0x4800,
    ),
    (
        "OpShiftLeftLogical as i32",
        &|w| {
            let value = w.load(2);
            let shifted = w.value(196, I32, &[value, NUMBERS + 4]);
            signed_sum(w, shifted)
        },
        0x121,
    ),
    ("exclusive OpGroupNonUniformIAdd of i16", &|w| first_of_scan(w, 349, I16), 0),
    ("exclusive OpGroupNonUniformIMul of u16", &|w| first_of_scan(w, 351, U16), 1),
    ("exclusive OpGroupNonUniformFMul of f16", &|w| first_of_float_scan(w, 352), 0x3f80_0000),
    ("exclusive OpGroupNonUniformFAdd of f16", &|w| first_of_float_scan(w, 350), 0),
];

/// A function of 18, whose result is declared as `i32`, and one more.
fn typed_as_signed(writer: &mut SpirvWriter, call: &[u32]) -> u32 {
    let value = writer.load(2);
    let operands: Vec<u32> = call[..2].iter().chain([&value]).chain(&call[2..]).copied().collect();
    let result = writer.value(12, I32, &operands);
    signed_sum(writer, result)
}

/// The test.
pub(crate) fn opcodes_say_what_is_signed() {
    let test = TestShader { name: "opcodes.wgsl".to_owned(), text: LAUNCH.to_owned() };
    let original = read(&test).expect("it is a shader");
    let mut wrong = Vec::new();
    for (name, compute, expected) in CASES {
        let bytes = SpirvWriter::module(compute);
        for target in [SuiteTarget::Reference, SuiteTarget::Jit] {
            let file = shader::read("opcodes.spv", ShaderContents::SpirV(&bytes), &ShaderOptions::default());
            let found = launch(file, &original, target).map(|launched| {
                let words = launched.memory().allocations.first().map_or(&[][..], Vec::as_slice);
                u32::from_le_bytes([words[12], words[13], words[14], words[15]])
            });
            if found != Ok(expected) {
                wrong.push(format!("{name} on {target}: {found:?}, not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
