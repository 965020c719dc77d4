//! Random programs of counted loops, as `vectorize` writes them, at the edges of their numbers.
//!
//! - Counters of 32 and 64 bits begin, end or wrap near the ends of their type, and near the limits
//!   that passes assume of them.
//! - Guards compare sums, products and conversions of a counter, and change within a few iterations.
//! - Sums over an inner loop, whose loads two iterations of the outer loop share.
//! - Runs of elements of each lane's own, which are read in blocks; those a distance apart that the launch
//!   knows ([`own_lines`](super::own_lines)), and those that begin and end where lanes say
//!   ([`ragged_lines`](super::ragged_lines)).
//! - Steps that only the launch knows, and loads that are prefetched.
//! - Loops over tiles ([`tiles`](super::tiles)).

use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::super::build::scalar_of;
use super::super::program::{
    AddressStep, ArgumentWord, Effect, Elem, LaneAddress, LaneProgram, LaneType, LaneValue, Likely,
};
use super::make::{ProgramMaker, begin};
use super::places::{PIECE, READ_ONLY, space};

/// Numbers near which counters, sums and limits lie.
const EDGES: [i64; 14] = [
    0,
    64,
    1 << 16,
    1 << 31,
    -(1 << 31),
    1 << 32,
    -(1 << 32),
    1 << 40,
    1 << 59,
    1 << 60,
    -(1 << 60),
    i64::MAX,
    i64::MIN,
    1 << 62,
];

/// Factors of products.
const FACTORS: [i64; 12] = [2, 3, 4, 5, -1, -2, 64, 1 << 16, 1 << 30, i32::MAX as i64, 1 << 31, 1 << 33];

/// The first parameter that stands for a number near an edge.
const NEAR: u32 = 1000;

/// Extents of views, by dimension.
pub(super) const EXTENTS: [i32; 8] = [0, 1, 7, 16, 33, 64, 100, 200];

/// The value of an input, if it is one of these programs.
pub(super) fn input(word: ArgumentWord) -> Option<u64> {
    match word {
        ArgumentWord::Uniform(param @ NEAR.., by, elem) => {
            let number = EDGES[(param - NEAR) as usize].wrapping_add(i64::from(by as i8));
            Some(bits(elem, number))
        }
        ArgumentWord::ViewExtent(_, dimension) => Some(EXTENTS[dimension as usize] as u64),
        _ => None,
    }
}

fn bits(elem: Elem, number: i64) -> u64 {
    if elem == Elem::I32 { u64::from(number as u32) } else { number as u64 }
}

/// A number as a type represents it.
fn wrapped(elem: Elem, number: i64) -> i64 {
    if elem == Elem::I32 { i64::from(number as i32) } else { number }
}

/// A scalar, and its value in one iteration of the loop around it.
#[derive(Clone, Copy)]
struct Known {
    value: LaneValue,
    elem: Elem,
    then: i64,
}

/// A loop being made: its counter, and its rounds.
struct Counting {
    elem: Elem,
    first: i64,
    step: i64,
    rounds: i64,
}

/// Generates one program.
pub(crate) fn make_counted(seed: u64, width: u32) -> LaneProgram {
    let mut maker = begin(seed, width);
    if maker.rng.one_in(3) {
        maker.tiles();
    } else {
        for _ in 0..1 + maker.rng.below(3) {
            match maker.rng.below(11) {
                0 => maker.ahead(),
                1 => maker.sums(),
                2 => maker.limited(),
                3 => maker.runs(),
                4 => maker.own_lines(),
                5 | 6 => maker.ragged_lines(),
                _ => maker.count(),
            }
        }
    }
    maker.finish(format!("counted {seed}"))
}

