//! One shader for each storage format with each access, and for each atomic operation on texels.

use naga::{AtomicFunction, ImageDimension, ScalarKind, StorageFormat};

use super::TestShader;
use super::textures::{SHAPES, Shape, contents, coordinates, suffix, vector};

/// The name in WGSL, and the numbers that shaders read and write; `None` for what WGSL lacks.
pub(crate) fn storage_format(format: StorageFormat) -> Option<(String, ScalarKind)> {
    use StorageFormat as F;
    let kind = match format {
        F::R8Uint
        | F::R16Uint
        | F::Rg8Uint
        | F::R32Uint
        | F::Rg16Uint
        | F::Rgba8Uint
        | F::Rgb10a2Uint
        | F::Rg32Uint
        | F::Rgba16Uint
        | F::Rgba32Uint => ScalarKind::Uint,
        F::R8Sint
        | F::R16Sint
        | F::Rg8Sint
        | F::R32Sint
        | F::Rg16Sint
        | F::Rgba8Sint
        | F::Rg32Sint
        | F::Rgba16Sint
        | F::Rgba32Sint => ScalarKind::Sint,
        F::R8Unorm
        | F::R8Snorm
        | F::R16Float
        | F::Rg8Unorm
        | F::Rg8Snorm
        | F::R32Float
        | F::Rg16Float
        | F::Rgba8Unorm
        | F::Rgba8Snorm
        | F::Bgra8Unorm
        | F::Rgb10a2Unorm
        | F::Rg11b10Ufloat
        | F::Rg32Float
        | F::Rgba16Float
        | F::Rgba32Float
        | F::R16Unorm
        | F::R16Snorm
        | F::Rg16Unorm
        | F::Rg16Snorm
        | F::Rgba16Unorm
        | F::Rgba16Snorm => ScalarKind::Float,
        // Its only operations are atomic, on 64 bits.
        F::R64Uint => return None,
    };
    Some((format!("{format:?}").to_lowercase(), kind))
}

/// Every storage format.
pub(crate) const FORMATS: [StorageFormat; 41] = {
    use StorageFormat as F;
    [
        F::R8Unorm,
        F::R8Snorm,
        F::R8Uint,
        F::R8Sint,
        F::R16Uint,
        F::R16Sint,
        F::R16Float,
        F::Rg8Unorm,
        F::Rg8Snorm,
        F::Rg8Uint,
        F::Rg8Sint,
        F::R32Uint,
        F::R32Sint,
        F::R32Float,
        F::Rg16Uint,
        F::Rg16Sint,
        F::Rg16Float,
        F::Rgba8Unorm,
        F::Rgba8Snorm,
        F::Rgba8Uint,
        F::Rgba8Sint,
        F::Bgra8Unorm,
        F::Rgb10a2Uint,
        F::Rgb10a2Unorm,
        F::Rg11b10Ufloat,
        F::R64Uint,
        F::Rg32Uint,
        F::Rg32Sint,
        F::Rg32Float,
        F::Rgba16Uint,
        F::Rgba16Sint,
        F::Rgba16Float,
        F::Rgba32Uint,
        F::Rgba32Sint,
        F::Rgba32Float,
        F::R16Unorm,
        F::R16Snorm,
        F::Rg16Unorm,
        F::Rg16Snorm,
        F::Rgba16Unorm,
        F::Rgba16Snorm,
    ]
};

