//! Places: chooses memory that may be accessed here, an index, and a path to a scalar.

use tilewise_ir::kernel::{InstKind, Place, Root, Step, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Access, Data, Scalar, Stored, Type, TypeId, ViewType};

use super::{KernelMaker, MemoryRole, PhaseState, PlaceBase, UsableMemory};
use crate::fuzz::SeedRng;

/// A place before its use.
pub(super) struct UsablePlace {
    pub(super) place: Place,
    pub(super) ty: TypeId,
    pub(super) align: u32,
    pub(super) begin: u32,
    /// All threads of the tile read the same value there.
    pub(super) uniform: bool,
}

/// A scalar or vector place.
pub(super) struct LeafPlace {
    pub(super) place: Place,
    pub(super) data: Data,
    pub(super) align: u32,
    pub(super) begin: u32,
    pub(super) uniform: bool,
}

impl KernelMaker {
    /// Some memory in scope that `fits`.
    pub(super) fn any_held(&mut self, fits: &dyn Fn(&KernelMaker, &UsableMemory) -> bool) -> Option<UsableMemory> {
        let all: Vec<&UsableMemory> =
            self.scopes.iter().flat_map(|scope| &scope.held).filter(|held| fits(self, held)).collect();
        let n = all.len();
        if n == 0 {
            return None;
        }
        let i = self.rng.below(n);
        let all: Vec<&UsableMemory> =
            self.scopes.iter().flat_map(|scope| &scope.held).filter(|held| fits(self, held)).collect();
        all.get(i).map(|held| (*held).clone())
    }

    /// May the memory be read, or written, here by plain accesses?
    pub(super) fn allows(&self, held: &UsableMemory, write: bool) -> bool {
        match &held.role {
            MemoryRole::Free { write: may } => *may || !write,
            MemoryRole::Own(_) => {
                let read_only = matches!(held.base, PlaceBase::View(_, ViewType { access: Access::Read, .. }));
                !(write && read_only)
            }
            MemoryRole::Sum(_) => false,
            MemoryRole::Phase(i) => match &self.phases[*i].state {
                PhaseState::Read => !write,
                PhaseState::Own(_) => true,
                PhaseState::Sum(_) => false,
            },
        }
    }

    /// A place at the top of some memory: a whole element of a view, a whole variable, or an
    /// element of an array that the tile shares.
    pub(super) fn top(&mut self, held: &UsableMemory, write: bool, uniform: bool) -> UsablePlace {
        let (index, path, type_of) = match (&held.role, held.base) {
            (MemoryRole::Own(owned), PlaceBase::View(_, ty)) => (self.owned_index(owned, ty.rank), Vec::new(), held.ty),
            (MemoryRole::Own(owned), _) => {
                // A buffer that is, or ends in, an array with an element for each thread.
                let index = self.owned_index(owned, 1);
                let mut path = Vec::new();
                let mut ty = held.ty;
                if let Type::Struct(s) = self.b.types().get(ty) {
                    path.push(Step::Field(s.fields.len().saturating_sub(1) as u32));
                    ty = s.fields.last().map_or(ty, |last| last.ty);
                }
                if let Type::Array { element, .. } = self.b.types().get(ty) {
                    ty = *element;
                }
                path.extend(index.into_iter().map(Step::Index));
                (Vec::new(), path, ty)
            }
            (MemoryRole::Phase(i), base) => {
                let phase = self.phases[*i].clone();
                let path = match &phase.state {
                    PhaseState::Own(owned) => {
                        let n = self.rng.below(owned.len());
                        let mut path = owned[n].clone();
                        // Out of range: the store is dropped.
                        if path.len() == 1 && self.rng.percent(6) {
                            let beyond = self.u32(phase.length);
                            path[0] = self.op(Op::Or, &[path[0], beyond]);
                            let beyond = self.u32(0x4000_0000);
                            path[0] = self.op(Op::Add, &[path[0], beyond]);
                        }
                        path
                    }
                    PhaseState::Read | PhaseState::Sum(_) => {
                        phase.shape.iter().map(|&length| self.index(length, uniform)).collect()
                    }
                };
                match base {
                    PlaceBase::View(..) => (path, Vec::new(), held.ty),
                    _ => {
                        let mut ty = held.ty;
                        for _ in &path {
                            if let Type::Array { element, .. } = self.b.types().get(ty) {
                                ty = *element;
                            }
                        }
                        (Vec::new(), path.into_iter().map(Step::Index).collect(), ty)
                    }
                }
            }
            (_, PlaceBase::View(_, ty)) => {
                let index = (0..ty.rank).map(|_| self.index(8, uniform)).collect();
                (index, Vec::new(), held.ty)
            }
            _ => (Vec::new(), Vec::new(), held.ty),
        };
        let reads_shared = matches!(&held.role, MemoryRole::Phase(i) if self.phases[*i].state == PhaseState::Read);
        let uniform = uniform && !write && (held.stable || reads_shared);
        let root = self.root(held.base, index);
        UsablePlace { place: Place { root, path }, ty: type_of, align: held.align, begin: held.begin, uniform }
    }

