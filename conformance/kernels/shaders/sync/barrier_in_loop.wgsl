// Barriers in a loop whose number of iterations is the same for a workgroup, and differs between two.
//! dispatch 3
//! out: [24] = zero
//! expect out = 8 1 2 3 4 5 6 7 16 17 10 11 12 13 14 15 24 25 26 19 20 21 22 23
var<workgroup> line: array<u32, 8>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32,
        @builtin(workgroup_id) group: vec3u) {
    line[i] = id.x;
    for (var n = 0u; n <= group.x; n++) {
        workgroupBarrier();
        let left = line[(i + 7u) % 8u];
        workgroupBarrier();
        line[i] = left + 1u;
    }
    out[id.x] = line[i];
}
