//! Estimates the vector register pressure of a program.

use super::program::{Elem, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node};
use super::walk::{effect_operands, operands};
use crate::hash::HashMap;

/// A loop without loop-carried lanes may use this many times as many registers: a spill delays only
/// its own iteration, and more lanes provide more independent work to overlap with it.
const FREE: u32 = 3;

/// The maximum number of 16-byte registers that lanes occupy at one time in an innermost loop.
/// Loop-invariant values are excluded: an instruction can take them from memory. So are constants
/// and splats, and values inside of cold arms. A loop without loop-carried lanes counts for a third.
pub fn pressure(program: &LaneProgram) -> u32 {
    let mut most = 0;
    search(program, &program.body, true, &mut most);
    most
}

/// Searches for innermost loops; returns whether there was a loop.
fn search(program: &LaneProgram, block: &LaneBlock, whole: bool, most: &mut u32) -> bool {
    let mut found = false;
    for node in &block.nodes {
        match node {
            Node::If { then, otherwise, .. } => {
                found |= search(program, then, false, most);
                found |= search(program, otherwise, false, most);
            }
            Node::Loop { params, body, .. } => {
                found = true;
                if !search(program, body, false, most) {
                    let carries = params.iter().any(|&param| program.ty(param).is_lanes());
                    let count = of_loop(program, params, body);
                    *most = (*most).max(if carries { count } else { count / FREE });
                }
            }
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
    if whole && !found {
        *most = of_loop(program, &[], block) / FREE;
    }
    found
}

fn of_loop(program: &LaneProgram, params: &[LaneValue], body: &LaneBlock) -> u32 {
    let mut walk = PressureWalk { program, steps: 0, cold: false, born: HashMap::default(), dies: HashMap::default() };
    params.iter().for_each(|&param| walk.birth(param));
    walk.block(body);
    let end = walk.steps;
    // Loop-carried values live to the end.
    body.results.iter().for_each(|&value| _ = walk.dies.insert(value, end));
    let mut change = vec![0i64; end + 2];
    for (value, &born) in &walk.born {
        let Some(&dies) = walk.dies.get(value) else { continue };
        let weight = i64::from(weight(program, *value));
        change[born] += weight;
        change[dies + 1] -= weight;
    }
    let (mut now, mut most) = (0, 0);
    for step in change {
        now += step;
        most = most.max(now);
    }
    u32::try_from(most).unwrap_or(u32::MAX)
}

/// The number of 16-byte registers that a value occupies.
fn weight(program: &LaneProgram, value: LaneValue) -> u32 {
    match program.ty(value) {
        LaneType::Scalar(_) => 0,
        LaneType::Lanes(Elem::I64 | Elem::F64) => program.width.div_ceil(2),
        LaneType::Lanes(Elem::Bool | Elem::I32 | Elem::F32) => program.width.div_ceil(4),
    }
}

struct PressureWalk<'p> {
    program: &'p LaneProgram,
    steps: usize,
    /// Is this a cold arm?
    cold: bool,
    born: HashMap<LaneValue, usize>,
    dies: HashMap<LaneValue, usize>,
}

impl PressureWalk<'_> {
    fn birth(&mut self, value: LaneValue) {
        if !self.cold && self.program.ty(value).is_lanes() {
            self.born.insert(value, self.steps);
        }
    }

    fn block(&mut self, block: &LaneBlock) {
        for node in &block.nodes {
            self.steps += 1;
            let step = self.steps;
            match node {
                Node::Let { value, inst, .. } => {
                    operands(inst, &mut |&value| _ = self.dies.insert(value, step));
                    if !matches!(inst, LaneInst::Splat(_) | LaneInst::Lane) {
                        self.birth(*value);
                    }
                }
                Node::Do { effect, .. } => effect_operands(effect, &mut |&value| _ = self.dies.insert(value, step)),
                Node::If { then, otherwise, results, likely, .. } => {
                    let cold = self.cold;
                    for (arm, rare) in [(then, false), (otherwise, likely.is_then())] {
                        self.cold = cold || rare;
                        self.block(arm);
                        self.steps += 1;
                        let step = self.steps;
                        arm.results.iter().for_each(|&value| _ = self.dies.insert(value, step));
                    }
                    self.cold = cold;
                    results.iter().for_each(|&value| self.birth(value));
                }
                Node::Loop { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }
}