    /// One of the thread's own indices, or one out of range.
    fn owned_index(&mut self, owned: &[Vec<ValueId>], rank: u32) -> Vec<ValueId> {
        let n = self.rng.below(owned.len());
        let mut index = owned[n].clone();
        if self.rng.percent(5) {
            let d = self.rng.below(rank as usize);
            // Computed by an instruction: the builder rejects a negative constant.
            let far = self.rng.one([1, i32::MIN, i32::MIN + 1, -(1 << 24)]);
            let far = self.i32(far);
            index[d] = self.op(Op::Neg, &[far]);
        }
        index
    }

    /// Extends a place to a scalar or vector; `None` if an array on the path has no elements.
    pub(super) fn descend(&mut self, found: UsablePlace, uniform: bool) -> LeafPlace {
        let UsablePlace { mut place, mut ty, mut align, begin, uniform: same } = found;
        loop {
            match self.b.types().get(ty).clone() {
                Type::Scalar(stored) => {
                    let (data, uniform) = (Data::scalar(stored.value()), same && uniform);
                    return LeafPlace { place, data, align, begin, uniform };
                }
                Type::Vector(stored, width) => {
                    align = align.min(stored.size());
                    let component = match self.rng.below(4) {
                        0 => Some(Step::Component(self.rng.below(usize::from(width)) as u8)),
                        1 => Some(Step::Index(self.index(u32::from(width), uniform))),
                        _ => None,
                    };
                    let data = Data { scalar: stored.value(), width: if component.is_some() { 1 } else { width } };
                    place.path.extend(component);
                    return LeafPlace { place, data, align, begin, uniform: same && uniform };
                }
                Type::Array { element, length, stride } => {
                    let index = self.index(length.unwrap_or(6), uniform);
                    place.path.push(Step::Index(index));
                    align = align.min(lowest_bit(stride));
                    ty = element;
                }
                Type::Struct(s) => {
                    let i = self.rng.below(s.fields.len());
                    let Some(field) = s.fields.get(i) else {
                        return LeafPlace { place, data: Data::BOOL, align: 1, begin: 1, uniform: false };
                    };
                    place.path.push(Step::Field(i as u32));
                    align = align.min(lowest_bit(field.offset));
                    ty = field.ty;
                }
            }
        }
    }

    /// A scalar or vector place that may be read, or written, here.
    pub(super) fn leaf(&mut self, write: bool, uniform: bool) -> Option<LeafPlace> {
        // Tables, uniforms and buffers are rare among views and locals.
        let rare = !write && self.rng.percent(20);
        let held = self.any_held(&|maker, held| {
            let fits = !rare || matches!(held.base, PlaceBase::Param(_) | PlaceBase::Table(_));
            fits && maker.allows(held, write) && (!uniform || held.stable || matches!(held.role, MemoryRole::Phase(_)))
        })?;
        let found = self.top(&held, write, uniform);
        Some(self.descend(found, uniform))
    }

    /// Emits a load.
    pub(super) fn load_statement(&mut self) {
        let uniform = self.flow.level && self.rng.percent(35);
        let Some(leaf) = self.leaf(false, uniform) else { return };
        let value = self.value_of(InstKind::Load(leaf.place));
        self.know(value, leaf.uniform);
    }

    /// Emits a store.
    pub(super) fn store_statement(&mut self) {
        let Some(leaf) = self.leaf(true, false) else { return };
        let value = self.value(leaf.data, false);
        self.emit(InstKind::Store { place: leaf.place, value });
    }

