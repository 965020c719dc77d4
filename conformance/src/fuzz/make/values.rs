//! Values: operands from values in scope, constants, and operations of the op table.

use tilewise_ir::kernel::{Builtin, InstKind, ValueId};
use tilewise_ir::ops::{Op, SlotScalar, SlotWidth};
use tilewise_ir::types::{Data, Scalar, ValueType};

use super::super::data;
use super::super::nan::looks_at_bits;
use super::{AskedComparison, KernelMaker, PlaceBase, UsableValue};

/// Each comparison, the one that holds with its operands exchanged, and its opposite for integers.
const COMPARISONS: [(Op, Op, Op); 6] = [
    (Op::Eq, Op::Eq, Op::Ne),
    (Op::Ne, Op::Ne, Op::Eq),
    (Op::Lt, Op::Gt, Op::Ge),
    (Op::Ge, Op::Le, Op::Lt),
    (Op::Le, Op::Ge, Op::Gt),
    (Op::Gt, Op::Lt, Op::Le),
];

/// Every operation at every scalar, each once.
pub(in crate::fuzz) fn instances() -> Vec<(Op, Scalar)> {
    let mut all = Vec::new();
    for row in Op::ROWS {
        if row.class.is_empty() {
            all.push((row.op, Scalar::Bool));
        }
        all.extend(row.class.iter().map(|&scalar| (row.op, scalar)));
    }
    all
}

impl KernelMaker {
    /// A value of this type: more often one in scope than a constant. `uniform`: one that is
    /// uniform over the tile.
    pub(super) fn value(&mut self, data: Data, uniform: bool) -> ValueId {
        let known: Vec<ValueId> = self
            .scopes
            .iter()
            .flat_map(|scope| &scope.values)
            .filter(|known| known.data == data && (known.uniform || !uniform))
            .map(|known| known.id)
            .collect();
        if !known.is_empty() && self.rng.percent(72) {
            // Prefer recent values, so that chains grow.
            let skip = if self.rng.percent(60) { known.len().saturating_sub(4) } else { 0 };
            return known[skip + self.rng.below(known.len() - skip)];
        }
        if self.budget.left > 0
            && self.rng.percent(if known.is_empty() { 55 } else { 25 })
            && let Some(made) = self.made(data, uniform)
        {
            return made;
        }
        self.constant(data)
    }

    /// A constant; for a vector, several.
    pub(super) fn constant(&mut self, data: Data) -> ValueId {
        let constant = data::constant(&mut self.rng, data.scalar);
        let first = self.b.constant(constant);
        if data.width == 1 {
            return first;
        }
        if self.rng.percent(50) {
            return self.value_of(InstKind::Splat { value: first, width: data.width });
        }
        let parts = (0..data.width)
            .map(|_| {
                let constant = data::constant(&mut self.rng, data.scalar);
                self.b.constant(constant)
            })
            .collect();
        self.value_of(InstKind::Compose(parts))
    }

    /// A value computed from values in scope of another type.
    fn made(&mut self, data: Data, uniform: bool) -> Option<ValueId> {
        if data.width > 1 && self.rng.percent(60) {
            let scalar = Data::scalar(data.scalar);
            if self.rng.percent(40) {
                let value = self.value(scalar, uniform);
                return Some(self.value_of(InstKind::Splat { value, width: data.width }));
            }
            let parts = (0..data.width).map(|_| self.value(scalar, uniform)).collect();
            return Some(self.value_of(InstKind::Compose(parts)));
        }
        let from: Vec<UsableValue> = self
            .scopes
            .iter()
            .flat_map(|scope| &scope.values)
            .filter(|known| known.data.width == data.width && (known.uniform || !uniform))
            .copied()
            .collect();
        let from = *self.rng.pick(&from)?;
        let converted = match data.scalar {
            scalar if scalar == from.data.scalar => from.id,
            Scalar::Bool => {
                let zero = self.constant(from.data);
                self.op(Op::Ne, &[from.id, zero])
            }
            scalar => self.op(KernelMaker::conversion(scalar), &[from.id]),
        };
        Some(converted)
    }

    /// The operation that converts to a scalar other than `bool`.
    pub(super) fn conversion(to: Scalar) -> Op {
        match to {
            Scalar::U32 | Scalar::Bool => Op::ToU32,
            Scalar::I32 => Op::ToI32,
            Scalar::I64 => Op::ToI64,
            Scalar::U64 => Op::ToU64,
            Scalar::F32 => Op::ToF32,
            Scalar::F64 => Op::ToF64,
        }
    }

