//! Proofs that the threads of a tile part before a barrier.
//!
//! [`uniformity`](super::uniformity) says which conditions depend on the thread's index. That alone
//! makes no kernel wrong: `if global[0] < n` is the same for a whole tile where `n` is a multiple
//! of the tile's size, and a loop that threads leave in different rounds may hold a barrier that
//! only its first rounds reach. Such kernels run, and the threads vote. This module finds the
//! barriers that *cannot* be reached together: it names two threads of one tile and shows that one
//! arrives where the other does not.
//!
//! A proof holds for every launch in which a thread comes to the barrier: then the launch ends by
//! divergence.
//!
//! # Method
//! A few threads of a tile are executed here, one after the other ([`ProofThread`]), with what the
//! kernel itself determines: constants and the thread's index. All else is **unknown**: captured
//! values, memory, extents. An operation with an unknown operand gives an unknown result. A value
//! is **shared** if all threads of the tile have the same.
//!
//! At a condition that is unknown:
//! - A construct that holds neither a barrier nor an exit is skipped; the variables that it sets
//!   are unknown afterwards.
//! - If the condition is shared, a thread goes towards the barrier whose proof is sought: into the
//!   arm that holds it, past exits, past the `a` of `a && b`. In a launch that goes elsewhere there,
//!   no thread comes to the barrier this time.
//! - Otherwise nothing more is known of the thread.
//!
//! A thread leaves a [`ThreadTrace`]: its arrivals at barriers, each with the rounds of the loops
//! around it, and how far it has come. Two traces are a proof if one thread's next arrival is one
//! that the other thread has certainly missed. A thread that fails counts as arrived everywhere, so
//! its trace proves nothing.
//!
//! # Loops around the barrier
//! A launch may go past the barrier in one round and come to it in a later one. So there are two
//! ways to execute such loops ([`ProofRounds`]):
//! - In an **arbitrary round**: what the loop sets is unknown at its beginning, and one round is
//!   executed. What is shown holds in each round.
//! - **From the first round**, with what is known of it. Then a thread must not be led towards the
//!   barrier by an unknown condition within a loop, where other launches may go past: only by the
//!   condition of the outermost loop itself.
//!
//! # Tiles
//! Everything is tried for any tile, its position unknown, and for the first tile of the domain,
//! which every launch has; there only what is the same in the whole launch counts as shared. The
//! work for a barrier is limited, and that for all barriers of a kernel; without a proof the threads
//! vote.

mod thread;
mod trace;

use std::collections::{HashMap, HashSet};

use crate::analysis::finite::assigned_local;
use crate::analysis::uniformity::Uniformity;
use crate::kernel::{Block, Construct, Inst, InstClass, InstId, Jump, Kernel, LabelId, LocalId, ValueDef, ValueId};
use crate::stack::with_levels;
use crate::types::Scalar;
use thread::{ProofMemory, ProofRounds, ProofThread, ProofTile};
use trace::ThreadTrace;

/// Instructions executed for one barrier and one tile, over all threads.
const MAX_STEPS: u32 = 200_000;

/// Instructions executed for one thread; then nothing more is known of it.
const MAX_THREAD_STEPS: u32 = 10_000;

/// Instructions executed for all barriers of a kernel: some hundred milliseconds.
const MAX_ALL_STEPS: u32 = 8_000_000;

/// Two threads of one tile that part before a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DivergenceProof {
    /// The position in the tile of a thread that arrives, in three dimensions.
    pub arrives: [u32; 3],
    /// The position of one that does not.
    pub misses: [u32; 3],
    /// What the other thread does.
    pub instead: MissedBy,
    /// Whether it is shown for the first tile of the domain only.
    pub in_first_tile: bool,
}

/// What a thread does in place of arriving at a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissedBy {
    /// It arrives at another barrier.
    OtherBarrier(InstId),
    /// It arrives at the same one in another round of a loop.
    OtherRound,
    /// It ends.
    Ending,
    /// It has gone past.
    GoingPast,
}

