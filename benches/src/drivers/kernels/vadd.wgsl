@group(0) @binding(0) var<storage,read> a: array<f32>;
@group(0) @binding(1) var<storage,read> b: array<f32>;
@group(0) @binding(2) var<storage,read_write> c: array<f32>;
@compute @workgroup_size(256) fn main(@builtin(local_invocation_id) l: vec3u, @builtin(workgroup_id) w: vec3u) { let i = (w.y*256u+w.x)*256u+l.x; c[i]=a[i]+b[i]; }
