// A function whose end is a `switch` with nothing but a default that returns.
//! dispatch 1
//! v: [6] = iota
//! expect v = 7 8 9 10 14 16
@group(0) @binding(0) var<storage, read_write> v: array<u32>;

fn plain(x: u32) -> u32 {
    switch x {
        default: { return x + 3u; }
    }
}

fn in_part(x: u32) -> u32 {
    if x > 5u {
        switch x {
            case 1u, default: {
                if x == 6u { break; }
                return x * 2u;
            }
        }
    }
    return x + 4u;
}

@compute @workgroup_size(6) fn main(@builtin(global_invocation_id) id: vec3u) {
    v[id.x] = in_part(plain(v[id.x]));
}
