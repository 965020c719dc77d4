//! A script with the kernels of the pipelines that it runs.

use std::collections::BTreeMap;

use tilewise_amber::{AmberScript, ScriptCommand, ScriptFault, ScriptShader, ShaderSource, parse};
use tilewise_header::kernel::Rejection;
use tilewise_header::{Complaint, FilePlace};
use tilewise_import::{ImportOptions, InstructionPlace, ShaderBinding, ShaderError, ShaderModule};
use tilewise_ir::check::{Checked, check};
use tilewise_ir::diag::{Code, Diagnostic, SourceLabel};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::pos::Pos;

/// A script that can be run.
#[derive(Debug)]
pub struct AmberProgram {
    /// The script.
    pub script: AmberScript,
    /// The kernels, by the numbers of their pipelines.
    pub kernels: BTreeMap<usize, AmberKernel>,
}

/// The kernel of a pipeline.
#[derive(Debug)]
pub struct AmberKernel {
    /// The kernel.
    pub kernel: Checked<Kernel>,
    /// What its parameters are, in order.
    pub bindings: Vec<ShaderBinding>,
    /// Threads of a workgroup in x, y and z.
    pub workgroup: [u32; 3],
}

/// Why a script cannot be run.
#[derive(Debug)]
pub enum AmberRejection {
    /// It is no AmberScript.
    Wrong(Complaint),
    /// It has a feature that is not supported.
    Refused(Complaint),
    /// One of its shaders is rejected.
    Shader {
        /// The reports.
        rejection: Rejection,
        /// Is the shader beyond what is read of its language, and not wrong by itself?
        is_refusal: bool,
        /// Is it the checker that rejects the kernel?
        is_checked: bool,
    },
}

impl From<ScriptFault> for AmberRejection {
    fn from(fault: ScriptFault) -> AmberRejection {
        match fault {
            ScriptFault::Wrong(complaint) => AmberRejection::Wrong(complaint),
            ScriptFault::Refused(complaint) => AmberRejection::Refused(complaint),
        }
    }
}

impl AmberRejection {
    /// Where it is, and what is wrong; of a shader, its first report.
    pub fn first(&self) -> (FilePlace, String) {
        match self {
            AmberRejection::Wrong(complaint) | AmberRejection::Refused(complaint) => {
                (complaint.at, complaint.message.clone())
            }
            AmberRejection::Shader { rejection, .. } => {
                let first = rejection.diagnostics.first();
                let pos = first.and_then(Diagnostic::pos).filter(|pos| pos.is_known());
                let at = pos.map_or(FilePlace::default(), |pos| FilePlace { line: pos.line, column: pos.column });
                (at, first.map_or(String::new(), |first| first.message.clone()))
            }
        }
    }
}

/// Reads a script, and imports the shaders of the pipelines that it runs.
pub fn load(path: &str, text: &str) -> Result<AmberProgram, AmberRejection> {
    let script = parse(text)?;
    let mut modules: BTreeMap<usize, ShaderModule> = BTreeMap::new();
    let mut kernels = BTreeMap::new();
    for placed in &script.commands {
        let ScriptCommand::Run { pipeline: number, .. } = placed.command else { continue };
        let Some(pipeline) = script.pipelines.get(number).filter(|_| !kernels.contains_key(&number)) else { continue };
        let shader = &script.shaders[pipeline.shader];
        let module = match modules.get(&pipeline.shader) {
            Some(module) => module.clone(),
            None => {
                let module = read_shader(path, shader).map_err(|error| rejected(error, shader, text))?;
                modules.insert(pipeline.shader, module.clone());
                module
            }
        };
        let mut options = ImportOptions { entry: Some(pipeline.entry.clone()), ..ImportOptions::default() };
        let known: Vec<String> = module.overrides().collect();
        for (id, value) in &pipeline.specializations {
            let id = id.to_string();
            // As in Vulkan, a constant that the shader does not have changes nothing.
            if known.contains(&id) {
                options.overrides.insert(id, *value);
            }
        }
        let imported = module.import(&options).map_err(|error| rejected(error, shader, text))?;
        let kernel = check(imported.kernel).map_err(|error| AmberRejection::Shader {
            rejection: placed_at(Rejection { diagnostics: error.diagnostics, sources: error.sources }, shader, text),
            is_refusal: false,
            is_checked: true,
        })?;
        let (bindings, workgroup) = (imported.bindings, imported.workgroup_size);
        kernels.insert(number, AmberKernel { kernel, bindings, workgroup });
    }
    Ok(AmberProgram { script, kernels })
}

/// Reads a shader. Its text begins behind as many lines as in the script, so that lines have the script's numbers.
fn read_shader(path: &str, shader: &ScriptShader) -> Result<ShaderModule, ShaderError> {
    let lines_before = || "\n".repeat(shader.first_line.saturating_sub(1) as usize);
    match &shader.source {
        ShaderSource::Wgsl(text) => ShaderModule::from_wgsl(path, &(lines_before() + text)),
        ShaderSource::Glsl(text) => ShaderModule::from_glsl(path, &(lines_before() + text)),
        ShaderSource::SpirV { module, text } => {
            let place = |&(byte, at, length): &(u32, FilePlace, u32)| InstructionPlace {
                byte,
                line: at.line,
                column: at.column,
                length,
            };
            let places: Vec<InstructionPlace> = module.places.iter().map(place).collect();
            ShaderModule::from_assembled(path, &module.bytes(), &(lines_before() + text), &places)
        }
    }
}

fn rejected(error: ShaderError, shader: &ScriptShader, script: &str) -> AmberRejection {
    // Of GLSL and SPIR-V naga reads a part; WGSL that it does not read is wrong.
    let reads_all = matches!(shader.source, ShaderSource::Wgsl(_));
    let is_refusal = |report: &Diagnostic| report.code == Code::K0902 || !reads_all && report.code == Code::K0901;
    let is_refusal = error.diagnostics.iter().all(is_refusal);
    let rejection = placed_at(Rejection { diagnostics: error.diagnostics, sources: error.sources }, shader, script);
    AmberRejection::Shader { rejection, is_refusal, is_checked: false }
}

/// The reports, each with a place in the script: that of the shader, where it has none.
fn placed_at(mut rejection: Rejection, shader: &ScriptShader, script: &str) -> Rejection {
    if let Some(source) = rejection.sources.list.first_mut() {
        source.text = Some(script.into());
    }
    let (at, length) = (shader.at, shader.name.chars().count() as u32);
    let pos = Pos { source: 0, line: at.line, column: at.column, length };
    for report in &mut rejection.diagnostics {
        if report.pos().is_none_or(|pos| !pos.is_known()) {
            report.labels.insert(0, SourceLabel { pos, text: "is this shader".to_owned(), primary: true });
        }
    }
    rejection
}
