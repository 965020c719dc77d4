//! The types of a tuple's parts, for patterns: a literal in a pattern has the type of the part that
//! it is compared with.

use super::Witness;

/// A tuple with a part number `I`.
pub trait Part<const I: usize> {
    /// The part's type.
    type Of;
}

impl<T> Witness<T> {
    /// The type of a part.
    pub const fn part<const I: usize>(self) -> Witness<T::Of>
    where
        T: Part<I>,
    {
        Witness::NEW
    }
}

impl<T: Part<I>, const I: usize> Part<I> for &T {
    type Of = T::Of;
}

macro_rules! parts {
    ($(($($t:ident)*): $($i:literal $of:ident)*;)*) => {$(
        parts!(@ ($($t)*) $($i $of)*);
    )*};
    (@ $all:tt $($i:literal $of:ident)*) => {$(
        parts!(@@ $all $i $of);
    )*};
    (@@ ($($t:ident)*) $i:literal $of:ident) => {
        impl<$($t),*> Part<$i> for ($($t,)*) {
            type Of = $of;
        }
    };
}

parts! {
    (A): 0 A;
    (A B): 0 A 1 B;
    (A B C): 0 A 1 B 2 C;
    (A B C D): 0 A 1 B 2 C 3 D;
    (A B C D E): 0 A 1 B 2 C 3 D 4 E;
    (A B C D E F): 0 A 1 B 2 C 3 D 4 E 5 F;
    (A B C D E F G): 0 A 1 B 2 C 3 D 4 E 5 F 6 G;
    (A B C D E F G H): 0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H;
}
