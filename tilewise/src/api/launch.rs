//! Launches: [`parallel_for_each`] and [`Launch`], from a domain and a kernel to the target's
//! outcome.

use std::panic::Location;
use std::sync::Arc;

use tilewise_ir::diag::Code;
use tilewise_ir::stack::with_bytes;
use tilewise_trace::{SpanKind, span};

use crate::api::accelerator::{Accelerator, AcceleratorView, DeviceKind, FloatMode};
use crate::api::domain::{self, Domain};
use crate::api::report::Shape;
use crate::api::shape::{Extent, TiledExtent};
use crate::kernel::macro_support::{BoundItem, LaunchBinder};
use crate::kernel::program::LoweredProgram;
use crate::kernel::value::Kernel;
use crate::memory::AllocationSource;
use crate::memory::launch::{BoundView, Locked};
use crate::targets::arguments::arguments;
use crate::targets::native::running;
use crate::{
    Error, Result, api::printed, targets::fault, targets::jit, targets::native, targets::on_gpu, targets::reference,
};

/// Runs the kernel for every index of the domain, on the default accelerator. The macro of this
/// name takes a closure in place of the kernel.
///
/// On the CPU it returns when the launch is complete; on a GPU the launch is queued, and an error
/// may be returned by the next `wait`, `synchronize` or host access.
///
/// ```
/// use tilewise::{ArrayView, Index, kernel, parallel_for_each};
/// let view = ArrayView::from_vec((2, 2), vec![0; 4])?;
/// let number = kernel!(|i: Index<2>| view[i] = i[0] * 10 + i[1]);
/// parallel_for_each(view.extent(), &number)?;
/// assert_eq!(view.to_vec()?, [0, 1, 10, 11]);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub fn parallel_for_each<D: Domain>(domain: D, kernel: &Kernel<'_, D::Index>) -> Result<()> {
    Launch::new(domain).run(kernel).map(drop)
}

impl AcceleratorView {
    /// Launches on this view.
    pub fn parallel_for_each<D: Domain>(&self, domain: D, kernel: &Kernel<'_, D::Index>) -> Result<()> {
        Launch::new(domain).on(self).run(kernel).map(drop)
    }
}

/// A launch with its options:
/// `Launch::new(extent).on(&av).float_mode(FloatMode::Relaxed).run(&kernel)?`; the macro takes it
/// in place of the domain.
///
/// ```
/// use tilewise::{Accelerator, ArrayView, FloatMode, Launch, parallel_for_each};
/// let jit = Accelerator::new("jit")?.default_view();
/// let view = ArrayView::from_vec(3, vec![1.0f32, 2.0, 3.0])?;
/// let launch = Launch::new(view.extent()).on(&jit).float_mode(FloatMode::Strict);
/// parallel_for_each!(launch, |i| view[i] = view[i] / 4.0)?;
/// assert_eq!(view.to_vec()?, [0.25, 0.5, 0.75]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[must_use]
#[derive(Clone, Debug)]
pub struct Launch<D> {
    domain: D,
    target: Option<AcceleratorView>,
    float_mode: Option<FloatMode>,
}

/// Stack bytes for a launch of a kernel that is compiled already; functions that need more request
/// it.
pub(crate) const STACK: usize = 256 << 10;

impl<D: Domain> Launch<D> {
    /// A launch over a domain with default options.
    pub fn new(domain: D) -> Self {
        Launch { domain, target: None, float_mode: None }
    }

    /// Launches on this accelerator view.
    pub fn on(self, target: &AcceleratorView) -> Self {
        Launch { target: Some(target.clone()), ..self }
    }

    /// Overrides the accelerator view's float mode.
    pub fn float_mode(self, mode: FloatMode) -> Self {
        Launch { float_mode: Some(mode), ..self }
    }

    /// Runs the launch, for the macro.
    #[doc(hidden)]
    pub fn go(self, kernel: &Kernel<'_, D::Index>) -> Result<()> {
        self.run(kernel).map(drop)
    }

    /// Runs the launch. Returns the float mode that it used.
    pub fn run(self, kernel: &Kernel<'_, D::Index>) -> Result<FloatMode> {
        fault::with_stacks(|| with_bytes(STACK, || self.run_here(kernel)))
    }

