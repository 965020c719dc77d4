//! Loops whose rounds are known: where a round differs from the others it is written by itself.
//!
//! A strip loop asks in each round which of its lanes are below some limit. If the limit is a constant, all rounds before it have all lanes set, all behind
//! it none, and one round at most has some. So the loop is written in up to three parts, in each of which the masks and conditions are constants: full vectors
//! without a mask, one round with a constant mask, and what is left, often nothing. A loop of one round is no loop.
//!
//! For this the whole program is written once more by a [`Builder`], which folds what has become constant. Beside constants, ranges of the counters are
//! known, and so are those of sums with them: they decide comparisons.

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::build::Builder;
use super::program::{Block, Effect, Elem, Inst, Node, Program, Value};
use super::walk::{effect_operands_mut, operands_mut};
use crate::hash::{HashMap, HashSet};

/// Nodes that a loop written in parts may come to.
const MOST: usize = 600;

/// Writes loops in parts where that makes masks or conditions constant.
pub fn split(program: &mut Program) {
    let mut again =
        Again { program, b: Builder::new(program.width), values: HashMap::default(), ranges: HashMap::default() };
    again.values.extend(program.given.iter().copied().zip(again.b.given()));
    again.nodes(&program.body.nodes);
    let b = again.b;
    let new = b.finish(program.name.clone(), program.arena);
    (program.types, program.inputs, program.given, program.body) = (new.types, new.inputs, new.given, new.body);
}

/// Writes a program once more.
struct Again<'p> {
    program: &'p Program,
    b: Builder,
    /// What has become of its values.
    values: HashMap<Value, Value>,
    /// Of new integer scalars, seen as signed: the least and the greatest that they can be.
    ranges: HashMap<Value, (i64, i64)>,
}

/// A loop whose rounds are known.
struct Counted {
    /// Which parameter counts.
    param: usize,
    first: i64,
    step: i64,
    /// The counter stays below this: the first number that it does not reach.
    end: i64,
}

