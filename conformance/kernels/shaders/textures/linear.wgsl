// A linear sample of two dimensions: weights of eight bits, x before y; the nearest texel; address modes.
//! dispatch 1
//! t: [2, 2] = (0 0 0 0) (4 0 0 1) (8 0 2 0) (16 0 0 0)
//! linear = sampler linear
//! nearest = sampler nearest x repeat y mirror
//! out: [4] = zero
//! expect out = (3.25 0 0.375 0.1875) (4 0 0 1) (8 0 2 0) (0 0 0 0)
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var linear: sampler;
@group(0) @binding(2) var nearest: sampler;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;
@compute @workgroup_size(1)
fn main() {
    out[0] = textureSampleLevel(t, linear, vec2f(0.375, 0.375), 0.0);
    out[1] = textureSampleLevel(t, nearest, vec2f(1.75, 0.25), 0.0);
    out[2] = textureSampleLevel(t, nearest, vec2f(-0.75, 1.25), 0.0);
    out[3] = textureSampleLevel(t, nearest, vec2f(0.25, 0.25), 0.0, vec2i(-2, 3));
}
