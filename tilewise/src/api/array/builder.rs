//! [`ArrayBuilder`]: creates an array with options.

use std::marker::PhantomData;

use super::Array;
use crate::api::accelerator::{Accelerator, AcceleratorView, AccessType, DeviceKind};
use crate::api::copy::{CopySource, copy};
use crate::api::element::Element;
use crate::api::error::{Error, Result};
use crate::api::view::ViewLayout;
use crate::memory::storage::HostBytes;
use crate::memory::{AllocationSource, Handle, Placement};

/// Creates an array with options:
/// `Array::<i32>::builder(10).on(&av).cpu_access(AccessType::Read).build()?`.
///
/// ```
/// use tilewise::{Accelerator, Array, copy};
/// let jit = Accelerator::new("jit")?.default_view();
/// let array = Array::<i32>::builder(3).on(&jit).build_from(&[1, 2, 3])?;
/// let staging = Array::<i32>::builder(3).staging_for(&jit).build()?;
/// copy(&array, &staging)?;
/// assert_eq!(staging.host()?[2], 3);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[must_use = "an array is made by `build` or `build_from`"]
#[derive(Debug)]
pub struct ArrayBuilder<T, const N: usize> {
    extent: Result<[i32; N]>,
    view: Option<AcceleratorView>,
    associated: Option<AcceleratorView>,
    access: AccessType,
    element: PhantomData<T>,
}

impl<T: Element, const N: usize> ArrayBuilder<T, N> {
    pub(super) fn new(extent: Result<[i32; N]>) -> Self {
        ArrayBuilder { extent, view: None, associated: None, access: AccessType::Auto, element: PhantomData }
    }

    /// The accelerator view that owns it; by default the default accelerator's default view.
    pub fn on(self, view: &AcceleratorView) -> Self {
        ArrayBuilder { view: Some(view.clone()), ..self }
    }

    /// Makes it a staging array for copies to and from `view`. It is on the `cpu` unless
    /// [`on`](Self::on) sets another view; an array that is not on the `cpu` is associated with its
    /// own view.
    #[doc(alias = "staging_array")]
    pub fn staging_for(self, view: &AcceleratorView) -> Self {
        ArrayBuilder { associated: Some(view.clone()), ..self }
    }

    /// The required host access; more than the accelerator supports is an error.
    pub fn cpu_access(self, access: AccessType) -> Self {
        ArrayBuilder { access, ..self }
    }

    fn placement(&self) -> Result<Placement> {
        let cpu = || Accelerator::of(DeviceKind::Cpu).default_view();
        let view = match (&self.view, &self.associated) {
            (Some(view), _) => view.chosen()?,
            (None, Some(_)) => cpu(),
            (None, None) => Accelerator::auto_selection_view().chosen()?,
        };
        let accelerator = view.accelerator();
        let access = match self.access {
            AccessType::Auto => accelerator.used_cpu_access_type(),
            AccessType::None => AccessType::None,
            wanted @ (AccessType::Read | AccessType::Write | AccessType::ReadWrite) => {
                if !accelerator.supports_cpu_shared_memory() {
                    let text = format!(
                        "the accelerator `{accelerator}` does not share memory with the host, so its arrays have no host access; leave the access type out, and copy"
                    );
                    return Err(Error::Accelerator(text.into()));
                }
                wanted
            }
        };
        let associated = match &self.associated {
            Some(associated) if accelerator.device() == DeviceKind::Cpu => associated.clone(),
            _ => view.clone(),
        };
        Ok(Placement { view, associated, access })
    }

    /// Creates an array of zeros.
    pub fn build(self) -> Result<Array<T, N>> {
        let placement = self.placement()?;
        let layout = ViewLayout::dense(0, self.extent?);
        let bytes = layout.len().checked_mul(size_of::<T>() as u64).ok_or(Error::OutOfMemory(u64::MAX))?;
        let view = placement.view.clone();
        let handle = Handle::with(HostBytes::zeroed(bytes)?, true, AllocationSource::Array(placement));
        match view.gpu()? {
            // Allocated here and not on first use, so that the caller gets the error if there is no
            // room.
            Some((device, queue)) => handle.at_device(device, queue, &layout.region(size_of::<T>() as u64))?,
            None => handle.memory.provide()?,
        }
        Ok(Array::of(handle, layout))
    }

    /// Creates a copy of a slice, an array or a view of the same extent.
    pub fn build_from<S: CopySource<N, Elem = T>>(self, source: S) -> Result<Array<T, N>> {
        let array = self.build()?;
        copy(source, &array)?;
        Ok(array)
    }

    /// Creates an array from an iterator with exactly as many elements as the extent has; fewer or
    /// more is an error.
    pub fn build_from_iter(self, elements: impl IntoIterator<Item = T>) -> Result<Array<T, N>> {
        let array = self.build()?;
        crate::api::copy::copy_iter(elements, &array)?;
        Ok(array)
    }
}