    /// Copies an aggregate, or loads and stores one scalar if there is none.
    pub(super) fn copy_statement(&mut self) {
        let is_aggregate = |maker: &KernelMaker, ty: TypeId| {
            matches!(maker.b.so_far().types().get(ty), Type::Array { length: Some(_), .. } | Type::Struct(_))
        };
        let Some(to) = self.any_held(&|maker, held| {
            let whole = maker.element_of(held);
            maker.allows(held, true) && is_aggregate(maker, whole) && !maker.b.so_far().types().is_runtime_sized(whole)
        }) else {
            return;
        };
        let wanted = self.element_of(&to);
        let from = self.any_held(&|maker, held| maker.allows(held, false) && maker.element_of(held) == wanted);
        let Some(from) = from else { return };
        let to = self.top(&to, true, false);
        let from = self.top(&from, false, false);
        if to.ty == from.ty {
            self.emit(InstKind::Copy { to: to.place, from: from.place });
        }
    }

    /// The type at the top of some memory.
    pub(super) fn element_of(&self, held: &UsableMemory) -> TypeId {
        let mut ty = held.ty;
        if let (MemoryRole::Own(_), PlaceBase::Param(_)) = (&held.role, held.base) {
            if let Type::Struct(s) = self.b.so_far().types().get(ty) {
                ty = s.fields.last().map_or(ty, |last| last.ty);
            }
            if let Type::Array { element, .. } = self.b.so_far().types().get(ty) {
                ty = *element;
            }
        }
        if let (MemoryRole::Phase(i), PlaceBase::Tile(_)) = (&held.role, held.base) {
            for _ in &self.phases[*i].shape {
                if let Type::Array { element, .. } = self.b.so_far().types().get(ty) {
                    ty = *element;
                }
            }
        }
        ty
    }

    /// Makes a view from another: a section, a projection, a reinterpretation, another shape.
    pub(super) fn view_statement(&mut self) {
        let Some(held) = self.any_held(&|maker, held| {
            matches!(held.base, PlaceBase::View(..))
                && matches!(held.role, MemoryRole::Free { .. } | MemoryRole::Own(_))
                && maker.budget.left > 0
        }) else {
            return;
        };
        let PlaceBase::View(view, ty) = held.base else { return };
        let made = match &held.role {
            MemoryRole::Own(owned) => {
                let owned = owned.clone();
                self.own_view(view, ty, &owned)
            }
            _ => self.free_view(view, ty, held.bits),
        };
        let Some((made, align)) = made else { return };
        let tilewise_ir::types::ValueType::View(new) = self.b.value_type(made) else { return };
        let mut write = self.allows(&held, true);
        // Under a type of floats the bits are only read: the bits that a store of NaN leaves are
        // unspecified.
        write &= new.element == ty.element || self.is_integral(new.element);
        let bits = held.bits && self.is_integral(new.element);
        self.hold(UsableMemory {
            base: PlaceBase::View(made, new),
            ty: new.element,
            role: MemoryRole::Free { write },
            // Its origin may differ from thread to thread.
            stable: false,
            align: held.align.min(align),
            begin: held.begin,
            bits,
        });
    }

    /// A view of elements that are all the thread's own.
    pub(super) fn own_view(&mut self, view: ValueId, ty: ViewType, owned: &[Vec<ValueId>]) -> Option<(ValueId, u32)> {
        let n = self.rng.below(owned.len());
        let one = self.i32(1);
        let origin: Vec<ValueId> = owned[n].iter().map(|&index| self.signed(index)).collect();
        let extent = vec![one; ty.rank as usize];
        let made = self.value_of(InstKind::Section { view, origin, extent });
        Some((made, 64))
    }

    /// An index as `i32`.
    pub(super) fn signed(&mut self, index: ValueId) -> ValueId {
        if self.b.value_type(index).data() == Some(Data::I32) { index } else { self.op(Op::ToI32, &[index]) }
    }

    fn extent_value(&mut self) -> ValueId {
        if self.rng.percent(70) {
            let n = self.rng.range(0, 6) as i32;
            return self.i32(n);
        }
        let value = self.value(Data::I32, false);
        let seven = self.i32(7);
        self.op(Op::And, &[value, seven])
    }

    fn free_view(&mut self, view: ValueId, ty: ViewType, bits: bool) -> Option<(ValueId, u32)> {
        match self.rng.below(4) {
            0 if ty.rank > 1 => {
                let index = self.index(4, false);
                let index = self.signed(index);
                Some((self.value_of(InstKind::Project { view, index }), 64))
            }
            1 if ty.rank == 1 && bits => {
                let read_only = ty.access == Access::Read;
                let element = self.integral_type(read_only);
                let align = lowest_bit(self.b.types().natural_stride(element));
                Some((self.value_of(InstKind::Reinterpret { view, element }), align))
            }
            2 if ty.rank == 1 => {
                let rank = self.rng.range(1, 3);
                let extent = (0..rank).map(|_| self.extent_value()).collect();
                Some((self.value_of(InstKind::ViewAs { view, extent }), 64))
            }
            _ => {
                let origin = (0..ty.rank)
                    .map(|_| {
                        let index = if self.rng.percent(40) { self.extent_value() } else { self.index(3, false) };
                        self.signed(index)
                    })
                    .collect();
                let extent = (0..ty.rank).map(|_| self.extent_value()).collect();
                Some((self.value_of(InstKind::Section { view, origin, extent }), 64))
            }
        }
    }

