//! Textures and samplers on a driver, with the contents that the importer's kernels get as views: for
//! the judge of originals.

use tilewise_import::{BindingKind, ImageClass, ImageDimension, TextureShape};
use tilewise_ir::launch::Argument;

/// A texture as a driver has it.
pub(crate) struct DriverTexture {
    shape: TextureShape,
    /// Width, height, depth or layers.
    size: [u32; 3],
    levels: u32,
    format: wgpu::TextureFormat,
}

/// The texture of a binding; `argument` is the view that the kernel has, `size` what `NAME_size` holds
/// if it has levels. `None` where no copy fills such a texture.
pub(crate) fn texture_of(shape: TextureShape, argument: &Argument, size: Option<[u32; 4]>) -> Option<DriverTexture> {
    let Argument::View(view) = argument else { return None };
    if shape.class.is_multisampled() {
        return None;
    }
    let (size, levels) = match size {
        Some([width, height, depth, levels]) => ([width, height, depth], levels),
        None => {
            let mut sizes = view.extent.iter().rev().map(|&size| size as u32);
            let width = sizes.next()?;
            let height = if shape.coordinates() > 1 { sizes.next()? } else { 1 };
            ([width, height, sizes.next().unwrap_or(1)], 1)
        }
    };
    let format = match shape.class {
        ImageClass::Sampled { kind: naga::ScalarKind::Sint, .. } => wgpu::TextureFormat::Rgba32Sint,
        ImageClass::Sampled { kind: naga::ScalarKind::Uint, .. } => wgpu::TextureFormat::Rgba32Uint,
        ImageClass::Sampled { .. } => wgpu::TextureFormat::Rgba32Float,
        ImageClass::Depth { .. } => wgpu::TextureFormat::Depth32Float,
        ImageClass::External => return None,
        ImageClass::Storage { format, .. } => storage_format(format),
    };
    Some(DriverTexture { shape, size, levels, format })
}

impl DriverTexture {
    fn is_storage(&self) -> bool {
        matches!(self.shape.class, ImageClass::Storage { .. })
    }

    fn is_depth(&self) -> bool {
        matches!(self.shape.class, ImageClass::Depth { .. })
    }

    fn view_dimension(&self) -> wgpu::TextureViewDimension {
        use wgpu::TextureViewDimension as V;
        match (self.shape.dimension, self.shape.is_array) {
            (ImageDimension::D1, _) => V::D1,
            (ImageDimension::D2, false) => V::D2,
            (ImageDimension::D2, true) => V::D2Array,
            (ImageDimension::D3, _) => V::D3,
            (ImageDimension::Cube, false) => V::Cube,
            (ImageDimension::Cube, true) => V::CubeArray,
        }
    }

    /// Its type in a layout.
    pub(crate) fn binding_type(&self) -> wgpu::BindingType {
        let view_dimension = self.view_dimension();
        let sampled = |sample_type| wgpu::BindingType::Texture { sample_type, view_dimension, multisampled: false };
        match self.shape.class {
            ImageClass::Sampled { kind: naga::ScalarKind::Sint, .. } => sampled(wgpu::TextureSampleType::Sint),
            ImageClass::Sampled { kind: naga::ScalarKind::Uint, .. } => sampled(wgpu::TextureSampleType::Uint),
            ImageClass::Sampled { .. } | ImageClass::External => {
                sampled(wgpu::TextureSampleType::Float { filterable: true })
            }
            ImageClass::Depth { .. } => sampled(wgpu::TextureSampleType::Depth),
            ImageClass::Storage { access, .. } => {
                use naga::StorageAccess as A;
                let access = if access.contains(A::ATOMIC) {
                    wgpu::StorageTextureAccess::Atomic
                } else if access.contains(A::LOAD | A::STORE) {
                    wgpu::StorageTextureAccess::ReadWrite
                } else if access.contains(A::STORE) {
                    wgpu::StorageTextureAccess::WriteOnly
                } else {
                    wgpu::StorageTextureAccess::ReadOnly
                };
                wgpu::BindingType::StorageTexture { access, format: self.format, view_dimension }
            }
        }
    }

    fn level_size(&self, level: u32) -> wgpu::Extent3d {
        let along = |size: u32| (size >> level).max(1);
        let depth = if self.shape.is_volume() { along(self.size[2]) } else { self.size[2] };
        wgpu::Extent3d { width: along(self.size[0]), height: along(self.size[1]), depth_or_array_layers: depth }
    }

    fn texel_bytes(&self) -> u32 {
        if self.is_depth() { 4 } else { self.format.block_copy_size(None).unwrap_or(4) }
    }

