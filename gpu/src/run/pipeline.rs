//! Pipelines: what a device makes of a lowered kernel, kept as long as the kernel is.
#![allow(unsafe_code, reason = "wgpu wants promises for modules without its own checks")]

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use wgpu::{BindGroupLayoutEntry, BindingType, BufferBindingType, ShaderStages};

use super::device::{Device, Open};
use crate::lower::{Key, Lowered, Unsupported, binding, lower};
use crate::ways::{self, FloatControls, Way};

/// A kernel, and the pipelines that were made of it. Clones are the same.
#[derive(Clone, Debug)]
pub struct Prepared {
    kernel: Arc<Checked<Kernel>>,
    made: Arc<Mutex<Pipelines>>,
}

/// By device, way and key.
type Pipelines = HashMap<(u64, Way, Key), Made>;
type Made = Result<Arc<Pipeline>, Unsupported>;

/// A pipeline and what it wants bound.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) lowered: Lowered,
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) layout: wgpu::BindGroupLayout,
}

impl Prepared {
    /// A kernel that was not launched yet.
    pub fn new(kernel: Arc<Checked<Kernel>>) -> Prepared {
        Prepared { kernel, made: Arc::default() }
    }

    /// The kernel.
    pub fn kernel(&self) -> &Checked<Kernel> {
        &self.kernel
    }

    pub(super) fn pipeline(&self, device: &Device, way: Way, key: Key) -> Made {
        let number = device.shared.number;
        let known = |made: &Pipelines| made.get(&(number, way, key.clone())).cloned();
        if let Some(made) = known(&self.made.lock().unwrap_or_else(PoisonError::into_inner)) {
            return made;
        }
        let made = make(&self.kernel, device, way, &key).map(Arc::new);
        // Two launches at once may both make it; one is kept.
        self.made.lock().unwrap_or_else(PoisonError::into_inner).entry((number, way, key)).or_insert(made).clone()
    }
}

fn make(kernel: &Checked<Kernel>, device: &Device, way: Way, key: &Key) -> Result<Pipeline, Unsupported> {
    let lowered = lower(kernel, key)?;
    device.adapter().suits(&lowered.needs, way)?;
    let open = device.opened().map_err(Unsupported)?;
    let module = module(&open, &lowered, way, device.adapter().controls())?;
    let entry = |binding: u32, ty: BufferBindingType| BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    };
    let bindings = lowered.bindings().into_iter().map(|number| {
        let read_only = match number {
            binding::BLOCK => return entry(number, BufferBindingType::Uniform),
            binding::MESSAGES => false,
            binding::CONSTANTS => true,
            home => !lowered.homes.get((home - binding::HOMES) as usize).copied().unwrap_or(false),
        };
        entry(number, BufferBindingType::Storage { read_only })
    });
    let entries: Vec<BindGroupLayoutEntry> = bindings.collect();
    let made = open.checked(|device| {
        let layout =
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
        let whole = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: Some(&whole),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &[],
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        });
        (pipeline, layout)
    });
    let (pipeline, layout) = made.map_err(|error| Unsupported(format!("the driver refuses the kernel: {error}")))?;
    Ok(Pipeline { lowered, pipeline, layout })
}

fn module(
    open: &Open,
    lowered: &Lowered,
    way: Way,
    controls: FloatControls,
) -> Result<wgpu::ShaderModule, Unsupported> {
    let source = match way {
        Way::Wgsl => wgpu::ShaderSource::Wgsl(Cow::Owned(ways::wgsl(lowered)?)),
        Way::Module => {
            ways::validate(&lowered.module)?;
            wgpu::ShaderSource::Naga(Cow::Owned(lowered.module.clone()))
        }
        Way::Strict => return passed_through(open, lowered, controls),
    };
    let descriptor = wgpu::ShaderModuleDescriptor { label: None, source };
    let mut checks = wgpu::ShaderRuntimeChecks::checked();
    (checks.bounds_checks, checks.force_loop_bounding) = (false, false);
    // SAFETY: lowered code tests every index itself (what is out of range goes to words kept for that), and every loop of a kernel ends when its thread's rounds are spent.
    let made = open.checked(|device| unsafe { device.create_shader_module_trusted(descriptor, checks) });
    made.map_err(|error| Unsupported(format!("wgpu refuses the kernel: {error}")))
}

fn passed_through(open: &Open, lowered: &Lowered, controls: FloatControls) -> Result<wgpu::ShaderModule, Unsupported> {
    let words = ways::strict(lowered, controls)?;
    let [x, y, z] = lowered.needs.workgroup;
    let entries = [wgpu::PassthroughShaderEntryPoint { name: "main".into(), workgroup_size: (x, y, z) }];
    let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
        label: None,
        entry_points: Cow::Borrowed(&entries),
        spirv: Some(Cow::Owned(words)),
        ..Default::default()
    };
    // SAFETY: the words are of naga's writer, from a module that is valid; only decorations and execution modes were added. Indices and loops are as above.
    let made = open.checked(|device| unsafe { device.create_shader_module_passthrough(descriptor) });
    made.map_err(|error| Unsupported(format!("the driver refuses the kernel: {error}")))
}