    fn run_here(self, kernel: &Kernel<'_, D::Index>) -> Result<FloatMode> {
        printed::open_trace();
        if running::inside() {
            return Err(Error::UnsupportedFeature("a kernel cannot launch a kernel".into()));
        }
        let components = self.domain.components();
        if let Some((dimension, message)) = domain::fault(&components, self.domain.tile().as_deref()) {
            let message = format!("{message}, for the kernel at {}", kernel.location());
            return Err(Error::InvalidComputeDomain(Box::new(Shape { message, dimension })));
        }
        let mut binder = LaunchBinder::default();
        kernel.parts().bind(&mut binder);
        let target = match &self.target {
            Some(target) if !target.is_auto_selection() => target.clone(),
            _ => match of_arrays(&binder, kernel.location(), || LoweredProgram::of(kernel.parts()).ok())? {
                Some(target) => target,
                None => Accelerator::auto_selection_view().chosen()?,
            },
        };
        let _launch = span(SpanKind::Launch, || format!("{} on {}", kernel.location(), target.accelerator()));
        let mode = self.float_mode.unwrap_or(target.float_mode());
        // Every mode permits strict results, and all targets except compiled code are always
        // strict.
        let mut got = FloatMode::Strict;
        match target.accelerator().device() {
            DeviceKind::Cpu => return Err(fault::not_on(target.accelerator())),
            DeviceKind::Native => on_native(self.domain, kernel, binder, &target)?,
            DeviceKind::Reference | DeviceKind::Jit | DeviceKind::Gpu(_) => {
                let program = LoweredProgram::of(kernel.parts())?;
                got = run_program(&program, kernel.location(), &components, binder, &target, mode)?;
            }
        }
        Ok(got)
    }
}

/// Runs a program on a target that takes programs: all but `native`, which takes closures. Returns
/// the float mode that it used.
pub(crate) fn run_program(
    program: &Arc<LoweredProgram>,
    location: &Location<'_>,
    components: &[i32],
    binder: LaunchBinder<'_>,
    target: &AcceleratorView,
    mode: FloatMode,
) -> Result<FloatMode> {
    match target.accelerator().device() {
        DeviceKind::Cpu => Err(fault::not_on(target.accelerator())),
        DeviceKind::Native => {
            Err(Error::UnsupportedFeature("`native` runs closures of Rust, and this has none".into()))
        }
        DeviceKind::Reference => {
            on_reference(components, program, binder, target)?;
            Ok(FloatMode::Strict)
        }
        DeviceKind::Jit => on_jit(components, program, location, binder, target, mode),
        DeviceKind::Gpu(number) => on_gpu::run(components, program, binder, target, (number, mode)),
    }
}

/// Prepares bound items for a launch: a view is locked for writing only if the kernel writes it. A
/// rejected launch changes nothing.
pub(crate) fn settle(
    binder: &mut LaunchBinder<'_>,
    program: Option<&LoweredProgram>,
    target: &AcceleratorView,
) -> Result<()> {
    if let Some((number, value)) = binder.beyond {
        let name = program
            .and_then(|program| program.name(number))
            .map_or("a captured value".into(), |name| format!("`{name}`"));
        let text =
            format!("{name} holds {value}: `usize` and `isize` have 32 bits in a kernel; capture an `i64` or `u64`");
        return Err(Error::UnsupportedFeature(text.into()));
    }
    for (number, item) in binder.items.iter_mut().enumerate() {
        match item {
            BoundItem::View(view) => {
                view.writes &= program.is_none_or(|program| program.writes(number));
                at_its_place(view, target, program.and_then(|program| program.name(number)))?;
            }
            BoundItem::Value(_) | BoundItem::Bytes(_) => {}
        }
    }
    Ok(())
}

/// Checks that a launch on `target` may use a view: host memory may go to any device; an array
/// stays on its accelerator, where every queue reaches it.
fn at_its_place(view: &BoundView<'_>, target: &AcceleratorView, name: Option<&str>) -> Result<()> {
    let AllocationSource::Array(placement) = &view.handle.source else { return Ok(()) };
    let (lives, runs) = (placement.view.accelerator(), target.accelerator());
    if lives == runs {
        return Ok(());
    }
    let what = name.map(|name| format!("`{name}`, ")).unwrap_or_default();
    let kind = if view.argument.texels.is_some() { "a texture" } else { "an array" };
    let text = format!(
        "{what}{kind} of the accelerator `{lives}`, cannot be used by a launch on `{runs}`: launch there with {}",
        copy_of(view, name)
    );
    Err(Error::Accelerator(text.into()))
}

