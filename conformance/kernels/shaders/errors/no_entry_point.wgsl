// A text without an entry point for compute.
// ^none error[K0903]: the shader has no entry point for compute
fn helper(x: f32) -> f32 { return x * 2.0; }
