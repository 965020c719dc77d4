//! Textures of a device: copies of the texels in buffers, for its texture units.
//!
//! A buffer keeps the textures that launches have sampled of it. A launch copies the levels to the
//! texture before it runs, unless the buffer has not changed since the last copy, and the same queue
//! recorded that: another queue may not have submitted it yet.
//!
//! A texture that was copied [many times](OFTEN), and sampled since it was last written, is written by a
//! launch that can do so, beside the buffer ([`own_stores`](crate::lower::OwnStore)). Then it needs no
//! copy. Not at once: such a launch has another pipeline, which takes the driver as long as some
//! hundred copies.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tilewise_ir::analysis::texture_calls::{TextureCall, TextureOperation};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::launch::{ChannelKind, LevelExtent, TexelFormat, ViewArgument};
use tilewise_ir::types::Stored;
use wgpu::{Extent3d, Features, TextureDimension, TextureFormat, TextureUsages};

use super::adapter::Adapter;
use super::buffer::Buffer;
use super::bytes::COPIERS;
use super::device::{DeviceShared, locked};
use super::failed::DeviceFailure;
use super::queue::{BoundResource, QueueInner, RecordedDispatch, Recording};
use super::texel_copy::{ROWS, TILE, is_copied, storage_format};
use crate::lower::{ALONG, HEAD, SamplerAddress, SamplerKey, TextureStore, stored_element};

/// Rows of a copy begin at multiples of this, if it has several.
const ROW_ALIGN: u32 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT;
/// Most textures that a buffer keeps.
const KEPT: usize = 8;
/// Copies of a texture after which launches that write its texels store to it too.
const OFTEN: u32 = 8;

static COPIES: AtomicU64 = AtomicU64::new(0);

/// How often texels were copied to textures in this process, for tests.
#[doc(hidden)]
pub fn texture_copies() -> u64 {
    COPIES.load(Ordering::Relaxed)
}

/// The texels that a texture is a copy of, and how it holds them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TextureFacts {
    format: TextureFormat,
    /// Bytes of a texel.
    texel: u32,
    rank: u8,
    /// First byte in the buffer, its head not counted.
    offset: u64,
    levels: Vec<LevelExtent>,
}

impl TextureFacts {
    /// The texture for a call, or nothing if the device has none like it.
    pub(super) fn of(adapter: &Adapter, call: &TextureCall, view: &ViewArgument) -> Option<TextureFacts> {
        let texels = view.texels.filter(|texels| match call.operation {
            TextureOperation::Sample | TextureOperation::SampleLevel => texels.channels == u32::from(call.floats),
            // A channel of 32 bits is read as fast from memory.
            TextureOperation::Load | TextureOperation::LoadLevel => {
                texels.bits < 32 && texels.channels == u32::from(call.floats)
            }
            // Devices give 1 for a missing alpha.
            TextureOperation::Gather(channel) => u32::from(channel) < texels.channels,
        })?;
        let (offset, levels) = (view.offset, view.levels.clone());
        let extent = &levels.first()?.extent;
        let (format, texel) = adapter.texture_format(texels, extent)?;
        let fits = extent.len() == usize::from(call.rank) && offset.is_multiple_of(u64::from(texel));
        fits.then_some(TextureFacts { format, texel, rank: call.rank, offset, levels })
    }

    /// The size of a level: x, y, z.
    fn size(&self, level: &LevelExtent) -> Extent3d {
        let mut sizes = level.extent.iter().rev().map(|&size| size.max(1) as u32);
        let mut next = || sizes.next().unwrap_or(1);
        Extent3d { width: next(), height: next(), depth_or_array_layers: next() }
    }
}

/// A texture that a buffer keeps.
#[derive(Debug)]
pub(super) struct DeviceTexture {
    facts: TextureFacts,
    texture: wgpu::Texture,
    /// Of each level, if shaders store to them, a view and its number.
    levels: Vec<(wgpu::TextureView, u64)>,
    pub(super) view: wgpu::TextureView,
    /// No other texture has it.
    pub(super) number: u64,
    /// The contents that it was copied from: how often the buffer had changed, and the queue that
    /// recorded the copy.
    copied: Mutex<Option<(u64, u64)>>,
    /// How often it was copied.
    copies: AtomicU32,
    /// The levels that were not stored to since the texture was sampled, a bit for each.
    sampled: AtomicU32,
}

