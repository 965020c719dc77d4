//! Tests of the assembler.

use spirv::Op;

use super::*;

const VERSION: u32 = 0x0001_0000;

fn words(text: &str) -> Vec<u32> {
    assemble(text, 1, VERSION).unwrap_or_else(|complaints| panic!("{complaints:?}\n{text}")).words[HEAD..].to_vec()
}

/// The first complaint: its place and its message.
fn complaint(text: &str) -> (u32, u32, String) {
    let complaints = assemble(text, 10, VERSION).unwrap_err();
    let first = &complaints[0];
    (first.at.line, first.at.column, first.message.clone())
}

#[test]
fn operands_of_every_form_are_words() {
    let constant = |ty: &str, literal: &str| {
        let words = words(&format!("%t = {ty}\n%c = OpConstant %t {literal}"));
        let first = (words[0] >> 16) as usize;
        words[first + 3..].to_vec()
    };
    assert_eq!(constant("OpTypeInt 32 0", "4294967295"), [u32::MAX]);
    assert_eq!(constant("OpTypeInt 32 1", "-1"), [u32::MAX]);
    assert_eq!(constant("OpTypeInt 32 1", "0xFFFFFFFF"), [u32::MAX]);
    assert_eq!(constant("OpTypeInt 16 1", "-2"), [0xffff_fffe]);
    assert_eq!(constant("OpTypeInt 16 0", "0xfffe"), [0xfffe]);
    assert_eq!(constant("OpTypeInt 64 1", "-2"), [0xffff_fffe, u32::MAX]);
    assert_eq!(constant("OpTypeInt 64 0", "0x123456789"), [0x2345_6789, 1]);
    for (literal, number) in
        [("1.5", 1.5f32), ("-0x1.8p+1", -3.0), (".25", 0.25), ("1e3", 1000.0), ("0x1p+128", f32::INFINITY)]
    {
        assert_eq!(constant("OpTypeFloat 32", literal), [number.to_bits()], "{literal}");
    }
    assert_eq!(constant("OpTypeFloat 32", "-0x1.8p+128"), [0xffc0_0000]);
    assert_eq!(constant("OpTypeFloat 32", "-0"), [0x8000_0000]);
    assert_eq!(constant("OpTypeFloat 16", "1"), [0x3c00]);
    assert_eq!(constant("OpTypeFloat 16", "0x1p+16"), [0x7c00]);
    assert_eq!(constant("OpTypeFloat 64", "1"), [0, 0x3ff0_0000]);
    assert_eq!(constant("OpTypeInt 32 0", "!0x7"), [7]);
}

#[test]
fn masks_have_the_operands_of_their_bits() {
    let of = |mask: &str| words(&format!("%v = OpTypeVoid OpStore %v %v {mask}"))[5..].to_vec();
    assert_eq!(of("None"), [0]);
    assert_eq!(of("Volatile|Aligned 16"), [3, 16]);
    assert_eq!(of("MakePointerAvailable|NonPrivatePointer %v"), [8 | 32, 1]);
    let image = words("%f = OpTypeFloat 32 %i = OpTypeImage %f 2D 0 0 0 2 Rgba8");
    assert_eq!(image[3..], [9 << 16 | Op::TypeImage as u32, 2, 1, 1, 0, 0, 0, 2, 4]);
    let loops = words("%a = OpLabel OpLoopMerge %a %a DontUnroll|MaxIterations 7");
    assert_eq!(loops[5..], [2 | 32, 7]);
    let decorated = words("OpDecorate %x LinkageAttributes \"abc\" Export %x = OpTypeVoid");
    assert_eq!(decorated, [5 << 16 | Op::Decorate as u32, 1, 41, u32::from_le_bytes(*b"abc\0"), 0, 2 << 16 | 19, 1]);
}

#[test]
fn instructions_follow_each_other_however_they_are_written() {
    let apart = "%1 = OpTypeInt\n 32 ; a comment = %2\n 0\n%2 = OpConstant %1 5";
    let together = "%1 = OpTypeInt 32 0 %2 = OpConstant %1 5";
    let canonical = "OpTypeInt %1 32 0 OpConstant %1 %2 5";
    assert_eq!(words(apart), words(together));
    assert_eq!(words(canonical), words(together));
    assert_eq!(words("OpSource OpenCL_C 120 OpNop"), [3 << 16 | Op::Source as u32, 3, 120, 1 << 16]);
    // Numbers stay, and names get the numbers that are left.
    let named = words("%2 = OpTypeVoid %a = OpTypeBool %1 = OpTypeInt 32 0 %b = OpTypeSampler");
    assert_eq!([named[1], named[3], named[5], named[9]], [2, 3, 1, 4]);
}

