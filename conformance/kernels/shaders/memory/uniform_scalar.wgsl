// A uniform that is one number, and one that is a vector; a pointer to it.
//! dispatch 1
//! k = 3
//! v = 1 2 3 4
//! out: [4] = zero
//! expect out = 5.0 8.0 11.0 14.0
@group(1) @binding(0) var<uniform> k: u32;
@group(1) @binding(1) var<uniform> v: vec4f;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_id) id: vec3u) {
    let p = &v;
    out[id.x] = v[id.x] * f32(k) + (*p).y;
}
