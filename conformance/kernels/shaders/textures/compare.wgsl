// Depths: a linear sample of the results of comparisons, a gather of them, a gather of depths.
//! dispatch 1
//! t: [2, 2] = 0.1 0.9 0.5 0.3
//! s = sampler linear less
//! e = sampler nearest equal
//! plain = sampler linear
//! out: [4] = zero
//! expect out = (0.25 0.5 0.0625 0) (1 0 1 0) (0.5 0.3 0.9 0.1) (0 0 1 0)
@group(0) @binding(0) var t: texture_depth_2d;
@group(0) @binding(1) var s: sampler_comparison;
@group(0) @binding(2) var e: sampler_comparison;
@group(0) @binding(3) var plain: sampler;
@group(0) @binding(4) var<storage, read_write> out: array<vec4f>;
@compute @workgroup_size(1)
fn main() {
    let middle = vec2f(0.5);
    out[0] = vec4f(
        textureSampleCompareLevel(t, s, middle, 0.6),
        textureSampleCompareLevel(t, s, middle, 0.4),
        textureSampleCompareLevel(t, s, vec2f(0.625, 0.375), 0.95) + textureSampleCompareLevel(t, s, vec2f(0.375, 0.625), 0.6),
        textureSampleCompareLevel(t, s, middle, 0.95));
    out[1] = textureGatherCompare(t, s, middle, 0.45);
    out[2] = textureGather(t, plain, middle);
    out[3] = vec4f(0.0, 0.0, textureSampleCompareLevel(t, e, vec2f(0.25, 0.75), 0.5), 0.0);
}
