// naga refuses what is no WGSL, at the shader's line.
@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    v[id.x] = 1u;
//  ^^^^^^^ error[K0901]: automatic conversions cannot convert elements of `u32` to `f32`
}
