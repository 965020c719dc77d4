fn abs_F(x: F) -> F { return bitcast<F>(bitcast<U>(x) & ~SIGN); }
