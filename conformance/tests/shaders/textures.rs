//! One shader for each kind of texture and each thing that a compute shader does with it; those that it
//! writes are in [`storage_textures`](super::storage_textures). The kinds are matched exhaustively, so that
//! none of naga's is forgotten.

use std::fmt::Write as _;

use naga::{ImageDimension, SampleLevel};

use super::TestShader;
use super::storage_textures::{ATOMICS, FORMATS, atomic, atomics, storage, storage_format};

/// What is done with a texture that is sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    Load,
    LoadLevel,
    Queries,
    SampleZero,
    SampleExact,
    SampleNearest,
    SampleGradient,
    SampleOffset,
    SampleEdge,
    Gather,
    GatherOffset,
    Compare,
    CompareOffset,
    GatherCompare,
}

const ACTS: [Act; 14] = [
    Act::Load,
    Act::LoadLevel,
    Act::Queries,
    Act::SampleZero,
    Act::SampleExact,
    Act::SampleNearest,
    Act::SampleGradient,
    Act::SampleOffset,
    Act::SampleEdge,
    Act::Gather,
    Act::GatherOffset,
    Act::Compare,
    Act::CompareOffset,
    Act::GatherCompare,
];

/// The numbers of a texture that is not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Texels {
    Float,
    Sint,
    Uint,
    Depth,
}

const TEXELS: [Texels; 4] = [Texels::Float, Texels::Sint, Texels::Uint, Texels::Depth];

/// Dimension, whether it is an array, whether it is multisampled.
pub(crate) type Shape = (ImageDimension, bool, bool);

/// The shapes of textures that are not written, in WGSL.
pub(crate) const SHAPES: [Shape; 7] = [
    (ImageDimension::D1, false, false),
    (ImageDimension::D2, false, false),
    (ImageDimension::D2, true, false),
    (ImageDimension::D3, false, false),
    (ImageDimension::Cube, false, false),
    (ImageDimension::Cube, true, false),
    (ImageDimension::D2, false, true),
];

pub(crate) fn suffix((dimension, is_array, _): Shape) -> String {
    let name = match dimension {
        ImageDimension::D1 => "1d",
        ImageDimension::D2 => "2d",
        ImageDimension::D3 => "3d",
        ImageDimension::Cube => "cube",
    };
    format!("{name}{}", if is_array { "_array" } else { "" })
}

/// The WGSL type, if there is one.
fn type_of(texels: Texels, shape: Shape) -> Option<String> {
    let multisampled = if shape.2 { "multisampled_" } else { "" };
    let suffix = suffix(shape);
    Some(match texels {
        Texels::Float => format!("texture_{multisampled}{suffix}<f32>"),
        Texels::Sint => format!("texture_{multisampled}{suffix}<i32>"),
        Texels::Uint => format!("texture_{multisampled}{suffix}<u32>"),
        Texels::Depth if matches!(shape.0, ImageDimension::D1 | ImageDimension::D3) => return None,
        Texels::Depth => format!("texture_depth_{multisampled}{suffix}"),
    })
}

/// Coordinates of a texel.
pub(crate) fn coordinates(shape: Shape) -> usize {
    match shape.0 {
        ImageDimension::D1 => 1,
        ImageDimension::D2 => 2,
        ImageDimension::D3 | ImageDimension::Cube => 3,
    }
}

pub(crate) fn vector(parts: &[&str], count: usize, kind: &str) -> String {
    match count {
        1 => parts[0].to_owned(),
        _ => format!("vec{count}{kind}({})", parts[..count].join(", ")),
    }
}

/// Does WGSL have it?
fn exists(act: Act, texels: Texels, shape: Shape) -> bool {
    let (dimension, _, multisampled) = shape;
    let is_cube = dimension == ImageDimension::Cube;
    let is_flat = dimension == ImageDimension::D2;
    let is_float = texels == Texels::Float;
    let is_depth = texels == Texels::Depth;
    match act {
        Act::Load => !is_cube,
        _ if multisampled => act == Act::Queries,
        Act::LoadLevel => !is_cube && dimension != ImageDimension::D1,
        Act::Queries => true,
        // A texture of one dimension has one level.
        Act::SampleZero | Act::SampleNearest => is_float || (is_depth && act == Act::SampleZero),
        Act::SampleExact => (is_float && dimension != ImageDimension::D1) || is_depth,
        Act::SampleGradient => is_float && dimension != ImageDimension::D1,
        Act::SampleOffset => {
            (is_float && matches!(dimension, ImageDimension::D2 | ImageDimension::D3)) || (is_depth && is_flat)
        }
        Act::SampleEdge => is_float && is_flat && !shape.1,
        Act::Gather => is_flat || is_cube,
        Act::GatherOffset => is_flat,
        Act::Compare | Act::GatherCompare => is_depth,
        Act::CompareOffset => is_depth && is_flat,
    }
}

