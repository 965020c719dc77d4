//! Adapters and their capabilities.

use std::sync::{Arc, OnceLock};

use tilewise_ir::types::Scalar;
use wgpu::{DeviceType, Features};

use super::device::GpuDevice;
use super::instance::list_adapters;
use super::thread_safe::ThreadSafe;
use crate::exact::Exact;
use crate::lower::{AdapterNeeds, Unsupported};
use crate::qualified::{ProbeFault, Probed};
use crate::shader_form::{FloatControls, ShaderForm};

/// A GPU, or a software driver that presents itself as one.
#[derive(Clone, Debug)]
pub struct Adapter {
    adapter: ThreadSafe<wgpu::Adapter>,
    pub(crate) info: wgpu::AdapterInfo,
    features: Features,
    limits: wgpu::Limits,
    pub(crate) controls: FloatControls,
    memory: u64,
    robust_images: bool,
    pub(crate) probed: Arc<Probed>,
}

/// Mesa's software driver silently ends all loops of a vector of threads after 65,535 iterations. A
/// thread stops itself before, at a number that leaves room for iterations which are not counted.
const SOFTWARE_ROUNDS: u32 = 62_000;

/// All adapters: hardware before software, discrete GPUs first. Enumerated once per process.
pub fn adapters() -> &'static [Adapter] {
    static ADAPTERS: OnceLock<Vec<Adapter>> = OnceLock::new();
    ADAPTERS.get_or_init(|| {
        let mut list: Vec<Adapter> = list_adapters().into_iter().map(Adapter::new).collect();
        list.sort_by_key(|adapter| (adapter.is_software(), adapter.info.device_type != DeviceType::DiscreteGpu));
        list
    })
}

impl Adapter {
    fn new(adapter: wgpu::Adapter) -> Adapter {
        let (info, features, limits) = (adapter.get_info(), adapter.features(), adapter.limits());
        let controls = super::controls::controls(&adapter);
        let memory = super::controls::memory(&adapter);
        let robust_images = super::controls::robust_images(&adapter);
        Adapter {
            adapter: ThreadSafe::new(adapter),
            info,
            features,
            limits,
            controls,
            memory,
            robust_images,
            probed: Arc::default(),
        }
    }

    /// The adapter's name.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// Name and version of the driver.
    pub fn driver(&self) -> String {
        format!("{} {}", self.info.driver, self.info.driver_info).trim().to_owned()
    }

    /// Whether the driver runs on the CPU.
    pub fn is_software(&self) -> bool {
        self.info.device_type == DeviceType::Cpu
    }

    /// Whether the device works in host memory.
    pub fn shared_memory(&self) -> bool {
        matches!(self.info.device_type, DeviceType::Cpu | DeviceType::IntegratedGpu)
    }

    /// Bytes of dedicated memory; 0 if there is none or the driver does not report it.
    pub fn memory(&self) -> u64 {
        if self.shared_memory() { 0 } else { self.memory }
    }

    /// Whether the device computes floats as the language defines them; an error gives the reason.
    /// The first call in a process reads the cached result of the probe or runs the probe, which
    /// takes about a second.
    pub fn strict(&self) -> Result<(), String> {
        self.exact().map(drop).map_err(|reason| reason.0)
    }

    /// The operations that Strict kernels leave to the driver, or the reason why Strict is not
    /// supported.
    pub(super) fn exact(&self) -> Result<Exact, Unsupported> {
        let qualified = self.qualified().map_err(Unsupported)?;
        qualified.lacks(Scalar::F32).map_or(Ok(qualified.exact), |fault| Err(wrong(self.name(), fault)))
    }

    /// Whether the adapter supports 64-bit floats. The library needs 64-bit integers for them too.
    pub fn has_double(&self) -> bool {
        self.features.contains(Features::SHADER_F64 | Features::SHADER_INT64)
    }

    /// Whether the adapter accepts SPIR-V unchanged.
    pub fn has_strict(&self) -> bool {
        self.features.contains(Features::PASSTHROUGH_SHADERS) && self.info.backend == wgpu::Backend::Vulkan
    }

