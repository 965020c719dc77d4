// Half-precision numbers in storage and in arithmetic, rounded after each operation.
//! dispatch 1
//! a: [4] = 1 0.1 2049 60000
//! out: [8] = zero
//! expect out = 1.7998047 0.44995117 3072.0 inf 1.3339844 -0.08288574 4736.0 inf
enable f16;
@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = a[i];
    out[i] = f32(x * 1.5h + 0.3h);
    let v = vec2h(x, x / 3.0h);
    out[i + 4u] = f32(dot(v, vec2h(2.0h, 1.0h)) - sqrt(x));
}
