//! The generator: its state, and the order in which it makes the parts of a kernel.
//!
//! The [design page](super) explains why its kernels are free of races and deterministic. The rules
//! are kept by these types: every usable value is a [`UsableValue`], every usable memory is a
//! [`UsableMemory`] with the [`MemoryRole`] that determines which elements may be touched, and
//! [`Flow`] tracks control.

mod control;
mod ends;
mod functions;
mod own_arrays;
mod places;
mod plan;
mod shape;
mod size;
mod statements;
mod sweeps;
mod sync;
mod tiles;
mod types;
mod values;

use tilewise_ir::build::Builder;
use tilewise_ir::kernel::{
    AtomicOp, Const, FunctionId, InstKind, LabelId, LocalId, ParamId, Root, TableId, TileVarId, ValueId,
};
use tilewise_ir::launch::{Argument, LaunchMemory};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar, TypeId, ValueType, ViewType};

use super::case::{Alias, FuzzCase};
use super::rng::SeedRng;
pub use size::{KernelBudget, KernelSize};
pub(super) use values::instances;

/// The case of a seed: the same for ever, independent of all earlier calls.
pub fn generate(seed: u64, budget: KernelBudget) -> FuzzCase {
    KernelMaker::new(seed, budget).make()
}

/// A scalar or vector that code may use.
#[derive(Clone, Copy, Debug)]
struct UsableValue {
    id: ValueId,
    data: Data,
    /// Uniform over all threads of a tile that are here.
    uniform: bool,
}

/// A family of atomics that commute with each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AtomicFamily {
    Sum,
    Min,
    Max,
    And,
    Or,
    Xor,
}

impl AtomicFamily {
    const ALL: [AtomicFamily; 6] = [
        AtomicFamily::Sum,
        AtomicFamily::Min,
        AtomicFamily::Max,
        AtomicFamily::And,
        AtomicFamily::Or,
        AtomicFamily::Xor,
    ];

    /// The operations of the family.
    fn ops(self) -> &'static [AtomicOp] {
        match self {
            AtomicFamily::Sum => &[AtomicOp::Add, AtomicOp::Sub, AtomicOp::Inc, AtomicOp::Dec],
            AtomicFamily::Min => &[AtomicOp::Min],
            AtomicFamily::Max => &[AtomicOp::Max],
            AtomicFamily::And => &[AtomicOp::And],
            AtomicFamily::Or => &[AtomicOp::Or],
            AtomicFamily::Xor => &[AtomicOp::Xor],
        }
    }
}

/// The root of a place of this memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PlaceBase {
    View(ValueId, ViewType),
    Param(ParamId),
    Tile(TileVarId),
    Table(TableId),
    Local(LocalId),
    Ref(u32),
}

/// The elements that may be accessed, and how.
#[derive(Clone, Debug)]
enum MemoryRole {
    /// Any access anywhere: either no thread writes it, or it is the thread's own.
    Free { write: bool },
    /// The elements at these indices are the thread's own.
    Own(Vec<Vec<ValueId>>),
    /// Atomics of a family, their results unused.
    Sum(AtomicFamily),
    /// As its [`Phase`] allows.
    Phase(usize),
}

/// Memory that code may access.
#[derive(Clone, Debug)]
struct UsableMemory {
    base: PlaceBase,
    /// The type of a view's element, or of the object.
    ty: TypeId,
    role: MemoryRole,
    /// No thread writes it, so all threads read the same value at an index.
    stable: bool,
    /// Every element begins at a multiple of this.
    align: u32,
    /// The memory of its parameter or variable begins at a multiple of this: a launch with an
    /// atomic operation on more bytes is refused.
    begin: u32,
    /// Its bits may be read under another type: they are no floats that might be NaN.
    bits: bool,
}

/// Memory that the threads of a tile share, with its state until the next barrier.
#[derive(Clone, Debug)]
struct Phase {
    state: PhaseState,
    /// In views, so that a barrier for `tile_static` does not change its state.
    global: bool,
    /// Number of elements.
    length: u32,
    /// The lengths of the arrays that contain them.
    shape: Vec<u32>,
    /// The scalar if elements are integers or `f32`, for atomics in the state [`PhaseState::Sum`].
    scalar: Option<Scalar>,
}

/// The accesses that are allowed between two barriers.
#[derive(Clone, PartialEq, Eq, Debug)]
enum PhaseState {
    /// All elements may be read, none written.
    Read,
    /// Each thread may read and write the elements at these paths.
    Own(Vec<Vec<ValueId>>),
    /// Atomics of a family anywhere, their results unused.
    Sum(AtomicFamily),
}

