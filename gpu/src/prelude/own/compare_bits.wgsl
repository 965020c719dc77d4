fn eq_F(a: F, b: F) -> bool {
    let x = bitcast<U>(a);
    let y = bitcast<U>(b);
    return (x == y && (x & ~SIGN) <= INF) || ((x | y) & ~SIGN) == 0SU;
}
fn le_F(a: F, b: F) -> bool { return lt_F(a, b) || eq_F(a, b); }
fn ge_F(a: F, b: F) -> bool { return gt_F(a, b) || eq_F(a, b); }
