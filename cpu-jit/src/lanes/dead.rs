//! Dead code elimination.
//!
//! Live are the operands of effects, the conditions that decide whether an effect happens, and
//! everything these are computed from. A load has no effect. A loop-carried value that is used only
//! to compute itself is dead.

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::classes::LaneInstClass;
use super::program::{Elem, LaneBlock, LaneInst, LaneProgram, LaneValue, Node};
use super::walk::{effect_operands, operands};
use crate::hash::HashMap;

/// Removes dead code.
pub fn remove_dead(program: &mut LaneProgram) {
    let mut constants = HashMap::default();
    numbers(&program.body, program, &mut constants);
    let acts = Acts { constants };
    let live = vec![false; program.types.len()];
    let mut needs = LiveValues { acts: &acts, from: HashMap::default(), live, todo: Vec::new() };
    needs.block(&program.body);
    while let Some(value) = needs.todo.pop() {
        if let Some(from) = needs.from.remove(&value) {
            from.into_iter().for_each(|value| needs.need(value));
        }
    }
    let body = std::mem::take(&mut program.body);
    program.body = swept(body, &needs.live, &acts);
}

struct LiveValues<'a> {
    acts: &'a Acts,
    /// The values from which a value is computed.
    from: HashMap<LaneValue, Vec<LaneValue>>,
    live: Vec<bool>,
    todo: Vec<LaneValue>,
}

impl LiveValues<'_> {
    fn need(&mut self, value: LaneValue) {
        if !std::mem::replace(&mut self.live[value.index()], true) {
            self.todo.push(value);
        }
    }

    fn comes_from(&mut self, value: LaneValue, from: LaneValue) {
        self.from.entry(value).or_default().push(from);
    }

    fn block(&mut self, block: &LaneBlock) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } => {
                    let mut from = Vec::new();
                    operands(inst, &mut |&value| from.push(value));
                    if has_effect(inst) {
                        self.need(*value);
                    }
                    self.from.insert(*value, from);
                }
                Node::Do { effect, .. } => {
                    let mut used = Vec::new();
                    effect_operands(effect, &mut |&value| used.push(value));
                    used.into_iter().for_each(|value| self.need(value));
                }
                Node::If { condition, then, otherwise, results, .. } => {
                    for (i, &result) in results.iter().enumerate() {
                        for from in [then.results[i], otherwise.results[i], *condition] {
                            self.comes_from(result, from);
                        }
                    }
                    if self.acts.block(then) || self.acts.block(otherwise) {
                        self.need(*condition);
                    }
                    self.block(then);
                    self.block(otherwise);
                }
                Node::Loop { params, init, body, again, results } => {
                    for i in 0..params.len() {
                        self.comes_from(params[i], init[i]);
                        self.comes_from(params[i], body.results[i]);
                        self.comes_from(results[i], body.results[i]);
                        self.comes_from(results[i], params[i]);
                        self.comes_from(params[i], *again);
                        self.comes_from(results[i], *again);
                    }
                    if self.acts.node(node) {
                        self.need(*again);
                    }
                    self.block(body);
                }
                Node::Exit { condition, .. } => self.need(*condition),
                Node::Poll => {}
            }
        }
    }
}

fn has_effect(inst: &LaneInst) -> bool {
    match inst.class() {
        LaneInstClass::Atomic => true,
        LaneInstClass::Pure | LaneInstClass::Read => false,
    }
}

/// The constant integers of a program.
pub(super) fn numbers(block: &LaneBlock, program: &LaneProgram, found: &mut HashMap<LaneValue, i64>) {
    for node in &block.nodes {
        match node {
            Node::Let { value, inst: LaneInst::Const(bits), .. } => match program.ty(*value).elem() {
                Elem::I32 => _ = found.insert(*value, i64::from(*bits as i32)),
                Elem::I64 => _ = found.insert(*value, *bits as i64),
                Elem::Bool | Elem::F32 | Elem::F64 => {}
            },
            Node::If { then, otherwise, .. } => {
                numbers(then, program, found);
                numbers(otherwise, program, found);
            }
            Node::Loop { body, .. } => numbers(body, program, found),
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
}

/// Determines which nodes have an effect.
struct Acts {
    constants: HashMap<LaneValue, i64>,
}

impl Acts {
    fn block(&self, block: &LaneBlock) -> bool {
        block.nodes.iter().any(|node| self.node(node))
    }

    /// A loop that may not terminate has an effect.
    fn node(&self, node: &Node) -> bool {
        match node {
            Node::Let { inst, .. } => has_effect(inst),
            Node::If { then, otherwise, .. } => self.block(then) || self.block(otherwise),
            Node::Loop { params, body, again, .. } => self.block(body) || !self.counts(params, body, *again),
            Node::Do { .. } | Node::Exit { .. } | Node::Poll => true,
        }
    }

    /// Does a loop terminate because it counts up to a constant?
    fn counts(&self, params: &[LaneValue], body: &LaneBlock, again: LaneValue) -> bool {
        let Some(LaneInst::Op { op: Op::Lt, scalar: Scalar::I32 | Scalar::I64, args }) = body.made(again) else {
            return false;
        };
        let &[next, bound] = args.as_slice() else { return false };
        let Some(LaneInst::Op { op: Op::Add, args, .. }) = body.made(next) else { return false };
        let &[param, step] = args.as_slice() else { return false };
        // Far from any wrapping.
        let small = |value: LaneValue| self.constants.get(&value).is_some_and(|n| n.unsigned_abs() < 1 << 30);
        let up = self.constants.get(&step).is_some_and(|&step| step > 0);
        small(bound) && small(step) && up && params.iter().zip(&body.results).any(|pair| pair == (&param, &next))
    }
}

/// The values at the retained positions.
fn kept(values: Vec<LaneValue>, stays: &[bool]) -> Vec<LaneValue> {
    values.into_iter().zip(stays).filter_map(|(value, &stays)| stays.then_some(value)).collect()
}

fn swept(block: LaneBlock, live: &[bool], acts: &Acts) -> LaneBlock {
    let is_live = |value: &LaneValue| live[value.index()];
    let (all, given) = block.into_parts();
    let mut nodes = Vec::with_capacity(all.len());
    for node in all {
        match node {
            Node::Let { value, .. } if !is_live(&value) => {}
            Node::If { condition, then, otherwise, results, likely } => {
                let stays: Vec<bool> = results.iter().map(is_live).collect();
                if !stays.contains(&true) && !acts.block(&then) && !acts.block(&otherwise) {
                    continue;
                }
                let arm = |arm: LaneBlock| {
                    let (nodes, results) = arm.into_parts();
                    LaneBlock { nodes, results: kept(results, &stays) }
                };
                let (then, otherwise) = (swept(arm(then), live, acts), swept(arm(otherwise), live, acts));
                nodes.push(Node::If { condition, then, otherwise, results: kept(results, &stays), likely });
            }
            Node::Loop { params, init, body, again, results } => {
                if !is_live(&again) {
                    continue;
                }
                let stays: Vec<bool> =
                    params.iter().zip(&results).map(|(param, result)| is_live(param) || is_live(result)).collect();
                let (inner, next) = body.into_parts();
                let body = swept(LaneBlock { nodes: inner, results: kept(next, &stays) }, live, acts);
                let (params, init) = (kept(params, &stays), kept(init, &stays));
                nodes.push(Node::Loop { params, init, body, again, results: kept(results, &stays) });
            }
            other @ (Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll) => nodes.push(other),
        }
    }
    LaneBlock { nodes, results: given }
}
