//! Loops that become one, and rounds side by side: random ones do what they did, written in parts or not, and those that are meant do become one.

use tilewise_ir::check::check;
use tilewise_ir::ops::Op;
use tilewise_ir::text::parse;
use tilewise_ir::types::{Scalar, Stored};

use crate::lanes::build::LaneBuilder;
use crate::lanes::interp::{LaneHost, MemoryPiece, PieceMemory, pointer, run};
use crate::lanes::program::{
    AddressStep, ArenaPart, ArenaSizes, ArgumentWord, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneProgram,
    LaneType, LaneValue, Likely, MemorySpace,
};
use crate::lanes::random::rng::ProgramRng;
use crate::lanes::{VectorMachine, remove_dead, split, verify};
use crate::vectorize::{CodeKey, vectorize};

const WIDTH: u32 = 4;

/// Threads of a tile; what is stored of each has a place in three arrays.
const THREADS: i64 = 32;

const BYTES: i64 = THREADS * 4;

struct Maker {
    b: LaneBuilder,
    rng: ProgramRng,
}

impl Maker {
    fn number(&mut self, n: i64) -> LaneValue {
        self.b.number(n)
    }

    /// An element of one of the arrays: `times` the counter, and `more`.
    fn at(&mut self, array: i64, counter: LaneValue, times: i64, more: i64, along: AddressStep) -> LaneAddress {
        let (part, first) = match array {
            0 => (ArenaPart::TileStatic, 0),
            array => (ArenaPart::Context, (array - 1) * BYTES),
        };
        let base = self.b.pure(LaneInst::Arena(part), LaneType::Scalar(Elem::I64));
        let times = self.number(times * 4);
        let offset = self.b.op(Op::Mul, Scalar::I64, &[counter, times]);
        let displacement = first + more * 4;
        LaneAddress {
            space: MemorySpace::Arena(part),
            base,
            offset: Some(offset),
            displacement,
            along,
            stored: Stored::I32,
        }
    }

    /// A loop over all strips.
    fn strips(&mut self, body: impl FnOnce(&mut Self, LaneValue)) {
        self.rounds(THREADS, i64::from(WIDTH), body);
    }

    fn rounds(&mut self, to: i64, step: i64, body: impl FnOnce(&mut Self, LaneValue)) {
        let (zero, step, end) = (self.number(0), self.number(step), self.number(to));
        let counter = self.b.open_loop(&[LaneType::Scalar(Elem::I64)])[0];
        body(self, counter);
        let next = self.b.op(Op::Add, Scalar::I64, &[counter, step]);
        let again = self.b.op(Op::Lt, Scalar::I64, &[next, end]);
        let block = self.b.close(vec![next]);
        self.b.repeat(vec![counter], vec![zero], block, again);
    }

    /// Gives every element a value of its own.
    fn fill(&mut self) {
        self.strips(|m, x| {
            let lane = m.b.pure(LaneInst::Lane, LaneType::Lanes(Elem::I32));
            let narrow = m.b.op(Op::ToI32, Scalar::I64, &[x]);
            for array in 0..3 {
                let more = m.b.constant(Elem::I32, 1000 * (array as u64 + 1));
                let first = m.b.op(Op::Add, Scalar::I32, &[narrow, more]);
                let value = m.b.op(Op::Add, Scalar::I32, &[first, lane]);
                let at = m.at(array, x, 1, 0, AddressStep::Step(4));
                m.b.effect(Effect::Store { at, value, mask: None });
            }
        });
    }

    /// Stores all elements where they can be seen.
    fn tell(&mut self) {
        self.strips(|m, x| {
            for array in 0..3 {
                let at = m.at(array, x, 1, 0, AddressStep::Step(4));
                let value = m.b.load(at, None);
                let (space, base) = (MemorySpace::Buffer(0), m.b.input(ArgumentWord::ViewBase(0)));
                let at =
                    LaneAddress { space, base, displacement: array * BYTES, ..m.at(0, x, 1, 0, AddressStep::Step(4)) };
                m.b.effect(Effect::Store { at, value, mask: None });
            }
        });
    }

