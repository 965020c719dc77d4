//! Kernels for the tests of the analyses.

use tilewise_ir::check::{Checked, check};
use tilewise_ir::diag::Colour;
use tilewise_ir::kernel::Kernel;

/// A tiled kernel of 64 threads with this body. In scope are the views `out` and `data`, the
/// uniform `n`, the `tile_static` variable `cells`, the value `i` (the thread's index in the tile)
/// and some structs.
pub(super) fn checked(body: &str) -> Checked<Kernel> {
    let text = format!(
        "struct P {{ n: i32, inner: [f32x2; 2] }}
         struct Odd size(6) align(1) {{ x: i32 @ 0, y: u16 @ 4 }}
         struct Mixed {{ w: i64, x: f32 }}
         kernel sample(out: view<i32, 1, read_write>, data: view<i32, 1, read>, n: i32) tile(64) {{
             tile_static cells: [i32; 64];
             let i = local[0];
             {body}
         }}"
    );
    parsed(&text)
}

/// A kernel of rank 1 with this body. In scope are `out`, `data`, `n`, and the thread's index `i`.
pub(super) fn checked_untiled(body: &str) -> Checked<Kernel> {
    parsed(&format!(
        "kernel sample(out: view<i32, 1, read_write>, data: view<i32, 1, read>, n: i32) rank(1) {{
             let i = global[0];
             {body}
         }}"
    ))
}

fn parsed(text: &str) -> Checked<Kernel> {
    let kernel = tilewise_ir::text::parse("sample", text).unwrap_or_else(|failure| panic!("{failure}"));
    check(kernel).unwrap_or_else(|rejected| panic!("{}", rejected.render(Colour::Never)))
}
