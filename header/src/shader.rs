//! Shaders as files with a header: WGSL whose `//!` lines say how to launch it, and SPIR-V, which has no text.
//!
//! The lines are those of a `.kir` file, with `dispatch 4x1x1` (workgroups in x, y and z) in place of
//! `domain`, and with `entry NAME` and `override NAME = VALUE`. Shaders use such comments for other
//! things too, so they count only in a text that has a line `//! dispatch`.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;

use crate::Complaint;
use crate::header::{Expected, Header, HeaderRun, InputPlace, RunInput};
use crate::kernel::Rejection;
use crate::scan::{HeaderEntry, TokenKind};

/// The contents of a file.
#[derive(Clone, Copy, Debug)]
pub enum ShaderContents<'a> {
    /// WGSL.
    Wgsl(&'a str),
    /// SPIR-V.
    SpirV(&'a [u8]),
}

/// How to import and launch a shader, beyond what its text says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ShaderOptions {
    /// The entry point.
    pub entry: Option<String>,
    /// Values of overrides, by name or number.
    pub overrides: BTreeMap<String, f64>,
    /// Workgroups in x, y and z.
    pub dispatch: Option<[u32; 3]>,
}

/// A parameter of an imported shader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShaderSlot {
    /// The parameter's name.
    pub name: String,
    /// The name in the shader, where a parameter cannot have it.
    pub own_name: Option<String>,
    /// Group and binding; `None` for immediate data.
    pub slot: Option<(u32, u32)>,
    /// What it is.
    #[cfg(feature = "import")]
    pub kind: tilewise_import::BindingKind,
}

#[cfg(feature = "import")]
impl ShaderSlot {
    /// The variable's name in the shader.
    fn shader_name(&self) -> &str {
        self.own_name.as_ref().unwrap_or(&self.name)
    }
}

/// The group and binding of a variable that has them.
type GroupAndBinding = Option<(u32, u32)>;

/// The parameters of a shader's kernel whose inputs have forms of their own, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShaderParams {
    /// The sizes of textures with levels, each with its texture.
    sizes: Vec<(String, String)>,
    samplers: Vec<String>,
    /// Names in the shader that parameters cannot have, each with that of its parameter.
    renamed: Vec<(String, String)>,
    /// Names in the shader that variables of several bindings have, which so name none of them, each with the bindings.
    ambiguous: Vec<(String, Vec<GroupAndBinding>)>,
    /// Parameters at a binding that another one has, each with the first at that binding.
    shared: Vec<(String, String)>,
}

impl ShaderParams {
    /// Those of an imported shader; the size of a texture stands behind it.
    #[cfg(feature = "import")]
    fn of(slots: &[ShaderSlot]) -> ShaderParams {
        use tilewise_import::BindingKind;

        let mut params = ShaderParams::default();
        for slot in slots {
            let own = slot.shader_name();
            let mut same: Vec<_> =
                slots.iter().filter(|other| other.shader_name() == own).map(|one| one.slot).collect();
            same.dedup();
            match slot.own_name.clone() {
                _ if same.len() > 1 => params.ambiguous.push((own.to_owned(), same)),
                Some(own) => params.renamed.push((own, slot.name.clone())),
                None => {}
            }
        }
        for (at, slot) in slots.iter().enumerate() {
            let is_same = |other: &&ShaderSlot| slot.slot.is_some() && other.slot == slot.slot;
            if slot.kind != BindingKind::TextureSize
                && let Some(first) = slots[..at].iter().find(is_same)
            {
                params.shared.push((slot.name.clone(), first.name.clone()));
            }
        }
        for (before, slot) in [None].into_iter().chain(slots.iter().map(Some)).zip(slots) {
            match (slot.kind, before) {
                (BindingKind::TextureSize, Some(texture)) => {
                    params.sizes.push((slot.name.clone(), texture.name.clone()));
                }
                (BindingKind::Sampler { .. }, _) => params.samplers.push(slot.name.clone()),
                (
                    BindingKind::TextureSize | BindingKind::Texture(_) | BindingKind::Buffer | BindingKind::Uniform,
                    _,
                ) => {}
            }
        }
        params
    }

