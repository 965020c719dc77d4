@group(0) @binding(0) var<storage,read_write> o: array<u32>;
@group(0) @binding(1) var<uniform> p: vec4u;
@compute @workgroup_size(16,16) fn main(@builtin(global_invocation_id) g: vec3u) {
  let cx=-2.5+3.5*f32(g.x)/f32(p.x); let cy=-1.25+2.5*f32(g.y)/f32(p.y); var x=0.0; var y=0.0; var it=0u;
  while (it<p.z && x*x+y*y<=4.0) { let t=x*x-y*y+cx; y=2.0*x*y+cy; x=t; it++; } o[g.y*p.x+g.x]=it; }