impl ProgramMaker {
    /// A number, as a constant or as something that passes do not see through.
    pub(super) fn some_number(&mut self, elem: Elem, number: i64) -> LaneValue {
        let scalar = scalar_of(elem);
        let near = EDGES.iter().position(|&edge| {
            let by = wrapped(elem, number.wrapping_sub(edge));
            (-128..128).contains(&by)
        });
        match (self.rng.below(4), near) {
            (0 | 1, Some(at)) => {
                let by = wrapped(elem, number.wrapping_sub(EDGES[at])) as i8;
                self.b.input(ArgumentWord::Uniform(NEAR + at as u32, by as u8, elem))
            }
            (0, None) => {
                let at = self.rng.below(EDGES.len());
                let edge = self.b.input(ArgumentWord::Uniform(NEAR + at as u32, 0, elem));
                let rest = self.b.constant(elem, bits(elem, number.wrapping_sub(EDGES[at])));
                self.b.op(Op::Add, scalar, &[edge, rest])
            }
            (1 | 2, _) if elem == Elem::I64 && i32::try_from(number).is_ok() => {
                let narrow = self.some_number(Elem::I32, number);
                self.b.op(Op::ToI64, Scalar::I32, &[narrow])
            }
            (1 | 2, _) if elem == Elem::I64 && u32::try_from(number).is_ok() => {
                let narrow = self.some_number(Elem::I32, number);
                self.b.op(Op::ToI64, Scalar::U32, &[narrow])
            }
            _ => self.b.constant(elem, bits(elem, number)),
        }
    }

    /// The number of a loop's rounds, and where its counter begins.
    fn counting(&mut self) -> Counting {
        let elem = if self.rng.one_in(3) { Elem::I32 } else { Elem::I64 };
        let (least, most) = if elem == Elem::I32 { (i32::MIN.into(), i32::MAX.into()) } else { (i64::MIN, i64::MAX) };
        let width = i64::from(self.b.width());
        let step = self.rng.pick(&[1, 1, 1, 2, 3, 7, width, 64, (1 << 20) - 1, 1 << 20]);
        let rounds = 1 + self.rng.below(6) as i64;
        let by = self.rng.below(64) as i64 - 32;
        let edge = wrapped(elem, self.rng.pick(&EDGES).wrapping_add(by));
        let first = if self.rng.one_in(2) { edge.wrapping_sub(rounds * step) } else { edge };
        let first = wrapped(elem, first);
        // It wraps before its last round, or not at all: otherwise it would go on for long.
        let wraps = |rounds: i64| first.checked_add(rounds * step).is_none_or(|end| end > most);
        let stays = !wraps(rounds) || wraps(rounds - 1) && self.rng.one_in(2);
        let first = if stays { first } else { first - rounds * step };
        Counting { elem, first: first.max(least), step, rounds }
    }

    /// The condition that a counted loop goes on.
    fn goes_on(&mut self, counting: &Counting, next: LaneValue) -> LaneValue {
        let Counting { elem, first, step, rounds } = *counting;
        let last = wrapped(elem, first.wrapping_add((rounds - 1) * step));
        let less = self.rng.below(step as usize) as i64;
        let end = wrapped(elem, last.wrapping_add(1 + less));
        // Without sign, it may pass another end.
        let soon = (1..=rounds + 8).any(|round| first.wrapping_add(round * step) as u32 >= end as u32);
        let unsigned = elem == Elem::I32 && soon && self.rng.one_in(2);
        let scalar = if unsigned { Scalar::U32 } else { scalar_of(elem) };
        // No count is above the greatest number.
        let least = match (elem, unsigned) {
            (Elem::I32, true) => 0,
            (Elem::I32, false) => i32::MIN.into(),
            _ => i64::MIN,
        };
        let includes = end != least && self.rng.one_in(4);
        let bound = self.some_number(elem, if includes { end.wrapping_sub(1) } else { end });
        match (includes, self.rng.one_in(4)) {
            (false, false) => self.b.op(Op::Lt, scalar, &[next, bound]),
            (false, true) => self.b.op(Op::Gt, scalar, &[bound, next]),
            (true, false) => self.b.op(Op::Le, scalar, &[next, bound]),
            (true, true) => self.b.op(Op::Ge, scalar, &[bound, next]),
        }
    }

