//! Random programs that test emitters against the lane interpreter: the same seed gives the same
//! program and the same memory. [`make`] generates programs of all kinds of nodes, [`counted`] and
//! [`tiles`] of the loops that passes rewrite, [`places`] defines their memory, [`compare`] runs both,
//! [`shrink`] minimises a failing program.
//!
//! `LANES_SEED` and `LANES_PROGRAMS` select the first seed and the number of programs.

mod compare;
mod counted;
mod make;
mod own_lines;
mod places;
mod ragged_lines;
pub(crate) mod rng;
mod rows;
mod shrink;
mod tiles;

use std::collections::BTreeSet;

use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::ops::Op;

use compare::difference;
use counted::make_counted;
use make::make;
use rows::make_rows;
use tiles::make_two_loops;

use super::{LaneProgram, OptimiseGoals, OwnRuns, VectorMachine};
use crate::emit::CodeForm;

const WIDTHS: [u32; 4] = [1, 4, 8, 16];

fn from_environment(name: &str, or: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(or)
}

#[test]
fn random_programs_are_well_formed_and_run_and_meet_every_operation() {
    let mut met = BTreeSet::new();
    for seed in 0..1000 {
        let program = make(seed, WIDTHS[(seed % 4) as usize]);
        assert_eq!(super::verify(&program), Ok(()), "{program}");
        compare::interpret(&program, seed).unwrap_or_else(|fault| panic!("seed {seed}: {fault}\n{program}"));
        // The operation of a line stands at its beginning, or after the `=`: `add.i32`,
        // `atomic_inc.u32`, `store.f16`, `loop`.
        let text = program.to_string();
        for line in text.lines().filter(|line| line.contains('%')) {
            let what = line.split_once(" = ").map_or(line, |(_, what)| what);
            met.insert(what.trim().split([' ', '.']).next().unwrap_or_default().to_owned());
        }
    }
    let words = "if loop exit load store copy clear prefetch message lane splat select first_lanes any all lowest_lane slide const input arena";
    let atomics = AtomicOp::ALL.iter().map(|op| op.name()).chain(["atomic_compare_exchange"]);
    let all = words.split(' ').chain(atomics).chain(Op::ROWS.iter().map(|row| row.name));
    let missing: Vec<&str> = all.filter(|name| !met.contains(*name)).collect();
    assert!(missing.is_empty(), "no program has {}", missing.join(", "));
}

