//! Offsets that grow by the same from iteration to iteration are added up, not multiplied out.
//!
//! A loop over the rows of a block computes `row * stride + column` for each access: a sum, its
//! widening to 64 bits, a product, another sum. In an innermost loop that is affine in the loop's
//! counter: `start + counter * slope`, where both numbers are computed before the loop. So
//!
//! - the base of the address becomes `base + start`,
//! - its offset becomes a parameter of the loop that begins at `first * slope` and grows by
//!   `step * slope`, one for each slope: accesses to a row, its neighbours and the row that is
//!   prefetched share it.
//!
//! Slopes that are constants are left as they are: an address holds the counter times 1, 2, 4 or 8 for
//! nothing, and a shift is no more than an addition. All arithmetic is modulo 2^64, like addresses.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::stack::with_block;
use tilewise_ir::types::Scalar;

use super::classes::{SumOp, sum_op};
use super::program::{Args, Elem, LaneAddress, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node};
use super::remove_dead;
use super::walk::{access, access_mut, effect_addresses, effect_addresses_mut};
use crate::hash::{HashMap, HashSet};

/// Maximum number of different bases of a loop: each is in a register.
const BASES: usize = 6;

/// Makes running offsets in the innermost loops of a program.
pub fn run_offsets(program: &mut LaneProgram) {
    let mut pass = OffsetPass { types: std::mem::take(&mut program.types), numbers: HashMap::default(), found: false };
    let mut body = std::mem::take(&mut program.body);
    pass.block(&mut body);
    (program.body, program.types) = (body, pass.types);
    if pass.found {
        remove_dead(program);
    }
}

struct OffsetPass {
    types: Vec<LaneType>,
    /// Constant integers.
    numbers: HashMap<LaneValue, i64>,
    /// Has any loop got a running offset?
    found: bool,
}

/// A number that is known before a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum StillNumber {
    Constant(i64),
    Value(LaneValue),
}

/// A scalar of a loop: `start + counter * slope`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RunningScalar {
    start: StillNumber,
    slope: StillNumber,
}

impl RunningScalar {
    const fn still(start: StillNumber) -> RunningScalar {
        RunningScalar { start, slope: StillNumber::Constant(0) }
    }
}

/// An innermost loop.
struct OffsetLoop<'b> {
    counter: LaneValue,
    /// What its body computes by operations on scalars.
    made: HashMap<LaneValue, &'b LaneInst>,
    /// All values of the body.
    inside: HashSet<LaneValue>,
    lines: HashMap<LaneValue, Option<RunningScalar>>,
    /// Operations before the loop, and their results.
    known: HashMap<LaneInst, LaneValue>,
    before: Vec<Node>,
}

/// The new parts of an address.
#[derive(Clone, Copy)]
struct RunningAddress {
    base: LaneValue,
    slope: LaneValue,
    displacement: i64,
}

impl OffsetPass {
    fn block(&mut self, block: &mut LaneBlock) {
        let mut nodes = Vec::with_capacity(block.nodes.len());
        for mut node in std::mem::take(&mut block.nodes) {
            match &mut node {
                Node::Let { value, inst: LaneInst::Const(bits), .. } => {
                    match self.types[value.index()] {
                        LaneType::Scalar(Elem::I64) => _ = self.numbers.insert(*value, *bits as i64),
                        LaneType::Scalar(Elem::I32) => _ = self.numbers.insert(*value, i64::from(*bits as i32)),
                        LaneType::Scalar(Elem::Bool | Elem::F32 | Elem::F64) | LaneType::Lanes(_) => {}
                    };
                }
                Node::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|arm| self.block(arm)),
                Node::Loop { body, .. } => {
                    self.block(body);
                    self.run(&mut node, &mut nodes);
                }
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
            nodes.push(node);
        }
        block.nodes = nodes;
    }

