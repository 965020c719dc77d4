//! The original shader on a driver, without the importer: what it computes is what the import has to
//! compute. WGSL allows errors in many functions, so floats may differ a little there.

use std::borrow::Cow;

use approx::abs_diff_eq;
use libtest_mimic::Completion;
use tilewise_conformance::target::SuiteTarget;
use tilewise_gpu::run::list_adapters;
use tilewise_import::{BindingKind, ImageClass, TextureShape};
use tilewise_ir::kernel::ParamKind;
use tilewise_ir::launch::{Argument, LaunchMemory};

use super::driver_textures::{self, DriverTexture};
use super::{Launched, TestShader, all, is_ordered, launched};

/// A device of the first adapter.
struct Driver {
    device: wgpu::Device,
    queue: wgpu::Queue,
    features: wgpu::Features,
}

/// Where a binding's bytes are.
struct Bound<'a> {
    slot: (u32, u32),
    kind: BoundKind,
    bytes: &'a [u8],
    /// The allocation whose contents are compared.
    compared: Option<usize>,
}

/// What a binding is.
enum BoundKind {
    Buffer(wgpu::BufferBindingType),
    Texture(DriverTexture),
    Sampler(BindingKind),
}

/// A binding on the driver.
enum BoundObject {
    Buffer(wgpu::Buffer),
    Texture(wgpu::Texture, wgpu::TextureView),
    Sampler(wgpu::Sampler),
}

impl Driver {
    fn open() -> Option<Driver> {
        let adapter = list_adapters().into_iter().next()?;
        let wanted = wgpu::Features::SHADER_F16
            | wgpu::Features::SHADER_I16
            | wgpu::Features::SHADER_INT64
            | wgpu::Features::SHADER_F64
            | wgpu::Features::FLOAT32_FILTERABLE
            | wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES
            | wgpu::Features::TEXTURE_FORMAT_16BIT_NORM
            | wgpu::Features::TEXTURE_ATOMIC
            | wgpu::Features::TEXTURE_INT64_ATOMIC
            | wgpu::Features::BGRA8UNORM_STORAGE;
        let descriptor = wgpu::DeviceDescriptor {
            required_features: adapter.features() & wanted,
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).ok()?;
        Some(Driver { device, queue, features: adapter.features() & wanted })
    }

