// From a root to the nearest: a number y is too small if x - y * next(y) is above zero, and too large if x - y * previous(y) is not. For (y + u/2)^2 is y * next(y) + u^2/4, and x is no number
// between. Both residuals keep their signs when they are rounded once.
fn closer_F(x: F, y: F) -> F {
    let up = bitcast<F>(bitcast<U>(y) + 1SU);
    let down = bitcast<F>(bitcast<U>(y) - 1SU);
    let above = fma_F(-y, up, x);
    let below = fma_F(-y, down, x);
    let lowered = select(y, down, bitcast<I>(below) <= ZEROI);
    return select(lowered, up, bitcast<I>(above) > ZEROI);
}