    /// The next operation of the table, on matching arguments.
    pub(super) fn op_statement(&mut self) {
        let instances = instances();
        let (op, scalar) = if self.rng.percent(70) {
            self.counters.next_op += 1;
            instances[self.counters.next_op * 131 % instances.len()]
        } else {
            instances[self.rng.below(instances.len())]
        };
        let row = op.row();
        let width = self.rng.range(i64::from(row.widths.0), i64::from(row.widths.1)) as u8;
        let uniform = self.rng.percent(if self.flow.level { 25 } else { 5 });
        let args: Vec<ValueId> = row
            .args
            .iter()
            .enumerate()
            .map(|(i, slot)| {
                let scalar = match slot.scalar {
                    SlotScalar::T => scalar,
                    SlotScalar::Fixed(fixed) => fixed,
                };
                let width = match slot.width {
                    SlotWidth::Common => width,
                    SlotWidth::Exactly(n) => n,
                };
                let value = self.value(Data { scalar, width }, uniform);
                if looks_at_bits(op, i) {
                    return self.clean(value);
                }
                let divides = matches!(op, Op::Div | Op::Rem | Op::DivEuclid | Op::RemEuclid) && i == 1;
                if divides && scalar.is_integer() {
                    // The builder rejects a division by a constant zero, but not by one that is
                    // computed at run time.
                    let other = self.constant(Data { scalar, width });
                    let change = self.rng.one([Op::Sub, Op::Or, Op::Xor]);
                    return self.op(change, &[value, other]);
                }
                value
            })
            .collect();
        let uniform = args.iter().all(|&arg| self.is_known_uniform(arg));
        let value = self.op(op, &args);
        self.know(value, uniform);
    }

    /// Is the value known to be uniform? An intermediate value that is not in scope does not count.
    fn is_known_uniform(&self, id: ValueId) -> bool {
        let known = self.scopes.iter().flat_map(|scope| &scope.values).find(|known| known.id == id);
        known.is_some_and(|known| known.uniform)
    }

    /// The value with NaN replaced, whose bits nothing may read.
    pub(super) fn clean(&mut self, value: ValueId) -> ValueId {
        let ValueType::Data(data) = self.b.value_type(value) else { return value };
        if !data.scalar.is_float() {
            return value;
        }
        let nan = self.op(Op::IsNan, &[value]);
        let one = match data.scalar {
            Scalar::F64 => self.b.constant(tilewise_ir::kernel::Const::f64(1.5)),
            _ => self.b.constant(tilewise_ir::kernel::Const::f32(1.5)),
        };
        let one = if data.width == 1 { one } else { self.value_of(InstKind::Splat { value: one, width: data.width }) };
        self.op(Op::Select, &[nan, one, value])
    }

    /// Takes a vector apart or composes one.
    pub(super) fn vector_statement(&mut self) {
        let scalar = Scalar::ALL[self.rng.below(Scalar::ALL.len())];
        let width = self.rng.range(2, 4) as u8;
        let level = self.flow.level && self.rng.percent(20);
        let (kind, uniform) = match self.rng.below(4) {
            0 => {
                let parts: Vec<ValueId> = (0..width).map(|_| self.value(Data::scalar(scalar), level)).collect();
                let uniform = parts.iter().all(|&part| self.is_known_uniform(part));
                (InstKind::Compose(parts), uniform)
            }
            1 => {
                let value = self.value(Data::scalar(scalar), level);
                (InstKind::Splat { value, width }, self.is_known_uniform(value))
            }
            2 => {
                let value = self.value(Data { scalar, width }, level);
                let count = self.rng.range(1, 4);
                let components = (0..count).map(|_| self.rng.below(usize::from(width)) as u8).collect();
                (InstKind::Swizzle { value, components }, self.is_known_uniform(value))
            }
            _ => {
                let value = self.value(Data { scalar, width }, level);
                let index = self.index(u32::from(width), level);
                (InstKind::ComponentAt { value, index }, false)
            }
        };
        let value = self.value_of(kind);
        self.know(value, uniform);
    }

