//! The inputs of a launch on the command line: what a kernel or shader runs over and what its
//! parameters hold, as a header writes it or from files.

use std::sync::Arc;

use clap::Args;
use tilewise::ir::check::Checked;
use tilewise::ir::kernel::{Kernel, Param};
use tilewise::ir::launch::{ArgumentMisfit, Domain, MisfitKind, validate};
use tilewise_conformance::kir::bind::BoundRun;
use tilewise_conformance::kir::data::{DataForm, HeaderData};
use tilewise_conformance::kir::header::{self, HeaderRun, InputPlace, RunInput};
use tilewise_conformance::kir::shader::ShaderParams;
use tilewise_conformance::kir::{Complaint, FilePlace, case, scan};

use crate::ExtentOption;
use crate::console::CommandError;
use crate::data_file::{DataFile, input_of, is_data_file};
use crate::excerpt::HeaderExcerpt;
use crate::extent_parser;
use crate::shader::{DispatchArgs, KernelFile, bound_name, has_bindings};

/// Options of a launch.
#[derive(Args, Debug, Default)]
pub(crate) struct InputArgs {
    /// Indices to run over, such as 4x6, in place of the header's
    #[arg(long, value_name = "EXTENT", allow_hyphen_values = true, value_parser = extent_parser)]
    domain: Option<ExtentOption>,
    /// Input of a parameter as the header writes it, such as 'a: [4] = iota' or 'n = 3', in place of the header's; or from a file, 'a = numbers.npy' (also `.json`, and bytes as `.bin` or `.raw`)
    #[arg(long, value_name = "INPUT")]
    set: Vec<String>,
    #[command(flatten)]
    dispatch: DispatchArgs,
    /// Of a shader: input of a binding, by group and number: `0.1='[1024] = zero'`, `0.2=16`, `0.3=numbers.npy`
    #[arg(long, value_name = "GROUP.BINDING=INPUT")]
    bind: Vec<String>,
}

/// Inputs that were read.
#[derive(Debug, Default)]
pub(crate) struct LaunchInputs {
    given: Vec<GivenInput>,
    inputs: Vec<Arc<RunInput>>,
    is_shader: bool,
}

/// An input as the command line has it.
#[derive(Debug)]
struct GivenInput {
    /// `--set` or `--bind`.
    option: &'static str,
    /// What stands behind it.
    written: String,
    /// The input as a header has it.
    text: String,
}

impl GivenInput {
    fn error(&self, complaint: &Complaint) -> CommandError {
        let (option, written) = (self.option, &self.written);
        CommandError::new(format!("in `{option} '{written}'`: {}", complaint.message), complaint.help.clone())
    }
}

/// The line number of the first input of the command line; files have fewer lines.
const SET: u32 = 1 << 31;

impl InputArgs {
    /// Does the command line say nothing of the launch?
    pub(crate) fn is_empty(&self) -> bool {
        self.first_given().is_none()
    }

