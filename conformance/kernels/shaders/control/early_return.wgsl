// Functions with several returns, in loops too.
//! dispatch 2
//! out: [16] = zero
//! expect out = 14 21 28 35 42 7 56 63 70 0 0 5*-1
@group(0) @binding(0) var<storage, read_write> out: array<i32>;
fn first_multiple(step: i32, limit: i32) -> i32 {
    if (step > 12) { return -1; }
    var n = 0;
    loop {
        n += step;
        if (n % limit == 0) { return n; }
        if (n > 60) { break; }
    }
    return 0;
}
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    out[id.x] = first_multiple(i32(id.x) + 2, 7);
}
