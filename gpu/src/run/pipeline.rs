//! Pipelines: compiled kernels of a device, kept as long as the kernel.
#![allow(unsafe_code, reason = "wgpu wants promises for modules without its own checks")]

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use tilewise_ir::analysis::exit_levels::pass_levels;
use tilewise_ir::analysis::texture_calls::{TextureCall, texture_calls};
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Refusal};
use tilewise_ir::stack::{with_bytes, with_levels};
use tilewise_trace::{SpanKind, span};
use wgpu::{
    BindGroupLayoutEntry, BindingType, BufferBindingType, SamplerBindingType, ShaderStages, StorageTextureAccess,
    TextureSampleType, TextureViewDimension,
};

use super::device::{DeviceShared, OnKernels, WgpuDevice, WgpuError, locked};
use super::pace::LaunchPace;
use super::queue::BLOCK_MOST;
use super::texel_copy::texture_format;
use super::thread_safe::ThreadSafe;
use crate::lower::{LaunchPredicates, LoweredModule, ModuleKey, OwnStore, Unsupported, binding, lower};
use crate::shader_form::{self, FloatControls, ShaderForm, naga_stack};

/// A kernel, and the pipelines created from it. Clones are the same kernel.
#[derive(Clone, Debug)]
pub struct GpuKernel {
    kernel: Arc<Checked<Kernel>>,
    wants: Arc<LaunchPredicates>,
    /// The calls that texture units can compute.
    textures: Arc<[TextureCall]>,
    /// The stores that a texture of the device can take too.
    stores: Arc<[OwnStore]>,
    made: ThreadSafe<Arc<Mutex<Pipelines>>>,
}

/// By device and form, then by key.
type Pipelines = HashMap<(u64, ShaderForm), Of>;
type Made = Result<Arc<Pipeline>, Refusal>;

/// The pipelines of a device and form.
#[derive(Debug)]
struct Of {
    device: Weak<DeviceShared>,
    made: HashMap<ModuleKey, Made>,
}

/// A pipeline, and the lowered module that describes its bindings.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) lowered: LoweredModule,
    pub(super) program: GpuProgram,
    /// What its launches take.
    pub(super) pace: Arc<LaunchPace>,
}

/// A compute pipeline. Binding 0 is the argument block, with a dynamic offset per dispatch.
#[derive(Debug)]
pub(super) struct GpuProgram {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) layout: wgpu::BindGroupLayout,
    /// The program's number, which no other program has.
    pub(super) number: u64,
    /// Whether it was dispatched before.
    pub(super) used: AtomicBool,
}

/// Bytes of stack for a driver to compile a kernel without nested blocks; lavapipe takes 0.2 MiB.
const DRIVER_STACK: usize = 2 << 20;

/// Nested blocks of a module per nested block of its kernel, at most; naga and drivers recurse
/// through them.
const TIMES: u32 = 2;

impl GpuKernel {
    /// A kernel without pipelines.
    pub fn new(kernel: Arc<Checked<Kernel>>) -> GpuKernel {
        let wants = Arc::new(with_levels(kernel.inlined().levels(), || LaunchPredicates::of(&kernel)));
        let textures = with_levels(kernel.levels(), || texture_calls(&kernel)).into();
        let stores = with_levels(kernel.inlined().levels(), || OwnStore::of(kernel.inlined())).into();
        GpuKernel { kernel, wants, textures, stores, made: ThreadSafe::new(Arc::default()) }
    }

    /// The kernel.
    pub fn kernel(&self) -> &Checked<Kernel> {
        &self.kernel
    }

    /// The calls that texture units can compute.
    pub(super) fn texture_calls(&self) -> &[TextureCall] {
        &self.textures
    }

    /// The stores that a texture of the device can take too.
    pub(super) fn own_stores(&self) -> &[OwnStore] {
        &self.stores
    }

    /// The key of a launch; `buffer` returns the identity of an allocation's buffer.
    pub(super) fn key(
        &self,
        domain: &Domain,
        arguments: &[Argument],
        buffer: impl Fn(usize) -> Option<u64>,
    ) -> ModuleKey {
        ModuleKey::of_buffers(&self.kernel, &self.wants, domain, arguments, buffer)
    }