/// A level of a texture to which a launch stores what it writes to the buffer.
#[derive(Clone, Debug)]
pub(super) struct StoredLevel {
    pub(super) texture: Arc<DeviceTexture>,
    level: usize,
}

/// The textures of a buffer.
#[derive(Debug, Default)]
pub(super) struct BufferTextures {
    /// How often work that changes the buffer was recorded.
    changes: AtomicU64,
    kept: Mutex<Vec<Arc<DeviceTexture>>>,
}

impl BufferTextures {
    /// Work was recorded that changes the buffer. Returns how often that was so.
    pub(super) fn changed(&self) -> u64 {
        self.changes.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Whether launches have sampled it.
    pub(super) fn are_there(&self) -> bool {
        !locked(&self.kept).is_empty()
    }

    /// The level of a texture that has just these elements from that byte on, if it is to be written with
    /// them by a launch on that queue: it is a copy of them now, and is often sampled after a change.
    pub(super) fn stored(&self, start: u64, extent: &[i32], element: (Stored, u8), queue: u64) -> Option<StoredLevel> {
        let now = (self.changes.load(Ordering::Relaxed), queue);
        let kept = locked(&self.kept);
        kept.iter().rev().find_map(|texture| {
            let DeviceTexture { facts, copied, copies, sampled, levels, .. } = &**texture;
            let is_worth_it = !levels.is_empty() && copies.load(Ordering::Relaxed) >= OFTEN;
            if !is_worth_it || *locked(copied) != Some(now) || usize::from(facts.rank) != extent.len() {
                return None;
            }
            stored_element(storage_format(facts.format)?).filter(|holds| *holds == element)?;
            let begin = |level: &LevelExtent| facts.offset + level.start * u64::from(facts.texel);
            let level = facts.levels.iter().position(|level| begin(level) == start && level.extent == extent)?;
            let is_sampled = sampled.load(Ordering::Relaxed) & 1 << level != 0;
            is_sampled.then(|| StoredLevel { texture: Arc::clone(texture), level })
        })
    }

    /// The texture with these facts, made on first use; nothing if the device cannot make it.
    pub(super) fn texture(&self, shared: &DeviceShared, facts: &TextureFacts) -> Option<Arc<DeviceTexture>> {
        let mut kept = locked(&self.kept);
        if let Some(at) = kept.iter().position(|texture| texture.facts == *facts) {
            let texture = kept.remove(at);
            kept.push(texture.clone());
            return Some(texture);
        }
        let texture = Arc::new(DeviceTexture::new(shared, facts)?);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(texture.clone());
        Some(texture)
    }
}

impl DeviceTexture {
    fn new(shared: &DeviceShared, facts: &TextureFacts) -> Option<DeviceTexture> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let first = facts.levels.first()?;
        let stored = is_copied(facts.format);
        let descriptor = wgpu::TextureDescriptor {
            label: None,
            size: facts.size(first),
            mip_level_count: facts.levels.len() as u32,
            sample_count: 1,
            dimension: if facts.rank == 3 { TextureDimension::D3 } else { TextureDimension::D2 },
            format: facts.format,
            usage: TextureUsages::TEXTURE_BINDING
                | if stored { TextureUsages::STORAGE_BINDING } else { TextureUsages::COPY_DST },
            view_formats: &[],
        };
        let made = shared.gpu.checked(|device| {
            let texture = device.create_texture(&descriptor);
            let level = |base_mip_level| wgpu::TextureViewDescriptor {
                base_mip_level,
                mip_level_count: Some(1),
                ..wgpu::TextureViewDescriptor::default()
            };
            let count = if stored { facts.levels.len() as u32 } else { 0 };
            let levels: Vec<_> = (0..count).map(|mip| texture.create_view(&level(mip))).collect();
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            (texture, levels, view)
        });
        let (texture, levels, view) = made.ok()?;
        let number = || NUMBERS.fetch_add(1, Ordering::Relaxed);
        let levels = levels.into_iter().map(|view| (view, number())).collect();
        Some(DeviceTexture {
            facts: facts.clone(),
            texture,
            levels,
            view,
            number: number(),
            copied: Mutex::default(),
            copies: AtomicU32::new(0),
            sampled: AtomicU32::new(0),
        })
    }

