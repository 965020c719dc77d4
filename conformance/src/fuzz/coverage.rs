//! Counts the features that were generated *and executed*.
//!
//! An instruction counts as executed if some thread reached the counter before it in an
//! instrumented copy of the kernel, which the interpreter runs. [`replay`] puts a counter before
//! the first instruction of each block and after each instruction that may not fall through. So
//! an instruction in a branch that no thread takes, or after a `break` that every thread takes,
//! does not count.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use tilewise_interp::{self as interp, Options};
use tilewise_ir::analysis::uniformity::{TileAgreement, Uniformity};
use tilewise_ir::build::Builder;
use tilewise_ir::check::check;
use tilewise_ir::kernel::{
    AtomicOp, Block, Const, Function, InstClass, InstKind, Kernel, ParamKind, Place, Root, ValueId,
};
use tilewise_ir::launch::{Argument, Arrival, Ending, ViewArgument};
use tilewise_ir::pos::Pos;
use tilewise_ir::text::library;
use tilewise_ir::types::{Access, Data, Scalar, Stored, ValueType, ViewType};

use super::case::{Alias, FuzzCase};
use super::kinds::{INSTRUCTIONS, kind_name};
use super::make;
use super::replay::{KernelEdit, blocks, replay};

/// The subject of a count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subject {
    /// A row of the op table at a scalar.
    Op,
    /// A kind of instruction.
    Instruction,
    /// A construct directly inside another.
    Nesting,
    /// A barrier by its flavour, and by how many constructs it stands in.
    Barrier,
    /// A load or store by the root of its place and the stored format.
    Access,
    /// An atomic by its scalar and the root of its place.
    Atomic,
    /// A builtin: what a thread queries about itself.
    Builtin,
    /// How parameters share memory.
    Alias,
    /// Shape of domain and tile.
    Domain,
    /// A call of a library's function.
    Library,
    /// How the launch ended.
    Ending,
}

impl Subject {
    /// All of them.
    pub const ALL: [Subject; 11] = [
        Subject::Op,
        Subject::Instruction,
        Subject::Nesting,
        Subject::Barrier,
        Subject::Access,
        Subject::Atomic,
        Subject::Builtin,
        Subject::Alias,
        Subject::Domain,
        Subject::Library,
        Subject::Ending,
    ];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Subject::Op => "operation",
            Subject::Instruction => "instruction",
            Subject::Nesting => "construct in construct",
            Subject::Barrier => "barrier",
            Subject::Access => "access",
            Subject::Atomic => "atomic",
            Subject::Builtin => "built-in",
            Subject::Alias => "alias class",
            Subject::Domain => "domain",
            Subject::Library => "library function",
            Subject::Ending => "ending",
        }
    }
}

/// Counts of executed features; it has an entry for every possible one from the start, with a count
/// of zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    counts: BTreeMap<(Subject, String), u64>,
}

impl Default for Coverage {
    fn default() -> Coverage {
        Coverage::new()
    }
}

const CONSTRUCTS: [&str; 9] =
    ["if", "if value", "while", "loop", "loop break-if", "switch", "scope", "scope value", "function"];
const DEEPEST: usize = 4;
const ENDINGS: [&str; 7] = [
    "completed",
    "failed by error",
    "failed by abort",
    "diverged",
    "diverged, some returned",
    "diverged in a loop",
    "diverged three ways",
];