    /// A counted loop with guards.
    fn count(&mut self) {
        let counting = self.counting();
        let elem = counting.elem;
        let mut types = vec![LaneType::Scalar(elem)];
        let alone = self.rng.one_in(2);
        if !alone {
            types.extend([LaneType::Lanes(Elem::I32), LaneType::Scalar(Elem::I64), LaneType::Scalar(Elem::I32)]);
        }
        let mut init = vec![self.some_number(elem, counting.first)];
        for ty in &types[1..] {
            init.push(if ty.is_lanes() { self.lane() } else { self.b.constant(ty.elem(), 0) });
        }
        let outside = self.scope_mut().len();
        let params = self.b.open_loop(&types);
        self.scope_mut().extend(&params[1..]);
        if self.rng.one_in(2) {
            self.b.poll();
        }
        let mut found = Vec::new();
        for _ in 0..1 + self.rng.below(3) {
            let value = self.guard(&counting, params[0]);
            found.push(value);
        }
        if self.rng.one_in(3) {
            self.first_of(&counting, params[0]);
        }
        let by = self.b.constant(elem, bits(elem, counting.step));
        let args = if self.rng.one_in(4) { [by, params[0]] } else { [params[0], by] };
        let next = self.b.op(Op::Add, scalar_of(elem), &args);
        let mut again = self.goes_on(&counting, next);
        let mut results = vec![next];
        if !alone {
            let lanes = self.b.lanes(found[0]);
            let lanes =
                if self.b.ty(lanes).elem() == Elem::I64 { self.b.op(Op::ToI32, Scalar::I64, &[lanes]) } else { lanes };
            results.push(self.b.op(Op::Add, Scalar::I32, &[params[1], lanes]));
            let three = self.b.number(3);
            let hash = self.b.op(Op::Mul, Scalar::I64, &[params[2], three]);
            let wide = self.widened(params[0]);
            results.push(self.b.op(Op::Xor, Scalar::I64, &[hash, wide]));
            let one = self.b.constant(Elem::I32, 1);
            let count = self.b.op(Op::Add, Scalar::I32, &[params[3], one]);
            results.push(count);
            // Whatever the counter does.
            let most = self.b.constant(Elem::I32, 9);
            let few = self.b.op(Op::Lt, Scalar::I32, &[count, most]);
            again = self.b.and(again, few);
        }
        self.scope_mut().truncate(outside);
        let body = self.b.close(results);
        let results = self.b.repeat(params, init, body, again);
        if !alone {
            self.scope_mut().extend(results);
        }
    }

    pub(super) fn widened(&mut self, value: LaneValue) -> LaneValue {
        if self.b.ty(value).elem() == Elem::I64 { value } else { self.b.op(Op::ToI64, Scalar::I32, &[value]) }
    }

    /// A scalar that is computed from the counter, and is small in some iteration or in the next.
    fn line(&mut self, counting: &Counting, param: LaneValue) -> Known {
        let round = self.rng.below(counting.rounds as usize) as i64;
        let elem = counting.elem;
        let then = wrapped(elem, counting.first.wrapping_add(round * counting.step));
        let mut line = Known { value: param, elem, then };
        for _ in 0..self.rng.below(5) {
            line = self.further_line(line);
        }
        if line.then.unsigned_abs() > 64 || self.rng.one_in(2) {
            // The last sum makes it small; of some, by a detour through large numbers.
            let small = self.rng.below(48) as i64 - 8;
            let far = if self.rng.one_in(3) { self.rng.pick(&EDGES) } else { 0 };
            for target in [small.wrapping_sub(far), small] {
                if line.then != wrapped(line.elem, target) {
                    line = self.moved_line(line, target);
                }
            }
        }
        line
    }

