fn neg_F(x: F) -> F { return -x; }
