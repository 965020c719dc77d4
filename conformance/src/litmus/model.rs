//! The memory model of `docs/semantics.md` as axioms, and the outcomes that they allow a test.
//!
//! An **execution** of a test gives each read the write that it reads from (*rf*) and orders the
//! writes of each location (*co*, coherence; the initial 0 is first). The enumerator makes every
//! execution, computes its values, and keeps those that break no [`Axiom`].
//!
//! **Happens-before** (*hb*) is one relation for each memory, between accesses to it and the fences
//! and barriers whose flavour covers it: program order; from the accesses before a barrier to those
//! behind it in every thread of the tile; and from a fence to a fence in another thread of the tile,
//! if an atomic write behind the first is read by an atomic before the second, directly or through
//! atomics that change the value on the way, in a memory that both fences cover. An atomic whose
//! result the thread does not use reads nothing in this sense: processors have instructions for it
//! that only write. Fences order nothing between tiles.
//!
//! A plain load that races gives the value of some write, so two of them may see writes in different
//! orders. Two atomic reads may not: every atomic of the language also writes, so this follows from
//! write-write coherence and atomicity. That nothing happens before itself follows from read-write
//! coherence.

use std::collections::BTreeSet;

use tilewise_ir::kernel::Fence;

use super::program::{LitmusMemory, LitmusOutcome, LitmusPlacement, LitmusStep, LitmusTest};

/// A rule of the model. A model without one is a mutant: some test tells it from the whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Axiom {
    /// Of two writes, the one that happens before is the older.
    WriteWrite,
    /// A read does not give a value that was overwritten before the read.
    WriteRead,
    /// A read does not give the value of a write behind it.
    ReadWrite,
    /// No write comes between the read and the write of one atomic.
    Atomicity,
    /// A value does not depend on itself.
    NoThinAir,
    /// Fences order the accesses around them for the other threads of the tile.
    FenceOrder,
    /// Atomics on the way of a value keep the order of the fence behind it.
    Chain,
    /// A barrier orders the accesses before it and those behind it.
    BarrierOrder,
}

impl Axiom {
    /// All of them.
    pub const ALL: [Axiom; 8] = [
        Axiom::WriteWrite,
        Axiom::WriteRead,
        Axiom::ReadWrite,
        Axiom::Atomicity,
        Axiom::NoThinAir,
        Axiom::FenceOrder,
        Axiom::Chain,
        Axiom::BarrierOrder,
    ];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Axiom::WriteWrite => "write-write coherence",
            Axiom::WriteRead => "write-read coherence",
            Axiom::ReadWrite => "read-write coherence",
            Axiom::Atomicity => "atomicity",
            Axiom::NoThinAir => "no thin air",
            Axiom::FenceOrder => "order of fences",
            Axiom::Chain => "chains of atomics",
            Axiom::BarrierOrder => "order of barriers",
        }
    }
}

/// A model: the axioms that hold, and whether all is in one order besides.
#[derive(Clone, Debug)]
pub struct MemoryModel {
    axioms: BTreeSet<Axiom>,
    is_sequential: bool,
}

impl MemoryModel {
    /// The model of the language.
    pub fn whole() -> MemoryModel {
        MemoryModel { axioms: Axiom::ALL.into(), is_sequential: false }
    }

    /// The model without an axiom.
    pub fn without(axiom: Axiom) -> MemoryModel {
        let mut model = MemoryModel::whole();
        model.axioms.remove(&axiom);
        model
    }

    /// No axioms: whatever reads may give at all.
    pub fn empty() -> MemoryModel {
        MemoryModel { axioms: BTreeSet::new(), is_sequential: false }
    }

    /// All accesses in one order, each read the last write: what tests call *strong*.
    pub fn sequential() -> MemoryModel {
        MemoryModel { is_sequential: true, ..MemoryModel::whole() }
    }

