// By bits: the highest one becomes the highest bit of U, what is below tells by its lowest that there is something.
fn from_u64_F(x: u64) -> F {
    if x == 0lu { return bitcast<F>(U(x)); }
    let by = lz_u64(x);
    let high = x << by;
    let rest = high & ((1lu << (64u - WIDTHu)) - 1lu);
    return pack_F(0SU, BIASi + 63i - i32(by), U(high >> (64u - WIDTHu)) | select(0SU, 1SU, rest != 0lu));
}
fn from_i64_F(x: i64) -> F {
    let bits = bitcast<u64>(x);
    let size = from_u64_F(select(bits, 0lu - bits, x < 0li));
    return bitcast<F>(bitcast<U>(size) | select(0SU, SIGN, x < 0li));
}