    /// A region: what it loads and stores is anybody's guess, but lies in the arrays or just beside them.
    fn region(&mut self) {
        let steps = 1 + self.rng.below(3);
        let limit = self.rng.below(THREADS as usize + 1) as i64;
        self.strips(|m, x| {
            let mut value = m.b.pure(LaneInst::Lane, LaneType::Lanes(Elem::I32));
            for _ in 0..steps {
                let more = if m.rng.one_in(2) { 0 } else { m.rng.below(17) as i64 - 8 };
                let from = m.rng.below(3) as i64;
                let from = m.at(from, x, 1, more, AddressStep::Step(4));
                let loaded = m.b.load(from, None);
                value = m.b.op(Op::Add, Scalar::I32, &[value, loaded]);
                if m.rng.one_in(4) {
                    continue;
                }
                let to = m.rng.below(3) as i64;
                // Upwards, or from the end downwards.
                let to = match m.rng.one_in(4) {
                    true => m.at(to, x, -1, THREADS - i64::from(WIDTH), AddressStep::Step(4)),
                    false => m.at(to, x, 1, 0, AddressStep::Step(4)),
                };
                if m.rng.one_in(3) {
                    m.store_below(limit, x, to, value);
                } else {
                    m.b.effect(Effect::Store { at: to, value, mask: None });
                }
            }
        });
    }

    /// A store of the threads below a limit, or of the others.
    fn store_below(&mut self, limit: i64, x: LaneValue, at: LaneAddress, value: LaneValue) {
        let limit = self.number(limit);
        let left = self.b.op(Op::Sub, Scalar::I64, &[limit, x]);
        let mut mask = self.b.first_lanes(left);
        if self.rng.one_in(2) {
            mask = self.b.not(mask);
        }
        let any = self.b.any(mask);
        self.b.open_arm();
        self.b.effect(Effect::Store { at, value, mask: Some(mask) });
        let then = self.b.close(Vec::new());
        self.b.if_else(any, then, LaneBlock::default(), Likely::Either);
    }

    /// Rows that each go through an inner loop.
    fn nest(&mut self, row: i64, from: i64, stores: bool, rows_on: i64) {
        let lanes = i64::from(WIDTH);
        self.rounds(THREADS / lanes, 1, |m, x| {
            let own = m.at(1, x, lanes, 0, AddressStep::Step(4));
            let sum = m.b.load(own.clone(), None);
            let zero = m.b.constant(Elem::I32, 0);
            let params = m.b.open_loop(&[LaneType::Lanes(Elem::I32), LaneType::Scalar(Elem::I32)]);
            let k = m.b.op(Op::ToI64, Scalar::I32, &[params[1]]);
            let both = m.at(0, k, lanes, 0, AddressStep::Step(4));
            let both = m.b.load(both, None);
            let scale = m.number(row);
            let first = m.b.op(Op::Mul, Scalar::I64, &[x, scale]);
            let at = m.b.op(Op::Add, Scalar::I64, &[first, k]);
            let one = m.at(from, at, 1, 0, AddressStep::Uniform);
            let one = m.b.load(one, None);
            let product = m.b.op(Op::Mul, Scalar::I32, &[one, both]);
            let next = m.b.op(Op::Add, Scalar::I32, &[params[0], product]);
            if stores {
                let array = m.rng.below(3) as i64;
                let to = m.at(array, x, lanes, 0, AddressStep::Step(4));
                m.b.effect(Effect::Store { at: to, value: next, mask: None });
            }
            let (by, end) = (m.b.constant(Elem::I32, 1), m.b.constant(Elem::I32, 6));
            let count = m.b.op(Op::Add, Scalar::U32, &[params[1], by]);
            let again = m.b.op(Op::Lt, Scalar::U32, &[count, end]);
            let body = m.b.close(vec![next, count]);
            let results = m.b.repeat(params, vec![sum, zero], body, again);
            let to = LaneAddress { displacement: own.displacement + 4 * lanes * rows_on, ..own };
            m.b.effect(Effect::Store { at: to, value: results[0], mask: None });
        });
    }

    fn finish(self) -> LaneProgram {
        let arena = ArenaSizes { tile_static: BYTES as u64, context: 2 * BYTES as u64, ..ArenaSizes::default() };
        let mut program = self.b.finish("orders".into(), arena);
        program.writable = vec![true];
        program
    }
}

fn maker(seed: u64) -> Maker {
    let mut maker = Maker { b: LaneBuilder::new(WIDTH), rng: ProgramRng::new(seed) };
    maker.fill();
    maker
}

fn outcome(program: &LaneProgram) -> Vec<u8> {
    assert_eq!(verify(program), Ok(()), "{program}");
    let piece = MemoryPiece { bytes: vec![0; 3 * BYTES as usize], space: MemorySpace::Buffer(0) };
    let mut memory = PieceMemory::new(vec![piece]);
    memory.arm(program.arena);
    let words = vec![pointer(0, 0); program.inputs.len()];
    let ended = run(program, &words, &mut memory, [0; 4], &mut LaneHost::with_fuel(1 << 20));
    assert!(ended.is_ok(), "{ended:?}\n{program}");
    memory.pieces.remove(0).bytes
}

/// The program in parts, which must do the same.
fn parts(program: &LaneProgram) -> LaneProgram {
    let mut parts = program.clone();
    split(&mut parts, VectorMachine::BITS_512);
    remove_dead(&mut parts);
    assert_eq!(outcome(program), outcome(&parts), "{program}\n{parts}");
    parts
}

