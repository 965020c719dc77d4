//! What a machine without a desktop would hear for nothing.

use std::env;

/// Keeps Mesa's layer that chooses among GPUs from asking a desktop which is not there, for which it complains on standard error once for each time that devices are listed. Who tells
/// that layer what to choose is left alone.
///
/// It has to be called before there are other threads.
pub(crate) fn none_is_asked() {
    const OFF: &str = "NODEVICE_SELECT";
    let said = [OFF, "MESA_VK_DEVICE_SELECT", "DRI_PRIME", "XDG_RUNTIME_DIR", "WAYLAND_DISPLAY"];
    if said.into_iter().all(|name| env::var_os(name).is_none()) {
        #[allow(unsafe_code, reason = "the layer can be told by the environment only")]
        // SAFETY: `main` calls this first, so this is the only thread of the process.
        unsafe {
            env::set_var(OFF, "1");
        }
    }
}