    /// Makes the texture with these texels.
    pub(crate) fn create(&self, device: &wgpu::Device, queue: &wgpu::Queue, bytes: &[u8]) -> wgpu::Texture {
        use wgpu::TextureUsages as U;
        let usage = if self.is_depth() {
            U::TEXTURE_BINDING | U::RENDER_ATTACHMENT
        } else if self.is_storage() {
            let atomic = matches!(
                self.binding_type(),
                wgpu::BindingType::StorageTexture { access: wgpu::StorageTextureAccess::Atomic, .. }
            );
            U::STORAGE_BINDING | U::COPY_DST | U::COPY_SRC | if atomic { U::STORAGE_ATOMIC } else { U::empty() }
        } else {
            U::TEXTURE_BINDING | U::COPY_DST
        };
        let dimension = match self.shape.dimension {
            ImageDimension::D1 => wgpu::TextureDimension::D1,
            ImageDimension::D2 | ImageDimension::Cube => wgpu::TextureDimension::D2,
            ImageDimension::D3 => wgpu::TextureDimension::D3,
        };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: self.level_size(0),
            mip_level_count: self.levels,
            sample_count: 1,
            dimension,
            format: self.format,
            usage,
            view_formats: &[],
        });
        let mut rest = bytes;
        for level in 0..self.levels {
            let size = self.level_size(level);
            let texels = size.width * size.height * size.depth_or_array_layers;
            let (here, behind) = rest.split_at((texels * self.texel_bytes()) as usize);
            rest = behind;
            if self.is_depth() {
                super::driver_depth::fill(device, queue, &texture, level, size, here);
                continue;
            }
            let to = wgpu::TexelCopyTextureInfo { mip_level: level, ..texture.as_image_copy() };
            queue.write_texture(to, here, self.layout(size, 1), size);
        }
        texture
    }

    /// Rows of a multiple of `align` bytes.
    fn layout(&self, size: wgpu::Extent3d, align: u32) -> wgpu::TexelCopyBufferLayout {
        let row = (size.width * self.texel_bytes()).next_multiple_of(align);
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: Some(size.height) }
    }

    /// The view that is bound.
    pub(crate) fn view(&self, texture: &wgpu::Texture) -> wgpu::TextureView {
        let dimension = Some(self.view_dimension());
        texture.create_view(&wgpu::TextureViewDescriptor { dimension, ..wgpu::TextureViewDescriptor::default() })
    }

    /// A buffer with the texels of a storage texture, and the rows of it.
    pub(crate) fn download(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        texture: &wgpu::Texture,
    ) -> (wgpu::Buffer, TexelRows) {
        let size = self.level_size(0);
        let layout = self.layout(size, wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let pitch = layout.bytes_per_row.unwrap_or(0);
        let rows = size.height * size.depth_or_array_layers;
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(pitch * rows),
            usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), to, size);
        queue.submit([encoder.finish()]);
        (buffer, TexelRows { pitch: pitch as usize, row: (size.width * self.texel_bytes()) as usize })
    }
}

/// Rows of texels with gaps between them.
pub(crate) struct TexelRows {
    pitch: usize,
    row: usize,
}

impl TexelRows {
    /// The texels without the gaps.
    pub(crate) fn tight(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.chunks(self.pitch).flat_map(|row| &row[..self.row]).copied().collect()
    }
}

/// The type of a sampler that does not compare, in a layout.
pub(crate) fn sampler_type(bytes: &[u8]) -> wgpu::SamplerBindingType {
    // Three filters that are all the nearest.
    match bytes.get(..12) {
        Some(filters) if filters.iter().all(|&byte| byte == 0) => wgpu::SamplerBindingType::NonFiltering,
        _ => wgpu::SamplerBindingType::Filtering,
    }
}

/// The sampler of these settings.
pub(crate) fn sampler(device: &wgpu::Device, kind: BindingKind, bytes: &[u8]) -> wgpu::Sampler {
    let word = |i: usize| bytes[4 * i..4 * i + 4].try_into().map_or(0, u32::from_le_bytes);
    let filter = |i| if word(i) == 1 { wgpu::FilterMode::Linear } else { wgpu::FilterMode::Nearest };
    let address = |i| match word(i) {
        1 => wgpu::AddressMode::Repeat,
        2 => wgpu::AddressMode::MirrorRepeat,
        _ => wgpu::AddressMode::ClampToEdge,
    };
    use wgpu::CompareFunction as C;
    let comparisons = [C::Never, C::Less, C::Equal, C::LessEqual, C::Greater, C::NotEqual, C::GreaterEqual, C::Always];
    let compares = matches!(kind, BindingKind::Sampler { comparison: true });
    device.create_sampler(&wgpu::SamplerDescriptor {
        mag_filter: filter(0),
        min_filter: filter(1),
        mipmap_filter: if word(2) == 1 { wgpu::MipmapFilterMode::Linear } else { wgpu::MipmapFilterMode::Nearest },
        address_mode_u: address(3),
        address_mode_v: address(4),
        address_mode_w: address(5),
        compare: compares.then(|| comparisons[word(6) as usize % 8]),
        lod_min_clamp: f32::from_bits(word(7)),
        lod_max_clamp: f32::from_bits(word(8)),
        ..wgpu::SamplerDescriptor::default()
    })
}

/// The format of a storage texture: the names are the same.
fn storage_format(format: naga::StorageFormat) -> wgpu::TextureFormat {
    macro_rules! same {
        ($($name:ident)*) => {
            match format {
                $(naga::StorageFormat::$name => wgpu::TextureFormat::$name,)*
            }
        };
    }
    same! {
        R8Unorm R8Snorm R8Uint R8Sint R16Uint R16Sint R16Float Rg8Unorm Rg8Snorm Rg8Uint Rg8Sint
        R32Uint R32Sint R32Float Rg16Uint Rg16Sint Rg16Float Rgba8Unorm Rgba8Snorm Rgba8Uint Rgba8Sint
        Bgra8Unorm Rgb10a2Uint Rgb10a2Unorm Rg11b10Ufloat R64Uint Rg32Uint Rg32Sint Rg32Float
        Rgba16Uint Rgba16Sint Rgba16Float Rgba32Uint Rgba32Sint Rgba32Float
        R16Unorm R16Snorm Rg16Unorm Rg16Snorm Rgba16Unorm Rgba16Snorm
    }
}
