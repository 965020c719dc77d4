// Offsets and strides of uniform buffers: vectors of three, matrices, arrays, nested structs.
//! dispatch 1
//! u = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
//! out: [4] = zero
//! expect out = 89.0 93.0 97.0 98.0
struct Inner { a: vec3f, b: f32 }
struct Block {
    n: u32,
    v: vec3f,
    k: f32,
    m: mat2x2f,
    list: array<vec4f, 2>,
    inner: Inner,
    last: vec2i,
}
@group(0) @binding(0) var<uniform> u: Block;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    out[i] = u.v[i % 3u] + u.k + u.m[i % 2u].y + u.list[i / 2u][i] + u.inner.a.z
        + u.inner.b + f32(u.last.y) + f32(u.n);
}
