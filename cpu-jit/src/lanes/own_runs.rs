//! Loops in which each thread reads a run of neighbouring elements of its own.
//!
//! `for k in 0..128 { .. v[128 * i + k] .. }` reads, in each iteration, one element for each lane, 512
//! bytes apart: a gather that touches a line for each lane, and only a sixteenth of it. The elements of
//! sixteen iterations are one whole vector for each lane. So this pass loads these vectors at once,
//! moves their elements to the lanes (as [`row_groups`](super::row_groups) says; an emitter moves them by
//! interleaving), keeps them in the worker's memory, and lets the iterations read them from there, side by
//! side.
//!
//! A processor does not foresee which lines these are: they are requested a block ahead, at the end of
//! the runs those of the next strip.
//!
//! The loop becomes one over blocks of iterations, with the loop as it was behind it, for the iterations
//! that fill no block. That is right for loads
//! - without a mask, in each iteration, from memory that nobody writes in this launch;
//! - whose offset grows by the size of an element in each iteration.
//!
//! Where the index is 32 bits, it may wrap; between two iterations of a block it does not: both elements
//! lie in the memory of a view, which has fewer than 2^32 elements.

use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use super::classes::{IntegerType, SumOp, sum_op};
use super::program::{
    AddressStep, ArenaPart, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Likely,
    MemorySpace, Node,
};
use super::walk::{effect_operands_mut, operands_mut};
use super::{LaneInstClass, VectorMachine};
use crate::hash::{HashMap, HashSet};

/// Fewer elements of a run are not worth a second loop.
const LEAST: i64 = 4;

/// Most loads of a loop that are done in blocks: the elements of each are values at the same time.
const MOST_LOADS: usize = 2;

/// Most bytes from a lane to the next: those of all lanes are displacements.
const FAR: i64 = 1 << 22;

/// Maximum number of operations from the counter to an offset.
const LONGEST_CHAIN: usize = 8;

/// Reads runs of threads in blocks; returns whether there are any.
pub fn read_own_runs(program: &mut LaneProgram, machine: VectorMachine) -> bool {
    // Without vectors of 256 bits or more, elements are moved one by one.
    if machine.vector_bytes < 32 || i64::from(program.width) < LEAST {
        return false;
    }
    let body = std::mem::take(&mut program.body);
    let mut pass = RunReader { program, machine, constants: HashMap::default(), found: false };
    let body = pass.block(body);
    let found = pass.found;
    program.body = body;
    found
}

struct RunReader<'p> {
    program: &'p mut LaneProgram,
    machine: VectorMachine,
    constants: HashMap<LaneValue, i64>,
    found: bool,
}

/// A loop that reads runs.
struct RunLoop {
    /// Values that the loop defines.
    inside: HashSet<LaneValue>,
    /// Its integer scalars.
    made: HashMap<LaneValue, LaneInst>,
    /// The steps of its parameters.
    steps: HashMap<LaneValue, i64>,
    /// The parameter that counts iterations, and the scalar that it stays below, with its type.
    counter: (LaneValue, LaneValue, Scalar),
    /// Iterations of a block.
    length: i64,
    /// The loads, by the values that they define.
    loads: Vec<(LaneValue, LaneAddress, Pos)>,
}

