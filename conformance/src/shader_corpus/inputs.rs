//! Inputs for shaders that come without any, made from the types of their bindings.

use std::fmt;

use tilewise_import::{BindingKind, BindingSlot, ImageDimension, ShaderBinding, TextureBinding};
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{Argument, LaunchMemory, ViewArgument};
use tilewise_ir::types::{Stored, Type, TypeId, Types};

/// A set of inputs: the integers in uniform variables, which are sizes and counts mostly, and whether
/// buffers are zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct InputSet {
    uniform: u32,
    zero: bool,
}

impl InputSet {
    /// The sets, in the order in which they are tried.
    pub(super) const ALL: [InputSet; 7] = [
        InputSet { uniform: 16, zero: false },
        InputSet { uniform: 256, zero: false },
        InputSet { uniform: 3, zero: false },
        InputSet { uniform: 64, zero: false },
        InputSet { uniform: 1, zero: false },
        InputSet { uniform: 4096, zero: false },
        InputSet { uniform: 4, zero: true },
    ];

    /// The sets with the fewest iterations, for a launch of one workgroup with more time.
    pub(super) const FEWEST: [InputSet; 3] = [
        InputSet { uniform: 1, zero: false },
        InputSet { uniform: 4, zero: true },
        InputSet { uniform: 0, zero: true },
    ];

    /// Whether buffers are zero.
    pub(super) fn is_zero(self) -> bool {
        self.zero
    }
}

impl fmt::Display for InputSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "integers of uniform variables are {}", self.uniform)?;
        if self.zero { f.write_str(", buffers are zero") } else { Ok(()) }
    }
}

/// The greatest size of a buffer.
const MAX_BYTES: u64 = 64 << 20;

/// Memory and arguments of a launch.
pub(super) struct MadeInputs {
    pub(super) memory: LaunchMemory,
    pub(super) arguments: Vec<Argument>,
    /// Does it differ between sets?
    pub(super) depends_on_set: bool,
}

impl MadeInputs {
    /// Makes the inputs of a kernel; `bytes` is the size of runtime-sized arrays.
    pub(super) fn make(
        kernel: &Kernel,
        bindings: &[ShaderBinding],
        set: InputSet,
        bytes: u64,
    ) -> Result<MadeInputs, String> {
        let mut made = MadeInputs { memory: LaunchMemory::default(), arguments: Vec::new(), depends_on_set: false };
        let types = kernel.types();
        let mut size = [0; 4];
        let size_of_buffer = |ty: TypeId| {
            let open = if types.is_runtime_sized(ty) { bytes } else { 0 };
            (types.size(ty) + open).next_multiple_of(4)
        };
        for (at, (param, binding)) in kernel.params().iter().zip(bindings).enumerate() {
            // Variables at one binding are one object, as long as the longest of them.
            let is_same = |other: &ShaderBinding| {
                matches!(binding.slot, BindingSlot::Resource { .. }) && other.slot == binding.slot
            };
            let first = bindings[..at].iter().position(is_same).and_then(|first| made.arguments.get(first));
            match param.kind {
                ParamKind::Buffer { .. } if let Some(first @ Argument::Buffer { .. }) = first => {
                    let same = first.clone();
                    made.arguments.push(same);
                }
                ParamKind::View(_) if let Some(first @ Argument::View(_)) = first => {
                    let same = first.clone();
                    made.arguments.push(same);
                }
                ParamKind::Buffer { ty, .. } => {
                    let others = kernel.params().iter().zip(bindings).filter(|(_, other)| is_same(other));
                    let sizes = others.filter_map(|(other, _)| match other.kind {
                        ParamKind::Buffer { ty, .. } => Some(size_of_buffer(ty)),
                        ParamKind::View(_) | ParamKind::Uniform(_) => None,
                    });
                    let size = sizes.max().unwrap_or_else(|| size_of_buffer(ty));
                    if size > MAX_BYTES {
                        return Err(format!("`{}` has {size} bytes, more than are made up", param.name));
                    }
                    let mut contents = vec![0; size as usize];
                    if !set.zero {
                        Filler { types, count: 0, uniform: None }.fill(ty, &mut contents, 0);
                    }
                    made.memory.allocations.push(contents);
                    let allocation = made.memory.allocations.len() - 1;
                    made.arguments.push(Argument::Buffer { allocation, offset: 0, size });
                }
                ParamKind::Uniform(_) if binding.kind == BindingKind::TextureSize => {
                    made.arguments.push(Argument::Uniform(size.iter().flat_map(|n: &u32| n.to_le_bytes()).collect()));
                }
                ParamKind::Uniform(_) if matches!(binding.kind, BindingKind::Sampler { .. }) => {
                    made.arguments.push(Argument::Uniform(sampler()));
                }
                ParamKind::Uniform(ty) => {
                    let mut contents = vec![0; types.size(ty) as usize];
                    Filler { types, count: 0, uniform: Some(set.uniform) }.fill(ty, &mut contents, 0);
                    if let Some(Argument::Uniform(same)) = first {
                        let length = same.len().min(contents.len());
                        contents[..length].copy_from_slice(&same[..length]);
                    }
                    made.arguments.push(Argument::Uniform(contents));
                    made.depends_on_set = true;
                }
                ParamKind::View(view) => {
                    let BindingKind::Texture(texture) = binding.kind else {
                        return Err(format!("`{}` is a view, and no texture", param.name));
                    };
                    let extent = extent_of(&texture);
                    size = size_of(&texture);
                    let texels: i32 = extent.iter().product();
                    let mut contents = vec![0; (texels as usize) * types.element_size(view.element) as usize];
                    let stride = types.element_size(view.element) as usize;
                    let mut filler = Filler { types, count: 0, uniform: None };
                    (0..texels as usize).for_each(|i| filler.fill(view.element, &mut contents, i * stride));
                    made.memory.allocations.push(contents);
                    let allocation = made.memory.allocations.len() - 1;
                    made.arguments.push(Argument::View(ViewArgument::dense(allocation, &extent)));
                }
            }
        }
        Ok(made)
    }
}

