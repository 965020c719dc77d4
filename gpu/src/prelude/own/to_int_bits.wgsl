// By bits: the whole part below 2^32.
fn small_F(x: F) -> u32 {
    let e = exponent_F(x) - BIASi;
    if size_F(x) == 0SU || e < 0i { return 0u; }
    let m = fraction_F(x);
    if e >= FBi { return u32(m << u32(e - FBi)); }
    return u32(m >> u32(FBi - e));
}
fn to_i32_F(x: F) -> i32 {
    if is_nan_F(x) { return 0; }
    if size_F(x) >= TWO31 { return bitcast<i32>(select(0x7fffffffu, 0x80000000u, negative_F(x))); }
    let whole = small_F(x);
    return bitcast<i32>(select(whole, 0u - whole, negative_F(x)));
}
fn to_u32_F(x: F) -> u32 {
    if is_nan_F(x) || negative_F(x) { return 0u; }
    if size_F(x) >= TWO32 { return 0xffffffffu; }
    return small_F(x);
}
