//! Loops in which each thread reads a run that begins and ends where the thread says: the rows of a sparse
//! matrix, the neighbours of a vertex.
//!
//! ```text
//! for k in starts[i]..starts[i + 1] { sum += values[k] * x[columns[k]]; }
//! ```
//!
//! Lanes begin anywhere and leave the loop one after another, so neither a distance between them nor a mask
//! of a whole block can be asked for. But the elements that a lane reads follow each other: in a block of
//! iterations as many as its masks let pass, which is known where the block begins. There each lane's elements
//! are loaded as one vector under a mask of their number, moved to the lanes, and kept; a gather for each
//! iteration becomes a load of what is kept. An element that no iteration would load is not loaded; its place
//! has the zero that a masked-off load yields. [`ragged_counts`](super::ragged_counts) has their number.
//!
//! # Where it pays
//! A block costs a load for each lane, however few of its elements there are. So there is one only where a
//! lane has [`FEWEST`](super::ragged_counts::FEWEST) iterations left. Of a lane with a long run the others may have left long ago: its loads
//! cost less than the gathers of so many iterations for a single lane.

use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Scalar, Stored};

use super::blocks::{BlockElements, BlockEnd, LoopParts, further, lane_vector, row_of, store};
use super::lines::RunScope;
use super::ragged_counts::{MOST_CONJUNCTS, RunCounts, RunMask};
use super::{LEAST_LANES, MOST_RUNS, OwnRun, RunLoop, RunReader, WIDEST, as_loop};
use crate::hash::HashMap;
use crate::lanes::program::{
    AddressStep, ArenaPart, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneType, LaneValue, Likely, Node,
};

/// How many strips ahead the memory of runs is requested. A sparse matrix of 2^20 rows with 8 to 23 numbers each
/// took, times a vector, on two cores of a Sapphire Rapids 12.4 ms with gathers, 11.0 with blocks and 1, 11.2 with
/// 2, 10.8 with 3, 11.3 with 5; without requests as long as with gathers.
const STRIPS_AHEAD: i64 = 3;

/// Bytes of the number of a lane's elements in memory.
const COUNT_BYTES: i64 = 4;

/// A loop whose lanes read runs that begin and end where they say.
pub(super) struct RaggedLoop {
    pub(super) runs: RunLoop,
    /// What each run's masks and the loop's end say of the number of its elements.
    masks: Vec<RunMask>,
}

/// Where the offsets of a run and the numbers of its elements lie, those of lanes side by side.
struct RunPlaces {
    offsets: LaneAddress,
    counts: LaneAddress,
}

