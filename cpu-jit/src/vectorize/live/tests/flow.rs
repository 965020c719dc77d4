//! The same sets by another way: the tree is turned into a graph of single steps, whose liveness is iterated until nothing changes. Held against the
//! walk on kernels made at random.

use std::collections::HashMap;
use std::fmt::Write;

use tilewise_ir::kernel::{Block, Construct, Inst, InstId, Jump, Kernel, LabelId, Place};

use super::super::{BitSet, Live, Locals};
use crate::vectorize::samples::checked;

#[derive(Clone)]
struct Step {
    reads: Vec<usize>,
    writes: Vec<usize>,
    next: Vec<usize>,
}

struct Flow<'k> {
    kernel: &'k Kernel,
    locals: &'k Locals,
    steps: Vec<Step>,
    /// Where `break` and `continue` to a label lead.
    labels: HashMap<LabelId, (usize, usize)>,
    /// For each construct: the step behind it, the head if it is a loop, and where jumps out of it lead.
    constructs: HashMap<InstId, (usize, Option<usize>, Vec<usize>)>,
    /// The open constructs with the labels that are inside them.
    open: Vec<(InstId, Vec<LabelId>)>,
}

impl Flow<'_> {
    /// A step that reads and writes parts.
    fn access(&mut self, next: usize, reads: Vec<usize>, writes: Vec<usize>) -> usize {
        let step = self.step(vec![next]);
        (self.steps[step].reads, self.steps[step].writes) = (reads, writes);
        step
    }

    fn step(&mut self, next: Vec<usize>) -> usize {
        self.steps.push(Step { reads: Vec::new(), writes: Vec::new(), next });
        self.steps.len() - 1
    }

    fn parts(&self, place: &Place) -> Vec<usize> {
        self.locals.touched(self.kernel, place).map_or_else(Vec::new, |touched| touched.parts().collect())
    }

    fn jump(&mut self, label: LabelId, to: usize) -> usize {
        for (construct, inside) in &self.open {
            if !inside.contains(&label)
                && let Some(construct) = self.constructs.get_mut(construct)
            {
                construct.2.push(to);
            }
        }
        to
    }

    /// The step where the block begins, if `next` comes behind it.
    fn block(&mut self, block: &Block, next: usize) -> usize {
        let mut next = next;
        for inst in block.insts.iter().rev() {
            let is_construct = inst.kind.is_structured();
            if is_construct {
                self.constructs.insert(inst.id, (next, None, Vec::new()));
                self.open.push((inst.id, Vec::new()));
            }
            next = match (inst.kind.construct(), inst.kind.jump()) {
                (Some(construct), _) => self.construct(inst, construct, next),
                (None, Some(Jump::Break { label, .. })) => self.jump(label, self.labels[&label].0),
                (None, Some(Jump::Continue { label })) => self.jump(label, self.labels[&label].1),
                (None, Some(Jump::Return(_))) => self.step(Vec::new()),
                (None, None) => self.leaf(inst, next),
            };
            if is_construct {
                self.open.pop();
            }
        }
        next
    }

    fn construct(&mut self, inst: &Inst, construct: Construct<'_>, next: usize) -> usize {
        match construct {
            Construct::If { .. } | Construct::Switch { .. } => {
                let mut arms = Vec::new();
                inst.kind.each_block(&mut |block| arms.push(self.block(block, next)));
                self.step(arms)
            }
            Construct::Scope { label, body } => {
                self.enter(label, next, next);
                self.block(body, next)
            }
            Construct::Loop { label, condition, body, continuing } => {
                let head = self.step(Vec::new());
                let mut ways = vec![head];
                ways.extend(continuing.value.map(|_| next));
                let end = self.step(ways);
                self.enter(label, next, end);
                let goes_on = self.block(continuing, end);
                self.enter(label, next, goes_on);
                let mut begin = self.block(body, goes_on);
                if let Some(condition) = condition {
                    begin = self.step(vec![begin, next]);
                    begin = self.block(condition, begin);
                }
                self.steps[head].next.push(begin);
                if let Some(construct) = self.constructs.get_mut(&inst.id) {
                    construct.1 = Some(head);
                }
                head
            }
        }
    }

    fn leaf(&mut self, inst: &Inst, next: usize) -> usize {
        let mut writes: Vec<usize> = inst.kind.declared().map_or_else(Vec::new, |l| self.locals.parts(l).collect());
        // A component at a computed index is written without ending the life of the others.
        let computed = |place: &Place| matches!(place.path.last(), Some(tilewise_ir::kernel::Step::Index(_)));
        let copies = inst.kind.read_place().is_some();
        if let Some(place) = inst.kind.written_place().filter(|place| copies || !computed(place)) {
            writes.extend(self.parts(place));
        }
        let reads = inst.kind.read_place().map_or_else(Vec::new, |place| self.parts(place));
        self.access(next, reads, writes)
    }

    fn enter(&mut self, label: LabelId, broken: usize, continued: usize) {
        self.labels.insert(label, (broken, continued));
        self.open.iter_mut().for_each(|(_, inside)| inside.push(label));
    }

    /// What is live before each step.
    fn live(&self) -> Vec<BitSet> {
        let mut sets = vec![BitSet::new(self.locals.count()); self.steps.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (i, step) in self.steps.iter().enumerate() {
                let mut now = BitSet::new(self.locals.count());
                step.next.iter().for_each(|&next| {
                    now.join(&sets[next]);
                });
                step.writes.iter().for_each(|&part| now.remove(part));
                step.reads.iter().for_each(|&part| {
                    now.insert(part);
                });
                changed |= sets[i].join(&now);
            }
        }
        sets
    }
}