    /// A type of integers only; or of floats, to read bits as floats.
    fn integral_type(&mut self, floats: bool) -> TypeId {
        if floats && self.rng.percent(30) {
            let stored = self.rng.one([Stored::F16, Stored::F32, Stored::F64]);
            return self.b.types().scalar(stored);
        }
        let known: Vec<TypeId> = self.types.clone();
        let fit: Vec<TypeId> = known.into_iter().filter(|&ty| self.is_integral(ty)).collect();
        if let Some(&ty) = self.rng.pick(&fit)
            && self.rng.percent(40)
        {
            return ty;
        }
        let stored = self.rng.one([
            Stored::I8,
            Stored::U8,
            Stored::I16,
            Stored::U16,
            Stored::I32,
            Stored::U32,
            Stored::I64,
            Stored::U64,
        ]);
        let width = self.rng.one([1, 1, 2, 3, 4]);
        self.b.types().vector(stored, width)
    }

    /// Emits an atomic on a shared sum, or on the thread's own memory; false if the place drawn
    /// allows none.
    pub(super) fn atomic_statement(&mut self) -> bool {
        if self.percent_aside(20) && self.word_of_bytes_statement() {
            return true;
        }
        // Memory that a tile shares often allows no atomics, so it is tried more often.
        let shared = self.features.barriers && self.rng.percent(45);
        let held = self.any_held(&|maker, held| match &held.role {
            MemoryRole::Sum(_) | MemoryRole::Own(_) | MemoryRole::Free { .. } if shared => false,
            MemoryRole::Sum(_) => true,
            MemoryRole::Own(_) => maker.allows(held, true),
            MemoryRole::Phase(i) => maker.phases[*i].state != PhaseState::Read,
            MemoryRole::Free { write } => *write && matches!(held.base, PlaceBase::View(..)),
        });
        held.is_some_and(|held| self.atomic_on(&held))
    }

    /// True with this probability in percent, by a draw that does not advance the generator: a
    /// kernel for which all such draws are false is the same as without them.
    pub(super) fn percent_aside(&self, percent: usize) -> bool {
        SeedRng::new(self.rng.clone().bits()).percent(percent)
    }

    /// Is it a view of bytes, planned so that words in them are aligned or not?
    pub(super) fn is_packed(&self, held: &UsableMemory) -> bool {
        let types = self.b.so_far().types();
        let is_bytes = match types.get(held.ty) {
            Type::Array { element, length: Some(_), .. } => types.stored(*element) == Some(Stored::U8),
            Type::Array { .. } | Type::Scalar(_) | Type::Vector(..) | Type::Struct(_) => false,
        };
        let is_own_view =
            matches!((&held.role, held.base), (MemoryRole::Own(_), PlaceBase::View(_, ty)) if ty.rank == 1);
        is_bytes && is_own_view && held.begin >= 4 && self.allows(held, true)
    }

    /// Emits an atomic on bytes of the thread's own, at one of the first few: mostly unaligned.
    /// False if there is no such memory.
    pub(super) fn word_of_bytes_statement(&mut self) -> bool {
        let packed = self.any_held(&|maker, held| maker.is_packed(held));
        let held = packed.or_else(|| {
            self.any_held(&|maker, held| {
                let rank = if let PlaceBase::View(_, ty) = held.base { ty.rank } else { 0 };
                let is_own = matches!(held.role, MemoryRole::Free { write: true } | MemoryRole::Own(_));
                is_own && rank == 1 && held.bits && held.begin >= 4 && maker.allows(held, true)
            })
        });
        let Some(UsableMemory { base: PlaceBase::View(view, ty), role, begin, .. }) = held else { return false };
        let own = match &role {
            MemoryRole::Own(owned) => self.own_view(view, ty, owned).map_or(view, |(part, _)| part),
            _ => view,
        };
        let stored = match begin {
            8.. => self.rng.one([Stored::I32, Stored::U32, Stored::I64, Stored::U64]),
            _ => self.rng.one([Stored::I32, Stored::U32]),
        };
        let [byte, word] = [Stored::U8, stored].map(|stored| self.b.types().scalar(stored));
        let bytes = self.value_of(InstKind::Reinterpret { view: own, element: byte });
        let origin = if self.rng.percent(50) {
            let at = self.rng.range(0, 9) as i32;
            self.i32(at)
        } else {
            let index = self.index(9, false);
            self.signed(index)
        };
        let extent = self.i32(stored.size() as i32);
        let part = self.value_of(InstKind::Section { view: bytes, origin: vec![origin], extent: vec![extent] });
        let words = self.value_of(InstKind::Reinterpret { view: part, element: word });
        let first = self.i32(0);
        let root = Root::View { view: words, index: vec![first] };
        let (place, data) = (Place { root, path: Vec::new() }, Data::scalar(stored.value()));
        self.own_atomic(place, data);
        true
    }

