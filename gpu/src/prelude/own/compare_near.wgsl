// The driver's own is right but for what is zero or denormal on both sides, which it may take to be equal.
fn le_F(a: F, b: F) -> bool { return a <= b && !gt_F(a, b); }
fn ge_F(a: F, b: F) -> bool { return a >= b && !lt_F(a, b); }
fn eq_F(a: F, b: F) -> bool { return a == b && (size_F(a - b) - 1SU) >= FRACTION; }
