//! The forms in which a lowered kernel is handed to wgpu: WGSL text, the naga module, or strict
//! SPIR-V. Each is validated here, before wgpu sees it; a failure is an [`Unsupported`] with a
//! message.
//!
//! - **wgsl**: readable, and accepted by every backend. A fence becomes a barrier where all threads
//!   of a tile reach it together; elsewhere WGSL has no fence.
//! - **module**: the module as it is; for Relaxed.
//! - **strict**: SPIR-V from naga's writer, with `NoContraction` added to every float operation and
//!   with the float controls that the adapter supports.

use std::collections::BTreeSet;

use naga::back::spv;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Block, Module, Statement};
use tilewise_ir::stack::{bytes_for, with_bytes};

use crate::lower::{LoweredModule, Unsupported};
use crate::short_expressions::shorten;

/// The form in which a kernel reaches the driver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ShaderForm {
    /// WGSL text.
    Wgsl,
    /// A naga module.
    Module,
    /// SPIR-V whose float operations are not contracted.
    Strict,
}

impl ShaderForm {
    /// All forms.
    pub const ALL: [ShaderForm; 3] = [ShaderForm::Wgsl, ShaderForm::Module, ShaderForm::Strict];

    /// The name in lists and options.
    pub const fn name(self) -> &'static str {
        match self {
            ShaderForm::Wgsl => "wgsl",
            ShaderForm::Module => "module",
            ShaderForm::Strict => "strict",
        }
    }
}

/// The float controls of an adapter, for one width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Controls {
    /// Preserves signed zeros, infinities and NaN.
    pub signed_zero: bool,
    /// Preserves denormals.
    pub denormals: bool,
    /// Rounds to nearest even.
    pub nearest: bool,
}

/// Float controls for both widths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FloatControls {
    /// Of `f32`.
    pub single: Controls,
    /// Of `f64`.
    pub double: Controls,
}

/// The capabilities that a module may use.
fn capabilities() -> Capabilities {
    Capabilities::FLOAT64
        | Capabilities::SHADER_INT64
        | Capabilities::SHADER_INT64_ATOMIC_ALL_OPS
        | Capabilities::SHADER_INT64_ATOMIC_MIN_MAX
        | Capabilities::MEMORY_DECORATION_COHERENT
        // Halves of texels, unpacked.
        | Capabilities::SHADER_FLOAT16_IN_FLOAT32
}

/// Bytes of stack for one nested block in a pass of naga: without optimisation its validator takes 37 KiB.
const NAGA_LEVEL: usize = 64 << 10;

/// Bytes of stack for naga to work on a module whose blocks nest this deep.
pub(crate) const fn naga_stack(levels: u32) -> usize {
    bytes_for(0) + levels as usize * NAGA_LEVEL
}

/// Validates the module. Control-flow uniformity is not validated: the kernel's own checker is more
/// precise. An error is a bug in the lowering.
pub fn validate(module: &Module) -> Result<ModuleInfo, Unsupported> {
    let flags = ValidationFlags::all() - ValidationFlags::CONTROL_FLOW_UNIFORMITY;
    let invalid = |why: &dyn std::error::Error| Unsupported(format!("the lowered kernel is not valid: {}", chain(why)));
    let mut validator = Validator::new(flags, capabilities());
    with_bytes(naga_stack(depth(module)), || validator.validate(module).map_err(|error| invalid(error.as_inner())))
}

/// An error with its causes, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut out = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        out += ": ";
        out += &error.to_string();
        next = error.source();
    }
    out
}

/// The kernel as WGSL.
pub fn wgsl(lowered: &LoweredModule) -> Result<String, Unsupported> {
    if lowered.needs.fences {
        let why = "WGSL has no fence without a barrier, and the kernel has one that not all threads of a tile come to together";
        return Err(Unsupported(why.into()));
    }
    with_bytes(naga_stack(depth(&lowered.module)), || wgsl_here(lowered))
}

