// Arrays as values and in variables, with indices known at run time.
//! dispatch 2
//! out: [16] = zero
//! expect out = 135.0 139.0 115.0 95.0 48.0 135.0 139.0 115.0 95.0 48.0 135.0 139.0 115.0 95.0 48.0 135.0
@group(0) @binding(0) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let table = array<f32, 5>(1.0, 2.0, 4.0, 8.0, 16.0);
    var copy = table;
    copy[id.x % 5u] = -1.0;
    var sum = 0.0;
    for (var i = 0u; i < 5u; i++) { sum += copy[i] * f32(i + 1u); }
    out[id.x] = sum + table[(id.x + 3u) % 5u];
}
