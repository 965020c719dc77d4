//! Estimates the vector register pressure of a program, and finds the constants that its loops have no
//! registers for.

use super::program::{Elem, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node};
use super::walk::{effect_operands, operands};
use crate::hash::{HashMap, HashSet};

/// A loop without loop-carried lanes may use this many times as many registers: a spill delays only
/// its own iteration, and more lanes provide more independent work to overlap with it.
const FREE: u32 = 3;

/// The maximum number of 16-byte registers that lanes occupy at one time in an innermost loop. Loop-invariant values
/// are excluded. So are constants and splats, and values inside of cold arms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RegisterPressure {
    /// Of loops that carry lanes to their next iteration.
    pub carried: u32,
    /// Of others, and of a program without loops.
    pub free: u32,
}

impl RegisterPressure {
    /// Of a program.
    pub fn of(program: &LaneProgram) -> RegisterPressure {
        let mut pressure = RegisterPressure::default();
        let found = innermost(&program.body, &mut |params, body| {
            let carries = params.iter().any(|&param| program.ty(param).is_lanes());
            let most = if carries { &mut pressure.carried } else { &mut pressure.free };
            *most = of_loop(program, params, body).most.max(*most);
        });
        if !found {
            pressure.free = of_loop(program, &[], &program.body).most;
        }
        pressure
    }
}

/// The [`RegisterPressure`] of a program as one number: a loop without loop-carried lanes counts for a third.
pub fn pressure(program: &LaneProgram) -> u32 {
    let RegisterPressure { carried, free } = RegisterPressure::of(program);
    carried.max(free / FREE)
}

/// The lanes of constants that innermost loops of a body use and have no registers for, with that many
/// 16-byte registers: those of the fewest uses, beyond as many as other values leave room for.
pub(crate) fn crowded_constants(program: &LaneProgram, body: &LaneBlock, registers: u32) -> HashSet<LaneValue> {
    let mut crowded = HashSet::default();
    let mut constants = HashSet::default();
    find_constants(body, &mut constants);
    innermost(body, &mut |params, body| {
        let needs = of_loop(program, params, body);
        let is_constant = |value: &LaneValue| program.ty(*value).is_lanes() && constants.contains(value);
        let mut used: Vec<(u32, LaneValue)> =
            needs.outside.iter().filter(|(value, _)| is_constant(value)).map(|(&value, &uses)| (uses, value)).collect();
        let others = needs.outside.iter().filter(|&(value, &uses)| uses > 0 && !is_constant(value));
        let others: u32 = others.map(|(&value, _)| weight(program, value)).sum();
        let room = registers.saturating_sub(needs.most + others) as usize;
        if used.iter().filter(|(uses, _)| *uses > 0).count() > room {
            used.sort_by_key(|&(uses, value)| (u32::MAX - uses, value));
            crowded.extend(used.into_iter().skip(room).map(|(_, value)| value));
        }
    });
    crowded
}

