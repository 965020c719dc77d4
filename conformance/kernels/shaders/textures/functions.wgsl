// Textures and samplers as arguments of functions; the level is a constant where the function is called,
// so no levels are needed.
//! dispatch 1
//! a: [1, 2] = (1 0 0 0) (3 0 0 0)
//! b: [1, 2] = (10 0 0 0) (30 0 0 0)
//! s = sampler linear
//! out: [3] = zero
//! expect out = 2 20 33
@group(0) @binding(0) var a: texture_2d<f32>;
@group(0) @binding(1) var b: texture_2d<f32>;
@group(0) @binding(2) var s: sampler;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
fn middle(t: texture_2d<f32>, how: sampler, level: f32) -> f32 {
    return textureSampleLevel(t, how, vec2f(0.5), level).x;
}
fn last(t: texture_2d<f32>) -> f32 {
    return textureLoad(t, textureDimensions(t) - 1u, 0).x;
}
@compute @workgroup_size(1)
fn main() {
    out[0] = middle(a, s, 0.0);
    out[1] = middle(b, s, 0.0);
    out[2] = last(a) + last(b);
}
