//! `tilewise devices`: lists every accelerator with its properties.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tilewise::{Accelerator, AccessType, FloatMode, ReplacedFloats};

use crate::console::{CommandError, Console};
use crate::report_file::ReportFile;

#[derive(Args, Debug)]
pub(crate) struct DevicesArgs {
    /// Write the list for programs to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// An accelerator in the JSON list.
#[derive(Serialize)]
struct Listed {
    path: String,
    description: String,
    default: bool,
    version: String,
    emulated: bool,
    debug: bool,
    display: bool,
    double_precision: bool,
    limited_double_precision: bool,
    shared_memory: bool,
    dedicated_memory: u64,
    default_cpu_access: String,
    strict_floats: bool,
    /// The reason why it has no strict floats.
    #[serde(skip_serializing_if = "Option::is_none")]
    lacks: Option<String>,
    /// The float operations that the driver gets wrong and that are replaced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replaced_floats: Vec<Replaced>,
}

/// A float operation that a driver gets wrong, in JSON.
#[derive(Serialize)]
pub(crate) struct Replaced {
    pub(crate) operation: String,
    how: String,
    witness: String,
}

impl Replaced {
    /// The replaced operations of an accelerator.
    pub(crate) fn of(accelerator: &Accelerator) -> Vec<Replaced> {
        let made = |replaced: ReplacedFloats| {
            let ReplacedFloats { operation, how, witness, .. } = replaced;
            Replaced { operation, how, witness }
        };
        accelerator.replaced_floats().into_iter().map(made).collect()
    }

    /// The operation in one line.
    pub(crate) fn line(&self) -> String {
        let Replaced { operation, how, witness } = self;
        format!("{operation} {how}: {witness}")
    }
}

/// Prints all accelerators.
pub(crate) fn devices(args: &DevicesArgs, console: &mut Console) -> Result<bool, CommandError> {
    let json_file = ReportFile::prepare_if_named("--json", args.json.as_ref())?;
    let default = Accelerator::new(Accelerator::DEFAULT).map_err(|error| {
        CommandError::new(error.to_string(), "set TILEWISE_DEFAULT_ACCELERATOR to one of those, or take it away")
    })?;
    let listed: Vec<Listed> =
        Accelerator::all().iter().map(|accelerator| list(accelerator, *accelerator == default)).collect();
    for listed in &listed {
        show(listed, console);
    }
    if listed.iter().all(|listed| !listed.path.starts_with("gpu/")) {
        let why = if cfg!(feature = "gpu") {
            "no GPU: no driver for Vulkan, Metal or Direct3D 12 was found; docs/gpu.md says how to install one, also in software"
        } else {
            "no GPU: this program was built without the feature `gpu`"
        };
        console.line(why);
    }
    if let Some(file) = json_file {
        let text = serde_json::to_string_pretty(&listed)
            .map_err(|error| CommandError::new(error.to_string(), "this is a fault of the program"))?;
        file.write(&(text + "\n"))?;
    }
    Ok(true)
}

fn list(accelerator: &Accelerator, default: bool) -> Listed {
    let (major, minor) = accelerator.version();
    Listed {
        path: accelerator.path().to_owned(),
        description: accelerator.description().to_owned(),
        default,
        version: format!("{major}.{minor}"),
        emulated: accelerator.is_emulated(),
        debug: accelerator.is_debug(),
        display: accelerator.has_display(),
        double_precision: accelerator.supports_double_precision(),
        limited_double_precision: accelerator.supports_limited_double_precision(),
        shared_memory: accelerator.supports_cpu_shared_memory(),
        dedicated_memory: accelerator.dedicated_memory(),
        default_cpu_access: match accelerator.default_cpu_access_type() {
            AccessType::None => "none",
            AccessType::Read => "read",
            AccessType::Write => "write",
            AccessType::ReadWrite => "read and write",
            AccessType::Auto => "auto",
        }
        .to_owned(),
        strict_floats: accelerator.float_mode() == FloatMode::Strict,
        lacks: accelerator.strict_floats().err().map(|error| error.to_string()),
        replaced_floats: Replaced::of(accelerator),
    }
}

fn show(listed: &Listed, console: &mut Console) {
    let mark = if listed.default { "*" } else { " " };
    console.line(format_args!("{mark} {}: {}", listed.path, listed.description));
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    let double = match (listed.double_precision, listed.limited_double_precision) {
        (true, _) => "full",
        (false, true) => "limited",
        (false, false) => "none",
    };
    let memory = match listed.dedicated_memory {
        0 => "none of its own".to_owned(),
        bytes => format!("{} MiB", bytes >> 20),
    };
    let floats = match &listed.lacks {
        None if listed.replaced_floats.is_empty() => "strict: the same bits as everywhere".to_owned(),
        None => "strict: the same bits as everywhere; Tilewise replaces these operations of the driver:".to_owned(),
        Some(why) => format!("relaxed only: {why}"),
    };
    let rows = [
        ("version", listed.version.clone()),
        ("emulated", yes(listed.emulated)),
        ("debug", yes(listed.debug)),
        ("display", yes(listed.display)),
        ("double precision", double.to_owned()),
        ("floats", floats),
        ("memory", memory),
        ("shared with host", yes(listed.shared_memory)),
        ("access of host", listed.default_cpu_access.clone()),
    ];
    for (name, value) in rows {
        console.line(format_args!("    {name:<17} {value}"));
        let replaced = if name == "floats" { &listed.replaced_floats[..] } else { &[] };
        replaced.iter().for_each(|replaced| console.line(format_args!("    {:<17} - {}", "", replaced.line())));
    }
}
