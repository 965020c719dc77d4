//! Multiplies by an estimate of a reciprocal root instead of dividing by a root. Only if the launch
//! allows it: results differ from the interpreter's, by at most 2 units in the last place. Functions
//! of `precise_math` keep their quotients.
//!
//! On vectors of 512 bits a root and a quotient keep one unit busy while the estimate and a step of
//! Newton's are pipelined: an n-body kernel took 9.9 ms in place of 11.1 on an AMD processor. On
//! shorter vectors the pass is left out; there the step that a shorter estimate needs, and care for
//! denormal numbers, were counted to take as long as the division.

use smallvec::smallvec;
use tilewise_ir::ops::{DivisionOp, Op, OpFamily};
use tilewise_ir::types::Scalar;

use super::program::{LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node};
use crate::hash::HashMap;

/// Replaces quotients by roots in a program; returns whether there were any.
pub fn estimate(program: &mut LaneProgram) -> bool {
    let mut body = std::mem::take(&mut program.body);
    let mut types = std::mem::take(&mut program.types);
    let mut pass =
        Estimator { roots: HashMap::default(), ones: HashMap::default(), types: &mut types, found: false, program };
    pass.block(&mut body);
    let found = pass.found;
    (program.body, program.types) = (body, types);
    found
}

struct Estimator<'p> {
    /// The arguments of roots.
    roots: HashMap<LaneValue, LaneValue>,
    /// Scalars, and lanes of one scalar: are they the number one?
    ones: HashMap<LaneValue, bool>,
    types: &'p mut Vec<LaneType>,
    found: bool,
    /// Without its code and types.
    program: &'p LaneProgram,
}

impl Estimator<'_> {
    fn block(&mut self, block: &mut LaneBlock) {
        let mut nodes = Vec::with_capacity(block.nodes.len());
        for mut node in std::mem::take(&mut block.nodes) {
            match &mut node {
                Node::Let { value, inst, pos } => {
                    self.note(*value, inst);
                    if !self.program.is_precise_at(*pos)
                        && let Some((dividend, root)) = self.quotient(*value, inst)
                    {
                        self.found = true;
                        if self.ones.get(&dividend) == Some(&true) {
                            *inst = LaneInst::ReciprocalRoot(root);
                        } else {
                            let reciprocal = LaneValue(self.types.len() as u32);
                            self.types.push(self.types[value.index()]);
                            let made = LaneInst::ReciprocalRoot(root);
                            nodes.push(Node::Let { value: reciprocal, inst: made, pos: *pos });
                            let args = smallvec![dividend, reciprocal];
                            *inst = LaneInst::Op { op: Op::Mul, scalar: Scalar::F32, args };
                        }
                    }
                }
                Node::If { then, otherwise, .. } => {
                    self.block(then);
                    self.block(otherwise);
                }
                Node::Loop { body, .. } => self.block(body),
                Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
            nodes.push(node);
        }
        block.nodes = nodes;
    }

    /// Remembers roots and ones.
    fn note(&mut self, value: LaneValue, inst: &LaneInst) {
        if let LaneInst::Const(bits) = inst {
            self.ones.insert(value, *bits == u64::from(1.0f32.to_bits()));
        } else if let LaneInst::Splat(scalar) = inst {
            let one = self.ones.get(scalar).copied().unwrap_or(false);
            self.ones.insert(value, one);
        } else if let LaneInst::Op { op: Op::Sqrt, scalar: Scalar::F32, args } = inst {
            self.roots.insert(value, args[0]);
        }
    }

    /// The dividend and the argument of the root, if it is a quotient of lanes by a root.
    fn quotient(&self, value: LaneValue, inst: &LaneInst) -> Option<(LaneValue, LaneValue)> {
        let LaneInst::Op { op, scalar: Scalar::F32, args } = inst else { return None };
        let divides = op.family() == OpFamily::Division(DivisionOp::Div) && self.types[value.index()].is_lanes();
        let &root = self.roots.get(args.get(1)?)?;
        divides.then_some((args[0], root))
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use crate::lanes::{OptimiseGoals, VectorMachine};
    use crate::vectorize::{CodeKey, vectorize};

    fn program(machine: VectorMachine, relaxed: bool, expression: &str) -> String {
        let text = format!("kernel k(a: view<f32, 1, read_write>) rank(1) {{ a[global[0]] = {expression}; }}");
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let key = CodeKey { goals: OptimiseGoals { machine, relaxed, longer: false }, ..CodeKey::apart(16, 1) };
        vectorize(&kernel, &key).unwrap_or_else(|why| panic!("{}", why.0)).to_string()
    }

    #[test]
    fn quotients_by_roots_become_products_where_the_launch_allows_it() {
        let counts =
            |text: String| ["reciprocal_root", "sqrt", "div.f32", "mul.f32"].map(|name| text.matches(name).count());
        let (reciprocal, quotient) = ("1.0 / sqrt(a[global[0]])", "(a[global[0]] + 2.0) / sqrt(a[global[0]])");
        let wide = VectorMachine::BITS_512;
        // Each access is in the program twice: with a mask, and without.
        let [without, with] = [false, true].map(|relaxed| counts(program(wide, relaxed, reciprocal)));
        assert!(without[0] == 0 && without[1] > 0 && without[1] == without[2], "{without:?}");
        assert!(with[0] == without[1] && with[1..] == [0, 0, 0], "{with:?}");
        let with = counts(program(wide, true, quotient));
        assert!(with[0] > 0 && with == [with[0], 0, 0, with[0]], "{with:?}");
        for machine in [VectorMachine::BITS_128, VectorMachine::BITS_256] {
            assert_eq!(counts(program(machine, true, reciprocal)), without, "{machine:?}");
        }
    }
}