    /// Gives a loop its running offsets; `nodes` gets what is computed before it.
    fn run(&mut self, node: &mut Node, nodes: &mut Vec<Node>) {
        let Node::Loop { params, init, body, results, .. } = node else { return };
        let Some((param, step)) = self.counter(params, body) else { return };
        let mut of = OffsetLoop {
            counter: params[param],
            made: HashMap::default(),
            inside: params.iter().copied().collect(),
            lines: HashMap::default(),
            known: HashMap::default(),
            before: Vec::new(),
        };
        if !of.collect(body) {
            return;
        }
        let mut found: HashMap<(LaneValue, LaneValue), RunningAddress> = HashMap::default();
        each_address(body, &mut |at| {
            if let Some(offset) = at.offset
                && let Some(running) = self.running(at, &mut of)
            {
                found.insert((at.base, offset), running);
            }
        });
        let bases: HashSet<LaneValue> = found.values().map(|running| running.base).collect();
        if bases.is_empty() || bases.len() > BASES {
            return;
        }
        let mut slopes: Vec<LaneValue> = found.values().map(|running| running.slope).collect();
        slopes.sort_unstable();
        slopes.dedup();
        let first = match self.numbers.get(&init[param]) {
            Some(&number) => StillNumber::Constant(number),
            None => fault::choose(Fault::OffsetRunsFromZero, StillNumber::Value(init[param]), StillNumber::Constant(0)),
        };
        let (mut before, mut starts, mut growths) = (of, Vec::new(), Vec::new());
        for &slope in &slopes {
            let slope = StillNumber::Value(slope);
            for (number, to) in [(first, &mut starts), (StillNumber::Constant(step), &mut growths)] {
                let product = self.still(SumOp::Mul, number, slope, &mut before);
                to.push(self.value(product, &mut before));
            }
        }
        nodes.append(&mut before.before);
        let mut offsets = HashMap::default();
        for ((slope, start), growth) in slopes.into_iter().zip(starts).zip(growths) {
            let [offset, next, last] = [(); 3].map(|()| self.fresh(LaneType::Scalar(Elem::I64)));
            let args = Args::from_slice(&[offset, growth]);
            let inst = LaneInst::Op { op: Op::Add, scalar: Scalar::I64, args };
            body.nodes.push(Node::Let { value: next, inst, pos: Pos::NONE });
            offsets.insert(slope, offset);
            params.push(offset);
            init.push(start);
            body.results.push(next);
            results.push(last);
        }
        each_address_mut(body, &mut |at| {
            if let Some(offset) = at.offset
                && let Some(running) = found.get(&(at.base, offset))
            {
                at.base = running.base;
                at.offset = offsets.get(&running.slope).copied();
                at.displacement += running.displacement;
            }
        });
        self.found = true;
    }

    /// The counter of a loop, by its number, and its constant step: the first 64-bit parameter that grows by
    /// a constant.
    fn counter(&self, params: &[LaneValue], body: &LaneBlock) -> Option<(usize, i64)> {
        params.iter().zip(&body.results).enumerate().find_map(|(i, (&param, &next))| {
            let LaneInst::Op { op, scalar: Scalar::I64, args } = body.made(next)? else { return None };
            let &[a, b] = args.as_slice() else { return None };
            let step = *self.numbers.get(&b).filter(|_| a == param && sum_op(*op) == SumOp::Add)?;
            Some((i, step))
        })
    }

    /// The new parts of an address, if it grows by an amount that only the launch knows.
    fn running(&mut self, at: &LaneAddress, of: &mut OffsetLoop<'_>) -> Option<RunningAddress> {
        if of.inside.contains(&at.base) {
            return None;
        }
        let line = self.line(at.offset?, of)?;
        let StillNumber::Value(slope) = line.slope else { return None };
        let (base, displacement) = match line.start {
            StillNumber::Constant(number) if at.displacement.checked_add(number).is_some_and(is_near) => {
                (at.base, number)
            }
            start => {
                let base = self.still(SumOp::Add, StillNumber::Value(at.base), start, of);
                (self.value(base, of), 0)
            }
        };
        Some(RunningAddress { base, slope, displacement })
    }

    /// A scalar of the loop as a line along its counter.
    fn line(&mut self, value: LaneValue, of: &mut OffsetLoop<'_>) -> Option<RunningScalar> {
        if let Some(&number) = self.numbers.get(&value) {
            return Some(RunningScalar::still(StillNumber::Constant(number)));
        }
        if value == of.counter {
            let [start, slope] = [0, 1].map(StillNumber::Constant);
            return Some(RunningScalar { start, slope });
        }
        if !of.inside.contains(&value) {
            return Some(RunningScalar::still(StillNumber::Value(value)));
        }
        if let Some(&known) = of.lines.get(&value) {
            return known;
        }
        let line = with_block(|| self.line_of_sum(value, of));
        of.lines.insert(value, line);
        line
    }

