// Gradients: the longer one in texels decides the level; its base-2 logarithm.
//! dispatch 1
//! t: [21] = (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (0 0 0 0) (10 0 0 0) (10 0 0 0) (10 0 0 0) (10 0 0 0) (20 0 0 0)
//! t_size = 4 4 1 3
//! s = sampler linear levels linear
//! held = sampler linear levels linear least 1 most 1.5
//! out: [6] = zero
//! expect out = 0 10 20 20 15 10
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var held: sampler;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1)
fn main() {
    let c = vec2f(0.5);
    out[0] = textureSampleGrad(t, s, c, vec2f(0.25, 0.0), vec2f(0.0, 0.25)).x;
    out[1] = textureSampleGrad(t, s, c, vec2f(0.5, 0.0), vec2f(0.0, 0.25)).x;
    out[2] = textureSampleGrad(t, s, c, vec2f(0.0, 0.0), vec2f(0.0, 1.0)).x;
    out[3] = textureSampleGrad(t, s, c, vec2f(0.0, 0.0), vec2f(0.0, 100.0)).x;
    out[4] = textureSampleLevel(t, held, c, 9.0).x;
    out[5] = textureSampleLevel(t, held, c, -9.0).x;
}