    /// An option that is given, if any is.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let given = [
            (self.domain.is_some(), "--domain"),
            (!self.set.is_empty(), "--set"),
            (self.dispatch.dispatch.is_some(), "--dispatch"),
            (!self.bind.is_empty(), "--bind"),
        ];
        given.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
    }

    /// Reads the inputs.
    pub(crate) fn read(&self, file: &KernelFile, kernel: &Kernel) -> Result<LaunchInputs, CommandError> {
        let set = self.set.iter().map(|set| (set, "--set", Ok(set.clone())));
        let bound = self.bind.iter().map(|bind| (bind, "--bind", bound_input(file, bind)));
        let given = set
            .chain(bound)
            .map(|(written, option, text)| Ok(GivenInput { option, written: written.clone(), text: text? }));
        let given: Vec<GivenInput> = given.collect::<Result<_, CommandError>>()?;
        let mut inputs: Vec<Arc<RunInput>> = Vec::new();
        for (number, given) in given.iter().enumerate() {
            let line = SET + number as u32;
            let shader = &file.file.shader;
            // An input by group and binding has its parameter's name.
            let is_own = given.option == "--set";
            let refuse_several = |name: &str| match shader.ambiguity(name) {
                Some((message, help)) => Err(given.error(&Complaint::new(FilePlace::default(), message, help))),
                None => Ok(()),
            };
            let new = match of_file(&given.text) {
                Some((name, extent, path)) => {
                    let mut param = name;
                    if is_own {
                        refuse_several(name)?;
                        param = shader.param_of(name);
                    }
                    vec![from_file((kernel, shader), (given, line), param, extent.as_deref(), path)?]
                }
                None => {
                    let new = from_text(&given.text, line).map_err(|complaint| given.error(&complaint))?;
                    for input in &new {
                        if is_own {
                            refuse_several(&input.name)?;
                        }
                        if let InputPlace::In { other, .. } = &input.place {
                            refuse_several(other)?;
                        }
                    }
                    new.iter().map(|one| if is_own { shader.renamed(one) } else { shader.of_param(one) }).collect()
                }
            };
            if let Some(again) = new.iter().find(|new| inputs.iter().any(|old| old.name == new.name)) {
                let message = format!("`{}` has an input already, by an option before this one", again.name);
                return Err(given.error(&Complaint::new(FilePlace::default(), message, "give each input once")));
            }
            inputs.extend(new);
        }
        Ok(LaunchInputs { given, inputs, is_shader: file.is_shader })
    }

    /// Gives a run what the command line says of it.
    pub(crate) fn set(
        &self,
        inputs: &LaunchInputs,
        file: &KernelFile,
        kernel: &Checked<Kernel>,
        run: &mut HeaderRun,
    ) -> Result<(), CommandError> {
        run.shader = Arc::clone(&file.file.shader);
        if self.domain.is_some() && self.dispatch.dispatch.is_some() {
            return Err(CommandError::new(
                "`--domain` and `--dispatch` both say how many threads run",
                "leave one of them out: a dispatch counts the workgroups of a shader, a domain the threads",
            ));
        }
        if let Some(extent) = &self.domain {
            has_rank(extent.0.len(), file, kernel)?;
            (run.domain, run.domain_at) = (Some(extent.0.clone()), FilePlace::default());
        }
        self.dispatch.set(file, kernel, run)?;
        for input in &inputs.inputs {
            run.inputs.retain(|old| old.name != input.name);
            run.inputs.push(Arc::clone(input));
        }
        Ok(())
    }
}

/// An error if the domain of the command line has not as many dimensions as those of the kernel.
fn has_rank(given: usize, file: &KernelFile, kernel: &Kernel) -> Result<(), CommandError> {
    let rank = kernel.rank() as usize;
    if given == rank {
        return Ok(());
    }
    let count = |count: usize| format!("{count} dimension{}", if count == 1 { "" } else { "s" });
    let (given, name) = (count(given), &file.name);
    if file.is_shader {
        let message = format!("`--domain` has {given}, and the threads of the shader `{name}` have {rank}");
        let help = "give workgroups by `--dispatch 8x8`, or threads by `--domain 1x8x512`: layers, rows, columns";
        return Err(CommandError::new(message, help));
    }
    let message = format!("`--domain` has {given}, and the kernel `{}` runs over {}", kernel.name(), count(rank));
    let example = ["4", "4x6", "4x6x8"][rank.clamp(1, 3) - 1];
    Err(CommandError::new(message, format!("give a number of threads for each, as `--domain {example}`")))
}

impl LaunchInputs {
    /// Domain, memory and arguments of a run.
    pub(crate) fn prepare(
        &self,
        file: &KernelFile,
        kernel: &Kernel,
        run: &HeaderRun,
    ) -> Result<(Domain, BoundRun), CommandError> {
        case::prepare(kernel, run).map_err(|complaints| {
            complaints.first().map_or_else(
                || CommandError::new("the inputs do not fit", "docs/tests.md shows how they are written"),
                |complaint| {
                    let options = match self.is_shader {
                        true => "`--dispatch 8x8`, `--bind 0.1='[64] = zero'`",
                        false => "`--domain 4x6`, `--set 'a: [4] = zero'`",
                    };
                    let help = format!("{}; on the command line: {options}", complaint.help);
                    self.error(file, &Complaint::new(complaint.at, complaint.message.clone(), help))
                },
            )
        })
    }

