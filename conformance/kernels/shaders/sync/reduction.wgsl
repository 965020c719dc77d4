// A sum by halves in workgroup memory.
//! dispatch 4
//! a: [64] = iota
//! sums: [4] = zero
//! expect sums = 120 376 632 888
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
var<workgroup> part: array<u32, 16>;
@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32,
        @builtin(workgroup_id) group: vec3u) {
    part[i] = a[id.x];
    workgroupBarrier();
    for (var half = 8u; half > 0u; half >>= 1u) {
        if (i < half) { part[i] += part[i + half]; }
        workgroupBarrier();
    }
    if (i == 0u) { sums[group.x] = part[0]; }
}
