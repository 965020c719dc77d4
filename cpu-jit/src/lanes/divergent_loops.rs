//! Optimises loops with divergent exits: less work in each iteration.
//!
//! - **Counting.** A number that is uniform at first, and that each active lane increments in every
//!   iteration, is uniform over the active lanes. Its comparison with a number becomes scalar, and
//!   part of the loop condition.
//! - **Carrying.** A value that an iteration computes from its initial values, and that the
//!   previous iteration already computed from the same values at its end, becomes loop-carried.
//! - The mask of active lanes is tested once, however often the kernel's conditions name it; and a
//!   lane's count adds its mask as an integer.
//!
//! The pass considers only innermost loops.

use smallvec::smallvec;
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use super::program::{Elem, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node};
use super::walk::{effect_operands, operands, operands_mut};
use crate::hash::{HashMap, HashSet};

/// Optimises all loops of a program of several lanes. Returns whether anything has changed.
pub fn leave(program: &mut LaneProgram) -> bool {
    if program.width == 1 {
        return false;
    }
    let mut body = std::mem::take(&mut program.body);
    let known = KnownMasks::of(&body);
    let values = program.types.len();
    let mut leave = LeaveRewriter { known, types: &mut program.types };
    leave.block(&mut body);
    program.body = body;
    program.types.len() > values
}

/// Facts about the values of a program.
#[derive(Default)]
pub(super) struct KnownMasks {
    /// The scalar of each splat.
    splats: HashMap<LaneValue, LaneValue>,
    /// Constant scalars.
    constants: HashMap<LaneValue, u64>,
    /// The number of uses of each value.
    uses: HashMap<LaneValue, u32>,
}

impl KnownMasks {
    pub(super) fn of(body: &LaneBlock) -> KnownMasks {
        let mut known = KnownMasks::default();
        known.block(body);
        known
    }

    fn used(&mut self, value: LaneValue) {
        *self.uses.entry(value).or_default() += 1;
    }

    fn block(&mut self, block: &LaneBlock) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } => {
                    if let LaneInst::Splat(of) = inst {
                        self.splats.insert(*value, *of);
                    }
                    if let LaneInst::Const(bits) = inst {
                        self.constants.insert(*value, *bits);
                    }
                    operands(inst, &mut |&value| self.used(value));
                }
                Node::Do { effect, .. } => effect_operands(effect, &mut |&value| self.used(value)),
                Node::If { condition, then, otherwise, .. } => {
                    self.used(*condition);
                    self.block(then);
                    self.block(otherwise);
                }
                Node::Loop { init, body, again, .. } => {
                    init.iter().for_each(|&value| self.used(value));
                    self.used(*again);
                    self.block(body);
                }
                Node::Exit { condition, .. } => self.used(*condition),
                Node::Poll => {}
            }
        }
        block.results.iter().for_each(|&value| self.used(value));
    }

    /// The bits of a constant, or of the splat of one.
    pub(super) fn constant(&self, value: LaneValue) -> Option<u64> {
        self.constants.get(self.splats.get(&value).unwrap_or(&value)).copied()
    }

    /// Does it have exactly one use?
    pub(super) fn once(&self, value: LaneValue) -> bool {
        self.uses.get(&value) == Some(&1)
    }
}

/// A loop, taken apart.
struct Loop {
    params: Vec<LaneValue>,
    init: Vec<LaneValue>,
    body: LaneBlock,
    again: LaneValue,
    results: Vec<LaneValue>,
}

impl Loop {
    /// The instruction at the top of the body that defines a value.
    fn made(&self, value: LaneValue) -> Option<&LaneInst> {
        self.body.made(value)
    }

    /// Does the body define it? Then it is not there at the start of the body.
    fn defines(&self, value: LaneValue) -> bool {
        self.body.nodes.iter().flat_map(defined).any(|made| made == value)
    }

