//! Rows together: the threads of several rows of an untiled kernel execute at once.
//!
//! In a matrix product without tiles the rows of the result all load the same rows of one factor.
//! Several rows at a time load them once, and their sums do not wait for each other. The loop over
//! rows
//!
//! ```text
//! loop row { body }
//! ```
//!
//! becomes one over groups of rows, and one over the rows that remain. In a group each node of the
//! body is written for every row before the next node. A value that is the same for all rows is
//! computed once, and so is a load of the same address. A loop that goes on for all rows alike stays
//! one loop; others are written for one row after the other. A condition that differs by row becomes
//! the condition that it holds for all: where the second arm is right in any case
//! ([`Likely::Version`]) all rows take the same arm, else the second arm has each row's own condition.
//!
//! That changes the order of the threads' accesses, which only barriers and atomic operations
//! determine; kernels with either are left as they are, and so are those that keep something in the
//! worker's memory, send messages, or end early. Groups of as many rows are formed as the registers
//! can hold the sums of, and only if an innermost loop then shares a load.

use std::mem::swap;

use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use super::Rewriter;
use super::parts::size;
use crate::hash::HashMap;
use crate::lanes::VectorMachine;
use crate::lanes::classes::LaneInstClass;
use crate::lanes::program::{
    AddressStep, Effect, Elem, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Likely, MemorySpace, Node,
    RowGroup,
};
use crate::lanes::walk::access;

/// The numbers of rows that are tried, most first.
const ROWS: [u32; 3] = [8, 4, 2];

/// Maximum number of nodes of a group's body.
const MOST: usize = 3000;

/// An attempt to write a program with rows together.
pub(super) struct RowJam {
    rows: u32,
    /// The registers of the machine, in units of 16 bytes.
    capacity: u32,
    outcome: JamOutcome,
}

/// What came of the attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JamOutcome {
    /// No loop gained.
    Useless,
    /// An innermost loop shares the load at this position.
    Gains(Pos),
    /// There are too few registers, or too many nodes.
    TooLarge,
}

/// The new value of each old value, in one of the rows.
type RowValues = HashMap<LaneValue, LaneValue>;

/// Writes the rows of an untiled kernel several at a time, if that saves loads.
pub fn jam_rows(program: &mut LaneProgram, machine: VectorMachine) {
    let Some(body) = row_loop(program, &program.body) else { return };
    if !has_inner_sums(program, body, false) || !is_unordered(body) {
        return;
    }
    let size = size(body);
    for rows in ROWS.into_iter().filter(|&rows| size * rows as usize <= MOST) {
        let (jammed, outcome) = attempt(program, rows, machine.capacity());
        match outcome {
            JamOutcome::Gains(_) => {
                *program = jammed;
                return;
            }
            JamOutcome::Useless => return,
            JamOutcome::TooLarge => {}
        }
    }
}

/// As [`jam_rows`], for so many rows, whether it pays or not.
#[cfg(test)]
pub fn jam_rows_of(program: &mut LaneProgram, rows: u32) {
    if row_loop(program, &program.body).is_some_and(is_unordered) {
        let (jammed, outcome) = attempt(program, rows, u32::MAX);
        if outcome != JamOutcome::TooLarge {
            *program = jammed;
        }
    }
}

/// The program with so many rows together.
fn attempt(program: &LaneProgram, rows: u32, capacity: u32) -> (LaneProgram, JamOutcome) {
    let mut again = Rewriter::new(program, None);
    again.rows = Some(RowJam { rows, capacity, outcome: JamOutcome::Useless });
    let Rewriter { b, rows: jam, .. } = again.written();
    let outcome = jam.map_or(JamOutcome::Useless, |jam| jam.outcome);
    let (shares, pos) = match outcome {
        JamOutcome::Gains(pos) => (true, pos),
        JamOutcome::Useless | JamOutcome::TooLarge => (false, Pos::NONE),
    };
    let new = b.finish(program.name.clone(), program.arena);
    let mut jammed = program.without_body();
    (jammed.types, jammed.inputs, jammed.given, jammed.body) = (new.types, new.inputs, new.given, new.body);
    jammed.rows = Some(RowGroup { count: rows, shares, pos });
    (jammed, outcome)
}

/// The body of the loop over rows.
fn row_loop<'p>(program: &LaneProgram, block: &'p LaneBlock) -> Option<&'p LaneBlock> {
    block.nodes.iter().find_map(|node| match node {
        Node::Loop { init, body, .. } if init.as_slice() == [program.given[0]] => Some(body),
        Node::If { then, otherwise, .. } => row_loop(program, then).or_else(|| row_loop(program, otherwise)),
        Node::Loop { .. } | Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => None,
    })
}

