//! The costs of a kernel's innermost parts: the bytes that a thread moves, the operations, and the
//! kind of work that takes the most time.
//!
//! A part is the body of an innermost loop, or the whole program if it has none. Only the usual path
//! counts. Times come from a model of a processor that begins two loads, one store, two operations
//! on vectors and four on scalars in each cycle, all at once: the kind of work that takes the most of
//! its own cycles is the limit. The model has no caches. So where a part moves more bytes in a cycle
//! than memory gives, the report also names memory.

use tilewise_ir::ops::{Op, OpFamily};
use tilewise_ir::pos::Pos;

use crate::hash::HashMap;
use crate::lanes::{
    AddressStep, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneInstClass, LaneProgram, LaneType, LaneValue,
    MemorySpace, Node, access,
};

/// Bytes of the longest vector.
const VECTOR: u32 = 64;

/// Bytes that memory gives one core in a cycle.
const FROM_MEMORY: f64 = 4.0;

/// Maximum number of parts in a report.
const MOST_PARTS: usize = 8;

/// The costs of one pass of a part.
#[derive(Clone, PartialEq, Debug)]
pub struct PartCosts {
    /// The first line of the part, and the number of its last.
    pub first: Pos,
    /// See `first`.
    pub last_line: u32,
    /// The threads that a pass executes.
    pub threads: u32,
    /// Bytes of the launch's memory that a pass reads.
    pub loaded: u64,
    /// Bytes of it that a pass writes.
    pub stored: u64,
    /// Operations on vectors.
    pub vector_operations: u32,
    /// Operations on scalars.
    pub scalar_operations: u32,
    /// Quarters of cycles by kind of work, in the order of [`WorkKind::ALL`].
    time: [u32; WorkKind::ALL.len()],
}

/// Kinds of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkKind {
    /// Loads of vectors, and of one element for all lanes.
    Loads,
    /// Stores of vectors.
    Stores,
    /// Accesses of one lane after the other.
    Scalarised,
    /// Quotients, remainders and square roots.
    Divisions,
    /// Other operations on vectors.
    Vectors,
    /// Operations on scalars: addresses and conditions.
    Scalars,
}

impl WorkKind {
    /// All of them.
    pub const ALL: [WorkKind; 6] = [
        WorkKind::Loads,
        WorkKind::Stores,
        WorkKind::Scalarised,
        WorkKind::Divisions,
        WorkKind::Vectors,
        WorkKind::Scalars,
    ];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            WorkKind::Loads => "loads",
            WorkKind::Stores => "stores",
            WorkKind::Scalarised => "scalarised accesses",
            WorkKind::Divisions => "quotients and roots",
            WorkKind::Vectors => "operations on vectors",
            WorkKind::Scalars => "operations on scalars",
        }
    }
}

impl PartCosts {
    /// The kind of work that takes the most time, and its cycles.
    pub fn limit(&self) -> (WorkKind, f64) {
        let (mut limit, mut most) = (WorkKind::Loads, 0);
        for (kind, time) in WorkKind::ALL.into_iter().zip(self.time) {
            if time > most {
                (limit, most) = (kind, time);
            }
        }
        (limit, f64::from(most) / 4.0)
    }

    /// Does memory give fewer bytes in the time of a pass than it moves?
    pub fn exceeds_memory(&self) -> bool {
        (self.loaded + self.stored) as f64 > self.limit().1 * FROM_MEMORY
    }

    /// The costs as a sentence.
    pub(super) fn text(&self) -> String {
        let threads = f64::from(self.threads);
        let bytes = |bytes: u64| {
            let each = bytes as f64 / threads;
            if each.fract() < 0.05 { format!("{each:.0}") } else { format!("{each:.1}") }
        };
        let memory = if self.exceeds_memory() { "memory, within the caches by " } else { "" };
        format!(
            "a thread loads {} bytes and stores {}; {} operations on vectors and {} on scalars for {} thread{}; \
             limited by {memory}{}",
            bytes(self.loaded),
            bytes(self.stored),
            self.vector_operations,
            self.scalar_operations,
            self.threads,
            if self.threads == 1 { "" } else { "s" },
            self.limit().0.name(),
        )
    }
}

