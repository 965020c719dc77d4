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
//! launches try both ([`StreamTrial`]), each until it takes no less time any more, and take what takes less time. Their
//! first launches try nothing, and trials are repeated, at first soon.
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
/// touched for the first time.
const WARM_UP: u64 = 8;

/// The first launches of each way do not count: they read what was written in the other way, and write where what was
/// there is in no cache.
const UNCOUNTED: u64 = 2;

/// A way has settled when so many launches in succession took no less than [`SHORTER`] of the shortest before. A cache
/// adopts what launches write by and by: on two cores of a Sapphire Rapids, steps between two grids of 64 MiB through
/// the caches took 4.8, 4.6, 3.8, 3.2, 2.8 and then 2.6 ms behind launches past them, and at the beginning 6.7, 6.0,
/// 5.4, 4.9, 4.4, 3.6 ms and so on; past the caches each took 3.9 ms from the third on.
const SETTLED: u64 = 4;
const SHORTER: f64 = 0.97;

/// The most launches in one way that a trial makes.
const LONGEST: u64 = 24;

/// Launches between the first two trials; twice as many after each that comes to the same, up to a number: caches are
/// shared with other programs, and one of them may have disturbed a trial.
const PAUSES: (u64, u64) = (16, 512);

/// The launches of a kernel that may stream or not.
#[derive(Debug, Default)]
pub(super) struct StreamTrial(Mutex<TrialState>);

#[derive(Debug)]
struct TrialState {
    /// Launches before the next trial, and after it.
    left: u64,
    pause: u64,
    /// What the last trial came to.
    streams: bool,
    /// Does the trial that goes on make its launches past the caches? Through the caches comes first.
    tries_past: bool,
    /// The launches in this way so far, and those in succession that were not shorter.
    tried: u64,
    not_shorter: u64,
    /// The shortest time of a thread in the launches of the last trial, through the caches and past them.
    shortest: [Option<f64>; 2],
}

impl Default for TrialState {
    fn default() -> TrialState {
        TrialState {
            left: WARM_UP,
            pause: PAUSES.0,
            streams: false,
            tries_past: false,
            tried: 0,
            not_shorter: 0,
            shortest: [None; 2],
        }
    }
}

impl TrialState {
    /// Goes on to the other way, or ends the trial.
    fn end_way(&mut self) {
        (self.tried, self.not_shorter) = (0, 0);
        self.tries_past = !self.tries_past;
        if self.tries_past {
            return;
        }
        // Streaming has to save a twentieth: what comes after these launches may read what they wrote.
        let streams = matches!(self.shortest, [Some(through), Some(past)] if past < 0.95 * through);
        if streams != self.streams {
            self.pause = PAUSES.0;
        }
        (self.streams, self.left) = (streams, self.pause);
        self.pause = PAUSES.1.min(2 * self.pause);
    }
}

/// The way of a launch that may stream or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TrialLaunch {
    pub(super) streams: bool,
    counts: bool,
}

impl StreamTrial {
    /// How the next launch is made.
    pub(super) fn next(&self) -> TrialLaunch {
        let mut state = self.state();
        if state.left == 0 && (state.tried == LONGEST || state.not_shorter == SETTLED) {
            state.end_way();
        }
        if let Some(left) = state.left.checked_sub(1) {
            state.left = left;
            return TrialLaunch { streams: state.streams, counts: false };
        }
        if state.tried == 0 && !state.tries_past {
            state.shortest = [None; 2];
        }
        state.tried += 1;
        TrialLaunch { streams: state.tries_past, counts: state.tried > UNCOUNTED }
    }

