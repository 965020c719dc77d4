fn sqrt_F(x: F) -> F { return sqrt(x); }
