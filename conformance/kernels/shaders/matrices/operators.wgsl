// Sums and scalings of matrices; transposes and determinants.
//! dispatch 1
//! out: [4] = zero
//! expect out = (1.0 -1.0 -3.0 23.0) (1.0 -1.0 -3.0 3.0) (1.0 -1.0 -3.0 -15.0) (1.0 -1.0 -3.0 -31.0)
@group(0) @binding(0) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let k = f32(id.x);
    let m = mat3x3f(k, 2.0, 3.0, 0.0, 1.0, 4.0, 5.0, 6.0, k);
    let n = (m + transpose(m)) * 0.5 - 2.0 * m;
    out[id.x] = vec4f(n[1], determinant(m) + determinant(mat2x2f(k, 1.0, 2.0, 3.0)));
}
