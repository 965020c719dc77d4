// Products of matrices of all shapes with vectors and with one another.
//! dispatch 1
//! out: [4] = zero
//! expect out = (49.0 59.0 -5.0 421.0) (97.0 126.0 8.0 3630.0) (151.0 209.0 29.0 6849.0) (211.0 308.0 58.0
//!   10078.0)
@group(0) @binding(0) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let k = f32(id.x) + 1.0;
    let a = mat2x3f(vec3f(1.0, 2.0, k), vec3f(4.0, k, 6.0));
    let b = mat3x2f(1.0, k, 3.0, 4.0, 5.0, 6.0);
    let c = b * a;
    let d = a * b;
    let v = vec3f(k, 1.0, -1.0);
    out[id.x] = vec4f(c * vec2f(1.0, k), (d * v).x, dot(v * d, vec3f(1.0, 10.0, 100.0)));
}
