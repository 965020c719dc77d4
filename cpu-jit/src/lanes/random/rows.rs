//! Random programs of a loop over rows, as `vectorize` writes it for kernels without tiles, whose rows
//! access no common element that one of them writes: rows may be executed together
//! ([`jam_rows`](crate::lanes::jam_rows)).
//!
//! - Loads that all rows share, and loads of a row's own elements, which it also stores.
//! - Loops that go on for all rows alike, for a number of iterations of each row's own, and in two
//!   versions, as bounds checks are hoisted.
//! - Conditions that are the same for all rows, that differ by row, and by lane.

use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::super::program::{AddressStep, Effect, Elem, LaneAddress, LaneProgram, LaneType, LaneValue, Likely};
use super::make::{ProgramMaker, begin};
use super::places::{READ_ONLY, space};

/// Maximum nesting of loops and arms.
const DEEPEST: usize = 3;

/// The piece that rows write, each [`OWN`] bytes of it.
const WRITTEN: usize = 1;
const OWN: i64 = 512;

/// The values of the code being made.
struct RowScope {
    row: LaneValue,
    /// Scalars that are the same in all rows: counters.
    counters: Vec<LaneValue>,
    lanes: Vec<LaneValue>,
}

/// Generates one program. The caller passes the first row and the one behind the last.
pub(crate) fn make_rows(seed: u64, width: u32) -> LaneProgram {
    let mut maker = begin(seed, width);
    maker.scope_mut().clear();
    maker.rows();
    maker.finish(format!("rows {seed}"))
}

impl ProgramMaker {
    fn rows(&mut self) {
        let [first, end, ..] = self.b.given();
        let row = self.b.open_loop(&[LaneType::Scalar(Elem::I64)])[0];
        let (zero, lane) = (self.b.constant(Elem::I32, 0), self.lane());
        let mut scope = RowScope { row, counters: vec![zero], lanes: vec![lane] };
        if self.rng.one_in(2) {
            self.alike(&mut scope, 0);
        } else {
            self.row_nodes(&mut scope, 0);
        }
        self.own_store(&scope);
        let one = self.b.number(1);
        let next = self.b.op(Op::Add, Scalar::I64, &[row, one]);
        let again = self.b.op(Op::Lt, Scalar::I64, &[next, end]);
        let body = self.b.close(vec![next]);
        self.b.repeat(vec![row], vec![first], body, again);
    }

    /// Some nodes; those with lanes add to the scope.
    fn row_nodes(&mut self, scope: &mut RowScope, depth: usize) {
        for _ in 0..1 + self.rng.below(4) {
            match self.rng.below(if depth < DEEPEST { 10 } else { 5 }) {
                0 | 1 => {
                    let value = self.row_lanes(scope);
                    scope.lanes.push(value);
                }
                2 => {
                    let value = self.shared_load(scope);
                    scope.lanes.push(value);
                }
                3 => {
                    let at = self.own_place(scope);
                    let value = self.b.load(at, None);
                    scope.lanes.push(value);
                }
                4 => self.own_store(scope),
                5 | 6 => self.row_branch(scope, depth),
                7 => self.alike(scope, depth),
                8 => self.own_count(scope, depth),
                _ => self.two_versions(scope),
            }
        }
    }

    /// Lanes that are computed from others, or from the row.
    fn row_lanes(&mut self, scope: &RowScope) -> LaneValue {
        let a = self.rng.pick(&scope.lanes);
        let b = if self.rng.one_in(2) {
            self.rng.pick(&scope.lanes)
        } else {
            self.b.op(Op::ToI32, Scalar::I64, &[scope.row])
        };
        let op = self.rng.pick(&[Op::Add, Op::Mul, Op::Xor, Op::Sub]);
        let value = self.b.op(op, Scalar::I32, &[a, b]);
        self.b.lanes(value)
    }

