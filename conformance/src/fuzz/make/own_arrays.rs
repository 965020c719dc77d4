//! Loops over an array of the thread's own: neighbours change places or are put in order, and elements
//! at places computed from the counter are combined. An array is longer, and its loops have more
//! iterations, than compilers of drivers unroll, or fewer.

use tilewise_ir::kernel::{Init, InstKind, LocalId, Place, Root, Step, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Data, Scalar, Stored, TypeId};

use super::{KernelMaker, MemoryRole, PlaceBase, UsableMemory};

/// How often loops over an array may run, in all threads together.
const MOST_RUNS: u32 = 256;

/// The counter of a loop.
#[derive(Clone, Copy, Debug)]
struct CountedRange {
    begin: ValueId,
    end: ValueId,
    step: i32,
}

/// The array, as the bodies of its loops use it.
#[derive(Clone, Copy, Debug)]
struct OwnArray {
    local: LocalId,
    data: Data,
    length: i32,
}

impl OwnArray {
    fn element(self, index: ValueId) -> Place {
        Place { root: Root::Local(self.local), path: vec![Step::Index(index)] }
    }
}

fn whole(local: LocalId) -> Place {
    Place { root: Root::Local(local), path: Vec::new() }
}

impl KernelMaker {
    /// An array, loops that change it, and one that gathers its elements; false if loops run too
    /// often here.
    pub(super) fn own_array_statement(&mut self) -> bool {
        if self.flow.in_function || self.flow.rounds.saturating_mul(self.launch.shape.threads) > MOST_RUNS {
            return false;
        }
        let length = self.rng.range(3, 72) as i32;
        let stored = self.rng.one([Stored::U32, Stored::U32, Stored::I32, Stored::U64, Stored::U16]);
        let element = self.b.types().scalar(stored);
        let ty = self.b.types().natural_array(element, Some(length as u32));
        let local = self.declared(ty);
        let array = OwnArray { local, data: Data::scalar(stored.value()), length };
        self.fill(array);
        for _ in 0..self.rng.range(1, 2) {
            if self.rng.percent(50) {
                self.pass(array, None);
                continue;
            }
            let [begin, end] = [0, self.rng.range(2, 5) as i32].map(|number| self.i32(number));
            self.counted(CountedRange { begin, end, step: 1 }, &mut |maker, counter| {
                let round = maker.value_of(InstKind::Load(whole(counter)));
                maker.pass(array, Some(round));
                false
            });
        }
        self.sum_up(array);
        let role = MemoryRole::Free { write: true };
        let base = PlaceBase::Local(local);
        self.hold(UsableMemory { base, ty, role, stable: false, align: 1, begin: 1, bits: false });
        true
    }

    /// A local that is zero.
    fn declared(&mut self, ty: TypeId) -> LocalId {
        let name = self.name();
        let local = self.b.local(&name, ty);
        self.emit(InstKind::Declare { local, init: Init::Zero });
        local
    }

    /// A loop with a counter. The body returns whether it has stepped the counter.
    fn counted(&mut self, range: CountedRange, body: &mut dyn FnMut(&mut KernelMaker, LocalId) -> bool) {
        let i32_type = self.b.types().scalar(Stored::I32);
        let name = self.name();
        let counter = self.b.local(&name, i32_type);
        self.emit(InstKind::Declare { local: counter, init: Init::Value(range.begin) });
        let label = self.b.label(None);
        let condition = self.block(false, &mut |maker| {
            let count = maker.value_of(InstKind::Load(whole(counter)));
            Some(maker.op(if range.step > 0 { Op::Lt } else { Op::Gt }, &[count, range.end]))
        });
        let mut stepped = false;
        let body = self.block(false, &mut |maker| {
            stepped = body(maker, counter);
            None
        });
        let continuing = self.block(false, &mut |maker| {
            if !stepped {
                let count = maker.value_of(InstKind::Load(whole(counter)));
                maker.step(counter, count, range.step);
            }
            None
        });
        self.emit(InstKind::Loop { label, condition: Some(Box::new(condition)), body, continuing });
    }

    fn step(&mut self, counter: LocalId, count: ValueId, step: i32) {
        let next = self.beside(count, step);
        self.emit(InstKind::Store { place: whole(counter), value: next });
    }

    /// An index some elements away.
    fn beside(&mut self, count: ValueId, distance: i32) -> ValueId {
        if distance == 0 {
            return count;
        }
        let distance = self.i32(distance);
        self.op(Op::Add, &[count, distance])
    }

    fn fill(&mut self, array: OwnArray) {
        let other = self.value(array.data, false);
        let factor = self.rng.one([3, 5, 7, 11]);
        let [begin, end, factor, length] = [0, array.length, factor, array.length].map(|number| self.i32(number));
        self.counted(CountedRange { begin, end, step: 1 }, &mut |maker, counter| {
            let count = maker.value_of(InstKind::Load(whole(counter)));
            let product = maker.op(Op::Mul, &[count, factor]);
            let value = maker.op(Op::Rem, &[product, length]);
            let value = match array.data.scalar {
                Scalar::I32 => value,
                Scalar::U64 => maker.op(Op::ToU64, &[value]),
                _ => maker.op(Op::ToU32, &[value]),
            };
            let value = maker.op(Op::Xor, &[value, other]);
            maker.emit(InstKind::Store { place: array.element(count), value });
            false
        });
    }