/// How to have an array or a texture elsewhere.
fn copy_of(view: &BoundView<'_>, name: Option<&str>) -> String {
    let (of, name) = match view.argument.texels {
        Some(_) => ("Texture", name.unwrap_or("texture")),
        None => ("Array", name.unwrap_or("array")),
    };
    // What has no levels is only written, or is a shader's: no source of a copy.
    if view.argument.texels.is_some() && view.argument.levels.is_empty() {
        return format!("a texture that is made there, `{of}::builder({name}.extent()).on(&view).build()?`");
    }
    format!("a copy, `{of}::builder({name}.extent()).on(&view).build_from(&{name})?`")
}

/// The queue of the captured arrays, if there are any. It is an error if they disagree. `program` gives the names.
fn of_arrays(
    binder: &LaunchBinder<'_>,
    location: &Location<'_>,
    program: impl FnOnce() -> Option<Arc<LoweredProgram>>,
) -> Result<Option<AcceleratorView>> {
    let mut found: Option<(usize, &BoundView<'_>, &AcceleratorView)> = None;
    for (number, item) in binder.items.iter().enumerate() {
        let BoundItem::View(view) = item else { continue };
        let AllocationSource::Array(placement) = &view.handle.source else { continue };
        if !view.handle.is_array() {
            continue;
        }
        match found {
            Some((first_number, first_view, first)) if *first != placement.view => {
                let (first, other) = (first.accelerator(), placement.view.accelerator());
                let text = if first == other {
                    format!(
                        "the kernel at {location} captures {} of several accelerator views, all of `{first}`: name the view to launch on",
                        kinds_of(first_view, view)
                    )
                } else {
                    let program = program();
                    let named = |number| program.as_deref().and_then(|program| program.name(number));
                    let shown = |number| named(number).map_or("one".to_owned(), |name| format!("`{name}`"));
                    format!(
                        "the kernel at {location} captures {} of several accelerators, {} of `{first}` and {} of `{other}`: give it {} on `{first}`",
                        kinds_of(first_view, view),
                        shown(first_number),
                        shown(number),
                        copy_of(view, named(number))
                    )
                };
                return Err(Error::Accelerator(text.into()));
            }
            _ => found = Some((number, view, &placement.view)),
        }
    }
    Ok(found.map(|(_, _, view)| view.clone()))
}

/// What two captures are.
fn kinds_of(first: &BoundView<'_>, second: &BoundView<'_>) -> &'static str {
    match (first.argument.texels.is_some(), second.argument.texels.is_some()) {
        (true, true) => "textures",
        (false, false) => "arrays",
        (true, false) | (false, true) => "arrays and textures",
    }
}

/// Locks the regions of all views at once, for a launch on `target`. A view without a source starts
/// on the target that first uses it.
pub(crate) fn lock<'k>(binder: &LaunchBinder<'k>, target: &AcceleratorView) -> Result<Locked<'k>> {
    let views = || {
        binder.items.iter().filter_map(|item| match item {
            BoundItem::View(view) => Some(view),
            BoundItem::Value(_) | BoundItem::Bytes(_) => None,
        })
    };
    let locked = Locked::new(views())?;
    views().for_each(|view| view.handle.touched_by(|| target.clone()));
    Ok(locked)
}

/// Locks for a target that works in host memory, with the newest contents there. Returns the errors
/// of launches that wrote data which the kernel reads or writes.
fn lock_at_home<'k>(binder: &LaunchBinder<'k>, target: &AcceleratorView) -> Result<Locked<'k>> {
    loop {
        for item in &binder.items {
            if let BoundItem::View(view) = item {
                view.handle.tell(&view.region)?;
            }
        }
        let locked = lock(binder, target)?;
        locked.at_home()?;
        if !locked.has_failed() {
            return Ok(locked);
        }
    }
}

