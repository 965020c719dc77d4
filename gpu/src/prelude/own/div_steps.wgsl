// The quotient of numbers of middling size from a rough reciprocal root. The reciprocal is exact as in `sqrt_inverse.wgsl`, so that one residual gives the exact quotient.
fn divided_F(a: F, b: F) -> F {
    let by = bitcast<F>(size_F(b));
    let number = bitcast<F>(bitcast<U>(a) ^ (bitcast<U>(b) & SIGN));
    let start = inverseSqrt(by);
    let about = start * start;
    let low = fused_F(fused_F(-by, about, bitcast<F>(ONELESS)), about, about);
    let inverse = fused_F(fused_F(-by, low, 1.0SF), bitcast<F>(bitcast<U>(low) + 1SU), low);
    let quotient = number * inverse;
    return fused_F(fused_F(-by, quotient, number), inverse, quotient);
}
fn div_F(a: F, b: F) -> F {
    if max(size_F(a) - LOWSIZE, size_F(b) - LOWSIZE) < (HIGHSIZE - LOWSIZE) { return divided_F(a, b); }
    return div_digits_F(a, b);
}
