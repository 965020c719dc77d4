//! Every row of the op table, at every scalar of its class, as scalars and as lanes, against the table: on the arguments that the table itself is tested on.
#![allow(unsafe_code, reason = "runs machine code")]

#[path = "../../../../conformance/src/sweep/oracle/arguments.rs"]
#[allow(dead_code, reason = "the tests of the table need more of it")]
pub(super) mod arguments;

use std::ffi::c_void;
use std::fmt::Write;
use std::sync::atomic::AtomicU32;

use arguments::{Random, edge_tuples, random_tuple, scalars};
use tilewise_ir::ops::{Instance, Op, OpRow, SlotScalar, SlotWidth};
use tilewise_ir::types::{Data, Scalar};

use super::super::{MachineCode, compile_for};
use super::{EmitOptions, HostCalls, Line, MemorySpace, address, compile};
use crate::lanes::{AddressStep, ArenaSizes, ArgumentWord, Effect, Elem, LaneBuilder, LaneProgram, LaneValue};

/// How an argument comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comes {
    /// Comes memory, for each lane.
    Lanes,
    /// Comes memory, the same for all lanes.
    Uniform,
    /// Known when code is made.
    Known(u64),
}

unsafe extern "C" fn tell(_: *mut c_void, _: u32, _: u64, _: i64, _: *const u64) {}

/// 16 elements of 8 bytes.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Lanes([u8; 128]);

/// A program that applies a row: where an argument comes from is the word of its number, and the result goes side by side to memory if any is lanes.
pub(super) fn program(
    width: u32,
    args: &[(Scalar, Comes)],
    result: Scalar,
    apply: impl FnOnce(&mut LaneBuilder, &[LaneValue]) -> LaneValue,
) -> (LaneProgram, bool) {
    let mut b = LaneBuilder::new(width);
    let values: Vec<LaneValue> = (0..)
        .zip(args)
        .map(|(i, &(scalar, from))| {
            let base = b.input(ArgumentWord::ViewBase(i));
            let along = if from == Comes::Lanes {
                AddressStep::Step(scalar.stored().size().into())
            } else {
                AddressStep::Uniform
            };
            match from {
                Comes::Known(bits) => b.constant(Elem::of(scalar), bits),
                _ => b.load(address(MemorySpace::Buffer(0), base, along, scalar.stored()), None),
            }
        })
        .collect();
    let out = b.input(ArgumentWord::ViewBase(100));
    let value = apply(&mut b, &values);
    let lanes = b.ty(value).is_lanes();
    let along = if lanes { AddressStep::Step(result.stored().size().into()) } else { AddressStep::Uniform };
    b.effect(Effect::Store { at: address(MemorySpace::Buffer(1), out, along, result.stored()), value, mask: None });
    let mut program = b.finish("row".into(), ArenaSizes::default());
    program.writable = vec![false, true];
    (program, lanes)
}

/// A row in code.
struct Rig {
    code: MachineCode,
    args: Vec<(Scalar, Comes)>,
    result: Scalar,
    lanes: usize,
}

impl Rig {
    /// Code for a row whose arguments come so.
    fn new(
        width: u32,
        args: &[(Scalar, Comes)],
        result: Scalar,
        apply: impl FnOnce(&mut LaneBuilder, &[LaneValue]) -> LaneValue,
    ) -> Rig {
        let (program, lanes) = program(width, args, result, apply);
        let code = compile(&program, &EmitOptions::default()).unwrap_or_else(|why| panic!("{why}"));
        Rig { code, args: args.to_vec(), result, lanes: if lanes { width as usize } else { 1 } }
    }

