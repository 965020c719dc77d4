// Sums, scans, extremes and bits over subgroups of 32 threads; the last one has 8.
//! dispatch 1
//! a: [40] = iota 3 step 7
//! out: [400] = zero
//! expect out = 32*3568 8*2012 3 13 30 54 85 123 168 220 279 345 418 498 585 679 780 888 1003 1125 1254 1390
//!   1533 1683 1840 2004 2175 2353 2538 2730 2929 3135 3348 3568 227 461 702 950 1205 1467 1736 2012 0 3 13
//!   30 54 85 123 168 220 279 345 418 498 585 679 780 888 1003 1125 1254 1390 1533 1683 1840 2004 2175 2353
//!   2538 2730 2929 3135 3348 0 227 461 702 950 1205 1467 1736 1 3 33 561 14025 434775 16956225 763030125
//!   1785890961 2288351595 2995701505 3937845065 1137870361 210473599 2815122721 859553285 3496994849
//!   2722449107 4148758369 2613884897 1619945321 4018914215 1265657729 1139767837 3378099377 2129375803
//!   3201146689 3801617913 3567816889 1325957071 3890174049 3973351605 1 227 53345 12856145 3201180105
//!   257140535 3203451265 2734931085 32*219 8*280 32*71 8*295 32*0 8*480 5*3584 5*4352 5*3968 5*4160 5*4064
//!   5*4112 4088 4088 5120 5120 5120 5*3584 32*2 8*1 32*1227133513 8*146
enable subgroups;
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(40)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = a[i];
    out[i] = subgroupAdd(x);
    out[i + 40u] = subgroupInclusiveAdd(x);
    out[i + 80u] = subgroupExclusiveAdd(x);
    out[i + 120u] = subgroupExclusiveMul(x | 1u);
    out[i + 160u] = subgroupMax(x ^ 21u);
    out[i + 200u] = subgroupMin(x ^ 21u) + subgroupAnd(x | 64u) + subgroupOr(x & 3u);
    out[i + 240u] = subgroupXor(x);
    out[i + 280u] = u32(i32(subgroupInclusiveMul(select(1.0, -0.5, i % 5u == 0u)) * 1024.0) + 4096);
    out[i + 320u] = select(0u, 1u, subgroupAll(x > 3u)) + select(0u, 2u, subgroupAny(x == 3u));
    out[i + 360u] = subgroupBallot(x % 3u == 0u).x;
}