    /// Emits an atomic that the memory's role and state allow; false if the place drawn allows
    /// none.
    pub(super) fn atomic_on(&mut self, held: &UsableMemory) -> bool {
        let family = match &held.role {
            MemoryRole::Sum(family) => Some(*family),
            MemoryRole::Phase(i) => match self.phases[*i].state {
                PhaseState::Sum(family) => Some(family),
                _ => None,
            },
            _ => None,
        };
        let found = self.top(held, true, false);
        let leaf = self.descend(found, false);
        if !self.is_atomic(&leaf) {
            return false;
        }
        let scalar = leaf.data.scalar;
        if let Some(family) = family {
            let ops: Vec<_> = family.ops().iter().filter(|op| op.accepts(scalar)).copied().collect();
            let Some(&op) = self.rng.pick(&ops) else { return false };
            let value = self.operand(op, scalar, true);
            self.emit(InstKind::Atomic { op, place: leaf.place, value });
            return true;
        }
        self.own_atomic(leaf.place, leaf.data)
    }

    /// Emits an atomic of any kind on a scalar of the thread's own; false if its type has none.
    fn own_atomic(&mut self, place: Place, data: Data) -> bool {
        let scalar = data.scalar;
        if scalar.is_integer() && self.rng.percent(35) {
            let (expected, new) = (self.value(data, false), self.value(data, false));
            let expected = if self.rng.percent(50) { self.value_of(InstKind::Load(place.clone())) } else { expected };
            self.budget.left -= 1;
            let (old, ok) = self.b.compare_exchange(place, expected, new, tilewise_ir::pos::Pos::NONE);
            self.know(old, false);
            self.know(ok, false);
            return true;
        }
        let ops: Vec<_> = tilewise_ir::kernel::AtomicOp::ALL.into_iter().filter(|op| op.accepts(scalar)).collect();
        let Some(&op) = self.rng.pick(&ops) else { return false };
        let value = self.operand(op, scalar, false);
        let old = self.value_of(InstKind::Atomic { op, place, value });
        if self.rng.percent(80) {
            self.know(old, false);
        }
        true
    }

    /// May an atomic access the place: a scalar, stored in its own format? The place mostly has
    /// natural alignment: where alignment is unknown, the atomic may have no effect.
    fn is_atomic(&mut self, leaf: &LeafPlace) -> bool {
        let scalar = leaf.data.scalar;
        let context = self.b.context();
        let stored = context.place(&leaf.place).and_then(|place| context.stored(place));
        let size = scalar.stored().size();
        leaf.data.width == 1
            && (scalar.is_integer() || scalar == Scalar::F32)
            && stored == Some(scalar.stored())
            && (leaf.align >= size || leaf.begin >= size && self.percent_aside(60))
    }

    /// The operand of an atomic; for shared sums of floats a small integer, so that every order
    /// gives the same sum.
    fn operand(&mut self, op: tilewise_ir::kernel::AtomicOp, scalar: Scalar, shared: bool) -> Option<ValueId> {
        if !op.takes_operand() {
            return None;
        }
        if scalar == Scalar::F32 && shared {
            let value = self.value(Data::I32, false);
            let fifteen = self.i32(15);
            let small = self.op(Op::And, &[value, fifteen]);
            return Some(self.op(Op::ToF32, &[small]));
        }
        Some(self.value(Data::scalar(scalar), false))
    }
}

/// The largest power of two that divides `n`, at most 64; 64 for 0.
pub(super) fn lowest_bit(n: u32) -> u32 {
    if n == 0 { 64 } else { (1 << n.trailing_zeros()).min(64) }
}
