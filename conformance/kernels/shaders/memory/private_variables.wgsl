// Private variables with and without a first value, changed by functions.
//! dispatch 1
//! out: [8] = zero
//! expect out = 20272 1295 1062 20085 1108 1132 20155 1178
var<private> state: u32 = 17u;
var<private> history: array<u32, 3>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
fn next() -> u32 {
    history[state % 3u] += 1u;
    state = state * 1664525u + 1013904223u;
    return state >> 24u;
}
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    state += i;
    let a = next();
    out[i] = a + next() + history[0] * 1000u + history[2] * 10000u;
}
