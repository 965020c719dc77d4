// 64-bit integers in two halves, and what else only 64-bit types have.
fn lz_u64(x: u64) -> u32 {
    let high = u32(x >> 32u);
    if high != 0u { return countLeadingZeros(high); }
    return 32u + countLeadingZeros(u32(x));
}
fn tz_u64(x: u64) -> u32 {
    let low = u32(x);
    if low != 0u { return countTrailingZeros(low); }
    return 32u + countTrailingZeros(u32(x >> 32u));
}
fn ones_u64(x: u64) -> u32 { return countOneBits(u32(x)) + countOneBits(u32(x >> 32u)); }
fn reverse_u64(x: u64) -> u64 { return (u64(reverseBits(u32(x))) << 32u) | u64(reverseBits(u32(x >> 32u))); }
fn swap_u64(x: u64) -> u64 { return (u64(swap_u32(u32(x))) << 32u) | u64(swap_u32(u32(x >> 32u))); }
fn pack_u64_(x: vec2<u32>) -> u64 { return u64(x.x) | (u64(x.y) << 32u); }
fn unpack_u64_(x: u64) -> vec2<u32> { return vec2<u32>(u32(x), u32(x >> 32u)); }
// Not `i64(x)`: lavapipe 22.3 takes that for a number without a sign where it is compared with a constant.
fn widen_i32(x: i32) -> i64 { return bitcast<i64>((u64(bitcast<u32>(x >> 31u)) << 32u) | u64(bitcast<u32>(x))); }
