// A continuing part that uses values of its round's body, and a condition that the body uses too.
//! dispatch 1
//! out: [8] = zero
//! expect out = 4 8 14 21 30 40 52 65
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var i = 0u;
    var sum = 0u;
    loop {
        let more = i < 3u + id.x;
        if more {} else { break; }
        let half = (i + id.x) / 2u;
        sum += select(100u, 1u, more);
        continuing {
            sum += half;
            i = i + 1u;
        }
    }
    out[id.x] = sum;
}
