@group(0) @binding(0) var<storage,read> a: array<f32>;
@group(0) @binding(1) var<storage,read_write> o: array<f32>;
var<workgroup> s: array<f32,256>;
@compute @workgroup_size(256) fn main(@builtin(local_invocation_id) li: vec3u, @builtin(workgroup_id) w: vec3u) { let l=li.x; let g=w.y*256u+w.x; s[l]=a[g*256u+l]; workgroupBarrier();
  for(var d=128u;d>0u;d>>=1u){ if(l<d){ s[l]+=s[l+d]; } workgroupBarrier(); }
  if(l==0u){ o[g]=s[0]; } }