fn wgsl_here(lowered: &LoweredModule) -> Result<String, Unsupported> {
    let mut module = lowered.module.clone();
    for (_, function) in module.functions.iter_mut() {
        meet(&mut function.body);
    }
    for entry in &mut module.entry_points {
        meet(&mut entry.function.body);
    }
    let info = validate(&module)?;
    shorten(&mut module, &info);
    let flags = naga::back::wgsl::WriterFlags::empty();
    naga::back::wgsl::write_string(&module, &info, flags)
        .map_err(|error| Unsupported(format!("the kernel cannot be written as WGSL: {}", chain(&error))))
}

/// The nesting depth of blocks in a module, which is the depth of naga's recursion.
fn depth(module: &Module) -> u32 {
    let functions = module.functions.iter().map(|(_, function)| function);
    let entries = module.entry_points.iter().map(|entry| &entry.function);
    let mut rest: Vec<(&Block, u32)> = functions.chain(entries).map(|function| (&function.body, 1)).collect();
    let mut deepest = 0;
    while let Some((block, depth)) = rest.pop() {
        deepest = deepest.max(depth);
        for statement in block {
            match statement {
                Statement::Block(inner) => rest.push((inner, depth + 1)),
                Statement::If { accept, reject, .. } => rest.extend([(accept, depth + 1), (reject, depth + 1)]),
                Statement::Switch { cases, .. } => rest.extend(cases.iter().map(|case| (&case.body, depth + 1))),
                Statement::Loop { body, continuing, .. } => rest.extend([(body, depth + 1), (continuing, depth + 1)]),
                _ => {}
            }
        }
    }
    deepest
}

/// Replaces fences by barriers.
fn meet(block: &mut Block) {
    for statement in block.iter_mut() {
        match statement {
            Statement::MemoryBarrier(memory) => *statement = Statement::ControlBarrier(*memory),
            Statement::Block(block) => meet(block),
            Statement::If { accept, reject, .. } => {
                meet(accept);
                meet(reject);
            }
            Statement::Switch { cases, .. } => cases.iter_mut().for_each(|case| meet(&mut case.body)),
            Statement::Loop { body, continuing, .. } => {
                meet(body);
                meet(continuing);
            }
            _ => {}
        }
    }
}

/// The kernel as SPIR-V with strict float semantics.
pub fn strict(lowered: &LoweredModule, controls: FloatControls) -> Result<Vec<u32>, Unsupported> {
    let info = validate(&lowered.module)?;
    let options = spv::Options {
        lang_version: (1, 3),
        flags: spv::WriterFlags::empty(),
        fake_missing_bindings: false,
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        force_loop_bounding: false,
        bounds_check_policies: naga::proc::BoundsCheckPolicies::default(),
        // wgpu numbers the bindings of a layout without gaps.
        binding_map: (0..)
            .zip(lowered.bindings())
            .map(|(to, binding)| {
                let from = naga::ResourceBinding { group: 0, binding };
                (from, spv::BindingInfo { descriptor_set: 0, binding: to, binding_array_size: None })
            })
            .collect(),
        ..spv::Options::default()
    };
    let pipeline = spv::PipelineOptions { shader_stage: naga::ShaderStage::Compute, entry_point: "main".into() };
    let write = || spv::write_vec(&lowered.module, &info, &options, Some(&pipeline));
    let words = with_bytes(naga_stack(depth(&lowered.module)), write)
        .map_err(|error| Unsupported(format!("the kernel cannot be written as SPIR-V: {}", chain(&error))))?;
    Ok(annotate(&words, controls))
}

