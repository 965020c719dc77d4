//! Finite loops: loops that provably terminate in every thread, and the maximum number of
//! iterations, where it is a number.
//!
//! A loop is finite if a variable **strictly increases**, or strictly decreases, in each iteration
//! and never wraps: an integer cannot do that forever. The [ranges](super::facts) decide whether it
//! wraps, as they include the conditions that lead to each place: in `while i < n { .. i = i + 1;
//! }` the operand `i` of the sum is below the largest number of its type, so the sum does not wrap.
//! So this analysis need not interpret conditions, and further conditions of a loop do no harm.
//!
//! The variable is assigned at one place of the loop that every iteration executes: in the
//! condition or the continuing block, or in the body where no `continue` can precede it. The
//! assigned value is the variable's value plus or minus a positive number, or multiplied by,
//! divided by or shifted by a number that changes it.
//!
//! `while i < n { i = i + step; }` is not finite as long as nothing is known of `step`: it may be
//! 0, and `i` may wrap around.

use std::collections::{HashMap, HashSet};

use super::facts::KernelFacts;
use super::range::{IntegerRange, wraps};
use crate::kernel::{
    Block, Function, Inst, InstClass, InstKind, Kernel, LabelId, LocalId, Place, Root, ValueDef, ValueId,
};
use crate::ops::{ArithmeticOp, DivisionOp, Op, OpFamily, OverflowRule, ShiftOp};
use crate::types::Scalar;

/// The finite loops of an inlined kernel's entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Finite {
    rounds: HashMap<LabelId, u64>,
}

impl Finite {
    /// Finds the finite loops, from the facts about the same kernel.
    pub fn of(kernel: &Kernel, facts: &KernelFacts) -> Finite {
        let mut finite = Finite::default();
        if facts.uniformity().gave_up() {
            return finite;
        }
        let search = FiniteSearch { function: kernel.entry(), facts, defs: definitions(kernel.entry()) };
        kernel.entry().body().walk(&mut |inst| {
            if let InstKind::Loop { label, condition, body, continuing } = &inst.kind
                && let Some(rounds) = search.rounds(*label, condition.as_deref(), body, continuing)
            {
                finite.rounds.insert(*label, rounds);
            }
        });
        finite
    }

    /// Whether this is a loop that a thread may never leave.
    pub fn is_open(&self, inst: &Inst) -> bool {
        matches!(&inst.kind, InstKind::Loop { label, .. } if self.rounds(*label).is_none())
    }

    /// The maximum number of iterations for each entry into the loop; `None` if it may not
    /// terminate.
    pub fn rounds(&self, label: LabelId) -> Option<u64> {
        self.rounds.get(&label).copied()
    }
}

/// The defining instruction of each value.
fn definitions(function: &Function) -> Vec<Option<&Inst>> {
    let mut defs = vec![None; function.values().len()];
    for inst in &function.body().insts {
        each(inst, &mut |inst| {
            if let Some(result) = inst.result {
                defs[result.index()] = Some(inst);
            }
        });
    }
    defs
}

struct FiniteSearch<'a> {
    function: &'a Function,
    facts: &'a KernelFacts,
    defs: Vec<Option<&'a Inst>>,
}

/// Assignments to a local inside a loop.
#[derive(Default)]
struct Assigned {
    count: u32,
    /// The assigned value, if every iteration executes the assignment.
    value: Option<ValueId>,
}

