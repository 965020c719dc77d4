// A `switch` each of whose cases returns: nothing follows it.
//! dispatch 1
//! out: [8] = zero
//! expect out = 7 8 4 7 8 10 12 14
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
fn pick(n: u32) -> u32 {
    switch (n) {
        case 0u, 3u: { return 7u; }
        case 1u: { return 8u; }
        default: { return n * 2u; }
    }
}
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    out[id.x] = pick(id.x);
}