impl Again<'_> {
    fn get(&self, value: Value) -> Value {
        self.values[&value]
    }

    fn all(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|&value| self.get(value)).collect()
    }

    fn nodes(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.node(node));
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Let { value, inst, pos } => {
                self.b.at(*pos);
                let new = self.inst(*value, inst);
                self.values.insert(*value, new);
            }
            Node::Do { effect, pos } => {
                self.b.at(*pos);
                let mut effect = effect.clone();
                effect_operands_mut(&mut effect, &mut |value| *value = self.values[value]);
                if let Effect::Store { mask, .. } | Effect::Copy { mask, .. } = &mut effect {
                    match mask.and_then(|mask| self.known_mask(mask)) {
                        Some(true) => *mask = None,
                        Some(false) => return,
                        None => {}
                    }
                }
                self.b.effect(effect);
            }
            Node::If { condition, then, otherwise, results, likely } => {
                let condition = self.get(*condition);
                if let Some(bits) = self.b.constant_of(condition) {
                    let arm = if bits != 0 { then } else { otherwise };
                    self.nodes(&arm.nodes);
                    for (&result, &value) in results.iter().zip(&arm.results) {
                        self.values.insert(result, self.get(value));
                    }
                    return;
                }
                let arms = [then, otherwise].map(|arm| {
                    self.b.open_arm();
                    self.nodes(&arm.nodes);
                    let given = self.all(&arm.results);
                    self.b.close(given)
                });
                let [then, otherwise] = arms;
                let new = self.b.if_else(condition, then, otherwise, *likely);
                self.values.extend(results.iter().copied().zip(new));
            }
            Node::Loop { params, init, body, again, results } => {
                let init = self.all(init);
                let last = match self.counted(params, &init, body, *again) {
                    Some(counted) => self.parts(&counted, params, init, body),
                    None => self.repeat(params, init, body, *again, None),
                };
                self.values.extend(results.iter().copied().zip(last));
            }
            Node::Exit { condition, status } => {
                let condition = self.get(*condition);
                if self.b.constant_of(condition) != Some(0) {
                    self.b.exit(condition, *status);
                }
            }
            Node::Poll => self.b.poll(),
        }
    }

    fn inst(&mut self, old: Value, inst: &Inst) -> Value {
        let ty = self.program.ty(old);
        let mut inst = inst.clone();
        operands_mut(&mut inst, &mut |value| *value = self.values[value]);
        match inst {
            Inst::Const(bits) => self.b.constant(ty.elem(), bits),
            Inst::Input(word) => self.b.input(self.program.inputs[word as usize]),
            Inst::Splat(value) => self.b.lanes(value),
            Inst::Op { op, scalar, args } => {
                if let Some(truth) = self.compared(op, scalar, &args) {
                    return self.b.truth(truth);
                }
                let new = match (op, args.as_slice()) {
                    (Op::Select, &[condition, yes, no]) => self.b.select(condition, yes, no),
                    (Op::Not, &[a]) if scalar == Scalar::Bool => self.b.not(a),
                    _ => self.b.op(op, scalar, &args),
                };
                if let Some(range) = self.range_of(op, scalar, &args)
                    && self.b.constant_of(new).is_none()
                {
                    self.ranges.insert(new, range);
                }
                new
            }
            Inst::Select { mask, yes, no } => self.b.select(mask, yes, no),
            Inst::FirstLanes(count) => match self.range(count) {
                Some((least, _)) if least >= i64::from(self.program.width) => self.mask(true),
                Some((_, greatest)) if greatest <= 0 => self.mask(false),
                _ => self.b.first_lanes(count),
            },
            Inst::Any(mask) => self.b.any(mask),
            Inst::All(mask) => self.b.all(mask),
            Inst::Load { at, mask } => {
                let mask = mask.filter(|&mask| self.known_mask(mask) != Some(true));
                self.b.here(Inst::Load { at, mask }, ty)
            }
            Inst::Atomic { .. } | Inst::CompareExchange { .. } => self.b.here(inst, ty),
            Inst::Arena(_) | Inst::Lane | Inst::Whole { .. } | Inst::LowestLane { .. } => self.b.pure(inst, ty),
        }
    }

    fn mask(&mut self, set: bool) -> Value {
        let set = self.b.truth(set);
        self.b.lanes(set)
    }

    /// Whether all lanes of a mask are set, or none, if it is one of these for certain.
    fn known_mask(&mut self, mask: Value) -> Option<bool> {
        let scalar = self.b.behind(mask)?;
        self.b.constant_of(scalar).map(|bits| bits != 0)
    }

    /// What an integer scalar can be, seen as signed.
    fn range(&self, value: Value) -> Option<(i64, i64)> {
        self.b.number_of(value).map(|n| (n, n)).or_else(|| self.ranges.get(&value).copied())
    }

    fn range_of(&self, op: Op, scalar: Scalar, args: &[Value]) -> Option<(i64, i64)> {
        if args.iter().any(|&arg| self.b.ty(arg).is_lanes()) {
            return None;
        }
        let narrow = (i64::from(i32::MIN), i64::from(i32::MAX));
        let most = match scalar {
            Scalar::I32 | Scalar::U32 => narrow,
            Scalar::I64 | Scalar::U64 => (i64::MIN, i64::MAX),
            Scalar::Bool | Scalar::F32 | Scalar::F64 => return None,
        };
        let (least, greatest) = self.range(*args.first()?)?;
        let other = args.get(1).and_then(|&arg| self.range(arg));
        let (range, most) = match (op, other) {
            (Op::Add, Some((low, high))) => ((least.checked_add(low)?, greatest.checked_add(high)?), most),
            (Op::Sub, Some((low, high))) => ((least.checked_sub(high)?, greatest.checked_sub(low)?), most),
            (Op::Mul, Some((n, same))) if n == same && n >= 0 => {
                ((least.checked_mul(n)?, greatest.checked_mul(n)?), most)
            }
            (Op::ToI32, None) => ((least, greatest), narrow),
            (Op::ToU32, None) if least >= 0 => ((least, greatest), narrow),
            (Op::ToI64, None) if matches!(scalar, Scalar::I32 | Scalar::I64) => ((least, greatest), most),
            (Op::ToI64 | Op::ToU64, None) if least >= 0 => ((least, greatest), most),
            _ => return None,
        };
        (most.0 <= range.0 && range.1 <= most.1).then_some(range)
    }

    /// What a comparison gives, if ranges decide it.
    fn compared(&self, op: Op, scalar: Scalar, args: &[Value]) -> Option<bool> {
        let &[a, b] = args else { return None };
        let signed = match scalar {
            Scalar::I32 | Scalar::I64 => true,
            Scalar::U32 | Scalar::U64 => false,
            Scalar::Bool | Scalar::F32 | Scalar::F64 => return None,
        };
        if self.b.ty(a).is_lanes() || self.b.ty(b).is_lanes() {
            return None;
        }
        let (a, b) = (self.range(a)?, self.range(b)?);
        if !signed && (a.0 < 0 || b.0 < 0) {
            return None;
        }
        let less = |a: (i64, i64), b: (i64, i64)| match () {
            () if a.1 < b.0 => Some(true),
            () if a.0 >= b.1 => Some(false),
            () => None,
        };
        match op {
            Op::Lt => less(a, b),
            Op::Gt => less(b, a),
            Op::Ge => less(a, b).map(|less| !less),
            Op::Le => less(b, a).map(|less| !less),
            _ => None,
        }
    }

    /// The rounds of a loop, if constants say which they are.
    fn counted(&mut self, params: &[Value], init: &[Value], body: &Block, again: Value) -> Option<Counted> {
        let find = |value: Value| {
            body.nodes.iter().find_map(|node| match node {
                Node::Let { value: found, inst, .. } if *found == value => Some(inst),
                _ => None,
            })
        };
        let Inst::Op { op: Op::Lt, scalar: Scalar::I64, args } = find(again)? else { return None };
        let &[next, bound] = args.as_slice() else { return None };
        let bound = self.b.number_of(*self.values.get(&bound)?)?;
        let Inst::Op { op: Op::Add, scalar: Scalar::I64, args } = find(next)? else { return None };
        let param = params.iter().position(|param| args.first() == Some(param))?;
        let step = self.b.number_of(*self.values.get(args.get(1)?)?)?;
        let first = self.b.number_of(init[param])?;
        // Far from where anything wraps.
        let small = |n: i64| n.unsigned_abs() < 1 << 32;
        if body.results.get(param) != Some(&next) || step <= 0 || !small(step) || !small(first) || !small(bound) {
            return None;
        }
        let rounds = (bound - first + step - 1).div_euclid(step).max(1);
        Some(Counted { param, first, step, end: first + rounds * step })
    }

    /// Writes a loop of known rounds; gives what its results are.
    fn parts(&mut self, counted: &Counted, params: &[Value], init: Vec<Value>, body: &Block) -> Vec<Value> {
        let Counted { first, step, end, .. } = *counted;
        let mut cuts = HashSet::default();
        self.cuts(counted, params[counted.param], body, &mut cuts);
        let size = size(body);
        // More than a few cuts are for nothing that strips do.
        if cuts.len() > 4 || size * (cuts.len() + 1) > MOST {
            cuts.clear();
        }
        let mut cuts: Vec<i64> = cuts.into_iter().chain([end]).collect();
        cuts.sort_unstable();
        let mut from = first;
        let mut now = init;
        for to in cuts {
            now[counted.param] = self.b.number(from);
            now = if from + step == to {
                self.values.extend(params.iter().copied().zip(now));
                self.nodes(&body.nodes);
                self.all(&body.results)
            } else {
                self.repeat(params, now, body, params[counted.param], Some((counted, from, to)))
            };
            from = to;
        }
        now
    }

    /// Where masks of the first lanes change from full to not, and from some to none.
    fn cuts(&mut self, counted: &Counted, counter: Value, body: &Block, cuts: &mut HashSet<i64>) {
        let Counted { first, step, end, .. } = *counted;
        for node in &body.nodes {
            let Node::Let { inst: Inst::FirstLanes(count), .. } = node else { continue };
            let made = body.nodes.iter().find_map(|node| match node {
                Node::Let { value, inst: Inst::Op { op: Op::Sub, scalar: Scalar::I64, args }, .. }
                    if value == count && args[1] == counter =>
                {
                    Some(args[0])
                }
                _ => None,
            });
            let limit = made.and_then(|limit| self.b.number_of(*self.values.get(&limit)?));
            let Some(limit) = limit.filter(|limit| limit.unsigned_abs() < 1 << 32) else { continue };
            // Full as long as the counter is at most the limit less the lanes.
            let full = first + (limit - i64::from(self.program.width) - first).div_euclid(step) * step + step;
            let none = first + (limit - first + step - 1).div_euclid(step) * step;
            cuts.extend([full, none].into_iter().filter(|&cut| first < cut && cut < end));
        }
    }

    /// Writes a loop, or the part of it in which the counter goes from one number to another.
    fn repeat(
        &mut self,
        params: &[Value],
        init: Vec<Value>,
        body: &Block,
        again: Value,
        part: Option<(&Counted, i64, i64)>,
    ) -> Vec<Value> {
        let types: Vec<_> = params.iter().map(|&param| self.program.ty(param)).collect();
        let new = self.b.open_loop(&types);
        self.values.extend(params.iter().copied().zip(new.iter().copied()));
        for (i, (&param, result)) in params.iter().zip(&body.results).enumerate() {
            // It never changes.
            if param == *result {
                self.values.insert(param, init[i]);
            }
        }
        if let Some((counted, from, to)) = part {
            self.ranges.insert(new[counted.param], (from, to - counted.step));
        }
        self.nodes(&body.nodes);
        let next = self.all(&body.results);
        let again = match part {
            Some((counted, _, to)) => {
                // Not by ranges: this one is decided by none.
                let to = self.b.number(to);
                self.b.op(Op::Lt, Scalar::I64, &[next[counted.param], to])
            }
            None => self.get(again),
        };
        let body = self.b.close(next);
        if let Some((counted, _, to)) = part
            && let Some(results) = self.left(&body, &new, &init, counted.param, to)
        {
            return results;
        }
        let same: Vec<bool> =
            new.iter().zip(&body.results).zip(&init).map(|((new, next), init)| next == new || next == init).collect();
        let results = self.b.repeat(new, init.clone(), body, again);
        results.into_iter().zip(init).zip(same).map(|((result, init), same)| if same { init } else { result }).collect()
    }

    /// What a loop leaves that only counts.
    fn left(&mut self, body: &Block, params: &[Value], init: &[Value], counter: usize, to: i64) -> Option<Vec<Value>> {
        let mut inside: HashSet<Value> = params.iter().copied().collect();
        for node in &body.nodes {
            match node {
                Node::Let { inst: Inst::Atomic { .. } | Inst::CompareExchange { .. }, .. } => return None,
                Node::Let { value, .. } => _ = inside.insert(*value),
                _ => return None,
            }
        }
        let mut results = Vec::new();
        for (i, &result) in body.results.iter().enumerate() {
            results.push(match () {
                () if i == counter => self.b.constant(Elem::I64, to as u64),
                () if result == params[i] => init[i],
                () if !inside.contains(&result) => result,
                () => return None,
            });
        }
        Some(results)
    }
}

