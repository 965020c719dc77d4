// Constants of the module, made of one another.
//! dispatch 1
//! out: [4] = zero
//! expect out = 85 135 85 135
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
const BASE = 16u;
const TOTAL = BASE * 4u + 2u;
const SIZES = array<vec2u, 2>(vec2u(1u, BASE), vec2u(TOTAL));
const SCALE = vec2f(2.5);
const FLAG = BASE > 3u;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    out[id.x] = SIZES[id.x % 2u].y + TOTAL + u32(SCALE.x) + select(0u, 1u, FLAG);
}
