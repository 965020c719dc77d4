@group(0) @binding(0) var<storage,read> S: array<f32>;
@group(0) @binding(1) var<storage,read> X: array<f32>;
@group(0) @binding(2) var<storage,read> T: array<f32>;
@group(0) @binding(3) var<storage,read_write> C: array<f32>;
@group(0) @binding(4) var<storage,read_write> P: array<f32>;
fn cnd(d: f32)->f32 { let k=1.0/(1.0+0.2316419*abs(d)); let c=0.3989422804*exp(-0.5*d*d)*(k*(0.319381530+k*(-0.356563782+k*(1.781477937+k*(-1.821255978+k*1.330274429))))); return select(c,1.0-c,d>0.0); }
@compute @workgroup_size(256) fn main(@builtin(local_invocation_id) l: vec3u, @builtin(workgroup_id) w: vec3u) { let i=(w.y*256u+w.x)*256u+l.x; let R=0.02; let V=0.30; let s=S[i]; let x=X[i]; let t=T[i]; let q=sqrt(t);
  let d1=(log(s/x)+(R+0.5*V*V)*t)/(V*q); let d2=d1-V*q; let n1=cnd(d1); let n2=cnd(d2); let e=exp(-R*t); C[i]=s*n1-x*e*n2; P[i]=x*e*(1.0-n2)-s*(1.0-n1); }
