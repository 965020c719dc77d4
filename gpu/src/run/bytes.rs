//! Byte-granular writes on devices that address words: the runtime's own kernels for the partial
//! words at the edges of an upload, for copies between different alignments, and for rows of texels
//! that have to be further apart.

use std::borrow::Cow;
use std::sync::OnceLock;

use wgpu::BufferBindingType;

use super::device::DeviceShared;
use super::failed::DeviceFailure;
use super::pipeline::{GpuProgram, buffer_kind, program};
use crate::lower::HEAD;

/// The internal kernels of a device, created on first use.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    merge: OnceLock<GpuProgram>,
    copy: OnceLock<GpuProgram>,
    spread: OnceLock<GpuProgram>,
}

/// The bindings of a kernel that copies.
const COPIES: [BufferBindingType; 3] = [
    BufferBindingType::Uniform,
    BufferBindingType::Storage { read_only: true },
    BufferBindingType::Storage { read_only: false },
];

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

/// First byte of the source, bytes of a row, words from a row to the next in the destination, rows.
/// Each thread writes one word of the destination, of which those behind a row are arbitrary. A buffer
/// has words behind its last.
const SPREAD: &str = "
@group(0) @binding(0) var<uniform> job: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> to: array<u32>;
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) tile: vec3<u32>,
    @builtin(num_workgroups) tiles: vec3<u32>,
    @builtin(local_invocation_index) i: u32,
) {
    let word = (tile.y * tiles.x + tile.x) * 256u + i;
    let row = word / job[0].z;
    let within = (word % job[0].z) << 2u;
    if row >= job[0].w || within >= job[0].y { return; }
    let at = job[0].x + row * job[0].y + within;
    let shift = (at & 3u) * 8u;
    var value = source[at >> 2u] >> shift;
    if shift != 0u { value |= source[(at >> 2u) + 1u] << (32u - shift); }
    to[HEAD_WORDSu + word] = value;
}";

impl DeviceShared {
    pub(super) fn merge(&self) -> Result<&GpuProgram, DeviceFailure> {
        let kinds = [BufferBindingType::Uniform, BufferBindingType::Storage { read_only: false }];
        self.internal(&self.bytes.merge, MERGE.into(), &kinds)
    }

    pub(super) fn spreader(&self) -> Result<&GpuProgram, DeviceFailure> {
        let text = SPREAD.replace("HEAD_WORDS", &(HEAD / 4).to_string());
        self.internal(&self.bytes.spread, text, &COPIES)
    }

    pub(super) fn copier(&self) -> Result<&GpuProgram, DeviceFailure> {
        self.internal(&self.bytes.copy, COPY.into(), &COPIES)
    }

    /// Returns an internal kernel, creating it if needed. A failure for lack of room is not cached:
    /// there may be room later.
    fn internal<'a>(
        &self,
        kept: &'a OnceLock<GpuProgram>,
        text: String,
        kinds: &[BufferBindingType],
    ) -> Result<&'a GpuProgram, DeviceFailure> {
        if let Some(program) = kept.get() {
            return Ok(program);
        }
        self.alive()?;
        let source = wgpu::ShaderSource::Wgsl(Cow::Owned(text));
        let descriptor = wgpu::ShaderModuleDescriptor { label: None, source };
        let bindings: Vec<(u32, wgpu::BindingType)> = (0..).zip(kinds.iter().copied().map(buffer_kind)).collect();
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
