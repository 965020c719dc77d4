// The kernels of the benchmarks in OpenCL C, by hand; each does the work of the WGSL file of its name in `kernels`.
__kernel void vadd(__global const float*a,__global const float*b,__global float*c){ size_t i=get_global_id(0); c[i]=a[i]+b[i]; }
__kernel void saxpy(__global const float*x,__global float*y,float alpha){ size_t i=get_global_id(0); y[i]=alpha*x[i]+y[i]; }
__kernel void mandel(__global uint*out,uint w,uint h,uint maxit){
  uint px=get_global_id(0),py=get_global_id(1); float cx=-2.5f+3.5f*(float)px/(float)w, cy=-1.25f+2.5f*(float)py/(float)h;
  float x=0,y=0; uint it=0; while(it<maxit && x*x+y*y<=4.0f){ float t=x*x-y*y+cx; y=2.0f*x*y+cy; x=t; it++; } out[py*w+px]=it; }
__kernel void matmul(__global const float*a,__global const float*b,__global float*c,uint n){
  uint col=get_global_id(0),row=get_global_id(1); float s=0; for(uint k=0;k<n;k++) s+=a[row*n+k]*b[k*n+col]; c[row*n+col]=s; }
__attribute__((reqd_work_group_size(16,16,1)))
__kernel void matmul_tiled(__global const float*a,__global const float*b,__global float*c,uint n){
  __local float ta[16][16]; __local float tb[16][16];
  uint lx=get_local_id(0),ly=get_local_id(1),col=get_global_id(0),row=get_global_id(1); float s=0;
  for(uint t=0;t<n;t+=16){ ta[ly][lx]=a[row*n+t+lx]; tb[ly][lx]=b[(t+ly)*n+col]; barrier(CLK_LOCAL_MEM_FENCE);
    for(uint k=0;k<16;k++) s+=ta[ly][k]*tb[k][lx]; barrier(CLK_LOCAL_MEM_FENCE); }
  c[row*n+col]=s; }
__attribute__((reqd_work_group_size(16,16,1)))
__kernel void transpose(__global const float*a,__global float*c,uint n){
  __local float t[16][16]; uint lx=get_local_id(0),ly=get_local_id(1),gx=get_group_id(0)*16,gy=get_group_id(1)*16;
  t[ly][lx]=a[(gy+ly)*n+gx+lx]; barrier(CLK_LOCAL_MEM_FENCE); c[(gx+ly)*n+gy+lx]=t[lx][ly]; }
__attribute__((reqd_work_group_size(256,1,1)))
__kernel void reduce(__global const float*a,__global float*o){
  __local float s[256]; uint l=get_local_id(0); s[l]=a[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
  for(uint d=128;d>0;d>>=1){ if(l<d) s[l]+=s[l+d]; barrier(CLK_LOCAL_MEM_FENCE); }
  if(l==0) o[get_group_id(0)]=s[0]; }
__attribute__((reqd_work_group_size(256,1,1)))
__kernel void scan(__global const float*a,__global float*o){
  __local float s[256]; uint l=get_local_id(0); s[l]=a[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
  for(uint d=1;d<256;d<<=1){ float v=s[l]; if(l>=d) v+=s[l-d]; barrier(CLK_LOCAL_MEM_FENCE); s[l]=v; barrier(CLK_LOCAL_MEM_FENCE); }
  o[get_global_id(0)]=s[l]; }
__kernel void stencil(__global const float*a,__global float*o,uint n){
  uint x=get_global_id(0),y=get_global_id(1),i=y*n+x;
  if(x==0||y==0||x==n-1||y==n-1) o[i]=a[i]; else o[i]=0.2f*(a[i]+a[i-1]+a[i+1]+a[i-n]+a[i+n]); }
__attribute__((reqd_work_group_size(256,1,1)))
__kernel void nbody(__global const float4*p,__global float4*o,uint n){
  __local float4 t[256]; uint l=get_local_id(0),i=get_global_id(0); float4 me=p[i]; float ax=0,ay=0,az=0;
  for(uint b=0;b<n;b+=256){ t[l]=p[b+l]; barrier(CLK_LOCAL_MEM_FENCE);
    for(uint j=0;j<256;j++){ float4 q=t[j]; float dx=q.x-me.x,dy=q.y-me.y,dz=q.z-me.z; float d2=dx*dx+dy*dy+dz*dz+0.01f; float iv=rsqrt(d2); float s=q.w*iv*iv*iv; ax+=dx*s; ay+=dy*s; az+=dz*s; }
    barrier(CLK_LOCAL_MEM_FENCE); }
  o[i]=(float4)(ax,ay,az,0.0f); }
__attribute__((reqd_work_group_size(256,1,1)))
__kernel void hist(__global const uint*d,__global uint*h,uint n){
  __local uint t[256]; uint l=get_local_id(0); t[l]=0; barrier(CLK_LOCAL_MEM_FENCE);
  for(uint i=get_global_id(0);i<n;i+=get_global_size(0)) atomic_inc(&t[d[i]>>24]);
  barrier(CLK_LOCAL_MEM_FENCE); atomic_add(&h[l],t[l]); }
float cnd(float d){ float k=1.0f/(1.0f+0.2316419f*fabs(d)); float c=0.3989422804f*exp(-0.5f*d*d)*(k*(0.319381530f+k*(-0.356563782f+k*(1.781477937f+k*(-1.821255978f+k*1.330274429f))))); return d>0?1.0f-c:c; }
__kernel void bs(__global const float*S,__global const float*X,__global const float*T,__global float*C,__global float*P){
  size_t i=get_global_id(0); const float R=0.02f,V=0.30f; float s=S[i],x=X[i],t=T[i]; float q=sqrt(t);
  float d1=(log(s/x)+(R+0.5f*V*V)*t)/(V*q), d2=d1-V*q; float n1=cnd(d1),n2=cnd(d2); float e=exp(-R*t);
  C[i]=s*n1-x*e*n2; P[i]=x*e*(1.0f-n2)-s*(1.0f-n1); }
