//! What the macros hand to the kernel language: the syntax of one function, without types, as bytes.
//!
//! A macro sees tokens, never types. It writes what it read as a [`SyntaxTree`], in one byte-string
//! literal; `tilewise_lower` reads it back while the program
//! runs and joins it with the types that rustc has inferred. Three kinds of number in a tree name what only rustc knows:
//!
//! - [`TypeSlot`]: a type (of a literal, a cast, a `let` without a value, ..);
//! - [`LinkSlot`]: a function (what a call, a method or an operator resolves to);
//! - [`ConstSlot`]: the value of a constant that is named by its path.
//!
//! The tables behind them travel beside the bytes. The macro and the lowering share nothing else, so this crate depends on nothing, and building the macros
//! does not wait for the kernel language.
//!
//! [`SyntaxTree::encode`] writes; [`SyntaxTree::decode`] reads any bytes and refuses what is not a
//! tree, is nested deeper than [`MAX_DEPTH`] or has bytes left over. It
//! never panics and never takes more memory than a small multiple of its input. A tree that decodes may still make no sense (a slot that does not exist, a local that is not
//! declared): that is for the lowering to find.

mod codec;

pub use codec::{Broken, MAX_DEPTH};

use codec::coded;

/// Number of a type in the table beside the tree.
pub type TypeSlot = u32;
/// Number of a function in the table beside the tree.
pub type LinkSlot = u32;
/// Number of a constant in the table beside the tree.
pub type ConstSlot = u32;
/// Number of a local name in [`SyntaxTree::locals`].
pub type LocalId = u32;
/// Number of a captured name in [`SyntaxTree::captures`].
pub type CaptureId = u32;