impl RunReader<'_> {
    fn block(&mut self, block: LaneBlock) -> LaneBlock {
        let (nodes, results) = block.into_parts();
        let mut written = Vec::with_capacity(nodes.len());
        for node in nodes {
            match node {
                Node::If { condition, then, otherwise, results, likely } => {
                    let then = self.block(then);
                    let otherwise = if likely.is_then() { otherwise } else { self.block(otherwise) };
                    written.push(Node::If { condition, then, otherwise, results, likely });
                }
                Node::Loop { params, init, body, again, results } => {
                    let body = self.block(body);
                    match self.runs(&params, &body, again) {
                        Some(runs) => self.in_blocks(&runs, (params, init, body, again, results), &mut written),
                        None => written.push(Node::Loop { params, init, body, again, results }),
                    }
                }
                Node::Let { value, inst, pos } => {
                    if let (LaneInst::Const(bits), LaneType::Scalar(elem)) = (&inst, self.program.ty(value)) {
                        let number = if elem == Elem::I32 { i64::from(*bits as i32) } else { *bits as i64 };
                        self.constants.insert(value, number);
                    }
                    written.push(Node::Let { value, inst, pos });
                }
                Node::Do { .. } | Node::Exit { .. } | Node::Poll => written.push(node),
            }
        }
        LaneBlock { nodes: written, results }
    }

    /// What an innermost loop reads in runs, if anything.
    fn runs(&self, params: &[LaneValue], body: &LaneBlock, again: LaneValue) -> Option<RunLoop> {
        let (mut inside, mut made) = (params.iter().copied().collect(), HashMap::default());
        self.collect(body, &mut inside, &mut made)?;
        let mut steps = HashMap::default();
        for (&param, next) in params.iter().zip(&body.results) {
            let Some(LaneInst::Op { op, args, .. }) = made.get(next) else { continue };
            if let (SumOp::Add, &[a, b]) = (sum_op(*op), args.as_slice()) {
                let step = if a == param { b } else { a };
                if let Some(&step) = self.constants.get(&step).filter(|_| a == param || b == param) {
                    steps.insert(param, step);
                }
            }
        }
        let Some(LaneInst::Op { op: Op::Lt, scalar: compared, args }) = made.get(&again) else { return None };
        let &[next, limit] = args.as_slice() else { return None };
        let counts = |&at: &usize| body.results[at] == next && steps.get(&params[at]) == Some(&1);
        let counter = params[(0..params.len()).find(counts)?];
        if inside.contains(&limit) || !matches!(compared, Scalar::I32 | Scalar::U32 | Scalar::I64) {
            return None;
        }
        let counter = (counter, limit, *compared);
        let mut runs = RunLoop { inside, made, steps, counter, length: 0, loads: Vec::new() };
        for node in &body.nodes {
            if let Node::Let { value, inst: LaneInst::Load { at, mask: None }, pos } = node
                && let Some(length) = self.run_of(at, &runs)
                && (runs.length == 0 || runs.length == length)
                && runs.loads.len() < MOST_LOADS
            {
                runs.length = length;
                runs.loads.push((*value, at.clone(), *pos));
            }
        }
        (!runs.loads.is_empty()).then_some(runs)
    }

    /// The values of a body, and its scalars; `None` if it has a loop or may end the program.
    fn collect(
        &self,
        block: &LaneBlock,
        inside: &mut HashSet<LaneValue>,
        made: &mut HashMap<LaneValue, LaneInst>,
    ) -> Option<()> {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } => {
                    inside.insert(*value);
                    if inst.class() == LaneInstClass::Pure && !self.program.ty(*value).is_lanes() {
                        made.insert(*value, inst.clone());
                    }
                }
                Node::If { then, otherwise, results, .. } => {
                    inside.extend(results);
                    self.collect(then, inside, made)?;
                    self.collect(otherwise, inside, made)?;
                }
                Node::Loop { .. } | Node::Exit { .. } => return None,
                Node::Do { .. } | Node::Poll => {}
            }
        }
        Some(())
    }

    /// The iterations of a block, if lanes read runs of their own at an address.
    fn run_of(&self, at: &LaneAddress, runs: &RunLoop) -> Option<i64> {
        let (MemorySpace::Buffer(buffer), AddressStep::Step(step), Some(offset)) = (at.space, at.along, at.offset)
        else {
            return None;
        };
        let size = i64::from(at.stored.size());
        if self.program.writable[usize::from(buffer)] || runs.inside.contains(&at.base) {
            return None;
        }
        let length = (i64::from(self.machine.vector_bytes) / size).min(self.program.width.into());
        let apart = size >= 4 && step % size == 0 && 2 * step > length * size && step <= FAR;
        let mut left = LONGEST_CHAIN;
        let growth = runs.growth(offset, &self.constants, &mut left)?;
        (apart && length >= LEAST && growth == size).then_some(length)
    }

    /// Writes a loop over blocks, and the loop for the rest.
    fn in_blocks(
        &mut self,
        runs: &RunLoop,
        (params, init, body, again, results): (Vec<LaneValue>, Vec<LaneValue>, LaneBlock, LaneValue, Vec<LaneValue>),
        written: &mut Vec<Node>,
    ) {
        self.found = true;
        let of_counter = params.iter().position(|&param| param == runs.counter.0).unwrap_or(0);
        // The blocks.
        let whole = self.is_whole(runs, init[of_counter], 0, written);
        let (mut nodes, mut names) = (Vec::new(), HashMap::default());
        let block_params: Vec<LaneValue> = params.iter().map(|&param| self.renamed(param, &mut names)).collect();
        let ahead = self.block_ahead(runs, (init[of_counter], block_params[of_counter]), &mut nodes);
        let kept = self.read_block(runs, &body, ahead, &mut names, &mut nodes);
        let next = self.iterations(runs, (&params, &block_params, &body), &kept, &mut nodes);
        let more = self.is_whole(runs, next[of_counter], 0, &mut nodes);
        let blocks = self.like(&params);
        let in_block = LaneBlock { nodes, results: next };
        let init_of_blocks = init.clone();
        let all = Node::Loop {
            params: block_params,
            init: init_of_blocks,
            body: in_block,
            again: more,
            results: blocks.clone(),
        };
        let (then, after) = (LaneBlock { nodes: vec![all], results: blocks }, self.like(&params));
        let otherwise = LaneBlock { nodes: Vec::new(), results: init };
        written.push(Node::If { condition: whole, then, otherwise, results: after.clone(), likely: Likely::Either });
        // The rest. A loop runs its body once before it asks.
        let none = self.op(Op::Not, Scalar::Bool, &[whole], Elem::Bool, written);
        let (_, limit, compared) = runs.counter;
        let left = self.op(Op::Lt, compared, &[after[of_counter], limit], Elem::Bool, written);
        let rest = self.op(Op::Or, Scalar::Bool, &[none, left], Elem::Bool, written);
        let last = self.like(&params);
        let nodes = vec![Node::Loop { params, init: after.clone(), body, again, results: last.clone() }];
        let then = LaneBlock { nodes, results: last };
        let otherwise = LaneBlock { nodes: Vec::new(), results: after };
        written.push(Node::If { condition: rest, then, otherwise, results, likely: Likely::Either });
    }

    /// Are there so many iterations as a block has, from a number of iterations behind a value of the
    /// counter on?
    fn is_whole(&mut self, runs: &RunLoop, count: LaneValue, behind: i64, nodes: &mut Vec<Node>) -> LaneValue {
        let (_, limit, compared) = runs.counter;
        let [count, limit] = [count, limit].map(|value| self.widened(compared, value, nodes));
        // The counter is not so great that this wraps, but for a loop of one iteration.
        let by = behind + runs.length - 1;
        let (most, by) = (self.number(i64::MAX - by, nodes), self.number(by, nodes));
        let counted = self.op(Op::Lt, Scalar::I64, &[count, most], Elem::Bool, nodes);
        let last = self.op(Op::Add, Scalar::I64, &[count, by], Elem::I64, nodes);
        let below = self.op(Op::Lt, Scalar::I64, &[last, limit], Elem::Bool, nodes);
        self.op(Op::And, Scalar::Bool, &[counted, below], Elem::Bool, nodes)
    }

    fn widened(&mut self, from: Scalar, value: LaneValue, nodes: &mut Vec<Node>) -> LaneValue {
        match from {
            Scalar::I64 => value,
            narrow => self.op(Op::ToI64, narrow, &[value], Elem::I64, nodes),
        }
    }

    /// Whether another block follows, and the iterations before this one.
    fn block_ahead(
        &mut self,
        runs: &RunLoop,
        (first, count): (LaneValue, LaneValue),
        nodes: &mut Vec<Node>,
    ) -> (LaneValue, LaneValue) {
        let follows = self.is_whole(runs, count, runs.length, nodes);
        let [first, count] = [first, count].map(|value| self.widened(runs.counter.2, value, nodes));
        (follows, self.op(Op::Sub, Scalar::I64, &[count, first], Elem::I64, nodes))
    }

    /// Requests the next block of a load: in the lanes' runs, or, at their end, in those of the next
    /// strip, which begin behind the last lane's if the threads' runs follow each other.
    fn prefetch(
        &mut self,
        (at, pos): (&LaneAddress, Pos),
        (follows, before): (LaneValue, LaneValue),
        length: i64,
        nodes: &mut Vec<Node>,
    ) {
        let (AddressStep::Step(step), size) = (at.along, i64::from(at.stored.size())) else { return };
        let (here, bytes) = (self.number(length * size, nodes), self.number(size, nodes));
        let strip = self.number(i64::from(self.program.width) * step, nodes);
        let back = self.op(Op::Mul, Scalar::I64, &[before, bytes], Elem::I64, nodes);
        let next_strip = self.op(Op::Sub, Scalar::I64, &[strip, back], Elem::I64, nodes);
        let by = self.op(Op::Select, Scalar::I64, &[follows, here, next_strip], Elem::I64, nodes);
        let base = self.op(Op::Add, Scalar::I64, &[at.base, by], Elem::I64, nodes);
        nodes.push(Node::Do { effect: Effect::Prefetch { at: LaneAddress { base, ..at.clone() } }, pos });
    }

    /// Loads the elements of a block and keeps them; the places where they are, by the loads.
    fn read_block(
        &mut self,
        runs: &RunLoop,
        body: &LaneBlock,
        ahead: (LaneValue, LaneValue),
        names: &mut HashMap<LaneValue, LaneValue>,
        nodes: &mut Vec<Node>,
    ) -> Vec<LaneAddress> {
        let mut needed: Vec<LaneValue> = runs.loads.iter().filter_map(|(_, at, _)| at.offset).collect();
        let mut scalars = HashSet::default();
        while let Some(value) = needed.pop() {
            if let Some(inst) = runs.made.get(&value)
                && scalars.insert(value)
            {
                super::walk::operands(inst, &mut |&operand| needed.push(operand));
            }
        }
        for node in &body.nodes {
            if let Node::Let { value, inst, pos } = node
                && scalars.contains(value)
            {
                let inst = renamed_inst(inst, names);
                let value = self.renamed(*value, names);
                nodes.push(Node::Let { value, inst, pos: *pos });
            }
        }
        let mut kept = Vec::new();
        for (value, at, pos) in &runs.loads {
            let (elem, size) = (self.program.ty(*value).elem(), i64::from(at.stored.size()));
            let from = LaneAddress { offset: at.offset.map(|offset| named(offset, names)), ..at.clone() };
            let place = self.program.arena.private.next_multiple_of(64);
            self.program.arena.private = place + (i64::from(self.program.width) * size * runs.length) as u64;
            let base = self.define(LaneInst::Arena(ArenaPart::Private), LaneType::Scalar(Elem::I64), nodes);
            let to = LaneAddress {
                space: MemorySpace::Arena(ArenaPart::Private),
                base,
                offset: None,
                displacement: place as i64,
                along: AddressStep::Step(size),
                stored: at.stored,
            };
            self.prefetch((&from, *pos), ahead, runs.length, nodes);
            let mut elements = Vec::new();
            for element in 0..runs.length {
                let at = LaneAddress { displacement: from.displacement + element * size, ..from.clone() };
                let value = self.fresh(LaneType::Lanes(elem));
                nodes.push(Node::Let { value, inst: LaneInst::Load { at, mask: None }, pos: *pos });
                elements.push(value);
            }
            for (element, value) in (0..).zip(elements) {
                let by = element * i64::from(self.program.width) * size;
                let at = LaneAddress { displacement: to.displacement + by, ..to.clone() };
                nodes.push(Node::Do { effect: Effect::Store { at, value, mask: None }, pos: Pos::NONE });
            }
            kept.push(to);
        }
        kept
    }

    /// Writes the iterations of a block, which read what is kept; the values behind them.
    fn iterations(
        &mut self,
        runs: &RunLoop,
        (params, init, body): (&[LaneValue], &[LaneValue], &LaneBlock),
        kept: &[LaneAddress],
        nodes: &mut Vec<Node>,
    ) -> Vec<LaneValue> {
        let (zero, one, end) = (self.number(0, nodes), self.number(1, nodes), self.number(runs.length, nodes));
        let mut names = HashMap::default();
        let mut own: Vec<LaneValue> = params.iter().map(|&param| self.renamed(param, &mut names)).collect();
        let iteration = self.fresh(LaneType::Scalar(Elem::I64));
        let mut inner = Vec::new();
        let mut places = HashMap::default();
        for ((value, ..), at) in runs.loads.iter().zip(kept) {
            let row = self.number(i64::from(at.stored.size()) * i64::from(self.program.width), &mut inner);
            let offset = self.op(Op::Mul, Scalar::I64, &[iteration, row], Elem::I64, &mut inner);
            places.insert(*value, LaneAddress { offset: Some(offset), ..at.clone() });
        }
        self.copy(body, &places, &mut names, &mut inner);
        let next = self.op(Op::Add, Scalar::I64, &[iteration, one], Elem::I64, &mut inner);
        let again = self.op(Op::Lt, Scalar::I64, &[next, end], Elem::Bool, &mut inner);
        let mut given: Vec<LaneValue> = body.results.iter().map(|&value| named(value, &names)).collect();
        given.push(next);
        own.push(iteration);
        let results = self.like(&own);
        let init = init.iter().copied().chain([zero]).collect();
        let body = LaneBlock { nodes: inner, results: given };
        nodes.push(Node::Loop { params: own, init, body, again, results: results.clone() });
        results[..params.len()].to_vec()
    }

    /// A copy of a body whose loads at some places are elsewhere.
    fn copy(
        &mut self,
        block: &LaneBlock,
        places: &HashMap<LaneValue, LaneAddress>,
        names: &mut HashMap<LaneValue, LaneValue>,
        nodes: &mut Vec<Node>,
    ) {
        for node in &block.nodes {
            nodes.push(match node {
                Node::Let { value, inst, pos } => {
                    let inst = match places.get(value) {
                        Some(at) => LaneInst::Load { at: at.clone(), mask: None },
                        None => renamed_inst(inst, names),
                    };
                    let pos = if places.contains_key(value) { Pos::NONE } else { *pos };
                    Node::Let { value: self.renamed(*value, names), inst, pos }
                }
                Node::Do { effect, pos } => {
                    let mut effect = effect.clone();
                    effect_operands_mut(&mut effect, &mut |value| *value = named(*value, names));
                    Node::Do { effect, pos: *pos }
                }
                Node::If { condition, then, otherwise, results, likely } => {
                    let [then, otherwise] = [then, otherwise].map(|arm| {
                        let mut nodes = Vec::with_capacity(arm.nodes.len());
                        self.copy(arm, places, names, &mut nodes);
                        LaneBlock { nodes, results: arm.results.iter().map(|&value| named(value, names)).collect() }
                    });
                    let condition = named(*condition, names);
                    let results = results.iter().map(|&value| self.renamed(value, names)).collect();
                    Node::If { condition, then, otherwise, results, likely: *likely }
                }
                // A loop with either reads no runs.
                Node::Loop { .. } | Node::Exit { .. } => continue,
                Node::Poll => Node::Poll,
            });
        }
    }

    fn fresh(&mut self, ty: LaneType) -> LaneValue {
        let value = LaneValue(self.program.types.len() as u32);
        self.program.types.push(ty);
        value
    }

    fn renamed(&mut self, value: LaneValue, names: &mut HashMap<LaneValue, LaneValue>) -> LaneValue {
        let new = self.fresh(self.program.ty(value));
        names.insert(value, new);
        new
    }

    fn like(&mut self, values: &[LaneValue]) -> Vec<LaneValue> {
        values.iter().map(|&value| self.fresh(self.program.ty(value))).collect()
    }

    fn define(&mut self, inst: LaneInst, ty: LaneType, nodes: &mut Vec<Node>) -> LaneValue {
        let value = self.fresh(ty);
        nodes.push(Node::Let { value, inst, pos: Pos::NONE });
        value
    }

    fn number(&mut self, number: i64, nodes: &mut Vec<Node>) -> LaneValue {
        self.define(LaneInst::Const(number as u64), LaneType::Scalar(Elem::I64), nodes)
    }

    fn op(&mut self, op: Op, scalar: Scalar, args: &[LaneValue], elem: Elem, nodes: &mut Vec<Node>) -> LaneValue {
        self.define(LaneInst::Op { op, scalar, args: args.into() }, LaneType::Scalar(elem), nodes)
    }
}

