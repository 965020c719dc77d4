//! Warms up the compiler. The first launch of a process pays for first accesses: pages of the
//! compiler's code, and tables that are initialised once. The thread that starts an engine's
//! workers does this in advance, by compiling a kernel that is never launched.

use tilewise_ir::check::check;
use tilewise_ir::text::parse;

use crate::dump;
use crate::emit::{self, EmitError, EmitOptions};
use crate::vectorize;

/// A sample of most features: memory, a loop, conditions, barriers.
const SAMPLE: &str = "kernel sample(a: view<f32, 1, read>, b: view<f32, 1, read_write>, by: f32) tile(64) {
    tile_static t: [f32; 64];
    let l = local[0];
    t[l] = a[global[0]];
    barrier;
    var half: i32 = 32;
    while half > 0 {
        if l < half { t[l] = t[l] + t[l + half]; }
        barrier;
        half = half / 2;
    }
    b[global[0]] = t[0] * by;
}";

/// Compiles the sample, in both tiers. If it fails to compile, so will others, and they report it.
pub(super) fn compiler() -> Result<(), EmitError> {
    emit::guarded(|| {
        let failed = |why: &dyn ToString| EmitError(why.to_string());
        let kernel = parse("sample.kir", SAMPLE).map_err(|why| failed(&why))?;
        let kernel = check(kernel).map_err(|why| failed(&why))?;
        let program =
            vectorize::vectorize(&kernel, &dump::key(&kernel, None, emit::widest())).map_err(|why| EmitError(why.0))?;
        for soon in [0, EmitOptions::WELL] {
            emit::compile(&program, &EmitOptions { soon, whole: false, ..EmitOptions::default() })?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_sample_is_compiled() {
        assert_eq!(super::compiler(), Ok(()));
    }
}
