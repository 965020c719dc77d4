fn fma_F(a: F, b: F, c: F) -> F { return fma(a, b, c); }
