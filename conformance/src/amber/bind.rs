//! Arguments of a launch, from the buffers that a pipeline binds. Each buffer of a script is an allocation of the
//! same number, so buffers that are bound twice overlap.

use tilewise_amber::{AmberScript, BindingUse, BoundBuffer, ChannelMode, ScriptBuffer, ScriptPipeline};
use tilewise_header::{Complaint, value};
use tilewise_import::{BindingKind, BindingSlot, ImageDimension, ShaderBinding};
use tilewise_ir::kernel::{Kernel, Param, ParamKind};
use tilewise_ir::launch::{Argument, LaunchMemory, ViewArgument};
use tilewise_ir::types::{Stored, Type, TypeId};

use super::program::AmberKernel;

/// The greatest alignment of a block: allocations are rounded up to it.
pub(super) const ROOM: usize = 32;

/// Bytes of all images of a run that are copied, at most.
const MOST_COPIED: u64 = 1 << 28;

/// The arguments of a run of a pipeline. Texels that the shader only reads, and that are stored in another form
/// than it reads, are added to `memory` as allocations of their own.
pub fn arguments(
    script: &AmberScript,
    pipeline: &ScriptPipeline,
    kernel: &AmberKernel,
    memory: &mut LaunchMemory,
) -> Result<Vec<Argument>, Complaint> {
    let params = kernel.kernel.kernel().params().iter().zip(&kernel.bindings);
    params
        .map(|(param, binding)| argument(script, pipeline, kernel.kernel.kernel(), (param, binding), memory))
        .collect()
}

fn argument(
    script: &AmberScript,
    pipeline: &ScriptPipeline,
    kernel: &Kernel,
    (param, binding): (&Param, &ShaderBinding),
    memory: &mut LaunchMemory,
) -> Result<Argument, Complaint> {
    let slot = match binding.slot {
        BindingSlot::Resource { group, binding } => Some((group, binding)),
        BindingSlot::Immediate => None,
    };
    let bound = pipeline.bindings.iter().find(|bound| bound.slot == slot).ok_or_else(|| {
        let place = match slot {
            Some((set, number)) => format!("at set {set}, binding {number}"),
            None => "as push constant".to_owned(),
        };
        let message = format!("the pipeline `{}` binds nothing {place}", pipeline.name);
        Complaint::new(pipeline.at, message, format!("the shader uses `{}` there", binding.name))
    })?;
    let buffer = &script.buffers[bound.buffer];
    let fits = match binding.kind {
        BindingKind::Buffer => bound.usage == BindingUse::Storage,
        BindingKind::Uniform => {
            bound.usage == if slot.is_some() { BindingUse::Uniform } else { BindingUse::PushConstant }
        }
        BindingKind::Texture(_) => matches!(bound.usage, BindingUse::StorageImage | BindingUse::SampledImage),
        BindingKind::TextureSize | BindingKind::Sampler { .. } => false,
    };
    if !fits {
        let what = match binding.kind {
            BindingKind::Buffer => "a storage buffer",
            BindingKind::Uniform => "a uniform buffer or a push constant",
            BindingKind::Texture(_) => "an image",
            BindingKind::TextureSize => "an image with levels",
            BindingKind::Sampler { .. } => "a sampler",
        };
        let message = format!(
            "`{}` is bound as {}, and `{}` of the shader is {what}",
            buffer.name,
            bound.usage.name(),
            binding.name
        );
        return Err(Complaint::new(bound.at, message, "bind it as the shader declares it"));
    }
    match param.kind {
        ParamKind::Buffer { ty, .. } => {
            let (offset, size) = bytes_of(bound, buffer)?;
            // The size of a block is rounded up to its alignment, and nothing is stored in the rest.
            let want = kernel.types().size(ty);
            holds_block(kernel, ty, size, (buffer, bound, binding))?;
            let is_rounded = size < want && want - size < ROOM as u64 && bound.range.is_none();
            let size = if is_rounded { size.next_multiple_of(ROOM as u64).min(want) } else { size };
            Ok(Argument::Buffer { allocation: bound.buffer, offset, size })
        }
        ParamKind::Uniform(ty) => {
            let (offset, size) = bytes_of(bound, buffer)?;
            let want = kernel.types().size(ty);
            let all = memory.allocations.get(bound.buffer).map_or(&[][..], Vec::as_slice);
            // naga rounds a block up to its alignment; drivers do not.
            let there = &all[(offset as usize).min(all.len())..((offset + size) as usize).min(all.len())];
            let mut bytes = there[..there.len().min(want as usize)].to_vec();
            holds_block(kernel, ty, bytes.len() as u64, (buffer, bound, binding))?;
            bytes.resize(want as usize, 0);
            Ok(Argument::Uniform(bytes))
        }
        ParamKind::View(view) => image(script, kernel, bound, (binding, view.element), memory),
    }
}

