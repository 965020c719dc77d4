//! Kernel values as the macros make them: the closure, what it captured, and its form.
//!
//! All of a kernel value lies in one allocation: [`Bindings`] is a list that the type system knows, so that what is captured is stored beside the closure.

use std::fmt;
use std::panic::Location;
use std::sync::{Arc, OnceLock};

use super::{RustFunction, Witness};
use crate::api::domain::Domain;
use crate::api::launch::{IntoLaunch, Launch};
use crate::kernel::capture::{Bind, Capture};
use crate::kernel::program::{ClosureParts, KernelHead};
use crate::kernel::types::KernelValue;
use crate::kernel::value::Kernel;
use crate::memory::launch::BoundView;

/// What a name means inside a kernel.
#[inline]
pub fn capture<C: Capture + ?Sized>(captured: &C) -> C::Value {
    captured.capture()
}

/// What a kernel captured, in the order of its tree's captures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bindings<L>(L);

impl Bindings<()> {
    /// None yet.
    pub const NEW: Self = Bindings(());
}

impl<L> Bindings<L> {
    /// And this one.
    #[inline]
    pub fn with<C: Capture + ?Sized>(self, captured: &C) -> Bindings<(L, C::Value)> {
        Bindings((self.0, captured.capture()))
    }

    /// And this one; the value that its name has in the closure, and its type.
    #[inline]
    pub fn and<C: Capture + ?Sized>(self, captured: &C, _: Witness<C::Value>) -> (Bindings<(L, C::Value)>, C::Value) {
        (self.with(captured), captured.capture())
    }
}

/// A list of what is bound.
pub trait BindAll: Send + Sync {
    /// Adds all of it.
    fn bind_all<'b>(&'b self, to: &mut LaunchBinder<'b>);
}

impl BindAll for () {
    fn bind_all<'b>(&'b self, _: &mut LaunchBinder<'b>) {}
}

impl<L: BindAll, V: Bind> BindAll for (L, V) {
    fn bind_all<'b>(&'b self, to: &mut LaunchBinder<'b>) {
        self.0.bind_all(to);
        self.1.bind(to);
    }
}

/// Gathers what a launch binds, parameter by parameter.
#[derive(Default)]
pub struct LaunchBinder<'b> {
    /// The scalars of all plain values.
    pub(crate) leaves: Vec<u64>,
    /// The parameters.
    pub(crate) items: Vec<BoundItem<'b>>,
    /// The number of a parameter, and what in its value does not fit the 32 bits of a kernel's `usize`.
    pub(crate) beyond: Option<(usize, i128)>,
}

/// What is bound to one parameter.
pub(crate) enum BoundItem<'b> {
    /// A plain value: its scalars, from here to there in [`LaunchBinder::leaves`].
    Value(std::ops::Range<usize>),
    /// A view.
    View(BoundView<'b>),
}

impl<'b> LaunchBinder<'b> {
    /// A plain value.
    pub fn value(&mut self, value: &impl KernelValue) {
        let from = self.leaves.len();
        value.leaves(&mut self.leaves);
        self.beyond = self.beyond.or_else(|| Some((self.items.len(), value.beyond()?)));
        self.items.push(BoundItem::Value(from..self.leaves.len()));
    }

    /// A view.
    pub(crate) fn view(&mut self, view: BoundView<'b>) {
        self.items.push(BoundItem::View(view));
    }

    /// Bytes of the largest element of a view.
    pub(crate) fn largest_element(&self) -> u64 {
        let sizes = self.items.iter().map(|item| match item {
            BoundItem::View(view) => view.argument.claim.map_or(0, |claim| claim.element_size),
            BoundItem::Value(_) => 0,
        });
        sizes.max().unwrap_or(0)
    }
}

impl fmt::Debug for LaunchBinder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Binder({} parameters)", self.items.len())
    }
}

/// The parts of a kernel value, in their one allocation. (Not a function: rustc would make it anew for each kernel of a program.)
macro_rules! whole {
    ($index:ty, $closure:ident, $bindings:ident, $form:ident) => {{
        const { assert!(size_of::<G>() == 0, "the form of a kernel captures nothing") };
        let key = <KernelParts<F, L, G> as ClosureParts<$index>>::form as *const () as usize;
        let head = KernelHead { key, location: Location::caller(), program: OnceLock::new() };
        Arc::new(KernelParts { closure: $closure, bindings: $bindings.0, form: $form, head })
    }};
}

/// A kernel value, whose parameter has the type of the witness. The form must depend on nothing but its type.
#[inline]
#[track_caller]
pub fn kernel<'k, I, F, L, G>(_: Witness<I>, closure: F, bindings: Bindings<L>, form: G) -> Kernel<'k, I>
where
    F: Fn(I) + Send + Sync + 'k,
    L: BindAll + 'k,
    G: Fn() -> RustFunction + Send + Sync + 'k,
{
    Kernel::new(whole!(I, closure, bindings, form))
}

/// What a kernel is launched over. (The domain is a parameter of its own: with `T::Domain` in its place, rustc reports what is no domain twice.)
#[inline]
pub fn launch<T, D>(over: T) -> Launch<D>
where
    T: IntoLaunch<Domain = D>,
    D: Domain,
{
    over.into_launch()
}

/// The same, whose parameter is what a launch over that domain gives.
#[inline]
#[track_caller]
pub fn kernel_of<'k, D, F, L, G>(
    _: &Launch<D>,
    _: Witness<D::Index>,
    closure: F,
    bindings: Bindings<L>,
    form: G,
) -> Kernel<'k, D::Index>
where
    D: Domain,
    F: Fn(D::Index) + Send + Sync + 'k,
    L: BindAll + 'k,
    G: Fn() -> RustFunction + Send + Sync + 'k,
{
    Kernel::new(whole!(D::Index, closure, bindings, form))
}

/// The parts of a kernel value.
struct KernelParts<F, L, G> {
    closure: F,
    bindings: L,
    form: G,
    head: KernelHead,
}

impl<I, F, L, G> ClosureParts<I> for KernelParts<F, L, G>
where
    F: Fn(I) + Send + Sync,
    L: BindAll,
    G: Fn() -> RustFunction + Send + Sync,
{
    fn call(&self, index: I) {
        (self.closure)(index);
    }

    fn bind<'b>(&'b self, to: &mut LaunchBinder<'b>) {
        self.bindings.bind_all(to);
    }

    /// The address of this function names the form: where two have one address, their code and so their forms are the same.
    fn form(&self) -> RustFunction {
        (self.form)()
    }

    fn head(&self) -> &KernelHead {
        &self.head
    }
}