/// Is there an innermost loop that carries lanes, and loads lanes from the memory of the launch?
fn has_inner_sums(program: &LaneProgram, block: &LaneBlock, sums: bool) -> bool {
    let innermost = !block.nodes.iter().any(|node| matches!(node, Node::Loop { .. }));
    block.nodes.iter().any(|node| match node {
        Node::Let { value, inst: LaneInst::Load { at, .. }, .. } => {
            sums && innermost && matches!(at.space, MemorySpace::Buffer(_)) && program.ty(*value).is_lanes()
        }
        Node::If { then, otherwise, .. } => {
            has_inner_sums(program, then, sums && innermost) || has_inner_sums(program, otherwise, sums && innermost)
        }
        Node::Loop { params, body, .. } => {
            has_inner_sums(program, body, params.iter().any(|&param| program.ty(param).is_lanes()))
        }
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => false,
    })
}

/// May the threads of a body run in any order, and each part of them too?
fn is_unordered(block: &LaneBlock) -> bool {
    let in_buffer = |space: MemorySpace| !matches!(space, MemorySpace::Arena(_));
    block.nodes.iter().all(|node| match node {
        Node::Let { inst, .. } => {
            inst.class() != LaneInstClass::Atomic && access(inst).is_none_or(|(at, _)| in_buffer(at.space))
        }
        Node::Do { effect: Effect::Store { at, .. }, .. } => in_buffer(at.space),
        Node::Do { effect: Effect::Prefetch { .. }, .. } => true,
        Node::Do {
            effect: Effect::Copy { .. } | Effect::Clear { .. } | Effect::Message { .. } | Effect::Fence,
            ..
        }
        | Node::Exit { .. } => false,
        Node::If { then, otherwise, .. } => is_unordered(then) && is_unordered(otherwise),
        Node::Loop { body, .. } => is_unordered(body),
        Node::Poll => true,
    })
}

impl<'p> Rewriter<'p> {
    /// Is this the loop over rows, and are rows to be together?
    pub(super) fn jams_rows(
        &self,
        params: &[LaneValue],
        init: &[LaneValue],
        body: &LaneBlock,
        again: LaneValue,
    ) -> bool {
        if self.rows.is_none() || init != [self.b.given()[0]] {
            return false;
        }
        let made = |value: LaneValue, wanted: Op| match body.made(value) {
            Some(LaneInst::Op { op, scalar: Scalar::I64, args }) if *op == wanted => Some((args[0], args[1])),
            Some(_) | None => None,
        };
        let Some((next, end)) = made(again, Op::Lt) else { return false };
        let Some((row, one)) = made(next, Op::Add) else { return false };
        let number = self.values.get(&one).and_then(|&one| self.b.number_of(one));
        body.results == [next] && end == self.program.given[1] && [row] == params && number == Some(1)
    }

    /// Writes the loop over rows; returns its results.
    pub(super) fn row_groups(
        &mut self,
        params: &[LaneValue],
        init: LaneValue,
        body: &'p LaneBlock,
        again: LaneValue,
    ) -> Vec<LaneValue> {
        let Some(mut jam) = self.rows.take() else { return Vec::new() };
        let end = self.b.given()[1];
        let rows = i64::from(jam.rows);
        self.held.clear();
        let whole = self.group_fits(init, rows, end);
        self.b.open_arm();
        let row = self.b.open_loop(&[LaneType::Scalar(Elem::I64)])[0];
        let mut sides: Vec<RowValues> = (0..rows)
            .map(|ahead| {
                let ahead = self.b.number(ahead);
                let counter = self.b.op(Op::Add, Scalar::I64, &[row, ahead]);
                self.note_linear(Op::Add, Scalar::I64, &[row, ahead], counter, true);
                let mut values = self.values.clone();
                values.insert(params[0], counter);
                values
            })
            .collect();
        if self.zip(&body.nodes, &mut sides, &mut jam).is_none() {
            jam.outcome = JamOutcome::TooLarge;
        }
        let by = self.b.number(rows);
        let next = self.b.op(Op::Add, Scalar::I64, &[row, by]);
        let more = self.group_fits(next, rows, end);
        let group = self.b.close(vec![next]);
        let reached = self.b.repeat(vec![row], vec![init], group, more);
        let then = self.b.close(reached);
        self.b.open_arm();
        let otherwise = self.b.close(vec![init]);
        let rest = self.b.if_else(whole, then, otherwise, Likely::Either)[0];
        self.held.clear();
        let left = self.b.op(Op::Lt, Scalar::I64, &[rest, end]);
        self.b.open_arm();
        let results = self.repeat(params, vec![rest], body, again, None);
        let then = self.b.close(results);
        self.b.open_arm();
        let otherwise = self.b.close(vec![rest]);
        let results = self.b.if_else(left, then, otherwise, Likely::Either);
        self.held.clear();
        self.rows = Some(jam);
        results
    }

