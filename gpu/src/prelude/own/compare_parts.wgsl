// Comparison where a driver's own takes denormals for zeros. A difference is exact, and zero only of what is equal; that of equal infinities is no number. So its bits tell the order.
fn lt_F(a: F, b: F) -> bool { return (bitcast<U>(a - b) - (SIGN + 1SU)) < INF; }
fn gt_F(a: F, b: F) -> bool { return (bitcast<U>(a - b) - 1SU) < INF; }
fn ne_F(a: F, b: F) -> bool { return !eq_F(a, b); }
// The same beside zero.
fn lt0_F(x: F) -> bool { return (bitcast<U>(x) - (SIGN + 1SU)) < INF; }
fn gt0_F(x: F) -> bool { return (bitcast<U>(x) - 1SU) < INF; }
fn le0_F(x: F) -> bool { return bitcast<U>(x) == 0SU || (bitcast<U>(x) - SIGN) <= INF; }
fn ge0_F(x: F) -> bool { return bitcast<U>(x) <= INF || bitcast<U>(x) == SIGN; }
fn eq0_F(x: F) -> bool { return size_F(x) == 0SU; }
fn ne0_F(x: F) -> bool { return size_F(x) != 0SU; }
