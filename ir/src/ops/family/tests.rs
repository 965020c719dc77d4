//! The table of families against the rows and meanings of the operations.

use super::{ArithmeticOp, OpFamily, OverflowRule};
use crate::ops::Op;
use crate::types::{Data, Scalar};

/// The result of an operation on two `i32`, as bits.
fn of_two(op: Op, a: i32, b: i32) -> u64 {
    let instance = op.resolve(&[Data::I32; 2]).unwrap_or_else(|misfit| panic!("{}: {misfit:?}", op.name()));
    op.eval(instance, &[a, b].map(|x| [u64::from(x as u32), 0, 0, 0]))[0]
}

#[test]
fn comparisons_are_the_rows_that_compare_and_turn_as_they_say() {
    let compares = |op: Op| op.comparison().is_some();
    let named: Vec<&str> = Op::ROWS.iter().filter(|row| compares(row.op)).map(|row| row.name).collect();
    assert_eq!(named, ["eq", "ne", "lt", "le", "gt", "ge"]);
    for comparison in Op::ROWS.iter().filter_map(|row| row.op.comparison()) {
        assert_eq!(comparison.op().comparison(), Some(comparison));
        for (a, b) in [(-1, 1), (1, -1), (3, 3)] {
            let holds = of_two(comparison.op(), a, b);
            assert_eq!(of_two(comparison.swapped().op(), b, a), holds, "{comparison:?} of {a}, {b} swapped");
            assert_eq!(of_two(comparison.negated().op(), a, b), 1 - holds, "{comparison:?} of {a}, {b} negated");
        }
    }
}

#[test]
fn conversions_bitcasts_and_narrow_formats_are_those_that_the_names_say() {
    for row in Op::ROWS {
        let named = |prefix: &str| row.name.strip_prefix(prefix);
        let text = |scalar: Scalar| scalar.to_string();
        assert_eq!(row.op.conversion().map(text).as_deref(), named("to_"), "{}", row.name);
        assert_eq!(row.op.bitcast().map(text).as_deref(), named("bitcast_"), "{}", row.name);
        let narrow = if let OpFamily::Narrow(stored) = row.op.family() { Some(stored.to_string()) } else { None };
        assert_eq!(narrow.as_deref(), named("wrap_").or(named("quantize_")), "{}", row.name);
        let changed = named("to_").or(named("bitcast_")).filter(|to| !to.starts_with('f'));
        assert_eq!(row.op.integer_change().map(text).as_deref(), changed, "{}", row.name);
    }
}

#[test]
fn arithmetic_does_on_overflow_what_its_family_says() {
    for row in Op::ROWS {
        let OpFamily::Arithmetic(what, rule) = row.op.family() else { continue };
        for (a, b) in [(7, 5), (i32::MAX, i32::MAX), (i32::MIN, i32::MAX), (i32::MIN, 2)] {
            let (x, y) = (i64::from(a), i64::from(b));
            let exact = match what {
                ArithmeticOp::Add => x + y,
                ArithmeticOp::Sub => x - y,
                ArithmeticOp::Mul => x * y,
            };
            let expected = match rule {
                OverflowRule::Wrap => exact as i32 as u32,
                OverflowRule::Saturate => exact.clamp(i32::MIN.into(), i32::MAX.into()) as i32 as u32,
                OverflowRule::Report => u32::from(i32::try_from(exact).is_err()),
            };
            assert_eq!(of_two(row.op, a, b), u64::from(expected), "{} of {a}, {b}", row.name);
        }
    }
    let count = Op::ROWS.iter().filter(|row| matches!(row.op.family(), OpFamily::Arithmetic(..))).count();
    assert_eq!(count, 9);
}

#[test]
fn families_fit_the_types_of_their_rows() {
    for row in Op::ROWS {
        let family = row.op.family();
        let whole = matches!(family, OpFamily::Reduction | OpFamily::Packed | OpFamily::Geometry(_));
        assert_eq!(row.each, !whole, "{} works on components alike, or on all together", row.name);
        let floats_only = !row.class.is_empty() && row.class.iter().all(|scalar| scalar.is_float());
        let of_floats = matches!(family, OpFamily::Float | OpFamily::FloatTest);
        assert!(!of_floats || floats_only, "{} is for floats only", row.name);
        let known = of_floats || whole || row.op == Op::Fma;
        assert!(known || !floats_only, "{} is for floats only, and its family is not", row.name);
        let integers_only = !row.class.is_empty() && row.class.iter().all(|scalar| scalar.is_integer());
        assert!(!matches!(family, OpFamily::Integer(_)) || integers_only, "{} is for integers only", row.name);
        let tests = row.name.starts_with("is_") || row.op == Op::SignBit;
        assert_eq!(matches!(family, OpFamily::FloatTest), tests, "{} asks about a float", row.name);
    }
}

#[test]
fn members_are_called_like_their_operations() {
    for row in Op::ROWS {
        let member = match row.op.family() {
            OpFamily::Division(op) => format!("{op:?}"),
            OpFamily::Signed(op) => format!("{op:?}"),
            OpFamily::Extreme(op) => format!("{op:?}"),
            OpFamily::Integer(op) => format!("{op:?}"),
            OpFamily::Bitwise(op) => format!("{op:?}"),
            OpFamily::Shift(op) => format!("{op:?}"),
            OpFamily::Comparison(op) => format!("{op:?}"),
            OpFamily::Arithmetic(op, OverflowRule::Wrap) => format!("{op:?}"),
            OpFamily::Arithmetic(op, OverflowRule::Saturate) => format!("{op:?}Sat"),
            OpFamily::Arithmetic(op, OverflowRule::Report) => format!("{op:?}Overflows"),
            OpFamily::MultiplyAdd
            | OpFamily::Clamp
            | OpFamily::Select
            | OpFamily::Reduction
            | OpFamily::Not
            | OpFamily::BitCount
            | OpFamily::BitSearch
            | OpFamily::BitMove
            | OpFamily::ExtractBits
            | OpFamily::Conversion(_)
            | OpFamily::Bitcast(_)
            | OpFamily::Narrow(_)
            | OpFamily::Float
            | OpFamily::FloatTest
            | OpFamily::Packed
            | OpFamily::Geometry(_) => continue,
        };
        assert_eq!(format!("{:?}", row.op), member);
    }
}
