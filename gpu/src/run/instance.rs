//! The wgpu instance that adapters are listed from: one that knows no windows.
//!
//! wgpu enables every extension for drawing into windows that the Vulkan loader offers. Mesa's
//! device-select layer takes the Wayland one as a sign of a desktop, and connects to its compositor
//! each time devices are listed. Where there is none, the Wayland library complains on standard
//! error, into the output of a program that never asked for a window. Tilewise only computes, so
//! the instance is made without these extensions: nothing connects to a desktop, and the order of
//! the devices does not depend on one.
#![allow(unsafe_code, reason = "wgpu's own constructor always enables the extensions for windows")]

use wgpu::{Backends, Instance, InstanceDescriptor};

/// The back ends that kernels run on.
const BACKENDS: Backends = Backends::VULKAN.union(Backends::METAL).union(Backends::DX12);

/// All adapters of the machine, in the order of the drivers. A driver that cannot be opened has none.
pub fn list_adapters() -> Vec<wgpu::Adapter> {
    pollster::block_on(open_instance().enumerate_adapters(BACKENDS))
}

#[cfg(target_os = "linux")]
fn open_instance() -> Instance {
    use wgpu::hal::{self, api::Vulkan, vulkan};

    let InstanceDescriptor { flags, memory_budget_thresholds, backend_options, .. } =
        InstanceDescriptor::new_without_display_handle();
    let descriptor = hal::InstanceDescriptor {
        name: "tilewise",
        flags,
        memory_budget_thresholds,
        backend_options,
        telemetry: None,
        display: None,
    };
    // SAFETY: the callback only takes extensions out of the list, before the instance is made. wgpu
    // assumes that the others are enabled; of each of these three it looks into this list before it
    // uses it (`create_surface_from_*` in wgpu-hal's `vulkan/instance.rs`, version 30.0.1, pinned),
    // and this crate makes no surface. `VK_KHR_surface` stays: `VK_KHR_swapchain` of devices needs it.
    let made = unsafe {
        vulkan::Instance::init_with_callback(
            &descriptor,
            Some(Box::new(|args| args.extensions.retain(|name| !is_window_extension(name)))),
        )
    };
    match made {
        // SAFETY: the instance was made just now, and nobody else has it.
        Ok(instance) => unsafe { Instance::from_hal::<Vulkan>(instance) },
        // There is no Vulkan: an instance without back ends, which has no adapters.
        Err(_) => Instance::new(InstanceDescriptor {
            backends: Backends::empty(),
            ..InstanceDescriptor::new_without_display_handle()
        }),
    }
}

/// Whether an extension connects Vulkan to a window system.
#[cfg(target_os = "linux")]
fn is_window_extension(name: &std::ffi::CStr) -> bool {
    use ash::khr;

    [khr::wayland_surface::NAME, khr::xcb_surface::NAME, khr::xlib_surface::NAME].contains(&name)
}

#[cfg(not(target_os = "linux"))]
fn open_instance() -> Instance {
    Instance::new(InstanceDescriptor { backends: BACKENDS, ..InstanceDescriptor::new_without_display_handle() })
}