    fn has(&self, axiom: Axiom) -> bool {
        self.axioms.contains(&axiom)
    }

    /// The outcomes that it allows.
    pub fn outcomes(&self, test: &LitmusTest) -> BTreeSet<LitmusOutcome> {
        let events = Events::of(test);
        let mut out = BTreeSet::new();
        events.each_execution(&mut |execution| {
            if self.allows(&events, execution) {
                out.insert(events.outcome(test, execution));
            }
        });
        out
    }

    fn allows(&self, events: &Events, execution: &Execution) -> bool {
        let all = &events.list;
        let n = all.len();
        let newer = |a: usize, b: usize| execution.rank[a] < execution.rank[b];
        if self.has(Axiom::Atomicity) {
            // The initial writes have rank 0, and ranks have no gaps.
            let split = |i: usize| execution.rank[i] != execution.rank[execution.from[i]] + 1;
            if (0..n).any(|i| all[i].reads() && all[i].writes() && split(i)) {
                return false;
            }
        }
        if self.has(Axiom::NoThinAir) {
            let edges = (0..n).flat_map(|i| {
                let source = all[i].reads().then_some((execution.from[i], i));
                source.into_iter().chain(all[i].depends_on.map(|from| (from, i)))
            });
            if Relation::of(n, edges).closed().has_cycle() {
                return false;
            }
        }
        if self.is_sequential {
            let program = events.program_order();
            let rf = (0..n).filter(|&i| all[i].reads()).map(|i| (execution.from[i], i));
            let same = |a: usize, b: usize| all[a].location().is_some() && all[a].location() == all[b].location();
            let pairs = || (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|&(a, b)| a != b && same(a, b));
            let co = pairs().filter(|&(a, b)| all[a].writes() && all[b].writes() && newer(a, b));
            let fr = pairs().filter(|&(a, b)| all[a].reads() && all[b].writes() && newer(execution.from[a], b));
            if Relation::of(n, program.chain(rf).chain(co).chain(fr)).closed().has_cycle() {
                return false;
            }
        }
        [LitmusMemory::Global, LitmusMemory::TileStatic].into_iter().all(|memory| {
            let hb = self.happens_before(events, execution, memory);
            self.is_coherent(events, execution, &hb)
        })
    }

    fn is_coherent(&self, events: &Events, execution: &Execution, hb: &Relation) -> bool {
        let all = &events.list;
        let newer = |a: usize, b: usize| execution.rank[a] < execution.rank[b];
        let from = &execution.from;
        let breaks = |a: usize, b: usize| {
            let (first, second) = (&all[a], &all[b]);
            if a == b || first.location().is_none() || first.location() != second.location() || !hb.has(a, b) {
                return false;
            }
            let write_write = first.writes() && second.writes() && newer(b, a);
            let write_read = first.writes() && second.reads() && newer(from[b], a);
            let read_write = first.reads() && from[a] == b;
            self.has(Axiom::WriteWrite) && write_write
                || self.has(Axiom::WriteRead) && write_read
                || self.has(Axiom::ReadWrite) && read_write
        };
        (0..all.len()).all(|a| (0..all.len()).all(|b| !breaks(a, b)))
    }

