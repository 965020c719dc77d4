fn to_i32_F(x: F) -> i32 {
    if is_nan_F(x) { return 0; }
    if x >= 2147483648.0SF { return 2147483647; }
    if x <= -2147483648.0SF { return i32(-2147483648); }
    return i32(x);
}
fn to_u32_F(x: F) -> u32 {
    if is_nan_F(x) || x <= 0.0SF { return 0u; }
    if x >= 4294967296.0SF { return 4294967295u; }
    return u32(x);
}
