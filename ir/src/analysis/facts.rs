//! All facts about a kernel that compilers use: for each value its [shape](super::shape) and its
//! [range](super::range); for each instruction whether all threads of a tile reach it together, and
//! the facts about its indices there; and the [uniformity](super::uniformity) on which the barrier
//! rules depend.
//!
//! One traversal, that of [`uniformity`](super::uniformity), computes all of them, since they
//! depend on each other: a range may decide a condition, the condition decides which threads are
//! active, and that decides the contents of a variable. `docs/analysis.md` describes how a target
//! uses the facts.

use super::range::IntegerRange;
use super::shape::LaneShape;
use super::uniformity::{TileAgreement, Uniformity, run};
use crate::bytes::decode;
use crate::kernel::{Block, Const, Inst, InstClass, InstId, InstKind, Kernel, ParamId, ParamKind, ValueDef, ValueId};
use crate::launch::Argument;
use crate::stack::with_levels;
use crate::types::Type;

/// The facts about one component of a value, or about a view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueFact {
    /// How it changes from thread to thread.
    pub shape: LaneShape,
    /// Bounds of an integer or a `bool`; `None` for floats and views.
    pub range: Option<IntegerRange>,
}

impl ValueFact {
    /// No claim.
    pub const NOTHING: ValueFact = ValueFact { shape: LaneShape::Varying, range: None };

    /// The join over all components.
    pub(super) fn of_all(parts: &[ValueFact]) -> ValueFact {
        let join = |a: ValueFact, b: ValueFact| ValueFact {
            shape: a.shape.join(b.shape),
            range: a.range.and_then(|range| Some(range.join(b.range?))),
        };
        parts.iter().copied().reduce(join).unwrap_or(ValueFact::NOTHING)
    }
}

/// A launch parameter that is known to exceed an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IndexBound {
    /// A captured integer.
    Param(ParamId),
    /// An extent of a captured view.
    Extent(ParamId, u32),
}

impl IndexBound {
    /// Its number in a launch with these arguments, if they fit the kernel.
    pub fn number(self, kernel: &Kernel, arguments: &[Argument]) -> Option<i128> {
        match self {
            IndexBound::Param(param) => {
                let ParamKind::Uniform(ty) = kernel.params().get(param.index())?.kind else { return None };
                let Type::Scalar(stored) = *kernel.types().get(ty) else { return None };
                let Argument::Uniform(bytes) = arguments.get(param.index())? else { return None };
                Const { scalar: stored.value(), bits: decode(bytes, stored) }.integer()
            }
            IndexBound::Extent(view, dimension) => {
                let Argument::View(view) = arguments.get(view.index())? else { return None };
                view.extent.get(dimension as usize).copied().map(i128::from)
            }
        }
    }
}

/// The facts at an instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct InstFact {
    /// Whether any thread may reach the instruction.
    pub reached: bool,
    /// Whether all threads of the tile reach it together (uniform), or that depends on their
    /// indices or on data. Threads ended by `abort` or `error` count as if they continued.
    pub control: TileAgreement,
    /// Whether all threads of a row reach it together.
    pub row_together: bool,
    /// The values in the instruction's places, in text order (see
    /// [`Place::place_values`](crate::kernel::Place::place_values)), as they are *here*: inside `if
    /// i < n` the range of `i` is smaller than at its definition.
    pub places: Vec<ValueFact>,
    /// For each of those values, the launch parameters that exceed it *here*, because of conditions
    /// that compared them. A negative `i32` is below many of them.
    pub below: Vec<Vec<IndexBound>>,
}

impl Default for InstFact {
    fn default() -> InstFact {
        InstFact {
            reached: false,
            control: TileAgreement::Uniform,
            row_together: true,
            places: Vec::new(),
            below: Vec::new(),
        }
    }
}

/// The facts about an inlined kernel's entry.
#[derive(Clone, Debug)]
pub struct KernelFacts {
    pub(super) values: Vec<Vec<ValueFact>>,
    /// Indexed by the id of the instruction.
    pub(super) insts: Vec<InstFact>,
    pub(super) uniformity: Uniformity,
}

impl KernelFacts {
    /// Analyses a kernel. It must be inlined and obey the rules; the facts about any other kernel
    /// are meaningless.
    pub fn of(kernel: &Kernel) -> KernelFacts {
        KernelFacts::knowing(kernel, &[])
    }

    /// Like `of`, for launches whose captured integers lie within these ranges, indexed by
    /// parameter.
    pub fn knowing(kernel: &Kernel, params: &[Option<IntegerRange>]) -> KernelFacts {
        with_levels(kernel.levels(), || run(kernel, params))
    }

    /// The facts about each component of a value, at its definition.
    pub fn parts(&self, value: ValueId) -> &[ValueFact] {
        self.values.get(value.index()).map_or(&[], Vec::as_slice)
    }

    /// The facts about a value, joined over all components.
    pub fn value(&self, value: ValueId) -> ValueFact {
        ValueFact::of_all(self.parts(value))
    }

    /// The facts at an instruction of the entry; `None` for an id out of range.
    pub fn inst(&self, inst: InstId) -> Option<&InstFact> {
        self.insts.get(inst.index())
    }

    /// What the threads of a tile agree on.
    pub fn uniformity(&self) -> &Uniformity {
        &self.uniformity
    }

