//! Reads shaders with naga: text or SPIR-V to a module, and one entry point of it, with values for
//! its overrides, to a kernel.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use naga::back::pipeline_constants::{PipelineConstantError, process_overrides};
use naga::front::{spv, wgsl};
use naga::valid::{
    Capabilities, EntryPointError, ShaderStages, SubgroupOperationSet, TypeError, ValidationError, ValidationFlags,
    Validator,
};
use naga::{Handle, Module, ShaderStage, Span, Type, TypeInner};
use tilewise_ir::diag::{Code, Colour, Diagnostic, render};
use tilewise_ir::limits::{MAX_NESTING, MAX_TEXT};
use tilewise_ir::pos::Sources;
use tilewise_ir::stack::{NoStack, with_bytes};

use crate::ShaderImporter;
use crate::abstract_literals::concretize;
use crate::assembly::{InstructionMap, InstructionPlace, first_place, place_of};
use crate::block_names::name_after_blocks;
use crate::endless_loops::remove_added_returns;
use crate::entry::ImportedShader;
use crate::large_constants::{MAX_CONSTANT_PARTS, large_constant};
use crate::override_error::{OverriddenModule, contains};
use crate::override_value::override_name;
use crate::pointer_parameters::resolve_pointer_parameters;
use crate::shared::SharedBindings;
use crate::spirv::{ReadableSpirv, SpecConstant, put_right, readable, stand_in};
use crate::text::{
    LongChain, MAX_DECLARATIONS, MAX_ELSE_IFS, MAX_OPERATORS, ShaderText, long_chain, without_known_extensions,
    words_and_marks,
};

/// A shader that naga has read: one or more entry points, of which those for compute can be
/// imported.
#[derive(Clone, Debug)]
pub struct ShaderModule {
    pub(crate) module: Module,
    pub(crate) source: ShaderText,
    /// The SPIR-V that it was, if that has constants which can be given values.
    pub(crate) spirv: Option<Arc<SpecializableSpirv>>,
    pub(crate) is_spirv: bool,
    /// Is the layer of a sample a float, as in SPIR-V and GLSL? WGSL has integers.
    pub(crate) has_float_layers: bool,
    /// Bindings of several variables, in SPIR-V and GLSL; WGSL has none.
    pub(crate) shared: SharedBindings,
}