impl FiniteSearch<'_> {
    fn rounds(&self, label: LabelId, condition: Option<&Block>, body: &Block, continuing: &Block) -> Option<u64> {
        let mut assigned: HashMap<LocalId, Assigned> = HashMap::new();
        // A load outside the loop has the same value in all iterations.
        let mut inside: HashSet<ValueId> = HashSet::new();
        for block in condition.into_iter().chain([body, continuing]) {
            let mut passed = true;
            for inst in &block.insts {
                if let (true, InstKind::Store { place: Place { root: Root::Local(local), path }, value }) =
                    (passed, &inst.kind)
                    && path.is_empty()
                {
                    assigned.entry(*local).or_default().value = Some(*value);
                }
                each(inst, &mut |inst| {
                    inside.extend(inst.result);
                    passed &= !matches!(&inst.kind, InstKind::Continue { label: to } if *to == label);
                    if let Some(local) = assigned_local(&inst.kind) {
                        assigned.entry(local).or_default().count += 1;
                    }
                });
                // After a jump out of the block, later assignments may be skipped.
                passed &= !inst.kind.leaves();
            }
        }
        let counters = assigned.iter().filter(|(_, assigned)| assigned.count == 1);
        counters.filter_map(|(local, assigned)| self.steps(*local, assigned.value?, &inside)).min()
    }

    /// The maximum number of times that `local` can be set to `value` in succession, if each time
    /// is a step in the same direction from a load in `inside`.
    fn steps(&self, local: LocalId, value: ValueId, inside: &HashSet<ValueId>) -> Option<u64> {
        let data = self.function.value(value).ty.data().filter(|data| data.width == 1 && data.scalar.is_integer())?;
        let InstKind::Op { op, args } = &self.defs[value.index()]?.kind else { return None };
        let [a, b] = args[..] else { return None };
        let loads = |value: ValueId| self.is_load(value, local) && inside.contains(&value);
        // In sums and products either operand may be the stepped variable.
        let either = matches!(op, Op::Add | Op::Mul);
        let (x, by) = if either && loads(b) {
            (b, a)
        } else if loads(a) {
            (a, b)
        } else {
            return None;
        };
        let ranges = [self.range(a), self.range(b)];
        let wraps = wraps(*op, data.scalar, data.scalar, &ranges);
        steps(*op, data.scalar, self.range(x)?, self.range(by)?, wraps)
    }

    fn range(&self, value: ValueId) -> Option<IntegerRange> {
        match self.function.value(value).def {
            ValueDef::Const(constant) => IntegerRange::of_const(constant),
            ValueDef::Param(_) | ValueDef::Inst => self.facts.value(value).range,
        }
    }

    fn is_load(&self, value: ValueId, local: LocalId) -> bool {
        let load = self.defs[value.index()].map(|inst| &inst.kind);
        matches!(load, Some(InstKind::Load(Place { root: Root::Local(from), path })) if *from == local && path.is_empty())
    }
}

