//! Types whose values lie on the heap, which kernels do not have: `Box::new(x)`, `Vec::new()`. The macros see names
//! only, and a program may have a `Box` of its own, so rustc says which one it is.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use super::{Called, OwnIndex};

/// Never implemented.
#[diagnostic::on_unimplemented(
    message = "there is no `{Self}` in a kernel: a kernel has no heap",
    label = "lies on the heap",
    note = "views hold data, `view[i]`, and arrays of a fixed size are local, `[0.0; 16]`"
)]
pub trait OnTheHeap {}

/// What makes a value around another: no companion can be called.
pub trait FilledMethods<T>: Sized {
    /// No companion.
    fn new_marked_amp(_: T) -> Called<Self, OwnIndex>
    where
        Self: OnTheHeap,
    {
        unreachable!()
    }
}

/// What makes an empty value: no companion can be called.
pub trait HeapMethods: Sized {
    /// No companion.
    fn new_marked_amp() -> Called<Self, OwnIndex>
    where
        Self: OnTheHeap,
    {
        unreachable!()
    }

    /// No companion.
    fn default_marked_amp() -> Called<Self, OwnIndex>
    where
        Self: OnTheHeap,
    {
        unreachable!()
    }

    /// No companion.
    fn with_capacity_marked_amp<I>(_: I) -> Called<Self, OwnIndex>
    where
        Self: OnTheHeap,
    {
        unreachable!()
    }
}

/// What makes a value of another: no companion can be called.
pub trait HeapConversion<T>: Sized {
    /// No companion.
    fn from_marked_amp(_: T) -> Called<Self, OwnIndex>
    where
        Self: OnTheHeap,
    {
        unreachable!()
    }
}

impl<T> FilledMethods<T> for Arc<T> {}
impl<T> FilledMethods<T> for Box<T> {}
impl<T> FilledMethods<T> for Rc<T> {}

impl<K, V> HeapMethods for BTreeMap<K, V> {}
impl<T> HeapMethods for BTreeSet<T> {}
impl<T> HeapMethods for BinaryHeap<T> {}
impl<K, V> HeapMethods for HashMap<K, V> {}
impl<T> HeapMethods for HashSet<T> {}
impl<T> HeapMethods for LinkedList<T> {}
impl HeapMethods for String {}
impl<T> HeapMethods for Vec<T> {}
impl<T> HeapMethods for VecDeque<T> {}

impl<T, U> HeapConversion<U> for Arc<T> {}
impl<K, V, U> HeapConversion<U> for BTreeMap<K, V> {}
impl<T, U> HeapConversion<U> for BTreeSet<T> {}
impl<T, U> HeapConversion<U> for BinaryHeap<T> {}
impl<T, U> HeapConversion<U> for Box<T> {}
impl<K, V, U> HeapConversion<U> for HashMap<K, V> {}
impl<T, U> HeapConversion<U> for HashSet<T> {}
impl<T, U> HeapConversion<U> for LinkedList<T> {}
impl<T, U> HeapConversion<U> for Rc<T> {}
impl<U> HeapConversion<U> for String {}
impl<T, U> HeapConversion<U> for Vec<T> {}
impl<T, U> HeapConversion<U> for VecDeque<T> {}
