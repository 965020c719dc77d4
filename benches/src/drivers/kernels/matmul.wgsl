@group(0) @binding(0) var<storage,read> a: array<f32>;
@group(0) @binding(1) var<storage,read> b: array<f32>;
@group(0) @binding(2) var<storage,read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> p: vec4u;
@compute @workgroup_size(16,16) fn main(@builtin(global_invocation_id) g: vec3u) { let n=p.x; var s=0.0; for(var k=0u;k<n;k++){ s+=a[g.y*n+k]*b[k*n+g.x]; } c[g.y*n+g.x]=s; }