    /// The line plus or minus a number, so that it is the target.
    fn moved_line(&mut self, line: Known, target: i64) -> Known {
        let Known { value, elem, then } = line;
        let scalar = scalar_of(elem);
        let target = wrapped(elem, target);
        let value = match self.rng.below(3) {
            0 => {
                let by = self.some_number(elem, wrapped(elem, then.wrapping_sub(target)));
                self.b.op(Op::Sub, scalar, &[value, by])
            }
            1 => {
                let by = self.some_number(elem, wrapped(elem, target.wrapping_add(then)));
                self.b.op(Op::Sub, scalar, &[by, value])
            }
            _ => {
                let by = self.some_number(elem, wrapped(elem, target.wrapping_sub(then)));
                self.b.op(Op::Add, scalar, &[value, by])
            }
        };
        Known { value, elem, then: target }
    }

    fn further_line(&mut self, line: Known) -> Known {
        let Known { value, elem, then } = line;
        let scalar = scalar_of(elem);
        match self.rng.below(6) {
            0 | 1 => {
                let by = self.rng.pick(&FACTORS);
                let times = self.some_number(elem, wrapped(elem, by));
                let value = self.b.op(Op::Mul, scalar, &[value, times]);
                Known { value, elem, then: wrapped(elem, then.wrapping_mul(by)) }
            }
            2 => {
                let edge = self.rng.pick(&EDGES);
                self.moved_line(line, then.wrapping_add(edge))
            }
            3 => {
                let value = self.b.op(Op::Add, scalar, &[value, value]);
                Known { value, elem, then: wrapped(elem, then.wrapping_mul(2)) }
            }
            _ if elem == Elem::I64 => {
                let to = self.rng.pick(&[Op::ToI32, Op::ToU32]);
                let value = self.b.op(to, Scalar::I64, &[value]);
                Known { value, elem: Elem::I32, then: wrapped(Elem::I32, then) }
            }
            _ => self.widened_line(line),
        }
    }

    fn widened_line(&mut self, line: Known) -> Known {
        if line.elem == Elem::I64 {
            return line;
        }
        let scalar = self.rng.pick(&[Scalar::I32, Scalar::U32]);
        let value = self.b.op(Op::ToI64, scalar, &[line.value]);
        let then = if scalar == Scalar::U32 { i64::from(line.then as u32) } else { line.then };
        Known { value, elem: Elem::I64, then }
    }

    /// A limit that a line crosses: an extent, or a number.
    fn limit_of(&mut self, line: Known) -> LaneValue {
        if self.rng.one_in(2) {
            let dimension = self.rng.below(EXTENTS.len()) as u32;
            let extent = self.b.input(ArgumentWord::ViewExtent(READ_ONLY as u32, dimension));
            return if line.elem == Elem::I64 { self.b.op(Op::ToI64, Scalar::U32, &[extent]) } else { extent };
        }
        let by = self.rng.below(16) as i64 - 4;
        self.some_number(line.elem, wrapped(line.elem, line.then.wrapping_add(by)))
    }

