// `while` whose condition is computed anew each time.
//! dispatch 2
//! out: [16] = zero
//! expect out = 0 1 7 2 5 8 16 3 19 6 14 9 9 17 17 4
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var n = id.x + 1u;
    var steps = 0u;
    while (n != 1u) {
        if (n % 2u == 0u) { n = n / 2u; } else { n = 3u * n + 1u; }
        steps++;
    }
    out[id.x] = steps;
}