/// The values and memory in scope in one block.
#[derive(Default, Debug)]
struct BlockScope {
    values: Vec<UsableValue>,
    held: Vec<UsableMemory>,
    /// What branches and loops have asked, and its opposites.
    conditions: Vec<UsableValue>,
    comparisons: Vec<AskedComparison>,
}

/// A comparison that was a condition, and may be asked again.
#[derive(Clone, Copy, Debug)]
struct AskedComparison {
    op: Op,
    args: [ValueId; 2],
    uniform: bool,
}

/// A loop or scope that code inside may break out of.
#[derive(Clone, Debug)]
struct LeaveTarget {
    label: LabelId,
    is_loop: bool,
    /// All threads of the tile must leave it together.
    level: bool,
    /// The type of the value of a break.
    value: Option<Data>,
    /// The states of the phases at its beginning, which must hold again where it is left.
    states: Vec<PhaseState>,
}

/// The state of control.
#[derive(Clone, Debug)]
struct Flow {
    /// All threads of the tile are here: a barrier may stand here.
    level: bool,
    depth: u32,
    targets: Vec<LeaveTarget>,
    /// The maximum number of times that this place runs for each run of the function.
    rounds: u32,
    /// The type of the function's result.
    result: Option<Data>,
    in_function: bool,
    /// A thread may return here.
    may_return: bool,
}

/// A function that may be called.
#[derive(Clone, Debug)]
struct CallableFunction {
    id: FunctionId,
    params: Vec<FunctionInput>,
    result: Option<Data>,
    /// It has barriers: call it only where all threads of the tile are.
    level: bool,
    rounds: u32,
    cost: u32,
    called: bool,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
enum FunctionInput {
    Data(Data),
    /// A view that no thread writes, or that is the thread's own.
    View(ViewType, bool),
    Ref(TypeId, bool),
}

/// Size and shape of the launch.
#[derive(Clone, Debug)]
struct LaunchShape {
    extent: Vec<i32>,
    tile: Option<Vec<u32>>,
    threads: u32,
    tile_threads: u32,
}

/// The launch under construction.
#[derive(Debug)]
struct MadeLaunch {
    shape: LaunchShape,
    memory: LaunchMemory,
    arguments: Vec<Argument>,
    aliases: Vec<Alias>,
}

/// What the kernel may contain, drawn at the beginning.
#[derive(Clone, Copy, Debug)]
struct DrawnFeatures {
    /// There are barriers in the kernel's body.
    barriers: bool,
    /// Rare endings of the kernel.
    may_fail: bool,
    may_print: bool,
    /// Threads of a tile may miss each other at barriers.
    may_miss: bool,
}

/// What the code being made may still cost.
#[derive(Clone, Copy, Debug)]
struct RemainingBudget {
    /// The remaining budget of instructions.
    left: i64,
    /// In multiples of threads: the maximum number of times that all run an instruction.
    most_rounds: u32,
}

/// The functions made so far.
#[derive(Default, Debug)]
struct FunctionPool {
    functions: Vec<CallableFunction>,
    /// The number of functions without a call.
    uncalled: usize,
}

/// Values and a local of the thread that many statements use.
#[derive(Default, Debug)]
struct ThreadValues {
    /// The thread's number in the domain and in the tile, as `u32`.
    linear: Option<ValueId>,
    in_tile: Option<ValueId>,
    /// A word for each thread, loaded from memory: only at run time is it known on which bits the
    /// threads of the tile agree.
    doubt: Option<ValueId>,
    /// A local that gathers results.
    sum: Option<LocalId>,
}

/// Numbers that are used up one by one.
#[derive(Clone, Copy, Debug)]
struct MakerCounters {
    /// The next instance of the op table.
    next_op: usize,
    /// The number of names given out.
    names: u32,
}

/// The generator of one case.
struct KernelMaker {
    rng: SeedRng,
    b: Builder,
    launch: MadeLaunch,
    features: DrawnFeatures,
    budget: RemainingBudget,
    scopes: Vec<BlockScope>,
    phases: Vec<Phase>,
    /// The types of the kernel's memory.
    types: Vec<TypeId>,
    pool: FunctionPool,
    flow: Flow,
    /// The last instruction left the current block.
    gone: bool,
    thread: ThreadValues,
    counters: MakerCounters,
}

impl KernelMaker {
    fn new(seed: u64, budget: KernelBudget) -> KernelMaker {
        let mut rng = SeedRng::new(seed);
        let shape = shape::shape(&mut rng, budget.threads);
        let b = Builder::new("fuzzed", shape.extent.len() as u32, shape.tile.as_deref());
        let barriers = shape.tile.is_some() && rng.percent(75);
        let instances = instances();
        let features = DrawnFeatures {
            barriers,
            may_fail: rng.percent(10),
            may_print: rng.percent(8),
            may_miss: barriers && rng.percent(25),
        };
        // Neighbouring seeds begin at distant rows, so that few seeds cover the whole table.
        let next_op = (seed as usize % instances.len()) * 97 % instances.len();
        KernelMaker {
            rng,
            b,
            launch: MadeLaunch {
                shape,
                memory: LaunchMemory::default(),
                arguments: Vec::new(),
                aliases: vec![Alias::Apart],
            },
            features,
            budget: RemainingBudget { left: i64::from(budget.instructions), most_rounds: 12 },
            scopes: Vec::new(),
            phases: Vec::new(),
            types: Vec::new(),
            pool: FunctionPool::default(),
            flow: Flow::start(barriers, None, false, !barriers),
            gone: false,
            thread: ThreadValues::default(),
            counters: MakerCounters { next_op, names: 0 },
        }
    }

