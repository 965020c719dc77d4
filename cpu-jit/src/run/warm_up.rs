//! The first launch of a process pays for what it is the first to touch: pages of the compiler's code, tables that are made once. An engine that is opened before it is needed
//! has that done by the thread that starts its workers, by compiling a kernel that nobody launches.

use tilewise_ir::check::check;
use tilewise_ir::text::parse;

use crate::dump;
use crate::emit::{self, EmitError, EmitOptions};
use crate::vectorize;

/// A bit of everything: memory, a loop, conditions, barriers.
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

/// Compiles the sample, in both ways. If it cannot be compiled, neither can others, and they will say so.
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