    /// The facts about the entry of `kernel` as text: a line for each named value, construct and
    /// access to memory by index. `kernel` must be the kernel that was analysed.
    pub fn show(&self, kernel: &Kernel) -> String {
        let mut show = ShowFacts { facts: self, kernel, out: String::new() };
        if self.uniformity.gave_up() {
            show.out += "gave up\n";
        }
        with_levels(kernel.levels(), || show.block(kernel.entry().body(), 0));
        show.out
    }
}

struct ShowFacts<'a> {
    facts: &'a KernelFacts,
    kernel: &'a Kernel,
    out: String,
}

impl ShowFacts<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        self.out += &"    ".repeat(depth);
        self.out += text;
        self.out.push('\n');
    }

    fn block(&mut self, block: &Block, depth: usize) {
        for inst in &block.insts {
            let fact = self.facts.inst(inst.id).cloned().unwrap_or_default();
            self.inst(inst, &fact, depth);
            inst.kind.each_block(&mut |block| self.block(block, depth + 1));
        }
    }

    fn inst(&mut self, inst: &Inst, fact: &InstFact, depth: usize) {
        let entry = self.kernel.entry();
        let together = match (fact.reached, fact.control, fact.row_together) {
            (false, ..) => "nobody",
            (_, TileAgreement::Uniform, _) => "tile",
            (_, _, true) => "rows",
            _ => "some",
        };
        let (word, access) = match shown(&inst.kind) {
            Shown::Construct(word) => (word, false),
            Shown::Access(word) => (word, true),
            Shown::Nothing => ("", false),
        };
        let mut indices = Vec::new();
        inst.kind.places(&mut |place| place.place_values(&mut |&value| indices.push(value)));
        let data =
            |value: &ValueId| self.facts.value(*value).range.is_some() || entry.value(*value).ty.data().is_some();
        let shown: Vec<String> = indices
            .iter()
            .zip(&fact.places)
            .filter(|(value, _)| data(value) && !matches!(entry.value(**value).def, ValueDef::Const(_)))
            .map(|(_, fact)| text(fact))
            .collect();
        let below = self.below(fact);
        if access && !shown.is_empty() {
            self.line(depth, &format!("{word} [{}]{below} by {together}", shown.join("; ")));
        } else if !access && !word.is_empty() {
            self.line(depth, &format!("{word} by {together}"));
        }
        for value in inst.results() {
            if let Some(name) = &entry.value(value).name {
                let parts: Vec<String> = self.facts.parts(value).iter().map(text).collect();
                let same = parts.iter().all(|part| Some(part) == parts.first());
                let shown = if same { parts.first().cloned().unwrap_or_default() } else { parts.join("; ") };
                self.line(depth, &format!("let {name}: {shown}"));
            }
        }
    }
}

impl ShowFacts<'_> {
    /// What indices are below: ` below n, v.extent[0]`.
    fn below(&self, fact: &InstFact) -> String {
        let name = |param: ParamId| &self.kernel.params()[param.index()].name;
        let bounds = fact.below.iter().flatten().map(|bound| match *bound {
            IndexBound::Param(param) => name(param).to_string(),
            IndexBound::Extent(view, dimension) => format!("extent({}, {dimension})", name(view)),
        });
        let bounds: Vec<String> = bounds.collect();
        if bounds.is_empty() { String::new() } else { format!(" below {}", bounds.join(", ")) }
    }
}

/// The line that an instruction gets in [`KernelFacts::show`].
enum Shown {
    /// A construct, or a point where threads meet.
    Construct(&'static str),
    /// An access to memory, with its indices.
    Access(&'static str),
    /// No line, but for the values it defines.
    Nothing,
}

fn shown(kind: &InstKind) -> Shown {
    match kind.class() {
        InstClass::Structured => {
            kind.construct().map_or(Shown::Nothing, |construct| Shown::Construct(construct.name()))
        }
        InstClass::Synchronize if kind.barrier().is_some() => Shown::Construct("barrier"),
        InstClass::Read => Shown::Access("load"),
        InstClass::Write if matches!(kind, InstKind::Store { .. }) => Shown::Access("store"),
        InstClass::Atomic => Shown::Access("atomic"),
        InstClass::Compute
        | InstClass::Query
        | InstClass::MakeView
        | InstClass::Write
        | InstClass::Declare
        | InstClass::Synchronize
        | InstClass::Output
        | InstClass::Stop
        | InstClass::Call
        | InstClass::Jump => Shown::Nothing,
    }
}

/// Limits of types are shown by name.
fn text(fact: &ValueFact) -> String {
    let number = |n: i128| match n {
        _ if n == i128::from(i32::MAX) => "i32::MAX".to_owned(),
        _ if n == i128::from(i32::MIN) => "i32::MIN".to_owned(),
        _ if n == i128::from(u32::MAX) => "u32::MAX".to_owned(),
        _ if n == i128::from(i64::MAX) => "i64::MAX".to_owned(),
        _ if n == i128::from(i64::MIN) => "i64::MIN".to_owned(),
        _ if n == i128::from(u64::MAX) => "u64::MAX".to_owned(),
        n => n.to_string(),
    };
    match fact.range {
        Some(IntegerRange { lo, hi }) if lo == hi => format!("{} {}", fact.shape, number(lo)),
        Some(IntegerRange { lo, hi }) => format!("{}, {} to {}", fact.shape, number(lo), number(hi)),
        None => fact.shape.to_string(),
    }
}
