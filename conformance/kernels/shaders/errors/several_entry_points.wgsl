// Of several entry points one has to be named.
// ^none error[K0903]: the shader has several entry points
@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@compute @workgroup_size(64) fn first(@builtin(global_invocation_id) id: vec3u) { v[id.x] = 1.0; }
@compute @workgroup_size(64) fn second(@builtin(global_invocation_id) id: vec3u) { v[id.x] = 2.0; }