impl Coverage {
    /// Counts of zero.
    pub fn new() -> Coverage {
        let mut counts = BTreeMap::new();
        let mut zero = |subject: Subject, key: String| {
            counts.insert((subject, key), 0);
        };
        for (op, scalar) in make::instances() {
            zero(Subject::Op, op_key(op.name(), op.row().class.is_empty(), scalar));
        }
        for name in INSTRUCTIONS {
            zero(Subject::Instruction, (*name).to_owned());
        }
        for outer in CONSTRUCTS {
            for inner in &CONSTRUCTS[..8] {
                zero(Subject::Nesting, format!("{inner} in {outer}"));
            }
        }
        for flavour in tilewise_ir::kernel::Fence::ALL {
            zero(Subject::Barrier, flavour.name().to_owned());
        }
        for class in [TileAgreement::Uniform, TileAgreement::Unproven] {
            zero(Subject::Barrier, format!("judged {}", class.name()));
        }
        for depth in 0..=DEEPEST {
            zero(Subject::Barrier, format!("depth {depth}"));
        }
        for place in ["view", "buffer", "uniform", "table", "tile_static", "local", "ref"] {
            let hosted = !matches!(place, "tile_static" | "local" | "ref");
            for stored in Stored::ALL.into_iter().filter(|&stored| !hosted || stored != Stored::Bool) {
                zero(Subject::Access, format!("load {stored} {place}"));
                if !matches!(place, "uniform" | "table") {
                    zero(Subject::Access, format!("store {stored} {place}"));
                }
            }
        }
        for place in ["view", "tile_static"] {
            for scalar in Scalar::ALL {
                for op in AtomicOp::ALL.into_iter().filter(|op| op.accepts(scalar)) {
                    zero(Subject::Atomic, format!("{} {scalar} {place}", op.name()));
                }
                if scalar.is_integer() {
                    zero(Subject::Atomic, format!("atomic_compare_exchange {scalar} {place}"));
                }
            }
        }
        for (name, _) in tilewise_ir::kernel::Builtin::KINDS {
            zero(Subject::Builtin, name.to_owned());
        }
        for alias in Alias::ALL {
            zero(Subject::Alias, alias.name().to_owned());
        }
        for rank in 1..=5 {
            zero(Subject::Domain, format!("rank {rank}"));
            if rank <= 3 {
                zero(Subject::Domain, format!("rank {rank} tiled"));
            }
        }
        for key in
            ["one thread", "extent of 1", "odd tile", "large tile", "one tile", "several tiles", "rank 6 and more"]
        {
            zero(Subject::Domain, key.to_owned());
        }
        for path in library::functions() {
            zero(Subject::Library, counted_as(path).to_owned());
        }
        for key in ENDINGS {
            zero(Subject::Ending, key.to_owned());
        }
        Coverage { counts }
    }

    /// Counts the features that a launch of the case executes. False if the instrumented copy could
    /// not be run.
    pub fn add(&mut self, case: &FuzzCase) -> bool {
        let Some((executed, ending)) = executed(case) else { return false };
        self.count_ending(&ending);
        if let Ok(checked) = check(case.kernel.clone()) {
            // This counts verdicts of the checker, not executions: barriers that it cannot prove
            // are checked at run time.
            for barrier in Uniformity::of(checked.inlined()).barriers() {
                self.count(Subject::Barrier, format!("judged {}", barrier.class.name()));
            }
        }
        for alias in &case.aliases {
            self.count(Subject::Alias, alias.name().to_owned());
        }
        self.count_domain(case);
        let mut walk = CoverageWalk { coverage: self, kernel: &case.kernel, executed: &executed, number: 0 };
        for function in case.kernel.functions() {
            walk.block(function, function.body(), &mut vec!["function"]);
        }
        walk.block(case.kernel.entry(), case.kernel.entry().body(), &mut Vec::new());
        true
    }

    /// Adds the counts of another.
    pub fn merge(&mut self, other: &Coverage) {
        for (key, count) in &other.counts {
            *self.counts.entry(key.clone()).or_default() += count;
        }
    }

    /// All counts.
    pub fn counts(&self) -> impl Iterator<Item = (Subject, &str, u64)> {
        self.counts.iter().map(|((subject, key), &count)| (*subject, key.as_str(), count))
    }

    /// The features that could be executed and never were.
    pub fn missing(&self) -> Vec<(Subject, &str)> {
        self.counts().filter(|&(.., count)| count == 0).map(|(subject, key, _)| (subject, key)).collect()
    }

    fn count(&mut self, subject: Subject, key: String) {
        *self.counts.entry((subject, key)).or_default() += 1;
    }

    fn count_ending(&mut self, ending: &Ending) {
        let mut count = |key: &str| self.count(Subject::Ending, key.to_owned());
        match ending {
            Ending::Completed => count("completed"),
            Ending::Failed { message: Some(_), .. } => count("failed by error"),
            Ending::Failed { message: None, .. } => count("failed by abort"),
            Ending::BarrierDivergence(divergence) => {
                count("diverged");
                let in_loop = |did: &Arrival| matches!(did, Arrival::Barrier { rounds } if !rounds.is_empty());
                if divergence.sides.iter().any(|side| side.did == Arrival::Returned) {
                    count("diverged, some returned");
                }
                if divergence.sides.iter().any(|side| in_loop(&side.did)) {
                    count("diverged in a loop");
                }
                if divergence.sides.len() > 2 {
                    count("diverged three ways");
                }
            }
            Ending::OutOfFuel { .. } | Ending::Interrupted | Ending::Stopped | Ending::OutOfMemory { .. } => {}
        }
    }

