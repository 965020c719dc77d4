//! Decides which arms are outlined as cold blocks, and where their operands are computed.
//!
//! The second arm of an `if` that nearly always takes the first ([`Likely::Then`]) is outlined, and
//! compiled when it first runs ([`cold_block`](super::cold_block)), if it is large enough to be
//! worth the call. Its operands from outside are passed as parameters; values that only such arms
//! use, and values that are cheaper to compute than to pass, are computed inside.

use crate::hash::{HashMap, HashSet};
use crate::lanes::{
    Elem, ExitStatus, LaneBlock, LaneInst, LaneInstClass, LaneProgram, LaneType, LaneValue, Node, effect_operands,
    operands,
};

/// An arm that is outlined.
#[derive(Clone, Debug, Default)]
pub(super) struct OutlinedArm {
    /// Nodes computed before its own.
    pub(super) before: Vec<Node>,
    /// Its parameters.
    pub(super) params: Vec<LaneValue>,
    /// The estimated number of instructions of its nodes.
    weight: usize,
}

/// The outlining decisions of a program.
#[derive(Default)]
pub(super) struct OutlinePlan {
    /// Outlined arms, by their addresses in the program.
    arms: HashMap<*const LaneBlock, OutlinedArm>,
    /// For each value whether it is computed at its definition; empty for a plan without arms.
    needed: Vec<bool>,
}

/// The minimum weight of an outlined arm, beyond the cost of calling it.
pub(super) const APART: usize = 24;

impl OutlinePlan {
    /// Plans a program. `apart` is the minimum weight of an outlined arm beyond the cost of calling
    /// it.
    pub(super) fn of(program: &LaneProgram, apart: usize) -> OutlinePlan {
        let mut plan = OutlinePlan::default();
        candidates(program, &program.body, apart, &mut plan.arms);
        if plan.arms.is_empty() {
            return plan;
        }
        let mut search = ArmSearch { program, defs: vec![None; program.types.len()] };
        search.collect(&program.body);
        plan.needed = search.needed(&plan.arms);
        search.fill(&program.body, &mut plan);
        let before = plan.arms.len();
        plan.arms.retain(|_, arm| {
            let way: usize = arm.params.iter().map(|&value| pieces(program, program.ty(value))).sum();
            let first: usize = arm.before.iter().map(|node| weight_of(program, node)).sum();
            first + arm.weight >= apart + 2 * way
        });
        if plan.arms.len() < before {
            plan.needed = search.needed(&plan.arms);
            search.fill(&program.body, &mut plan);
        }
        if plan.arms.is_empty() { OutlinePlan::default() } else { plan }
    }

    /// The plan of an arm, if it is outlined.
    pub(super) fn arm(&self, block: &LaneBlock) -> Option<&OutlinedArm> {
        self.arms.get(&std::ptr::from_ref(block))
    }

    /// Is a value computed at its definition?
    pub(super) fn is_needed(&self, value: LaneValue) -> bool {
        self.needed.get(value.index()).copied().unwrap_or(true)
    }
}

/// The number of Cranelift values of a value.
fn pieces(program: &LaneProgram, ty: LaneType) -> usize {
    match ty {
        LaneType::Scalar(_) => 1,
        LaneType::Lanes(Elem::I64 | Elem::F64) => program.width.div_ceil(2) as usize,
        LaneType::Lanes(Elem::Bool | Elem::I32 | Elem::F32) => program.width.div_ceil(4) as usize,
    }
}

