// A float beyond the range of an integer becomes the nearest integer that is a float too.
//! dispatch 1
//! x: [6] = 1e20 -1e20 4294967296 2147483648 2147483520 -1
//! u: [6] = zero
//! i: [3] = zero
//! expect u = 4294967040 0 4294967040 2147483648 2147483520 0
//! expect i = 2147483520 -2147483648 2147483520 2147483520 2147483520 -1
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> u: array<u32>;
@group(0) @binding(2) var<storage, read_write> i: array<vec2i>;
@compute @workgroup_size(6) fn main(@builtin(local_invocation_index) n: u32) {
    u[n] = u32(x[n]);
    if n % 2 == 0 {
        i[n / 2] = vec2i(vec2f(x[n], x[n + 1]));
    }
}
