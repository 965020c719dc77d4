@group(0) @binding(0) var<storage,read> d: array<u32>;
@group(0) @binding(1) var<storage,read_write> h: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> u: vec4u;
var<workgroup> t: array<atomic<u32>,256>;
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_id) li: vec3u, @builtin(num_workgroups) nw: vec3u) { let l=li.x; atomicStore(&t[l],0u); workgroupBarrier();
  for(var i=g.x;i<u.x;i+=nw.x*256u){ atomicAdd(&t[d[i]>>24u],1u); } workgroupBarrier(); atomicAdd(&h[l],atomicLoad(&t[l])); }