#[test]
fn constants_that_are_computed_have_the_operands_of_their_opcode() {
    let text = "%t = OpTypeInt 32 0 %a = OpConstant %t 1 %b = OpSpecConstantOp %t IAdd %a %a \
        %c = OpSpecConstantOp %t CompositeExtract %b 3";
    let words = words(text);
    assert_eq!(words[8..14], [6 << 16 | Op::SpecConstantOp as u32, 1, 3, Op::IAdd as u32, 2, 2]);
    assert_eq!(words[14..], [6 << 16 | Op::SpecConstantOp as u32, 1, 4, Op::CompositeExtract as u32, 3, 3]);
}

#[test]
fn the_place_of_each_instruction_is_known() {
    let module = assemble("; first\n  %v = OpTypeVoid\n\n%f =\n OpTypeFunction %v", 100, VERSION).unwrap();
    let at = |line, column| FilePlace { line, column };
    assert_eq!(module.places, [(20, at(101, 8), 10), (28, at(104, 2), 14)]);
    assert_eq!(module.words[3], 3);
}

#[test]
fn errors_name_their_place_and_what_is_wrong() {
    for (text, line, column, message) in [
        ("OpFoo %a", 10, 1, "`OpFoo` is no opcode of SPIR-V"),
        ("%a OpTypeVoid", 10, 1, "`%a` is no opcode of SPIR-V"),
        ("%a = %b = OpTypeVoid", 10, 1, "there is no opcode here"),
        ("\n %a = OpTypeInt 32", 11, 7, "expected a number, found the end of the instruction"),
        ("%a = OpTypeVoid 7", 10, 17, "`7` is one operand more than `OpTypeVoid` has"),
        ("%a = OpTypeVoid %a = OpTypeBool", 10, 17, "`%a` is the result of two instructions"),
        ("%a = OpTypeVector %f 2", 10, 19, "no instruction has the result `%f`"),
        ("%a = OpStore %b %c", 10, 1, "`OpStore` has no result"),
        ("OpCapability Shaders", 10, 14, "`Shaders` is not known here: a capability is expected"),
        ("OpMemoryModel logical GLSL450", 10, 15, "`logical` is not known here: an addressing model is expected"),
        ("OpName %a main %a = OpTypeVoid", 10, 11, "expected a text in quotes, found `main`"),
        ("OpName %a \"main", 10, 11, "this text is not closed"),
        ("%t = OpTypeInt 32 0 %c = OpConstant %t 4294967296", 10, 40, "`4294967296` does not fit in 32 bits"),
        ("%t = OpTypeInt 8 1 %c = OpConstant %t 128", 10, 39, "`128` does not fit in 8 bits"),
        ("%t = OpTypeInt 32 0 %c = OpConstant %t 1.5", 10, 40, "expected an integer, found `1.5`"),
        ("%t = OpTypeFloat 32 %c = OpConstant %t 1e99", 10, 40, "`1e99` is no such float"),
        ("%t = OpTypeBool %c = OpConstant %t 1", 10, 36, "the type of this number is not known"),
        (
            "%s = OpExtInstImport \"GLSL.std.450\" %t = OpTypeFloat 32 %r = OpExtInst %t %s Sqare %t",
            10,
            78,
            "`Sqare` is no instruction of the set \"GLSL.std.450\"",
        ),
    ] {
        assert_eq!(complaint(text), (line, column, message.to_owned()), "{text}");
    }
}

#[test]
fn a_result_is_there_also_if_its_opcode_is_wrong_or_it_is_not_read_any_more() {
    let messages = |text: &str| -> Vec<String> {
        let complaints = assemble(text, 10, VERSION).unwrap_err();
        complaints.into_iter().map(|complaint| complaint.message).collect()
    };
    assert_eq!(messages("%f = OpTypFloat 32 %v = OpTypeVector %f 4"), ["`OpTypFloat` is no opcode of SPIR-V"]);
    assert_eq!(messages("%v = OpTypeVector %f 4 %f = "), ["there is no opcode here"]);
    let many = format!("%m = OpFunction %void None %fn {} %void = OpTypeVoid", "OpBogus ".repeat(MOST_COMPLAINTS));
    let found = messages(&many);
    assert_eq!(found.len(), MOST_COMPLAINTS);
    assert!(found.iter().all(|message| message == "`OpBogus` is no opcode of SPIR-V"), "{found:?}");
}
