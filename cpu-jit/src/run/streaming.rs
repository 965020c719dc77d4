//! Decides whether the stores of a launch bypass the caches.
//!
//! A store of a whole line to memory that is not in a cache reads the line first, only to overwrite
//! it: a third of the traffic of an addition of two vectors. Stores that bypass the caches do not,
//! but what they wrote is then read from memory. So they pay off where a launch writes more than the
//! caches keep anyway, or than a core gets of a cache that many share: on a server whose last-level
//! cache has 300 MiB, a vector addition on two cores that writes 64 MiB took 8.8 ms by stores through
//! the caches, 4.3 ms past them.
//!
//! What a launch has written and a later one reads ([`WriteHistory`]) stays in the caches as long as
//! these may hold it: ten steps from one grid to another, 64 MiB each, took 6.2 ms through that cache
//! and 13 ms past it on 16 cores. But how much of a server's cache a program gets depends on its
//! neighbours: on two of the cores both took 50 to 60 ms, and at another time 80 and 64 ms. So such
//! launches try both ([`StreamTrial`]), several in succession each, and take what takes less time. Their first
//! launches try nothing, and trials are repeated, at first soon.
//!
//! They need whole aligned lines. Memory of the library is aligned; of a caller's slice the columns
//! before the first aligned element are a *lead*: the launch runs its first vector from column 0, and
//! all others from the lead on, so that those in between run twice
//! ([`UnitGrid`](super::grid::UnitGrid)).

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::bind::LaunchView;
use crate::emit::CodeForm;

/// Bytes of a line.
const LINE: u64 = 64;

/// A launch that writes more than this streams however large the cache is, unless that is read back.
const MOST_CACHED: u64 = 32 << 20;

/// The size of the last-level cache where it is unknown.
const USUAL_CACHE: u64 = 32 << 20;

/// Do the stores of a launch bypass the caches?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Streaming {
    #[default]
    Never,
    /// They do.
    Always(StreamLead),
    /// What takes less time, as the kernel's [`StreamTrial`] knows.
    Measured(StreamLead),
}

/// The columns before the first aligned element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StreamLead(pub(super) u64);

/// Launches of a kernel before its first trial: its code is still compiled while they run, and their memory is
/// touched for the first time. On two cores of a Sapphire Rapids with quiet neighbours, ten steps between two grids
/// of 64 MiB took 41 to 45 ms in five of eight races, which had settled on stores past the caches in their first
/// ten launches, and 27 to 28 ms in the others.
const WARM_UP: u64 = 8;

/// Successive launches of a trial that are made in the same way.
const TRIED: u64 = 5;

/// The first of them do not count: they read what was written in the other way, and write where what was there is in
/// no cache.
const UNCOUNTED: u64 = 2;

/// Launches between the first two trials; twice as many after each, up to a number: caches are shared with other
/// programs, and one of them may have disturbed a trial.
const PAUSES: (u64, u64) = (16, 128);

/// The launches of a kernel that may stream or not.
#[derive(Debug, Default)]
pub(super) struct StreamTrial(Mutex<TrialState>);

#[derive(Debug)]
struct TrialState {
    /// Launches before the next trial, and after it.
    left: u64,
    pause: u64,
    /// The launches of the trial so far.
    tried: u64,
    /// The shortest time of a thread in the launches of the last trial, through the caches and past them.
    shortest: [Option<f64>; 2],
}

impl Default for TrialState {
    fn default() -> TrialState {
        TrialState { left: WARM_UP, pause: PAUSES.0, tried: 0, shortest: [None; 2] }
    }
}

/// The way of a launch that may stream or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TrialLaunch {
    pub(super) streams: bool,
    counts: bool,
}

impl StreamTrial {
    /// How the next launch is made. Streaming has to save a twentieth: what comes after these launches may
    /// read what they wrote.
    pub(super) fn next(&self) -> TrialLaunch {
        let mut state = self.state();
        if let Some(left) = state.left.checked_sub(1) {
            state.left = left;
            let streams = matches!(state.shortest, [Some(through), Some(past)] if past < 0.95 * through);
            return TrialLaunch { streams, counts: false };
        }
        let launch = state.tried;
        if launch == 0 {
            state.shortest = [None; 2];
        }
        state.tried += 1;
        if state.tried == 2 * TRIED {
            (state.left, state.tried) = (state.pause, 0);
            state.pause = PAUSES.1.min(2 * state.pause);
        }
        TrialLaunch { streams: launch >= TRIED, counts: launch % TRIED >= UNCOUNTED }
    }

    /// Adds the time that a launch took, divided by its threads.
    pub(super) fn learn(&self, launch: TrialLaunch, time: f64) {
        if launch.counts {
            let shortest = &mut self.state().shortest[usize::from(launch.streams)];
            *shortest = Some(shortest.map_or(time, |before| before.min(time)));
        }
    }

    /// Were launches measured through the caches, and past them?
    #[cfg(test)]
    pub(super) fn measured(&self) -> [bool; 2] {
        self.state().shortest.map(|time| time.is_some())
    }

