// Matrices inside values of many parts, and of constants that are indexed.
//! dispatch 1
//! camera = (1 0 0 0) (0 1 0 0) (0 0 1 0) (1 2 3 1) (2 0 0 0) (0 2 0 0) (0 0 2 0) (0 0 0 1) (0 1 0 0) (1 0 0 0) (0 0 1 0) (0 0 0 1) (9 8 7 6)
//! p: [4] = (1 1 1 1) (2 0 0 1) (0 3 0 1) (0 0 4 1)
//! out: [6] = zero
//! expect out = (4 6 8 1) (6 4 6 1) (-1 -2 -3 -1) (1 0 0 0) (2 8 7 6) (-4 3 0 0)
struct Camera { view: mat4x4f, proj: mat4x4f, swap: mat4x4f, eye: vec4f }
const TURNS = array<mat2x2f, 3>(mat2x2f(1, 0, 0, 1), mat2x2f(0, 1, -1, 0), mat2x2f(-1, 0, 0, -1));
@group(0) @binding(0) var<uniform> camera: Camera;
@group(0) @binding(1) var<storage, read> p: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;

fn project(cam: Camera, at: vec4f) -> vec4f { return cam.proj * (cam.view * at); }

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    out[id.x] = project(camera, p[id.x]);
    let all = camera;
    if id.x == 0u {
        out[2] = (all.view * -1.0)[3];
        out[3] = transpose(all.swap)[1];
        var mine = all;
        mine.view = all.swap * all.proj;
        let copied = mine;
        out[4] = vec4f(copied.view[0].y, all.eye.yzw);
        let views = array<mat4x4f, 3>(all.view, all.proj, all.swap);
        out[5] = vec4f(TURNS[id.x + 1u] * vec2f(3, 4), determinant(mat3x3f(views[id.x][0].yzw, p[1].xyz, p[2].xyz)), 0);
    }
}
