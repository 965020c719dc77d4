//! Byte-granular writes on devices that address words: the runtime's own kernels for the partial
//! words at the edges of an upload, and for copies between different alignments.

use std::borrow::Cow;
use std::sync::OnceLock;

use wgpu::BufferBindingType;

use super::device::DeviceShared;
use super::failed::DeviceFailure;
use super::pipeline::{GpuProgram, program};

/// The internal kernels of a device, created on first use.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    merge: OnceLock<GpuProgram>,
    copy: OnceLock<GpuProgram>,
}

/// Edges per dispatch.
pub(super) const EDGES: usize = 16;
/// Threads per tile of the copy.
pub(super) const COPIERS: u32 = 256;

/// Per edge: the word's index, a mask of bits, their values.
const MERGE: &str = "
@group(0) @binding(0) var<uniform> edges: array<vec4<u32>, 16>;
@group(0) @binding(1) var<storage, read_write> to: array<u32>;
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let edge = edges[i];
    if edge.y != 0u { to[edge.x] = (to[edge.x] & ~edge.y) | edge.z; }
}";

/// Source byte, destination byte, number of bytes, and tiles per row. Each thread writes one word
/// of the destination. Source bytes lie far enough from the start of their buffer for the first
/// thread not to read before it.
const COPY: &str = "
@group(0) @binding(0) var<uniform> job: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> to: array<u32>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) tile: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    let begin = job[0].y;
    let end = begin + job[0].z;
    let word = (begin >> 2u) + (tile.y * job[0].w + tile.x) * 256u + i;
    if word > ((end - 1u) >> 2u) { return; }
    let first = word << 2u;
    let at = job[0].x + first - begin;
    let shift = (at & 3u) * 8u;
    var value = source[at >> 2u] >> shift;
    if shift != 0u { value |= source[(at >> 2u) + 1u] << (32u - shift); }
    var bits = 0xffffffffu;
    if first < begin { bits <<= (begin & 3u) * 8u; }
    if end - first < 4u { bits &= (1u << ((end & 3u) * 8u)) - 1u; }
    to[word] = (to[word] & ~bits) | (value & bits);
}";

impl DeviceShared {
    pub(super) fn merge(&self) -> Result<&GpuProgram, DeviceFailure> {
        let kinds = [BufferBindingType::Uniform, BufferBindingType::Storage { read_only: false }];
        self.internal(&self.bytes.merge, MERGE, &kinds)
    }

    pub(super) fn copier(&self) -> Result<&GpuProgram, DeviceFailure> {
        let kinds = [
            BufferBindingType::Uniform,
            BufferBindingType::Storage { read_only: true },
            BufferBindingType::Storage { read_only: false },
        ];
        self.internal(&self.bytes.copy, COPY, &kinds)
    }

    /// Returns an internal kernel, creating it if needed. A failure for lack of room is not cached:
    /// there may be room later.
    fn internal<'a>(
        &self,
        kept: &'a OnceLock<GpuProgram>,
        text: &'static str,
        kinds: &[BufferBindingType],
    ) -> Result<&'a GpuProgram, DeviceFailure> {
        if let Some(program) = kept.get() {
            return Ok(program);
        }
        self.alive()?;
        let source = wgpu::ShaderSource::Wgsl(Cow::Borrowed(text));
        let descriptor = wgpu::ShaderModuleDescriptor { label: None, source };
        let bindings: Vec<(u32, BufferBindingType)> = (0..).zip(kinds.iter().copied()).collect();
        let made = self
            .gpu
            .checked(|device| device.create_shader_module(descriptor))
            .and_then(|module| self.gpu.checked(|device| program(device, &module, &bindings)));
        let made = made.map_err(|trouble| {
            DeviceFailure::Unsupported(format!("the driver refuses a kernel of the runtime: {trouble}"))
        })?;
        Ok(kept.get_or_init(|| made))
    }
}
