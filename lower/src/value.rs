//! The values and places of lowering, each with its type in Rust.

use std::rc::Rc;

use super::RustType;
use tilewise_ir::kernel::{Builtin, Place, ValueId};

/// A value.
#[derive(Clone, Debug)]
pub(super) struct LoweredValue {
    pub(super) ty: RustType,
    pub(super) held: HeldAs,
}

/// The representation of a value.
#[derive(Clone, Debug)]
pub(super) enum HeldAs {
    /// No contents: `()`, a barrier.
    Nothing,
    /// A number, a `bool`, a vector, an enum, a view.
    One(ValueId),
    /// A struct, tuple, array, index or extent, part by part.
    Parts(Rc<[LoweredValue]>),
    /// An array whose elements are all the same.
    Repeat(Rc<LoweredValue>),
    /// In a place that does not change as long as this value is used.
    Kept(Rc<Place>),
    /// An index of the thread, queried where it is used.
    Thread(fn(u32) -> Builtin),
    /// The thread's tiled index.
    TiledThread,
    /// An `AtomicRef`: the place itself.
    Place(Rc<Place>),
}

impl LoweredValue {
    /// `()`
    pub(super) const UNIT: LoweredValue = LoweredValue { ty: RustType::Unit, held: HeldAs::Nothing };

    /// A value of the kernel language.
    pub(super) const fn one(ty: RustType, id: ValueId) -> LoweredValue {
        LoweredValue { ty, held: HeldAs::One(id) }
    }

    /// A value held part by part.
    pub(super) fn parts(ty: RustType, parts: impl IntoIterator<Item = LoweredValue>) -> LoweredValue {
        LoweredValue { ty, held: HeldAs::Parts(parts.into_iter().collect()) }
    }

    /// The value of a type without contents.
    pub(super) fn nothing(ty: &RustType) -> LoweredValue {
        let held = match ty {
            RustType::Array(element, _) => HeldAs::Repeat(Rc::new(LoweredValue::nothing(element))),
            RustType::Tuple(_) | RustType::Struct(_) | RustType::Variants(_) => HeldAs::Parts(
                (0..ty.count()).filter_map(|i| ty.part(i)).map(|part| LoweredValue::nothing(&part)).collect(),
            ),
            _ => HeldAs::Nothing,
        };
        LoweredValue { ty: ty.clone(), held }
    }

    /// The same value as another type of the same shape.
    pub(super) fn as_type(&self, ty: RustType) -> LoweredValue {
        LoweredValue { ty, held: self.held.clone() }
    }
}

/// A place or a value: it can be loaded, and perhaps stored.
#[derive(Clone, Debug)]
pub(super) struct RustPlace {
    /// The type of its contents.
    pub(super) ty: RustType,
    pub(super) at: SpotRoot,
    /// Is it lent by `&mut`?
    pub(super) exclusive: bool,
}

/// The location of a [`RustPlace`].
#[derive(Clone, Debug)]
pub(super) enum SpotRoot {
    /// A variable of several parts.
    Split(Rc<[RustPlace]>),
    /// A place of the kernel language.
    Memory(Rc<Place>),
    /// The component of a split index at a computed number.
    Chosen(Rc<[RustPlace]>, ValueId),
    /// The elements of an array from this one on: what `rest @ ..` stands for behind a reference.
    Rest(Rc<RustPlace>, usize),
    /// The element of an array without elements: it reads as zero, and a write does nothing.
    Absent,
    /// No place: a value.
    Value(LoweredValue),
}

impl RustPlace {
    /// A value that is only read.
    pub(super) fn value(value: LoweredValue) -> RustPlace {
        RustPlace::new(value.ty.clone(), SpotRoot::Value(value))
    }

    /// A place of the kernel language.
    pub(super) fn memory(ty: RustType, place: Place) -> RustPlace {
        RustPlace::new(ty, SpotRoot::Memory(Rc::new(place)))
    }

    pub(super) fn new(ty: RustType, at: SpotRoot) -> RustPlace {
        RustPlace { ty, at, exclusive: false }
    }
}
