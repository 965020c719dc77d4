//! Prefetches what a loop reads a few iterations later, where the processor cannot foresee it.
//!
//! A loop over a row whose step only the launch knows, as in `while i < count { .. i += threads }`,
//! reads a different page in each iteration; so does a loop down a column, as in `b[k, column]`,
//! whose step is 1 but whose rows are as long as the launch says. Processors foresee accesses within
//! a page only, and begin few iterations ahead on their own, so each iteration waits for memory. This
//! pass computes the same address for a later iteration ([`AHEAD`], [`ROWS_AHEAD`]) and requests its
//! line.
//!
//! A loop of the kernel may hold others: one that reads a block of rows, and one that computes with it,
//! as a product of matrices through `tile_static` memory does. Its next iteration reads the rows below,
//! which are requested while this one's are read ([`BLOCKS_AHEAD`]).
//!
//! A tile of more threads than lanes reads a row in strips. A loop of each thread, as in `while r < rounds
//! { .. words[first + r * 256] .. }`, then reads a strip of each row and leaves out the others, whose turn
//! comes when the loop has ended: memory with gaps, in which processors foresee little. It is prefetched as
//! a column is ([`GAPS_AHEAD`]).
//!
//! A prefetch never faults, so the address needs no check; past the end of the loop it only costs
//! time. Addresses that advance by constants and leave nothing out are left to the processor.

use tilewise_ir::ops::{ArithmeticOp, Op, OpFamily};
use tilewise_ir::pos::Pos;

use super::build::scalar_of;
use super::classes::{LaneInstClass, SumOp, sum_op};
use super::program::{
    AddressStep, Args, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, MemorySpace,
    Node,
};
use super::walk::{operands, operands_mut};
use crate::hash::{HashMap, HashSet};

/// Lanes, in all iterations together, between a load and its prefetch: the processor itself looks
/// ahead by less.
const AHEAD: u32 = 256;

/// Maximum number of iterations between them: lines a power of two apart share a few places in the
/// first cache.
const MOST_ROUNDS: u32 = 8;

/// Iterations between a load and its prefetch in a loop from row to row. A product of matrices, 1024
/// by 1024, on two cores with a second-level cache of 2 MiB took 42 ms without, 31 with two, 28 with
/// three, 30 with four, 31 with eight.
const ROWS_AHEAD: u32 = 4;

/// Iterations between a load in a loop inside of another and its prefetch, if the other loop steps from
/// rows to rows.
const BLOCKS_AHEAD: u32 = 2;

/// Iterations between a load that leaves out memory and its prefetch. A histogram of 2^23 words, 256 bytes of
/// each kilobyte at a time, took on a Zen 4 9.7 ms without, 4.6 with two, 3.5 with four, 2.6 with eight, 2.3
/// with 16; on a Sapphire Rapids 20.7 without, 9.2 with four, 8.5 with eight, 8.3 with 16.
const GAPS_AHEAD: u32 = 8;

/// Operations on lanes for each such prefetch, at least: an iteration that computes less than that has no time to spare for
/// it. Sums of the columns of a matrix that lies in the caches took 1.2 times as long with prefetches.
const ROWS_WORK: usize = 8;

/// Bytes that are prefetched together.
const LINE: i64 = 64;

/// Maximum number of operations from the counter to the offset.
const LONGEST_CHAIN: usize = 8;

/// Adds prefetches to a program; returns whether there are any.
pub fn prefetch(program: &mut LaneProgram) -> bool {
    let body = std::mem::take(&mut program.body);
    let mut pass =
        Prefetcher { types: &mut program.types, width: program.width, constants: HashMap::default(), found: false };
    program.body = pass.block(body);
    pass.found
}

struct Prefetcher<'p> {
    types: &'p mut Vec<LaneType>,
    width: u32,
    constants: HashMap<LaneValue, u64>,
    found: bool,
}

/// A distance between iterations that the processor does not foresee.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LoopStride {
    /// A constant, by more than a load of all lanes has.
    Gaps,
    /// A constant step, times a factor such as the length of a row.
    Rows,
    /// The step itself is unknown.
    Step,
}

