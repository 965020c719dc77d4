//! Whether what was bound is what the kernel was built for.
//!
//! What a captured value *is* comes from two sides: the kernel has the type that [`KernelType`](crate::types::KernelType) tells, the launch has the value. Rust cannot see that they agree, and the
//! trait is safe to implement; so a launch asks here before compiled code follows a pointer.

use tilewise_ir::kernel::{Kernel, ParamId, ParamKind};
use tilewise_ir::lower::Binding;
use tilewise_ir::types::round_up;

use crate::form::{Binder, Item};
use crate::home::launch::BoundView;
use crate::program::Program;
use crate::{Error, Result};

/// What a kernel needs of a parameter.
#[derive(Debug)]
pub(crate) enum Need {
    /// A view.
    View {
        /// Bytes of an element.
        element: u64,
        /// Dimensions.
        rank: usize,
        /// The kernel may write through it.
        written: bool,
        /// Bytes of the largest scalar that is changed by atomic operations; 0 for none.
        atomic: u64,
    },
    /// A plain value.
    Value,
}

/// What a kernel needs of its parameters; `written` and `atomic` have an entry for each.
pub(crate) fn needs(kernel: &Kernel, written: &[bool], atomic: &[u32]) -> Vec<Need> {
    let types = kernel.types();
    let need = |(param, (&written, &atomic)): (&tilewise_ir::kernel::Param, (&bool, &u32))| match param.kind {
        ParamKind::View(view) => Need::View {
            element: round_up(types.size(view.element), types.align(view.element)),
            rank: view.rank as usize,
            written,
            atomic: atomic.into(),
        },
        ParamKind::Uniform(_) | ParamKind::Buffer { .. } => Need::Value,
    };
    kernel.params().iter().zip(written.iter().zip(atomic)).map(need).collect()
}

/// What is bound to the kernel's parameters, in their order, each as the kernel needs it.
pub(crate) fn fitting<'p, 'b, 'k>(
    program: &'p Program,
    binder: &'b Binder<'k>,
) -> Result<impl Iterator<Item = (ParamId, &'b Item<'k>)> + use<'p, 'b, 'k>> {
    if program.bindings().len() != binder.items.len() {
        let (have, want) = (binder.items.len(), program.bindings().len());
        return Err(unfit(format!("the kernel captured {want} values, and the launch was given {have}")));
    }
    // Parameters come in the order of the captures, and each of them is one of those.
    let bound = || {
        program.bindings().iter().zip(&binder.items).filter_map(|(binding, item)| match *binding {
            Binding::Nothing => None,
            Binding::View(param) | Binding::Uniform(param) => Some((param, item)),
        })
    };
    for (param, item) in bound() {
        let name = || &program.kernel().params()[param.index()].name;
        match (&program.needs()[param.index()], item) {
            (Need::Value, Item::Value(_)) => {}
            (need @ Need::View { .. }, Item::View(view)) => view_fits(name(), need, view)?,
            (Need::Value, Item::View(_)) => {
                return Err(unfit(format!("`{}` is a plain value to the kernel, and a view was bound", name())));
            }
            (Need::View { .. }, Item::Value(_)) => {
                return Err(unfit(format!("`{}` is a view to the kernel, and a plain value was bound", name())));
            }
        }
    }
    Ok(bound())
}

fn view_fits(name: &str, need: &Need, view: &BoundView<'_>) -> Result<()> {
    let &Need::View { element, rank, written, atomic } = need else { return Ok(()) };
    if element != view.element {
        let have = view.element;
        return Err(unfit(format!(
            "an element of `{name}` has {have} bytes, and the kernel takes it to have {element}"
        )));
    }
    if rank != view.extent.len() {
        let have = view.extent.len();
        return Err(unfit(format!("`{name}` has rank {have}, and the kernel takes it to have rank {rank}")));
    }
    if written && !view.writable {
        return Err(unfit(format!("`{name}` is read-only, and the kernel writes to it")));
    }
    if atomic > 0 && !view.region.is_empty() && !view.handle.memory.aligns(view.offset, atomic) {
        return Err(crate::view::misaligned(&format!("`{name}`, a reinterpreted view,"), atomic));
    }
    Ok(())
}

/// A type says something of itself that is not so.
fn unfit(what: String) -> Error {
    let text = format!("{what}: an implementation of `KernelType` or `Bind` does not say what the type is");
    Error::UnsupportedFeature(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ArrayView;

    fn need() -> Need {
        Need::View { element: 4, rank: 2, written: true, atomic: 0 }
    }

    fn refused(need: &Need, view: &BoundView<'_>) -> String {
        view_fits("v", need, view).expect_err("it does not fit").to_string()
    }

    #[test]
    fn a_view_must_be_what_the_kernel_takes_it_for() {
        let data = [0u32; 6];
        let view = ArrayView::from_vec((2, 3), vec![0u32; 6]).expect("there is room");
        let read_only = ArrayView::read_only((2, 3), &data).expect("it fits");
        assert!(view_fits("v", &need(), &view.bound()).is_ok());
        let words = "an implementation of `KernelType` or `Bind` does not say what the type is";
        let larger = Need::View { element: 8, rank: 2, written: true, atomic: 0 };
        let text = refused(&larger, &view.bound());
        assert!(text.contains("an element of `v` has 4 bytes, and the kernel takes it to have 8"), "{text}");
        assert!(text.contains(words), "{text}");
        let flat = Need::View { element: 4, rank: 1, written: true, atomic: 0 };
        assert!(refused(&flat, &view.bound()).contains("`v` has rank 2"));
        assert!(refused(&need(), &read_only.bound()).contains("`v` is read-only, and the kernel writes to it"));
        let read = Need::View { element: 4, rank: 2, written: false, atomic: 0 };
        assert!(view_fits("v", &read, &read_only.bound()).is_ok());
    }

    #[test]
    fn what_is_atomic_must_be_aligned_whatever_the_address_of_the_day() {
        let mut bytes = [0u8; 64];
        let view = ArrayView::new(64, &mut bytes).expect("it fits");
        let words = view.reinterpret_as::<u32>();
        let atomic = Need::View { element: 4, rank: 1, written: true, atomic: 4 };
        let plain = Need::View { element: 4, rank: 1, written: true, atomic: 0 };
        assert!(refused(&atomic, &words.bound()).contains("need not begin at a multiple of 4 bytes"));
        assert!(view_fits("v", &plain, &words.bound()).is_ok());
        let own = ArrayView::<u8>::without_source(64).expect("there is room").reinterpret_as::<u32>();
        assert!(view_fits("v", &atomic, &own.bound()).is_ok());
    }
}