    /// Emits a builtin: what the thread queries about itself.
    pub(super) fn builtin_statement(&mut self) {
        let rank = self.launch.shape.extent.len() as u32;
        let (_, kind) = Builtin::KINDS[self.rng.below(Builtin::KINDS.len())];
        let builtin = kind(self.rng.below(rank as usize) as u32);
        if builtin.needs_tile() && self.launch.shape.tile.is_none() {
            return self.extent_statement();
        }
        let uniform = !matches!(builtin, Builtin::Global(_) | Builtin::Local(_));
        let value = self.value_of(InstKind::Builtin(builtin));
        self.know(value, uniform);
    }

    /// Emits the extent of a view.
    pub(super) fn extent_statement(&mut self) {
        let held = self.scopes.iter().flat_map(|scope| &scope.held);
        let views: Vec<(ValueId, u32)> = held
            .filter_map(|held| match held.base {
                PlaceBase::View(view, ty) => Some((view, ty.rank)),
                _ => None,
            })
            .collect();
        if let Some(&(view, rank)) = self.rng.pick(&views) {
            let dimension = self.rng.below(rank as usize) as u32;
            let value = self.value_of(InstKind::ViewExtent { view, dimension });
            self.know(value, false);
        }
    }

    /// An index for an object of `limit` elements: mostly in range, not always.
    pub(super) fn index(&mut self, limit: u32, uniform: bool) -> ValueId {
        let limit = limit.max(1);
        if !uniform
            && self.rng.percent(35)
            && let Some(index) = self.even()
        {
            return index;
        }
        let index = match self.rng.below(10) {
            0..3 => {
                let n = self.rng.below(limit as usize) as u32;
                if self.rng.percent(50) { self.i32(n as i32) } else { self.u32(n) }
            }
            3..7 => {
                let value = self.value(Data::U32, uniform);
                let limit = self.u32(limit);
                self.op(Op::Rem, &[value, limit])
            }
            7 => {
                let value = self.value(Data::I32, uniform);
                let limit = self.i32(limit as i32);
                self.op(Op::RemEuclid, &[value, limit])
            }
            8 => self.value(Data::I32, uniform),
            _ => self.value(Data::U32, uniform),
        };
        self.not_constant(index, limit)
    }

    /// An `i32` that is affine in the thread's number, as most kernels' indices are; `None` in a
    /// function.
    fn even(&mut self) -> Option<ValueId> {
        let linear = self.thread.linear.filter(|_| !self.flow.in_function)?;
        let rank = self.launch.shape.extent.len();
        let d = if self.rng.percent(75) { rank - 1 } else { self.rng.below(rank) };
        let mut at = match self.rng.below(4) {
            0 => self.op(Op::ToI32, &[linear]),
            1 if self.launch.shape.tile.is_some() => self.value_of(InstKind::Builtin(Builtin::Local(d as u32))),
            _ => self.value_of(InstKind::Builtin(Builtin::Global(d as u32))),
        };
        let by = self.rng.one([1, 1, 1, 1, 1, -1, -1, 2, 3, -2]);
        if by != 1 {
            let by = self.i32(by);
            at = self.op(Op::Mul, &[at, by]);
        }
        let mut more = self.rng.range(-3, 3) as i32;
        if by < 0 {
            more += self.launch.shape.extent[d] - 1;
        }
        if self.rng.percent(70) {
            let more = self.i32(more);
            at = self.op(Op::Add, &[at, more]);
        }
        Some(at)
    }

    /// The index, or one in range if it is a constant outside `limit`: the builder rejects
    /// constants out of range.
    fn not_constant(&mut self, index: ValueId, limit: u32) -> ValueId {
        let context = self.b.context();
        match context.values[index.index()].def {
            tilewise_ir::kernel::ValueDef::Const(constant)
                if !constant.integer().is_some_and(|n| n >= 0 && n < i128::from(limit)) =>
            {
                let n = self.rng.below(limit.max(1) as usize) as u32;
                self.u32(n)
            }
            _ => index,
        }
    }

    /// A `bool`, more often than not from a comparison. Some conditions ask again, as they are or
    /// negated, what was asked before, so that a target may find a mask or its opposite in place.
    pub(super) fn condition(&mut self, uniform: bool) -> ValueId {
        if self.rng.percent(30)
            && let Some(again) = self.asked_again(uniform)
        {
            return again;
        }
        let value = self.first_asked(uniform);
        self.know_condition(value, uniform);
        value
    }

