//! The op table: one row for each pure operation. The parent module's page explains the parts of a row.
//!
//! A row reads: doc sentence; `Variant "name" (argument: slot, ..) -> slot` ; `widths` of the common width; `each` or `whole`; accuracy in Relaxed;
//! oracles; then the meaning for each class of scalars. A slot is `T` or a scalar's name, followed by `@n` if its width is not the common one. In the
//! code of an *each* row an argument is one component; in a *whole* row it is `[_; 4]`, and `n` names the common width.

use super::bits::{self, Bits};
use super::{Each, Lanes, Oracle, Relaxed, Row, Slot, SlotScalar, SlotWidth, Whole};
use crate::types::Scalar;

/// Names of scalars as they stand in slots.
#[allow(dead_code, reason = "a row need not use every scalar's name")]
mod slots {
    pub(super) type Bool = bool;
    pub(super) type I32 = i32;
    pub(super) type U32 = u32;
    pub(super) type I64 = i64;
    pub(super) type U64 = u64;
    pub(super) type F32 = f32;
    pub(super) type F64 = f64;
}
use slots::{Bool, F32, F64, I32, I64, U32, U64};

/// Calls `$then! { $scalar $type; ... }` for each scalar of a class.
macro_rules! for_class {
    (any, $t:ident, $body:expr) => { for_class!(bool, $t, $body); for_class!(number, $t, $body); };
    (number, $t:ident, $body:expr) => { for_class!(int, $t, $body); for_class!(float, $t, $body); };
    (bits, $t:ident, $body:expr) => { for_class!(bool, $t, $body); for_class!(int, $t, $body); };
    (int, $t:ident, $body:expr) => { for_class!(signed, $t, $body); for_class!(unsigned, $t, $body); };
    (signed, $t:ident, $body:expr) => { for_class!(i32, $t, $body); for_class!(i64, $t, $body); };
    (unsigned, $t:ident, $body:expr) => { for_class!(u32, $t, $body); for_class!(u64, $t, $body); };
    (float, $t:ident, $body:expr) => { for_class!(f32, $t, $body); for_class!(f64, $t, $body); };
    (bool, $t:ident, $body:expr) => { for_class!(@ Bool bool, $t, $body); };
    (i32, $t:ident, $body:expr) => { for_class!(@ I32 i32, $t, $body); };
    (u32, $t:ident, $body:expr) => { for_class!(@ U32 u32, $t, $body); };
    (i64, $t:ident, $body:expr) => { for_class!(@ I64 i64, $t, $body); };
    (u64, $t:ident, $body:expr) => { for_class!(@ U64 u64, $t, $body); };
    (f32, $t:ident, $body:expr) => { for_class!(@ F32 f32, $t, $body); };
    (f64, $t:ident, $body:expr) => { for_class!(@ F64 f64, $t, $body); };
    // A row without `T`: its one meaning goes by the component of its result.
    (fixed, $t:ident, $body:expr) => { if Scalar::ALL.contains(&$t) { return Some($body); } };
    (@ $scalar:ident $type:ty, $t:ident, $body:expr) => {
        if $t == Scalar::$scalar {
            #[allow(dead_code, reason = "a meaning need not name its type")]
            type T = $type;
            return Some($body);
        }
    };
}

/// The scalars of a class, as data.
macro_rules! class {
    (none) => {
        &[]
    };
    (any) => {
        &[Scalar::Bool, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F32, Scalar::F64]
    };
    (number) => {
        &[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F32, Scalar::F64]
    };
    (bits) => {
        &[Scalar::Bool, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64]
    };
    (int) => {
        &[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64]
    };
    (signed) => {
        &[Scalar::I32, Scalar::I64]
    };
    (signed_or_float) => {
        &[Scalar::I32, Scalar::I64, Scalar::F32, Scalar::F64]
    };
    (float) => {
        &[Scalar::F32, Scalar::F64]
    };
    (word) => {
        &[Scalar::I32, Scalar::U32, Scalar::F32]
    };
    (double_word) => {
        &[Scalar::I64, Scalar::U64, Scalar::F64]
    };
}

/// A slot, as data.
macro_rules! slot {
    ($name:expr, $scalar:ident) => { Slot { name: $name, scalar: slot!(@ $scalar), width: SlotWidth::Common } };
    ($name:expr, $scalar:ident $n:literal) => { Slot { name: $name, scalar: slot!(@ $scalar), width: SlotWidth::Exactly($n) } };
    (@ T) => { SlotScalar::T };
    (@ $scalar:ident) => { SlotScalar::Fixed(Scalar::$scalar) };
}

macro_rules! slots {
    (($($arg:ident: $scalar:ident $(@ $n:literal)?),*)) => { &[$(slot!(stringify!($arg), $scalar $($n)?)),*] };
}

/// Names the arguments of an *each* row, one component each.
macro_rules! components {
    ($x:ident, $i:ident, ($($arg:ident: $scalar:ident $(@ $n:literal)?),*)) => {
        $(let $arg: $scalar = Bits::from_bits($x[$i]); $i += 1;)*
    };
}

