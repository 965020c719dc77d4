// A `break` that is never reached leaves no loop: nothing behind it runs.
//! dispatch 1
//! out: [8] = zero
//! expect out = 1 1 1 1 5 6 7 8
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = id.x;
    if x < 4u {
        loop {
            out[x] = 1u;
            return;
            if out[x] == 1u { break; }
        }
        out[x] = 2u;
    }
    loop {
        if x > 9u { continue; break; } else { out[x] = x + 1u; return; }
    }
    out[x] = 3u;
}