    fn param(&self, value: LaneValue) -> Option<usize> {
        self.params.iter().position(|&param| param == value)
    }
}

struct LeaveRewriter<'p> {
    known: KnownMasks,
    types: &'p mut Vec<LaneType>,
}

fn has_loop(block: &LaneBlock) -> bool {
    block.nodes.iter().any(|node| match node {
        Node::Loop { .. } => true,
        Node::If { then, otherwise, .. } => has_loop(then) || has_loop(otherwise),
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => false,
    })
}

fn let_of(value: LaneValue, inst: LaneInst) -> Node {
    Node::Let { value, inst, pos: Pos::NONE }
}

impl LeaveRewriter<'_> {
    fn fresh(&mut self, ty: LaneType) -> LaneValue {
        self.types.push(ty);
        LaneValue(self.types.len() as u32 - 1)
    }

    fn block(&mut self, block: &mut LaneBlock) {
        let mut nodes = Vec::with_capacity(block.nodes.len());
        for node in std::mem::take(&mut block.nodes) {
            match node {
                Node::If { condition, mut then, mut otherwise, results, likely } => {
                    self.block(&mut then);
                    self.block(&mut otherwise);
                    nodes.push(Node::If { condition, then, otherwise, results, likely });
                }
                Node::Loop { params, init, mut body, again, results } => {
                    if has_loop(&body) {
                        self.block(&mut body);
                        nodes.push(Node::Loop { params, init, body, again, results });
                        continue;
                    }
                    let mut whole = Loop { params, init, body, again, results };
                    self.count(&mut whole);
                    self.carry(&mut whole, &mut nodes);
                    self.add_truths(&mut whole);
                    let Loop { params, init, body, again, results } = whole;
                    nodes.push(Node::Loop { params, init, body, again, results });
                }
                other @ (Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll) => nodes.push(other),
            }
        }
        block.nodes = nodes;
    }

    /// Turns the loop's comparisons of counts into scalar conditions, and tests the mask of active
    /// lanes once.
    fn count(&mut self, whole: &mut Loop) {
        let Some(LaneInst::Any(next)) = whole.made(whole.again) else { return };
        let next = *next;
        let Some(live) = whole.body.results.iter().position(|&result| result == next) else { return };
        // The mask has no use but the loop condition: after the rewrite it no longer records that a
        // count ended the loop.
        let uses = |value: &LaneValue| self.known.uses.get(value).copied().unwrap_or(0);
        if uses(&whole.results[live]) > 0 || uses(&next) > 2 || uses(&whole.again) > 1 {
            return;
        }
        let mut leaves = Vec::new();
        let mut ands = HashSet::default();
        self.leaves(whole, next, true, &mut leaves, &mut ands);
        if !leaves.contains(&whole.params[live]) {
            return;
        }
        let mut scalars = Vec::new();
        leaves.retain(|&leaf| match self.scalar(whole, whole.params[live], leaf) {
            Some(scalar) => {
                scalars.push(scalar);
                false
            }
            None => true,
        });
        let mut nodes = Vec::with_capacity(whole.body.nodes.len());
        for node in std::mem::take(&mut whole.body.nodes) {
            let made = if let Node::Let { value, .. } = &node { Some(*value) } else { None };
            match made {
                Some(value) if value == next => self.all_of(&leaves, next, &mut nodes),
                Some(value) if ands.contains(&value) => {}
                Some(_) | None => nodes.push(node),
            }
        }
        whole.body.nodes = nodes;
        for scalar in scalars {
            let both = self.fresh(LaneType::Scalar(Elem::Bool));
            let args = smallvec![scalar, whole.again];
            whole.body.nodes.push(let_of(both, LaneInst::Op { op: Op::And, scalar: Scalar::Bool, args }));
            whole.again = both;
        }
    }

    /// The operands of a conjunction; nested conjunctions are collected in `ands`.
    fn leaves(
        &self,
        whole: &Loop,
        value: LaneValue,
        root: bool,
        leaves: &mut Vec<LaneValue>,
        ands: &mut HashSet<LaneValue>,
    ) {
        let mut rest = vec![(value, root)];
        while let Some((value, root)) = rest.pop() {
            if let Some(LaneInst::Op { op: Op::And, scalar: Scalar::Bool, args }) = whole.made(value)
                && (root || self.known.once(value))
            {
                ands.insert(value);
                rest.extend(args.iter().rev().map(|&arg| (arg, false)));
            } else if !leaves.contains(&value) {
                leaves.push(value);
            }
        }
    }

    /// The conjunction of all these, defined as the value `root`.
    fn all_of(&mut self, leaves: &[LaneValue], root: LaneValue, nodes: &mut Vec<Node>) {
        // The mask of active lanes comes last: it is available long before.
        let mut all = leaves[0];
        for (i, &leaf) in leaves.iter().enumerate().skip(1) {
            let value = if i + 1 == leaves.len() { root } else { self.fresh(LaneType::MASK) };
            let args = smallvec![leaf, all];
            nodes.push(let_of(value, LaneInst::Op { op: Op::And, scalar: Scalar::Bool, args }));
            all = value;
        }
        if leaves.len() == 1 {
            nodes.push(let_of(root, LaneInst::Op { op: Op::And, scalar: Scalar::Bool, args: smallvec![all, all] }));
        }
    }

    /// A comparison of a count with a uniform value, as a scalar, valid for the lanes in `live`.
    fn scalar(&mut self, whole: &mut Loop, live: LaneValue, leaf: LaneValue) -> Option<LaneValue> {
        let LaneInst::Op { op, scalar, args } = whole.made(leaf)? else { return None };
        let &[a, b] = args.as_slice() else { return None };
        if op.comparison().is_none() || !self.known.once(leaf) || scalar.bits() != 32 || scalar.is_float() {
            return None;
        }
        let (op, scalar) = (*op, *scalar);
        let (counts, other, count_first) = match (self.known.splats.get(&a), self.known.splats.get(&b)) {
            (None, Some(&other)) => (a, other, true),
            (Some(&other), None) => (b, other, false),
            _ => return None,
        };
        if whole.defines(other) {
            return None;
        }
        let count = self.counted(whole, live, counts)?;
        let condition = self.fresh(LaneType::Scalar(Elem::Bool));
        let args = if count_first { smallvec![count, other] } else { smallvec![other, count] };
        // After the count, which comes first.
        whole.body.nodes.insert(1, let_of(condition, LaneInst::Op { op, scalar, args }));
        Some(condition)
    }

    /// The scalar that equals a count in all active lanes, after its increment in this iteration.
    fn counted(&mut self, whole: &mut Loop, live: LaneValue, counts: LaneValue) -> Option<LaneValue> {
        let LaneInst::Select { mask, yes, no } = whole.made(counts)? else { return None };
        let (yes, no) = (*yes, *no);
        if *mask != live {
            return None;
        }
        let param = whole.param(no)?;
        let LaneInst::Op { op: op @ (Op::Add | Op::Sub), scalar, args } = whole.made(yes)? else { return None };
        let &[first, step] = args.as_slice() else { return None };
        let step = *self.known.splats.get(&step)?;
        let begin = *self.known.splats.get(&whole.init[param])?;
        if first != no || whole.body.results[param] != counts || scalar.is_float() || whole.defines(step) {
            return None;
        }
        let (op, scalar) = (*op, *scalar);
        let ty = LaneType::Scalar(self.types[no.index()].elem());
        let [now, next, result] = [(); 3].map(|()| self.fresh(ty));
        whole.params.push(now);
        whole.init.push(begin);
        whole.body.results.push(next);
        whole.results.push(result);
        let args = smallvec![now, step];
        whole.body.nodes.insert(0, let_of(next, LaneInst::Op { op, scalar, args }));
        Some(next)
    }

    /// Makes values loop-carried that the previous iteration computed from the same values.
    fn carry(&mut self, whole: &mut Loop, before: &mut Vec<Node>) {
        let mut inside: HashSet<LaneValue> = whole.body.nodes.iter().flat_map(defined).collect();
        inside.extend(&whole.params);
        let mut at: HashMap<LaneInst, LaneValue> = HashMap::default();
        for node in &whole.body.nodes {
            if let Node::Let { value, inst, .. } = node {
                at.entry(inst.clone()).or_insert(*value);
            }
        }
        let mut nodes = Vec::with_capacity(whole.body.nodes.len());
        for node in std::mem::take(&mut whole.body.nodes) {
            match node {
                Node::Let { value, inst: LaneInst::Op { op, scalar, args }, pos }
                    if scalar.is_float()
                        && self.types[value.index()].is_lanes()
                        && args.iter().all(|arg| !inside.contains(arg) || whole.param(*arg).is_some()) =>
                {
                    let renamed = |to: &[LaneValue]| {
                        let mut inst = LaneInst::Op { op, scalar, args: args.clone() };
                        operands_mut(&mut inst, &mut |arg| {
                            if let Some(param) = whole.param(*arg) {
                                *arg = to[param];
                            }
                        });
                        inst
                    };
                    let first = renamed(&whole.init);
                    match at.get(&renamed(&whole.body.results)).filter(|&&next| next != value) {
                        Some(&next) => {
                            let ty = self.types[value.index()];
                            let [init, result] = [(); 2].map(|()| self.fresh(ty));
                            before.push(Node::Let { value: init, inst: first, pos });
                            whole.params.push(value);
                            whole.init.push(init);
                            whole.body.results.push(next);
                            whole.results.push(result);
                        }
                        None => nodes.push(Node::Let { value, inst: LaneInst::Op { op, scalar, args }, pos }),
                    }
                }
                other @ (Node::Let { .. }
                | Node::Do { .. }
                | Node::If { .. }
                | Node::Loop { .. }
                | Node::Exit { .. }
                | Node::Poll) => nodes.push(other),
            }
        }
        whole.body.nodes = nodes;
    }

    /// Replaces an increment where a mask is set by the addition of the mask as an integer.
    fn add_truths(&mut self, whole: &mut Loop) {
        let mut nodes = Vec::with_capacity(whole.body.nodes.len());
        for at in 0..whole.body.nodes.len() {
            if let Node::Let { value, inst: LaneInst::Select { mask, yes, no }, pos } = &whole.body.nodes[at]
                && let Some(LaneInst::Op { op: Op::Add, scalar: scalar @ (Scalar::I32 | Scalar::U32), args }) =
                    whole.made(*yes)
                && args.first() == Some(no)
                && let Some(step) = args.get(1).and_then(|step| self.known.splats.get(step))
                && self.known.constants.get(step) == Some(&1)
                && self.known.once(*yes)
            {
                let (value, mask, no, scalar, pos) = (*value, *mask, *no, *scalar, *pos);
                let truth = self.fresh(LaneType::Lanes(Elem::I32));
                let args = smallvec![mask];
                nodes.push(Node::Let {
                    value: truth,
                    inst: LaneInst::Op { op: Op::ToI32, scalar: Scalar::Bool, args },
                    pos,
                });
                let inst = LaneInst::Op { op: Op::Add, scalar, args: smallvec![no, truth] };
                nodes.push(Node::Let { value, inst, pos });
            } else {
                nodes.push(whole.body.nodes[at].clone());
            }
        }
        whole.body.nodes = nodes;
    }
}

