//! Which operations call their meaning, and whose lanes go one by one, as code says and as the table says.
//!
//! Code is made for a machine with everything, for an x86-64 machine without FMA and rounding, and for aarch64; calls
//! are looked for in what is given to Cranelift.

use tilewise_ir::ops::{Instance, Op, OpRow, SlotWidth};
use tilewise_ir::types::{Data, Scalar};

use super::super::LaneCost;
use super::super::compile::written_for;
use super::super::facts::MachineFacts;
use super::super::op::table::{CallCondition, Lanewise, lowering};
use super::super::target::{CodeTarget, named, oldest};
use super::rows::arguments::scalars;
use super::rows::{Comes, program, result_of, scalars_of};
use crate::lanes::LaneProgram;

/// Machines, and how many lanes programs have there.
fn machines() -> Vec<(&'static str, CodeTarget, u32)> {
    let arm = "aarch64-unknown-linux-gnu";
    let mut machines = vec![(arm, named(arm).unwrap_or_else(|why| panic!("{why}")), 4)];
    if cfg!(target_arch = "x86_64") {
        let new = "x86_64-unknown-linux-gnu";
        machines.push((new, named(new).unwrap_or_else(|why| panic!("{why}")), 4));
        // Kernels run at width 1 there.
        machines.push(("old x86-64", oldest(), 1));
    }
    machines
}

/// How the arguments behind the first one come.
const OTHERS: [Comes; 3] = [Comes::Lanes, Comes::Uniform, Comes::Known(3)];

/// How the lanes of an operation go, as the table says.
fn told(op: Op, scalar: Scalar, facts: MachineFacts, width: u32, others: Comes) -> LaneCost {
    let code = lowering(op).code(scalar);
    let calls = match code.calls(scalar) {
        CallCondition::Never => false,
        CallCondition::Always => true,
        CallCondition::WithoutFusedAdd => !facts.fma,
        CallCondition::WithoutRounding => !facts.rounds,
        CallCondition::UnlessKnown => !matches!(others, Comes::Known(_)),
    };
    let lanewise = width > 1
        && match code.lanewise(scalar) {
            Lanewise::Never => false,
            Lanewise::Always => true,
            Lanewise::IfAmountsDiffer => others == Comes::Lanes,
            Lanewise::IfAmountsDifferElsewhere => others == Comes::Lanes && !facts.x64,
        };
    match (calls, lanewise) {
        (true, _) => LaneCost::Calls,
        (false, true) => LaneCost::Lanes,
        (false, false) => LaneCost::Vectors,
    }
}

/// Compares what is written with what the table says; of rows on whole vectors calls only.
fn compare(name: &str, program: &LaneProgram, machine: &(&str, CodeTarget, u32), told: LaneCost) -> String {
    let (text, slow) = written_for(program, &machine.1).unwrap_or_else(|why| panic!("{name} for {}: {why}", machine.0));
    let calls = text.contains("call");
    let pace = if calls { LaneCost::Calls } else { slow.first().map_or(LaneCost::Vectors, |slow| slow.pace) };
    if pace == told {
        return String::new();
    }
    format!("{name} for {}: {pace:?}, and the table says {told:?}\n", machine.0)
}

#[test]
fn what_goes_component_by_component_calls_and_goes_lane_by_lane_as_the_table_says() {
    let mut text = String::new();
    for machine in machines() {
        let facts = MachineFacts::of(&**machine.1.well().unwrap_or_else(|why| panic!("{why}")));
        for row in Op::ROWS.iter().filter(|row| row.each) {
            for (t, others) in scalars_of(row).into_iter().flat_map(|t| OTHERS.map(|others| (t, others))) {
                let args: Vec<(Scalar, Comes)> = (0..)
                    .zip(scalars(row, t))
                    .map(|(i, scalar)| (scalar, if i == 0 { Comes::Lanes } else { others }))
                    .collect();
                let (program, _) = program(machine.2, &args, result_of(row, t), |b, values| b.op(row.op, t, values));
                let told = told(row.op, t, facts, machine.2, others);
                text += &compare(&format!("{} of {t}, others {others:?}", row.name), &program, &machine, told);
            }
        }
    }
    assert!(text.is_empty(), "{text}");
}

/// How a row on whole vectors is used, for a type and a width.
fn whole_instance(row: &OpRow, t: Scalar, n: u8) -> (Vec<u8>, Instance) {
    let of = |width: SlotWidth| match width {
        SlotWidth::Common => n,
        SlotWidth::Exactly(n) => n,
    };
    let widths = row.args.iter().map(|slot| of(slot.width)).collect();
    let result = Data::vector(result_of(row, t), of(row.result.width));
    (widths, Instance { scalar: t, width: n, result })
}

#[test]
fn what_takes_whole_vectors_calls_as_the_table_says() {
    let mut text = String::new();
    for machine in machines() {
        let facts = MachineFacts::of(&**machine.1.well().unwrap_or_else(|why| panic!("{why}")));
        for row in Op::ROWS.iter().filter(|row| !row.each) {
            for t in scalars_of(row) {
                let (widths, instance) = whole_instance(row, t, row.widths.1);
                let types = scalars(row, t);
                let args: Vec<(Scalar, Comes)> =
                    types.iter().zip(&widths).flat_map(|(&t, &n)| vec![(t, Comes::Lanes); n.into()]).collect();
                let (program, _) = program(machine.2, &args, instance.result.scalar, |b, values| {
                    b.whole(row.op, instance, values, &widths, 0)
                });
                let told = told(row.op, t, facts, 1, Comes::Lanes);
                text += &compare(&format!("{} of {t}", row.name), &program, &machine, told);
            }
        }
    }
    assert!(text.is_empty(), "{text}");
}
