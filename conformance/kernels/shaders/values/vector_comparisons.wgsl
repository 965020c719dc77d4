// Comparisons of vectors, `all`, `any`, `select` by component.
//! dispatch 1
//! out: [4] = zero
//! expect out = (100.0 110.0 120.0 130.0) (101.0 101.0 120.0 130.0) (102.0 102.0 102.0 130.0) (103.0 103.0
//!   103.0 103.0)
@group(0) @binding(0) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let a = vec4f(0.0, 1.0, 2.0, 3.0);
    let b = vec4f(f32(id.x));
    let less = a < b;
    let same = a == b;
    out[id.x] = select(a * 10.0, b, less | same) + select(0.0, 100.0, any(same) && !all(less));
}
