// Subgroup operations are refused, each line by itself.
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
//                                                         ^^^^^^^^^^^^^^^^^^^^^^ error[K0902]: subgroup operations are not supported
    v[id.x] = subgroupAdd(v[id.x]) + lane;
//            ^^^^^^^^^^^ error[K0902]: subgroup operations are not supported
    v[id.x] += subgroupBroadcastFirst(id.x);
//             ^^^^^^^^^^^^^^^^^^^^^^ error[K0902]: subgroup operations are not supported
}
