//! The lane interpreter: executes a program directly. Emitters are tested against it, and it is
//! tested against the kernels' interpreter.
//!
//! Memory is safe ([`memory`]): a pointer encodes a piece and a byte, and each access is checked.
//! An access outside of its memory is a [`LaneFault`], which names the node: the lane program is
//! wrong, whatever the kernel did. The arena is filled with garbage at first, so that reads of
//! unwritten memory show.
//!
//! Unspecified behaviour is resolved as follows: lanes execute from the lowest to the highest;
//! masked-off lanes compute on the values they hold.
//!
//! `world` is the interface to memory and host; `emit/interpret_cold.rs` implements another one.

mod memory;
mod world;

use tilewise_ir::bytes::{changed, decode, encode};
use tilewise_ir::launch::OutputCollector;
use tilewise_ir::ops::Lanes;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Stored;

use super::print::NodeHead;
use super::program::{
    AddressStep, Effect, Elem, ExitStatus, LaneAddress, LaneBlock, LaneInst, LaneProgram, LaneValue, Node,
};
pub use memory::{MemoryPiece, PieceMemory, pointer};
use world::CheckedWorld;
pub(crate) use world::World;

/// The reason a program could not continue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LaneFault {
    /// It exceeded its number of steps.
    OutOfFuel,
    /// It was interrupted where it does not poll itself.
    Interrupted,
    /// It performed an operation that no program may perform.
    Wrong {
        /// The node, as printed.
        node: String,
        /// The violation.
        what: String,
        /// Position in the source.
        pos: Pos,
    },
}

impl std::fmt::Display for LaneFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LaneFault::OutOfFuel => f.write_str("the program took more steps than it was given"),
            LaneFault::Interrupted => f.write_str("the program was interrupted"),
            LaneFault::Wrong { node, what, pos } => {
                write!(f, "`{node}`: {what}")?;
                if pos.is_known() { write!(f, " (line {})", pos.line) } else { Ok(()) }
            }
        }
    }
}

impl std::error::Error for LaneFault {}

/// The host of a run: output, fuel and interruption.
pub struct LaneHost<'a> {
    /// The messages of threads.
    pub output: OutputCollector,
    /// Remaining steps: each node is one, and each iteration of a loop.
    pub fuel: u64,
    /// Is the launch to end? Called where the program polls, and periodically.
    pub interrupt: &'a dyn Fn() -> bool,
}

impl LaneHost<'_> {
    /// A host with a number of steps that never interrupts.
    pub fn with_fuel(fuel: u64) -> LaneHost<'static> {
        LaneHost { output: OutputCollector::default(), fuel, interrupt: &|| false }
    }
}

/// Runs a well-formed program ([`verify`](super::verify())) on an argument block, in memory that
/// contains an arena for it.
pub fn run(
    program: &LaneProgram,
    words: &[u64],
    memory: &mut PieceMemory,
    given: [i64; 4],
    host: &mut LaneHost<'_>,
) -> Result<ExitStatus, LaneFault> {
    let mut world = CheckedWorld { memory, host, messages: &program.messages, width: program.width as usize };
    let mut machine = LaneMachine::new(program, words, &mut world);
    for (&value, number) in program.given.iter().zip(given) {
        machine.set(value, &[number as u64]);
    }
    Ok(machine.block(&program.body)?.unwrap_or(ExitStatus::Done))
}

/// Executes programs, or parts of them, in a [`World`].
pub(crate) struct LaneMachine<'a, W> {
    program: &'a LaneProgram,
    words: &'a [u64],
    world: &'a mut W,
    width: usize,
    /// One entry per lane for each value; a scalar uses the first.
    values: Vec<u64>,
    /// Values being moved from the end of a loop iteration to its beginning.
    moving: Vec<u64>,
}

/// The mask of an access.
type Wanted = Option<LaneValue>;

impl<'a, W: World> LaneMachine<'a, W> {
    /// A machine on an argument block, with all values 0.
    pub(crate) fn new(program: &'a LaneProgram, words: &'a [u64], world: &'a mut W) -> Self {
        let width = program.width as usize;
        LaneMachine { program, words, world, width, values: vec![0; program.types.len() * width], moving: Vec::new() }
    }

