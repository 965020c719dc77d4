// A texture_external is a texture of floats with two dimensions and one level.
//! dispatch 1
//! e: [2, 2] = iota
//! s = sampler linear
//! out: [4] = zero
//! expect out = 8 6 2 2
@group(0) @binding(0) var e: texture_external;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1)
fn main() {
    out[0] = textureLoad(e, vec2u(0u, 1u)).x;
    out[1] = textureSampleBaseClampToEdge(e, s, vec2f(0.5)).x;
    let size = textureDimensions(e);
    out[2] = f32(size.x);
    out[3] = f32(size.y);
}
