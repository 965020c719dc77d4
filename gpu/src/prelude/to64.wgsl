// From a float F to 64-bit integers.
fn to_i64_F(x: F) -> i64 {
    if is_nan_F(x) { return 0li; }
    if x >= 9223372036854775808.0SF { return bitcast<i64>(0x7ffffffffffffffflu); }
    if x <= -9223372036854775808.0SF { return bitcast<i64>(0x8000000000000000lu); }
    return i64(x);
}
fn to_u64_F(x: F) -> u64 {
    if is_nan_F(x) || x <= 0.0SF { return 0lu; }
    if x >= 18446744073709551616.0SF { return 0xfffffffffffffffflu; }
    return u64(x);
}
