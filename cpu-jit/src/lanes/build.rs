//! Builds a lane program by appending nodes, and simplifies as it goes.
//!
//! - **Value numbering.** An available earlier result of the same instruction is reused.
//! - **Constant folding.** Operations on constants are evaluated here, by the op table itself.
//! - **Placement.** A pure operation is hoisted to the outermost loop in which its operands are
//!   available. It leaves an arm only when it leaves a loop. Pure operations cannot fault, so
//!   executing one that no lane needs costs only time.

use smallvec::smallvec;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::{ArithmeticOp, BitwiseOp, DivisionOp, Instance, Op, OpFamily, OverflowRule};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use super::program::{
    ArenaSizes, Args, ArgumentWord, Effect, Elem, ExitStatus, LaneAddress, LaneBlock, LaneInst, LaneProgram, LaneType,
    LaneValue, Likely, Node, OwnRuns, ShortLoops,
};
use super::significant::SignificantBits;
use super::walk::operands;
use crate::hash::{HashMap, Hashed};

/// Conjunctions that are looked into for a part.
const IMPLICATION_STEPS: usize = 6;

/// The construct that a frame is the inside of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FrameKind {
    Whole,
    Arm,
    Loop,
}

struct BuildFrame {
    kind: FrameKind,
    nodes: Vec<Node>,
    known: HashMap<Hashed<(LaneInst, LaneType)>, LaneValue>,
}

/// Builds a program from its beginning to its end.
pub struct LaneBuilder {
    width: u32,
    types: Vec<LaneType>,
    /// For each value, the number of open frames where it becomes available.
    depth: Vec<usize>,
    bits: SignificantBits,
    constants: HashMap<LaneValue, u64>,
    /// For some masks, scalars that state whether any and whether all lanes are set.
    described: HashMap<LaneValue, (LaneValue, LaneValue)>,
    /// For results of a select: the mask and the two values.
    selected: HashMap<LaneValue, (LaneValue, LaneValue, LaneValue)>,
    /// For splats: the scalar.
    splats: HashMap<LaneValue, LaneValue>,
    /// For non-negative `i32` scalars: the same value as an `i64`.
    wide: HashMap<LaneValue, LaneValue>,
    /// For conditions: the negation, if it was built.
    opposite: HashMap<LaneValue, LaneValue>,
    /// For conjunctions of conditions: their two parts.
    conjunctions: HashMap<LaneValue, [LaneValue; 2]>,
    inputs: Vec<ArgumentWord>,
    given: [LaneValue; 4],
    frames: Vec<BuildFrame>,
    pos: Pos,
}

impl LaneBuilder {
    /// Begins a program of a width.
    pub fn new(width: u32) -> LaneBuilder {
        let given = [LaneValue(0), LaneValue(1), LaneValue(2), LaneValue(3)];
        let frame = BuildFrame { kind: FrameKind::Whole, nodes: Vec::new(), known: HashMap::default() };
        LaneBuilder {
            width,
            types: vec![LaneType::Scalar(Elem::I64); 4],
            depth: vec![1; 4],
            bits: SignificantBits::of_any(4),
            constants: HashMap::default(),
            described: HashMap::default(),
            selected: HashMap::default(),
            splats: HashMap::default(),
            wide: HashMap::default(),
            opposite: HashMap::default(),
            conjunctions: HashMap::default(),
            inputs: Vec::new(),
            given,
            frames: vec![frame],
            pos: Pos::NONE,
        }
    }

    /// Lanes.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// The four scalars that the caller passes.
    pub const fn given(&self) -> [LaneValue; 4] {
        self.given
    }

    /// Sets the source position of the following nodes.
    pub fn at(&mut self, pos: Pos) {
        self.pos = pos;
    }

    /// The source position of new nodes.
    pub const fn pos(&self) -> Pos {
        self.pos
    }

    /// The type of a value.
    pub fn ty(&self, value: LaneValue) -> LaneType {
        self.types[value.index()]
    }

    /// The bits of a constant scalar.
    pub fn constant_of(&self, value: LaneValue) -> Option<u64> {
        self.constants.get(&value).copied()
    }

