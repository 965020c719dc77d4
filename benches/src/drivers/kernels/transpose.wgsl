@group(0) @binding(0) var<storage,read> a: array<f32>;
@group(0) @binding(1) var<storage,read_write> c: array<f32>;
@group(0) @binding(2) var<uniform> p: vec4u;
var<workgroup> t: array<array<f32,16>,16>;
@compute @workgroup_size(16,16) fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_id) l: vec3u) { let n=p.x; let gx=w.x*16u; let gy=w.y*16u;
  t[l.y][l.x]=a[(gy+l.y)*n+gx+l.x]; workgroupBarrier(); c[(gx+l.y)*n+gy+l.x]=t[l.x][l.y]; }
