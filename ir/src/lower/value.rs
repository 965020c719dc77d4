//! What lowering holds in its hands: values and places, each with its type in Rust.

use std::rc::Rc;

use super::Ty;
use crate::kernel::{Builtin, Place, ValueId};

/// A value.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// Its type.
    pub(super) ty: Ty,
    /// How it is held.
    pub(super) held: Held,
}

/// How a value is held.
#[derive(Clone, Debug)]
pub(super) enum Held {
    /// There is nothing to hold: `()`, a barrier.
    Nothing,
    /// A number, a `bool`, a vector, an enum, a view.
    One(ValueId),
    /// A struct, tuple, array, index or extent, part by part.
    Parts(Rc<[Value]>),
    /// An array whose elements are all the same.
    Repeat(Rc<Value>),
    /// In a place that does not change as long as this value is used.
    Kept(Rc<Place>),
    /// An index of the thread, asked for where it is used.
    Thread(fn(u32) -> Builtin),
    /// The thread's tiled index.
    TiledThread,
    /// An `AtomicRef`: the place itself.
    Place(Rc<Place>),
}

impl Value {
    /// `()`
    pub(super) const UNIT: Value = Value { ty: Ty::Unit, held: Held::Nothing };

    /// A value of the kernel language.
    pub(super) const fn one(ty: Ty, id: ValueId) -> Value {
        Value { ty, held: Held::One(id) }
    }

    /// Part by part.
    pub(super) fn parts(ty: Ty, parts: impl IntoIterator<Item = Value>) -> Value {
        Value { ty, held: Held::Parts(parts.into_iter().collect()) }
    }

    /// The value of a type that holds nothing.
    pub(super) fn nothing(ty: &Ty) -> Value {
        let held = match ty {
            Ty::Array(element, _) => Held::Repeat(Rc::new(Value::nothing(element))),
            Ty::Tuple(_) | Ty::Struct(_) => {
                Held::Parts((0..ty.count()).filter_map(|i| ty.part(i)).map(|part| Value::nothing(&part)).collect())
            }
            _ => Held::Nothing,
        };
        Value { ty: ty.clone(), held }
    }

    /// The same held value as another type of the same shape.
    pub(super) fn as_type(&self, ty: Ty) -> Value {
        Value { ty, held: self.held.clone() }
    }
}

/// Something that can be read, and perhaps written.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// The type of what is there.
    pub(super) ty: Ty,
    /// Where it is.
    pub(super) at: At,
}

/// Where a [`Spot`] is.
#[derive(Clone, Debug)]
pub(super) enum At {
    /// A variable of several parts.
    Split(Rc<[Spot]>),
    /// A place of the kernel language.
    Memory(Rc<Place>),
    /// The component of a split index that a computed number names.
    Chosen(Rc<[Spot]>, ValueId),
    /// The element of an array without elements: it reads as zero, and a write does nothing.
    Absent,
    /// Not a variable at all.
    Value(Value),
}

impl Spot {
    /// A value that is only read.
    pub(super) fn value(value: Value) -> Spot {
        Spot { ty: value.ty.clone(), at: At::Value(value) }
    }

    /// A place of the kernel language.
    pub(super) fn memory(ty: Ty, place: Place) -> Spot {
        Spot { ty, at: At::Memory(Rc::new(place)) }
    }
}
