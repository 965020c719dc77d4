//! The names that functions have in Rust, in the modules with C++ AMP's names: a call in a kernel is
//! an error that tells the name to write.

/// Stands for a function of another name.
#[derive(Clone, Copy, Debug)]
pub struct OtherName;

/// A row has a name, the condition that its argument does not meet, the other arguments, and the
/// message.
macro_rules! other_names {
    ($($name:ident $condition:ident ($($rest:ident),*) $message:literal;)*) => {
        mod conditions {
            //! The bounds. No type meets them.
            $(
                /// A name in Rust is one of C++ AMP.
                #[diagnostic::on_unimplemented(message = $message, label = "not a function of this module")]
                pub trait $condition {}
            )*
        }

        $(
            #[doc(hidden)]
            #[allow(non_upper_case_globals, reason = "it stands for a function")]
            pub const $name: crate::kernel::math::other_names::OtherName = crate::kernel::math::other_names::OtherName;

            #[doc(hidden)]
            #[allow(non_camel_case_types, reason = "it is named after the function")]
            #[derive(Debug)]
            pub struct $name {}

            impl $name {
                #[doc(hidden)]
                pub fn marked_amp<T: conditions::$condition>(first: T $(, $rest: impl Copy)*)
                    -> crate::kernel::macro_support::Called<T, crate::kernel::numbers::Absent>
                {
                    $(let _ = $rest;)*
                    crate::kernel::macro_support::Called::new(first)
                }

                #[doc(hidden)]
                pub fn named_amp<F, M>(_: F) -> crate::kernel::macro_support::call::Named<M, ()> {
                    crate::kernel::macro_support::call::Named::of_another_name()
                }
            }
        )*
    };
}

pub(super) use other_names;
