// Rows for signed integers T with bits U.
fn mul_hi_T(a: T, b: T) -> T {
    let high = mul_hi_U(bitcast<U>(a), bitcast<U>(b));
    let one = select(0SU, bitcast<U>(b), a < 0ST);
    let other = select(0SU, bitcast<U>(a), b < 0ST);
    return bitcast<T>(high - one - other);
}
fn div_T(a: T, b: T) -> T {
    if b == 0ST { return a; }
    if b == -1ST { return bitcast<T>(0SU - bitcast<U>(a)); }
    return a / b;
}
fn rem_T(a: T, b: T) -> T {
    if b == 0ST || b == -1ST { return 0ST & a; }
    return a - (a / b) * b;
}
fn end_T(a: T) -> T { return bitcast<T>(((~0SU) >> 1u) + (bitcast<U>(a) >> TOPu)); }
fn add_overflows_T(a: T, b: T) -> bool { let r = a + b; return ((a ^ r) & (b ^ r)) < 0ST; }
fn sub_overflows_T(a: T, b: T) -> bool { let r = a - b; return ((a ^ b) & (a ^ r)) < 0ST; }
fn mul_overflows_T(a: T, b: T) -> bool { return mul_hi_T(a, b) != ((a * b) >> TOPu); }
fn add_sat_T(a: T, b: T) -> T { if add_overflows_T(a, b) { return end_T(a); } return a + b; }
fn sub_sat_T(a: T, b: T) -> T { if sub_overflows_T(a, b) { return end_T(a); } return a - b; }
fn mul_sat_T(a: T, b: T) -> T { if mul_overflows_T(a, b) { return end_T(a ^ b); } return a * b; }
fn div_euclid_T(a: T, b: T) -> T {
    let q = div_T(a, b);
    if b == 0ST { return q; }
    if rem_T(a, b) < 0ST { return select(q + 1ST, q - 1ST, b > 0ST); }
    return q;
}
fn rem_euclid_T(a: T, b: T) -> T {
    let r = rem_T(a, b);
    if r < 0ST { return select(r - b, r + b, b > 0ST); }
    return r;
}
fn isqrt_T(x: T) -> T { if x < 0ST { return 0ST & x; } return bitcast<T>(isqrt_U(bitcast<U>(x))); }
fn abs_T(x: T) -> T { return select(x, bitcast<T>(0SU - bitcast<U>(x)), x < 0ST); }
// Bits of x and -x, for the same reason as in `total_cmp_F`.
fn sign_T(x: T) -> T { return (x >> TOPu) | bitcast<T>((0SU - bitcast<U>(x)) >> TOPu); }
