// Three by three, weighted 1, 2, 1 in both directions.
override side: u32 = 16;
@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var result: texture_storage_2d<rgba8unorm, write>;

fn held(at: vec2i) -> vec4f {
    return textureLoad(source, clamp(at, vec2i(0), vec2i(textureDimensions(source)) - 1), 0);
}

fn three(at: vec2i) -> vec4f {
    return held(at - vec2i(1, 0)) + held(at) * 2.0 + held(at + vec2i(1, 0));
}

@compute @workgroup_size(side, side)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let at = vec2i(id.xy);
    let sum = three(at - vec2i(0, 1)) + three(at) * 2.0 + three(at + vec2i(0, 1));
    textureStore(result, at, sum * 0.0625);
}