/// That all scalars of a block lie within the bytes that are bound: only the padding behind the last may be missing.
fn holds_block(
    kernel: &Kernel,
    ty: TypeId,
    have: u64,
    (buffer, bound, binding): (&ScriptBuffer, &BoundBuffer, &ShaderBinding),
) -> Result<(), Complaint> {
    let want = kernel.types().end_of_scalars(ty);
    if have >= want {
        return Ok(());
    }
    let message = format!("`{}` has {have} bytes there, and `{}` of the shader has {want}", buffer.name, binding.name);
    Err(Complaint::new(bound.at, message, "make the buffer larger"))
}

/// First byte and number of the bytes that are bound.
fn bytes_of(bound: &BoundBuffer, buffer: &ScriptBuffer) -> Result<(u64, u64), Complaint> {
    let all = buffer.contents.len() as u64;
    let size = bound
        .range
        .or_else(|| all.checked_sub(bound.offset))
        // Nothing at all is bound of a buffer that ends where the offset is.
        .filter(|size| *size > 0 && bound.offset.checked_add(*size).is_some_and(|end| end <= all));
    let size = size.ok_or_else(|| {
        let message = format!("what is bound of `{}` lies not within it", buffer.name);
        Complaint::new(bound.at, message, format!("it has {all} bytes"))
    })?;
    Ok((bound.offset, size))
}

