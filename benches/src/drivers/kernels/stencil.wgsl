@group(0) @binding(0) var<storage,read> a: array<f32>;
@group(0) @binding(1) var<storage,read_write> o: array<f32>;
@group(0) @binding(2) var<uniform> p: vec4u;
@compute @workgroup_size(16,16) fn main(@builtin(global_invocation_id) g: vec3u) { let n=p.x; let x=g.x; let y=g.y; let i=y*n+x;
  if(x==0u||y==0u||x==n-1u||y==n-1u){ o[i]=a[i]; } else { o[i]=0.2*(a[i]+a[i-1u]+a[i+1u]+a[i-n]+a[i+n]); } }
