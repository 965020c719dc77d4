//! Transfer functions of single instructions: the sources of uniform, divergent and unproven
//! values, and their combinations.

use super::env::{Info, LocalState, UniformityVerdict};
use super::state::{UniformityWalk, whole};
use super::{LinkReason, TileAgreement};
use crate::analysis::range::{self, IntegerRange};
use crate::analysis::shape::{self, Stride};
use crate::kernel::{Builtin, Init, Inst, InstClass, InstKind, LocalId, Place, Root, Step, Value, ValueDef, ValueId};
use crate::ops::Op;
use crate::pos::Pos;
use crate::types::{Scalar, ValueType};
use crate::typing::{Context, PlaceType};

impl<'a> UniformityWalk<'a> {
    /// The state of a value that is not an instruction's result; for a result, the initial state.
    pub(super) fn given(&self, value: &Value) -> Vec<Info> {
        match (value.def, value.ty) {
            (ValueDef::Const(constant), _) => {
                vec![Info::of(UniformityVerdict::UNIFORM, IntegerRange::of_const(constant))]
            }
            (ValueDef::Param(param), ValueType::Data(data)) => {
                let range = IntegerRange::of_type(data.scalar);
                let known = self.walked.ranges.get(param as usize).copied().flatten().filter(|_| data.width == 1);
                let range = range.and_then(|range| known.and_then(|known| range.meet(known)).or(Some(range)));
                vec![Info::of(UniformityVerdict::UNIFORM, range); usize::from(data.width)]
            }
            (ValueDef::Param(_), ValueType::View(_)) => vec![Info::UNIFORM],
            (ValueDef::Param(_), ValueType::Invalid) | (ValueDef::Inst, _) => Vec::new(),
        }
    }

    /// Whether it is a constant or a parameter.
    pub(super) fn is_given(&self, value: &Value) -> bool {
        !matches!(value.def, ValueDef::Inst)
    }

    /// Position of the instruction that defines a value.
    pub(super) fn end_of(&self, value: ValueId) -> Option<Pos> {
        self.states.positions.get(value.index()).copied().flatten().filter(|pos| pos.is_known())
    }

