//! Dead code: what nobody needs is taken out of a program.
//!
//! Needed is what an effect uses, what decides whether something with an effect happens, and whatever these are computed from. A load has no effect. A
//! value that only goes round a loop to become itself is not needed either.

use super::program::{Block, Inst, Node, Program, Value};
use super::walk::{effect_operands, operands};
use crate::hash::HashMap;

/// Takes out what nobody needs.
pub fn remove_dead(program: &mut Program) {
    let mut needs = Needs { from: HashMap::default(), live: vec![false; program.types.len()], todo: Vec::new() };
    needs.block(&program.body);
    while let Some(value) = needs.todo.pop() {
        if let Some(from) = needs.from.remove(&value) {
            from.into_iter().for_each(|value| needs.need(value));
        }
    }
    let body = std::mem::take(&mut program.body);
    program.body = swept(body, &needs.live);
}

struct Needs {
    /// What a value is computed from.
    from: HashMap<Value, Vec<Value>>,
    live: Vec<bool>,
    todo: Vec<Value>,
}

impl Needs {
    fn need(&mut self, value: Value) {
        if !std::mem::replace(&mut self.live[value.index()], true) {
            self.todo.push(value);
        }
    }

    fn comes_from(&mut self, value: Value, from: Value) {
        self.from.entry(value).or_default().push(from);
    }

    fn block(&mut self, block: &Block) {
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
                    if acts(then) || acts(otherwise) {
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
                    }
                    self.need(*again);
                    self.block(body);
                }
                Node::Exit { condition, .. } => self.need(*condition),
                Node::Poll => {}
            }
        }
    }
}

fn has_effect(inst: &Inst) -> bool {
    matches!(inst, Inst::Atomic { .. } | Inst::CompareExchange { .. })
}

/// Does a block do more than compute?
fn acts(block: &Block) -> bool {
    block.nodes.iter().any(|node| match node {
        Node::Let { inst, .. } => has_effect(inst),
        Node::If { then, otherwise, .. } => acts(then) || acts(otherwise),
        Node::Do { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => true,
    })
}

/// The values at the places that stay.
fn kept(values: Vec<Value>, stays: &[bool]) -> Vec<Value> {
    values.into_iter().zip(stays).filter_map(|(value, &stays)| stays.then_some(value)).collect()
}

fn swept(block: Block, live: &[bool]) -> Block {
    let is_live = |value: &Value| live[value.index()];
    let mut nodes = Vec::with_capacity(block.nodes.len());
    for node in block.nodes {
        match node {
            Node::Let { value, .. } if !is_live(&value) => {}
            Node::If { condition, then, otherwise, results, likely } => {
                let stays: Vec<bool> = results.iter().map(is_live).collect();
                if !stays.contains(&true) && !acts(&then) && !acts(&otherwise) {
                    continue;
                }
                let arm = |arm: Block| Block { nodes: arm.nodes, results: kept(arm.results, &stays) };
                let (then, otherwise) = (swept(arm(then), live), swept(arm(otherwise), live));
                nodes.push(Node::If { condition, then, otherwise, results: kept(results, &stays), likely });
            }
            Node::Loop { params, init, body, again, results } => {
                let stays: Vec<bool> =
                    params.iter().zip(&results).map(|(param, result)| is_live(param) || is_live(result)).collect();
                let body = swept(Block { nodes: body.nodes, results: kept(body.results, &stays) }, live);
                let (params, init) = (kept(params, &stays), kept(init, &stays));
                nodes.push(Node::Loop { params, init, body, again, results: kept(results, &stays) });
            }
            other => nodes.push(other),
        }
    }
    Block { nodes, results: block.results }
}