impl RunReader<'_> {
    /// The runs of an innermost loop that begin and end where lanes say.
    pub(super) fn ragged(
        &mut self,
        runs: RunLoop,
        found: &[OwnRun],
        (params, body, again): (&[LaneValue], &LaneBlock, LaneValue),
    ) -> Option<RaggedLoop> {
        let width = i64::from(self.program.width);
        if width < LEAST_LANES {
            return None;
        }
        let next: HashMap<LaneValue, LaneValue> = params.iter().copied().zip(body.results.iter().copied()).collect();
        let mut ragged = RaggedLoop {
            runs: RunLoop { length: width.min(WIDEST.into()), through_rows: true, ..runs },
            masks: Vec::new(),
        };
        for run in found {
            let is_one_mask = run.masks.windows(2).all(|pair| pair[0] == pair[1]);
            if ragged.runs.runs.len() == MOST_RUNS || run.written.is_some() || !is_one_mask {
                continue;
            }
            let AddressStep::Each(offsets) = run.at.along else { continue };
            let size = i64::from(run.at.stored.size());
            let mut left = super::LONGEST_CHAIN;
            let of_lanes = self.growth(offsets, &ragged.runs, &mut left);
            let of_all = run.at.offset.map_or(Some(0), |offset| self.growth(offset, &ragged.runs, &mut left));
            if !matches!((of_lanes, of_all), (Some(a), Some(b)) if (a, b) == (size, 0) || (a, b) == (0, size)) {
                continue;
            }
            let mut mask = RunMask::new();
            let known =
                run.masks.first().is_none_or(|&of| self.conjuncts(of, &next, &ragged.runs, &mut mask).is_some())
                    && self.ends(again, &next, &ragged.runs, &mut mask).is_some();
            // What is asked for is written at a place that is left again.
            let mut scope = RunScope::trial(&ragged.runs);
            scope.names.extend(params.iter().map(|&param| (param, param)));
            let is_asked = known
                && mask.len() <= MOST_CONJUNCTS
                && self.counts(std::slice::from_ref(&mask), &mut scope).is_some()
                && self.at_block(offsets, &mut scope).is_some()
                && run.at.offset.is_none_or(|offset| self.at_block(offset, &mut scope).is_some());
            if is_asked {
                ragged.runs.runs.push(run.clone());
                ragged.masks.push(mask);
            }
        }
        (!ragged.runs.runs.is_empty()).then_some(ragged)
    }

    /// A loop over blocks, and the loop as it was for what is left.
    pub(super) fn in_ragged_blocks(&mut self, ragged: &RaggedLoop, parts: LoopParts) -> Vec<Node> {
        let mut written = Vec::new();
        let Some((on, after)) = self.ragged_blocks(ragged, &parts, &mut written) else {
            // `ragged` has asked for all that is needed.
            return vec![as_loop(parts)];
        };
        let (params, _, body, again, results) = parts;
        let last = self.like(&params);
        let nodes = vec![Node::Loop { params, init: after.clone(), body, again, results: last.clone() }];
        let (then, otherwise) = (LaneBlock { nodes, results: last }, LaneBlock { nodes: Vec::new(), results: after });
        written.push(Node::If { condition: on, then, otherwise, results, likely: Likely::Either });
        written
    }

    /// Writes the loop over blocks. Returns whether the loop goes on behind them, and its values there.
    fn ragged_blocks(
        &mut self,
        RaggedLoop { runs, masks }: &RaggedLoop,
        (params, init, body, again, _): &LoopParts,
        written: &mut Vec<Node>,
    ) -> Option<(LaneValue, Vec<LaneValue>)> {
        self.program.arena.private = self.private;
        let kept: Vec<LaneAddress> = runs.runs.iter().map(|run| self.column(run, runs.length)).collect();
        let rows = self.rows(runs);
        let places: Vec<RunPlaces> = runs.runs.iter().map(|run| self.run_places(run)).collect();
        self.most = self.most.max(self.program.arena.private);
        let named = |values: &[LaneValue]| params.iter().copied().zip(values.iter().copied()).collect();
        let mut scope = RunScope::new(runs, named(init), None);
        let RunCounts { counts: first_counts, is_block } = self.counts(masks, &mut scope)?;
        written.append(&mut scope.nodes);
        // The blocks carry the values of the loop, whether it goes on, and the counts.
        let block_params = self.like(params);
        let (block_on, block_counts) = (self.fresh(LaneType::Scalar(Elem::Bool)), self.like(&first_counts));
        let mut scope = RunScope::new(runs, named(&block_params), None);
        let mut elements = Vec::new();
        for (((run, &count), kept), places) in runs.runs.iter().zip(&block_counts).zip(kept).zip(&places) {
            elements.push(self.read_ragged(run, count, kept, (&rows, places), &mut scope)?);
        }
        let mut nodes = scope.nodes;
        let loop_values = (params.as_slice(), block_params.as_slice(), body);
        let (next, on) = self.iterations(runs, loop_values, &elements, BlockEnd::Condition(*again), &mut nodes);
        let on = on?;
        let mut scope = RunScope::new(runs, named(&next), None);
        let RunCounts { counts, is_block: is_next } = self.counts(masks, &mut scope)?;
        nodes.append(&mut scope.nodes);
        let more = self.op(Op::And, Scalar::Bool, &[on, is_next], Elem::Bool, &mut nodes);
        let yes = self.define(LaneInst::Const(1), LaneType::Scalar(Elem::Bool), written);
        let carried: Vec<LaneValue> = block_params.into_iter().chain([block_on]).chain(block_counts).collect();
        let last = self.like(&carried);
        let blocks = Node::Loop {
            params: carried,
            init: init.iter().copied().chain([yes]).chain(first_counts).collect(),
            body: LaneBlock { nodes, results: next.into_iter().chain([on]).chain(counts).collect() },
            again: more,
            results: last.clone(),
        };
        let then = LaneBlock { nodes: vec![blocks], results: last[..=params.len()].to_vec() };
        let otherwise = LaneBlock { nodes: Vec::new(), results: init.iter().copied().chain([yes]).collect() };
        let mut after = self.like(&then.results);
        written.push(Node::If { condition: is_block, then, otherwise, results: after.clone(), likely: Likely::Either });
        let on = after.pop()?;
        Some((on, after))
    }

    /// Memory for the offsets of lanes' runs and for the numbers of their elements.
    fn run_places(&mut self, run: &OwnRun) -> RunPlaces {
        let stored = match run.at.along {
            AddressStep::Each(offsets) if self.program.ty(offsets).elem() == Elem::I64 => Stored::I64,
            AddressStep::Each(_) | AddressStep::Step(_) | AddressStep::Uniform => Stored::I32,
        };
        let width = i64::from(self.program.width);
        let [offsets, counts] = [stored, Stored::I32].map(|stored| {
            let size = i64::from(stored.size());
            self.memory(width * size, size, stored)
        });
        RunPlaces { offsets, counts }
    }

    /// Loads the elements of a block, and keeps them.
    fn read_ragged(
        &mut self,
        run: &OwnRun,
        count: LaneValue,
        kept: LaneAddress,
        (rows, places): (&LaneAddress, &RunPlaces),
        scope: &mut RunScope<'_>,
    ) -> Option<BlockElements> {
        let AddressStep::Each(offsets) = run.at.along else { return None };
        let (length, pos) = (scope.runs.length, run.read?);
        let (elem, size) = (Elem::of(run.at.stored.value()), i64::from(run.at.stored.size()));
        let own = match run.at.offset {
            Some(offset) => Some(self.at_block(offset, scope)?),
            None => None,
        };
        let offsets = self.at_block(offsets, scope)?;
        let base = self.define(LaneInst::Arena(ArenaPart::Private), LaneType::Scalar(Elem::I64), &mut scope.nodes);
        let [of_offsets, of_counts] = [&places.offsets, &places.counts].map(|at| LaneAddress { base, ..at.clone() });
        scope.nodes.push(store(of_offsets.clone(), offsets, Pos::NONE));
        scope.nodes.push(store(of_counts.clone(), count, Pos::NONE));
        let rows = row_of(rows, base, run, length);
        let lane_offsets: Vec<LaneValue> = (0..i64::from(self.program.width))
            .map(|lane| {
                let offset = self.lane_scalar(&of_offsets, lane, scope);
                own.map_or(offset, |own| self.op(Op::Add, Scalar::I64, &[own, offset], Elem::I64, &mut scope.nodes))
            })
            .collect();
        let ahead = self.base_behind(run, &lane_offsets, scope)?;
        let element = self.define(LaneInst::Lane, LaneType::Lanes(Elem::I32), &mut scope.nodes);
        for (lane, offset) in (0..).zip(lane_offsets) {
            let at = LaneAddress { along: AddressStep::Uniform, ..further(&of_counts, lane * COUNT_BYTES) };
            let count = LaneInst::Load { at, mask: None };
            let count = self.define(count, LaneType::Scalar(Elem::I32), &mut scope.nodes);
            let count = self.in_lanes(count, scope);
            let mask = self.lane_op(Op::Lt, Scalar::U32, &[element, count], Elem::Bool, scope);
            let load = LaneInst::Load { at: lane_vector(run, run.at.base, offset), mask: Some(mask) };
            let value = self.fresh(LaneType::Lanes(elem));
            scope.nodes.push(Node::Let { value, inst: load, pos });
            let to = LaneAddress { along: AddressStep::Step(size), ..further(&rows, lane * length * size) };
            scope.nodes.push(store(to, value, Pos::NONE));
            scope.nodes.push(Node::Do { effect: Effect::Prefetch { at: lane_vector(run, ahead, offset) }, pos });
        }
        let kept = LaneAddress { base, ..kept };
        self.keep_elements(&rows, &kept, (length, Pos::NONE), &mut scope.nodes);
        Some(BlockElements { kept, offsets: Vec::new() })
    }

    /// The base of what lies strips behind the runs of all lanes, if threads' runs follow each other. It is
    /// requested meanwhile, as no processor foresees it.
    fn base_behind(&mut self, run: &OwnRun, offsets: &[LaneValue], scope: &mut RunScope<'_>) -> Option<LaneValue> {
        let (first, last) = (*offsets.first()?, *offsets.last()?);
        let last_run = self.number(scope.runs.length * i64::from(run.at.stored.size()), &mut scope.nodes);
        let apart = self.op(Op::Sub, Scalar::I64, &[last, first], Elem::I64, &mut scope.nodes);
        let strip = self.op(Op::Add, Scalar::I64, &[apart, last_run], Elem::I64, &mut scope.nodes);
        let strips = self.number(STRIPS_AHEAD, &mut scope.nodes);
        let behind = self.op(Op::Mul, Scalar::I64, &[strip, strips], Elem::I64, &mut scope.nodes);
        Some(self.op(Op::Add, Scalar::I64, &[run.at.base, behind], Elem::I64, &mut scope.nodes))
    }

    /// The number of one lane, of those that lie in memory, as an `i64`.
    fn lane_scalar(&mut self, of: &LaneAddress, lane: i64, scope: &mut RunScope<'_>) -> LaneValue {
        let at = LaneAddress { along: AddressStep::Uniform, ..further(of, lane * i64::from(of.stored.size())) };
        let elem = Elem::of(of.stored.value());
        let number = self.define(LaneInst::Load { at, mask: None }, LaneType::Scalar(elem), &mut scope.nodes);
        if elem == Elem::I64 {
            return number;
        }
        self.op(Op::ToI64, Scalar::U32, &[number], Elem::I64, &mut scope.nodes)
    }
}