/// Finds arms that may be large enough.
fn candidates(
    program: &LaneProgram,
    block: &LaneBlock,
    apart: usize,
    found: &mut HashMap<*const LaneBlock, OutlinedArm>,
) {
    for node in &block.nodes {
        match node {
            Node::If { then, otherwise, likely, .. } => {
                candidates(program, then, apart, found);
                let weight = weight(program, otherwise);
                if likely.is_then() && weight >= apart.max(1) && !may_finish(otherwise) {
                    found.insert(std::ptr::from_ref(otherwise), OutlinedArm { weight, ..OutlinedArm::default() });
                } else {
                    candidates(program, otherwise, apart, found);
                }
            }
            Node::Loop { body, .. } => candidates(program, body, apart, found),
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
}

/// Does a block end the program as done? Such an arm is not outlined: the status of a cold block
/// says `Done` where the program goes on.
fn may_finish(block: &LaneBlock) -> bool {
    block.nodes.iter().any(|node| match node {
        Node::Exit { status, .. } => *status == ExitStatus::Done,
        Node::If { then, otherwise, .. } => may_finish(then) || may_finish(otherwise),
        Node::Loop { body, .. } => may_finish(body),
        Node::Let { .. } | Node::Do { .. } | Node::Poll => false,
    })
}

/// The approximate number of instructions of a block, when cold.
fn weight(program: &LaneProgram, block: &LaneBlock) -> usize {
    block.nodes.iter().map(|node| weight_of(program, node)).sum()
}

fn weight_of(program: &LaneProgram, node: &Node) -> usize {
    const ACCESS: usize = 12;
    match node {
        Node::Let { value, inst, .. } => match inst.class() {
            LaneInstClass::Read | LaneInstClass::Atomic => ACCESS,
            LaneInstClass::Pure if matches!(inst, LaneInst::Const(_) | LaneInst::Splat(_) | LaneInst::Lane) => 1,
            LaneInstClass::Pure => pieces(program, program.ty(*value)),
        },
        Node::Do { .. } => ACCESS,
        Node::If { then, otherwise, .. } => 3 + weight(program, then) + weight(program, otherwise),
        Node::Loop { params, body, .. } => 3 + params.len() + weight(program, body),
        Node::Exit { .. } | Node::Poll => 3,
    }
}

/// Can an instruction be computed wherever its operands are available?
const fn is_pure(inst: &LaneInst) -> bool {
    matches!(inst.class(), LaneInstClass::Pure)
}

struct ArmSearch<'p> {
    program: &'p LaneProgram,
    /// Nodes that define pure values.
    defs: Vec<Option<&'p Node>>,
}

impl<'p> ArmSearch<'p> {
    fn collect(&mut self, block: &'p LaneBlock) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } if is_pure(inst) => self.defs[value.index()] = Some(node),
                Node::If { then, otherwise, .. } => {
                    self.collect(then);
                    self.collect(otherwise);
                }
                Node::Loop { body, .. } => self.collect(body),
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    /// For each value whether anything outside of the arms uses it.
    fn needed(&self, arms: &HashMap<*const LaneBlock, OutlinedArm>) -> Vec<bool> {
        let mut needed = vec![false; self.program.types.len()];
        let mut todo = Vec::new();
        self.roots(&self.program.body, arms, &mut todo);
        while let Some(value) = todo.pop() {
            if std::mem::replace(&mut needed[value.index()], true) {
                continue;
            }
            if let Some(Node::Let { inst, .. }) = self.defs[value.index()] {
                operands(inst, &mut |&value| todo.push(value));
            }
        }
        needed
    }

    /// Unconditionally needed values: all that are not pure, and their operands.
    fn roots(&self, block: &LaneBlock, arms: &HashMap<*const LaneBlock, OutlinedArm>, roots: &mut Vec<LaneValue>) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } if !is_pure(inst) => {
                    roots.push(*value);
                    operands(inst, &mut |&value| roots.push(value));
                }
                Node::Let { .. } | Node::Poll => {}
                Node::Do { effect, .. } => effect_operands(effect, &mut |&value| roots.push(value)),
                Node::If { condition, then, otherwise, results, .. } => {
                    roots.push(*condition);
                    roots.extend(results);
                    self.roots(then, arms, roots);
                    if !arms.contains_key(&std::ptr::from_ref(otherwise)) {
                        self.roots(otherwise, arms, roots);
                    }
                }
                Node::Loop { params, init, body, again, results } => {
                    roots.extend(params.iter().chain(init).chain(results));
                    roots.push(*again);
                    self.roots(body, arms, roots);
                }
                Node::Exit { condition, .. } => roots.push(*condition),
            }
        }
        roots.extend(&block.results);
    }

    /// Determines the prologue and the parameters of each arm.
    fn fill(&self, block: &LaneBlock, plan: &mut OutlinePlan) {
        for node in &block.nodes {
            match node {
                Node::If { then, otherwise, .. } => {
                    self.fill(then, plan);
                    let key = std::ptr::from_ref(otherwise);
                    if let Some(arm) = plan.arms.get_mut(&key) {
                        *arm = OutlinedArm { weight: arm.weight, ..self.arm(otherwise, &plan.needed) };
                    } else {
                        self.fill(otherwise, plan);
                    }
                }
                Node::Loop { body, .. } => self.fill(body, plan),
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    fn arm(&self, block: &LaneBlock, needed: &[bool]) -> OutlinedArm {
        let mut uses = BlockUses::default();
        uses.block(block);
        let mut arm = OutlinedArm::default();
        let mut there = uses.defined;
        for value in uses.used {
            self.bring(value, needed, &mut there, &mut arm);
        }
        arm
    }

    /// Makes a value available in an arm.
    fn bring(&self, value: LaneValue, needed: &[bool], there: &mut HashSet<LaneValue>, arm: &mut OutlinedArm) {
        if !there.insert(value) {
            return;
        }
        let cheap = |inst: &LaneInst| {
            matches!(
                inst,
                LaneInst::Const(_) | LaneInst::Input(_) | LaneInst::Arena(_) | LaneInst::Lane | LaneInst::Splat(_)
            )
        };
        if let Some(node @ Node::Let { inst, .. }) = self.defs[value.index()]
            && (!needed[value.index()] || cheap(inst))
        {
            operands(inst, &mut |&value| self.bring(value, needed, there, arm));
            arm.before.push(node.clone());
        } else {
            arm.params.push(value);
        }
    }
}

/// Atomics of a block whose results are unused in it.
pub(super) fn unread(block: &LaneBlock) -> HashSet<LaneValue> {
    let mut atomics = HashSet::default();
    find_atomics(block, &mut atomics);
    if !atomics.is_empty() {
        let mut uses = BlockUses::default();
        uses.block(block);
        uses.used.iter().for_each(|value| _ = atomics.remove(value));
    }
    atomics
}

fn find_atomics(block: &LaneBlock, found: &mut HashSet<LaneValue>) {
    for node in &block.nodes {
        match node {
            Node::Let { value, inst, .. } if inst.class() == LaneInstClass::Atomic => {
                found.insert(*value);
            }
            Node::If { then, otherwise, .. } => {
                find_atomics(then, found);
                find_atomics(otherwise, found);
            }
            Node::Loop { body, .. } => find_atomics(body, found),
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
}

/// Is a rare arm so long that it may need more registers than the code around it leaves?
pub(super) fn is_long(program: &LaneProgram, arm: &LaneBlock) -> bool {
    weight(program, arm) >= APART
}

/// The values from outside that a block uses, in the order of their first uses.
pub(super) fn outside_uses(block: &LaneBlock) -> Vec<LaneValue> {
    let mut uses = BlockUses::default();
    uses.block(block);
    let mut known = uses.defined;
    uses.used.into_iter().filter(|&value| known.insert(value)).collect()
}

/// The values that a block uses and defines.
#[derive(Default)]
struct BlockUses {
    used: Vec<LaneValue>,
    defined: HashSet<LaneValue>,
}

impl BlockUses {
    fn block(&mut self, block: &LaneBlock) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } => {
                    operands(inst, &mut |&value| self.used.push(value));
                    self.defined.insert(*value);
                }
                Node::Do { effect, .. } => effect_operands(effect, &mut |&value| self.used.push(value)),
                Node::If { condition, then, otherwise, results, .. } => {
                    self.used.push(*condition);
                    self.block(then);
                    self.block(otherwise);
                    self.defined.extend(results);
                }
                Node::Loop { params, init, body, again, results } => {
                    self.used.extend(init);
                    self.defined.extend(params.iter().chain(results));
                    self.block(body);
                    self.used.push(*again);
                }
                Node::Exit { condition, .. } => self.used.push(*condition),
                Node::Poll => {}
            }
        }
        self.used.extend(&block.results);
    }
}
