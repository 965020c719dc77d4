// A function without a result that returns early.
//! dispatch 1
//! out: [8] = zero
//! expect out = 0 8 8 5 8 3 5 8
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
fn put(at: u32, n: u32) {
    if (at % n == 0u) { return; }
    out[at] += n;
}
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    put(id.x, 3u);
    put(id.x, 5u);
}
