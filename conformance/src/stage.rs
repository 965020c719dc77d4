//! The stages of a kernel on its way to machine code or a shader, as text for display.

use tilewise_cpu_jit::dump::{self, dump};
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain};
use tilewise_ir::text;

pub use tilewise_cpu_jit::dump::CodeChoice;
pub use tilewise_cpu_jit::emit::CodeForm;
pub use tilewise_cpu_jit::report::{KernelReport, Share};

/// A stage of compilation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum KernelStage {
    /// The input of every target: checked, with its functions inlined.
    Ir,
    /// A stage of the CPU target.
    Cpu(dump::DumpStage),
    /// The text that `gpu-wgsl` passes to the driver.
    Wgsl,
    /// The module of `gpu-strict`, before it becomes SPIR-V, as text.
    WgslStrict,
}

impl KernelStage {
    /// All stages.
    pub const ALL: [KernelStage; 9] = [
        KernelStage::Ir,
        KernelStage::Cpu(dump::DumpStage::Regions),
        KernelStage::Cpu(dump::DumpStage::Lanes),
        KernelStage::Cpu(dump::DumpStage::Clif),
        KernelStage::Cpu(dump::DumpStage::Asm),
        KernelStage::Cpu(dump::DumpStage::Report),
        KernelStage::Cpu(dump::DumpStage::Share),
        KernelStage::Wgsl,
        KernelStage::WgslStrict,
    ];

    /// The stage shown by default.
    pub const DEFAULT: KernelStage = KernelStage::Cpu(dump::DumpStage::Lanes);

    /// The name on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            KernelStage::Ir => "ir",
            KernelStage::Cpu(stage) => stage.name(),
            KernelStage::Wgsl => "wgsl",
            KernelStage::WgslStrict => "wgsl-strict",
        }
    }

    /// The stage called `name`.
    pub fn by_name(name: &str) -> Option<KernelStage> {
        KernelStage::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// Shows a kernel at a stage, compiled for this launch; without one, as if each parameter had
/// memory of its own and views had no gaps. `choice` is for stages of the CPU target. No GPU is needed: the output is for a driver without quirks. The error is the reason why
/// the kernel has no such stage.
pub fn show(
    kernel: &Checked<Kernel>,
    launch: Option<(&Domain, &[Argument])>,
    choice: CodeChoice,
    stage: KernelStage,
) -> Result<String, String> {
    match stage {
        KernelStage::Ir => Ok(text::print(kernel.inlined())),
        KernelStage::Cpu(stage) => dump(kernel, launch.map(|(_, arguments)| arguments), choice, stage),
        KernelStage::Wgsl => gpu::wgsl(kernel, launch, false),
        KernelStage::WgslStrict => gpu::wgsl(kernel, launch, true),
    }
}

/// The vectorisation report of a kernel compiled for these arguments and this number of lanes; the
/// error is the reason why it cannot be compiled.
pub fn compiled_report(
    kernel: &Checked<Kernel>,
    arguments: Option<&[Argument]>,
    width: u32,
) -> Result<KernelReport, String> {
    dump::compiled_report(kernel, arguments, width, CodeForm::widest())
}

#[cfg(feature = "gpu")]
mod gpu {
    use tilewise_gpu::exact::Exact;
    use tilewise_gpu::lower::{LaunchPredicates, ModuleKey, ModuleParam, lower};
    use tilewise_gpu::shader_form;
    use tilewise_ir::check::Checked;
    use tilewise_ir::kernel::{Kernel, ParamKind};
    use tilewise_ir::launch::{Argument, Domain};

    pub(super) fn wgsl(
        kernel: &Checked<Kernel>,
        launch: Option<(&Domain, &[Argument])>,
        strict: bool,
    ) -> Result<String, String> {
        let key = match launch {
            Some((domain, arguments)) => ModuleKey::of(kernel, &LaunchPredicates::of(kernel), domain, arguments),
            None => assumed(kernel),
        };
        // The same text on every machine: for a driver with the minimum of exact operations.
        let strict = strict.then_some(Exact::LEAST);
        let lowered = lower(kernel, &ModuleKey { strict, ..key }).map_err(|reason| reason.0)?;
        shader_form::wgsl(&lowered).map_err(|reason| reason.0)
    }

    /// The launch facts to assume where no launch is given.
    fn assumed(kernel: &Kernel) -> ModuleKey {
        let mut allocations = 0..;
        let params = kernel.params().iter().map(|param| match param.kind {
            ParamKind::View(_) => ModuleParam { allocation: allocations.next(), align: 16, unit: true, covers: false },
            ParamKind::Buffer { .. } => {
                ModuleParam { allocation: allocations.next(), align: 16, ..ModuleParam::default() }
            }
            ParamKind::Uniform(_) => ModuleParam::default(),
        });
        ModuleKey { params: params.collect(), ..ModuleKey::default() }
    }
}

/// Without the feature there are no GPU stages.
#[cfg(not(feature = "gpu"))]
mod gpu {
    use tilewise_ir::check::Checked;
    use tilewise_ir::kernel::Kernel;
    use tilewise_ir::launch::{Argument, Domain};

    pub(super) fn wgsl(_: &Checked<Kernel>, _: Option<(&Domain, &[Argument])>, _: bool) -> Result<String, String> {
        Err("this program was built without the feature `gpu`".into())
    }
}