/// A loop whose loads may be prefetched.
#[derive(Default)]
struct SteppingLoop {
    /// Values of the loop.
    inside: HashSet<LaneValue>,
    /// Its pure scalar instructions.
    made: HashMap<LaneValue, LaneInst>,
    /// Parameters that advance by a loop-invariant step, and the step.
    steps: HashMap<LaneValue, LaneValue>,
    /// By how much they advance in the iterations ahead: of those that a prefetch needs.
    far: HashMap<LaneValue, LaneValue>,
    /// What is computed before the loop.
    before: Vec<Node>,
    /// The number of pure operations on lanes, and of the lanes of accesses that are made one by one.
    work: usize,
    /// Scalars of the loop as they will be.
    later: HashMap<LaneValue, LaneValue>,
    /// Does it hold other loops?
    holds_loops: bool,
}

impl SteppingLoop {
    /// Collects the values of a block; returns whether there is no loop in it.
    fn collect(&mut self, block: &LaneBlock, types: &[LaneType], lanes: usize) -> bool {
        block.nodes.iter().all(|node| match node {
            Node::Let { value, inst, .. } => {
                self.inside.insert(*value);
                match types[value.index()].is_lanes() {
                    true => self.work += inst_work(inst, lanes),
                    false if inst.class() == LaneInstClass::Pure => drop(self.made.insert(*value, inst.clone())),
                    false => {}
                }
                true
            }
            Node::If { then, otherwise, results, .. } => {
                self.inside.extend(results);
                self.collect(then, types, lanes) && self.collect(otherwise, types, lanes)
            }
            Node::Loop { .. } => false,
            Node::Do { .. } | Node::Exit { .. } | Node::Poll => true,
        })
    }

    /// Collects the values of a loop that holds others, but for the parameters of these.
    fn collect_all(&mut self, block: &LaneBlock, types: &[LaneType]) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } => {
                    self.inside.insert(*value);
                    if inst.class() == LaneInstClass::Pure && !types[value.index()].is_lanes() {
                        self.made.insert(*value, inst.clone());
                    }
                }
                Node::If { then, otherwise, results, .. } => {
                    self.inside.extend(results);
                    self.collect_all(then, types);
                    self.collect_all(otherwise, types);
                }
                Node::Loop { body, results, .. } => {
                    self.inside.extend(results);
                    self.collect_all(body, types);
                }
                Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    /// Does a scalar advance with a parameter? `None` if that cannot be computed ahead, or not by
    /// so few operations.
    fn advances(&self, value: LaneValue, left: &mut usize) -> Option<bool> {
        if self.steps.contains_key(&value) {
            return Some(true);
        }
        if !self.inside.contains(&value) {
            return Some(false);
        }
        *left = left.checked_sub(1)?;
        let inst = self.made.get(&value)?;
        let mut advances = Some(false);
        operands(inst, &mut |&operand| {
            advances = match (advances, self.advances(operand, left)) {
                (Some(a), Some(b)) => Some(a || b),
                (None, _) | (_, None) => None,
            };
        });
        advances
    }

    /// The distance that only the launch knows, by which a scalar advances that does: `None` if it is a constant.
    fn stride(&self, value: LaneValue, constants: &HashMap<LaneValue, u64>) -> Option<LoopStride> {
        let is_known = |value: &LaneValue| constants.contains_key(value);
        if let Some(step) = self.steps.get(&value) {
            return (!is_known(step)).then_some(LoopStride::Step);
        }
        let inst = self.made.get(&value)?;
        let (mut scales, mut stride, mut grows) = (false, None, false);
        operands(inst, &mut |&operand| {
            let mut left = LONGEST_CHAIN;
            grows |= self.advances(operand, &mut left) == Some(true);
            scales |= !self.inside.contains(&operand) && !is_known(&operand);
            stride = stride.max(self.stride(operand, constants));
        });
        let multiplies = matches!(inst, LaneInst::Op { op, .. } if matches!(sum_op(*op), SumOp::Mul));
        stride.max((multiplies && scales && grows).then_some(LoopStride::Rows))
    }
}