fn size(block: &Block) -> usize {
    let of = |node: &Node| match node {
        Node::If { then, otherwise, .. } => 1 + size(then) + size(otherwise),
        Node::Loop { body, .. } => 1 + size(body),
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => 1,
    };
    block.nodes.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use tilewise_ir::types::Stored;

    use super::super::program::{Address, Along, Arena, ArenaPart, Space, Ty};
    use super::*;

    /// A loop over 64 threads of which those below `limit` store their lane's number.
    fn strips(limit: i64) -> Program {
        let mut b = Builder::new(16);
        let (zero, step, end) = (b.number(0), b.number(16), b.number(64));
        let [limit, four] = [limit, 4].map(|n| b.number(n));
        let base = b.pure(Inst::Arena(ArenaPart::TileStatic), Ty::Scalar(Elem::I64));
        let value = b.pure(Inst::Lane, Ty::Lanes(Elem::I32));
        let counter = b.open_loop(&[Ty::Scalar(Elem::I64)])[0];
        let below = b.op(Op::Sub, Scalar::I64, &[limit, counter]);
        let mask = b.first_lanes(below);
        let any = b.any(mask);
        b.open_arm();
        let offset = b.op(Op::Mul, Scalar::I64, &[counter, four]);
        let space = Space::Arena(ArenaPart::TileStatic);
        let (along, stored) = (Along::Step(4), Stored::I32);
        let at = Address { space, base, offset: Some(offset), displacement: 0, along, stored };
        b.effect(Effect::Store { at, value, mask: Some(mask) });
        let then = b.close(Vec::new());
        b.if_else(any, then, Block::default(), super::super::program::Likely::Either);
        let next = b.op(Op::Add, Scalar::I64, &[counter, step]);
        let again = b.op(Op::Lt, Scalar::I64, &[next, end]);
        let body = b.close(vec![next]);
        b.repeat(vec![counter], vec![zero], body, again);
        let mut program = b.finish("strips".into(), Arena { tile_static: 256, ..Arena::default() });
        split(&mut program);
        super::super::remove_dead(&mut program);
        assert_eq!(super::super::verify(&program), Ok(()), "{program}");
        program
    }

    #[test]
    fn only_the_round_in_which_a_mask_ends_has_a_mask() {
        for (limit, loops, stores, masks) in
            [(64, 1, 1, 0), (32, 1, 1, 0), (40, 1, 2, 1), (16, 0, 1, 0), (5, 0, 1, 1), (0, 0, 0, 0), (99, 1, 1, 0)]
        {
            let text = strips(limit).to_string();
            let count = |what: &str| text.matches(what).count();
            let found = (count("loop"), count("store"), count("where"), count("  if "));
            assert_eq!(found, (loops, stores, masks, 0), "{limit}\n{text}");
        }
    }
}