    fn make(mut self) -> FuzzCase {
        self.memory_types();
        let planned = self.plan();
        let whole = self.budget.left;
        self.budget.left = whole / 4;
        if whole > 30 {
            if self.rng.percent(12) {
                self.take_in_library();
            }
            self.make_functions(&planned);
        }
        self.budget.left = whole;
        self.b.begin_entry();
        self.flow = Flow::start(self.features.barriers, None, false, !self.features.barriers);
        self.enter();
        self.prelude(planned);
        // Many dimensions need many instructions at the beginning.
        self.budget.left = self.budget.left.max(whole / 2);
        if self.rng.percent(70) {
            self.exchange_statement();
        }
        self.statements();
        self.ending();
        self.b.end();
        let kernel = self.b.finish();
        let domain = tilewise_ir::launch::Domain::new(self.launch.shape.extent);
        self.launch.aliases.sort_unstable();
        self.launch.aliases.dedup();
        FuzzCase {
            kernel,
            domain,
            memory: self.launch.memory,
            arguments: self.launch.arguments,
            aliases: self.launch.aliases,
        }
    }

    fn enter(&mut self) {
        self.scopes.push(BlockScope::default());
    }

    fn leave(&mut self) {
        self.scopes.pop();
    }

    fn emit(&mut self, kind: InstKind) -> Option<ValueId> {
        self.budget.left -= 1;
        self.b.emit(kind, Pos::NONE)
    }

    /// Emits an instruction with a result.
    fn value_of(&mut self, kind: InstKind) -> ValueId {
        self.budget.left -= 1;
        self.b.value(kind, Pos::NONE)
    }

    fn op(&mut self, op: Op, args: &[ValueId]) -> ValueId {
        self.value_of(InstKind::Op { op, args: args.to_vec() })
    }

    fn i32(&mut self, value: i32) -> ValueId {
        self.b.constant(Const::i32(value))
    }

    fn u32(&mut self, value: u32) -> ValueId {
        self.b.constant(Const::u32(value))
    }

    /// Adds a value to the scope.
    fn know(&mut self, id: ValueId, uniform: bool) {
        let ValueType::Data(data) = self.b.value_type(id) else { return };
        if let Some(scope) = self.scopes.last_mut() {
            scope.values.push(UsableValue { id, data, uniform });
        }
        if self.rng.percent(12) {
            let name = self.name();
            self.b.name(id, &name);
        }
    }

    fn hold(&mut self, held: UsableMemory) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.held.push(held);
        }
    }

    fn name(&mut self) -> String {
        self.counters.names += 1;
        let stem = self.rng.one(["a", "sum", "x", "count", "value", "size", "read"]);
        format!("{stem}{}", self.counters.names)
    }

    /// The root of a place in memory.
    fn root(&self, base: PlaceBase, index: Vec<ValueId>) -> Root {
        match base {
            PlaceBase::View(view, _) => Root::View { view, index },
            PlaceBase::Param(id) => Root::Param(id),
            PlaceBase::Tile(id) => Root::Tile(id),
            PlaceBase::Table(id) => Root::Table(id),
            PlaceBase::Local(id) => Root::Local(id),
            PlaceBase::Ref(i) => Root::Ref(i),
        }
    }
}

impl Flow {
    fn start(level: bool, result: Option<Data>, in_function: bool, may_return: bool) -> Flow {
        Flow { level, depth: 0, targets: Vec::new(), rounds: 1, result, in_function, may_return }
    }
}
