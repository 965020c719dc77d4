// Conversions between numbers; those out of range are held to what floats have of it.
//! dispatch 1
//! out: [16] = zero
//! expect out = -2147483648 0 32768 -2147483648 -1000000000 0 32771 -2147483648 1000000000 1000000000 32771
//!   -2147483648 2147483520 -1294967296 32771 -2147483648
@group(0) @binding(0) var<storage, read_write> out: array<i32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = (f32(id.x) - 1.5) * 2e9;
    out[id.x * 4u] = i32(x);
    out[id.x * 4u + 1u] = i32(u32(x));
    out[id.x * 4u + 2u] = i32(bool(id.x)) * 3 + i32(f32(u32(1u << 31u)) / 65536.0);
    out[id.x * 4u + 3u] = bitcast<i32>(x) ^ i32(bitcast<u32>(-x));
}
