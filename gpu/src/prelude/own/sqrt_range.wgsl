// What is normal and not tiny has a root of its own below; what is smaller is lifted first, so that squares of the last place are normal.
fn sqrt_F(x: F) -> F {
    let bits = bitcast<U>(x);
    if (bits - TINY) < (INF - TINY) { return root_F(x); }
    if (bits - 1SU) >= (INF - 1SU) {
        if bits > SIGN { return nan_F(); }
        return x;
    }
    return root_F(x * bitcast<F>(LIFT)) * bitcast<F>(DROP);
}
// The same for an x that is known to be no smaller than TINY, or infinite, or no number.
fn sqrt_large_F(x: F) -> F { return select(x, root_F(x), bitcast<U>(x) < INF); }
