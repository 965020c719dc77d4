//! What a launch has to do with textures of the device: which calls of its kernel texture units compute,
//! with which textures, and to which it stores what it writes.

use std::sync::Arc;

use tilewise_ir::analysis::texture_calls::TextureCall;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::launch::{Argument, Domain};

use super::buffer::Buffer;
use super::device::DeviceShared;
use super::pipeline::GpuKernel;
use super::texture::{DeviceTexture, StoredLevel, TextureFacts};
use crate::lower::{SamplerKey, TextureSlot, TextureStore, TextureUse};

/// Reads of a texture in a kernel from which on they are left to texture units, which decode texels
/// without instructions; fewer are not worth the copy. One in a loop counts as so many.
const READS: usize = 4;

/// A texture of a launch, and the buffer that it is a copy of.
pub(super) struct SampledTexture<'a> {
    slot: TextureSlot,
    pub(super) buffer: &'a Buffer,
    pub(super) texture: Arc<DeviceTexture>,
}

/// The calls that texture units compute, and the textures for that, in the order of the slots of a
/// key with these calls. Textures whose memory the launch writes stay in memory, as do those that the
/// device cannot make.
pub(super) fn texture_uses<'a>(
    kernel: &GpuKernel,
    shared: &DeviceShared,
    buffers: &'a [Buffer],
    arguments: &[Argument],
) -> (Vec<TextureUse>, Vec<SampledTexture<'a>>) {
    let (mut uses, mut sampled) = (Vec::new(), Vec::new());
    let calls = kernel.texture_calls();
    if calls.is_empty() {
        return (uses, sampled);
    }
    let launch = TextureLaunch { kernel, shared, buffers, arguments };
    let written = launch.written();
    let most = shared.adapter.limits().max_sampled_textures_per_shader_stage as usize;
    for call in calls.iter().filter(|call| is_worth_it(calls, call)) {
        let Some(CallTexture { used, buffer, facts }) = launch.texture_of(call, &written) else { continue };
        if !sampled.iter().any(|texture: &SampledTexture<'_>| texture.slot == used.texture) {
            let texture = buffer.textures().texture(shared, &facts).filter(|_| sampled.len() < most);
            let Some(texture) = texture else { continue };
            sampled.push(SampledTexture { slot: used.texture, buffer, texture });
        }
        uses.push(used);
    }
    (uses, sampled)
}

/// A texture to which a launch on a queue stores what it writes to a buffer.
pub(super) struct StoredTexture<'a> {
    pub(super) buffer: &'a Buffer,
    pub(super) level: StoredLevel,
}

/// The textures to which a launch stores what it writes, and how, in the order of a key with these
/// stores.
pub(super) fn texture_stores<'a>(
    kernel: &GpuKernel,
    shared: &DeviceShared,
    queue: u64,
    domain: &Domain,
    buffers: &'a [Buffer],
    arguments: &[Argument],
) -> (Vec<TextureStore>, Vec<StoredTexture<'a>>) {
    let (mut stores, mut stored) = (Vec::new(), Vec::new());
    let launch = TextureLaunch { kernel, shared, buffers, arguments };
    let most = shared.adapter.limits().max_storage_textures_per_shader_stage as usize;
    for own in kernel.own_stores() {
        let buffer = arguments.get(own.param.index()).and_then(|argument| launch.buffer(argument));
        let Some(buffer) = buffer.filter(|buffer| buffer.textures().are_there()) else { continue };
        let Some((view, extent)) = own.written(domain, arguments) else { continue };
        let Some(level) = buffer.textures().stored(view.offset, &extent, own.element, queue) else { continue };
        // Another parameter that lies there may write the same texels.
        let is_alone = launch.written().iter().filter(|number| **number == buffer.number()).count() == 1;
        let Some(store) = level.store(own.param.index() as u32).filter(|_| is_alone && stores.len() < most) else {
            continue;
        };
        stores.push(store);
        stored.push(StoredTexture { buffer, level });
    }
    (stores, stored)
}

/// Whether the kernel samples the texture of a call, or reads it often.
fn is_worth_it(calls: &[TextureCall], call: &TextureCall) -> bool {
    let weight = |call: &TextureCall| if call.repeated || call.sampler.is_some() { READS } else { 1 };
    calls.iter().filter(|other| other.param == call.param).map(weight).sum::<usize>() >= READS
}

/// A launch of a kernel with texture calls.
struct TextureLaunch<'k, 'a> {
    kernel: &'k GpuKernel,
    shared: &'k DeviceShared,
    buffers: &'a [Buffer],
    arguments: &'k [Argument],
}

/// A call that a texture unit can compute in a launch.
struct CallTexture<'a> {
    used: TextureUse,
    buffer: &'a Buffer,
    facts: TextureFacts,
}

impl<'a> TextureLaunch<'_, 'a> {
    fn buffer(&self, argument: &Argument) -> Option<&'a Buffer> {
        self.buffers.get(argument.allocation()?)
    }

    /// The numbers of the buffers that the launch writes.
    fn written(&self) -> Vec<u64> {
        let written = self.kernel.kernel().written().iter().zip(self.arguments).filter(|(written, _)| **written);
        written.filter_map(|(_, argument)| self.buffer(argument)).map(Buffer::number).collect()
    }

    /// The texture and the sampler of a call, if the device has both.
    fn texture_of(&self, call: &TextureCall, written: &[u64]) -> Option<CallTexture<'a>> {
        let sampler = match call.sampler {
            Some(modes) => {
                let key = SamplerKey::of(modes.filter.value(self.arguments)?, modes.address.value(self.arguments)?)?;
                self.shared.sampler(key)?;
                Some(key)
            }
            None => None,
        };
        let argument = self.arguments.get(call.param.index())?;
        let Argument::View(view) = argument else { return None };
        let buffer = self
            .buffer(argument)
            .filter(|buffer| !written.contains(&buffer.number()) || fault::planted(Fault::TextureOfWritten))?;
        let facts = TextureFacts::of(&self.shared.adapter, call, view)?;
        Some(CallTexture { used: TextureUse::of(self.kernel.kernel(), call, sampler)?, buffer, facts })
    }
}
