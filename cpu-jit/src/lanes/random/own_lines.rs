//! Random loops in which lanes access runs a distance apart that only the launch knows: the index is a
//! line of the lanes, which may wrap, with a mask or without one; the runs are read, written, or both.

use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::super::build::scalar_of;
use super::super::program::{AddressStep, Effect, Elem, LaneAddress, LaneType, LaneValue};
use super::make::ProgramMaker;
use super::places::{PIECE, READ_ONLY, space};

/// How lanes find the element of an iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineForm {
    /// The product of the thread's number and a step, and the counter.
    Product,
    /// A parameter of lanes that grows by one.
    Counted,
    /// The product; the counter is in the scalar offset.
    Rows,
}

/// What a loop does with the elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunUse {
    Read,
    Write,
    Change,
    /// Reads one memory and writes another.
    Copy,
    /// Changes them, and reads its memory elsewhere too.
    Near,
}

impl ProgramMaker {
    /// A loop over runs of lanes.
    pub(super) fn own_lines(&mut self) {
        let (elem, stored) =
            self.rng.pick(&[(Elem::I32, Stored::I32), (Elem::I32, Stored::I32), (Elem::I64, Stored::I64)]);
        let (size, width) = (i64::from(stored.size()), i64::from(self.b.width()));
        let room = PIECE as i64 / size;
        let form = self.rng.pick(&[LineForm::Product, LineForm::Counted, LineForm::Rows]);
        let action = self.rng.pick(&[RunUse::Read, RunUse::Write, RunUse::Change, RunUse::Copy, RunUse::Near]);
        let rounds = 1 + self.rng.below(50) as i64;
        let masked = form != LineForm::Rows && self.rng.one_in(2);
        let step = match masked {
            true => self.rng.pick(&[0, 1, 15, 16, 17, 30, 64, -16, 1 << 20, 1 << 28]),
            false => 1 + self.rng.below(((room - rounds - 3) / width).max(1) as usize) as i64,
        };
        let first = match masked {
            true => self.rng.pick(&[0, 3, -5, -40, room - 300, -step * (width / 2)]),
            false => self.rng.below(3) as i64,
        };
        if !masked && (width - 1) * step + first + rounds > room {
            return;
        }
        // Values outside of the loop.
        let (by, begin) = (self.some_lane(step), self.some_lane(first));
        let lane = self.lane();
        let line = self.b.op(Op::Mul, Scalar::I32, &[lane, by]);
        let line = self.b.op(Op::Add, Scalar::I32, &[line, begin]);
        let limit = self.some_lane(room);
        let bytes = self.some_lane(size);
        let counter = self.rng.pick(&[Elem::I32, Elem::I64]);
        let end = self.some_number(counter, rounds);
        let init = vec![self.b.constant(counter, 0), self.lanes_of(elem, 1), line];
        let params = self.b.open_loop(&[LaneType::Scalar(counter), LaneType::Lanes(elem), LaneType::Lanes(Elem::I32)]);
        // The element of this iteration.
        let index = match form {
            LineForm::Product => {
                let narrow = match counter {
                    Elem::I64 => self.b.op(Op::ToI32, Scalar::I64, &[params[0]]),
                    _ => params[0],
                };
                let count = self.b.lanes(narrow);
                self.b.op(Op::Add, Scalar::I32, &[line, count])
            }
            LineForm::Counted => params[2],
            LineForm::Rows => line,
        };
        let offsets = self.b.op(Op::Mul, Scalar::I32, &[index, bytes]);
        let offset = (form == LineForm::Rows).then(|| {
            let (wide, size) = (self.widened(params[0]), self.b.number(size));
            self.b.op(Op::Mul, Scalar::I64, &[wide, size])
        });
        let mask = masked.then(|| self.b.op(Op::Lt, Scalar::U32, &[index, limit]));
        let piece = if action == RunUse::Read { self.rng.pick(&[READ_ONLY, 1]) } else { 1 };
        let at = |maker: &mut Self, piece: usize| {
            let (base, along) = (maker.piece(piece), AddressStep::Each(offsets));
            LaneAddress { space: space(piece), base, offset, displacement: 0, along, stored }
        };
        let from = if action == RunUse::Copy { READ_ONLY } else { piece };
        let mut value = params[1];
        if action != RunUse::Write {
            let at = at(self, from);
            let loaded = self.b.load(at, mask);
            let three = self.lanes_of(elem, 3);
            let product = self.b.op(Op::Mul, scalar_of(elem), &[value, three]);
            value = self.b.op(Op::Add, scalar_of(elem), &[product, loaded]);
        }
        if action != RunUse::Read {
            let at = at(self, piece);
            self.b.effect(Effect::Store { at, value, mask });
        }
        if action == RunUse::Near {
            let near = LaneAddress { displacement: 0, offset: None, along: AddressStep::Uniform, ..at(self, piece) };
            let near = self.b.load(near, None);
            let near = self.b.lanes(near);
            value = self.b.op(Op::Xor, scalar_of(elem), &[value, near]);
        }
        if self.rng.one_in(2) {
            self.b.poll();
        }
        let one = self.b.constant(counter, 1);
        let next = self.b.op(Op::Add, scalar_of(counter), &[params[0], one]);
        let again = self.b.op(Op::Lt, scalar_of(counter), &[next, end]);
        let one = self.lanes_of(Elem::I32, 1);
        let further = self.b.op(Op::Add, Scalar::I32, &[params[2], one]);
        let body = self.b.close(vec![next, value, further]);
        let results = self.b.repeat(params, init, body, again);
        self.scope_mut().extend(results);
    }

    /// Lanes of one number, as a constant or as something that passes do not see through.
    fn some_lane(&mut self, number: i64) -> LaneValue {
        let scalar = self.some_number(Elem::I32, i64::from(number as i32));
        self.b.lanes(scalar)
    }
}
