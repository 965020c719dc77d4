// The built-in values of compute shaders, in three dimensions and as members of a struct.
//! dispatch 2x1x2
//! out: [48] = zero
//! expect out = 3 1003 2003 103 1103 2103 3003 4003 5003 3103 4103 5103 6003 7003 8003 6103 7103 8103 9003
//!   10003 11003 9103 10103 11103 13 1013 2013 113 1113 2113 3013 4013 5013 3113 4113 5113 6013 7013 8013
//!   6113 7113 8113 9013 10013 11013 9113 10113 11113
struct Place {
    @builtin(global_invocation_id) global: vec3u,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
}
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(3, 2, 2)
fn main(p: Place, @builtin(local_invocation_id) local: vec3u, @builtin(local_invocation_index) i: u32) {
    let at = (p.global.z * 2u + p.global.y) * 6u + p.global.x;
    let index = (local.z * 2u + local.y) * 3u + local.x;
    out[at] = i * 1000u + p.group.x * 100u + p.group.z * 10u + p.groups.x + p.groups.y
        + select(500000u, 0u, index == i);
}
