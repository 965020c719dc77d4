//! What is refused of SPIR-V, each by a shader of its own: the text of the report and its line.

use tilewise_conformance::amber::{AmberRejection, load};

/// The line of the first instruction of a body in the script.
const FIRST_LINE: u32 = 56;

/// Line and message of the refusal of a shader with this line before its types, and this body.
fn refused(mode: &str, body: &str) -> (u32, String) {
    let text = format!(
        "#!amber
SHADER compute s SPIRV-ASM TARGET_ENV spv1.6
OpCapability Shader
OpCapability Int8
OpCapability Int64
OpCapability GroupNonUniform
OpCapability GroupNonUniformClustered
OpCapability VariablePointersStorageBuffer
OpCapability DotProduct
%glsl = OpExtInstImport \"GLSL.std.450\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
{mode}
OpDecorate %words ArrayStride 4
OpMemberDecorate %Buffer 0 Offset 0
OpDecorate %Buffer Block
OpDecorate %v DescriptorSet 0
OpDecorate %v Binding 0
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%byte = OpTypeInt 8 0
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%uint2 = OpTypeVector %uint 2
%uint4 = OpTypeVector %uint 4
%byte4 = OpTypeVector %byte 4
%words = OpTypeRuntimeArray %uint
%Buffer = OpTypeStruct %words
%buffer_ptr = OpTypePointer StorageBuffer %Buffer
%v = OpVariable %buffer_ptr StorageBuffer
%texture = OpTypeImage %uint 2D 0 1 0 1 Unknown
%texture_ptr = OpTypePointer UniformConstant %texture
%image = OpVariable %texture_ptr UniformConstant
%uint_ptr = OpTypePointer StorageBuffer %uint
%true = OpConstantTrue %bool
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u3 = OpConstant %uint 3
%b1 = OpConstant %byte 1
%bytes = OpConstantComposite %byte4 %b1 %b1 %b1 %b1
%pair = OpConstantComposite %uint2 %u0 %u1
%uint3 = OpTypeVector %uint 3
%place = OpConstantComposite %uint3 %u0 %u0 %u0
%main = OpFunction %void None %function
%entry = OpLabel
%first = OpAccessChain %uint_ptr %v %u0 %u0
%second = OpAccessChain %uint_ptr %v %u0 %u1
%number = OpLoad %uint %first
%picture = OpLoad %texture %image
{body}
OpReturn
OpFunctionEnd
END
BUFFER b DATA_TYPE uint32 SIZE 4 FILL 0
PIPELINE compute p
  ATTACH s
  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0
END
RUN p 1 1 1
"
    );
    match load("t.amber", &text) {
        Ok(_) => panic!("{mode}{body} is not refused"),
        Err(AmberRejection::Shader { is_refusal: true, rejection, .. }) => {
            let first = &rejection.diagnostics[0];
            let shown = rejection.render(tilewise_ir::diag::Colour::Never);
            assert!(shown.contains("K0902") && shown.contains("help: "), "{shown}");
            (first.pos().map_or(0, |pos| pos.line), first.message.clone())
        }
        Err(other) => panic!("{mode}{body}: {other:?}"),
    }
}

#[test]
fn each_refusal_names_what_it_is_at_its_line() {
    for (body, what) in [
        (
            "%chosen = OpSelect %uint_ptr %true %first %second",
            "an `OpSelect` of pointers, or of values with very many parts",
        ),
        ("%copied = OpCopyLogical %uint2 %number", "an `OpCopyLogical` of a value that has no parts, or very many"),
        ("%sum = OpUDotAccSat %byte %bytes %bytes %b1", "a dot product that is added to an integer of 8 bits"),
        (
            "%small = OpAtomicIAdd %byte %first %u1 %u0 %b1",
            "an instruction that is not supported on integers of 8 bits",
        ),
        (
            "%wide = OpBitcast %long %b1",
            "a bitcast between integers of 8 bits and a number of other than 16 or 32 bits",
        ),
        (
            "%cluster = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %number %u3",
            "a clustered reduction whose size is no constant that is a power of two",
        ),
        (
            "%turned = OpGroupNonUniformRotateKHR %uint %u3 %number %u1 %number",
            "a rotation whose clusters have no constant size",
        ),
        (
            "%texel = OpImageFetch %uint4 %picture %place ConstOffset %pair",
            "an offset of a texel of an array of images",
        ),
    ] {
        let (line, message) = refused("OpName %main \"main\"", body);
        assert_eq!(message, format!("the SPIR-V has {what}, which cannot be imported"), "{body}");
        assert_eq!(line, FIRST_LINE, "{body}");
    }
    for mode in ["RoundingModeRTZ", "DenormFlushToZero"] {
        let (line, message) = refused(&format!("OpExecutionMode %main {mode} 32"), "OpStore %first %u1");
        assert_eq!(
            (line, message),
            (14, format!("the SPIR-V has the execution mode {mode}, which cannot be imported"))
        );
    }
}