    /// The results on lists of arguments, whose length is that of one run.
    fn run(&self, tuples: &[Vec<u64>]) -> Vec<u64> {
        let size = |scalar: Scalar| scalar.stored().size() as usize;
        let mut memory = vec![Lanes([0; 128]); self.args.len() + 1];
        for (i, &(scalar, _)) in self.args.iter().enumerate() {
            for (lane, tuple) in tuples.iter().enumerate() {
                let to = &mut memory[i].0[lane * size(scalar)..][..size(scalar)];
                to.copy_from_slice(&tuple[i].to_le_bytes()[..size(scalar)]);
            }
        }
        let words: Vec<u64> = memory.iter_mut().map(|lanes| lanes.0.as_mut_ptr().addr() as u64).collect();
        let stop = AtomicU32::new(0);
        let host = HostCalls { stop: &raw const stop, state: std::ptr::null_mut(), tell };
        let mut arena = [Line([0; 64]); 16];
        // SAFETY: each word points to 16 elements of 8 bytes, the program reads and writes that many at most; the arena is as large as an empty one is.
        unsafe { self.code.call(words.as_ptr(), [0; 4], arena.as_mut_ptr().cast(), &raw const host) };
        let out = &memory[self.args.len()].0;
        (0..tuples.len())
            .map(|lane| {
                let mut word = [0; 8];
                word[..size(self.result)].copy_from_slice(&out[lane * size(self.result)..][..size(self.result)]);
                u64::from_le_bytes(word)
            })
            .collect()
    }
}

/// Arguments for a rig, so that what is uniform or known is the same in each run: of each group the first counts.
fn alike(rig: &Rig, chunk: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let mut tuples = chunk.to_vec();
    tuples.resize(rig.lanes, chunk[0].clone());
    for (i, &(_, from)) in rig.args.iter().enumerate() {
        let first = tuples[0][i];
        for tuple in &mut tuples {
            match from {
                Comes::Lanes => {}
                Comes::Uniform => tuple[i] = first,
                Comes::Known(bits) => tuple[i] = bits,
            }
        }
    }
    tuples
}

