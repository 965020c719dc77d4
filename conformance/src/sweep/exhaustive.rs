//! The level `full`: all values of small operands, and all 2^32 operands of a row of one `f32` on
//! `jit`.

use std::sync::Arc;

use tilewise_ir::types::Scalar;

use super::cells::SweepCell;
use super::forms::{OperandForm, SweepShape};
use super::level::SweepRun;
use super::oracle::arguments::mask;
use super::program::{SweepProgram, SweptRow};
use super::run::{CellStop, Launcher, SweepBatch, batch, run_batch};
use super::values::{Tuple, combinations, is_fit_tuple};
use crate::target::SuiteTarget;

/// Operands of a launch: what they need fits in memory that the allocator keeps between launches. With 2^20 half of the
/// time went into fresh pages.
const PART: usize = 1 << 17;

/// Parts that hold all 2^32 operands.
const PARTS: u64 = (1 << 32) / PART as u64;

/// Of the 2^32 operands, the oracle judges one in this many; the meaning of the row, which the oracle
/// judges elsewhere, gives the rest.
const JUDGED: usize = 1 << 10;

/// All values of a scalar that have only this many bits: integers of that size, and floats whose
/// other bits are zero.
fn small(scalar: Scalar, bits: u32) -> Vec<u64> {
    match scalar {
        Scalar::Bool => vec![0, 1],
        Scalar::F32 | Scalar::F64 => (0..1 << bits).map(|high: u64| high << (scalar.bits() - bits)).collect(),
        Scalar::U32 | Scalar::U64 => (0..1 << bits).collect(),
        Scalar::I32 | Scalar::I64 => {
            let end = 1i64 << (bits - 1);
            (-end..end).map(|value| value as u64 & mask(scalar)).collect()
        }
    }
}

/// All values of 16 bits of one operand, all pairs of values of 8 bits of two; nothing of more.
fn small_tuples(swept: &SweptRow) -> Vec<Tuple> {
    let bits = match swept.types.len() {
        1 => 16,
        2 => 8,
        _ => return Vec::new(),
    };
    let lists: Vec<Vec<u64>> = swept.types.iter().map(|&scalar| small(scalar, bits)).collect();
    let all = combinations(&lists).into_iter();
    all.filter(|tuple| is_fit_tuple(swept.row, &swept.types, tuple)).collect()
}

/// The kernel that applies the row to operands from memory, one component or the least width.
fn program(swept: &SweptRow) -> Result<Arc<SweepProgram>, CellStop> {
    let forms = vec![OperandForm::of_memory(usize::from(swept.row.widths.0), swept.types.len())];
    SweepProgram::new(swept, SweepShape::Line, forms, Vec::new()).map(Arc::new).map_err(CellStop::Wrong)
}

/// Runs what `full` has beyond `std`.
pub(super) fn run(
    cell: &SweepCell,
    swept: &SweptRow,
    key: &str,
    launcher: &mut Launcher<'_>,
    run: &SweepRun<'_>,
) -> Result<(), CellStop> {
    let program = program(swept)?;
    let tuples = small_tuples(swept);
    if !tuples.is_empty() {
        let ways = launcher.variants(true, 0);
        run_batch(swept, &batch(swept, Arc::clone(&program), Arc::new(tuples)), ways, launcher)?;
    }
    if launcher.target != SuiteTarget::Jit || swept.types != [Scalar::F32] || !swept.row.each {
        return Ok(());
    }
    let first = run.resume.map_or(0, |resume| resume.parts(key));
    for part in first..PARTS {
        (run.progress)(&format!("{} {:.1}%", cell.name, part as f64 * 100.0 / PARTS as f64));
        words(swept, &program, part, launcher)?;
        if let Some(resume) = run.resume {
            resume.note(key, part + 1).map_err(CellStop::Wrong)?;
        }
    }
    Ok(())
}

/// Runs one part of all 2^32 operands.
pub(super) fn words(
    swept: &SweptRow,
    program: &Arc<SweepProgram>,
    part: u64,
    launcher: &mut Launcher<'_>,
) -> Result<(), CellStop> {
    let begin = part * PART as u64;
    let fit = |tuple: &Tuple| is_fit_tuple(swept.row, &swept.types, tuple);
    let tuples: Vec<Tuple> = (begin..begin + PART as u64).map(|bits| [bits, 0, 0, 0]).filter(fit).collect();
    if tuples.is_empty() {
        return Ok(());
    }
    let Some(meaning) = swept.row.op.each(swept.scalar) else { return Ok(()) };
    let judged = |(at, &tuple): (usize, &Tuple)| match at % JUDGED {
        0 => swept.expected(tuple.map(|bits| [bits, 0, 0, 0]), 1)[0],
        _ => meaning(tuple),
    };
    let known: Vec<u64> = tuples.iter().enumerate().map(judged).collect();
    let threads = program.shape.threads(tuples.len());
    let expected = program.expected(swept, &tuples, threads, Some(&known));
    let batch = SweepBatch { program: Arc::clone(program), tuples: Arc::new(tuples), threads, expected };
    run_batch(swept, &batch, launcher.variants(false, part as usize), launcher)
}