    /// The number of loop iterations after which the driver stops a thread, if it does.
    pub fn rounds(&self) -> Option<u32> {
        // Costs of iterations are those of vectors of 8 threads.
        let vectors = if self.name().contains("512 bits") { 2 } else { 1 };
        self.is_software().then_some(SOFTWARE_ROUNDS / vectors)
    }

    /// Whether the driver accepts work only once all earlier work is done, and blocks the
    /// submitting thread until then.
    pub(super) fn takes_one(&self) -> bool {
        self.is_software()
    }

    /// Whether the driver makes threads meet at a fence as at a barrier, and loses threads that
    /// reach one alone.
    pub fn fences_need_barriers(&self) -> bool {
        self.is_software()
    }

    /// Whether the driver keeps evaluating a loop's values for threads that have left it while
    /// others iterate, and stays in loops for lanes without a thread.
    pub fn inactive_lanes_run(&self) -> bool {
        self.is_software()
    }

    /// Whether the driver reads the index of an access to a thread's own array only when it makes
    /// the access, from a register that may by then hold the counter's next value.
    pub fn indices_read_late(&self) -> bool {
        self.is_software()
    }

    /// Whether devices give zeros for texels that a texture does not have.
    pub(super) fn robust_images(&self) -> bool {
        self.robust_images
    }

    /// The float controls that the adapter supports.
    pub fn controls(&self) -> FloatControls {
        self.controls
    }

    /// The adapter's limits.
    pub fn limits(&self) -> &wgpu::Limits {
        &self.limits
    }

    /// The features requested from the device: all that kernels can use and the adapter has.
    pub(super) fn wanted(&self) -> Features {
        let atomic = Features::SHADER_INT64_ATOMIC_ALL_OPS | Features::SHADER_INT64_ATOMIC_MIN_MAX;
        let mapped = Features::MAPPABLE_PRIMARY_BUFFERS;
        let textures = Features::TEXTURE_FORMAT_16BIT_NORM | Features::FLOAT32_FILTERABLE;
        let shaders = Features::SHADER_F64 | Features::SHADER_INT64 | Features::PASSTHROUGH_SHADERS;
        self.features & (shaders | atomic | mapped | textures)
    }

    /// Whether the host can write to memory that shaders read.
    pub(super) fn maps_arguments(&self) -> bool {
        self.features.contains(Features::MAPPABLE_PRIMARY_BUFFERS)
    }

    pub(super) fn handle(&self) -> &wgpu::Adapter {
        &self.adapter
    }

    /// Opens a device.
    pub fn open(&self) -> Result<GpuDevice, String> {
        GpuDevice::open(self, Features::empty())
    }

    /// Opens a device for shaders that may compute with 16-bit numbers too, if the adapter has them; kernels do
    /// not.
    pub fn open_with_half(&self) -> Result<GpuDevice, String> {
        GpuDevice::open(self, self.features & (Features::SHADER_F16 | Features::SHADER_I16))
    }

    /// Whether shaders can compute with 16-bit floats.
    pub fn has_half(&self) -> bool {
        self.features.contains(Features::SHADER_F16)
    }

