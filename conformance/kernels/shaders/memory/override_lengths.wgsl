// Arrays of workgroup memory whose lengths are computed from overrides, before and behind other overrides.
//! dispatch 1
//! override m = 5
//! o: [4] = zero
//! expect o = 6 5 7 13
@group(0) @binding(0) var<storage, read_write> o: array<u32>;
override n: u32 = 3;
var<workgroup> a: array<u32, n * 2>;
override m: u32 = 4;
override k: u32 = m + 2;
var<workgroup> b: array<u32, n + m + 5>;
@compute @workgroup_size(1) fn main() {
    for (var i = 0u; i < n * 2; i++) { a[i] = i + 1; }
    b[n + m + 4] = a[n + 2] + k;
    o[0] = a[n * 2 - 1];
    o[1] = m;
    o[2] = k;
    o[3] = b[12] + a[1] * 0 + 1 - 1;
}