/// A shader that reads, writes, or does both to a storage texture.
fn stored(format: StorageFormat, shape: Shape, access: &str) -> Option<TestShader> {
    let (name, kind) = storage_format(format)?;
    let count = coordinates(shape);
    let at = vector(&["i % 5u", "i % 4u", "i / 4u"], count, "u");
    let layer = if shape.1 { ", i % 2u" } else { "" };
    let numbers = match (kind, format) {
        (_, StorageFormat::Rg11b10Ufloat) => "random 5 0..2000000000",
        (ScalarKind::Float, StorageFormat::R32Float | StorageFormat::Rg32Float | StorageFormat::Rgba32Float) => {
            "random 2 -2..2"
        }
        (ScalarKind::Float, StorageFormat::R16Float | StorageFormat::Rg16Float | StorageFormat::Rgba16Float) => {
            "random 2 -2..2"
        }
        _ => "random 3 0..100",
    };
    let value = match kind {
        ScalarKind::Float => "vec4f(f * 0.3 - 0.9, f * 0.11, 1.2 - f * 0.2, 0.6)",
        ScalarKind::Sint => "vec4i(i32(i) * 40 - 100, 5, -7, 100000 * (i32(i) - 3))",
        _ => "vec4u(i * 40u, 5u, 70u, 100000u * i)",
    };
    let (body, out) = match access {
        "read" => (format!("out[i] = vec4f(textureLoad(t, {at}{layer}));"), "//! out: [8] = zero\n"),
        "write" => (format!("textureStore(t, {at}{layer}, {value});"), ""),
        _ => (
            format!("let old = textureLoad(t, {at}{layer});\n    textureStore(t, {at}{layer}, old.wxyz + {value});"),
            "",
        ),
    };
    let buffer = match access {
        "read" => "@group(0) @binding(1) var<storage, read_write> out: array<vec4f>;\n",
        _ => "",
    };
    let header = contents(shape, false, numbers);
    let ty = format!("texture_storage_{}<{name}, {access}>", suffix(shape));
    let text = format!(
        "//! dispatch 1\n{header}{out}@group(0) @binding(0) var t: {ty};
{buffer}@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {{
    let f = f32(i);
    {body}
}}
"
    );
    Some(TestShader { name: format!("textures/{ty}"), text })
}

pub(crate) fn storage() -> Vec<TestShader> {
    let mut out = Vec::new();
    for access in ["read", "write", "read_write"] {
        let plane = (ImageDimension::D2, false, false);
        out.extend(FORMATS.iter().filter_map(|&format| stored(format, plane, access)));
        for shape in SHAPES.into_iter().filter(|shape| *shape != plane && !shape.2 && shape.0 != ImageDimension::Cube) {
            out.extend(
                [StorageFormat::R32Float, StorageFormat::Rgba8Unorm]
                    .map(|format| stored(format, shape, access))
                    .into_iter()
                    .flatten(),
            );
        }
    }
    // Out of range two threads of a line of four would meet at one texel.
    out.iter_mut().filter(|test| test.text.contains("texture_storage_1d")).for_each(|test| {
        test.text = test.text.replace("i % 5u", "i");
    });
    out
}

/// The built-in function of WGSL that is an atomic operation on texels; `None` for what WGSL lacks.
pub(crate) fn atomic(function: AtomicFunction) -> Option<&'static str> {
    Some(match function {
        AtomicFunction::Add => "textureAtomicAdd",
        AtomicFunction::And => "textureAtomicAnd",
        AtomicFunction::ExclusiveOr => "textureAtomicXor",
        AtomicFunction::InclusiveOr => "textureAtomicOr",
        AtomicFunction::Min => "textureAtomicMin",
        AtomicFunction::Max => "textureAtomicMax",
        AtomicFunction::Subtract | AtomicFunction::Exchange { .. } => return None,
    })
}

pub(crate) const ATOMICS: [AtomicFunction; 8] = [
    AtomicFunction::Add,
    AtomicFunction::Subtract,
    AtomicFunction::And,
    AtomicFunction::ExclusiveOr,
    AtomicFunction::InclusiveOr,
    AtomicFunction::Min,
    AtomicFunction::Max,
    AtomicFunction::Exchange { compare: None },
];

/// Each atomic operation, on texels of 32 bits.
pub(crate) fn atomics() -> Vec<TestShader> {
    let mut out = Vec::new();
    for function in ATOMICS.into_iter().filter_map(atomic) {
        for shape in SHAPES.into_iter().filter(|shape| !shape.2 && shape.0 != ImageDimension::Cube) {
            for (format, number) in [("r32uint", "u32(i * 77u + 3u)"), ("r32sint", "i32(i * 91u) - 300")] {
                let header = contents(shape, false, "random 4 0..200");
                let at = vector(&["i % 3u", "i % 2u", "1u"], coordinates(shape), "u");
                let layer = if shape.1 { ", i % 2u" } else { "" };
                let ty = format!("texture_storage_{}<{format}, atomic>", suffix(shape));
                let text = format!(
                    "//! dispatch 2\n{header}@group(0) @binding(0) var t: {ty};
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {{
    let i = id.x;
    {function}(t, {at}{layer}, {number});
}}
"
                );
                out.push(TestShader { name: format!("textures/{function}/{ty}"), text });
            }
        }
    }
    out
}