    pub(super) fn pipeline(&self, device: &Arc<DeviceShared>, way: ShaderForm, key: &ModuleKey) -> Made {
        let number = device.number;
        if let Some(made) = locked(&self.made).get(&(number, way)).and_then(|of| of.made.get(key)) {
            return made.clone();
        }
        let _compile = span(SpanKind::Compile, || {
            format!("the kernel `{}` for {}", self.kernel.kernel().name(), device.adapter.name())
        });
        let stack = DRIVER_STACK + naga_stack(pass_levels(&self.kernel) * TIMES);
        let made = match with_bytes(stack, || make(&self.kernel, device, way, key)) {
            Ok(made) => Ok(Arc::new(made)),
            Err(Unmade::Refused(refusal)) => Err(refusal),
            // Not cached: there may be room later.
            Err(Unmade::NoRoom) => return Err(Refusal::Driver(refused(&WgpuError::NoRoom))),
        };
        let mut all = locked(&self.made);
        // Pipelines of devices that are gone or lost are of no use.
        all.retain(|_, of| of.device.upgrade().is_some_and(|device| device.alive().is_ok()));
        let of =
            all.entry((number, way)).or_insert_with(|| Of { device: Arc::downgrade(device), made: HashMap::new() });
        // Two concurrent launches may both create it; one is kept.
        of.made.entry(key.clone()).or_insert(made).clone()
    }
}

/// Why there is no pipeline.
enum Unmade {
    /// Permanent: every later launch would be refused for the same reason.
    Refused(Refusal),
    /// The device has no room for it now.
    NoRoom,
}

impl From<Refusal> for Unmade {
    fn from(refusal: Refusal) -> Unmade {
        Unmade::Refused(refusal)
    }
}

impl From<WgpuError> for Unmade {
    fn from(trouble: WgpuError) -> Unmade {
        match trouble {
            WgpuError::NoRoom => Unmade::NoRoom,
            WgpuError::Other(_) => Unmade::Refused(Refusal::Driver(refused(&trouble))),
        }
    }
}

fn make(kernel: &Checked<Kernel>, device: &DeviceShared, way: ShaderForm, key: &ModuleKey) -> Result<Pipeline, Unmade> {
    let unsupported = |why: Unsupported| Refusal::Unsupported(why.0);
    let lowered = lower(kernel, key).map_err(unsupported)?;
    device.adapter.suits(&lowered.needs, way).map_err(unsupported)?;
    let most = device.adapter.limits().max_uniform_buffer_binding_size.min(BLOCK_MOST);
    let block = u64::from(lowered.layout.words) * 4;
    if block > most {
        let name = device.adapter.name();
        let why = format!("the adapter `{name}` lacks {block} bytes of arguments: it has {most}");
        return Err(Refusal::Unsupported(why).into());
    }
    device.alive().map_err(|failed| Refusal::Driver(failed.to_string()))?;
    let module = module(&device.gpu, &lowered, way, device.adapter.controls())?;
    let kinds = kinds(&lowered);
    let on_kernels = *locked(&device.on_kernels);
    let make = || match on_kernels {
        OnKernels::Refuses => Err(WgpuError::Other("a test wants it so".into())),
        _ if device.room.load(Ordering::Relaxed) == 0 => Err(WgpuError::NoRoom),
        OnKernels::Makes => device.gpu.checked(|device| program(device, &module, &kinds)),
        OnKernels::IsLost => {
            device.lose("a test wants it so");
            device.gpu.checked(|device| program(device, &module, &kinds))
        }
    };
    let program = device.lost.making(kernel.name(), make)?;
    Ok(Pipeline { lowered, program, pace: Arc::default() })
}

/// The type of a buffer's binding.
pub(super) const fn buffer_kind(ty: BufferBindingType) -> BindingType {
    BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}

/// The bindings of a lowered kernel and their types.
pub fn kinds(lowered: &LoweredModule) -> Vec<(u32, BindingType)> {
    let kind = |number| {
        let read_only = match number {
            binding::BLOCK => return (number, buffer_kind(BufferBindingType::Uniform)),
            binding::MESSAGES => false,
            binding::CONSTANTS => true,
            allocation => {
                !lowered.allocations.get((allocation - binding::ALLOCATIONS) as usize).copied().unwrap_or(false)
            }
        };
        (number, buffer_kind(BufferBindingType::Storage { read_only }))
    };
    let textures = lowered.textures.iter().map(|texture| BindingType::Texture {
        sample_type: TextureSampleType::Float { filterable: true },
        view_dimension: if texture.rank == 3 { TextureViewDimension::D3 } else { TextureViewDimension::D2 },
        multisampled: false,
    });
    let samplers = lowered.samplers.iter().map(|_| BindingType::Sampler(SamplerBindingType::Filtering));
    let stores = lowered.stores.iter().map(|store| BindingType::StorageTexture {
        access: StorageTextureAccess::WriteOnly,
        format: texture_format(store.format),
        view_dimension: if store.rank == 3 { TextureViewDimension::D3 } else { TextureViewDimension::D2 },
    });
    let others = (lowered.first_texture()..).zip(textures.chain(samplers).chain(stores));
    lowered.bindings().into_iter().map(kind).chain(others).collect()
}

