//! Generates random programs: structured, with all kinds of nodes, and deterministic for a seed.
//!
//! Every access lies in its memory, plain accesses of one node do not overlap, loops end, and the
//! bits of a NaN are never observable; so the behaviour of a program is determined.

use tilewise_ir::kernel::{AtomicOp, Message};
use tilewise_ir::ops::{Op, OperandSlot, SlotScalar, SlotWidth};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar, Stored};

use super::super::build::{LaneBuilder, scalar_of};
use super::super::program::{
    AddressStep, ArenaPart, ArgumentWord, Effect, Elem, ExitStatus, LaneAddress, LaneBlock, LaneInst, LaneProgram,
    LaneType, LaneValue, Likely, MessageKind,
};
use super::places::{self, ARENA, CONSTANT, RESULTS};
use super::rng::ProgramRng;

const ELEMS: [Elem; 5] = [Elem::Bool, Elem::I32, Elem::I64, Elem::F32, Elem::F64];

/// Maximum nesting of loops and arms.
const DEPTH: usize = 3;

/// The parameter that stands for random words.
pub(crate) const WORDS: u32 = 99;

/// The types printed by the one message: components are separate values.
pub(crate) const PRINTED: [Data; 2] = [Data::I32, Data::vector(Scalar::F32, 2)];

/// Generates one program.
pub(crate) struct ProgramMaker {
    pub(crate) b: LaneBuilder,
    pub(crate) rng: ProgramRng,
    /// Values in scope, the latest last. No pointers: they differ between targets.
    scope: Vec<LaneValue>,
    depth: usize,
    /// The approximate number of nodes still to be made.
    left: usize,
    /// The bytes used in each result piece.
    told: [i64; 3],
    /// Does it access the elements of rows one after the other?
    accesses_rows: bool,
}

/// Generates one program.
pub(crate) fn make(seed: u64, width: u32) -> LaneProgram {
    let mut maker = begin(seed, width);
    maker.nodes();
    maker.finish(format!("random {seed}"))
}

/// A program without nodes of its own, with some values in scope.
pub(crate) fn begin(seed: u64, width: u32) -> ProgramMaker {
    let rng = ProgramRng::new(seed);
    let b = LaneBuilder::new(width);
    let scope = b.given().to_vec();
    let accesses_rows = matches!(seed % 8, 2 | 3 | 6);
    let mut maker = ProgramMaker { b, rng, scope, depth: 0, left: 0, told: [0; 3], accesses_rows };
    maker.left = 12 + maker.rng.below(48);
    let from = maker.arena(ArenaPart::Context);
    maker.b.effect(Effect::Clear { from, bytes: ARENA.context });
    for (i, &elem) in ELEMS.iter().enumerate() {
        let word = maker.b.input(ArgumentWord::Uniform(WORDS, i as u8, elem));
        maker.scope.push(word);
    }
    maker
}

impl ProgramMaker {
    /// The program, with the values in scope stored at its end.
    pub(crate) fn finish(mut self, name: String) -> LaneProgram {
        self.tell_all();
        let mut program = self.b.finish(name.into(), ARENA);
        program.writable = (0..CONSTANT).map(|piece| piece != places::READ_ONLY).collect();
        program.copies = vec![
            vec![(0, 0, Stored::I32), (4, 4, Stored::U16), (8, 8, Stored::I64)],
            vec![(0, 8, Stored::I32), (8, 0, Stored::I32), (15, 15, Stored::U8)],
        ];
        let message =
            Message { pieces: vec!["".into(), " and ".into(), "".into()], values: Vec::new(), formats: Vec::new() };
        program.messages = vec![(Pos::NONE, MessageKind::Print(message, PRINTED.to_vec()))];
        program
    }