    /// The bytes of every binding after the launch.
    fn run(&self, test: &TestShader, of: &Launched, bindings: &[Bound<'_>]) -> Result<Vec<Vec<u8>>, String> {
        let run = of.file.header.runs.first().ok_or("it has no run")?;
        let [x, y, z] = run.dispatch.ok_or("it has no dispatch")?;
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let source = wgpu::ShaderSource::Wgsl(Cow::Borrowed(&test.text));
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let groups = bindings.iter().map(|bound| bound.slot.0 + 1).max().unwrap_or(0);
        let layouts: Vec<_> = (0..groups).map(|group| self.layout(group, bindings)).collect();
        let references: Vec<_> = layouts.iter().map(Some).collect();
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &references,
            immediate_size: 0,
        });
        let constants: Vec<(&str, f64)> =
            of.file.header.overrides.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: Some(&layout),
            module: &module,
            entry_point: of.file.header.entry.as_deref().or(Some("main")),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                ..wgpu::PipelineCompilationOptions::default()
            },
            cache: None,
        });
        let objects: Vec<BoundObject> = bindings.iter().map(|bound| self.object(bound)).collect();
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&pipeline);
            for (group, layout) in (0..).zip(&layouts) {
                let bound = bindings.iter().zip(&objects).filter(|(bound, _)| bound.slot.0 == group);
                let entries: Vec<_> = bound
                    .map(|(bound, object)| wgpu::BindGroupEntry {
                        binding: bound.slot.1,
                        resource: match object {
                            BoundObject::Buffer(buffer) => buffer.as_entire_binding(),
                            BoundObject::Texture(_, view) => wgpu::BindingResource::TextureView(view),
                            BoundObject::Sampler(sampler) => wgpu::BindingResource::Sampler(sampler),
                        },
                    })
                    .collect();
                let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &entries };
                pass.set_bind_group(group, &self.device.create_bind_group(&descriptor), &[]);
            }
            pass.dispatch_workgroups(x, y, z);
        }
        self.queue.submit([encoder.finish()]);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(error.to_string());
        }
        bindings.iter().zip(&objects).map(|(bound, object)| self.contents(bound, object)).collect()
    }

    fn layout(&self, group: u32, bindings: &[Bound<'_>]) -> wgpu::BindGroupLayout {
        let entries: Vec<_> = bindings
            .iter()
            .filter(|bound| bound.slot.0 == group)
            .map(|bound| wgpu::BindGroupLayoutEntry {
                binding: bound.slot.1,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: match &bound.kind {
                    &BoundKind::Buffer(ty) => {
                        wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
                    }
                    BoundKind::Texture(texture) => texture.binding_type(),
                    BoundKind::Sampler(BindingKind::Sampler { comparison: true }) => {
                        wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison)
                    }
                    BoundKind::Sampler(_) => wgpu::BindingType::Sampler(driver_textures::sampler_type(bound.bytes)),
                },
                count: None,
            })
            .collect();
        let descriptor = wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries };
        self.device.create_bind_group_layout(&descriptor)
    }

    fn object(&self, bound: &Bound<'_>) -> BoundObject {
        match &bound.kind {
            &BoundKind::Buffer(kind) => BoundObject::Buffer(self.buffer(bound, kind)),
            BoundKind::Texture(texture) => {
                let made = texture.create(&self.device, &self.queue, bound.bytes);
                let view = texture.view(&made);
                BoundObject::Texture(made, view)
            }
            &BoundKind::Sampler(kind) => {
                BoundObject::Sampler(driver_textures::sampler(&self.device, kind, bound.bytes))
            }
        }
    }

    /// The bytes of a binding after the launch; none of one that is not compared.
    fn contents(&self, bound: &Bound<'_>, object: &BoundObject) -> Result<Vec<u8>, String> {
        match (object, &bound.kind) {
            (BoundObject::Buffer(buffer), _) => self.read(buffer, bound.bytes.len()),
            (BoundObject::Texture(made, _), BoundKind::Texture(texture)) if bound.compared.is_some() => {
                let (buffer, rows) = texture.download(&self.device, &self.queue, made);
                Ok(rows.tight(&self.read(&buffer, buffer.size() as usize)?))
            }
            _ => Ok(Vec::new()),
        }
    }

    fn buffer(&self, bound: &Bound<'_>, kind: wgpu::BufferBindingType) -> wgpu::Buffer {
        let (usage, unit) = match kind {
            wgpu::BufferBindingType::Uniform => (wgpu::BufferUsages::UNIFORM, 16),
            wgpu::BufferBindingType::Storage { .. } => (wgpu::BufferUsages::STORAGE, 4),
        };
        let size = (bound.bytes.len() as u64).next_multiple_of(unit);
        let usage = usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let buffer = self.device.create_buffer(&descriptor);
        let mut bytes = bound.bytes.to_vec();
        bytes.resize(size as usize, 0);
        self.queue.write_buffer(&buffer, 0, &bytes);
        buffer
    }

    fn read(&self, buffer: &wgpu::Buffer, length: usize) -> Result<Vec<u8>, String> {
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let descriptor = wgpu::BufferDescriptor { label: None, size: buffer.size(), usage, mapped_at_creation: false };
        let to = self.device.create_buffer(&descriptor);
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &to, 0, buffer.size());
        self.queue.submit([encoder.finish()]);
        to.map_async(wgpu::MapMode::Read, .., |_| ());
        let wait = wgpu::PollType::Wait { submission_index: None, timeout: None };
        self.device.poll(wait).map_err(|error| error.to_string())?;
        let mapped = to.get_mapped_range(..).map_err(|error| error.to_string())?;
        Ok(mapped[..length].to_vec())
    }
}