/// The expression of an act, as `vec4f`.
fn expression(act: Act, texels: Texels, shape: Shape) -> String {
    let count = coordinates(shape);
    let texel = vector(&["i % 5u", "i / 2u", "i % 3u"], count, "u");
    let layer_u = if shape.1 { ", i % 2u" } else { "" };
    // Places between texels, outside too; directions to all faces.
    let place = match shape.0 {
        ImageDimension::Cube => "vec3f(cos(f * 2.0), sin(f * 3.1), cos(f * 1.3 + 1.0))".to_owned(),
        _ => vector(&["f * 0.33 - 0.6", "1.3 - f * 0.21", "f * 0.17"], count, "f"),
    };
    let centre = match shape.0 {
        ImageDimension::Cube => place.clone(),
        _ => vector(&["(f + 0.5) / 4.0 - 0.5", "(f + 0.5) / 4.0", "(f + 0.5) / 4.0"], count, "f"),
    };
    let offset = vector(&["1", "-2", "3"], count, "i");
    let step = |scale: &str| match count {
        1 => scale.to_owned(),
        count => format!("vec{count}f({scale}) * f"),
    };
    let level = if texels == Texels::Depth { "i % 4u" } else { "f * 0.4 - 0.5" };
    let zero = if texels == Texels::Depth { "0u" } else { "0.0" };
    let wide = |text: String| match texels {
        Texels::Depth => format!("vec4f({text})"),
        Texels::Float => text,
        Texels::Sint | Texels::Uint => format!("vec4f({text})"),
    };
    let component = if texels == Texels::Depth { "" } else { "1, " };
    match act {
        Act::Load => wide(format!("textureLoad(t, {texel}{layer_u}, {})", if shape.2 { "i % 4u" } else { "0" })),
        Act::LoadLevel => wide(format!("textureLoad(t, {texel}{layer_u}, i % 4u)")),
        Act::Queries => {
            let sizes = if shape.0 == ImageDimension::D1 { "x" } else { "xy" };
            let size = match sizes {
                "x" => "vec2u(textureDimensions(t), 1u)".to_owned(),
                _ => "textureDimensions(t).xy".to_owned(),
            };
            let levels = if shape.2 { "textureNumSamples(t)" } else { "textureNumLevels(t)" };
            let layers = if shape.1 { "textureNumLayers(t)" } else { "7u" };
            format!("vec4f(vec4u({size}, {levels}, {layers}))")
        }
        Act::SampleZero => wide(format!("textureSampleLevel(t, s, {place}{layer_u}, {zero})")),
        Act::SampleNearest => wide(format!("textureSampleLevel(t, nearest, {centre}{layer_u}, 0.0)")),
        Act::SampleExact => wide(format!("textureSampleLevel(t, s, {place}{layer_u}, {level})")),
        Act::SampleGradient => {
            format!("textureSampleGrad(t, s, {place}{layer_u}, {}, {})", step("0.25"), step("0.1"))
        }
        Act::SampleOffset => wide(format!("textureSampleLevel(t, s, {place}{layer_u}, {zero}, {offset})")),
        Act::SampleEdge => format!("textureSampleBaseClampToEdge(t, s, {place})"),
        Act::Gather => wide(format!("textureGather({component}t, s, {place}{layer_u})")),
        Act::GatherOffset => wide(format!("textureGather({component}t, s, {place}{layer_u}, {offset})")),
        Act::Compare => wide(format!("textureSampleCompareLevel(t, c, {place}{layer_u}, 0.5)")),
        Act::CompareOffset => wide(format!("textureSampleCompareLevel(t, c, {place}{layer_u}, 0.5, {offset})")),
        Act::GatherCompare => format!("textureGatherCompare(t, c, {place}{layer_u}, 0.5)"),
    }
}

/// Does the act ask for levels?
fn asks_for_levels(act: Act, shape: Shape) -> bool {
    match act {
        Act::Queries => !shape.2,
        Act::LoadLevel | Act::SampleExact | Act::SampleGradient => true,
        Act::Load
        | Act::SampleZero
        | Act::SampleNearest
        | Act::SampleOffset
        | Act::SampleEdge
        | Act::Gather
        | Act::GatherOffset
        | Act::Compare
        | Act::CompareOffset
        | Act::GatherCompare => false,
    }
}