fn count(program: &LaneProgram, what: &str) -> usize {
    program.to_string().matches(what).count()
}

#[test]
fn regions_that_follow_each_other_do_what_they_did() {
    let mut joined = 0;
    for seed in 0..1500 {
        let mut maker = maker(seed);
        for _ in 0..2 + maker.rng.below(3) {
            maker.region();
        }
        maker.tell();
        let program = maker.finish();
        joined += usize::from(parts(&program).to_string().contains("sub.i64"));
    }
    assert!(joined > 10, "only {joined} went downwards");
}

#[test]
fn rounds_side_by_side_do_what_they_did() {
    for seed in 0..300 {
        let mut maker = maker(seed);
        let (row, stores) = (maker.rng.below(4) as i64, maker.rng.one_in(2));
        let rows_on = maker.rng.below(2) as i64;
        let from = maker.rng.pick(&[0, 2]);
        maker.nest(row, from, stores, rows_on);
        maker.tell();
        let program = maker.finish();
        parts(&program);
    }
}

/// A step of a running sum: each thread adds what lies before its own, then all store.
fn running_sum(away: i64) -> LaneProgram {
    let mut maker = maker(0);
    maker.strips(|m, x| {
        let (own, before) = (m.at(0, x, 1, 0, AddressStep::Step(4)), m.at(0, x, 1, -away, AddressStep::Step(4)));
        let (own, before) = (m.b.load(own, None), m.b.load(before, None));
        let value = m.b.op(Op::Add, Scalar::I32, &[own, before]);
        let at = m.at(1, x, 1, 0, AddressStep::Step(4));
        m.b.effect(Effect::Store { at, value, mask: None });
    });
    maker.strips(|m, x| {
        let at = m.at(1, x, 1, 0, AddressStep::Step(4));
        let value = m.b.load(at, None);
        let at = m.at(0, x, 1, 0, AddressStep::Step(4));
        m.b.effect(Effect::Store { at, value, mask: None });
    });
    maker.strips(|m, x| {
        let at = m.at(0, x, 1, 0, AddressStep::Step(4));
        let value = m.b.load(at, None);
        let (space, base) = (MemorySpace::Buffer(0), m.b.input(ArgumentWord::ViewBase(0)));
        let at = LaneAddress { space, base, ..m.at(0, x, 1, 0, AddressStep::Step(4)) };
        m.b.effect(Effect::Store { at, value, mask: None });
    });
    maker.finish()
}

#[test]
fn a_running_sum_takes_one_loop_and_keeps_nothing_in_memory() {
    // Downwards where threads look back, upwards where they look ahead.
    for (away, downwards) in [(1, 1), (8, 1), (-1, 0)] {
        let program = parts(&running_sum(away));
        assert_eq!(count(&program, "sub.i64"), downwards, "{program}");
        assert_eq!((count(&program, " loop "), count(&program, "context")), (2, 1), "{program}");
    }
}

#[test]
fn eight_rows_of_a_product_share_what_they_load() {
    let mut maker = maker(0);
    maker.nest(1, 0, false, 0);
    maker.tell();
    let before = maker.finish();
    let program = parts(&before);
    let inner = |program: &LaneProgram| {
        let text = program.to_string();
        let begin = text.lines().position(|line| line.contains("i32 = %s") && line.contains("loop %v"));
        let lines = text.lines().skip(begin.unwrap_or_default()).take_while(|line| !line.contains("give"));
        lines.filter(|line| line.contains("load")).count()
    };
    // Eight of one factor, and one of the other for all.
    assert_eq!((inner(&before), inner(&program)), (2, 9), "{program}");
}

/// Two regions of a tile of 64 threads: the first stores an element for each, the second reads what others have
/// stored, five elements on; how many loops they take.
fn loops_of_neighbours(first: u32) -> usize {
    let text = format!(
        "kernel k(a: buffer<[i32; 268435600], read_write>) tile(64) {{
            let i = local[0];
            a[i + {first}] = i;
            barrier;
            let other = a[i + {}];
            a[i] = other;
        }}",
        first + 5
    );
    let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
    let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
    let key = CodeKey { writable: vec![true], ..CodeKey::apart(16, 1) };
    let program = vectorize(&kernel, &key).unwrap_or_else(|why| panic!("{}", why.0));
    count(&program, "= loop")
}

/// What is 2^30 bytes away has no displacement.
#[test]
fn regions_far_from_the_beginning_of_their_memory_wait_for_each_other() {
    let near = loops_of_neighbours(1000);
    assert_eq!(near, 3, "one over tiles, and one for each region");
    assert_eq!(loops_of_neighbours(1 << 28), near);
}
