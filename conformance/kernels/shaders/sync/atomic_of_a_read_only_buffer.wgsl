// An atomic in a buffer that the shader may not write is read as it is.
//! dispatch 1
//! limits: [2] = 7 9
//! v: [4] = zero
//! expect v = 7 9 0 0
@group(0) @binding(0) var<storage, read> limits: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < arrayLength(&limits)) { v[id.x] = atomicLoad(&limits[id.x]); }
}
