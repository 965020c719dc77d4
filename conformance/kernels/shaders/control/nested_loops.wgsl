// Loops in loops, with `break` of the inner and `continue` of the outer one.
//! dispatch 2
//! out: [16] = zero
//! expect out = 0 100 118 127 133 138 138 141 144 147 149 151 153 155 157 159
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var count = 0u;
    for (var i = 0u; i < id.x; i++) {
        if (i == 5u) { continue; }
        for (var j = 0u; j < 100u; j++) {
            if (j * i > 17u) { break; }
            count += 1u;
        }
    }
    out[id.x] = count;
}