    /// The value of a constant `i64` or (with its sign) `i32` scalar.
    pub fn number_of(&self, value: LaneValue) -> Option<i64> {
        let bits = self.constant_of(value)?;
        match self.ty(value).elem() {
            Elem::I64 => Some(bits as i64),
            Elem::I32 => Some(i64::from(bits as i32)),
            Elem::Bool | Elem::F32 | Elem::F64 => None,
        }
    }

    fn fresh(&mut self, ty: LaneType, depth: usize) -> LaneValue {
        let value = LaneValue(self.types.len() as u32);
        self.types.push(ty);
        self.depth.push(depth);
        self.bits.push();
        value
    }

    /// A constant scalar by its bits.
    pub fn constant(&mut self, elem: Elem, bits: u64) -> LaneValue {
        let bits = match elem {
            Elem::Bool => bits & 1,
            Elem::I32 | Elem::F32 => u64::from(bits as u32),
            Elem::I64 | Elem::F64 => bits,
        };
        let value = self.pure(LaneInst::Const(bits), LaneType::Scalar(elem));
        self.constants.insert(value, bits);
        value
    }

    /// A constant `i64`.
    pub fn number(&mut self, n: i64) -> LaneValue {
        self.constant(Elem::I64, n as u64)
    }

    /// A constant `bool`.
    pub fn truth(&mut self, truth: bool) -> LaneValue {
        self.constant(Elem::Bool, u64::from(truth))
    }

    /// A word of the argument block.
    pub fn input(&mut self, input: ArgumentWord) -> LaneValue {
        let index = self.inputs.iter().position(|&other| other == input).unwrap_or_else(|| {
            self.inputs.push(input);
            self.inputs.len() - 1
        });
        self.pure(LaneInst::Input(index as u32), LaneType::Scalar(input.elem()))
    }

    /// A scalar in every lane; lanes are returned unchanged.
    pub fn lanes(&mut self, value: LaneValue) -> LaneValue {
        match self.ty(value) {
            LaneType::Lanes(_) => value,
            LaneType::Scalar(elem) => {
                let lanes = self.pure(LaneInst::Splat(value), LaneType::Lanes(elem));
                self.splats.insert(lanes, value);
                lanes
            }
        }
    }

    /// A pure instruction of a type: reused, or placed as the page describes.
    pub fn pure(&mut self, inst: LaneInst, ty: LaneType) -> LaneValue {
        let key = Hashed::new((inst, ty));
        if let Some(&known) = self.frames.iter().rev().find_map(|frame| frame.known.get(&key)) {
            return known;
        }
        let mut needed = 1;
        operands(&key.key.0, &mut |&value| needed = needed.max(self.depth[value.index()]));
        // Outwards as far as the operands allow; then back inwards to the last loop that was left.
        let mut at = self.frames.len();
        for depth in (needed..self.frames.len()).rev() {
            if self.frames[depth].kind == FrameKind::Loop {
                at = depth;
            }
        }
        let value = self.fresh(ty, at);
        self.bits.note(value, &key.key.0);
        let frame = &mut self.frames[at - 1];
        frame.nodes.push(Node::Let { value, inst: key.key.0.clone(), pos: self.pos });
        frame.known.insert(key, value);
        value
    }

    /// The available result of a pure instruction, if it was built before.
    pub(crate) fn known(&self, inst: &LaneInst, ty: LaneType) -> Option<LaneValue> {
        let key = Hashed::new((inst.clone(), ty));
        self.frames.iter().rev().find_map(|frame| frame.known.get(&key)).copied()
    }

    /// An instruction that stays where it is written: a load, an atomic.
    pub fn here(&mut self, inst: LaneInst, ty: LaneType) -> LaneValue {
        let value = self.fresh(ty, self.frames.len());
        self.bits.note(value, &inst);
        let pos = self.pos;
        self.push(Node::Let { value, inst, pos });
        value
    }

