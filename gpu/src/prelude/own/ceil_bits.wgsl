fn ceil_F(x: F) -> F {
    let t = trunc_F(x);
    var r = t;
    if !negative_F(x) && !eq_F(t, x) && !is_nan_F(x) { r = t + 1.0SF; }
    return like_F(r, x);
}
