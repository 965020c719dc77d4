// Arrays of textures are refused where they are declared.
enable wgpu_binding_array;
@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@group(0) @binding(1) var pictures: binding_array<texture_2d<f32>, 4>;
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[K0902]: arrays of bindings are not supported
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    v[id.x] = textureLoad(pictures[id.y], id.xy, 0).x;
}
