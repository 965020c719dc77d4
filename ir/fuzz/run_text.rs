//! One run of the fuzz target `run`: a text is parsed, checked and run. A file of its own, so that the
//! tests of `interp` include it too: the fuzz targets need a nightly toolchain and are built by nobody
//! else.

use tilewise_interp::{self as interp, Options, ThreadOrder};
use tilewise_ir::check::{Checked, check};
use tilewise_ir::diag::Colour;
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument};
use tilewise_ir::text;

/// Parses, checks and runs a text; returns whether it is a kernel that can be run.
pub(crate) fn run_text(input: &str) -> bool {
    let Ok(kernel) = text::parse("fuzz.kir", input) else { return false };
    match check(kernel) {
        Ok(checked) => {
            for order in [ThreadOrder::Linear, ThreadOrder::Shuffled(1)] {
                launch(&checked, order);
            }
            true
        }
        Err(rejected) => {
            assert!(!rejected.diagnostics.is_empty(), "rejected without a report");
            let _ = rejected.render(Colour::Never);
            false
        }
    }
}

/// Runs the kernel over a small domain, with a little memory behind every parameter; whatever comes of it is right, as long as it ends.
fn launch(kernel: &Checked<Kernel>, order: ThreadOrder) {
    let extent: Vec<i32> = match kernel.tile() {
        Some(tile) => tile.iter().map(|&d| d as i32).collect(),
        None => (0..kernel.rank()).map(|d| if d == 0 { 3 } else { 1 }).collect(),
    };
    let mut memory = LaunchMemory::default();
    let mut arguments = Vec::new();
    for (i, param) in kernel.params().iter().enumerate() {
        // A pattern with a bit of everything: small numbers, large ones, NaN.
        let bytes =
            |n: u64| (0..n).map(|b| [0, 1, 0x7f, 0x80, 0xff, 2, 0xc0, i as u8][(b % 8) as usize]).collect::<Vec<u8>>();
        match param.kind {
            ParamKind::View(view) => {
                let extent: Vec<i32> = (0..view.rank).map(|d| if d < 3 { 3 } else { 1 }).collect();
                let elements: u64 = extent.iter().map(|&e| e as u64).product();
                let size = u64::from(kernel.types().natural_stride(view.element)).max(1);
                if elements.saturating_mul(size) > 1 << 20 {
                    return;
                }
                memory.allocations.push(bytes(elements * size));
                arguments.push(Argument::View(ViewArgument::dense(memory.allocations.len() - 1, &extent)));
            }
            ParamKind::Buffer { ty, .. } => {
                let size = kernel.types().size(ty).saturating_add(40);
                if size > 1 << 20 {
                    return;
                }
                memory.allocations.push(bytes(size));
                arguments.push(Argument::Buffer { allocation: memory.allocations.len() - 1, offset: 0, size });
            }
            ParamKind::Uniform(ty) => {
                let size = kernel.types().size(ty);
                if size > 1 << 20 {
                    return;
                }
                arguments.push(Argument::Uniform(bytes(size)));
            }
        }
    }
    let options = Options { order, fuel: Some(20_000), ..Options::default() };
    let _ = interp::run(kernel, &Domain::new(extent), &mut memory, &arguments, &options);
}