    fn context(&self) -> Context<'a> {
        self.walked.kernel.context(self.walked.function)
    }

    /// Number of components and their type; one without a type for views.
    fn shape(&self, value: ValueId) -> (usize, Option<Scalar>) {
        match self.context().data(value) {
            Some(data) => (usize::from(data.width), Some(data.scalar)),
            None => (1, None),
        }
    }

    /// Processes an instruction without blocks.
    pub(super) fn plain(&mut self, inst: &'a Inst) {
        if let Some(result) = inst.result
            && let Some(pos) = self.states.positions.get_mut(result.index())
        {
            *pos = Some(inst.pos);
        }
        match inst.kind.class() {
            InstClass::Declare => {
                if let InstKind::Declare { local, init } = &inst.kind {
                    self.declare(*local, init, inst.pos);
                }
            }
            InstClass::Write => {
                if let InstKind::Store { place, value } = &inst.kind {
                    self.store(place, *value, inst.pos);
                } else if let (Some(to), Some(from)) = (inst.kind.written_place(), inst.kind.read_place()) {
                    self.copy(to, from, inst.pos);
                }
            }
            InstClass::Atomic => {
                for value in inst.results() {
                    let info = self.memory(value, UniformityVerdict::UNIFORM, inst.pos);
                    let (width, scalar) = self.shape(value);
                    self.know(value, vec![Info { range: scalar.and_then(IntegerRange::of_type), ..info }; width]);
                }
            }
            InstClass::Synchronize => {
                if inst.kind.barrier().is_some() {
                    self.barrier(inst);
                }
            }
            InstClass::Compute | InstClass::Query | InstClass::MakeView | InstClass::Read | InstClass::Call => {
                let Some(result) = inst.result else { return };
                let parts = self.result(&inst.kind, result, inst.pos);
                self.know(result, parts);
            }
            // They have no values, or the walk handles them.
            InstClass::Output | InstClass::Stop | InstClass::Structured | InstClass::Jump => {}
        }
    }

    fn result(&mut self, kind: &'a InstKind, result: ValueId, pos: Pos) -> Vec<Info> {
        let (width, scalar) = self.shape(result);
        let whole_type = scalar.and_then(IntegerRange::of_type);
        match kind {
            InstKind::Op { op, args } => self.operation(*op, args, result, pos),
            InstKind::Compose(parts) => parts.iter().map(|&part| self.scalar(part).now()).collect(),
            InstKind::Splat { value, .. } => vec![self.scalar(*value).now(); width],
            InstKind::Swizzle { value, components } => {
                let parts = self.parts(*value);
                components.iter().map(|&c| parts.get(usize::from(c)).copied().unwrap_or(Info::UNIFORM).now()).collect()
            }
            InstKind::ComponentAt { value, index } => {
                let parts = self.parts(*value);
                let at = self.scalar(*index);
                match at.range.and_then(IntegerRange::single) {
                    Some(n) => {
                        vec![usize::try_from(n).ok().and_then(|n| parts.get(n)).copied().unwrap_or(Info::UNIFORM).now()]
                    }
                    None => {
                        let verdict = self.because(LinkReason::Value(result), pos, at.verdict().with(whole(&parts)));
                        vec![Info::of(verdict, whole_type).mixed(!at.verdict().row)]
                    }
                }
            }
            InstKind::Builtin(builtin) => vec![self.builtin(*builtin, pos)],
            InstKind::ViewExtent { view, .. } => {
                let verdict = self.indirect(result, self.scalar(*view).verdict(), pos);
                vec![Info::of(verdict, Some(IntegerRange::EXTENT))]
            }
            InstKind::Section { .. }
            | InstKind::Project { .. }
            | InstKind::Reinterpret { .. }
            | InstKind::ViewAs { .. } => {
                let mut all = UniformityVerdict::UNIFORM;
                kind.operands(&mut |&value| all = all.with(whole(&self.parts(value))));
                vec![Info::of(self.indirect(result, all, pos), None)]
            }
            InstKind::Length(place) => {
                let address = self.address(place);
                vec![Info::of(self.indirect(result, address, pos), whole_type)]
            }
            InstKind::Load(place) => self.load(place, result, pos),
            InstKind::Call { .. } => {
                let mut all = UniformityVerdict::UNIFORM;
                kind.operands(&mut |&value| all = all.with(whole(&self.parts(value))));
                vec![Info::of(self.because(LinkReason::Value(result), pos, all), whole_type); width]
            }
            InstKind::Atomic { .. }
            | InstKind::CompareExchange { .. }
            // These have no value; `plain` and the walk handle them.
            | InstKind::Store { .. }
            | InstKind::Copy { .. }
            | InstKind::Declare { .. }
            | InstKind::Barrier(_)
            | InstKind::Fence(_)
            | InstKind::Print(_)
            | InstKind::Error(_)
            | InstKind::Abort
            | InstKind::If { .. }
            | InstKind::Loop { .. }
            | InstKind::Switch { .. }
            | InstKind::Scope { .. }
            | InstKind::Break { .. }
            | InstKind::Continue { .. }
            | InstKind::Return(_) => {
                let info = self.memory(result, UniformityVerdict::UNIFORM, pos);
                vec![Info { range: whole_type, ..info }; width]
            }
        }
    }

    fn operation(&mut self, op: Op, args: &[ValueId], result: ValueId, pos: Pos) -> Vec<Info> {
        let (width, result_scalar) = self.shape(result);
        let context = self.context();
        let types: Option<Vec<_>> = args.iter().map(|&arg| context.data(arg)).collect();
        let instance = types.and_then(|types| op.resolve(&types).ok());
        let parts: Vec<Vec<Info>> = args.iter().map(|&arg| self.parts(arg)).collect();
        let (Some(instance), Some(result_scalar), true) = (instance, result_scalar, op.row().each) else {
            let all = parts.iter().fold(UniformityVerdict::UNIFORM, |all, parts| all.with(whole(parts)));
            let came = self.because(LinkReason::Value(result), pos, all);
            return vec![Info::of(came, result_scalar.and_then(IntegerRange::of_type)); width];
        };
        let component = |i: usize| -> (UniformityVerdict, Option<IntegerRange>, Option<Stride>) {
            let at: Vec<Info> = parts.iter().map(|parts| parts.get(i).copied().unwrap_or(Info::UNIFORM)).collect();
            let ranges: Vec<Option<IntegerRange>> = at.iter().map(|info| info.range).collect();
            let condition =
                ranges.first().copied().flatten().and_then(IntegerRange::single).filter(|_| op == Op::Select);
            let used: &[Info] = match (condition, &at[..]) {
                (Some(0), [_, _, no]) => std::slice::from_ref(no),
                (Some(_), [_, yes, _]) => std::slice::from_ref(yes),
                _ => &at,
            };
            let verdict = used.iter().fold(UniformityVerdict::UNIFORM, |all, info| all.with(info.verdict()));
            let strides: Vec<_> = at.iter().map(|info| (info.stride(), info.range)).collect();
            let along = shape::apply(op, instance.scalar, result_scalar, &strides);
            (verdict, self.applied(op, instance.scalar, result_scalar, args, &ranges), along)
        };
        let found: Vec<_> = (0..width).map(component).collect();
        found
            .into_iter()
            .map(|(verdict, range, along)| {
                let came = self.because(LinkReason::Value(result), pos, verdict);
                Info { came, range, along: if came.row { Some(Stride::SAME) } else { along } }
            })
            .collect()
    }

    /// The range of an operation on scalars or components. For a difference uses the known order of
    /// its operands.
    fn applied(
        &self,
        op: Op,
        scalar: Scalar,
        result: Scalar,
        args: &[ValueId],
        ranges: &[Option<IntegerRange>],
    ) -> Option<IntegerRange> {
        if let (Op::Sub, &[a, b], &[Some(x), Some(y)], true) = (op, args, ranges, scalar.is_integer())
            && let (Some(gap), Some(whole)) = (self.gap(b, a), IntegerRange::of_type(scalar))
            && x.hi - y.lo <= whole.hi
        {
            return Some(IntegerRange { lo: gap.max(x.lo - y.hi), hi: gap.max(x.hi - y.lo) });
        }
        range::apply(op, scalar, result, ranges)
    }

    fn builtin(&mut self, builtin: Builtin, pos: Pos) -> Info {
        let range = Some(IntegerRange::of_builtin(self.walked.kernel, builtin));
        let own = match builtin {
            Builtin::Global(d) | Builtin::Local(d) => {
                // In a dimension where the tile is one thread wide, all threads have the same
                // index.
                self.walked.kernel.tile().and_then(|tile| tile.get(d as usize)) != Some(&1)
            }
            Builtin::Tile(_)
            | Builtin::TileOrigin(_)
            | Builtin::DomainExtent(_)
            | Builtin::TileExtent(_)
            | Builtin::TileCount(_) => false,
        };
        let came = match own {
            true => UniformityVerdict {
                class: TileAgreement::Divergent,
                row: builtin.dimension() + 1 != self.walked.kernel.rank(),
                why: self.link(LinkReason::Index(builtin), pos, 0),
            },
            false => UniformityVerdict::UNIFORM,
        };
        Info { came, range, along: Some(if came.row { Stride::SAME } else { Stride::ONE }) }
    }

    /// The state of a value from memory at an address with this verdict.
    fn memory(&mut self, value: ValueId, address: UniformityVerdict, pos: Pos) -> Info {
        let why = self.link(LinkReason::Memory(value), pos, address.why);
        Info::of(UniformityVerdict { why, ..UniformityVerdict::UNPROVEN }, None)
    }

    /// Depends on `verdict` in a way that is not analysed: uniform if `verdict` is, else unproven.
    fn indirect(&mut self, value: ValueId, verdict: UniformityVerdict, pos: Pos) -> UniformityVerdict {
        match verdict.is_uniform() {
            true => UniformityVerdict::UNIFORM,
            false => UniformityVerdict {
                class: TileAgreement::Unproven,
                row: verdict.row,
                why: self.link(LinkReason::Value(value), pos, verdict.why),
            },
        }
    }

    /// The combined verdict of all values in a place.
    fn address(&self, place: &Place) -> UniformityVerdict {
        let mut all = UniformityVerdict::UNIFORM;
        place.place_values(&mut |&value| all = all.with(whole(&self.parts(value))));
        all
    }

    fn load(&mut self, place: &Place, result: ValueId, pos: Pos) -> Vec<Info> {
        let (width, scalar) = self.shape(result);
        let range = match self.context().place(place).and_then(|ty| self.context().stored(ty)) {
            Some(stored) => IntegerRange::of_stored(stored),
            None => scalar.and_then(IntegerRange::of_type),
        };
        let address = self.address(place);
        if let Root::Local(local) = place.root
            && let Some(state) = self.env.get(local)
            && state.scalar.is_some()
        {
            let parts = state.parts.clone();
            let stamp = state.stamp;
            if let Some(loaded) = self.states.loaded.get_mut(result.index()) {
                *loaded = place.path.is_empty().then_some((local, stamp));
            }
            return match place.path.first() {
                None | Some(Step::Field(_)) => parts,
                Some(Step::Component(c)) => vec![parts.get(usize::from(*c)).copied().unwrap_or(Info::UNIFORM)],
                Some(Step::Index(index)) => match self.scalar(*index).range.and_then(IntegerRange::single) {
                    Some(n) => {
                        vec![usize::try_from(n).ok().and_then(|n| parts.get(n)).copied().unwrap_or(Info::UNIFORM)]
                    }
                    None => {
                        let came = self.because(LinkReason::Value(result), pos, whole(&parts).with(address));
                        vec![Info::of(came, range)]
                    }
                },
            };
        }
        let settled = match &place.root {
            Root::Local(local) => self.env.get(*local).map_or(UniformityVerdict::UNPROVEN, |state| whole(&state.parts)),
            Root::Tile(_) if self.walked.settled.contains(&result) => UniformityVerdict::UNIFORM,
            root if self.fixed(root) => UniformityVerdict::UNIFORM,
            _ => UniformityVerdict::UNPROVEN,
        };
        let all = settled.with(address);
        if all.is_uniform() {
            return vec![Info::of(UniformityVerdict::UNIFORM, range); width];
        }
        let info = self.memory(result, address, pos);
        vec![Info { range, along: all.row.then_some(Stride::SAME), ..info }; width]
    }

    /// Whether this memory, shared beyond the tile, is constant throughout the launch.
    fn fixed(&self, root: &Root) -> bool {
        match root {
            Root::Table(_) => true,
            Root::Param(id) => {
                let uniform = matches!(
                    self.walked.kernel.params().get(id.index()).map(|param| param.kind),
                    Some(crate::kernel::ParamKind::Uniform(_))
                );
                uniform || !self.walked.writes_shared
            }
            Root::View { .. } => !self.walked.writes_shared,
            Root::Tile(_) | Root::Local(_) | Root::Ref(_) => false,
        }
    }

    fn declare(&mut self, local: LocalId, init: &Init, pos: Pos) {
        let data =
            self.walked.function.locals.get(local.index()).and_then(|local| self.walked.kernel.types().value(local.ty));
        let width = data.map_or(1, |data| usize::from(data.width));
        let scalar = data.map(|data| data.scalar);
        let zero = scalar.and_then(IntegerRange::of_type).map(|_| IntegerRange::just(0));
        let parts = match init {
            Init::Unset => vec![Info::of(UniformityVerdict::UNIFORM, scalar.and_then(IntegerRange::of_type)); width],
            Init::Zero => vec![Info::of(UniformityVerdict::UNIFORM, zero); width],
            Init::Value(value) => {
                let parts = self.parts(*value);
                self.assigned(local, &parts, UniformityVerdict::UNIFORM, pos)
            }
        };
        if let Some(since) = self.states.since.get_mut(local.index()) {
            *since = self.path.control.len();
        }
        let state = LocalState { parts, scalar, stamp: 0 };
        self.env.declare(local, state.clone());
        self.set_local(local, state);
    }

    /// The states of a local's components after an assignment under control.
    fn assigned(&mut self, local: LocalId, parts: &[Info], control: UniformityVerdict, pos: Pos) -> Vec<Info> {
        let control = self.because(LinkReason::SetBySome(local), pos, control);
        // A narrow format keeps only the low bits.
        let holds = self
            .walked
            .function
            .locals
            .get(local.index())
            .and_then(|local| self.walked.kernel.types().stored(local.ty));
        let holds = holds.and_then(IntegerRange::of_stored);
        let kept = |part: Info| match (part.range, holds) {
            (Some(range), Some(holds)) if holds.contains(range) => part,
            (Some(_), Some(_)) => {
                Info { range: Some(holds.unwrap_or(IntegerRange::BOOL)), ..part.mixed(!part.verdict().row) }
            }
            _ => part,
        };
        parts
            .iter()
            .map(|part| {
                let came = self.because(LinkReason::Set(local), pos, part.verdict());
                // Of two reasons, control is listed: its own cause is usually the value's cause
                // too.
                Info { came: control.with(came), ..kept(part.now()) }
            })
            .collect()
    }

    fn store(&mut self, place: &Place, value: ValueId, pos: Pos) {
        let Root::Local(local) = place.root else { return };
        let Some(mut state) = self.env.get(local).cloned() else { return };
        let control = self.control_since(self.states.since.get(local.index()).copied().unwrap_or(0));
        let address = self.address(place);
        let new = self.parts(value);
        if state.scalar.is_none() {
            let brought = whole(&new).with(address);
            return self.set_part(local, state, brought.with(control), brought.row, pos);
        }
        match place.path.first() {
            None | Some(Step::Field(_)) => state.parts = self.assigned(local, &new, control, pos),
            Some(Step::Component(c)) => {
                let new = self.assigned(local, &new, control, pos);
                if let (Some(part), Some(new)) = (state.parts.get_mut(usize::from(*c)), new.first()) {
                    *part = *new;
                }
            }
            Some(Step::Index(_)) => {
                // A dynamic index may select any component.
                let new = self.assigned(local, &new, control.with(address), pos);
                if let Some(new) = new.first() {
                    state.parts.iter_mut().for_each(|part| *part = part.join(*new).mixed(!address.row));
                }
            }
        }
        self.set_local(local, state);
    }

    fn copy(&mut self, to: &Place, from: &Place, pos: Pos) {
        let Root::Local(local) = to.root else { return };
        let Some(state) = self.env.get(local).cloned() else { return };
        let source = match &from.root {
            Root::Local(from) => {
                let whole = self.env.get(*from).map_or(UniformityVerdict::UNPROVEN, |state| whole(&state.parts));
                if whole.is_uniform() {
                    whole
                } else {
                    UniformityVerdict { row: whole.row, ..UniformityVerdict::UNPROVEN }
                }
            }
            root if self.fixed(root) => UniformityVerdict::UNIFORM,
            _ => UniformityVerdict::UNPROVEN,
        };
        let control = self.control_since(self.states.since.get(local.index()).copied().unwrap_or(0));
        let brought = source.with(self.address(from)).with(self.address(to));
        let all = brought.with(control);
        let whole_place = matches!(self.context().place(to), Some(PlaceType::Whole(_))) && to.path.is_empty();
        let state =
            if whole_place && all.is_uniform() { LocalState { parts: vec![Info::UNIFORM], ..state } } else { state };
        self.set_part(local, state, all, brought.row, pos);
    }

    /// Assigns a part of an aggregate, which may keep its old contents elsewhere. Aggregates are
    /// never divergent.
    fn set_part(&mut self, local: LocalId, mut state: LocalState, verdict: UniformityVerdict, row: bool, pos: Pos) {
        if !verdict.is_uniform() {
            let why = self.link(LinkReason::Set(local), pos, verdict.why);
            let came = UniformityVerdict { why, ..UniformityVerdict::UNPROVEN };
            state.parts.iter_mut().for_each(|part| *part = Info { came, range: None, ..*part }.mixed(!row));
        }
        self.set_local(local, state);
    }
}