/// Collects constants and their splats.
fn find_constants(block: &LaneBlock, found: &mut HashSet<LaneValue>) {
    for node in &block.nodes {
        match node {
            Node::Let { value, inst: LaneInst::Const(_), .. } => _ = found.insert(*value),
            Node::Let { value, inst: LaneInst::Splat(scalar), .. } if found.contains(scalar) => {
                found.insert(*value);
            }
            Node::If { then, otherwise, .. } => {
                find_constants(then, found);
                find_constants(otherwise, found);
            }
            Node::Loop { body, .. } => find_constants(body, found),
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
}

/// Visits the parameters and bodies of innermost loops; returns whether there was a loop.
fn innermost(block: &LaneBlock, visit: &mut dyn FnMut(&[LaneValue], &LaneBlock)) -> bool {
    let mut found = false;
    for node in &block.nodes {
        match node {
            Node::If { then, otherwise, .. } => {
                found |= innermost(then, visit);
                found |= innermost(otherwise, visit);
            }
            Node::Loop { params, body, .. } => {
                found = true;
                if !innermost(body, visit) {
                    visit(params, body);
                }
            }
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
    found
}

/// What a loop needs registers for.
struct LoopNeeds {
    /// The most registers that values of its own occupy at one time.
    most: u32,
    /// Lanes from outside: how often they are used, cold arms aside.
    outside: HashMap<LaneValue, u32>,
}

fn of_loop(program: &LaneProgram, params: &[LaneValue], body: &LaneBlock) -> LoopNeeds {
    let mut walk = PressureWalk {
        program,
        steps: 0,
        cold: false,
        born: HashMap::default(),
        dies: HashMap::default(),
        own: params.iter().copied().collect(),
        outside: HashMap::default(),
    };
    params.iter().for_each(|&param| walk.birth(param));
    walk.block(body);
    let end = walk.steps;
    // Loop-carried values live to the end.
    body.results.iter().for_each(|&value| _ = walk.dies.insert(value, end));
    let mut change = vec![0i64; end + 2];
    for (value, &born) in walk.born.iter() {
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
    LoopNeeds { most: u32::try_from(most).unwrap_or(u32::MAX), outside: walk.outside }
}

/// The number of 16-byte registers that a value of a loop occupies.
pub(super) fn weight(program: &LaneProgram, value: LaneValue) -> u32 {
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
    /// All values that the body defines.
    own: HashSet<LaneValue>,
    /// The uses of other lanes, cold arms aside.
    outside: HashMap<LaneValue, u32>,
}

impl PressureWalk<'_> {
    fn birth(&mut self, value: LaneValue) {
        self.own.insert(value);
        if !self.cold && self.program.ty(value).is_lanes() {
            self.born.insert(value, self.steps);
        }
    }

    fn death(&mut self, value: LaneValue) {
        self.dies.insert(value, self.steps);
        if self.program.ty(value).is_lanes() && !self.own.contains(&value) {
            *self.outside.entry(value).or_default() += u32::from(!self.cold);
        }
    }

    fn block(&mut self, block: &LaneBlock) {
        for node in &block.nodes {
            self.steps += 1;
            match node {
                Node::Let { value, inst, .. } => {
                    operands(inst, &mut |&value| self.death(value));
                    if matches!(inst, LaneInst::Splat(_) | LaneInst::Lane) {
                        self.own.insert(*value);
                    } else {
                        self.birth(*value);
                    }
                }
                Node::Do { effect, .. } => effect_operands(effect, &mut |&value| self.death(value)),
                Node::If { condition, then, otherwise, results, likely } => {
                    self.death(*condition);
                    let cold = self.cold;
                    for (arm, rare) in [(then, false), (otherwise, likely.is_then())] {
                        self.cold = cold || rare;
                        self.block(arm);
                        self.steps += 1;
                        arm.results.iter().for_each(|&value| self.death(value));
                    }
                    self.cold = cold;
                    results.iter().for_each(|&value| self.birth(value));
                }
                Node::Loop { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{AddressStep, ArenaSizes, ArgumentWord, Effect, LaneAddress, LaneBuilder, MemorySpace};
    use tilewise_ir::ops::Op;
    use tilewise_ir::types::{Scalar, Stored};

    /// A loop over a polynomial of that degree, and its constants but for the first, which is used twice.
    fn polynomial(width: u32, degree: u32) -> (LaneProgram, LaneValue, HashSet<LaneValue>) {
        let mut b = LaneBuilder::new(width);
        let base = b.input(ArgumentWord::ViewBase(0));
        let at = || LaneAddress {
            space: MemorySpace::Buffer(0),
            base,
            offset: None,
            displacement: 0,
            along: AddressStep::Step(4),
            stored: Stored::F32,
        };
        let number = |b: &mut LaneBuilder, n: u32| {
            let scalar = b.constant(Elem::F32, f64::from(n).to_bits() >> 32);
            b.lanes(scalar)
        };
        let zero = b.constant(Elem::I64, 0);
        let params = b.open_loop(&[LaneType::Scalar(Elem::I64)]);
        let x = b.load(at(), None);
        let first = number(&mut b, 1);
        let mut sum = b.op(Op::Add, Scalar::F32, &[x, first]);
        let rest: Vec<LaneValue> = (2..=degree).map(|n| number(&mut b, n)).collect();
        for &factor in &rest {
            sum = b.op(Op::Fma, Scalar::F32, &[sum, x, factor]);
        }
        let sum = b.op(Op::Mul, Scalar::F32, &[sum, first]);
        b.effect(Effect::Store { at: at(), value: sum, mask: None });
        let end = b.constant(Elem::I64, 9);
        let again = b.op(Op::Lt, Scalar::I64, &[params[0], end]);
        let body = b.close(vec![params[0]]);
        b.repeat(params, vec![zero], body, again);
        (b.finish("test".into(), ArenaSizes::default()), first, rest.into_iter().collect())
    }

    #[test]
    fn constants_beyond_the_registers_are_crowded_and_the_one_of_most_uses_is_not() {
        // The loaded value, the sum before an operation and the one after it: 3 values of 2 vectors each.
        let (program, ..) = polynomial(8, 10);
        assert!(crowded_constants(&program, &program.body, 16).is_empty(), "{program}");
        let (program, first, rest) = polynomial(8, 14);
        let crowded = crowded_constants(&program, &program.body, 16);
        assert_eq!(crowded.len(), 14 - 10, "{program}");
        assert!(!crowded.contains(&first) && crowded.into_iter().all(|value| rest.contains(&value)), "{program}");
        // Vectors of twice as many lanes leave less room, more registers leave more.
        let (program, ..) = polynomial(16, 14);
        assert_eq!(crowded_constants(&program, &program.body, 16).len(), 14 - 4, "{program}");
        assert!(crowded_constants(&program, &program.body, 32).is_empty(), "{program}");
    }
}
