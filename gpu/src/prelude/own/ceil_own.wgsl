fn ceil_F(x: F) -> F { return ceil(x); }