/// What the proofs for all barriers of one kernel share: facts about constructs.
pub struct DivergenceProver<'k> {
    kernel: &'k Kernel,
    uniformity: &'k Uniformity,
    constructs: HashMap<InstId, ConstructEffect>,
    /// Whether some thread may fail: then a thread of which nothing more is known may count as
    /// arrived.
    may_fail: bool,
    memory: ProofMemory,
    /// Instructions that may still be executed.
    steps: u32,
}

/// What executing a construct may do, for one that is skipped.
#[derive(Clone, Debug, Default)]
struct ConstructEffect {
    /// Whether it holds a barrier.
    has_barrier: bool,
    /// The targets of exits in it to places outside; `None` for a return.
    exits: Vec<Option<LabelId>>,
    /// Whether a thread may fail in it.
    fails: bool,
    /// The variables that it sets.
    sets: Vec<LocalId>,
}

impl<'k> DivergenceProver<'k> {
    /// Gathers the facts about an inlined kernel.
    pub fn new(kernel: &'k Kernel, uniformity: &'k Uniformity) -> DivergenceProver<'k> {
        let mut constructs = HashMap::new();
        let mut may_fail = false;
        kernel.entry().body().walk(&mut |inst| {
            may_fail |= inst.kind.class() == InstClass::Stop;
            if inst.kind.is_structured() {
                let mut effect = ConstructEffect::default();
                let mut opened = Vec::new();
                let mut targets = Vec::new();
                opened.extend(inst.kind.opened_label());
                inst.kind.each_block(&mut |block| {
                    block.walk(&mut |inner| {
                        effect.has_barrier |= inner.kind.barrier().is_some();
                        effect.fails |= inner.kind.class() == InstClass::Stop;
                        opened.extend(inner.kind.opened_label());
                        targets.extend(inner.kind.jump().map(Jump::label));
                        effect.sets.extend(assigned_local(&inner.kind));
                    });
                });
                targets.retain(|target| target.is_none_or(|label| !opened.contains(&label)));
                effect.exits = targets;
                effect.sets.sort_unstable();
                effect.sets.dedup();
                constructs.insert(inst.id, effect);
            }
        });
        let memory = ProofMemory::of(kernel.entry());
        DivergenceProver { kernel, uniformity, constructs, may_fail, memory, steps: MAX_ALL_STEPS }
    }

    /// A proof that not all threads of a tile come to this barrier together, if one is found.
    pub fn prove(&mut self, barrier: InstId) -> Option<DivergenceProof> {
        let tile = self.kernel.tile()?;
        // The most significant dimension first, as in a kernel; missing ones are 1.
        let mut extent = [1; 3];
        extent[..tile.len()].copy_from_slice(tile);
        let mut memory = std::mem::take(&mut self.memory);
        let mut left = self.steps;
        let proof = with_levels(self.kernel.levels(), || {
            let target = ProofTarget::of(self.kernel, barrier);
            let tiles = [ProofTile::Any, ProofTile::First];
            let rounds: &[_] = if target.loops {
                &[ProofRounds::Arbitrary, ProofRounds::FromFirst]
            } else {
                &[ProofRounds::FromFirst]
            };
            let ways = tiles.into_iter().flat_map(|tile| rounds.iter().map(move |&rounds| (tile, rounds)));
            let mut ways = ways.map(|way| {
                let steps = left.min(MAX_STEPS);
                let (proof, rest) = self.prove_in(way, extent, &target, &mut memory, steps);
                left -= steps - rest;
                proof
            });
            ways.find_map(|proof| proof)
        });
        (self.memory, self.steps) = (memory, left);
        proof
    }

    /// A proof for this tile and these rounds, and the steps that are left.
    fn prove_in(
        &self,
        way: (ProofTile, ProofRounds),
        extent: [u32; 3],
        target: &ProofTarget,
        memory: &mut ProofMemory,
        mut steps: u32,
    ) -> (Option<DivergenceProof>, u32) {
        let threads: u32 = extent.iter().product();
        // Threads with equal traces prove the same.
        let mut seen: Vec<([u32; 3], ThreadTrace)> = Vec::new();
        // The first and the last thread differ most often.
        for number in [0, threads - 1].into_iter().chain(1..threads.saturating_sub(1)) {
            let at = [number / (extent[1] * extent[2]), number / extent[2] % extent[1], number % extent[2]];
            let own = steps.min(MAX_THREAD_STEPS);
            let (trace, left) = ProofThread::new(self, way, at, target, memory, own).run();
            // To begin a thread, and to compare it with each other one, is work too.
            let compared = (seen.len() as u32).saturating_mul(trace.arrivals());
            steps = (steps - (own - left)).saturating_sub(1 + compared);
            if steps == 0 {
                break;
            }
            for (other, before) in &seen {
                let ways = [(at, &trace, *other, before), (*other, before, at, &trace)];
                for (arrives, one, misses, two) in ways {
                    if let Some(instead) = one.parts_from(two, target.barrier) {
                        let in_first_tile = way.0 == ProofTile::First;
                        return (Some(DivergenceProof { arrives, misses, instead, in_first_tile }), steps);
                    }
                }
            }
            if seen.iter().all(|(_, before)| *before != trace) {
                seen.push((at, trace));
            }
        }
        (None, steps)
    }
}