    fn state(&self) -> MutexGuard<'_, TrialState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Pieces of memory that a [`WriteHistory`] knows.
const REMEMBERED: usize = 16;

/// What recent launches wrote, of large views, and whether a later launch read it: programs do the
/// same again and again. It is by addresses, so memory that is allocated anew may have the history of
/// what was there; then a launch is slower, no more.
#[derive(Debug)]
pub(super) struct WriteHistory {
    pieces: Mutex<VecDeque<WrittenPiece>>,
    /// Bytes of the cache that may hold what was written.
    cache: u64,
}

impl Default for WriteHistory {
    fn default() -> WriteHistory {
        WriteHistory::with_cache(last_level_cache())
    }
}

#[derive(Debug)]
struct WrittenPiece {
    addresses: Range<u64>,
    /// Has a launch read it since?
    read: bool,
}

impl WriteHistory {
    /// Of a machine whose cache has so many bytes.
    pub(super) fn with_cache(cache: u64) -> WriteHistory {
        WriteHistory { pieces: Mutex::default(), cache }
    }

    /// Adds a launch; returns whether one of the views that it writes was written and then read by
    /// launches before.
    fn note(&self, views: impl Iterator<Item = LaunchView> + Clone) -> bool {
        let mut views = views.filter(|view| view.bytes >= MOST_CACHED).peekable();
        if views.peek().is_none() {
            return false;
        }
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut written, mut read_back) = (Vec::new(), false);
        for view in views {
            let addresses = view.start..view.start.saturating_add(view.bytes);
            let overlap = |piece: &&mut WrittenPiece| {
                piece.addresses.start < addresses.end && addresses.start < piece.addresses.end
            };
            if view.written {
                read_back |= pieces.iter_mut().filter(overlap).any(|piece| piece.read);
                written.push(addresses);
            } else {
                pieces.iter_mut().filter(overlap).for_each(|piece| piece.read = true);
            }
        }
        for addresses in written {
            pieces.retain(|piece| piece.addresses.end <= addresses.start || addresses.end <= piece.addresses.start);
            pieces.push_back(WrittenPiece { addresses, read: false });
        }
        let beyond = pieces.len().saturating_sub(REMEMBERED);
        pieces.drain(..beyond);
        read_back
    }
}

/// For a launch of so many threads, by its views and what launches before it did.
pub(super) fn streaming(
    views: impl Iterator<Item = LaunchView> + Clone,
    threads: u64,
    history: &WriteHistory,
) -> Streaming {
    if CodeForm::widest() == CodeForm::Cranelift {
        return Streaming::Never;
    }
    let read_back = history.note(views.clone());
    decide(views, threads, StreamLimits::of(history.cache, read_back))
}

/// The numbers of bytes written from which stores may bypass the caches, and from which they do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StreamLimits {
    measured: u64,
    always: u64,
}

impl StreamLimits {
    /// For a cache of a size. Is what is written there usually read back?
    fn of(cache: u64, read_back: bool) -> StreamLimits {
        let measured = (cache / 2).min(MOST_CACHED);
        StreamLimits { measured, always: if read_back { cache / 2 } else { measured } }
    }
}

fn decide(views: impl Iterator<Item = LaunchView>, threads: u64, limits: StreamLimits) -> Streaming {
    let (mut bytes, mut lead) = (0_u64, None);
    for view in views.filter(|view| view.written && view.unit && matches!(view.element, 4 | 8)) {
        bytes = bytes.saturating_add(view.bytes);
        let own = leading(&view);
        lead = match lead {
            None => Some(own),
            Some(others) if others == own => lead,
            // They cannot all be aligned.
            Some(_) => Some(0),
        };
    }
    // A launch of fewer threads than elements writes a part of them, which may fit a cache.
    if bytes < limits.measured || threads.saturating_mul(LINE) < bytes {
        return Streaming::Never;
    }
    let lead = StreamLead(lead.unwrap_or(0));
    if bytes < limits.always { Streaming::Measured(lead) } else { Streaming::Always(lead) }
}

/// The elements before the first aligned one, if there is one in each row.
fn leading(view: &LaunchView) -> u64 {
    let before = view.start.next_multiple_of(LINE) - view.start;
    if view.rows && before.is_multiple_of(view.element) { before / view.element } else { 0 }
}

/// The size of the last-level cache in bytes.
fn last_level_cache() -> u64 {
    static SIZE: OnceLock<u64> = OnceLock::new();
    *SIZE.get_or_init(|| {
        let read = |index: u32| {
            let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/size");
            parse_size(std::fs::read_to_string(path).ok()?.trim())
        };
        (0..8).filter_map(read).max().unwrap_or(USUAL_CACHE)
    })
}