    /// Records the copy of the buffer's texels, if it is needed.
    pub(super) fn copy_from(
        &self,
        buffer: &Buffer,
        queue: &QueueInner,
        recording: &mut Recording,
    ) -> Result<(), DeviceFailure> {
        self.sampled.store(u32::MAX, Ordering::Relaxed);
        let now = (buffer.textures().changes.load(Ordering::Relaxed), queue.number);
        let known = *locked(&self.copied);
        if known == Some(now) || known.is_some() && fault::planted(Fault::StaleTexture) {
            return Ok(());
        }
        for (mip, level) in (0..).zip(&self.facts.levels) {
            let begin = u64::from(HEAD) + self.facts.offset + level.start * u64::from(self.facts.texel);
            self.copy_level(buffer, begin, mip, self.facts.size(level), queue, recording)?;
        }
        recording.open.keep.push(buffer.clone());
        *locked(&self.copied) = Some(now);
        self.copies.fetch_add(1, Ordering::Relaxed);
        COPIES.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Records the copy of a level, from that byte on: by a kernel that stores to it, or by the driver.
    /// The rows are tight; drivers want several rows to begin at multiples of [`ROW_ALIGN`], so others
    /// are first copied further apart.
    fn copy_level(
        &self,
        buffer: &Buffer,
        begin: u64,
        mip: u32,
        size: Extent3d,
        queue: &QueueInner,
        recording: &mut Recording,
    ) -> Result<(), DeviceFailure> {
        let row = size.width * self.facts.texel;
        let rows = size.height * size.depth_or_array_layers;
        if let Some((view, number)) = self.levels.get(mip as usize) {
            let program = queue.shared.texel_copy(self.facts.format, self.facts.rank == 3)?;
            let bound = [
                (1, BoundResource::Buffer(buffer.wgpu()), buffer.number()),
                (2, BoundResource::Texture(view), *number),
            ];
            // The slices of a volume may have more rows than a dispatch has tiles for.
            for first in (0..rows).step_by(ROWS as usize) {
                let some = (rows - first).min(ROWS);
                let dispatch = RecordedDispatch {
                    program: &program,
                    block: &[(begin / 4) as u32, size.width, size.height, rows, first, 0, 0, 0],
                    bound: &bound,
                    tiles: (size.width.div_ceil(TILE[0]), some.div_ceil(TILE[1])),
                };
                queue.dispatch(recording, &dispatch)?;
            }
            return Ok(());
        }
        if rows == 1 || row.is_multiple_of(ROW_ALIGN) {
            let encoder = recording.open.encoder(&queue.shared);
            self.copy_rows(encoder, buffer, begin, (rows > 1).then_some(row), mip, size);
            return Ok(());
        }
        let wide = row.next_multiple_of(ROW_ALIGN);
        let apart = Buffer::allocate(&queue.shared, u64::from(wide) * u64::from(rows), false)?;
        let words = u64::from(wide / 4) * u64::from(rows);
        let tiles = words.div_ceil(u64::from(COPIERS)).min(u64::from(u32::MAX)) as u32;
        let across = tiles.min(ALONG);
        let dispatch = RecordedDispatch {
            program: queue.shared.spreader()?,
            block: &[begin as u32, row, wide / 4, rows],
            bound: &[(1, buffer), (2, &apart)]
                .map(|(at, buffer)| (at, BoundResource::Buffer(buffer.wgpu()), buffer.number())),
            tiles: (across, tiles.div_ceil(across)),
        };
        queue.dispatch(recording, &dispatch)?;
        let encoder = recording.open.encoder(&queue.shared);
        self.copy_rows(encoder, &apart, u64::from(HEAD), Some(wide), mip, size);
        recording.open.keep.extend([buffer.clone(), apart]);
        Ok(())
    }

    fn copy_rows(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        buffer: &Buffer,
        offset: u64,
        bytes_per_row: Option<u32>,
        mip_level: u32,
        size: Extent3d,
    ) {
        let rows_per_image = bytes_per_row.map(|_| size.height);
        let layout = wgpu::TexelCopyBufferLayout { offset, bytes_per_row, rows_per_image };
        let from = wgpu::TexelCopyBufferInfo { buffer: buffer.wgpu(), layout };
        let aspect = wgpu::TextureAspect::All;
        let to = wgpu::TexelCopyTextureInfo { texture: &self.texture, mip_level, origin: wgpu::Origin3d::ZERO, aspect };
        encoder.copy_buffer_to_texture(from, to, size);
    }
}

impl StoredLevel {
    /// How a shader stores to it.
    pub(super) fn store(&self, param: u32) -> Option<TextureStore> {
        let facts = &self.texture.facts;
        Some(TextureStore { param, rank: facts.rank, format: storage_format(facts.format)? })
    }