impl SteppingLoop {
    /// By how much a scalar advances with each iteration, if that is a constant.
    fn constant_stride(&self, value: LaneValue, constants: &HashMap<LaneValue, u64>) -> Option<i64> {
        if let Some(step) = self.steps.get(&value) {
            return constants.get(step).map(|&step| step as i64);
        }
        if !self.inside.contains(&value) || constants.contains_key(&value) {
            return Some(0);
        }
        let LaneInst::Op { op, args, .. } = self.made.get(&value)? else { return None };
        let of = |value: &LaneValue| self.constant_stride(*value, constants);
        match (sum_op(*op), args.as_slice()) {
            (SumOp::Add, [a, b]) => of(a)?.checked_add(of(b)?),
            (SumOp::Sub, [a, b]) => of(a)?.checked_sub(of(b)?),
            (SumOp::Mul, [a, b]) => match (constants.get(a), constants.get(b)) {
                (Some(&factor), _) => of(b)?.checked_mul(factor as i64),
                (_, Some(&factor)) => of(a)?.checked_mul(factor as i64),
                (None, None) => (of(a)? == 0 && of(b)? == 0).then_some(0),
            },
            (SumOp::Convert(_), [a]) => of(a),
            (SumOp::Add | SumOp::Sub | SumOp::Mul | SumOp::Convert(_) | SumOp::Other, _) => None,
        }
    }
}