/// The bindings of a launch with their contents before it.
fn bindings(of: &Launched) -> Option<Vec<Bound<'_>>> {
    let kernel = of.file.kernel.as_ref().ok()?;
    let mut out = Vec::new();
    let slots = of.file.slots.iter().zip(kernel.params()).zip(&of.bound.arguments);
    for ((slot, param), argument) in slots {
        let (slot_kind, slot) = (slot.kind, slot.slot?);
        out.push(match (argument, param.kind) {
            (Argument::Uniform(_), _) if slot_kind == BindingKind::TextureSize => continue,
            (Argument::Uniform(bytes), _) if matches!(slot_kind, BindingKind::Sampler { .. }) => {
                Bound { slot, kind: BoundKind::Sampler(slot_kind), bytes, compared: None }
            }
            (Argument::View(view), kind) => {
                let BindingKind::Texture(texture) = slot_kind else { return None };
                let kind_of = driver_textures::texture_of(texture.shape, argument, size_behind(of, slot))?;
                Bound {
                    slot,
                    kind: BoundKind::Texture(kind_of),
                    bytes: &of.bound.memory.allocations[view.allocation],
                    compared: kind.is_writable().then_some(view.allocation),
                }
            }
            (&Argument::Buffer { allocation, .. }, kind) => Bound {
                slot,
                kind: BoundKind::Buffer(wgpu::BufferBindingType::Storage { read_only: !kind.is_writable() }),
                bytes: &of.bound.memory.allocations[allocation],
                compared: Some(allocation),
            },
            (Argument::Uniform(bytes), ParamKind::Uniform(_)) => {
                Bound { slot, kind: BoundKind::Buffer(wgpu::BufferBindingType::Uniform), bytes, compared: None }
            }
            _ => return None,
        });
    }
    Some(out)
}

/// The size of the texture with levels at this slot: what its uniform holds.
fn size_behind(of: &Launched, slot: (u32, u32)) -> Option<[u32; 4]> {
    let mut slots = of.file.slots.iter().zip(&of.bound.arguments);
    let found = slots.find(|(other, _)| other.slot == Some(slot) && other.kind == BindingKind::TextureSize)?;
    let Argument::Uniform(bytes) = found.1 else { return None };
    let words = bytes.chunks_exact(4).map(|word| word.try_into().map_or(0, u32::from_le_bytes));
    words.collect::<Vec<u32>>().try_into().ok()
}

/// How far a filtered sample of a device may be from ours: 1/256 of the range of all texels that are
/// sampled. Devices work the level of a gradient out less exactly.
fn filter_tolerance(test: &TestShader, of: &Launched) -> f32 {
    if !test.text.contains("textureSample") {
        return 0.0;
    }
    let slots = of.file.slots.iter().zip(&of.bound.arguments);
    let floats = slots.filter_map(|(slot, argument)| match (slot.kind, argument) {
        (BindingKind::Texture(texture), Argument::View(view)) if is_float(&texture.shape) => {
            Some(&of.bound.memory.allocations[view.allocation])
        }
        _ => None,
    });
    let numbers = floats.flat_map(|bytes| bytes.chunks_exact(4));
    let numbers = numbers.map(|word| f32::from_le_bytes(word.try_into().unwrap_or_default()));
    let (low, high) = numbers.fold((0f32, 0f32), |(low, high), number| (low.min(number), high.max(number)));
    let is_rough = test.text.contains("textureSampleGrad");
    (high - low) / if is_rough { 16.0 } else { 256.0 }
}

fn is_float(shape: &TextureShape) -> bool {
    match shape.class {
        ImageClass::Sampled { kind, .. } => kind == naga::ScalarKind::Float,
        ImageClass::Depth { .. } => true,
        ImageClass::External | ImageClass::Storage { .. } => false,
    }
}

/// The largest finite number of 16 bits.
const LARGEST_F16: f32 = 65504.0;

