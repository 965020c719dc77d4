// Cubes: the six faces and their axes, a blend over an edge, and one at a corner, where there are three texels.
//! dispatch 1
//! t: [6, 1, 1] = (1 0 0 0) (2 0 0 0) (3 0 0 0) (4 0 0 0) (5 0 0 0) (6 0 0 0)
//! many: [6, 2, 2] = iota 0 step 3
//! nearest = sampler nearest
//! linear = sampler linear
//! faces: [6] = zero
//! texels: [6] = zero
//! edge: [3] = zero
//! expect faces = 1 2 3 4 5 6
//! expect texels = 12 48 108 180 204 240
//! expect edge = 102 126 112
@group(0) @binding(0) var t: texture_cube<f32>;
@group(0) @binding(1) var many: texture_cube<f32>;
@group(0) @binding(2) var nearest: sampler;
@group(0) @binding(3) var linear: sampler;
@group(0) @binding(4) var<storage, read_write> faces: array<f32>;
@group(0) @binding(5) var<storage, read_write> texels: array<f32>;
@group(0) @binding(6) var<storage, read_write> edge: array<f32>;
@compute @workgroup_size(1)
fn main() {
    let axes = array(vec3f(1, 0, 0), vec3f(-1, 0, 0), vec3f(0, 1, 0), vec3f(0, -1, 0), vec3f(0, 0, 1), vec3f(0, 0, -1));
    for (var i = 0; i < 6; i++) {
        faces[i] = textureSampleLevel(t, nearest, axes[i] + vec3f(0.3, 0.2, 0.1), 0.0).x;
        texels[i] = textureSampleLevel(many, nearest, axes[i] * 3.0 + vec3f(1.0, 1.0, -1.0), 0.0).x;
    }
    // The edge between +x and +z: right on +z, left on +x, in the upper row.
    edge[0] = textureSampleLevel(many, linear, vec3f(1.0, 0.5, 1.0), 0.0).x;
    edge[1] = textureSampleLevel(many, linear, vec3f(1.0, -0.5, 1.0), 0.0).x;
    edge[2] = textureSampleLevel(many, linear, vec3f(1.0, 1.0, 1.0), 0.0).x;
}
