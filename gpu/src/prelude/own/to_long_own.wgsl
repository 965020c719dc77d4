fn to_i64_F(x: F) -> i64 {
    if is_nan_F(x) { return 0li; }
    if size_F(x) >= TWO63 { return bitcast<i64>(select(0x7ffffffffffffffflu, 0x8000000000000000lu, negative_F(x))); }
    return i64(x);
}
fn to_u64_F(x: F) -> u64 {
    if is_nan_F(x) || negative_F(x) { return 0lu; }
    if size_F(x) >= TWO64 { return 0xfffffffffffffffflu; }
    return u64(x);
}
