//! Register promotion of tile memory.
//!
//! A tree of sums or a scan in `tile_static` memory has a known number of strips and rounds, and
//! each access is at a known place. Written without any loop, such a tile needs no memory: a load
//! yields the values that were stored last, put together from two neighbouring vectors
//! ([`Slide`](LaneInst::Slide)) where it begins between them; a store under a mask selects between
//! the new and the old value. What remains are the loads and stores of the launch's memory.
//!
//! The body of the loop over tiles becomes
//!
//! ```text
//! if all accesses of this tile are in bounds (likely) { the tile in registers }
//! else { the tile as it was }
//! ```
//!
//! It happens only if no load of `tile_static` memory, or of values kept between barriers, is left:
//! then their stores are dead, as nothing of a tile survives it. The code is long, so this pass runs
//! for code that is compiled beside a running launch ([`CodeKey::promote`]).
//!
//! [`demand_order`] then writes each computation just before its first use, so that a tree keeps
//! as few values as it has levels, not as many as it has leaves.
//!
//! [`CodeKey::promote`]: crate::vectorize::CodeKey::promote

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::memory::HeldValue;
use super::{CountedLoop, Rewriter};
use crate::hash::{HashMap, HashSet};
use crate::lanes::classes::LaneInstClass;
use crate::lanes::program::{
    AddressStep, ArenaPart, Args, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue,
    Likely, MemorySpace, Node,
};
use crate::lanes::sum::Sum;
use crate::lanes::walk::{access, effect_operands, operands};
use crate::sorted::SortedMap;

/// Maximum number of nodes of a tile without loops.
const LONGEST_TILE: usize = 3000;

/// The parts of the worker's memory whose contents end with the tile.
const PARTS: [ArenaPart; 2] = [ArenaPart::TileStatic, ArenaPart::Context];

/// An operation on scalars.
pub(super) type ScalarOp = (Op, Scalar, Args);

/// A tile that is being written without loops.
pub(super) struct Promotion {
    /// The number of frames around it: values available there need no code of the tile.
    outside: usize,
    /// Conditions that it assumes.
    assumed: Vec<LaneValue>,
    /// Further conditions: 64-bit indices, each of which plus a number is below a limit.
    below: SortedMap<(LaneValue, LaneValue), i64>,
    /// Under these conditions, for 64-bit indices: another index and the constant between them.
    near: HashMap<LaneValue, (LaneValue, i64)>,
    /// Is a loop left in it? It would be one that no longer polls.
    pub(super) has_loop: bool,
}

/// Keeps the tile memory of a program in registers; returns whether it could.
pub fn promote(program: &mut LaneProgram) -> bool {
    if program.arena.tile_static == 0 {
        return false;
    }
    let mut constants = HashMap::default();
    crate::lanes::dead::numbers(&program.body, program, &mut constants);
    let mut again = Rewriter::new(program, None);
    again.scalar_ops = Some(HashMap::default());
    again.values.extend(program.given.iter().copied().zip(again.b.given()));
    let mut promoted = false;
    for node in &program.body.nodes {
        promoted |= again.tile_loop(node, &constants);
    }
    if !promoted {
        return false;
    }
    let body = again.b.close(Vec::new());
    let mut b = again.b;
    b.reopen(body);
    let new = b.finish(program.name.clone(), program.arena);
    (program.types, program.inputs, program.given, program.body) = (new.types, new.inputs, new.given, new.body);
    program.promoted = true;
    true
}

