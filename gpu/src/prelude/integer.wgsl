// Rows of the op table for one integer type T, whose bits are U.
fn abs_diff_T(a: T, b: T) -> T { return select(b - a, a - b, a > b); }
fn ipow_T(a: T, n: u32) -> T {
    var base = a;
    var left = n;
    var out = 1ST;
    while left != 0u {
        if (left & 1u) != 0u { out = out * base; }
        base = base * base;
        left = left >> 1u;
    }
    return out;
}
fn count_ones_T(x: T) -> u32 { return ones_U(bitcast<U>(x)); }
fn leading_zeros_T(x: T) -> u32 { return lz_U(bitcast<U>(x)); }
fn trailing_zeros_T(x: T) -> u32 { return tz_U(bitcast<U>(x)); }
fn reverse_bits_T(x: T) -> T { return bitcast<T>(reverse_U(bitcast<U>(x))); }
fn swap_bytes_T(x: T) -> T { return bitcast<T>(swap_U(bitcast<U>(x))); }
fn rotl_T(x: T, n: u32) -> T {
    let by = n & TOPu;
    let bits = bitcast<U>(x);
    return bitcast<T>((bits << by) | ((bits >> 1u) >> (TOPu - by)));
}
fn rotr_T(x: T, n: u32) -> T {
    let by = n & TOPu;
    let bits = bitcast<U>(x);
    return bitcast<T>((bits >> by) | ((bits << 1u) << (TOPu - by)));
}
fn first_low_T(x: T) -> T {
    let bits = bitcast<U>(x);
    if bits == 0SU { return bitcast<T>(~bits); }
    return T(tz_U(bits));
}
fn first_high_T(x: T) -> T {
    var bits = bitcast<U>(x);
    if SIGNED && lz_U(bits) == 0u { bits = ~bits; }
    if bits == 0SU { return bitcast<T>(~bits); }
    return T(TOPu - lz_U(bits));
}
fn low_bits_T(count: u32) -> U { if count == 0u { return 0SU; } return (~0SU) >> (TOPu + 1u - count); }
fn extract_bits_T(e: T, given_offset: u32, given_count: u32) -> T {
    let offset = min(given_offset, TOPu + 1u);
    let count = min(given_count, TOPu + 1u - offset);
    if count == 0u { return T(count); }
    let found = (bitcast<U>(e) >> offset) & low_bits_T(count);
    if SIGNED && ((found >> (count - 1u)) & 1SU) != 0SU { return bitcast<T>(found | ~low_bits_T(count)); }
    return bitcast<T>(found);
}
fn insert_bits_T(e: T, new_: T, given_offset: u32, given_count: u32) -> T {
    let offset = min(given_offset, TOPu + 1u);
    let count = min(given_count, TOPu + 1u - offset);
    if count == 0u { return e; }
    let mask = low_bits_T(count) << offset;
    return bitcast<T>((bitcast<U>(e) & ~mask) | ((bitcast<U>(new_) << offset) & mask));
}
