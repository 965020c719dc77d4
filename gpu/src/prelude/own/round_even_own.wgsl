fn round_even_F(x: F) -> F { return round(x); }
