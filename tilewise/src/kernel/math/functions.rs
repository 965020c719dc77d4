//! Functions of a module with their companions for kernels, from one row each.

/// A row has the function's signature, its meaning on the host, and its kernel form.
macro_rules! functions {
    ($($(#[$meta:meta])* $name:ident($($arg:ident: $ty:ty),*) -> $result:ty = $host:expr, $form:expr;)*) => {
        $(
            $(#[$meta])*
            #[inline]
            pub fn $name($($arg: $ty),*) -> $result {
                $host
            }

            #[doc(hidden)]
            #[allow(non_camel_case_types, reason = "it is named after the function")]
            #[derive(Debug)]
            pub struct $name {}

            impl $name {
                #[doc(hidden)]
                #[inline(always)]
                pub fn marked_amp($($arg: $ty),*) -> Called<$result, $name> {
                    Called::new($name($($arg),*))
                }

                #[doc(hidden)]
                #[inline(always)]
                pub fn named_amp<F>(named: F) -> call::Named<$name, impl Sized> {
                    call::Named::new($name, named)
                }
            }

            impl KernelFn for $name {
                fn form() -> Form {
                    Form::Builtin($form)
                }
            }
        )*

        /// The names of the functions.
        #[cfg(test)]
        #[allow(dead_code, reason = "not every list of names is compared")]
        pub(super) const FUNCTIONS: &[&str] = &[$(stringify!($name)),*];

        /// Every function, for the tests.
        #[cfg(test)]
        pub(super) fn all() -> Vec<super::tests::Tested> {
            use super::tests::Columns;
            vec![$(super::tests::Tested::new(stringify!($name), $name::form(), [
                [$(<$ty as Columns>::columns()),*].concat(),
                <$result as Columns>::columns(),
            ], |x| {
                let mut x = x.into_iter();
                $(let $arg: $ty = crate::kernel::numbers::Bare::take(&mut x);)*
                let result = crate::kernel::macro_support::LinkedCall::<$name>::NEW.call($name::marked_amp($($arg),*));
                crate::kernel::numbers::Bare::put(result)
            })),*]
        }
    };
}

pub(super) use functions;
