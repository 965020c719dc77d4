fn from_i64_F(x: i64) -> F { return F(x); }
fn from_u64_F(x: u64) -> F { return F(x); }
