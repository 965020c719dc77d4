// Both halves of a product of U, and a double-width number moved down with what is lost told by its lowest bit.
fn down_hi_F(hi: U, by: u32) -> U { if by >= WIDTHu { return 0SU; } return hi >> by; }
fn down_lo_F(hi: U, lo: U, by: u32) -> U {
    if by == 0u { return lo; }
    if by >= WIDTHu + WIDTHu { return select(0SU, 1SU, (hi | lo) != 0SU); }
    if by == WIDTHu { return hi | select(0SU, 1SU, lo != 0SU); }
    if by > WIDTHu {
        let more = by - WIDTHu;
        let lost = (hi << (WIDTHu - more)) | lo;
        return (hi >> more) | select(0SU, 1SU, lost != 0SU);
    }
    let lost = lo << (WIDTHu - by);
    return (lo >> by) | (hi << (WIDTHu - by)) | select(0SU, 1SU, lost != 0SU);
}
fn up_hi_F(hi: U, lo: U, by: u32) -> U {
    if by == 0u { return hi; }
    if by >= WIDTHu { return lo << (by - WIDTHu); }
    return (hi << by) | (lo >> (WIDTHu - by));
}
fn up_lo_F(lo: U, by: u32) -> U { if by >= WIDTHu { return 0SU; } return lo << by; }
// Rounded once. Product and addend are brought to numbers of twice the width whose highest bit is the third from above, or the second for the product.
fn fma_F(a: F, b: F, c: F) -> F {
    if is_nan_F(a) || is_nan_F(b) || is_nan_F(c) { return nan_F(); }
    let sp = (bitcast<U>(a) ^ bitcast<U>(b)) & SIGN;
    let sc = bitcast<U>(c) & SIGN;
    let za = size_F(a) == 0SU;
    let zb = size_F(b) == 0SU;
    if is_inf_F(a) || is_inf_F(b) {
        if za || zb || (is_inf_F(c) && sp != sc) { return nan_F(); }
        return bitcast<F>(sp | INF);
    }
    if is_inf_F(c) { return c; }
    if za || zb {
        if size_F(c) == 0SU { return bitcast<F>(sp & sc); }
        return c;
    }
    let ma = fraction_F(a);
    let mb = fraction_F(b);
    let lift = WIDTHu + WIDTHu - 3u - (FBu + FBu + 1u);
    let ph0 = mul_hi_U(ma, mb);
    let pl0 = ma * mb;
    var ph = up_hi_F(ph0, pl0, lift);
    var pl = up_lo_F(pl0, lift);
    let base = 2i * WIDTHi - 3i;
    var x = exponent_F(a) + exponent_F(b) - 2i * BIASi - base + 1i;
    if size_F(c) != 0SU {
        var ch = fraction_F(c) << (WIDTHu - 3u - FBu);
        var cl = 0SU;
        let xc = exponent_F(c) - BIASi - base;
        if x >= xc {
            let by = u32(x - xc);
            cl = down_lo_F(ch, 0SU, by);
            ch = down_hi_F(ch, by);
        } else {
            let by = u32(xc - x);
            pl = down_lo_F(ph, pl, by);
            ph = down_hi_F(ph, by);
            x = xc;
        }
        if sp == sc {
            let sum = pl + cl;
            ph = ph + ch + select(0SU, 1SU, sum < pl);
            pl = sum;
            return fma_end_F(sp, x, ph, pl);
        }
        if ph > ch || (ph == ch && pl >= cl) {
            let low = pl - cl;
            ph = ph - ch - select(0SU, 1SU, pl < cl);
            if (ph | low) == 0SU { return bitcast<F>(ph); }
            return fma_end_F(sp, x, ph, low);
        }
        let low = cl - pl;
        ph = ch - ph - select(0SU, 1SU, cl < pl);
        return fma_end_F(sc, x, ph, low);
    }
    return fma_end_F(sp, x, ph, pl);
}
fn fma_end_F(sign: U, x: i32, hi: U, lo: U) -> F {
    var lz = lz_U(hi);
    if hi == 0SU { lz = WIDTHu + lz_U(lo); }
    let h = up_hi_F(hi, lo, lz);
    let l = up_lo_F(lo, lz);
    let field = x + (2i * WIDTHi - 1i) - i32(lz) + BIASi;
    return pack_F(sign, field, h | select(0SU, 1SU, l != 0SU));
}
