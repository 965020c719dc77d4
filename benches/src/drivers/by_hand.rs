//! The kernels by hand: OpenCL C in one file, WGSL in a file for each, which the benchmark `gpu_kernels` runs on GPUs.

/// The kernels in OpenCL C.
pub(super) const OPENCL: &str = include_str!("kernels.cl");

macro_rules! shaders {
    ($($name:literal),*) => {
        /// The name of each kernel in WGSL, and its text.
        const WGSL: &[(&str, &str)] = &[$(($name, include_str!(concat!("kernels/", $name, ".wgsl")))),*];
    };
}

shaders!(
    "vadd",
    "saxpy",
    "mandel",
    "matmul",
    "matmul_tiled",
    "transpose",
    "reduce",
    "scan",
    "stencil",
    "nbody",
    "hist",
    "bs"
);

/// The kernel of that name in WGSL.
pub(super) fn wgsl(name: &str) -> Result<&'static str, String> {
    let found = WGSL.iter().find(|kernel| kernel.0 == name);
    found.map(|kernel| kernel.1).ok_or_else(|| format!("there is no kernel `{name}` in WGSL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_kernels() {
        for (name, text) in WGSL {
            assert!(text.contains("@compute") && text.contains("fn main("), "{name}");
            assert!(OPENCL.contains(&format!("__kernel void {name}(")), "{name}");
        }
        assert_eq!(OPENCL.matches("__kernel void").count(), WGSL.len());
        assert!(wgsl("nothing").is_err());
    }
}
