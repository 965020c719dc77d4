// Three dimensions, blended along x, y and z, with levels that are halved in depth too.
//! dispatch 1
//! t: [9] = (0 0 0 0) (1 0 0 0) (2 0 0 0) (3 0 0 0) (4 0 0 0) (5 0 0 0) (6 0 0 0) (7 0 0 0) (100 0 0 0)
//! t_size = 2 2 2 2
//! s = sampler linear
//! out: [4] = zero
//! expect out = 3.5 100 1.75 7
@group(0) @binding(0) var t: texture_3d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    out[0] = textureSampleLevel(t, s, vec3f(0.5), 0.0).x;
    out[1] = textureSampleLevel(t, s, vec3f(0.5), f32(id.x) + 1.0).x;
    out[2] = textureSampleLevel(t, s, vec3f(0.375), f32(id.x)).x;
    out[3] = textureSampleLevel(t, s, vec3f(0.25), f32(id.x), vec3i(1, 1, 1)).x;
}
