// A function that returns a struct from two places.
//! dispatch 1
//! out: [8] = zero
//! expect out = -1.0 -1.0 -1.0 6.0 8.0 10.0 12.0 14.0
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
struct Hit { found: bool, distance: f32, at: vec2f }
fn nearest(x: f32) -> Hit {
    if (x < 3.0) { return Hit(false, 0.0, vec2f(1.0)); }
    var hit: Hit;
    hit.found = true;
    hit.distance = x * 0.5;
    hit.at = vec2f(x, 2.0);
    return hit;
}
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let hit = nearest(f32(id.x));
    out[id.x] = select(-1.0, hit.at.x + hit.at.y * hit.distance, hit.found);
}
