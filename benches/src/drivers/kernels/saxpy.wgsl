@group(0) @binding(0) var<storage,read> x: array<f32>;
@group(0) @binding(1) var<storage,read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> alpha: vec4f;
@compute @workgroup_size(256) fn main(@builtin(local_invocation_id) l: vec3u, @builtin(workgroup_id) w: vec3u) { let i = (w.y*256u+w.x)*256u+l.x; y[i]=alpha.x*x[i]+y[i]; }
