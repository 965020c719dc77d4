fn round_even_F(x: F) -> F {
    let t = trunc_F(x);
    if is_nan_F(x) || eq_F(t, x) { return x; }
    let rest = abs_F(x - t);
    let half = t * 0.5SF;
    var r = t;
    if gt_F(rest, 0.5SF) || (eq_F(rest, 0.5SF) && !eq_F(trunc_F(half), half)) { r = t + like_F(1.0SF, x); }
    return like_F(r, x);
}
