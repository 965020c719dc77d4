// `loop` with a continuing part that uses a value of the body, and `break if`.
//! dispatch 2
//! out: [16] = zero
//! expect out = 395 312 395 312 395 312 395 312 395 312 395 312 395 312 395 312
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var i = 0u;
    var sum = 0u;
    loop {
        let square = i * i;
        if (square % 5u == 1u) { continue; }
        sum += square;
        continuing {
            i = i + 1u + id.x % 2u;
            break if i > 12u;
        }
    }
    out[id.x] = sum;
}
