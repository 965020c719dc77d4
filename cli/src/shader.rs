//! Options of shaders, and files of kernels and shaders alike.

use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;

use clap::Args;
use tilewise::ir::check::Checked;
use tilewise::ir::kernel::Kernel;
use tilewise_conformance::kir::FilePlace;
use tilewise_conformance::kir::case::{self, File};
use tilewise_conformance::kir::header::{self, HeaderRun};
use tilewise_conformance::kir::shader::{self, ShaderContents, ShaderOptions, is_shader};

use crate::console::{CommandError, Console};
use crate::launch_inputs::in_file;
use crate::source::{self, SourceContents};

/// Options of `.wgsl` and `.spv` files.
#[derive(Args, Debug, Default)]
pub(crate) struct ShaderArgs {
    /// Of a shader: the entry point; may be left out if there is one
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Of a shader: the value of an override, such as `N=64`, by its name or by the number of its `@id`
    #[arg(long = "override", value_name = "NAME=VALUE", value_parser = override_parser)]
    overrides: Vec<(String, f64)>,
}

/// The workgroups of a launch.
#[derive(Args, Debug, Default)]
pub(crate) struct DispatchArgs {
    /// Of a shader: workgroups to run, such as 64 or 8x8x1, x first
    #[arg(long, value_name = "COUNTS", value_parser = dispatch_parser)]
    pub(crate) dispatch: Option<DispatchOption>,
}

/// Workgroups on the command line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DispatchOption(pub(crate) [u32; 3]);

fn override_parser(word: &str) -> Result<(String, f64), String> {
    let (name, number) = word.split_once('=').ok_or("write the name, `=` and a number")?;
    let number = match number.trim() {
        "true" => 1.0,
        "false" => 0.0,
        number => number.parse().map_err(|_| format!("`{number}` is neither a number nor `true` or `false`"))?,
    };
    Ok((name.trim().to_owned(), number))
}

pub(crate) fn dispatch_parser(word: &str) -> Result<DispatchOption, String> {
    let form = || "write 1 to 3 numbers with `x` between them, as in 8x8x1".to_owned();
    let mut sizes = Vec::new();
    for part in word.split('x') {
        let size: i32 = part.trim().parse().map_err(|error: ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => {
                format!("`{part}` is too large: a dispatch has at most {} workgroups in a dimension", i32::MAX)
            }
            _ => form(),
        })?;
        sizes.push(size);
    }
    header::dispatch(&sizes).map(DispatchOption).ok_or_else(form)
}

/// A file, by its kind.
pub(crate) struct KernelFile {
    pub(crate) name: String,
    pub(crate) file: File,
    pub(crate) is_shader: bool,
    /// What it holds, if that is text.
    pub(crate) text: String,
}

impl KernelFile {
    /// The kernel; `None` if it is rejected, which the console then shows.
    pub(crate) fn kernel(&self, console: &mut Console) -> Result<Option<&Checked<Kernel>>, CommandError> {
        match (&self.file.kernel, self.file.complaints.first()) {
            (Err(rejection), _) => {
                console.text(rejection.render(console.colour()));
                Ok(None)
            }
            (Ok(_), Some(complaint)) => Err(in_file(self, complaint)),
            (Ok(kernel), None) => Ok(Some(kernel)),
        }
    }
}

/// What is said of a dispatch of no workgroups.
pub(crate) const NOTHING_RUNS: &str = "the dispatch has no workgroups: nothing runs, and memory stays as it is";

impl KernelFile {
    /// Is the run a dispatch of no workgroups? Of a shader that is nothing to do; kernels have no such domain.
    pub(crate) fn is_idle(&self, run: &HeaderRun) -> bool {
        self.is_shader && run.domain.as_ref().is_some_and(|domain| domain.contains(&0))
    }
}

/// Is a text from standard input WGSL? It has attributes, which kernels have not: behind the `@` of an attribute stands
/// a name, behind that of a kernel's field the offset.
fn is_wgsl(text: &str) -> bool {
    text.lines().any(has_attribute)
}

/// Does a line have an attribute, outside of comments and of the texts that kernels print?
fn has_attribute(line: &str) -> bool {
    let mut in_quotes = false;
    let mut chars = line.char_indices();
    while let Some((at, c)) = chars.next() {
        let rest = &line[at..];
        match c {
            '\\' if in_quotes => _ = chars.next(),
            '"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            '/' if rest.starts_with("//") => return false,
            '@' if rest[1..].trim_start().starts_with(|c: char| c.is_alphabetic() || c == '_') => return true,
            _ => {}
        }
    }
    false
}

/// What a file holds, and its name, which ends as one of WGSL if that comes through standard input.
pub(crate) fn named_contents(path: &Path) -> Result<(String, SourceContents), CommandError> {
    let (mut name, contents) = source::contents(path)?;
    if let (true, SourceContents::Text(text)) = (path.as_os_str() == "-", &contents) {
        if text.trim_start().starts_with("#!amber") {
            let help = "save it as a file whose name ends in `.amber`, and name that";
            return Err(CommandError::new("standard input is a script of Amber, which is read from a file", help));
        }
        if is_wgsl(text) {
            name += ".wgsl";
        }
    }
    Ok((name, contents))
}

