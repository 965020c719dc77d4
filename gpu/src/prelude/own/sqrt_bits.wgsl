// The root digit by digit, as fdlibm's.
fn sqrt_F(x: F) -> F {
    let bits = bitcast<U>(x);
    if is_nan_F(x) || size_F(x) == 0SU || bits == INF { return x; }
    if negative_F(x) { return nan_F(); }
    var e = exponent_F(x) - BIASi;
    var rest = fraction_F(x);
    if (e & 1i) != 0i { rest = rest + rest; }
    e = e >> 1u;
    rest = rest + rest;
    var q = 0SU;
    var s = 0SU;
    var r = HIDDEN << 1u;
    for (var i = 0u; i < FBu + 2u; i = i + 1u) {
        let t = s + r;
        if t <= rest {
            s = t + r;
            rest = rest - t;
            q = q + r;
        }
        rest = rest + rest;
        r = r >> 1u;
    }
    if rest != 0SU { q = q + (q & 1SU); }
    return bitcast<F>((q >> 1u) + HALFBITS + (U(bitcast<u32>(e)) << FBu));
}
