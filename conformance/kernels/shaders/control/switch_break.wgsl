// `break` in the midst of a case; `continue` of the loop around.
//! dispatch 2
//! out: [16] = zero
//! expect out = 198 1208 198 1208 198 1108 98 1108 98 1108 98 1108 98 1108 98 1108
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0u;
    for (var i = 0u; i < 10u; i++) {
        switch (i32(i) - 3) {
            case -1: { if (id.x > 4u) { break; } sum += 100u; }
            case 2: { if (id.x % 2u == 0u) { continue; } sum += 1000u; }
            default: { sum += 1u; }
        }
        sum += 10u;
    }
    out[id.x] = sum;
}
