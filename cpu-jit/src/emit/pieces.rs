//! The Cranelift values that represent a value of a lane program.
//!
//! A scalar is one Cranelift value (a `bool` is an `I8`, 0 or 1). Lanes of width W are pieces of
//! 128 bits, lowest lanes first: `f32` and `i32` as W / 4 of `F32X4` and `I32X4`, `f64` and `i64`
//! as W / 2 of `F64X2` and `I64X2`, a mask as W / 4 of `I32X4` with 0 or -1 in each lane. At width
//! 1 lanes are one scalar value.

use cranelift_codegen::ir::{Type, Value, types};

use crate::lanes::Elem;

/// Maximum number of pieces of a value: 16 lanes of 64 bits.
pub(crate) const MOST: usize = 8;

/// A value of a lane program as Cranelift values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pieces {
    elem: Elem,
    vector: bool,
    len: u8,
    parts: [Value; MOST],
    /// The scalar in every lane, if known: shifts and divisions by it are cheaper. Of a mask an
    /// `I8`.
    pub(crate) splat: Option<Value>,
    /// The bits, zero-extended, of the constant in every lane or in the scalar, if known.
    pub(crate) constant: Option<u64>,
}

impl Pieces {
    /// A scalar, or lanes at width 1.
    pub(crate) fn scalar(elem: Elem, value: Value) -> Pieces {
        let mut pieces = Pieces::from_parts(elem, &[value]);
        pieces.vector = false;
        pieces
    }

    /// Lanes in vectors: at least one, at most [`MOST`].
    pub(crate) fn from_parts(elem: Elem, values: &[Value]) -> Pieces {
        let mut parts = [Value::from_u32(0); MOST];
        parts[..values.len()].copy_from_slice(values);
        Pieces { elem, vector: true, len: values.len() as u8, parts, splat: None, constant: None }
    }

    /// Sets the scalar that is in every lane.
    pub(crate) fn with_splat(self, splat: Option<Value>) -> Pieces {
        Pieces { splat, ..self }
    }

    /// Sets the bits of the constant that is in every lane, or in the scalar.
    pub(crate) fn with_constant(self, constant: Option<u64>) -> Pieces {
        Pieces { constant, ..self }
    }

    /// The element type.
    pub(crate) fn elem(&self) -> Elem {
        self.elem
    }

    /// Is it in vectors? Not for scalars, and not at width 1.
    pub(crate) fn is_vector(&self) -> bool {
        self.vector
    }

    /// The Cranelift values, lowest lanes first.
    pub(crate) fn parts(&self) -> &[Value] {
        &self.parts[..usize::from(self.len)]
    }

    /// The first value.
    pub(crate) fn first(&self) -> Value {
        self.parts[0]
    }

    /// Replaces a piece if `part` is given; returns whether it is.
    pub(crate) fn replace_part(&mut self, at: usize, part: Option<Value>) -> bool {
        if let Some(part) = part {
            (self.parts[at], self.splat, self.constant) = (part, None, None);
        }
        part.is_some()
    }

    /// The total number of lanes; 1 for a scalar.
    pub(crate) fn lanes(&self) -> usize {
        if self.vector { self.parts().len() * lanes_in(self.elem) } else { 1 }
    }
}

/// The number of lanes in one vector.
pub(crate) const fn lanes_in(elem: Elem) -> usize {
    match elem {
        Elem::Bool | Elem::I32 | Elem::F32 => 4,
        Elem::I64 | Elem::F64 => 2,
    }
}

/// Type of a scalar.
pub(crate) const fn scalar_type(elem: Elem) -> Type {
    match elem {
        Elem::Bool => types::I8,
        Elem::I32 => types::I32,
        Elem::I64 => types::I64,
        Elem::F32 => types::F32,
        Elem::F64 => types::F64,
    }
}

/// Type of a piece.
pub(crate) const fn vector_type(elem: Elem) -> Type {
    match elem {
        Elem::Bool | Elem::I32 => types::I32X4,
        Elem::I64 => types::I64X2,
        Elem::F32 => types::F32X4,
        Elem::F64 => types::F64X2,
    }
}