/// Names the arguments of a *whole* row, four components each.
macro_rules! vectors {
    ($x:ident, $i:ident, ($($arg:ident: $scalar:ident $(@ $n:literal)?),*)) => {
        $(let $arg: [$scalar; 4] = $x[$i].map(Bits::from_bits); $i += 1;)*
    };
}

macro_rules! each_meaning {
    (each, $t:ident, $args:tt, $result:ident, $($class:ident => $body:expr;)*) => {{
        $(for_class!($class, $t, |x: [u64; 4]| {
            let mut i = 0;
            components!(x, i, $args);
            debug_assert!(i <= 4);
            let result: $result = $body;
            Bits::to_bits(result)
        });)*
        None
    }};
    ($whole:ident, $($rest:tt)*) => { None };
}

macro_rules! whole_meaning {
    (each, $($rest:tt)*) => { None };
    ($n:ident, $t:ident, $args:tt, $result:ident, $($class:ident => $body:expr;)*) => {{
        $(for_class!($class, $t, |x: [Lanes; 4], width: usize| {
            let $n = width;
            debug_assert!($n <= 4);
            let mut i = 0;
            vectors!(x, i, $args);
            debug_assert!(i <= 4);
            let result: [$result; 4] = $body;
            result.map(Bits::to_bits)
        });)*
        None
    }};
}

macro_rules! is_each {
    (each) => {
        true
    };
    ($n:ident) => {
        false
    };
}

macro_rules! ops {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $name:literal <$class:ident> $args:tt -> $result:ident $(@ $rn:literal)?; $lo:literal..=$hi:literal; $kind:ident; $relaxed:expr;
        $($oracle:ident)+ { $($mclass:ident => $body:expr;)* }
    )*) => {
        /// A pure operation: names a row of the table.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Op {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Op {
            /// The table.
            pub const ROWS: &'static [Row] = &[$(Row {
                op: Op::$variant,
                name: $name,
                doc: concat!($($doc),+),
                class: class!($class),
                args: slots!($args),
                result: slot!("", $result $($rn)?),
                widths: ($lo, $hi),
                each: is_each!($kind),
                relaxed: $relaxed,
                oracles: &[$(Oracle::$oracle),+],
            }),*];

            /// The meaning of an *each* row for a scalar; nothing for other rows and other scalars.
            pub fn each(self, t: Scalar) -> Option<Each> {
                match self {
                    $(Op::$variant => each_meaning!($kind, t, $args, $result, $($mclass => $body;)*),)*
                }
            }

            /// The meaning of a *whole* row for a scalar; nothing for other rows and other scalars.
            pub fn whole(self, t: Scalar) -> Option<Whole> {
                match self {
                    $(Op::$variant => whole_meaning!($kind, t, $args, $result, $($mclass => $body;)*),)*
                }
            }
        }
    };
}

ops! {
    /// Sum. Integers wrap. Floats round to nearest even; inf + -inf is NaN; x + -x is +0.
    Add "add" <number> (a: T, b: T) -> T; 1..=4; each; Relaxed::Contracted; I128 SoftFloat {
        int => a.wrapping_add(b);
        float => a + b;
    }

    /// Difference. Integers wrap. Floats as `a + -b`.
    Sub "sub" <number> (a: T, b: T) -> T; 1..=4; each; Relaxed::Contracted; I128 SoftFloat {
        int => a.wrapping_sub(b);
        float => a - b;
    }

    /// Product. Integers wrap. Floats round to nearest even; 0 * inf is NaN.
    Mul "mul" <number> (a: T, b: T) -> T; 1..=4; each; Relaxed::Contracted; I128 SoftFloat {
        int => a.wrapping_mul(b);
        float => a * b;
    }

    /// Quotient. Integers truncate towards zero; x / 0 is x, MIN / -1 is MIN. Floats round to nearest even; x / 0 is an infinity, 0 / 0 is NaN.
    Div "div" <number> (a: T, b: T) -> T; 1..=4; each; Relaxed::Ulp(2.5); I128 SoftFloat {
        int => if b == 0 { a } else { a.wrapping_div(b) };
        float => a / b;
    }

    /// Is `a` below `b`? False when either is NaN; -0 is not below +0; false is below true.
    Lt "lt" <any> (a: T, b: T) -> Bool; 1..=4; each; Relaxed::Exact; I128 Ordering {
        any => !matches!(a.partial_cmp(&b), Some(std::cmp::Ordering::Equal | std::cmp::Ordering::Greater) | None);
    }

    /// `a` where the condition is true, else `b`, component by component. NaN bits pass through.
    Select "select" <any> (condition: Bool, a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        any => if condition { a } else { b };
    }

    /// The sum of products of the components, from the first to the last, each step rounded. Integers wrap.
    Dot "dot" <number> (a: T, b: T) -> T@1; 2..=4; n; Relaxed::Contracted; I128 Composed {
        number => bits::one(bits::dot(a, b, n));
    }

    /// Are all components true?
    All "all" <none> (a: Bool) -> Bool@1; 2..=4; n; Relaxed::Exact; BitLoop {
        fixed => bits::one(a[..n].iter().all(|&component| component));
    }
}