    /// A row of the op table. If any argument is lanes, all become lanes.
    pub fn op(&mut self, op: Op, scalar: Scalar, args: &[LaneValue]) -> LaneValue {
        let lanes = args.iter().any(|&arg| self.ty(arg).is_lanes());
        let result = self.result(op, scalar, args);
        if !lanes && let Some(bits) = self.fold(op, scalar, args) {
            return self.constant(result, bits);
        }
        if let Some(simple) = self.simple(op, scalar, args) {
            return simple;
        }
        let args: Args = args.iter().map(|&arg| if lanes { self.lanes(arg) } else { arg }).collect();
        let ty = if lanes { LaneType::Lanes(result) } else { LaneType::Scalar(result) };
        if lanes && op == Op::Select {
            return self.select(args[0], args[1], args[2]);
        }
        let (Op::And, Scalar::Bool, &[a, b]) = (op, scalar, args.as_slice()) else {
            return self.pure(LaneInst::Op { op, scalar, args }, ty);
        };
        if let Some(simple) = self.conjunction(a, b) {
            return simple;
        }
        let value = self.pure(LaneInst::Op { op, scalar, args }, ty);
        self.conjunctions.insert(value, [a, b]);
        value
    }

    /// The conjunction of two values, if it needs no instruction or a shorter one: of a value and another that
    /// implies it; or of a value and the negation of a conjunction with a part of it, as
    /// of the lanes in a loop those that have not left.
    fn conjunction(&mut self, a: LaneValue, b: LaneValue) -> Option<LaneValue> {
        for (a, b) in [(a, b), (b, a)] {
            if self.implies(b, a, IMPLICATION_STEPS) {
                return Some(b);
            }
            let Some([c, d]) = self.opposite.get(&b).and_then(|of| self.conjunctions.get(of)).copied() else {
                continue;
            };
            for (c, d) in [(c, d), (d, c)] {
                if self.implies(a, c, IMPLICATION_STEPS) {
                    let rest = self.not(d);
                    return Some(self.and(a, rest));
                }
            }
        }
        None
    }

    /// Is a value another, or a conjunction with it?
    fn implies(&self, value: LaneValue, part: LaneValue, steps: usize) -> bool {
        value == part
            || steps > 0
                && self
                    .conjunctions
                    .get(&value)
                    .is_some_and(|parts| parts.iter().any(|&value| self.implies(value, part, steps - 1)))
    }

    /// The element type of a row's result, by its slots.
    fn result(&self, op: Op, scalar: Scalar, args: &[LaneValue]) -> Elem {
        match op.row().result.scalar {
            tilewise_ir::ops::SlotScalar::Fixed(fixed) => Elem::of(fixed),
            tilewise_ir::ops::SlotScalar::T if op.row().class.is_empty() => self.ty(args[0]).elem(),
            tilewise_ir::ops::SlotScalar::T => Elem::of(scalar),
        }
    }

    /// Evaluates the row on constants. A NaN is left to the machine.
    fn fold(&self, op: Op, scalar: Scalar, args: &[LaneValue]) -> Option<u64> {
        let float = scalar.is_float();
        let result = op.fold(scalar, args.iter().map(|&arg| self.constant_of(arg)))?;
        (!float || !f64::from_bits(result).is_nan() && !f32::from_bits(result as u32).is_nan()).then_some(result)
    }