coded! {
    /// One function or one kernel.
    pub struct SyntaxTree {
        /// The name of the function: `add_elements`, `Particle::energy`; `kernel` for a closure.
        pub name: String,
        /// What it is given, in order. A method's receiver comes first. A kernel has one.
        pub params: Vec<SyntaxParam>,
        /// The names that a kernel's closure takes from around it; empty for a function.
        pub captures: Vec<SyntaxName>,
        /// Every name that is bound in it, parameters included.
        pub locals: Vec<SyntaxLocal>,
        /// The result's type; nothing for `()` and for kernels.
        pub result: Option<TypeSlot>,
        /// What it does.
        pub body: SyntaxBlock,
        /// Where its name stands; for a closure, its first token.
        pub at: SourceSpan,
        /// Does it have `#[track_caller]`? Reports about its body then name the call.
        pub tracks_caller: bool,
        /// Is it one of the library's that the texture units of GPUs compute? It then stays a
        /// function of the kernel, which a target may replace.
        pub texture_unit: bool,
        /// Does it give the `&mut self` that it takes, so that calls of it stand behind one another? The
        /// tree then gives nothing.
        pub gives_self: bool,
    }

    /// A stretch of the source: all of it on one line.
    #[derive(Copy, Default, Eq, Hash)]
    pub struct SourceSpan {
        /// From 1; 0 if it is not known.
        pub line: u32,
        /// In characters, from 1.
        pub column: u32,
        /// In characters.
        pub length: u32,
    }

    /// A name and where it first stands.
    pub struct SyntaxName {
        /// The name, without `r#`.
        pub text: String,
        /// Where.
        pub at: SourceSpan,
    }

    /// A name that is bound in the function.
    pub struct SyntaxLocal {
        /// The name, without `r#`.
        pub text: String,
        /// `mut`, or declared without a value.
        pub mutable: bool,
        /// Where it is bound.
        pub at: SourceSpan,
    }

    /// A parameter.
    pub struct SyntaxParam {
        /// The names it binds.
        pub pattern: Pattern,
        /// Its type, without the reference.
        pub ty: TypeSlot,
        /// How it is handed over.
        pub mode: Mode,
    }

    /// How a parameter is handed over.
    #[derive(Copy, Eq)]
    pub enum Mode {
        /// `x: T`, `self`
        Value = 0,
        /// `x: &T`, `&self`
        Ref = 1,
        /// `x: &mut T`, `&mut self`
        RefMut = 2,
        /// `f: F` with `F: Fn(..)`, or a reference to one: a closure. It has no type in the table.
        Function = 3,
        /// `it: I` with `I: Iterator<..>`. It has no type in the table.
        Iterator = 4,
    }

    /// A pattern of a parameter, a `let`, a `match` or a condition. What it takes apart has the type that the lowering knows.
    pub enum Pattern {
        /// A name.
        Bind(local: LocalId) = 0,
        /// `_`
        Wild = 1,
        /// `(a, b)`, `[a, b]`. One of the parts may be a `Rest`, also behind a name.
        Tuple(parts: Vec<Pattern>) = 2,
        /// `3`, `-1`, `true`
        Literal(literal: SyntaxLiteral, negative: bool, at: SourceSpan) = 3,
        /// `K`, `Color::Red`, `Self::LIMIT`
        Const(slot: ConstSlot, at: SourceSpan) = 4,
        /// `1..=3`, `..5`, `A..`: an end is a `SyntaxLiteral` or a `Const`.
        Range(low: Option<Box<Pattern>>, high: Option<Box<Pattern>>, inclusive: bool, at: SourceSpan) = 5,
        /// `1 | 2`
        Or(choices: Vec<Pattern>) = 6,
        /// `name @ pattern`
        At(local: LocalId, pattern: Box<Pattern>) = 7,
        /// `..` in a tuple or an array: any number of parts.
        Rest = 8,
        /// `Point { x, y: 0 }`, `Shape::Line { length, .. }`: a struct or a variant of an enum. The constant is the number of the variant, 0 for a struct.
        Fields(variant: ConstSlot, fields: Vec<FieldPattern>, at: SourceSpan) = 9,
        /// `Point(x, 0)`, `Some(x)`, `Line(first, ..)`: by the positions of the fields. One of the parts may be a `Rest`.
        Positions(variant: ConstSlot, parts: Vec<Pattern>, at: SourceSpan) = 10,
        /// `&pattern`: the names in it stand for copies.
        Deref(pattern: Box<Pattern>) = 11,
    }

    /// A field in a pattern.
    pub struct FieldPattern {
        /// The field.
        pub name: String,
        /// What it fits.
        pub pattern: Pattern,
    }

    /// The value of a literal.
    pub enum SyntaxLiteral {
        /// `12`, `0xff`, `1u64`: never negative.
        Int(value: u64) = 0,
        /// `1.5`, `2.0f64`, `1e-3`: digits, point and exponent as written, without `_` and suffix. An integer literal with a float suffix is one too.
        Float(text: String) = 1,
        /// `true`, `false`
        Bool(value: bool) = 2,
    }

    /// Statements and the value at the end.
    pub struct SyntaxBlock {
        /// In order.
        pub statements: Vec<Statement>,
        /// The value, if the block ends in one.
        pub value: Option<Box<Expr>>,
    }

    /// A statement.
    pub enum Statement {
        /// `let pattern: ty = value;` The type is there only where there is no value.
        Let(pattern: Pattern, ty: Option<TypeSlot>, value: Option<Expr>, at: SourceSpan) = 0,
        /// `#[tile_static] let name: ty;`
        TileStatic(local: LocalId, ty: TypeSlot, at: SourceSpan) = 1,
        /// An expression whose value, if it has one, is dropped.
        Expr(expr: Expr) = 2,
        /// `let pattern = value else { .. };`
        LetElse(pattern: Pattern, value: Expr, otherwise: SyntaxBlock, at: SourceSpan) = 3,
    }

    /// An expression and where it stands: an operator, an assignment and an index with all of their parts, if they are
    /// on one line; of others their name or their first token.
    pub struct Expr {
        /// What.
        pub kind: ExprKind,
        /// Where.
        pub at: SourceSpan,
    }

    /// The kinds of [`Expr`].
    pub enum ExprKind {
        /// A literal.
        Literal(literal: SyntaxLiteral, ty: TypeSlot) = 0,
        /// A name bound in the function.
        Local(local: LocalId) = 1,
        /// A name taken from around the closure.
        Capture(capture: CaptureId) = 2,
        /// A constant, an associated constant, a const generic, a variant without fields.
        Const(slot: ConstSlot) = 3,
        /// `-a`, `!a`. The link is the operator's meaning for the type of `a`.
        Unary(op: Unary, operand: Box<Expr>, link: LinkSlot) = 4,
        /// `a + b`, `a < b`. The link is the operator's meaning for the two types.
        Binary(op: Binary, left: Box<Expr>, right: Box<Expr>, link: LinkSlot) = 5,
        /// `a && b`
        And(left: Box<Expr>, right: Box<Expr>) = 6,
        /// `a || b`
        Or(left: Box<Expr>, right: Box<Expr>) = 7,
        /// `place = value`: the value is computed first, then the place's own parts.
        Assign(place: Box<Expr>, value: Box<Expr>) = 8,
        /// `place op= value`, in the same order. The link is the meaning of `op=` (for what is built in, that of `op`).
        AssignOp(op: Binary, place: Box<Expr>, value: Box<Expr>, link: LinkSlot) = 9,
        /// A call of a function, an associated function or a method; the receiver is the first argument. An argument that stands for a reference is a `Ref`; a receiver is as
        /// written, and becomes a reference if the callee wants one.
        Call(link: LinkSlot, args: Vec<Expr>) = 10,
        /// `a.name`, `a.0`
        Field(base: Box<Expr>, name: String) = 11,
        /// `a[i]`; the index may be a tuple. The link is the meaning of `[]` for the
        /// type of `a`; without one, `a` is an array.
        Index(base: Box<Expr>, index: Box<Expr>, link: Option<LinkSlot>) = 12,
        /// `&a`, `&mut a`: only as an argument, and as what a pattern takes apart by reference.
        Ref(mutable: bool, place: Box<Expr>) = 13,
        /// `*a`, where `a` is a parameter that is a reference.
        Deref(base: Box<Expr>) = 14,
        /// `a as T`
        Cast(value: Box<Expr>, ty: TypeSlot) = 15,
        /// `T { a: x, b: y, ..rest }`, or `T(x, y)` with the fields "0", "1". The constant is the number of the variant of an enum, 0 for a struct; there is none where the path can only be a struct.
        Struct(ty: TypeSlot, variant: Option<ConstSlot>, fields: Vec<FieldValue>, rest: Option<Box<Expr>>) = 16,
        /// `(a, b)`; `()` without parts.
        Tuple(parts: Vec<Expr>) = 17,
        /// `[a, b, c]`; the slot is the array's type.
        Array(parts: Vec<Expr>, ty: TypeSlot) = 18,
        /// `[a; N]`; the slot is the array's type.
        Repeat(value: Box<Expr>, ty: TypeSlot) = 19,
        /// A block; with a label, `break 'label value` leaves it.
        Block(body: SyntaxBlock, label: Option<u32>) = 20,
        /// `if c { } else { }`; `else if` is a block with an `if`.
        If(condition: Box<Expr>, then: SyntaxBlock, otherwise: Option<SyntaxBlock>) = 21,
        /// `match`. The value is a `Ref` if names are bound by reference: they stand for places then.
        Match(value: Box<Expr>, arms: Vec<MatchArm>) = 22,
        /// `while c { }`
        While(condition: Box<Expr>, body: SyntaxBlock, label: u32) = 23,
        /// `loop { }`; `break value` gives it a value.
        Loop(body: SyntaxBlock, label: u32) = 24,
        /// `for name in low..high`
        For(head: Box<ForHead>, body: SyntaxBlock, label: u32) = 25,
        /// `break`, `break 'label`, `break value`. The label is the number that its loop or block carries.
        Break(label: u32, value: Option<Box<Expr>>) = 26,
        /// `continue`
        Continue(label: u32) = 27,
        /// `return`
        Return(value: Option<Box<Expr>>) = 28,
        /// `print!("..", a)`: pieces and values in turn, beginning and ending with a
        /// piece; and the formats of the values, as they stand behind a colon.
        Print(pieces: Vec<String>, values: Vec<Expr>, formats: Vec<String>) = 29,
        /// `error!("..", a)`
        Error(pieces: Vec<String>, values: Vec<Expr>, formats: Vec<String>) = 30,
        /// `abort!()`
        Abort = 31,
        /// `value?` of an `Option`
        Try(value: Box<Expr>) = 32,
        /// `|x| body`: only as the value of a `let` and as an argument.
        Closure(copies: Vec<ClosureCopy>, params: Vec<ClosureParam>, body: Box<Expr>) = 33,
        /// `f(x)` of a name that stands for a closure.
        Invoke(function: LocalId, args: Vec<Expr>) = 34,
        /// A function by its name, `map(x, square)`: only as an argument.
        Function(link: LinkSlot) = 35,
        /// A single name in a kernel's closure, `map(x, square)`: only as an argument. It is the function for a parameter that is called, and the captured value for any other.
        CaptureOrFunction(capture: CaptureId, function: LinkSlot) = 36,
        /// `for pattern in items` of an iterator, an array or a range. The link says which of them it is.
        ForEach(items: Box<Expr>, link: LinkSlot, pattern: Pattern, body: SyntaxBlock, label: u32) = 37,
        /// A path with a capital, `.map(Meters)`, `paint(Color::Red)`: only as an argument. It is the constructor for a parameter that is called, and the constant for any other.
        ConstOrFunction(slot: ConstSlot, function: LinkSlot) = 38,
        /// `low..high`, `low..=high`: only as an argument. As a value, it is the pair of its ends.
        Range(low: Box<Expr>, high: Box<Expr>, inclusive: bool) = 39,
    }

    /// A name that a `move` closure copies when it is made.
    pub struct ClosureCopy {
        /// The name of the copy.
        pub copy: LocalId,
        /// The name of which it is one.
        pub original: LocalId,
    }

    /// A parameter of a closure.
    pub struct ClosureParam {
        /// The names it binds.
        pub pattern: Pattern,
        /// How it is handed over, as far as its type is written.
        pub mode: Mode,
    }

    /// The head of a `for`.
    pub struct ForHead {
        /// The loop's name, or nothing for `_`.
        pub local: Option<LocalId>,
        /// Its type.
        pub ty: TypeSlot,
        /// The first value.
        pub low: Expr,
        /// The end.
        pub high: Expr,
        /// `..=`
        pub inclusive: bool,
        /// `.rev()` and `.step_by(n)`, in the order in which they are written.
        pub adapters: Vec<RangeAdapter>,
    }

    /// What stands behind the range of a `for`.
    pub enum RangeAdapter {
        /// `.rev()`
        Rev = 0,
        /// `.step_by(n)`, a `usize`
        StepBy(step: Expr) = 1,
    }

    /// A field with its value.
    pub struct FieldValue {
        /// The field.
        pub name: String,
        /// The value.
        pub value: Expr,
    }

    /// An arm of a `match`.
    pub struct MatchArm {
        /// What it fits.
        pub pattern: Pattern,
        /// `if guard`
        pub guard: Option<Expr>,
        /// What it gives.
        pub body: Expr,
    }

    /// Operators with one operand.
    #[derive(Copy, Eq)]
    pub enum Unary {
        /// `-`
        Neg = 0,
        /// `!`
        Not = 1,
    }

    /// Operators with two operands, `&&` and `||` aside.
    #[derive(Copy, Eq)]
    pub enum Binary {
        /// `+`
        Add = 0,
        /// `-`
        Sub = 1,
        /// `*`
        Mul = 2,
        /// `/`
        Div = 3,
        /// `%`
        Rem = 4,
        /// `&`
        BitAnd = 5,
        /// `|`
        BitOr = 6,
        /// `^`
        BitXor = 7,
        /// `<<`
        Shl = 8,
        /// `>>`
        Shr = 9,
        /// `==`
        Eq = 10,
        /// `!=`
        Ne = 11,
        /// `<`
        Lt = 12,
        /// `<=`
        Le = 13,
        /// `>`
        Gt = 14,
        /// `>=`
        Ge = 15,
    }
}