    /// The relation of one memory, transitively closed.
    fn happens_before(&self, events: &Events, execution: &Execution, memory: LitmusMemory) -> Relation {
        let all = &events.list;
        let n = all.len();
        let covers = |event: &LitmusEvent| match event.kind {
            EventKind::Access { location, .. } => events.locations[location] == memory,
            EventKind::Fence(fence) | EventKind::Barrier(fence, _) => memory.is_ordered_by(fence),
        };
        let of_memory: Vec<usize> = (0..n).filter(|&i| covers(&all[i])).collect();
        let mut hb = Relation::of(n, std::iter::empty());
        let before = |a: usize, b: usize| all[a].thread == all[b].thread && all[a].position < all[b].position;
        for &a in &of_memory {
            for &b in &of_memory {
                // The initial writes come before everything.
                let initial = all[a].thread == INITIAL && all[b].thread != INITIAL;
                if initial || all[a].thread != INITIAL && before(a, b) {
                    hb.add(a, b);
                }
                if self.has(Axiom::BarrierOrder) && events.are_parted_by_a_barrier(a, b, memory) {
                    hb.add(a, b);
                }
            }
        }
        if self.has(Axiom::FenceOrder) && events.placement == LitmusPlacement::OneTile {
            let fences = || of_memory.iter().copied().filter(|&i| matches!(all[i].kind, EventKind::Fence(_)));
            for first in fences() {
                for second in fences().filter(|&second| all[second].thread != all[first].thread) {
                    let EventKind::Fence(flavour) = all[second].kind else { continue };
                    let is_read_before = |read: usize| {
                        let event = &all[read];
                        let is_covered = event.location().is_some_and(|at| events.locations[at].is_ordered_by(flavour));
                        is_covered
                            && event.is_atomic()
                            && event.register.is_some()
                            && before(read, second)
                            && self.is_written_behind(events, execution, first, read)
                    };
                    if (0..n).any(is_read_before) {
                        hb.add(first, second);
                    }
                }
            }
        }
        hb.closed()
    }

    /// Does an atomic read give the value of an atomic write behind a fence, directly or through other
    /// atomics?
    fn is_written_behind(&self, events: &Events, execution: &Execution, fence: usize, read: usize) -> bool {
        let all = &events.list;
        let EventKind::Fence(flavour) = all[fence].kind else { return false };
        let mut write = execution.from[read];
        // As many steps as there are events end every chain, also one that is a circle.
        for _ in 0..all.len() {
            let event = &all[write];
            let is_behind = event.thread == all[fence].thread && event.position > all[fence].position;
            let is_covered = event.location().is_some_and(|at| events.locations[at].is_ordered_by(flavour));
            if is_behind && event.is_atomic() && is_covered {
                return true;
            }
            if !(self.has(Axiom::Chain) && event.reads() && event.is_atomic()) {
                return false;
            }
            write = execution.from[write];
        }
        false
    }
}

/// The thread of the initial writes.
const INITIAL: usize = usize::MAX;

/// What an event does.
#[derive(Clone, Copy, Debug)]
enum EventKind {
    /// Reads, writes, or both.
    Access { location: usize, is_atomic: bool, reads: bool, write: Option<WrittenValue> },
    /// A fence.
    Fence(Fence),
    /// The barrier of this number.
    Barrier(Fence, usize),
}

/// The value of a write.
#[derive(Clone, Copy, Debug)]
enum WrittenValue {
    Known(u32),
    /// What the event reads, and this more.
    Read(u32),
    /// What another event reads.
    Of(usize),
}

/// An access, a fence or a barrier in a thread.
#[derive(Clone, Copy, Debug)]
struct LitmusEvent {
    thread: usize,
    position: usize,
    kind: EventKind,
    register: Option<usize>,
    /// The event whose value it writes.
    depends_on: Option<usize>,
}

impl LitmusEvent {
    fn location(&self) -> Option<usize> {
        match self.kind {
            EventKind::Access { location, .. } => Some(location),
            EventKind::Fence(_) | EventKind::Barrier(..) => None,
        }
    }

    fn reads(&self) -> bool {
        matches!(self.kind, EventKind::Access { reads: true, .. })
    }

    fn writes(&self) -> bool {
        matches!(self.kind, EventKind::Access { write: Some(_), .. })
    }

    fn is_atomic(&self) -> bool {
        matches!(self.kind, EventKind::Access { is_atomic: true, .. })
    }
}

/// The events of a test, the initial writes first.
struct Events {
    list: Vec<LitmusEvent>,
    locations: Vec<LitmusMemory>,
    placement: LitmusPlacement,
}

