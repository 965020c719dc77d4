fn trunc_F(x: F) -> F { return trunc(x); }
