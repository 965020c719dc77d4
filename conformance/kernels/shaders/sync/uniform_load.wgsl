// `workgroupUniformLoad`, of a struct and of an atomic.
//! dispatch 2
//! out: [16] = zero
//! expect out = 8*31.5 8*39.5
struct Head { n: u32, k: f32 }
var<workgroup> head: Head;
var<workgroup> total: atomic<u32>;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    if (i == 3u) { head = Head(id.x, 0.5); }
    atomicAdd(&total, i);
    let h = workgroupUniformLoad(&head);
    let sum = workgroupUniformLoad(&total);
    if (h.n > 4u) { workgroupBarrier(); }
    out[id.x] = f32(h.n) + h.k + f32(sum);
}
