//! Generates `docs/ops.md` from the table. A test keeps the file up to date.

use std::fmt::Write;

use super::{Op, OpRow, OperandSlot, Relaxed, SlotScalar, SlotWidth};

/// The groups of rows: first row, title, and a sentence on their common properties. A group ends
/// where the next begins.
const GROUPS: &[(Op, &str, &str)] = &[
    (
        Op::Add,
        "Arithmetic",
        "Integers wrap unless the row says otherwise. Floats are IEEE 754, to nearest even, with denormals kept.",
    ),
    (
        Op::Floor,
        "Floats",
        "Denormals are kept as operands and as results. NaN in gives NaN out unless the row says otherwise.",
    ),
    (Op::Eq, "Comparison", "Of the six only `ne` is true when an operand is NaN."),
    (Op::Select, "Choice", "Both sides are evaluated; `if` evaluates one."),
    (Op::And, "Bits", "Shift and rotation amounts count modulo the width."),
    (Op::ToI32, "Conversions", "`x as f32` is `to_f32(x)`. A `bitcast` keeps the bits and changes the type."),
    (Op::PackU64, "Packed formats", "Component 0 lies in the lowest bits."),
    (
        Op::Dot,
        "Geometry",
        "Each is an exact sequence of rounded steps: a sum of products goes from the first component to the last, and no step is contracted in Strict.",
    ),
];

/// The contents of `docs/ops.md`.
pub fn markdown() -> String {
    let mut out = String::from(HEAD);
    let mut groups = GROUPS.iter().peekable();
    for row in Op::ROWS {
        if let Some((_, title, about)) = groups.next_if(|(first, _, _)| *first == row.op) {
            // Writing to a String cannot fail.
            let _ = write!(out, "\n## {title}\n{about}\n\n{COLUMNS}");
        }
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} |",
            signature(row),
            widths(row),
            row.doc.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|"),
            relaxed(row.relaxed),
            row.oracles.iter().map(|oracle| oracle.name()).collect::<Vec<_>>().join("; "),
        );
    }
    out
}

const HEAD: &str = "\
# Operations

Written from the op table (`ir/src/ops/table.rs`) by `ops::markdown`; do not edit. `BLESS=1 cargo test -p tilewise-ir` writes it anew.

A row can be called by its name in a kernel: `min(a, b)`. `T` stands for one scalar type out of those listed, the same wherever it appears in a row. Where all
slots have the same number of components a type is written without it: at width 3 `min(a: T, b: T) -> T` takes and gives vectors of three. In a row that mixes
numbers of components, `TxN` has the common width and any other type the one written.

**Width**: the common widths that the row has; 1 is a scalar, `-` means that all widths are as written.
**Relaxed**: how far a target may be off when a launch is Relaxed; in Strict every row is exact to the bit (except the payload and sign of a NaN). *contracted*:
the steps that the row spells out may be contracted or reordered, and a division or root among them may be off as `div` and `sqrt` may. Integers are always exact.
**Oracle**: the second, independent definition that the row is tested against (`ir/tests/ops_oracle`); where there are several, each type has the one that fits.
";

const COLUMNS: &str = "| operation | width | meaning | relaxed | oracle |\n|---|---|---|---|---|\n";

/// `min(a: T, b: T) -> T`, and the class of `T`.
fn signature(row: &OpRow) -> String {
    let mixed = row.args.iter().chain([&row.result]).any(|slot| matches!(slot.width, SlotWidth::Exactly(_)));
    let args: Vec<_> = row.args.iter().map(|slot| format!("{}: {}", slot.name, slot_type(slot, mixed))).collect();
    let mut out = format!("{}({}) -> {}", row.name, args.join(", "), slot_type(&row.result, mixed));
    if !row.class.is_empty() {
        let class: Vec<_> = row.class.iter().map(|scalar| scalar.name()).collect();
        let _ = write!(out, ", T: {}", class.join(" "));
    }
    out
}

fn slot_type(slot: &OperandSlot, mixed: bool) -> String {
    let scalar = match slot.scalar {
        SlotScalar::T => "T",
        SlotScalar::Fixed(scalar) => scalar.name(),
    };
    match slot.width {
        SlotWidth::Common if mixed => format!("{scalar}xN"),
        SlotWidth::Common | SlotWidth::Exactly(1) => scalar.to_owned(),
        SlotWidth::Exactly(n) => format!("{scalar}x{n}"),
    }
}

fn widths(row: &OpRow) -> String {
    let common = row.args.iter().any(|slot| slot.width == SlotWidth::Common);
    if common { format!("{} to {}", row.widths.0, row.widths.1) } else { "-".to_owned() }
}

fn relaxed(relaxed: Relaxed) -> String {
    match relaxed {
        Relaxed::Exact => "exact".to_owned(),
        Relaxed::Ulp(ulp) => format!("{ulp} ulp"),
        Relaxed::Contracted => "contracted".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_follow_the_table() {
        assert_eq!(GROUPS[0].0, Op::ROWS[0].op, "the first group begins with the first row");
        assert!(GROUPS.is_sorted_by_key(|(first, _, _)| *first), "groups stand in the order of the table");
        assert!(
            GROUPS.iter().all(|(_, title, _)| markdown().contains(&format!("\n## {title}\n"))),
            "every group is printed"
        );
    }
}
