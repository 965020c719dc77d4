@group(0) @binding(0) var<storage,read> a: array<f32>;
@group(0) @binding(1) var<storage,read> b: array<f32>;
@group(0) @binding(2) var<storage,read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> p: vec4u;
var<workgroup> ta: array<array<f32,16>,16>; var<workgroup> tb: array<array<f32,16>,16>;
@compute @workgroup_size(16,16) fn main(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_id) l: vec3u) { let n=p.x; var s=0.0;
  for(var t=0u;t<n;t+=16u){ ta[l.y][l.x]=a[g.y*n+t+l.x]; tb[l.y][l.x]=b[(t+l.y)*n+g.x]; workgroupBarrier();
    for(var k=0u;k<16u;k++){ s+=ta[l.y][k]*tb[k][l.x]; } workgroupBarrier(); }
  c[g.y*n+g.x]=s; }
