// The determinant of a 4x4 matrix.
//! dispatch 1
//! out: [4] = zero
//! expect out = -35.0 -33.0 -19.0 -29.0
@group(0) @binding(0) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let k = f32(id.x);
    out[id.x] = determinant(mat4x4f(1.0, k, 0.0, 2.0, 3.0, 1.0, k, 0.0, 0.0, 2.0, 1.0, k, k, 0.0, 3.0, 1.0));
}
