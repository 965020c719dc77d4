//! [`Shader`]: compute shaders in WGSL or SPIR-V, run like kernels of Rust.

mod sampler;
mod textures;

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use tilewise_import::{BindingKind, BindingSlot, ImportOptions, ShaderBinding, ShaderError, ShaderModule};
use tilewise_ir::check::check;
use tilewise_ir::kernel::{ParamId, ParamKind};
use tilewise_ir::stack::with_bytes;
use tilewise_lower::Binding;

use crate::api::accelerator::{AcceleratorView, FloatMode};
use crate::api::domain;
use crate::api::launch::{STACK, run_program};
use crate::api::report::{Diagnostics, Shape};
use crate::kernel::macro_support::LaunchBinder;
use crate::kernel::program::LoweredProgram;
use crate::memory::launch::BoundView;
use crate::targets::arguments::bytes_of;
use crate::targets::fault::with_stacks;
use crate::targets::native::running;
use crate::{Access, ArrayView, Element, Error, Result};

pub use sampler::{ShaderComparison, ShaderSampler};
pub use textures::ShaderTexel;

/// A compute shader. Its entry points run on every accelerator but `native`, over the same views as
/// kernels of Rust, with the same checks: the `reference` accelerator finds races and accesses out
/// of range, and names the shader's line.
///
/// ```
/// use tilewise::{Accelerator, ArrayView, Shader};
/// let text = "
/// @group(0) @binding(0) var<storage, read_write> v: array<f32>;
/// @group(0) @binding(1) var<uniform> by: f32;
/// @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
///     v[id.x] *= by;
/// }";
/// let view = ArrayView::from_vec(8, vec![1.0f32; 8])?;
/// let entry = Shader::from_wgsl("scale.wgsl", text)?.entry("main")?;
/// let entry = entry.bind(0, 0, &view)?.value(0, 1, &2.5f32)?;
/// entry.dispatch(&Accelerator::new("jit")?.default_view(), [2, 1, 1])?;
/// assert_eq!(view.to_vec()?, [2.5; 8]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shader(ShaderModule);

/// Reads the WGSL file of this name, beside the file that calls it, when the program is built; gives
/// a `Result<Shader>`.
///
/// ```ignore
/// let blur = tilewise::shader!("blur.wgsl")?.entry("main")?;
/// ```
#[macro_export]
macro_rules! shader {
    ($path:literal) => {
        $crate::Shader::from_wgsl($path, include_str!($path))
    };
}

impl Shader {
    /// Reads WGSL. `name` is the file's name in messages.
    pub fn from_wgsl(name: &str, text: &str) -> Result<Shader> {
        with_stacks(|| ShaderModule::from_wgsl(name, text).map(Shader).map_err(rejected))
    }

    /// Reads SPIR-V. `name` is the file's name in messages.
    pub fn from_spirv(name: &str, bytes: &[u8]) -> Result<Shader> {
        with_stacks(|| ShaderModule::from_spirv(name, bytes).map(Shader).map_err(rejected))
    }

    /// The names of the entry points for compute.
    pub fn entry_points(&self) -> impl Iterator<Item = &str> {
        self.0.entry_points()
    }

    /// An entry point, with the defaults of all overrides.
    pub fn entry(&self, name: &str) -> Result<ShaderEntry<'static>> {
        self.entry_with(name, &[])
    }

    /// An entry point, with values of overrides by their names or the numbers of their `@id`.
    ///
    /// ```
    /// use tilewise::Shader;
    /// let text = "override SIZE: u32; @compute @workgroup_size(SIZE) fn main() {}";
    /// let shader = Shader::from_wgsl("empty.wgsl", text)?;
    /// assert!(shader.entry("main").is_err(), "the override has no default");
    /// assert_eq!(shader.entry_with("main", &[("SIZE", 64.0)])?.workgroup_size(), [64, 1, 1]);
    /// # Ok::<(), tilewise::Error>(())
    /// ```
    pub fn entry_with(&self, name: &str, overrides: &[(&str, f64)]) -> Result<ShaderEntry<'static>> {
        for (at, (name, _)) in overrides.iter().enumerate() {
            if overrides[..at].iter().any(|(before, _)| before == name) {
                return Err(rejected(self.0.override_given_twice(name)));
            }
        }
        let overrides = overrides.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        let options = ImportOptions { entry: Some(name.to_owned()), overrides };
        with_stacks(|| self.import(&options))
    }

    fn import(&self, options: &ImportOptions) -> Result<ShaderEntry<'static>> {
        let shader = self.0.import(options).map_err(rejected)?;
        let kernel = check(shader.kernel)
            .map_err(|rejected| Error::Kernel(Box::new(Diagnostics::new(&rejected.diagnostics, &rejected.sources))))?;
        let bindings = kernel.numbered_params().map(|(id, param)| match param.kind {
            ParamKind::Buffer { .. } => Binding::Buffer(id),
            ParamKind::View(_) => Binding::View(id),
            ParamKind::Uniform(_) => Binding::Uniform(id),
        });
        let bindings = bindings.collect();
        let items = shader.bindings.iter().map(|_| None).collect();
        Ok(ShaderEntry {
            program: Arc::new(LoweredProgram::new(kernel, bindings)),
            slots: shader.bindings.into(),
            size: shader.workgroup_size,
            float_mode: None,
            items,
        })
    }
}

