//! Turns bound captures into the arguments of a launch, and checks that they fit the kernel.
//!
//! The type of a captured value comes from two sources: the kernel has the type that
//! [`KernelType`](crate::kernel::types::KernelType) declares, the launch has the value. Rust cannot
//! check that they agree, and the trait is safe to implement; so each launch is validated before
//! compiled code dereferences a pointer. [`validate`](tilewise_ir::launch::validate()) defines the
//! rules; this file translates its errors for users of the library.

use tilewise_ir::kernel::ParamId;
use tilewise_ir::launch::{Argument, ArgumentMisfit, MisfitKind, ViewArgument, validate};
use tilewise_lower::{Binding, uniform_bytes};

use crate::kernel::macro_support::{BoundItem, LaunchBinder};
use crate::kernel::program::LoweredProgram;
use crate::memory::launch::Locked;
use crate::{Error, Result, targets::fault};

/// The arguments of the kernel's parameters, in their order, with the launch's numbers of
/// allocations. The launch holds the views.
pub(crate) fn arguments(
    program: &LoweredProgram,
    binder: LaunchBinder<'_>,
    locked: &Locked<'_>,
) -> Result<Vec<Argument>> {
    let (bindings, kernel) = (program.bindings(), program.kernel());
    let LaunchBinder { leaves, mut items, .. } = binder;
    if bindings.len() != items.len() {
        let (have, want) = (items.len(), bindings.len());
        return Err(unfit(format!("the kernel captured {want} values, and the launch was given {have}")));
    }
    let name = |param: ParamId| &kernel.params()[param.index()].name;
    let mut arguments = Vec::with_capacity(kernel.params().len());
    // Parameters are in the order of the captures, and each of them is a capture.
    for (binding, item) in bindings.iter().zip(&mut items) {
        arguments.push(match (*binding, item) {
            (Binding::Nothing, _) => continue,
            (Binding::View(_), BoundItem::View(view)) => {
                let allocation = locked.number(view);
                let mut argument = std::mem::take(&mut view.argument);
                argument.allocation = allocation;
                Argument::View(argument)
            }
            (Binding::Buffer(_), BoundItem::View(view)) => {
                // Its layout has no gaps: the dispatch has seen to that.
                let (offset, size) = (view.argument.offset, bytes_of(&view.argument));
                Argument::Buffer { allocation: locked.number(view), offset, size }
            }
            (Binding::Uniform(_), BoundItem::Bytes(bytes)) => Argument::Uniform(std::mem::take(bytes)),
            (Binding::Uniform(param), BoundItem::Value(range)) => {
                Argument::Uniform(uniform_bytes(kernel, param, &leaves[range.clone()]))
            }
            (Binding::Uniform(param), BoundItem::View(_)) => {
                return Err(unfit(format!("`{}` is a plain value to the kernel, and a view was bound", name(param))));
            }
            (Binding::View(param) | Binding::Buffer(param), BoundItem::Value(_) | BoundItem::Bytes(_)) => {
                return Err(unfit(format!("`{}` is a view to the kernel, and a plain value was bound", name(param))));
            }
        });
    }
    validate(kernel, &arguments, |allocation| locked.facts(allocation)).map_err(misfit)?;
    Ok(arguments)
}

/// The bytes of a view without gaps.
pub(crate) fn bytes_of(view: &ViewArgument) -> u64 {
    let elements = view.extent.iter().map(|&size| u64::try_from(size).unwrap_or(0)).product::<u64>();
    elements * view.claim.map_or(0, |claim| claim.element_size)
}

