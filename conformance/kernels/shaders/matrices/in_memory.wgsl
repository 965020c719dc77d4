// Matrices in storage and variables, their columns and elements changed at run time.
//! dispatch 1
//! out: [4] = zero
//! expect out = (2.0 0.0 6.0 14.0 0.0 0.0 0.0 0.0 1.0) (0.0 1.0 0.0 2.0 14.0 6.0 0.0 0.0 1.0) (0.0 2.0 0.0
//!   0.0 0.0 14.0 2.0 4.0 7.0) (2.0 3.0 6.0 14.0 0.0 0.0 0.0 0.0 1.0)
@group(0) @binding(0) var<storage, read_write> out: array<mat3x3f>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var m = out[id.x];
    m[id.x % 3u] = vec3f(1.0, 2.0, 3.0);
    m[1][id.x % 3u] = 7.0;
    m[2].z += 0.5;
    out[id.x] = m * 2.0;
    out[id.x][0].y = f32(id.x);
}
