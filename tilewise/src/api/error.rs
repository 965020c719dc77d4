//! [`Error`], the only error type of the crate, its text, and the hook for unread errors. The
//! details of an error are in [`report`](crate::api::report).

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use crate::api::hook::Hook;
use crate::{api::printed, api::report};

/// The result of the crate's fallible calls.
///
/// ```
/// use tilewise::{ArrayView, Result};
/// fn last(view: &ArrayView<'_, i32>) -> Result<i32> {
///     view.get(view.extent()[0] - 1)
/// }
/// assert_eq!(last(&ArrayView::of(&mut [1, 2, 3]))?, 3);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Every error of the crate. Three words in size, cheap to clone; the reports inside have the
/// numbers and the source lines.
///
/// ```
/// use tilewise::{ArrayView, Error, parallel_for_each};
/// let view = ArrayView::from_vec(6, vec![0; 6])?;
/// match parallel_for_each!(view.extent().tile::<4>(), |t| view[t] = t.local[0]) {
///     Err(Error::InvalidComputeDomain(shape)) => assert_eq!(shape.dimension, Some(0)),
///     other => panic!("4 does not divide 6, and yet: {other:?}"),
/// }
/// # Ok::<(), tilewise::Error>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
#[doc(alias = "runtime_exception")]
pub enum Error {
    /// An extent, section, reshape or copy that does not fit. (AMP: `runtime_exception`)
    Shape(Box<report::Shape>),
    /// A launch domain that is empty, too large or not divisible by its tile.
    #[doc(alias = "invalid_compute_domain")]
    InvalidComputeDomain(Box<report::Shape>),
    /// A host guard has borrowed the elements; holds the place where the guard was taken.
    Borrowed(&'static Location<'static>),
    /// No such device, a launch on the cpu, arrays of several devices, no host access. (AMP:
    /// `runtime_exception`)
    Accelerator(Box<str>),
    /// A picture cannot be read or written; holds its path and the reason.
    Picture(Box<str>),
    /// The target does not support the request; holds the reason.
    #[doc(alias = "unsupported_feature")]
    UnsupportedFeature(Box<str>),
    /// The kernel does not compile; holds every diagnostic.
    Kernel(Box<report::Diagnostics>),
    /// The device or the host has no room for this many bytes.
    #[doc(alias = "out_of_memory")]
    OutOfMemory(u64),
    /// A launch exceeded its time limit or was cancelled, or the device was lost; holds the reason.
    #[doc(alias = "get_view_removed_reason")]
    #[doc(alias = "accelerator_view_removed")]
    AcceleratorViewRemoved(Box<str>),
    /// A kernel called `error!` or `abort!`.
    #[doc(alias = "direct3d_abort")]
    #[doc(alias = "direct3d_errorf")]
    Aborted(Box<report::Fault>),
    /// Not all threads of a tile reached the same barrier.
    BarrierDivergence(Box<report::Fault>),
    /// An access outside a view, found by `Checks::bounds`.
    OutOfBounds(Box<report::Fault>),
    /// A data race, found by `Checks::races`.
    DataRace(Box<report::Fault>),
    /// A read before any write, found by `Checks::uninitialized`.
    UninitializedRead(Box<report::Fault>),
    /// Integer arithmetic with a result other than the exact number, found by
    /// `Checks::division_by_zero`, `overflow`, `shifts` or `lossy_conversions`.
    Arithmetic(Box<report::Fault>),
}

const _: () = assert!(size_of::<Error>() <= 24 && size_of::<Result<()>>() <= 24, "an error is three words");

impl Error {
    /// Makes an [`Error::Shape`].
    pub(crate) fn shape(dimension: impl Into<Option<usize>>, message: impl Into<String>) -> Error {
        Error::Shape(Box::new(report::Shape { message: message.into(), dimension: dimension.into() }))
    }