    /// The parameter of a variable, by its name in the shader.
    pub fn param_of<'a>(&'a self, own: &'a str) -> &'a str {
        self.renamed.iter().find(|(name, _)| name == own).map_or(own, |(_, param)| param)
    }

    /// The name that a parameter has in the shader.
    pub fn own_name<'a>(&'a self, param: &'a str) -> &'a str {
        self.renamed.iter().find(|(_, name)| name == param).map_or(param, |(own, _)| own)
    }

    /// What to say of a name that variables of several bindings have.
    pub fn ambiguity(&self, own: &str) -> Option<(String, &'static str)> {
        let (_, slots) = self.ambiguous.iter().find(|(name, _)| name == own)?;
        let slots = slots.iter().map(|slot| match slot {
            Some((group, binding)) => format!("{group}.{binding}"),
            None => "the immediate data".to_owned(),
        });
        let slots: Vec<String> = slots.collect();
        let message = format!("several variables of the shader are called `{own}`: {}", slots.join(", "));
        Some((message, "name one by its group and binding"))
    }

    /// The parameters that have the same binding as this one, without it.
    pub fn at_same_binding<'a>(&'a self, param: &'a str) -> impl Iterator<Item = &'a str> {
        let first = self.shared.iter().find(|(name, _)| name == param).map_or(param, |(_, first)| first);
        let others = self.shared.iter().filter(move |(_, other)| other == first).map(|(name, _)| name.as_str());
        [first].into_iter().chain(others).filter(move |name| *name != param)
    }

    /// Gives inputs and expectations of a run the names of parameters.
    pub fn rename(&self, run: &mut HeaderRun) {
        if self.renamed.is_empty() {
            return;
        }
        for input in &mut run.inputs {
            *input = self.renamed(input);
        }
        for expect in &mut run.expects {
            match &mut expect.expected {
                Expected::Contents(name, _) | Expected::Unchanged(name) | Expected::Any(name) => {
                    *name = self.param_of(name).to_owned();
                }
                _ => {}
            }
        }
    }

    /// The input with the name of its parameter.
    pub fn renamed(&self, input: &Arc<RunInput>) -> Arc<RunInput> {
        self.with_params(input, true)
    }

    /// An input that has the name of its parameter already, with that of the one in which it lies.
    pub fn of_param(&self, input: &Arc<RunInput>) -> Arc<RunInput> {
        self.with_params(input, false)
    }

    fn with_params(&self, input: &Arc<RunInput>, is_own: bool) -> Arc<RunInput> {
        let mut input = Arc::clone(input);
        let is_memory = matches!(input.place, InputPlace::Memory(..));
        let has_own = is_own && self.param_of(&input.name) != input.name && !is_memory;
        let lies_in_own = matches!(&input.place, InputPlace::In { other, .. } if self.param_of(other) != other);
        if has_own || lies_in_own {
            let new = Arc::make_mut(&mut input);
            if has_own {
                new.name = self.param_of(&new.name).to_owned();
            }
            if let InputPlace::In { other, .. } = &mut new.place {
                *other = self.param_of(other).to_owned();
            }
        }
        input
    }

    /// The texture whose size a parameter is.
    pub fn sized_texture(&self, size: &str) -> Option<&str> {
        self.sizes.iter().find(|(name, _)| name == size).map(|(_, texture)| texture.as_str())
    }

    /// Is it a texture with levels: a view of one dimension, with its size behind it?
    pub fn has_levels(&self, texture: &str) -> bool {
        self.sizes.iter().any(|(_, name)| name == texture)
    }

    /// Is it a sampler?
    pub fn is_sampler(&self, name: &str) -> bool {
        self.samplers.iter().any(|sampler| sampler == name)
    }
}

/// Does a file of this name hold a shader?
pub fn is_shader(path: &str) -> bool {
    path.ends_with(".wgsl") || path.ends_with(".spv")
}

