//! Any text that is a kernel: the checker gives a checked kernel or reports, and the interpreter runs what is checked to an end, whatever memory it is given.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::diag::Colour;
use tilewise_interp::{self as interp, Options, Order};
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{Argument, Domain, Memory, ViewArgument};
use tilewise_ir::text;

fuzz_target!(|input: &str| {
    let Ok(kernel) = text::parse("fuzz.kir", input) else { return };
    match check(kernel) {
        Ok(checked) => {
            for order in [Order::Linear, Order::Shuffled(1)] {
                launch(&checked, order);
            }
        }
        Err(rejected) => {
            assert!(!rejected.diagnostics.is_empty(), "rejected without a report");
            let _ = rejected.render(Colour::Never);
        }
    }
});

/// Runs the kernel over a small domain, with a little memory behind every parameter; whatever comes of it is right, as long as it ends.
fn launch(kernel: &Checked<Kernel>, order: Order) {
    let extent: Vec<i32> = match kernel.tile() {
        Some(tile) => tile.iter().map(|&d| d as i32).collect(),
        None => (0..kernel.rank()).map(|d| if d == 0 { 3 } else { 1 }).collect(),
    };
    let mut memory = Memory::default();
    let mut arguments = Vec::new();
    for (i, param) in kernel.params().iter().enumerate() {
        // A pattern with a bit of everything: small numbers, large ones, NaN.
        let bytes = |n: u64| (0..n).map(|b| [0, 1, 0x7f, 0x80, 0xff, 2, 0xc0, i as u8][(b % 8) as usize]).collect::<Vec<u8>>();
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
