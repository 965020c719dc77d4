//! Layers and levels of samples in SPIR-V, which are floats there: a layer is the nearest, and a level that naga would
//! leave out or cut off is refused.

use tilewise_amber::assemble::assemble;
use tilewise_conformance::kir::shader::{self, ShaderContents, ShaderOptions};
use tilewise_conformance::target::SuiteTarget;
use tilewise_ir::diag::Colour;

use super::{TestShader, launch, read};

/// The header that the launch is taken from: three layers of one texel each.
const LAUNCH: &str = "//! dispatch 1
//! t: [3, 1, 1] = (10 0 0 0) (20 0 0 0) (30 0 0 0)
//! s = sampler nearest
//! o: [1] = zero
@group(0) @binding(0) var t: texture_2d_array<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var<storage, read_write> o: array<f32>;
@compute @workgroup_size(1) fn main() { o[0] = textureSampleLevel(t, s, vec2f(0.5), 0, 0.0).x; }
";

/// A shader that stores `%x`, with an image of this depth and this arrayedness.
fn words([depth, arrayed]: [u32; 2], sample: &str) -> Vec<u8> {
    let text = format!(
        "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpName %t \"t\"
OpName %s \"s\"
OpName %o \"o\"
OpDecorate %t DescriptorSet 0
OpDecorate %t Binding 0
OpDecorate %s DescriptorSet 0
OpDecorate %s Binding 1
OpDecorate %o DescriptorSet 0
OpDecorate %o Binding 2
OpDecorate %all ArrayStride 4
OpMemberDecorate %Block 0 Offset 0
OpDecorate %Block BufferBlock
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%float2 = OpTypeVector %float 2
%float3 = OpTypeVector %float 3
%float4 = OpTypeVector %float 4
%image = OpTypeImage %float 2D {depth} {arrayed} 0 1 Unknown
%image_ptr = OpTypePointer UniformConstant %image
%t = OpVariable %image_ptr UniformConstant
%sampler = OpTypeSampler
%sampler_ptr = OpTypePointer UniformConstant %sampler
%s = OpVariable %sampler_ptr UniformConstant
%sampled = OpTypeSampledImage %image
%all = OpTypeRuntimeArray %float
%Block = OpTypeStruct %all
%block_ptr = OpTypePointer Uniform %Block
%o = OpVariable %block_ptr Uniform
%float_ptr = OpTypePointer Uniform %float
%u0 = OpConstant %uint 0
%zero = OpConstant %float 0
%quarter = OpConstant %float 0.25
%half = OpConstant %float 0.5
%one = OpConstant %float 1
%third = OpConstant %float 1.6
%even = OpConstant %float 2.5
%at = OpConstantComposite %float2 %half %half
%at_half = OpConstantComposite %float3 %half %half %half
%at_third = OpConstantComposite %float3 %half %half %third
%at_even = OpConstantComposite %float3 %half %half %even
%main = OpFunction %void None %fn
%label = OpLabel
%i = OpLoad %image %t
%sm = OpLoad %sampler %s
%si = OpSampledImage %sampled %i %sm
{sample}
%p = OpAccessChain %float_ptr %o %u0 %u0
OpStore %p %x
OpReturn
OpFunctionEnd
"
    );
    let module = assemble(&text, 1, 0x0001_0300).unwrap_or_else(|complaints| panic!("{complaints:?}\n{text}"));
    module.words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The test.
pub(crate) fn layers_of_samples_are_the_nearest() {
    let original = read(&TestShader { name: "layers.wgsl".to_owned(), text: LAUNCH.to_owned() }).expect("a shader");
    for (at, wanted) in [("%at_half", 10.0_f32), ("%at_third", 30.0), ("%at_even", 30.0)] {
        let sample =
            format!("%r = OpImageSampleExplicitLod %float4 %si {at} Lod %zero\n%x = OpCompositeExtract %float %r 0");
        let bytes = words([0, 1], &sample);
        for target in [SuiteTarget::Reference, SuiteTarget::Jit] {
            let file = shader::read("layers.spv", ShaderContents::SpirV(&bytes), &ShaderOptions::default());
            let launched = launch(file, &original, target).unwrap_or_else(|why| panic!("{at}: {why}"));
            let last = launched.memory().allocations.last().expect("the results");
            assert_eq!(last[..4], wanted.to_le_bytes(), "{at} on {}", target.name());
        }
    }
}

/// The test.
pub(crate) fn levels_that_would_be_left_out_are_refused() {
    let compared = |level: &str| format!("%x = OpImageSampleDrefExplicitLod %float %si %at %half Lod {level}");
    let of_depth = |level: &str| {
        format!("%r = OpImageSampleExplicitLod %float4 %si %at Lod {level}\n%x = OpCompositeExtract %float %r 0")
    };
    for (sample, wanted) in [
        (compared("%zero"), None),
        (compared("%one"), Some("a comparison with a level of an image that is not the constant 0")),
        (of_depth("%one"), None),
        (format!("%whole = OpConvertUToF %float %u0\n{}", of_depth("%whole")), None),
        (of_depth("%half"), Some("a sample of a depth image at a level that is perhaps no whole number")),
        (of_depth("%quarter"), Some("a sample of a depth image at a level that is perhaps no whole number")),
    ] {
        let bytes = words([1, 0], &sample);
        let file = shader::read("levels.spv", ShaderContents::SpirV(&bytes), &ShaderOptions::default());
        let said = file.kernel.err().map(|rejection| rejection.render(Colour::Never));
        match (wanted, &said) {
            (None, None) => {}
            (Some(wanted), Some(said)) if said.contains(wanted) => {}
            _ => panic!("{sample}: {said:?} in place of {wanted:?}"),
        }
    }
}