#[test]
fn machine_code_does_what_the_lane_interpreter_does() {
    let first = from_environment("LANES_SEED", 0);
    let count = from_environment("LANES_PROGRAMS", 1000);
    let workers = std::thread::available_parallelism().map_or(2, usize::from).min(8) as u64;
    let found: Vec<String> = std::thread::scope(|scope| {
        let work = |worker: u64| move || (first..first + count).filter(|seed| seed % workers == worker).find_map(judge);
        let running: Vec<_> = (0..workers).map(|worker| scope.spawn(work(worker))).collect();
        running.into_iter().filter_map(|thread| thread.join().unwrap_or_else(|_| Some("a panic".into()))).collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

/// The difference in the program of a seed, minimised. Programs of 32 and 64 lanes run where there
/// is wide code.
fn judge(seed: u64) -> Option<String> {
    let widths: &[u32] = if CodeForm::Avx2.is_native() { &[1, 4, 8, 16, 32, 64] } else { &WIDTHS };
    let mut program = make(seed, widths[seed as usize % widths.len()]);
    program.streams = seed.is_multiple_of(5);
    difference(&program, seed)?;
    let small = shrink::shrink(&program, &|program| difference(program, seed).is_some());
    let what = difference(&small, seed).unwrap_or_default();
    Some(format!("seed {seed}: {what}\n{small}"))
}

/// Programs that were wrong once: arms that end the program as done, which were outlined.
#[test]
fn programs_that_were_wrong_once_are_right() {
    for seed in [1_017_633, 1_018_620, 1_052_317, 1_059_591] {
        assert_eq!(judge(seed), None, "seed {seed}");
    }
}

/// A pass and its name.
type NamedPass = (&'static str, fn(&mut LaneProgram));

/// The passes that keep every bit of a result.
const PASSES: [NamedPass; 10] = [
    ("split for 128 bits", |program| super::split(program, VectorMachine::BITS_128)),
    ("split for 512 bits", |program| super::split(program, VectorMachine::BITS_512)),
    ("version", super::version),
    ("share_addresses", super::share_addresses),
    ("remove_dead", super::remove_dead),
    ("leave", |program| _ = super::leave(program)),
    ("promote", |program| _ = super::promote(program)),
    ("read_own_runs for 256 bits", |program| _ = super::read_own_runs(program, VectorMachine::BITS_256, true)),
    ("read_own_runs for 512 bits", |program| _ = super::read_own_runs(program, VectorMachine::BITS_512, true)),
    ("prefetch", |program| _ = super::prefetch(program)),
];

#[test]
fn programs_that_a_pass_has_rewritten_do_the_same() {
    for (name, pass) in PASSES {
        for seed in 0..1000 {
            let program = make(seed, WIDTHS[(seed % 4) as usize]);
            let mut rewritten = program.clone();
            pass(&mut rewritten);
            assert_eq!(super::verify(&rewritten), Ok(()), "{name}, seed {seed}\n{program}\n{rewritten}");
            let what = compare::differs(&program, &rewritten, seed);
            assert_eq!(what, None, "{name}, seed {seed}\n{program}\n{rewritten}");
        }
    }
}

/// All passes of a kernel, in their order.
fn all_passes(program: &mut LaneProgram) {
    super::optimise(program, &OptimiseGoals::MOST);
}

/// What passes did to a program: are tiles kept in registers, are runs of threads accessed in blocks?
#[derive(Clone, Copy, Default)]
struct PassesDone {
    promoted: bool,
    blocks: bool,
}

/// The difference that a pass, all passes or an emitter makes to the program of a seed, minimised; and
/// what passes did to it.
fn judge_counted(seed: u64) -> (PassesDone, Option<String>) {
    let widths: &[u32] = if CodeForm::Avx2.is_native() { &[4, 8, 16, 32, 64] } else { &WIDTHS };
    let program = make_counted(seed, widths[seed as usize % widths.len()]);
    assert_eq!(super::verify(&program), Ok(()), "seed {seed}\n{program}");
    compare::interpret(&program, seed).unwrap_or_else(|fault| panic!("seed {seed}: {fault}\n{program}"));
    let mut done = PassesDone::default();
    let passes = PASSES.into_iter().chain([("all passes", all_passes as fn(&mut LaneProgram))]);
    for (name, pass) in passes {
        let wrong = |program: &LaneProgram| {
            let mut rewritten = program.clone();
            pass(&mut rewritten);
            if let Err(why) = super::verify(&rewritten) {
                return Some(why.to_string());
            }
            compare::differs(program, &rewritten, seed)
        };
        if let Some(what) = wrong(&program) {
            let small = shrink::shrink(&program, &|program| wrong(program).is_some());
            let mut rewritten = small.clone();
            pass(&mut rewritten);
            return (done, Some(format!("{name}, seed {seed}: {what}\n{small}\n{rewritten}")));
        }
        let mut rewritten = program.clone();
        pass(&mut rewritten);
        done.promoted |= rewritten.promoted;
        done.blocks |= rewritten.own_runs == OwnRuns::Blocks;
    }
    // The machine code of some.
    if !seed.is_multiple_of(8) {
        return (done, None);
    }
    let mut rewritten = program;
    all_passes(&mut rewritten);
    rewritten.streams = seed.is_multiple_of(16);
    let what = difference(&rewritten, seed).map(|what| format!("seed {seed}: {what}\n{rewritten}"));
    (done, what)
}

#[test]
fn counted_loops_do_the_same_after_all_passes() {
    let first = from_environment("LANES_SEED", 0);
    let count = from_environment("LANES_PROGRAMS", 2000);
    let workers = std::thread::available_parallelism().map_or(2, usize::from).min(8) as u64;
    let (done, found) = std::thread::scope(|scope| {
        let work = |worker: u64| {
            move || {
                let mut all = Vec::new();
                for seed in (first..first + count).filter(|seed| seed % workers == worker) {
                    let (done, what) = judge_counted(seed);
                    all.push(done);
                    if what.is_some() {
                        return (all, what);
                    }
                }
                (all, None)
            }
        };
        let running: Vec<_> = (0..workers).map(|worker| scope.spawn(work(worker))).collect();
        let (mut all, mut found) = (Vec::new(), Vec::new());
        for thread in running {
            let (done, what) = thread.join().unwrap_or_else(|_| (Vec::new(), Some("a panic".into())));
            all.extend(done);
            found.extend(what);
        }
        (all, found)
    });
    assert!(found.is_empty(), "{}", found.join("\n\n"));
    let counted = |is: fn(&PassesDone) -> bool| done.iter().filter(|done| is(done)).count() as u64;
    let promoted = counted(|done| done.promoted);
    assert!(promoted * 20 > count, "tile memory of {promoted} of {count} was kept in registers");
    let blocks = counted(|done| done.blocks);
    assert!(blocks * 50 > count, "runs of {blocks} of {count} were accessed in blocks");
}

#[test]
fn rows_that_are_executed_together_do_the_same() {
    let first = from_environment("LANES_SEED", 0);
    let count = from_environment("LANES_PROGRAMS", 1500);
    let (mut together, mut zipped) = (0, 0);
    for seed in first..first + count {
        let widths: &[u32] = if CodeForm::Avx2.is_native() { &[4, 8, 16, 32, 64] } else { &WIDTHS };
        let program = make_rows(seed, widths[seed as usize % widths.len()]);
        assert_eq!(super::verify(&program), Ok(()), "seed {seed}\n{program}");
        compare::interpret(&program, seed).unwrap_or_else(|fault| panic!("seed {seed}: {fault}\n{program}"));
        let rows = [2, 3, 4, 8][seed as usize / 5 % 4];
        let jammed = |program: &LaneProgram| {
            let mut rewritten = program.clone();
            super::jam_rows_of(&mut rewritten, rows);
            rewritten
        };
        let wrong = |program: &LaneProgram| {
            let rewritten = jammed(program);
            let faulty = super::verify(&rewritten).err().map(|why| why.to_string());
            faulty.or_else(|| compare::differs(program, &rewritten, seed))
        };
        if let Some(what) = wrong(&program) {
            let small = shrink::shrink(&program, &|program| wrong(program).is_some());
            panic!("{rows} rows, seed {seed}: {what}\n{small}\n{}", jammed(&small));
        }
        let rewritten = jammed(&program);
        together += u64::from(rewritten.rows.is_some());
        zipped += u64::from(rewritten.rows.is_some_and(|rows| rows.shares));
        if seed.is_multiple_of(8) {
            let what = difference(&rewritten, seed);
            assert_eq!(what, None, "{rows} rows, seed {seed}\n{rewritten}");
        }
    }
    assert!(together * 10 > count * 9, "rows of {together} of {count} were executed together");
    assert!(zipped * 3 > count, "a loop of {zipped} of {count} shared loads");
}

/// What is known of values that were discarded is not taken for that of others.
#[test]
fn a_tile_that_needs_its_memory_leaves_nothing_behind() {
    for others in 0..120 {
        let program = make_two_loops(others);
        assert_eq!(super::verify(&program), Ok(()), "{program}");
        let mut rewritten = program.clone();
        assert!(super::promote(&mut rewritten), "{rewritten}");
        assert_eq!(super::verify(&rewritten), Ok(()), "{others}\n{program}\n{rewritten}");
        assert_eq!(compare::differs(&program, &rewritten, others), None, "{others}\n{program}\n{rewritten}");
    }
}
