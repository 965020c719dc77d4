// 1 / sqrt(x), rounded as the root and then the quotient are. The first step ends below the quotient, because it aims 2^-24 below it; the second adds its residual times the next float above, which
// rounds to the quotient for every fraction of a root, also for the largest, where a residual times the float itself is a tie.
fn inverse_F(x: F) -> F {
    let root = root_F(x);
    let about = inverseSqrt(x);
    let low = fused_F(fused_F(-root, about, bitcast<F>(ONELESS)), about, about);
    return fused_F(fused_F(-root, low, 1.0SF), bitcast<F>(bitcast<U>(low) + 1SU), low);
}
fn inverse_root_F(x: F) -> F {
    let bits = bitcast<U>(x);
    if (bits - TINY) < (INF - TINY) { return inverse_F(x); }
    if (bits - 1SU) >= (INF - 1SU) {
        if bits > SIGN { return nan_F(); }
        if bits == INF { return bitcast<F>(bits - INF); }
        if size_F(x) == 0SU { return bitcast<F>(bits | INF); }
        return x;
    }
    return inverse_F(x * bitcast<F>(LIFT)) * bitcast<F>(GAIN);
}
// The same for an x that is known to be no smaller than TINY, or infinite, or no number. The steps from an infinite x end in no number, and a maximum is then its other operand, 0; the probe asks
// for that. Else half of the estimate is the smaller one, or no number either.
fn inverse_root_large_F(x: F) -> F { return max(inverse_F(x), inverseSqrt(x) * 0.5SF); }