impl<'p> Rewriter<'p> {
    /// Writes a node of the program's top level; returns whether it was a loop over tiles that need
    /// no memory.
    fn tile_loop(&mut self, node: &'p Node, constants: &HashMap<LaneValue, i64>) -> bool {
        let Node::Loop { params, init, body, again, results } = node else {
            self.node(node);
            return false;
        };
        if !accesses(body, ArenaPart::TileStatic) || unrolled_size(body, constants).is_none_or(|n| n > LONGEST_TILE) {
            self.node(node);
            return false;
        }
        let before = self.b.mark();
        self.held.clear();
        let init = self.all(init);
        let types: Vec<_> = params.iter().map(|&param| self.program.ty(param)).collect();
        let new = self.b.open_loop(&types);
        self.values.extend(params.iter().copied().zip(new.iter().copied()));
        let Some((tile, assumed)) = self.promoted(body, *again) else {
            self.back_to(&before);
            self.node(node);
            return false;
        };
        let last = if assumed.is_empty() {
            let (nodes, results) = demand_order(tile, self.program).into_parts();
            self.b.splice(nodes);
            results
        } else {
            let all = assumed[1..].iter().fold(assumed[0], |all, &condition| self.b.and(all, condition));
            self.held.clear();
            self.b.open_arm();
            self.nodes(&body.nodes);
            self.held.clear();
            let given = self.handed_on(body, *again);
            let slow = self.b.close(given);
            let tile = demand_order(tile, self.program);
            self.b.if_else(all, tile, slow, Likely::Then)
        };
        let (again, next) = last.split_last().expect("`again` is the last result");
        let written = self.b.close(next.to_vec());
        let last = self.b.repeat(new, init, written, *again);
        self.values.extend(results.iter().copied().zip(last));
        true
    }

    /// What one round of the loop over tiles yields: the next values of its parameters, and whether
    /// it goes on.
    fn handed_on(&self, body: &LaneBlock, again: LaneValue) -> Vec<LaneValue> {
        body.results.iter().chain([&again]).map(|&value| self.get(value)).collect()
    }

    /// Writes a tile without loops and without memory of its own, and the conditions under which it
    /// is right. `None` if it needs that memory.
    fn promoted(&mut self, body: &'p LaneBlock, again: LaneValue) -> Option<(LaneBlock, Vec<LaneValue>)> {
        let outside = self.b.levels();
        // What depends on nothing in it goes before it, as it does before loops.
        self.b.open_loop(&[]);
        self.promotion = Some(Promotion {
            outside,
            assumed: Vec::new(),
            below: SortedMap::new(),
            near: HashMap::default(),
            has_loop: false,
        });
        let short = std::mem::replace(&mut self.short, true);
        self.nodes(&body.nodes);
        self.short = short;
        self.held.clear();
        let Promotion { mut assumed, below, has_loop, .. } = self.promotion.take()?;
        let given = self.handed_on(body, again);
        let mut tile = self.b.close(given);
        if has_loop || PARTS.into_iter().any(|part| reads(&tile, part)) {
            return None;
        }
        remove_stores(&mut tile);
        for ((index, limit), by) in below {
            let by = self.b.number(by);
            let last = self.b.op(Op::Add, Scalar::I64, &[index, by]);
            assumed.push(self.b.op(Op::Lt, Scalar::I64, &[last, limit]));
        }
        Some((tile, assumed))
    }

    /// Assumes that a branch takes its usual arm, if the condition is known before the tile.
    pub(super) fn assume(&mut self, condition: LaneValue, likely: Likely) -> bool {
        let available = self.b.level_of(condition);
        let Some(promotion) = &self.promotion else { return false };
        if !likely.is_then() || available > promotion.outside {
            return false;
        }
        if self.assume_below(condition).is_none()
            && let Some(promotion) = &mut self.promotion
            && !promotion.assumed.contains(&condition)
        {
            promotion.assumed.push(condition);
        }
        true
    }