    /// Simplifies operations that are identities.
    fn simple(&mut self, op: Op, scalar: Scalar, args: &[LaneValue]) -> Option<LaneValue> {
        let is = |b: &LaneBuilder, i: usize, n: u64| b.constant_of(b.unsplat(args[i])) == Some(n);
        let ones = if scalar == Scalar::Bool { 1 } else { u64::MAX >> (64 - scalar.bits()) };
        let whole = !scalar.is_float();
        let truth = scalar == Scalar::Bool;
        match op.family() {
            OpFamily::Arithmetic(ArithmeticOp::Add, OverflowRule::Wrap)
            | OpFamily::Bitwise(BitwiseOp::Or | BitwiseOp::Xor)
                if whole && is(self, 1, 0) =>
            {
                Some(args[0])
            }
            OpFamily::Arithmetic(ArithmeticOp::Add, OverflowRule::Wrap)
            | OpFamily::Bitwise(BitwiseOp::Or | BitwiseOp::Xor)
                if whole && is(self, 0, 0) =>
            {
                Some(args[1])
            }
            OpFamily::Arithmetic(ArithmeticOp::Sub, OverflowRule::Wrap) | OpFamily::Shift(_)
                if whole && is(self, 1, 0) =>
            {
                Some(args[0])
            }
            OpFamily::Arithmetic(ArithmeticOp::Mul, OverflowRule::Wrap) | OpFamily::Division(DivisionOp::Div)
                if whole && is(self, 1, 1) =>
            {
                Some(args[0])
            }
            OpFamily::Arithmetic(ArithmeticOp::Mul, OverflowRule::Wrap) if whole && is(self, 0, 1) => Some(args[1]),
            OpFamily::Bitwise(BitwiseOp::And) if is(self, 1, ones) => Some(args[0]),
            OpFamily::Bitwise(BitwiseOp::And) if is(self, 0, ones) => Some(args[1]),
            OpFamily::Bitwise(BitwiseOp::And) if is(self, 0, 0) => Some(args[0]),
            OpFamily::Bitwise(BitwiseOp::And | BitwiseOp::Or) if args[0] == args[1] => Some(args[0]),
            OpFamily::Bitwise(BitwiseOp::Or) if truth && is(self, 0, 1) => Some(args[0]),
            OpFamily::Bitwise(BitwiseOp::Or) if truth && is(self, 1, 1) => Some(args[1]),
            OpFamily::Bitwise(BitwiseOp::And) if is(self, 1, 0) => Some(args[1]),
            OpFamily::Conversion(Scalar::I64 | Scalar::U64) if self.wide.contains_key(&args[0]) => {
                self.wide.get(&args[0]).copied()
            }
            OpFamily::Narrow(stored) if self.bits.fit(args[0], stored) => Some(args[0]),
            OpFamily::Conversion(to) | OpFamily::Bitcast(to) if Elem::of(to) == Elem::of(scalar) => Some(args[0]),
            OpFamily::Arithmetic(..)
            | OpFamily::Division(_)
            | OpFamily::MultiplyAdd
            | OpFamily::Signed(_)
            | OpFamily::Extreme(_)
            | OpFamily::Clamp
            | OpFamily::Integer(_)
            | OpFamily::Comparison(_)
            | OpFamily::Select
            | OpFamily::Reduction
            | OpFamily::Bitwise(_)
            | OpFamily::Not
            | OpFamily::Shift(_)
            | OpFamily::BitCount
            | OpFamily::BitSearch
            | OpFamily::BitMove
            | OpFamily::ExtractBits
            | OpFamily::Conversion(_)
            | OpFamily::Bitcast(_)
            | OpFamily::Narrow(_)
            | OpFamily::Float
            | OpFamily::FloatTest
            | OpFamily::Packed
            | OpFamily::Geometry(_) => None,
        }
    }

    /// The scalar behind a splat, or the value itself.
    fn unsplat(&self, value: LaneValue) -> LaneValue {
        self.splats.get(&value).copied().unwrap_or(value)
    }

    /// The scalar behind a splat.
    pub(crate) fn behind(&self, value: LaneValue) -> Option<LaneValue> {
        self.splats.get(&value).copied()
    }

    /// A component of a row that takes whole vectors.
    pub fn whole(&mut self, op: Op, instance: Instance, args: &[LaneValue], widths: &[u8], component: u8) -> LaneValue {
        let lanes = args.iter().any(|&arg| self.ty(arg).is_lanes());
        let args = args.iter().map(|&arg| if lanes { self.lanes(arg) } else { arg }).collect();
        let elem = Elem::of(instance.result.scalar);
        let ty = if lanes { LaneType::Lanes(elem) } else { LaneType::Scalar(elem) };
        self.pure(LaneInst::Whole { op, instance, args, widths: widths.to_vec(), component }, ty)
    }

