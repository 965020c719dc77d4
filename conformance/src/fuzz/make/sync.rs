//! Barriers, and the ownership of memory that the tile shares until the next one.

use tilewise_ir::kernel::{Fence, InstKind, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Data, Scalar};

use super::{AtomicFamily, KernelMaker, MemoryRole, PhaseState};

impl KernelMaker {
    /// A barrier, after which the memory it orders may change hands.
    pub(super) fn barrier_statement(&mut self) {
        if !self.flow.level || !self.features.barriers {
            return;
        }
        let flavour = self.rng.one([Fence::All, Fence::All, Fence::TileStatic, Fence::Global]);
        if self.flow.in_function {
            // The caller's phases stay as they are: order beyond what it assumes does no harm.
            self.emit(InstKind::Barrier(flavour));
            return;
        }
        for i in 0..self.phases.len() {
            self.use_shared(i);
        }
        self.emit(InstKind::Barrier(flavour));
        for i in 0..self.phases.len() {
            let ordered = match flavour {
                Fence::All => true,
                Fence::Global => self.phases[i].global,
                Fence::TileStatic => !self.phases[i].global,
            };
            if ordered && self.rng.percent(85) {
                self.phases[i].state = self.new_state(i);
            }
            if self.phases[i].state == PhaseState::Read {
                self.use_shared(i);
            }
        }
    }

    /// Mostly uses shared memory as its state allows: without this, barriers would stand between
    /// unrelated accesses.
    fn use_shared(&mut self, i: usize) {
        if self.rng.percent(25) {
            return;
        }
        let held = self.any_held(&|_, held| matches!(held.role, MemoryRole::Phase(n) if n == i));
        let Some(held) = held else { return };
        match self.phases[i].state {
            PhaseState::Read => {
                let found = self.top(&held, false, false);
                let leaf = self.descend(found, false);
                let value = self.value_of(InstKind::Load(leaf.place));
                self.know(value, false);
                self.mix(value);
            }
            PhaseState::Own(_) if self.phases[i].scalar.is_some() && self.rng.percent(35) => {
                self.atomic_on(&held);
            }
            PhaseState::Own(_) => {
                let found = self.top(&held, true, false);
                let leaf = self.descend(found, false);
                let value = self.varying(leaf.data);
                self.emit(InstKind::Store { place: leaf.place, value });
            }
            PhaseState::Sum(_) => {
                self.atomic_on(&held);
            }
        }
    }

    /// A value that is varying, more often than not.
    fn varying(&mut self, data: Data) -> ValueId {
        let Some(linear) = self.thread.linear.filter(|_| self.rng.percent(70)) else { return self.value(data, false) };
        let scalar = match data.scalar {
            Scalar::Bool => {
                let one = self.u32(1);
                let odd = self.op(Op::And, &[linear, one]);
                self.op(Op::Eq, &[odd, one])
            }
            Scalar::U32 => {
                let factor = self.u32(0x0101_0107);
                self.op(Op::Mul, &[linear, factor])
            }
            other => self.op(KernelMaker::conversion(other), &[linear]),
        };
        if data.width == 1 { scalar } else { self.value_of(InstKind::Splat { value: scalar, width: data.width }) }
    }

    /// An exchange of elements: each thread writes its own, a barrier follows, each reads one of
    /// another.
    pub(super) fn exchange_statement(&mut self) {
        if !self.flow.level || !self.features.barriers || self.flow.in_function || self.phases.is_empty() {
            return;
        }
        let i = self.rng.below(self.phases.len());
        let flavour = match (self.rng.percent(50), self.phases[i].global) {
            (true, _) => Fence::All,
            (false, true) => Fence::Global,
            (false, false) => Fence::TileStatic,
        };
        let sums = self.phases[i].scalar == Some(Scalar::F32);
        if !matches!(self.phases[i].state, PhaseState::Own(_) | PhaseState::Sum(_)) {
            self.emit(InstKind::Barrier(flavour));
            self.phases[i].state =
                if sums { PhaseState::Sum(AtomicFamily::Sum) } else { PhaseState::Own(self.own_paths(i)) };
        }
        self.use_shared(i);
        if self.rng.percent(40) {
            self.some_statements(4);
        }
        // The state may have changed inside; a barrier stands in any case between the writes and
        // the reads.
        self.emit(InstKind::Barrier(flavour));
        self.phases[i].state = PhaseState::Read;
        for _ in 0..self.rng.range(1, 2) {
            self.use_shared(i);
        }
    }

    /// The state of shared memory from here on.
    pub(super) fn new_state(&mut self, i: usize) -> PhaseState {
        match (self.rng.below(10), self.phases[i].scalar) {
            // Sums of floats are exact only while no other operation stores there.
            (5.., Some(Scalar::F32)) => PhaseState::Sum(AtomicFamily::Sum),
            (0..4, _) | (_, Some(Scalar::F32)) => PhaseState::Read,
            (4..7, Some(_)) => PhaseState::Sum(self.rng.one(AtomicFamily::ALL)),
            _ => PhaseState::Own(self.own_paths(i)),
        }
    }

