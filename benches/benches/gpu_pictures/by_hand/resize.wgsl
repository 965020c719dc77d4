// A bilinear resize by the texture unit.
override side: u32 = 16;
@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var result: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(2) var linear: sampler;

@compute @workgroup_size(side, side)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let at = (vec2f(id.xy) + 0.5) / vec2f(textureDimensions(result));
    textureStore(result, id.xy, textureSampleLevel(source, linear, at, 0.0));
}