/// The barrier whose proof is sought, and what is around it.
struct ProofTarget {
    barrier: InstId,
    /// Labels of the constructs around it.
    labels: HashSet<LabelId>,
    /// Conditions without which no thread comes to it: of `if`s around it and of loops, and of
    /// `a && b` both. Neither part of an `a || b` is one, nor of another `if` with a value.
    guards: HashSet<ValueId>,
    /// Whether a loop is around it.
    loops: bool,
}

impl ProofTarget {
    fn of(kernel: &Kernel, barrier: InstId) -> ProofTarget {
        let (labels, guards) = (HashSet::new(), HashSet::new());
        let mut target = ProofTarget { barrier, labels, guards, loops: false };
        let mut block = Some(kernel.entry().body());
        while let Some(here) = block.take() {
            // Instructions are numbered in the order of the text.
            let before = here.insts.partition_point(|inst| inst.id < barrier);
            let around = before.checked_sub(1).and_then(|last| here.insts.get(last));
            let Some(around) = around.filter(|inst| is_around(inst, barrier)) else { break };
            target.labels.extend(around.kind.opened_label());
            match around.kind.construct() {
                Some(Construct::If { condition, then, .. }) if holds(then, barrier) => {
                    target.guard(kernel, here, condition);
                }
                Some(Construct::Loop { condition, .. }) => {
                    target.loops = true;
                    if let Some((condition, value)) = condition.and_then(|block| Some((block, block.value?)))
                        && !holds(condition, barrier)
                    {
                        target.guard(kernel, condition, value);
                    }
                }
                Some(Construct::If { .. } | Construct::Switch { .. } | Construct::Scope { .. }) | None => {}
            }
            around.kind.each_block(&mut |inner| {
                if holds(inner, barrier) {
                    block = Some(inner);
                }
            });
        }
        target
    }

    /// Adds a condition that is computed in `block`.
    fn guard(&mut self, kernel: &Kernel, block: &Block, condition: ValueId) {
        self.guards.insert(condition);
        let made = block.insts.iter().find(|inst| inst.result == Some(condition));
        if let Some(Construct::If { condition, then, otherwise }) = made.and_then(|inst| inst.kind.construct())
            && is_false(kernel, otherwise)
        {
            self.guard(kernel, block, condition);
            if let Some(value) = then.value {
                self.guard(kernel, then, value);
            }
        }
    }
}

/// Whether this block does nothing and its value is `false`, as the second block of an `a && b`.
fn is_false(kernel: &Kernel, block: &Block) -> bool {
    let no = |value: ValueId| {
        let value = &kernel.entry().values()[value.index()];
        let scalar = value.ty.data().map(|data| data.scalar);
        scalar == Some(Scalar::Bool) && matches!(&value.def, ValueDef::Const(constant) if constant.bits == 0)
    };
    block.insts.is_empty() && block.value.is_some_and(no)
}

/// Whether this instruction is a construct that holds the barrier.
fn is_around(inst: &Inst, barrier: InstId) -> bool {
    inst.id < barrier && barrier <= inst.last_inside()
}

/// Whether the barrier is in this block.
fn holds(block: &Block, barrier: InstId) -> bool {
    let ends = block.insts.first().zip(block.insts.last());
    ends.is_some_and(|(first, last)| first.id <= barrier && barrier <= last.last_inside())
}