fn rejected(error: ShaderError) -> Error {
    Error::Kernel(Box::new(Diagnostics::new(&error.diagnostics, &error.sources)))
}

/// An entry point of a [`Shader`], and what is bound to it so far. Can be dispatched often; a clone
/// shares the compiled code.
///
/// ```
/// use tilewise::{Accelerator, ArrayView, Shader};
/// let text = "
/// @group(0) @binding(0) var<storage, read_write> count: atomic<u32>;
/// @compute @workgroup_size(8, 4) fn main() { atomicAdd(&count, 1u); }";
/// let count = ArrayView::from_vec(1, vec![0u32])?;
/// let main = Shader::from_wgsl("count.wgsl", text)?.entry("main")?.bind_named("count", &count)?;
/// main.dispatch(&Accelerator::new("reference")?.default_view(), [2, 1, 3])?;
/// assert_eq!(count.get(0)?, 8 * 4 * 2 * 3);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[must_use]
#[derive(Clone)]
pub struct ShaderEntry<'k> {
    program: Arc<LoweredProgram>,
    /// The variables, in the order of the kernel's parameters.
    slots: Arc<[ShaderBinding]>,
    size: [u32; 3],
    float_mode: Option<FloatMode>,
    /// What is bound to each.
    items: Vec<Option<ShaderItem<'k>>>,
}

/// What is bound to a variable.
#[derive(Clone)]
enum ShaderItem<'k> {
    View(BoundView<'k>),
    Bytes(Vec<u8>),
    /// Made when the shader is dispatched: the texels of a texture, converted.
    Texels(Arc<dyn Fn() -> Result<BoundView<'static>> + Send + Sync>),
}

impl fmt::Debug for ShaderEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ShaderEntry({})", self.program.kernel().name())
    }
}

impl<'k> ShaderEntry<'k> {
    /// Threads of a workgroup in x, y and z.
    pub fn workgroup_size(&self) -> [u32; 3] {
        self.size
    }

    /// The variables that the entry point uses: names, with group and binding (`None` for immediate
    /// data).
    pub fn variables(&self) -> impl Iterator<Item = (&str, Option<(u32, u32)>)> {
        self.slots.iter().map(|slot| match slot.slot {
            BindingSlot::Resource { group, binding } => (slot.name.as_str(), Some((group, binding))),
            BindingSlot::Immediate => (slot.name.as_str(), None),
        })
    }

    /// Overrides the float mode of accelerator views.
    pub fn float_mode(self, mode: FloatMode) -> Self {
        ShaderEntry { float_mode: Some(mode), ..self }
    }

    /// Binds a view to a storage buffer: its bytes are the buffer's. The view has no gaps between
    /// its elements. Or binds a view to a texture: its elements are the texels, as `docs/import.md`
    /// describes them.
    pub fn bind<T: Element, const N: usize, A: Access>(
        self,
        group: u32,
        binding: u32,
        view: &'k ArrayView<'_, T, N, A>,
    ) -> Result<Self> {
        let number = self.resource(group, binding)?;
        self.bind_view(number, view)
    }

    /// Binds a view to the storage buffer of this name.
    pub fn bind_named<T: Element, const N: usize, A: Access>(
        self,
        name: &str,
        view: &'k ArrayView<'_, T, N, A>,
    ) -> Result<Self> {
        let number = self.named(name)?;
        self.bind_view(number, view)
    }

    /// Sets a uniform variable: the bytes of the value are its bytes.
    pub fn value<T: Element>(self, group: u32, binding: u32, value: &T) -> Result<Self> {
        let number = self.resource(group, binding)?;
        self.set_value(number, bytemuck::bytes_of(value))
    }

