//! Every code, with its rule in one line. `docs/errors.md` has a paragraph for each.
//!
//! K00xx: the text form. K01xx: types. K02xx: places and access. K03xx: control flow. K04xx: values known at build time. K05xx: barriers. K06xx: limits.
//! K08xx: found while a kernel runs.

use std::fmt;

macro_rules! codes {
    ($($code:ident $title:literal)*) => {
        /// Names a rule.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $(#[doc = $title] $code,)*
        }

        impl Code {
            /// All codes, in order.
            pub const ALL: &'static [Code] = &[$(Code::$code),*];

            /// The code as it is written: `K0101`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Code::$code => stringify!($code),)*
                }
            }

            /// The rule in one line.
            pub const fn title(self) -> &'static str {
                match self {
                    $(Code::$code => $title,)*
                }
            }
        }
    };
}

codes! {
    K0001 "the text is not what the grammar expects here"
}

impl Code {
    /// The code called `name`.
    pub fn by_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
