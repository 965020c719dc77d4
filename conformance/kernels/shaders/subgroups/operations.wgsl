// Sums, scans, extremes and bits over subgroups of 32 threads; the last one has 16.
//! dispatch 1
//! a: [80] = iota 3 step 7
//! out: [800] = zero
enable subgroups;
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(80)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = a[i];
    out[i] = subgroupAdd(x);
    out[i + 80u] = subgroupInclusiveAdd(x);
    out[i + 160u] = subgroupExclusiveAdd(x);
    out[i + 240u] = subgroupExclusiveMul(x | 1u);
    out[i + 320u] = subgroupMax(x ^ 21u);
    out[i + 400u] = subgroupMin(x ^ 21u) + subgroupAnd(x | 64u) + subgroupOr(x & 3u);
    out[i + 480u] = subgroupXor(x);
    out[i + 560u] = u32(i32(subgroupInclusiveMul(select(1.0, -0.5, i % 5u == 0u)) * 1024.0) + 4096);
    out[i + 640u] = select(0u, 1u, subgroupAll(x > 3u)) + select(0u, 2u, subgroupAny(x == 3u));
    out[i + 720u] = subgroupBallot(x % 3u == 0u).x;
}
