fn floor_F(x: F) -> F { return floor(x); }
