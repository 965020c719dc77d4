//! Textures and samplers of shaders through the library: what is bound, levels, formats, and what is
//! refused.

use tilewise::graphics::{AddressMode, Bits16, Norm2, Sampler, Texture, Unorm4};
use tilewise::vector::{Float2, Float3, Float4, Int2, UInt2};
use tilewise::{
    Accelerator, AcceleratorView, ArrayView, Checks, Error, Result, Shader, ShaderComparison, ShaderEntry,
    ShaderSampler, parallel_for_each,
};

/// The accelerators of this machine that run shaders: all but `native`, and `cpu`.
fn accelerators() -> Vec<AcceleratorView> {
    let all = Accelerator::all().into_iter();
    let run = all.filter(|accelerator| !matches!(accelerator.path(), "native" | "cpu"));
    run.map(|accelerator| accelerator.default_view()).collect()
}

fn message(result: Result<impl Sized>) -> String {
    result.err().expect("it is refused").to_string()
}

fn entry(text: &str) -> Result<ShaderEntry<'static>> {
    Shader::from_wgsl("textures.wgsl", text)?.entry("main")
}

#[test]
fn a_level_between_two_is_sampled_on_every_accelerator() -> Result<()> {
    let text = "
    @group(0) @binding(0) var t: texture_2d<f32>;
    @group(0) @binding(1) var s: sampler;
    @group(0) @binding(2) var<storage, read_write> out: array<f32>;
    @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
        out[id.x] = textureSampleLevel(t, s, vec2f(0.5), f32(id.x) * 0.5).x;
    }";
    let texture = Texture::<f32, 2>::builder((4, 4)).mip_levels(0).build_from_iter((0..16).map(|k| k as f32))?;
    let out = ArrayView::from_vec(4, vec![0.0f32; 4])?;
    let main = entry(text)?.texture(0, 0, &texture)?.sampler(0, 1, Sampler::LINEAR)?.bind(0, 2, &out)?;
    // What is bound is the texture, not what it holds at that time.
    texture.generate_mips()?;
    texture.set_level((0, 0), 2, 20.0)?;
    for accelerator in accelerators() {
        out.fill(-1.0)?;
        main.dispatch(&accelerator, [1, 1, 1])?;
        assert_eq!(out.to_vec()?, [7.5, 7.5, 7.5, 13.75], "{}", accelerator.accelerator());
    }
    Ok(())
}

#[test]
fn storage_textures_are_the_texture_itself() -> Result<()> {
    let text = "
    @group(0) @binding(0) var a: texture_storage_2d<rgba8unorm, read_write>;
    @group(0) @binding(1) var b: texture_storage_1d<rg16snorm, write>;
    @group(0) @binding(2) var c: texture_storage_3d<rg32uint, write>;
    @compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) {
        textureStore(a, id.xy, textureLoad(a, id.xy).zyxw);
        textureStore(b, id.x, vec4f(f32(id.x) - 2.0, 0.5, 0.0, 0.0));
        textureStore(c, vec3u(id.x, 0, 1), vec4u(id.x, 7u, 8u, 9u));
    }";
    for accelerator in accelerators() {
        let a = Texture::<Unorm4, 2>::builder((1, 2)).on(&accelerator).build_from_bytes(&[1, 2, 3, 4, 5, 6, 7, 8])?;
        let b = Texture::<Norm2, 1, Bits16>::builder(2).on(&accelerator).build()?;
        let c = Texture::<UInt2, 3>::builder((2, 1, 2)).on(&accelerator).build()?;
        let main = entry(text)?.texture(0, 0, &a)?.texture_named("b", &b)?.texture(0, 2, &c)?;
        main.dispatch(&accelerator, [1, 1, 1])?;
        assert_eq!(a.to_bytes()?, [3, 2, 1, 4, 7, 6, 5, 8]);
        let halves: Vec<i16> = b.to_bytes()?.chunks(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect();
        assert_eq!(halves, [-32767, 16384, -32767, 16384]);
        assert_eq!(c.get((1, 0, 1))?, UInt2::new(1, 7));
    }
    Ok(())
}

