// A Gaussian of nine taps, along rows or along columns.
override side: u32 = 16;
@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var result: texture_storage_2d<rgba8unorm, write>;

fn held(at: vec2i) -> vec4f {
    return textureLoad(source, clamp(at, vec2i(0), vec2i(textureDimensions(source)) - 1), 0);
}

fn pair(at: vec2i, by: vec2i) -> vec4f {
    return held(at - by) + held(at + by);
}

fn nine(at: vec2i, by: vec2i) -> vec4f {
    return held(at) * 0.20416369
        + pair(at, by) * 0.18017382
        + pair(at, 2 * by) * 0.12383154
        + pair(at, 3 * by) * 0.06628225
        + pair(at, 4 * by) * 0.02763055;
}

@compute @workgroup_size(side, side)
fn across(@builtin(global_invocation_id) id: vec3u) {
    let at = vec2i(id.xy);
    textureStore(result, at, nine(at, vec2i(1, 0)));
}

@compute @workgroup_size(side, side)
fn down(@builtin(global_invocation_id) id: vec3u) {
    let at = vec2i(id.xy);
    textureStore(result, at, nine(at, vec2i(0, 1)));
}