    /// An error of the file, or of the input of the command line that the complaint is about.
    fn error(&self, file: &KernelFile, complaint: &Complaint) -> CommandError {
        let number = complaint.at.line.checked_sub(SET);
        match number.and_then(|number| self.given.get(number as usize)) {
            Some(given) => given.error(complaint),
            None => in_file(file, complaint),
        }
    }

    /// Why a launch of what a file's header says is refused. `None` if it is not, or if the reason is not in the header.
    pub(crate) fn refusal_of_header(
        &self,
        kernel: &Checked<Kernel>,
        run: &HeaderRun,
        (domain, bound): (&Domain, &BoundRun),
    ) -> Option<Complaint> {
        let complaint = match domain.check(kernel) {
            Err(refusal) => Complaint::new(run.domain_at, refusal.text(), domain_help(domain, kernel)),
            Ok(()) => {
                let misfit = validate(kernel, &bound.arguments, |i| bound.memory.facts(i)).err()?;
                let input = run.inputs.iter().find(|input| input.name == misfit.name)?;
                Complaint::new(input.at, misfit.to_string(), misfit_help(&misfit))
            }
        };
        (1..SET).contains(&complaint.at.line).then_some(complaint)
    }
}

/// How a domain of the header is put right.
fn domain_help(domain: &Domain, kernel: &Kernel) -> String {
    let rank = kernel.rank() as usize;
    if domain.extent.len() != rank {
        return format!("write {rank} sizes, such as `//! domain {}`", vec!["4"; rank].join("x"));
    }
    match kernel.tile() {
        Some(tile) => {
            let tile: Vec<String> = tile.iter().map(ToString::to_string).collect();
            format!("make the sizes multiples of the tile's, {}", tile.join("x"))
        }
        None => "make each size 1 or more, and their product smaller".to_owned(),
    }
}

/// How an input of the header is put right.
fn misfit_help(misfit: &ArgumentMisfit) -> String {
    let name = &misfit.name;
    match misfit.kind {
        MisfitKind::WrongRank(_, rank) => {
            format!("write {rank} sizes, such as `//! {name}: [{}] = zero`", vec!["4"; rank as usize].join(", "))
        }
        MisfitKind::OutOfAllocation(_) => {
            "make the extent, the strides or the offset smaller, or the memory larger".to_owned()
        }
        MisfitKind::BufferSize(_, want) => format!("write `//! {name}: {want} bytes = ..`"),
        MisfitKind::UniformSize(..) | MisfitKind::Kind(_) => format!("write `//! {name} = ..`"),
        MisfitKind::MisalignedOffset(_, atomic) => format!("write an offset that is a multiple of {atomic}"),
        MisfitKind::NegativeExtent(_) => "sizes are 0 or more".to_owned(),
        MisfitKind::Count(..)
        | MisfitKind::ElementSize(..)
        | MisfitKind::NotWritable
        | MisfitKind::NoAllocation
        | MisfitKind::MisalignedAllocation(_) => "docs/tests.md shows how inputs are written".to_owned(),
    }
}

/// An error of a file's header.
pub(crate) fn in_file(file: &KernelFile, complaint: &Complaint) -> CommandError {
    let excerpt = HeaderExcerpt::new(&file.name, &file.text, complaint.at);
    CommandError { excerpt: Some(excerpt), ..CommandError::new(complaint.message.clone(), complaint.help.clone()) }
}

