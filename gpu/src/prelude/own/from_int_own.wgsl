fn from_i32_F(x: i32) -> F { return F(x); }
fn from_u32_F(x: u32) -> F { return F(x); }