/// The maximum number of steps of a number that is in the range `x` before each step.
fn steps(op: Op, scalar: Scalar, x: IntegerRange, by: IntegerRange, wraps: bool) -> Option<u64> {
    let far = |least: i128| u64::try_from((x.hi - x.lo) / least.max(1) + 2).unwrap_or(u64::MAX);
    let bits = u64::from(scalar.bits()) + 1;
    let whole = IntegerRange::of_type(scalar)?;
    let amount = by.lo >= 1 && by.hi < i128::from(scalar.bits());
    match op.family() {
        OpFamily::Arithmetic(ArithmeticOp::Add | ArithmeticOp::Sub, OverflowRule::Wrap) if !wraps => match by {
            IntegerRange { lo: 1.., .. } => Some(far(by.lo)),
            IntegerRange { hi: ..=-1, .. } => Some(far(-by.hi)),
            IntegerRange { .. } => None,
        },
        // It saturates at the limit of its type, and must not be there before the step.
        OpFamily::Arithmetic(ArithmeticOp::Add, OverflowRule::Saturate) => {
            (by.lo >= 1 && x.hi < whole.hi).then(|| far(by.lo))
        }
        OpFamily::Arithmetic(ArithmeticOp::Sub, OverflowRule::Saturate) => {
            (by.lo >= 1 && x.lo > whole.lo).then(|| far(by.lo))
        }
        OpFamily::Arithmetic(ArithmeticOp::Mul, OverflowRule::Wrap) => {
            (!wraps && x.lo >= 1 && by.lo >= 2).then_some(bits)
        }
        OpFamily::Division(DivisionOp::Div) => (x.lo >= 1 && by.lo >= 2).then_some(bits),
        OpFamily::Shift(ShiftOp::Shl) => (!wraps && x.lo >= 1 && amount).then_some(bits),
        OpFamily::Shift(ShiftOp::Shr) => (x.lo >= 1 && amount).then_some(bits),
        OpFamily::Arithmetic(_, OverflowRule::Wrap | OverflowRule::Report)
        | OpFamily::Arithmetic(ArithmeticOp::Mul, OverflowRule::Saturate)
        | OpFamily::Division(DivisionOp::Rem | DivisionOp::DivEuclid | DivisionOp::RemEuclid)
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

/// The local that the instruction assigns, wholly or in part.
pub(super) fn assigned_local(kind: &InstKind) -> Option<LocalId> {
    match kind.class() {
        InstClass::Write | InstClass::Atomic => match kind.written_place()?.root {
            Root::Local(local) => Some(local),
            Root::View { .. } | Root::Param(_) | Root::Tile(_) | Root::Table(_) | Root::Ref(_) => None,
        },
        InstClass::Declare => {
            if let InstKind::Declare { local, .. } = kind {
                Some(*local)
            } else {
                None
            }
        }
        InstClass::Compute
        | InstClass::Query
        | InstClass::MakeView
        | InstClass::Read
        | InstClass::Synchronize
        | InstClass::Output
        | InstClass::Stop
        | InstClass::Call
        | InstClass::Structured
        | InstClass::Jump => None,
    }
}

/// Calls `f` on an instruction and on those nested in it.
fn each<'a>(inst: &'a Inst, f: &mut dyn FnMut(&'a Inst)) {
    f(inst);
    inst.kind.each_block(&mut |block| block.insts.iter().for_each(|inst| each(inst, f)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::text::parse;

    /// The maximum number of iterations of each loop of a kernel, in text order.
    fn rounds(body: &str) -> Vec<Option<u64>> {
        let text = format!("kernel k(v: view<i32, 1, read_write>, n: i32, m: u32) rank(1) {{ {body} }}");
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let finite = Finite::of(kernel.inlined(), kernel.facts());
        let mut out = Vec::new();
        kernel.inlined().entry().body().walk(&mut |inst| {
            if let InstKind::Loop { label, .. } = &inst.kind {
                out.push(finite.rounds(*label));
            }
        });
        out
    }

    fn is_finite(body: &str) -> bool {
        rounds(body).iter().all(Option::is_some)
    }

    #[test]
    fn counts_up_and_down_are_finite() {
        assert!(is_finite("var i: i32 = 0; while i < n { i = i + 1; }"));
        assert!(is_finite("var i: i32 = n; while i > 0 { i = i - 1; }"));
        assert!(is_finite("var i: u32 = 0u32; loop { if i >= m { break; } i = i + 1u32; }"));
        assert!(is_finite("var i: i32 = 0; while i < n { v[i] = 1; } continuing { i = add_sat(i, 16); }"));
        assert!(is_finite("var i: i32 = 0; while i < n && v[i] > 3 { i = i + 1; }"));
    }

    #[test]
    fn what_doubles_or_halves_is_finite() {
        assert!(is_finite("var i: i32 = 128; while i > 0 { i = i / 2; }"));
        assert!(is_finite("var i: i32 = 1; while i < 256 { i = i * 2; }"));
        assert!(is_finite("var i: u32 = m; while i > 0u32 { i = i >> 1u32; }"));
        assert!(!is_finite("var i: i32 = 0; while i < 256 { i = i * 2; }"));
        assert!(!is_finite("var i: i32 = 128; while i >= 0 { i = i / 2; }"));
    }

    #[test]
    fn a_counter_that_may_wrap_or_stand_still_proves_nothing() {
        assert!(!is_finite("var i: i32 = 0; while i < n { i = i + n; }"));
        assert!(!is_finite("var i: i32 = 0; while i <= n { i = i + 1; }"));
        assert!(!is_finite("var i: i32 = 0; while i < n { i = i + 3; }"));
        assert!(!is_finite("var i: i32 = 0; while i != n { i = i + 1; }"));
        assert!(!is_finite("loop { if v[0] > 3 { break; } }"));
    }

    #[test]
    fn a_round_that_may_pass_by_the_counter_proves_nothing() {
        assert!(!is_finite("var i: i32 = 0; while i < n { if v[i] > 0 { continue; } i = i + 1; }"));
        assert!(!is_finite("var i: i32 = 0; while i < n { if v[i] > 0 { i = i + 1; } }"));
        assert!(!is_finite("var i: i32 = 0; while i < n { i = i + 1; if v[i] == 3 { i = 0; } }"));
        assert!(is_finite("var i: i32 = 0; while i < n { if v[i] > 0 { continue; } } continuing { i = i + 1; }"));
    }

    #[test]
    fn what_is_loaded_before_the_loop_does_not_grow() {
        assert!(!is_finite("var i: i32 = 0; let x = i; while i < n { i = x + 1; }"));
    }

    #[test]
    fn rounds_are_counted() {
        let most = |body: &str| rounds(body)[0].unwrap_or(u64::MAX);
        assert!((10..=12).contains(&most("var i: i32 = 0; while i < 10 { i = i + 1; }")));
        assert!((4..=6).contains(&most("var i: i32 = 0; while i < 16 { i = i + 4; }")));
        assert!((8..=33).contains(&most("var i: i32 = 1; while i < 256 { i = i * 2; }")));
    }
}