/// The lines of the texture's contents: 4 texels along each dimension, 2 layers, 4 samples, 3 levels.
pub(crate) fn contents(shape: Shape, has_levels: bool, numbers: &str) -> String {
    let (dimension, is_array, multisampled) = shape;
    let layers = if is_array { 2 } else { 1 };
    if has_levels {
        let (texels, size) = match dimension {
            ImageDimension::D1 => (4, "4 1 1 1".to_owned()),
            ImageDimension::D2 => (layers * (16 + 4 + 1), format!("4 4 {layers} 3")),
            ImageDimension::Cube => (6 * layers * (16 + 4 + 1), format!("4 4 {} 3", 6 * layers)),
            ImageDimension::D3 => (64 + 8 + 1, "4 4 4 3".to_owned()),
        };
        return format!("//! t: [{texels}] = {numbers}\n//! t_size = {size}\n");
    }
    let mut extent = Vec::new();
    match dimension {
        ImageDimension::D3 => extent.push(4),
        ImageDimension::Cube => extent.push(6 * layers),
        ImageDimension::D2 if is_array => extent.push(layers),
        ImageDimension::D1 | ImageDimension::D2 => {}
    }
    extent.extend(std::iter::repeat_n(4, if dimension == ImageDimension::D1 { 1 } else { 2 }));
    extent.extend(multisampled.then_some(4));
    let extent: Vec<String> = extent.iter().map(i32::to_string).collect();
    format!("//! t: [{}] = {numbers}\n", extent.join(", "))
}

fn sampled() -> Vec<TestShader> {
    let mut out = Vec::new();
    for texels in TEXELS {
        for shape in SHAPES {
            let Some(ty) = type_of(texels, shape) else { continue };
            for act in ACTS.into_iter().filter(|&act| exists(act, texels, shape)) {
                let numbers = match texels {
                    Texels::Float | Texels::Depth => "random 1 0..1",
                    Texels::Sint => "random 1 -99..99",
                    Texels::Uint => "random 1 0..99",
                };
                let mut text = "//! dispatch 1\n".to_owned();
                text += &contents(shape, asks_for_levels(act, shape), numbers);
                text += "//! out: [8] = zero\n";
                let expression = expression(act, texels, shape);
                let mut samplers = String::new();
                // Textures of integers have no filters.
                let filter = match texels {
                    Texels::Float | Texels::Depth => "linear levels linear x repeat y mirror",
                    Texels::Sint | Texels::Uint => "nearest x repeat y mirror",
                };
                for (name, ty, settings) in [
                    ("s", "sampler", filter),
                    ("nearest", "sampler", "nearest repeat"),
                    ("c", "sampler_comparison", "linear less_equal"),
                ] {
                    if expression.contains(&format!("t, {name},")) {
                        writeln!(text, "//! {name} = sampler {settings}").expect("a text grows");
                        samplers = format!("@group(0) @binding(1) var {name}: {ty};\n");
                    }
                }
                write!(
                    text,
                    "@group(0) @binding(0) var t: {ty};
{samplers}@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {{
    let f = f32(i);
    out[i] = {expression};
}}
"
                )
                .expect("a text grows");
                out.push(TestShader { name: format!("textures/{act:?}/{ty}"), text });
            }
        }
    }
    out
}

/// All of them.
pub(crate) fn shaders() -> Vec<TestShader> {
    let mut out = sampled();
    out.extend(storage());
    out.extend(atomics());
    out
}

/// The test: what naga can sample with is either tried here, or refused.
pub(crate) fn every_combination_of_textures_is_tried() {
    let shaders = shaders();
    let tried = |word: &str| shaders.iter().filter(|test| test.text.contains(word)).count();
    for level in ["Auto", "Zero", "Exact", "Bias", "Gradient"] {
        let (of, word) = match level {
            "Auto" => (None, "textureSample(t, s, vec2f(0.5)).x"),
            "Bias" => (None, "textureSampleBias(t, s, vec2f(0.5), 1.0).x"),
            "Zero" => (Some(SampleLevel::Zero), "textureSampleCompareLevel"),
            "Exact" => (Some(SampleLevel::Zero), "textureSampleLevel"),
            _ => (Some(SampleLevel::Zero), "textureSampleGrad"),
        };
        match of {
            Some(SampleLevel::Auto | SampleLevel::Bias(_)) | None => {
                let text = format!(
                    "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler;
                    @group(0) @binding(2) var<storage, read_write> v: array<f32>;
                    @compute @workgroup_size(1) fn main() {{ v[0] = {word}; }}"
                );
                let module = tilewise_import::ShaderModule::from_wgsl("derivatives.wgsl", &text);
                let imported = module.and_then(|module| module.import(&tilewise_import::ImportOptions::default()));
                assert!(imported.is_err(), "{level} needs derivatives, which compute shaders lack");
            }
            Some(SampleLevel::Zero | SampleLevel::Exact(_) | SampleLevel::Gradient { .. }) => {
                assert!(tried(word) >= 3, "{word}");
            }
        }
    }
    for act in ACTS {
        assert!(shaders.iter().any(|test| test.name.contains(&format!("/{act:?}/"))), "{act:?}");
    }
    for format in FORMATS {
        let Some((name, _)) = storage_format(format) else { continue };
        assert_eq!(tried(&format!("<{name}, ")).min(3), 3, "{name}");
    }
    for function in ATOMICS.into_iter().filter_map(atomic) {
        assert!(tried(function) >= 8, "{function}");
    }
    assert!(shaders.len() > 250, "{}", shaders.len());
}
