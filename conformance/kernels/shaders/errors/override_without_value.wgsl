// An override without a default needs a value.
override COUNT: u32;
// ^1:20 error[K0904]: the override `COUNT` has no value
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] = COUNT; }