/// A choice of *rf* and *co*.
#[derive(Clone, Debug)]
struct Execution {
    /// For each read the write that it reads from; of other events nothing.
    from: Vec<usize>,
    /// For each write its place in the order of its location, from 0 for the initial one.
    rank: Vec<usize>,
}

impl Events {
    fn of(test: &LitmusTest) -> Events {
        let mut list = Vec::new();
        for location in 0..test.locations.len() {
            let kind =
                EventKind::Access { location, is_atomic: true, reads: false, write: Some(WrittenValue::Known(0)) };
            list.push(LitmusEvent { thread: INITIAL, position: location, kind, register: None, depends_on: None });
        }
        for (thread, steps) in test.threads.iter().enumerate() {
            let mut barriers = 0;
            for (position, step) in steps.iter().enumerate() {
                let access =
                    |location, is_atomic, reads, write| EventKind::Access { location, is_atomic, reads, write };
                let reader = |from: usize| list.iter().position(|event: &LitmusEvent| event.register == Some(from));
                let mut depends_on = None;
                let (kind, register) = match *step {
                    LitmusStep::Load { location, register } => (access(location, false, true, None), Some(register)),
                    LitmusStep::Store { location, value } => {
                        (access(location, false, false, Some(WrittenValue::Known(value))), None)
                    }
                    LitmusStep::AtomicRead { location, register } => {
                        (access(location, true, true, Some(WrittenValue::Read(0))), Some(register))
                    }
                    LitmusStep::AtomicWrite { location, value } => {
                        (access(location, true, true, Some(WrittenValue::Known(value))), None)
                    }
                    LitmusStep::AtomicCopy { location, from } => {
                        depends_on = reader(from);
                        let write = depends_on.map_or(WrittenValue::Known(0), WrittenValue::Of);
                        (access(location, true, true, Some(write)), None)
                    }
                    LitmusStep::AtomicAdd { location, value, register } => {
                        (access(location, true, true, Some(WrittenValue::Read(value))), Some(register))
                    }
                    LitmusStep::Fence(fence) => (EventKind::Fence(fence), None),
                    LitmusStep::Barrier(fence) => {
                        barriers += 1;
                        (EventKind::Barrier(fence, barriers), None)
                    }
                };
                list.push(LitmusEvent { thread, position, kind, register, depends_on });
            }
        }
        Events { list, locations: test.locations.clone(), placement: test.placement }
    }

    fn program_order(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let n = self.list.len();
        (0..n).flat_map(move |a| (0..n).map(move |b| (a, b))).filter(|&(a, b)| {
            let (a, b) = (&self.list[a], &self.list[b]);
            b.thread != INITIAL && (a.thread == INITIAL || a.thread == b.thread && a.position < b.position)
        })
    }

    /// Is `a` before a barrier that orders this memory, and `b` behind it, in any threads of the tile?
    fn are_parted_by_a_barrier(&self, a: usize, b: usize, memory: LitmusMemory) -> bool {
        let (first, second) = (&self.list[a], &self.list[b]);
        let at = |event: &LitmusEvent, number: usize| {
            let of_thread = self.list.iter().filter(|other| other.thread == event.thread);
            let mut found = of_thread.filter_map(|other| match other.kind {
                EventKind::Barrier(fence, n) if n == number && memory.is_ordered_by(fence) => Some(other.position),
                EventKind::Barrier(..) | EventKind::Fence(_) | EventKind::Access { .. } => None,
            });
            found.next()
        };
        let meets = |number: usize| {
            at(first, number).is_some_and(|place| first.position < place)
                && at(second, number).is_some_and(|place| second.position > place)
        };
        first.thread != INITIAL && second.thread != INITIAL && (1..self.list.len()).any(meets)
    }

    /// Calls `f` with every execution.
    fn each_execution(&self, f: &mut dyn FnMut(&Execution)) {
        let n = self.list.len();
        let mut execution = Execution { from: vec![usize::MAX; n], rank: vec![0; n] };
        self.order_writes(0, &mut execution, f);
    }

