//! Texels in memory: the element of a texture's view, and what a shader reads from it and writes to it.
//!
//! A storage texture holds the bytes of its format. Other textures hold the numbers that a shader
//! reads: their format is the program's affair.

use naga::{ImageClass, ScalarKind, StorageFormat};
use tilewise_ir::kernel::{Const, InstKind, Place, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored, TypeId};

use crate::ShaderImporter;

/// The texels of a texture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TexelFormat {
    /// What each channel is stored as; a packed texel is one scalar.
    pub(crate) stored: Stored,
    /// The number of stored scalars.
    pub(crate) width: u8,
    coding: TexelCoding,
}

/// How stored scalars become numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TexelCoding {
    /// They are the numbers.
    Same,
    /// Integers; those that the format does not have become the nearest.
    Held,
    /// By the functions `texture::of_NAME` and `texture::to_NAME`, channel by channel.
    Channels(&'static str),
    /// The same, blue first.
    BlueFirst(&'static str),
    /// By the same functions, all channels at once.
    Packed(&'static str),
    /// A single number that is the whole value: a depth.
    Depth,
}

impl TexelFormat {
    /// The format of a texture of this class; `None` if it is one of numbers that textures lack.
    pub(crate) fn of(class: ImageClass) -> Option<TexelFormat> {
        let same = |stored| TexelFormat { stored, width: 4, coding: TexelCoding::Same };
        Some(match class {
            ImageClass::Sampled { kind: ScalarKind::Float, .. } | ImageClass::External => same(Stored::F32),
            ImageClass::Sampled { kind: ScalarKind::Sint, .. } => same(Stored::I32),
            ImageClass::Sampled { kind: ScalarKind::Uint, .. } => same(Stored::U32),
            ImageClass::Sampled {
                kind: ScalarKind::Bool | ScalarKind::AbstractInt | ScalarKind::AbstractFloat,
                ..
            } => return None,
            ImageClass::Depth { .. } => TexelFormat { stored: Stored::F32, width: 1, coding: TexelCoding::Depth },
            ImageClass::Storage { format, .. } => TexelFormat::of_storage(format),
        })
    }

    fn of_storage(format: StorageFormat) -> TexelFormat {
        use StorageFormat as F;
        use TexelCoding::{BlueFirst, Channels, Held, Packed, Same};
        let (stored, width, coding) = match format {
            F::R8Unorm => (Stored::U8, 1, Channels("unorm8")),
            F::Rg8Unorm => (Stored::U8, 2, Channels("unorm8")),
            F::Rgba8Unorm => (Stored::U8, 4, Channels("unorm8")),
            F::Bgra8Unorm => (Stored::U8, 4, BlueFirst("unorm8")),
            F::R8Snorm => (Stored::I8, 1, Channels("snorm8")),
            F::Rg8Snorm => (Stored::I8, 2, Channels("snorm8")),
            F::Rgba8Snorm => (Stored::I8, 4, Channels("snorm8")),
            F::R8Uint => (Stored::U8, 1, Held),
            F::Rg8Uint => (Stored::U8, 2, Held),
            F::Rgba8Uint => (Stored::U8, 4, Held),
            F::R8Sint => (Stored::I8, 1, Held),
            F::Rg8Sint => (Stored::I8, 2, Held),
            F::Rgba8Sint => (Stored::I8, 4, Held),
            F::R16Unorm => (Stored::U16, 1, Channels("unorm16")),
            F::Rg16Unorm => (Stored::U16, 2, Channels("unorm16")),
            F::Rgba16Unorm => (Stored::U16, 4, Channels("unorm16")),
            F::R16Snorm => (Stored::I16, 1, Channels("snorm16")),
            F::Rg16Snorm => (Stored::I16, 2, Channels("snorm16")),
            F::Rgba16Snorm => (Stored::I16, 4, Channels("snorm16")),
            F::R16Uint => (Stored::U16, 1, Held),
            F::Rg16Uint => (Stored::U16, 2, Held),
            F::Rgba16Uint => (Stored::U16, 4, Held),
            F::R16Sint => (Stored::I16, 1, Held),
            F::Rg16Sint => (Stored::I16, 2, Held),
            F::Rgba16Sint => (Stored::I16, 4, Held),
            F::R16Float => (Stored::F16, 1, Same),
            F::Rg16Float => (Stored::F16, 2, Same),
            F::Rgba16Float => (Stored::F16, 4, Same),
            F::R32Uint => (Stored::U32, 1, Same),
            F::Rg32Uint => (Stored::U32, 2, Same),
            F::Rgba32Uint => (Stored::U32, 4, Same),
            F::R32Sint => (Stored::I32, 1, Same),
            F::Rg32Sint => (Stored::I32, 2, Same),
            F::Rgba32Sint => (Stored::I32, 4, Same),
            F::R32Float => (Stored::F32, 1, Same),
            F::Rg32Float => (Stored::F32, 2, Same),
            F::Rgba32Float => (Stored::F32, 4, Same),
            F::R64Uint => (Stored::U64, 1, Same),
            F::Rgb10a2Uint => (Stored::U32, 1, Packed("rgb10a2uint")),
            F::Rgb10a2Unorm => (Stored::U32, 1, Packed("rgb10a2unorm")),
            F::Rg11b10Ufloat => (Stored::U32, 1, Packed("rg11b10ufloat")),
        };
        TexelFormat { stored, width, coding }
    }
}

impl ShaderImporter<'_> {
    /// The element of a texture's view.
    pub(crate) fn texel_type(&mut self, format: TexelFormat) -> TypeId {
        let types = self.builder.types();
        match format.width {
            1 => types.scalar(format.stored),
            width => types.vector(format.stored, width),
        }
    }

    /// A texel as a shader reads it: a depth, or four channels, of which the missing ones are 0 and
    /// the last one 1.
    pub(crate) fn load_texel(&mut self, place: Place, format: TexelFormat) -> ValueId {
        let stored = self.inst(InstKind::Load(place));
        match format.coding {
            TexelCoding::Depth => stored,
            TexelCoding::Same | TexelCoding::Held => self.with_missing_channels(stored, format.width),
            TexelCoding::Channels(name) => {
                let four = self.with_missing_channels(stored, format.width);
                let numbers = self.texture_call(&format!("of_{name}"), &[four]);
                match format.width {
                    4 => numbers,
                    width => {
                        let there = self.first_channels(numbers, width);
                        self.with_missing_channels(there, width)
                    }
                }
            }
            TexelCoding::BlueFirst(name) => {
                let numbers = self.texture_call(&format!("of_{name}"), &[stored]);
                self.red_first(numbers)
            }
            TexelCoding::Packed(name) => self.texture_call(&format!("of_{name}"), &[stored]),
        }
    }

    /// Stores the channels that the format has, of the four that a shader writes.
    pub(crate) fn store_texel(&mut self, place: Place, value: ValueId, format: TexelFormat) {
        let stored = match format.coding {
            TexelCoding::Depth => value,
            TexelCoding::Same => self.first_channels(value, format.width),
            TexelCoding::Held => {
                let there = self.first_channels(value, format.width);
                self.held_integers(there, format.stored)
            }
            TexelCoding::Channels(name) => {
                let four = self.texture_call(&format!("to_{name}"), &[value]);
                self.first_channels(four, format.width)
            }
            TexelCoding::BlueFirst(name) => {
                let four = self.texture_call(&format!("to_{name}"), &[value]);
                self.red_first(four)
            }
            TexelCoding::Packed(name) => self.texture_call(&format!("to_{name}"), &[value]),
        };
        let pos = self.pos;
        self.builder.emit(InstKind::Store { place, value: stored }, pos);
    }

    fn first_channels(&mut self, value: ValueId, width: u8) -> ValueId {
        if width == 4 { value } else { self.inst(InstKind::Swizzle { value, components: (0..width).collect() }) }
    }

    /// Exchanges the first and the third channel.
    fn red_first(&mut self, value: ValueId) -> ValueId {
        self.inst(InstKind::Swizzle { value, components: vec![2, 1, 0, 3] })
    }

    fn with_missing_channels(&mut self, value: ValueId, width: u8) -> ValueId {
        if width == 4 {
            return value;
        }
        let scalar = self.data_type(value).scalar;
        let mut channels: Vec<ValueId> = (0..width).map(|i| self.component(value, i)).collect();
        channels.resize(3, self.builder.constant(Const { scalar, bits: 0 }));
        let one = match scalar {
            Scalar::F32 => Const::f32(1.0),
            scalar => Const { scalar, bits: 1 },
        };
        channels.push(self.builder.constant(one));
        self.vector(channels)
    }

    /// Integers held to those that 8 or 16 bits have.
    pub(crate) fn held_integers(&mut self, value: ValueId, stored: Stored) -> ValueId {
        let bits = stored.size() * 8;
        let (least, most) = match stored.value() {
            Scalar::I32 => (Const::i32(-(1 << (bits - 1))), Const::i32((1 << (bits - 1)) - 1)),
            _ => (Const::u32(0), Const::u32((1 << bits) - 1)),
        };
        let (least, most) = (self.builder.constant(least), self.builder.constant(most));
        self.wide_op(Op::Clamp, &[value, least, most])
    }
}