/// The input of a binding as `--set` has it.
fn bound_input(file: &KernelFile, bind: &str) -> Result<String, CommandError> {
    let help = "write `--bind 0.1='[1024] = zero'`, `--bind 0.2=16` for a number, or `--bind 0.3=numbers.npy`";
    let Some((slot, input)) = bind.split_once('=') else {
        has_bindings(file, "--bind", bind)?;
        return Err(CommandError::new(format!("`--bind {bind}` gives no input"), help));
    };
    let name = bound_name(file, "--bind", slot, help)?;
    let input = input.trim();
    let is_shaped = input.starts_with('[') || is_sized(input);
    Ok(if is_shaped { format!("{name}: {input}") } else { format!("{name} = {input}") })
}

/// Does an input begin with a size, as `256 bytes = zero`? The name of a file may begin so too: `256bytes.npy`.
fn is_sized(input: &str) -> bool {
    input.split_once("bytes").is_some_and(|(size, rest)| {
        let size = size.trim();
        let is_number = !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit());
        is_number && (rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || c == '='))
    })
}

/// Name, extent and file of an input `NAME = FILE` or `NAME: [4, 8] = FILE`.
fn of_file(text: &str) -> Option<(&str, Option<Vec<i32>>, &str)> {
    let (left, path) = text.split_once('=')?;
    let path = path.trim();
    if !is_data_file(path) {
        return None;
    }
    let (name, extent) = left.split_once(':').map_or((left, None), |(name, extent)| (name, Some(extent)));
    let extent = match extent {
        Some(extent) => {
            let sizes = extent.trim().strip_prefix('[')?.strip_suffix(']')?.split(',');
            Some(sizes.map(|size| size.trim().parse().ok()).collect::<Option<Vec<i32>>>()?)
        }
        None => None,
    };
    Some((name.trim(), extent, path))
}

fn from_file(
    (kernel, shader): (&Kernel, &ShaderParams),
    (given, line): (&GivenInput, u32),
    name: &str,
    extent: Option<&[i32]>,
    path: &str,
) -> Result<Arc<RunInput>, CommandError> {
    let Some(param) = kernel.params().iter().find(|param| *param.name == *name) else {
        let own = |param: &Param| format!("`{}`", shader.own_name(&param.name));
        let names: Vec<String> = kernel.params().iter().map(own).collect();
        let help = format!("the parameters are: {}", names.join(", "));
        let complaint = Complaint::new(FilePlace::default(), format!("the kernel has no parameter `{name}`"), help);
        return Err(given.error(&complaint));
    };
    let (shape, bits) = input_of(&DataFile::read(path)?, (kernel, shader), param, extent)?;
    let at = FilePlace { line, column: 1 };
    let data = HeaderData { at, form: DataForm::Bits(bits.into()) };
    Ok(Arc::new(RunInput { at, name: name.to_owned(), shape, place: InputPlace::Own(data), fresh: false }))
}

/// The inputs of a text, parsed as header entries.
pub(crate) fn from_text(text: &str, line: u32) -> Result<Vec<Arc<RunInput>>, Complaint> {
    let (mut scanned, mut complaints) = scan::scan(&format!("//! {}", text.replace(['\n', '\r'], " ")));
    let tokens = scanned.entries.iter_mut().flat_map(|entry| &mut entry.tokens);
    tokens.for_each(|token| token.at.line = line);
    let header = header::read(&scanned.entries, &mut complaints);
    if !complaints.is_empty() {
        return Err(complaints.swap_remove(0));
    }
    let found: Vec<Arc<RunInput>> = header.runs.into_iter().flat_map(|run| run.inputs).collect();
    if found.is_empty() {
        let help = "write `--set 'a: [4] = iota'` or `--set 'n = 3'`";
        return Err(Complaint::new(FilePlace { line, column: 1 }, "it gives no input", help));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::is_sized;

    #[test]
    fn a_size_is_told_from_the_name_of_a_file() {
        for sized in ["256 bytes = zero", "256bytes= zero", "16 bytes in other", "16 bytes"] {
            assert!(is_sized(sized), "{sized}");
        }
        for file in ["bytes.npy", "256bytes.npy", "bytes = 1", "my bytes.bin", "zero"] {
            assert!(!is_sized(file), "{file}");
        }
    }
}
