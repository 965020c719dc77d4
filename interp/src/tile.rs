//! Schedules tiles and threads, and checks arrival at barriers.
//!
//! The threads of a tile run one at a time. A **phase** is the execution from one barrier to the
//! next: in each phase every live thread runs until it stops, and when all have stopped their
//! arrival is checked:
//!
//! - all at the end of the kernel: the tile is done;
//! - all at the same barrier, in the same iterations of the enclosing loops: the next phase begins
//!   after it;
//! - anything else: divergence, which ends the launch. The remaining tiles do not run.
//!
//! A thread that ended with `error` or `abort` counts as arrived at every barrier and is excluded.
//!
//! A thread that stops at a barrier has its lanes saved in `saved`, and restored in the next phase;
//! each thread has its own private memory.

use super::ThreadOrder;
use super::code::{BarrierCode, Bytecode, Position};
use super::exec::{RunningLaunch, ThreadStop};
use super::order::{self, FeistelPermutation};
use super::watch::LaunchWatch;
use tilewise_ir::launch::{Arrival, Divergence, Ending, SideCollector};

/// Runs all tiles; those of an untiled kernel have one thread.
pub(super) fn launch<W: LaunchWatch>(
    code: &Bytecode,
    machine: &mut RunningLaunch<'_, '_, W>,
    order: ThreadOrder,
) -> Ending {
    let mut run = match TileRun::new(code, order) {
        Ok(run) => run,
        Err(bytes) => return Ending::OutOfMemory { bytes },
    };
    if let Some(private) = machine.own(code.launch.private_space) {
        let bytes = run.private_bytes();
        if private.try_reserve_exact(bytes as usize).is_err() {
            return Ending::OutOfMemory { bytes };
        }
        private.resize(bytes as usize, 0);
    }
    let count: u64 = code.launch.domain.iter().zip(&code.launch.tile).map(|(&e, &t)| u64::from(e / t.max(1))).product();
    let turns = FeistelPermutation::new(order, count);
    for turn in 0..count {
        let tile = turns.at(turn);
        run.enter(tile);
        machine.watch.tile(tile);
        let ended = if code.barriers.is_empty() { run.alone(machine, tile) } else { run.phases(machine, tile) };
        if let Some(ending) = ended {
            return ending;
        }
    }
    if machine.watch.stopped() { Ending::Stopped } else { Ending::Completed }
}

/// The current tile.
struct TileRun<'a> {
    code: &'a Bytecode,
    order: ThreadOrder,
    threads: u32,
    /// Position of the tile, and of its first thread.
    tile: Vec<u32>,
    origin: Vec<u32>,
    /// Position of each thread in the tile: all dimensions of the first thread, then of the second,
    /// ..
    local: Vec<u32>,
    /// Threads in the order in which they run.
    turns: Vec<u32>,
    /// The reason why each thread stopped.
    stops: Vec<ThreadStop>,
    /// Saved lanes of waiting threads.
    saved: Vec<u64>,
}

