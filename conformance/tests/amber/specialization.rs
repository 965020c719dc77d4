//! SPIR-V with specialization constants, as in a file: the importer gives them values by their numbers.

use tilewise::{Accelerator, ArrayView, Shader};
use tilewise_amber::assemble::assemble;
use tilewise_import::{ImportOptions, ShaderModule};
use tilewise_ir::diag::Colour;

/// The sizes of the workgroup, the length of an array, and a condition are made of constants 0, 1, 2 and 7.
const TEXT: &str = "
               OpCapability Shader
               OpCapability Int64
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main \"main\" %id
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %id BuiltIn LocalInvocationId
               OpDecorate %words ArrayStride 4
               OpMemberDecorate %Buffer 0 Offset 0
               OpDecorate %Buffer BufferBlock
               OpDecorate %v DescriptorSet 0
               OpDecorate %v Binding 0
               OpDecorate %x SpecId 0
               OpDecorate %length SpecId 1
               OpDecorate %is_on SpecId 2
               OpDecorate %long SpecId 7
               OpDecorate %size BuiltIn WorkgroupSize
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %uint = OpTypeInt 32 0
       %long_t = OpTypeInt 64 1
       %bool = OpTypeBool
      %uint2 = OpTypeVector %uint 2
      %uint3 = OpTypeVector %uint 3
   %id_input = OpTypePointer Input %uint3
         %id = OpVariable %id_input Input
      %words = OpTypeRuntimeArray %uint
     %Buffer = OpTypeStruct %words
 %buffer_ptr = OpTypePointer Uniform %Buffer
          %v = OpVariable %buffer_ptr Uniform
   %uint_ptr = OpTypePointer Uniform %uint
     %zero   = OpConstant %uint 0
     %one    = OpConstant %uint 1
     %two    = OpConstant %uint 2
          %x = OpSpecConstant %uint 1
     %length = OpSpecConstant %uint 3
      %is_on = OpSpecConstantFalse %bool
       %long = OpSpecConstant %long_t -5
       %pair = OpSpecConstantComposite %uint2 %x %length
      %nulls = OpConstantNull %uint2
        %sum = OpSpecConstantOp %uint2 IAdd %pair %pair
   %shuffled = OpSpecConstantOp %uint3 VectorShuffle %sum %nulls 0 2 1
      %sized = OpSpecConstantOp %uint3 CompositeInsert %one %shuffled 1
     %picked = OpSpecConstantOp %uint Select %is_on %two %one
       %size = OpSpecConstantOp %uint3 CompositeInsert %picked %sized 2
    %longer  = OpSpecConstantOp %long_t IMul %long %long
     %short  = OpSpecConstantOp %uint UConvert %longer
     %twice  = OpSpecConstantOp %uint IMul %length %two
      %table = OpTypeArray %uint %twice
  %table_ptr = OpTypePointer Private %table
          %t = OpVariable %table_ptr Private
   %cell_ptr = OpTypePointer Private %uint
       %last = OpSpecConstantOp %uint ISub %twice %one
       %main = OpFunction %void None %function
      %entry = OpLabel
       %self = OpLoad %uint3 %id
          %i = OpCompositeExtract %uint %self 0
       %cell = OpAccessChain %cell_ptr %t %last
               OpStore %cell %short
       %back = OpLoad %uint %cell
         %of = OpCompositeExtract %uint %size 0
        %all = OpIAdd %uint %back %of
        %ptr = OpAccessChain %uint_ptr %v %zero %i
               OpStore %ptr %all
               OpReturn
               OpFunctionEnd
";

fn bytes() -> Vec<u8> {
    assemble(TEXT, 1, 0x0001_0300).unwrap().bytes()
}

fn with(values: &[(&str, f64)]) -> Result<([u32; 3], String), String> {
    let module = ShaderModule::from_spirv("a.spv", &bytes()).map_err(|error| error.render(Colour::Never))?;
    assert_eq!(module.overrides().collect::<Vec<_>>(), ["0", "1", "2", "7"]);
    let overrides = values.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let imported =
        module.import(&ImportOptions { entry: None, overrides }).map_err(|error| error.render(Colour::Never))?;
    Ok((imported.workgroup_size, tilewise_ir::text::print(&imported.kernel)))
}

#[test]
fn sizes_and_lengths_are_computed_of_constants() {
    let (size, text) = with(&[]).unwrap();
    assert_eq!(size, [2, 1, 1]);
    assert!(text.contains("[u32; 6]"), "{text}");
    let (size, text) = with(&[("0", 4.0), ("1", 5.0), ("2", 1.0)]).unwrap();
    assert_eq!(size, [8, 1, 2]);
    assert!(text.contains("[u32; 10]"), "{text}");
}

#[test]
fn a_value_that_does_not_fit_is_refused_and_an_array_of_no_elements() {
    let told = with(&[("0", 5e9)]).unwrap_err();
    assert!(told.contains("K0904") && told.contains("the override `0` cannot have the value 5000000000"), "{told}");
    let told = with(&[("1", 0.0)]).unwrap_err();
    let what = "an array whose length, which is computed of the specialization constant 1, is 0";
    assert!(told.contains("K0902") && told.contains(what), "{told}");
}

#[test]
fn the_library_sets_them_by_number() {
    let shader = Shader::from_spirv("a.spv", &bytes()).unwrap();
    let reference = Accelerator::new("reference").unwrap().default_view();
    for (values, expected) in [(&[][..], [27, 27, 9, 9]), (&[("0", 2.0), ("7", -3.0)], [13, 13, 13, 13])] {
        let view = ArrayView::from_vec(4, vec![9u32; 4]).unwrap();
        let entry = shader.entry_with("main", values).unwrap().bind(0, 0, &view).unwrap();
        entry.dispatch(&reference, [1, 1, 1]).unwrap();
        assert_eq!(view.to_vec().unwrap(), expected);
    }
}