/// The first word in which the driver's bytes differ from ours by more than WGSL allows.
fn far(ours: &LaunchMemory, allocation: usize, theirs: &[u8], tolerance: f32) -> Option<String> {
    let words = ours.allocations[allocation].chunks_exact(4).zip(theirs.chunks_exact(4));
    for (number, (ours, theirs)) in words.enumerate() {
        let [a, b] = [ours, theirs].map(|word| f32::from_le_bytes(word.try_into().unwrap_or_default()));
        let is_small = |x: f32| x != 0.0 && x.abs() < 1e-30;
        // Bits of integers look like such numbers.
        let are_floats = !is_small(a) && !is_small(b);
        let most = 2e-3 * a.abs().max(b.abs()) + 2e-3 + tolerance;
        // Drivers store a number beyond `f16` in a texel of that format as an infinity or as the largest
        // number.
        let overflows = a.is_infinite() && b == LARGEST_F16.copysign(a);
        let near = overflows || a.is_finite() && b.is_finite() && abs_diff_eq!(a, b, epsilon = most);
        if ours != theirs && !(a.is_nan() && b.is_nan()) && a != b && !(are_floats && near) {
            return Some(format!("word {number}: {a:?} here, {b:?} on the driver ({ours:02x?}, {theirs:02x?})"));
        }
    }
    None
}

/// What drivers may compute otherwise, and what they never see.
fn may_differ(test: &TestShader) -> bool {
    // Out of range a driver reads and writes elsewhere within the buffer. naga's writer panics over
    // a pointer into an array that a `let` keeps, and over counts of zeros of 16-bit integers. Its validation
    // refuses pointers to buffers as arguments, loops at the end of functions, and numbers without a type.
    // Texels beyond the greatest integer wrap on some drivers when an offset is added.
    // These formats may be one unit off, and subgroups have another size on most devices.
    let names = [
        "memory/out_of_range",
        "memory/pointers",
        "control/endless_loop",
        "values/abstract_arguments",
        "values/narrow_integers",
        "textures/offset_far_away",
        "Pack4x8",
        "Pack2x16",
        "subgroups/",
    ];
    // Drivers may round floats of fewer bits towards zero where they store them.
    let is_short_float = ["16float, ", "rg11b10ufloat, "].iter().any(|name| test.name.contains(name));
    names.iter().any(|name| test.name.contains(name)) || (is_short_float && test.name.contains("write>"))
}

/// The test; not run where there is no GPU.
pub(crate) fn the_original_on_a_driver_computes_what_the_import_does() -> Completion {
    let Some(driver) = Driver::open() else {
        return Completion::ignored_with("there is no GPU");
    };
    let (mut wrong, mut refused, mut count) = (Vec::new(), Vec::new(), 0);
    for test in all().iter().filter(|test| !is_ordered(test) && !may_differ(test)) {
        let lacks = |text: &str, feature| test.text.contains(text) && !driver.features.contains(feature);
        if lacks("enable f16", wgpu::Features::SHADER_F16)
            || lacks("enable wgpu_int16", wgpu::Features::SHADER_I16)
            || lacks("atomic<f32>", wgpu::Features::SHADER_FLOAT32_ATOMIC)
        {
            refused.push(test.name.clone());
            continue;
        }
        let ours = launched(test, SuiteTarget::Reference).unwrap_or_else(|error| panic!("{}: {error}", test.name));
        let Some(bindings) = bindings(&ours) else {
            refused.push(test.name.clone());
            continue;
        };
        match driver.run(test, &ours, &bindings) {
            Ok(theirs) => {
                count += 1;
                let tolerance = filter_tolerance(test, &ours);
                for (bound, bytes) in bindings.iter().zip(&theirs) {
                    let Some(allocation) = bound.compared else { continue };
                    let found = far(ours.memory(), allocation, bytes, tolerance);
                    wrong.extend(found.map(|found| format!("{}: {found}", test.name)));
                }
            }
            Err(error) => wrong.push(format!("{}: {error}", test.name)),
        }
    }
    println!("{count} entry points on a driver; not run: {}", refused.join(", "));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 150, "{count} entry points");
    Completion::Completed
}