    /// A load from an address that only counters determine, or also the row; one for all lanes or one
    /// for each.
    fn shared_load(&mut self, scope: &RowScope) -> LaneValue {
        let counter = self.rng.pick(&scope.counters);
        let mut offset = self.b.op(Op::ToI64, Scalar::U32, &[counter]);
        if self.rng.one_in(3) {
            offset = self.b.op(Op::Add, Scalar::I64, &[offset, scope.row]);
        }
        let some = self.b.number(255);
        let place = self.b.op(Op::And, Scalar::I64, &[offset, some]);
        let bytes = self.b.number(4);
        let offset = self.b.op(Op::Mul, Scalar::I64, &[place, bytes]);
        let along = if self.rng.one_in(4) { AddressStep::Uniform } else { AddressStep::Step(4) };
        let (base, space) = (self.piece(READ_ONLY), space(READ_ONLY));
        let displacement = self.rng.below(3) as i64 * 4;
        let at = LaneAddress { space, base, offset: Some(offset), displacement, along, stored: Stored::I32 };
        let value = self.b.load(at, None);
        self.b.lanes(value)
    }

    /// A place of the row's own: eight rows in a row have different ones.
    fn own_place(&mut self, scope: &RowScope) -> LaneAddress {
        let seven = self.b.number(7);
        let number = self.b.op(Op::And, Scalar::I64, &[scope.row, seven]);
        let bytes = self.b.number(OWN);
        let offset = self.b.op(Op::Mul, Scalar::I64, &[number, bytes]);
        let (base, space) = (self.piece(WRITTEN), space(WRITTEN));
        let displacement = self.rng.below(2) as i64 * (OWN / 2);
        LaneAddress {
            space,
            base,
            offset: Some(offset),
            displacement,
            along: AddressStep::Step(4),
            stored: Stored::I32,
        }
    }

    fn own_store(&mut self, scope: &RowScope) {
        let at = self.own_place(scope);
        let value = self.rng.pick(&scope.lanes);
        let mask = self.rng.one_in(4).then(|| {
            let (a, b) = (self.rng.pick(&scope.lanes), self.rng.pick(&scope.lanes));
            self.b.op(Op::Lt, Scalar::I32, &[a, b])
        });
        let mask = mask.map(|mask| self.b.lanes(mask));
        self.b.effect(Effect::Store { at, value, mask });
    }

    /// A condition: of the row, of counters, or of lanes.
    fn row_condition(&mut self, scope: &RowScope) -> LaneValue {
        let few = self.b.constant(Elem::I32, self.rng.below(4) as u64);
        match self.rng.below(3) {
            0 => {
                let row = self.b.op(Op::ToI32, Scalar::I64, &[scope.row]);
                let three = self.b.constant(Elem::I32, 3);
                let number = self.b.op(Op::And, Scalar::I32, &[row, three]);
                let op = self.rng.pick(&[Op::Lt, Op::Eq, Op::Ge]);
                self.b.op(op, Scalar::I32, &[number, few])
            }
            1 => {
                let counter = self.rng.pick(&scope.counters);
                self.b.op(Op::Le, Scalar::I32, &[counter, few])
            }
            _ => {
                let value = self.rng.pick(&scope.lanes);
                let mask = self.b.op(Op::Lt, Scalar::I32, &[value, few]);
                let mask = self.b.lanes(mask);
                self.b.any(mask)
            }
        }
    }

    fn row_branch(&mut self, scope: &mut RowScope, depth: usize) {
        let condition = self.row_condition(scope);
        let (counters, lanes) = (scope.counters.len(), scope.lanes.len());
        let mut arms = Vec::new();
        for _ in 0..2 {
            self.b.open_arm();
            self.row_nodes(scope, depth + 1);
            let given = vec![self.rng.pick(&scope.lanes), self.rng.pick(&scope.lanes)];
            scope.counters.truncate(counters);
            scope.lanes.truncate(lanes);
            arms.push(self.b.close(given));
        }
        let (otherwise, then) = (arms.pop().expect("it was made"), arms.pop().expect("it was made"));
        let likely = self.rng.pick(&[Likely::Either, Likely::Then]);
        scope.lanes.extend(self.b.if_else(condition, then, otherwise, likely));
    }

    /// A loop that goes on for all rows alike.
    fn alike(&mut self, scope: &mut RowScope, depth: usize) {
        let rounds = self.b.constant(Elem::I32, 1 + self.rng.below(4) as u64);
        self.row_rounds(scope, depth, rounds);
    }