/// The bind group layout of these bindings. With `offset`, the argument block has a dynamic offset.
pub fn group_layout(device: &wgpu::Device, bindings: &[(u32, BindingType)], offset: bool) -> wgpu::BindGroupLayout {
    let entry = |&(binding, ty): &(u32, BindingType)| {
        let ty = match ty {
            BindingType::Buffer { ty, min_binding_size, .. } => {
                let has_dynamic_offset = offset && binding == binding::BLOCK;
                BindingType::Buffer { ty, has_dynamic_offset, min_binding_size }
            }
            other => other,
        };
        BindGroupLayoutEntry { binding, visibility: ShaderStages::COMPUTE, ty, count: None }
    };
    let entries: Vec<BindGroupLayoutEntry> = bindings.iter().map(entry).collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
}

/// Creates a program; the caller holds the error scopes.
pub(super) fn program(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    bindings: &[(u32, BindingType)],
) -> GpuProgram {
    static NUMBERS: AtomicU64 = AtomicU64::new(0);
    let layout = group_layout(device, bindings, true);
    let whole = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: Some(&whole),
        module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &[],
            zero_initialize_workgroup_memory: false,
        },
        cache: None,
    });
    GpuProgram { pipeline, layout, number: NUMBERS.fetch_add(1, Ordering::Relaxed), used: AtomicBool::new(false) }
}

/// Lowered modules should be valid in every form, so a failure is the driver's.
fn failed(why: Unsupported) -> Refusal {
    Refusal::Driver(why.0)
}

/// The text of a driver's refusal.
fn refused(trouble: &WgpuError) -> String {
    format!("the driver refuses the kernel: {trouble}")
}

fn module(
    gpu: &WgpuDevice,
    lowered: &LoweredModule,
    way: ShaderForm,
    controls: FloatControls,
) -> Result<wgpu::ShaderModule, Unmade> {
    let source = match way {
        ShaderForm::Wgsl => {
            shader_form::validate(&lowered.module).map_err(failed)?;
            wgpu::ShaderSource::Wgsl(Cow::Owned(shader_form::wgsl(lowered).map_err(|why| Refusal::Unsupported(why.0))?))
        }
        ShaderForm::Module => {
            shader_form::validate(&lowered.module).map_err(failed)?;
            wgpu::ShaderSource::Naga(Cow::Owned(lowered.module.clone()))
        }
        ShaderForm::Strict => return passed_through(gpu, lowered, controls),
    };
    let descriptor = wgpu::ShaderModuleDescriptor { label: None, source };
    let mut checks = wgpu::ShaderRuntimeChecks::checked();
    (checks.bounds_checks, checks.force_loop_bounding) = (false, false);
    // SAFETY: lowered code checks every index that the checker has not proved in range (an
    // out-of-range access uses words reserved for it), and every loop is finite or counted against
    // its thread's iteration budget.
    let made = gpu.checked(|device| unsafe { device.create_shader_module_trusted(descriptor, checks) });
    made.map_err(|trouble| match trouble {
        WgpuError::NoRoom => Unmade::NoRoom,
        // A limit of the parser, which it reports only as text.
        WgpuError::Other(error) if way == ShaderForm::Wgsl && is_too_deep(&error.to_string()) => {
            let why = "its WGSL text nests expressions or blocks deeper than the parser of WGSL takes";
            Unmade::Refused(Refusal::Unsupported(why.into()))
        }
        WgpuError::Other(error) => Unmade::Refused(Refusal::Driver(format!("wgpu refuses the kernel: {error}"))),
    })
}

/// Is it one of the parser's limits on what is inside of what?
fn is_too_deep(error: &str) -> bool {
    error.contains("recursion limit") || error.contains("nesting limit")
}

fn passed_through(
    gpu: &WgpuDevice,
    lowered: &LoweredModule,
    controls: FloatControls,
) -> Result<wgpu::ShaderModule, Unmade> {
    let words = shader_form::strict(lowered, controls).map_err(failed)?;
    let [x, y, z] = lowered.needs.workgroup;
    let entries = [wgpu::PassthroughShaderEntryPoint { name: "main".into(), workgroup_size: (x, y, z) }];
    let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
        label: None,
        entry_points: Cow::Borrowed(&entries),
        spirv: Some(Cow::Owned(words)),
        ..Default::default()
    };
    // SAFETY: the words come from naga's writer, from a valid module; only decorations and
    // execution modes were added. Indices and loops are as above.
    Ok(gpu.checked(|device| unsafe { device.create_shader_module_passthrough(descriptor) })?)
}
