//! Statements: the choice of the next one, and those that are neither control nor memory.

use tilewise_ir::format::ValueFormat;
use tilewise_ir::kernel::{Fence, Init, InstKind, Message, Place, Root, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Data, Scalar, Type, TypeId};

use super::{KernelMaker, MemoryRole, PlaceBase, UsableMemory};

impl KernelMaker {
    /// Emits statements until the budget is spent.
    pub(super) fn statements(&mut self) {
        while self.budget.left > 0 {
            self.statement();
        }
    }

    /// Emits some statements, as the body of a construct.
    pub(super) fn some_statements(&mut self, most: i64) {
        let until = self.budget.left - self.rng.range(1, most.max(1));
        if self.flow.level && self.rng.percent(40) {
            self.exchange_statement();
        }
        while self.budget.left > until.max(0) {
            self.statement();
        }
        if self.rng.percent(50) {
            self.gather();
        }
    }

    fn statement(&mut self) {
        let before = self.budget.left;
        let deep = self.flow.depth >= 6;
        let room = if deep || self.budget.left < 6 { 0 } else { 1 };
        let here = usize::from(self.flow.level);
        let weights = [
            30,                                                            // 0: operation
            10,                                                            // 1: load
            10,                                                            // 2: store
            6,                                                             // 3: local variable
            9,                                                             // 4: atomic
            6,                                                             // 5: vector
            3,                                                             // 6: builtin
            1,                                                             // 7: extent
            4,                                                             // 8: view
            4,                                                             // 9: copy
            5 * room,                                                      // 10: if
            4 * room,                                                      // 11: if with a value
            5 * room,                                                      // 12: loop
            3 * room,                                                      // 13: switch
            3 * room,                                                      // 14: scope
            3 * room,                                                      // 15: scope with a value
            3,                                                             // 16: leave
            9 * here,                                                      // 17: barrier
            2 * usize::from(self.launch.shape.tile.is_some()),             // 18: fence
            5 * self.pool.functions.len().min(1) + 9 * self.pool.uncalled, // 19: call
            usize::from(self.features.may_print),                          // 20: print
            3 * usize::from(self.features.may_fail),                       // 21: error or abort
            10 * here,                                                     // 22: exchange
            1,                                                             // 23: length of a buffer's tail
        ];
        match self.rng.weighted(&weights) {
            0 => self.op_statement(),
            1 => self.load_statement(),
            2 => self.store_statement(),
            3 => {
                self.local_statement();
            }
            4 => {
                // Much of the memory in scope has no place for an atomic.
                for _ in 0..4 {
                    if self.atomic_statement() {
                        break;
                    }
                }
            }
            5 => self.vector_statement(),
            6 => self.builtin_statement(),
            7 => self.extent_statement(),
            8 => self.view_statement(),
            9 => self.copy_statement(),
            10 => self.if_statement(false),
            11 => self.if_statement(true),
            12 => self.loop_statement(),
            13 => self.switch_statement(),
            14 => self.scope_statement(false),
            15 => self.scope_statement(true),
            16 => self.leave_statement(),
            17 => self.barrier_statement(),
            18 => {
                let fence = self.rng.one(Fence::ALL);
                self.emit(InstKind::Fence(fence));
            }
            19 => self.call_statement(),
            20 => self.print_statement(),
            21 => self.fail_statement(),
            22 => self.exchange_statement(),
            _ => self.length_statement(),
        }
        if self.budget.left == before {
            // No statement was possible here; this counts too, or a kernel without memory would
            // never end.
            self.budget.left -= 1;
        }
    }

    /// A local variable of any type, with any initialiser.
    pub(super) fn local_statement(&mut self) {
        let ty = if self.rng.percent(35) && !self.types.is_empty() {
            self.types[self.rng.below(self.types.len())]
        } else {
            self.memory_type(2, true)
        };
        self.local_of(ty);
    }

    /// A local variable of a type.
    pub(super) fn local_of(&mut self, ty: TypeId) -> UsableMemory {
        let name = self.name();
        let local = self.b.local(&name, ty);
        let data = self.b.types().value(ty);
        let init = match (data, self.rng.below(3)) {
            (Some(data), 0) => Init::Value(self.value(data, false)),
            (_, 1) => Init::Unset,
            _ => Init::Zero,
        };
        self.emit(InstKind::Declare { local, init });
        let place = Place { root: Root::Local(local), path: Vec::new() };
        if let (Some(data), Init::Unset) = (data, init) {
            // Written before it is read, on every path.
            if self.rng.percent(30) && self.budget.left > 4 {
                let condition = self.condition(false);
                let mut arms = [Vec::new(), Vec::new()].map(|_: Vec<()>| {
                    self.b.begin_block();
                    self.enter();
                    let value = self.value(data, false);
                    self.emit(InstKind::Store { place: place.clone(), value });
                    self.leave();
                    self.b.end_block(None)
                });
                let [then, otherwise] = std::mem::take(&mut arms);
                self.emit(InstKind::If { condition, then, otherwise });
            } else {
                let value = self.value(data, false);
                self.emit(InstKind::Store { place, value });
            }
        }
        let held = UsableMemory {
            base: PlaceBase::Local(local),
            ty,
            role: MemoryRole::Free { write: true },
            stable: false,
            align: 1,
            begin: 1,
            bits: false,
        };
        // Store a part of it at once, so that an aggregate is not all zero.
        if data.is_none() && self.budget.left > 0 && self.rng.percent(50) {
            let found = self.top(&held, true, false);
            let leaf = self.descend(found, false);
            let value = self.value(leaf.data, false);
            self.emit(InstKind::Store { place: leaf.place, value });
        }
        self.hold(held.clone());
        held
    }

