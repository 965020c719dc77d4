// `for` with `continue` and `break`; the continuing part runs after `continue`.
//! dispatch 2
//! out: [16] = zero
//! expect out = 7 10 14 19 24 30 37 44 52 61 70 80 91 102 114 127
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0u;
    for (var i = 0u; i < 20u; i++) {
        if (i % 3u == id.x % 3u) { continue; }
        if (i > id.x + 4u) { break; }
        sum += i;
    }
    out[id.x] = sum;
}