    /// Selects between two values by a condition: a scalar `bool`, or a mask.
    pub fn select(&mut self, condition: LaneValue, yes: LaneValue, no: LaneValue) -> LaneValue {
        if yes == no {
            return yes;
        }
        let elem = self.ty(yes).elem();
        if elem == Elem::Bool {
            let known = |b: &LaneBuilder, value| b.constant_of(b.unsplat(value));
            match (known(self, yes), known(self, no)) {
                (_, Some(0)) => return self.and(condition, yes),
                (Some(1), _) => return self.or(condition, no),
                (Some(0), _) => {
                    let not = self.not(condition);
                    return self.and(not, no);
                }
                (_, Some(1)) => {
                    let not = self.not(condition);
                    return self.or(not, yes);
                }
                _ => {}
            }
        }
        if let LaneType::Scalar(_) = self.ty(condition) {
            match self.constant_of(condition) {
                Some(0) => return no,
                Some(_) => return yes,
                None => {}
            }
            if self.ty(yes).is_lanes() || self.ty(no).is_lanes() {
                let mask = self.lanes(condition);
                return self.select(mask, yes, no);
            }
            let scalar = scalar_of(elem);
            return self.pure(
                LaneInst::Op { op: Op::Select, scalar, args: smallvec![condition, yes, no] },
                LaneType::Scalar(elem),
            );
        }
        if let Some(&scalar) = self.splats.get(&condition)
            && let Some(known) = self.constant_of(scalar)
        {
            return if known == 0 { no } else { yes };
        }
        let (mut yes, mut no) = (self.lanes(yes), self.lanes(no));
        // A value selected by the same mask is known.
        if let Some(&(_, inner, _)) = self.selected.get(&yes).filter(|inner| inner.0 == condition) {
            yes = inner;
        }
        if let Some(&(_, _, inner)) = self.selected.get(&no).filter(|inner| inner.0 == condition) {
            no = inner;
        }
        if yes == no {
            return yes;
        }
        let value = self.pure(LaneInst::Select { mask: condition, yes, no }, LaneType::Lanes(elem));
        self.selected.insert(value, (condition, yes, no));
        value
    }

    /// Records scalars that state whether any and whether all lanes of a mask are set, if they are
    /// available wherever the mask is. It may be older than they are: computed before the arm in which
    /// it is found again.
    pub fn describe(&mut self, mask: LaneValue, any: LaneValue, all: LaneValue) {
        let is_there = |scalar: &LaneValue| self.depth[scalar.index()] <= self.depth[mask.index()];
        if [any, all].iter().all(is_there) || fault::planted(Fault::GoneDescription) {
            self.described.insert(mask, (any, all));
        }
    }

    /// The scalars that state whether any and whether all lanes of a mask are set, if it has such.
    pub fn description(&self, mask: LaneValue) -> Option<(LaneValue, LaneValue)> {
        self.described.get(&mask).copied()
    }

    /// The number of values so far.
    pub fn value_count(&self) -> usize {
        self.types.len()
    }

    /// Do scalars describe the mask?
    pub fn is_described(&self, mask: LaneValue) -> bool {
        self.described.contains_key(&mask)
    }

    /// An `i64` scalar that is known to lie between 0 and 2^31 - 1, as an `i32`.
    pub fn narrow(&mut self, value: LaneValue) -> LaneValue {
        let narrow = self.op(Op::ToI32, Scalar::I64, &[value]);
        if self.constant_of(narrow).is_none() {
            self.wide.insert(narrow, value);
        }
        narrow
    }

    /// The conjunction: of two scalars, or as masks.
    pub fn and(&mut self, a: LaneValue, b: LaneValue) -> LaneValue {
        self.op(Op::And, Scalar::Bool, &[a, b])
    }

    /// The disjunction.
    pub fn or(&mut self, a: LaneValue, b: LaneValue) -> LaneValue {
        self.op(Op::Or, Scalar::Bool, &[a, b])
    }

    /// The negation.
    pub fn not(&mut self, a: LaneValue) -> LaneValue {
        if let Some(&not) = self.opposite.get(&a) {
            return not;
        }
        if let Some(&scalar) = self.splats.get(&a) {
            let not = self.not(scalar);
            return self.lanes(not);
        }
        let not = self.op(Op::Not, Scalar::Bool, &[a]);
        if self.constant_of(not).is_none() {
            self.opposite.insert(not, a);
        }
        if let Some(&(any, all)) = self.described.get(&a)
            && not != a
        {
            let (none, some) = (self.not(any), self.not(all));
            self.describe(not, some, none);
        }
        not
    }

    /// Is any lane set? A scalar is returned as it is.
    pub fn any(&mut self, mask: LaneValue) -> LaneValue {
        match self.ty(mask) {
            LaneType::Scalar(_) => mask,
            LaneType::Lanes(_) => match (self.described.get(&mask), self.splats.get(&mask)) {
                (Some(&(any, _)), _) | (_, Some(&any)) => any,
                _ => self.pure(LaneInst::Any(mask), LaneType::Scalar(Elem::Bool)),
            },
        }
    }

    /// Are all lanes set? A scalar is returned as it is.
    pub fn all(&mut self, mask: LaneValue) -> LaneValue {
        match self.ty(mask) {
            LaneType::Scalar(_) => mask,
            LaneType::Lanes(_) => match (self.described.get(&mask), self.splats.get(&mask)) {
                (Some(&(_, all)), _) | (_, Some(&all)) => all,
                _ => self.pure(LaneInst::All(mask), LaneType::Scalar(Elem::Bool)),
            },
        }
    }