    /// Every order of the writes of each location, from this location on.
    fn order_writes(&self, location: usize, execution: &mut Execution, f: &mut dyn FnMut(&Execution)) {
        if location == self.locations.len() {
            return self.choose_sources(0, execution, f);
        }
        let is_written = |&i: &usize| {
            let event = &self.list[i];
            event.thread != INITIAL && event.writes() && event.location() == Some(location)
        };
        let mut writes: Vec<usize> = (0..self.list.len()).filter(is_written).collect();
        permutations(&mut writes, 0, &mut |order| {
            order.iter().enumerate().for_each(|(rank, &write)| execution.rank[write] = rank + 1);
            self.order_writes(location + 1, execution, f);
        });
    }

    /// Every write for each read, from this event on.
    fn choose_sources(&self, event: usize, execution: &mut Execution, f: &mut dyn FnMut(&Execution)) {
        let Some(read) = self.list.get(event) else { return f(execution) };
        if !read.reads() {
            return self.choose_sources(event + 1, execution, f);
        }
        for (write, other) in self.list.iter().enumerate() {
            if write != event && other.writes() && other.location() == read.location() {
                execution.from[event] = write;
                self.choose_sources(event + 1, execution, f);
            }
        }
    }

    fn outcome(&self, test: &LitmusTest, execution: &Execution) -> LitmusOutcome {
        // A value that depends on itself stays unknown, and could be anything.
        const ANYTHING: u32 = 42;
        let n = self.list.len();
        let mut written: Vec<Option<u32>> = vec![None; n];
        for _ in 0..=n {
            for i in 0..n {
                let EventKind::Access { write: Some(write), .. } = self.list[i].kind else { continue };
                let read = |i: usize| written.get(execution.from[i]).copied().flatten();
                written[i] = match write {
                    WrittenValue::Known(value) => Some(value),
                    WrittenValue::Read(more) => read(i).map(|value| value.wrapping_add(more)),
                    WrittenValue::Of(other) => read(other),
                };
            }
        }
        let value = |write: usize| written.get(write).copied().flatten().unwrap_or(ANYTHING);
        let mut registers = vec![0; test.registers];
        for (i, event) in self.list.iter().enumerate() {
            if let Some(register) = event.register {
                registers[register] = value(execution.from[i]);
            }
        }
        let last = |location: usize| {
            let writes = (0..n).filter(|&i| self.list[i].writes() && self.list[i].location() == Some(location));
            writes.max_by_key(|&i| execution.rank[i]).map_or(0, value)
        };
        LitmusOutcome { registers, memory: (0..test.locations.len()).map(last).collect() }
    }
}

fn permutations(items: &mut Vec<usize>, from: usize, f: &mut dyn FnMut(&[usize])) {
    if from == items.len() {
        return f(items);
    }
    for i in from..items.len() {
        items.swap(from, i);
        permutations(items, from + 1, f);
        items.swap(from, i);
    }
}

/// A relation on at most 64 events: for each the set of its successors.
struct Relation(Vec<u64>);

impl Relation {
    fn of(n: usize, edges: impl Iterator<Item = (usize, usize)>) -> Relation {
        let mut relation = Relation(vec![0; n]);
        edges.for_each(|(a, b)| relation.add(a, b));
        relation
    }

    fn add(&mut self, a: usize, b: usize) {
        self.0[a] |= 1 << b;
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.0[a] >> b & 1 == 1
    }

    fn closed(mut self) -> Relation {
        for middle in 0..self.0.len() {
            for a in 0..self.0.len() {
                if self.has(a, middle) {
                    self.0[a] |= self.0[middle];
                }
            }
        }
        self
    }

    fn has_cycle(&self) -> bool {
        (0..self.0.len()).any(|i| self.has(i, i))
    }
}
