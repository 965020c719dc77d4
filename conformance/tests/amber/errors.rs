//! What is wrong with a script, and what is refused: each with its line and column.

use tilewise_conformance::amber::{AmberRejection, load};
use tilewise_conformance::kir::case;
use tilewise_conformance::target::SuiteTarget;
use tilewise_conformance::verdict::Verdict;

/// A script that is right; lines are put in its place.
const SHADER: &str = "SHADER compute s WGSL
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(1) fn main() { v[0] = 1u; }
END";
const BUFFER: &str = "BUFFER b DATA_TYPE uint32 SIZE 4 FILL 0";
const PIPELINE: &str = "PIPELINE compute p
  ATTACH s
  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0
END";

fn script(lines: &[&str]) -> String {
    format!("#!amber\n{}\n", lines.join("\n"))
}

/// `wrong 3:7: message` or `refused ..`.
fn told(text: &str) -> String {
    match load("t.amber", text) {
        Ok(_) => "right".to_owned(),
        Err(rejection) => {
            let word = match &rejection {
                AmberRejection::Wrong(_) => "wrong",
                AmberRejection::Refused(_) => "refused",
                AmberRejection::Shader { is_refusal: true, .. } => "shader refused",
                AmberRejection::Shader { .. } => "shader wrong",
            };
            let (at, message) = rejection.first();
            format!("{word} {}:{}: {message}", at.line, at.column)
        }
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (lines, expected) in [
        (&["FOO"][..], "wrong 2:1: `FOO` is no statement"),
        (&["SHADER pixel s WGSL", "END"], "wrong 2:8: `pixel` is no stage of shaders"),
        (&["SHADER compute s BASIC", "END"], "wrong 2:18: `BASIC` is no format of shaders"),
        (&["SHADER compute s WGSL", "fn f() {}"], "wrong 2:16: this shader has no `END`"),
        (&["SHADER compute s WGSL TARGET_ENV spv9.9", "END"], "wrong 2:34: `spv9.9` is no environment of shaders"),
        (&["SHADER compute s WGSL VIRTUAL_FILE a"], "wrong 2:36: there is no virtual file `a`"),
        (&["VIRTUAL_FILE a", "text"], "wrong 2:14: this virtual file has no `END`"),
        (&[SHADER, SHADER], "wrong 6:16: there is a shader `s` already"),
        (&["SHADER compute s SPIRV-ASM", "  OpNothing", "END"], "wrong 3:3: `OpNothing` is no opcode of SPIR-V"),
        (&["SHADER compute s SPIRV-HEX", "0x07230203 xyz", "END"], "wrong 3:12: `xyz` is no word in hex"),
        (&["SHADER compute s SPIRV-HEX", "03 02 23", "END"], "wrong 3:7: the last word of this SPIR-V is not whole"),
        (&["BUFFER b DATA_TYPE number SIZE 1 FILL 0"], "wrong 2:20: `number` is no type of data"),
        (&["BUFFER b DATA_TYPE uint32 SIZE x FILL 0"], "wrong 2:32: expected the number of elements, found `x`"),
        (
            &["BUFFER b DATA_TYPE uint32 SIZE 4"],
            "wrong 2:33: expected `FILL` or `SERIES_FROM`, found the end of the line",
        ),
        (&["BUFFER b DATA_TYPE uint32 SIZE 4 FILL 1.5"], "wrong 2:39: `1.5` is no integer"),
        (&["BUFFER b DATA_TYPE uint8 SIZE 4 FILL 256"], "wrong 2:38: `256` does not fit in `u8`"),
        (&["BUFFER b DATA_TYPE float SIZE 4 FILL x"], "wrong 2:38: `x` is no number"),
        (&["BUFFER b DATA_TYPE uint32 SIZE 4 FILL 0 1"], "wrong 2:41: expected the end of the line, found `1`"),
        (&["BUFFER b DATA_TYPE uint32 SIZE 4294967295 FILL 0"], "wrong 2:8: this buffer is too large"),
        (&["BUFFER b DATA_TYPE uint32 DATA", "1 2"], "wrong 2:8: the values of this buffer have no `END`"),
        (&["BUFFER b DATA_TYPE uint32 DATA END"], "wrong 2:8: this buffer has no values"),
        (
            &["BUFFER b DATA_TYPE vec2<float> DATA 1 2 3 END"],
            "wrong 2:8: 3 values are no whole number of elements of 2 values",
        ),
        (&[BUFFER, BUFFER], "wrong 3:8: there is a buffer `b` already"),
        (&["STRUCT S", "END"], "wrong 2:1: this struct has no members"),
        (&["STRUCT S", "float a[0]", "END"], "wrong 3:7: this is no length of an array"),
        (&["STRUCT S", "float a ARRAY_STRIDE 4", "END"], "wrong 3:9: `ARRAY_STRIDE` is of arrays"),
        (&["PIPELINE audio p", "END"], "wrong 2:10: `audio` is no kind of pipelines"),
        (&["PIPELINE compute p", "END"], "wrong 2:18: this pipeline has no shader"),
        (&[SHADER, "PIPELINE compute p", "  ATTACH s"], "wrong 6:18: this pipeline has no `END`"),
        (&["PIPELINE compute p", "  ATTACH s"], "wrong 3:10: there is no shader `s` above"),
        (
            &[SHADER, "PIPELINE compute p", "  BIND BUFFER b AS storage", "END"],
            "wrong 7:15: there is no buffer `b` above",
        ),
        (
            &[
                SHADER,
                BUFFER,
                "PIPELINE compute p",
                "  ATTACH s",
                "  BIND BUFFER b AS memory DESCRIPTOR_SET 0 BINDING 0",
            ],
            "wrong 9:20: a buffer cannot be bound as `memory`",
        ),
        (&["DERIVE_PIPELINE p FROM q", "END"], "wrong 2:24: there is no pipeline `q` above"),
        (&["RUN p 1 1 1"], "wrong 2:5: there is no pipeline `p` above"),
        (
            &[SHADER, BUFFER, PIPELINE, "RUN p 1 1"],
            "wrong 11:10: expected the number of workgroups in z, found the end of the line",
        ),
        (&["EXPECT b IDX 0 EQ 1"], "wrong 2:8: there is no buffer `b` above"),
        (&[BUFFER, "EXPECT b IDX 0 IS 1"], "wrong 3:16: `IS` is no comparison"),
        (&[BUFFER, "EXPECT b IDX 0 EQ"], "wrong 3:18: expected a value, found the end of the line"),
        (&[BUFFER, "EXPECT b IDX 2 EQ 1"], "wrong 3:16: no value of `b` begins at byte 2"),
        (&[BUFFER, "EXPECT b IDX 12 EQ 1 2"], "wrong 3:22: `b` has no value there: it has 4"),
        (&[BUFFER, "EXPECT b IDX 0 TOLERANCE 1 LT 1"], "wrong 3:28: a tolerance is of `EQ` and `NE`"),
        (
            &[BUFFER, "EXPECT b IDX 0 TOLERANCE x EQ 1"],
            "wrong 3:26: expected a tolerance: one to four numbers, each perhaps with `%`, found `x`",
        ),
        (
            &[BUFFER, "BUFFER c DATA_TYPE float SIZE 4 FILL 0", "COPY b TO c"],
            "wrong 4:1: `b` and `c` have not the same type, layout and size",
        ),
        (&[BUFFER, "COPY b TO b"], "wrong 3:1: this copies a buffer to itself"),
        (&[BUFFER, "REPEAT 2", "EXPECT b IDX 0 EQ 0"], "wrong 3:1: this `REPEAT` has no `END`"),
        (&[BUFFER, "REPEAT 2", "REPEAT 2", "END", "END"], "wrong 4:1: this cannot stand in a `REPEAT`"),
        (&[BUFFER, "REPEAT 2000000", "EXPECT b IDX 0 EQ 0", "END"], "wrong 3:1: these are too many commands"),
    ] {
        assert_eq!(told(&script(lines)), expected, "{lines:?}");
    }
    assert_eq!(told("BUFFER b DATA_TYPE uint32 SIZE 4 FILL 0"), "wrong 1:1: this is no AmberScript");
    assert_eq!(told(&script(&[SHADER, BUFFER, PIPELINE, "RUN p 1 1 1"])), "right");
}

#[test]
fn what_is_refused_names_its_feature_and_its_line() {
    for (lines, expected) in [
        (&["SHADER vertex s PASSTHROUGH"][..], "refused 2:8: vertex shaders are not supported"),
        (&["SHADER compute s HLSL", "END"], "refused 2:18: shaders in HLSL are not supported"),
        (&["DEVICE_FEATURE geometryShader"], "refused 2:16: the feature `geometryShader` of devices is not supported"),
        (&["DEVICE_EXTENSION VK_KHR_ray_query"], "refused 2:18: the extension `VK_KHR_ray_query` is not supported"),
        (&["PIPELINE graphics p", "END"], "refused 2:10: graphics pipelines are not supported"),
        (&["SAMPLER s"], "refused 2:1: samplers are not supported"),
        (&["CLEAR p"], "refused 2:1: `CLEAR` is not supported"),
        (&["BUFFER b FORMAT D32_SFLOAT"], "refused 2:10: the format `D32_SFLOAT` is not supported"),
        (&["BUFFER b FORMAT R32_SFLOAT"], "refused 2:8: buffers without a size are not supported"),
        (&["BUFFER b DATA_TYPE uint32 FILE TEXT a.txt"], "refused 2:27: buffers from files are not supported"),
        (
            &[BUFFER, BUFFER_C, "EXPECT b EQ_HISTOGRAM_EMD_BUFFER c TOLERANCE 1"],
            "refused 4:10: the comparison of histograms is not supported",
        ),
        (
            &[SHADER, BUFFER, "PIPELINE compute p", "ATTACH s", "BIND BUFFER_ARRAY b b AS storage"],
            "refused 9:6: arrays of descriptors are not supported",
        ),
        (&[SHADER, BUFFER, PIPELINE, "RUN p DRAW_RECT POS 0 0 SIZE 1 1"], "refused 11:7: `DRAW_RECT` is not supported"),
        (
            &[SHADER, "PIPELINE compute p", "SUBGROUP s", "REQUIRED_SIZE 64", "END", "END"],
            "refused 8:15: subgroups of 64 threads are not supported",
        ),
    ] {
        assert_eq!(told(&script(lines)), expected, "{lines:?}");
    }
    assert_eq!(told("[compute shader]\nvoid main() {}\n[test]\n"), "refused 1:1: VkScript is not supported");
}

const BUFFER_C: &str = "BUFFER c DATA_TYPE uint32 SIZE 4 FILL 0";

/// What stands before the function of a shader that asks for its thread's number, `%index`.
const OF_INDEX: &str = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %index
OpExecutionMode %main LocalSize 4 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%input = OpTypePointer Input %uint
%index = OpVariable %input Input
%two = OpConstant %uint 2
";

#[test]
fn errors_in_shaders_stand_in_the_lines_of_the_script() {
    let of = |format: &str, text: &str| {
        told(&script(&[&format!("SHADER compute s {format}"), text, "END", BUFFER, PIPELINE, "RUN p 1 1 1"]))
    };
    assert!(of("WGSL", "fn f() {\n  let x = y;\n}").starts_with("shader wrong 4:11: "));
    assert!(of("GLSL", "#version 450\nvoid main() {\n  x = 1;\n}").starts_with("shader refused 5:3: "));
    // SPIR-V as text, at its instruction.
    let asm = format!(
        "{OF_INDEX}%semantics = OpConstant %uint 264
%main = OpFunction %void None %fn
%entry = OpLabel
%i = OpLoad %uint %index
%is_low = OpULessThan %bool %i %two
OpSelectionMerge %rest None
OpBranchConditional %is_low %out %rest
%out = OpLabel
OpReturn
%rest = OpLabel
  OpControlBarrier %two %two %semantics
OpReturn
OpFunctionEnd"
    );
    let barrier = "a barrier that some threads of the tile never reach, because they have left";
    assert_eq!(of("SPIRV-ASM", &asm), format!("shader wrong 25:3: {barrier}"));
    // What naga says of the whole shader stands where that is declared.
    let nothing = "OpCapability Shader\nOpMemoryModel Logical GLSL450";
    assert_eq!(of("SPIRV-ASM", nothing), "shader wrong 2:16: the shader has no entry point for compute");
}

#[test]
fn branches_that_naga_would_misread_are_refused_at_their_line() {
    let of = |body: &str| {
        let head = "%main = OpFunction %void None %fn
%entry = OpLabel
%i = OpLoad %uint %index
%is_low = OpULessThan %bool %i %two
OpSelectionMerge %rest None";
        let text = format!("{OF_INDEX}{head}\n{body}\n%rest = OpLabel\nOpReturn\nOpFunctionEnd");
        told(&script(&["SHADER compute s SPIRV-ASM", &text, "END", BUFFER, PIPELINE, "RUN p 1 1 1"]))
    };
    let two_selections = "OpBranchConditional %is_low %out %rest
%out = OpLabel
OpSelectionMerge %inner None
OpBranchConditional %is_low %deep %inner
%deep = OpLabel
  OpBranch %rest
%inner = OpLabel
OpBranch %rest";
    let told = of(two_selections);
    assert!(told.starts_with("shader refused 25:3: the SPIR-V has a branch that leaves several constructs"), "{told}");
    let joined = "OpBranchConditional %is_low %one %other
%one = OpLabel
OpBranch %both
%other = OpLabel
  OpBranch %both
%both = OpLabel
OpBranch %rest";
    let told = of(joined);
    assert!(told.starts_with("shader refused 24:3: the SPIR-V has a branch into another construct"), "{told}");
    // From inside of a selection to the next case.
    let case = "OpSwitch %i %rest 0 %zero 1 %one
%zero = OpLabel
OpSelectionMerge %inner None
OpBranchConditional %is_low %deep %inner
%deep = OpLabel
  OpBranch %one
%inner = OpLabel
OpBranch %rest
%one = OpLabel
OpBranch %rest";
    let told = of(case);
    assert!(told.starts_with("shader refused 25:3: the SPIR-V has a branch into another construct"), "{told}");
}

#[test]
fn images_that_naga_has_none_of_are_refused_at_their_line() {
    let of = |class: &str, body: &str| {
        let head = format!(
            "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %t DescriptorSet 0
OpDecorate %t Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%uint2 = OpTypeVector %uint 2
%float2 = OpTypeVector %float 2
%float4 = OpTypeVector %float 4
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%zeros = OpConstantNull %float2
%place = OpConstantNull %uint2
%level = OpConstantNull %float
%sampled = OpTypeImage %float 2D 0 0 0 1 Unknown
%stored = OpTypeImage %uint 2D 0 0 0 2 R32ui
%both = OpTypeSampledImage %sampled
%ptr = OpTypePointer UniformConstant {class}
%texel = OpTypePointer Image %uint
%t = OpVariable %ptr UniformConstant
%main = OpFunction %void None %fn
%entry = OpLabel"
        );
        let text = format!("{head}\n  {body}\nOpReturn\nOpFunctionEnd");
        told(&script(&["SHADER compute s SPIRV-ASM", &text, "END", BUFFER, PIPELINE, "RUN p 1 1 1"]))
    };
    let told = of("%both", "%l = OpLoad %both %t\n%c = OpImageSampleExplicitLod %float4 %l %zeros Lod %level");
    assert!(told.starts_with("shader refused 29:"), "{told}");
    assert!(told.contains("the SPIR-V has a variable that is an image with its sampler"), "{told}");
    let told = of("%stored", "%p = OpImageTexelPointer %texel %t %place %u0\n%o = OpAtomicIAdd %uint %p %u1 %u0 %u1");
    assert!(told.starts_with("shader refused 29:"), "{told}");
    assert!(told.contains("the SPIR-V has an atomic operation on a texel of an image"), "{told}");
}

#[test]
fn a_choice_between_matrices_in_rows_is_refused_at_its_line() {
    let of = |body: &str| {
        let head = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 0 RowMajor
OpMemberDecorate %block 0 MatrixStride 8
OpDecorate %v DescriptorSet 0
OpDecorate %v Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 1
%bool = OpTypeBool
%true = OpConstantTrue %bool
%float = OpTypeFloat 32
%float2 = OpTypeVector %float 2
%matrix = OpTypeMatrix %float2 2
%block = OpTypeStruct %matrix
%block_ptr = OpTypePointer Uniform %block
%matrix_ptr = OpTypePointer Uniform %matrix
%float_ptr = OpTypePointer Uniform %float
%v = OpVariable %block_ptr Uniform
%zero = OpConstant %int 0
%one = OpConstant %int 1
%main = OpFunction %void None %fn
%entry = OpLabel
%all = OpAccessChain %matrix_ptr %v %zero
%place = OpAccessChain %float_ptr %all %one %zero
%number = OpLoad %float %place";
        let text = format!("{head}\n  {body}\nOpReturn\nOpFunctionEnd");
        told(&script(&["SHADER compute s SPIRV-ASM", &text, "END", BUFFER, PIPELINE, "RUN p 1 1 1"]))
    };
    assert_eq!(of("%whole = OpLoad %matrix %all"), "right");
    let told = of("%chosen = OpSelect %matrix_ptr %true %all %all");
    assert!(told.starts_with("shader refused 33:"), "{told}");
    assert!(told.contains("a choice between pointers to matrices in rows"), "{told}");
}

#[test]
fn what_naga_misreads_of_glsl_is_refused_at_its_line() {
    let of = |body: &str| {
        let head =
            "#version 450\nlayout(set = 0, binding = 0) buffer B { uint v[]; };\nbool f() { v[0] = 1u; return true; }";
        let text = format!("{head}\nvoid main() {{\n  {body}\n}}");
        told(&script(&["SHADER compute s GLSL", &text, "END", BUFFER, PIPELINE, "RUN p 1 1 1"]))
    };
    let told = of("if (v[1] == 0u && f()) v[2] = 1u;");
    assert!(told.starts_with("shader refused 7:18: an operator whose right side"), "{told}");
    let told = of("do { if (f()) continue; } while (v[0] < 9u);");
    assert!(told.starts_with("shader refused 7:17: `continue` in `do"), "{told}");
    let told = of("uint a[2][3];");
    assert!(told.starts_with("shader refused 7:8: an array of arrays"), "{told}");
}

#[test]
fn a_pipeline_that_binds_too_little_fails_at_its_line() {
    let verdict = |pipeline: &str| {
        let text = script(&[SHADER, BUFFER, pipeline, "RUN p 1 1 1", "EXPECT b IDX 0 EQ 1"]);
        match case::run("t.amber", &text, SuiteTarget::Reference) {
            Verdict::Fail(problems) => problems[0].to_string(),
            other => format!("{other:?}"),
        }
    };
    let unbound = verdict("PIPELINE compute p\n  ATTACH s\n  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 1\nEND");
    assert_eq!(
        unbound,
        "t.amber:7:18: the pipeline `p` binds nothing at set 0, binding 0\n  help: the shader uses `v` there"
    );
    let other = verdict("PIPELINE compute p\n  ATTACH s\n  BIND BUFFER b AS uniform DESCRIPTOR_SET 0 BINDING 0\nEND");
    assert!(other.starts_with("t.amber:9:15: `b` is bound as uniform, and `v` of the shader is a storage buffer"));
    assert_eq!(verdict(PIPELINE), "Pass");
}

#[test]
fn images_that_become_too_large_fail_at_their_binding() {
    let script = |height: u32, second: u32| {
        format!(
            "#!amber
SHADER compute s WGSL
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var u: texture_2d<f32>;
@group(0) @binding(2) var<storage, read_write> v: array<f32>;
@compute @workgroup_size(1) fn main() {{ v[0] = textureLoad(t, vec2i(), 0).x + textureLoad(u, vec2i(), 0).x; }}
END
IMAGE t FORMAT R8_UNORM DIM_2D WIDTH 1024 HEIGHT {height}
IMAGE u FORMAT R8_UNORM DIM_2D WIDTH 1024 HEIGHT {second}
BUFFER v DATA_TYPE float SIZE 1 FILL 0
PIPELINE compute p
  ATTACH s
  BIND BUFFER t AS sampled_image DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER u AS sampled_image DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER v AS storage DESCRIPTOR_SET 0 BINDING 2
END
RUN p 1 1 1
EXPECT v IDX 0 EQ 0
"
        )
    };
    let on = |height, second| match case::run("t.amber", &script(height, second), SuiteTarget::Reference) {
        Verdict::Fail(problems) => problems[0].to_string(),
        verdict => verdict.name().to_owned(),
    };
    assert_eq!(on(64, 64), "pass");
    let told = "is too large for an image whose texels the shader reads in another form";
    assert!(on(16 * 1024 + 1, 1).starts_with(&format!("t.amber:13:15: `t` {told}")), "{}", on(16 * 1024 + 1, 1));
    assert!(on(9000, 9000).starts_with(&format!("t.amber:14:15: `u` {told}")), "{}", on(9000, 9000));
}

#[test]
fn computed_constants_that_are_not_known_are_refused_at_their_line() {
    let text = SPIRV_ASM_WITH_OP;
    let message = "the SPIR-V has an `OpSpecConstantOp` of an operation or of operands that are not supported, which \
                   cannot be imported";
    assert_eq!(told(text), format!("shader refused 12:8: {message}"));
}

const SPIRV_ASM_WITH_OP: &str = "#!amber
SHADER compute s SPIRV-ASM
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%uint2 = OpTypeVector %uint 2
%n = OpConstantNull %uint2
%two = OpSpecConstantOp %uint2 FAdd %n %n
%main = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
END
PIPELINE compute p
  ATTACH s
END
RUN p 1 1 1
";