    fn count_domain(&mut self, case: &FuzzCase) {
        let extent = &case.domain.extent;
        match case.kernel.tile() {
            Some(tile) => {
                self.count(Subject::Domain, format!("rank {} tiled", extent.len()));
                if tile.iter().any(|t| t % 2 == 1 && *t > 1) {
                    self.count(Subject::Domain, "odd tile".to_owned());
                }
                if tile.iter().product::<u32>() > 256 {
                    self.count(Subject::Domain, "large tile".to_owned());
                }
                let one = extent.iter().zip(tile).all(|(&e, &t)| e as u32 == t);
                self.count(Subject::Domain, if one { "one tile" } else { "several tiles" }.to_owned());
            }
            None if extent.len() > 5 => self.count(Subject::Domain, "rank 6 and more".to_owned()),
            None => self.count(Subject::Domain, format!("rank {}", extent.len())),
        }
        if extent.contains(&1) {
            self.count(Subject::Domain, "extent of 1".to_owned());
        }
        if case.domain.threads() == 1 {
            self.count(Subject::Domain, "one thread".to_owned());
        }
    }
}

fn op_key(name: &str, alone: bool, scalar: Scalar) -> String {
    if alone { name.to_owned() } else { format!("{name} {scalar}") }
}

/// Counts the instructions of a kernel that were executed.
struct CoverageWalk<'a> {
    coverage: &'a mut Coverage,
    kernel: &'a Kernel,
    /// For each instruction: was it executed?
    executed: &'a HashMap<usize, bool>,
    number: usize,
}

impl CoverageWalk<'_> {
    fn block(&mut self, function: &Function, block: &Block, around: &mut Vec<&'static str>) {
        let mut reached = false;
        for inst in &block.insts {
            reached = self.executed.get(&self.number).copied().unwrap_or(reached);
            self.number += 1;
            let name = kind_name(&inst.kind, inst.result.is_some());
            if reached {
                self.inst(function, &inst.kind, name, around);
            }
            let inside = blocks(&inst.kind);
            if !inside.is_empty() {
                around.push(name);
                for block in inside {
                    self.block(function, block, around);
                }
                around.pop();
            }
        }
    }

    fn inst(&mut self, function: &Function, kind: &InstKind, name: &'static str, around: &[&'static str]) {
        let context = self.kernel.context(function);
        let access = |verb: &str, place: &Place| {
            let stored = context.place(place).and_then(|place| context.stored(place))?;
            Some(format!("{verb} {stored} {}", self.root(place)))
        };
        let mut found: Vec<(Subject, Option<String>)> = vec![(Subject::Instruction, Some(name.to_owned()))];
        if !blocks(kind).is_empty()
            && let Some(outer) = around.last()
        {
            found.push((Subject::Nesting, Some(format!("{name} in {outer}"))));
        }
        match kind.class() {
            InstClass::Compute => {
                if let InstKind::Op { op, args } = kind {
                    let args: Option<Vec<Data>> = args.iter().map(|&arg| context.data(arg)).collect();
                    let instance = args.and_then(|args| op.resolve(&args).ok());
                    let alone = op.row().class.is_empty();
                    found.push((Subject::Op, instance.map(|instance| op_key(op.name(), alone, instance.scalar))));
                }
            }
            InstClass::Read => {
                found.push((Subject::Access, kind.read_place().and_then(|place| access("load", place))));
            }
            InstClass::Write => {
                if let InstKind::Store { place, .. } = kind {
                    found.push((Subject::Access, access("store", place)));
                }
            }
            InstClass::Atomic => {
                let named = kind.atomic_name().zip(kind.atomic_place());
                found.push((Subject::Atomic, named.and_then(|(name, place)| access(name, place))));
            }
            InstClass::Synchronize => {
                if let Some(flavour) = kind.barrier() {
                    found.push((Subject::Barrier, Some(flavour.name().to_owned())));
                    found.push((Subject::Barrier, Some(format!("depth {}", around.len().min(DEEPEST)))));
                }
            }
            InstClass::Call => {
                if let InstKind::Call { function, .. } = kind {
                    let name = self.kernel.functions()[function.index()].name();
                    if library::functions().any(|path| path == name) {
                        found.push((Subject::Library, Some(counted_as(name).to_owned())));
                    }
                }
            }
            InstClass::Query => {
                if let InstKind::Builtin(builtin) = kind {
                    found.push((Subject::Builtin, Some(builtin.name().to_owned())));
                }
            }
            // The executions of these are counted by kind alone.
            InstClass::MakeView
            | InstClass::Declare
            | InstClass::Output
            | InstClass::Stop
            | InstClass::Structured
            | InstClass::Jump => {}
        }
        for (subject, key) in found {
            if let Some(key) = key {
                self.coverage.count(subject, key);
            }
        }
    }

    fn root(&self, place: &Place) -> &'static str {
        match place.root {
            Root::View { .. } => "view",
            Root::Param(id) => match self.kernel.params()[id.index()].kind {
                ParamKind::Buffer { .. } => "buffer",
                _ => "uniform",
            },
            Root::Tile(_) => "tile_static",
            Root::Table(_) => "table",
            Root::Local(_) => "local",
            Root::Ref(_) => "ref",
        }
    }
}

