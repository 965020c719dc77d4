@group(0) @binding(0) var<storage,read> a: array<f32>;
@group(0) @binding(1) var<storage,read_write> o: array<f32>;
var<workgroup> s: array<f32,256>;
@compute @workgroup_size(256) fn main(@builtin(local_invocation_id) li: vec3u, @builtin(workgroup_id) w: vec3u) { let l=li.x; let i=(w.y*256u+w.x)*256u+l; s[l]=a[i]; workgroupBarrier();
  for(var d=1u;d<256u;d<<=1u){ var v=s[l]; if(l>=d){ v+=s[l-d]; } workgroupBarrier(); s[l]=v; workgroupBarrier(); }
  o[i]=s[l]; }
