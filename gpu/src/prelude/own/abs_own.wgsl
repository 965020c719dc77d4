fn abs_F(x: F) -> F { return abs(x); }
