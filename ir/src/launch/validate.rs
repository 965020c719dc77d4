//! [`validate()`]: checks that arguments fit a kernel's parameters and lie within their
//! allocations. No other code decides this.
//!
//! Every target calls it before it dereferences a pointer or queues any work, so a target is sound
//! whoever made the arguments. The library calls it too: its types make claims about views that no
//! target can see ([`ViewClaim`](super::ViewClaim)), and the alignment rules are the same on all
//! accelerators.

use std::fmt;

use super::{Argument, Refusal, ViewArgument};
use crate::check::Checked;
use crate::kernel::{Kernel, Param, ParamKind};
use crate::types::ViewType;

/// Facts about an allocation that validation needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AllocationFacts {
    /// Number of bytes.
    pub size: u64,
    /// A power of two that divides the address of the first byte.
    pub alignment: u64,
}

impl AllocationFacts {
    /// Facts for an allocation that is addressed by offset only, as in the interpreter: only an
    /// offset can be misaligned.
    pub fn of_offsets(size: u64) -> AllocationFacts {
        AllocationFacts { size, alignment: 1 << 63 }
    }

    /// Facts for an allocation at an address.
    pub fn at_address(address: u64, size: u64) -> AllocationFacts {
        AllocationFacts { size, alignment: 1 << address.trailing_zeros().min(63) }
    }
}

/// Why an argument does not fit its parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgumentMisfit {
    /// The name of the parameter; for [`MisfitKind::Count`], of the kernel.
    pub name: String,
    /// The mismatch.
    pub kind: MisfitKind,
}

/// The kinds of [`ArgumentMisfit`]. The property of the argument comes first, that of the parameter
/// second.
///
/// No kind shares its name with a type of the library (`Rank`, `ReadOnly`), because rustc would
/// then print the full path of that type in messages to users.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MisfitKind {
    /// The numbers of arguments and of parameters.
    Count(usize, usize),
    /// The parameter is of this kind, the argument of another.
    Kind(&'static str),
    /// Bytes of an element of the view, as its maker claims and as the kernel declares.
    ElementSize(u64, u64),
    /// The ranks of the view and of the parameter.
    WrongRank(usize, u32),
    /// The view is claimed to be read-only, but the kernel writes it.
    NotWritable,
    /// The negative extent of a dimension of the view.
    NegativeExtent(i32),
    /// The launch has no such allocation.
    NoAllocation,
    /// The argument exceeds its allocation, which has this many bytes.
    OutOfAllocation(u64),
    /// Bytes of the buffer, and bytes that the kernel needs.
    BufferSize(u64, u64),
    /// Bytes of the uniform, and bytes of its type.
    UniformSize(u64, u64),
    /// The argument's offset, and the bytes of the largest scalar in it that the kernel changes
    /// atomically, which must divide the offset.
    MisalignedOffset(u64, u32),
    /// The offset is a multiple of this many bytes, but the allocation's address may not be.
    MisalignedAllocation(u32),
}

impl fmt::Display for ArgumentMisfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.kind {
            MisfitKind::Count(have, want) => write!(f, "the kernel `{name}` has {want} parameters, {have} were bound"),
            MisfitKind::Kind(kind) => write!(f, "`{name}` is a {kind}, and something else was bound to it"),
            MisfitKind::ElementSize(have, want) => {
                write!(f, "an element of `{name}` has {have} bytes, and the kernel takes it to have {want}")
            }
            MisfitKind::WrongRank(have, want) => {
                write!(f, "`{name}` is a view of rank {want}, the one bound has rank {have}")
            }
            MisfitKind::NotWritable => write!(f, "`{name}` is read-only, and the kernel writes to it"),
            MisfitKind::NegativeExtent(extent) => write!(f, "`{name}`: an extent of {extent} is negative"),
            MisfitKind::NoAllocation => {
                write!(f, "`{name}` lies in a piece of memory that the launch does not have")
            }
            MisfitKind::OutOfAllocation(have) => write!(f, "`{name}` reaches beyond the {have} bytes of its memory"),
            MisfitKind::BufferSize(have, want) => {
                write!(f, "`{name}` needs at least {want} bytes, {have} were bound")
            }
            MisfitKind::UniformSize(have, want) => write!(f, "`{name}` takes {want} bytes, {have} were given"),
            MisfitKind::MisalignedOffset(offset, atomic) => write!(
                f,
                "`{name}` begins at byte {offset} of its memory: \
                 what is changed by atomic operations on {atomic} bytes begins at a multiple of {atomic}"
            ),
            MisfitKind::MisalignedAllocation(atomic) => write!(
                f,
                "`{name}` begins at an address that is no multiple of {atomic}: \
                 what is changed by atomic operations on {atomic} bytes begins at one"
            ),
        }
    }
}