    fn line_of_sum(&mut self, value: LaneValue, of: &mut OffsetLoop<'_>) -> Option<RunningScalar> {
        let &inst = of.made.get(&value)?;
        let LaneInst::Op { op, scalar, args } = inst else { return None };
        let lines = args.iter().map(|&arg| self.line(arg, of)).collect::<Option<Vec<_>>>()?;
        if lines.iter().all(|line| line.slope == StillNumber::Constant(0)) {
            return self.moved(value, inst, &lines, of);
        }
        let (&[a, b], Scalar::I64 | Scalar::U64) = (lines.as_slice(), scalar) else { return None };
        let zero = StillNumber::Constant(0);
        match sum_op(*op) {
            sum @ (SumOp::Add | SumOp::Sub) => Some(RunningScalar {
                start: self.still(sum, a.start, b.start, of),
                slope: self.still(sum, a.slope, b.slope, of),
            }),
            SumOp::Mul => {
                let (line, by) = match (a.slope == zero, b.slope == zero) {
                    (_, true) => (a, b.start),
                    (true, false) => (b, a.start),
                    (false, false) => return None,
                };
                Some(RunningScalar {
                    start: self.still(SumOp::Mul, line.start, by, of),
                    slope: self.still(SumOp::Mul, line.slope, by, of),
                })
            }
            SumOp::Convert(_) | SumOp::Other => None,
        }
    }

    /// An operation on numbers that are known before the loop, done there.
    fn moved(
        &mut self,
        value: LaneValue,
        inst: &LaneInst,
        lines: &[RunningScalar],
        of: &mut OffsetLoop<'_>,
    ) -> Option<RunningScalar> {
        let LaneInst::Op { op, scalar, args } = inst else { return None };
        // Any other may be there for a condition, as a division is.
        if sum_op(*op) == SumOp::Other {
            return None;
        }
        let mut moved = Args::new();
        for (&arg, line) in args.iter().zip(lines) {
            moved.push(match line.start {
                StillNumber::Value(value) => value,
                StillNumber::Constant(number) => self.number(number, self.types[arg.index()], of)?,
            });
        }
        let inst = LaneInst::Op { op: *op, scalar: *scalar, args: moved };
        let value = self.put(inst, self.types[value.index()], of);
        Some(RunningScalar::still(StillNumber::Value(value)))
    }

    /// A sum, a difference or a product in 64 bits, before the loop.
    fn still(&mut self, op: SumOp, a: StillNumber, b: StillNumber, of: &mut OffsetLoop<'_>) -> StillNumber {
        use StillNumber::Constant;
        match (op, a, b) {
            (SumOp::Add, Constant(a), Constant(b)) => return Constant(a.wrapping_add(b)),
            (SumOp::Sub, Constant(a), Constant(b)) => return Constant(a.wrapping_sub(b)),
            (SumOp::Mul, Constant(a), Constant(b)) => return Constant(a.wrapping_mul(b)),
            (SumOp::Add, Constant(0), other)
            | (SumOp::Add | SumOp::Sub, other, Constant(0))
            | (SumOp::Mul, Constant(1), other)
            | (SumOp::Mul, other, Constant(1)) => return other,
            (SumOp::Mul, Constant(0), _) | (SumOp::Mul, _, Constant(0)) => return Constant(0),
            (SumOp::Add | SumOp::Sub | SumOp::Mul | SumOp::Convert(_) | SumOp::Other, _, _) => {}
        }
        let op = match op {
            SumOp::Sub => Op::Sub,
            SumOp::Mul => Op::Mul,
            SumOp::Add | SumOp::Convert(_) | SumOp::Other => Op::Add,
        };
        let args = [a, b].map(|number| self.value(number, of));
        let inst = LaneInst::Op { op, scalar: Scalar::I64, args: Args::from_slice(&args) };
        StillNumber::Value(self.put(inst, LaneType::Scalar(Elem::I64), of))
    }

    /// A 64-bit number as a value.
    fn value(&mut self, number: StillNumber, of: &mut OffsetLoop<'_>) -> LaneValue {
        match number {
            StillNumber::Value(value) => value,
            StillNumber::Constant(number) => self.put(LaneInst::Const(number as u64), LaneType::Scalar(Elem::I64), of),
        }
    }

    /// A constant of an integer type.
    fn number(&mut self, number: i64, ty: LaneType, of: &mut OffsetLoop<'_>) -> Option<LaneValue> {
        let bits = match ty {
            LaneType::Scalar(Elem::I64) => number as u64,
            LaneType::Scalar(Elem::I32) => u64::from(number as u32),
            LaneType::Scalar(Elem::Bool | Elem::F32 | Elem::F64) | LaneType::Lanes(_) => return None,
        };
        Some(self.put(LaneInst::Const(bits), ty, of))
    }

    /// Puts an instruction before the loop, once.
    fn put(&mut self, inst: LaneInst, ty: LaneType, of: &mut OffsetLoop<'_>) -> LaneValue {
        if let Some(&known) = of.known.get(&inst).filter(|known| self.types[known.index()] == ty) {
            return known;
        }
        let value = self.fresh(ty);
        of.known.insert(inst.clone(), value);
        of.before.push(Node::Let { value, inst, pos: Pos::NONE });
        value
    }