fn is_nan(scalar: Scalar, bits: u64) -> bool {
    match scalar {
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}

/// Runs a rig on tuples; says where it differs from the meaning.
fn differences(name: &str, rig: &Rig, tuples: &[Vec<u64>], meaning: &dyn Fn(&[u64]) -> u64) -> String {
    let mut text = String::new();
    let mut count = 0;
    for chunk in tuples.chunks(rig.lanes) {
        let tuples = alike(rig, chunk);
        let got = rig.run(&tuples);
        for (tuple, &got) in tuples.iter().zip(&got) {
            let expected = meaning(tuple);
            if got == expected || is_nan(rig.result, got) && is_nan(rig.result, expected) {
                continue;
            }
            count += 1;
            if count <= 3 {
                writeln!(text, "{name} {:?}: {tuple:x?} gives {got:x}, not {expected:x}", rig.args).unwrap();
            }
        }
    }
    if count > 3 {
        writeln!(text, "{name}: {count} differences").unwrap();
    }
    text
}

pub(super) fn scalars_of(row: &OpRow) -> Vec<Scalar> {
    let fixed = match row.result.scalar {
        SlotScalar::Fixed(scalar) => scalar,
        SlotScalar::T => Scalar::Bool,
    };
    if row.class.is_empty() { vec![fixed] } else { row.class.to_vec() }
}

pub(super) fn result_of(row: &OpRow, t: Scalar) -> Scalar {
    match row.result.scalar {
        SlotScalar::T => t,
        SlotScalar::Fixed(fixed) => fixed,
    }
}

/// A row that goes component by component, its arguments coming so.
fn each_rig(op: Op, t: Scalar, width: u32, from: &[Comes]) -> Rig {
    let args: Vec<(Scalar, Comes)> = scalars(op.row(), t).into_iter().zip(from.iter().copied()).collect();
    Rig::new(width, &args, result_of(op.row(), t), |b, values| b.op(op, t, values))
}

fn each_meaning(op: Op, t: Scalar) -> impl Fn(&[u64]) -> u64 {
    let meaning = op.each(t).unwrap();
    move |tuple| {
        let mut four = [0; 4];
        four[..tuple.len()].copy_from_slice(tuple);
        meaning(four)
    }
}

/// Edges, thinned to about so many, and random ones.
fn tuples(types: &[Scalar], edges: usize, random: usize, seed: u64) -> Vec<Vec<u64>> {
    let all = edge_tuples(types);
    let step = all.len().div_ceil(edges).max(1) | 1;
    let mut source = Random(seed);
    let random = std::iter::repeat_with(|| random_tuple(types, &mut source)).take(random);
    let list: Vec<[u64; 4]> = all.into_iter().step_by(step).chain(random).collect();
    list.iter().map(|tuple| tuple[..types.len()].to_vec()).collect()
}

/// Tries all rows that go component by component, with a choice of where arguments come from.
fn try_rows(width: u32, edges: usize, random: usize, froms: &dyn Fn(&[Scalar]) -> Vec<Vec<Comes>>) {
    let mut text = String::new();
    for row in Op::ROWS.iter().filter(|row| row.each) {
        for t in scalars_of(row) {
            let types = scalars(row, t);
            let meaning = each_meaning(row.op, t);
            for from in froms(&types) {
                let rig = each_rig(row.op, t, width, &from);
                let seed = row.op as u64 * 100 + t as u64;
                text += &differences(row.name, &rig, &tuples(&types, edges, random, seed), &meaning);
            }
        }
    }
    assert!(text.is_empty(), "code differs from the table:\n{text}");
}

#[test]
fn scalars_agree_with_the_table() {
    try_rows(4, 40_000, 3000, &|types| vec![vec![Comes::Uniform; types.len()]]);
}

#[test]
fn lanes_agree_with_the_table() {
    for (width, edges) in [(1, 4000), (4, 10_000), (16, 40_000)] {
        try_rows(width, edges, 5000, &|types| vec![vec![Comes::Lanes; types.len()]]);
    }
}

#[test]
fn an_argument_that_is_the_same_in_all_lanes_gives_the_same() {
    try_rows(8, 20_000, 2000, &|types| {
        let uniform = |i| {
            let mut from = vec![Comes::Lanes; types.len()];
            from[i] = Comes::Uniform;
            from
        };
        let mut froms: Vec<_> = (0..types.len()).filter(|_| types.len() > 1).map(uniform).collect();
        if types.len() > 2 {
            froms.push([vec![Comes::Lanes], vec![Comes::Uniform; types.len() - 1]].concat());
        }
        froms
    });
}

#[test]
fn an_argument_that_is_known_gives_the_same() {
    try_rows(8, 200, 300, &|types| {
        let mut source = Random(7);
        let mut froms = Vec::new();
        for i in (0..types.len()).filter(|_| types.len() > 1) {
            let mut known: Vec<u64> = arguments::edges(types[i]);
            known.extend(std::iter::repeat_with(|| arguments::random(types[i], &mut source)).take(4));
            let step = known.len().div_ceil(40);
            for bits in known.into_iter().step_by(step) {
                let mut from = vec![Comes::Lanes; types.len()];
                from[i] = Comes::Known(bits);
                froms.push(from);
            }
        }
        froms
    });
}

/// Programs of every row that goes component by component, and what they are called.
fn each_program(width: u32, from: Comes) -> Vec<(String, LaneProgram)> {
    let rows =
        Op::ROWS.iter().filter(|row| row.each).flat_map(|row| scalars_of(row).into_iter().map(move |t| (row, t)));
    rows.map(|(row, t)| {
        let args: Vec<(Scalar, Comes)> = scalars(row, t).into_iter().map(|scalar| (scalar, from)).collect();
        let (program, _) = program(width, &args, result_of(row, t), |b, values| b.op(row.op, t, values));
        (format!("{} of {t}", row.name), program)
    })
    .collect()
}

#[test]
fn every_row_has_code_on_machines_with_vectors() {
    let mut text = String::new();
    for (name, program) in
        [Comes::Lanes, Comes::Uniform].iter().flat_map(|&from| [1, 16].map(|width| each_program(width, from))).flatten()
    {
        for machine in super::MACHINES {
            if let Err(why) = compile_for(&program, &EmitOptions::default(), machine) {
                writeln!(text, "{name} in {} lanes for {machine}: {why}", program.width).unwrap();
            }
        }
    }
    assert!(text.is_empty(), "no code:\n{text}");
}

#[test]
fn quotients_of_random_numbers_are_exact() {
    let pairs = 1 << 21;
    let mut source = Random(11);
    for (op, t, from) in [Op::Div, Op::Rem]
        .into_iter()
        .flat_map(|op| [Scalar::I32, Scalar::U32].map(|t| (op, t)))
        .flat_map(|(op, t)| [Comes::Lanes, Comes::Uniform].map(|from| (op, t, from)))
    {
        let rig = each_rig(op, t, 16, &[Comes::Lanes, from]);
        let meaning = op.each(t).unwrap();
        for _ in 0..pairs / 16 {
            // Divisors and dividends of every size.
            let mut number =
                || u64::from((source.next() as u32) >> source.below(32)) ^ source.below(2).wrapping_neg() & 0xffff_ffff;
            let mut tuples: Vec<Vec<u64>> = (0..16).map(|_| vec![number(), number()]).collect();
            if from == Comes::Uniform {
                let divisor = tuples[0][1];
                tuples.iter_mut().for_each(|tuple| tuple[1] = divisor);
            }
            let got = rig.run(&tuples);
            for (tuple, got) in tuples.iter().zip(got) {
                assert_eq!(got, meaning([tuple[0], tuple[1], 0, 0]), "{} of {t} on {tuple:x?}", op.name());
            }
        }
    }
}

/// A component of a row on whole vectors.
fn whole_rig(op: Op, instance: Instance, widths: &[u8], component: u8, width: u32, from: Comes) -> Rig {
    let types = scalars(op.row(), instance.scalar);
    let args: Vec<(Scalar, Comes)> =
        types.iter().zip(widths).flat_map(|(&t, &width)| vec![(t, from); width.into()]).collect();
    Rig::new(width, &args, instance.result.scalar, |b, values| b.whole(op, instance, values, widths, component))
}

#[test]
fn rows_on_whole_vectors_agree_with_the_table() {
    let mut text = String::new();
    for row in Op::ROWS.iter().filter(|row| !row.each) {
        for (t, n) in scalars_of(row).into_iter().flat_map(|t| (row.widths.0..=row.widths.1).map(move |n| (t, n))) {
            let widths: Vec<u8> = row
                .args
                .iter()
                .map(|slot| match slot.width {
                    SlotWidth::Common => n,
                    SlotWidth::Exactly(n) => n,
                })
                .collect();
            let types = scalars(row, t);
            let result = match row.result.width {
                SlotWidth::Common => n,
                SlotWidth::Exactly(n) => n,
            };
            let instance = Instance { scalar: t, width: n, result: Data::vector(result_of(row, t), result) };
            let meaning = row.op.whole(t).unwrap();
            let mut source = Random(u64::from(n));
            let list: Vec<Vec<u64>> = (0..6000)
                .map(|_| {
                    let components = types.iter().zip(&widths).flat_map(|(&t, &n)| vec![t; n.into()]);
                    components.map(|t| arguments::random(t, &mut source)).collect()
                })
                .collect();
            for component in 0..result {
                let meaning = |tuple: &[u64]| {
                    let (mut args, mut at) = ([[0; 4]; 4], 0);
                    for (arg, &n) in args.iter_mut().zip(&widths) {
                        arg[..usize::from(n)].copy_from_slice(&tuple[at..at + usize::from(n)]);
                        at += usize::from(n);
                    }
                    meaning(args, n.into())[usize::from(component)]
                };
                for (width, from) in [(4, Comes::Uniform), (1, Comes::Lanes), (4, Comes::Lanes), (16, Comes::Lanes)] {
                    let rig = whole_rig(row.op, instance, &widths, component, width, from);
                    text += &differences(row.name, &rig, &list, &meaning);
                }
            }
        }
    }
    assert!(text.is_empty(), "code differs from the table:\n{text}");
}
