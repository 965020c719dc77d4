// Textures and samplers are refused where they are declared and used.
@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@group(0) @binding(1) var picture: texture_2d<f32>;
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[K0902]: textures are not supported
@group(0) @binding(2) var how: sampler;
//                    ^^^^^^^^^^^^^^^^^ error[K0902]: samplers are not supported
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    v[id.x] = textureSampleLevel(picture, how, vec2f(id.xy), 0.0).x;
//            ^^^^^^^^^^^^^^^^^^ error[K0902]: textures are not supported
}
