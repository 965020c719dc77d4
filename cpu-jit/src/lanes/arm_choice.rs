//! Moves the choice between the values of two arms into the arm that seldom runs.
//!
//! Where lanes diverge, an arm that only some lanes need runs if any of them does, and a `select`
//! behind it keeps the old value of the others:
//!
//! ```text
//! %v: f32 = if %none (likely) { give %old } else { .. give %new }
//! %kept = select %mask, %v, %old
//! ```
//!
//! In the usual arm that chooses between a value and itself. In the other arm, where it goes, it
//! takes no time while no lane is rare, and the mask is needed no longer than the branch.

use super::program::{LaneBlock, LaneInst, LaneProgram, LaneValue, Node};
use crate::hash::{HashMap, HashSet};

/// Moves selections into arms; returns whether there were any.
pub fn choose_in_arms(program: &mut LaneProgram) -> bool {
    let mut uses = HashMap::default();
    count_uses(&program.body, &mut uses);
    let mut body = std::mem::take(&mut program.body);
    let mut rewriter = ChoiceRewriter { uses, program, found: false };
    rewriter.block(&mut body);
    let found = rewriter.found;
    program.body = body;
    found
}

fn count_uses(block: &LaneBlock, uses: &mut HashMap<LaneValue, u32>) {
    let mut used = |value: LaneValue| *uses.entry(value).or_default() += 1;
    for node in &block.nodes {
        match node {
            Node::Let { inst, .. } => super::operands(inst, &mut |&value| used(value)),
            Node::Do { effect, .. } => super::effect_operands(effect, &mut |&value| used(value)),
            Node::If { condition, .. } | Node::Exit { condition, .. } => used(*condition),
            Node::Loop { init, again, .. } => init.iter().chain([again]).for_each(|&value| used(value)),
            Node::Poll => {}
        }
    }
    block.results.iter().for_each(|&value| used(value));
    for node in &block.nodes {
        match node {
            Node::If { then, otherwise, .. } => {
                count_uses(then, uses);
                count_uses(otherwise, uses);
            }
            Node::Loop { body, .. } => count_uses(body, uses),
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
}

struct ChoiceRewriter<'p> {
    uses: HashMap<LaneValue, u32>,
    /// Without its code.
    program: &'p mut LaneProgram,
    found: bool,
}

impl ChoiceRewriter<'_> {
    fn block(&mut self, block: &mut LaneBlock) {
        for node in &mut block.nodes {
            match node {
                Node::If { then, otherwise, .. } => {
                    self.block(then);
                    self.block(otherwise);
                }
                Node::Loop { body, .. } => self.block(body),
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
        for at in 0..block.nodes.len() {
            let (before, behind) = block.nodes.split_at_mut(at + 1);
            if let Some(Node::If { then, otherwise, results, likely, .. }) = before.last_mut()
                && likely.is_then()
            {
                self.take_choices(then, otherwise, results, behind);
            }
        }
        // What was moved defines a value that an `If` defines now.
        let mut given: HashSet<LaneValue> = HashSet::default();
        for node in &block.nodes {
            if let Node::If { results, .. } = node {
                given.extend(results.iter().copied());
            }
        }
        block.nodes.retain(|node| !matches!(node, Node::Let { value, .. } if given.contains(value)));
    }

    /// Takes the selections directly behind an `If` into its second arm.
    fn take_choices(
        &mut self,
        then: &LaneBlock,
        otherwise: &mut LaneBlock,
        results: &mut [LaneValue],
        behind: &[Node],
    ) {
        let mut fresh: HashSet<LaneValue> = results.iter().copied().collect();
        for node in behind {
            let Node::Let { value, inst, pos } = node else { return };
            let LaneInst::Select { mask, yes, no } = inst else { return };
            let place = results.iter().position(|result| result == yes);
            if let Some(place) = place
                && then.results[place] == *no
                && self.uses.get(yes) == Some(&1)
                && !fresh.contains(mask)
                && !fresh.contains(no)
            {
                let chosen = LaneValue(self.program.types.len() as u32);
                self.program.types.push(self.program.ty(*value));
                let inst = LaneInst::Select { mask: *mask, yes: otherwise.results[place], no: *no };
                otherwise.nodes.push(Node::Let { value: chosen, inst, pos: *pos });
                otherwise.results[place] = chosen;
                results[place] = *value;
                self.found = true;
            }
            fresh.insert(*value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{AddressStep, Elem, LaneAddress, LaneType, Likely, MemorySpace};
    use crate::lanes::{ArenaSizes, ArgumentWord, Effect, LaneBuilder};
    use tilewise_ir::ops::Op;
    use tilewise_ir::types::{Scalar, Stored};

    /// A select behind an arm for rare lanes, of its value and the usual one; or, if `other`, of a
    /// third.
    fn program(other: bool) -> LaneProgram {
        let mut b = LaneBuilder::new(8);
        let base = b.input(ArgumentWord::ViewBase(0));
        let at = || LaneAddress {
            space: MemorySpace::Buffer(0),
            base,
            offset: None,
            displacement: 0,
            along: AddressStep::Step(4),
            stored: Stored::F32,
        };
        let x = b.load(at(), None);
        let usual = b.op(Op::Mul, Scalar::F32, &[x, x]);
        let rare = b.op(Op::Lt, Scalar::F32, &[usual, x]);
        let any = b.pure(LaneInst::Any(rare), LaneType::Scalar(Elem::Bool));
        let none = b.op(Op::Not, Scalar::Bool, &[any]);
        b.open_arm();
        let then = b.close(vec![usual]);
        b.open_arm();
        let root = b.op(Op::Sqrt, Scalar::F32, &[x]);
        let otherwise = b.close(vec![root]);
        let arms = b.if_else(none, then, otherwise, Likely::Then);
        let kept = b.pure(
            LaneInst::Select { mask: rare, yes: arms[0], no: if other { x } else { usual } },
            LaneType::Lanes(Elem::F32),
        );
        b.effect(Effect::Store { at: at(), value: kept, mask: None });
        let mut program = b.finish("test".into(), ArenaSizes::default());
        program.writable = vec![true];
        program
    }

    /// Selections in the outermost block.
    fn selections(program: &LaneProgram) -> usize {
        let is_selection = |node: &&Node| matches!(node, Node::Let { inst: LaneInst::Select { .. }, .. });
        program.body.nodes.iter().filter(is_selection).count()
    }

    #[test]
    fn the_usual_arm_chooses_nothing() {
        let mut program = program(false);
        assert_eq!(selections(&program), 1, "{program}");
        assert!(choose_in_arms(&mut program), "{program}");
        assert_eq!(selections(&program), 0, "{program}");
        crate::lanes::verify(&program).unwrap_or_else(|wrong| panic!("{wrong}\n{program}"));
    }

    #[test]
    fn a_choice_of_a_third_value_stays() {
        let mut program = program(true);
        assert!(!choose_in_arms(&mut program), "{program}");
        assert_eq!(selections(&program), 1, "{program}");
    }
}
