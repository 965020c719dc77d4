//! Tests of the sweep: it covers the whole table, its kernels build, and a wrong result is found.

use std::collections::BTreeSet;

use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::ops::{Op, OpRow, SlotScalar};
use tilewise_ir::types::Scalar;

use super::cells::{CellKind, SweptAtomic, cells};
use super::forms::{OperandSource, SweepShape, kernels, widths};
use super::level::{ResumeFile, SweepLevel, SweepRun};
use super::program::{SweepProgram, SweptRow};
use super::run::{CellStop, Launcher, batch, judge_cell, run_batch};
use super::values::{edge_tuples, edges};
use crate::kir::case;
use crate::own_target::JudgedTarget;
use crate::target::SuiteTarget;
use crate::verdict::{CaseOutcome, Verdict};

fn scalars_of(row: &OpRow) -> Vec<Scalar> {
    match row.result.scalar {
        SlotScalar::Fixed(scalar) if row.class.is_empty() => vec![scalar],
        SlotScalar::Fixed(_) | SlotScalar::T => row.class.to_vec(),
    }
}

#[test]
fn every_row_at_every_scalar_is_a_cell_with_one_oracle() {
    let names: BTreeSet<&str> = cells().iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!(names.len(), cells().len(), "names are unique");
    for row in Op::ROWS {
        for scalar in scalars_of(row) {
            let name = format!("sweep/{}/{}", row.name, scalar.name());
            assert!(names.contains(name.as_str()), "{name} is not swept");
            let swept = SweptRow::new(row.op, scalar);
            assert!(swept.is_ok(), "{}", swept.unwrap_err());
        }
    }
}

#[test]
fn every_row_is_used_at_every_width_and_with_every_source_of_each_operand() {
    for cell in cells() {
        let CellKind::Row(op) = cell.kind else { continue };
        let swept = SweptRow::new(op, cell.scalar).unwrap();
        let all = kernels(swept.row, &swept.types, 0);
        let forms = || all.iter().flat_map(|(_, forms, _)| forms);
        for width in widths(swept.row) {
            assert!(forms().any(|form| form.width == width && form.is_of_memory()), "{}: width {width}", cell.name);
        }
        for slot in 0..swept.types.len() {
            let has = |is: fn(&OperandSource) -> bool| forms().any(|form| is(&form.sources[slot]));
            assert!(has(|source| matches!(source, OperandSource::Captured(_))), "{}: operand {slot}", cell.name);
            assert!(has(|source| matches!(source, OperandSource::Literal(_))), "{}: operand {slot}", cell.name);
        }
        let mut shapes: Vec<SweepShape> = all.iter().map(|kernel| kernel.0).collect();
        shapes.dedup();
        assert_eq!(shapes, [SweepShape::Line, SweepShape::Rows, SweepShape::Tiles, SweepShape::OddTiles]);
    }
}

#[test]
fn the_scalars_of_an_atomic_are_those_that_the_checker_accepts() {
    for op in AtomicOp::ALL {
        for scalar in Scalar::ALL {
            let value = match op {
                AtomicOp::Inc | AtomicOp::Dec => "",
                AtomicOp::Add
                | AtomicOp::Sub
                | AtomicOp::Min
                | AtomicOp::Max
                | AtomicOp::And
                | AtomicOp::Or
                | AtomicOp::Xor
                | AtomicOp::Exchange => ", v[0]",
            };
            let name = scalar.name();
            let text = format!("kernel k(v: view<{name}, 1, read_write>) rank(1) {{ {}(v[0]{value}); }}", op.name());
            let kind = CellKind::Atomic(SweptAtomic::Change(op));
            let is_cell = cells().iter().any(|cell| cell.kind == kind && cell.scalar == scalar);
            assert_eq!(case::compile("k.kir", &text).is_ok(), is_cell, "{} on {name}", op.name());
        }
    }
    for scalar in Scalar::ALL {
        let name = scalar.name();
        let place = "atomic_compare_exchange(v[0], v[1], v[2])";
        let text = format!("kernel k(v: view<{name}, 1, read_write>) rank(1) {{ let (a, b) = {place}; }}");
        let kind = CellKind::Atomic(SweptAtomic::CompareExchange);
        let is_cell = cells().iter().any(|cell| cell.kind == kind && cell.scalar == scalar);
        assert_eq!(case::compile("k.kir", &text).is_ok(), is_cell, "compare-exchange on {name}");
    }
}

