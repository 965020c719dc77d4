fn div_F(a: F, b: F) -> F { return a / b; }