    /// Are there `rows` rows from `row` on?
    fn group_fits(&mut self, row: LaneValue, rows: i64, end: LaneValue) -> LaneValue {
        let ahead = self.b.number(rows - 1);
        let last = self.b.op(Op::Add, Scalar::I64, &[row, ahead]);
        self.b.op(Op::Lt, Scalar::I64, &[last, end])
    }

    /// Writes with the values of a row.
    fn in_row<R>(&mut self, side: &mut RowValues, write: impl FnOnce(&mut Self) -> R) -> R {
        swap(&mut self.values, side);
        let result = write(self);
        swap(&mut self.values, side);
        result
    }

    /// Writes nodes for all rows. `None`: the attempt is given up.
    fn zip(&mut self, nodes: &'p [Node], sides: &mut [RowValues], jam: &mut RowJam) -> Option<()> {
        for node in nodes {
            match node {
                Node::Let { .. } | Node::Do { .. } => self.one_by_one(node, sides),
                Node::Poll => self.node(node),
                Node::Exit { .. } => return None,
                Node::If { .. } => self.zip_branch(node, sides, jam)?,
                Node::Loop { .. } => self.zip_loop(node, sides, jam)?,
            }
        }
        Some(())
    }

    /// Writes a node for one row after the other.
    fn one_by_one(&mut self, node: &'p Node, sides: &mut [RowValues]) {
        sides.iter_mut().for_each(|side| self.in_row(side, |s| s.node(node)));
    }

    fn zip_branch(&mut self, node: &'p Node, sides: &mut [RowValues], jam: &mut RowJam) -> Option<()> {
        let Node::If { condition, then, otherwise, results, likely } = node else { return None };
        let conditions: Vec<LaneValue> = sides.iter().map(|side| side[condition]).collect();
        let alike = conditions.iter().all(|&other| other == conditions[0]);
        if let (true, Some(bits)) = (alike, self.b.constant_of(conditions[0])) {
            let arm = if bits != 0 { then } else { otherwise };
            self.zip(&arm.nodes, sides, jam)?;
            for side in sides {
                let given: Vec<LaneValue> = arm.results.iter().map(|result| side[result]).collect();
                side.extend(results.iter().copied().zip(given));
            }
            return Some(());
        }
        if !alike && *likely == Likely::Either {
            self.one_by_one(node, sides);
            return Some(());
        }
        let for_all = conditions[1..].iter().fold(conditions[0], |all, &condition| {
            if all == condition { all } else { self.b.op(Op::And, Scalar::Bool, &[all, condition]) }
        });
        let before = self.held.clone();
        self.b.open_arm();
        self.zip(&then.nodes, sides, jam)?;
        let mut first = self.b.close(given(&then.results, sides));
        let left = std::mem::replace(&mut self.held, before.clone());
        self.b.open_arm();
        let mut second = if *likely == Likely::Version {
            // It is cold, and one row at a time needs fewer registers.
            sides.iter_mut().for_each(|side| self.in_row(side, |s| s.nodes(&otherwise.nodes)));
            self.b.close(given(&otherwise.results, sides))
        } else if alike {
            self.zip(&otherwise.nodes, sides, jam)?;
            self.b.close(given(&otherwise.results, sides))
        } else {
            self.one_by_one(node, sides);
            self.b.close(given(results, sides))
        };
        self.held.retain(|held| left.contains(held) && before.contains(held));
        let shared = |at: usize| {
            let alike = |block: &LaneBlock| {
                let rows = block.results.chunks(results.len());
                rows.into_iter().all(|row| row[at] == block.results[at])
            };
            alike(&first) && alike(&second)
        };
        let shared: Vec<bool> = (0..results.len()).map(shared).collect();
        let keep = |at: usize| at < results.len() || !shared[at % results.len()];
        for block in [&mut first, &mut second] {
            let mut at = 0..;
            block.results.retain(|_| at.next().is_some_and(keep));
        }
        let new = self.b.if_else(for_all, first, second, *likely);
        let mut own = new[results.len()..].iter().copied();
        for (row, side) in sides.iter_mut().enumerate() {
            for (at, &result) in results.iter().enumerate() {
                let value = if row == 0 || shared[at] { new[at] } else { own.next()? };
                side.insert(result, value);
            }
        }
        Some(())
    }