impl Pattern {
    /// The names that it binds, in order.
    pub fn names(&self) -> Vec<LocalId> {
        let mut names = Vec::new();
        self.add_names(&mut names);
        names
    }

    fn add_names(&self, names: &mut Vec<LocalId>) {
        match self {
            Pattern::Bind(local) => names.push(*local),
            Pattern::At(local, inner) => {
                names.push(*local);
                inner.add_names(names);
            }
            Pattern::Tuple(parts) | Pattern::Or(parts) | Pattern::Positions(_, parts, _) => {
                parts.iter().for_each(|part| part.add_names(names));
            }
            Pattern::Fields(_, fields, _) => fields.iter().for_each(|field| field.pattern.add_names(names)),
            Pattern::Deref(inner) => inner.add_names(names),
            Pattern::Wild | Pattern::Literal(..) | Pattern::Const(..) | Pattern::Range(..) | Pattern::Rest => {}
        }
    }
}

impl Unary {
    /// As it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Unary::Neg => "-",
            Unary::Not => "!",
        }
    }
}

impl Binary {
    /// As it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Rem => "%",
            Binary::BitAnd => "&",
            Binary::BitOr => "|",
            Binary::BitXor => "^",
            Binary::Shl => "<<",
            Binary::Shr => ">>",
            Binary::Eq => "==",
            Binary::Ne => "!=",
            Binary::Lt => "<",
            Binary::Le => "<=",
            Binary::Gt => ">",
            Binary::Ge => ">=",
        }
    }
}
