fn narrow_f64(x: f64) -> f32 { return f32(x); }