#[test]
fn depths_are_compared_and_addresses_are_the_samplers() -> Result<()> {
    let text = "
    @group(0) @binding(0) var t: texture_depth_2d;
    @group(0) @binding(1) var s: sampler_comparison;
    @group(0) @binding(2) var<storage, read_write> out: array<f32>;
    @compute @workgroup_size(1) fn main() {
        out[0] = textureSampleCompareLevel(t, s, vec2f(0.5, 0.5), 0.5);
        out[1] = textureSampleCompareLevel(t, s, vec2f(1.25, 0.5), 0.5);
    }";
    let depths = Texture::<f32, 2>::from_iter((1, 2), [0.25, 0.75])?;
    let out = ArrayView::from_vec(2, vec![0.0f32; 2])?;
    let less = ShaderSampler::LINEAR.compare(ShaderComparison::Less);
    let main = entry(text)?.texture(0, 0, &depths)?.bind(0, 2, &out)?;
    let reference = Accelerator::new("reference")?.default_view();
    for (mode, expected) in [(AddressMode::Clamp, 1.0), (AddressMode::Wrap, 0.0)] {
        let main = main.clone().sampler_named("s", less.addresses([mode; 3]))?;
        main.dispatch(&reference, [1, 1, 1])?;
        assert_eq!(out.to_vec()?, [0.5, expected], "{mode:?}");
    }
    Ok(())
}

#[test]
fn views_are_texels_too() -> Result<()> {
    let text = "
    @group(0) @binding(0) var t: texture_2d<f32>;
    @group(0) @binding(1) var out: texture_storage_2d<rgba32float, write>;
    @compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) {
        textureStore(out, id.xy, textureLoad(t, id.xy, 0) * 2.0);
    }";
    let t = ArrayView::from_vec((1, 2), vec![Float4::splat(1.5), Float4::splat(4.0)])?;
    let out = ArrayView::from_vec((1, 2), vec![Float4::ZERO; 2])?;
    let main = entry(text)?.bind(0, 0, &t)?.bind(0, 1, &out)?;
    main.dispatch(&Accelerator::new("jit")?.default_view(), [1, 1, 1])?;
    assert_eq!(out.to_vec()?, [Float4::splat(3.0), Float4::splat(8.0)]);
    Ok(())
}

#[test]
fn a_load_out_of_range_is_found_at_its_line() -> Result<()> {
    let text = "
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var out: texture_storage_2d<r32float, write>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(out, id.xy, textureLoad(t, id.xy + vec2u(1, 0), 0)); // the last column has no neighbour
}";
    let t = Texture::<f32, 2>::from_iter((1, 4), [1.0, 2.0, 3.0, 4.0])?;
    let checked = Accelerator::new("reference")?.view_builder().checks(Checks::ALL).create()?;
    let out = Texture::<f32, 2>::builder((1, 4)).on(&checked).build()?;
    let found = entry(text)?.texture(0, 0, &t)?.texture(0, 1, &out)?.dispatch(&checked, [1, 1, 1]);
    let Err(Error::OutOfBounds(report)) = found else { panic!("{found:?}") };
    assert!(report.to_string().contains("textures.wgsl:5:"), "{report}");
    Ok(())
}

