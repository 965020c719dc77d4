// Results of 16 bits are rounded once: `fma`, and what a number of 64 bits becomes.
//! dispatch 1
//! a: [8] = 3 0.33349609375 0.000000059604644775390625 1  -3 65504 inf 0x1.004p+0
//! v: [8] = zero
//! d: [4] = zero
//! expect v = 1.0009765625 1 -1.0009765625 inf  nan 0x1.004p+0 65504 0
//! expect d = 1.0009765625 1 -1.0009765625 inf
enable f16;
@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> v: array<f32>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(1)
fn main() {
    // 3 * 0.33349609375 is 1.00048828125, half way.
    v[0] = f32(fma(a[0], a[1], a[2]));
    v[1] = f32(fma(a[0], a[1], -a[2]));
    v[2] = f32(fma(a[4], a[1], -a[2]));
    v[3] = f32(fma(a[5], a[0], a[3]));
    v[4] = f32(fma(a[6], a[3], -a[6]));
    v[5] = f32(fma(vec2<f16>(a[7], a[1]), vec2<f16>(a[3], a[2]), vec2<f16>(a[2], a[2])).x);
    v[6] = f32(fma(a[5], a[3], a[2]));
    v[7] = f32(fma(a[3], a[3], -a[3]));
    let half_way = f64(a[0]) * f64(a[1]);
    let tiny = f64(a[2]) * f64(a[2]);
    d[0] = f32(f16(half_way + tiny));
    d[1] = f32(f16(half_way - tiny));
    d[2] = f32(f16(-half_way - tiny));
    d[3] = f32(f16(half_way * f64(a[5]) * f64(a[5]) * f64(a[5]) * f64(a[5]) * f64(a[5]) * f64(a[5]) * f64(a[5]) * f64(a[5])));
}