    /// A branch on a line, as bounds checks are; what the arms give differs.
    fn guard(&mut self, counting: &Counting, param: LaneValue) -> LaneValue {
        let mut line = self.line(counting, param);
        if line.elem == Elem::I32 && !self.rng.one_in(3) {
            line = self.widened_line(line);
        }
        let limit = self.limit_of(line);
        let condition = if line.elem == Elem::I32 {
            self.b.op(Op::Lt, Scalar::U32, &[line.value, limit])
        } else {
            let below = self.b.op(Op::Lt, Scalar::I64, &[line.value, limit]);
            let least = self.some_number(Elem::I64, 0);
            let above = self.b.op(Op::Ge, Scalar::I64, &[line.value, least]);
            match self.rng.below(4) {
                0 => above,
                1 | 2 => self.b.and(above, below),
                _ => below,
            }
        };
        let lanes = self.rng.one_in(2);
        let mut arms = Vec::new();
        for arm in 0..2 {
            self.b.open_arm();
            let wide = self.widened(line.value);
            let number = self.b.number(1 + 2 * arm);
            let mut value = self.b.op(Op::Mul, Scalar::I64, &[wide, number]);
            if lanes {
                let row = self.lane();
                let row = self.b.op(Op::ToI64, Scalar::I32, &[row]);
                value = self.b.op(Op::Xor, Scalar::I64, &[row, value]);
            }
            if self.rng.one_in(3) {
                self.note(wide, value);
            }
            arms.push(self.b.close(vec![value]));
        }
        let (otherwise, then) = (arms.pop().expect("it was made"), arms.pop().expect("it was made"));
        let results = self.b.if_else(condition, then, otherwise, Likely::Then);
        self.note(param, results[0]);
        results[0]
    }

    /// Stores a value at a place that a number determines.
    pub(super) fn note(&mut self, number: LaneValue, value: LaneValue) {
        let number = self.widened(number);
        let some = self.b.number(7);
        let place = self.b.op(Op::And, Scalar::I64, &[number, some]);
        let far = self.b.number(if self.b.ty(value).is_lanes() { 8 * 16 } else { 8 });
        let offset = self.b.op(Op::Mul, Scalar::I64, &[place, far]);
        let along = if self.b.ty(value).is_lanes() { AddressStep::Step(8) } else { AddressStep::Uniform };
        let (space, base) = (space(1), self.piece(1));
        let displacement = self.rng.below(8) as i64 * 8;
        let at = LaneAddress { space, base, offset: Some(offset), displacement, along, stored: Stored::I64 };
        self.b.effect(Effect::Store { at, value, mask: None });
    }

    /// Lanes below a number that decreases with the counter.
    fn first_of(&mut self, counting: &Counting, param: LaneValue) {
        let round = self.rng.below(counting.rounds as usize) as i64;
        let then = counting.first.wrapping_add(round * counting.step);
        let wide = self.widened(param);
        let less = self.rng.below(2 * self.b.width() as usize) as i64 - 4;
        let limit = self.some_number(Elem::I64, then.wrapping_add(less));
        let count = self.b.op(Op::Sub, Scalar::I64, &[limit, wide]);
        let mask = self.b.first_lanes(count);
        let row = self.lane();
        let any = self.b.any(mask);
        let (base, space) = (self.piece(1), space(1));
        let step = self.rng.pick(&[4, 8, -4, 12, 20]);
        let stored = Stored::I32;
        let at = LaneAddress { space, base, offset: None, displacement: 1600, along: AddressStep::Step(step), stored };
        self.b.effect(Effect::Store { at, value: row, mask: Some(mask) });
        let (one, two) = (self.b.number(1), self.b.number(2));
        let number = self.b.select(any, one, two);
        self.note(param, number);
    }

    /// A loop that has an effect only while its counter is below a limit.
    fn limited(&mut self) {
        let mut counting = self.counting();
        while counting.elem != Elem::I64 {
            counting = self.counting();
        }
        let init = vec![self.some_number(Elem::I64, counting.first)];
        let by = self.rng.below(12) as i64 - 3;
        let near = counting.first.wrapping_add(by);
        let far = self.rng.pick(&EDGES);
        let limit = if self.rng.one_in(4) { far } else { near };
        let limit = self.some_number(Elem::I64, limit);
        let params = self.b.open_loop(&[LaneType::Scalar(Elem::I64)]);
        let left = self.b.op(Op::Sub, Scalar::I64, &[limit, params[0]]);
        let least = self.b.number(self.rng.below(4) as i64);
        let op = self.rng.pick(&[Op::Gt, Op::Ge]);
        let condition = self.b.op(op, Scalar::I64, &[left, least]);
        self.b.open_arm();
        self.note(params[0], left);
        let then = self.b.close(Vec::new());
        self.b.open_arm();
        let otherwise = self.b.close(Vec::new());
        let likely = self.rng.pick(&[Likely::Either, Likely::Then]);
        self.b.if_else(condition, then, otherwise, likely);
        let step = self.b.number(counting.step);
        let next = self.b.op(Op::Add, Scalar::I64, &[params[0], step]);
        let again = self.goes_on(&counting, next);
        let body = self.b.close(vec![next]);
        self.b.repeat(params, init, body, again);
    }