/// The error for users.
fn misfit(misfit: ArgumentMisfit) -> Error {
    let name = &misfit.name;
    match misfit.kind {
        MisfitKind::ElementSize(..) | MisfitKind::NotWritable => unfit(misfit.to_string()),
        MisfitKind::WrongRank(have, want) => {
            unfit(format!("`{name}` has rank {have}, and the kernel takes it to have rank {want}"))
        }
        MisfitKind::MisalignedOffset(_, atomic) | MisfitKind::MisalignedAllocation(atomic) => {
            fault::misaligned(&format!("`{name}`, a reinterpreted view,"), atomic.into())
        }
        MisfitKind::Count(..)
        | MisfitKind::Kind(_)
        | MisfitKind::NegativeExtent(_)
        | MisfitKind::NoAllocation
        | MisfitKind::OutOfAllocation(_)
        | MisfitKind::BufferSize(..)
        | MisfitKind::UniformSize(..) => fault::refused(misfit.into()),
    }
}

/// The error if a type misdeclares itself.
fn unfit(what: String) -> Error {
    let text = format!("{what}: an implementation of `KernelType` or `Bind` does not say what the type is");
    Error::UnsupportedFeature(text.into())
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::{Checked, check};
    use tilewise_ir::kernel::Kernel;
    use tilewise_ir::text::parse;

    use super::*;
    use crate::ArrayView;
    use crate::memory::launch::BoundView;

    /// Validates the arguments of a kernel with the given body, whose only parameter is `v`, for a
    /// view.
    fn fits(view_type: &str, body: &str, view: &BoundView<'_>) -> Result<()> {
        let text = format!("kernel k(v: {view_type}) rank(1) {{ {body} }}");
        let kernel: Checked<Kernel> =
            check(parse("k.kir", &text).expect("it is a kernel")).expect("it obeys the rules");
        let locked = Locked::new([view])?;
        let argument = [Argument::View(view.argument.clone())];
        validate(&kernel, &argument, |allocation| locked.facts(allocation)).map_err(misfit)
    }

    fn refused(view_type: &str, body: &str, view: &BoundView<'_>) -> String {
        fits(view_type, body, view).expect_err("it does not fit").to_string()
    }

    #[test]
    fn a_view_must_be_what_the_kernel_takes_it_for() {
        let data = [0u32; 6];
        let view = ArrayView::from_vec((2, 3), vec![0u32; 6]).expect("there is room");
        let read_only = ArrayView::read_only((2, 3), &data).expect("it fits");
        let (table, write) = ("view<u32, 2, read_write>", "v[0, 0] = 1u32;");
        assert!(fits(table, write, &view.bound()).is_ok());
        let words = "an implementation of `KernelType` or `Bind` does not say what the type is";
        let text = refused("view<u64, 2, read_write>", "v[0, 0] = 1u64;", &view.bound());
        assert!(text.contains("an element of `v` has 4 bytes, and the kernel takes it to have 8"), "{text}");
        assert!(text.contains(words), "{text}");
        let text = refused("view<u32, 1, read_write>", "v[0] = 1u32;", &view.bound());
        assert!(text.contains("`v` has rank 2, and the kernel takes it to have rank 1"), "{text}");
        let text = refused(table, write, &read_only.bound());
        assert!(text.contains("`v` is read-only, and the kernel writes to it"), "{text}");
        assert!(fits(table, "let x = v[0, 0];", &read_only.bound()).is_ok(), "it could write, and does not");
    }

    #[test]
    fn what_is_atomic_must_be_aligned_whatever_the_address_of_the_day() {
        let mut bytes = [0u8; 64];
        let view = ArrayView::new(64, &mut bytes).expect("it fits");
        let words = view.reinterpret_as::<u32>();
        let (ty, atomic, plain) = ("view<u32, 1, read_write>", "atomic_inc(v[0]);", "v[0] = 1u32;");
        assert!(refused(ty, atomic, &words.bound()).contains("need not begin at a multiple of 4 bytes"));
        assert!(fits(ty, plain, &words.bound()).is_ok());
        let own = ArrayView::<u8>::without_source(64).expect("there is room");
        assert!(fits(ty, atomic, &own.reinterpret_as::<u32>().bound()).is_ok());
        let odd = own.section(2, 8).reinterpret_as::<u32>();
        assert!(refused(ty, atomic, &odd.bound()).contains("need not begin at a multiple of 4 bytes"));
    }
}
