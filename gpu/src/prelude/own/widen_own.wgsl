fn widen_f32(x: f32) -> f64 { return f64(x); }
