//! Every row of the op table against its oracle: a second definition that shares neither code nor method with the row.
//!
//! The table drives the test. For each row, each scalar of its class and each common width the row is evaluated on edges and on random arguments, and the
//! bits are compared with those of the one oracle, out of those the row names, that judges this scalar. No oracle, or two, is a failure: nothing passes
//! by default. Any NaN equals any NaN.
//!
//! - [`integers`]: arithmetic on `i128`. [`soft`], [`softfloat`]: floats as sign, exponent and integer significand. [`composed`]: formulas in steps of
//!   the soft-float. [`ordering`]: comparison by bit patterns. [`bitloop`]: bit by bit.
//! - [`arguments`]: what the rows are tried on. [`judge`]: the oracle of a row, and equality.
//!
//! The conformance suite's sweep runs the same rows on all targets, and is judged by the same files.
//!
//! [`faults`] tries the test itself: wrong meanings must be found.

#[path = "../../../conformance/src/sweep/oracle/arguments.rs"]
mod arguments;
#[path = "../../../conformance/src/sweep/oracle/bitloop.rs"]
mod bitloop;
#[path = "../../../conformance/src/sweep/oracle/composed.rs"]
mod composed;
mod faults;
#[path = "../../../conformance/src/sweep/oracle/integers.rs"]
mod integers;
#[path = "../../../conformance/src/sweep/oracle/judge.rs"]
mod judge;
#[path = "../../../conformance/src/sweep/oracle/ordering.rs"]
mod ordering;
#[path = "../../../conformance/src/sweep/oracle/soft.rs"]
mod soft;
#[path = "../../../conformance/src/sweep/oracle/softfloat.rs"]
mod softfloat;

use arguments::Random;
use judge::{judge, oracle, result_type, same, scalars, show_all, slot_width};
use tilewise_ir::ops::{Instance, Lanes, Op, OpRow, OperandSlot, Oracle, Relaxed, SlotScalar};
use tilewise_ir::types::{Data, Scalar};

/// Random tuples for each row and scalar (for rows on whole vectors also for each width). `TILEWISE_ORACLE_TUPLES` asks for more in a long run.
fn random_tuples() -> usize {
    std::env::var("TILEWISE_ORACLE_TUPLES").ok().and_then(|text| text.parse().ok()).unwrap_or(1 << 14)
}

/// A meaning to be judged.
type Meaning<'a> = dyn Fn(Instance, &[Lanes]) -> Lanes + 'a;

/// One row at one scalar and width, with its judge.
struct Case<'a> {
    row: &'a OpRow,
    instance: Instance,
    oracle: Oracle,
    types: Vec<Scalar>,
}

