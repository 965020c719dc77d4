//! Random loops in which each lane reads a run that begins and ends where the lane says, and leaves the loop when
//! its run ends: with an index of its own or a counter of all, with a limit of the memory or within it, with an
//! index that wraps, and with another end that comes before.

use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::super::build::scalar_of;
use super::super::program::{AddressStep, Elem, LaneAddress, LaneType, LaneValue};
use super::make::ProgramMaker;
use super::places::{PIECE, READ_ONLY, space};

/// The condition that lanes go on, besides their own ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RaggedEnd {
    /// None.
    Lanes,
    /// A limit of all lanes.
    Limit,
    /// A lane leaves when what it has read says so.
    Found,
}

impl ProgramMaker {
    /// A loop over runs that lanes begin and end.
    pub(super) fn ragged_lines(&mut self) {
        let (elem, stored) =
            self.rng.pick(&[(Elem::I32, Stored::I32), (Elem::I32, Stored::I32), (Elem::I64, Stored::I64)]);
        let size = i64::from(stored.size());
        let room = PIECE as i64 / size;
        let end = self.rng.pick(&[RaggedEnd::Lanes, RaggedEnd::Lanes, RaggedEnd::Limit, RaggedEnd::Found]);
        let (is_own, masked) = (self.rng.one_in(2), self.rng.one_in(2));
        // Lengths and beginnings of lanes.
        let longest = self.rng.pick(&[1, 3, 7, 15, 31, 63]);
        let length = self.scattered(longest);
        let begin = match masked {
            true => {
                let first = self.rng.pick(&[0, 3, -1, -5, -40, room - 9, room - 70, i64::from(i32::MAX) - 20]);
                let (begin, first) = (self.scattered(63), self.lanes_of(Elem::I32, u64::from(first as u32)));
                self.b.op(Op::Add, Scalar::I32, &[begin, first])
            }
            false => self.scattered(127),
        };
        let scalar = self.rng.pick(&[Scalar::I32, Scalar::U32]);
        let zero = self.lanes_of(Elem::I32, 0);
        let (first, last) =
            if is_own { (begin, self.b.op(Op::Add, Scalar::I32, &[begin, length])) } else { (zero, length) };
        let active = self.b.op(Op::Lt, scalar, &[first, last]);
        let limit = self.b.constant(Elem::I32, room as u64);
        let (limit, bytes) = (self.b.lanes(limit), self.lanes_of(Elem::I32, size as u64));
        let rounds = 1 + self.rng.below(40) as i64;
        let rounds = self.some_number(Elem::I32, rounds);
        let none = self.b.constant(Elem::I32, 0);
        let init = vec![active, self.lanes_of(elem, 1), first, none];
        let types = [LaneType::MASK, LaneType::Lanes(elem), LaneType::Lanes(Elem::I32), LaneType::Scalar(Elem::I32)];
        let params = self.b.open_loop(&types);
        let (active, sum, own, count) = (params[0], params[1], params[2], params[3]);
        let index = match is_own {
            true => own,
            false => {
                let count = self.b.lanes(count);
                self.b.op(Op::Add, Scalar::I32, &[begin, count])
            }
        };
        let mut mask = active;
        if masked {
            let within = self.b.op(Op::Lt, Scalar::U32, &[index, limit]);
            mask = self.b.op(Op::And, Scalar::Bool, &[active, within]);
        }
        let offsets = self.b.op(Op::Mul, Scalar::I32, &[index, bytes]);
        let piece = self.rng.pick(&[READ_ONLY, READ_ONLY, READ_ONLY, 1]);
        let (base, along) = (self.piece(piece), AddressStep::Each(offsets));
        let displacement = if masked { 0 } else { self.rng.below(3) as i64 * size };
        let at = LaneAddress { space: space(piece), base, offset: None, displacement, along, stored };
        let loaded = self.b.load(at, Some(mask));
        let three = self.lanes_of(elem, 3);
        let product = self.b.op(Op::Mul, scalar_of(elem), &[sum, three]);
        let more = self.b.op(Op::Add, scalar_of(elem), &[product, loaded]);
        let more = self.b.select(active, more, sum);
        if self.rng.one_in(2) {
            self.b.poll();
        }
        let (one, ones) = (self.b.constant(Elem::I32, 1), self.lanes_of(Elem::I32, 1));
        let next_own = self.b.op(Op::Add, Scalar::I32, &[own, ones]);
        let next_count = self.b.op(Op::Add, Scalar::I32, &[count, one]);
        let number = if is_own { next_own } else { self.b.lanes(next_count) };
        let below = self.b.op(Op::Lt, scalar, &[number, last]);
        let mut stays = self.b.op(Op::And, Scalar::Bool, &[below, active]);
        if end == RaggedEnd::Found {
            let some = self.lanes_of(elem, 7);
            let found = self.b.op(Op::Lt, scalar_of(elem), &[loaded, some]);
            stays = self.b.op(Op::And, Scalar::Bool, &[stays, found]);
        }
        let mut again = self.b.any(stays);
        if end == RaggedEnd::Limit {
            let below = self.b.op(Op::Lt, Scalar::I32, &[next_count, rounds]);
            again = self.b.and(again, below);
        }
        let body = self.b.close(vec![stays, more, next_own, next_count]);
        let results = self.b.repeat(params, init, body, again);
        self.scope_mut().extend(&results[1..]);
    }

    /// A number of each lane, from 0 to a mask of bits.
    fn scattered(&mut self, bits: u64) -> LaneValue {
        let by = self.rng.pick(&[0, 1, 5, 7, 11, 29, 64]);
        let (lane, by) = (self.lane(), self.lanes_of(Elem::I32, by));
        let first = self.rng.below(64) as u64;
        let (first, bits) = (self.lanes_of(Elem::I32, first), self.lanes_of(Elem::I32, bits));
        let product = self.b.op(Op::Mul, Scalar::I32, &[lane, by]);
        let sum = self.b.op(Op::Add, Scalar::I32, &[product, first]);
        self.b.op(Op::And, Scalar::I32, &[sum, bits])
    }
}