    /// A loop that changes the array, in a round of an outer loop or in none.
    fn pass(&mut self, array: OwnArray, round: Option<ValueId>) {
        let step = self.rng.one([1, 1, 1, 2, -1]);
        let first = self.rng.one([0, 0, 0, 1]);
        let short = self.rng.range(0, 2) as i32;
        let last = self.i32(array.length - short);
        let end = match round {
            Some(round) if self.rng.percent(40) => self.op(Op::Sub, &[last, round]),
            Some(_) | None if self.rng.percent(15) => {
                let (any, most) = (self.value(Data::I32, false), self.i32(63));
                self.op(Op::And, &[any, most])
            }
            Some(_) | None => last,
        };
        let bottom = self.i32(first);
        let range = match step {
            -1 => CountedRange { begin: self.beside(end, -1), end: bottom, step },
            _ => CountedRange { begin: bottom, end, step },
        };
        let outer = self.flow.clone();
        self.flow.rounds = self.flow.rounds.saturating_mul(array.length as u32);
        let form = self.rng.below(3);
        self.counted(range, &mut |maker, counter| {
            let count = maker.value_of(InstKind::Load(whole(counter)));
            match form {
                0 => maker.exchange_neighbours(array, count, step),
                1 => maker.order_neighbours(array, count),
                _ => return maker.some_accesses(array, counter, count, step),
            }
            false
        });
        self.flow = outer;
    }

    fn exchange_neighbours(&mut self, array: OwnArray, count: ValueId, step: i32) {
        let distance = self.rng.one([step, step, step, 1, 2, -1]);
        let held = self.value_of(InstKind::Load(array.element(count)));
        let near = self.beside(count, distance);
        let other = self.value_of(InstKind::Load(array.element(near)));
        self.emit(InstKind::Store { place: array.element(count), value: other });
        // The same index, computed once or again.
        let again = if self.rng.percent(50) { self.beside(count, distance) } else { near };
        self.emit(InstKind::Store { place: array.element(again), value: held });
    }

    fn order_neighbours(&mut self, array: OwnArray, count: ValueId) {
        let near = self.beside(count, 1);
        let low = self.value_of(InstKind::Load(array.element(count)));
        let high = self.value_of(InstKind::Load(array.element(near)));
        if self.rng.percent(50) {
            let least = self.op(Op::Min, &[low, high]);
            let most = self.op(Op::Max, &[low, high]);
            self.emit(InstKind::Store { place: array.element(count), value: least });
            self.emit(InstKind::Store { place: array.element(near), value: most });
            return;
        }
        let condition = self.op(Op::Lt, &[high, low]);
        let then = self.block(false, &mut |maker| {
            maker.emit(InstKind::Store { place: array.element(count), value: high });
            maker.emit(InstKind::Store { place: array.element(near), value: low });
            None
        });
        let otherwise = self.block(false, &mut |_| None);
        self.emit(InstKind::If { condition, then, otherwise });
    }

    /// Loads and stores around the counter, which may be stepped between them: then true.
    fn some_accesses(&mut self, array: OwnArray, counter: LocalId, count: ValueId, step: i32) -> bool {
        let mut loaded = vec![self.value_of(InstKind::Load(array.element(count)))];
        let accesses = self.rng.range(2, 5) as usize;
        let steps_at = self.rng.below(2 * accesses);
        for access in 0..accesses {
            if access == steps_at {
                self.step(counter, count, step);
            }
            let distance = self.rng.one([0, 0, step, step, 1, -1, 3]);
            let mut index = self.beside(count, distance);
            if self.rng.percent(20) {
                let [factor, length] = [3, array.length].map(|number| self.i32(number));
                let product = self.op(Op::Mul, &[index, factor]);
                index = self.op(Op::Rem, &[product, length]);
            }
            if self.rng.percent(40) {
                loaded.push(self.value_of(InstKind::Load(array.element(index))));
                continue;
            }
            let (one, other) = (self.rng.one([0, loaded.len() - 1]), self.rng.below(loaded.len()));
            let op = self.rng.one([Op::Add, Op::Sub, Op::Xor, Op::Max]);
            let value = if self.rng.percent(40) { loaded[one] } else { self.op(op, &[loaded[one], loaded[other]]) };
            self.emit(InstKind::Store { place: array.element(index), value });
        }
        steps_at < accesses
    }

    /// Mixes all elements into one value.
    fn sum_up(&mut self, array: OwnArray) {
        let ty = self.b.types().scalar(array.data.scalar.stored());
        let sum = self.declared(ty);
        let [begin, end] = [0, array.length].map(|number| self.i32(number));
        self.counted(CountedRange { begin, end, step: 1 }, &mut |maker, counter| {
            let count = maker.value_of(InstKind::Load(whole(counter)));
            let element = maker.value_of(InstKind::Load(array.element(count)));
            let old = maker.value_of(InstKind::Load(whole(sum)));
            let doubled = maker.op(Op::Add, &[old, old]);
            let more = maker.op(Op::Add, &[doubled, old]);
            let value = maker.op(Op::Xor, &[more, element]);
            maker.emit(InstKind::Store { place: whole(sum), value });
            false
        });
        let result = self.value_of(InstKind::Load(whole(sum)));
        self.know(result, false);
        self.mix(result);
    }
}