#[test]
fn edges_hold_the_ends_of_each_scalar() {
    for (scalar, ends) in [
        (Scalar::I32, vec![0, 1, 0xffff_ffff, 0x7fff_ffff, 0x8000_0000]),
        (Scalar::U64, vec![0, 1, u64::MAX, 1 << 63]),
        (Scalar::F32, vec![0, 0x8000_0000, 1, 0x7f80_0000, 0xff80_0000, 0x7f7f_ffff, 0x3f80_0001, 0x3f7f_ffff]),
    ] {
        let list = edges(scalar);
        assert!(ends.iter().all(|end| list.contains(end)), "{scalar:?}");
    }
}

/// The verdict of the comparison where the row of a kernel and the expected one differ.
fn judged_as(kernel: Op, expected: Op, scalar: Scalar) -> Result<(), CellStop> {
    let swept = SweptRow::new(kernel, scalar).unwrap();
    let other = SweptRow::new(expected, scalar).unwrap();
    let mut forms = BTreeSet::new();
    let launcher = &mut Launcher {
        target: SuiteTarget::Reference,
        judged: JudgedTarget::of(SuiteTarget::Reference),
        forms: &mut forms,
        within_tolerance: &mut false,
    };
    let tuples = std::sync::Arc::new(edge_tuples(swept.row, &swept.types));
    for (shape, forms, captured) in kernels(swept.row, &swept.types, 0) {
        let program = std::sync::Arc::new(SweepProgram::new(&swept, shape, forms, captured).unwrap());
        let batch = batch(&other, program, std::sync::Arc::clone(&tuples));
        run_batch(&other, &batch, launcher.variants(false, 0), launcher)?;
    }
    Ok(())
}

#[test]
fn a_row_with_the_meaning_of_another_is_found() {
    assert!(judged_as(Op::Add, Op::Add, Scalar::I32).is_ok());
    for (kernel, expected, scalar) in [
        (Op::AddSat, Op::Add, Scalar::I32),
        (Op::Min, Op::Max, Scalar::F32),
        (Op::Div, Op::DivEuclid, Scalar::I64),
        (Op::RoundEven, Op::Round, Scalar::F64),
        (Op::Le, Op::Lt, Scalar::U32),
        (Op::Any, Op::All, Scalar::Bool),
    ] {
        let Err(CellStop::Wrong(message)) = judged_as(kernel, expected, scalar) else {
            panic!("{} passes as {}", kernel.name(), expected.name())
        };
        assert!(message.contains("expected") && message.contains("kernel sweep("), "{message}");
    }
}

#[test]
fn a_finished_cell_is_not_run_again_and_a_broken_file_is_refused() {
    let path = std::env::temp_dir().join(format!("tilewise-sweep-{}.txt", std::process::id()));
    let resume = ResumeFile::open(&path).unwrap();
    let cell = cells().iter().find(|cell| cell.name == "sweep/not/bool").unwrap();
    let run = SweepRun { resume: Some(&resume), ..SweepRun::PLAIN };
    let CaseOutcome { verdict, forms, .. } = judge_cell(cell, SuiteTarget::Jit, SweepLevel::Quick, &run);
    assert_eq!((verdict, forms.is_empty()), (Verdict::Pass, false));
    drop(resume);
    let again = ResumeFile::open(&path).unwrap();
    let run = SweepRun { resume: Some(&again), ..SweepRun::PLAIN };
    let CaseOutcome { verdict, forms, .. } = judge_cell(cell, SuiteTarget::Jit, SweepLevel::Quick, &run);
    assert_eq!((verdict, forms.is_empty()), (Verdict::Pass, true), "nothing ran");
    again.note("a b c", 7).unwrap();
    again.note("a b c", 17).unwrap();
    assert!(ResumeFile::open(&path).unwrap_err().contains("another run"));
    drop(again);
    assert_eq!(ResumeFile::open(&path).unwrap().parts("a b c"), 17);
    std::fs::write(&path, "something else\n").unwrap();
    let refused = ResumeFile::open(&path).unwrap_err();
    assert!(refused.contains("it does not begin with `tilewise sweep, form 1`"), "{refused}");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn one_part_of_all_words_passes() {
    let swept = SweptRow::new(Op::Floor, Scalar::F32).unwrap();
    let (_, forms, captured) = kernels(swept.row, &swept.types, 0).swap_remove(0);
    let program =
        std::sync::Arc::new(SweepProgram::new(&swept, SweepShape::Line, forms[..1].to_vec(), captured).unwrap());
    let mut forms = BTreeSet::new();
    let launcher = &mut Launcher {
        target: SuiteTarget::Jit,
        judged: JudgedTarget::of(SuiteTarget::Jit),
        forms: &mut forms,
        within_tolerance: &mut false,
    };
    // Numbers around 2^23, where fractions end.
    assert!(super::exhaustive::words(&swept, &program, 0x4b00_0000 >> 17, launcher).is_ok());
}
