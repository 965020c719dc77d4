//! Kernel values as the macros make them: the closure, its captured values, and its form.
//!
//! A kernel value is one allocation: [`Bindings`] is a heterogeneous list in the type system, so
//! that the captured values are stored beside the closure.

use std::fmt;
use std::marker::PhantomData;
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

/// The value of a captured name inside a kernel.
#[inline]
pub fn capture<C: Capture + ?Sized>(captured: &C) -> C::Value {
    captured.capture()
}

/// The captured values of a kernel, in the order of its tree's captures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bindings<L>(L);

impl Bindings<()> {
    /// No values.
    pub const NEW: Self = Bindings(());
}

impl<L> Bindings<L> {
    /// Adds a value.
    #[inline]
    pub fn with<C: Capture + ?Sized>(self, captured: &C) -> Bindings<(L, C::Value)> {
        Bindings((self.0, captured.capture()))
    }

    /// Adds a value. Returns also the value that its name has in the closure; the witness gets its
    /// type.
    #[inline]
    pub fn and<C: Capture + ?Sized>(self, captured: &C, _: Witness<C::Value>) -> (Bindings<(L, C::Value)>, C::Value) {
        (self.with(captured), captured.capture())
    }
}

/// A list of bound values.
pub trait BindAll: Send + Sync {
    /// Binds all of them.
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

/// Collects the values that a launch binds, parameter by parameter.
#[derive(Default)]
pub struct LaunchBinder<'b> {
    /// The scalars of all plain values.
    pub(crate) leaves: Vec<u64>,
    /// The parameters.
    pub(crate) items: Vec<BoundItem<'b>>,
    /// The first value that does not fit in the 32 bits of a kernel's `usize`: the number of its
    /// parameter, and the value.
    pub(crate) beyond: Option<(usize, i128)>,
}

/// The value bound to one parameter.
pub(crate) enum BoundItem<'b> {
    /// A plain value: the range of its scalars in [`LaunchBinder::leaves`].
    Value(std::ops::Range<usize>),
    /// A view.
    View(BoundView<'b>),
    /// The bytes of a uniform parameter of a shader.
    #[cfg_attr(not(feature = "import"), expect(dead_code, reason = "only shaders have such parameters"))]
    Bytes(Vec<u8>),
}

impl<'b> LaunchBinder<'b> {
    /// Adds a plain value.
    pub fn value(&mut self, value: &impl KernelValue) {
        let from = self.leaves.len();
        // Most scalars have four bytes; a list that grows one by one is copied several times.
        self.leaves.reserve(size_of_val(value) / 4);
        value.leaves(&mut self.leaves);
        self.beyond = self.beyond.or_else(|| Some((self.items.len(), value.beyond()?)));
        self.items.push(BoundItem::Value(from..self.leaves.len()));
    }

    /// Adds a view.
    pub(crate) fn view(&mut self, view: BoundView<'b>) {
        self.items.push(BoundItem::View(view));
    }

    /// Adds the bytes of a uniform parameter.
    #[cfg(feature = "import")]
    pub(crate) fn bytes(&mut self, bytes: Vec<u8>) {
        self.items.push(BoundItem::Bytes(bytes));
    }

    /// Size in bytes of the largest element of a view.
    pub(crate) fn largest_element(&self) -> u64 {
        let sizes = self.items.iter().map(|item| match item {
            BoundItem::View(view) => view.argument.claim.map_or(0, |claim| claim.element_size),
            BoundItem::Value(_) | BoundItem::Bytes(_) => 0,
        });
        sizes.max().unwrap_or(0)
    }
}

impl fmt::Debug for LaunchBinder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Binder({} parameters)", self.items.len())
    }
}

/// The parts of a kernel value, in their one allocation. (Not a function: rustc would instantiate
/// it for each kernel of a program.)
macro_rules! whole {
    ($index:ty, $closure:ident, $bindings:ident, $form:ident) => {{
        const { assert!(size_of::<G>() == 0, "the form of a kernel captures nothing") };
        let key = <KernelParts<F, L, G> as ClosureParts<$index>>::form as *const () as usize;
        let head = KernelHead { key, location: Location::caller(), program: OnceLock::new() };
        Arc::new(KernelParts { closure: $closure, bindings: $bindings.0, form: $form, head })
    }};
}

/// A kernel value, and the type of its form, which is not in the list of the program's kernels yet.
pub struct KernelWithForm<K, G> {
    kernel: K,
    form: PhantomData<fn() -> G>,
}

impl<K, G> KernelWithForm<K, G> {
    const fn new(kernel: K) -> Self {
        KernelWithForm { kernel, form: PhantomData }
    }

    /// The kernel, which stays out of the list.
    #[inline]
    pub fn unregistered(self) -> K {
        self.kernel
    }
}

impl<K, G> fmt::Debug for KernelWithForm<K, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KernelWithForm")
    }
}

/// A kernel value whose parameter has the type of the witness. The form must depend on nothing but
/// its type.
#[inline]
#[track_caller]
pub fn kernel<'k, I, F, L, G>(
    _: Witness<I>,
    closure: F,
    bindings: Bindings<L>,
    form: G,
) -> KernelWithForm<Kernel<'k, I>, G>
where
    F: Fn(I) + Send + Sync + 'k,
    L: BindAll + 'k,
    G: Fn() -> RustFunction + Send + Sync + 'k,
{
    KernelWithForm::new(Kernel::new(whole!(I, closure, bindings, form)))
}

/// A launch over a domain or as described by a `Launch`. (The domain is a type parameter of its
/// own: with `T::Domain` in its place, rustc reports a type that is no domain twice.)
#[inline]
pub fn launch<T, D>(over: T) -> Launch<D>
where
    T: IntoLaunch<Domain = D>,
    D: Domain,
{
    over.into_launch()
}

/// Like [`kernel`], with the index type of the launch's domain as the parameter.
#[inline]
#[track_caller]
pub fn kernel_of<'k, D, F, L, G>(
    _: &Launch<D>,
    _: Witness<D::Index>,
    closure: F,
    bindings: Bindings<L>,
    form: G,
) -> KernelWithForm<Kernel<'k, D::Index>, G>
where
    D: Domain,
    F: Fn(D::Index) + Send + Sync + 'k,
    L: BindAll + 'k,
    G: Fn() -> RustFunction + Send + Sync + 'k,
{
    KernelWithForm::new(Kernel::new(whole!(D::Index, closure, bindings, form)))
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

    /// The address of this function identifies the form: if two instances have one address, their
    /// code is the same, and so are their forms.
    fn form(&self) -> RustFunction {
        (self.form)()
    }

    fn head(&self) -> &KernelHead {
        &self.head
    }
}