    /// The values in scope.
    pub(crate) const fn scope_mut(&mut self) -> &mut Vec<LaneValue> {
        &mut self.scope
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    /// The pointer to a piece.
    pub(crate) fn piece(&mut self, piece: usize) -> LaneValue {
        self.b.input(if piece == CONSTANT { ArgumentWord::TableBase(0) } else { ArgumentWord::ViewBase(piece as u32) })
    }

    /// The pointer to a part of the arena.
    pub(crate) fn arena(&mut self, part: ArenaPart) -> LaneValue {
        self.b.pure(LaneInst::Arena(part), LaneType::Scalar(Elem::I64))
    }

    pub(crate) fn lane(&mut self) -> LaneValue {
        self.b.pure(LaneInst::Lane, LaneType::Lanes(Elem::I32))
    }

    /// A constant in every lane.
    pub(crate) fn lanes_of(&mut self, elem: Elem, bits: u64) -> LaneValue {
        let value = self.b.constant(elem, bits);
        self.b.lanes(value)
    }

    /// A value of a type.
    pub(crate) fn value(&mut self, elem: Elem, lanes: bool) -> LaneValue {
        let ty = if lanes { LaneType::Lanes(elem) } else { LaneType::Scalar(elem) };
        let known: Vec<LaneValue> = self.scope.iter().copied().filter(|&value| self.b.ty(value) == ty).collect();
        if !known.is_empty() && !self.rng.one_in(6) {
            let recent = if self.rng.one_in(2) { known.len().min(4) } else { known.len() };
            return known[known.len() - 1 - self.rng.below(recent)];
        }
        match (lanes, elem) {
            (true, Elem::I32) if self.rng.one_in(2) => self.lane(),
            (true, Elem::Bool) if self.rng.one_in(2) => {
                let number = self.lane();
                let bits = self.rng.below(1 << 16) as u64;
                let bits = self.lanes_of(Elem::I32, bits);
                let bit = self.b.op(Op::Shr, Scalar::U32, &[bits, number]);
                let one = self.lanes_of(Elem::I32, 1);
                let bit = self.b.op(Op::And, Scalar::U32, &[bit, one]);
                self.b.op(Op::Eq, Scalar::U32, &[bit, one])
            }
            (true, _) if self.rng.one_in(3) => {
                let value = self.value(elem, false);
                self.b.lanes(value)
            }
            _ => {
                let bits = places::number(elem, &mut self.rng);
                if lanes { self.lanes_of(elem, bits) } else { self.b.constant(elem, bits) }
            }
        }
    }

    fn add(&mut self, value: LaneValue) {
        self.scope.push(value);
    }

    fn mask(&mut self) -> Option<LaneValue> {
        let masked = self.chance(60);
        masked.then(|| self.value(Elem::Bool, true))
    }

    /// The value, with NaN replaced, for operations that observe bits.
    fn clean(&mut self, value: LaneValue) -> LaneValue {
        let elem = self.b.ty(value).elem();
        if !matches!(elem, Elem::F32 | Elem::F64) {
            return value;
        }
        let scalar = scalar_of(elem);
        let nan = self.b.op(Op::IsNan, scalar, &[value]);
        let other = self.b.constant(elem, 0);
        self.b.op(Op::Select, scalar, &[nan, other, value])
    }

    /// The nodes of one block.
    fn nodes(&mut self) {
        let count = 2 + self.rng.below(self.left.clamp(1, 24));
        for _ in 0..count {
            self.left = self.left.saturating_sub(1);
            match self.rng.below(40) {
                0..12 => self.op(),
                12..15 => self.whole(),
                15..21 => self.small(),
                21..26 => self.load(),
                26..30 => self.store(),
                30..32 => self.atomic(),
                32 => self.exchange(),
                33 => self.copy(),
                34 => self.rare(),
                35.. if self.accesses_rows && self.rng.one_in(3) => self.row_accesses(),
                _ if self.depth == DEPTH || self.left == 0 => self.op(),
                35..37 => self.arms(),
                _ => self.rounds(),
            }
        }
    }

    fn op(&mut self) {
        let row = self.rng.pick(Op::ROWS);
        if !row.each {
            return self.whole();
        }
        let scalar = match (row.class, row.result.scalar) {
            ([], SlotScalar::Fixed(fixed)) => fixed,
            (class, _) => self.rng.pick(class),
        };
        let lanes = self.chance(75);
        let seen = matches!(
            row.op,
            Op::BitcastI32
                | Op::BitcastU32
                | Op::BitcastI64
                | Op::BitcastU64
                | Op::SignBit
                | Op::TotalCmp
                | Op::Copysign
        );
        let mut args = Vec::new();
        for slot in row.args {
            let value = self.value(Elem::of(at(slot, scalar)), lanes);
            args.push(if seen { self.clean(value) } else { value });
        }
        let value = if row.op == Op::Select || self.rng.one_in(2) {
            self.b.op(row.op, scalar, &args)
        } else {
            let elem = Elem::of(at(&row.result, scalar));
            let args = args.iter().map(|&arg| if lanes { self.b.lanes(arg) } else { arg }).collect();
            let ty = if lanes { LaneType::Lanes(elem) } else { LaneType::Scalar(elem) };
            self.b.here(LaneInst::Op { op: row.op, scalar, args }, ty)
        };
        self.add(value);
    }

    fn whole(&mut self) {
        let rows: Vec<Op> = Op::ROWS.iter().filter(|row| !row.each).map(|row| row.op).collect();
        let op = self.rng.pick(&rows);
        let row = op.row();
        let scalar = if row.class.is_empty() { Scalar::Bool } else { self.rng.pick(row.class) };
        let (least, most) = row.widths;
        let common = least + self.rng.below(usize::from(most - least) + 1) as u8;
        let data = |slot: &OperandSlot| Data {
            scalar: at(slot, scalar),
            width: match slot.width {
                SlotWidth::Common => common,
                SlotWidth::Exactly(n) => n,
            },
        };
        let types: Vec<Data> = row.args.iter().map(data).collect();
        let Ok(instance) = op.resolve(&types) else { panic!("{} is not used so", row.name) };
        let lanes = self.chance(75);
        let mut args = Vec::new();
        for data in &types {
            for _ in 0..data.width {
                let value = self.value(Elem::of(data.scalar), lanes);
                args.push(if op == Op::Pack2x16Float { self.clean(value) } else { value });
            }
        }
        let widths: Vec<u8> = types.iter().map(|data| data.width).collect();
        let component = self.rng.below(usize::from(instance.result.width)) as u8;
        let value = self.b.whole(op, instance, &args, &widths, component);
        self.add(value);
    }

    /// Lane and mask instructions.
    fn small(&mut self) {
        let elem = self.rng.pick(&ELEMS);
        let value = match self.rng.below(8) {
            0 | 1 => {
                let (yes, no) = (self.value(elem, true), self.value(elem, true));
                let mask = self.value(Elem::Bool, true);
                self.b.select(mask, yes, no)
            }
            2 => {
                let number = self.value(Elem::I64, false);
                let number = if self.rng.one_in(2) {
                    let bits = self.b.number(31);
                    let number = self.b.op(Op::And, Scalar::I64, &[number, bits]);
                    let less = self.b.number(6);
                    self.b.op(Op::Sub, Scalar::I64, &[number, less])
                } else {
                    number
                };
                self.b.first_lanes(number)
            }
            3 => {
                let mask = self.value(Elem::Bool, true);
                self.b.any(mask)
            }
            4 => {
                let mask = self.value(Elem::Bool, true);
                self.b.all(mask)
            }
            5 => {
                let mask = self.value(Elem::Bool, true);
                let lanes = self.value(elem, true);
                let lowest = self.b.here(LaneInst::LowestLane { lanes, mask }, LaneType::Scalar(elem));
                // Without a set lane the result is arbitrary.
                let any = self.b.any(mask);
                let other = self.value(elem, false);
                self.b.select(any, lowest, other)
            }
            6 if elem != Elem::Bool && self.b.width() > 1 => {
                let (low, high) = (self.value(elem, true), self.value(elem, true));
                let by = 1 + self.rng.below(self.b.width() as usize - 1) as u32;
                self.b.here(LaneInst::Slide { low, high, by }, LaneType::Lanes(elem))
            }
            _ => {
                let value = self.value(elem, false);
                self.b.here(LaneInst::Splat(value), LaneType::Lanes(elem))
            }
        };
        self.add(value);
    }

    fn load(&mut self) {
        let stored = self.rng.pick(&Stored::ALL);
        let value = if self.rng.one_in(4) {
            let at = self.uniform(stored, false);
            let scalar = self.b.load(at, None);
            if self.rng.one_in(2) {
                // Nothing else uses the scalar; the lanes may be used beyond stores.
                let ty = LaneType::Lanes(self.b.ty(scalar).elem());
                self.b.here(LaneInst::Splat(scalar), ty)
            } else {
                scalar
            }
        } else {
            let mask = self.mask();
            let at = places::address(self, stored, mask, false);
            self.b.load(at, mask)
        };
        self.add(value);
    }

    /// A uniform address.
    fn uniform(&mut self, stored: Stored, writes: bool) -> LaneAddress {
        LaneAddress { along: AddressStep::Uniform, ..places::address(self, stored, None, writes) }
    }

    fn store(&mut self) {
        let stored = self.rng.pick(&Stored::ALL);
        let elem = Elem::of(stored.value());
        let (at, value, mask) = if self.rng.one_in(4) {
            let at = self.uniform(stored, true);
            let value = self.value(elem, false);
            // Which of several different lanes remains is unspecified.
            let spread = self.rng.one_in(2);
            let mask = if spread { self.mask() } else { None };
            (at, if spread { self.b.lanes(value) } else { value }, mask)
        } else {
            let mask = self.mask();
            let at = places::address(self, stored, mask, true);
            (at, self.value(elem, true), mask)
        };
        self.b.effect(Effect::Store { at, value, mask });
    }

    /// Loads and stores of the elements of a row in each lane, which may be all of them.
    fn row_accesses(&mut self) {
        let stored = self.rng.pick(&[Stored::I32, Stored::U32, Stored::F32, Stored::I64, Stored::F64]);
        let elem = Elem::of(stored.value());
        let (at, elements) = places::row(self, stored);
        let size = i64::from(stored.size());
        let mut order: Vec<i64> = (0..elements).collect();
        for _ in 0..self.rng.below(3) {
            let (a, b) = (self.rng.below(order.len()), self.rng.below(order.len()));
            order.swap(a, b);
        }
        let stores = self.rng.one_in(2);
        for place in order {
            // Now and then one is left out, or the other kind comes between.
            if self.rng.one_in(12) {
                continue;
            }
            let at = LaneAddress { displacement: at.displacement + place * size, ..at.clone() };
            if stores != self.rng.one_in(24) {
                let value = self.value(elem, true);
                self.b.effect(Effect::Store { at, value, mask: None });
            } else {
                let value = self.b.load(at, None);
                self.add(value);
            }
        }
    }

    fn atomic(&mut self) {
        let scalar = self.rng.pick(&[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F32]);
        let ops: Vec<AtomicOp> = AtomicOp::ALL.into_iter().filter(|op| op.accepts(scalar)).collect();
        let op = self.rng.pick(&ops);
        let mask = self.mask();
        let at = places::atomic_address(self, scalar, mask);
        let alone = matches!(op, AtomicOp::Inc | AtomicOp::Dec);
        let operand = (!alone).then(|| self.value(Elem::of(scalar), true));
        let value = self.b.here(LaneInst::Atomic { op, scalar, at, operand, mask }, LaneType::Lanes(Elem::of(scalar)));
        self.add(value);
    }

    fn exchange(&mut self) {
        let scalar = self.rng.pick(&[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64]);
        let elem = Elem::of(scalar);
        let mask = self.mask();
        let at = places::atomic_address(self, scalar, mask);
        let new = self.value(elem, true);
        let expected = if self.rng.one_in(2) && at.along != AddressStep::Uniform {
            self.b.load(at.clone(), mask)
        } else {
            self.value(elem, true)
        };
        let value = self.b.here(LaneInst::CompareExchange { scalar, at, expected, new, mask }, LaneType::Lanes(elem));
        self.add(value);
    }

    fn copy(&mut self) {
        let mask = self.mask();
        let read = self.mask();
        let readable = match (mask, read) {
            (Some(mask), Some(read)) => Some(self.b.and(mask, read)),
            (one, other) => one.or(other),
        };
        let to = places::aggregate(self, mask, true);
        let from = places::aggregate(self, readable, false);
        let shape = self.rng.below(2) as u32;
        self.b.effect(Effect::Copy { shape, to, from, read, mask });
    }

    /// Messages, exits and other rare nodes.
    fn rare(&mut self) {
        match self.rng.below(7) {
            0 | 1 => {
                let number = self.value(Elem::I64, false);
                let bits = self.b.number(0xffff);
                let thread = self.b.op(Op::And, Scalar::I64, &[number, bits]);
                let mut values = Vec::new();
                for data in PRINTED {
                    for _ in 0..data.width {
                        let lanes = self.chance(70);
                        values.push(self.value(Elem::of(data.scalar), lanes));
                    }
                }
                let mask = self.value(Elem::Bool, true);
                self.b.effect(Effect::Message { message: 0, thread, values, mask });
            }
            2 => {
                let number = self.value(Elem::I32, false);
                let other = self.value(Elem::I32, false);
                let condition = self.b.op(Op::Eq, Scalar::I32, &[number, other]);
                let often = self.value(Elem::Bool, false);
                let condition = self.b.and(condition, often);
                let status = self.rng.pick(&[ExitStatus::Diverged, ExitStatus::Interrupted, ExitStatus::Done]);
                self.b.exit(condition, status);
            }
            3 => self.b.effect(Effect::Fence),
            5 => {
                let at = places::address(self, Stored::I32, None, false);
                if at.along == AddressStep::Step(4) {
                    self.b.effect(Effect::Prefetch { at });
                }
            }
            4 => {
                let base = self.arena(ArenaPart::TileStatic);
                let at = self.b.number(self.rng.below(1000) as i64 * 4);
                let from = self.b.op(Op::Add, Scalar::I64, &[base, at]);
                let bytes = self.rng.below(24) as u64 * 4;
                self.b.effect(Effect::Clear { from, bytes });
            }
            _ => self.b.poll(),
        }
    }

    fn types(&mut self) -> Vec<LaneType> {
        let count = self.rng.below(4);
        let mut types = Vec::new();
        for _ in 0..count {
            let elem = self.rng.pick(&ELEMS);
            types.push(if self.chance(70) { LaneType::Lanes(elem) } else { LaneType::Scalar(elem) });
        }
        types
    }

    fn values(&mut self, types: &[LaneType]) -> Vec<LaneValue> {
        types.iter().map(|ty| self.value(ty.elem(), ty.is_lanes())).collect()
    }

    fn arms(&mut self) {
        let condition = self.value(Elem::Bool, false);
        let types = self.types();
        let then = self.arm(&types);
        let otherwise = self.arm(&types);
        let likely = self.rng.pick(&[Likely::Either, Likely::Then]);
        let results = self.b.if_else(condition, then, otherwise, likely);
        self.scope.extend(results);
    }

    fn arm(&mut self, types: &[LaneType]) -> LaneBlock {
        let outside = self.scope.len();
        self.depth += 1;
        self.b.open_arm();
        if !self.rng.one_in(4) {
            self.nodes();
        }
        let results = self.values(types);
        self.scope.truncate(outside);
        self.depth -= 1;
        self.b.close(results)
    }

    fn rounds(&mut self) {
        let mut types = vec![LaneType::Scalar(Elem::I32), LaneType::MASK];
        types.extend(self.types());
        let zero = self.b.constant(Elem::I32, 0);
        let mut init = vec![zero];
        init.extend(self.values(&types[1..]));
        let most = 1 + self.rng.below(4) as u64;
        let outside = self.scope.len();
        self.depth += 1;
        let params = self.b.open_loop(&types);
        self.scope.extend(&params);
        self.nodes();
        if self.rng.one_in(2) {
            self.b.poll();
        }
        let one = self.b.constant(Elem::I32, 1);
        let count = self.b.op(Op::Add, Scalar::U32, &[params[0], one]);
        let most = self.b.constant(Elem::I32, most);
        let mut again = self.b.op(Op::Lt, Scalar::U32, &[count, most]);
        let live = self.value(Elem::Bool, true);
        let live = self.b.and(params[1], live);
        if self.rng.one_in(2) {
            let any = self.b.any(live);
            again = self.b.and(again, any);
        }
        let mut results = vec![count, live];
        results.extend(self.values(&types[2..]));
        self.scope.truncate(outside);
        self.depth -= 1;
        let body = self.b.close(results);
        let results = self.b.repeat(params, init, body, again);
        self.scope.extend(results);
    }

    /// Stores the final values where they can be compared.
    fn tell_all(&mut self) {
        for value in std::mem::take(&mut self.scope).into_iter().rev() {
            let (value, stored, which) = match self.b.ty(value).elem() {
                Elem::Bool => {
                    let (one, zero) = (self.b.constant(Elem::I32, 1), self.b.constant(Elem::I32, 0));
                    (self.b.select(value, one, zero), Stored::I32, 0)
                }
                Elem::I32 => (value, Stored::I32, 0),
                Elem::I64 => (value, Stored::I64, 0),
                Elem::F32 => (value, Stored::F32, 1),
                Elem::F64 => (value, Stored::F64, 2),
            };
            let displacement = self.told[which];
            let size = i64::from(stored.size());
            self.told[which] += size * 16;
            if self.told[which] > places::PIECE as i64 {
                continue;
            }
            let along = if self.b.ty(value).is_lanes() { AddressStep::Step(size) } else { AddressStep::Uniform };
            let base = self.piece(RESULTS[which]);
            let space = places::space(RESULTS[which]);
            let at = LaneAddress { space, base, offset: None, displacement, along, stored };
            self.b.effect(Effect::Store { at, value, mask: None });
        }
    }
}

/// The scalar of a slot.
fn at(slot: &OperandSlot, t: Scalar) -> Scalar {
    match slot.scalar {
        SlotScalar::T => t,
        SlotScalar::Fixed(fixed) => fixed,
    }
}
