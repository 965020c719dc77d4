//! The forms in which a kernel of the sweep uses a row: a width, and the source of each operand.

use std::fmt::Write as _;

use tilewise_ir::ops::{Lanes, OpFamily, OpRow};
use tilewise_ir::types::Scalar;

use super::oracle::judge::slot_width;
use super::values::{Tuple, few, is_fit, literal};

/// Where an operand comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OperandSource {
    /// An element of a view, another for each thread.
    Memory,
    /// The captured value of this number, the same for all threads.
    Captured(usize),
    /// A literal: the components.
    Literal(Vec<u64>),
}

/// One use of the row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OperandForm {
    /// The common width.
    pub(super) width: usize,
    /// The source of each operand.
    pub(super) sources: Vec<OperandSource>,
}

/// A captured value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CapturedValue {
    /// The operand that it is for.
    pub(super) slot: usize,
    /// Its value.
    pub(super) bits: u64,
}

/// The domain and tiling of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum SweepShape {
    /// One dimension, which ends in the middle of a vector.
    Line,
    /// Two dimensions, with rows of 67 threads: full vectors and a tail in each row.
    Rows,
    /// Tiles of 32 threads.
    Tiles,
    /// Tiles of 27 threads, no multiple of any number of lanes.
    OddTiles,
}

impl SweepShape {
    /// The number of threads that has this shape and is at least `count`.
    pub(super) fn threads(self, count: usize) -> usize {
        match self {
            SweepShape::Line => count.max(1).next_multiple_of(64) + 3,
            SweepShape::Rows => count.next_multiple_of(67),
            SweepShape::Tiles => count.next_multiple_of(32),
            SweepShape::OddTiles => count.next_multiple_of(27),
        }
    }

    /// The domain of this many threads.
    pub(super) fn domain(self, threads: usize) -> Vec<i32> {
        match self {
            SweepShape::Line | SweepShape::Tiles | SweepShape::OddTiles => vec![threads as i32],
            SweepShape::Rows => vec![threads as i32 / 67, 67],
        }
    }

    /// What stands behind a kernel's parameters.
    pub(super) fn attribute(self) -> &'static str {
        match self {
            SweepShape::Line => "rank(1)",
            SweepShape::Rows => "rank(2)",
            SweepShape::Tiles => "tile(32)",
            SweepShape::OddTiles => "tile(27)",
        }
    }

    /// The linear index of a thread.
    pub(super) fn index(self) -> &'static str {
        match self {
            SweepShape::Line | SweepShape::Tiles | SweepShape::OddTiles => "global[0]",
            SweepShape::Rows => "global[0] * 67 + global[1]",
        }
    }
}

impl OperandForm {
    /// All operands from memory.
    pub(super) fn of_memory(width: usize, operands: usize) -> OperandForm {
        OperandForm { width, sources: vec![OperandSource::Memory; operands] }
    }

    /// The same with another source of one operand.
    fn with(mut self, slot: usize, source: OperandSource) -> OperandForm {
        self.sources[slot] = source;
        self
    }

    /// Is every operand from memory?
    pub(super) fn is_of_memory(&self) -> bool {
        self.sources.iter().all(|source| *source == OperandSource::Memory)
    }

    /// The operands of a thread. Component `c` of an operand of width `w` in thread `i` is that of
    /// tuple `i * w + c`, and the tuples repeat.
    pub(super) fn operands(
        &self,
        row: &OpRow,
        tuples: &[Tuple],
        captured: &[CapturedValue],
        thread: usize,
    ) -> [Lanes; 4] {
        let mut out = [[0; 4]; 4];
        for (slot, (source, operand)) in self.sources.iter().zip(&mut out).enumerate() {
            let width = slot_width(row.args[slot].width, self.width);
            for (c, lane) in operand.iter_mut().enumerate().take(width) {
                *lane = match source {
                    OperandSource::Memory => tuples[(thread * width + c) % tuples.len()][slot],
                    OperandSource::Captured(number) => captured[*number].bits,
                    OperandSource::Literal(bits) => bits[c],
                };
            }
        }
        out
    }

    /// The row applied to its operands in thread `i`, as text.
    pub(super) fn text(&self, row: &OpRow, types: &[Scalar]) -> String {
        let mut out = format!("{}(", row.name);
        for (slot, (source, &scalar)) in self.sources.iter().zip(types).enumerate() {
            let width = slot_width(row.args[slot].width, self.width);
            if slot > 0 {
                out += ", ";
            }
            // Writing to a `String` cannot fail.
            let _ = match (source, scalar) {
                (OperandSource::Memory, Scalar::Bool) if width == 1 => write!(out, "a{slot}w1[i] != 0u32"),
                (OperandSource::Memory, Scalar::Bool) => write!(out, "a{slot}w{width}[i] != splat(0u32, {width})"),
                (OperandSource::Memory, _) => write!(out, "a{slot}w{width}[i]"),
                (OperandSource::Captured(number), _) if width == 1 => write!(out, "held{number}"),
                (OperandSource::Captured(number), _) => write!(out, "splat(held{number}, {width})"),
                (OperandSource::Literal(bits), _) => {
                    let parts: Vec<String> = bits.iter().take(width).map(|&bits| literal(scalar, bits)).collect();
                    match width {
                        1 => write!(out, "{}", parts[0]),
                        _ => write!(out, "{}x{width}({})", scalar.name(), parts.join(", ")),
                    }
                }
            };
        }
        out + ")"
    }
}

