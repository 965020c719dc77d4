// Levels: three of a texture of 4 by 4, in memory one behind the other, with its size beside.
//! dispatch 1
//! t: [21] = iota
//! t_size = 4 4 1 3
//! s = sampler linear levels linear
//! out: [8] = zero
//! expect out = 64 3 50 0 0 4 2 1
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let one = id.x + 1u;
    out[0] = textureLoad(t, vec2u(0u), one).x;
    out[1] = f32(textureNumLevels(t));
    out[2] = textureSampleLevel(t, s, vec2f(0.5), 0.5).x;
    out[3] = textureLoad(t, vec2u(0u), one + 2u).x;
    out[4] = textureLoad(t, vec2u(2u), one).x;
    out[5] = f32(textureDimensions(t).x);
    out[6] = f32(textureDimensions(t, one).y);
    out[7] = f32(textureDimensions(t, 2).y);
}
