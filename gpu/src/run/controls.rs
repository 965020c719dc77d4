//! The float controls and the memory size of an adapter. wgpu does not report them, so they are
//! queried from Vulkan directly.
#![allow(unsafe_code, reason = "asks Vulkan itself for properties of an adapter")]

use crate::shader_form::FloatControls;

/// The controls; none where there is no Vulkan.
#[cfg(any(target_os = "linux", target_os = "windows"))]
pub(super) fn controls(adapter: &wgpu::Adapter) -> FloatControls {
    use crate::shader_form::Controls;
    use ash::vk;

    let yes = |flag: vk::Bool32| flag == vk::TRUE;
    let mut found = vk::PhysicalDeviceFloatControlsProperties::default();
    {
        // SAFETY: the handle is only asked for properties, and dropped before the adapter.
        let Some(vulkan) = (unsafe { adapter.as_hal::<wgpu::hal::api::Vulkan>() }) else {
            return FloatControls::default();
        };
        let mut asked = vk::PhysicalDeviceProperties2::default().push_next(&mut found);
        let instance = vulkan.shared_instance().raw_instance();
        // SAFETY: instance and physical device belong together, and live as long as the adapter;
        // the chain of structs is that of a Vulkan 1.1 query, which ignores structs that it does
        // not know.
        unsafe { instance.get_physical_device_properties2(vulkan.raw_physical_device(), &mut asked) };
    }
    FloatControls {
        single: Controls {
            signed_zero: yes(found.shader_signed_zero_inf_nan_preserve_float32),
            denormals: yes(found.shader_denorm_preserve_float32),
            nearest: yes(found.shader_rounding_mode_rte_float32),
        },
        double: Controls {
            signed_zero: yes(found.shader_signed_zero_inf_nan_preserve_float64),
            denormals: yes(found.shader_denorm_preserve_float64),
            nearest: yes(found.shader_rounding_mode_rte_float64),
        },
    }
}

/// The controls; none where there is no Vulkan.
#[cfg(not(any(target_os = "linux", target_os = "windows")))]
pub(super) fn controls(_: &wgpu::Adapter) -> FloatControls {
    FloatControls::default()
}

/// Whether devices of the adapter give zeros for texels that a texture does not have
/// (`robustImageAccess2`, which wgpu turns on where it is).
#[cfg(any(target_os = "linux", target_os = "windows"))]
pub(super) fn robust_images(adapter: &wgpu::Adapter) -> bool {
    use ash::vk;

    let mut found = vk::PhysicalDeviceRobustness2FeaturesEXT::default();
    {
        // SAFETY: the handle is only asked for features, and dropped before the adapter.
        let Some(vulkan) = (unsafe { adapter.as_hal::<wgpu::hal::api::Vulkan>() }) else { return false };
        let mut asked = vk::PhysicalDeviceFeatures2::default().push_next(&mut found);
        let instance = vulkan.shared_instance().raw_instance();
        // SAFETY: instance and physical device belong together, and live as long as the adapter;
        // the chain of structs is that of a Vulkan 1.1 query, which ignores structs that it does
        // not know.
        unsafe { instance.get_physical_device_features2(vulkan.raw_physical_device(), &mut asked) };
    }
    found.robust_image_access2 == vk::TRUE
}

/// Unknown where there is no Vulkan.
#[cfg(not(any(target_os = "linux", target_os = "windows")))]
pub(super) fn robust_images(_: &wgpu::Adapter) -> bool {
    false
}

/// Bytes of the adapter's largest device-local heap; 0 where there is no Vulkan.
#[cfg(any(target_os = "linux", target_os = "windows"))]
pub(super) fn memory(adapter: &wgpu::Adapter) -> u64 {
    use ash::vk;

    // SAFETY: the handle is only asked for properties, and dropped before the adapter.
    let Some(vulkan) = (unsafe { adapter.as_hal::<wgpu::hal::api::Vulkan>() }) else { return 0 };
    let instance = vulkan.shared_instance().raw_instance();
    // SAFETY: instance and physical device belong together, and live as long as the adapter.
    let properties = unsafe { instance.get_physical_device_memory_properties(vulkan.raw_physical_device()) };
    let own =
        properties.memory_heaps_as_slice().iter().filter(|heap| heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL));
    own.map(|heap| heap.size).max().unwrap_or(0)
}

/// Bytes of device-local memory; unknown where there is no Vulkan.
#[cfg(not(any(target_os = "linux", target_os = "windows")))]
pub(super) fn memory(_: &wgpu::Adapter) -> u64 {
    0
}