    /// Adds a condition to the scope.
    fn know_condition(&mut self, id: ValueId, uniform: bool) {
        if !self.scopes.iter().flat_map(|scope| &scope.values).any(|known| known.id == id) {
            self.know(id, uniform);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.conditions.push(UsableValue { id, data: Data::BOOL, uniform });
        }
    }

    /// Asks which threads are on one side of some thread, and which are not.
    pub(super) fn ask_both(&mut self) -> Option<[ValueId; 2]> {
        let at = self.even()?;
        let limit = self.value(Data::I32, true);
        let op = self.rng.one([Op::Lt, Op::Lt, Op::Ge, Op::Le, Op::Gt, Op::Eq]);
        let asked = self.comparison(op, [at, limit], false);
        let opposite = self.op(Op::Not, &[asked]);
        self.know_condition(asked, false);
        self.know_condition(opposite, false);
        Some([asked, opposite])
    }

    /// A condition that depends on one in scope: the same, its opposite, or its comparison in
    /// another form.
    fn asked_again(&mut self, uniform: bool) -> Option<ValueId> {
        let fits = |is_uniform: bool| is_uniform || !uniform;
        let scopes = self.scopes.iter();
        let value = if self.rng.percent(50) {
            let known = scopes.flat_map(|scope| &scope.conditions).filter(|known| fits(known.uniform));
            let known: Vec<ValueId> = known.map(|known| known.id).collect();
            // Mostly one of those just before.
            let skip = if self.rng.percent(60) { known.len().saturating_sub(4) } else { 0 };
            let value = *self.rng.pick(&known[skip..])?;
            if self.rng.percent(40) { self.op(Op::Not, &[value]) } else { value }
        } else {
            let asked = scopes.flat_map(|scope| &scope.comparisons).filter(|asked| fits(asked.uniform));
            let asked: Vec<AskedComparison> = asked.copied().collect();
            let AskedComparison { op, args: [a, b], .. } = *self.rng.pick(&asked)?;
            let (_, mirrored, opposite) = *COMPARISONS.iter().find(|(of, ..)| *of == op)?;
            match self.rng.below(4) {
                0 => self.op(op, &[a, b]),
                1 => self.op(mirrored, &[b, a]),
                _ => self.op(opposite, &[a, b]),
            }
        };
        self.know_condition(value, uniform);
        Some(value)
    }

    /// A comparison that later conditions may ask again.
    fn comparison(&mut self, op: Op, args: [ValueId; 2], uniform: bool) -> ValueId {
        if let Some(scope) = self.scopes.last_mut() {
            scope.comparisons.push(AskedComparison { op, args, uniform });
        }
        self.op(op, &args)
    }

    /// A condition of its own.
    fn first_asked(&mut self, uniform: bool) -> ValueId {
        if !uniform
            && !self.flow.in_function
            && self.rng.percent(45)
            && let Some(linear) = self.thread.linear
        {
            // True for some threads of each period.
            let period = self.rng.range(2, 5) as u32;
            let some = self.rng.range(1, i64::from(period) - 1) as u32;
            let (period, some) = (self.u32(period), self.u32(some));
            let phase = self.op(Op::Rem, &[linear, period]);
            let op = self.rng.one([Op::Lt, Op::Ge]);
            return self.comparison(op, [phase, some], false);
        }
        if !uniform
            && self.rng.percent(25)
            && let Some(at) = self.even()
        {
            // True for the threads on one side of some thread, or for that thread.
            let limit = if self.rng.percent(60) {
                let n = self.rng.range(-2, i64::from(self.launch.shape.threads) + 2) as i32;
                self.i32(n)
            } else {
                self.value(Data::I32, true)
            };
            let op = self.rng.one([Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne]);
            return self.comparison(op, [at, limit], false);
        }
        if self.rng.percent(30) {
            return self.value(Data::BOOL, uniform);
        }
        let scalar =
            self.rng.one([Scalar::I32, Scalar::I32, Scalar::U32, Scalar::U32, Scalar::F32, Scalar::I64, Scalar::F64]);
        let data = Data::scalar(scalar);
        let (a, b) = (self.value(data, uniform), self.value(data, uniform));
        if scalar.is_integer() && self.rng.percent(50) {
            let one = self.b.constant(tilewise_ir::kernel::Const { scalar, bits: 1 });
            let odd = self.op(Op::And, &[a, one]);
            return self.comparison(Op::Eq, [odd, one], uniform);
        }
        let op = self.rng.one([Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge]);
        self.comparison(op, [a, b], uniform)
    }
}