    /// A loop of a number of iterations that the row determines.
    fn own_count(&mut self, scope: &mut RowScope, depth: usize) {
        let row = self.b.op(Op::ToI32, Scalar::I64, &[scope.row]);
        let three = self.b.constant(Elem::I32, 3);
        let rounds = self.b.op(Op::And, Scalar::I32, &[row, three]);
        self.row_rounds(scope, depth, rounds);
    }

    fn row_rounds(&mut self, scope: &mut RowScope, depth: usize, rounds: LaneValue) {
        let zero = self.b.constant(Elem::I32, 0);
        let init = vec![zero, self.rng.pick(&scope.lanes), self.rng.pick(&scope.lanes)];
        let types = [LaneType::Scalar(Elem::I32), LaneType::Lanes(Elem::I32), LaneType::Lanes(Elem::I32)];
        let params = self.b.open_loop(&types);
        let (counters, lanes) = (scope.counters.len(), scope.lanes.len());
        scope.counters.push(params[0]);
        scope.lanes.extend(&params[1..]);
        self.row_nodes(scope, depth + 1);
        let shared = self.shared_load(scope);
        let sum = self.b.op(Op::Add, Scalar::I32, &[params[1], shared]);
        let other = self.rng.pick(&scope.lanes);
        scope.counters.truncate(counters);
        scope.lanes.truncate(lanes);
        let one = self.b.constant(Elem::I32, 1);
        let next = self.b.op(Op::Add, Scalar::I32, &[params[0], one]);
        let again = self.b.op(Op::Lt, Scalar::I32, &[next, rounds]);
        let body = self.b.close(vec![next, sum, other]);
        scope.lanes.extend(&self.b.repeat(params, init, body, again)[1..]);
    }

    /// A loop in two versions: iterations below a limit in an inner loop, if a condition holds.
    fn two_versions(&mut self, scope: &mut RowScope) {
        let most = 1 + self.rng.below(6) as u64;
        let limit = (self.rng.below(7) as u64).min(most);
        let (most, limit) = (self.b.constant(Elem::I32, most), self.b.constant(Elem::I32, limit));
        let holds = self.row_condition(scope);
        let times = if self.rng.one_in(2) { self.b.op(Op::ToI32, Scalar::I64, &[scope.row]) } else { most };
        let zero = self.b.constant(Elem::I32, 0);
        let init = vec![zero, self.rng.pick(&scope.lanes)];
        let types = [LaneType::Scalar(Elem::I32), LaneType::Lanes(Elem::I32)];
        let displacement = self.rng.below(3) as i64 * 4;
        let round = |maker: &mut ProgramMaker, params: &[LaneValue]| {
            let wide = maker.b.op(Op::ToI64, Scalar::U32, &[params[0]]);
            let bytes = maker.b.number(64);
            let offset = Some(maker.b.op(Op::Mul, Scalar::I64, &[wide, bytes]));
            let (base, space) = (maker.piece(READ_ONLY), space(READ_ONLY));
            let along = AddressStep::Step(4);
            let at = LaneAddress { space, base, offset, displacement, along, stored: Stored::I32 };
            let loaded = maker.b.load(at, None);
            let product = maker.b.op(Op::Mul, Scalar::I32, &[loaded, times]);
            let sum = maker.b.op(Op::Add, Scalar::I32, &[params[1], product]);
            let one = maker.b.constant(Elem::I32, 1);
            vec![maker.b.op(Op::Add, Scalar::I32, &[params[0], one]), sum]
        };
        let params = self.b.open_loop(&types);
        let below = self.b.op(Op::Lt, Scalar::I32, &[params[0], limit]);
        let condition = self.b.and(below, holds);
        self.b.open_arm();
        let inner = self.b.open_loop(&types);
        let next = round(self, &inner);
        let again = self.b.op(Op::Lt, Scalar::I32, &[next[0], limit]);
        let body = self.b.close(next);
        let left = self.b.repeat(inner, params.clone(), body, again);
        let then = self.b.close(left);
        self.b.open_arm();
        let next = round(self, &params);
        let otherwise = self.b.close(next);
        let next = self.b.if_else(condition, then, otherwise, Likely::Version);
        let again = self.b.op(Op::Lt, Scalar::I32, &[next[0], most]);
        let body = self.b.close(next);
        let results = self.b.repeat(params, init, body, again);
        scope.lanes.push(results[1]);
    }
}