    /// Sets the uniform variable of this name, or immediate data.
    pub fn value_named<T: Element>(self, name: &str, value: &T) -> Result<Self> {
        let number = self.named(name)?;
        self.set_value(number, bytemuck::bytes_of(value))
    }

    /// Runs this many workgroups in x, y and z. Of none, nothing runs, and memory stays as it is.
    #[track_caller]
    pub fn dispatch(&self, target: &AcceleratorView, workgroups: [u32; 3]) -> Result<()> {
        let location = Location::caller();
        with_stacks(|| with_bytes(STACK, || self.dispatch_here(target, workgroups, location)))
    }

    fn dispatch_here(&self, target: &AcceleratorView, workgroups: [u32; 3], location: &Location<'_>) -> Result<()> {
        if running::inside() {
            return Err(Error::UnsupportedFeature("a kernel cannot launch a kernel".into()));
        }
        let at = format!("for the entry point `{}`, dispatched at {location}", self.program.kernel().name());
        let components = self.components(workgroups, &at)?;
        let mut binder = LaunchBinder::default();
        for (slot, item) in self.slots.iter().zip(&self.items) {
            match item {
                Some(ShaderItem::View(view)) => binder.view(view.clone()),
                Some(ShaderItem::Bytes(bytes)) => binder.bytes(bytes.clone()),
                Some(ShaderItem::Texels(make)) => binder.view(make()?),
                None => return Err(Error::shape(None, format!("{} is not bound, {at}", shown(slot)))),
            }
        }
        if workgroups.contains(&0) {
            return Ok(());
        }
        let target = target.chosen()?;
        let mode = self.float_mode.unwrap_or(target.float_mode());
        run_program(&self.program, location, &components, binder, &target, mode).map(drop)
    }

    /// The domain of a dispatch; `at` says which, for errors.
    fn components(&self, workgroups: [u32; 3], at: &str) -> Result<Vec<i32>> {
        let refused = |dimension: Option<usize>, message: String| {
            let message = format!("{message}, {at}");
            Err(Error::InvalidComputeDomain(Box::new(Shape { message, dimension })))
        };
        let mut components = Vec::new();
        for (dimension, (&count, &size)) in workgroups.iter().zip(&self.size).enumerate() {
            let name = ["x", "y", "z"][dimension];
            match count.checked_mul(size).and_then(|threads| i32::try_from(threads).ok()) {
                Some(threads) => components.insert(0, threads),
                None => {
                    let text = format!("{count} workgroups of {size} threads in {name} are too many");
                    return refused(Some(dimension), text);
                }
            }
        }
        if workgroups.contains(&0) {
            return Ok(components);
        }
        match domain::fault(&components, self.program.kernel().tile()) {
            Some((dimension, message)) => refused(dimension.map(|dimension| 2 - dimension), message),
            None => Ok(components),
        }
    }

    fn named(&self, name: &str) -> Result<usize> {
        let found = self.slots.iter().enumerate().filter(|(_, slot)| slot.name == name);
        let found: Vec<(usize, &ShaderBinding)> = found.collect();
        let Some(&(first, slot)) = found.first() else {
            return Err(self.no_slot(&format!("the entry point uses no variable `{name}`")));
        };
        // SPIR-V may call several variables alike. Those at one binding are bound together.
        if found.iter().all(|(_, other)| other.slot == slot.slot) {
            return Ok(first);
        }
        let all: Vec<String> = found.iter().map(|(_, slot)| shown(slot)).collect();
        let text = format!("several variables of the shader are called `{name}`: {}", all.join(", "));
        Err(Error::shape(None, format!("{text}; bind them by group and binding")))
    }

    fn resource(&self, group: u32, binding: u32) -> Result<usize> {
        let found = self.slots.iter().position(|slot| slot.slot == BindingSlot::Resource { group, binding });
        found.ok_or_else(|| self.no_slot(&format!("the entry point uses no binding {group}.{binding}")))
    }

    fn no_slot(&self, message: &str) -> Error {
        let all: Vec<String> = self.slots.iter().map(shown).collect();
        let rest = match all.as_slice() {
            [] => "it uses none".to_owned(),
            _ => format!("it uses {}", all.join(", ")),
        };
        Error::shape(None, format!("{message}; {rest}"))
    }

