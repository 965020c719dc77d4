// By bits: the highest one becomes the highest bit of U.
fn from_u32_F(x: u32) -> F {
    if x == 0u { return bitcast<F>(U(x)); }
    let by = countLeadingZeros(x);
    return pack_F(0SU, BIASi + 31i - i32(by), U(x << by) << (WIDTHu - 32u));
}
fn from_i32_F(x: i32) -> F {
    let size = from_u32_F(bitcast<u32>(select(x, 0i - x, x < 0i)));
    return bitcast<F>(bitcast<U>(size) | select(0SU, SIGN, x < 0i));
}
