//! Declares a method or function together with the companion through which a kernel calls it, so
//! that the two stay consistent. The page of [`macro_support`](crate::kernel::macro_support)
//! defines companions.
//!
//! [`marks`] declares the targets of companions: one type for each builtin of the kernel language.
//! [`both`] is used inside an `impl` and declares a method or associated function and its
//! companion: `pub fn size[size_marked_amp: mark::Size](self) -> u32 { .. }`. Macros by example
//! cannot concatenate identifiers, so the companion's name is written out, and checked.

/// Types that stand for builtins: `Name<const N: usize> => builtin;` or
/// `Name<T: Bound> => builtin;`.
macro_rules! marks {
    () => {};
    ($(#[$doc:meta])* $name:ident $(<$(const $c:ident: $ct:ty),+>)? => $builtin:expr; $($rest:tt)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name $(<$(const $c: $ct),+>)?;

        impl $(<$(const $c: $ct),+>)? $crate::kernel::macro_support::KernelFn for $name $(<$($c),+>)? {
            fn form() -> $crate::kernel::macro_support::Form {
                $crate::kernel::macro_support::Form::Builtin($builtin)
            }
        }

        $crate::kernel::companions::marks!($($rest)*);
    };
    ($(#[$doc:meta])* $name:ident<$t:ident: $bound:path> => $builtin:expr; $($rest:tt)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<$t>(std::marker::PhantomData<$t>);

        impl<$t: $bound> $crate::kernel::macro_support::KernelFn for $name<$t> {
            fn form() -> $crate::kernel::macro_support::Form {
                $crate::kernel::macro_support::Form::Builtin($builtin)
            }
        }

        $crate::kernel::companions::marks!($($rest)*);
    };
}

/// Methods and associated functions, each with its companion.
macro_rules! both {
    () => {};
    ($(#[$meta:meta])* pub const fn $($rest:tt)*) => {
        $crate::kernel::companions::both!(@signature [$(#[$meta])*] [const] $($rest)*);
    };
    ($(#[$meta:meta])* pub fn $($rest:tt)*) => {
        $crate::kernel::companions::both!(@signature [$(#[$meta])*] [] $($rest)*);
    };
    // An associated function.
    (
        @signature $meta:tt $const:tt
        $name:ident[$companion:ident: $mark:ty]($($arg:ident: $ty:ty),* $(,)?) $(-> $result:ty)? $body:block $($rest:tt)*
    ) => {
        $crate::kernel::companions::both!(
            @emit $meta $const $name $companion [$mark] [] [Self::$name] [] [] ($($arg: $ty),*) [$($result)?] $body
        );
        $crate::kernel::companions::both!($($rest)*);
    };
    // A method of a value.
    (
        @signature $meta:tt $const:tt $name:ident $(<$(const $g:ident: $gt:ty),+>)?
        [$companion:ident: $mark:ty]($self:ident $(, $arg:ident: $ty:ty)* $(,)?) $(-> $result:ty)? $body:block $($rest:tt)*
    ) => {
        $crate::kernel::companions::both!(
            @emit $meta $const $name $companion [$mark] [$(<$(const $g: $gt),+>)?] [Self::$name $(::<$($g),+>)?]
            [$self,] [$self,] ($($arg: $ty),*) [$($result)?] $body
        );
        $crate::kernel::companions::both!($($rest)*);
    };
    // A method of a reference.
    (
        @signature $meta:tt $const:tt
        $name:ident[$companion:ident: $mark:ty](&$self:ident $(, $arg:ident: $ty:ty)* $(,)?) $(-> $result:ty)? $body:block $($rest:tt)*
    ) => {
        $crate::kernel::companions::both!(
            @emit $meta $const $name $companion [$mark] [] [Self::$name] [&$self,] [$self,] ($($arg: $ty),*) [$($result)?] $body
        );
        $crate::kernel::companions::both!($($rest)*);
    };
    // A method that changes its receiver.
    (
        @signature $meta:tt $const:tt
        $name:ident[$companion:ident: $mark:ty](&mut $self:ident $(, $arg:ident: $ty:ty)* $(,)?) $(-> $result:ty)? $body:block $($rest:tt)*
    ) => {
        $crate::kernel::companions::both!(
            @emit $meta $const $name $companion [$mark] [] [Self::$name] [&mut $self,] [$self,] ($($arg: $ty),*) [$($result)?] $body
        );
        $crate::kernel::companions::both!($($rest)*);
    };
    (
        @emit $meta:tt $const:tt $name:ident $companion:ident $mark:tt $generics:tt $path:tt $self:tt $pass:tt $args:tt [] $body:block
    ) => {
        $crate::kernel::companions::both!(@emit $meta $const $name $companion $mark $generics $path $self $pass $args [()] $body);
    };
    (
        @emit [$($meta:tt)*] [$($const:tt)?] $name:ident $companion:ident [$mark:ty] [$($generics:tt)*] [$($path:tt)*]
        [$($self:tt)*] [$($pass:tt)*] ($($arg:ident: $ty:ty),*) [$result:ty] $body:block
    ) => {
        $($meta)*
        #[inline]
        pub $($const)? fn $name $($generics)* ($($self)* $($arg: $ty),*) -> $result $body

        #[doc(hidden)]
        #[inline]
        #[track_caller]
        pub fn $companion $($generics)* ($($self)* $($arg: $ty),*) -> $crate::kernel::macro_support::Called<$result, $mark> {
            const _: () = assert!($crate::kernel::companions::is_companion(stringify!($name), stringify!($companion)), "the companion of `f` is `f_marked_amp`");
            $crate::kernel::macro_support::Called::new($($path)* ($($pass)* $($arg),*))
        }
    };
}

/// Whether `companion` is `name` followed by `_marked_amp`.
pub(crate) const fn is_companion(name: &str, companion: &str) -> bool {
    let (name, companion, end) = (name.as_bytes(), companion.as_bytes(), b"_marked_amp");
    if companion.len() != name.len() + end.len() {
        return false;
    }
    let mut i = 0;
    while i < companion.len() {
        let wanted = if i < name.len() { name[i] } else { end[i - name.len()] };
        if companion[i] != wanted {
            return false;
        }
        i += 1;
    }
    true
}

pub(crate) use both;
pub(crate) use marks;