    /// Whether AMP throws a plain `runtime_exception` for this error, instead of a more specific
    /// class.
    pub fn is_runtime_exception(&self) -> bool {
        match self {
            Error::Shape(_)
            | Error::Borrowed(_)
            | Error::Accelerator(_)
            | Error::Picture(_)
            | Error::Kernel(_)
            | Error::Aborted(_)
            | Error::BarrierDivergence(_)
            | Error::OutOfBounds(_)
            | Error::DataRace(_)
            | Error::UninitializedRead(_)
            | Error::Arithmetic(_) => true,
            Error::InvalidComputeDomain(_)
            | Error::UnsupportedFeature(_)
            | Error::OutOfMemory(_)
            | Error::AcceleratorViewRemoved(_) => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Shape(shape) => shape.fmt(f),
            Error::InvalidComputeDomain(shape) => write!(f, "invalid compute domain: {shape}"),
            Error::Borrowed(at) => {
                write!(f, "these elements are in the hands of the host guard taken at {at}; drop that guard first")
            }
            Error::Accelerator(reason) | Error::Picture(reason) => f.write_str(reason),
            Error::UnsupportedFeature(reason) => write!(f, "unsupported feature: {reason}"),
            Error::Kernel(diagnostics) => write!(f, "the kernel does not build:\n{diagnostics}"),
            Error::OutOfMemory(bytes) => write!(f, "out of memory: there is no room for {bytes} bytes"),
            Error::AcceleratorViewRemoved(reason) => write!(f, "the accelerator view was removed: {reason}"),
            Error::Aborted(fault) => write!(f, "a kernel ended itself: {fault}"),
            Error::BarrierDivergence(fault) => write!(f, "threads of a tile disagree about a barrier: {fault}"),
            Error::OutOfBounds(fault) => write!(f, "access out of bounds: {fault}"),
            Error::DataRace(fault) => write!(f, "data race: {fault}"),
            Error::UninitializedRead(fault) => write!(f, "read before any write: {fault}"),
            Error::Arithmetic(fault) => write!(f, "arithmetic out of range: {fault}"),
        }
    }
}

/// Same as `Display`: `unwrap` and a `main` that returns the error print this, and reports must be
/// readable there.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

/// The callback for unread errors.
static HOOK: Hook<dyn Fn(&Error) + Send + Sync> = Hook::new();

/// Sets the callback for errors that are not read before the completion, queue or view that holds
/// them is dropped. By default they are printed as a line on stderr. The last callback set applies.
/// It may call anything in the library. If it panics, the panic propagates to the code that drops
/// the error, except on threads of the library and while a thread unwinds: there it ends only the
/// callback.
///
/// ```
/// use tilewise::{Completion, Error, set_error_hook};
/// let (tell, told) = std::sync::mpsc::channel();
/// set_error_hook(move |error| drop(tell.send(error.to_string())));
/// let failing = Completion::ready(()).then(|()| Err::<(), _>(Error::OutOfMemory(8)));
/// failing.wait();
/// drop(failing); // Nobody has asked how it ended.
/// assert!(told.recv().is_ok_and(|error| error.contains("no room for 8 bytes")));
/// ```
pub fn set_error_hook(hook: impl Fn(&Error) + Send + Sync + 'static) {
    HOOK.set(Arc::new(hook));
}

/// Reports an error that can no longer be read. The caller holds no lock.
pub(crate) fn nobody_asked(error: &Error) {
    HOOK.call(|hook| hook(error), || printed::warn(format_args!("{error}")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn the_hook_hears_of_errors_that_nobody_asked_for() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ears = Arc::clone(&heard);
        set_error_hook(move |error| ears.lock().unwrap().push(error.to_string()));
        nobody_asked(&Error::OutOfMemory(7));
        // Other tests may drop errors meanwhile.
        let heard = heard.lock().unwrap();
        let of_this = heard.iter().filter(|text| *text == "out of memory: there is no room for 7 bytes");
        assert_eq!(of_this.count(), 1);
    }

    #[test]
    fn messages_say_the_numbers_and_what_to_do() {
        let here = Location::caller();
        let text = Error::Borrowed(here).to_string();
        assert!(text.contains(&here.to_string()) && text.contains("drop that guard"), "{text}");
        assert_eq!(Error::OutOfMemory(12).to_string(), "out of memory: there is no room for 12 bytes");
        let domain = report::Shape { message: "dimension 0 is 0".into(), dimension: Some(0) };
        assert_eq!(
            Error::InvalidComputeDomain(Box::new(domain)).to_string(),
            "invalid compute domain: dimension 0 is 0"
        );
    }

    #[test]
    fn amp_has_classes_of_its_own_for_four() {
        let shape = || Box::new(report::Shape { message: "".into(), dimension: None });
        let guard = Error::Borrowed(Location::caller());
        for plain in [Error::Shape(shape()), Error::Accelerator("".into()), guard] {
            assert!(plain.is_runtime_exception(), "{plain}");
        }
        let domain = Error::InvalidComputeDomain(shape());
        let removed = Error::AcceleratorViewRemoved("".into());
        for own in [domain, removed, Error::OutOfMemory(1), Error::UnsupportedFeature("".into())] {
            assert!(!own.is_runtime_exception(), "{own}");
        }
    }
}
