// One of several entry points; the variables of the other need no input.
//! dispatch 2
//! entry second
//! out: [8] = zero
//! expect out = iota 2
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read_write> other: array<u32>;
@compute @workgroup_size(64) fn first(@builtin(global_invocation_id) id: vec3u) { other[id.x] = 1u; }
@compute @workgroup_size(4) fn second(@builtin(global_invocation_id) id: vec3u) { out[id.x] = id.x + 2u; }
@vertex fn unused() -> @builtin(position) vec4f { return vec4f(0.0); }
