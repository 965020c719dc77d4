// The operator of Sobel in each channel: a quarter of the gradient's length.
override side: u32 = 16;
@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var result: texture_storage_2d<rgba8unorm, write>;

fn held(at: vec2i) -> vec4f {
    return textureLoad(source, clamp(at, vec2i(0), vec2i(textureDimensions(source)) - 1), 0);
}

@compute @workgroup_size(side, side)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let at = vec2i(id.xy);
    let a = held(at + vec2i(-1, -1));
    let b = held(at + vec2i(0, -1));
    let c = held(at + vec2i(1, -1));
    let d = held(at + vec2i(-1, 0));
    let f = held(at + vec2i(1, 0));
    let g = held(at + vec2i(-1, 1));
    let h = held(at + vec2i(0, 1));
    let k = held(at + vec2i(1, 1));
    let across = (c - a) + (f - d) * 2.0 + (k - g);
    let down = (g - a) + (h - b) * 2.0 + (k - c);
    textureStore(result, at, sqrt(across * across + down * down) * 0.25);
}