impl<'a> TileRun<'a> {
    /// The state of the first tile. An error has the bytes that there is no memory for.
    fn new(code: &'a Bytecode, order: ThreadOrder) -> Result<TileRun<'a>, u64> {
        let threads: u32 = code.launch.tile.iter().product();
        let mut local = Vec::new();
        for thread in 0..threads {
            local.extend(position(thread, &code.launch.tile));
        }
        let waiting = if code.barriers.is_empty() { 0 } else { threads as usize };
        let lanes = waiting * (code.frame.lanes - code.frame.own) as usize;
        let mut saved = Vec::new();
        saved.try_reserve_exact(lanes).map_err(|_| lanes as u64 * 8)?;
        saved.resize(lanes, 0);
        Ok(TileRun {
            code,
            order,
            threads,
            tile: vec![0; code.launch.tile.len()],
            origin: vec![0; code.launch.tile.len()],
            local,
            turns: (0..threads).collect(),
            stops: vec![ThreadStop::Inert; waiting],
            saved,
        })
    }

    fn private_bytes(&self) -> u64 {
        self.code.frame.private * if self.code.barriers.is_empty() { 1 } else { u64::from(self.threads) }
    }

    /// Switches to a tile.
    fn enter(&mut self, tile: u64) {
        let mut rest = tile as u32;
        for d in (0..self.tile.len()).rev() {
            let count = self.code.launch.domain[d] / self.code.launch.tile[d].max(1);
            self.tile[d] = rest % count;
            self.origin[d] = self.tile[d] * self.code.launch.tile[d];
            rest /= count;
        }
    }

    /// Switches to a thread.
    fn turn<W: LaunchWatch>(&self, machine: &mut RunningLaunch<'_, '_, W>, thread: u32) {
        machine.watch.turn(thread);
        let rank = self.tile.len();
        let local = &self.local[thread as usize * rank..][..rank];
        let global = |d: usize| self.origin[d] + local[d];
        machine.thread = (0..rank).fold(0, |at, d| at * u64::from(self.code.launch.domain[d]) + u64::from(global(d)));
        for &(position, slot) in &self.code.frame.positions {
            machine.frame[slot as usize] = u64::from(match position {
                Position::Global(d) => global(d),
                Position::Local(d) => local[d],
                Position::Tile(d) => self.tile[d],
                Position::TileOrigin(d) => self.origin[d],
            });
        }
    }

    /// Begins a phase. The first phase of a tile zeroes its `tile_static` variables. A shuffled
    /// order is shuffled anew in each phase.
    fn begin_phase<W: LaunchWatch>(&mut self, machine: &mut RunningLaunch<'_, '_, W>, tile: u64, phase: u64) {
        if phase == 0
            && let Some(bytes) = machine.own(self.code.launch.tile_space)
        {
            bytes.fill(0);
        }
        if let ThreadOrder::Shuffled(seed) = self.order {
            order::shuffle(&mut self.turns, seed ^ tile.rotate_left(32), phase);
        }
    }

    /// Runs a tile without barriers: each thread to its end.
    fn alone<W: LaunchWatch>(&mut self, machine: &mut RunningLaunch<'_, '_, W>, tile: u64) -> Option<Ending> {
        self.begin_phase(machine, tile, 0);
        for i in 0..self.turns.len() {
            self.turn(machine, self.turns[i]);
            match machine.run(0) {
                ThreadStop::OutOfFuel => return Some(machine.meter.out_of_fuel()),
                ThreadStop::Interrupted => return Some(Ending::Interrupted),
                ThreadStop::Stopped => return Some(Ending::Stopped),
                ThreadStop::Barrier(_) | ThreadStop::Returned(_) | ThreadStop::Inert => {}
            }
        }
        None
    }

    /// Runs a tile from barrier to barrier.
    fn phases<W: LaunchWatch>(&mut self, machine: &mut RunningLaunch<'_, '_, W>, tile: u64) -> Option<Ending> {
        let own = self.code.frame.own as usize;
        let lanes = self.code.frame.lanes as usize - own;
        let mut phase = 0;
        let mut barrier: Option<u32> = None;
        loop {
            self.begin_phase(machine, tile, phase);
            for i in 0..self.turns.len() {
                let thread = self.turns[i] as usize;
                let saved = thread * lanes..(thread + 1) * lanes;
                if phase > 0 {
                    if self.stops[thread] == ThreadStop::Inert {
                        continue;
                    }
                    machine.frame[own..].copy_from_slice(&self.saved[saved.clone()]);
                }
                self.turn(machine, thread as u32);
                machine.private.at = thread as u64 * self.code.frame.private;
                let resume = barrier.map_or(0, |barrier| self.code.barriers[barrier as usize].resume);
                let stop = machine.run(resume);
                match stop {
                    ThreadStop::Barrier(_) => self.saved[saved].copy_from_slice(&machine.frame[own..]),
                    ThreadStop::Returned(_) | ThreadStop::Inert => {}
                    ThreadStop::OutOfFuel => return Some(machine.meter.out_of_fuel()),
                    ThreadStop::Interrupted => return Some(Ending::Interrupted),
                    ThreadStop::Stopped => return Some(Ending::Stopped),
                }
                self.stops[thread] = stop;
            }
            match self.judge() {
                Judgement::Done => return None,
                Judgement::Met(met) => {
                    machine.watch.barrier(self.barrier(met).fence);
                    barrier = Some(met);
                }
                Judgement::Diverged => return Some(Ending::BarrierDivergence(self.divergence())),
            }
            phase += 1;
        }
    }

    fn judge(&self) -> Judgement {
        let mut live = (0..self.threads).filter(|&thread| self.stops[thread as usize] != ThreadStop::Inert);
        let Some(first) = live.next() else { return Judgement::Done };
        match self.stops[first as usize] {
            ThreadStop::Barrier(barrier) => {
                let same = live.all(|thread| {
                    self.stops[thread as usize] == ThreadStop::Barrier(barrier)
                        && self.rounds(thread, barrier).eq(self.rounds(first, barrier))
                });
                if same { Judgement::Met(barrier) } else { Judgement::Diverged }
            }
            _ if live.all(|thread| matches!(self.stops[thread as usize], ThreadStop::Returned(_))) => Judgement::Done,
            _ => Judgement::Diverged,
        }
    }

    fn barrier(&self, barrier: u32) -> &BarrierCode {
        &self.code.barriers[barrier as usize]
    }

    /// The iterations of the loops around its barrier that a thread is in.
    fn rounds(&self, thread: u32, barrier: u32) -> impl Iterator<Item = u64> {
        let own = self.code.frame.own as usize;
        let first = thread as usize * (self.code.frame.lanes as usize - own);
        self.barrier(barrier).counters.iter().map(move |&slot| self.saved[first + slot as usize - own])
    }

    /// Groups threads by how they stopped. Threads are added in order, so the sides are sorted by
    /// their lowest thread.
    fn divergence(&self) -> Divergence {
        let mut sides = SideCollector::default();
        for thread in 0..self.threads {
            let stop = self.stops[thread as usize];
            let (did, pos) = match stop {
                ThreadStop::Barrier(barrier) => {
                    (Arrival::Barrier { rounds: self.rounds(thread, barrier).collect() }, self.barrier(barrier).pos)
                }
                ThreadStop::Returned(at) => (Arrival::Returned, self.code.report.pos[at as usize]),
                ThreadStop::Inert | ThreadStop::OutOfFuel | ThreadStop::Interrupted | ThreadStop::Stopped => continue,
            };
            sides.add(thread, (stop, did, pos));
        }
        sides.divergence(self.tile.iter().map(|&t| t as i32).collect(), |(_, did, pos)| (did, pos))
    }
}

enum Judgement {
    Done,
    Met(u32),
    Diverged,
}

/// The position of a linear index in a rectangle.
pub(super) fn position(linear: u32, extent: &[u32]) -> Vec<u32> {
    let mut rest = linear;
    let mut position: Vec<u32> = extent
        .iter()
        .rev()
        .map(|&e| {
            let at = rest % e.max(1);
            rest /= e.max(1);
            at
        })
        .collect();
    position.reverse();
    position
}
