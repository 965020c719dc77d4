//! What targets make of a kernel, for those who want to look at it.

use tilewise_cpu_jit::dump::{self, dump};
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain};
use tilewise_ir::text;

pub use tilewise_cpu_jit::report::{KernelReport, Share};

/// A form that a kernel takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum KernelStage {
    /// The kernel as targets begin with it: checked, its functions put in place of their calls.
    Ir,
    /// A form on the way to machine code of the CPU.
    Cpu(dump::DumpStage),
    /// The text that `gpu-wgsl` hands to the driver.
    Wgsl,
    /// The module of `gpu-strict`, before it becomes SPIR-V, as text.
    WgslStrict,
}

impl KernelStage {
    /// All of them.
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

    /// The stage that is shown where nobody asks for another.
    pub const DEFAULT: KernelStage = KernelStage::Cpu(dump::DumpStage::Lanes);

    /// The name, as command lines say it.
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

/// Shows a kernel at a stage, as it is compiled for this launch; without one, as if each parameter had memory of its own and views had no gaps. `width` is the number of lanes, where code has
/// such. No GPU is needed: what depends on the driver is as for one without peculiarities. The error is the reason why the kernel has no such form.
pub fn show(
    kernel: &Checked<Kernel>,
    launch: Option<(&Domain, &[Argument])>,
    width: Option<u32>,
    stage: KernelStage,
) -> Result<String, String> {
    match stage {
        KernelStage::Ir => Ok(text::print(kernel.inlined())),
        KernelStage::Cpu(stage) => dump(kernel, launch.map(|(_, arguments)| arguments), width, stage),
        KernelStage::Wgsl => gpu::wgsl(kernel, launch, false),
        KernelStage::WgslStrict => gpu::wgsl(kernel, launch, true),
    }
}

/// What becomes of a kernel for these arguments when it is compiled for so many lanes; the error is the reason why it is not.
pub fn compiled_report(
    kernel: &Checked<Kernel>,
    arguments: Option<&[Argument]>,
    width: u32,
) -> Result<KernelReport, String> {
    dump::compiled_report(kernel, arguments, width)
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
        // The same text on every machine: for a driver that is exact in no more than it must be.
        let strict = strict.then_some(Exact::LEAST);
        let lowered = lower(kernel, &ModuleKey { strict, ..key }).map_err(|reason| reason.0)?;
        shader_form::wgsl(&lowered).map_err(|reason| reason.0)
    }

    /// What is known of a launch that nobody has seen.
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

/// Without the feature there is none.
#[cfg(not(feature = "gpu"))]
mod gpu {
    use tilewise_ir::check::Checked;
    use tilewise_ir::kernel::Kernel;
    use tilewise_ir::launch::{Argument, Domain};

    pub(super) fn wgsl(_: &Checked<Kernel>, _: Option<(&Domain, &[Argument])>, _: bool) -> Result<String, String> {
        Err("this program was built without the feature `gpu`".into())
    }
}
