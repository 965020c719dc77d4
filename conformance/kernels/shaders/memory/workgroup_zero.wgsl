// Workgroup memory is zero when a workgroup begins, each time.
//! dispatch 3
//! out: [12] = zero
//! expect out = fill 1
var<workgroup> seen: array<u32, 4>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    out[id.x] = seen[i] + 1u;
    workgroupBarrier();
    seen[3u - i] = 7u;
}
