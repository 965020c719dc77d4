// The quotient digit by digit: two more than are kept, and whether something is left.
fn div_digits_F(a: F, b: F) -> F {
    let sign = (bitcast<U>(a) ^ bitcast<U>(b)) & SIGN;
    let sa = size_F(a);
    let sb = size_F(b);
    if sa > INF || sb > INF || (sa == sb && (sa == 0SU || sa == INF)) { return nan_F(); }
    if sa == INF || sb == 0SU { return bitcast<F>(sign | INF); }
    if sa == 0SU || sb == INF { return bitcast<F>(sign); }
    let by = fraction_F(b);
    var rest = fraction_F(a);
    var field = exponent_F(a) - exponent_F(b) + BIASi;
    if rest < by {
        rest = rest << 1u;
        field = field - 1i;
    }
    var q = 0SU;
    for (var i = 0u; i < FBu + 3u; i = i + 1u) {
        q = q << 1u;
        if rest >= by {
            rest = rest - by;
            q = q | 1SU;
        }
        rest = rest << 1u;
    }
    return pack_F(sign, field, (q << (TOPu - FBu - 2u)) | select(0SU, 1SU, rest != 0SU));
}