/// A texture: the buffer itself if its texels are stored as the kernel's are, else a copy of what it reads.
fn image(
    script: &AmberScript,
    kernel: &Kernel,
    bound: &BoundBuffer,
    (binding, element): (&ShaderBinding, TypeId),
    memory: &mut LaunchMemory,
) -> Result<Argument, Complaint> {
    let buffer = &script.buffers[bound.buffer];
    let refuse = |message: String, help: &str| Err(Complaint::new(bound.at, message, help));
    let (BindingKind::Texture(texture), Some(texels)) = (binding.kind, &buffer.texels) else {
        return refuse(format!("`{}` has no format of texels", buffer.name), "declare it as an image with a FORMAT");
    };
    let shape = texture.shape;
    if texture.has_levels || shape.is_array || shape.class.is_multisampled() || shape.dimension == ImageDimension::Cube
    {
        let message = format!("`{}` is an image with levels, layers or samples", binding.name);
        return refuse(message, "images here have one level, one layer and one sample");
    }
    let [width, height, depth] = buffer.extent;
    let extent = match shape.dimension {
        ImageDimension::D1 => vec![width],
        ImageDimension::D2 => vec![height, width],
        ImageDimension::D3 | ImageDimension::Cube => vec![depth, height, width],
    };
    let has_more = match shape.dimension {
        ImageDimension::D1 => height > 1 || depth > 1,
        ImageDimension::D2 => depth > 1,
        ImageDimension::D3 | ImageDimension::Cube => false,
    };
    let extent: Vec<i32> = extent.into_iter().map(|size| i32::try_from(size).unwrap_or(i32::MAX)).collect();
    if !buffer.is_image || has_more {
        let message = format!("`{}` has not the dimensions of `{}` in the shader", buffer.name, binding.name);
        return refuse(message, "declare it as `IMAGE name FORMAT f DIM_2D WIDTH w HEIGHT h`");
    }
    let (stored, channels) = match kernel.types().get(element) {
        &Type::Scalar(stored) => (stored, 1),
        &Type::Vector(stored, width) => (stored, usize::from(width)),
        Type::Array { .. } | Type::Struct(_) => {
            return refuse(format!("`{}` has texels of no scalars", binding.name), "take another format");
        }
    };
    let in_order = texels.channels.iter().zip(b"RGBA").all(|(have, want)| have == want);
    let is_same = stored == texels.stored && channels == texels.channels.len() && in_order;
    // The shader reads parts of 1 where the buffer holds integers.
    let reads_parts = texels.mode == ChannelMode::Norm && bound.usage == BindingUse::SampledImage;
    if is_same && !reads_parts && kernel.types().element_size(element) == buffer.element.stride {
        return Ok(Argument::View(ViewArgument::dense(bound.buffer, &extent)));
    }
    if binding.is_writable || bound.usage == BindingUse::StorageImage {
        let message = format!("`{}` has not the format of `{}` in the shader", buffer.name, binding.name);
        return refuse(message, "a storage image has the format that the shader declares");
    }
    // Vulkan leaves open what a shader reads that takes integers for floats, or floats for integers.
    let (has_integers, reads_floats) = (texels.mode == ChannelMode::Integer, stored.value().is_float());
    if has_integers == reads_floats {
        let [has, reads] = if has_integers { ["integers", "floats"] } else { ["floats", "integers"] };
        let message =
            format!("the texels of `{}` are {has}, and `{}` of the shader has {reads}", buffer.name, binding.name);
        return refuse(message, "take another format, or declare the texture as `texture_2d<u32>`, `<i32>` or `<f32>`");
    }
    let size = kernel.types().element_size(element);
    let count = buffer.count();
    let before: u64 = memory.allocations.iter().skip(script.buffers.len()).map(|copy| copy.len() as u64).sum();
    let Some(bytes) = count.checked_mul(size).filter(|bytes| before.saturating_add(*bytes) <= MOST_COPIED) else {
        let message =
            format!("`{}` is too large for an image whose texels the shader reads in another form", buffer.name);
        let help =
            format!("they are {size} bytes each there, and such images have at most {MOST_COPIED} bytes together");
        return Err(Complaint::new(bound.at, message, help));
    };
    let mut copy = vec![0; bytes as usize];
    let from = memory.allocations.get(bound.buffer).map_or(&[][..], Vec::as_slice);
    let most = value::range(texels.stored).1 as f64;
    for texel in 0..count {
        for (channel, letter) in b"RGBA".iter().take(channels).enumerate() {
            let place = texels.channels.iter().position(|have| have == letter);
            let bits = match place {
                // Missing channels read as 0, and the last one as 1.
                None => one_or_zero(*letter == b'A', stored),
                Some(place) => {
                    let at = texel * buffer.element.stride + place as u64 * u64::from(texels.stored.size());
                    let bits = value::read(from, at, texels.stored).unwrap_or(0);
                    let number = value::number(bits, texels.stored);
                    match texels.mode {
                        ChannelMode::Norm => u64::from(((number / most).max(-1.0) as f32).to_bits()),
                        ChannelMode::Float => u64::from((number as f32).to_bits()),
                        // Of one sign: the pattern is that of 32 bits.
                        ChannelMode::Integer => number as i64 as u64 & value::mask(stored),
                    }
                }
            };
            let at = texel * size + channel as u64 * u64::from(stored.size());
            value::write(&mut copy, at, stored, bits);
        }
    }
    memory.allocations.push(copy);
    Ok(Argument::View(ViewArgument::dense(memory.allocations.len() - 1, &extent)))
}

/// The bits of 0 or 1.
fn one_or_zero(is_one: bool, stored: Stored) -> u64 {
    match (is_one, stored) {
        (false, _) => 0,
        (true, Stored::F32) => u64::from(1f32.to_bits()),
        (true, _) => 1,
    }
}