#[test]
fn wrong_bindings_are_refused_with_their_reason() -> Result<()> {
    let text = "
    @group(0) @binding(0) var t: texture_2d<f32>;
    @group(0) @binding(1) var s: sampler;
    @group(0) @binding(2) var out: texture_storage_2d<rgba8unorm, write>;
    @group(0) @binding(3) var depth: texture_depth_2d;
    @group(0) @binding(4) var layers: texture_2d_array<f32>;
    @group(0) @binding(5) var<storage, read_write> v: array<u32>;
    @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
        textureStore(out, id.xy, textureSampleLevel(t, s, vec2f(0.5), 0.0) + textureLoad(depth, id.xy, 0)
            + textureLoad(layers, id.xy, 0, id.x + 1u));
        v[0] = 1u;
    }";
    let main = entry(text)?;
    let floats = Texture::<Float2, 2>::new((2, 2))?;
    let integers = Texture::<Int2, 2>::new((2, 2))?;
    let cube = Texture::<f32, 3>::builder((2, 2, 2)).mip_levels(0).build()?;
    let view = ArrayView::from_vec(4, vec![0u32; 4])?;
    let bordered = Sampler::LINEAR.with_border(Float4::ZERO);
    for (found, expected) in [
        (message(main.clone().texture(0, 0, &cube)), "`t`) has 2 dimensions, and the texture has 3"),
        (message(main.clone().texture(0, 0, &integers)), "`t`) is a texture of `f32`, and the texture has `rg32sint`"),
        (
            message(main.clone().texture(0, 2, &floats)),
            "`out`) is a storage texture of `rgba8unorm`, and the texture has `rg32float`",
        ),
        (message(main.clone().texture(0, 3, &floats)), "`depth`) is a texture of depths, one channel of `f32`"),
        (message(main.clone().texture(0, 4, &cube)), "`layers`) has layers"),
        (message(main.clone().texture(0, 1, &floats)), "`s`) is no texture"),
        (message(main.clone().texture(0, 5, &floats)), "`v`) is no texture"),
        (message(main.clone().texture(9, 9, &floats)), "no binding 9.9"),
        (message(main.clone().sampler(0, 0, Sampler::POINT)), "`t`) is no sampler"),
        (message(main.clone().sampler(0, 1, bordered)), "samplers of shaders have no border"),
        (message(main.clone().bind(0, 0, &view)), "`t`) has texels of 16 bytes in 2 dimensions"),
        (message(main.clone().bind(0, 1, &view)), "`s`) is a sampler"),
        (message(main.clone().value(0, 0, &1u32)), "`t`) is a texture"),
        (message(main.dispatch(&Accelerator::new("reference")?.default_view(), [1, 1, 1])), "`t`) is not bound"),
    ] {
        assert!(found.contains(expected), "{found}");
    }
    Ok(())
}

/// Numbers from a generator of two multiplications, at least `low` and below `high`.
fn numbers(count: usize, seed: u32, (low, high): (f32, f32)) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * (state >> 8) as f32 / 16_777_216.0
    };
    (0..count).map(|_| next()).collect()
}

/// Places: many around the texture, and those that are no numbers or very large.
fn places(seed: u32) -> Vec<f32> {
    let mut out = numbers(PLACES - 6, seed, (-2.5, 3.5));
    out.extend([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e20, -1e20, 0.0]);
    out
}

const PLACES: usize = 64;

const SAMPLERS: [Sampler; 6] = [
    Sampler::LINEAR,
    Sampler::LINEAR.address(AddressMode::Wrap),
    Sampler::LINEAR.address(AddressMode::Mirror),
    Sampler::POINT,
    Sampler::POINT.address(AddressMode::Wrap),
    Sampler::POINT.address(AddressMode::Mirror),
];

