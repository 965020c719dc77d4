//! Reads shaders with naga: text or SPIR-V to a module, and one entry point of it, with values for
//! its overrides, to a kernel.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use naga::back::pipeline_constants::{PipelineConstantError, process_overrides};
use naga::front::{spv, wgsl};
use naga::valid::{
    Capabilities, EntryPointError, ShaderStages, SubgroupOperationSet, ValidationError, ValidationFlags, Validator,
};
use naga::{Module, ShaderStage, Span};
use tilewise_ir::diag::{Code, Colour, Diagnostic, render};
use tilewise_ir::limits::MAX_TEXT;
use tilewise_ir::pos::{Pos, Source, Sources};
use tilewise_ir::stack::{NoStack, with_bytes};

use crate::ShaderImporter;
use crate::entry::ImportedShader;
use crate::spirv::put_right;
use crate::spirv_words;

/// A shader that naga has read: one or more entry points, of which those for compute can be
/// imported.
#[derive(Clone, Debug)]
pub struct ShaderModule {
    module: Module,
    source: ShaderText,
}

/// The text that positions of a shader refer to.
#[derive(Clone, Debug)]
pub(crate) struct ShaderText {
    pub(crate) name: String,
    /// Empty for SPIR-V, whose instructions have no position.
    pub(crate) text: String,
}

/// How to import an entry point.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ImportOptions {
    /// The entry point; may be left out if the shader has one for compute.
    pub entry: Option<String>,
    /// Values of overrides, by name or by the number of their `@id`.
    pub overrides: BTreeMap<String, f64>,
}

/// Why a shader cannot be imported: every reason that was found.
#[derive(Clone, Debug)]
pub struct ShaderError {
    /// The reports.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts they point into.
    pub sources: Sources,
}

impl ShaderError {
    /// The reports in the form of rustc.
    pub fn render(&self, colour: Colour) -> String {
        render(&self.diagnostics, &self.sources, colour)
    }
}

impl fmt::Display for ShaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(Colour::Never).trim_end())
    }
}

impl Error for ShaderError {}

/// Stack that naga and the importer may use: their recursion follows the nesting of the text.
const STACK: usize = 64 << 20;

impl ShaderModule {
    /// Reads WGSL. `name` is the file's name in reports.
    pub fn from_wgsl(name: &str, text: &str) -> Result<ShaderModule, ShaderError> {
        let source = ShaderText { name: name.to_owned(), text: text.to_owned() };
        if text.len() > MAX_TEXT {
            let message = format!("the shader has more than {MAX_TEXT} bytes, the limit of a text");
            return Err(source.error(Diagnostic::new(Code::K0901, message)));
        }
        let readable = without_known_extensions(text);
        let module = guarded(&source, CodeOwner::Naga, || wgsl::parse_str(&readable))?.map_err(|error| {
            let mut report = Diagnostic::new(Code::K0901, error.message());
            for (i, (span, label)) in error.labels().enumerate() {
                let pos = source.pos(span);
                report = if i == 0 { report.at(pos, label) } else { report.and(pos, label) };
            }
            if error.notes().any(|note| note == NESTED_TOO_DEEP) {
                let message = "the shader nests too deep to be read";
                let help = "divide the expression, or move blocks to functions";
                return source
                    .error(Diagnostic::new(Code::K0901, message).at(source.deepest(), "nests the deepest").help(help));
            }
            source.error(error.notes().fold(report, Diagnostic::note))
        })?;
        Ok(ShaderModule { module, source })
    }