    /// Assumes a bound of an index that is a 32-bit sum: `u32(first + by) + more < limit`. From
    /// `u32(first) + by + more < limit`, which is below 2^32, it follows, and that the sum does not
    /// wrap: so one condition serves all sums with `first`, and their addresses differ by constants.
    fn assume_below(&mut self, condition: LaneValue) -> Option<()> {
        let made = |s: &Self, value: LaneValue, op: Op, scalar: Scalar| {
            let (made, of, args) = s.scalar_ops.as_ref()?.get(&value)?;
            ((*made, *of) == (op, scalar)).then(|| args.clone())
        };
        let constant = |s: &Self, value: LaneValue| s.b.number_of(value).filter(|by| (0..1 << 24).contains(by));
        let compared = made(self, condition, Op::Lt, Scalar::I64)?;
        let (last, limit) = (compared[0], compared[1]);
        made(self, limit, Op::ToI64, Scalar::U32)?;
        let (index, more) = match made(self, last, Op::Add, Scalar::I64) {
            Some(args) => (args[0], constant(self, args[1])?),
            None => (last, 0),
        };
        let narrow = made(self, index, Op::ToI64, Scalar::U32)?[0];
        let (first, by) = match made(self, narrow, Op::Add, Scalar::I32) {
            Some(args) => (args[0], constant(self, args[1])?),
            None => (narrow, 0),
        };
        let first = self.b.op(Op::ToI64, Scalar::U32, &[first]);
        let available = self.b.level_of(first);
        let promotion = self.promotion.as_mut().filter(|promotion| available <= promotion.outside)?;
        let most = promotion.below.or_default((first, limit));
        *most = fault::choose(Fault::PromotedBoundOfFirst, (*most).max(by + more), 0);
        if first != index {
            promotion.near.insert(index, (first, by));
        }
        Some(())
    }

    /// A sum by indices that serve several addresses.
    pub(super) fn of_near(&self, sum: Sum) -> Sum {
        let Some(promotion) = &self.promotion else { return sum };
        let constant = Sum::number(sum.constant);
        let together = sum.terms.iter().try_fold(constant, |all, &(value, times)| {
            let term = match promotion.near.get(&value) {
                Some(&(first, by)) => Sum { constant: by, ..Sum::of(first) },
                None => Sum::of(value),
            };
            all.plus(&term, times, sum.terms.len())
        });
        together.unwrap_or(sum)
    }

    /// Writes the iterations of a loop one after the other; returns its results.
    pub(super) fn unrolled(
        &mut self,
        counted: &CountedLoop,
        params: &[LaneValue],
        init: Vec<LaneValue>,
        body: &'p LaneBlock,
    ) -> Vec<LaneValue> {
        let elem = self.b.ty(init[counted.param]).elem();
        let (mut now, mut at) = (init, counted.first);
        while at < counted.end {
            self.values.extend(params.iter().copied().zip(now));
            self.nodes(&body.nodes);
            now = self.all(&body.results);
            at += counted.step;
            now[counted.param] = self.b.constant(elem, at as u64);
        }
        now
    }

    /// A load from vectors whose contents are known.
    pub(super) fn forwarded(&mut self, at: &LaneAddress, mask: Option<LaneValue>, ty: LaneType) -> Option<LaneValue> {
        let size = i64::from(at.stored.size());
        let value = match at.along {
            AddressStep::Step(step) if step == size => self.joined_vector(at, ty)?,
            AddressStep::Uniform => {
                let held = self.held_around(at)?;
                let lane = (at.displacement - held.at.displacement) / size;
                let lanes = match lane {
                    0 => held.value,
                    _ => self.slide(held.value, held.value, lane as u32),
                };
                let one = self.b.number(1);
                let mask = self.b.first_lanes(one);
                return Some(self.b.pure(LaneInst::LowestLane { lanes, mask }, ty));
            }
            AddressStep::Step(_) | AddressStep::Each(_) => return None,
        };
        let Some(mask) = mask else { return Some(value) };
        let zero = self.b.constant(ty.elem(), 0);
        let zero = self.b.lanes(zero);
        Some(self.b.select(mask, value, zero))
    }

    /// A vector at any place: a known one, or the ends of two.
    fn joined_vector(&mut self, at: &LaneAddress, ty: LaneType) -> Option<LaneValue> {
        let (size, width) = (i64::from(at.stored.size()), i64::from(self.program.width));
        let MemorySpace::Arena(part) = at.space else { return None };
        if let Some(value) = self.held_at(at, at.displacement) {
            return (self.b.ty(value) == ty).then_some(value);
        }
        let end = self.program.arena.size(part) as i64;
        // What lies outside of the part is arbitrary.
        let known_place = at.offset.is_none() && self.arena_base(part) == Some(at.base);
        let outside = |first: i64| known_place && (first + size * width <= 0 || first >= end);
        let (low, high, by) = (1..width).find_map(|by| {
            let first = at.displacement - by * size;
            let (low, high) = (self.held_at(at, first), self.held_at(at, first + size * width));
            match (low, high) {
                (Some(low), Some(high)) => Some((low, high, by)),
                (Some(low), None) if outside(first + size * width) => Some((low, low, by)),
                (None, Some(high)) if outside(first) => Some((high, high, by)),
                (None | Some(_), None | Some(_)) => None,
            }
        })?;
        let fits = self.b.ty(low) == ty && self.b.ty(high) == ty && ty != LaneType::MASK;
        let (low, high) = fault::choose(Fault::PromotedSlideBackwards, (low, high), (high, low));
        fits.then(|| self.slide(low, high, by as u32))
    }