    /// Sets the first lanes of a value.
    pub(crate) fn set(&mut self, value: LaneValue, lanes: &[u64]) {
        self.values[value.index() * self.width..][..lanes.len()].copy_from_slice(lanes);
    }

    /// The lanes of a value; a scalar uses the first.
    pub(crate) fn get(&self, value: LaneValue) -> &[u64] {
        &self.values[value.index() * self.width..][..self.width]
    }

    /// Executes nodes; returns the status if they end the program.
    pub(crate) fn block(&mut self, block: &'a LaneBlock) -> Result<Option<ExitStatus>, LaneFault> {
        for node in &block.nodes {
            self.world.step()?;
            if let Some(status) = self.node(node)? {
                return Ok(Some(status));
            }
        }
        Ok(None)
    }

    fn node(&mut self, node: &'a Node) -> Result<Option<ExitStatus>, LaneFault> {
        let wrong = |machine: &Self, what, pos| LaneFault::Wrong {
            node: NodeHead(machine.program, node).to_string(),
            what,
            pos,
        };
        match node {
            Node::Let { value, inst, pos } => {
                self.instruction(*value, inst).map_err(|what| wrong(self, what, *pos))?;
            }
            Node::Do { effect, pos } => self.effect(effect).map_err(|what| wrong(self, what, *pos))?,
            Node::If { condition, then, otherwise, results, .. } => {
                let arm = if self.scalar(*condition) != 0 { then } else { otherwise };
                if let Some(status) = self.block(arm)? {
                    return Ok(Some(status));
                }
                self.hand_over(&arm.results, results);
            }
            Node::Loop { params, init, body, again, results } => {
                self.hand_over(init, params);
                loop {
                    self.world.step()?;
                    if let Some(status) = self.block(body)? {
                        return Ok(Some(status));
                    }
                    if self.scalar(*again) == 0 {
                        break;
                    }
                    self.hand_over(&body.results, params);
                }
                self.hand_over(&body.results, results);
            }
            Node::Exit { condition, status } => {
                return Ok((self.scalar(*condition) != 0).then_some(*status));
            }
            Node::Poll => return Ok(self.world.interrupted().then_some(ExitStatus::Interrupted)),
        }
        Ok(None)
    }

    /// Copies values in parallel.
    fn hand_over(&mut self, from: &[LaneValue], to: &[LaneValue]) {
        self.moving.clear();
        for value in from {
            self.moving.extend_from_slice(&self.values[value.index() * self.width..][..self.width]);
        }
        for (value, bits) in to.iter().zip(self.moving.chunks(self.width)) {
            self.values[value.index() * self.width..][..self.width].copy_from_slice(bits);
        }
    }

    fn scalar(&self, value: LaneValue) -> u64 {
        self.values[value.index() * self.width]
    }

    /// The contents of a lane, or of a scalar.
    fn lane(&self, value: LaneValue, lane: usize) -> u64 {
        let lane = if self.program.ty(value).is_lanes() { lane } else { 0 };
        self.values[value.index() * self.width + lane]
    }

    fn wanted(&self, mask: Wanted, lane: usize) -> bool {
        mask.is_none_or(|mask| self.values[mask.index() * self.width + lane] != 0)
    }

