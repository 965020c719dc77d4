// Rows of the op table for one float format: F, its bits U, their integer I. The meaning is that of `ir/src/ops/float.rs`. What a driver may have of its own is in `own/`.
fn negative_F(x: F) -> bool { return (bitcast<U>(x) & SIGN) != 0SU; }
fn like_F(size: F, sign: F) -> F { return bitcast<F>((bitcast<U>(size) & ~SIGN) | (bitcast<U>(sign) & SIGN)); }
fn size_F(x: F) -> U { return bitcast<U>(x) & ~SIGN; }
fn is_nan_F(x: F) -> bool { return size_F(x) > INF; }
fn is_inf_F(x: F) -> bool { return size_F(x) == INF; }
fn is_finite_F(x: F) -> bool { return size_F(x) < INF; }
fn is_normal_F(x: F) -> bool { let s = size_F(x); return s < INF && s >= HIDDEN; }
fn is_subnormal_F(x: F) -> bool { let s = size_F(x); return s < HIDDEN && s != 0SU; }
fn sign_bit_F(x: F) -> bool { return negative_F(x); }
fn nan_F() -> F { var bits = QUIET; return bitcast<F>(bits); }
fn rcp_F(x: F) -> F { return div_F(1.0SF, x); }
// Of two numbers that are equal the bits are, or they are zeros.
fn min_F(a: F, b: F) -> F {
    let lower = select(b, a, lt_F(a, b) || is_nan_F(b));
    return select(lower, bitcast<F>(bitcast<U>(a) | bitcast<U>(b)), eq_F(a, b));
}
fn max_F(a: F, b: F) -> F {
    let higher = select(b, a, gt_F(a, b) || is_nan_F(b));
    return select(higher, bitcast<F>(bitcast<U>(a) & bitcast<U>(b)), eq_F(a, b));
}
fn clamp_F(x: F, lo: F, hi: F) -> F { return min_F(max_F(x, lo), hi); }
fn sign_F(x: F) -> F { if is_nan_F(x) || size_F(x) == 0SU { return x; } return like_F(1.0SF, x); }
fn signum_F(x: F) -> F { if is_nan_F(x) { return x; } return like_F(1.0SF, x); }
fn copysign_F(x: F, s: F) -> F { return like_F(x, s); }
fn round_F(x: F) -> F {
    let t = trunc_F(x);
    if is_nan_F(x) || eq_F(t, x) { return x; }
    var r = t;
    if ge_F(abs_F(x - t), 0.5SF) { r = t + like_F(1.0SF, x); }
    return like_F(r, x);
}
fn fract_F(x: F) -> F {
    if !is_finite_F(x) { return nan_F(); }
    return x - floor_F(x);
}
fn modf_fract_F(x: F) -> F {
    if is_nan_F(x) { return x; }
    if is_inf_F(x) { return bitcast<F>(bitcast<U>(x) & SIGN); }
    return like_F(x - trunc_F(x), x);
}
fn modf_whole_F(x: F) -> F { return trunc_F(x); }
// The exponent and the fraction with its highest bit at FB, of a number that is finite and not zero.
fn exponent_F(x: F) -> i32 {
    let s = size_F(x);
    if s >= HIDDEN { return i32(s >> FBu); }
    return 1 - i32(lz_U(s) - EBu);
}
fn fraction_F(x: F) -> U {
    let s = size_F(x);
    if s >= HIDDEN { return (s & FRACTION) | HIDDEN; }
    return s << (lz_U(s) - EBu);
}
fn frexp_fract_F(x: F) -> F {
    if size_F(x) == 0SU || !is_finite_F(x) { return x; }
    return bitcast<F>((bitcast<U>(x) & SIGN) | (fraction_F(x) & FRACTION) | HALFBITS);
}
fn frexp_exp_F(x: F) -> i32 {
    if size_F(x) == 0SU || !is_finite_F(x) { return 0; }
    return exponent_F(x) - (BIASi - 1);
}
fn ilogb_F(x: F) -> i32 {
    if size_F(x) == 0SU || is_nan_F(x) { return i32(-2147483648); }
    if is_inf_F(x) { return 2147483647; }
    return exponent_F(x) - BIASi;
}
// Rounds a fraction whose highest bit is the highest of U, lost bits told by its lowest; `field` is the exponent as stored.
fn pack_F(sign: U, given: i32, bits: U) -> F {
    var field = given;
    var h = bits;
    if field < 1 {
        let by = u32(1 - max(field, -(TOPi)));
        let most = min(by, TOPu);
        let lost = h & ((1SU << most) - 1SU);
        h = (h >> most) | select(0SU, 1SU, lost != 0SU);
        if by > TOPu { h = select(0SU, 1SU, bits != 0SU); }
        field = 1;
        let q0 = h >> EBu;
        let r0 = h & ((1SU << EBu) - 1SU);
        let half0 = 1SU << (EBu - 1u);
        let up0 = r0 > half0 || (r0 == half0 && (q0 & 1SU) != 0SU);
        return bitcast<F>(sign | (q0 + select(0SU, 1SU, up0)));
    }
    if field >= MAXFIELD { return bitcast<F>(sign | INF); }
    let q = h >> EBu;
    let r = h & ((1SU << EBu) - 1SU);
    let half = 1SU << (EBu - 1u);
    let up = r > half || (r == half && (q & 1SU) != 0SU);
    return bitcast<F>(sign | ((U(field - 1) << FBu) + q + select(0SU, 1SU, up)));
}
fn ldexp_F(x: F, e: i32) -> F {
    if size_F(x) == 0SU || !is_finite_F(x) { return x; }
    let by = clamp(e, -8192, 8192);
    return pack_F(bitcast<U>(x) & SIGN, exponent_F(x) + by, fraction_F(x) << EBu);
}
fn fdim_F(x: F, y: F) -> F {
    if is_nan_F(x) { return x; }
    if is_nan_F(y) { return y; }
    if gt_F(x, y) { return x - y; }
    return 0.0SF;
}
fn rem_F(a: F, b: F) -> F {
    let sa = size_F(a);
    let sb = size_F(b);
    if sa >= INF || sb > INF || sb == 0SU { return nan_F(); }
    if sb == INF || sa < sb { return a; }
    let ea = max(u32(sa >> FBu), 1u);
    let eb = max(u32(sb >> FBu), 1u);
    let ma = select(sa, (sa & FRACTION) | HIDDEN, sa >= HIDDEN);
    let mb = select(sb, (sb & FRACTION) | HIDDEN, sb >= HIDDEN);
    var left = ea - eb;
    var r = ma % mb;
    while left > 0u {
        let by = min(left, EBu);
        r = (r << by) % mb;
        left = left - by;
    }
    let sign = bitcast<U>(a) & SIGN;
    if r == 0SU { return bitcast<F>(sign); }
    let by = min(lz_U(r) - EBu, eb - 1u);
    r = r << by;
    let e = eb - by;
    if r < HIDDEN { return bitcast<F>(sign | r); }
    return bitcast<F>(sign | (U(e) << FBu) | (r & FRACTION));
}
fn remainder_F(x: F, given: F) -> F {
    if is_nan_F(x) || is_nan_F(given) || is_inf_F(x) || size_F(given) == 0SU { return nan_F(); }
    if is_inf_F(given) { return x; }
    let y = abs_F(given);
    let twice = y + y;
    var r = abs_F(x);
    if is_finite_F(twice) { r = rem_F(r, twice); }
    if size_F(y) < (HIDDEN << 1u) {
        if gt_F(r + r, y) {
            r = r - y;
            if ge_F(r + r, y) { r = r - y; }
        }
    } else {
        let half = y * 0.5SF;
        if gt_F(r, half) {
            r = r - y;
            if ge_F(r, half) { r = r - y; }
        }
    }
    if negative_F(x) { return neg_F(r); }
    return r;
}
fn next_up_F(x: F) -> F {
    let bits = bitcast<U>(x);
    if is_nan_F(x) || bits == INF { return x; }
    if size_F(x) == 0SU { return bitcast<F>(1SU + (bits & 0SU)); }
    return bitcast<F>(select(bits + 1SU, bits - 1SU, negative_F(x)));
}
fn next_down_F(x: F) -> F { return neg_F(next_up_F(neg_F(x))); }
fn total_cmp_F(a: F, b: F) -> i32 {
    let x = bitcast<U>(a);
    let y = bitcast<U>(b);
    let p = select(x | SIGN, ~x, negative_F(a));
    let q = select(y | SIGN, ~y, negative_F(b));
    // The borrows of p - q and q - p, as bits. NVIDIA's driver makes one operation of two comparisons, and fails
    // to compile some kernels that have it beside a 64-bit division.
    let less = (~p & q) | ((~p | q) & (p - q));
    let more = (~q & p) | ((~q | p) & (q - p));
    return i32(more >> TOPu) - i32(less >> TOPu);
}
fn saturate_F(x: F) -> F { return min_F(max_F(x, 0.0SF), 1.0SF); }
fn step_F(edge: F, x: F) -> F { return select(0.0SF, 1.0SF, ge_F(x, edge)); }
fn smoothstep_F(lo: F, hi: F, x: F) -> F {
    let t = saturate_F(div_F(x - lo, hi - lo));
    return t * t * (3.0SF - 2.0SF * t);
}
fn mix_F(a: F, b: F, t: F) -> F { return a * (1.0SF - t) + b * t; }
fn radians_F(x: F) -> F { return x * bitcast<F>(RADIANS); }
fn degrees_F(x: F) -> F { return x * bitcast<F>(DEGREES); }
fn mad_F(a: F, b: F, c: F) -> F { return fma_F(a, b, c); }
