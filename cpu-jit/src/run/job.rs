//! A job: the compiled part of one launch, as executed by a team.
#![allow(unsafe_code, reason = "calls compiled code; `Engine::launch` says what must hold of the memory it works in")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::launch::{Divergence, Domain, Ending, Outcome};
use tilewise_ir::stack::{NoStack, unwind};
use tilewise_trace::{SpanKind, span};

use super::arena::WorkerArena;
use super::float::Environment;
use super::grid::{UnitGrid, UnitRange};
use super::messages::{Ear, Told};
use super::options::Effort;
use super::prepared::{JitKernel, ReadyCode, Specialised, Which};
use super::streaming::TrialLaunch;
use super::team::TeamWork;
use super::watch::StopFlag;
use crate::bind::Aggregates;
use crate::emit::{self, HostCalls};
use crate::lanes::{ArenaPart, ExitStatus, divergence};

/// A specialisation whose code is ready, with the argument block of this launch.
pub(super) struct Loaded {
    /// Keeps the code alive.
    pub(super) specialised: Arc<Specialised>,
    /// The code that the words are for.
    pub(super) which: Which,
    pub(super) words: Vec<u64>,
}

impl Loaded {
    /// May a divergence be spurious?
    pub(super) fn doubtful(&self) -> bool {
        self.code().is_some_and(|ready| ready.program.doubtful)
    }

    fn ready(&self) -> Option<(&ReadyCode, &[u64])> {
        Some((self.code()?, &self.words))
    }

    pub(super) fn code(&self) -> Option<&ReadyCode> {
        self.specialised.get(self.which)
    }
}

/// The compiled part of one launch. It owns, or keeps alive, everything that compiled code needs
/// except the bound memory.
pub(super) struct LaunchJob {
    pub(super) kernel: JitKernel,
    pub(super) domain: Domain,
    pub(super) grid: UnitGrid,
    /// Its way, if launches of the kernel try whether to stream.
    pub(super) trial: Option<TrialLaunch>,
    /// The program that does most of the work.
    pub(super) wide: Loaded,
    /// The program of width 1, for the columns beyond the last whole vector, if there are any.
    pub(super) narrow: Option<Loaded>,
    /// The words point to these bytes.
    pub(super) _aggregates: Aggregates,
    pub(super) stop: Arc<StopFlag>,
    pub(super) told: Told,
    /// Must no more work begin?
    pub(super) over: AtomicBool,
    /// Did a member stop before all work was done?
    pub(super) interrupted: AtomicBool,
    pub(super) diverged: Mutex<Diverged>,
    /// The compile effort, which selects between tiers.
    pub(super) effort: Effort,
}

/// Tiles with barrier divergence. The launch reports the lowest of them, as if tiles ran
/// sequentially: tiles below it run to their end, which may find a lower one; then the tiles above
/// it, which may not terminate by themselves, are stopped.
#[derive(Default)]
pub(super) struct Diverged {
    /// The lowest such tile so far, and its divergence.
    lowest: Option<(u64, Divergence)>,
    /// For each working thread, the lowest tile that it may be executing; only for kernels whose
    /// threads can diverge at a barrier.
    at: Vec<Option<u64>>,
}

impl Diverged {
    /// Has each thread passed the lowest tile that diverged, by the end of its work or by taking a
    /// later tile? Then no lower one can be found, and later tiles need not end by themselves.
    fn is_settled(&self) -> bool {
        self.lowest.as_ref().is_some_and(|&(tile, _)| self.at.iter().flatten().all(|&at| at > tile))
    }
}

impl LaunchJob {
    /// The outcome, once no thread works on the job. A panic in a message callback resumes here.
    pub(super) fn outcome(&self) -> Outcome {
        let mut output = match self.told.finish() {
            Ok(output) => output,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        let diverged = self.diverged().lowest.take();
        let ending = match diverged {
            Some((tile, divergence)) => {
                let kernel = self.kernel.kernel();
                // As if the tiles had run sequentially.
                if !fault::planted(Fault::OutputOfLaterTiles) {
                    output.retain(|thread| self.domain.tile_number(kernel.tile().unwrap_or(&[]), thread) <= tile);
                }
                Ending::BarrierDivergence(divergence)
            }
            None if self.interrupted.load(Ordering::Relaxed) => Ending::Interrupted,
            None => Ending::Completed,
        };
        output.outcome(ending, 0)
    }

    /// May its code poll whether the launch is to end?
    pub(super) fn polls(&self) -> bool {
        let polls = |loaded: &Loaded| loaded.code().is_none_or(|ready| ready.polls);
        polls(&self.wide) || self.narrow.as_ref().is_some_and(polls)
    }

    /// Prevents further work.
    pub(super) fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
        self.over.store(true, Ordering::Relaxed);
    }

    fn diverged(&self) -> MutexGuard<'_, Diverged> {
        self.diverged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the tile that a thread is executing, or that it is idle.
    fn note(&self, chair: Option<usize>, at: Option<u64>) {
        let Some(chair) = chair else { return };
        let mut diverged = self.diverged();
        diverged.at[chair] = at;
        if diverged.is_settled() {
            self.stop.store(1, Ordering::Relaxed);
        }
    }

