//! Subgroups: 32 threads of a workgroup, in the order of their indices. A thread sees the values of
//! the others through tile memory: each writes its own, all wait, each reads what it needs, all wait
//! again. So these operations work where all threads of a workgroup come to them, as barriers do;
//! WGSL demands that for a subgroup.

use naga::{CollectiveOperation, Direction, Expression, GatherMode, Handle, SubgroupOperation};
use tilewise_ir::kernel::{Builtin, Const, Fence, Init, InstKind, Place, Root, Step, TileVarId, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Data, Scalar, Stored};

use crate::ShaderImporter;
use crate::call::FunctionFrame;
use crate::narrow::narrowing;
use crate::value::ShaderValue;

/// Threads of a subgroup.
pub(crate) const SUBGROUP_SIZE: u32 = 32;

/// Where a thread is.
struct SubgroupPlace {
    /// Its index in the workgroup, `i32`.
    index: ValueId,
    /// Its number in the subgroup, `i32`.
    lane: ValueId,
    /// The index of the subgroup's first thread.
    first: ValueId,
    /// The number of threads in the subgroup, fewer than 32 in the last one.
    count: ValueId,
}

impl<'m> ShaderImporter<'m> {
    pub(crate) fn i32(&mut self, number: i32) -> ValueId {
        self.builder.constant(Const::i32(number))
    }

    /// Threads of a workgroup.
    fn threads(&self) -> u32 {
        self.size.iter().fold(1, |product: u32, &size| product.saturating_mul(size))
    }

    /// The index of the thread in its workgroup, `i32`: `((z * size.y) + y) * size.x + x`.
    pub(crate) fn local_index(&mut self) -> ValueId {
        let mut index = self.builtin(Builtin::Local(0));
        for (dimension, size) in [(1, self.size[1]), (2, self.size[0])] {
            let size = self.i32(size as i32);
            index = self.op(Op::Mul, &[index, size]);
            let next = self.builtin(Builtin::Local(dimension));
            index = self.op(Op::Add, &[index, next]);
        }
        index
    }

    fn subgroup_place(&mut self) -> SubgroupPlace {
        let index = self.local_index();
        let mask = self.i32(SUBGROUP_SIZE as i32 - 1);
        let lane = self.op(Op::And, &[index, mask]);
        let first = self.op(Op::Sub, &[index, lane]);
        let threads = self.i32(self.threads() as i32);
        let rest = self.op(Op::Sub, &[threads, first]);
        let size = self.i32(SUBGROUP_SIZE as i32);
        let count = self.op(Op::Min, &[rest, size]);
        SubgroupPlace { index, lane, first, count }
    }

    /// `subgroup_invocation_id`.
    pub(crate) fn subgroup_lane(&mut self) -> ShaderValue {
        let lane = self.subgroup_place().lane;
        ShaderValue::Data(self.op(Op::ToU32, &[lane]))
    }

    /// `subgroup_id`.
    pub(crate) fn subgroup_id(&mut self) -> ShaderValue {
        let index = self.local_index();
        let index = self.op(Op::ToU32, &[index]);
        let shift = self.u32(SUBGROUP_SIZE.trailing_zeros());
        ShaderValue::Data(self.op(Op::Shr, &[index, shift]))
    }

    /// `num_subgroups`.
    pub(crate) fn subgroup_count(&mut self) -> ShaderValue {
        let count = self.threads().div_ceil(SUBGROUP_SIZE);
        ShaderValue::Data(self.u32(count))
    }

    /// Tile memory with a value of this type for each thread.
    fn scratch(&mut self, data: Data) -> TileVarId {
        if let Some(&id) = self.scratch.get(&data) {
            return id;
        }
        let threads = self.threads();
        let types = self.builder.types();
        let element = types.data(data);
        let array = types.natural_array(element, Some(threads));
        let id = self.builder.tile_var("subgroup_values", array, self.pos);
        self.scratch.insert(data, id);
        id
    }

    fn wait(&mut self, fence: Fence) {
        let pos = self.pos;
        self.builder.emit(InstKind::Barrier(fence), pos);
    }

    /// `subgroupBarrier`.
    pub(crate) fn subgroup_barrier(&mut self) {
        self.wait(Fence::All);
    }

    fn element_of(scratch: TileVarId, index: ValueId) -> Place {
        Place { root: Root::Tile(scratch), path: vec![Step::Index(index)] }
    }

    /// Shows the thread's value to the others.
    fn share(&mut self, value: ValueId, place: &SubgroupPlace) -> TileVarId {
        let scratch = self.scratch(self.data_type(value));
        let pos = self.pos;
        let own = Self::element_of(scratch, place.index);
        self.builder.emit(InstKind::Store { place: own, value }, pos);
        self.wait(Fence::TileStatic);
        scratch
    }