    /// The length of a buffer's tail.
    fn length_statement(&mut self) {
        let tail = self.any_held(&|maker, held| {
            matches!(held.base, PlaceBase::Param(_)) && maker.b.so_far().types().is_runtime_sized(held.ty)
        });
        let Some(UsableMemory { base: PlaceBase::Param(id), mut ty, .. }) = tail else { return };
        let mut place = Place { root: Root::Param(id), path: Vec::new() };
        while let Type::Struct(s) = self.b.types().get(ty) {
            let Some(last) = s.fields.last() else { return };
            place.path.push(tilewise_ir::kernel::Step::Field(s.fields.len() as u32 - 1));
            ty = last.ty;
        }
        let value = self.value_of(InstKind::Length(place));
        self.know(value, false);
    }

    fn message(&mut self) -> Message {
        let count = self.rng.below(3);
        let values: Vec<ValueId> = (0..count)
            .map(|_| {
                let scalar = Scalar::ALL[self.rng.below(Scalar::ALL.len())];
                let width = self.rng.one([1, 1, 1, 2, 4]);
                let value = self.value(Data { scalar, width }, false);
                self.clean(value)
            })
            .collect();
        let pieces = (0..=count).map(|i| ["x = ", "; \"{}\"\n", " end"][i].into()).collect();
        const FORMATS: [&str; 8] = [">9.3", "#x", "?", "+e", "010", "*^12", "#b", "<+7.1?"];
        let formats = match self.rng.below(2) {
            0 => Vec::new(),
            _ => values.iter().filter_map(|_| ValueFormat::parse(self.rng.one(FORMATS))).collect(),
        };
        Message { pieces, values, formats }
    }

    fn print_statement(&mut self) {
        let message = self.message();
        self.emit(InstKind::Print(message));
    }

    /// Ends some threads.
    fn fail_statement(&mut self) {
        let condition = self.condition(false);
        self.b.begin_block();
        self.enter();
        if self.rng.percent(50) {
            self.emit(InstKind::Abort);
        } else {
            let message = self.message();
            self.emit(InstKind::Error(message));
        }
        self.leave();
        let then = self.b.end_block(None);
        self.b.begin_block();
        let otherwise = self.b.end_block(None);
        self.emit(InstKind::If { condition, then, otherwise });
    }

    /// Mixes a recent value of this block into the local that gathers results, so that results
    /// expose it.
    pub(super) fn gather(&mut self) {
        let Some(scope) = self.scopes.last() else { return };
        let late: Vec<ValueId> = scope.values.iter().rev().take(6).map(|known| known.id).collect();
        if let Some(&value) = self.rng.pick(&late) {
            self.mix(value);
        }
    }

    /// Mixes a value into the local that gathers results.
    pub(super) fn mix(&mut self, value: ValueId) {
        let Some(sum) = self.thread.sum else { return };
        let place = Place { root: Root::Local(sum), path: Vec::new() };
        let hash = self.hash(value);
        let old = self.value_of(InstKind::Load(place.clone()));
        let prime = self.u32(0x0100_0193);
        let mixed = self.op(Op::Mul, &[old, prime]);
        let mixed = self.op(Op::Xor, &[mixed, hash]);
        self.emit(InstKind::Store { place, value: mixed });
    }

    /// A `u32` that depends on every significant bit of the value.
    fn hash(&mut self, value: ValueId) -> ValueId {
        let Some(data) = self.b.value_type(value).data() else { return self.u32(0) };
        let value = self.clean(value);
        let scalar = |maker: &mut KernelMaker, value: ValueId| match data.scalar {
            Scalar::F32 | Scalar::I32 => maker.op(Op::BitcastU32, &[value]),
            Scalar::F64 => {
                let bits = maker.op(Op::BitcastU64, &[value]);
                let halves = maker.op(Op::UnpackU64, &[bits]);
                let low = maker.value_of(InstKind::Swizzle { value: halves, components: vec![0] });
                let high = maker.value_of(InstKind::Swizzle { value: halves, components: vec![1] });
                maker.op(Op::Add, &[low, high])
            }
            Scalar::U32 => value,
            Scalar::I64 | Scalar::U64 | Scalar::Bool => maker.op(Op::ToU32, &[value]),
        };
        if data.width == 1 {
            return scalar(self, value);
        }
        let parts = (0..data.width).map(|i| self.value_of(InstKind::Swizzle { value, components: vec![i] }));
        let parts: Vec<ValueId> = parts.collect();
        let mut sum = None;
        for part in parts {
            let part = scalar(self, part);
            sum = Some(match sum {
                None => part,
                Some(sum) => {
                    let five = self.u32(5);
                    let moved = self.op(Op::Rotl, &[sum, five]);
                    self.op(Op::Add, &[moved, part])
                }
            });
        }
        sum.unwrap_or_else(|| self.u32(0))
    }
}