    /// Runs one part; returns whether to continue.
    fn run(&self, seat: &ThreadCall<'_>, part: UnitRange, arena: &WorkerArena) -> bool {
        let code = seat.ready.code(self.effort == Effort::Soon);
        // SAFETY: the words are made for this program, `given` is a part of the domain that it was
        // made for, and the arena has room for it (`work`). The caller of `Engine::launch`, which
        // waits for all threads that run this, guarantees that the bound memory is alive and
        // exclusive. The floating-point environment is the standard one (`work`).
        let status = unsafe { code.call(seat.words.as_ptr(), part.given, arena.pointer(), &raw const seat.host) };
        if status == ExitStatus::Done as i64 {
            return true;
        }
        if status == emit::FAILED {
            self.over.store(true, Ordering::Relaxed);
            let Some(why) = code.failure() else { unwind(NoStack { bytes: emit::COMPILE_STACK }) };
            panic!(
                "a part of the kernel `{}` can neither be compiled nor interpreted: {why}",
                self.kernel.kernel().name()
            );
        }
        if status == ExitStatus::Diverged as i64 {
            let layout = seat.ready.arena();
            let part = |part: ArenaPart| arena.bytes(layout.offset(part), layout.size(part));
            let (report, votes) = (part(ArenaPart::Report), part(ArenaPart::Votes));
            let tile = report.first_chunk().map_or(0, |&bytes| u64::from_ne_bytes(bytes));
            let mut diverged = self.diverged();
            if diverged
                .lowest
                .as_ref()
                .is_none_or(|&(lowest, _)| (tile < lowest) != fault::planted(Fault::HighestDivergenceTold))
            {
                let kernel = self.kernel.kernel().inlined();
                diverged.lowest = Some((tile, divergence(&seat.ready.program, kernel, &self.domain, &report, &votes)));
            }
            self.over.store(true, Ordering::Relaxed);
        } else {
            self.interrupt();
        }
        false
    }
}

/// The arguments for one thread's calls of one program.
struct ThreadCall<'a> {
    ready: &'a ReadyCode,
    words: &'a [u64],
    host: HostCalls,
}

impl TeamWork for LaunchJob {
    fn is_of_any_order(&self) -> bool {
        let votes = [Some(&self.wide), self.narrow.as_ref()].into_iter().flatten();
        let mut votes = votes.filter_map(Loaded::ready).map(|(ready, _)| ready.arena().votes);
        self.kernel.is_of_any_order() && votes.all(|votes| votes == 0)
    }

    fn work(&self, claim: &mut dyn FnMut() -> Option<(u64, u64)>) {
        // A job is created only when its code is ready.
        let Some((wide, words)) = self.wide.ready() else { return };
        let (narrow, narrow_words) = self.narrow.as_ref().and_then(Loaded::ready).unwrap_or((wide, words));
        let arena = WorkerArena::take(wide.arena().total().max(narrow.arena().total()));
        let ears = [wide, narrow].map(|ready| Ear { told: &self.told, program: &ready.program, stop: &self.stop });
        let wide = ThreadCall { ready: wide, words, host: ears[0].host() };
        let narrow = ThreadCall { ready: narrow, words: narrow_words, host: ears[1].host() };
        let chair = (wide.ready.arena().votes > 0).then(|| {
            let mut diverged = self.diverged();
            diverged.at.push(None);
            diverged.at.len() - 1
        });
        let environment = Environment::enter();
        while !self.over.load(Ordering::Relaxed) {
            // Before the position is known, so that no thread assumes that all lower tiles are
            // done.
            self.note(chair, Some(0));
            let Some((first, end)) = claim() else { break };
            self.note(chair, Some(first));
            if self.stop.load(Ordering::Relaxed) != 0 {
                self.interrupt();
                break;
            }
            let chunk = span(SpanKind::Chunk, || {
                format!("units {first} to {} of the kernel `{}`", end - 1, self.kernel.kernel().name())
            });
            self.grid.parts(first, end, &mut |part| self.run(if part.narrow { &narrow } else { &wide }, part, &arena));
            drop(chunk);
            self.note(chair, None);
            if self.effort == Effort::Auto {
                [Some(&self.wide), self.narrow.as_ref()]
                    .into_iter()
                    .flatten()
                    .for_each(|loaded| loaded.specialised.improve());
            }
        }
        self.note(chair, None);
        drop(environment);
        arena.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_divergence_is_settled_when_each_thread_is_beyond_its_tile() {
        let divergence = || Divergence { tile: vec![5], sides: Vec::new() };
        let settled = |lowest: Option<u64>, at: &[Option<u64>]| {
            Diverged { lowest: lowest.map(|tile| (tile, divergence())), at: at.to_vec() }.is_settled()
        };
        assert!(!settled(None, &[None, None]), "nothing has diverged");
        assert!(settled(Some(5), &[None, None]));
        // A thread that takes a later tile after the others have ended is stopped, or might never end.
        assert!(settled(Some(5), &[None, Some(6)]));
        // One that may still take any tile, or runs an earlier one, may find a lower divergence.
        assert!(!settled(Some(5), &[None, Some(0)]));
        assert!(!settled(Some(5), &[Some(4), Some(100)]));
    }
}
