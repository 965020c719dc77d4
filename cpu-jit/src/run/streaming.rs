//! Decides whether the stores of a launch bypass the caches.
//!
//! A store of a whole line to memory that is not in a cache reads the line first, only to overwrite
//! it: a third of the traffic of an addition of two vectors. Stores that bypass the caches do not,
//! but what they wrote is then read from memory. So they pay off where a launch writes more than the
//! caches keep anyway, or than a core gets of a cache that many share: on a server whose last-level
//! cache has 300 MiB, a vector addition on two cores that writes 64 MiB took 8.8 ms by stores through
//! the caches, 4.3 ms past them.
//!
//! They need whole aligned lines. Memory of the library is aligned; of a caller's slice the columns
//! before the first aligned element are a *lead*: the launch runs its first vector from column 0, and
//! all others from the lead on, so that those in between run twice
//! ([`UnitGrid`](super::grid::UnitGrid)).

use std::sync::OnceLock;

use crate::bind::WrittenView;
use crate::emit::CodeForm;

/// Bytes of a line.
const LINE: u64 = 64;

/// A launch that writes more than this streams, however large the cache is.
const MOST_CACHED: u64 = 32 << 20;

/// The size of the last-level cache where it is unknown.
const USUAL_CACHE: u64 = 32 << 20;

/// Streaming stores in a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Streaming {
    /// Do stores bypass the caches?
    pub(super) streams: bool,
    /// The columns before the first aligned element.
    pub(super) lead: u64,
}

/// For a launch of so many threads, by the views that its kernel writes.
pub(super) fn streaming(views: impl Iterator<Item = WrittenView>, threads: u64) -> Streaming {
    if CodeForm::widest() == CodeForm::Cranelift {
        return Streaming::default();
    }
    decide(views, threads, streams_from(last_level_cache()))
}

/// The number of bytes written from which stores bypass a cache of a size.
fn streams_from(cache: u64) -> u64 {
    (cache / 2).min(MOST_CACHED)
}

/// `from` is the number of bytes written from which stores bypass the caches.
fn decide(views: impl Iterator<Item = WrittenView>, threads: u64, from: u64) -> Streaming {
    let (mut bytes, mut lead) = (0_u64, None);
    for view in views.filter(|view| view.unit && matches!(view.element, 4 | 8)) {
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
    if bytes < from || threads.saturating_mul(LINE) < bytes {
        return Streaming::default();
    }
    Streaming { streams: true, lead: lead.unwrap_or(0) }
}

/// The elements before the first aligned one, if there is one in each row.
fn leading(view: &WrittenView) -> u64 {
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

    fn view(start: u64, element: u64, bytes: u64, rows: bool) -> WrittenView {
        WrittenView { start, element, bytes, unit: true, rows }
    }

    #[test]
    fn only_launches_that_write_much_stream_and_lead_to_the_first_aligned_element() {
        let one = |view, threads| decide([view].into_iter(), threads, 1000);
        assert_eq!(one(view(16, 4, 4000, true), 1000), Streaming { streams: true, lead: 12 });
        assert_eq!(one(view(64, 8, 4000, true), 500), Streaming { streams: true, lead: 0 });
        assert_eq!(one(view(18, 4, 4000, true), 1000), Streaming { streams: true, lead: 0 }, "odd bytes");
        assert_eq!(one(view(16, 4, 4000, false), 1000), Streaming { streams: true, lead: 0 }, "odd rows");
        assert_eq!(one(view(16, 4, 999, true), 1000), Streaming::default(), "too small");
        assert_eq!(one(view(16, 4, 1 << 30, true), 1000), Streaming::default(), "few threads");
        let two = decide([view(16, 4, 600, true), view(32, 4, 600, true)].into_iter(), 1000, 1000);
        assert_eq!(two, Streaming { streams: true, lead: 0 }, "two that differ");
    }

    #[test]
    fn a_launch_that_writes_half_the_cache_or_32_mib_streams() {
        assert_eq!([8_u64 << 20, 300 << 20].map(streams_from), [4 << 20, 32 << 20]);
    }

    #[test]
    fn sizes_are_read_as_the_system_writes_them() {
        let sizes = ["32K", "107520K", "33M", "64", "", "xK"].map(parse_size);
        assert_eq!(sizes, [Some(32 << 10), Some(107_520 << 10), Some(33 << 20), Some(64), None, None]);
    }
}