    /// A loop whose step only the launch knows, with loads of neighbours.
    fn ahead(&mut self) {
        let elem = self.rng.pick(&[Elem::I32, Elem::I64]);
        let scalar = scalar_of(elem);
        let step = self.rng.pick(&EDGES).wrapping_add(self.rng.below(64) as i64 - 32);
        let step = self.some_number(elem, wrapped(elem, step));
        let first = self.rng.below(64) as i64;
        let types = [LaneType::Scalar(elem), LaneType::Scalar(Elem::I32), LaneType::Lanes(Elem::I32)];
        let init = vec![self.some_number(elem, first), self.b.constant(Elem::I32, 0), self.lane()];
        let params = self.b.open_loop(&types);
        let mut line = Known { value: params[0], elem, then: first };
        for _ in 0..self.rng.below(3) {
            line = self.further_line(line);
        }
        let wide = self.widened(line.value);
        let some = self.b.number(511 & -4);
        let offset = self.b.op(Op::And, Scalar::I64, &[wide, some]);
        let (base, space, stored) = (self.piece(READ_ONLY), space(READ_ONLY), Stored::I32);
        let displacement = self.rng.below(32) as i64 * 4;
        let at = LaneAddress { space, base, offset: Some(offset), displacement, along: AddressStep::Step(4), stored };
        let loaded = self.b.load(at, None);
        let sum = self.b.op(Op::Add, Scalar::I32, &[params[2], loaded]);
        let next = self.b.op(Op::Add, scalar, &[params[0], step]);
        let one = self.b.constant(Elem::I32, 1);
        let count = self.b.op(Op::Add, Scalar::I32, &[params[1], one]);
        let most = self.b.constant(Elem::I32, 1 + self.rng.below(6) as u64);
        let again = self.b.op(Op::Lt, Scalar::I32, &[count, most]);
        let body = self.b.close(vec![next, count, sum]);
        let results = self.b.repeat(params, init, body, again);
        self.scope_mut().extend(results);
    }

    /// A loop in which each lane reads a run of its own.
    fn runs(&mut self) {
        let (elem, stored) = self.rng.pick(&[(Elem::I32, Stored::I32), (Elem::I64, Stored::I64)]);
        let (size, width) = (i64::from(stored.size()), i64::from(self.b.width()));
        let step = 1 + self.rng.below((PIECE / 4 * 3) / (width * size) as usize) as i64;
        let room = (PIECE as i64 - (width - 1) * step * size) / size;
        let (first, behind) = (self.rng.below(3) as i64, self.rng.below(3) as i64);
        let rounds = 1 + self.rng.below((room - first - behind).clamp(1, 70) as usize) as i64;
        let piece = self.rng.pick(&[READ_ONLY, READ_ONLY, READ_ONLY, 1]);
        let counter = self.rng.pick(&[Elem::I32, Elem::I64]);
        let limit = self.some_number(counter, first + rounds);
        let init = vec![self.b.constant(counter, first as u64), self.lanes_of(elem, 1)];
        let params = self.b.open_loop(&[LaneType::Scalar(counter), LaneType::Lanes(elem)]);
        let (wide, by) = (self.widened(params[0]), self.b.number(size));
        let offset = Some(self.b.op(Op::Mul, Scalar::I64, &[wide, by]));
        let (base, space) = (self.piece(piece), space(piece));
        let along = AddressStep::Step(step * size);
        let loaded = self.b.load(LaneAddress { space, base, offset, displacement: behind * size, along, stored }, None);
        let three = self.lanes_of(elem, 3);
        let sum = self.b.op(Op::Mul, scalar_of(elem), &[params[1], three]);
        let sum = self.b.op(Op::Add, scalar_of(elem), &[sum, loaded]);
        if self.rng.one_in(2) {
            self.b.poll();
        }
        let one = self.b.constant(counter, 1);
        let next = self.b.op(Op::Add, scalar_of(counter), &[params[0], one]);
        let again = self.b.op(Op::Lt, scalar_of(counter), &[next, limit]);
        let body = self.b.close(vec![next, sum]);
        let results = self.b.repeat(params, init, body, again);
        self.scope_mut().extend(results);
    }

