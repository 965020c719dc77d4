// Textures of every shape: the most significant index of an array is its layer, the last one of a
// multisampled texture its sample.
//! dispatch 1
//! line: [3] = iota
//! cells: [2, 2, 3] = iota
//! layers: [3, 2, 2] = iota
//! many: [2, 2, 4] = iota
//! depth: [2, 2] = 0 0.25 0.5 1
//! cube: [6, 2, 2] = zero
//! cubes: [12, 2, 2] = zero
//! out: [22] = zero
//! expect out = 8 44 24 36 0.5 3 3 2 2 2 2 3 2 2 4 2 2 2 2 2 2 0
@group(0) @binding(0) var line: texture_1d<f32>;
@group(0) @binding(1) var cells: texture_3d<f32>;
@group(0) @binding(2) var layers: texture_2d_array<i32>;
@group(0) @binding(3) var many: texture_multisampled_2d<u32>;
@group(0) @binding(4) var depth: texture_depth_2d;
@group(0) @binding(5) var cube: texture_cube<f32>;
@group(0) @binding(6) var cubes: texture_cube_array<f32>;
@group(0) @binding(7) var<storage, read_write> out: array<f32>;
fn size(t: texture_cube_array<f32>) -> vec2u {
    return textureDimensions(t);
}
@compute @workgroup_size(1)
fn main() {
    out[0] = textureLoad(line, 2, 0).x;
    out[1] = textureLoad(cells, vec3u(2, 1, 1), 0).x;
    out[2] = f32(textureLoad(layers, vec2u(0, 1), 1, 0).x);
    out[3] = f32(textureLoad(many, vec2u(0, 1), 1).x);
    out[4] = textureLoad(depth, vec2u(0, 1), 0);
    out[5] = f32(textureDimensions(line));
    let a = textureDimensions(cells);
    out[6] = f32(a.x);
    out[7] = f32(a.y);
    out[8] = f32(a.z);
    let b = textureDimensions(layers);
    out[9] = f32(b.x);
    out[10] = f32(b.y);
    out[11] = f32(textureNumLayers(layers));
    let c = textureDimensions(many);
    out[12] = f32(c.x);
    out[13] = f32(c.y);
    out[14] = f32(textureNumSamples(many));
    out[15] = f32(textureDimensions(depth).y);
    let d = textureDimensions(cube);
    out[16] = f32(d.x);
    out[17] = f32(d.y);
    let e = size(cubes);
    out[18] = f32(e.x);
    out[19] = f32(e.y);
    out[20] = f32(textureNumLayers(cubes));
}
