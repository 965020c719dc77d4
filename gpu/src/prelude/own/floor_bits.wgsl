// What is rounded keeps its sign, and is given it at the end: drivers make a product of a choice between 1 or -1 and 0, and lose it.
fn floor_F(x: F) -> F {
    let t = trunc_F(x);
    var r = t;
    if negative_F(x) && !eq_F(t, x) && !is_nan_F(x) { r = t - 1.0SF; }
    return like_F(r, x);
}