/// The values that a node at the top of a block defines.
fn defined(node: &Node) -> Vec<LaneValue> {
    match node {
        Node::Let { value, .. } => vec![*value],
        Node::If { results, .. } | Node::Loop { results, .. } => results.clone(),
        Node::Do { .. } | Node::Exit { .. } | Node::Poll => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::{Checked, check};
    use tilewise_ir::kernel::Kernel;
    use tilewise_ir::text::parse;

    use crate::dump::{CodeChoice, DumpStage, dump};
    use crate::emit::CodeForm;

    /// The lines of the innermost loop of a kernel whose loop condition is on `n` and `x`.
    fn rounds(condition: &str, round: &str) -> Vec<String> {
        let text = dump(&kernel(condition, round), None, CodeChoice { width: Some(8), form: None }, DumpStage::Lanes)
            .unwrap_or_else(|why| panic!("{why}"));
        let body = text.lines().skip_while(|line| !line.contains("poll")).take_while(|line| !line.contains("again"));
        body.map(str::to_owned).collect()
    }

    fn kernel(condition: &str, round: &str) -> Checked<Kernel> {
        let text = format!(
            "kernel k(a: view<i32, 1, read>, out: view<f32, 1, read_write>) rank(1) {{
                var x: f32 = to_f32(global[0]);
                var n: i32 = 0;
                while {condition} {{ {round} }}
                out[global[0]] = x + to_f32(n);
            }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"))
    }

    fn count(lines: &[String], what: &str) -> usize {
        lines.iter().filter(|line| line.contains(what)).count()
    }

    #[test]
    fn a_count_that_is_the_same_in_all_lanes_is_asked_once() {
        let lines = rounds("n < 9 && x < 5.0", "x = x * 1.5; n = n + 1;");
        assert_eq!((count(&lines, " lt."), count(&lines, "and.bool")), (1, 2), "{lines:#?}");
        assert!(count(&lines, "select") == 1 && count(&lines, "to_i32.bool") == 1, "{lines:#?}");
        // The second count begins with the thread's index.
        let lines = rounds("n < 9 && x < 5.0 && to_i32(x) < 100", "x = x + 1.0; n = n + 1;");
        assert_eq!(count(&lines, "lt.i32 %v"), 1, "{lines:#?}");
    }

    #[test]
    fn a_count_that_only_some_raise_stays_with_the_lanes() {
        let lines = rounds("n < 9 && x < 5.0", "if x > 2.0 { n = n + 1; } x = x * 1.5;");
        assert_eq!(count(&lines, "lt.i32 %v"), 1, "{lines:#?}");
    }

    #[test]
    fn what_is_asked_in_the_middle_of_a_round_stays_a_mask() {
        let lines = rounds("true", "n = n + 1; if n > 9 || x > 7.0 { break; } x = x * 1.5;");
        assert!(count(&lines, "gt.i32 %v") + count(&lines, "le.i32 %v") == 1, "{lines:#?}");
    }

    #[test]
    fn a_step_or_a_limit_that_each_round_reads_is_there_when_it_is_used() {
        // A read of one place for all lanes is an `if`, as the place may be out of range.
        for (condition, round) in [
            ("n < 100 && x < 50.0", "x = x * 1.5 + 1.0; n = n + a[0];"),
            ("n < a[0] && x < 50.0", "x = x * 1.5 + 1.0; n = n + 1;"),
        ] {
            let kernel = kernel(condition, round);
            for form in CodeForm::ALL.into_iter().filter(|form| form.is_native()) {
                let choice = CodeChoice { width: Some(8), form: Some(form) };
                let code = dump(&kernel, None, choice, DumpStage::Asm);
                code.unwrap_or_else(|why| panic!("{condition}, {round}: {form:?}: {why}"));
            }
        }
    }

    #[test]
    fn what_the_round_before_computed_goes_round() {
        let lines = rounds("n < 9 && x * x < 5.0", "x = x * x - 0.5; n = n + 1;");
        assert_eq!(count(&lines, "mul.f32"), 1, "{lines:#?}");
    }
}