    fn param(&self, number: usize) -> Option<(ParamId, ParamKind)> {
        let (id, param) = self.program.kernel().numbered_params().nth(number)?;
        Some((id, param.kind))
    }

    /// The variables that have the binding of this one: SPIR-V may have several, all of the same memory.
    pub(super) fn at_same_binding(&self, number: usize) -> Vec<usize> {
        let slot = self.slots[number].slot;
        let is_same = |other: &ShaderBinding| other.slot == slot && other.kind != BindingKind::TextureSize;
        (0..self.slots.len())
            .filter(|&i| i == number || slot != BindingSlot::Immediate && is_same(&self.slots[i]))
            .collect()
    }

    fn bind_view<T: Element, const N: usize, A: Access>(
        self,
        number: usize,
        view: &'k ArrayView<'_, T, N, A>,
    ) -> Result<Self> {
        self.at_same_binding(number).into_iter().try_fold(self, |entry, number| entry.bind_one_view(number, view))
    }

    fn bind_one_view<T: Element, const N: usize, A: Access>(
        mut self,
        number: usize,
        view: &'k ArrayView<'_, T, N, A>,
    ) -> Result<Self> {
        let slot = shown(&self.slots[number]);
        let (id, ty) = match self.param(number) {
            Some((id, ParamKind::Buffer { ty, .. })) => (id, ty),
            Some((id, ParamKind::View(texels))) => return self.bind_texels(number, id, texels, view),
            Some((_, ParamKind::Uniform(_))) | None => {
                let message = match self.slots[number].kind {
                    BindingKind::Sampler { .. } => format!("{slot} is a sampler: set it with `sampler`"),
                    BindingKind::Buffer | BindingKind::Uniform | BindingKind::Texture(_) | BindingKind::TextureSize => {
                        format!("{slot} is a uniform variable: set it with `value`")
                    }
                };
                return Err(Error::shape(None, message));
            }
        };
        let kernel = self.program.kernel();
        let bound = view.bound();
        if kernel.written()[id.index()] && !bound.writes {
            return Err(Error::shape(None, format!("the shader writes {slot}, and the view is read-only")));
        }
        if !view.layout.is_dense() {
            let text = format!("{slot} is bound to a section with gaps between its rows; bind whole rows or a copy");
            return Err(Error::shape(None, text));
        }
        let (have, need) = (bytes_of(&bound.argument), kernel.types().size(ty));
        if have < need {
            let text = format!("{slot} has at least {need} bytes, and the view has {have}");
            return Err(Error::shape(None, text));
        }
        self.items[number] = Some(ShaderItem::View(bound));
        Ok(self)
    }

    fn set_value(mut self, number: usize, bytes: &[u8]) -> Result<Self> {
        let slot = shown(&self.slots[number]);
        if let BindingKind::Sampler { .. } = self.slots[number].kind {
            return Err(Error::shape(None, format!("{slot} is a sampler: set it with `sampler`")));
        }
        let Some((_, ParamKind::Uniform(ty))) = self.param(number) else {
            let what = match self.slots[number].kind {
                BindingKind::Texture(_) => "a texture: bind one with `texture`, or a view of texels",
                BindingKind::Buffer | BindingKind::Uniform | BindingKind::TextureSize | BindingKind::Sampler { .. } => {
                    "a storage buffer: bind a view to it"
                }
            };
            return Err(Error::shape(None, format!("{slot} is {what}")));
        };
        let (have, need) = (bytes.len() as u64, self.program.kernel().types().size(ty));
        // Of variables at one binding, the value is as long as the longest.
        let sizes = self.at_same_binding(number).into_iter().filter_map(|other| match self.param(other) {
            Some((_, ParamKind::Uniform(ty))) => Some((other, self.program.kernel().types().size(ty))),
            _ => None,
        });
        let sizes: Vec<(usize, u64)> = sizes.collect();
        let need = sizes.iter().map(|(_, size)| *size).max().unwrap_or(need);
        if have != need {
            let text = format!("{slot} has {need} bytes, and the value has {have}");
            return Err(Error::shape(None, text));
        }
        for (other, size) in sizes {
            self.items[other] = Some(ShaderItem::Bytes(bytes[..size as usize].to_vec()));
        }
        Ok(self)
    }
}

/// A variable in messages.
fn shown(slot: &ShaderBinding) -> String {
    match slot.slot {
        BindingSlot::Resource { group, binding } => format!("{group}.{binding} (`{}`)", slot.name),
        BindingSlot::Immediate => format!("`{}`", slot.name),
    }
}
