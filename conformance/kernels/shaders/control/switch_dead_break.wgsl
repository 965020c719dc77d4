// A `break` that is never reached leaves no `switch`: nothing behind it runs.
//! dispatch 1
//! out: [4] = zero
//! expect out = 5 4 5 9
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
fn picked(x: u32) -> u32 {
    switch x {
        case 1u: { return 4u; if x == 3u { break; } }
        default: { return 5u; }
    }
    return 6u;
}
fn left(x: u32) -> u32 {
    switch x {
        case 3u: { if x == 3u { break; } return 4u; if x == 3u { break; } }
        default: { return picked(x); }
    }
    return 9u;
}
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    out[id.x] = left(id.x);
}