    /// Reads SPIR-V. `name` is the file's name in reports.
    pub fn from_spirv(name: &str, bytes: &[u8]) -> Result<ShaderModule, ShaderError> {
        let source = ShaderText { name: name.to_owned(), text: String::new() };
        let repaired = spirv_words::repaired(bytes).map_err(|what| {
            let report = Diagnostic::new(Code::K0902, format!("the SPIR-V has {what}, which cannot be imported"));
            source.error(
                report.help("write it with a compiler of shaders; memory of atomics has the type of the operation"),
            )
        })?;
        let options =
            spv::Options { adjust_coordinate_space: false, strict_capabilities: false, ..spv::Options::default() };
        let mut module =
            guarded(&source, CodeOwner::Naga, || spv::parse_u8_slice(&repaired, &options))?.map_err(|error| {
                let message = format!("the SPIR-V cannot be read: {error}");
                let help = "a file of SPIR-V is what a compiler of shaders writes, whole; `spirv-val` says more of it";
                source.error(Diagnostic::new(Code::K0901, message).help(help))
            })?;
        put_right(&mut module);
        Ok(ShaderModule { module, source })
    }

    /// The names of the entry points for compute, in order.
    pub fn entry_points(&self) -> impl Iterator<Item = &str> {
        let compute = |entry: &&naga::EntryPoint| entry.stage == ShaderStage::Compute;
        self.module.entry_points.iter().filter(compute).map(|entry| entry.name.as_str())
    }

    /// The overrides that an import may give values: by their names, or by their numbers if they
    /// have one.
    pub fn overrides(&self) -> impl Iterator<Item = String> {
        self.module.overrides.iter().map(|(_, constant)| match (constant.id, &constant.name) {
            (Some(id), _) => id.to_string(),
            (None, name) => name.clone().unwrap_or_default(),
        })
    }

    /// Those overrides, each with whether it has a default.
    pub fn overrides_with_defaults(&self) -> impl Iterator<Item = (String, bool)> {
        self.overrides().zip(self.module.overrides.iter().map(|(_, constant)| constant.init.is_some()))
    }

    /// The module as naga has read it.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Imports an entry point as a kernel, which is not yet checked.
    pub fn import(&self, options: &ImportOptions) -> Result<ImportedShader, ShaderError> {
        let entry = self.chosen(options)?;
        let mut module = self.module.clone();
        module.entry_points.retain(|other| other.stage == ShaderStage::Compute && other.name == entry);
        self.import_alone(&module, &entry, options)
    }

    /// Where an override of this name or number is declared.
    fn override_pos(&self, name: &str) -> Option<Pos> {
        let is_it = |constant: &naga::Override| match constant.id {
            Some(id) => id.to_string() == name,
            None => constant.name.as_deref() == Some(name),
        };
        let (handle, _) = self.module.overrides.iter().find(|(_, constant)| is_it(constant))?;
        let pos = self.source.pos(self.module.overrides.get_span(handle));
        pos.is_known().then_some(pos)
    }

    /// The name of the entry point that the options ask for.
    fn chosen(&self, options: &ImportOptions) -> Result<String, ShaderError> {
        let names: Vec<&str> = self.entry_points().collect();
        let list = || {
            let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("its entry points for compute are: {}", quoted.join(", "))
        };
        let report = match (&options.entry, names.as_slice()) {
            (_, []) => Diagnostic::new(Code::K0903, "the shader has no entry point for compute")
                .help("mark a function with `@compute @workgroup_size(64)`"),
            (Some(wanted), names) if names.contains(&wanted.as_str()) => return Ok(wanted.clone()),
            (None, [only]) => return Ok((*only).to_owned()),
            (Some(wanted), _) => {
                let message = format!("the shader has no entry point `{wanted}` for compute");
                Diagnostic::new(Code::K0903, message).help(list())
            }
            (None, _) => Diagnostic::new(Code::K0903, "the shader has several entry points")
                .note(list())
                .help("name one: `--entry NAME`, or `//! entry NAME` in the text"),
        };
        Err(self.source.error(report))
    }

