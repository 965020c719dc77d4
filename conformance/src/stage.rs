//! What the CPU target makes of a kernel, for those who want to look at it.

use tilewise_cpu_jit::bind::Bound;
use tilewise_cpu_jit::dump::{self, dump};
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::Argument;

pub use tilewise_cpu_jit::dump::Stage;
pub use tilewise_cpu_jit::report::{Report, Share};

/// Shows a kernel at a stage, as it is compiled for these arguments; without any, as if each parameter had memory of its own and views had no gaps. The error is the reason why it has no such
/// form.
pub fn show(
    kernel: &Checked<Kernel>,
    arguments: Option<&[Argument]>,
    width: Option<u32>,
    stage: Stage,
) -> Result<String, String> {
    let bound = arguments.map(bound);
    dump(kernel, bound.as_deref(), width, stage)
}

/// What becomes of a kernel for these arguments when it is compiled for so many lanes; the error is the reason why it is not.
pub fn compiled_report(kernel: &Checked<Kernel>, arguments: Option<&[Argument]>, width: u32) -> Result<Report, String> {
    let bound = arguments.map(bound);
    dump::compiled_report(kernel, bound.as_deref(), width)
}

fn bound(arguments: &[Argument]) -> Vec<Bound<'_>> {
    let bound = arguments.iter().map(|argument| match argument {
        // Where memory lies makes no difference to code.
        Argument::View(view) => {
            Bound::View { base: view.offset, home: view.piece as u64, extent: &view.extent, strides: &view.strides }
        }
        &Argument::Buffer { piece, offset, size } => Bound::Buffer { base: offset, home: piece as u64, size },
        Argument::Uniform(bytes) => Bound::Uniform(bytes),
    });
    bound.collect()
}
