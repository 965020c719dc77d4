//! The wgpu instance that lists the adapters, without support for windows.
//!
//! wgpu enables every window-system extension that the Vulkan loader offers. Mesa's device-select
//! layer takes the Wayland extension as a sign of a desktop and connects to the compositor each
//! time devices are listed. Without a compositor, the Wayland library complains on standard error,
//! in the output of a program that never asked for a window. Tilewise only computes, so its
//! instance lacks these extensions: nothing connects to a desktop, and the order of devices does
//! not depend on one.
#![allow(unsafe_code, reason = "wgpu's own constructor always enables the extensions for windows")]

use wgpu::{Backends, Instance, InstanceDescriptor};

/// The backends that kernels run on.
const BACKENDS: Backends = Backends::VULKAN.union(Backends::METAL).union(Backends::DX12);

/// All adapters of the machine, in the drivers' order. A driver that cannot be opened contributes
/// none.
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
    // SAFETY: the callback only removes extensions from the list, before the instance is created.
    // wgpu assumes that the others are enabled; before it uses one of these three, it looks it up
    // in this list (`create_surface_from_*` in wgpu-hal's `vulkan/instance.rs`, version 30.0.1,
    // pinned), and this crate creates no surface. `VK_KHR_surface` stays: the devices'
    // `VK_KHR_swapchain` needs it.
    let made = unsafe {
        vulkan::Instance::init_with_callback(
            &descriptor,
            Some(Box::new(|args| args.extensions.retain(|name| !is_window_extension(name)))),
        )
    };
    match made {
        // SAFETY: the instance was created just now, and nothing else holds it.
        Ok(instance) => unsafe { Instance::from_hal::<Vulkan>(instance) },
        // Without Vulkan: an instance without backends, which has no adapters.
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
