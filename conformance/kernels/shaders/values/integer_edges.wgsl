// Division by zero, shifts beyond the width, and the quotient that overflows.
//! dispatch 1
//! out: [16] = zero
//! expect out = 5 -2147483648 -2147483648 -1073741824 6 -2147483648 2 -536870912 7 -2147483648 6 -268435456 8
//!   -2147483648 16 -134217728
@group(0) @binding(0) var<storage, read_write> out: array<i32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = i32(id.x);
    let zero = n - n;
    let least = -2147483647 - 1 + zero;
    out[id.x * 4u] = (n + 5) / zero + (n + 5) % zero;
    out[id.x * 4u + 1u] = (least / (zero - 1)) ^ (least % (zero - 1));
    out[id.x * 4u + 2u] = (n + 1) << (id.x + 31u);
    out[id.x * 4u + 3u] = (least + n) >> (id.x + 1u);
}
