// From a float F to 64-bit integers, by bits: what drivers make of large numbers differs.
fn whole_F(x: F) -> u64 {
    let e = exponent_F(x) - BIASi;
    if size_F(x) == 0SU || e < 0i { return 0lu; }
    let m = u64(fraction_F(x));
    if e >= FBi { return m << u32(e - FBi); }
    return m >> u32(FBi - e);
}
fn to_i64_F(x: F) -> i64 {
    if is_nan_F(x) { return 0li; }
    if size_F(x) >= TWO63 { return bitcast<i64>(select(0x7ffffffffffffffflu, 0x8000000000000000lu, negative_F(x))); }
    let whole = whole_F(x);
    return bitcast<i64>(select(whole, 0lu - whole, negative_F(x)));
}
fn to_u64_F(x: F) -> u64 {
    if is_nan_F(x) || negative_F(x) { return 0lu; }
    if size_F(x) >= TWO64 { return 0xfffffffffffffffflu; }
    return whole_F(x);
}