/// The costs of a program's innermost parts, in the order of the program.
pub(super) fn costs(program: &LaneProgram) -> Vec<PartCosts> {
    let mut constants = HashMap::default();
    known_numbers(&program.body, &mut constants);
    let mut found = Vec::new();
    if !parts(program, &constants, &program.body, &mut found) {
        found.extend(PartWalk::of(program, &constants, &program.body));
    }
    let mut seen: Vec<PartCosts> = Vec::new();
    for part in found {
        // The same lines again are the rest of a loop, or rows that are executed alone.
        let lines = |part: &PartCosts| (part.first.source, part.first.line, part.last_line);
        if !seen.iter().any(|other| lines(other) == lines(&part)) {
            seen.push(part);
        }
    }
    seen.truncate(MOST_PARTS);
    seen
}

/// Adds the bits of constants and of splats of them.
fn known_numbers(block: &LaneBlock, known: &mut HashMap<LaneValue, u64>) {
    for node in &block.nodes {
        match node {
            Node::Let { value, inst: LaneInst::Const(bits), .. } => _ = known.insert(*value, *bits),
            Node::Let { value, inst: LaneInst::Splat(scalar), .. } => {
                if let Some(&bits) = known.get(scalar) {
                    known.insert(*value, bits);
                }
            }
            Node::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|arm| known_numbers(arm, known)),
            Node::Loop { body, .. } => known_numbers(body, known),
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
}

/// Adds the innermost loops of a block; returns whether there are any loops in it.
fn parts(
    program: &LaneProgram,
    constants: &HashMap<LaneValue, u64>,
    block: &LaneBlock,
    found: &mut Vec<PartCosts>,
) -> bool {
    let mut any = false;
    for node in &block.nodes {
        match node {
            Node::Loop { body, .. } => {
                any = true;
                if !parts(program, constants, body, found) {
                    found.extend(PartWalk::of(program, constants, body));
                }
            }
            Node::If { then, otherwise, likely, .. } => {
                any |= parts(program, constants, then, found);
                if !likely.is_then() {
                    any |= parts(program, constants, otherwise, found);
                }
            }
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
    any
}

struct PartWalk<'p> {
    program: &'p LaneProgram,
    constants: &'p HashMap<LaneValue, u64>,
    costs: PartCosts,
}

impl<'p> PartWalk<'p> {
    /// The costs of a pass of a block; `None` if it has no work of the source.
    fn of(program: &'p LaneProgram, constants: &'p HashMap<LaneValue, u64>, block: &LaneBlock) -> Option<PartCosts> {
        let threads = program.width * program.rows.map_or(1, |rows| rows.count);
        let costs = PartCosts {
            first: Pos::NONE,
            last_line: 0,
            threads,
            loaded: 0,
            stored: 0,
            vector_operations: 0,
            scalar_operations: 0,
            time: [0; WorkKind::ALL.len()],
        };
        let mut walk = PartWalk { program, constants, costs };
        walk.block(block);
        let costs = walk.costs;
        (costs.first.is_known() && (costs.vector_operations > 0 || costs.loaded + costs.stored > 0)).then_some(costs)
    }

    fn block(&mut self, block: &LaneBlock) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, pos } => {
                    self.at(*pos);
                    self.inst(*value, inst);
                }
                Node::Do { effect, pos } => {
                    self.at(*pos);
                    match effect {
                        Effect::Store { at, value, .. } => self.store(at, self.program.ty(*value)),
                        Effect::Copy { to, .. } => self.spend(WorkKind::Scalarised, 16 * self.program.width, to, false),
                        Effect::Clear { .. } | Effect::Prefetch { .. } | Effect::Message { .. } | Effect::Fence => {}
                    }
                }
                Node::If { then, otherwise, likely, .. } => {
                    self.block(then);
                    if !likely.is_then() {
                        self.block(otherwise);
                    }
                }
                Node::Loop { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    fn at(&mut self, pos: Pos) {
        if !pos.is_known() {
            return;
        }
        if !self.costs.first.is_known() {
            (self.costs.first, self.costs.last_line) = (pos, pos.line);
        } else if pos.source == self.costs.first.source {
            if pos.line < self.costs.first.line {
                self.costs.first = pos;
            }
            self.costs.last_line = self.costs.last_line.max(pos.line);
        }
    }

    fn time(&mut self, kind: WorkKind, quarters: u32) {
        let place = WorkKind::ALL.iter().position(|&other| other == kind);
        if let Some(time) = place.and_then(|place| self.costs.time.get_mut(place)) {
            *time = time.saturating_add(quarters);
        }
    }

    /// An access, with the bytes that it moves.
    fn spend(&mut self, kind: WorkKind, quarters: u32, at: &LaneAddress, reads: bool) {
        self.time(kind, quarters);
        // The elements of runs come from memory in whole vectors, before their iterations.
        if matches!(at.space, MemorySpace::Buffer(_)) || self.program.is_of_runs(at) {
            let elements = if at.along == AddressStep::Uniform { 1 } else { self.program.width };
            let bytes = u64::from(at.stored.size()) * u64::from(elements);
            *if reads { &mut self.costs.loaded } else { &mut self.costs.stored } += bytes;
        }
    }

    /// Vectors of a value.
    fn vectors(&self, ty: LaneType) -> u32 {
        let bytes = match ty {
            LaneType::Scalar(_) => return 1,
            LaneType::Lanes(Elem::I64 | Elem::F64) => 8,
            LaneType::Lanes(Elem::Bool | Elem::I32 | Elem::F32) => 4,
        };
        (self.program.width * bytes).div_ceil(VECTOR.min(4 * self.program.width.max(1)))
    }

    fn store(&mut self, at: &LaneAddress, ty: LaneType) {
        let vectors = self.vectors(ty);
        match at.along {
            AddressStep::Uniform => self.spend(WorkKind::Stores, 4, at, false),
            AddressStep::Step(step) if step == i64::from(at.stored.size()) => {
                self.spend(WorkKind::Stores, 4 * vectors, at, false);
            }
            AddressStep::Step(_) | AddressStep::Each(_) => {
                self.spend(WorkKind::Scalarised, 4 * self.program.width, at, false);
            }
        }
    }

    fn inst(&mut self, value: LaneValue, inst: &LaneInst) {
        let ty = self.program.ty(value);
        let vectors = self.vectors(ty);
        match inst.class() {
            LaneInstClass::Read => {
                let Some((at, _)) = access(inst) else { return };
                match at.along {
                    AddressStep::Uniform => self.spend(WorkKind::Loads, 2, at, true),
                    AddressStep::Step(step) if step == i64::from(at.stored.size()) => {
                        self.spend(WorkKind::Loads, 2 * vectors, at, true);
                    }
                    AddressStep::Step(_) | AddressStep::Each(_) => {
                        self.spend(WorkKind::Scalarised, 2 * self.program.width, at, true);
                    }
                }
            }
            LaneInstClass::Atomic => {
                if let Some((at, _)) = access(inst) {
                    let each = if matches!(at.space, MemorySpace::Buffer(_)) { 80 } else { 12 };
                    let times = if inst.is_for_all_lanes() { 1 } else { self.program.width };
                    self.spend(WorkKind::Scalarised, each * times, at, false);
                }
            }
            LaneInstClass::Pure => self.pure(ty, vectors, inst),
        }
    }

    fn pure(&mut self, ty: LaneType, vectors: u32, inst: &LaneInst) {
        match inst {
            LaneInst::Const(_) | LaneInst::Input(_) | LaneInst::Arena(_) | LaneInst::Lane | LaneInst::Splat(_) => {
                return;
            }
            LaneInst::Op { op, args, .. } if ty.is_lanes() && is_long(*op) => {
                let divisor = args.get(1).and_then(|divisor| self.constants.get(divisor));
                match (ty.elem(), divisor) {
                    (Elem::F32, _) => self.time(WorkKind::Divisions, 40 * vectors),
                    (Elem::F64, _) => self.time(WorkKind::Divisions, 64 * vectors),
                    // Shifts of the bits.
                    (Elem::I32 | Elem::I64 | Elem::Bool, Some(bits)) if bits.is_power_of_two() => {
                        self.time(WorkKind::Vectors, 4 * vectors);
                    }
                    // The high half of a product.
                    (Elem::I32 | Elem::Bool, Some(_)) => self.time(WorkKind::Vectors, 16 * vectors),
                    // Quotients of doubles.
                    (Elem::I32 | Elem::Bool, None) => self.time(WorkKind::Divisions, 2 * 64 * vectors),
                    // One lane after the other.
                    (Elem::I64, _) => self.time(WorkKind::Divisions, 24 * self.program.width),
                }
            }
            LaneInst::Op { .. }
            | LaneInst::Whole { .. }
            | LaneInst::Select { .. }
            | LaneInst::FirstLanes(_)
            | LaneInst::Any(_)
            | LaneInst::All(_)
            | LaneInst::LowestLane { .. }
            | LaneInst::ReciprocalRoot(_)
            | LaneInst::Slide { .. } => {
                let (kind, quarters) =
                    if ty.is_lanes() { (WorkKind::Vectors, 2 * vectors) } else { (WorkKind::Scalars, 1) };
                self.time(kind, quarters);
            }
            LaneInst::Load { .. } | LaneInst::Atomic { .. } | LaneInst::CompareExchange { .. } => {}
        }
        if ty.is_lanes() {
            self.costs.vector_operations += 1;
        } else {
            self.costs.scalar_operations += 1;
        }
    }
}

/// Does an operation take many cycles?
fn is_long(op: Op) -> bool {
    op == Op::Sqrt || matches!(op.family(), OpFamily::Division(_))
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use super::*;
    use crate::vectorize::{CodeKey, vectorize};

    fn parts_of(params: &str, body: &str) -> Vec<PartCosts> {
        let text = format!("kernel k({params}) rank(1) {{\nlet i = global[0];\n{body}\n}}");
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let key = CodeKey::apart(16, kernel.inlined().params().len());
        costs(&vectorize(&kernel, &key).unwrap_or_else(|why| panic!("{}", why.0)))
    }

    #[test]
    fn each_kind_of_work_can_be_the_limit() {
        let two = "a: view<f32, 1, read>, b: view<f32, 1, read_write>";
        for (body, limit, memory) in [
            ("b[i] = a[i] + a[i + 1] + a[i + 2] + a[i + 3];", WorkKind::Loads, true),
            ("b[i] = 1.0;", WorkKind::Stores, true),
            ("b[i] = a[(i * 77) & 1023];", WorkKind::Scalarised, true),
            ("b[i] = 1.0 / sqrt(a[i]);", WorkKind::Divisions, true),
            ("var x: f32 = a[i]; repeat", WorkKind::Vectors, false),
        ] {
            let square = "x = x * x + 1.5; ".repeat(40);
            let body = body.replace("repeat", &format!("{square}b[i] = x;"));
            let parts = parts_of(two, &body);
            assert_eq!(parts.len(), 1, "{body}");
            assert_eq!((parts[0].limit().0, parts[0].exceeds_memory()), (limit, memory), "{body}: {}", parts[0].text());
        }
    }

    #[test]
    fn a_quotient_of_integers_by_a_constant_takes_no_division() {
        let two = "a: view<u32, 1, read>, b: view<u32, 1, read_write>";
        for (quotient, divides) in [("/ 4u32", false), ("% 16u32", false), ("/ 10u32", false), ("/ a[i + 1]", true)] {
            let parts = parts_of(two, &format!("b[i] = a[i] {quotient};"));
            assert_eq!(parts[0].limit().0 == WorkKind::Divisions, divides, "{quotient}: {}", parts[0].text());
        }
    }

    #[test]
    fn bytes_are_those_of_a_thread_and_loops_have_parts_of_their_own() {
        let parts = parts_of(
            "a: view<f64, 1, read>, b: view<f64, 1, read_write>, n: i32",
            "var s: f64 = 0.0f64;\nvar k: i32 = 0;\nwhile k < n {\ns = s + a[k];\nk = k + 1;\n}\nb[i] = s;",
        );
        assert_eq!(parts.len(), 1);
        // One element for 16 threads.
        assert_eq!((parts[0].loaded, parts[0].stored, parts[0].threads), (8, 0, 16));
        assert_eq!((parts[0].first.line, parts[0].last_line), (6, 7));
        assert!(
            parts[0].text().starts_with("a thread loads 0.5 bytes and stores 0; 0 operations"),
            "{}",
            parts[0].text()
        );
    }
}