    /// Distinct elements of shared memory for each thread of the tile: a permutation of the
    /// threads' numbers.
    pub(super) fn own_paths(&mut self, i: usize) -> Vec<Vec<ValueId>> {
        let Some(thread) = self.thread.in_tile else { return vec![Vec::new()] };
        let (length, shape) = (self.phases[i].length, self.phases[i].shape.clone());
        let threads = self.launch.shape.tile_threads;
        let per = (length / threads).clamp(1, 2);
        // One permutation for all of a thread's elements, or two threads might share one.
        let map = self.permutation(length);
        (0..per)
            .map(|n| {
                let n = self.u32(n * threads);
                let number = self.op(Op::Add, &[thread, n]);
                let number = self.permute(number, length, &map);
                self.unflatten(number, &shape)
            })
            .collect()
    }

    /// The path to the element with that number, row-major.
    fn unflatten(&mut self, number: ValueId, shape: &[u32]) -> Vec<ValueId> {
        match shape {
            [_, columns] => {
                let columns = self.u32(*columns);
                vec![self.op(Op::Div, &[number, columns]), self.op(Op::Rem, &[number, columns])]
            }
            _ => vec![number],
        }
    }

    /// Draws a permutation of the numbers below `n`; a value that is uniform over the tile may
    /// select it.
    fn permutation(&mut self, n: u32) -> PermutationKind<ValueId> {
        let fixed = self.fixed_permutation(n);
        let level = self.flow.level && self.rng.percent(40);
        match fixed {
            PermutationKind::Rotate(_) if level => {
                let value = self.value(Data::U32, true);
                let n = self.u32(n);
                PermutationKind::Rotate(self.op(Op::Rem, &[value, n]))
            }
            PermutationKind::Xor(_) if level => {
                let value = self.value(Data::U32, true);
                let most = self.u32(n - 1);
                PermutationKind::Xor(self.op(Op::And, &[value, most]))
            }
            fixed => self.with_constants(fixed),
        }
    }

    /// The same permutation, with its numbers as values.
    pub(super) fn with_constants(&mut self, fixed: PermutationKind<u32>) -> PermutationKind<ValueId> {
        match fixed {
            PermutationKind::Same => PermutationKind::Same,
            PermutationKind::Reverse => PermutationKind::Reverse,
            PermutationKind::Rotate(by) => PermutationKind::Rotate(self.u32(by)),
            PermutationKind::Xor(mask) => PermutationKind::Xor(self.u32(mask)),
            PermutationKind::Bits => PermutationKind::Bits,
            PermutationKind::Times(factor) => PermutationKind::Times(factor),
        }
    }

    /// Draws a permutation of the numbers below `n` that is the same in all tiles and at all times.
    pub(super) fn fixed_permutation(&mut self, n: u32) -> PermutationKind<u32> {
        match self.rng.below(6) {
            0 => PermutationKind::Reverse,
            1 | 2 => PermutationKind::Rotate(self.rng.below(n as usize) as u32),
            3 if n.is_power_of_two() => PermutationKind::Xor(self.rng.below(n as usize) as u32),
            4 if n.is_power_of_two() && n > 1 => PermutationKind::Bits,
            5 => {
                let factors: Vec<u32> = [3, 5, 7, 11].into_iter().filter(|f| !n.is_multiple_of(*f)).collect();
                PermutationKind::Times(self.rng.pick(&factors).copied().unwrap_or(1))
            }
            _ => PermutationKind::Same,
        }
    }

    /// Applies a permutation of the numbers below `n`.
    pub(super) fn permute(&mut self, x: ValueId, n: u32, map: &PermutationKind<ValueId>) -> ValueId {
        match *map {
            PermutationKind::Same => x,
            PermutationKind::Reverse => {
                let last = self.u32(n - 1);
                self.op(Op::Sub, &[last, x])
            }
            PermutationKind::Rotate(by) => {
                let moved = self.op(Op::Add, &[x, by]);
                let n = self.u32(n);
                self.op(Op::Rem, &[moved, n])
            }
            PermutationKind::Xor(mask) => self.op(Op::Xor, &[x, mask]),
            PermutationKind::Bits => {
                let reversed = self.op(Op::ReverseBits, &[x]);
                let down = self.u32(32 - n.trailing_zeros());
                self.op(Op::Shr, &[reversed, down])
            }
            PermutationKind::Times(factor) => {
                let factor = self.u32(factor);
                let product = self.op(Op::Mul, &[x, factor]);
                let n = self.u32(n);
                self.op(Op::Rem, &[product, n])
            }
        }
    }
}

/// A permutation of the numbers below some `n`.
#[derive(Clone, Copy, Debug)]
pub(super) enum PermutationKind<N> {
    Same,
    Reverse,
    /// By a number below `n`.
    Rotate(N),
    /// With a number below `n`, a power of two.
    Xor(N),
    /// The lowest bits reversed; `n` is a power of two.
    Bits,
    /// By a factor coprime to `n`.
    Times(u32),
}