/// Inserts the counters.
struct Probe {
    /// The number of the instruction after each counter.
    points: Vec<usize>,
}

impl KernelEdit for Probe {
    fn declare(&mut self, builder: &mut Builder) -> Option<ValueType> {
        let element = builder.types().scalar(Stored::U32);
        let view = ViewType { element, rank: 1, access: Access::ReadWrite };
        builder.param("probe", ParamKind::View(view), Pos::NONE);
        Some(ValueType::View(view))
    }

    fn point(&mut self, builder: &mut Builder, next: usize, extra: ValueId) {
        let index = builder.constant(Const::u32(self.points.len() as u32));
        let one = builder.constant(Const::u32(1));
        self.points.push(next);
        let place = Place { root: Root::View { view: extra, index: vec![index] }, path: Vec::new() };
        builder.emit(InstKind::Atomic { op: AtomicOp::Or, place, value: Some(one) }, Pos::NONE);
    }
}

/// For each instruction after a counter, whether it was reached, and the ending of the launch;
/// `None` if the instrumented copy cannot run.
fn executed(case: &FuzzCase) -> Option<(HashMap<usize, bool>, Ending)> {
    let mut probe = Probe { points: Vec::new() };
    let kernel = check(replay(&case.kernel, &mut probe)).ok()?;
    let mut memory = case.memory.clone();
    memory.allocations.push(vec![0; probe.points.len() * 4]);
    let mut arguments = case.arguments.clone();
    let view = ViewArgument::dense(memory.allocations.len() - 1, &[probe.points.len() as i32]);
    arguments.push(Argument::View(view));
    let options = Options { fuel: Some(super::LIMIT.fuel * 2), ..Options::default() };
    let outcome = interp::run(&kernel, &case.domain, &mut memory, &arguments, &options).ok()?;
    let counters = memory.allocations.pop()?;
    let reached = counters.chunks_exact(4).map(|bytes| bytes != [0; 4]);
    Some((probe.points.into_iter().zip(reached).collect(), outcome.ending))
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for subject in Subject::ALL {
            let all: Vec<(&str, u64)> =
                self.counts().filter(|(of, ..)| *of == subject).map(|(_, key, count)| (key, count)).collect();
            let met = all.iter().filter(|(_, count)| *count > 0).count();
            let least = all.iter().filter(|(_, count)| *count > 0).min_by_key(|(_, count)| *count);
            write!(f, "{:24} {met:4} of {:4}", subject.name(), all.len())?;
            if let Some((key, count)) = least {
                write!(f, "   least often: {key} ({count})")?;
            }
            writeln!(f)?;
            let never: Vec<&str> = all.iter().filter(|(_, count)| *count == 0).map(|(key, _)| *key).collect();
            if !never.is_empty() {
                writeln!(f, "    never: {}", never.join(", "))?;
            }
        }
        Ok(())
    }
}

/// What a function of a library is counted as: those of `precise_math` together, as they are many
/// and consist of the same operations.
fn counted_as(path: &str) -> &str {
    if path.starts_with("precise_math::") { "precise_math" } else { path }
}
