//! Variables of SPIR-V and GLSL without a name of their own have that of their block, or of its first member; where
//! several have one name, they are named by group and binding.

use tilewise::{Accelerator, ArrayView, Shader};
use tilewise_amber::assemble::assemble;
use tilewise_conformance::kir::shader::{self, ShaderContents, ShaderOptions};
use tilewise_import::{ImportOptions, ShaderModule};

/// As glslang writes `layout(binding = 0) buffer B { uint a[]; };`, and two more such blocks: `OpName` lines are given.
fn bytes(names: &str) -> Vec<u8> {
    let head = "
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main \"main\"
               OpExecutionMode %main LocalSize 1 1 1
";
    let rest = "
               OpDecorate %words ArrayStride 4
               OpMemberDecorate %B 0 Offset 0
               OpMemberDecorate %C 0 Offset 0
               OpMemberDecorate %P 0 Offset 0
               OpDecorate %B BufferBlock
               OpDecorate %C BufferBlock
               OpDecorate %P Block
               OpDecorate %b DescriptorSet 0
               OpDecorate %b Binding 0
               OpDecorate %c DescriptorSet 0
               OpDecorate %c Binding 1
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %words = OpTypeRuntimeArray %uint
          %B = OpTypeStruct %words
          %C = OpTypeStruct %words
          %P = OpTypeStruct %uint
      %b_ptr = OpTypePointer Uniform %B
      %c_ptr = OpTypePointer Uniform %C
      %p_ptr = OpTypePointer PushConstant %P
          %b = OpVariable %b_ptr Uniform
          %c = OpVariable %c_ptr Uniform
          %p = OpVariable %p_ptr PushConstant
   %word_ptr = OpTypePointer Uniform %uint
    %one_ptr = OpTypePointer PushConstant %uint
       %zero = OpConstant %uint 0
       %main = OpFunction %void None %function
      %entry = OpLabel
       %from = OpAccessChain %word_ptr %b %zero %zero
         %to = OpAccessChain %word_ptr %c %zero %zero
         %by = OpAccessChain %one_ptr %p %zero
          %x = OpLoad %uint %from
          %y = OpLoad %uint %by
        %sum = OpIAdd %uint %x %y
               OpStore %to %sum
               OpReturn
               OpFunctionEnd
";
    assemble(&format!("{head}{names}{rest}"), 1, 0x0001_0300).expect("it is SPIR-V").bytes()
}

/// The names of the entry point's variables.
fn names(module: &ShaderModule) -> Vec<String> {
    let shader = module.import(&ImportOptions::default()).expect("it is imported");
    for (param, binding) in shader.kernel.params().iter().zip(&shader.bindings) {
        assert!(param.name.starts_with(binding.name.as_str()), "{} of {}", param.name, binding.name);
    }
    shader.bindings.into_iter().map(|binding| binding.name).collect()
}

/// Names of glslang: empty ones of variables.
const EMPTY: &str = "OpName %b \"\"\nOpName %c \"\"\nOpName %p \"\"\n";

#[test]
fn blocks_without_an_instance_name_have_the_name_of_the_block_then_of_a_member() {
    let of = |names: &str| self::names(&ShaderModule::from_spirv("a.spv", &bytes(names)).expect("it is read"));
    let blocks = "OpName %B \"B\"\nOpName %C \"C\"\nOpName %P \"P\"\n";
    assert_eq!(of(&format!("{EMPTY}{blocks}")), ["B", "C", "P"]);
    assert_eq!(of(blocks), ["B", "C", "P"]);
    let members = "OpName %B \"\"\nOpMemberName %B 0 \"from\"\nOpMemberName %C 0 \"to\"\n";
    assert_eq!(of(&format!("{EMPTY}{members}OpName %P \"P\"\n")), ["from", "to", "P"]);
    assert_eq!(of(&format!("{blocks}OpName %b \"own\"\n")), ["own", "C", "P"]);
    // Without any name there is the slot.
    assert_eq!(of("")[..2], ["binding_0_0", "binding_0_1"]);
    assert_eq!(of(EMPTY)[..2], ["binding_0_0", "binding_0_1"]);
}

#[test]
fn blocks_of_glsl_have_the_same_names() {
    let text = "#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint a[]; };
layout(set = 0, binding = 1) buffer C { uint b[]; } own;
layout(set = 0, binding = 2) uniform D { uint by; };
void main() { own.b[0] = a[0] + by; }";
    let module = ShaderModule::from_glsl("a.comp", text).expect("it is read");
    assert_eq!(names(&module), ["B", "own", "D"]);
}

#[test]
fn views_are_bound_by_these_names() {
    let blocks = format!("{EMPTY}OpName %B \"B\"\nOpName %C \"C\"\nOpName %P \"P\"\n");
    let shader = Shader::from_spirv("a.spv", &bytes(&blocks)).expect("it is read");
    let (from, to) = (ArrayView::from_vec(1, vec![40u32]).unwrap(), ArrayView::from_vec(1, vec![0u32]).unwrap());
    let entry = shader.entry("main").unwrap().bind_named("B", &from).unwrap().bind_named("C", &to).unwrap();
    let reference = Accelerator::new("reference").unwrap().default_view();
    entry.value_named("P", &2u32).unwrap().dispatch(&reference, [1, 1, 1]).unwrap();
    assert_eq!(to.to_vec().unwrap(), [42]);
}

#[test]
fn a_name_of_several_bindings_is_refused_and_each_is_found_by_its_binding() {
    let same = format!("{EMPTY}OpName %B \"B\"\nOpName %C \"B\"\nOpName %P \"P\"\n");
    let shader = Shader::from_spirv("a.spv", &bytes(&same)).expect("it is read");
    let (from, to) = (ArrayView::from_vec(1, vec![40u32]).unwrap(), ArrayView::from_vec(1, vec![0u32]).unwrap());
    let entry = shader.entry("main").unwrap();
    let error = entry.clone().bind_named("B", &from).expect_err("which one?").to_string();
    assert!(error.contains("several variables of the shader are called `B`: 0.0 (`B`), 0.1 (`B`)"), "{error}");
    assert!(error.contains("by group and binding"), "{error}");
    let entry = entry.bind(0, 0, &from).unwrap().bind(0, 1, &to).unwrap().value_named("P", &2u32).unwrap();
    entry.dispatch(&Accelerator::new("reference").unwrap().default_view(), [1, 1, 1]).unwrap();
    assert_eq!(to.to_vec().unwrap(), [42]);
    // In files and on the command line too.
    let file = shader::read("a.spv", ShaderContents::SpirV(&bytes(&same)), &ShaderOptions::default());
    let (message, help) = file.shader.ambiguity("B").expect("it is of two");
    assert_eq!(message, "several variables of the shader are called `B`: 0.0, 0.1");
    assert_eq!(help, "name one by its group and binding");
    assert_eq!(file.shader.ambiguity("P"), None);
    let [first, second, _] = file.slots.as_slice() else { unreachable!("it has three") };
    assert!(first.name == "B" && second.name.starts_with("B_"), "{} and {}", first.name, second.name);
    // None is taken for the other.
    assert_eq!(file.shader.param_of("B"), "B");
    assert_eq!(file.shader.own_name(&second.name), second.name);
}
