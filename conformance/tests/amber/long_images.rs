//! Images of integers of 64 bits: storage images of the format `R64ui` are read, others are refused by name and line.

use tilewise::{Accelerator, ArrayView, Extent, Shader};
use tilewise_amber::assemble::assemble;
use tilewise_import::{InstructionPlace, ShaderModule};

/// A texel is read, stored into a buffer, and stored one more beside it.
fn text(image: &str, sign: u32) -> String {
    format!(
        "
               OpCapability Shader
               OpCapability Int64
               OpCapability Int64ImageEXT
               OpCapability StorageImageExtendedFormats
               OpExtension \"SPV_EXT_shader_image_int64\"
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main \"main\"
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %words ArrayStride 8
               OpMemberDecorate %Buffer 0 Offset 0
               OpDecorate %Buffer BufferBlock
               OpDecorate %v DescriptorSet 0
               OpDecorate %v Binding 0
               OpDecorate %t DescriptorSet 0
               OpDecorate %t Binding 1
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %uint = OpTypeInt 32 0
       %long = OpTypeInt 64 {sign}
      %long4 = OpTypeVector %long 4
      %uint2 = OpTypeVector %uint 2
      %words = OpTypeRuntimeArray %long
     %Buffer = OpTypeStruct %words
 %buffer_ptr = OpTypePointer Uniform %Buffer
          %v = OpVariable %buffer_ptr Uniform
      %image = OpTypeImage %long 2D 0 0 0 {image}
  %image_ptr = OpTypePointer UniformConstant %image
          %t = OpVariable %image_ptr UniformConstant
   %long_ptr = OpTypePointer Uniform %long
         %u0 = OpConstant %uint 0
         %u1 = OpConstant %uint 1
      %first = OpConstantComposite %uint2 %u0 %u0
     %second = OpConstantComposite %uint2 %u1 %u0
       %main = OpFunction %void None %function
      %entry = OpLabel
          %i = OpLoad %image %t
          %x = OpImageRead %long4 %i %second
          %y = OpCompositeExtract %long %x 0
          %w = OpCompositeExtract %long %x 3
        %sum = OpIAdd %long %y %w
       %sums = OpCompositeConstruct %long4 %sum %w %w %w
               OpImageWrite %i %first %sums
        %ptr = OpAccessChain %long_ptr %v %u0 %u0
               OpStore %ptr %y
               OpReturn
               OpFunctionEnd
"
    )
}

#[test]
fn texels_of_64_bits_are_read_and_written() {
    let bytes = assemble(&text("2 R64ui", 0), 1, 0x0001_0300).expect("it is SPIR-V").bytes();
    let large = 0x1234_5678_9abc_def0_u64;
    for target in ["reference", "jit"] {
        let (v, t) = (
            ArrayView::from_vec(1, vec![0u64]).unwrap(),
            ArrayView::<u64, 2>::from_vec(Extent::from([1, 2]), vec![3, large]).unwrap(),
        );
        let entry = Shader::from_spirv("a.spv", &bytes).unwrap().entry("main").unwrap();
        let entry = entry.bind(0, 0, &v).unwrap().bind(0, 1, &t).unwrap();
        entry.dispatch(&Accelerator::new(target).unwrap().default_view(), [1, 1, 1]).unwrap();
        assert_eq!((v.to_vec().unwrap(), t.to_vec().unwrap()), (vec![large], vec![large + 1, large]), "{target}");
    }
}

#[test]
fn other_images_of_64_bits_are_refused_by_name_and_line() {
    for (image, sign, what) in [
        ("2 R64i", 1, "a storage image of the format R64i"),
        ("2 R64ui", 1, "a storage image of integers of 64 bits without the format R64ui"),
        ("2 Unknown", 0, "a storage image of integers of 64 bits without the format R64ui"),
        ("1 Unknown", 0, "a sampled image of integers of 64 bits"),
    ] {
        let text = text(image, sign);
        let module = assemble(&text, 1, 0x0001_0300).expect("it is SPIR-V");
        let places = module.places.iter().map(|&(byte, at, length)| InstructionPlace {
            byte,
            line: at.line,
            column: at.column,
            length,
        });
        let places: Vec<InstructionPlace> = places.collect();
        let error =
            ShaderModule::from_assembled("a.amber", &module.bytes(), &text, &places).expect_err(what).to_string();
        assert!(error.starts_with("error[K0902]") && error.contains(what), "{error}");
        assert!(error.contains("OpTypeImage") && error.contains("of the format R64ui"), "{error}");
    }
}
