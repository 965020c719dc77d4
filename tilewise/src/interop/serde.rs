//! The forms of short vectors, indices and extents for `serde`: their components in order. A `Norm`
//! and a `Unorm` are their number.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::graphics::{Norm, Norm2, Norm3, Norm4, Unorm, Unorm2, Unorm3, Unorm4};
use crate::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use crate::{Extent, Index};

macro_rules! vectors {
    ($($name:ident $t:ident;)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_array().serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                <[$t; $name::SIZE]>::deserialize(deserializer).map($name::from)
            }
        }
    )*};
}

vectors! {
    Float2 f32;
    Float3 f32;
    Float4 f32;
    Double2 f64;
    Double3 f64;
    Double4 f64;
    Int2 i32;
    Int3 i32;
    Int4 i32;
    UInt2 u32;
    UInt3 u32;
    UInt4 u32;
    Norm2 Norm;
    Norm3 Norm;
    Norm4 Norm;
    Unorm2 Unorm;
    Unorm3 Unorm;
    Unorm4 Unorm;
}

macro_rules! clamped {
    ($($name:ident)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.get().serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            /// A number, and of one out of range the nearest in range.
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                f32::deserialize(deserializer).map($name::new)
            }
        }
    )*};
}

clamped!(Norm Unorm);

/// Components of any number: `serde` knows arrays of up to 32 elements.
struct Components<const N: usize>;

impl<'de, const N: usize> Visitor<'de> for Components<N> {
    type Value = [i32; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {N} integers of 32 bits")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut components: S) -> Result<[i32; N], S::Error> {
        let mut all = [0; N];
        for (at, component) in all.iter_mut().enumerate() {
            *component = components.next_element()?.ok_or_else(|| S::Error::invalid_length(at, &self))?;
        }
        Ok(all)
    }
}

macro_rules! components {
    ($($name:ident)*) => {$(
        impl<const N: usize> Serialize for $name<N> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut tuple = serializer.serialize_tuple(N)?;
                for component in &self.0 {
                    tuple.serialize_element(component)?;
                }
                tuple.end()
            }
        }

        impl<'de, const N: usize> Deserialize<'de> for $name<N> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name<N>, D::Error> {
                deserializer.deserialize_tuple(N, Components).map($name)
            }
        }
    )*};
}

components!(Index Extent);