/// Numeric constants of SPIR-V.
mod spirv {
    pub(super) const OP_EXTENSION: u32 = 10;
    pub(super) const OP_EXT_INST_IMPORT: u32 = 11;
    pub(super) const OP_MEMORY_MODEL: u32 = 14;
    pub(super) const OP_ENTRY_POINT: u32 = 15;
    pub(super) const OP_EXECUTION_MODE: u32 = 16;
    pub(super) const OP_CAPABILITY: u32 = 17;
    pub(super) const OP_TYPE_FLOAT: u32 = 22;
    pub(super) const OP_DECORATE: u32 = 71;
    pub(super) const NO_CONTRACTION: u32 = 42;
    /// OpFNegate, then sums, products, quotients, remainders, products of vectors and matrices.
    pub(super) const FLOAT_OPS: [u32; 9] = [127, 129, 131, 133, 136, 140, 141, 142, 148];
    /// Capabilities and execution modes: DenormPreserve, SignedZeroInfNanPreserve, RoundingModeRTE.
    pub(super) const DENORMALS: (u32, u32) = (4464, 4459);
    pub(super) const SIGNED_ZERO: (u32, u32) = (4466, 4461);
    pub(super) const NEAREST: (u32, u32) = (4467, 4462);
}

/// Adds `NoContraction` to every float operation, and the float controls.
fn annotate(words: &[u32], controls: FloatControls) -> Vec<u32> {
    use spirv::{
        DENORMALS, FLOAT_OPS, NEAREST, NO_CONTRACTION, OP_CAPABILITY, OP_DECORATE, OP_ENTRY_POINT, OP_EXECUTION_MODE,
        OP_EXT_INST_IMPORT, OP_EXTENSION, OP_MEMORY_MODEL, OP_TYPE_FLOAT, SIGNED_ZERO,
    };
    let instructions = || {
        let mut at = 5;
        std::iter::from_fn(move || {
            let &first = words.get(at)?;
            let length = (first >> 16).max(1) as usize;
            let inst = words.get(at..at + length)?;
            at += length;
            Some((first & 0xffff, inst))
        })
    };
    let results: Vec<u32> =
        instructions().filter(|(op, _)| FLOAT_OPS.contains(op)).filter_map(|(_, inst)| inst.get(2).copied()).collect();
    let widths: BTreeSet<u32> =
        instructions().filter(|(op, _)| *op == OP_TYPE_FLOAT).filter_map(|(_, inst)| inst.get(2).copied()).collect();
    let entry = instructions().find(|(op, _)| *op == OP_ENTRY_POINT).and_then(|(_, inst)| inst.get(2).copied());
    let mut modes = Vec::new();
    for &width in &widths {
        let has = if width == 64 { controls.double } else { controls.single };
        for (on, mode) in [(has.denormals, DENORMALS), (has.signed_zero, SIGNED_ZERO), (has.nearest, NEAREST)] {
            if on {
                modes.push((mode, width));
            }
        }
    }
    let mut out = words.get(..5).unwrap_or(&[]).to_vec();
    let (mut capable, mut extended, mut moded, mut decorated) = (false, modes.is_empty(), false, false);
    for (op, inst) in instructions() {
        if op != OP_CAPABILITY && !capable {
            capable = true;
            let wanted: BTreeSet<u32> = modes.iter().map(|((capability, _), _)| *capability).collect();
            wanted.into_iter().for_each(|capability| out.extend([2 << 16 | OP_CAPABILITY, capability]));
        }
        if !extended && matches!(op, OP_EXTENSION | OP_EXT_INST_IMPORT | OP_MEMORY_MODEL) {
            extended = true;
            let name = b"SPV_KHR_float_controls\0\0";
            out.push((name.len() as u32 / 4 + 1) << 16 | OP_EXTENSION);
            out.extend(name.chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])));
        }
        // Modes follow the entry points, decorations come before the first type.
        if !moded && op == OP_EXECUTION_MODE {
            moded = true;
            for ((_, mode), width) in &modes {
                out.extend([4 << 16 | OP_EXECUTION_MODE, entry.unwrap_or(0), *mode, *width]);
            }
        }
        if !decorated && (op == OP_DECORATE || (19..=33).contains(&op)) {
            decorated = true;
            results.iter().for_each(|&id| out.extend([3 << 16 | OP_DECORATE, id, NO_CONTRACTION]));
        }
        out.extend_from_slice(inst);
    }
    out
}
