@group(0) @binding(0) var<storage,read> p: array<vec4f>;
@group(0) @binding(1) var<storage,read_write> o: array<vec4f>;
@group(0) @binding(2) var<uniform> u: vec4u;
var<workgroup> t: array<vec4f,256>;
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_id) li: vec3u) { let l=li.x; let me=p[g.x]; var acc=vec3f(0.0);
  for(var b=0u;b<u.x;b+=256u){ t[l]=p[b+l]; workgroupBarrier();
    for(var j=0u;j<256u;j++){ let q=t[j]; let dx=q.x-me.x; let dy=q.y-me.y; let dz=q.z-me.z; let d2=dx*dx+dy*dy+dz*dz+0.01; let iv=inverseSqrt(d2); let s=q.w*iv*iv*iv; acc+=vec3f(dx,dy,dz)*s; }
    workgroupBarrier(); }
  o[g.x]=vec4f(acc,0.0); }
