//! How tight operators bind, and which rows of the op table they are: for the parser and the printer.

use crate::ops::Op;

pub(super) const OR: u8 = 1;
pub(super) const AND: u8 = 2;
/// `== != < <= > >=`, which are not chained.
pub(super) const COMPARE: u8 = 3;
pub(super) const CAST: u8 = 10;
pub(super) const UNARY: u8 = 11;
pub(super) const POSTFIX: u8 = 12;
/// A name, a literal, a call: needs no parentheses anywhere.
pub(super) const ATOM: u8 = 13;

const BINARY: [(&str, u8, Op); 16] = [
    ("*", 9, Op::Mul),
    ("/", 9, Op::Div),
    ("%", 9, Op::Rem),
    ("+", 8, Op::Add),
    ("-", 8, Op::Sub),
    ("<<", 7, Op::Shl),
    (">>", 7, Op::Shr),
    ("&", 6, Op::And),
    ("^", 5, Op::Xor),
    ("|", 4, Op::Or),
    ("==", COMPARE, Op::Eq),
    ("!=", COMPARE, Op::Ne),
    ("<", COMPARE, Op::Lt),
    ("<=", COMPARE, Op::Le),
    (">", COMPARE, Op::Gt),
    (">=", COMPARE, Op::Ge),
];

/// The level and the row of a binary operator.
pub(super) fn by_mark(mark: &str) -> Option<(u8, Op)> {
    BINARY.iter().find(|row| row.0 == mark).map(|row| (row.1, row.2))
}

/// The binary operator of a row, and its level.
pub(super) fn of(op: Op) -> Option<(&'static str, u8)> {
    BINARY.iter().find(|row| row.2 == op).map(|row| (row.0, row.1))
}