/// SPIR-V that is read once more when its specialization constants get values.
#[derive(Debug)]
pub(crate) struct SpecializableSpirv {
    name: String,
    text: String,
    bytes: Vec<u8>,
    pub(crate) places: Vec<InstructionPlace>,
    pub(crate) constants: Vec<SpecConstant>,
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
        let source = ShaderText::new(name, text);
        if text.len() > MAX_TEXT {
            let message = format!("the shader has more than {MAX_TEXT} bytes, the limit of a text");
            return Err(source.error(Diagnostic::new(Code::K0901, message)));
        }
        if let Some((span, long)) = long_chain(text) {
            let (message, label, help) = match long {
                LongChain::Operators => (
                    format!("more than {MAX_OPERATORS} operators in one expression"),
                    "is one operator too many",
                    "divide the expression: give a part of it a name",
                ),
                LongChain::ElseIfs => (
                    format!("more than {MAX_ELSE_IFS} times `else if` behind one `if`"),
                    "is one too many",
                    "take a `switch`, or move a part to a function",
                ),
                LongChain::Declarations => (
                    format!("more than {MAX_DECLARATIONS} declarations"),
                    "is one too many",
                    "divide the shader: leave out what its entry point does not use",
                ),
            };
            return Err(source.error(Diagnostic::new(Code::K0901, message).at(source.pos(span), label).help(help)));
        }
        if let Some(place) = large_constant(&|each| words_and_marks(text, each)) {
            let message = format!("constants of more than {MAX_CONSTANT_PARTS} parts, counted wherever they are named");
            let pos = source.pos(Span::new(place.start as u32, place.end as u32));
            let help = "put a large table into a buffer, or name it in one function";
            return Err(source.error(Diagnostic::new(Code::K0901, message).at(pos, "is one too many").help(help)));
        }
        let readable = without_known_extensions(text);
        let mut module = guarded(&source, CodeOwner::Naga, || wgsl::parse_str(&readable))?.map_err(|error| {
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
        guarded(&source, CodeOwner::Tilewise, || {
            remove_added_returns(&mut module);
            concretize(&mut module);
            resolve_pointer_parameters(&mut module, &source)
        })??;
        Ok(ShaderModule {
            module,
            source,
            spirv: None,
            is_spirv: false,
            has_float_layers: false,
            shared: SharedBindings::default(),
        })
    }

    /// Reads SPIR-V. `name` is the file's name in reports.
    pub fn from_spirv(name: &str, bytes: &[u8]) -> Result<ShaderModule, ShaderError> {
        ShaderModule::from_words(name, "", bytes, &[], &HashMap::new())
    }

    /// Reads SPIR-V that was assembled from a text: reports show its lines. `places` has one for each instruction.
    pub fn from_assembled(
        name: &str,
        bytes: &[u8],
        text: &str,
        places: &[InstructionPlace],
    ) -> Result<ShaderModule, ShaderError> {
        ShaderModule::from_words(name, text, bytes, places, &HashMap::new())
    }

    /// Reads SPIR-V with these values of its specialization constants.
    fn from_words(
        name: &str,
        text: &str,
        bytes: &[u8],
        places: &[InstructionPlace],
        values: &HashMap<u32, f64>,
    ) -> Result<ShaderModule, ShaderError> {
        let source = ShaderText::new(name, text);
        let rewritten = guarded(&source, CodeOwner::Tilewise, || readable(bytes, values))?.map_err(|refusal| {
            let message = format!("the SPIR-V has {}, which cannot be imported", refusal.what);
            let report = Diagnostic::new(Code::K0902, message).help(refusal.help);
            let pos = place_of(places, refusal.byte);
            source.error(if pos.is_known() {
                report.at(pos, "is this instruction")
            } else {
                report.note(format!("it is the instruction at byte {} of the module", refusal.byte))
            })
        })?;
        let (rewritten, origins, constants) = match rewritten {
            Some(ReadableSpirv { bytes, origins, constants }) => (Cow::Owned(bytes), origins, constants),
            None => (Cow::Borrowed(bytes), Vec::new(), Vec::new()),
        };
        let spirv = (!constants.is_empty()).then(|| {
            let (name, text, bytes) = (name.to_owned(), text.to_owned(), bytes.to_owned());
            Arc::new(SpecializableSpirv { name, text, bytes, places: places.to_owned(), constants })
        });
        let source = match places {
            [] => source,
            places => {
                ShaderText::of_assembly(&source.name, &source.text, InstructionMap::new(places, &origins, &rewritten))
            }
        };
        let options =
            spv::Options { adjust_coordinate_space: false, strict_capabilities: false, ..spv::Options::default() };
        let mut module =
            guarded(&source, CodeOwner::Naga, || spv::parse_u8_slice(&rewritten, &options))?.map_err(|error| {
                if let spv::Error::UnsupportedInstruction(_, opcode) = error {
                    // naga's own message has the name third: "unsupported instruction UMulExtended at Function".
                    let told = error.to_string();
                    let name = told.split(' ').nth(2).unwrap_or_default();
                    let report = Diagnostic::new(Code::K0902, format!("the instruction `Op{name}` is not supported"));
                    let pos = first_place(places, bytes, opcode as u32);
                    return source.error(if pos.is_known() { report.at(pos, "is the first") } else { report });
                }
                let message = format!("the SPIR-V cannot be read: {error}");
                let help = "a file of SPIR-V is what a compiler of shaders writes, whole; `spirv-val` says more of it";
                source.error(Diagnostic::new(Code::K0901, message).help(help))
            })?;
        let shared = guarded(&source, CodeOwner::Tilewise, || {
            put_right(&mut module);
            name_after_blocks(&mut module);
            SharedBindings::part(&mut module)
        })?;
        Ok(ShaderModule { module, source, spirv, is_spirv: true, has_float_layers: true, shared })
    }

    /// The module with the values that the options give its specialization constants; nothing if they give none.
    fn specialized(&self, options: &ImportOptions) -> Result<Option<ShaderModule>, ShaderError> {
        let Some(spirv) = &self.spirv else { return Ok(None) };
        let given = |constant: &SpecConstant| {
            let value = options.overrides.get(&constant.number.to_string())?;
            Some((constant.number, *value))
        };
        let values: HashMap<u32, f64> = spirv.constants.iter().filter_map(given).collect();
        if values.is_empty() {
            return Ok(None);
        }
        ShaderModule::from_words(&spirv.name, &spirv.text, &spirv.bytes, &spirv.places, &values).map(Some)
    }

    /// The names of the entry points for compute, in order.
    pub fn entry_points(&self) -> impl Iterator<Item = &str> {
        let compute = |entry: &&naga::EntryPoint| entry.stage == ShaderStage::Compute;
        self.module.entry_points.iter().filter(compute).map(|entry| entry.name.as_str())
    }

    /// The overrides that an import may give values: by their names, or by their numbers if they
    /// have one.
    pub fn overrides(&self) -> impl Iterator<Item = String> {
        self.overrides_with_defaults().map(|(name, _)| name)
    }

    /// Those overrides, each with whether it has a default.
    pub fn overrides_with_defaults(&self) -> impl Iterator<Item = (String, bool)> {
        let all = self.module.overrides.iter();
        let own = all.filter_map(|(_, constant)| Some((override_name(constant)?, constant.init.is_some())));
        own.chain(self.constants().map(|constant| (constant.number.to_string(), true)))
    }

    /// The specialization constants of SPIR-V.
    pub(crate) fn constants(&self) -> impl Iterator<Item = &SpecConstant> {
        self.spirv.iter().flat_map(|spirv| &spirv.constants)
    }

    /// The module as naga has read it.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Imports an entry point as a kernel, which is not yet checked.
    pub fn import(&self, options: &ImportOptions) -> Result<ImportedShader, ShaderError> {
        let entry = self.chosen(options)?;
        let unfit = self.unfit_values(options);
        if !unfit.is_empty() {
            return Err(self.source.errors(unfit));
        }
        if let Some(module) = self.specialized(options)? {
            return module.import_entry(&entry, options);
        }
        self.import_entry(&entry, options)
    }

    fn import_entry(&self, entry: &str, options: &ImportOptions) -> Result<ImportedShader, ShaderError> {
        let mut module = self.module.clone();
        module.entry_points.retain(|other| other.stage == ShaderStage::Compute && other.name == entry);
        self.import_alone(&module, entry, options)
    }

    /// The report on a variable whose binding another one has.
    fn two_at_one_binding(&self, module: &Module, handle: Handle<naga::GlobalVariable>) -> Diagnostic {
        let slot = module.global_variables[handle].binding;
        let shown = slot.map_or(String::new(), |slot| format!(" {}.{}", slot.group, slot.binding));
        let message = format!("two variables of the entry point have the binding{shown}");
        let help = "give each variable a binding of its own; a launch may give both the same memory";
        let report = Diagnostic::new(Code::K0902, message).help(help);
        let pos = self.source.pos(module.global_variables.get_span(handle));
        if pos.is_known() { report.at(pos, "is the second") } else { report }
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
        if let Some(ty) = nested_too_deep(module) {
            let report = Diagnostic::new(Code::K0902, format!("types nested more than {MAX_NESTING} deep"));
            let pos = self.source.pos(module.types.get_span(ty));
            return Err(self.source.error(if pos.is_known() { report.at(pos, "is one too many") } else { report }));
        }
        let original = module;
        let stand_in = stand_in(module, self.is_spirv);
        let module = stand_in.as_ref().unwrap_or(module);
        let flags = match self.is_spirv {
            // Members stand where the module says, also where WGSL's types could not stand.
            true => ValidationFlags::all() - ValidationFlags::STRUCT_LAYOUTS,
            false => ValidationFlags::all(),
        };
        let mut validator = Validator::new(flags, Capabilities::all());
        validator.subgroup_stages(ShaderStages::all());
        validator.subgroup_operations(SubgroupOperationSet::all());
        let info = guarded(&self.source, CodeOwner::Naga, || validator.validate(module).map_err(Box::new))?;
        let info = info.map_err(|error| {
            let mut report = Diagnostic::new(Code::K0901, with_causes(error.as_inner()));
            if let &ValidationError::Type { handle, source: TypeError::InvalidArrayBaseType(_), .. } = error.as_inner()
            {
                report = Diagnostic::new(Code::K0901, "an array has elements without a fixed size")
                    .help("a length that an override or the binding gives is that of a whole variable");
                let has_it = |(_, variable): &(_, &naga::GlobalVariable)| contains(module, variable.ty, handle);
                if let Some((variable, _)) = module.global_variables.iter().find(has_it) {
                    let pos = self.source.pos(module.global_variables.get_span(variable));
                    return self.source.error(report.at(pos, "has this type"));
                }
            }
            if let &ValidationError::EntryPoint { source: EntryPointError::BindingCollision(handle), .. } =
                error.as_inner()
            {
                return self.source.error(self.two_at_one_binding(module, handle));
            }
            for (i, (span, label)) in error.spans().enumerate() {
                let pos = self.source.pos(*span);
                // The labels of naga have its own numbers of expressions.
                let label = if label.contains('[') { "is here" } else { label.as_str() };
                report = if i == 0 { report.at(pos, label) } else { report.and(pos, label) };
            }
            // What is wrong with the entry point itself has no place.
            if error.spans().next().is_none() && matches!(error.as_inner(), ValidationError::EntryPoint { .. }) {
                report = report.at(self.source.function_pos(entry), "is this entry point");
            }
            if let ValidationError::EntryPoint { source: EntryPointError::OutOfRangeWorkgroupSize, .. } =
                error.as_inner()
            {
                report = report.help(WORKGROUP_HELP);
            }
            self.source.error(report)
        })?;
        // Specialization constants have their values already.
        let constants: HashSet<String> = self.constants().map(|constant| constant.number.to_string()).collect();
        let values = options.overrides.iter().filter(|(name, _)| !constants.contains(*name));
        let values = values.map(|(name, value)| (name.clone(), *value)).collect();
        let point = Some((ShaderStage::Compute, entry));
        let module = &with_named_overrides(module);
        let processed = guarded(&self.source, CodeOwner::Naga, || {
            process_overrides(module, &info, point, &values).map_err(Box::new)
        })?;
        let (module, info) = processed.map_err(|error| {
            let names: Vec<String> = self.overrides().map(|name| format!("`{name}`")).collect();
            let mut report = match &*error {
                PipelineConstantError::MissingValue(missing) => {
                    let report = Diagnostic::new(Code::K0904, format!("the override `{missing}` has no value"));
                    match self.override_pos(missing) {
                        Some(pos) => report.at(pos, "has no default"),
                        None => report,
                    }
                }
                error => {
                    let overridden = OverriddenModule { module, info: &info, entry, values: &values };
                    // naga evaluates expressions once more.
                    let report = guarded(&self.source, CodeOwner::Naga, || overridden.report(error, &self.source));
                    report.unwrap_or_else(|_| Diagnostic::new(Code::K0904, with_causes(error)))
                }
            };
            if !names.is_empty() {
                report = report
                    .note(format!("the shader's overrides are: {}", names.join(", ")))
                    .help("give a value: `--override NAME=VALUE`, or `//! override NAME = VALUE`");
            }
            self.source.error(report)
        })?;
        // A module with a stand-in has no overrides, so that the expressions have kept their numbers.
        let module = if stand_in.is_some() { original } else { &*module };
        guarded(&self.source, CodeOwner::Tilewise, || {
            ShaderImporter::import(module, &info, &self.source, (&self.shared, self.has_float_layers))
        })?
    }
}

/// The first type that nests deeper than those of kernels: the importer recurses over types.
fn nested_too_deep(module: &Module) -> Option<Handle<Type>> {
    let mut depths: Vec<u32> = Vec::with_capacity(module.types.len());
    for (handle, ty) in module.types.iter() {
        // Parts come before the whole.
        let above = |part: Handle<Type>| depths.get(part.index()).map_or(1, |depth| depth + 1);
        let depth = match &ty.inner {
            TypeInner::Array { base, .. } => above(*base),
            TypeInner::Struct { members, .. } => members.iter().map(|member| above(member.ty)).max().unwrap_or(1),
            _ => 0,
        };
        if depth > MAX_NESTING {
            return Some(handle);
        }
        depths.push(depth);
    }
    None
}

/// What a workgroup may be.
pub(crate) const WORKGROUP_HELP: &str = "each size of a workgroup is 1 to 16384; most GPUs take 256 invocations in all";

/// naga's note about nesting.
const NESTED_TOO_DEEP: &str = "Parser recursion limit exceeded";

/// An error and what caused it, in one line.
pub(crate) fn with_causes(error: &dyn Error) -> String {
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
pub(crate) enum CodeOwner {
    Naga,
    Tilewise,
}

thread_local! {
    /// Whether a panic on this thread becomes a [`ShaderError`].
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in code of the importer or of naga whose panic is caught and becomes a
/// [`ShaderError`] with its text. A program's panic hook that asks this need not print such a panic.
pub fn panic_becomes_error() -> bool {
    IS_GUARDED.get()
}

/// Runs code with enough stack; a panic of it is an error that names its owner.
pub(crate) fn guarded<R>(source: &ShaderText, owner: CodeOwner, work: impl FnOnce() -> R) -> Result<R, ShaderError> {
    let caught = || {
        let before = IS_GUARDED.replace(true);
        let done = catch_unwind(AssertUnwindSafe(work));
        IS_GUARDED.set(before);
        done
    };
    with_bytes(STACK, caught).map_err(|payload| {
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