    fn instruction(&mut self, value: LaneValue, inst: &LaneInst) -> Result<(), String> {
        let to = value.index() * self.width;
        let lanes = if self.program.ty(value).is_lanes() { self.width } else { 1 };
        let width = self.width;
        match inst {
            LaneInst::Const(bits) => self.values[to] = *bits,
            LaneInst::Input(index) => {
                let word = *self.words.get(*index as usize).ok_or("the argument block has no such word")?;
                self.values[to] = match self.program.ty(value).elem() {
                    Elem::Bool => word & 1,
                    Elem::I32 | Elem::F32 => u64::from(word as u32),
                    Elem::I64 | Elem::F64 => word,
                };
            }
            LaneInst::Arena(part) => self.values[to] = self.world.arena(*part),
            LaneInst::Lane => (0..lanes).for_each(|lane| self.values[to + lane] = lane as u64),
            LaneInst::Splat(from) => {
                let bits = self.scalar(*from);
                self.values[to..to + lanes].fill(bits);
            }
            LaneInst::Op { op, scalar, args } => {
                let each = op.each(*scalar).ok_or("the row has no meaning for this scalar")?;
                let mut bits = [0; 4];
                for lane in 0..lanes {
                    for (to, arg) in bits.iter_mut().zip(args) {
                        *to = self.values[arg.index() * width + lane];
                    }
                    self.values[to + lane] = each(bits);
                }
            }
            LaneInst::Whole { op, instance, args, widths, component } => {
                let whole = op.whole(instance.scalar).ok_or("the row has no meaning for this scalar")?;
                for lane in 0..lanes {
                    let mut four: [Lanes; 4] = [[0; 4]; 4];
                    let mut rest = args.iter();
                    for (arg, &count) in four.iter_mut().zip(widths) {
                        for (to, from) in arg.iter_mut().take(usize::from(count)).zip(&mut rest) {
                            *to = self.values[from.index() * width + lane];
                        }
                    }
                    self.values[to + lane] = whole(four, usize::from(instance.width))[usize::from(*component)];
                }
            }
            LaneInst::Select { mask, yes, no } => {
                for lane in 0..lanes {
                    let from = if self.wanted(Some(*mask), lane) { yes } else { no };
                    self.values[to + lane] = self.values[from.index() * width + lane];
                }
            }
            LaneInst::FirstLanes(n) => {
                let n = self.scalar(*n) as i64;
                (0..lanes).for_each(|lane| self.values[to + lane] = u64::from((lane as i64) < n));
            }
            LaneInst::Any(mask) => {
                self.values[to] = u64::from((0..width).any(|lane| self.wanted(Some(*mask), lane)));
            }
            LaneInst::All(mask) => {
                self.values[to] = u64::from((0..width).all(|lane| self.wanted(Some(*mask), lane)));
            }
            LaneInst::LowestLane { lanes, mask } => {
                let lane = (0..width).find(|&lane| self.wanted(Some(*mask), lane));
                self.values[to] = lane.map_or(0, |lane| self.lane(*lanes, lane));
            }
            LaneInst::ReciprocalRoot(value) => {
                for lane in 0..lanes {
                    let number = f32::from_bits(self.lane(*value, lane) as u32);
                    self.values[to + lane] = (1.0 / number.sqrt()).to_bits().into();
                }
            }
            LaneInst::Slide { low, high, by } => {
                for lane in 0..lanes {
                    let from = lane + *by as usize;
                    let of = if from < lanes { (*low, from) } else { (*high, from - lanes) };
                    self.values[to + lane] = self.lane(of.0, of.1);
                }
            }
            LaneInst::Load { at, mask } => {
                for lane in 0..lanes {
                    self.values[to + lane] = if self.wanted(*mask, lane) { self.load(at, lane)? } else { 0 };
                }
            }
            LaneInst::Atomic { op, scalar, at, operand, mask } => {
                for lane in 0..lanes {
                    if !self.wanted(*mask, lane) {
                        self.values[to + lane] = 0;
                        continue;
                    }
                    let operand = operand.map_or(0, |operand| self.lane(operand, lane));
                    let new = |old| Some(changed(*op, *scalar, old, operand));
                    self.values[to + lane] = self.exchange(at, lane, new)?;
                }
            }
            LaneInst::CompareExchange { at, expected, new, mask, .. } => {
                for lane in 0..lanes {
                    if !self.wanted(*mask, lane) {
                        self.values[to + lane] = 0;
                        continue;
                    }
                    let (expected, new) = (self.lane(*expected, lane), self.lane(*new, lane));
                    let new = |old| (old == expected).then_some(new);
                    self.values[to + lane] = self.exchange(at, lane, new)?;
                }
            }
        }
        Ok(())
    }

