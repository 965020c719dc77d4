//! From the checked kernel to the lane program: regions, masks, shapes, addresses.
//!
//! [`form`] is all there is to call. What it makes depends on the kernel and on a [`Key`]: what is known of a launch and worth code of its own.

#[allow(dead_code, reason = "forming comes to use it")]
mod bits;
#[allow(dead_code, reason = "forming comes to use it")]
mod live;
#[allow(dead_code, reason = "forming comes to use it")]
mod locals;
#[allow(dead_code, reason = "forming comes to use it")]
mod numbers;
#[allow(dead_code, reason = "forming comes to use it")]
mod regions;
#[cfg(test)]
mod samples;

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;

use crate::lanes::Program;

/// What a lane program is specialised for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    /// Lanes: 1, 4, 8 or 16.
    pub width: u32,
    /// Does every view span less than 2^31 bytes? Offsets of lanes then take 32 bits.
    pub small: bool,
    /// For each parameter of the kernel, in order.
    pub params: Vec<ParamKey>,
    /// For each buffer space, whether the launch may write there.
    pub writable: Vec<bool>,
}

/// What is known of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ParamKey {
    /// The buffer space of a view or a buffer: bindings of one launch that may overlap share one. 0 for uniforms.
    pub space: u16,
    /// A view: are neighbours along the last dimension neighbours in memory?
    pub unit: bool,
}

/// Why there is no lane program of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unformed(pub String);

/// Makes the lane program of a kernel.
pub fn form(kernel: &Checked<Kernel>, key: &Key) -> Result<Program, Unformed> {
    let _ = (kernel, key);
    Err(Unformed("nothing is formed".into()))
}