    pub(crate) fn subgroup_gather(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        mode: &GatherMode,
        argument: Handle<Expression>,
    ) -> ShaderValue {
        let value = self.data_of(frame, argument);
        let place = self.subgroup_place();
        let lane = self.gather_lane(frame, mode, &place);
        let scratch = self.share(value, &place);
        let other = self.op(Op::Add, &[place.first, lane]);
        let zero = self.i32(0);
        let not_before = self.op(Op::Ge, &[lane, zero]);
        let not_behind = self.op(Op::Lt, &[lane, place.count]);
        let is_there = self.op(Op::And, &[not_before, not_behind]);
        // A thread that is not there leaves the value open: the thread's own is taken.
        let other = self.op(Op::Select, &[is_there, other, place.index]);
        let result = self.inst(InstKind::Load(Self::element_of(scratch, other)));
        self.wait(Fence::TileStatic);
        ShaderValue::Data(result)
    }

    /// The number in the subgroup of the thread whose value is read, `i32`.
    fn gather_lane(&mut self, frame: &mut FunctionFrame<'m>, mode: &GatherMode, place: &SubgroupPlace) -> ValueId {
        let swapped = |importer: &mut Self, bits: i32| {
            let bits = importer.i32(bits);
            importer.op(Op::Xor, &[place.lane, bits])
        };
        match *mode {
            GatherMode::BroadcastFirst => self.i32(0),
            GatherMode::Broadcast(lane) | GatherMode::Shuffle(lane) => self.number(frame, lane),
            GatherMode::ShuffleDown(by) => {
                let by = self.number(frame, by);
                self.op(Op::Add, &[place.lane, by])
            }
            GatherMode::ShuffleUp(by) => {
                let by = self.number(frame, by);
                self.op(Op::Sub, &[place.lane, by])
            }
            GatherMode::ShuffleXor(bits) => {
                let bits = self.number(frame, bits);
                self.op(Op::Xor, &[place.lane, bits])
            }
            GatherMode::QuadBroadcast(lane) => {
                let lane = self.number(frame, lane);
                let mask = self.i32(!3);
                let quad = self.op(Op::And, &[place.lane, mask]);
                self.op(Op::Add, &[quad, lane])
            }
            GatherMode::QuadSwap(Direction::X) => swapped(self, 1),
            GatherMode::QuadSwap(Direction::Y) => swapped(self, 2),
            GatherMode::QuadSwap(Direction::Diagonal) => swapped(self, 3),
        }
    }

    /// An integer expression as `i32`.
    fn number(&mut self, frame: &mut FunctionFrame<'m>, of: Handle<Expression>) -> ValueId {
        let number = self.data_of(frame, of);
        self.convert(number, Scalar::I32)
    }

    pub(crate) fn subgroup_collective(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        operation: SubgroupOperation,
        collective: CollectiveOperation,
        argument: Handle<Expression>,
    ) -> ShaderValue {
        let narrow = self.type_of(frame, argument);
        let value = self.data_of(frame, argument);
        let place = self.subgroup_place();
        let scratch = self.share(value, &place);
        let one = self.i32(1);
        let next = self.op(Op::Add, &[place.lane, one]);
        let (from, to) = match collective {
            CollectiveOperation::Reduce => (1, place.count),
            CollectiveOperation::InclusiveScan => (1, next),
            CollectiveOperation::ExclusiveScan => (0, place.lane),
        };
        let first = match collective {
            CollectiveOperation::ExclusiveScan => {
                let identity = self.identity(operation, self.data_type(value));
                match narrowing(narrow) {
                    Some(Op::WrapI16) => self.held_integers(identity, Stored::I16),
                    Some(Op::WrapU16) => self.held_integers(identity, Stored::U16),
                    _ => identity,
                }
            }
            CollectiveOperation::Reduce | CollectiveOperation::InclusiveScan => {
                self.inst(InstKind::Load(Self::element_of(scratch, place.first)))
            }
        };
        let combine = |importer: &mut Self, sum: ValueId, index: ValueId| {
            let next = importer.inst(InstKind::Load(Self::element_of(scratch, index)));
            let sum = importer.op(row(operation), &[sum, next]);
            importer.narrowed_data(sum, narrow)
        };
        let result = self.fold(&place, first, (from, to), &combine);
        self.wait(Fence::TileStatic);
        ShaderValue::Data(result)
    }

