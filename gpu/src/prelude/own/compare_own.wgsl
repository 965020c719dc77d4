fn eq_F(a: F, b: F) -> bool { return a == b; }
fn ne_F(a: F, b: F) -> bool { return !(a == b); }
fn lt_F(a: F, b: F) -> bool { return a < b; }
fn le_F(a: F, b: F) -> bool { return a <= b; }
fn gt_F(a: F, b: F) -> bool { return a > b; }
fn ge_F(a: F, b: F) -> bool { return a >= b; }