    /// The view of the level, and its number.
    pub(super) fn view(&self) -> Option<&(wgpu::TextureView, u64)> {
        self.texture.levels.get(self.level)
    }

    /// A launch was recorded that stores to it what it writes to the buffer, as the change of this number.
    pub(super) fn written(&self, change: u64, queue: &QueueInner) {
        let mut copied = locked(&self.texture.copied);
        // Else the texture was no copy of what the launch changes.
        if *copied == Some((change - 1, queue.number)) {
            *copied = Some((change, queue.number));
            self.texture.sampled.fetch_and(!(1 << self.level), Ordering::Relaxed);
        }
    }
}

impl Adapter {
    /// Whether its texture units can sample textures of that format and extent.
    pub fn samples(&self, texels: TexelFormat, extent: &[i32]) -> bool {
        self.texture_format(texels, extent).is_some()
    }

    /// The format of a texture that can be filtered, and the bytes of a texel; nothing if the adapter
    /// has no such texture.
    fn texture_format(&self, texels: TexelFormat, extent: &[i32]) -> Option<(TextureFormat, u32)> {
        use TextureFormat as T;
        let (formats, needs) = match (texels.kind, texels.bits) {
            (ChannelKind::UnsignedNorm, 8) => ([T::R8Unorm, T::Rg8Unorm, T::Rgba8Unorm], Features::empty()),
            (ChannelKind::SignedNorm, 8) => ([T::R8Snorm, T::Rg8Snorm, T::Rgba8Snorm], Features::empty()),
            (ChannelKind::Float, 16) => ([T::R16Float, T::Rg16Float, T::Rgba16Float], Features::empty()),
            (ChannelKind::UnsignedNorm, 16) => {
                ([T::R16Unorm, T::Rg16Unorm, T::Rgba16Unorm], Features::TEXTURE_FORMAT_16BIT_NORM)
            }
            (ChannelKind::SignedNorm, 16) => {
                ([T::R16Snorm, T::Rg16Snorm, T::Rgba16Snorm], Features::TEXTURE_FORMAT_16BIT_NORM)
            }
            (ChannelKind::Float, 32) => ([T::R32Float, T::Rg32Float, T::Rgba32Float], Features::FLOAT32_FILTERABLE),
            (
                ChannelKind::Signed
                | ChannelKind::Unsigned
                | ChannelKind::Float
                | ChannelKind::SignedNorm
                | ChannelKind::UnsignedNorm,
                _,
            ) => return None,
        };
        let format = match texels.channels {
            1 => formats[0],
            2 => formats[1],
            4 => formats[2],
            _ => return None,
        };
        let limits = self.limits();
        let most = match extent.len() {
            1 | 2 => limits.max_texture_dimension_2d,
            3 => limits.max_texture_dimension_3d,
            _ => 0,
        };
        let fits = extent.iter().all(|&size| (1..=most).contains(&(size.max(0) as u32)));
        (fits && self.wanted().contains(needs)).then_some((format, texels.bits / 8 * texels.channels))
    }
}

impl DeviceShared {
    /// A sampler, made on first use, and its number; nothing if the device cannot make it.
    pub(super) fn sampler(&self, key: SamplerKey) -> Option<(wgpu::Sampler, u64)> {
        let mut made = locked(&self.samplers);
        if let Some(at) = made.iter().position(|(other, _)| *other == key) {
            return Some((made[at].1.clone(), at as u64));
        }
        let address = match key.address {
            SamplerAddress::Repeat => wgpu::AddressMode::Repeat,
            SamplerAddress::Mirror => wgpu::AddressMode::MirrorRepeat,
            SamplerAddress::Clamp => wgpu::AddressMode::ClampToEdge,
        };
        let (filter, between) = match key.linear {
            true => (wgpu::FilterMode::Linear, wgpu::MipmapFilterMode::Linear),
            false => (wgpu::FilterMode::Nearest, wgpu::MipmapFilterMode::Nearest),
        };
        let descriptor = wgpu::SamplerDescriptor {
            address_mode_u: address,
            address_mode_v: address,
            address_mode_w: address,
            mag_filter: filter,
            min_filter: filter,
            mipmap_filter: between,
            ..wgpu::SamplerDescriptor::default()
        };
        let sampler = self.gpu.checked(|device| device.create_sampler(&descriptor)).ok()?;
        made.push((key, sampler.clone()));
        Some((sampler, made.len() as u64 - 1))
    }
}