impl RunLoop {
    /// By how much a scalar grows in each iteration; `None` if that is not known, or if it is computed
    /// from more than one value that grows.
    fn growth(&self, value: LaneValue, constants: &HashMap<LaneValue, i64>, left: &mut usize) -> Option<i64> {
        if constants.contains_key(&value) || !self.inside.contains(&value) {
            return Some(0);
        }
        if let Some(&step) = self.steps.get(&value) {
            return Some(step);
        }
        *left = left.checked_sub(1)?;
        let Some(LaneInst::Op { op, scalar, args }) = self.made.get(&value) else { return None };
        let a = self.growth(*args.first()?, constants, left)?;
        let b = args.get(1).map_or(Some(0), |&b| self.growth(b, constants, left))?;
        match sum_op(*op) {
            SumOp::Add | SumOp::Sub if a != 0 && b != 0 => None,
            SumOp::Add => Some(a + b),
            SumOp::Sub => a.checked_sub(b),
            SumOp::Mul if (a, b) == (0, 0) => Some(0),
            SumOp::Mul => match (constants.get(&args[0]), constants.get(&args[1])) {
                (_, Some(&by)) => a.checked_mul(by),
                (Some(&by), None) => b.checked_mul(by),
                (None, None) => None,
            },
            // An index of 32 bits that wrapped would lie outside of the view.
            SumOp::Convert(IntegerType::I64 | IntegerType::U64) if matches!(scalar, Scalar::I32 | Scalar::U32) => {
                Some(a).filter(|&by| by == 0 || by == 1)
            }
            SumOp::Convert(_) if matches!(scalar, Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64) => Some(a),
            SumOp::Convert(_) | SumOp::Other => None,
        }
    }
}