/// An imported and checked shader.
#[derive(Debug)]
pub struct CheckedShader {
    /// The kernel.
    pub kernel: Checked<Kernel>,
    /// Its parameters.
    pub slots: Vec<ShaderSlot>,
    /// Those whose inputs have forms of their own.
    pub params: Arc<ShaderParams>,
}

/// Is it the entry that makes a text of WGSL a file with a header?
pub(crate) fn is_dispatch(entry: &HeaderEntry) -> bool {
    matches!(entry.tokens.first().map(|token| &token.kind), Some(TokenKind::Word(word)) if word == "dispatch")
}

/// Gives each run the domain of its dispatch.
pub(crate) fn set_domains(
    header: &mut Header,
    kernel: &Kernel,
    options: &ShaderOptions,
    complaints: &mut Vec<Complaint>,
) {
    let Some(&[depth, height, width]) = kernel.tile() else { return };
    for run in &mut header.runs {
        if let Some(dispatch) = options.dispatch {
            run.dispatch = Some(dispatch);
        }
        let Some([x, y, z]) = run.dispatch else { continue };
        match domain([x, y, z], [width, height, depth]) {
            Ok(domain) => run.domain = Some(domain),
            Err(message) => complaints.push(Complaint::new(run.domain_at, message, "dispatch fewer workgroups")),
        }
    }
}

/// The domain of a dispatch of workgroups of this size, both as x, y, z.
pub fn domain(dispatch: [u32; 3], size: [u32; 3]) -> Result<Vec<i32>, String> {
    let mut out = Vec::new();
    for (dimension, name) in [(2, "z"), (1, "y"), (0, "x")] {
        let threads = dispatch[dimension].checked_mul(size[dimension]);
        match threads.and_then(|threads| i32::try_from(threads).ok()) {
            Some(threads) => out.push(threads),
            None => {
                let (count, size) = (dispatch[dimension], size[dimension]);
                return Err(format!("{count} workgroups of {size} threads in {name} are more than 2147483647 threads"));
            }
        }
    }
    Ok(out)
}

/// Imports and checks a shader.
#[cfg(feature = "import")]
pub fn compile(path: &str, contents: ShaderContents<'_>, options: &ShaderOptions) -> Result<CheckedShader, Rejection> {
    use tilewise_import::{BindingSlot, ImportOptions, ShaderModule};

    let rejected =
        |error: tilewise_import::ShaderError| Rejection { diagnostics: error.diagnostics, sources: error.sources };
    let module = match contents {
        ShaderContents::Wgsl(text) => ShaderModule::from_wgsl(path, text),
        ShaderContents::SpirV(bytes) => ShaderModule::from_spirv(path, bytes),
    };
    let import = ImportOptions { entry: options.entry.clone(), overrides: options.overrides.clone() };
    let shader = module.map_err(rejected)?.import(&import).map_err(rejected)?;
    // Each binding is a parameter, which the import renames where a kernel has no such names.
    let slots = shader.bindings.into_iter().zip(shader.kernel.params()).map(|(binding, param)| ShaderSlot {
        name: param.name.to_string(),
        own_name: (*param.name != *binding.name).then_some(binding.name),
        slot: match binding.slot {
            BindingSlot::Resource { group, binding } => Some((group, binding)),
            BindingSlot::Immediate => None,
        },
        kind: binding.kind,
    });
    let slots: Vec<ShaderSlot> = slots.collect();
    let params = Arc::new(ShaderParams::of(&slots));
    let kernel = tilewise_ir::check::check(shader.kernel)
        .map_err(|rejected| Rejection { diagnostics: rejected.diagnostics, sources: rejected.sources })?;
    Ok(CheckedShader { kernel, slots, params })
}

/// This build has no importer.
#[cfg(not(feature = "import"))]
pub fn compile(path: &str, _: ShaderContents<'_>, _: &ShaderOptions) -> Result<CheckedShader, Rejection> {
    use tilewise_ir::diag::{Code, Diagnostic};
    use tilewise_ir::pos::Sources;

    let report = Diagnostic::new(Code::K0902, format!("`{path}` is a shader, and this build imports none"))
        .help("build with the feature `import`");
    Err(Rejection { diagnostics: vec![report], sources: Sources::default() })
}
