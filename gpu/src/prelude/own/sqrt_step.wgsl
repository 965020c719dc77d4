// One step from a rough reciprocal root: the residual is computed with one rounding.
fn stepped_F(x: F) -> F {
    let about = inverseSqrt(x);
    let root = x * about;
    let half = about * 0.5SF;
    return fma_F(fma_F(-root, root, x), half, root);
}