    fn zip_loop(&mut self, node: &'p Node, sides: &mut [RowValues], jam: &mut RowJam) -> Option<()> {
        let Node::Loop { params, init, body, again, results } = node else { return None };
        let inits: Vec<Vec<LaneValue>> =
            sides.iter().map(|side| init.iter().map(|value| side[value]).collect()).collect();
        let alike = |values: &[Vec<LaneValue>], at: usize| values.iter().all(|row| row[at] == values[0][at]);
        let mut shared: Vec<bool> = (0..params.len()).map(|at| alike(&inits, at)).collect();
        let mark = self.b.mark();
        let loads_before = self.loads_shared;
        loop {
            self.held.clear();
            self.loads_shared = 0;
            let mut types = Vec::new();
            // Of each parameter, the first of its copies, and their number.
            let mut copies = Vec::new();
            for (&param, &shared) in params.iter().zip(&shared) {
                let count = if shared { 1 } else { sides.len() };
                copies.push((types.len(), count));
                types.extend(std::iter::repeat_n(self.program.ty(param), count));
            }
            let new = self.b.open_loop(&types);
            for (row, side) in sides.iter_mut().enumerate() {
                let own = copies.iter().map(|&(first, count)| new[first + row.min(count - 1)]);
                side.extend(params.iter().copied().zip(own));
            }
            self.zip(&body.nodes, sides, jam)?;
            let next: Vec<Vec<LaneValue>> =
                sides.iter().map(|side| body.results.iter().map(|value| side[value]).collect()).collect();
            let wrong: Vec<usize> = (0..params.len()).filter(|&at| shared[at] && !alike(&next, at)).collect();
            if !wrong.is_empty() {
                wrong.into_iter().for_each(|at| shared[at] = false);
                self.back_to(&mark);
                continue;
            }
            let goes_on = sides[0][again];
            if sides.iter().any(|side| side[again] != goes_on) {
                self.back_to(&mark);
                self.loads_shared = loads_before;
                self.one_by_one(node, sides);
                return Some(());
            }
            if !body.nodes.iter().any(contains_loop) && self.loads_shared > 0 {
                if self.row_registers(params, body, &shared, sides.len() as u32) > jam.capacity {
                    return None;
                }
                jam.outcome = JamOutcome::Gains(first_load(body));
            }
            let flat = |values: &[Vec<LaneValue>]| {
                let own = |(at, &(_, count)): (usize, &(usize, usize))| values[..count].iter().map(move |row| row[at]);
                copies.iter().enumerate().flat_map(own).collect::<Vec<_>>()
            };
            let (init, next) = (flat(&inits), flat(&next));
            let body = self.b.close(next);
            let last = self.b.repeat(new, init, body, goes_on);
            for (row, side) in sides.iter_mut().enumerate() {
                let own = copies.iter().map(|&(first, count)| last[first + row.min(count - 1)]);
                side.extend(results.iter().copied().zip(own));
            }
            self.held.clear();
            self.loads_shared += loads_before;
            return Some(());
        }
    }

    /// The registers of a loop of several rows: what each carries, what is loaded for all, and an
    /// intermediate value.
    fn row_registers(&self, params: &[LaneValue], body: &LaneBlock, shared: &[bool], rows: u32) -> u32 {
        let copies = |shared: bool| if shared { 1 } else { rows };
        let carried = params.iter().zip(shared).map(|(&param, &shared)| self.registers(param) * copies(shared));
        carried.sum::<u32>() + self.loaded_registers(body) + self.program.width.div_ceil(4).max(2)
    }
}

/// The position of the first load of lanes in a loop that has one.
fn first_load(body: &LaneBlock) -> Pos {
    let load = body.nodes.iter().find_map(|node| match node {
        Node::Let { inst: LaneInst::Load { at, .. }, pos, .. } => (at.along != AddressStep::Uniform).then_some(*pos),
        Node::Let { .. } | Node::Do { .. } | Node::If { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => {
            None
        }
    });
    load.unwrap_or(Pos::NONE)
}

/// The results of all rows, one row after the other.
fn given(results: &[LaneValue], sides: &[RowValues]) -> Vec<LaneValue> {
    sides.iter().flat_map(|side| results.iter().map(|result| side[result])).collect()
}

fn contains_loop(node: &Node) -> bool {
    match node {
        Node::Loop { .. } => true,
        Node::If { then, otherwise, .. } => {
            [then, otherwise].into_iter().any(|arm| arm.nodes.iter().any(contains_loop))
        }
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => false,
    }
}
