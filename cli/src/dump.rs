//! `tilewise dump`: shows a kernel at the stages of each target.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tilewise_conformance::kir::case;
use tilewise_conformance::kir::header::HeaderRun;
use tilewise_conformance::stage::{self, CodeChoice, CodeForm, KernelStage};

use crate::console::{CommandError, Console, Paint};
use crate::shader::{DispatchArgs, ShaderArgs};

#[derive(Args, Debug)]
pub(crate) struct DumpArgs {
    /// The kernel's file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The stage to show: `ir` (the kernel that all targets begin with); of `jit`: `regions` (the parts between barriers), `lanes` (vector code, before machine code), `clif` (Cranelift's IR), `asm` (machine code), `report` (accesses, branches and costs by source line), `share` (the share that runs in lanes); of GPUs: `wgsl` (the shader of `gpu-wgsl`), `wgsl-strict` (the module that `gpu-strict` compiles to SPIR-V, for a driver whose sums, differences and products alone are exact)
    #[arg(long, value_name = "STAGE", default_value = KernelStage::DEFAULT.name(), value_parser = stage_parser())]
    stage: KernelStage,
    /// The run of the file's header that gives the launch parameters; by default the first
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    /// Lanes of `jit`; by default as many as suit this machine
    #[arg(long, value_name = "N", value_parser = width_parser())]
    width: Option<u32>,
    /// The emitter of `jit`: `cranelift` (vectors of 128 bits), `avx2` or `avx512` (vectors of 256 or 512 bits); by default the one that launches on this machine use. The stage `clif` exists for the first only
    #[arg(long, value_name = "FORM", value_parser = form_parser())]
    code: Option<CodeForm>,
    #[command(flatten)]
    shader: ShaderArgs,
    #[command(flatten)]
    dispatch: DispatchArgs,
}

fn stage_parser() -> impl TypedValueParser<Value = KernelStage> {
    let names = KernelStage::ALL.map(KernelStage::name);
    // The previous parser accepts only names of stages.
    PossibleValuesParser::new(names).map(|name| KernelStage::by_name(&name).unwrap_or(KernelStage::DEFAULT))
}

fn form_parser() -> impl TypedValueParser<Value = CodeForm> {
    // The previous parser accepts only names of forms.
    PossibleValuesParser::new(CodeForm::ALL.map(CodeForm::name))
        .map(|name| CodeForm::by_name(&name).unwrap_or_default())
}

fn width_parser() -> impl TypedValueParser<Value = u32> {
    PossibleValuesParser::new(["1", "4", "8", "16"]).map(|width| width.parse().unwrap_or(1))
}

/// Shows a kernel; true if it has this stage.
pub(crate) fn dump(args: &DumpArgs, console: &mut Console) -> Result<bool, CommandError> {
    let other = args.code.filter(|form| *form != CodeForm::Cranelift);
    if let (true, Some(form)) = (args.stage.name() == "clif", other) {
        let message = format!("the stage `clif` is Cranelift's, and `--code {}` is another emitter", form.name());
        return Err(CommandError::new(message, "leave `--code` out, or show `--stage asm`"));
    }
    let of_jit = [(args.width.is_some(), "--width"), (args.code.is_some(), "--code")];
    let is_of_gpu = matches!(args.stage, KernelStage::Wgsl | KernelStage::WgslStrict);
    if let (true, Some((_, option))) = (is_of_gpu, of_jit.into_iter().find(|(is_given, _)| *is_given)) {
        let message = format!("`{option}` is of the code of `jit`, and the stage `{}` is a GPU's", args.stage.name());
        return Err(CommandError::new(message, format!("leave `{option}` out, or show `--stage asm`")));
    }
    let read = args.shader.read(&args.file)?;
    let (name, file) = (&read.name, &read.file);
    let kernel = match &file.kernel {
        Ok(kernel) => kernel,
        Err(rejection) => {
            console.text(rejection.render(console.colour()));
            return Ok(false);
        }
    };
    let mut runs = file.header.runs.iter();
    let run = match &args.run {
        None => runs.next(),
        Some(wanted) => Some(runs.find(|run| run.name.as_ref() == Some(wanted)).ok_or_else(|| {
            CommandError::new(format!("`{name}` has no run called `{wanted}`"), "leave `--run` out for the first one")
        })?),
    };
    let mut run = run.cloned();
    if args.dispatch.dispatch.is_some() {
        args.dispatch.set(&read, kernel, run.get_or_insert_with(HeaderRun::default))?;
    }
    if let Some(complaint) = file.complaints.first() {
        console.note(format_args!("the header is not all read: {complaint}"));
    }
    let prepared = run.as_ref().and_then(|run| {
        let prepared = case::prepare(kernel, run);
        if let Some(complaint) = prepared.as_ref().err().and_then(|complaints| complaints.first()) {
            console
                .note(format_args!("compiled for no launch, as the inputs of one do not fit: {}", complaint.message));
        }
        prepared.ok()
    });
    let launch = prepared.as_ref().map(|(domain, bound)| (domain, &bound.arguments[..]));
    match stage::show(kernel, launch, CodeChoice { width: args.width, form: args.code }, args.stage) {
        Ok(text) => {
            console.text(text);
            Ok(true)
        }
        Err(reason) => {
            let title = console.paint("no such form:", Paint::Red);
            console.line(format_args!("{title} {reason}"));
            Ok(false)
        }
    }
}
