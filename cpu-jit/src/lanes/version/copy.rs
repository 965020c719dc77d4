//! The body of a loop once more, without what is known to hold.

use std::collections::{HashMap, HashSet};

use super::Pass;
use crate::lanes::program::{Block, Effect, Inst, Likely, Node, Value};
use crate::lanes::walk;

impl Pass {
    /// A loop's parameters and body once more, without the conditions that hold and without asking for the end; and what values are called there.
    pub(super) fn copy(
        &mut self,
        params: &[Value],
        body: &Block,
        free: &HashSet<Value>,
    ) -> (Vec<Value>, Block, HashMap<Value, Value>) {
        let mut names = HashMap::new();
        let new: Vec<Value> = params.iter().map(|&value| self.renamed(value, &mut names)).collect();
        let body = self.copy_block(body, free, &mut names);
        (new, body, names)
    }

    fn renamed(&mut self, value: Value, names: &mut HashMap<Value, Value>) -> Value {
        let new = self.fresh(self.types[value.index()]);
        names.insert(value, new);
        new
    }

    fn copy_block(&mut self, block: &Block, free: &HashSet<Value>, names: &mut HashMap<Value, Value>) -> Block {
        let mut nodes = Vec::with_capacity(block.nodes.len());
        self.copy_nodes(block, free, names, &mut nodes);
        Block { nodes, results: block.results.iter().map(|&value| named(value, names)).collect() }
    }

    fn copy_nodes(
        &mut self,
        block: &Block,
        free: &HashSet<Value>,
        names: &mut HashMap<Value, Value>,
        nodes: &mut Vec<Node>,
    ) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, pos } => {
                    let mut inst = inst.clone();
                    rename_inst(&mut inst, names);
                    let value = self.renamed(*value, names);
                    self.defs.insert(value, inst.clone());
                    nodes.push(Node::Let { value, inst, pos: *pos });
                }
                Node::Do { effect, pos } => {
                    let mut effect = effect.clone();
                    rename_effect(&mut effect, names);
                    nodes.push(Node::Do { effect, pos: *pos });
                }
                Node::If { condition, then, results, likely: Likely::Then, .. } if free.contains(condition) => {
                    self.copy_nodes(then, free, names, nodes);
                    for (&result, &given) in results.iter().zip(&then.results) {
                        names.insert(result, named(given, names));
                    }
                }
                Node::If { condition, then, otherwise, results, likely } => {
                    let condition = named(*condition, names);
                    let (then, otherwise) =
                        (self.copy_block(then, free, names), self.copy_block(otherwise, free, names));
                    let results = results.iter().map(|&value| self.renamed(value, names)).collect();
                    nodes.push(Node::If { condition, then, otherwise, results, likely: *likely });
                }
                // Only innermost loops have versions.
                Node::Loop { .. } => {}
                Node::Exit { condition, status } => {
                    nodes.push(Node::Exit { condition: named(*condition, names), status: *status });
                }
                Node::Poll => {}
            }
        }
    }
}

pub(super) fn named(value: Value, names: &HashMap<Value, Value>) -> Value {
    names.get(&value).copied().unwrap_or(value)
}

fn rename_inst(inst: &mut Inst, names: &HashMap<Value, Value>) {
    walk::operands_mut(inst, &mut |value| *value = named(*value, names));
}

fn rename_effect(effect: &mut Effect, names: &HashMap<Value, Value>) {
    walk::effect_operands_mut(effect, &mut |value| *value = named(*value, names));
}
