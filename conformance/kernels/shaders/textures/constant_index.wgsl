// Texels out of range by a constant index: loads give zeros, and stores do nothing.
//! dispatch 1
//! t: [4] = fill 1
//! layers: [2, 2, 2] = fill 2
//! s: [4] = fill 5
//! v: [6] = fill 7
//! expect v = 0 0 0 0  0 0 0 0  0 0 0 0  0 0 0 0  1 1 1 1  2 2 2 2
//! expect s = 5 3 5 5
@group(0) @binding(0) var t: texture_1d<f32>;
@group(0) @binding(1) var layers: texture_2d_array<f32>;
@group(0) @binding(2) var s: texture_storage_1d<r32uint, write>;
@group(0) @binding(3) var<storage, read_write> v: array<vec4f>;

fn texel(at: i32) -> vec4f { return textureLoad(t, at, 0); }

@compute @workgroup_size(1)
fn main() {
    v[0] = texel(-1);
    v[1] = textureLoad(t, 0xffffffffu, 0);
    v[2] = textureLoad(layers, vec2i(0, 0), -1, 0);
    v[3] = textureLoad(layers, vec2i(-1, 0), 0, 0);
    v[4] = texel(1);
    v[5] = textureLoad(layers, vec2i(1, 0), 1, 0);
    textureStore(s, -1, vec4u(3));
    textureStore(s, 1, vec4u(3));
}
