//! Copies between the program's memory and staging memory by several threads.
//!
//! One core fills or empties staging memory at about half the rate of a device's bus, so copies of
//! many bytes are shared. The threads are of a private pool: a copy waits for them while it holds
//! the lock of an allocation, and workers of a pool of the program's may be waiting for that lock.

use std::sync::{Mutex, OnceLock};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};
use wgpu::WriteOnly;

use super::device::locked;

/// Bytes that one thread copies at a time; a copy of fewer than two shares stays on the caller's
/// thread.
const SHARE: usize = 512 << 10;
/// The maximum number of threads.
const MOST_THREADS: usize = 8;

/// The threads; `None` on a machine of one core, or if the system starts none.
fn copy_threads() -> Option<&'static ThreadPool> {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let builder = ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("tilewise copy {n}"));
        if threads > 1 { builder.build().ok() } else { None }
    };
    POOL.get_or_init(start).as_ref()
}

/// The threads for a copy of so many bytes; `None` if the caller's own is to make it.
///
/// A worker of rayon, of whatever pool, that waits for other threads runs jobs of its own pool
/// meanwhile. Such a job could want the locks under which its thread is copying.
fn threads_for(bytes: usize) -> Option<&'static ThreadPool> {
    if bytes >= 2 * SHARE && rayon::current_thread_index().is_none() { copy_threads() } else { None }
}

/// Copies bytes into staging memory of the same length.
pub(super) fn fill(mut to: WriteOnly<'_, [u8]>, from: &[u8]) {
    let Some(pool) = threads_for(from.len()) else { return to.copy_from_slice(from) };
    // Only parts of constant length can be sent to other threads.
    let (parts, mut rest) = to.into_chunks::<SHARE>();
    let (shares, last) = from.as_chunks::<SHARE>();
    pool.in_place_scope(|scope| {
        for (part, share) in parts.into_iter().zip(shares) {
            scope.spawn(move |_| WriteOnly::<[u8]>::from(part).copy_from_slice(share));
        }
        rest.copy_from_slice(last);
    });
}

/// Passes bytes in pieces, each with its offset, to a function that copies them elsewhere.
pub(super) fn empty(from: &[u8], read: &(impl Fn(u64, &[u8]) + Sync)) {
    let Some(pool) = threads_for(from.len()) else { return read(0, from) };
    pool.in_place_scope(|scope| {
        for (at, share) in (0..).step_by(SHARE).zip(from.chunks(SHARE)) {
            scope.spawn(move |_| read(at, share));
        }
    });
}

/// A slice that several threads fill, each another part of it. Its parts have locks, which no two
/// threads want at the same time but at the border of their pieces.
#[derive(Debug)]
pub struct SharedTarget<'a> {
    parts: Vec<Mutex<&'a mut [u8]>>,
}

impl<'a> SharedTarget<'a> {
    /// The slice in parts.
    pub fn new(bytes: &'a mut [u8]) -> SharedTarget<'a> {
        SharedTarget { parts: bytes.chunks_mut(SHARE).map(Mutex::new).collect() }
    }

    /// Writes bytes at an offset.
    ///
    /// # Panics
    /// If they do not lie in the slice.
    pub fn write(&self, at: u64, bytes: &[u8]) {
        let (mut at, mut bytes) = (at as usize, bytes);
        while !bytes.is_empty() {
            let mut part = locked(&self.parts[at / SHARE]);
            let room = &mut part[at % SHARE..];
            let (now, rest) = bytes.split_at(room.len().min(bytes.len()));
            assert!(!now.is_empty(), "the bytes lie in the slice");
            room[..now.len()].copy_from_slice(now);
            at += now.len();
            bytes = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(bytes: usize) -> Vec<u8> {
        (0..bytes).map(|i| (i * 7 + i / 253) as u8).collect()
    }

    #[test]
    fn staging_memory_is_filled_and_emptied_alike_at_every_length() {
        for bytes in [0, 1, SHARE - 1, 2 * SHARE - 1, 2 * SHARE, 2 * SHARE + 1, 9 * SHARE + 4097] {
            let from = sample(bytes);
            let mut staged = vec![0; bytes];
            fill(WriteOnly::from_mut(&mut staged[..]), &from);
            assert_eq!(staged, from);
            let mut back = vec![0; bytes];
            let target = SharedTarget::new(&mut back);
            empty(&staged, &|at, piece| target.write(at, piece));
            assert_eq!(back, from);
        }
    }

    #[test]
    fn pieces_may_cross_the_parts_of_a_target() {
        let from = sample(3 * SHARE + 5);
        let mut back = vec![0; from.len()];
        let target = SharedTarget::new(&mut back);
        let cuts = [0, 3, SHARE - 1, SHARE + 1, 2 * SHARE + 9, from.len()];
        cuts.windows(2).for_each(|cut| target.write(cut[0] as u64, &from[cut[0]..cut[1]]));
        assert_eq!(back, from);
    }

    /// A worker of another pool copies under a lock, and its pool has more jobs that want the lock.
    #[test]
    fn no_other_job_of_a_worker_runs_while_it_copies() {
        let (done, wait) = std::sync::mpsc::channel();
        thread::spawn(move || {
            let pool = ThreadPoolBuilder::new().num_threads(2).build().expect("the system gives threads");
            let (from, lock) = (sample(64 * SHARE), Mutex::new(()));
            let copied = Mutex::new(0);
            pool.scope(|scope| {
                for _ in 0..32 {
                    scope.spawn(|_| {
                        let _held = locked(&lock);
                        let mut staged = vec![0; from.len()];
                        fill(WriteOnly::from_mut(&mut staged[..]), &from);
                        let mut back = vec![0; from.len()];
                        let target = SharedTarget::new(&mut back);
                        empty(&staged, &|at, piece| target.write(at, piece));
                        *locked(&copied) += usize::from(back == from);
                    });
                }
            });
            done.send(*locked(&copied))
        });
        assert_eq!(wait.recv_timeout(std::time::Duration::from_secs(60)), Ok(32), "32 copies that end");
    }

    #[test]
    #[should_panic(expected = "the bytes lie in the slice")]
    fn bytes_beyond_a_target_are_refused() {
        SharedTarget::new(&mut [0; 4]).write(4, &[1]);
    }
}