    fn slide(&mut self, low: LaneValue, high: LaneValue, by: u32) -> LaneValue {
        let ty = self.b.ty(low);
        self.b.pure(LaneInst::Slide { low, high, by }, ty)
    }

    /// The known vector at a displacement in the memory of an address.
    fn held_at(&self, at: &LaneAddress, displacement: i64) -> Option<LaneValue> {
        let along = AddressStep::Step(at.stored.size().into());
        let there = LaneAddress { displacement, along, ..at.clone() };
        self.held.iter().find(|held| held.at == there).map(|held| held.value)
    }

    /// The known vector with an element in it.
    fn held_around(&self, at: &LaneAddress) -> Option<HeldValue> {
        let (size, width) = (i64::from(at.stored.size()), i64::from(self.program.width));
        let matches = |held: &&HeldValue| {
            let along = AddressStep::Step(size);
            let by = at.displacement - held.at.displacement;
            held.at == LaneAddress { displacement: held.at.displacement, along, ..at.clone() }
                && (0..size * width).contains(&by)
                && by % size == 0
                && self.b.ty(held.value) == LaneType::Lanes(Elem::of(at.stored.value()))
                && at.stored.value() != Scalar::Bool
        };
        self.held.iter().find(matches).cloned()
    }

    /// The value of an unmasked store that has the same effect as one under a mask, if the contents
    /// are known.
    pub(super) fn unmasked(&mut self, at: &LaneAddress, value: LaneValue, mask: LaneValue) -> Option<LaneValue> {
        let old = self.held.iter().find(|held| held.at == *at)?.value;
        (self.b.ty(old) == self.b.ty(value)).then(|| match fault::planted(Fault::PromotedMaskDropped) {
            true => value,
            false => self.b.select(mask, value, old),
        })
    }
}

/// Does a block access a part of the worker's memory?
fn accesses(block: &LaneBlock, part: ArenaPart) -> bool {
    block.nodes.iter().any(|node| match node {
        Node::Let { inst, .. } => access(inst).is_some_and(|(at, _)| at.space == MemorySpace::Arena(part)),
        Node::Do { effect, .. } => match effect {
            Effect::Store { at, .. } => at.space == MemorySpace::Arena(part),
            Effect::Copy { to, from, .. } => [to, from].into_iter().any(|at| at.space == MemorySpace::Arena(part)),
            Effect::Clear { .. } => true,
            Effect::Message { .. } | Effect::Prefetch { .. } | Effect::Fence => false,
        },
        Node::If { then, otherwise, .. } => accesses(then, part) || accesses(otherwise, part),
        Node::Loop { body, .. } => accesses(body, part),
        Node::Exit { .. } | Node::Poll => false,
    })
}

/// Does a block access a part of the worker's memory otherwise than by simple stores?
fn reads(block: &LaneBlock, part: ArenaPart) -> bool {
    block.nodes.iter().any(|node| match node {
        Node::Let { inst, .. } => access(inst).is_some_and(|(at, _)| at.space == MemorySpace::Arena(part)),
        Node::Do { effect, .. } => match effect {
            Effect::Copy { to, from, .. } => [to, from].into_iter().any(|at| at.space == MemorySpace::Arena(part)),
            Effect::Clear { .. }
            | Effect::Store { .. }
            | Effect::Message { .. }
            | Effect::Prefetch { .. }
            | Effect::Fence => false,
        },
        Node::If { then, otherwise, .. } => reads(then, part) || reads(otherwise, part),
        Node::Loop { body, .. } => reads(body, part),
        Node::Exit { .. } | Node::Poll => false,
    })
}

