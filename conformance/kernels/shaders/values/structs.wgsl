// Structs as values: made, copied, changed in part, passed and returned.
//! dispatch 2
//! out: [8] = zero
//! expect out = (0.0 1.0 0.0 -0.0) (0.0 4.0 2.0 -1.0) (0.0 7.0 4.0 -2.0) (0.0 10.0 6.0 -3.0) (0.0 13.0 8.0
//!   -4.0) (0.0 16.0 10.0 -5.0) (0.0 19.0 12.0 -6.0) (0.0 22.0 14.0 -7.0)
@group(0) @binding(0) var<storage, read_write> out: array<vec4f>;
struct Inner { n: u32, b: vec2f }
struct Outer { a: vec2f, inner: Inner }
fn make(x: f32) -> Outer {
    return Outer(vec2f(x, x + 1.0), Inner(3u, vec2f(x * 2.0, -x)));
}
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var p = make(f32(id.x));
    let before = p;
    p.inner.b[1] = 9.0;
    p.a = p.a + before.inner.b.yx;
    out[id.x] = vec4f(p.a, p.inner.b[0], before.inner.b[1]);
}
