// An offset from a texel far outside stays on that side.
//! dispatch 1
//! t: [1, 4] = 1 1 1 1  2 2 2 2  3 3 3 3  4 4 4 4
//! s = sampler nearest clamp
//! l = sampler linear clamp
//! x = 1e10
//! v: [8] = zero
//! expect v = 4 4 1 1 4 1 3 1
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var l: sampler;
@group(0) @binding(3) var<uniform> x: f32;
@group(0) @binding(4) var<storage, read_write> v: array<f32>;

@compute @workgroup_size(1)
fn main() {
    v[0] = textureSampleLevel(t, s, vec2f(x, 0.5), 0.0, vec2i(1, 0)).x;
    v[1] = textureSampleLevel(t, s, vec2f(x, 0.5), 0.0).x;
    v[2] = textureSampleLevel(t, s, vec2f(-x, 0.5), 0.0, vec2i(-1, 0)).x;
    v[3] = textureSampleLevel(t, s, vec2f(-x, 0.5), 0.0, vec2i(7, 0)).x;
    v[4] = textureSampleLevel(t, l, vec2f(x, 0.5), 0.0, vec2i(7, 0)).x;
    v[5] = textureSampleLevel(t, l, vec2f(-x, 0.5), 0.0, vec2i(-8, 0)).x;
    v[6] = textureSampleLevel(t, s, vec2f(0.4, 0.5), 0.0, vec2i(1, 0)).x;
    v[7] = textureSampleLevel(t, s, vec2f(0.4, 0.5), 0.0, vec2i(-2, 7)).x;
}
