// A thread returns from inside a loop.
//! dispatch 2
//! out: [16] = zero
//! expect out = 0 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    for (var i = 0u; ; i++) {
        out[id.x] += i;
        if (i >= id.x) { return; }
    }
}
