// Atomic operations on texels; out of range they do nothing.
//! dispatch 2
//! t: [2, 2] = 0 100 0 4294967295
//! i: [3] = 0 -5 5
//! expect t = 8 107 255 0
//! expect i = 8 -5 7
@group(0) @binding(0) var t: texture_storage_2d<r32uint, atomic>;
@group(0) @binding(1) var i: texture_storage_1d<r32sint, atomic>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    textureAtomicAdd(t, vec2u(0, 0), 1u);
    textureAtomicMax(t, vec2u(1, 0), 100u + id.x);
    textureAtomicOr(t, vec2u(0, 1), 1u << id.x);
    textureAtomicAnd(t, vec2u(1, 1), 0u);
    textureAtomicAdd(t, vec2u(2, 1), 7u);
    textureAtomicAdd(i, 0, 1);
    textureAtomicMin(i, 1, i32(id.x) - 5);
    textureAtomicMax(i, 2, i32(id.x));
}