    fn fresh(&mut self, ty: LaneType) -> LaneValue {
        self.types.push(ty);
        LaneValue(self.types.len() as u32 - 1)
    }
}

impl<'b> OffsetLoop<'b> {
    /// Collects what a block computes; false if there is a loop in it.
    fn collect(&mut self, block: &'b LaneBlock) -> bool {
        block.nodes.iter().all(|node| {
            match node {
                Node::Let { value, inst, .. } => {
                    self.inside.insert(*value);
                    self.made.insert(*value, inst);
                }
                Node::If { then, otherwise, results, .. } => {
                    self.inside.extend(results);
                    return self.collect(then) && self.collect(otherwise);
                }
                Node::Loop { .. } => return false,
                Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
            true
        })
    }
}

/// Can an instruction hold this displacement?
fn is_near(displacement: i64) -> bool {
    displacement.unsigned_abs() < 1 << 28
}

/// Visits the addresses in a block without loops.
fn each_address(block: &LaneBlock, f: &mut dyn FnMut(&LaneAddress)) {
    for node in &block.nodes {
        match node {
            Node::Let { inst, .. } => {
                if let Some((at, _)) = access(inst) {
                    f(at);
                }
            }
            Node::Do { effect, .. } => effect_addresses(effect).into_iter().flatten().for_each(&mut *f),
            Node::If { then, otherwise, .. } => {
                each_address(then, f);
                each_address(otherwise, f);
            }
            Node::Loop { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
}

/// As [`each_address`], mutably.
fn each_address_mut(block: &mut LaneBlock, f: &mut dyn FnMut(&mut LaneAddress)) {
    for node in &mut block.nodes {
        match node {
            Node::Let { inst, .. } => {
                if let Some((at, _)) = access_mut(inst) {
                    f(at);
                }
            }
            Node::Do { effect, .. } => effect_addresses_mut(effect).into_iter().flatten().for_each(&mut *f),
            Node::If { then, otherwise, .. } => {
                each_address_mut(then, f);
                each_address_mut(otherwise, f);
            }
            Node::Loop { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectorize::{CodeKey, vectorize};
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    /// The program of a kernel of tiles of 16 by 16, and for each innermost loop with running offsets their number
    /// and the number of scalar operations of an iteration.
    fn loops(body: &str) -> (LaneProgram, Vec<(usize, usize)>) {
        let text = format!(
            "kernel k(a: view<f32, 2, read>, b: view<f32, 2, read>, c: view<f32, 2, read_write>) tile(16, 16) {{
                tile_static t: [[f32; 16]; 16];
                let y = local[0]; let x = local[1];
                {body}
            }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let program = vectorize(&kernel, &CodeKey::apart(16, 3)).unwrap_or_else(|why| panic!("{}", why.0));
        crate::lanes::verify(&program).expect("it is a program");
        let mut found = Vec::new();
        let mut blocks = vec![&program.body];
        while let Some(block) = blocks.pop() {
            for node in &block.nodes {
                match node {
                    Node::If { then, otherwise, .. } => blocks.extend([then, otherwise]),
                    Node::Loop { params, body, .. } => {
                        blocks.push(body);
                        if params.len() > 1 && !body.nodes.iter().any(|node| matches!(node, Node::Loop { .. })) {
                            let of_scalars = |node: &&Node| {
                                let Node::Let { value, inst: LaneInst::Op { .. }, .. } = node else { return false };
                                !program.ty(*value).is_lanes()
                            };
                            found.push((params.len() - 1, body.nodes.iter().filter(of_scalars).count()));
                        }
                    }
                    Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
                }
            }
        }
        (program, found)
    }

    #[test]
    fn rows_are_reached_by_adding_the_stride() {
        let (program, found) = loops("t[y][x] = a[global[0], global[1]]; barrier; c[global[0], global[1]] = t[x][y];");
        // The loops that load the rows and that store them: the counter, its comparison, the place in the
        // tile's memory, and the offset.
        assert_eq!(found, [(1, 4), (1, 4)], "{program}");
    }

    #[test]
    fn rows_of_one_stride_share_an_offset() {
        let (program, found) = loops(
            "let g = global[0]; t[y][x] = a[g, global[1]] + a[g + 1, global[1]]; barrier; c[global[0], global[1]] = t[x][y];",
        );
        assert_eq!(found.iter().map(|of| of.0).collect::<Vec<_>>(), [1, 1], "{program}");
        let (program, found) = loops(
            "t[y][x] = a[global[0], global[1]] + b[global[0], global[1]]; barrier; c[global[0], global[1]] = t[x][y];",
        );
        assert_eq!(found.iter().map(|of| of.0).max(), Some(2), "two strides: {program}");
    }
}