impl Prefetcher<'_> {
    fn block(&mut self, block: LaneBlock) -> LaneBlock {
        let (nodes, results) = block.into_parts();
        let mut written = Vec::with_capacity(nodes.len());
        for node in nodes {
            match node {
                Node::Let { value, inst: LaneInst::Const(bits), pos } => {
                    self.constants.insert(value, bits);
                    written.push(Node::Let { value, inst: LaneInst::Const(bits), pos });
                }
                Node::If { condition, then, otherwise, results, likely } => {
                    let (then, otherwise) = (self.block(then), self.block(otherwise));
                    written.push(Node::If { condition, then, otherwise, results, likely });
                }
                Node::Loop { params, init, body, again, results } => {
                    let mut body = self.block(body);
                    if let Some(mut stepping) = self.stepping(&params, &body) {
                        let mut ahead = Vec::new();
                        self.loads(&body, &mut stepping, &mut ahead);
                        written.append(&mut stepping.before);
                        // As early as possible.
                        let (nodes, results) = body.into_parts();
                        self.found |= ahead.iter().any(|node| matches!(node, Node::Do { .. }));
                        body = LaneBlock { nodes: ahead.into_iter().chain(nodes).collect(), results };
                    } else if let Some(mut stepping) = self.stepping_around(&params, &body) {
                        let work = lane_work(&body, false, self.types);
                        self.inner(&mut body, work, &mut stepping);
                        written.append(&mut stepping.before);
                    }
                    written.push(Node::Loop { params, init, body, again, results });
                }
                other @ (Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll) => written.push(other),
            }
        }
        LaneBlock { nodes: written, results }
    }

    /// Finds the parameters of an innermost loop that advance by a loop-invariant step.
    fn stepping(&self, params: &[LaneValue], body: &LaneBlock) -> Option<SteppingLoop> {
        let mut stepping = SteppingLoop { inside: params.iter().copied().collect(), ..SteppingLoop::default() };
        if !stepping.collect(body, self.types, self.width as usize) {
            return None;
        }
        for (&param, &next) in params.iter().zip(&body.results) {
            self.note_step(param, next, &mut stepping);
        }
        (!stepping.steps.is_empty()).then_some(stepping)
    }

    /// Finds the parameters of a loop of the kernel that holds others: only these loops poll. Its next
    /// iteration may begin in an arm, whose other arm leaves the loop.
    fn stepping_around(&self, params: &[LaneValue], body: &LaneBlock) -> Option<SteppingLoop> {
        if !body.nodes.iter().any(|node| matches!(node, Node::Poll)) {
            return None;
        }
        let mut stepping =
            SteppingLoop { inside: params.iter().copied().collect(), holds_loops: true, ..SteppingLoop::default() };
        stepping.collect_all(body, self.types);
        for (&param, &next) in params.iter().zip(&body.results) {
            let of_arm = body.nodes.iter().find_map(|node| match node {
                Node::If { then, otherwise, results, .. } => {
                    let at = results.iter().position(|&result| result == next)?;
                    let (there, here) = (then.results[at], otherwise.results[at]);
                    if here == param { Some(there) } else { (there == param).then_some(here) }
                }
                Node::Let { .. } | Node::Do { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => None,
            });
            self.note_step(param, of_arm.unwrap_or(next), &mut stepping);
        }
        (!stepping.steps.is_empty()).then_some(stepping)
    }

    /// Notes the step from a parameter to its next value, if it is one.
    fn note_step(&self, param: LaneValue, next: LaneValue, stepping: &mut SteppingLoop) {
        let Some(LaneInst::Op { op, args, .. }) = stepping.made.get(&next) else { return };
        let &[a, b] = args.as_slice() else { return };
        // A sum that saturates, as that of a range with a step does, still grows by it.
        let grows = stepping.holds_loops && matches!(op.family(), OpFamily::Arithmetic(ArithmeticOp::Add, _));
        let step = match sum_op(*op) {
            SumOp::Add if a == param => b,
            SumOp::Add if b == param => a,
            SumOp::Other if grows && a == param => b,
            SumOp::Add | SumOp::Sub | SumOp::Mul | SumOp::Convert(_) | SumOp::Other => return,
        };
        let elem = self.types[param.index()].elem();
        if !stepping.inside.contains(&step) && matches!(elem, Elem::I32 | Elem::I64) {
            stepping.steps.insert(param, step);
        }
    }

    /// Writes the prefetches of the loads in innermost loops inside of a loop, as far as the others leave
    /// time: `work` is that of all.
    fn inner(&mut self, block: &mut LaneBlock, work: usize, stepping: &mut SteppingLoop) {
        for node in &mut block.nodes {
            match node {
                Node::If { then, otherwise, likely, .. } => {
                    self.inner(then, work, stepping);
                    if !likely.is_then() {
                        self.inner(otherwise, work, stepping);
                    }
                }
                Node::Loop { body, .. } if body.nodes.iter().any(holds_loop) => self.inner(body, work, stepping),
                Node::Loop { body, .. } => {
                    stepping.work = work - lane_work(body, true, self.types);
                    stepping.later.clear();
                    if body.nodes.iter().any(|node| matches!(node, Node::Do { effect: Effect::Prefetch { .. }, .. })) {
                        continue;
                    }
                    let mut ahead = Vec::new();
                    self.loads(body, stepping, &mut ahead);
                    self.found |= ahead.iter().any(|node| matches!(node, Node::Do { .. }));
                    ahead.append(&mut body.nodes);
                    body.nodes = ahead;
                }
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    /// Writes the prefetches of the loads in a block and its usual arms.
    fn loads(&mut self, block: &LaneBlock, stepping: &mut SteppingLoop, ahead: &mut Vec<Node>) {
        for node in &block.nodes {
            match node {
                Node::Let { inst: LaneInst::Load { at, .. }, pos, .. } => self.load(at, *pos, stepping, ahead),
                Node::If { then, .. } => self.loads(then, stepping, ahead),
                Node::Let { .. } | Node::Do { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    fn load(&mut self, at: &LaneAddress, pos: Pos, stepping: &mut SteppingLoop, ahead: &mut Vec<Node>) {
        let side_by_side = at.along == AddressStep::Step(at.stored.size().into());
        let (MemorySpace::Buffer(_), true, Some(offset)) = (at.space, side_by_side, at.offset) else { return };
        let mut left = LONGEST_CHAIN;
        if stepping.advances(offset, &mut left) != Some(true) {
            return;
        }
        let prefetches = ahead.iter().filter(|node| matches!(node, Node::Do { .. })).count();
        let bytes = i64::from(self.width) * i64::from(at.stored.size());
        let leaves_gaps = || {
            let stride = stepping.constant_stride(offset, &self.constants).map_or(0, i64::abs);
            !stepping.holds_loops && stride > bytes && bytes >= LINE
        };
        let stride = stepping.stride(offset, &self.constants).or_else(|| leaves_gaps().then_some(LoopStride::Gaps));
        match stride {
            Some(LoopStride::Step) => {}
            Some(LoopStride::Rows | LoopStride::Gaps) if stepping.work >= ROWS_WORK * (prefetches + 1) => {}
            Some(LoopStride::Rows | LoopStride::Gaps) | None => return,
        }
        let ahead_of = if stride == Some(LoopStride::Gaps) { GAPS_AHEAD } else { ROWS_AHEAD };
        let offset = Some(self.later(offset, ahead_of, stepping, ahead));
        let effect = Effect::Prefetch { at: LaneAddress { offset, ..at.clone() } };
        if !ahead.iter().any(|node| matches!(node, Node::Do { effect: other, .. } if *other == effect)) {
            ahead.push(Node::Do { effect, pos });
        }
    }

    /// A scalar as it will be, so many `rows` ahead if its step is a constant.
    fn later(&mut self, value: LaneValue, rows: u32, stepping: &mut SteppingLoop, ahead: &mut Vec<Node>) -> LaneValue {
        if let Some(&later) = stepping.later.get(&value) {
            return later;
        }
        let elem = self.types[value.index()].elem();
        let inst = match (stepping.steps.get(&value), stepping.made.get(&value)) {
            (Some(&step), _) => {
                let far = self.far(value, step, rows, stepping);
                LaneInst::Op { op: Op::Add, scalar: scalar_of(elem), args: Args::from_slice(&[value, far]) }
            }
            (None, Some(inst)) => {
                let mut inst = inst.clone();
                operands_mut(&mut inst, &mut |operand| *operand = self.later(*operand, rows, stepping, ahead));
                inst
            }
            (None, None) => return value,
        };
        let later = self.scalar(elem, inst, ahead);
        stepping.later.insert(value, later);
        later
    }

    /// By how much a parameter advances in the iterations ahead.
    fn far(&mut self, param: LaneValue, step: LaneValue, rows: u32, stepping: &mut SteppingLoop) -> LaneValue {
        if let Some(&far) = stepping.far.get(&param) {
            return far;
        }
        let elem = self.types[param.index()].elem();
        let constant = self.constants.contains_key(&step);
        let rounds = match constant {
            _ if stepping.holds_loops => BLOCKS_AHEAD,
            true => rows,
            false => (AHEAD / self.width).min(MOST_ROUNDS),
        };
        let rounds = self.scalar(elem, LaneInst::Const(rounds.into()), &mut stepping.before);
        let far = LaneInst::Op { op: Op::Mul, scalar: scalar_of(elem), args: Args::from_slice(&[step, rounds]) };
        let far = self.scalar(elem, far, &mut stepping.before);
        stepping.far.insert(param, far);
        far
    }

    fn scalar(&mut self, elem: Elem, inst: LaneInst, nodes: &mut Vec<Node>) -> LaneValue {
        let value = LaneValue(self.types.len() as u32);
        self.types.push(LaneType::Scalar(elem));
        nodes.push(Node::Let { value, inst, pos: Pos::NONE });
        value
    }
}

/// The operations of an instruction on that many lanes.
fn inst_work(inst: &LaneInst, lanes: usize) -> usize {
    match inst.class() {
        LaneInstClass::Pure => usize::from(matches!(inst, LaneInst::Op { .. })),
        // One by one.
        LaneInstClass::Atomic => lanes,
        LaneInstClass::Read => 0,
    }
}

/// Is there a loop in a node?
fn holds_loop(node: &Node) -> bool {
    match node {
        Node::If { then, otherwise, .. } => then.nodes.iter().chain(&otherwise.nodes).any(holds_loop),
        Node::Loop { .. } => true,
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => false,
    }
}

/// Operations on lanes in the innermost loops of a block but for cold arms, and in the block itself if it
/// is of one.
fn lane_work(block: &LaneBlock, counts: bool, types: &[LaneType]) -> usize {
    let of = |node: &Node| match node {
        Node::Let { value, inst: LaneInst::Op { .. }, .. } => usize::from(counts && types[value.index()].is_lanes()),
        Node::If { then, otherwise, likely, .. } => {
            let rest = if likely.is_then() { 0 } else { lane_work(otherwise, counts, types) };
            lane_work(then, counts, types) + rest
        }
        Node::Loop { body, .. } => lane_work(body, !body.nodes.iter().any(holds_loop), types),
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => 0,
    };
    block.nodes.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use crate::vectorize::{CodeKey, vectorize};

    fn prefetches(step: &str, index: &str) -> usize {
        let text = format!(
            "kernel k(a: view<u32, 1, read>, b: view<u32, 1, read_write>, n: i32, by: i32) tile(64) {{
                var sum: u32 = 0u32;
                var i: i32 = global[0];
                while i < n {{
                    sum = sum + a[{index}];
                    i = i + {step};
                }}
                b[global[0]] = sum;
            }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let program = vectorize(&kernel, &CodeKey::apart(16, 4)).unwrap_or_else(|why| panic!("{}", why.0));
        program.to_string().matches("prefetch ").count()
    }

    #[test]
    fn columns_are_prefetched_and_not_rows() {
        let of = |index: &str, power: usize| {
            let power = vec!["x"; power].join(" * ");
            let text = format!(
                "kernel k(m: view<f32, 2, read>, sums: view<f32, 1, read_write>) rank(1) {{
                    let i = global[0];
                    var sum: f32 = 0.0;
                    var k: i32 = 0;
                    while k < extent(m, 0) {{
                        let x = m[{index}];
                        sum = sum + {power};
                        k = k + 1;
                    }}
                    sums[i] = sum;
                }}"
            );
            let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
            let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
            let program = vectorize(&kernel, &CodeKey::apart(16, 4)).unwrap_or_else(|why| panic!("{}", why.0));
            program.to_string().matches("prefetch ").count()
        };
        assert_eq!(of("k, i", 9), 1);
        assert_eq!(of("k, i", 1), 0, "no time to spare");
        assert_eq!(of("i, k", 9), 0, "no neighbours");
        assert_eq!(of("0, i", 9), 0, "the same in each iteration");
    }

    /// The prefetches of a product through `tile_static` memory, in tiles of 8 x 8, whose block of the
    /// second matrix has this index.
    fn of_blocks(index: &str, work: usize) -> usize {
        let product = "x * x + ".repeat(work);
        let text = format!(
            "kernel k(b: view<f32, 2, read>, c: view<f32, 2, read_write>, n: i32) tile(8, 8) {{
                tile_static part: [[f32; 8]; 8];
                let row = local[0];
                let column = local[1];
                var sum: f32 = 0.0;
                var first: i32 = 0;
                while first < n {{
                    part[row][column] = b[{index}];
                    barrier;
                    var k: i32 = 0;
                    while k < 8 {{
                        let x = part[k][column];
                        sum = {product}sum;
                        k = k + 1;
                    }}
                    barrier;
                    first = first + 8;
                }}
                c[global[0], global[1]] = sum;
            }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let program = vectorize(&kernel, &CodeKey::apart(8, 4)).unwrap_or_else(|why| panic!("{}", why.0));
        program.to_string().matches("prefetch ").count()
    }

    #[test]
    fn blocks_of_rows_are_prefetched_while_the_one_before_is_computed_with() {
        assert_eq!(of_blocks("first + row, global[1]", 9), 1);
        assert_eq!(of_blocks("first + row, global[1]", 1), 0, "no time to spare");
        assert_eq!(of_blocks("global[0], first + column", 9), 0, "the same rows, further along");
        assert_eq!(of_blocks("row, global[1]", 9), 0, "the same block again");
    }

    #[test]
    fn only_steps_that_the_launch_knows_are_prefetched_and_only_neighbours() {
        assert_eq!(prefetches("by", "i"), 1);
        assert_eq!(prefetches("by", "i + 5"), 1);
        assert_eq!(prefetches("by", "i * 3"), 0, "no neighbours");
        assert_eq!(prefetches("by", "(sum & 15u32) as i32"), 0, "known only when it is reached");
        assert_eq!(prefetches("16", "i"), 0, "a constant step, and nothing is left out");
    }

    #[test]
    fn strips_of_rows_are_prefetched_if_there_is_work() {
        let of = |step: i32, what: &str| {
            let text = format!(
                "kernel k(a: view<u32, 1, read>, b: view<u32, 1, read_write>) tile(64) {{
                    tile_static counts: [u32; 256];
                    let first = global[0];
                    var r: i32 = 0;
                    while r < 100 {{
                        let word = a[first + r * {step}];
                        {what};
                        r = r + 1;
                    }}
                    barrier;
                    b[global[0]] = counts[local[0]];
                }}"
            );
            let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
            let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
            let program = vectorize(&kernel, &CodeKey::apart(16, 4)).unwrap_or_else(|why| panic!("{}", why.0));
            program.to_string().contains("prefetch ")
        };
        let count = "atomic_add(counts[to_i32(word >> 24u32)], 1u32)";
        assert!(of(64, count));
        assert!(of(-64, count));
        assert!(!of(16, count), "nothing is left out");
        assert!(!of(64, "counts[local[0]] = word"), "no time to spare");
    }
}