    /// The mask of the first `n` lanes.
    pub fn first_lanes(&mut self, n: LaneValue) -> LaneValue {
        let width = i64::from(self.width);
        if let Some(n) = self.number_of(n)
            && (n <= 0 || n >= width)
        {
            let all = self.truth(n > 0);
            return self.lanes(all);
        }
        let mask = self.pure(LaneInst::FirstLanes(n), LaneType::MASK);
        let (zero, width) = (self.number(0), self.number(width));
        let any = self.op(Op::Gt, Scalar::I64, &[n, zero]);
        let all = self.op(Op::Ge, Scalar::I64, &[n, width]);
        self.describe(mask, any, all);
        mask
    }

    /// Reads; yields a scalar at a uniform address, otherwise lanes.
    pub fn load(&mut self, at: LaneAddress, mask: Option<LaneValue>) -> LaneValue {
        let elem = Elem::of(at.stored.value());
        let ty = if at.along == super::AddressStep::Uniform { LaneType::Scalar(elem) } else { LaneType::Lanes(elem) };
        self.here(LaneInst::Load { at, mask }, ty)
    }

    /// Appends an effect.
    pub fn effect(&mut self, effect: Effect) {
        let pos = self.pos;
        self.push(Node::Do { effect, pos });
    }

    /// Ends the program if a scalar `bool` is true.
    pub fn exit(&mut self, condition: LaneValue, status: ExitStatus) {
        self.push(Node::Exit { condition, status });
    }

    /// Ends the program if the launch is to end.
    pub fn poll(&mut self) {
        self.push(Node::Poll);
    }

    fn push(&mut self, node: Node) {
        let last = self.frames.len() - 1;
        self.frames[last].nodes.push(node);
    }

    /// Opens an arm of an `if`.
    pub fn open_arm(&mut self) {
        self.open(FrameKind::Arm);
    }

    /// Opens the body of a loop, with parameters of these types.
    pub fn open_loop(&mut self, types: &[LaneType]) -> Vec<LaneValue> {
        self.open(FrameKind::Loop);
        types.iter().map(|&ty| self.fresh(ty, self.frames.len())).collect()
    }

    fn open(&mut self, kind: FrameKind) {
        self.frames.push(BuildFrame { kind, nodes: Vec::new(), known: HashMap::default() });
    }

    /// Closes the innermost open frame, with these results.
    pub fn close(&mut self, results: Vec<LaneValue>) -> LaneBlock {
        let frame = self.frames.pop();
        LaneBlock { nodes: frame.map(|frame| frame.nodes).unwrap_or_default(), results }
    }

    /// Branches to one of two arms that were built before; returns the results.
    pub fn if_else(
        &mut self,
        condition: LaneValue,
        then: LaneBlock,
        otherwise: LaneBlock,
        likely: Likely,
    ) -> Vec<LaneValue> {
        let types: Vec<LaneType> = then.results.iter().map(|&value| self.ty(value)).collect();
        let results: Vec<LaneValue> = types.iter().map(|&ty| self.fresh(ty, self.frames.len())).collect();
        for (&result, arms) in results.iter().zip(then.results.iter().zip(&otherwise.results)) {
            self.bits.note_choice(result, arms);
        }
        let given = |i: usize| (then.results[i] == otherwise.results[i]).then(|| then.results[i]);
        let known = self.known_results(&results, given);
        self.push(Node::If { condition, then, otherwise, results, likely });
        known
    }

    /// Results, or in place of each the value from outside that it always is. So a counter that code of a tile
    /// sets before a barrier, in a loop over strips, is a constant behind it, and the number of iterations of
    /// a loop with barriers over it is known.
    fn known_results(&self, results: &[LaneValue], given: impl Fn(usize) -> Option<LaneValue>) -> Vec<LaneValue> {
        let from_outside = |value: &LaneValue| self.depth[value.index()] <= self.frames.len();
        results.iter().enumerate().map(|(i, &result)| given(i).filter(from_outside).unwrap_or(result)).collect()
    }