    /// Imports the only entry point of `module`.
    fn import_alone(
        &self,
        module: &Module,
        entry: &str,
        options: &ImportOptions,
    ) -> Result<ImportedShader, ShaderError> {
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
        validator.subgroup_stages(ShaderStages::all());
        validator.subgroup_operations(SubgroupOperationSet::all());
        let info = guarded(&self.source, CodeOwner::Naga, || validator.validate(module).map_err(Box::new))?;
        let info = info.map_err(|error| {
            let mut report = Diagnostic::new(Code::K0901, with_causes(error.as_inner()));
            for (i, (span, label)) in error.spans().enumerate() {
                let pos = self.source.pos(*span);
                let label = label.as_str();
                report = if i == 0 { report.at(pos, label) } else { report.and(pos, label) };
            }
            // What is wrong with the entry point itself has no place.
            if error.spans().next().is_none() && matches!(error.as_inner(), ValidationError::EntryPoint { .. }) {
                report = report.at(self.source.function_pos(entry), "is this entry point");
            }
            if let ValidationError::EntryPoint { source: EntryPointError::OutOfRangeWorkgroupSize, .. } =
                error.as_inner()
            {
                report = report.help("each size of a workgroup is 1 to 16384; most GPUs take 256 invocations in all");
            }
            self.source.error(report)
        })?;
        let values = options.overrides.iter().map(|(name, value)| (name.clone(), *value)).collect();
        let point = Some((ShaderStage::Compute, entry));
        let module = &with_named_overrides(module);
        let processed = guarded(&self.source, CodeOwner::Naga, || {
            process_overrides(module, &info, point, &values).map_err(Box::new)
        })?;
        let (module, info) = processed.map_err(|error| {
            let names: Vec<String> = self.overrides().map(|name| format!("`{name}`")).collect();
            let mut report = Diagnostic::new(Code::K0904, with_causes(&*error));
            if let PipelineConstantError::MissingValue(missing) = &*error {
                report = Diagnostic::new(Code::K0904, format!("the override `{missing}` has no value"));
                if let Some(pos) = self.override_pos(missing) {
                    report = report.at(pos, "has no default");
                }
            }
            if !names.is_empty() {
                report = report
                    .note(format!("the shader's overrides are: {}", names.join(", ")))
                    .help("give a value: `--override NAME=VALUE`, or `//! override NAME = VALUE`");
            }
            self.source.error(report)
        })?;
        guarded(&self.source, CodeOwner::Tilewise, || ShaderImporter::import(&module, &info, &self.source))?
    }
}

/// The text without the names of extensions that naga has, and refuses to be asked for: blanks stand
/// in their place, so that positions stay.
fn without_known_extensions(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    let mut from = 0;
    while let Some(found) = text[from..].find("enable") {
        let begin = from + found;
        from = begin + "enable".len();
        let starts_line =
            text[..begin].trim_end_matches([' ', '\t']).ends_with(['\n', ';']) || text[..begin].trim().is_empty();
        let Some(length) = text[from..].find(';').filter(|_| starts_line) else { continue };
        let list = &text[from..from + length];
        let is_names = list.chars().all(|c| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || "_,".contains(c));
        if !is_names || !list.starts_with([' ', '\t', '\n']) {
            continue;
        }
        let names: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let kept: Vec<&str> = names.iter().copied().filter(|name| !KNOWN_EXTENSIONS.contains(name)).collect();
        if kept.len() == names.len() {
            continue;
        }
        let end = from + length + 1;
        let directive = if kept.is_empty() { String::new() } else { format!("enable {};", kept.join(",")) };
        let lines = text[begin..end].matches('\n').count();
        let width = (end - begin).saturating_sub(directive.len() + lines);
        let blanks = format!("{directive}{}{}", " ".repeat(width), "\n".repeat(lines));
        out.to_mut().replace_range(begin..end, &blanks);
    }
    out
}

/// Extensions of WGSL that naga reads without being asked for.
const KNOWN_EXTENSIONS: [&str; 2] = ["subgroups", "subgroups_f16"];

/// naga's note about nesting.
const NESTED_TOO_DEEP: &str = "Parser recursion limit exceeded";

/// An error and what caused it, in one line.
fn with_causes(error: &dyn Error) -> String {
    let mut out = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !out.ends_with(&text) {
            out += ": ";
            out += &text;
        }
        cause = error.source();
    }
    out
}