/// The common widths of a row.
pub(super) fn widths(row: &OpRow) -> impl Iterator<Item = usize> + Clone {
    usize::from(row.widths.0)..=usize::from(row.widths.1)
}

/// A kernel's shape, its uses of the row and its captured values.
pub(super) type ShapeForms = (SweepShape, Vec<OperandForm>, Vec<CapturedValue>);

/// Is the operand an integer's divisor? The checker rejects one that is always zero.
fn is_divisor(row: &OpRow, types: &[Scalar], slot: usize) -> bool {
    slot == 1 && types[slot].is_integer() && matches!(row.op.family(), OpFamily::Division(_))
}

/// The kernels of a row at a scalar; `turn` shifts the choice of captured values and literals.
pub(super) fn kernels(row: &OpRow, types: &[Scalar], turn: usize) -> Vec<ShapeForms> {
    let operands = types.len();
    let least = usize::from(row.widths.0);
    let memory = |width| OperandForm::of_memory(width, operands);
    let chosen: Vec<Vec<u64>> = types
        .iter()
        .enumerate()
        .map(|(slot, &scalar)| {
            let mut list: Vec<u64> = few(scalar).into_iter().filter(|&bits| is_fit(row, slot, scalar, bits)).collect();
            let by = turn % list.len();
            list.rotate_left(by);
            list
        })
        .collect();
    let slots = 0..operands;
    let captured: Vec<CapturedValue> = slots
        .clone()
        .flat_map(|slot| chosen[slot].iter().take(3).map(move |&bits| CapturedValue { slot, bits }))
        .collect();
    let by_capture = |width: usize| {
        let form = move |(number, value): (usize, &CapturedValue)| {
            memory(width).with(value.slot, OperandSource::Captured(number))
        };
        captured.iter().enumerate().map(form).collect::<Vec<_>>()
    };
    let most = if operands <= 2 { 14 } else { 5 };
    let literals: Vec<Vec<u64>> = chosen
        .iter()
        .enumerate()
        .map(|(slot, list)| {
            let is_fit = |bits: &&u64| !(**bits == 0 && is_divisor(row, types, slot));
            list.iter().filter(is_fit).copied().collect()
        })
        .collect();
    let lanes = |slot: usize, from: usize| {
        let list = &literals[slot];
        OperandSource::Literal((0..4).map(|c| list[(from + c) % list.len()]).collect())
    };
    let by_literal = |width: usize, most: usize| {
        let of_slot = |slot: usize| {
            let count = literals[slot].len().min(most);
            (0..count).map(move |from| (slot, from)).collect::<Vec<_>>()
        };
        let form = |(slot, from)| memory(width).with(slot, lanes(slot, from));
        slots.clone().flat_map(of_slot).map(form).collect::<Vec<_>>()
    };
    let folded = |width: usize, from: usize| OperandForm {
        width,
        sources: slots.clone().map(|slot| lanes(slot, from + slot)).collect(),
    };
    let mut tiles = vec![memory(least)];
    tiles.extend(by_literal(least, most));
    let mut rows = vec![memory(least)];
    rows.extend(by_capture(least));
    let mut odd: Vec<OperandForm> = vec![memory(least)];
    for width in widths(row) {
        odd.extend(by_literal(width, 1));
        odd.push(folded(width, 0));
    }
    odd.push(folded(least, 1));
    odd.extend(by_capture(usize::from(row.widths.1)));
    let all = [
        (SweepShape::Line, widths(row).map(memory).collect(), Vec::new()),
        (SweepShape::Rows, rows, captured.clone()),
        (SweepShape::Tiles, tiles, Vec::new()),
        (SweepShape::OddTiles, odd, captured),
    ];
    let parts = |(shape, forms, captured): ShapeForms| {
        split(forms).into_iter().map(move |forms| (shape, forms, captured.clone())).collect::<Vec<_>>()
    };
    all.into_iter().flat_map(parts).collect()
}

/// Components that a kernel computes at most: wide code of long rows has an end.
const MOST: usize = 16;

/// The forms, in kernels that are not too large.
fn split(forms: Vec<OperandForm>) -> Vec<Vec<OperandForm>> {
    let mut out: Vec<Vec<OperandForm>> = vec![Vec::new()];
    let mut components = 0;
    for form in forms {
        if components + form.width > MOST {
            out.push(Vec::new());
            components = 0;
        }
        components += form.width;
        if let Some(last) = out.last_mut() {
            last.push(form);
        }
    }
    out
}
