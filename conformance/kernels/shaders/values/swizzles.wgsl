// Swizzles as values, components as places, by name and by index.
//! dispatch 1
//! out: [4] = zero
//! expect out = (4.0 3.0 -4.0 -4.0) (-6.0 6.0 2.0 2.0) (12.0 -12.0 3.0 3.0) (16.0 12.0 4.0 4.0)
@group(0) @binding(0) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var v = vec4f(1.0, 2.0, 3.0, 4.0) * f32(id.x + 1u);
    v.y = v.wzyx.x;
    v[id.x] = -v[3u - id.x];
    out[id.x] = vec4f(v.zx, v.rg).wxyz;
}