/// Kernels out of a simple generator of pseudo-random numbers.
struct Maker {
    state: u64,
    text: String,
    /// Labels around, and whether they are loops'.
    labels: Vec<(u32, bool)>,
    fresh: u32,
}

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) % n
    }

    fn variable(&mut self) -> &'static str {
        ["a", "b", "c", "v.x", "v.y", "v[i]"][self.below(6) as usize]
    }

    fn statement(&mut self, depth: u32) {
        let (to, from) = (self.variable(), self.variable());
        self.fresh += 1;
        let label = self.fresh;
        let _ = match self.below(if depth == 0 { 4 } else { 12 }) {
            0 => write!(self.text, "{to} = data[i];"),
            1 => write!(self.text, "out[i] = {from};"),
            2 => write!(self.text, "copy(p, q);"),
            3 => write!(self.text, "{to} = {from} + 1;"),
            4 | 5 => {
                let _ = write!(self.text, "if {from} == 3 {{");
                self.statements(depth - 1);
                self.leave();
                let _ = write!(self.text, "}} else {{");
                self.statements(depth - 1);
                write!(self.text, "}}")
            }
            6 | 7 => {
                let _ = write!(self.text, "'l{label}: while {from} < 3 {{");
                self.labels.push((label, true));
                self.statements(depth - 1);
                self.labels.pop();
                let _ = write!(self.text, "}} continuing {{");
                self.statements(depth.min(2) - 1);
                write!(self.text, "}}")
            }
            8 => {
                let _ = write!(self.text, "'l{label}: loop {{");
                self.labels.push((label, true));
                self.statements(depth - 1);
                self.labels.pop();
                let _ = write!(self.text, "}} continuing {{");
                self.statements(0);
                write!(self.text, "break if {from} > 9 }}")
            }
            9 => {
                let _ = write!(self.text, "'l{label}: {{");
                self.labels.push((label, false));
                self.statements(depth - 1);
                self.labels.pop();
                write!(self.text, "}}")
            }
            10 => {
                let _ = write!(self.text, "switch {from} {{ case 1: {{");
                self.statements(depth - 1);
                self.leave();
                let _ = write!(self.text, "}} default: {{");
                self.statements(depth - 1);
                write!(self.text, "}} }}")
            }
            _ => write!(self.text, "{to} = p.n; q.n = {from};"),
        };
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..1 + self.below(3) {
            self.statement(depth);
        }
    }

    fn leave(&mut self) {
        let which = self.below(4) as usize;
        let far = self.below(self.labels.len() as u64 + 1) as usize;
        let _ = match (which, self.labels.get(far).copied()) {
            (0 | 1, Some((label, true))) => write!(self.text, "continue 'l{label};"),
            (0..=2, Some((label, _))) => write!(self.text, "break 'l{label};"),
            (3, _) if far == 0 => write!(self.text, "return;"),
            _ => Ok(()),
        };
    }
}

#[test]
fn the_walk_finds_what_a_graph_of_single_steps_finds() {
    let (mut constructs, mut jumps) = (0, 0);
    for seed in 0..400 {
        let text = "var a: i32 = 0; var b: i32 = 1; var c: i32 = 2; var v: i32x3 = i32x3(1, 2, 3); var p: P = zero; var q: P = zero;";
        let mut maker = Maker { state: seed, text: text.to_owned(), labels: Vec::new(), fresh: 0 };
        (0..4).for_each(|_| maker.statement(4));
        maker.text += "out[0] = a + v.z + p.n;";
        let checked = checked(&maker.text);
        let kernel = checked.inlined();
        let locals = Locals::of(kernel, checked.facts());
        let live = Live::of(kernel, &locals);
        let mut flow = Flow {
            kernel,
            locals: &locals,
            steps: Vec::new(),
            labels: HashMap::new(),
            constructs: HashMap::new(),
            open: Vec::new(),
        };
        let end = flow.step(Vec::new());
        flow.block(kernel.entry().body(), end);
        let sets = flow.live();
        for (&construct, (behind, head, ways)) in &flow.constructs {
            assert_eq!(live.after(construct), &sets[*behind], "after {construct:?}: {}", maker.text);
            let mut leaving = sets[*behind].clone();
            ways.iter().for_each(|&way| {
                leaving.join(&sets[way]);
            });
            assert_eq!(live.leaving(construct), &leaving, "leaving {construct:?}: {}", maker.text);
            if let Some(head) = head {
                assert_eq!(live.head(construct), &sets[*head], "head {construct:?}: {}", maker.text);
            }
            constructs += 1;
            jumps += ways.len();
        }
    }
    assert!(constructs > 2000 && jumps > 300, "{constructs} constructs, {jumps} jumps");
}