/// Texels along each dimension of a texture that is made up.
const TEXELS: u32 = 16;
/// Its slices, its layers, and its samples.
const SLICES: u32 = 8;
const LAYERS: u32 = 4;
const SAMPLES: u32 = 4;
/// The levels of a texture of this size.
const LEVELS: u32 = 5;

/// Width, height, depth or layers, and levels.
fn size_of(texture: &TextureBinding) -> [u32; 4] {
    let shape = texture.shape;
    let height = if shape.coordinates() > 1 { TEXELS } else { 1 };
    let layers = if shape.is_array { LAYERS } else { 1 };
    let depth = match shape.dimension {
        ImageDimension::D3 => SLICES,
        ImageDimension::Cube => 6 * layers,
        ImageDimension::D1 | ImageDimension::D2 => layers,
    };
    [TEXELS, height, depth, if texture.has_levels { LEVELS } else { 1 }]
}

/// The extent of its view.
fn extent_of(texture: &TextureBinding) -> Vec<i32> {
    let shape = texture.shape;
    let [width, height, depth, levels] = size_of(texture);
    if texture.has_levels {
        let along = |size: u32, level: u32| (size >> level).max(1);
        let slices = |level| if shape.is_volume() { along(depth, level) } else { depth };
        let texels: u32 = (0..levels).map(|level| along(width, level) * along(height, level) * slices(level)).sum();
        return vec![texels as i32];
    }
    let mut extent = Vec::new();
    if shape.is_volume() || shape.has_layers() {
        extent.push(depth);
    }
    if shape.coordinates() > 1 {
        extent.push(height);
    }
    extent.push(width);
    if shape.class.is_multisampled() {
        extent.push(SAMPLES);
    }
    extent.into_iter().map(|size| size as i32).collect()
}

/// Linear between texels, the nearest level, repeated, `less`, all levels.
fn sampler() -> Vec<u8> {
    let words = [1, 1, 0, 1, 1, 1, 1, 0f32.to_bits(), 32f32.to_bits()];
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Fills an object scalar by scalar: small integers that repeat, floats between 0 and 1.
struct Filler<'a> {
    types: &'a Types,
    count: u32,
    /// The value of integers, in a uniform variable.
    uniform: Option<u32>,
}

/// Integers are below this number.
const INTEGERS: u32 = 61;

impl Filler<'_> {
    fn fill(&mut self, ty: TypeId, bytes: &mut [u8], at: usize) {
        match self.types.get(ty) {
            &Type::Array { element, length, stride } => {
                let size = self.types.size(element) as usize;
                let stride = stride as usize;
                let room = bytes.len().saturating_sub(at);
                let fitting = if stride == 0 || room < size { 0 } else { (room - size) / stride + 1 };
                let count = length.map_or(fitting, |length| fitting.min(length as usize));
                (0..count).for_each(|i| self.fill(element, bytes, at + i * stride));
            }
            Type::Struct(described) => {
                for field in &described.fields {
                    self.fill(field.ty, bytes, at + field.offset as usize);
                }
            }
            &Type::Scalar(stored) => self.scalar(stored, bytes, at),
            &Type::Vector(stored, width) => {
                for i in 0..usize::from(width) {
                    self.scalar(stored, bytes, at + i * stored.size() as usize);
                }
            }
        }
    }

    fn scalar(&mut self, stored: Stored, bytes: &mut [u8], at: usize) {
        self.count = self.count.wrapping_add(1);
        let number = self.count.wrapping_mul(7) % INTEGERS;
        let float = f64::from(number) / f64::from(INTEGERS) + 0.01;
        let integer = self.uniform.unwrap_or(number);
        let contents: Vec<u8> = match stored {
            Stored::F16 => half::f16::from_f64(float).to_le_bytes().to_vec(),
            Stored::F32 => (float as f32).to_le_bytes().to_vec(),
            Stored::F64 => float.to_le_bytes().to_vec(),
            Stored::Bool => vec![(integer & 1) as u8],
            Stored::I8 | Stored::U8 => vec![integer as u8],
            Stored::I16 | Stored::U16 => (integer as u16).to_le_bytes().to_vec(),
            Stored::I32 | Stored::U32 => integer.to_le_bytes().to_vec(),
            Stored::I64 | Stored::U64 => u64::from(integer).to_le_bytes().to_vec(),
        };
        if let Some(to) = bytes.get_mut(at..at + contents.len()) {
            to.copy_from_slice(&contents);
        }
    }
}
