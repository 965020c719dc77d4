//! Launches: [`parallel_for_each`] and [`Launch`], from a domain and a kernel to a target and back.

use crate::accelerator::{Accelerator, AcceleratorView, Device, FloatMode};
use crate::domain::{self, Domain};
use crate::form::{Binder, Item};
use crate::home::launch::Locked;
use crate::kernel::Kernel;
use crate::native::here;
use crate::program::Program;
use crate::report::Shape;
use crate::shape::{Extent, TiledExtent};
use crate::{Error, Result, fault, jit, native, printed, reference};

/// Runs the kernel for every index of the domain, on the default accelerator. The macro of this name takes a closure in place of the kernel.
///
/// It is done when this returns, on every device of today.
pub fn parallel_for_each<D: Domain>(domain: D, kernel: &Kernel<'_, D::Index>) -> Result<()> {
    Launch::new(domain).run(kernel).map(drop)
}

/// A launch with its options: `Launch::new(extent).on(&av).float_mode(FloatMode::Relaxed).run(&kernel)?`; the macro takes it in the domain's place.
#[must_use]
#[derive(Clone, Debug)]
pub struct Launch<D> {
    domain: D,
    target: Option<AcceleratorView>,
    float_mode: Option<FloatMode>,
}

impl<D: Domain> Launch<D> {
    /// Over a domain, all defaults.
    pub fn new(domain: D) -> Self {
        Launch { domain, target: None, float_mode: None }
    }

    /// On this accelerator view.
    pub fn on(self, target: &AcceleratorView) -> Self {
        Launch { target: Some(target.clone()), ..self }
    }

    /// Other than the accelerator view's.
    pub fn float_mode(self, mode: FloatMode) -> Self {
        Launch { float_mode: Some(mode), ..self }
    }

    /// Goes.
    #[doc(hidden)]
    pub fn go(self, kernel: &Kernel<'_, D::Index>) -> Result<()> {
        self.run(kernel).map(drop)
    }

    /// Goes; says which float mode it got.
    pub fn run(self, kernel: &Kernel<'_, D::Index>) -> Result<FloatMode> {
        if here::inside() {
            return Err(Error::UnsupportedFeature("a kernel cannot launch a kernel".into()));
        }
        let components = self.domain.components();
        if let Some((dimension, message)) = domain::fault(&components, self.domain.tile().as_deref()) {
            return Err(Error::InvalidComputeDomain(Box::new(Shape { message, dimension })));
        }
        let target = match &self.target {
            Some(target) => target.chosen()?,
            None => Accelerator::auto_selection_view().chosen()?,
        };
        let mode = self.float_mode.unwrap_or(target.float_mode());
        // Every mode allows to compute strictly, and all but compiled code does.
        let mut got = FloatMode::Strict;
        match target.accelerator().device() {
            Device::Cpu => return Err(not_on(target.accelerator())),
            Device::Native => on_native(self.domain, kernel, &target)?,
            Device::Reference => on_reference(&components, kernel, &target)?,
            Device::Jit => got = on_jit(&components, kernel, &target, mode)?,
        }
        Ok(got)
    }
}

/// The error of a launch on a device that runs nothing.
pub(crate) fn not_on(accelerator: &Accelerator) -> Error {
    let description = accelerator.description();
    let text = format!("parallel_for_each is not supported on the selected accelerator \"{description}\".");
    Error::Accelerator(text.into())
}

/// What is bound, with the views taken for writing only if the kernel writes them.
fn bind<'k, I>(kernel: &'k Kernel<'_, I>, program: Option<&Program>) -> Result<Binder<'k>> {
    let mut binder = Binder::default();
    kernel.parts().bind(&mut binder);
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
            Item::View(view) => view.writable &= program.is_none_or(|program| program.writes(number)),
            Item::Value(_) => {}
        }
    }
    Ok(binder)
}

/// Takes the regions of all views at once.
fn lock<'k>(binder: &Binder<'k>) -> Result<Locked<'k>> {
    let views = binder.items.iter().filter_map(|item| match item {
        Item::View(view) => Some(view),
        Item::Value(_) => None,
    });
    Locked::new(views).map_err(Error::Borrowed)
}

fn on_native<D: Domain>(domain: D, kernel: &Kernel<'_, D::Index>, target: &AcceleratorView) -> Result<()> {
    // A closure runs whether or not it has a kernel form.
    let program = Program::of(kernel.parts()).ok();
    let locked = lock(&bind(kernel, program.as_deref())?)?;
    let watch = target.watch();
    let call = |index: D::Index| locked.inside(|| kernel.parts().call(index));
    let ended = native::run(domain, &call, &|| watch.is_over());
    drop(locked);
    printed::deliver(&ended.printed, ended.lost);
    fault::of_native(ended, &domain, &watch)
}

fn on_reference<I>(components: &[i32], kernel: &Kernel<'_, I>, target: &AcceleratorView) -> Result<()> {
    let program = Program::of(kernel.parts())?;
    let binder = bind(kernel, Some(&program))?;
    let locked = lock(&binder)?;
    let watch = target.watch();
    let outcome = reference::run(&program, components, &binder, &locked, target.checks(), &|| watch.is_over())?;
    drop(locked);
    printed::deliver(&outcome.printed, outcome.lost);
    fault::of_outcome(&outcome, &program, components, &watch)
}

fn on_jit<I>(
    components: &[i32],
    kernel: &Kernel<'_, I>,
    target: &AcceleratorView,
    mode: FloatMode,
) -> Result<FloatMode> {
    let program = Program::of(kernel.parts())?;
    let binder = bind(kernel, Some(&program))?;
    let locked = lock(&binder)?;
    let watch = target.watch();
    let how = jit::How { engine: target.engine(), watch: &watch, mode };
    let (outcome, mode) = jit::run(&program, kernel.location(), components, &binder, &locked, &how)?;
    drop(locked);
    printed::deliver(&outcome.printed, outcome.lost);
    fault::of_outcome(&outcome, &program, components, &watch)?;
    Ok(mode)
}

/// What the macro accepts before the closure: a domain, an accelerator view with a domain, or a `Launch`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a compute domain",
    label = "not a compute domain",
    note = "launch over an extent, `view.extent()` or `Extent([4, 6])`, or over its tiles, `extent.tile::<2, 2>()`"
)]
pub trait IntoLaunch {
    /// Its domain.
    type Domain: Domain;

    /// With all defaults, when it is a domain.
    fn into_launch(self) -> Launch<Self::Domain>;
}

// One for each domain rather than one for all `D: Domain`, so that rustc speaks of what is launched over, and once.
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