impl ShaderArgs {
    /// An option that is given, if any is.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        if self.entry.is_some() {
            return Some("--entry");
        }
        (!self.overrides.is_empty()).then_some("--override")
    }

    /// An error if an option is given, of a file that is no shader.
    pub(crate) fn of_no_shader(&self, name: &str) -> Result<(), CommandError> {
        if self.first_given().is_none() {
            return Ok(());
        }
        let help = "a shader's file ends in `.wgsl` or `.spv`";
        Err(CommandError::new(format!("`--entry` and `--override` are of shaders, and `{name}` is none"), help))
    }

    /// Reads and checks a file of a kernel or shader.
    pub(crate) fn read(&self, path: &Path) -> Result<KernelFile, CommandError> {
        let (name, contents) = named_contents(path)?;
        self.read_contents(name, &contents)
    }

    /// Checks what a file of this name holds.
    pub(crate) fn read_contents(&self, name: String, contents: &SourceContents) -> Result<KernelFile, CommandError> {
        for (at, (name, _)) in self.overrides.iter().enumerate() {
            if self.overrides[..at].iter().any(|(before, _)| before == name) {
                return Err(CommandError::new(
                    format!("`--override {name}=..` is given twice"),
                    "remove one of the two",
                ));
            }
        }
        let options = ShaderOptions {
            entry: self.entry.clone(),
            overrides: self.overrides.iter().cloned().collect(),
            dispatch: None,
        };
        let (contents, text) = match contents {
            SourceContents::SpirV(bytes) => (ShaderContents::SpirV(bytes), String::new()),
            SourceContents::Text(text) if is_shader(&name) => (ShaderContents::Wgsl(text), text.clone()),
            SourceContents::Text(_) if name.ends_with(".amber") => {
                let message = format!("`{name}` is a script of Amber, and no kernel");
                let help = "`check`, `run`, `verify` and `corpus` take scripts, where shaders are imported";
                return Err(CommandError::new(message, help));
            }
            SourceContents::Text(text) => {
                self.of_no_shader(&name)?;
                return Ok(KernelFile { file: case::read(&name, text), name, is_shader: false, text: text.clone() });
            }
        };
        let file = shader::read(&name, contents, &options);
        Ok(KernelFile { name, file, is_shader: true, text })
    }
}

impl DispatchArgs {
    /// Sets what a run of a shader is over.
    pub(crate) fn set(
        &self,
        file: &KernelFile,
        kernel: &Checked<Kernel>,
        run: &mut HeaderRun,
    ) -> Result<(), CommandError> {
        let Some(DispatchOption(dispatch)) = self.dispatch else {
            if file.is_shader && run.domain.is_none() {
                let message = format!("`{}` does not say how many workgroups to run", file.name);
                let help = "add `--dispatch 64`, or a line `//! dispatch 64` at the top of the text";
                return Err(CommandError::new(message, help));
            }
            return Ok(());
        };
        let (true, Some(&[depth, height, width])) = (file.is_shader, kernel.tile()) else {
            let message = format!("`--dispatch` is of shaders, and `{}` is none", file.name);
            return Err(CommandError::new(message, "a kernel runs over `--domain 4x6`"));
        };
        let domain = shader::domain(dispatch, [width, height, depth]);
        run.domain_at = FilePlace::default();
        run.domain = Some(domain.map_err(|message| CommandError::new(message, "dispatch fewer workgroups"))?);
        Ok(())
    }
}

/// An error of an option that names a binding, as `--bind 0.1`, if the file is no shader.
pub(crate) fn has_bindings(file: &KernelFile, option: &str, slot: &str) -> Result<(), CommandError> {
    if file.is_shader {
        return Ok(());
    }
    let help = match option {
        "--bind" => "a kernel's parameters have names: write `--set 'a: [1024] = zero'`".to_owned(),
        _ => format!("a kernel's parameters have names: write `{option} out=out.npy`"),
    };
    let message = format!("`{option} {}` names a binding of a shader, and `{}` is none", slot.trim(), file.name);
    Err(CommandError::new(message, help))
}

/// The name of the variable that a shader has at `GROUP.BINDING`; `help` shows how it is written.
pub(crate) fn bound_name(file: &KernelFile, option: &str, slot: &str, help: &str) -> Result<String, CommandError> {
    has_bindings(file, option, slot)?;
    let numbers = slot.trim().split_once('.');
    let numbers = numbers.and_then(|(group, binding)| Some((group.parse().ok()?, binding.parse().ok()?)));
    let wanted: (u32, u32) =
        numbers.ok_or_else(|| CommandError::new(format!("`{}` is no group and binding", slot.trim()), help))?;
    let found = file.file.slots.iter().find(|other| other.slot == Some(wanted));
    let found = found.ok_or_else(|| {
        let all = file.file.slots.iter().filter_map(|other| {
            let (group, binding) = other.slot?;
            Some(format!("{group}.{binding} (`{}`)", other.own_name.as_ref().unwrap_or(&other.name)))
        });
        let all: Vec<String> = all.collect();
        let help = match all.as_slice() {
            [] => "it uses none".to_owned(),
            _ => format!("it uses {}", all.join(", ")),
        };
        CommandError::new(format!("the entry point uses no binding {}.{}", wanted.0, wanted.1), help)
    })?;
    Ok(found.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_tell_wgsl_from_kernels() {
        for wgsl in ["@compute fn main() {}", "fn f() {}\n @ group(0) @binding(0) var<uniform> a: f32;", "/* */ @id(1)"]
        {
            assert!(is_wgsl(wgsl), "{wgsl}");
        }
        for kernel in [
            "struct Row size(20) { x: [i32; 2] @ 8, y: u8 @ 3 }",
            "// From me@here.\nkernel k() rank(1) {}",
            "kernel k() rank(1) { print(\"write to me@here\"); }",
            "kernel k() rank(1) { print(\"say \\\"@me\\\" // @you\"); }",
            "kernel k(größe@",
        ] {
            assert!(!is_wgsl(kernel), "{kernel}");
        }
    }
}