macro_rules! sampled_like_kernels {
    ($($name:ident $n:literal $place:ident $extent:tt $wgsl:literal $vector:literal |$i:ident, $at:ident| $of:expr;)*) => {$(
        #[test]
        fn $name() -> Result<()> {
            let text = concat!(
                "@group(0) @binding(0) var t: ", $wgsl, "<f32>;
                @group(0) @binding(1) var s: sampler;
                @group(0) @binding(2) var<storage, read> at: array<f32>;
                @group(0) @binding(3) var<storage, read> lods: array<f32>;
                @group(0) @binding(4) var<storage, read_write> out: array<vec4f>;
                @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
                    let i = id.x;
                    out[i] = textureSampleLevel(t, s, ", $vector, ", lods[i]);
                }"
            );
            let texture = Texture::<Float4, $n>::builder($extent).mip_levels(0);
            let count: i32 = tilewise::Extent::<$n>::from($extent).size() as i32;
            let texels = numbers(4 * count as usize, 5, (-8.0, 8.0));
            let texels = texels.chunks(4).map(|c| Float4::new(c[0], c[1], c[2], c[3]));
            let texture = texture.build_from_iter(texels)?;
            texture.generate_mips()?;
            let mut lods = numbers(PLACES - 2, 9, (-1.0, 4.5));
            lods.extend([f32::NAN, f32::INFINITY]);
            let at = ArrayView::from_vec(3 * PLACES as i32, [places(1), places(2), places(3)].concat())?;
            let lods = ArrayView::from_vec(PLACES as i32, lods)?;
            let [of_shader, of_kernel] =
                [0, 1].map(|_| ArrayView::from_vec(PLACES as i32, vec![Float4::ZERO; PLACES]));
            let (of_shader, of_kernel) = (of_shader?, of_kernel?);
            for sampler in SAMPLERS {
                let main = entry(text)?.texture(0, 0, &texture)?.sampler(0, 1, sampler)?;
                let main = main.bind(0, 2, &at)?.bind(0, 3, &lods)?.bind(0, 4, &of_shader)?;
                main.dispatch(&Accelerator::new("jit")?.default_view(), [1, 1, 1])?;
                parallel_for_each!(of_kernel.extent(), |$i| {
                    let n = $i[0];
                    let $at = |d: i32| at[n + d * 64];
                    of_kernel[$i] = texture.sample_lod(&sampler, $of, lods[n]);
                })?;
                let bits = |v: &Float4| [v.x, v.y, v.z, v.w].map(f32::to_bits);
                let (of_shader, of_kernel) = (of_shader.to_vec()?, of_kernel.to_vec()?);
                for (n, (a, b)) in of_shader.iter().zip(&of_kernel).enumerate() {
                    assert_eq!(bits(a), bits(b), "{sampler:?}, place {n}: {a:?} and {b:?}");
                }
            }
            Ok(())
        }
    )*};
}

sampled_like_kernels! {
    lines_are_sampled_as_kernels_do_it 1 f32 7 "texture_1d" "at[i]" |i, at| at(0);
    planes_are_sampled_as_kernels_do_it 2 Float2 (5, 12) "texture_2d" "vec2f(at[i], at[i + 64u])"
        |i, at| Float2::new(at(0), at(1));
    volumes_are_sampled_as_kernels_do_it 3 Float3 (3, 6, 9) "texture_3d" "vec3f(at[i], at[i + 64u], at[i + 128u])"
        |i, at| Float3::new(at(0), at(1), at(2));
}

#[test]
fn a_view_in_the_place_of_a_texture_does_not_have_its_size() -> Result<()> {
    let text = "
    @group(0) @binding(0) var t: texture_2d<f32>;
    @group(0) @binding(1) var<storage, read_write> out: array<u32>;
    @compute @workgroup_size(1) fn main() {
        out[0] = textureDimensions(t, 0).x * 10u + textureNumLevels(t);
    }";
    let texture = Texture::<f32, 2>::builder((4, 4)).mip_levels(0).build()?;
    let (one, out) = (ArrayView::from_vec(1, vec![Float4::ZERO])?, ArrayView::from_vec(1, vec![0u32])?);
    let jit = Accelerator::new("jit")?.default_view();
    let main = entry(text)?.bind(0, 1, &out)?.texture(0, 0, &texture)?;
    main.dispatch(&jit, [1, 1, 1])?;
    assert_eq!(out.to_vec()?, [43]);
    let main = main.bind(0, 0, &one)?;
    assert!(message(main.dispatch(&jit, [1, 1, 1])).contains("(`t_size`) is not bound"));
    let main = main.value_named("t_size", &tilewise::vector::UInt4::splat(1))?.bind(0, 0, &one)?;
    main.dispatch(&jit, [1, 1, 1])?;
    assert_eq!(out.to_vec()?, [11]);
    Ok(())
}
