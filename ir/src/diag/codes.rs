//! Every code, with its rule in one line. `docs/errors.md` has a paragraph for each.
//!
//! K00xx: the text form. K01xx: types. K02xx: places and access. K03xx: control flow. K04xx: values
//! known at build time. K05xx: barriers. K06xx: limits. K07xx: the lowering of a kernel in Rust.
//! K08xx: findings while a kernel runs. K09xx: the import of shaders.

use std::fmt;

macro_rules! codes {
    ($($code:ident $title:literal)*) => {
        /// The code of a rule.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $(#[doc = $title] $code,)*
        }

        impl Code {
            /// All codes, in order.
            pub const ALL: &'static [Code] = &[$(Code::$code),*];

            /// The code as text: `K0101`.
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
    K0001 "the text follows the grammar"
    K0002 "a name that is used is declared"
    K0003 "a name does not hide another"
    K0004 "a number is well formed and fits its type"
    K0005 "a type that is used exists and fits its place"
    K0006 "a field or component that is used exists"
    K0007 "a label belongs to an enclosing loop or scope"
    K0008 "a layout has room for every part, and no parts overlap"
    K0009 "blocks, expressions and types are not nested without bound"
    K0010 "a file has a kernel, and each kernel has its own name"
    K0011 "a string ends, and its escapes and holes have a meaning"
    K0012 "a text consists of the characters of the language"
    K0013 "assignments and references need a place"
    K0014 "an expression that is used as a value has one"
    K0015 "a vector is built from as many scalars as it has, and a reference is passed as it is declared"
    K0016 "a reserved word is not a name"
    K0017 "the value of a table has the shape of its type"
    K0018 "texts, names and numbers have a limited length"

    K0100 "a value is in error"
    K0101 "operands do not fit the operation"
    K0102 "a condition is a `bool`"
    K0103 "an index is an `i32` or `u32`"
    K0104 "as many indices as dimensions"
    K0105 "a vector has 2 to 4 components of one type"
    K0106 "views and numbers are different things"
    K0107 "a stored value has the type of its place"
    K0108 "as many arguments as parameters"
    K0109 "an argument has the type of its parameter"
    K0110 "a returned value has the function's result type"
    K0111 "all arms give a value of one type"
    K0112 "`break` brings what its target gives"
    K0113 "a message has a value for each pair of braces"
    K0114 "a switch selects by an `i32` or `u32`"
    K0115 "each case of a switch has values of its own"
    K0116 "a view is cut by rules for its rank"
    K0117 "an atomic's operand has the type of its place"
    K0118 "`array_length` is for runtime-sized arrays"

    K0201 "a read-only place can not be written"
    K0202 "a place follows the type it walks through"
    K0203 "`copy` is between places of one type"
    K0204 "scalars and vectors are stored, aggregates are copied"
    K0205 "memory that the host sees holds no `bool`"
    K0206 "a runtime-sized array is the end of a buffer"
    K0207 "an atomic works on shared, writable memory"
    K0208 "an atomic works on a 32- or 64-bit scalar"
    K0209 "tiles exist in tiled kernels only"
    K0210 "a local variable is used in its block, after its declaration"

    K0301 "every way through a function ends with its value"
    K0302 "all code can be reached"
    K0303 "a loop can end"
    K0304 "no recursion"
    K0305 "`break` and `continue` stand inside what they name"
    K0306 "the tree of a kernel is well formed"

    K0401 "no division by a constant zero"
    K0402 "a constant index is in range"
    K0403 "a dimension is below the rank"
    K0404 "a variable is written before it is read"

    K0501 "all threads of a tile reach a barrier together"
    K0502 "no thread leaves past a barrier that others reach"
    K0503 "it can be shown that all threads of a tile reach a barrier together"

    K0601 "a tile fits the limits"
    K0602 "a rank is between 1 and 128"
    K0603 "`tile_static` memory is limited"
    K0604 "private memory is limited"
    K0605 "the number of instructions is limited"
    K0606 "nesting is limited"
    K0607 "fields and elements are contiguous"
    K0608 "a type has a size"
    K0609 "a table's size is limited"
    K0610 "the number of parameters is limited"

    K0701 "code that the macros write is valid"
    K0702 "no function in Rust calls itself"
    K0703 "a method or function that is called exists in kernels"
    K0704 "a construct of Rust has a form in kernels"
    K0705 "inlined code has a bounded size"
    K0706 "a `usize` fits 32 bits"

    K0801 "an index is in range"
    K0802 "threads that nothing orders do not write what others access"
    K0803 "the threads of a tile meet at every barrier"
    K0804 "memory is written before it is read"
    K0805 "a view lies within the one it is made from"
    K0806 "an atomic operation is on an aligned word"
    K0807 "an integer is not divided by zero"
    K0808 "integer arithmetic does not overflow"
    K0809 "a shift is by less than the width"
    K0810 "a conversion keeps the number"

    K0901 "a shader is what its language demands"
    K0902 "a shader uses what kernels have"
    K0903 "the entry point is one of the shader's"
    K0904 "an override has a value of its type"
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