impl<'a> Case<'a> {
    fn new(row: &'a OpRow, t: Scalar, width: usize) -> Result<Case<'a>, String> {
        let result = result_type(row, t, width);
        let instance = Instance { scalar: t, width: width as u8, result };
        let types = arguments::scalars(row, t);
        let data =
            |(slot, &scalar): (&OperandSlot, &Scalar)| Data { scalar, width: slot_width(slot.width, width) as u8 };
        let args: Vec<Data> = row.args.iter().zip(&types).map(data).collect();
        match row.op.resolve(&args) {
            Ok(resolved) if resolved == instance => Ok(Case { row, instance, oracle: oracle(row, t)?, types }),
            other => Err(format!("{} at {t} x {width}: the type rule gives {other:?}", row.name)),
        }
    }

    /// Holds `meaning` against the oracle on one value of each argument.
    fn check(&self, meaning: &Meaning<'_>, args: [Lanes; 4]) -> Result<(), String> {
        let width = usize::from(self.instance.width);
        let got = meaning(self.instance, &args[..self.row.args.len()]);
        let Some(want) = judge(self.oracle, self.row, self.instance.scalar, args, width) else {
            return Err(format!("{}: the oracle gives up", self.row.name));
        };
        let result = self.instance.result;
        let equal =
            |i: usize| if i < usize::from(result.width) { same(result.scalar, got[i], want[i]) } else { got[i] == 0 };
        if (0..4).all(equal) {
            return Ok(());
        }
        let mut report = format!("{} at {} x {width}:\n", self.row.name, self.instance.scalar);
        for ((slot, &scalar), lanes) in self.row.args.iter().zip(&self.types).zip(args) {
            let data = Data { scalar, width: slot_width(slot.width, width) as u8 };
            report += &format!("    {} = {}\n", slot.name, show_all(data, lanes));
        }
        report +=
            &format!("    row:    {}\n    {}: {}", show_all(result, got), self.oracle.name(), show_all(result, want));
        if got[usize::from(result.width)..].iter().any(|&bits| bits != 0) {
            report += "\n    the row leaves something beyond the width of its result";
        }
        Err(report)
    }

    /// Tuples of single components, as many at a time as the width takes.
    fn check_tuples(&self, meaning: &Meaning<'_>, tuples: &[[u64; 4]]) -> Result<usize, String> {
        for chunk in tuples.chunks(usize::from(self.instance.width)) {
            let mut args = [[0; 4]; 4];
            for lane in 0..usize::from(self.instance.width) {
                for (arg, &x) in args.iter_mut().zip(&chunk[lane.min(chunk.len() - 1)]) {
                    arg[lane] = x;
                }
            }
            self.check(meaning, args)?;
        }
        Ok(tuples.len())
    }

    /// Values of the arguments of a row on whole vectors: components drawn by `component(argument)`.
    fn vectors(&self, mut component: impl FnMut(usize) -> u64) -> [Lanes; 4] {
        let mut args = [[0; 4]; 4];
        for (i, slot) in self.row.args.iter().enumerate() {
            let width = slot_width(slot.width, usize::from(self.instance.width));
            args[i][..width].iter_mut().for_each(|x| *x = component(i));
        }
        args
    }
}

/// Holds a meaning against the oracle on all edges and `random` random tuples; gives how many were tried.
fn check(row: &OpRow, t: Scalar, meaning: &Meaning<'_>, random: usize) -> Result<usize, String> {
    let seed = row.op as u64 * 64 + t as u64;
    let mut source = Random(seed);
    if row.each {
        // The widths share the work: a quarter of all tuples goes to each.
        let types = arguments::scalars(row, t);
        let mut tuples = arguments::edge_tuples(&types);
        tuples.extend((0..random).map(|_| arguments::random_tuple(&types, &mut source)));
        let mut tried = 0;
        for (width, part) in (1..=4).zip(tuples.chunks(tuples.len().div_ceil(4))) {
            tried += Case::new(row, t, width)?.check_tuples(meaning, part)?;
        }
        return Ok(tried);
    }
    let mut tried = 0;
    for width in row.widths.0..=row.widths.1 {
        let case = Case::new(row, t, usize::from(width))?;
        // All components of an argument alike, then drawn from the edges, then from everywhere.
        let edges: Vec<Vec<u64>> = case.types.iter().map(|&t| arguments::edges(t)).collect();
        for tuple in arguments::edge_tuples(&case.types) {
            case.check(meaning, case.vectors(|arg| tuple[arg]))?;
            tried += 1;
        }
        for round in 0..random + random / 4 {
            let args = if round % 5 == 0 {
                case.vectors(|arg| edges[arg][source.below(edges[arg].len() as u64) as usize])
            } else {
                case.vectors(|arg| arguments::random(case.types[arg], &mut source))
            };
            case.check(meaning, args)?;
            tried += 1;
        }
    }
    Ok(tried)
}

#[test]
fn every_row_agrees_with_its_oracle() {
    let rows = Op::ROWS;
    // Every fourth row to each of four threads: the soft-float takes its time.
    let results: Vec<Result<usize, String>> = std::thread::scope(|scope| {
        let part = |first: usize| move || rows.iter().skip(first).step_by(4).flat_map(check_row).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|first| scope.spawn(part(first))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a row's meaning or oracle panicked")).collect()
    });
    let tried: usize = results.iter().flatten().sum();
    let failures: Vec<&str> = results.iter().filter_map(|result| result.as_ref().err().map(String::as_str)).collect();
    assert!(failures.is_empty(), "{} of {} cells fail:\n\n{}", failures.len(), results.len(), failures.join("\n\n"));
    println!("{} rows, {} cells (row x scalar), {tried} evaluations", rows.len(), results.len());
}

/// The outcome for each scalar of a row.
fn check_row(row: &OpRow) -> Vec<Result<usize, String>> {
    let meaning = |instance: Instance, args: &[Lanes]| row.op.eval(instance, args);
    scalars(row).into_iter().map(|t| check(row, t, &meaning, random_tuples())).collect()
}

#[test]
fn every_oracle_that_a_row_names_judges_one_of_its_scalars() {
    for row in Op::ROWS {
        let used: Vec<Oracle> = scalars(row).into_iter().filter_map(|t| oracle(row, t).ok()).collect();
        for named in row.oracles {
            assert!(used.contains(named), "{} names {} for nothing", row.name, named.name());
        }
    }
}

#[test]
fn only_rows_that_round_floats_are_relaxed() {
    for row in Op::ROWS {
        let floats = |scalar| match scalar {
            SlotScalar::T => row.class.iter().any(|t| t.is_float()),
            SlotScalar::Fixed(fixed) => fixed.is_float(),
        };
        let exact = row.relaxed == Relaxed::Exact;
        assert!(exact || floats(row.result.scalar), "{} gives no float and must be exact", row.name);
        let chosen = [Oracle::Ordering, Oracle::BitLoop].iter().any(|oracle| row.oracles.contains(oracle));
        assert!(exact || !chosen, "{} compares or moves bits and must be exact", row.name);
        if let Relaxed::Ulp(ulp) = row.relaxed {
            assert!(ulp > 0.5 && ulp <= 16.0, "{}: {ulp} ulp is none or too much", row.name);
        }
    }
}

#[test]
fn msad4_gives_the_result_that_its_documentation_works_out() {
    // Microsoft's page on msad4 has these arguments; differences of equal bytes and of bytes masked by 0 are left out here.
    let args = [[0xA100_B2C3, 0, 0, 0], [0xD7B0_C372, 0x4F57_C2A3, 0, 0], [1, 2, 3, 4]];
    let x = 1 + (0xD7 - 0xA1) + (0xC3 - 0xB2) + (0xC3 - 0x72);
    let y = 2 + (0xA3 - 0xA1) + (0xB2 - 0xB0);
    let instance = Instance { scalar: Scalar::U32, width: 1, result: Data::vector(Scalar::U32, 4) };
    assert_eq!(Op::Msad4.eval(instance, &args)[..2], [x, y]);
}

#[test]
fn the_small_formats_are_right_on_all_their_values() {
    for name in [
        "unpack2x16float",
        "unpack2x16snorm",
        "unpack2x16unorm",
        "unpack4x8snorm",
        "unpack4x8unorm",
        "unpack4xi8",
        "unpack4xu8",
    ] {
        let row = Op::by_name(name).expect("the row exists").row();
        let t = scalars(row)[0];
        let case = Case::new(row, t, 1).unwrap();
        for half in 0..1 << 16 {
            let word = half | (half ^ 0xffff) << 16;
            case.check(&|instance, args| row.op.eval(instance, args), [[word, 0, 0, 0], [0; 4], [0; 4], [0; 4]])
                .unwrap();
        }
    }
    // To binary16: each of its values, the middle between it and the next, and the neighbours of that.
    let quantize = Op::QuantizeF16.row();
    let pack = Op::Pack2x16Float.row();
    let quantize = Case::new(quantize, Scalar::F32, 1).unwrap();
    let pack = Case::new(pack, Scalar::U32, 1).unwrap();
    for half in 0..1 << 16 {
        let value = soft::convert(soft::F16, soft::F32, half);
        let next = soft::convert(soft::F16, soft::F32, half ^ 1);
        let middle = soft::mul(soft::F32, soft::add(soft::F32, value, next), 0x3f00_0000);
        for x in [value, middle, middle.wrapping_add(1) & 0xffff_ffff, middle.saturating_sub(1)] {
            let one = [[x, 0, 0, 0], [0; 4], [0; 4], [0; 4]];
            quantize.check(&|instance, args| Op::QuantizeF16.eval(instance, args), one).unwrap();
            let two = [[x, value, 0, 0], [0; 4], [0; 4], [0; 4]];
            pack.check(&|instance, args| Op::Pack2x16Float.eval(instance, args), two).unwrap();
        }
    }
}