/// Removes stores whose contents nothing reads: those to the parts that end with the tile.
fn remove_stores(block: &mut LaneBlock) {
    block.nodes.retain_mut(|node| {
        match node {
            Node::Do { effect: Effect::Store { at, .. }, .. } => {
                return !PARTS.into_iter().any(|part| at.space == MemorySpace::Arena(part));
            }
            Node::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(remove_stores),
            Node::Loop { body, .. } => remove_stores(body),
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
        true
    });
}

/// The number of nodes of a block once its loops are unrolled and its branches take their usual arms;
/// `None` if the iterations of one are not known.
fn unrolled_size(block: &LaneBlock, constants: &HashMap<LaneValue, i64>) -> Option<usize> {
    block.nodes.iter().try_fold(0usize, |sum, node| {
        let size = match node {
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => 1,
            Node::If { then, likely, .. } if likely.is_then() => 1 + unrolled_size(then, constants)?,
            Node::If { then, otherwise, .. } => {
                1 + unrolled_size(then, constants)? + unrolled_size(otherwise, constants)?
            }
            Node::Loop { params, init, body, again, .. } => {
                let LaneInst::Op { op: Op::Lt, args, .. } = body.made(*again)? else { return None };
                let (next, bound) = (args[0], *constants.get(&args[1])?);
                let LaneInst::Op { op: Op::Add, args, .. } = body.made(next)? else { return None };
                let param = params.iter().position(|&param| param == args[0])?;
                let (first, step) = (*constants.get(&init[param])?, *constants.get(&args[1])?);
                let distance = bound.checked_sub(first).filter(|_| step > 0)?;
                let rounds = usize::try_from(distance.max(0) / step).ok()?.checked_add(1)?;
                unrolled_size(body, constants)?.checked_mul(rounds)?
            }
        };
        sum.checked_add(size)
    })
}

/// Writes the nodes of a block in the order in which effects and results need them.
///
/// Effects, and loads of memory that something may write to, keep their order.
fn demand_order(block: LaneBlock, program: &LaneProgram) -> LaneBlock {
    let (nodes, results) = block.into_parts();
    let mut made: HashMap<LaneValue, usize> = HashMap::default();
    for (i, node) in nodes.iter().enumerate() {
        match node {
            Node::Let { value, .. } => _ = made.insert(*value, i),
            Node::If { results, .. } | Node::Loop { results, .. } => {
                made.extend(results.iter().map(|&value| (value, i)));
            }
            Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
    let moves = |node: &Node| match node {
        Node::Let { inst, .. } => match inst.class() {
            LaneInstClass::Pure => true,
            LaneInstClass::Read => access(inst).is_some_and(|(at, _)| match at.space {
                MemorySpace::Buffer(space) => program.writable.get(usize::from(space)) == Some(&false),
                MemorySpace::Constant => true,
                MemorySpace::Arena(_) => false,
            }),
            LaneInstClass::Atomic => false,
        },
        Node::Do { .. } | Node::If { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => false,
    };
    let mut order = Vec::with_capacity(nodes.len());
    let mut placed: HashSet<usize> = HashSet::default();
    let roots = (0..nodes.len()).filter(|&i| !moves(&nodes[i])).map(|i| vec![i]);
    let given = results.iter().filter_map(|value| made.get(value)).map(|&i| vec![i]);
    for mut open in roots.chain(given.collect::<Vec<_>>()) {
        // The last is written as soon as nothing that it needs is missing.
        while let Some(&i) = open.last() {
            if placed.contains(&i) {
                open.pop();
                continue;
            }
            let mut missing = Vec::new();
            used_in(&nodes[i], &mut |value| {
                if let Some(&other) = made.get(&value)
                    && other != i
                    && !placed.contains(&other)
                {
                    missing.push(other);
                }
            });
            if missing.is_empty() {
                placed.insert(i);
                order.push(i);
                open.pop();
            } else {
                open.extend(missing.into_iter().rev());
            }
        }
    }
    let mut nodes: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
    LaneBlock { nodes: order.into_iter().filter_map(|i| nodes[i].take()).collect(), results }
}

/// Visits the values that a node uses, also inside it.
fn used_in(node: &Node, f: &mut dyn FnMut(LaneValue)) {
    let mut inside = |block: &LaneBlock| {
        block.nodes.iter().for_each(|node| used_in(node, f));
        block.results.iter().for_each(|&value| f(value));
    };
    match node {
        Node::Let { inst, .. } => operands(inst, &mut |&value| f(value)),
        Node::Do { effect, .. } => effect_operands(effect, &mut |&value| f(value)),
        Node::If { condition, then, otherwise, .. } => {
            inside(then);
            inside(otherwise);
            f(*condition);
        }
        Node::Loop { init, body, again, .. } => {
            inside(body);
            init.iter().chain([again]).for_each(|&value| f(value));
        }
        Node::Exit { condition, .. } => f(*condition),
        Node::Poll => {}
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use super::*;
    use crate::lanes::OptimiseGoals;
    use crate::vectorize::{CodeKey, vectorize};

    fn program(body: &str) -> LaneProgram {
        let text = format!(
            "kernel k(a: view<f32, 1, read>, b: view<f32, 1, read_write>) tile(64) {{
                tile_static part: [f32; 64];
                let i = local[0];
                part[i] = a[global[0]];
                barrier;
                {body}
            }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let key = CodeKey { writable: vec![false, true], goals: OptimiseGoals::MOST, ..CodeKey::apart(16, 2) };
        vectorize(&kernel, &key).unwrap_or_else(|why| panic!("{}", why.0))
    }

    /// The instructions of the tile in registers, as text.
    fn fast(program: &LaneProgram) -> String {
        let text = program.to_string();
        let begin = text.find("(likely) {").expect("there is a condition");
        let end = text[begin..].find("\n  } else {").expect("there is another version");
        text[begin..begin + end].to_owned()
    }

    const TREE: &str = "var half: i32 = 32;
        while half > 0 {
            if i < half { part[i] = part[i] + part[i + half]; }
            barrier;
            half = half / 2;
        }
        if i == 0 { b[tile[0]] = part[0]; }";

    #[test]
    fn a_tree_has_neither_loops_nor_tile_memory_and_asks_once_whether_it_is_in_bounds() {
        let program = program(TREE);
        assert!(program.promoted, "{program}");
        let fast = fast(&program);
        for (word, times) in [("loop", 0), ("tile_static", 0), ("load", 4), ("slide", 4), ("add.f32", 7), ("store", 1)]
        {
            assert_eq!(fast.matches(word).count(), times, "{word}: {fast}");
        }
        let asked = program
            .to_string()
            .lines()
            .take_while(|line| !line.contains("(likely)"))
            .filter(|line| line.contains(" = lt."))
            .count();
        // The bound of the loop over tiles is among them.
        assert_eq!(asked, 3, "{program}");
    }

    /// A tree adds up leaf by leaf: each load stands just before the first use of its value.
    #[test]
    fn values_are_computed_when_they_are_needed() {
        let program = program(TREE);
        let order: Vec<&str> = fast(&program)
            .lines()
            .filter_map(|line| {
                line.split(" = ").nth(1)?.split('.').next().map(|word| if word == "load" { "load" } else { "other" })
            })
            .collect();
        assert_eq!(&order[..5], ["load", "load", "other", "load", "load"], "{program}");
    }

    #[test]
    fn a_tile_that_needs_its_memory_keeps_it() {
        for body in [
            "b[global[0]] = part[63 - i];",
            "b[global[0]] = part[(i * 7) & 63];",
            "var k: i32 = 0; while k < 63 + tile[0] { part[i] = part[i] + 1.0; barrier; k = k + 1; } b[global[0]] = part[i];",
        ] {
            let program = program(body);
            assert!(!program.promoted, "{program}");
            assert!(program.to_string().contains("load.f32 tile_static"), "{program}");
        }
    }
}
