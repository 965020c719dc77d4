// A texture with levels that is given as two dimensions has one level; a level that it does not have
// gives zeros, and a sample is held to the levels there are.
//! dispatch 1
//! t: [2, 3] = iota
//! s = sampler nearest
//! out: [5] = zero
//! expect out = 1 20 0 12 3
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    out[0] = f32(textureNumLevels(t));
    out[1] = textureLoad(t, vec2u(2, 1), id.x).x;
    out[2] = textureLoad(t, vec2u(2, 1), id.x + 1u).x;
    out[3] = textureSampleLevel(t, s, vec2f(0.1, 0.9), 7.0).x;
    out[4] = f32(textureDimensions(t).x);
}
