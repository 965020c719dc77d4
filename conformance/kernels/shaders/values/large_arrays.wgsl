// An array of more parts than are kept as values.
//! dispatch 1
//! out: [8] = zero
//! expect out = 1000 1045 1088 1129 1168 1205 1240 1273
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var a: array<u32, 40>;
    for (var i = 0u; i < 40u; i++) { a[i] = i * id.x; }
    let b = a;
    a[7] = 1000u;
    out[id.x] = b[7] + a[7] + b[39u - id.x];
}