    /// Checks that the adapter supports a kernel; an error names the missing capability.
    pub fn suits(&self, needs: &AdapterNeeds, way: ShaderForm) -> Result<(), Unsupported> {
        let lacks = |what: String| Err(Unsupported(format!("the adapter `{}` lacks {what}", self.info.name)));
        if way == ShaderForm::Strict && !self.has_strict() {
            return lacks("shaders that are passed through (PASSTHROUGH_SHADERS)".into());
        }
        // Empty while the probe itself runs.
        let lacks_double = self.probed.found.get().and_then(|found| found.lacks(Scalar::F64));
        if let Some(fault) = lacks_double.filter(|_| way == ShaderForm::Strict && needs.f64) {
            return Err(wrong(self.name(), fault));
        }
        if needs.f64 && !self.features.contains(Features::SHADER_F64) {
            return lacks("64-bit floats (SHADER_F64)".into());
        }
        if needs.atomic_i64 && !self.features.contains(Features::SHADER_INT64_ATOMIC_ALL_OPS) {
            return lacks("atomic operations on 64-bit integers (SHADER_INT64_ATOMIC_ALL_OPS)".into());
        }
        if needs.i64 && !self.features.contains(Features::SHADER_INT64) {
            return lacks("64-bit integers (SHADER_INT64)".into());
        }
        let limits = &self.limits;
        let threads: u32 = needs.workgroup.iter().product();
        if threads > limits.max_compute_invocations_per_workgroup {
            let most = limits.max_compute_invocations_per_workgroup;
            return lacks(format!("tiles of {threads} threads: it has at most {most}"));
        }
        let sizes = [
            limits.max_compute_workgroup_size_x,
            limits.max_compute_workgroup_size_y,
            limits.max_compute_workgroup_size_z,
        ];
        if let Some((size, most)) = needs.workgroup.iter().zip(sizes).find(|(size, most)| **size > *most) {
            return lacks(format!("tiles with a dimension of {size}: it has at most {most}"));
        }
        if needs.tile_bytes > u64::from(limits.max_compute_workgroup_storage_size) {
            let (bytes, most) = (needs.tile_bytes, limits.max_compute_workgroup_storage_size);
            return lacks(format!("{bytes} bytes of `tile_static` memory: it has at most {most}"));
        }
        if needs.storage_buffers > limits.max_storage_buffers_per_shader_stage {
            let (count, most) = (needs.storage_buffers, limits.max_storage_buffers_per_shader_stage);
            return lacks(format!("{count} buffers in one kernel: it has at most {most}"));
        }
        Ok(())
    }
}

/// The reason why a device does not support Strict.
fn wrong(name: &str, fault: &ProbeFault) -> Unsupported {
    let (own, witness) = (fault.own.name(), &fault.witness);
    Unsupported(format!("the device `{name}` computes `{own}` of {} otherwise: {witness}", fault.scalar))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::NativeOp;
    use crate::qualified::Qualified;

    #[test]
    fn a_probe_that_cannot_run_is_run_again_but_not_for_ever() {
        let found = Qualified { exact: Exact::LEAST, faults: Vec::new() };
        let probed = Probed::default();
        assert_eq!(probed.get(|| Err("the device was lost".into())), Err("the device was lost".into()));
        assert_eq!(probed.get(|| Ok(found.clone())), Ok(&found));
        assert_eq!(probed.get(|| Err("it is not asked".into())), Ok(&found));
        let probed = Probed::default();
        let mut times = 0;
        for _ in 0..10 {
            let failed = probed.get(|| {
                times += 1;
                Err(format!("time {times}"))
            });
            assert!(failed.is_err());
        }
        assert_eq!((times, probed.get(|| Ok(found))), (3, Err("time 3".into())));
    }

    #[test]
    fn who_does_not_qualify_is_told_by_operation_and_value() {
        let witness = "`x * y` of x = 0x1, y = 0x3f800000 gives 0x0, not 0x1".to_owned();
        let fault = ProbeFault { own: NativeOp::Mul, scalar: Scalar::F32, fatal: true, witness };
        let replaced = ProbeFault { own: NativeOp::Sqrt, scalar: Scalar::F64, fatal: false, witness: String::new() };
        let found = Qualified { exact: Exact::NONE, faults: vec![replaced, fault] };
        assert!(found.lacks(Scalar::F64).is_none());
        let fault = found.lacks(Scalar::F32).map(|fault| wrong("G", fault).0);
        let text =
            "the device `G` computes `mul` of f32 otherwise: `x * y` of x = 0x1, y = 0x3f800000 gives 0x0, not 0x1";
        assert_eq!(fault.as_deref(), Some(text));
        assert_eq!(found.replaced().count(), 1);
    }
}