    /// Loops over a body that was built before; returns the final values of the parameters. The body is
    /// executed at least once.
    pub fn repeat(
        &mut self,
        params: Vec<LaneValue>,
        init: Vec<LaneValue>,
        body: LaneBlock,
        again: LaneValue,
    ) -> Vec<LaneValue> {
        let types: Vec<LaneType> = params.iter().map(|&value| self.ty(value)).collect();
        let results: Vec<LaneValue> = types.iter().map(|&ty| self.fresh(ty, self.frames.len())).collect();
        let known = self.known_results(&results, |i| Some(body.results[i]));
        self.push(Node::Loop { params, init, body, again, results });
        known
    }

    /// The current position, to roll back to with [`LaneBuilder::back_to`].
    pub fn mark(&self) -> BuildMark {
        BuildMark { frames: self.frames.iter().map(|frame| frame.nodes.len()).collect(), values: self.types.len() }
    }

    /// The number of values written since the mark.
    pub const fn written_since(&self, mark: &BuildMark) -> usize {
        self.types.len() - mark.values
    }

    /// Removes everything written since the mark, which must have been made with as many frames
    /// open or fewer.
    pub fn back_to(&mut self, mark: &BuildMark) {
        self.frames.truncate(mark.frames.len());
        for (frame, &nodes) in self.frames.iter_mut().zip(&mark.frames) {
            frame.nodes.truncate(nodes);
            frame.known.retain(|_, value| value.index() < mark.values);
        }
        self.types.truncate(mark.values);
        self.depth.truncate(mark.values);
        self.bits.truncate(mark.values);
        let there = |value: &LaneValue| value.index() < mark.values;
        self.constants.retain(|value, _| there(value));
        // A mask may have been found again, and described by later values.
        let is_kept = |scalar: &LaneValue| there(scalar) || fault::planted(Fault::GoneDescription);
        self.described.retain(|mask, (any, all)| there(mask) && is_kept(any) && is_kept(all));
        self.selected.retain(|value, _| there(value));
        self.splats.retain(|value, _| there(value));
        self.wide.retain(|value, _| there(value));
        self.opposite.retain(|value, opposite| there(value) && there(opposite));
        self.conjunctions.retain(|value, _| there(value));
    }

    /// Appends the nodes of a block that was built before.
    pub(crate) fn splice(&mut self, nodes: Vec<Node>) {
        nodes.into_iter().for_each(|node| self.push(node));
    }

    /// The number of open frames.
    pub(crate) fn levels(&self) -> usize {
        self.frames.len()
    }

    /// The number of open frames where a value becomes available.
    pub(crate) fn level_of(&self, value: LaneValue) -> usize {
        self.depth[value.index()]
    }

    /// Continues the block that was closed last.
    pub fn reopen(&mut self, block: LaneBlock) {
        self.frames.push(BuildFrame { kind: FrameKind::Arm, nodes: block.into_parts().0, known: HashMap::default() });
    }

    /// The program.
    pub fn finish(mut self, name: std::sync::Arc<str>, arena: ArenaSizes) -> LaneProgram {
        LaneProgram {
            name,
            width: self.width,
            body: self.close(Vec::new()),
            types: self.types,
            inputs: self.inputs,
            given: self.given,
            arena,
            writable: Vec::new(),
            copies: Vec::new(),
            messages: Vec::new(),
            stops: Vec::new(),
            vote_words: 0,
            doubtful: false,
            notes: Vec::new(),
            precise_sources: Vec::new(),
            promises: HashMap::default(),
            streams: false,
            short_loops: ShortLoops::None,
            own_runs: OwnRuns::None,
            run_elements: None,
            promoted: false,
            rows: None,
        }
    }
}

/// A position in a program under construction.
#[derive(Clone, Debug)]
pub struct BuildMark {
    frames: Vec<usize>,
    values: usize,
}

impl BuildMark {
    /// Did the value exist at the mark?
    pub const fn has(&self, value: LaneValue) -> bool {
        value.index() < self.values
    }
}

/// The kernel-language scalar that represents an element.
pub(crate) const fn scalar_of(elem: Elem) -> Scalar {
    match elem {
        Elem::Bool => Scalar::Bool,
        Elem::I32 => Scalar::I32,
        Elem::I64 => Scalar::I64,
        Elem::F32 => Scalar::F32,
        Elem::F64 => Scalar::F64,
    }
}