fn on_native<D: Domain>(
    domain: D,
    kernel: &Kernel<'_, D::Index>,
    mut binder: LaunchBinder<'_>,
    target: &AcceleratorView,
) -> Result<()> {
    let mut watch = target.watch();
    // What no other target runs, this one does not run either. Where the macros' own code is broken, which
    // is no mistake of the kernel, the closure may help to see why.
    let program = match LoweredProgram::of(kernel.parts()) {
        Err(Error::Kernel(found)) if found.codes.iter().all(|code| *code == Code::K0701.name()) => None,
        built => Some(built?),
    };
    let largest = binder.largest_element();
    native::takes_elements(largest)?;
    settle(&mut binder, program.as_deref(), target)?;
    let locked = lock_at_home(&binder, target)?;
    if let Some(program) = &program {
        // The closure has its own copies of the views; what a program is refused, it is too.
        arguments(program, binder, &locked)?;
    }
    watch.begin();
    let call = |index: D::Index| locked.inside(|| kernel.parts().call(index));
    let limits = watch.clone();
    let mut ended = native::run(domain, &call, largest, Arc::new(move || limits.is_over()));
    drop(locked);
    let (lines, lost) = (std::mem::take(&mut ended.printed), ended.lost);
    printed::deliver_before(fault::of_native(ended, kernel.location(), &domain, &watch), &lines, lost)
}

fn on_reference(
    components: &[i32],
    program: &LoweredProgram,
    mut binder: LaunchBinder<'_>,
    target: &AcceleratorView,
) -> Result<()> {
    let mut watch = target.watch();
    settle(&mut binder, Some(program), target)?;
    let mut locked = lock_at_home(&binder, target)?;
    watch.begin();
    let outcome = reference::run(program, components, binder, &mut locked, target.checks(), &|| watch.is_over())?;
    drop(locked);
    let result = fault::of_outcome(&outcome, program, components, &|| watch.reason());
    printed::deliver_before(result, &outcome.printed, outcome.lost)
}

fn on_jit(
    components: &[i32],
    program: &LoweredProgram,
    location: &Location<'_>,
    mut binder: LaunchBinder<'_>,
    target: &AcceleratorView,
    mode: FloatMode,
) -> Result<FloatMode> {
    let mut watch = target.watch();
    settle(&mut binder, Some(program), target)?;
    let locked = lock_at_home(&binder, target)?;
    watch.begin();
    let how = jit::JitLaunch { engine: target.engine(), watch: &watch, mode };
    let (outcome, mode) = jit::run(program, location, components, binder, &locked, &how)?;
    drop(locked);
    let result = fault::of_outcome(&outcome, program, components, &|| watch.reason());
    printed::deliver_before(result, &outcome.printed, outcome.lost)?;
    Ok(mode)
}

/// The macro's argument before the closure: a domain, an accelerator view with a domain, or a
/// `Launch`.
///
/// ```
/// use tilewise::{Accelerator, ArrayView, Domain, IntoLaunch, Launch, Result, parallel_for_each};
/// fn on_jit<L: IntoLaunch>(what: L) -> Result<Launch<L::Domain>> {
///     Ok(what.into_launch().on(&Accelerator::new("jit")?.default_view()))
/// }
/// let view = ArrayView::from_vec(3, vec![0; 3])?;
/// parallel_for_each!(on_jit(view.extent())?, |i| view[i] = i[0] + 1)?;
/// assert_eq!(view.to_vec()?, [1, 2, 3]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a compute domain",
    label = "not a compute domain",
    note = "launch over an extent: that of a view, `view.extent()`, one of numbers, `Extent([4, 6])`, or its tiles, `extent.tile::<2, 2>()`"
)]
pub trait IntoLaunch {
    /// Its domain.
    type Domain: Domain;

    /// Converts it to a launch; a plain domain gets default options.
    fn into_launch(self) -> Launch<Self::Domain>;
}

// One impl per domain instead of one for all `D: Domain`, so that rustc names the domain in its
// errors, and only once.
#[diagnostic::do_not_recommend]
impl<const N: usize> IntoLaunch for Extent<N> {
    type Domain = Self;

    fn into_launch(self) -> Launch<Self> {
        Launch::new(self)
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> IntoLaunch for TiledExtent<N, D0, D1, D2> {
    type Domain = Self;

    fn into_launch(self) -> Launch<Self> {
        Launch::new(self)
    }
}

#[diagnostic::do_not_recommend]
impl<D: Domain> IntoLaunch for Launch<D> {
    type Domain = D;

    fn into_launch(self) -> Launch<D> {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<D: Domain> IntoLaunch for (&AcceleratorView, D) {
    type Domain = D;

    fn into_launch(self) -> Launch<D> {
        Launch::new(self.1).on(self.0)
    }
}

#[diagnostic::do_not_recommend]
impl<D: Domain> IntoLaunch for (AcceleratorView, D) {
    type Domain = D;

    fn into_launch(self) -> Launch<D> {
        Launch::new(self.1).on(&self.0)
    }
}
