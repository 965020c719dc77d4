// Gathers: one channel of four texels, from the lower left counter-clockwise; of integers too; with an
// offset, of a layer.
//! dispatch 1
//! t: [2, 2] = (0 1 2 3) (4 5 6 7) (8 9 10 11) (12 13 14 15)
//! i: [2, 2, 2] = iota
//! s = sampler repeat
//! out: [3] = zero
//! expect out = (10 14 6 2) (9 13 5 1) (29 25 17 21)
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var i: texture_2d_array<i32>;
@group(0) @binding(2) var s: sampler;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;
@compute @workgroup_size(1)
fn main() {
    out[0] = textureGather(2, t, s, vec2f(0.5));
    out[1] = textureGather(1, t, s, vec2f(0.5), vec2i(2, -4));
    out[2] = vec4f(textureGather(1, i, s, vec2f(0.0, 0.5), 9));
}