fn named(value: LaneValue, names: &HashMap<LaneValue, LaneValue>) -> LaneValue {
    names.get(&value).copied().unwrap_or(value)
}

fn renamed_inst(inst: &LaneInst, names: &HashMap<LaneValue, LaneValue>) -> LaneInst {
    let mut inst = inst.clone();
    operands_mut(&mut inst, &mut |value| *value = named(*value, names));
    inst
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use super::*;
    use crate::vectorize::{CodeKey, vectorize};

    /// A kernel whose threads add up what they load: the loop's limit, the load, what else it does.
    fn program(limit: &str, index: &str, other: &str) -> LaneProgram {
        let text = format!(
            "kernel k(v: view<u32, 1, read>, w: view<u32, 1, read_write>, out: view<u32, 1, read_write>, n: i32)
            rank(1) {{
                let i = global[0];
                var sum: u32 = 0u32;
                var k: i32 = 0;
                while k < {limit} {{
                    sum = sum * 3u32 + {index};
                    {other}
                    k = k + 1;
                }}
                out[i] = sum;
            }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let mut key = CodeKey::apart(16, 4);
        key.writable[0] = false;
        vectorize(&kernel, &key).unwrap_or_else(|why| panic!("{}", why.0))
    }

    fn is_read_in_blocks(limit: &str, index: &str, other: &str, machine: VectorMachine) -> bool {
        let mut program = program(limit, index, other);
        let found = read_own_runs(&mut program, machine);
        assert_eq!(crate::lanes::verify(&program), Ok(()), "{program}");
        found
    }

    #[test]
    fn runs_of_threads_are_read_in_blocks_on_machines_with_long_vectors() {
        for machine in [VectorMachine::BITS_512, VectorMachine::BITS_256] {
            assert!(is_read_in_blocks("128", "v[i * 128 + k]", "", machine));
            assert!(is_read_in_blocks("n", "v[i * 40 + k + 3]", "", machine), "a limit that the launch knows");
            assert!(is_read_in_blocks("n", "v[i * 128 + k]", "out[k] = sum;", machine), "a store elsewhere");
        }
        assert!(!is_read_in_blocks("128", "v[i * 128 + k]", "", VectorMachine::BITS_128), "nothing moves vectors");
    }

    #[test]
    fn other_loads_stay_as_they_are() {
        let of = |limit, index, other| is_read_in_blocks(limit, index, other, VectorMachine::BITS_512);
        assert!(!of("128", "w[i * 128 + k]", "w[k] = sum;"), "somebody may write there");
        assert!(!of("128", "v[i * 256 + 2 * k]", ""), "every other element");
        assert!(!of("128", "v[i * 128 - k + 127]", ""), "backwards");
        assert!(!of("128", "v[i + k]", ""), "neighbours");
        assert!(!of("128", "v[i * 4 + k]", ""), "so near that whole vectors serve several lanes");
        assert!(!of("128", "v[k * n + i * 128]", ""), "a step that the launch knows");
        assert!(!of("(sum & 63u32) as i32", "v[i * 128 + k]", ""), "a limit that each thread has");
    }
}