    /// The address of a lane's access.
    fn address(&self, at: &LaneAddress, lane: usize) -> u64 {
        let offset = at.offset.map_or(0, |offset| self.scalar(offset));
        let along = match at.along {
            AddressStep::Uniform => 0,
            AddressStep::Step(step) => (step as u64).wrapping_mul(lane as u64),
            AddressStep::Each(value) => self.lane(value, lane),
        };
        self.scalar(at.base).wrapping_add(offset).wrapping_add(at.displacement as u64).wrapping_add(along)
    }

    fn load(&mut self, at: &LaneAddress, lane: usize) -> Result<u64, String> {
        let bits = self.world.load(self.address(at, lane), at.stored.size().into(), at.space);
        Ok(decode(&bits.map_err(|what| format!("{what} by lane {lane}"))?.to_le_bytes(), at.stored))
    }

    /// Atomically updates the memory of a lane's access; returns the previous contents.
    fn exchange(&mut self, at: &LaneAddress, lane: usize, new: impl Fn(u64) -> Option<u64>) -> Result<u64, String> {
        let (address, stored) = (self.address(at, lane), at.stored);
        let value = |bits: u64| decode(&bits.to_le_bytes(), stored);
        let mut new = |bits: u64| Some(encoded(new(value(bits))?, stored));
        let old = self.world.exchange(address, stored.size().into(), at.space, &mut new);
        Ok(value(old.map_err(|what| format!("{what} by lane {lane}"))?))
    }

    fn effect(&mut self, effect: &Effect) -> Result<(), String> {
        match effect {
            Effect::Store { at, value, mask } => {
                let lanes = if self.program.ty(*value).is_lanes() { self.width } else { 1 };
                for lane in 0..lanes {
                    if self.wanted(*mask, lane) {
                        let bits = encoded(self.lane(*value, lane), at.stored);
                        let stored = self.world.store(self.address(at, lane), at.stored.size().into(), at.space, bits);
                        stored.map_err(|what| format!("{what} by lane {lane}"))?;
                    }
                }
            }
            Effect::Copy { shape, to, from, read, mask } => {
                let lanes =
                    if to.along == AddressStep::Uniform && mask.is_none() && read.is_none() { 1 } else { self.width };
                for lane in 0..lanes {
                    if self.wanted(*mask, lane) {
                        self.copy(*shape, to, from, *read, lane).map_err(|what| format!("{what} by lane {lane}"))?;
                    }
                }
            }
            Effect::Clear { from, bytes } => self.world.clear(self.scalar(*from), *bytes)?,
            Effect::Message { message, thread, values, mask } => {
                let said = (0..self.width).filter(|&lane| self.wanted(Some(*mask), lane));
                let lanes = said.fold(0_u64, |lanes, lane| lanes | 1 << lane);
                let each = |&value: &LaneValue| (0..self.width).map(move |lane| (value, lane));
                let words: Vec<u64> =
                    values.iter().flat_map(each).map(|(value, lane)| self.lane(value, lane)).collect();
                self.world.tell(*message, lanes, self.scalar(*thread), &words);
            }
            Effect::Prefetch { .. } => {}
            Effect::Fence => self.world.fence(),
        }
        Ok(())
    }

    /// Copies the scalars of an aggregate for one lane: all are read before any is written.
    fn copy(
        &mut self,
        shape: u32,
        to: &LaneAddress,
        from: &LaneAddress,
        read: Wanted,
        lane: usize,
    ) -> Result<(), String> {
        let program = self.program;
        let scalars = program.copies.get(shape as usize).ok_or("there is no such copy")?;
        let (target, source) = (self.address(to, lane), self.address(from, lane));
        let mut all = Vec::new();
        for &(_, at, stored) in scalars {
            let first = source.wrapping_add(at);
            let wanted = self.wanted(read, lane);
            all.push(if wanted { self.world.load(first, stored.size().into(), from.space)? } else { 0 });
        }
        for (&(at, _, stored), bits) in scalars.iter().zip(all) {
            self.world.store(target.wrapping_add(at), stored.size().into(), to.space, bits)?;
        }
        Ok(())
    }
}

/// The bytes of a value in memory, as a number.
fn encoded(value: u64, stored: Stored) -> u64 {
    let mut bytes = [0; 8];
    encode(&mut bytes, stored, value);
    u64::from_le_bytes(bytes)
}
