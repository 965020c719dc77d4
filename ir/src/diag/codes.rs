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
    K0002 "a name that is used is declared"
    K0003 "a name does not hide another"
    K0004 "a number is written well and fits its type"
    K0005 "a type that is used exists and fits its place"
    K0006 "a field or component that is used exists"
    K0007 "a label that is used stands on an enclosing loop or scope"
    K0008 "a layout has room for every part, and no parts overlap"
    K0009 "blocks, expressions and types are not nested without bound"
    K0010 "a file has a kernel, and each kernel has its own name"
    K0011 "a string ends, and its escapes and holes have a meaning"
    K0012 "a text consists of the characters of the language"
    K0013 "what is changed or handed over by reference is a place"
    K0014 "what is used as a value gives one"
    K0015 "a vector is made of as many scalars as it has, and a reference is handed over as it is declared"
    K0016 "a word with a meaning of its own is no name"
    K0017 "the value of a table has the shape of its type"
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
