// textureSampleBaseClampToEdge keeps half a texel away from the edges, whatever the sampler's address mode.
//! dispatch 1
//! t: [1, 4] = (0 0 0 0) (1 0 0 0) (2 0 0 0) (3 0 0 0)
//! s = sampler linear repeat
//! out: [3] = zero
//! expect out = 0 3 1.5
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1)
fn main() {
    out[0] = textureSampleBaseClampToEdge(t, s, vec2f(-1.0, 0.0)).x;
    out[1] = textureSampleBaseClampToEdge(t, s, vec2f(0.99, 7.0)).x;
    out[2] = textureSampleBaseClampToEdge(t, s, vec2f(0.5, 0.5)).x;
}
