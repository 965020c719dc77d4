//! Features of devices and extensions that scripts ask for. Those are known whose use in a shader the importer
//! judges itself, or that are always there.

use crate::script::ScriptFault;
use crate::token::ScriptStatement;

/// Features of devices, by their names in scripts.
const FEATURES: &[&str] = &[
    "robustBufferAccess",
    "shaderFloat64",
    "shaderInt16",
    "shaderInt64",
    "shaderImageGatherExtended",
    "shaderStorageBufferArrayDynamicIndexing",
    "shaderStorageImageExtendedFormats",
    "shaderStorageImageReadWithoutFormat",
    "shaderStorageImageWriteWithoutFormat",
    "shaderUniformBufferArrayDynamicIndexing",
    // Of other stages: they change nothing here.
    "fragmentStoresAndAtomics",
    "vertexPipelineStoresAndAtomics",
];

/// Groups of features: the part before the dot.
const FEATURE_GROUPS: &[&str] = &[
    "Float16Int8Features",
    "ShaderSubgroupExtendedTypes",
    "ShaderSubgroupUniformControlFlow",
    "Storage16BitFeatures",
    "Storage8BitFeatures",
    "SubgroupSizeControl",
    "SubgroupSupportedOperations",
    "SubgroupSupportedStages",
    "VariablePointerFeatures",
    "VulkanMemoryModelFeatures",
    "WorkgroupMemoryExplicitLayoutFeatures",
    "ZeroInitializeWorkgroupMemoryFeatures",
];

/// Extensions of devices and of the instance.
const EXTENSIONS: &[&str] = &[
    "VK_EXT_subgroup_size_control",
    "VK_KHR_16bit_storage",
    "VK_KHR_8bit_storage",
    "VK_KHR_get_physical_device_properties2",
    "VK_KHR_relaxed_block_layout",
    "VK_KHR_shader_atomic_int64",
    "VK_KHR_shader_draw_parameters",
    "VK_KHR_shader_float16_int8",
    "VK_KHR_shader_float_controls",
    "VK_KHR_shader_integer_dot_product",
    "VK_KHR_shader_non_semantic_info",
    "VK_KHR_shader_subgroup_extended_types",
    "VK_KHR_shader_subgroup_uniform_control_flow",
    "VK_KHR_shader_terminate_invocation",
    "VK_KHR_spirv_1_4",
    "VK_KHR_storage_buffer_storage_class",
    "VK_KHR_uniform_buffer_standard_layout",
    "VK_KHR_variable_pointers",
    "VK_KHR_vulkan_memory_model",
    "VK_KHR_workgroup_memory_explicit_layout",
    "VK_KHR_zero_initialize_workgroup_memory",
];

/// Reads `DEVICE_FEATURE NAME`.
pub(crate) fn feature(mut statement: ScriptStatement) -> Result<(), ScriptFault> {
    statement.expect("DEVICE_FEATURE")?;
    let name = statement.word("the name of a feature")?;
    statement.end("DEVICE_FEATURE name")?;
    let group = name.text.split_once('.').map_or("", |(group, _)| group);
    if FEATURES.contains(&name.text.as_str()) || FEATURE_GROUPS.contains(&group) {
        return Ok(());
    }
    let feature = format!("the feature `{}` of devices is", name.text);
    Err(ScriptFault::refused(name.at, feature, "the script runs where a driver has it"))
}

/// Reads `DEVICE_EXTENSION NAME` and `INSTANCE_EXTENSION NAME`.
pub(crate) fn extension(mut statement: ScriptStatement) -> Result<(), ScriptFault> {
    statement.next();
    let name = statement.word("the name of an extension")?;
    statement.end("DEVICE_EXTENSION name")?;
    if EXTENSIONS.contains(&name.text.as_str()) {
        return Ok(());
    }
    let extension = format!("the extension `{}` is", name.text);
    Err(ScriptFault::refused(name.at, extension, "the script runs where a driver has it"))
}