impl std::error::Error for ArgumentMisfit {}

impl From<ArgumentMisfit> for Refusal {
    fn from(misfit: ArgumentMisfit) -> Refusal {
        Refusal::BadArgument(misfit.to_string())
    }
}

/// Checks that the arguments fit the kernel's parameters and lie within their allocations.
/// `allocation` returns `None` for a number that the launch does not have.
pub fn validate(
    kernel: &Checked<Kernel>,
    arguments: &[Argument],
    allocation: impl Fn(usize) -> Option<AllocationFacts>,
) -> Result<(), ArgumentMisfit> {
    let (have, want) = (arguments.len(), kernel.params().len());
    if have != want {
        return Err(ArgumentMisfit { name: kernel.name().to_string(), kind: MisfitKind::Count(have, want) });
    }
    let needs = kernel.atomic_sizes().iter().zip(kernel.written()).map(|(&atomic, &written)| Need { atomic, written });
    for ((param, argument), need) in kernel.params().iter().zip(arguments).zip(needs) {
        fits(kernel, param, need, argument, &allocation)
            .map_err(|kind| ArgumentMisfit { name: param.name.to_string(), kind })?;
    }
    Ok(())
}

/// The kernel's use of a parameter.
#[derive(Clone, Copy)]
struct Need {
    /// Bytes of the largest scalar that it changes atomically; 0 for none.
    atomic: u32,
    /// Whether the kernel may write to the parameter.
    written: bool,
}

/// Checks one argument against its parameter.
fn fits(
    kernel: &Kernel,
    param: &Param,
    need: Need,
    argument: &Argument,
    allocation: &impl Fn(usize) -> Option<AllocationFacts>,
) -> Result<(), MisfitKind> {
    let types = kernel.types();
    // The offset and span of the argument, and whether it names no bytes.
    let (offset, span, empty) = match (param.kind, argument) {
        (ParamKind::View(ty), Argument::View(view)) => {
            let element_size = types.element_size(ty.element);
            view_fits(ty, element_size, need, view)?;
            (view.offset, view.bytes_spanned(element_size), view.is_empty())
        }
        (ParamKind::Buffer { .. }, &Argument::Buffer { offset, size, .. }) => (offset, Some(size), size == 0),
        (ParamKind::Uniform(ty), Argument::Uniform(bytes)) => {
            let (have, want) = (bytes.len() as u64, types.size(ty));
            return if have == want { Ok(()) } else { Err(MisfitKind::UniformSize(have, want)) };
        }
        (ParamKind::View(_), _) => return Err(MisfitKind::Kind("view")),
        (ParamKind::Buffer { .. }, _) => return Err(MisfitKind::Kind("buffer")),
        (ParamKind::Uniform(_), _) => return Err(MisfitKind::Kind("value")),
    };
    let facts = argument.allocation().and_then(allocation).ok_or(MisfitKind::NoAllocation)?;
    // An empty view may have any offset.
    let anywhere = empty && matches!(argument, Argument::View(_));
    if !anywhere && span.and_then(|span| offset.checked_add(span)).is_none_or(|end| end > facts.size) {
        return Err(MisfitKind::OutOfAllocation(facts.size));
    }
    if let (ParamKind::Buffer { ty, .. }, &Argument::Buffer { size, .. }) = (param.kind, argument) {
        let want = types.size(ty);
        if size < want {
            return Err(MisfitKind::BufferSize(size, want));
        }
    }
    if empty || need.atomic == 0 {
        return Ok(());
    }
    if !offset.is_multiple_of(need.atomic.into()) {
        return Err(MisfitKind::MisalignedOffset(offset, need.atomic));
    }
    if !facts.alignment.is_multiple_of(need.atomic.into()) {
        return Err(MisfitKind::MisalignedAllocation(need.atomic));
    }
    Ok(())
}

/// Checks a view against the kernel's type for it. The claim comes first: if it is wrong, the other
/// mismatches have the same cause.
fn view_fits(ty: ViewType, element_size: u64, need: Need, view: &ViewArgument) -> Result<(), MisfitKind> {
    if let Some(have) = view.claim.map(|claim| claim.element_size).filter(|&have| have != element_size) {
        return Err(MisfitKind::ElementSize(have, element_size));
    }
    if view.extent.len() != ty.rank as usize || view.strides.len() != ty.rank as usize {
        return Err(MisfitKind::WrongRank(view.extent.len(), ty.rank));
    }
    if need.written && view.claim.is_some_and(|claim| !claim.writable) {
        return Err(MisfitKind::NotWritable);
    }
    match view.extent.iter().find(|&&extent| extent < 0) {
        Some(&extent) => Err(MisfitKind::NegativeExtent(extent)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