    /// Rows of sums over an inner loop: loads of one operand are the same in each row.
    fn sums(&mut self) {
        let rows = 1 + self.rng.below(6) as i64;
        let step = self.rng.pick(&[1, i64::from(self.b.width())]);
        let init = vec![self.b.number(0)];
        let params = self.b.open_loop(&[LaneType::Scalar(Elem::I64)]);
        let inner = self.rng.pick(&[Elem::I32, Elem::I64]);
        let start = self.rng.below(3) as i64;
        let zero = self.lanes_of(Elem::I32, 0);
        let inner_init = vec![self.b.constant(inner, start as u64), zero];
        let inside = self.b.open_loop(&[LaneType::Scalar(inner), LaneType::Lanes(Elem::I32)]);
        let wide = self.widened(inside[0]);
        let by = self.b.number(self.rng.pick(&[4, 8, 64]));
        let offset = self.b.op(Op::Mul, Scalar::I64, &[wide, by]);
        let (base, space_of, stored) = (self.piece(READ_ONLY), space(READ_ONLY), Stored::I32);
        let along = AddressStep::Step(self.rng.pick(&[4, 8, -4]));
        let at = LaneAddress { space: space_of, base, offset: Some(offset), displacement: 1024, along, stored };
        let shared = self.b.load(at.clone(), None);
        let four = self.b.number(4);
        let own = self.b.op(Op::Mul, Scalar::I64, &[params[0], four]);
        let own = LaneAddress { offset: Some(own), along: AddressStep::Uniform, ..at };
        let factor = self.b.load(own, None);
        let factor = self.b.lanes(factor);
        let product = self.b.op(Op::Mul, Scalar::I32, &[shared, factor]);
        let sum = self.b.op(Op::Add, Scalar::I32, &[inside[1], product]);
        let one = self.b.constant(inner, 1);
        let next = self.b.op(Op::Add, scalar_of(inner), &[inside[0], one]);
        let end = self.b.constant(inner, (start + 1 + self.rng.below(5) as i64) as u64);
        let again = self.b.op(Op::Lt, scalar_of(inner), &[next, end]);
        let body = self.b.close(vec![next, sum]);
        let results = self.b.repeat(inside, inner_init, body, again);
        let far = self.b.number(self.rng.pick(&[4, 64]));
        let offset = self.b.op(Op::Mul, Scalar::I64, &[params[0], far]);
        let (base, space) = (self.piece(1), space(1));
        // Some rows overlap.
        let offset = if step == 1 { offset } else { self.b.number(0) };
        let at =
            LaneAddress { space, base, offset: Some(offset), displacement: 0, along: AddressStep::Step(4), stored };
        self.b.effect(Effect::Store { at, value: results[1], mask: None });
        let by = self.b.number(step);
        let next = self.b.op(Op::Add, Scalar::I64, &[params[0], by]);
        let end = self.b.number(rows * step);
        let again = self.b.op(Op::Lt, Scalar::I64, &[next, end]);
        let body = self.b.close(vec![next]);
        self.b.repeat(params, init, body, again);
    }
}
