// A `switch` of a default alone.
//! dispatch 1
//! out: [8] = zero
//! expect out = iota 1
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    switch (id.x) {
        default: { out[id.x] = id.x + 1u; }
    }
}