/// A size as the system writes it: `32768K`.
fn parse_size(text: &str) -> Option<u64> {
    let (digits, unit) = match text.char_indices().last()? {
        (at, 'K') => (&text[..at], 1 << 10),
        (at, 'M') => (&text[..at], 1 << 20),
        (at, 'G') => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(start: u64, element: u64, bytes: u64, rows: bool) -> LaunchView {
        LaunchView { written: true, start, element, bytes, unit: true, rows }
    }

    #[test]
    fn only_launches_that_write_much_stream_and_lead_to_the_first_aligned_element() {
        let limits = StreamLimits { measured: 1000, always: 5000 };
        let one = |view, threads| decide([view].into_iter(), threads, limits);
        let measured = |lead| Streaming::Measured(StreamLead(lead));
        assert_eq!(one(view(16, 4, 4000, true), 1000), measured(12));
        assert_eq!(one(view(16, 4, 5000, true), 1000), Streaming::Always(StreamLead(12)));
        assert_eq!(one(view(64, 8, 4000, true), 500), measured(0));
        assert_eq!(one(view(18, 4, 4000, true), 1000), measured(0), "odd bytes");
        assert_eq!(one(view(16, 4, 4000, false), 1000), measured(0), "odd rows");
        assert_eq!(one(view(16, 4, 999, true), 1000), Streaming::Never, "too small");
        assert_eq!(one(view(16, 4, 1 << 30, true), 1000), Streaming::Never, "few threads");
        let two = decide([view(16, 4, 600, true), view(32, 4, 600, true)].into_iter(), 1000, limits);
        assert_eq!(two, measured(0), "two that differ");
    }

    #[test]
    fn a_launch_that_writes_half_the_cache_or_32_mib_streams_or_is_measured() {
        let of = |cache: u64, read_back| {
            let limits = StreamLimits::of(cache << 20, read_back);
            [limits.measured >> 20, limits.always >> 20]
        };
        assert_eq!([of(8, false), of(8, true)], [[4, 4]; 2]);
        assert_eq!([of(300, false), of(300, true)], [[32, 32], [32, 150]]);
    }

    #[test]
    fn both_ways_are_tried_and_the_shorter_is_taken() {
        let trial = StreamTrial::default();
        // The first launches of each way are told as very short, one of the others as very long.
        let tries = |through: f64, past: f64| {
            for launch in 0..2 * TRIED {
                let made = trial.next();
                assert_eq!(made.streams, launch >= TRIED);
                let time = if made.streams { past } else { through };
                trial.learn(made, time * [0.01, 0.01, 9.0, 1.0, 1.1][(launch % TRIED) as usize]);
            }
        };
        let rest = |launches: u64, streams: bool| {
            for _ in 0..launches {
                let made = trial.next();
                assert_eq!(made.streams, streams);
                trial.learn(made, if streams { 1e9 } else { 1e-9 });
            }
        };
        rest(WARM_UP, false);
        for (through, past, streams, pause) in [
            (10.0, 9.0, true, 16),
            (10.0, 9.8, false, 32),
            (10.0, 20.0, false, 64),
            (10.0, 9.0, true, 128),
            (10.0, 20.0, false, 128),
        ] {
            tries(through, past);
            rest(pause, streams);
        }
    }

    #[test]
    fn launches_that_end_late_or_never_leave_it_at_the_caches() {
        let trial = StreamTrial::default();
        (0..WARM_UP).for_each(|_| assert_eq!(trial.next(), TrialLaunch { streams: false, counts: false }));
        let made: Vec<TrialLaunch> = (0..2 * TRIED).map(|_| trial.next()).collect();
        assert!(!trial.next().streams);
        made.iter().filter(|made| !made.streams).for_each(|made| trial.learn(*made, 10.0));
        assert!(!trial.next().streams);
        made.iter().filter(|made| made.streams).for_each(|made| trial.learn(*made, 9.0));
        assert!(trial.next().streams);
    }

    #[test]
    fn what_is_written_read_and_written_again_is_known_until_nobody_reads_it() {
        let of = |megabytes: u64, written: bool| LaunchView { written, ..view(megabytes << 20, 4, 64 << 20, true) };
        let history = WriteHistory::default();
        let note = |views: &[LaunchView]| history.note(views.iter().copied());
        // Steps between two grids.
        assert!(!note(&[of(0, false), of(64, true)]));
        assert!(!note(&[of(64, false), of(0, true)]));
        assert!(note(&[of(0, false), of(64, true)]));
        assert!(note(&[of(64, false), of(0, true)]));
        // Then one that nobody reads any more.
        assert!(!note(&[of(200, false), of(0, true)]) && !note(&[of(200, false), of(0, true)]));
        // A part counts for all; what is small, or next to it, does not.
        assert!(!note(&[of(80, false)]) && note(&[of(64, true)]));
        assert!(!note(&[LaunchView { bytes: 1 << 20, ..of(64, false) }]) && !note(&[of(64, true)]));
        assert!(!note(&[of(128, false)]) && !note(&[of(64, true)]));
        // Old ones are forgotten.
        note(&[of(64, false)]);
        (4..4 + REMEMBERED as u64).for_each(|at| _ = note(&[of(at * 64, true)]));
        assert!(!note(&[of(64, true)]));
    }

    #[test]
    fn sizes_are_read_as_the_system_writes_them() {
        let sizes = ["32K", "107520K", "33M", "64", "", "xK"].map(parse_size);
        assert_eq!(sizes, [Some(32 << 10), Some(107_520 << 10), Some(33 << 20), Some(64), None, None]);
    }
}