/// Whose code runs.
#[derive(Clone, Copy)]
enum CodeOwner {
    Naga,
    Tilewise,
}

/// Runs code with enough stack; a panic of it is an error that names its owner.
fn guarded<R>(source: &ShaderText, owner: CodeOwner, work: impl FnOnce() -> R) -> Result<R, ShaderError> {
    with_bytes(STACK, || catch_unwind(AssertUnwindSafe(work))).map_err(|payload| {
        // That is no bug: it is caught where the stack was asked for.
        if payload.is::<NoStack>() {
            resume_unwind(payload);
        }
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message");
        let (message, note) = match owner {
            CodeOwner::Naga => {
                (format!("naga panicked, which reads shaders: {text}"), "this is a bug of naga, whatever the file says")
            }
            CodeOwner::Tilewise => {
                (format!("the importer panicked: {text}"), "this is a bug of Tilewise, whatever the file says")
            }
        };
        source.error(Diagnostic::new(Code::K0901, message).note(note))
    })
}

impl ShaderText {
    /// The position of a span of naga's.
    pub(crate) fn pos(&self, span: Span) -> Pos {
        let Some(range) = span.to_range().filter(|range| range.end <= self.text.len()) else {
            return Pos::NONE;
        };
        let Some(before) = self.text.get(..range.start).filter(|_| !self.text.is_empty()) else {
            return Pos::NONE;
        };
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let inside = self.text.get(range).unwrap_or("");
        let first_line = inside.lines().next().unwrap_or("");
        Pos {
            source: 0,
            line: before.matches('\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
            length: first_line.chars().count().max(1) as u32,
        }
    }

    /// Where the innermost bracket of WGSL opens; the first of several.
    fn deepest(&self) -> Pos {
        let (mut depth, mut deepest, mut place) = (0_u32, 0, Span::UNDEFINED);
        for (at, c) in self.text.char_indices() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > deepest {
                (deepest, place) = (depth, Span::new(at as u32, at as u32 + 1));
            }
        }
        self.pos(place)
    }

    /// The name of a function of WGSL where it is declared.
    fn function_pos(&self, name: &str) -> Pos {
        let is_inside = |c: char| c.is_alphanumeric() || c == '_';
        let declared = self.text.match_indices(name).find(|(at, _)| {
            let before = self.text[..*at].trim_end();
            let is_apart = !self.text[at + name.len()..].starts_with(is_inside);
            is_apart && before.len() < *at && before.strip_suffix("fn").is_some_and(|rest| !rest.ends_with(is_inside))
        });
        declared.map_or(Pos::NONE, |(at, _)| self.pos(Span::new(at as u32, (at + name.len()) as u32)))
    }

    /// The source as kernels and reports have it.
    pub(crate) fn source(&self) -> Source {
        let text = (!self.text.is_empty()).then(|| self.text.as_str().into());
        Source { name: self.name.as_str().into(), text }
    }

    fn error(&self, report: Diagnostic) -> ShaderError {
        self.errors(vec![report])
    }

    pub(crate) fn errors(&self, diagnostics: Vec<Diagnostic>) -> ShaderError {
        ShaderError { diagnostics, sources: Sources { list: vec![self.source()] } }
    }
}

/// A module each of whose overrides has a name or a number. naga makes an override of its own for a
/// computed length of an array; it leaves out those without a name, and then loses count of those
/// behind them.
fn with_named_overrides(module: &Module) -> Cow<'_, Module> {
    let is_nameless = |one: &naga::Override| one.name.is_none() && one.id.is_none();
    if !module.overrides.iter().any(|(_, one)| is_nameless(one)) {
        return Cow::Borrowed(module);
    }
    let mut module = module.clone();
    for (i, (_, one)) in module.overrides.iter_mut().enumerate() {
        if is_nameless(one) {
            // No name in a shader has a space.
            one.name = Some(format!("length {i}"));
        }
    }
    Cow::Owned(module)
}