    pub(crate) fn subgroup_ballot(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        predicate: Option<Handle<Expression>>,
    ) -> ShaderValue {
        let value = match predicate {
            Some(predicate) => self.data_of(frame, predicate),
            None => self.builder.constant(Const::bool(true)),
        };
        let place = self.subgroup_place();
        let scratch = self.share(value, &place);
        let zero = self.u32(0);
        let first = place.first;
        let combine = |importer: &mut Self, bits: ValueId, index: ValueId| {
            let is_set = importer.inst(InstKind::Load(Self::element_of(scratch, index)));
            let lane = importer.op(Op::Sub, &[index, first]);
            let lane = importer.op(Op::ToU32, &[lane]);
            let one = importer.u32(1);
            let bit = importer.op(Op::Shl, &[one, lane]);
            let bit = importer.op(Op::Select, &[is_set, bit, zero]);
            importer.op(Op::Or, &[bits, bit])
        };
        let count = place.count;
        let bits = self.fold(&place, zero, (0, count), &combine);
        self.wait(Fence::TileStatic);
        ShaderValue::Data(self.vector(vec![bits, zero, zero, zero]))
    }

    /// Combines `first` with what threads of the subgroup have written, from one number to another.
    /// `combine` takes the result so far and the index of a thread.
    fn fold(
        &mut self,
        place: &SubgroupPlace,
        first: ValueId,
        (from, to): (i32, ValueId),
        combine: &dyn Fn(&mut Self, ValueId, ValueId) -> ValueId,
    ) -> ValueId {
        let data = self.data_type(first);
        let ty = self.builder.types().data(data);
        let sum = self.temporary("combined", ty, Init::Value(first));
        let number = self.builder.types().data(Data::I32);
        let from = self.i32(from);
        let counter = self.temporary("number", number, Init::Value(from));
        let label = self.builder.label(None);
        let pos = self.pos;
        self.builder.begin_block();
        let lane = self.inst(InstKind::Load(counter.clone()));
        let goes_on = self.op(Op::Lt, &[lane, to]);
        let condition = Some(Box::new(self.builder.end_block(Some(goes_on))));
        self.builder.begin_block();
        let lane = self.inst(InstKind::Load(counter.clone()));
        let index = self.op(Op::Add, &[place.first, lane]);
        let before = self.inst(InstKind::Load(sum.clone()));
        let value = combine(self, before, index);
        self.builder.emit(InstKind::Store { place: sum.clone(), value }, pos);
        let body = self.builder.end_block(None);
        self.builder.begin_block();
        let lane = self.inst(InstKind::Load(counter.clone()));
        let one = self.i32(1);
        let value = self.op(Op::Add, &[lane, one]);
        self.builder.emit(InstKind::Store { place: counter, value }, pos);
        let continuing = self.builder.end_block(None);
        self.builder.emit(InstKind::Loop { label, condition, body, continuing }, pos);
        self.inst(InstKind::Load(sum))
    }

    /// What changes no value that it is combined with.
    fn identity(&mut self, operation: SubgroupOperation, data: Data) -> ValueId {
        let Data { scalar, width } = data;
        let (least, greatest, one) = match scalar {
            Scalar::Bool => (0, 1, 1),
            Scalar::I32 => (i32::MIN as u32 as u64, i32::MAX as u64, 1),
            Scalar::U32 => (0, u64::from(u32::MAX), 1),
            Scalar::I64 => (i64::MIN as u64, i64::MAX as u64, 1),
            Scalar::U64 => (0, u64::MAX, 1),
            Scalar::F32 => {
                let bits = |number: f32| u64::from(number.to_bits());
                (bits(f32::NEG_INFINITY), bits(f32::INFINITY), bits(1.0))
            }
            Scalar::F64 => (f64::NEG_INFINITY.to_bits(), f64::INFINITY.to_bits(), 1.0f64.to_bits()),
        };
        let all_ones = if scalar == Scalar::Bool { 1 } else { u64::MAX >> (64 - scalar.bits()) };
        let bits = match operation {
            SubgroupOperation::Add | SubgroupOperation::Or | SubgroupOperation::Xor | SubgroupOperation::Any => 0,
            SubgroupOperation::Mul => one,
            SubgroupOperation::Min => greatest,
            SubgroupOperation::Max => least,
            SubgroupOperation::And | SubgroupOperation::All => all_ones,
        };
        let value = self.builder.constant(Const { scalar, bits });
        self.splat(value, width)
    }
}

/// The row that combines two values.
fn row(operation: SubgroupOperation) -> Op {
    match operation {
        SubgroupOperation::All | SubgroupOperation::And => Op::And,
        SubgroupOperation::Any | SubgroupOperation::Or => Op::Or,
        SubgroupOperation::Add => Op::Add,
        SubgroupOperation::Mul => Op::Mul,
        SubgroupOperation::Min => Op::Min,
        SubgroupOperation::Max => Op::Max,
        SubgroupOperation::Xor => Op::Xor,
    }
}
