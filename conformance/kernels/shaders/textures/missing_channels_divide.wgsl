// The channels that a texel lacks are zeros: as a divisor they leave a number as it is.
//! dispatch 1
//! t: [4] = fill 3
//! v: [3] = 10 10 10 10  10 10 10 10  10 10 10 10
//! expect v = 3 10 10 10  1 0 0 0  10 10 3 10
@group(0) @binding(0) var t: texture_storage_1d<r32uint, read>;
@group(0) @binding(1) var<storage, read_write> v: array<vec4u>;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let texel = textureLoad(t, i32(id.x));
    v[0] = v[0] / texel;
    v[1] = v[1] % texel;
    v[2] = v[2] / texel.yzxw;
}
