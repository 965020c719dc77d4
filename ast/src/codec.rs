//! The bytes of a tree: numbers in groups of seven bits, texts with their length, a variant by its tag.

use crate::SyntaxTree;

/// How deep a tree may be nested. An expression in an expression is two levels, a block two more. Reading takes about 1 KiB of stack for each level in a build without optimisation.
pub const MAX_DEPTH: u32 = 1000;

/// Why a tree is refused that is nested deeper than [`MAX_DEPTH`].
pub(crate) const TOO_DEEP: &str = "nested too deep";

/// The bytes are not a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The byte at which reading stopped.
    pub at: usize,
    /// Why.
    pub why: &'static str,
}

impl Broken {
    /// Are the bytes refused because what they say is nested deeper than [`MAX_DEPTH`]?
    pub fn is_too_deep(self) -> bool {
        self.why == TOO_DEEP
    }
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "byte {}: {}", self.at, self.why)
    }
}

impl std::error::Error for Broken {}

/// Where reading is.
pub(crate) struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: u32,
}

impl ByteReader<'_> {
    fn byte(&mut self) -> Result<u8, Broken> {
        let byte = *self.bytes.get(self.at).ok_or(self.broken("the bytes end too early"))?;
        self.at += 1;
        Ok(byte)
    }

    pub(crate) const fn broken(&self, why: &'static str) -> Broken {
        Broken { at: self.at, why }
    }

    /// Enters one level of nesting.
    pub(crate) fn deeper(&mut self) -> Result<(), Broken> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.broken(TOO_DEEP)) } else { Ok(()) }
    }

    pub(crate) fn back(&mut self) {
        self.depth -= 1;
    }
}

/// Something with a form in bytes.
pub(crate) trait Coded: Sized {
    fn write(&self, out: &mut Vec<u8>);
    fn read(input: &mut ByteReader<'_>) -> Result<Self, Broken>;
}

impl SyntaxTree {
    /// Its bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&mut out);
        out
    }

    /// The tree of these bytes.
    pub fn decode(bytes: &[u8]) -> Result<SyntaxTree, Broken> {
        let mut input = ByteReader { bytes, at: 0, depth: 0 };
        let tree = SyntaxTree::read(&mut input)?;
        if input.at < bytes.len() { Err(input.broken("bytes are left over")) } else { Ok(tree) }
    }
}

impl Coded for u64 {
    fn write(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 128 {
            out.push(rest as u8 | 128);
            rest >>= 7;
        }
        out.push(rest as u8);
    }

    fn read(input: &mut ByteReader<'_>) -> Result<u64, Broken> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = input.byte()?;
            let bits = u64::from(byte & 127);
            if shift == 63 && bits > 1 {
                return Err(input.broken("a number of more than 64 bits"));
            }
            value |= bits << shift;
            if byte < 128 {
                return Ok(value);
            }
        }
        Err(input.broken("a number of more than 64 bits"))
    }
}

impl Coded for u32 {
    fn write(&self, out: &mut Vec<u8>) {
        u64::from(*self).write(out);
    }

    fn read(input: &mut ByteReader<'_>) -> Result<u32, Broken> {
        u32::try_from(u64::read(input)?).map_err(|_| input.broken("a number of more than 32 bits"))
    }
}

impl Coded for bool {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn read(input: &mut ByteReader<'_>) -> Result<bool, Broken> {
        match input.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(input.broken("neither true nor false")),
        }
    }
}

impl Coded for String {
    fn write(&self, out: &mut Vec<u8>) {
        (self.len() as u64).write(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn read(input: &mut ByteReader<'_>) -> Result<String, Broken> {
        let length = u64::read(input)?;
        let rest = &input.bytes[input.at..];
        let text = usize::try_from(length).ok().and_then(|length| rest.get(..length));
        let Some(text) = text else { return Err(input.broken("a text that is longer than the bytes")) };
        let Ok(text) = std::str::from_utf8(text) else { return Err(input.broken("a text that is not UTF-8")) };
        input.at += text.len();
        Ok(text.to_owned())
    }
}

impl<T: Coded> Coded for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (self.len() as u64).write(out);
        for item in self {
            item.write(out);
        }
    }

    fn read(input: &mut ByteReader<'_>) -> Result<Vec<T>, Broken> {
        let count = u64::read(input)?;
        // Every item takes a byte at least: a longer list cannot be in the rest.
        if count > (input.bytes.len() - input.at) as u64 {
            return Err(input.broken("a list that is longer than the bytes"));
        }
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(T::read(input)?);
        }
        Ok(items)
    }
}

impl<T: Coded> Coded for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        if let Some(value) = self {
            value.write(out);
        }
    }

    fn read(input: &mut ByteReader<'_>) -> Result<Option<T>, Broken> {
        if bool::read(input)? { T::read(input).map(Some) } else { Ok(None) }
    }
}

impl<T: Coded> Coded for Box<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (**self).write(out);
    }

    fn read(input: &mut ByteReader<'_>) -> Result<Box<T>, Broken> {
        T::read(input).map(Box::new)
    }
}

/// Declares the types of the tree, and their form in bytes: a struct is its fields in order, an enum its tag and then its parts.
macro_rules! coded {
    () => {};
    ($(#[$doc:meta])* pub struct $name:ident { $($(#[$field_doc:meta])* pub $field:ident: $ty:ty,)* } $($rest:tt)*) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug)]
        pub struct $name { $($(#[$field_doc])* pub $field: $ty,)* }

        impl crate::codec::Coded for $name {
            fn write(&self, out: &mut Vec<u8>) {
                $(crate::codec::Coded::write(&self.$field, out);)*
            }

            fn read(input: &mut crate::codec::ByteReader<'_>) -> Result<$name, crate::Broken> {
                input.deeper()?;
                $(let $field = crate::codec::Coded::read(input)?;)*
                input.back();
                Ok($name { $($field),* })
            }
        }

        coded! { $($rest)* }
    };
    ($(#[$doc:meta])* pub enum $name:ident {
        $($(#[$variant_doc:meta])* $variant:ident $(($($part:ident: $ty:ty),*))? = $tag:literal,)*
    } $($rest:tt)*) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug)]
        pub enum $name { $($(#[$variant_doc])* $variant $(($($ty),*))?,)* }

        impl crate::codec::Coded for $name {
            fn write(&self, out: &mut Vec<u8>) {
                match self {
                    $($name::$variant $(($($part),*))? => {
                        out.push($tag);
                        $($(crate::codec::Coded::write($part, out);)*)?
                    })*
                }
            }

            fn read(input: &mut crate::codec::ByteReader<'_>) -> Result<$name, crate::Broken> {
                input.deeper()?;
                let tag: u32 = crate::codec::Coded::read(input)?;
                // A function for each variant: in a build without optimisation, one for all would take the stack of all, at each level of the tree.
                let parts: fn(&mut crate::codec::ByteReader<'_>) -> Result<$name, crate::Broken> = match tag {
                    $($tag => |_input| Ok($name::$variant $(($({
                        let $part: $ty = crate::codec::Coded::read(_input)?;
                        $part
                    }),*))?),)*
                    _ => return Err(input.broken("an unknown tag")),
                };
                let value = parts(input)?;
                input.back();
                Ok(value)
            }
        }

        coded! { $($rest)* }
    };
}
pub(crate) use coded;
