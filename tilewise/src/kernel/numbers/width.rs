//! `usize` and `isize` as in kernels, with 32 bits, and as on the host.

/// A type that is narrower in a kernel, or one used together with such types.
pub(super) trait HostWidth: Copy {
    /// The type in a kernel.
    type Narrow;
    /// A type wide enough on every host.
    type Wide;
    /// The same number in a kernel; `None` if it does not fit.
    fn narrow(self) -> Option<Self::Narrow>;
    /// From the kernel's number.
    fn from_narrow(x: Self::Narrow) -> Self;
    /// The same number, wide.
    fn wide(self) -> Self::Wide;
    /// From the wide number, truncated.
    fn from_wide(x: Self::Wide) -> Self;
}

macro_rules! host_width {
    ($($t:ident $narrow:ident $wide:ident;)*) => {$(
        impl HostWidth for $t {
            type Narrow = $narrow;
            type Wide = $wide;

            #[inline(always)]
            fn narrow(self) -> Option<$narrow> {
                $narrow::try_from(self).ok()
            }
            #[inline(always)]
            fn from_narrow(x: $narrow) -> Self {
                x as Self
            }
            #[inline(always)]
            fn wide(self) -> $wide {
                self as $wide
            }
            #[inline(always)]
            fn from_wide(x: $wide) -> Self {
                x as Self
            }
        }
    )*};
}

host_width! {
    usize u32 u64;
    isize i32 i64;
}

macro_rules! same_width {
    ($($t:ident)*) => {$(
        impl HostWidth for $t {
            type Narrow = $t;
            type Wide = $t;

            #[inline(always)]
            fn narrow(self) -> Option<$t> {
                Some(self)
            }
            #[inline(always)]
            fn from_narrow(x: $t) -> Self {
                x
            }
            #[inline(always)]
            fn wide(self) -> $t {
                self
            }
            #[inline(always)]
            fn from_wide(x: $t) -> Self {
                x
            }
        }
    )*};
}

same_width!(u32 bool);

impl<A: HostWidth, B: HostWidth> HostWidth for (A, B) {
    type Narrow = (A::Narrow, B::Narrow);
    type Wide = (A::Wide, B::Wide);

    #[inline(always)]
    fn narrow(self) -> Option<Self::Narrow> {
        Some((self.0.narrow()?, self.1.narrow()?))
    }
    #[inline(always)]
    fn from_narrow(x: Self::Narrow) -> Self {
        (A::from_narrow(x.0), B::from_narrow(x.1))
    }
    #[inline(always)]
    fn wide(self) -> Self::Wide {
        (self.0.wide(), self.1.wide())
    }
    #[inline(always)]
    fn from_wide(x: Self::Wide) -> Self {
        (A::from_wide(x.0), B::from_wide(x.1))
    }
}