    /// Adds the time that a launch took, divided by its threads.
    pub(super) fn learn(&self, launch: TrialLaunch, time: f64) {
        if !launch.counts {
            return;
        }
        let mut state = self.state();
        let before = state.shortest[usize::from(launch.streams)];
        state.shortest[usize::from(launch.streams)] = Some(before.map_or(time, |before| before.min(time)));
        // Launches may end when the trial has gone on to the other way.
        if launch.streams == state.tries_past && state.left == 0 {
            let is_shorter = before.is_none_or(|before| time < SHORTER * before);
            state.not_shorter = if is_shorter { 0 } else { SETTLED.min(state.not_shorter + 1) };
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

    /// Makes launches to the end of a trial, whose times are told by the way and the number of launches in it so far.
    fn one_trial(trial: &StreamTrial, time: impl Fn(bool, u64) -> f64) -> [u64; 2] {
        let mut made = [0; 2];
        loop {
            let launch = trial.next();
            let number = &mut made[usize::from(launch.streams)];
            trial.learn(launch, time(launch.streams, *number));
            *number += 1;
            if trial.state().left > 0 {
                // That launch was the first behind the trial.
                *number -= 1;
                return made;
            }
        }
    }

    /// Makes the launches before the next trial; they are told as very short or very long, which must not matter.
    fn rest(trial: &StreamTrial, streams: bool) -> u64 {
        let left = trial.state().left;
        for _ in 0..left {
            let launch = trial.next();
            assert_eq!(launch, TrialLaunch { streams, counts: false });
            trial.learn(launch, if streams { 1e9 } else { 1e-9 });
        }
        left
    }

    #[test]
    fn both_ways_are_tried_and_the_shorter_is_taken() {
        let trial = StreamTrial::default();
        assert_eq!(rest(&trial, false), WARM_UP);
        for (through, past, streams, pause) in [
            (10.0, 9.0, true, 16),
            (10.0, 9.1, true, 32),
            (10.0, 9.8, false, 16),
            (10.0, 20.0, false, 32),
            (10.0, 20.0, false, 64),
            (10.0, 9.0, true, 16),
        ] {
            // The first launches of each way are told as very short.
            let factor = |number| if number < UNCOUNTED { 0.01 } else { 1.0 };
            let made = one_trial(&trial, |streams, n| factor(n) * if streams { past } else { through });
            assert_eq!(made, [UNCOUNTED + 1 + SETTLED; 2]);
            assert_eq!(rest(&trial, streams), pause - 1);
        }
        (0..8).for_each(|_| _ = (one_trial(&trial, |_, _| 1.0), rest(&trial, false)));
        one_trial(&trial, |_, _| 1.0);
        assert_eq!(rest(&trial, false), PAUSES.1 - 1);
    }

    #[test]
    fn a_cache_has_the_time_that_it_needs_to_adopt_what_is_written() {
        let trial = StreamTrial::default();
        rest(&trial, false);
        // As measured; the launches of another program come between the 11th and the 12th.
        let through = [8.3, 5.4, 4.9, 4.4, 3.6, 3.6, 3.5, 3.2, 6.3, 6.7, 5.7, 5.6, 5.6, 4.8];
        let past = [3.6, 4.2, 4.0, 4.0, 4.1, 4.2, 3.9];
        let told = |streams: bool, n: u64| {
            let times = if streams { &past[..] } else { &through[..] };
            times.get(n as usize).copied().unwrap_or(2.6)
        };
        assert_eq!(one_trial(&trial, told), [12, 7]);
        rest(&trial, false);
        // A way that takes less time with each launch is given up.
        let made = one_trial(&trial, |streams, n| if streams { 1.0 } else { 10.0 * 0.96_f64.powi(n as i32) });
        assert_eq!(made, [LONGEST, UNCOUNTED + 1 + SETTLED]);
        rest(&trial, true);
    }

    #[test]
    fn launches_that_end_late_or_never_leave_it_at_the_caches() {
        let trial = StreamTrial::default();
        rest(&trial, false);
        let made: Vec<TrialLaunch> = (0..2 * LONGEST).map(|_| trial.next()).collect();
        assert!(!trial.next().streams);
        made.iter().filter(|made| !made.streams).for_each(|made| trial.learn(*made, 10.0));
        made.iter().filter(|made| made.streams).for_each(|made| trial.learn(*made, 9.0));
        // What ends behind its trial does not shorten the next.
        assert_eq!(rest(&trial, false), PAUSES.0 - 1);
        assert_eq!(one_trial(&trial, |_, _| 1.0), [UNCOUNTED + 1 + SETTLED; 2]);
        // A way without a single time is not taken.
        rest(&trial, false);
        let made: Vec<TrialLaunch> = (0..2 * LONGEST).map(|_| trial.next()).collect();
        made.iter().filter(|made| made.streams).for_each(|made| trial.learn(*made, 1.0));
        assert!(!trial.next().streams);
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
