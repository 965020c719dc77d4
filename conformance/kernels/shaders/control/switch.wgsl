// `switch` with several selectors to a case, and a default in the middle.
//! dispatch 3
//! out: [24] = zero
//! expect out = 10 20 20 30 30 5 30 7 30 10 20 20 30 30 14 30 16 30 10 20 20 30 30 23
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    switch (id.x % 9u) {
        case 0u: { out[id.x] = 10u; }
        case 1u, 2u: { out[id.x] = 20u; }
        default: { out[id.x] = 30u; }
        case 5u, 7u: { out[id.x] = id.x; }
    }
}
